"""The scenes of the fault matrix: for each route of the bot, something people do that uses it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final
from unittest import mock

from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.settings import DAY, HOUR, ZONE
from bot.core.table.snapshot import User
from bot.features.matchmaking.waiting import next_round
from bot.features.posts.service import Posts
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentRequest
from bot.messages.click import Click
from loopback.faults import Call, Fault, Route
from loopback.model import Interaction, Message
from storage.schema.records import PostKind
from tests.bot.daily_posts import DAYS
from tests.bot.puzzles import collection, puzzles
from tests.loopback.natures import Nature, lays_out, nature
from tests.loopback.settings import choose
from tests.loopback.world import LoopbackWorld

SOON: Final = 120.0
"""Seconds after which earlier actions leave nothing to do, if nothing goes wrong."""
SLOW: Final = 2.0
"""Seconds for a slow answer: longer than the bot waits before deferring, shorter than Discord waits."""
POSTED_AT: Final = 1
"""The UTC hour of a day's message. The next day begins when all faults are long over."""
Act = Callable[[LoopbackWorld], Awaitable[Interaction | None]]
Prepare = Callable[[LoopbackWorld], AbstractAsyncContextManager[Act]]


@dataclass(frozen=True)
class Scene:
    """A row of the matrix.

    Attributes:
        kept: what is in the database in any case, in words.
        prepare: sets the scene, and gives what is done during the faults.
        where: which calls to the route the fault hits.
        changed: a query for what must be there once, if anything changes.
        owed: words that must be in one message in the end, apart from first messages and boards.
    """

    name: str
    route: Route
    kept: str
    prepare: Prepare
    where: Callable[[Call], bool] = lambda _: True
    changed: str | None = None
    owed: str | None = None


def showing(*natures: Nature, live: bool | None = None) -> Callable[[Call], bool]:
    """Calls that send or edit messages of these kinds, with or without buttons."""

    def shows(call: Call) -> bool:
        components = call.body.get("components") or []
        has_buttons = "'custom_id': 'sb|" in str(components)
        return nature(components, call.body.get("content") or "") in natures and (live is None or live == has_buttons)

    return shows


def _laying_out(what: Nature) -> Callable[[Call], bool]:
    """The second call for a message that pings, which makes it a layout with a mark."""

    return lambda call: lays_out(call) and nature(call.body["components"]) is what


def _saying(words: str) -> Callable[[Call], bool]:
    return lambda call: words in str(call.body)


async def opened(world: LoopbackWorld, **options: Any) -> Message:
    """A table that Ann opened for herself and Ben, and its first message."""
    asked = {"game": "bouncers", "opponent": world.ben, "clock": "none"} | options
    await world.people.slash(world.ann, world.channel, "open", **asked)
    await asyncio.sleep(SOON)
    return world.people.everywhere(Nature.LOBBY)[-1]


async def running(world: LoopbackWorld, **options: Any) -> Message:
    """A game of Ann against Ben with Ann to move, and its board."""
    lobby = await opened(world, **options)
    await world.people.click(world.ben, lobby, "sb|accept")
    await asyncio.sleep(SOON)
    return world.people.everywhere(Nature.BOARD)[-1]


async def alone(world: LoopbackWorld) -> Message:
    """A game of Ann by herself, whose board is edited during a turn. Games that her first roll wins are skipped."""
    for table in count(1):
        await world.people.slash(world.ann, world.channel, "open", game="trampoline", seats=1, clock="none")
        await asyncio.sleep(SOON)
        lobby = world.people.everywhere(Nature.LOBBY)[-1]
        for start in [one for one in lobby.custom_ids if one.startswith("sb|start")]:
            await world.people.click(world.ann, lobby, start)
            await asyncio.sleep(SOON)
        playing = (await world.client.core.snapshot(table)).playing
        if playing.game.outcome(playing.game.play(playing.state, 0, ("roll",)).state) is None:
            break
    return world.people.everywhere(Nature.BOARD)[-1]


async def move(world: LoopbackWorld) -> Interaction:
    return await world.people.slash(world.ann, world.channel, "move", action="b2 b3")


