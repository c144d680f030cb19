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
"""The seconds up to now whose turns make up a pace: ninety days."""

FEWEST_TURNS: Final = 10
"""The fewest turns that make up a pace. Fewer would say more about one bad day than about the person."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time, in seconds since the epoch."""

    begins: float
    ends: float

    @property
    def seconds(self) -> float:
        """Its length; 0.0 if it ends before it begins, since a clock may have been set back."""
        return max(0.0, self.ends - self.begins)

    def overlap(self, other: "Span") -> float:
        """Return how many seconds two spans have in common."""
        return max(0.0, min(self.ends, other.ends) - max(self.begins, other.begins))


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a person in a game with a clock.

    Attributes:
        waits: the times in which the game waited for them. A turn of several actions has one for each: it begins with what was
            done before, and ends with the action. The last one of a turn that timed out ends with the time-out.
        clock: the seconds that the person had for each of them.
        timed_out: whether their time ran out before the turn was over.
    """

    waits: tuple[Span, ...]
    clock: float
    timed_out: bool = False

    def seconds(self, pauses: Sequence[Span] = ()) -> float:
        """Return how long the turn took, without the pauses. The pauses must not overlap.

        No wait counts for more than the clock. A longer one was paused in a way that is not among the pauses, such as an outage
        of the bot, or it went on into overtime, and the others had the time of the clock to wait in any case.
        """
        return sum(
            min(self.clock, max(0.0, wait.seconds - sum(wait.overlap(pause) for pause in pauses))) for wait in self.waits
        )


@dataclass(frozen=True, slots=True)
class Pace:
    """How soon a person takes their turns, and how reliably.

    Attributes:
        turns: how many turns this is based on.
        seconds: the median of the seconds that a turn took.
        timeouts: how many of the turns timed out.
    """

    turns: int
    seconds: float
    timeouts: int

    @property
    def timeout_share(self) -> float:
        """The share of the turns that timed out, from 0.0 to 1.0."""
        return self.timeouts / self.turns


def pace_of(turns: Iterable[Turn], pauses: Sequence[Span] = ()) -> Pace | None:
    """Return the pace in these turns; None if there are fewer than `FEWEST_TURNS`.

    Args:
        turns: the turns, in any order. One that timed out counts with the time for which the others waited.
        pauses: the times that do not count, such as the person's vacations. They must not overlap.
    """
    known = tuple(turns)
    if len(known) < FEWEST_TURNS:
        return None
    return Pace(len(known), median(turn.seconds(pauses) for turn in known), sum(turn.timed_out for turn in known))


def pace_in(waits: Iterable[Wait], person: Person) -> Pace | None:
    """Return a person's pace in these waits for them, table by table in order; None if there are too few turns.

    Their last vacation does not count. Of those before, and of outages, nothing is stored: a turn that they interrupted counts
    for no more than its clock, and a few such turns hardly move a median.
    """
    turns: list[list[Wait]] = []
    for wait in waits:
        if wait.fresh or not turns or turns[-1][-1].table_id != wait.table_id:
            turns.append([])
        turns[-1].append(wait)
    counting = ([wait for wait in turn if wait.counts] for turn in turns)
    vacation = person.vacation_from is not None and person.vacation_until is not None
    pauses = (Span(person.vacation_from or 0.0, person.vacation_until or 0.0),) if vacation else ()
    return pace_of([_turn(turn) for turn in counting if turn], pauses)


def _turn(waits: Sequence[Wait]) -> Turn:
    spans = tuple(Span(wait.since, wait.until) for wait in waits)
    return Turn(spans, waits[0].clock, any(wait.timed_out for wait in waits))


PACE_GAMES: Final = 100
"""The greatest number of games whose turns make up a pace; the newest ones count."""


async def pace_of_person(
    reader: Reader, guild_id: int, user_id: int, now: float, *, seen_by: int | None = None, game: str | None = None
) -> Pace | None:
    """Return the pace of a person on a server in the last ninety days, at one game or at all; None if they took few turns.

    `seen_by`: only at tables that this user may look at.
    """
    waits = await queries.waits.of_person(
        reader, guild_id=guild_id, user_id=user_id, since=now - PERIOD, seen_by=seen_by, game=game, games=PACE_GAMES
    )
    return pace_in(waits, await queries.people.get(reader, user_id))
