"""Replays: the animation of a game, or of its last part, as somebody may see its past."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from threading import Lock
from typing import Any, Final

from bot.drawing.place import drawing
from bot.messages.perspective import Perspective
from bot.messages.picture_cache import retrieved
from bot.sessions import Snapshot
from bot.sessions.history import HistoryEntry
from renderers.replay import Limits, Replay, Shot, replay, steps_shown
from renderers.scene import Scene

CACHE_BYTES: Final = 16_000_000
"""How many bytes the cached replays may have altogether: when a game ends, several people look at its replay."""

LIMITS: Final = Limits()
"""The limits on the time and size of a replay."""

RECAP_LIMITS: Final = Limits(slowest=2600)
"""Those of a recap: it has few steps, each of which is to be understood at the first look."""


class ReplayCache:
    """The replays that were asked for last, as many as have at most `most` bytes altogether. Threads may share it."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._most = most
        self._replays: OrderedDict[Hashable, Replay] = OrderedDict()
        self._lock = Lock()
        self.bytes = 0

    def get(self, key: Hashable) -> Replay | None:
        """The replay with this key, or None."""
        with self._lock:
            if key in self._replays:
                self._replays.move_to_end(key)
            return self._replays.get(key)

    def keep(self, key: Hashable, made: Replay) -> None:
        """Cache a replay, unless it is cached already or too large by itself."""
        with self._lock:
            if len(made.gif) > self._most or key in self._replays:
                return
            self._replays[key] = made
            self.bytes += len(made.gif)
            while self.bytes > self._most:
                _, oldest = self._replays.popitem(last=False)
                self.bytes -= len(oldest.gif)


_cache: Final = ReplayCache()
_running: Final[dict[Hashable, asyncio.Future[Replay]]] = {}


@dataclass(frozen=True, slots=True)
class Past:
    """What an animation shows: a game so far, without the actions that were taken back, or the part of it after a version.

    Attributes:
        snapshot: the table.
        perspective: who looks back, and how.
        since: the version that the animation begins with; None: the whole game.
    """

    snapshot: Snapshot
    perspective: Perspective
    since: int | None = None

    @property
    def retold(self) -> bool:
        """Whether each picture shows what happened in its step.

        In a game of memory the whole game does not until it is over. A recap does: it shows what stands in the last messages.
        """
        return self.since is not None or self.perspective.revealed or not self.snapshot.playing.game.memory

    @property
    def steps(self) -> tuple[HistoryEntry, ...]:
        """The steps that it shows, after the picture that it begins with."""
        since = self.since or 0
        return tuple(logged for logged in self.snapshot.playing.in_force if logged.entry.number > since)

    @property
    def first(self) -> Any:
        """The state that it begins with."""
        history = self.snapshot.playing
        before = [logged for logged in history.in_force if logged.entry.number <= (self.since or 0)]
        return before[-1].state if before else history.first

    def key(self) -> Hashable:
        """What it depends on."""
        table, history = self.snapshot.table, self.snapshot.playing
        log = tuple((x.entry.kind, x.entry.seat, x.entry.tokens) for x in history.log)
        played = (table.game, table.variant, tuple(sorted(table.options.items())), table.seed, table.stream_key)
        # The hash of the game, because its whole log would take much room for a key.
        who = (self.snapshot.names, self.snapshot.computers)
        return (sha256(repr((*played, who, log)).encode()).digest(), self.perspective, self.since)

    def shot(self, number: int) -> Shot:
        """The step with a number, where 0 is the beginning."""
        return self._shot(self.steps, number)

    def shots(self, numbers: Iterable[int]) -> dict[int, Shot]:
        """The steps with these numbers."""
        steps = self.steps
        return {number: self._shot(steps, number) for number in numbers}

    def _shot(self, steps: Sequence[HistoryEntry], number: int) -> Shot:
        game, seat, revealed = self.snapshot.playing.game, self.perspective.seat, self.perspective.revealed
        step = steps[number - 1] if number else None
        state: Any = self.first if step is None else step.state
        view = game.revealed(state) if revealed else game.view(state, seat)
        if step is None or not (self.retold or number == len(steps)):
            return Shot(view)
        return Shot(view, tuple(event for event in step.events if revealed or event.known_to(seat)))


def drawn(past: Past) -> Replay | None:
    """The animation, if it is at hand because somebody has asked for the same before."""
    return _cache.get(past.key())


async def animation(past: Past) -> Replay:
    """The animation; drawn if it is not at hand, and once if several people ask for it at the same time."""
    key = past.key()
    known = _cache.get(key)
    if known is not None:
        return known
    running = _running.get(key)
    if running is None:
        running = _running[key] = asyncio.ensure_future(_made(key, past))
        running.add_done_callback(retrieved)
    # Whoever stops waiting does not stop it for the others.
    return await asyncio.shield(running)


async def _made(key: Hashable, past: Past) -> Replay:
    try:
        made = await _animation(past)
    finally:
        del _running[key]
    _cache.keep(key, made)
    return made


async def _animation(past: Past) -> Replay:
    perspective, count = past.perspective, len(past.steps) + 1
    limits = LIMITS if past.since is None else RECAP_LIMITS
    scene = Scene(
        names=past.snapshot.names,
        computers=past.snapshot.computers,
        seen_from=perspective.side,
        high_contrast=perspective.high_contrast,
        translate=perspective.language,
    )
    shots = await asyncio.to_thread(past.shots, steps_shown(count, limits))
    filmed = partial(replay, limits=limits)
    return await drawing(filmed, past.snapshot.table.game, count, shots.__getitem__, scene, slow=True)