@contextlib.contextmanager
def slowly(service: Any, name: str) -> Any:
    """Make a part of the service take longer than an answer may."""
    real = getattr(service, name)

    async def slow(*args: Any, **more: Any) -> Any:
        await asyncio.sleep(SLOW)
        return await real(*args, **more)

    with mock.patch.object(service, name, slow):
        yield


@contextlib.asynccontextmanager
async def _slow_move(world: LoopbackWorld) -> AsyncIterator[Act]:
    await running(world)
    with slowly(world.client.core.service(Play), "act"):
        yield move


@contextlib.asynccontextmanager
async def _slow_refusal(world: LoopbackWorld) -> AsyncIterator[Act]:
    """A publicly deferred command that is then refused, and so privately."""
    with slowly(world.client.core.service(Users), "server"):
        yield lambda world: world.people.slash(world.ann, world.channel, "open", game="bouncers", opponent=world.ann)


@contextlib.asynccontextmanager
async def _closing(world: LoopbackWorld) -> AsyncIterator[Act]:
    await opened(world)
    shown = await world.people.slash(world.chief, world.channel, "server-settings")
    asked = shown.original
    assert asked is not None
    await world.people.click(world.chief, asked, Click("server-do", tokens=("tables", "pick")).custom_id)
    await world.people.click(world.chief, asked, Click("server-table").custom_id, "1")
    await world.people.click(world.chief, asked, Click("server-close", tokens=("1",)).custom_id)
    yield lambda world: world.people.click(world.chief, asked, Click("server-close-yes", tokens=("1",)).custom_id)


@contextlib.asynccontextmanager
async def _inviting(world: LoopbackWorld) -> AsyncIterator[Act]:
    """An invitation to a private table, which comes with a picture in its thread."""

    async def open_privately(world: LoopbackWorld) -> None:
        await world.people.slash(
            world.ann, world.channel, "open", game="bouncers", opponent=world.ben, clock="none", private=True
        )
        await asyncio.sleep(SOON)

    yield open_privately


@contextlib.asynccontextmanager
async def _reminding(world: LoopbackWorld) -> AsyncIterator[Act]:
    await choose(world.people, world.ann, world.channel, "settings", "reminders", when=["remind_half"], notify="direct")
    await running(world, clock="1d")

    async def wait(world: LoopbackWorld) -> None:
        await asyncio.sleep(12 * 3600)

    yield wait


@contextlib.asynccontextmanager
async def _posting(world: LoopbackWorld) -> AsyncIterator[Act]:
    """Each day has a puzzle, and the server's first post is due in a moment."""
    with puzzles(collection(days=DAYS, first=datetime.fromtimestamp(world.now(), UTC).date())):
        await world.stop()
        await world.start()
        choose = world.client.core.service(Posts).choose
        await choose(world.guild.id, PostKind.DAILY, channel_id=world.channel.id, hour=POSTED_AT, zone=ZONE, role_id=None)
        await asyncio.sleep((POSTED_AT * HOUR - SOON - world.now()) % DAY)
        yield _until_posted


@contextlib.asynccontextmanager
async def _closing_a_day(world: LoopbackWorld) -> AsyncIterator[Act]:
    """The message of a day is due in a moment, and closes the previous day's."""
    async with _posting(world):
        await asyncio.sleep(DAY)
        yield _until_posted


async def _until_posted(_: LoopbackWorld) -> None:
    await asyncio.sleep(SOON)


async def _fair_dice(world: LoopbackWorld) -> Message:
    shown = (await world.people.click(world.ann, await opened(world, game="bunny"), "sb|fair")).original
    assert shown is not None
    return shown


@contextlib.asynccontextmanager
async def _matching(world: LoopbackWorld) -> AsyncIterator[Act]:
    """Two people who seek a game are matched in a moment."""
    for person in (world.ann, world.ben):
        await world.people.slash(person, world.channel, "match", game="bouncers")
    await asyncio.sleep(next_round(world.now()) - world.now() - SOON)
    yield _until_posted


