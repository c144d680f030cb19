"""The router: no click reaches a table of another server, or a private one that the person may not see."""

import json

import pytest
from simcord.builders import GuildHandle

from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import language
from bot.interactions.panels import KINDS
from bot.messages.board import board_in_words
from bot.messages.builder import plain_words
from bot.messages.click import Click
from bot.registry import HANDLERS
from engines.game import hand_of
from storage import queries
from storage.schema.records import Handover, Offers, Proposal
from tests.bot.forging import forged
from tests.bot.kit import World, a_chief, a_guild, reply
from tests.bot.seated import all_that_is_seen, core_of, open_table, small_table, user_of
from tests.storage.dump import everything

pytestmark = pytest.mark.slow

LEARNING = {"learn", "learn-pick", "learn-act", "learn-skip", "learn-anew"}

THINKING = {verb for verb, kind in KINDS.items() if kind == "analysis"} | {"analysis-start", "analysis-open", "analysis-resume"}

SOLVING = {verb for verb, kind in KINDS.items() if kind == "puzzle"} | {"puzzle", "daily", "daily-table"}

SEEKING = {verb for verb, kind in KINDS.items() if kind == "seek"} | {"seek", "seek-too"}

CLIMBING = {verb for verb, kind in KINDS.items() if kind == "ladder"}

WITHOUT_TABLE = {"forget-me", "challenge", "rules", "rules-page", *LEARNING, *THINKING, *SOLVING, *SEEKING, *CLIMBING}
"""The verbs of buttons that belong to no table."""

VERBS = sorted(set(HANDLERS) - WITHOUT_TABLE)


def elsewhere(world: World) -> GuildHandle:
    """Another server that has the bot."""
    return a_guild(world.env, "Elsewhere")


def missing(table_id: int) -> str:
    return f"There’s no table #{table_id} here."


def a_click(verb: str, table_id: int) -> Click:
    return Click(verb, table_id, version=0, tokens=("b2", "b3"))


async def offer_all(world: World, table_id: int, to: int) -> None:
    """Make every kind of offer, so that every answer has something to answer."""
    with world.env._bot_scope():
        async with core_of(world).store.write() as writer:
            draw = Proposal(by=0, agreed=(0,))
            undo = Proposal(by=0, agreed=(0,), version=0)
            await queries.tables.change(
                writer, table_id, offers=Offers(draw=draw, undo=undo, substitute=Handover(by=0, seat=0, to=to))
            )


async def test_no_button_reaches_a_table_of_another_server(world: World) -> None:
    other = elsewhere(world)
    channel = other.create_text_channel("games")
    ben = other.add_member(world.ben.user)
    shown = await ben.slash(channel, "open", game="bouncers")  # 1: still open
    message = reply(shown)
    playing = await open_table(world, "bouncers", world.ann, world.ben)  # 2: Ben plays there
    waiting = await open_table(world, "bouncers", world.ann)  # 3: open to everybody
    over = await open_table(world, "bouncers", world.ann, world.ben)  # 4: over
    with world.env._bot_scope():
        await core_of(world).service(Play).resign(over.table_id, user_of(world.ann))
    await over.show_all()
    await offer_all(world, playing.table_id, world.ben.id)
    store = core_of(world).store
    before = await everything(store)
    for verb in VERBS:
        for table in (playing, waiting, over):
            answer = await forged(ben, message, a_click(verb, table.table_id))
            assert world.text(answer) == missing(table.table_id), verb
            assert answer.ephemeral
    assert await everything(store) == before


async def test_a_private_table_answers_strangers_like_one_that_is_not_there(world: World) -> None:
    """While it waits for players, is played, or is over; also for people who declined."""
    game = {"game": "bouncers", "opponent": world.ben, "private": True}
    lobbies = []
    for _ in range(4):
        await world.pass_time(3600)  # nobody is invited four times in a moment
        lobbies += [reply(await world.ann.slash(world.channel, "open", **game))]
    for lobby in lobbies[1:3]:
        await world.ben.click(lobby, label="Accept")
    with world.env._bot_scope():
        await core_of(world).service(Play).resign(3, user_of(world.ann))
        await core_of(world).service(Lobby).decline(4, user_of(world.ben))
        world.client.outbox.wake()
    await world.settle()
    await offer_all(world, 2, world.ann.id)
    store = core_of(world).store
    before = await everything(store)
    for verb in VERBS:
        none = world.text(await forged(world.cleo, lobbies[0], a_click(verb, 99)))
        assert none == missing(99), verb
        for table_id in (1, 2, 3, 4):
            answer = await forged(world.cleo, lobbies[0], a_click(verb, table_id))
            assert world.text(answer) == missing(table_id), verb
            assert answer.ephemeral
        assert world.text(await forged(world.ben, lobbies[0], a_click(verb, 4))) == missing(4), verb
    assert await everything(store) == before


