"""Standings: a tournament's table, its crosstable, and each player's course through the rounds."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from bot.features.tournaments.rules.rounds import BYE, LOSS, Round
from bot.features.tournaments.rules.tie_breaks import TieBreak, Values, break_ties, groups_of
from bot.features.tournaments.rules.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the table.

    Attributes:
        place: counted from 1, and shared by players whom nothing separates.
        tie_breaks: the value of each of the format's tie-breaks. The direct encounter is the one among players with equal
            points, and the lots are a place among all players.
        counts: whether the player's games count. Players who left too early don't count, and come last.
        ahead_by: the tie-break that puts the player ahead of the next one, if that one has as many points.
    """

    player: int
    place: int
    points: Fraction
    tie_breaks: tuple[Fraction, ...]
    counts: bool = True
    ahead_by: TieBreak | None = None


def standings(event: Tournament) -> tuple[Standing, ...]:
    """Return the table, with the best players first."""
    scores, tie_breaks, annulled = event.scores, event.format.tie_breaks, event.annulled_players
    counting = [player for player in event.players if player not in annulled]
    lines: list[Standing] = []
    values = Values(scores, counting)
    for equal in groups_of(scores.points, counting):
        for group in break_ties(equal, tie_breaks, values):
            place = len(lines) + 1
            for player in group.players:
                written = tuple(values.of(each, equal)[player] for each in tie_breaks)
                lines.append(Standing(player, place, scores.points[player], written, ahead_by=group.ahead_by))
    last = len(lines) + 1
    nothing = (Fraction(0),) * len(tie_breaks)
    return (*lines, *(Standing(player, last, scores.points[player], nothing, counts=False) for player in annulled))


@dataclass(frozen=True, slots=True)
class Crosstable:
    """What everybody has scored against everybody else, with the best players first. None stands for a running game."""

    lines: tuple[Standing, ...]
    cells: tuple[tuple[tuple[Fraction | None, ...], ...], ...]


def crosstable(event: Tournament) -> Crosstable:
    """Return the crosstable, which includes games that count for nobody."""
    lines = standings(event)
    games = [game for each in event.rounds for game in each.games]

    def cell(player: int, opponent: int) -> tuple[Fraction | None, ...]:
        met = [game for game in games if {player, opponent} <= set(game.seats)]
        return tuple(game.score(player, opponent) if game.is_over else None for game in met)

    return Crosstable(
        lines, tuple(tuple(() if row is column else cell(row.player, column.player) for column in lines) for row in lines)
    )


class Part(Enum):
    """What a player did in a round."""

    GAME = "game"
    BYE = "bye"
    REST = "rest"
    """The player rests in a round robin with an odd number of players."""
    LATE = "late"
    """The player had not entered yet."""
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What a player did in a round, how many points it gave (None while a game is running), against whom, and in which seat."""

    part: Part
    points: Fraction | None = LOSS
    opponents: tuple[int, ...] = ()
    seat: int | None = None


def course(event: Tournament, player: int) -> tuple[tuple[RoundScore, ...], ...]:
    """Return what a player did in each round: one thing, or several in a match or after late entry to a round robin."""
    (missed,) = (entry.missed for entry in event.entries if entry.player == player)
    late_points = event.format.late_points or LOSS
    return tuple(
        (RoundScore(Part.LATE, late_points),) if number < missed else _round_scores(each, player)
        for number, each in enumerate(event.rounds)
    )


def _round_scores(each: Round, player: int) -> tuple[RoundScore, ...]:
    games = tuple(
        RoundScore(Part.GAME, game.points(player) if game.is_over else None, game.opponents(player), game.seats.index(player))
        for game in each.games
        if player in game.seats
    )
    if games:
        return games
    if player in each.byes:
        return (RoundScore(Part.BYE, BYE),)
    return (RoundScore(Part.REST if player in each.rests else Part.ABSENT),)
