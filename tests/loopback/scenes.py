"""The scenes of the fault matrix: for each route of the bot, what people do so that it is used."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from itertools import count
from typing import Any, Final
from unittest import mock

from tests.loopback.faults import Call, Fault, Nature, Route, nature
from tests.loopback.model import Interaction, Message
from tests.loopback.stage import Stage

SOON: Final = 120.0
"""Seconds after which nothing of what was done before is left to do, if nothing goes wrong."""

SLOW: Final = 2.0
"""Seconds that a slow answer takes: longer than the bot waits before it defers it, and shorter than Discord waits."""

Act = Callable[[Stage], Awaitable[Interaction | None]]


@dataclass(frozen=True)
class Scene:
    """A row of the matrix.

    Attributes:
        name: what the row is called.
        route: the route on which a fault occurs.
        kept: what is in the database in any case, in words.
        prepare: what happens before; returns what is done while there are faults.
        where: which of the calls to the route the fault meets.
        changed: a query that counts what must be there once; None: nothing is changed.
        owed: words that must stand in one message in the end, apart from first messages and boards.
    """

    name: str
    route: Route
    kept: str
    prepare: Callable[[Stage], AbstractAsyncContextManager[Act]]
    where: Callable[[Call], bool] = lambda _: True
    changed: str | None = None
    owed: str | None = None


def _scene(play: Callable[[Stage], AsyncIterator[Act]]) -> Callable[[Stage], AbstractAsyncContextManager[Act]]:
    return contextlib.asynccontextmanager(play)


def _showing(*natures: Nature, live: bool | None = None) -> Callable[[Call], bool]:
    """Calls that send or edit messages of these kinds, with buttons or without them."""

    def shows(call: Call) -> bool:
        components = call.body.get("components") or []
        has_buttons = "'custom_id': 'sb|" in str(components)
        return nature(components) in natures and (live is None or live == has_buttons)

    return shows


# --- how tables come about ------------------------------------------------------------------------------------------------


async def opened(stage: Stage, **options: Any) -> Message:
    """A table that Ann has opened for herself and Ben, and its first message."""
    asked = {"game": "bouncers", "opponent": stage.ben, "clock": "none"} | options
    await stage.people.slash(stage.ann, stage.channel, "play", **asked)
    await asyncio.sleep(SOON)
    return stage.people.everywhere(Nature.LOBBY)[-1]


async def running(stage: Stage, **options: Any) -> Message:
    """A game of Ann against Ben in which it is Ann's turn, and its board."""
    lobby = await opened(stage, **options)
    await stage.people.click(stage.ben, lobby, "sb|accept")
    await asyncio.sleep(SOON)
    return stage.people.everywhere(Nature.BOARD)[-1]


async def alone(stage: Stage) -> Message:
    """A game of Ann by herself, whose board is edited within a turn. One that her first roll wins at once is left alone."""
    for table in count(1):
        await stage.people.slash(stage.ann, stage.channel, "play", game="trampoline", seats=1, clock="none")
        await asyncio.sleep(SOON)
        lobby = stage.people.everywhere(Nature.LOBBY)[-1]
        for start in [one for one in lobby.custom_ids if one.startswith("sb|start")]:
            await stage.people.click(stage.ann, lobby, start)
            await asyncio.sleep(SOON)
        playing = (await stage.client.sessions.snapshot(table)).playing
        if playing.game.outcome(playing.game.play(playing.state, 0, ("roll",)).state) is None:
            break
    return stage.people.everywhere(Nature.BOARD)[-1]


async def move(stage: Stage) -> Interaction:
    """Ann plays, by typing."""
    return await stage.people.slash(stage.ann, stage.channel, "move", action="b2 b3")


@contextlib.contextmanager
def slowly(service: Any, name: str) -> Any:
    """A part of the service takes longer than an answer may."""
    real = getattr(service, name)

    async def slow(*args: Any, **more: Any) -> Any:
        await asyncio.sleep(SLOW)
        return await real(*args, **more)

    with mock.patch.object(service, name, slow):
        yield


# --- the scenes -----------------------------------------------------------------------------------------------------------


@_scene
async def _typed_move(stage: Stage) -> AsyncIterator[Act]:
    await running(stage)
    yield move


@_scene
async def _slow_move(stage: Stage) -> AsyncIterator[Act]:
    await running(stage)
    with slowly(stage.client.sessions.play, "act"):
        yield move


@_scene
async def _accepting(stage: Stage) -> AsyncIterator[Act]:
    lobby = await opened(stage)
    yield lambda stage: stage.people.click(stage.ben, lobby, "sb|accept")


@_scene
async def _rolling(stage: Stage) -> AsyncIterator[Act]:
    board = await alone(stage)
    yield lambda stage: stage.people.click(stage.ann, board, "sb|act")


@_scene
async def _typing(stage: Stage) -> AsyncIterator[Act]:
    await running(stage)
    yield lambda stage: stage.people.suggest(stage.ann, stage.channel, "move", "action", action="b2")


