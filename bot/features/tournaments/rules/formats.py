"""The tournament formats, as data. A club adds its own format to `FORMATS` (docs/competitions.md has the checklist)."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from typing_extensions import override

from bot.features.tournaments.rules.pairing.knockout import Rules, bracket, games_due, pair_knockout
from bot.features.tournaments.rules.pairing.pods import pair_pods
from bot.features.tournaments.rules.pairing.round_robin import berger_table, late_round
from bot.features.tournaments.rules.pairing.swiss import pair_swiss
from bot.features.tournaments.rules.rounds import DRAW, History, Round, RoundGame
from bot.features.tournaments.rules.tie_breaks import TieBreak
from engines.chance import draw_lots

HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Field:
    """The players of a tournament as a system pairs them, by seeding, with latecomers last.

    `present` holds those who play in the next round. `forced` holds the games paired by hand, in seat order. A player on their
    own gets a bye.
    """

    players: tuple[int, ...]
    present: tuple[int, ...]
    points: Mapping[int, Fraction]
    rounds: tuple[Round, ...]
    key: bytes
    forced: tuple[tuple[int, ...], ...] = ()


class System(ABC):
    """A pairing system with its parameters."""

    smallest: int = 2
    """The fewest players in a game."""

    largest: int = 2
    """The most players in a game."""

    at_once: bool = False
    """Whether all games may begin at once, so that all rounds are paired at the start."""

    by_hand: bool = True
    """Whether some games of a round may be paired by hand."""

    @abstractmethod
    def rounds(self, players: int) -> int:
        """Return how many rounds a tournament has if this many players start it."""

    @abstractmethod
    def pair(self, field: Field) -> tuple[Round, ...]:
        """Return the next round, or all rounds if all games begin at once."""

    def games_due(self, players: Sequence[int], rounds: Sequence[Round], key: bytes) -> tuple[RoundGame, ...]:
        """Return the games that must be added to the last round before it can end."""
        return ()

    def late_round(self, players: Sequence[int], rounds: Sequence[Round], newcomer: int) -> Round | None:
        """Return the games that a newcomer gets at once, or None if the newcomer is paired from the next round on."""
        return None

    def points(self, players: Sequence[int], rounds: Sequence[Round], key: bytes) -> Mapping[int, Fraction] | None:
        """Return each player's points, or None if they are simply the points of their games and byes."""
        return None

    def can_pair(self, players: int) -> bool:
        """Whether there can be another round for this many active players."""
        return players >= self.smallest


@dataclass(frozen=True, slots=True)
class RoundRobin(System):
    """Everybody plays everybody, once in each of the `cycles`."""

    cycles: int = 1
    at_once: bool = True
    by_hand: bool = False

    @override
    def rounds(self, players: int) -> int:
        return self.cycles * (players - 1 + players % 2)

    @override
    def pair(self, field: Field) -> tuple[Round, ...]:
        return berger_table(draw_lots(field.key, "table", field.present), self.cycles)

    @override
    def late_round(self, players: Sequence[int], rounds: Sequence[Round], newcomer: int) -> Round:
        return late_round(players, rounds, newcomer, self.cycles)


@dataclass(frozen=True, slots=True)
class Swiss(System):
    """Players with equal scores meet until at most one can have won every game, and then for `extra` more rounds."""

    extra: int = 1

    @override
    def rounds(self, players: int) -> int:
        return _rounds_to_one(players, 2) + self.extra

    @override
    def pair(self, field: Field) -> tuple[Round, ...]:
        return (pair_swiss(field.present, field.points, History.of(field.rounds), field.forced),)


@dataclass(frozen=True, slots=True)
class Knockout(System):
    """Whoever loses a match is out. `rules` says how long a match is."""

    rules: Rules = field(default_factory=Rules)
    by_hand: bool = False

    @override
    def rounds(self, players: int) -> int:
        return _rounds_to_one(players, 2)

    @override
    def pair(self, field: Field) -> tuple[Round, ...]:
        return (pair_knockout(field.players, field.rounds, field.key, self.rules),)

    @override
    def games_due(self, players: Sequence[int], rounds: Sequence[Round], key: bytes) -> tuple[RoundGame, ...]:
        matches = bracket(players, rounds, key, self.rules)[len(rounds) - 1]
        return tuple(game for match in matches for game in games_due(match, key, self.rules))

    @override
    def points(self, players: Sequence[int], rounds: Sequence[Round], key: bytes) -> Mapping[int, Fraction]:
        """Return how many matches each player has won, including byes."""
        won = Counter(match.winner for matches in bracket(players, rounds, key, self.rules)[: len(rounds)] for match in matches)
        return {player: Fraction(won[player]) for player in players}

    @override
    def can_pair(self, players: int) -> bool:
        """Return True, because matches of players who have left are decided at once."""
        return True


@dataclass(frozen=True, slots=True)
class Pods(System):
    """Games of several players, until at most one can have won every game, and then for `extra` more rounds."""

    smallest: int = 3
    largest: int = 5
    extra: int = 1

    @override
    def rounds(self, players: int) -> int:
        return _rounds_to_one(players, self.smallest) + self.extra

    @override
    def pair(self, field: Field) -> tuple[Round, ...]:
        history = History.of(field.rounds)
        return (pair_pods(field.present, field.points, history, (self.smallest, self.largest), field.forced),)


def _rounds_to_one(players: int, at_a_game: int) -> int:
    """Return after how many rounds a single player has won every game, which is the logarithm, rounded up."""
    rounds = 0
    while at_a_game**rounds < players:
        rounds += 1
    return rounds


@dataclass(frozen=True, slots=True)
class Format:
    """A tournament format.

    Attributes:
        id: the name used in stored tournaments and in commands. It never changes.
        most: the maximum number of players, including latecomers.
        tie_breaks: the criteria that rank players with equal points, the most important first. If there are none, tied players
            share a place.
        late_points: the points that a latecomer gets for each round missed, or None if late entry is not allowed.
        late_until: the part of the tournament, as a fraction, after which nobody may enter.
        stays_from: the fraction of their games that players must have played for their results to stand if they leave.
    """

    id: str
    system: System
    fewest: int
    most: int
    tie_breaks: tuple[TieBreak, ...]
    late_points: Fraction | None = None
    late_until: Fraction = HALF
    stays_from: Fraction = field(default=Fraction(0))

    def admits(self, players: int, over: Fraction = Fraction(0)) -> bool:
        """Whether one more player may join this many players when the fraction `over` of the tournament is over."""
        return players < self.most and (not over or (self.late_points is not None and over <= self.late_until))


FORMATS: Final[Mapping[str, Format]] = {
    each.id: each
    for each in (
        Format(
            "round_robin",
            RoundRobin(),
            fewest=3,
            most=8,
            tie_breaks=(TieBreak.WINS, TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.TIMEOUTS, TieBreak.LOTS),
            late_points=Fraction(0),
            stays_from=HALF,
        ),
        Format(
            "swiss",
            Swiss(),
            fewest=7,
            most=64,
            tie_breaks=(TieBreak.WINS, TieBreak.DIRECT, TieBreak.BUCHHOLZ, TieBreak.TIMEOUTS, TieBreak.LOTS),
            late_points=DRAW,
        ),
        Format("knockout", Knockout(), fewest=3, most=64, tie_breaks=()),
        Format(
            "pods",
            Pods(),
            fewest=3,
            most=64,
            tie_breaks=(TieBreak.WINS, TieBreak.DIRECT, TieBreak.BUCHHOLZ, TieBreak.TIMEOUTS, TieBreak.LOTS),
            late_points=DRAW,
        ),
    )
}