@contextlib.asynccontextmanager
async def _calling(world: LoopbackWorld) -> AsyncIterator[Act]:
    """A tournament of three starts in a moment."""
    events, guild_id = world.client.core.service(Tournaments), world.guild.id
    request = TournamentRequest(
        guild_id=guild_id, channel_id=world.channel.id, name="Spring Cup", game="bouncers", format="knockout", starts_in=HOUR
    )
    event_id = (await events.open(User(world.chief.id, world.chief.name), request)).row.id
    for wait in (0.0, HOUR / 2 + SOON):
        await asyncio.sleep(wait)
        for person in (world.ann, world.ben, world.cleo):
            await events.enter(event_id, guild_id, User(person.id, person.name), person.id)
    await asyncio.sleep(HOUR / 2 - 2 * SOON)
    yield _until_started


async def _until_started(_: LoopbackWorld) -> None:
    await asyncio.sleep(2 * SOON)


@contextlib.asynccontextmanager
async def _sending_a_word(world: LoopbackWorld) -> AsyncIterator[Act]:
    page = await _fair_dice(world)
    form = await world.people.click(world.ann, page, "sb|word")
    yield lambda world: world.people.submit(world.ann, form, "mulberry")


@contextlib.asynccontextmanager
async def _looking_again(world: LoopbackWorld) -> AsyncIterator[Act]:
    """A board that may have been sent: the connection broke."""
    await running(world)
    world.goes_wrong(Route.SEND, Fault.RESET_AFTER, 1, where=showing(Nature.BOARD))
    yield move


@contextlib.asynccontextmanager
async def _ending(world: LoopbackWorld) -> AsyncIterator[Act]:
    """A long enough game ends, and its replay follows."""
    await running(world)
    for person, action in ((world.ann, "b2 b3"), (world.ben, "b7 b6"), (world.ann, "c2 c3"), (world.ben, "c7 c6")):
        await world.people.slash(person, world.channel, "move", action=action)
        await asyncio.sleep(SOON)
    asked = await world.people.by_way(world.ben, world.channel, "resign")

    async def resign(world: LoopbackWorld) -> Interaction:
        return await world.people.click(world.ben, asked.shown[-1], "sb|resign-yes")

    yield resign


def _then(prepare: Callable[[LoopbackWorld], Awaitable[Any]], act: Callable[[LoopbackWorld, Any], Any]) -> Prepare:
    """A scene in which people act on what was prepared."""

    @contextlib.asynccontextmanager
    async def scene(world: LoopbackWorld) -> AsyncIterator[Act]:
        prepared = await prepare(world)
        yield lambda world: act(world, prepared)

    return scene


def _opening(**options: Any) -> Prepare:
    asked = {"game": "bouncers", "clock": "none"} | options
    return _then(
        lambda world: asyncio.sleep(0),
        lambda world, _: world.people.slash(world.ann, world.channel, "open", opponent=world.ben, **asked),
    )


async def _own_board(world: LoopbackWorld) -> Message | None:
    await running(world)
    return (await world.people.slash(world.ann, world.channel, "board")).original


_typed_move = _then(running, lambda world, _: move(world))
_accepting = _then(opened, lambda world, lobby: world.people.click(world.ben, lobby, "sb|accept"))
_rolling = _then(alone, lambda world, board: world.people.click(world.ann, board, "sb|act"))
_typing = _then(running, lambda world, _: world.people.suggest(world.ann, world.channel, "move", "action", action="b2"))
_offering = _then(_own_board, lambda world, board: world.people.click(world.ann, board, "sb|draw|"))
_asking_for_a_word = _then(_fair_dice, lambda world, page: world.people.click(world.ann, page, "sb|word"))
_opening_with_thread, _opening_privately = _opening(thread=True), _opening(private=True)
_POSTS = "select count(*) as n from posts"
_MOVES = "select count(*) as n from actions"
_TABLES = "select count(*) as n from tables"
_MATCHED = "select count(*) as n from tables where matched"
_ROUNDS = "select count(*) as n from events where rounds <> '[]'"
_SEATS = "select count(*) as n from seats where status = 'joined' and place = 1"
_DRAWS = "select count(*) as n from tables where offers like '%draw%'"
_WORDS = "select count(*) as n from contributions where word = 'mulberry'"
_ENDS = "select count(*) as n from tables where status = 'finished'"
_CLOSED = "select count(*) as n from tables where status = 'closed'"

