"""`/play`: opens a table at once if an opponent is named, otherwise the private set-up panel."""

from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.core.people import Users
from bot.core.table.snapshot import Snapshot
from bot.messages.click import Click
from storage.schema.records import Grace, Level, Status
from tests.bot.forging import forged
from tests.bot.kit import World, a_chief, buttons, labels, reply, selects
from tests.bot.seated import core_of


async def choose(member: MemberActor, panel: InteractionResult, **chosen: Any) -> InteractionResult:
    """Choose a value, or several, in menus of the panel, by their kinds."""
    for kind, value in chosen.items():
        menu = next(one for one in selects(panel) if (Click.read(one.custom_id) or Click("")).verb == f"setup-{kind}")
        values = list(value) if isinstance(value, tuple) else [value]
        panel = await member.select(reply(panel), values, custom_id=menu.custom_id)
    return panel


def kinds(panel: InteractionResult) -> list[str]:
    """The kinds of the panel's menus."""
    return [(Click.read(one.custom_id) or Click("")).verb.removeprefix("setup-") for one in selects(panel)]


async def newest(world: World) -> Snapshot:
    (table, *_) = await core_of(world).tables(guild_id=world.guild.id, statuses=tuple(Status))
    return await core_of(world).snapshot(table.id)


async def test_play_alone_opens_a_private_panel_and_posts_nothing_before_the_table_is_opened(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play")
    assert panel.ephemeral
    assert kinds(panel) == ["game", "people", "computer", "clock", "extras"]
    assert [(one.label, one.disabled) for one in buttons(panel)] == [("Open the table", True)]
    panel = await choose(world.ann, panel, game="bouncers")
    assert "variant" in kinds(panel)
    assert world.messages() == []
    opened = await world.ann.click(reply(panel), label="Open the table")
    assert "Table #1 is open." in world.text(opened)
    (lobby,) = world.messages()
    assert {"Join", "Start"} <= {one.label for one in buttons(lobby)}
    assert (await newest(world)).table.clock == 86400 or (await newest(world)).table.clock is None


async def test_a_game_alone_leaves_one_press_to_its_table(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="bunny")
    await world.ann.click(reply(panel), label="Open the table")
    assert (await newest(world)).table.game == "bunny"


async def test_with_an_opponent_the_table_is_open_at_once(world: World) -> None:
    shown = await world.ann.slash(world.channel, "play", game="bouncers", opponent=world.ben)
    assert not shown.ephemeral
    await world.ben.click(reply(shown), label="Accept")
    assert (await newest(world)).table.status is Status.PLAYING


async def test_with_a_computer_alone_the_game_begins_and_nobody_else_sees_it(world: World) -> None:
    shown = await world.ann.slash(world.channel, "play", game="bouncers", computer="easy")
    assert shown.ephemeral
    assert "Which piece bounces?" in world.text(shown)
    assert world.messages() == []
    assert (await newest(world)).table.solo


async def test_every_choice_becomes_part_of_the_table(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="pucks")
    panel = await choose(world.ann, panel, variant="old-school", people=(world.ben, world.cleo), computer="hard-0", players="5")
    panel = await choose(world.ann, panel, clock="3d", extras=("strict", "thread", "shuffled", "unrated"))
    await world.restart()
    await world.ann.click(reply(panel), label="Open the table")
    snapshot = await newest(world)
    table = snapshot.table
    assert (table.game, table.wanted, table.clock) == ("pucks", 5, 3 * 86400)
    assert {person.user_id for person in snapshot.invited} == {world.ben.id, world.cleo.id}
    assert [player.computer for player in snapshot.players if player.computer] == [Level.HARD, Level.HARD]
    assert table.grace is Grace.STRICT
    assert table.threaded
    assert table.options["order"] == "shuffled"
    assert not table.rated


async def test_a_choice_can_be_taken_back(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="trampoline")
    panel = await choose(world.ann, panel, people=world.ben, computer="easy", players="4", extras=("private", "unrated"))
    panel = await choose(world.ann, panel, people=(), computer="none", players="none", extras=())
    await world.ann.click(reply(panel), label="Open the table")
    snapshot = await newest(world)
    assert snapshot.invited == ()
    assert not snapshot.computers
    assert not snapshot.table.private
    assert snapshot.table.rated


async def test_choosing_another_game_forgets_what_only_the_previous_one_had(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="pucks")
    panel = await choose(world.ann, panel, players="6", extras="unrated", game="bunny")
    await world.ann.click(reply(panel), label="Open the table")
    table = (await newest(world)).table
    assert (table.game, table.wanted, table.options) == ("bunny", 2, {"rated": "no"})


async def test_the_panel_says_what_is_impossible_and_keeps_the_rest(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="bouncers")
    panel = await choose(world.ann, panel, clock="8h", people=(world.ben, world.cleo))
    refused = await world.ann.click(reply(panel), label="Open the table")
    assert "Bouncers is for 2 players." in world.text(refused)
    assert world.messages() == []
    panel = await choose(world.ann, refused, people=world.ben)
    assert "Bouncers is for 2 players." not in world.text(panel)
    await world.ann.click(reply(panel), label="Open the table")
    assert (await newest(world)).table.clock == 8 * 3600


async def test_after_a_refused_choice_no_menu_can_go_on_showing_it(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="bouncers")
    panel = await choose(world.ann, panel, people=world.ann)
    seen = {one.custom_id for one in selects(panel)}
    for _ in range(3):
        panel = await world.ann.click(reply(panel), label="Open the table")
        assert "You’re already in." in world.text(panel)
        shown = {one.custom_id for one in selects(panel)}
        assert not shown & seen
        seen |= shown


async def test_private_with_computers_alone_is_a_game_that_nobody_else_sees(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="bouncers")
    panel = await choose(world.ann, panel, computer="easy", extras="private")
    game = await world.ann.click(reply(panel), label="Open the table")
    assert reply(game).ephemeral
    assert "Which piece bounces?" in world.text(game)
    assert world.messages() == []


async def test_one_computer_leaves_the_other_seats_to_people_and_the_panel_says_what_comes(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="pucks")
    panel = await choose(world.ann, panel, players="3", computer="easy")
    assert "A table for 3 that everybody here sees: you, one computer (easy), 1 seat open." in world.text(panel)
    every = await choose(world.ann, panel, computer="easy-0")
    assert "Starts at once, and everybody here can watch: you, 2 computers (easy)." in world.text(every)
    every = await choose(world.ann, every, people=world.ben)
    assert ", one computer (easy)." in world.text(every)
    alone = await choose(world.ann, every, people=(), extras="private")
    assert "Starts at once, and only you will see it: you, 2 computers (easy)." in world.text(alone)
    one = await choose(world.ann, alone, computer="easy")
    refused = await world.ann.click(reply(one), label="Open the table")
    assert "Nobody could take the free seats" in world.text(refused)
    assert world.messages() == []
    panel = await choose(world.ann, refused, extras=())
    await world.ann.click(reply(panel), label="Open the table")
    snapshot = await newest(world)
    assert (snapshot.table.status, snapshot.table.wanted, len(snapshot.computers)) == (Status.OPEN, 3, 1)


async def test_a_game_in_a_channel_without_games_is_refused_before_anything_is_set_up(world: World) -> None:
    other = world.guild.create_text_channel("elsewhere")
    await core_of(world).service(Users).change_server(world.guild.id, channels=(world.channel.id,))
    for options in ({}, {"game": "bouncers"}):
        refused = await world.ann.slash(other, "play", **options)
        assert "Games on this server are played in" in world.text(refused)
        assert not selects(refused)
    assert selects(await world.ann.slash(world.channel, "play"))


async def test_house_rules_are_chosen_on_a_page_of_their_own_and_a_wrong_code_is_explained(world: World) -> None:
    panel = await world.ann.slash(world.channel, "play", game="pucks")
    panel = await choose(world.ann, panel, clock="7d")
    page = await world.ann.click(reply(panel), label="House rules")
    assert len(world.pictures(page)) == 1
    page = await choose(world.ann, page, seats="2", set="random")
    form = await world.ann.click(reply(page), label="My own board …")
    assert form.modal is not None
    wrong = await world.ann.submit_modal(form, {"code": "B.K"})
    assert "```\nB.K\n```" in world.text(wrong)
    form = await world.ann.click(reply(wrong), label="My own board …")
    page = await world.ann.submit_modal(form, {"code": "B.K / GeKB"})
    assert "board B.K/GeKB" in world.text(page)
    panel = await world.ann.click(reply(page), label="Done")
    assert "House rules: " in world.text(panel)
    await world.ann.click(reply(panel), label="Open the table")
    table = (await newest(world)).table
    assert (table.options["board"], table.options["setup"]) == ("B.K/GeKB", "random")
    assert (table.wanted, table.clock, table.rated) == (2, 7 * 86400, False)


async def test_an_opener_may_change_everything_about_a_table_until_others_join(world: World) -> None:
    shown = await world.ann.slash(world.channel, "play", game="bouncers", opponent=world.ben)
    refused = await world.cleo.click(reply(shown), label="Change")
    assert "sets the house rules" in world.text(refused)
    panel = await world.ann.click(reply(shown), label="Change")
    assert "Change this table" in world.text(panel)
    panel = await choose(world.ann, panel, clock="1h")
    await world.ann.click(reply(panel), label="Save changes")
    changed = await newest(world)
    assert changed.table.clock == 3600
    assert [person.user_id for person in changed.invited] == [world.ben.id]
    assert (await core_of(world).snapshot(1)).table.status is Status.CLOSED


async def test_a_table_that_somebody_has_joined_meanwhile_is_not_replaced(world: World) -> None:
    shown = await world.ann.slash(world.channel, "play", game="trampoline", opponent=world.ben)
    panel = await world.ann.click(reply(shown), label="Change")
    await world.ben.click(reply(shown), label="Accept")
    refused = await world.ann.click(reply(panel), label="Save changes")
    assert "The game has begun, so its rules can’t change any more." in world.text(refused)
    assert (await newest(world)).table.id == 1


async def test_a_managers_first_table_from_the_panel_asks_about_threads_too(world: World) -> None:
    chief = a_chief(world)
    panel = await chief.slash(world.channel, "play", game="bouncers")
    opened = await chief.click(reply(panel), label="Open the table")
    assert labels(opened.followups[-1]) == ["Use threads"]


@pytest.mark.parametrize(
    "click",
    [
        Click("setup-open"), Click("setup-game", tokens=("bouncers",)), Click("setup-rules"),
        Click("setup-seats", tokens=("x",)), Click("setup-parts", tokens=("without",)), Click("setup-edit"),
    ],
    ids=lambda click: click.verb,
)  # fmt: skip
async def test_a_click_on_a_message_without_a_set_up_is_refused_in_words(world: World, click: Click) -> None:
    board = await world.ann.slash(world.channel, "help")
    answer = await forged(world.ann, reply(board), click)
    assert any(said in world.text(answer) for said in ("too old for me", "Pick a game first", "Set up a game"))
    assert world.messages() == []


@pytest.mark.parametrize("tokens", [("chess",), (), ("x" * 40,)])
async def test_an_unknown_choice_changes_nothing(world: World, tokens: tuple[str, ...]) -> None:
    panel = await world.ann.slash(world.channel, "play", game="bouncers")
    for kind in ("game", "variant", "people", "computer", "players", "clock"):
        answer = await forged(world.ann, reply(panel), Click(f"setup-{kind}", tokens=tokens))
        assert not (await core_of(world).tables(guild_id=world.guild.id))
        assert world.text(answer)
