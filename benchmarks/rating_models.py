"""Why ratings use PlackettLuce: openskill's five models in the same simulated leagues.

Forty people have a skill that the models do not know. In each game the best performance of the day wins and the others share
the last place; in a game of two, performances that are close are a draw. The figures: how well the order by rating agrees with
the order by skill (Spearman's rank correlation, 1 if they are the same), and the mean of all ratings, which is 25 at the start
and should stay there.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from statistics import mean
from typing import Any, Final

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from benchmarks.figures import Figure, Reference, times_at_least

MODELS: Final = (PlackettLuce, BradleyTerryFull, BradleyTerryPart, ThurstoneMostellerFull, ThurstoneMostellerPart)
PEOPLE: Final = 40
LEAGUES: Final = 6
TINY: Final[Mapping[str, Any]] = {"leagues": 1}
SPREAD: Final = 25 / 6
"""The standard deviation of skill, and of the performance of the day around it."""
CLOSE: Final = 1.2
"""In a game of two, performances that differ by no more than this are a draw."""
KINDS: Final = (((2,), 300), ((2,), 1500), ((2, 3, 4), 300), ((2, 3, 4), 1500), ((3, 4, 5, 6), 300), ((3, 4, 5, 6), 1500))
"""The kinds of leagues: the numbers of players that a game may have, and the number of games."""


def league(model: Any, sizes: Sequence[int], games: int, seed: int) -> tuple[float, float]:
    """The result of one league: the rank correlation at the end, and the mean of the ratings."""
    dice = random.Random(seed)
    skill = [dice.gauss(25, SPREAD) for _ in range(PEOPLE)]
    ratings = [model.rating() for _ in skill]
    for _ in range(games):
        there = dice.sample(range(PEOPLE), dice.choice(sizes))
        form = [dice.gauss(skill[who], SPREAD) for who in there]
        drawn = len(there) == 2 and abs(form[0] - form[1]) <= CLOSE
        ranks = [0.0 if drawn or of_day == max(form) else 1.0 for of_day in form]
        for who, (after,) in zip(there, model.rate([[ratings[who]] for who in there], ranks=ranks), strict=True):
            ratings[who] = after
    return correlation(skill, [rating.ordinal() for rating in ratings]), mean(rating.mu for rating in ratings)


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's rank correlation of values without ties."""
    places = [{value: place for place, value in enumerate(sorted(values))} for values in (one, other)]
    apart = sum((places[0][a] - places[1][b]) ** 2 for a, b in zip(one, other, strict=True))
    return 1 - 6 * apart / (len(one) * (len(one) ** 2 - 1))


def run(leagues: int = LEAGUES) -> Iterator[Figure]:
    """Yields a figure for each kind of league. Raises AssertionError if another model is clearly better than PlackettLuce."""
    for sizes, games in KINDS:
        found = {}
        for kind in MODELS:
            results = [league(kind(), sizes, games, seed) for seed in range(leagues)]
            found[kind.__name__] = mean(rank for rank, _ in results), mean(level for _, level in results)
        rank, level = found.pop("PlackettLuce")
        best = max(found, key=lambda name: found[name][0])
        yield Figure(name=f"PlackettLuce in leagues of {games} games for {', '.join(map(str, sizes))}: rank correlation",
                     value=rank, reference=Reference(f"the best other, {best}", found[best][0]), aims=times_at_least(0.97),
                     note=f"mean rating {level:.1f}")  # fmt: skip
        assert abs(level - 25) < 0.3
        assert rank > found[best][0] - 0.02
