"""A game of Puck Bumpers with two colours each, played in Discord."""

import pytest

from tests.bot.kit import World, buttons, reply
from tests.bot.seated import Seated, all_that_is_public, open_table

BOTH = "🔴🟢 Ann · 🔵🟡 Ben"


async def with_two_colours(world: World, setup: str = "random") -> Seated:
    return await open_table(world, "pucks", world.ann, world.ben, seats=2, options=f"setup:{setup} colours:2")


@pytest.mark.slow
async def test_every_message_about_the_game_shows_both_marks_of_everybody(world: World) -> None:
    table = await with_two_colours(world)
    assert BOTH in world.text(table.board())
    assert f"🔴🟢 <@{world.ann.id}>, draw 1 card to start your turn." in world.text(table.board())
    await table.type(world.ann, ("draw",))
    await table.show_all()
    assert "🔴🟢 **Ann** draws 1 card." in all_that_is_public(world)
    assert BOTH in world.text(await world.ann.click(table.board(), label="What happened?"))
    assert "🔴🟢 Ann, 🔵🟡 Ben" in world.text(await world.ben.slash(world.channel, "games"))


async def test_a_game_with_one_colour_each_has_one_mark_each(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2, options="setup:random")
    assert "🔴 Ann · 🔵 Ben" in world.text(table.board())


async def test_the_panel_asks_for_the_colour_and_then_for_the_piece(world: World) -> None:
    table = await with_two_colours(world)
    await table.type(world.ann, ("draw",))
    await table.show_all()
    game, state = (await table.snapshot()).playing.game, (await table.snapshot()).playing.state
    panel = await world.ann.click(table.board(), label="Move")
    assert [one.label for one in buttons(panel)][:2] == ["Your red pieces", "Your green pieces"]
    piece = game.choices(state, 0, ("green",))[0]
    way = game.choices(state, 0, ("green", piece.token))[0]
    await table.press(world.ann, reply(panel), ("green", piece.token, way.token))
    (logged,) = [one for one in (await table.snapshot()).playing.log if one.entry.tokens[:1] == ("green",)]
    assert logged.entry.tokens == ("green", piece.token, way.token)


@pytest.mark.parametrize(("setup", "action"), [("random", "p1 up"), ("draft", "place p1 a1")])
async def test_a_piece_without_its_colour_is_answered_with_what_is_missing(world: World, setup: str, action: str) -> None:
    table = await with_two_colours(world, setup)
    if setup == "random":
        await table.type(world.ann, ("draw",))
    answer = await table.type(world.ann, action.split())
    assert "Say which colour first: red p1 or green p1." in world.text(answer)
    assert reply(answer).ephemeral


async def test_too_many_players_for_two_colours_are_refused_before_a_table_is_opened(world: World) -> None:
    answer = await world.ann.slash(world.channel, "open", game="pucks", seats=4, options="colours:2")
    assert "Only two or three players can have two colours each, not 4." in world.text(answer)
