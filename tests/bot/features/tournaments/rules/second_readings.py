"""The pairing criteria read a second time, from docs/competitions.md alone, and solved by looks at all pairings.

Nothing here uses the pairing modules, their history or their scores.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

from bot.features.tournaments.rules.rounds import Ending, Round, RoundGame
from bot.features.tournaments.rules.tournament import Tournament

Cost = tuple[Fraction | int, ...]
NOTHING: Cost = (0,) * 7


class Past:
    """What the rounds of an event say about its players."""

    def __init__(self, event: Tournament) -> None:
        self.order = [entry.player for entry in event.entries]
        late = event.format.late_points or Fraction(0)
        self.points = {entry.player: late * entry.missed for entry in event.entries}
        self.met: Counter[frozenset[int]] = Counter()
        self.byes: Counter[int] = Counter()
        self.seats: dict[int, list[tuple[int, int]]] = {player: [] for player in self.order}
        for each in event.rounds:
            for player in each.byes:
                self.byes[player] += 1
                self.points[player] += 1
            for game in each.games:
                self._add(game)

    def _add(self, game: RoundGame) -> None:
        for seat, player in enumerate(game.seats):
            ahead = sum(1 for place in game.places if place > game.places[seat])
            level = sum(1 for place in game.places if place == game.places[seat]) - 1
            worth = (ahead + Fraction(level, 2)) / (len(game.seats) - 1)
            self.points[player] += worth
            if game.ending is Ending.FORFEITED:
                self.byes[player] += worth == 1
            else:
                self.seats[player].append((seat, len(game.seats)))
        if game.ending is not Ending.FORFEITED:
            self.met.update(frozenset(pair) for pair in combinations(game.seats, 2))

    def ranking(self, players: Sequence[int]) -> list[int]:
        """By points, then by seeding."""
        return sorted(players, key=lambda player: (-self.points[player], self.order.index(player)))


def wrong_seat(past: Past, player: int, seat: int) -> tuple[int, int]:
    """Whether a seat breaks an absolute preference, and how much it breaks another."""
    had = [each for each, _ in past.seats[player]]
    more = had.count(seat) - had.count(1 - seat)
    if more >= 2 or (len(had) > 1 and had[-1] == had[-2] == seat):
        return 1, 0
    if more == 1:
        return 0, 2
    return 0, int(more == 0 and bool(had) and had[-1] == seat)


def seating_cost(past: Past, seats: Sequence[int]) -> tuple[int, int]:
    """The same for both seats of a game."""
    both = [wrong_seat(past, player, seat) for seat, player in enumerate(seats)]
    return both[0][0] + both[1][0], both[0][1] + both[1][1]


def swiss_cost(past: Past, ranking: list[int], one: int, other: int | None, scale: int) -> Cost:
    """The cost of a game of two, or of a bye (other is None), by the seven criteria."""
    mine = past.points[one] * scale
    if other is None:
        return 0, past.byes[one], 0, mine, 0, 0, len(ranking) - 1 - ranking.index(one)
    absolute, preference = min(seating_cost(past, (one, other)), seating_cost(past, (other, one)))
    gap, distance = mine - past.points[other] * scale, abs(ranking.index(one) - ranking.index(other))
    same = sum(1 for player in ranking if past.points[player] == past.points[one])
    usual = same // 2 if gap == 0 else 0
    return past.met[frozenset((one, other))], 0, absolute, 0, gap**2, preference, (distance - usual) ** 2


def add(one: Cost, other: Cost) -> Cost:
    return tuple(mine + theirs for mine, theirs in zip(one, other, strict=True))


def least_swiss_cost(past: Past, players: Sequence[int], scale: int) -> Cost:
    """The cost of the best pairing: the first unpaired player meets each of the others in turn."""
    ranking = past.ranking(players)
    everybody: list[int | None] = [*ranking, *([None] if len(ranking) % 2 else [])]
    costs = {
        (one, other): swiss_cost(past, ranking, everybody[one] or 0, everybody[other], scale)
        for one, other in combinations(range(len(everybody)), 2)
    }

    @cache
    def best(left: tuple[int, ...]) -> Cost:
        if not left:
            return NOTHING
        first, rest = left[0], left[1:]
        return min(add(costs[first, other], best(tuple(each for each in rest if each != other))) for other in rest)

    return best(tuple(range(len(everybody))))


def cost_of_round(past: Past, players: Sequence[int], paired: Round, scale: int) -> Cost:
    """The cost of a round’s games and byes as they are."""
    ranking, total = past.ranking(players), NOTHING
    for game in paired.games:
        first, second = game.seats
        total = add(total, swiss_cost(past, ranking, first, second, scale))
    for player in paired.byes:
        total = add(total, swiss_cost(past, ranking, player, None, scale))
    return total


def needs_no_repeat(past: Past, players: Sequence[int]) -> bool:
    """Whether everybody can be paired without rematches and second byes."""
    if not players:
        return True
    tightest = min(players, key=lambda player: sum(not past.met[frozenset((player, other))] for other in players))
    rest = [player for player in players if player != tightest]
    if len(players) % 2 and not past.byes[tightest] and needs_no_repeat(past, rest):
        return True
    return any(
        needs_no_repeat(past, [player for player in rest if player != other])
        for other in rest
        if not past.met[frozenset((tightest, other))]
    )


def repeats(past: Past, pods: Sequence[Sequence[int]]) -> int:
    """How many meetings in these pods are repeats, each counted as often as the two have met."""
    return sum(past.met[frozenset(pair)] for pod in pods for pair in combinations(pod, 2))


def can_divide(past: Past, players: Sequence[int], sizes: Sequence[int], most: int) -> bool:
    """Whether players can be divided into pods of these sizes with at most so many repeats."""
    if not players:
        return True
    first, rest = players[0], list(players[1:])
    for size in sorted(set(sizes)):
        left_sizes = list(sizes)
        left_sizes.remove(size)
        if _fill(past, [first], rest, size, left_sizes, most):
            return True
    return False


def _fill(past: Past, pod: list[int], rest: list[int], size: int, sizes: list[int], most: int) -> bool:
    if len(pod) == size:
        return can_divide(past, [player for player in rest if player not in pod], sizes, most)
    start = rest.index(pod[-1]) + 1 if len(pod) > 1 else 0
    for place in range(start, len(rest)):
        more = sum(past.met[frozenset((rest[place], mate))] for mate in pod)
        if more <= most and _fill(past, [*pod, rest[place]], rest, size, sizes, most - more):
            return True
    return False


def pods_cost(past: Past, players: Sequence[int], pods: Sequence[Sequence[int]]) -> tuple[Fraction | int, ...]:
    """The cost of a division into pods by the three criteria."""
    pairs = [pair for pod in pods for pair in combinations(pod, 2)]
    order = [player for player in past.order if player in players]
    return (
        repeats(past, pods),
        sum((past.points[one] - past.points[other]) ** 2 for one, other in pairs),
        -sum((order.index(one) - order.index(other)) ** 2 for one, other in pairs),
    )


def all_divisions(players: Sequence[int], sizes: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """All divisions into pods of these sizes."""
    if not players:
        return [[]]
    found = []
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for mates in combinations(players[1:], size - 1):
            pod = (players[0], *mates)
            found += [[pod, *others] for others in all_divisions([player for player in players if player not in pod], left)]
    return found


def order_cost(past: Past, seats: Sequence[int]) -> tuple[int, int]:
    """The cost of an order of seats: how often players have had these seats, and how uneven their turns come."""
    often = uneven = 0
    for seat, player in enumerate(seats):
        often += sum(1 for had, _ in past.seats[player] if had == seat)
        before_and_behind = [(had, size - 1 - had) for had, size in past.seats[player]] + [(seat, len(seats) - 1 - seat)]
        uneven += sum(before - behind for before, behind in before_and_behind) ** 2
    return often, uneven


def least_order_cost(past: Past, seats: Sequence[int]) -> tuple[int, int]:
    """The cost of the best order."""
    return min(order_cost(past, order) for order in permutations(seats))
