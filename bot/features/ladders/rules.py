"""The rules of ladders: players defend places against challenges from below. An order is a tuple of players, top first."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from itertools import count
from typing import Final

from engines.chance import draw_lots

REACH: Final = (2, 5)
"""How far up a player may challenge, as a fraction of their own place. It is 40 %, but at least one place."""

MOST_OUT: Final = 3

MOST_IN: Final = 3

DAY: Final = 86400.0

REMATCH: Final = 7 * DAY
"""How long after a game, in seconds, another game between the same two players does not count."""

IDLE: Final = 30 * DAY
"""How long a player may go without a game before they begin to fall, in seconds."""

FALL: Final = 7 * DAY
"""The time between two falls of an idle player, in seconds."""

Order = tuple[int, ...]


class Refusal(Enum):
    """Why a challenge is impossible."""

    NOT_ON_LADDER = "not_on_ladder"
    NOT_ABOVE = "not_above"
    TOO_FAR = "too_far"
    OPEN = "open"
    """The two already have an open challenge."""
    TOO_MANY_OUT = "too_many_out"
    TOO_MANY_IN = "too_many_in"
    PLAYED_THIS_WEEK = "played_this_week"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge whose game is not over."""

    challenger: int
    challenged: int


def highest_in_reach(place: int) -> int:
    """Return the highest place, counted from 1, that a player in `place` may challenge. For first place, it is 1 itself."""
    part, whole = REACH
    return max(1, place - max(1, place * part // whole))


def refusal(
    order: Order, challenger: int, challenged: int, open_challenges: Collection[Challenge] = (), since_last: float | None = None
) -> Refusal | None:
    """Return why a player may not challenge another, or None. `since_last` is the seconds since their last game, if any."""
    if challenger not in order or challenged not in order:
        return Refusal.NOT_ON_LADDER
    mine, theirs = (order.index(player) + 1 for player in (challenger, challenged))
    both = {challenger, challenged}
    reasons = (
        (theirs >= mine, Refusal.NOT_ABOVE),
        (theirs < highest_in_reach(mine), Refusal.TOO_FAR),
        (any({each.challenger, each.challenged} == both for each in open_challenges), Refusal.OPEN),
        (Counter(each.challenger for each in open_challenges)[challenger] >= MOST_OUT, Refusal.TOO_MANY_OUT),
        (Counter(each.challenged for each in open_challenges)[challenged] >= MOST_IN, Refusal.TOO_MANY_IN),
        (since_last is not None and since_last < REMATCH, Refusal.PLAYED_THIS_WEEK),
    )
    return next((refused for holds, refused in reasons if holds), None)


def join(order: Order, player: int) -> Order:
    """Return the order with a newcomer at the bottom, or the same order if they are on it already."""
    return order if player in order else (*order, player)


def leave(order: Order, player: int) -> Order:
    """Return the order without a player: everybody below moves up."""
    return tuple(each for each in order if each != player)


def after_win(order: Order, winner: int, loser: int) -> Order:
    """Return the order with a winner directly above the loser, unless the winner is already above, or either has left."""
    if winner not in order or loser not in order or order.index(winner) < order.index(loser):
        return order
    others = leave(order, winner)
    place = others.index(loser)
    return (*others[:place], winner, *others[place:])


@dataclass(frozen=True, slots=True)
class Idleness:
    """How long a player has been idle since `played_at` (in seconds since the epoch). A vacation postpones their falls."""

    played_at: float
    away_from: float = 0.0
    away_until: float = 0.0

    def falls_at(self, number: int) -> float:
        """Return when the player falls for the `number`th time, counted from 0, in seconds since the epoch."""
        moment, begins = self.played_at + IDLE + number * FALL, max(self.away_from, self.played_at)
        return moment if moment <= begins else moment + max(0.0, self.away_until - begins)

    def falls_between(self, then: float, now: float) -> Iterator[float]:
        """Yield the moments after `then`, up to `now`, at which the player falls."""
        earliest = then - max(0.0, self.away_until - self.away_from) - self.played_at - IDLE
        for number in count(max(0, int(earliest // FALL))):
            if (moment := self.falls_at(number)) > now:
                return
            if moment > then:
                yield moment


def after_idleness(order: Order, known: Mapping[int, Idleness], then: float, now: float) -> Order:
    """Return the order after the falls due between two moments, in order of time. Idle players do not overtake each other."""
    due = {(moment, player) for player in order for moment in known[player].falls_between(then, now)}
    for moment in sorted({moment for moment, _ in due}):
        falling = {player for player in order if (moment, player) in due}
        order = _fall(order, falling, {player for player in order if known[player].falls_at(0) <= moment})
    return order


def _fall(order: Order, falling: Collection[int], idle: Collection[int]) -> Order:
    """Return the order in which each falling player has dropped one place, unless the next player below is idle too."""
    fallen = list(order)
    for place in range(len(fallen) - 2, -1, -1):
        if fallen[place] in falling and fallen[place + 1] not in idle:
            fallen[place], fallen[place + 1] = fallen[place + 1], fallen[place]
    return tuple(fallen)


@dataclass(frozen=True, slots=True, order=True)
class Season:
    """A season of a ladder: a quarter (from 1 to 4) of a calendar year, in UTC."""

    year: int
    quarter: int

    @classmethod
    def at(cls, time: float) -> "Season":
        """Return the season to which a time belongs, given in seconds since the epoch."""
        day = datetime.fromtimestamp(time, UTC)
        return cls(day.year, (day.month + 2) // 3)

    @property
    def next(self) -> "Season":
        """The season after this one."""
        return Season(self.year + self.quarter // 4, self.quarter % 4 + 1)

    @property
    def begins(self) -> float:
        """When the season begins, in seconds since the epoch."""
        return datetime(self.year, 3 * self.quarter - 2, 1, tzinfo=UTC).timestamp()

    @property
    def ends(self) -> float:
        """When the season ends and the next one begins, in seconds since the epoch."""
        return self.next.begins


def fresh_order(players: Iterable[int], season: Season, key: bytes) -> Order:
    """Return the order in which a season begins, drawn by lots."""
    return draw_lots(key, f"season:{season.year}:{season.quarter}", players)
