"""Pods: games of three to five with as few repeated meetings as possible, found by local search beyond `EXACT` players."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, combinations
from math import inf, lcm
from random import Random
from typing import Final

from bot.features.tournaments.rules.pairing.seats import order_of_several
from bot.features.tournaments.rules.pairing.weights import weights_of
from bot.features.tournaments.rules.rounds import History, Round, RoundGame

EXACT: Final = 12
"""The most players for whom all divisions into pods are searched. Twelve have 15,400 divisions into threes."""

EXCHANGES: Final = 50_000
"""With more players, the search restarts from a perturbed division this many times, divided by their number squared."""

LONGER: Final = 8
"""How many times as long the search goes on, at most, if somebody still meets the same person again."""

KICK: Final = 3
"""How many random exchanges perturb a division."""

Pods = Sequence[Sequence[int]]


def pod_sizes(players: int, smallest: int, largest: int) -> tuple[int, ...]:
    """Return the sizes of pods, largest first, that seat the most players, as equal and as near to the middle as possible."""
    seated = next((some for some in range(players, 0, -1) if -(-some // largest) <= some // smallest), 0)
    if not seated:
        return ()
    numbers = range(-(-seated // largest), seated // smallest + 1)
    pods = min(numbers, key=lambda number: abs(2 * seated - number * (smallest + largest)))
    size, larger = divmod(seated, pods)
    return (size + 1,) * larger + (size,) * (pods - larger)


def pair_pods(
    players: Sequence[int],
    points: Mapping[int, Fraction],
    history: History,
    sizes: tuple[int, int],
    forced: Sequence[tuple[int, ...]] = (),
) -> Round:
    """Return a round of pods whose `sizes` are the smallest and the largest allowed.

    The players, given by seeding, include those of the forced games. Players who are left over get a bye. These are the ones
    with the fewest byes so far, then the fewest points, then the lowest seed.
    """
    given = {player for seats in forced for player in seats}
    free = [player for player in players if player not in given]
    number = pod_sizes(len(free), *sizes)
    by_bye = sorted(free, key=lambda player: (history.byes.get(player, 0), points[player], -free.index(player)))
    byes = by_bye[: len(free) - sum(number)]
    seated = [player for player in free if player not in byes]
    pods = _best_pods(seated, number, _pair_costs(seated, points, history)) if seated else ()
    ordered = sorted(pods, key=lambda pod: -max(points[player] for player in pod))
    return Round(
        (
            *(RoundGame(seats) for seats in forced if len(seats) > 1),
            *(RoundGame(order_of_several(pod, history)) for pod in ordered),
        ),
        (*(seats[0] for seats in forced if len(seats) == 1), *byes),
    )


def _pair_costs(
    players: Sequence[int], points: Mapping[int, Fraction], history: History
) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Return the cost of a meeting for each pair of seeds (from 0) by criterion, the most important first.

    The criteria are 1. how often the two have met; 2. the squared difference of their points; 3. how near their seeds are, so
    that each pod gets players from the top to the bottom.
    """
    scale = lcm(*(points[player].denominator for player in players))
    return {
        (one, other): (
            history.meetings(players[one], players[other]),
            int((points[players[one]] - points[players[other]]) * scale) ** 2,
            len(players) ** 2 - (one - other) ** 2,
        )
        for one, other in combinations(range(len(players)), 2)
    }


def _best_pods(players: Sequence[int], sizes: tuple[int, ...], costs: Mapping[tuple[int, int], tuple[int, int, int]]) -> Pods:
    again = (-1, -1)
    weights = weights_of({**costs, again: (1, 0, 0)}, len(costs))
    matrix = [
        [weights.get((min(one, other), max(one, other)), 0) for other in range(len(players))] for one in range(len(players))
    ]
    pods = _search(sizes, matrix) if len(players) <= EXACT else _search_near(sizes, matrix, weights[again])
    return tuple(tuple(players[seed] for seed in sorted(pod)) for pod in pods)


def _search(sizes: tuple[int, ...], matrix: Sequence[Sequence[int]]) -> Pods:
    """Return the best division by an exhaustive search, which gives up any division as soon as it is worse than the best."""
    best: Pods = ()
    best_weight: float = inf

    def fill(pods: Pods, left: tuple[int, ...], sizes_left: tuple[int, ...], weight: int) -> None:
        nonlocal best, best_weight
        if weight >= best_weight:
            return
        if not left:
            best, best_weight = pods, weight
            return
        first, rest = left[0], left[1:]
        for size in sorted(set(sizes_left)):
            others = list(sizes_left)
            others.remove(size)
            for mates in combinations(rest, size - 1):
                pod = (first, *mates)
                fill(
                    (*pods, pod),
                    tuple(seed for seed in rest if seed not in mates),
                    tuple(others),
                    weight + _weight(pod, matrix),
                )

    fill((), tuple(range(len(matrix))), sizes, 0)
    return best


def _weight(pod: Sequence[int], matrix: Sequence[Sequence[int]]) -> int:
    return sum(matrix[one][other] for one, other in combinations(pod, 2))


def _search_near(sizes: tuple[int, ...], matrix: Sequence[Sequence[int]], again: int) -> Pods:
    """Return the best division by exchanges from perturbed ones. A repeated meeting weighs `again` and prolongs the search."""
    dice = Random(0)  # noqa: S311 - the same players are always divided in the same way
    count = len(matrix)
    best = _improve([list(range(end - size, end)) for size, end in zip(sizes, accumulate(sizes), strict=True)], matrix)
    least = _total(best, matrix)
    tries = EXCHANGES // count**2
    for number in range(LONGER * tries):
        if number >= tries and least < again:
            break
        pods = [list(pod) for pod in best]
        for _ in range(KICK):
            here, there = dice.sample(pods, 2) if len(pods) > 1 else (pods[0], pods[0])
            mine, theirs = dice.randrange(len(here)), dice.randrange(len(there))
            here[mine], there[theirs] = there[theirs], here[mine]
        found = _improve(pods, matrix)
        total = _total(found, matrix)
        if total <= least:
            best, least = found, total
    return best


def _total(pods: Sequence[Sequence[int]], matrix: Sequence[Sequence[int]]) -> int:
    return sum(_weight(pod, matrix) for pod in pods)


def _improve(pods: list[list[int]], matrix: Sequence[Sequence[int]]) -> list[list[int]]:
    """Exchange pairs of players from different pods as long as that improves the division."""
    better = True
    while better:
        better = False
        for here, there in combinations(pods, 2):
            for mine in range(len(here)):
                for theirs in range(len(there)):
                    better = _exchange(here, mine, there, theirs, matrix) or better
    return pods


def _exchange(here: list[int], mine: int, there: list[int], theirs: int, matrix: Sequence[Sequence[int]]) -> bool:
    """Exchange two players if that improves the division, and return whether it did."""
    one, other = here[mine], there[theirs]
    change = sum(matrix[other][mate] - matrix[one][mate] for mate in here if mate != one)
    change += sum(matrix[one][mate] - matrix[other][mate] for mate in there if mate != other)
    if change >= 0:
        return False
    here[mine], there[theirs] = other, one
    return True
