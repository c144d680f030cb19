"""What people see of a table before its game begins, and the buttons there."""

import pytest

from engines import GAMES
from storage import queries
from tests.bot.kit import World, buttons, labels, reply, texts
from tests.bot.seated import core_of, open_table
from tests.bot.ways import by_way


@pytest.mark.parametrize("game", GAMES)
async def test_a_table_has_a_picture_of_its_game_and_buttons_to_read_and_watch(world: World, game: str) -> None:
    await world.ann.slash(world.channel, "open", game=game, clock="1d")
    lobby = world.messages()[0]
    picture = world.picture(lobby)
    assert picture.image.size[0] == 1024
    assert GAMES[game].title in picture.alt
    assert "1 day a turn" in picture.alt
    assert {"Join", "Rules", "Watch"} <= {one.label for one in buttons(lobby)}
    rules = await world.ben.click(lobby, label="Rules")
    assert rules.ephemeral


async def test_the_picture_stays_while_people_join_and_goes_when_the_game_begins(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    before = world.picture(world.messages()[0])
    await world.ben.click(reply(shown), label="Join")
    assert world.picture(world.messages()[0]) == before
    await world.cleo.click(reply(shown), label="Join")
    assert world.pictures(world.messages()[0]) == []
    assert world.messages()[0].attachments == []


async def test_the_public_picture_of_a_private_table_says_nothing_of_it(world: World) -> None:
    await world.ann.slash(
        world.channel, "open", game="bouncers", opponent=world.ben, private=True, clock="1d", variant="10x10-20"
    )
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.cleo, private=True, clock="3d")
    (private, other) = [one for one in world.messages() if "Only invited people" in world.text(one)]
    assert world.picture(private) == world.picture(other), "whatever is played there"
    assert "day" not in world.picture(private).alt
    assert "Watch" not in labels(private)


async def test_the_invitation_in_the_thread_of_a_private_table_names_its_terms_and_shows_its_board(world: World) -> None:
    await world.ann.slash(
        world.channel, "open", game="bouncers", opponent=world.ben, private=True, clock="1d", variant="10x10-20"
    )
    (thread,) = world.channel.threads
    invitation = world.messages(thread)[0]
    for told in ("Variant: 10×10, 20 pieces each", "1 day a turn", "Only invited people can play or watch.", "Ann",
                 f"… <@{world.ben.id}> is invited"):  # fmt: skip
        assert told in world.text(invitation)
    assert "10×10, 20 pieces each" in world.picture(invitation).alt


async def test_a_game_has_the_same_name_everywhere(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="trampoline", seats=2)
    assert "BOUNCE #1" in texts(world.messages()[0])[0]
    assert "**#1 BOUNCE**" in world.text(await world.ben.slash(world.channel, "games"))
    assert "**BOUNCE**" in world.text(await world.ben.slash(world.channel, "help"))


async def test_people_who_do_not_play_can_watch_with_a_click(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    answer = await world.cleo.click(table.board(), label="Watch")
    assert answer.ephemeral
    assert "You’ll hear when the game at table #1 is over." in world.text(answer)
    await world.cleo.click(reply(answer), label="Every turn")
    assert "every turn" in world.text(answer)
    await world.ann.slash(world.channel, "move", action="b2 b3")
    assert any(world.cleo.id in world.pinged(message) for message in world.messages())
    await world.cleo.click(reply(answer), label="Stop watching")
    assert "You won’t hear about table #1 any more." in world.text(answer)
    before = len(world.messages())
    await world.ben.slash(world.channel, "move", action="b7 b6")
    assert not any(world.cleo.id in world.pinged(message) for message in world.messages()[before:])


async def test_a_player_who_watches_is_told_that_they_are_pinged_anyway(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    answer = await world.ben.click(table.board(), label="Watch")
    assert "I’ll ping you when it’s your turn." in world.text(answer)
    assert buttons(answer) == []
    async with core_of(world).store.read() as reader:
        assert await queries.seats.watches_of_table(reader, table.table_id) == ()


async def test_a_table_can_be_watched_before_it_begins(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bouncers")
    await world.cleo.click(reply(shown), label="Watch")
    await world.ben.click(reply(shown), label="Join")
    asked = await by_way(world.ben, world.channel, "resign")
    await world.ben.click(reply(asked), label="Resign")
    assert any(world.cleo.id in world.pinged(message) for message in world.messages())


async def test_the_board_command_shows_a_picture_and_whose_turn_it_is_and_words_only_if_asked(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    own = await world.ann.slash(world.channel, "board")
    assert world.picture(own).alt.startswith("Bouncers")
    assert "Which piece bounces?" in world.text(own)
    assert "a1" not in world.text(own)
    other = await world.cleo.slash(world.channel, "board", game="1")
    assert "’s turn." in world.text(other)
    words = await world.cleo.click(reply(other), label="Board in words")
    assert "a1" in world.text(words)
