"""The scores of a tournament: the points, and everything that the tie-breaks need."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.features.tournaments.rules.rounds import BYE, LOSS, WIN, Round, RoundGame


@dataclass(frozen=True, slots=True)
class Scores:
    """The points of a tournament, and its rounds so far with only the games that count."""

    rounds: tuple[Round, ...]
    points: Mapping[int, Fraction]
    key: bytes

    @classmethod
    def of(
        cls, rounds: Iterable[Round], given: Mapping[int, Fraction], key: bytes = b"", annulled: Collection[int] = ()
    ) -> "Scores":
        """Return the scores of these rounds, with `given` points for missed ones, and without `annulled` players' games."""
        counting = tuple(
            Round(tuple(game for game in each.games if not set(game.seats) & set(annulled)), each.byes, each.rests)
            for each in rounds
        )
        points = dict(given)
        for each in counting:
            for player in each.byes:
                points[player] += BYE
            for game in each.games:
                for player in game.seats if game.is_over else ():
                    points[player] += game.points(player)
        return cls(counting, points, key)

    @property
    def finished_games(self) -> tuple[RoundGame, ...]:
        """All finished games that count."""
        return tuple(game for each in self.rounds for game in each.games if game.is_over)

    def wins(self, players: Iterable[int]) -> dict[int, Fraction]:
        """Return how many games each player has won, without byes and forfeited games."""
        won = Counter(
            player for game in self.finished_games if game.is_meeting for player in game.seats if game.points(player) == WIN
        )
        return {player: Fraction(won[player]) for player in players}

    def direct(self, players: Sequence[int]) -> dict[int, Fraction]:
        """Return what these players have scored against each other. Unless all of them have met, everybody gets nothing."""
        scored = dict.fromkeys(players, LOSS)
        met: set[tuple[int, int]] = set()
        for game in self.finished_games:
            among = [player for player in game.seats if player in scored]
            for player in among:
                for other in among:
                    if player != other:
                        scored[player] += game.score(player, other)
                        met.add((player, other))
        everybody_met = len(met) == len(players) * (len(players) - 1)
        return scored if everybody_met else dict.fromkeys(players, LOSS)

    def sonneborn_berger(self, players: Iterable[int]) -> dict[int, Fraction]:
        """Return the points of the opponents that each player has beaten, plus half those of the opponents that they tied with.

        In a game of more than two, each opponent counts for an equal share. A bye counts as a win against an opponent with the
        player's own points.
        """
        sums = {player: sum(each.byes.count(player) for each in self.rounds) * self.points[player] for player in players}
        for game in self.finished_games:
            for player in game.seats:
                if player in sums:
                    others = game.opponents(player)
                    beaten = sum((game.score(player, other) * self.points[other] for other in others), LOSS)
                    sums[player] += beaten / len(others)
        return sums

    def buchholz(self, players: Iterable[int]) -> dict[int, Fraction]:
        """Return the sum of the points of each player's opponents.

        A game of more than two adds the mean of the opponents' points. A round without a meeting, such as a bye, counts as an
        opponent with the player's own points.
        """
        sums = dict.fromkeys(players, LOSS)
        for each in self.rounds:
            met = {player: game for game in each.games if game.is_meeting for player in game.seats}
            for player in sums:
                game = met.get(player)
                if game is None:
                    sums[player] += self.points[player]
                elif game.is_over:
                    others = game.opponents(player)
                    sums[player] += sum((self.points[other] for other in others), LOSS) / len(others)
        return sums

    def timeouts(self, players: Iterable[int]) -> dict[int, Fraction]:
        """Return how many turns of each player timed out, in the games that count."""
        late: Counter[int] = Counter()
        for game in (game for each in self.rounds for game in each.games):
            late.update(dict(zip(game.seats, game.timeouts, strict=False)))
        return {player: Fraction(late[player]) for player in players}
