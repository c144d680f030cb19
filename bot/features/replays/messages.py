"""Animations of a game, or of its last part, from a given perspective."""

import asyncio
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Final

from bot.core.table.history import HistoryEntry
from bot.core.table.snapshot import Snapshot
from bot.messages.builder import Picture
from bot.messages.pictures import Perspective, or_nothing, picture_or_words, words_of
from bot.runtime.cache import Cache
from bot.workers.child import give_way
from bot.workers.drawing import drawing
from engines.game import open_view
from opponents.reviewing import Example
from renderers.replay import Limits, Replay, Shot, replay, steps_shown
from renderers.scene import Scene

CACHE_BYTES: Final = 16_000_000
"""The size limit of all cached replays. They are cached because several people look at a replay when its game ends."""

LIMITS: Final = Limits()
"""The limits on how long a replay may take to draw, and on how large it may become."""

RECAP_LIMITS: Final = Limits(slowest=2600)
"""The limits on a recap, whose few steps must be clear at first sight."""


CACHE: Final[Cache[Hashable, Replay]] = Cache(CACHE_BYTES, lambda made: len(made.gif))


@dataclass(frozen=True, slots=True)
class Past:
    """What an animation shows: a game so far, or the part after version `since`. Actions that were taken back are left out."""

    snapshot: Snapshot
    perspective: Perspective
    since: int | None = None

    @property
    def retold(self) -> bool:
        """Whether the pictures show the events of their steps. They don't in the replay of an unfinished memory game."""
        return self.since is not None or self.perspective.revealed or not self.snapshot.playing.game.memory

    @property
    def steps(self) -> tuple[HistoryEntry, ...]:
        """The steps shown after the first picture."""
        since = self.since or 0
        return tuple(logged for logged in self.snapshot.playing.in_force if logged.entry.number > since)

    @property
    def first(self) -> Any:
        """The state in the first picture."""
        history = self.snapshot.playing
        before = [logged for logged in history.in_force if logged.entry.number <= (self.since or 0)]
        return before[-1].state if before else history.first

    def key(self) -> Hashable:
        """Return the cache key, made of everything that the animation depends on."""
        table, history = self.snapshot.table, self.snapshot.playing
        log = tuple((x.entry.kind, x.entry.seat, x.entry.tokens) for x in history.log)
        played = (table.game, table.variant, tuple(sorted(table.options.items())), table.seed, table.stream_key)
        # The whole log would be too large for a key.
        who = (self.snapshot.names, self.snapshot.computers)
        return (sha256(repr((*played, who, log)).encode()).digest(), self.perspective, self.since)

    def shot(self, number: int) -> Shot:
        """Return the step with this number, where 0 is the beginning."""
        return self._shot(self.steps, number)

    def shots(self, numbers: Iterable[int]) -> dict[int, Shot]:
        """Return the steps with these numbers."""
        steps = self.steps
        return {number: self._shot(steps, number) for number in numbers}

    def _shot(self, steps: Sequence[HistoryEntry], number: int) -> Shot:
        game, seat, revealed = self.snapshot.playing.game, self.perspective.seat, self.perspective.revealed
        step = steps[number - 1] if number else None
        state: Any = self.first if step is None else step.state
        view = open_view(game, state) if revealed else game.view(state, seat)
        if step is None or not (self.retold or number == len(steps)):
            return Shot(view)
        return Shot(view, tuple(event for event in step.events if revealed or event.known_to(seat)))


def words_for(past: Past, name: str) -> Picture:
    """Return the last picture in words, to replace an animation that could not be drawn."""
    snapshot, perspective = past.snapshot, past.perspective
    history = snapshot.playing
    view = open_view(history.game, history.state) if perspective.revealed else history.view(perspective.seat)
    alt = perspective.language(history.game.describe(view), snapshot.names)
    return picture_or_words(name, None, alt, perspective.language, lambda: words_of(snapshot.position, perspective, view))


def drawn(past: Past) -> Replay | None:
    """Return the animation if it is cached, or else None."""
    return CACHE.get(past.key())


async def animation(past: Past) -> Replay | None:
    """Return the animation, or None if it cannot be drawn (see `words_for`). Simultaneous requests share one drawing."""

    async def attempt() -> Replay | None:
        return await or_nothing(
            lambda: _animation(past), lambda made: len(made.gif), kind="replay", table=past.snapshot.table.id
        )

    key = past.key()
    return CACHE.get(key) or await CACHE.load(key, attempt)


async def _animation(past: Past) -> Replay:
    count, limits = len(past.steps) + 1, LIMITS if past.since is None else RECAP_LIMITS
    shots = await asyncio.to_thread(past.shots, steps_shown(count, limits))
    return await _filmed(past.snapshot, past.perspective, count, shots.__getitem__, limits)


async def example_animation(snapshot: Snapshot, perspective: Perspective, example: Example) -> Replay | None:
    """Return an example of play as an animation seen from its seat, or None if it cannot be drawn."""
    game, seat = snapshot.playing.game, perspective.seat
    shots = [Shot(game.view(example.first, seat))]
    for _, _, step in example.steps:
        shots.append(Shot(game.view(step.state, seat), tuple(event for event in step.events if event.known_to(seat))))
    return await or_nothing(
        lambda: _filmed(snapshot, perspective, len(shots), shots.__getitem__, RECAP_LIMITS),
        lambda made: len(made.gif),
        kind="example",
        table=snapshot.table.id,
    )


async def _filmed(
    snapshot: Snapshot, perspective: Perspective, count: int, shot: Callable[[int], Shot], limits: Limits
) -> Replay:
    scene = Scene(
        names=snapshot.names, computers=snapshot.computers, seen_from=perspective.side,
        high_contrast=perspective.high_contrast, translate=perspective.language,
    )  # fmt: skip
    filmed = partial(replay, limits=limits, give_way=give_way)
    return await drawing(filmed, snapshot.table.game, count, shot, scene, slow=True)
