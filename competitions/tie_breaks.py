"""Tie-breaks: what orders players with equal points. Each event has a list of them that is fixed before it starts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from competitions.lots import draw_lots
from competitions.scores import Scores


class TieBreak(Enum):
    """A tie-break. Its value is its name in stored events."""

    WINS = "wins"
    """The most games won."""
    DIRECT = "direct"
    """Direct encounter: the most points in the games among those who are equal, if all of them have met."""
    SONNEBORN_BERGER = "sonneborn_berger"
    """The most points of the opponents that one has beaten, and half of those of equal ones."""
    BUCHHOLZ = "buchholz"
    """The most points of one's opponents."""
    TIMEOUTS = "timeouts"
    """The fewest turns that timed out."""
    LOTS = "lots"
    """The event's lots."""

    def values(self, scores: Scores, players: Sequence[int]) -> Mapping[int, Fraction]:
        """Return the value of each of some players who are equal so far, as it is written in a table."""
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
        """Whether the value depends on who is equal."""
        return self is TieBreak.DIRECT


@dataclass(frozen=True, slots=True)
class Group:
    """Players who are equal in everything.

    Attributes:
        players: who they are.
        ahead_by: the tie-break that puts them ahead of the next group; None: they have more points, or are the last.
    """

    players: tuple[int, ...]
    ahead_by: TieBreak | None = None


def break_ties(scores: Scores, players: Sequence[int], tie_breaks: Sequence[TieBreak]) -> list[Group]:
    """Return the players in the order of their places, in groups of those who are equal in everything.

    When a direct encounter separates some of a group, those who are still equal are compared by the games among themselves.
    """
    by_points = _groups(scores.points, players, lowest_first=False)
    return [group for equal in by_points for group in _break_tie(scores, equal, tie_breaks)]


def _break_tie(scores: Scores, equal: tuple[int, ...], tie_breaks: Sequence[TieBreak]) -> list[Group]:
    if len(equal) == 1 or not tie_breaks:
        return [Group(equal)]
    first, others = tie_breaks[0], tie_breaks[1:]
    groups = _groups(first.values(scores, equal), equal, lowest_first=first.lowest_first)
    again = tie_breaks if first is TieBreak.DIRECT and len(groups) > 1 else others
    parts = [_break_tie(scores, group, again) for group in groups]
    ahead = [[*part[:-1], replace(part[-1], ahead_by=first)] for part in parts[:-1]]
    return [group for part in [*ahead, parts[-1]] for group in part]


def _groups(values: Mapping[int, Fraction], players: Sequence[int], *, lowest_first: bool) -> list[tuple[int, ...]]:
    """Return the players in groups with the same value, the best first."""
    found = sorted({values[player] for player in players}, reverse=not lowest_first)
    return [tuple(player for player in players if values[player] == value) for value in found]
