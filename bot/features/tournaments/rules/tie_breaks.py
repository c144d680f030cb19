"""Tie-breaks, which rank players with equal points. The list for each tournament is fixed before it starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from bot.features.tournaments.rules.scores import Scores
from engines.chance import draw_lots


class TieBreak(Enum):
    """A tie-break. Its value is its name in stored tournaments."""

    WINS = "wins"
    DIRECT = "direct"
    """Direct encounter: the most points in the games among players with equal points, if all of them have met."""
    SONNEBORN_BERGER = "sonneborn_berger"
    """The most points of the opponents beaten, plus half those of the opponents tied with."""
    BUCHHOLZ = "buchholz"
    """The most points of all opponents."""
    TIMEOUTS = "timeouts"
    """The fewest turns that timed out."""
    LOTS = "lots"

    def values(self, scores: Scores, players: Sequence[int]) -> Mapping[int, Fraction]:
        """Return the value of each of these players, who are equal so far, as a table shows it."""
        match self:
            case TieBreak.WINS:
                return scores.wins(players)
            case TieBreak.DIRECT:
                return scores.direct(players)
            case TieBreak.SONNEBORN_BERGER:
                return scores.sonneborn_berger(players)
            case TieBreak.BUCHHOLZ:
                return scores.buchholz(players)
            case TieBreak.TIMEOUTS:
                return scores.timeouts(players)
            case TieBreak.LOTS:
                return {player: Fraction(lot) for lot, player in enumerate(draw_lots(scores.key, "tie", players), 1)}

    @property
    def lowest_first(self) -> bool:
        """Whether a lower value is better."""
        return self in {TieBreak.TIMEOUTS, TieBreak.LOTS}

    @property
    def is_among_equals(self) -> bool:
        """Whether the value depends on which players are equal."""
        return self is TieBreak.DIRECT


class Values:
    """The values of a tournament's tie-breaks for the players whose games count. Each value is computed only once."""

    def __init__(self, scores: Scores, players: Sequence[int]) -> None:
        self._scores = scores
        self._players = tuple(players)
        self._known: dict[tuple[TieBreak, tuple[int, ...]], Mapping[int, Fraction]] = {}

    def of(self, tie_break: TieBreak, equal: Sequence[int]) -> Mapping[int, Fraction]:
        """Return the value of each of these players, who are equal so far. The mapping may include other players."""
        players = tuple(equal) if tie_break.is_among_equals else self._players
        known = self._known.get((tie_break, players))
        if known is None:
            known = self._known[tie_break, players] = tie_break.values(self._scores, players)
        return known


@dataclass(frozen=True, slots=True)
class Group:
    """Players who are equal in everything, and the tie-break that puts them ahead of the next group, if there is one."""

    players: tuple[int, ...]
    ahead_by: TieBreak | None = None


def break_ties(equal: tuple[int, ...], tie_breaks: Sequence[TieBreak], values: Values) -> list[Group]:
    """Return players with equal points in the order of their places, in groups of players who are equal in everything.

    When the direct encounter separates some players of a group, those who are still equal are compared again, by the games
    among themselves.
    """
    if len(equal) == 1 or not tie_breaks:
        return [Group(equal)]
    first, others = tie_breaks[0], tie_breaks[1:]
    groups = groups_of(values.of(first, equal), equal, lowest_first=first.lowest_first)
    again = tie_breaks if first is TieBreak.DIRECT and len(groups) > 1 else others
    parts = [break_ties(group, again, values) for group in groups]
    ahead = [[*part[:-1], replace(part[-1], ahead_by=first)] for part in parts[:-1]]
    return [group for part in [*ahead, parts[-1]] for group in part]


def groups_of(values: Mapping[int, Fraction], players: Sequence[int], *, lowest_first: bool = False) -> list[tuple[int, ...]]:
    """Return the players in groups that share the same value, the best group first."""
    groups: dict[Fraction, list[int]] = {}
    for player in players:
        groups.setdefault(values[player], []).append(player)
    return [tuple(groups[value]) for value in sorted(groups, reverse=not lowest_first)]
