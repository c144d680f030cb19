"""The rounds of a tournament: games with their results, and byes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import combinations
from typing import Self

WIN = Fraction(1)
DRAW = Fraction(1, 2)
LOSS = Fraction(0)
BYE = WIN
"""The points for a bye, which are those for a win."""


class Ending(Enum):
    """How a game ended, as far as its tournament is concerned."""

    PLAYED = "played"
    ADJUDICATED = "adjudicated"
    """The round ended before the game, and the time that the players had used decided."""
    FORFEITED = "forfeited"
    """A player left. The game counts neither as a meeting of the players nor for the order of seats."""


@dataclass(frozen=True, slots=True)
class RoundGame:
    """A tournament game, with players in seat order. `places`, from 1, are shared by equals, and empty during the game."""

    seats: tuple[int, ...]
    places: tuple[int, ...] = ()
    ending: Ending = Ending.PLAYED
    timeouts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.seats)) != len(self.seats) or len(self.seats) < 2:
            raise ValueError(f"a game needs two or more different players, not {self.seats}")
        if any(len(values) not in {0, len(self.seats)} for values in (self.places, self.timeouts)):
            raise ValueError("places and time-outs are given for each seat, or for none")

    @property
    def is_over(self) -> bool:
        """Whether the game has a result."""
        return bool(self.places)

    @property
    def is_meeting(self) -> bool:
        """Whether the game counts as a meeting of its players, as every game does except a forfeited one."""
        return self.ending is not Ending.FORFEITED

    def score(self, player: int, opponent: int) -> Fraction:
        """Return what a player of a finished game scored against one opponent: `WIN`, `DRAW` or `LOSS`."""
        mine, theirs = (self.places[self.seats.index(each)] for each in (player, opponent))
        return DRAW if mine == theirs else WIN if mine < theirs else LOSS

    def points(self, player: int) -> Fraction:
        """Return a player's points in a finished game, which are the mean of their scores against each opponent.

        In a four-player game, the first place is worth 1, the second 2/3, the third 1/3, and the last nothing. The sum is half
        the number of seats, so pods of any size are worth the same.
        """
        mine = self.places[self.seats.index(player)]
        halves = sum((mine < theirs) + (mine <= theirs) for theirs in self.places) - 1  # minus the half against themselves
        return Fraction(halves, 2 * (len(self.seats) - 1))

    def opponents(self, player: int) -> tuple[int, ...]:
        """Return the other players, in seat order."""
        return tuple(other for other in self.seats if other != player)

    def finish(self, *places: int, ending: Ending = Ending.PLAYED) -> Self:
        """Return the game finished, with the place of each seat."""
        return replace(self, places=places, ending=ending)

    def forfeit(self, leaver: int) -> Self:
        """Return a two-player game as lost by the player who leaves. Raises ValueError if the game has more players."""
        if len(self.seats) != 2:
            raise ValueError("only a game of two ends when a player leaves")
        return self.finish(*(2 if player == leaver else 1 for player in self.seats), ending=Ending.FORFEITED)


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a tournament. A bye is worth `BYE`. A rest, in a round robin of an odd number of players, is worth nothing."""

    games: tuple[RoundGame, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()

    @property
    def players(self) -> tuple[int, ...]:
        """All who play or have a bye, once for each game or bye."""
        return (*(player for game in self.games for player in game.seats), *self.byes)


@dataclass(frozen=True, slots=True)
class History:
    """What pairing needs to know of earlier rounds. `seats` come with the games' sizes, and `byes` include forfeit wins."""

    seats: Mapping[int, tuple[tuple[int, int], ...]]
    byes: Mapping[int, int]
    _meetings: Mapping[tuple[int, int], int]

    @classmethod
    def of(cls, rounds: Iterable[Round]) -> "History":
        """Return the history of these rounds, which are given with the oldest first."""
        seats: dict[int, list[tuple[int, int]]] = {}
        byes: Counter[int] = Counter()
        meetings: Counter[tuple[int, int]] = Counter()
        for each in rounds:
            byes.update(each.byes)
            for game in each.games:
                if game.is_meeting:
                    meetings.update(pairs_of(game.seats))
                    for seat, player in enumerate(game.seats):
                        seats.setdefault(player, []).append((seat, len(game.seats)))
                else:
                    byes.update(player for player in game.seats if game.points(player) == WIN)
        return cls({player: tuple(known) for player, known in seats.items()}, byes, meetings)

    def meetings(self, player: int, opponent: int) -> int:
        """Return how many times two players have met."""
        return self._meetings.get((min(player, opponent), max(player, opponent)), 0)


def pairs_of(players: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Iterate over all pairs of these players, with the lower number first in each pair."""
    return combinations(sorted(players), 2)


def adjudicate(used: Sequence[float], finished: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the place of each seat, counted from 1, by the seconds that it has used. The fewest seconds come first.

    Seats with equal times share a place. Players who have finished come before all others. `finished` has their places, and 0
    for the others, and is empty if nobody has finished.
    """
    if finished and len(finished) != len(used):
        raise ValueError("places are given for each seat, or for none")
    ranks = [
        (0, float(place)) if place else (1, seconds) for place, seconds in zip(finished or [0] * len(used), used, strict=True)
    ]
    return tuple(1 + sum(other < mine for other in ranks) for mine in ranks)
