"""Pace: how soon a person takes their turns, and how many of them they let time out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from storage import queries
from storage.queries.waits import Wait
from storage.schema.records import Person
from storage.store import Reader

PERIOD: Final = 90 * 86400.0
"""The length in seconds of the period whose turns make up a pace, which is the last ninety days."""

FEWEST_TURNS: Final = 10
"""The fewest turns from which a pace is computed. Fewer would say more about one bad day than about the person."""


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, in seconds since the epoch."""

    begins: float
    ends: float

    @property
    def seconds(self) -> float:
        """The length of the span, or 0.0 if it ends before it begins because a clock was set back."""
        return max(0.0, self.ends - self.begins)

    def overlap(self, other: "Span") -> float:
        """Return for how many seconds two spans overlap."""
        return max(0.0, min(self.ends, other.ends) - max(self.begins, other.begins))


@dataclass(frozen=True, slots=True)
class Turn:
    """A person's turn in a game with a clock.

    Attributes:
        waits: the spans in which the game waited for them, one per action. The last may end with a time-out.
        clock: the seconds that they had for each action.
    """

    waits: tuple[Span, ...]
    clock: float
    timed_out: bool = False

    def seconds(self, pauses: Sequence[Span] = ()) -> float:
        """Return the seconds a turn took, without `pauses`, which must not overlap. No wait counts for more than the clock."""
        return sum(
            min(self.clock, max(0.0, wait.seconds - sum(wait.overlap(pause) for pause in pauses))) for wait in self.waits
        )


@dataclass(frozen=True, slots=True)
class Pace:
    """How soon and how reliably a person takes turns: their number, median length in seconds, and how many timed out."""

    turns: int
    seconds: float
    timeouts: int

    @property
    def timeout_share(self) -> float:
        """The share of turns that timed out, from 0.0 to 1.0."""
        return self.timeouts / self.turns


def pace_of(turns: Iterable[Turn], pauses: Sequence[Span] = ()) -> Pace | None:
    """Return the pace of these turns, or None for fewer than `FEWEST_TURNS`. `pauses` (such as vacations) must not overlap."""
    known = tuple(turns)
    if len(known) < FEWEST_TURNS:
        return None
    return Pace(len(known), median(turn.seconds(pauses) for turn in known), sum(turn.timed_out for turn in known))


def pace_in(waits: Iterable[Wait], person: Person) -> Pace | None:
    """Return a person's pace, given the waits for them in order of tables, or None if there are too few turns.

    Only the person's last vacation is known and left out. Turns interrupted by others count for at most their clock, and so
    hardly move the median.
    """
    turns: list[list[Wait]] = []
    for wait in waits:
        if wait.fresh or not turns or turns[-1][-1].table_id != wait.table_id:
            turns.append([])
        turns[-1].append(wait)
    counting = ([wait for wait in turn if wait.counts] for turn in turns)
    vacation = person.vacation_from is not None and person.vacation_until is not None
    pauses = (Span(person.vacation_from or 0.0, person.vacation_until or 0.0),) if vacation else ()
    known = (
        Turn(tuple(Span(wait.since, wait.until) for wait in turn), turn[0].clock, any(wait.timed_out for wait in turn))
        for turn in counting
        if turn
    )
    return pace_of(known, pauses)


PACE_GAMES: Final = 100
"""How many of a person's newest games make up a pace."""


async def pace_of_person(
    reader: Reader, guild_id: int, user_id: int, now: float, *, seen_by: int | None = None, game: str | None = None
) -> Pace | None:
    """Return a person's pace in the last ninety days, at tables that `seen_by` may see, or None if there are too few turns."""
    waits = await queries.waits.of_person(
        reader, guild_id=guild_id, user_id=user_id, since=now - PERIOD, seen_by=seen_by, game=game, games=PACE_GAMES
    )
    return pace_in(waits, await queries.people.get(reader, user_id))
