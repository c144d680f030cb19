"""The menus on people and messages: what they show and to whom, without revealing more than the reader may know."""

from typing import Any

import discord
import pytest
from discord import AppCommandType
from simcord.results import InteractionResult

from bot.core.play import Play
from bot.messages.marks import table_of
from tests.bot.kit import World, a_chief, buttons, reply, texts
from tests.bot.seated import core_of, open_table, small_table, user_of
from tests.bot.settings_panels import fill
from tests.bot.ways import by_way
from tests.storage.dump import everything

CHALLENGE, STATS, HAPPENED, HAND = "Challenge to a game", "Stats", "What happened?", "My hand"
NO_TABLE = "That message doesn’t belong to any of my tables."


def test_there_are_menus_on_people_and_on_messages(world: World) -> None:
    tree = world.client.tree
    assert [menu.name for menu in tree.get_commands(type=AppCommandType.user)] == [CHALLENGE, STATS]
    assert [menu.name for menu in tree.get_commands(type=AppCommandType.message)] == [HAPPENED, HAND]


async def test_a_person_is_challenged_with_two_clicks(world: World) -> None:
    asked = await world.ann.context_menu(world.channel, CHALLENGE, world.ben)
    assert reply(asked).ephemeral
    assert [one.label for one in buttons(asked)] == ["Bouncers", "Bounce Bunny Bounce", "BOUNCE", "Puck Bumpers"]
    assert world.messages() == [], "nobody is asked yet"
    opened = await world.ann.click(reply(asked), label="Bouncers")
    assert world.text(reply(opened)) == "You’ve challenged Ben to Bouncers: table #1. It’s open in this channel."
    assert [one.label for one in buttons(reply(opened))] == ["Go to the board"], "it cannot be opened twice"
    lobby, *_ = world.messages()
    assert "### Bouncers #1" in world.text(lobby)
    assert any(world.ben.id in world.pinged(message) for message in world.messages()), "whoever is challenged is told"
    await world.ben.click(lobby, label="Accept")
    snapshot = await core_of(world).snapshot(1)
    assert [player.name for player in snapshot.players] == ["Ann", "Ben"]


async def test_a_challenge_takes_the_clock_and_the_threads_of_the_server(world: World) -> None:
    chief = a_chief(world)
    await fill(world, chief, "server-settings", "new-tables", clock="259200", threads="yes")
    asked = await world.ann.context_menu(world.channel, CHALLENGE, world.ben)
    await world.ann.click(reply(asked), label="BOUNCE")
    table = (await core_of(world).snapshot(1)).table
    assert (table.clock, table.threaded) == (3 * 86400, True)


async def test_nobody_challenges_themselves_or_a_bot_or_where_no_games_are_played(world: World) -> None:
    async def told(target: Any) -> str:
        return world.text(reply(await world.ann.context_menu(world.channel, CHALLENGE, target)))

    assert await told(world.ann) == "You’re already in. Invite somebody else!"
    robot = world.guild.add_member(world.env.create_user("robot", global_name="Robot", bot=True))
    assert await told(robot) == "Robot is a bot. Bots don’t play here."
    chief = a_chief(world)
    await fill(world, chief, "server-settings", "channels", channels=[world.guild.create_text_channel("elsewhere")])
    assert "Games on this server are played in" in await told(world.ben)
    assert world.messages() == []


