"""The Swiss system. A minimum-weight matching avoids repeated meetings where possible, and pairs players with equal scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from bot.features.tournaments.rules.pairing.seats import order_cost, order_of_two
from bot.features.tournaments.rules.pairing.weights import weights_of
from bot.features.tournaments.rules.rounds import History, Round, RoundGame

Cost = tuple[int, int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Field:
    """The players to be paired, by rank from 0, the highest score first. Scores are multiples of a common fraction."""

    ranking: tuple[int, ...]
    scores: tuple[int, ...]
    history: History

    def game_cost(self, one: int, other: int) -> Cost:
        """Return the cost of a game between two ranks, by criterion, the most important first.

        The criteria are 1. how often the two have met; 2. (for byes); 3. broken absolute seat preferences; 4. (for byes); 5.
        the squared difference of their scores; 6. other broken seat preferences; 7. the squared distance from the usual
        pairing. In the usual pairing, the upper half of those with the same score meets the lower half, and otherwise
        neighbours meet.
        """
        players = self.ranking[one], self.ranking[other]
        absolute, preferences = min(order_cost(*order, self.history) for order in (players, players[::-1]))
        gap, distance = self.scores[one] - self.scores[other], abs(one - other)
        usual = self.scores.count(self.scores[one]) // 2 if gap == 0 else 0
        return self.history.meetings(*players), 0, absolute, 0, gap**2, preferences, (distance - usual) ** 2

    def bye_cost(self, rank: int) -> Cost:
        """Return the cost of a bye by criterion: 2. byes so far; 4. the player's score; 7. how many players rank below."""
        return 0, self.history.byes.get(self.ranking[rank], 0), 0, self.scores[rank], 0, 0, len(self.ranking) - 1 - rank


def pair_swiss(
    players: Sequence[int], points: Mapping[int, Fraction], history: History, forced: Sequence[tuple[int, ...]] = ()
) -> Round:
    """Return a round of the Swiss system. The players, given by seeding, include those of the games forced by hand."""
    given = {player for seats in forced for player in seats}
    ranking = tuple(sorted((player for player in players if player not in given), key=lambda player: -points[player]))
    scale = lcm(*(points[player].denominator for player in ranking))
    field = _Field(ranking, tuple(int(points[player] * scale) for player in ranking), history)
    pairs = _best_matching(field)
    games = [
        RoundGame(order_of_two(ranking[one], ranking[other], board, history))
        for board, (one, other) in enumerate(pair for pair in pairs if pair[1] < len(ranking))
    ]
    byes = [ranking[one] for one, other in pairs if other == len(ranking)]
    return Round(
        (*(RoundGame(seats) for seats in forced if len(seats) > 1), *games),
        (*(seats[0] for seats in forced if len(seats) == 1), *byes),
    )


def _best_matching(field: _Field) -> list[tuple[int, int]]:
    """Return the pairs of ranks, the lower first, in the order of the boards. For a bye, the second is the number of ranks."""
    import networkx as nx  # noqa: PLC0415 - 22 MB and a third of a second, which a bot without such a tournament need not spend

    count = len(field.ranking)
    costs = {(one, other): field.game_cost(one, other) for one in range(count) for other in range(one + 1, count)}
    if count % 2:
        costs |= {(rank, count): field.bye_cost(rank) for rank in range(count)}
    graph = nx.Graph()
    graph.add_weighted_edges_from((*pair, weight) for pair, weight in weights_of(costs, (count + 1) // 2).items())
    return sorted((min(pair), max(pair)) for pair in nx.min_weight_matching(graph))