SCENES: Final = (
    Scene("reply to a command", Route.REPLY, "the move", _typed_move, changed=_MOVES),
    Scene("update of the message with the button", Route.UPDATE, "the seat", _accepting, changed=_SEATS),
    Scene("silent answer to a button", Route.DEFER_UPDATE, "the move", _rolling, changed=_MOVES),
    Scene("deferral of a slow answer", Route.DEFER, "the move", _slow_move, changed=_MOVES),
    Scene("suggestions", Route.CHOICES, "nothing changes", _typing),
    Scene("opening a form", Route.MODAL, "nothing changes", _asking_for_a_word),
    Scene("answer to a form", Route.UPDATE, "the word", _sending_a_word, changed=_WORDS),
    Scene("filling in a deferred answer", Route.EDIT_ANSWER, "the move", _slow_move, changed=_MOVES),
    Scene("private refusal after a public deferral", Route.FOLLOW_UP, "nothing changes", _slow_refusal),
    Scene("taking the public placeholder away", Route.DELETE_ANSWER, "nothing changes", _slow_refusal),
    Scene("sending a board", Route.SEND, "the move", _typed_move, showing(Nature.BOARD), _MOVES),
    Scene("making a board of the announcement", Route.EDIT, "the move", _typed_move, showing(Nature.BOARD, live=True), _MOVES),
    Scene("making an invitation of its announcement", Route.EDIT, "the table", _inviting, _laying_out(Nature.NOTICE), _TABLES),
    Scene("making a lobby of its announcement", Route.EDIT, "the table", _matching, _laying_out(Nature.LOBBY), _MATCHED),
    Scene("sending an offer", Route.SEND, "the offer", _offering, showing(Nature.NOTICE), _DRAWS, "offers you a draw in"),
    Scene("sending a replay", Route.SEND, "the end", _ending, showing(Nature.REPLAY), _ENDS, "The whole game"),
    Scene("editing the board of this turn", Route.EDIT, "the move", _rolling, showing(Nature.BOARD, live=True), _MOVES),
    Scene("retiring the board before", Route.EDIT, "the move", _typed_move, showing(Nature.BOARD, live=False), _MOVES),
    Scene("editing the first message", Route.EDIT, "the closing", _closing, showing(Nature.LOBBY), _CLOSED),
    Scene("posting the puzzle of the day", Route.SEND, "the choice of the server", _posting, _saying("Daily bounce #"),
          _POSTS, "Daily bounce #"),
    Scene("closing the post of a day", Route.EDIT, "the choice of the server", _closing_a_day, _saying("Daily bounce #"),
          _POSTS, "This puzzle’s day is over."),
    Scene("asking people who are matched up", Route.SEND, "the table", _matching, _saying("found you a game"), _MATCHED,
          "matched you up"),
    Scene("telling players of a round of an event", Route.SEND, "the round", _calling, _saying("round 1 of 2 has begun"),
          _ROUNDS, "round 1 of 2 has begun"),
    Scene("opening a thread", Route.THREAD, "the table", _opening_with_thread, changed=_TABLES),
    Scene("opening a private thread", Route.PRIVATE_THREAD, "the table", _opening_privately, changed=_TABLES),
    Scene("adding somebody to a thread", Route.ADD_MEMBER, "the table", _opening_privately, changed=_TABLES),
    Scene("opening a direct conversation", Route.OPEN_DIRECT, "the reminder", _reminding, owed="is waiting for you"),
    Scene("sending a direct message", Route.SEND_DIRECT, "the reminder", _reminding, owed="is waiting for you"),
    Scene("looking for what may have been sent", Route.HISTORY, "the move", _looking_again, changed=_MOVES),
)  # fmt: skip
"""All rows except the registration of commands, which happens before anybody can play."""