async def test_the_stats_of_a_person_are_those_of_the_command(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    with world.env._bot_scope():
        await core_of(world).service(Play).resign(1, user_of(world.ann))
    for target in (world.ben, world.ann):
        shown = await world.ann.context_menu(world.channel, STATS, target)
        typed = await world.ann.slash(world.channel, "stats", user=target)
        assert reply(shown).ephemeral
        assert texts(reply(shown)) == texts(reply(typed))


@pytest.mark.slow
async def test_a_board_says_what_happened_and_shows_only_ones_own_hand(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, **small_table("pucks"))
    board = table.board()
    hands = {}
    for who in (world.ann, world.ben):
        shown = await who.context_menu(world.channel, HAND, board)
        assert reply(shown).ephemeral
        hands[who.name] = seen(world, shown)
        assert hands[who.name] == seen(world, await by_way(who, world.channel, "hand", game="1"))
    assert hands["ann"] != hands["ben"]
    told = world.text(reply(await world.cleo.context_menu(world.channel, HAND, board)))
    assert told == "You’re not playing at table #1."
    for who in (world.ann, world.cleo):
        happened = await who.context_menu(world.channel, HAPPENED, board)
        pressed = await who.click(board, label="What happened?") if "What happened?" in labels(board) else None
        assert reply(happened).ephemeral
        assert pressed is None or texts(reply(pressed)) == texts(reply(happened))


def seen(world: World, shown: InteractionResult) -> tuple[list[str], list[tuple[str, bytes]]]:
    """The words and pictures of an answer."""
    return texts(shown), [(picture.alt, picture.png) for picture in world.pictures(shown)]


def labels(message: Any) -> list[str]:
    return [one.label for one in buttons(message)]


async def test_every_message_of_a_table_even_a_folded_board_leads_to_it(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    first = table.board()
    await table.type(world.ann, ("b2", "b3"))
    await world.pass_time(5)
    await table.type(world.ben, ("b7", "b6"))
    await world.pass_time(5)
    assert first.id != table.board().id
    assert len(world.messages()) > 2
    for message in world.messages():
        assert table_of(message) == 1, texts(message)
        shown = await world.ann.context_menu(world.channel, HAPPENED, message)
        assert NO_TABLE not in world.text(shown)
        assert reply(shown).ephemeral


async def test_before_a_game_begins_and_after_it_was_called_off_the_menus_say_so(world: World) -> None:
    lobby = reply(await world.ann.slash(world.channel, "open", game="pucks", seats=2))
    told = [reply(await world.ann.context_menu(world.channel, menu, lobby)) for menu in (HAPPENED, HAND)]
    assert {world.text(one) for one in told} == {"The game at table #1 hasn’t started yet."}
    await world.ann.click(lobby, label="Leave")
    told += [reply(await world.ann.context_menu(world.channel, menu, lobby)) for menu in (HAPPENED, HAND)]
    assert all(one.ephemeral for one in told)
    assert all("went wrong" not in world.text(one) for one in told)


async def test_a_message_about_no_table_is_answered_privately(world: World) -> None:
    spoken = await world.ben.send(world.channel, "See Bouncers #1!")
    await open_table(world, "bouncers", world.ann, world.ben)
    chief = a_chief(world)
    board = await by_way(chief, world.channel, "leaderboard", game="bouncers")
    await chief.click(reply(board), label="Post here")
    leaders = world.last()
    for message in (spoken, leaders):
        for menu in (HAPPENED, HAND):
            shown = reply(await world.ann.context_menu(world.channel, menu, message))
            assert NO_TABLE in world.text(shown), texts(message)
            assert shown.ephemeral


async def test_a_message_of_a_private_table_says_nothing_to_others_and_changes_nothing(world: World) -> None:
    lobby = reply(await world.ann.slash(world.channel, "open", game="pucks", opponent=world.ben, private=True))
    await world.ben.click(lobby, label="Accept")
    store = core_of(world).store
    public = world.messages()
    assert public
    before = await everything(store)
    for message in public:
        for menu in (HAPPENED, HAND):
            told = world.text(reply(await world.cleo.context_menu(world.channel, menu, message)))
            assert told in {"There’s no table #1 here.", NO_TABLE} or NO_TABLE in told
    assert await everything(store) == before


@pytest.mark.parametrize(("words", "table"), [
    ("Ann plays b2 → b3. Your turn in Bouncers #7.", 7), ("-# #7 · Ann #12 plays", 7), ("Bouncers #7 and BOUNCE #8", None),
    ("Bouncers #7: see #7", 7), ("in <#1234567890>", None), ("no. 7, a#7, &#7;", None), ("", None),
])  # fmt: skip
def test_a_message_without_buttons_is_about_the_only_table_it_names(words: str, table: int | None) -> None:
    message = discord.Object(1)
    message.components, message.content = [], words  # type: ignore[attr-defined]
    assert table_of(message) == table  # type: ignore[arg-type]