@_scene
async def _slow_refusal(stage: Stage) -> AsyncIterator[Act]:
    """A command with a public answer which after a while has to be refused, and so privately."""
    with slowly(stage.client.sessions.users, "server"):
        yield lambda stage: stage.people.slash(stage.ann, stage.channel, "play", game="bouncers", opponent=stage.ann)


@_scene
async def _offering(stage: Stage) -> AsyncIterator[Act]:
    await running(stage)
    yield lambda stage: stage.people.slash(stage.ann, stage.channel, "draw")


@_scene
async def _opening(stage: Stage) -> AsyncIterator[Act]:
    yield lambda stage: stage.people.slash(stage.ann, stage.channel, "play", game="bouncers", opponent=stage.ben, clock="none")


@_scene
async def _closing(stage: Stage) -> AsyncIterator[Act]:
    await opened(stage)
    yield lambda stage: stage.people.slash(stage.chief, stage.channel, "server-settings close-table", game="1")


@_scene
async def _opening_with_thread(stage: Stage) -> AsyncIterator[Act]:
    yield lambda stage: stage.people.slash(
        stage.ann, stage.channel, "play", game="bouncers", opponent=stage.ben, clock="none", thread=True
    )


@_scene
async def _opening_privately(stage: Stage) -> AsyncIterator[Act]:
    yield lambda stage: stage.people.slash(
        stage.ann, stage.channel, "play", game="bouncers", opponent=stage.ben, clock="none", private=True
    )


@_scene
async def _reminding(stage: Stage) -> AsyncIterator[Act]:
    await stage.people.slash(stage.ann, stage.channel, "settings reminders", half=True, late=False, where="direct")
    await running(stage, clock="1d")

    async def wait(stage: Stage) -> None:
        await asyncio.sleep(12 * 3600)

    yield wait


@_scene
async def _asking_for_a_word(stage: Stage) -> AsyncIterator[Act]:
    lobby = await opened(stage, game="bunny")
    yield lambda stage: stage.people.click(stage.ann, lobby, "sb|word")


@_scene
async def _sending_a_word(stage: Stage) -> AsyncIterator[Act]:
    lobby = await opened(stage, game="bunny")
    form = await stage.people.click(stage.ann, lobby, "sb|word")
    yield lambda stage: stage.people.submit(stage.ann, form, "mulberry")


@_scene
async def _looking_again(stage: Stage) -> AsyncIterator[Act]:
    """A board that may have been sent: the connection broke when it was."""
    await running(stage)
    stage.goes_wrong(Route.SEND, Fault.RESET_AFTER, 1, where=_showing(Nature.BOARD))
    yield move


@_scene
async def _ending(stage: Stage) -> AsyncIterator[Act]:
    """A game in which something was played is over, and its replay follows."""
    await running(stage)
    await move(stage)
    await asyncio.sleep(SOON)
    asked = await stage.people.slash(stage.ben, stage.channel, "resign")

    async def resign(stage: Stage) -> Interaction:
        return await stage.people.click(stage.ben, asked.shown[-1], "sb|resign-yes")

    yield resign


_MOVES: Final = "select count(*) as n from actions"
_TABLES: Final = "select count(*) as n from tables"
_SEATS: Final = "select count(*) as n from seats where status = 'joined' and place = 1"
_DRAWS: Final = "select count(*) as n from tables where offers like '%draw%'"
_WORDS: Final = "select count(*) as n from contributions where word = 'mulberry'"
_ENDS: Final = "select count(*) as n from tables where status = 'finished'"
_CLOSED: Final = "select count(*) as n from tables where status = 'closed'"

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
    Scene("sending a board", Route.SEND, "the move", _typed_move, _showing(Nature.BOARD), _MOVES),
    Scene("sending an offer", Route.SEND, "the offer", _offering, _showing(Nature.NOTICE), _DRAWS, "offers a draw in"),
    Scene("sending a replay", Route.SEND, "the end", _ending, _showing(Nature.REPLAY), _ENDS, "The whole game"),
    Scene("editing the board of this turn", Route.EDIT, "the move", _rolling, _showing(Nature.BOARD, live=True), _MOVES),
    Scene("retiring the board before", Route.EDIT, "the move", _typed_move, _showing(Nature.BOARD, live=False), _MOVES),
    Scene("editing the first message", Route.EDIT, "the closing", _closing, _showing(Nature.LOBBY), _CLOSED),
    Scene("opening a thread", Route.THREAD, "the table", _opening_with_thread, changed=_TABLES),
    Scene("opening a private thread", Route.PRIVATE_THREAD, "the table", _opening_privately, changed=_TABLES),
    Scene("adding somebody to a thread", Route.ADD_MEMBER, "the table", _opening_privately, changed=_TABLES),
    Scene("opening a direct conversation", Route.OPEN_DIRECT, "the reminder", _reminding, owed="it’s your turn in"),
    Scene("sending a direct message", Route.SEND_DIRECT, "the reminder", _reminding, owed="it’s your turn in"),
    Scene("looking for what may have been sent", Route.HISTORY, "the move", _looking_again, changed=_MOVES),
)
"""The rows, but for the registration of commands, which happens before there is anybody to play."""
