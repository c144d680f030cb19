"""Replays: the animation of a game as somebody may see its past, drawn in a worker thread, off the event loop."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any, Final

from bot.messages.perspective import Perspective
from bot.sessions import History, Snapshot
from renderers.replay import Limits, Replay, Shot, replay
from renderers.scene import Scene

CACHE_BYTES: Final = 16_000_000
"""How many bytes the cached replays may have altogether: when a game ends, several people look at its replay."""

LIMITS: Final = Limits()
"""The limits on the time and size of a replay."""

# Replays are drawn one at a time, so that long games never take all threads away from other tables' boards.
_drawing: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="springboard-replay")


class ReplayCache:
    """The replays that were asked for last, as many as have at most `most` bytes altogether."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._most = most
        self._replays: OrderedDict[Hashable, Replay] = OrderedDict()
        self.bytes = 0

    def get(self, key: Hashable) -> Replay | None:
        """The replay with this key, or None."""
        if key in self._replays:
            self._replays.move_to_end(key)
        return self._replays.get(key)

    def keep(self, key: Hashable, made: Replay) -> None:
        """Cache a replay that is not cached, unless it is too large by itself."""
        if len(made.gif) > self._most:
            return
        self._replays[key] = made
        self.bytes += len(made.gif)
        while self.bytes > self._most:
            _, oldest = self._replays.popitem(last=False)
            self.bytes -= len(oldest.gif)


# Only the thread that draws uses it.
_cache: Final = ReplayCache()


async def animation(snapshot: Snapshot, perspective: Perspective) -> Replay:
    """The game so far as an animation, without the actions that were taken back."""
    return await asyncio.get_running_loop().run_in_executor(_drawing, _animation, snapshot, perspective)


def retold(history: History, perspective: Perspective) -> bool:
    """Whether each picture shows what happened in its step. In a game of memory it does not until the game is over."""
    return perspective.revealed or not history.game.memory


def _animation(snapshot: Snapshot, perspective: Perspective) -> Replay:
    table, history = snapshot.table, snapshot.playing
    log = tuple((x.entry.kind, x.entry.seat, x.entry.tokens) for x in history.log)
    played = (table.game, table.variant, tuple(sorted(table.options.items())), table.seed, table.stream_key)
    # The hash of the game, because its whole log would take much room for a key.
    key = (sha256(repr((*played, snapshot.names, log)).encode()).digest(), perspective)
    known = _cache.get(key)
    if known is not None:
        return known
    scene = Scene(
        names=snapshot.names,
        seen_from=perspective.side,
        high_contrast=perspective.high_contrast,
        translate=perspective.language,
    )
    shots = _Shots(history, perspective)
    made = replay(table.game, len(shots), shots, scene, limits=LIMITS)
    _cache.keep(key, made)
    return made


class _Shots:
    """The steps of a game, as far as the perspective may see them."""

    def __init__(self, history: History, perspective: Perspective) -> None:
        self._history = history
        self._steps = history.in_force
        self._perspective = perspective

    def __len__(self) -> int:
        return len(self._steps) + 1

    def __call__(self, number: int) -> Shot:
        game, seat, revealed = self._history.game, self._perspective.seat, self._perspective.revealed
        step = self._steps[number - 1] if number else None
        state: Any = self._history.first if step is None else step.state
        view = game.revealed(state) if revealed else game.view(state, seat)
        if step is None or not (retold(self._history, self._perspective) or number == len(self._steps)):
            return Shot(view)
        return Shot(view, tuple(event for event in step.events if revealed or event.known_to(seat)))
