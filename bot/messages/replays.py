"""Replays of tables: who may see what of a game's past, drawn off the event loop."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from bot.i18n.language import Language
from bot.sessions import Snapshot
from bot.sessions.logbook import is_over
from renderers.replay import Limits, Replay, Shot, replay
from renderers.scene import Scene

CACHE_SIZE: Final = 8
"""How many replays are kept: when a game ends, several people look at it."""

LIMITS: Final = Limits()
"""What a replay may cost."""

# One at a time, so that long games never take all threads from the boards of others.
_drawing: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="springboard-replay")
_kept: Final[OrderedDict[Hashable, Replay]] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Standpoint:
    """From where somebody looks back on a game.

    Attributes:
        seat: as this seat saw it; None: as a spectator did.
        revealed: with nothing hidden, because the game is over.
        retold: whether each picture shows what happened in its step. In a game of memory it does not before the game is over:
            remembering is up to the players.
        side: the seat from whose side the board is drawn.
        high_contrast: with which palette.
    """

    seat: int | None
    revealed: bool
    retold: bool
    side: int = 0
    high_contrast: bool = False


def standpoint(snapshot: Snapshot, user_id: int | None, *, high_contrast: bool = False) -> Standpoint:
    """From where somebody may look back on a game that has begun; with None, from where everybody may."""
    own = None if user_id is None else snapshot.seat_of(user_id)
    if is_over(snapshot.table):
        return Standpoint(None, revealed=True, retold=True, side=own or 0, high_contrast=high_contrast)
    memory = snapshot.playing.game.memory
    seat = None if user_id is None or memory else snapshot.viewpoint(user_id)
    return Standpoint(seat, revealed=False, retold=not memory, side=own or 0, high_contrast=high_contrast)


async def animation(snapshot: Snapshot, here: Standpoint, language: Language) -> Replay:
    """The game so far as an animation. Actions that were taken back are left out."""
    return await asyncio.get_running_loop().run_in_executor(_drawing, _animation, snapshot, here, language)


def _animation(snapshot: Snapshot, here: Standpoint, language: Language) -> Replay:
    table, history = snapshot.table, snapshot.playing
    log = tuple((x.entry.kind, x.entry.seat, x.entry.tokens) for x in history.log)
    played = (table.game, table.variant, tuple(sorted(table.options.items())), table.seed, snapshot.names, log)
    key = (*played, here, language.code)
    if key in _kept:
        _kept.move_to_end(key)
        return _kept[key]
    scene = Scene(names=snapshot.names, seen_from=here.side, high_contrast=here.high_contrast, translate=language)
    shots = _Shots(snapshot, here)
    made = replay(table.game, len(shots), shots, scene, limits=LIMITS)
    _kept[key] = made
    while len(_kept) > CACHE_SIZE:
        _kept.popitem(last=False)
    return made


class _Shots:
    """The steps of a game, from a standpoint."""

    def __init__(self, snapshot: Snapshot, here: Standpoint) -> None:
        self._history = snapshot.playing
        self._steps = self._history.in_force
        self._here = here

    def __len__(self) -> int:
        return len(self._steps) + 1

    def __call__(self, number: int) -> Shot:
        here, game = self._here, self._history.game
        step = self._steps[number - 1] if number else None
        state: Any = self._history.first if step is None else step.state
        view = game.revealed(state) if here.revealed else game.view(state, here.seat)
        if step is None or not (here.retold or number == len(self._steps)):
            return Shot(view)
        return Shot(view, tuple(event for event in step.events if here.revealed or event.known_to(here.seat)))