async def test_no_command_and_no_autocomplete_reaches_a_table_of_another_server_or_a_private_one(world: World) -> None:
    other = elsewhere(world)
    channel = other.create_text_channel("games")
    ben = other.add_member(world.ben.user)
    await open_table(world, "bouncers", world.ann, world.ben)  # 1
    lobby = reply(await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True))
    await world.ben.click(lobby, label="Accept")  # 2
    store = core_of(world).store
    before = await everything(store)
    named = [c for c in world.client.tree.get_commands() if "game" in {p.name for p in getattr(c, "parameters", [])}]
    of_a_game = {"play", "open", "rules", "stats", "analyse", "puzzle", "match", "ladder"}  # the option is no table there
    names = {command.name for command in named} - of_a_game
    assert names == {"move", "board", "watch", "replay"}
    for person, where, table_id in ((ben, channel, 1), (ben, channel, 2), (world.cleo, world.channel, 2)):
        for name in sorted(names):
            options = {"action": "b2 b3"} if name == "move" else {}
            answer = await person.slash(where, name, game=str(table_id), **options)
            assert world.text(answer) == missing(table_id), (name, table_id)
            offered = await person.autocomplete(where, name, "game", "")
            assert str(table_id) not in [choice["value"] for choice in offered], name
        assert world.text(await person.slash(where, "analyse", table=str(table_id))) == missing(table_id)
        offered = await person.autocomplete(where, "analyse", "table", "")
        assert str(table_id) not in [choice["value"] for choice in offered]
        assert await person.autocomplete(where, "move", "action", "", game=str(table_id)) == []
        assert f"#{table_id} " not in world.text(await person.slash(where, "games"))
    assert await everything(store) == before


async def test_managers_may_look_at_a_private_table_as_spectators(world: World) -> None:
    chief = a_chief(world)
    options = small_table("pucks")
    lobby = reply(await world.ann.slash(world.channel, "open", game="pucks", opponent=world.ben, private=True, **options))
    await world.ben.click(lobby, label="Accept")
    snapshot = await core_of(world).snapshot(1)
    secrets = hands(snapshot)
    shown = all_that_is_seen(world, await forged(world.ann, lobby, Click("hand", 1)))
    assert [hand in shown for hand in secrets] == [True, False]
    assert world.text(await forged(chief, lobby, Click("words", 1))) == board_in_words(snapshot, None, language("en"))
    for verb in ("words", "board", "replay", "more"):
        seen = all_that_is_seen(world, await forged(chief, lobby, Click(verb, 1)))
        assert "Puck Bumpers #1" in seen or verb == "more"
        assert not any(hand in seen for hand in secrets), verb
    for verb in ("hand", "move", "resign", "undo", "draw", "call-off"):
        assert "You’re not playing at table #1." in world.text(await forged(chief, lobby, Click(verb, 1)))
    assert world.text(await forged(chief, lobby, Click("join", 1))) == missing(1)
    assert "is private" in world.text(await chief.slash(world.channel, "watch", game="1"))


async def test_a_manager_who_plays_sees_no_more_than_any_player(world: World) -> None:
    chief = a_chief(world)
    table = await open_table(world, "pucks", world.ann, chief, **small_table("pucks"))
    snapshot = await table.snapshot()
    secrets = hands(snapshot)
    shown = all_that_is_seen(world, await forged(chief, table.board(), Click("hand", 1)))
    assert [hand in shown for hand in secrets] == [False, True]
    for verb in ("words", "board", "replay", "more", "hand", "move"):
        assert secrets[0] not in all_that_is_seen(world, await forged(chief, table.board(), Click(verb, 1))), verb


def hands(snapshot: Snapshot) -> list[str]:
    """What each player alone is told, as written beside a picture."""
    game, state = snapshot.playing.game, snapshot.playing.state
    told = [hand_of(game, game.view(state, seat)) for seat in range(2)]
    return [json.dumps(plain_words(language("en")(hand)), ensure_ascii=False)[1:-1] for hand in told if hand is not None]


async def test_in_a_direct_message_no_button_does_anything(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    direct = await world.ann.user.send_dm("hello")
    before = await everything(core_of(world).store)
    for verb in VERBS:
        answer = await forged(world.ann.user, direct, a_click(verb, 1))
        assert "Games are played on a server" in world.text(answer), verb
    assert await everything(core_of(world).store) == before
