"""Why ratings use PlackettLuce: openskill's five models in the same simulated leagues.

Forty people have a skill that the models do not know. In each game the best performance of the day wins and the others share
the last place; in a game of two, performances that are close are a draw. The figures: how well the order by rating agrees with
the order by skill (Spearman's rank correlation, 1 if they are the same), and the mean of all ratings, which is 25 at the start
and should stay there. PlackettLuce is also measured as the bot uses it, with a limit to what one game can change.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
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
from bot.sessions.core.ratings import MODEL, ratings_after
from storage.schema.records import Rating

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


Rate = Callable[[Sequence[Rating], Sequence[int]], Sequence[tuple[float, float]]]
"""Gives mu and sigma of each player after a game, by their ratings before it and their ranks in it."""


def by_model(model: Any) -> Rate:
    """Rate by one of openskill's models alone."""

    def rate(before: Sequence[Rating], ranks: Sequence[int]) -> Sequence[tuple[float, float]]:
        teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
        return [(skill.mu, skill.sigma) for (skill,) in model.rate(teams, ranks=[float(rank) for rank in ranks])]

    return rate


def league(rate: Rate, sizes: Sequence[int], games: int, seed: int) -> tuple[float, float]:
    """The result of one league: the rank correlation at the end, and the mean of the ratings."""
    dice = random.Random(seed)
    skill = [dice.gauss(25, SPREAD) for _ in range(PEOPLE)]
    newcomer = Rating(guild_id=0, user_id=0, game="", name="", mu=MODEL.mu, sigma=MODEL.sigma, updated_at=0.0)
    ratings = [newcomer for _ in skill]
    for _ in range(games):
        there = dice.sample(range(PEOPLE), dice.choice(sizes))
        form = [dice.gauss(skill[who], SPREAD) for who in there]
        drawn = len(there) == 2 and abs(form[0] - form[1]) <= CLOSE
        ranks = [0 if drawn or of_day == max(form) else 1 for of_day in form]
        for who, (mu, sigma) in zip(there, rate([ratings[who] for who in there], ranks), strict=True):
            ratings[who] = replace(ratings[who], mu=mu, sigma=sigma, played=ratings[who].played + 1)
    certain = [rating.mu - 3 * rating.sigma for rating in ratings]
    return correlation(skill, certain), mean(rating.mu for rating in ratings)


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
            found[kind.__name__] = _means(by_model(kind()), sizes, games, leagues)
        rank, level = found.pop("PlackettLuce")
        best = max(found, key=lambda name: found[name][0])
        where = f"in leagues of {games} games for {', '.join(map(str, sizes))}: rank correlation"
        other = Reference(f"the best other, {best}", found[best][0])
        aims, note = times_at_least(0.97), f"mean rating {level:.1f}"
        yield Figure(name=f"PlackettLuce {where}", value=rank, reference=other, aims=aims, note=note)
        limited, level_then = _means(ratings_after, sizes, games, leagues)
        without, note = Reference("without the limit", rank), f"mean rating {level_then:.1f}"
        yield Figure(name=f"the same, limited, {where}", value=limited, reference=without, aims=aims, note=note)
        assert abs(level_then - 25) < 0.3
        assert abs(level - 25) < 0.3
        assert rank > found[best][0] - 0.02


def _means(rate: Rate, sizes: Sequence[int], games: int, leagues: int) -> tuple[float, float]:
    """The mean results of some leagues."""
    results = [league(rate, sizes, games, seed) for seed in range(leagues)]
    return mean(rank for rank, _ in results), mean(level for _, level in results)
