"""Why ratings use PlackettLuce: openskill's five models in the same simulated leagues.

Forty people have a skill that the models do not know. In each game the best performance of the day wins and the others share
the last place; in a game of two, performances that are close are a draw. The figures: how well the order by rating agrees with
the order by skill (Spearman's rank correlation, 1 if they are the same), and the mean of all ratings, which is 25 at the start
and should stay there. PlackettLuce is also measured as the bot uses it, with a limit to what one game can change.

In a year of a server, people come one by one, and play twelve games a week between them. The mean of the numbers that they are
shown should stay where newcomers begin. Beside it stands the mean of the skill that they almost certainly have, in points, too.

In another year, five of forty people farm: each has three friends who let them win. The figures: how much higher
they end than in the same year without farming, and how far the rule about the games of the same two people moves the honest.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt
from statistics import mean
from typing import Any, Final

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from benchmarks.figures import Figure, Reference, at_most, times_at_least
from bot.core.skill import MODEL, NEWCOMER_POINTS, SCALE, rating_points, ratings_after
from bot.features.stats.ratings import MEETINGS_WITHIN, meeting_share
from storage.schema.records import Rating

MODELS: Final = (PlackettLuce, BradleyTerryFull, BradleyTerryPart, ThurstoneMostellerFull, ThurstoneMostellerPart)
PEOPLE: Final = 40
WEEKS: Final = 52
GAMES_A_WEEK: Final = 12
THERE_AT_FIRST: Final = 0.2
"""The part of the people who are there when a year begins; the others come one after another."""

FARMERS: Final = 5
FRIENDS: Final = 3
"""How many people let each farmer win."""
FARMED_A_WEEK: Final = (2, 7)
NEAR: Final = 0.75
"""The part of the games in a farmed year that people play with those around them."""
DAY: Final = 86400.0

YEARS: Final = 20
LEAGUES: Final = 6
TINY: Final[Mapping[str, Any]] = {"leagues": 1, "years": 1}
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


class Club:
    """People who play, of whom the ratings know nothing but the results."""

    def __init__(self, rate: Rate, sizes: Sequence[int], seed: int) -> None:
        self._rate, self._sizes = rate, sizes
        self._dice = random.Random(seed)
        self.skill: list[float] = []
        self.ratings: list[Rating] = []

    def join(self) -> None:
        """Somebody new is there from now on."""
        self.skill.append(self._dice.gauss(25, SPREAD))
        newcomer = Rating(guild_id=0, user_id=0, game="", name="", mu=MODEL.mu, sigma=MODEL.sigma, updated_at=0.0)
        self.ratings.append(newcomer)

    def play(self) -> None:
        """Some of them play a game."""
        there = self._dice.sample(range(len(self.skill)), self._dice.choice(self._sizes))
        form = [self._dice.gauss(self.skill[who], SPREAD) for who in there]
        drawn = len(there) == 2 and abs(form[0] - form[1]) <= CLOSE
        ranks = [0 if drawn or of_day == max(form) else 1 for of_day in form]
        for who, (mu, sigma) in zip(there, self._rate([self.ratings[who] for who in there], ranks), strict=True):
            self.ratings[who] = replace(self.ratings[who], mu=mu, sigma=sigma, played=self.ratings[who].played + 1)

    @property
    def order(self) -> float:
        """The rank correlation of skill and ratings."""
        return correlation(self.skill, [rating.mu for rating in self.ratings])


def league(rate: Rate, sizes: Sequence[int], games: int, seed: int) -> tuple[float, float]:
    """The result of one league: the rank correlation of skill and ratings at the end, and the mean rating."""
    club = Club(rate, sizes, seed)
    for _ in range(PEOPLE):
        club.join()
    for _ in range(games):
        club.play()
    return club.order, mean(rating.mu for rating in club.ratings)


def year(sizes: Sequence[int], seed: int) -> tuple[float, float]:
    """The means after a year: of the numbers shown, and of 1000 + 40 (mu - 3 sigma), which is also 1000 for newcomers."""
    club = Club(ratings_after, sizes, seed)
    for week in range(WEEKS):
        while len(club.skill) < PEOPLE * (THERE_AT_FIRST + (1 - THERE_AT_FIRST) * (week + 1) / WEEKS):
            club.join()
        for _ in range(GAMES_A_WEEK):
            club.play()
    certain = mean(NEWCOMER_POINTS + SCALE * (rating.mu - 3 * rating.sigma) for rating in club.ratings)
    return mean(map(rating_points, club.ratings)), certain


class FarmedClub:
    """A year in a club of forty people, who mostly play with the same few others. Five of them farm: friends let them win.

    Args:
        seed: what decides the games.
        ruled: whether the games of the same two people count less and less. If not, all games count in full.
        farmed: how many games a week friends lose to each farmer on purpose. It does not change the other games.
    """

    def __init__(self, seed: int, *, ruled: bool, farmed: int) -> None:
        self._dice = random.Random(seed)
        self._ruled = ruled
        self._met: dict[tuple[int, int], list[float]] = {}
        self.skill = [self._dice.gauss(25, SPREAD) for _ in range(PEOPLE)]
        newcomer = Rating(guild_id=0, user_id=0, game="", name="", mu=MODEL.mu, sigma=MODEL.sigma, updated_at=0.0)
        self.ratings = [newcomer] * (PEOPLE + FARMERS * FRIENDS)
        for day in range(7 * WEEKS):
            self._play_day(day, farmed)

    def _play_day(self, day: int, farmed: int) -> None:
        """Play the honest games of a day, and then those in which a friend lets a farmer win."""
        for _ in range(GAMES_A_WEEK // 7 + (self._dice.random() < GAMES_A_WEEK % 7 / 7)):
            self._honest_game(day)
        for farmer in range(FARMERS):
            friend = PEOPLE + FRIENDS * farmer + self._dice.randrange(FRIENDS)
            if self._dice.random() < farmed / 7:
                self._rate((farmer, friend), (0, 1), day)

    def _honest_game(self, day: int) -> None:
        """Somebody plays with one or two of the six people around them, three times in four, or else with anybody."""
        one, seats = self._dice.randrange(PEOPLE), self._dice.choice((2, 2, 3))
        near = [(one + step) % PEOPLE for step in (-3, -2, -1, 1, 2, 3)]
        others = near if self._dice.random() < NEAR else [who for who in range(PEOPLE) if who != one]
        there = [one, *self._dice.sample(others, seats - 1)]
        form = [self._dice.gauss(self.skill[who], SPREAD) for who in there]
        self._rate(there, [int(of_day != max(form)) for of_day in form], day)

    def _rate(self, there: Sequence[int], ranks: Sequence[int], day: int) -> None:
        met = [self._met.setdefault((min(pair), max(pair)), []) for pair in combinations(there, 2)]
        share = mean(meeting_share(sum((day - then) * DAY < MEETINGS_WITHIN for then in pair)) for pair in met)
        for pair in met:
            pair.append(day)
        after = ratings_after([self.ratings[who] for who in there], ranks, share if self._ruled else 1.0)
        for who, (mu, sigma) in zip(there, after, strict=True):
            self.ratings[who] = replace(self.ratings[who], mu=mu, sigma=sigma, played=self.ratings[who].played + 1)

    @property
    def farmers(self) -> float:
        """The mean of the numbers that the farmers are shown."""
        return mean(map(rating_points, self.ratings[:FARMERS]))

    @property
    def honest(self) -> list[int]:
        """The numbers that the others are shown."""
        return [rating_points(rating) for rating in self.ratings[FARMERS:PEOPLE]]

    @property
    def order(self) -> float:
        """The rank correlation of skill and ratings of the honest ones."""
        return correlation(self.skill[FARMERS:], [rating.mu for rating in self.ratings[FARMERS:PEOPLE]])


def farming(years: int) -> Iterator[Figure]:
    """Yields what farmers gain by farming, and what the rule costs honest people."""
    fair = [[FarmedClub(seed, ruled=ruled, farmed=0) for ruled in (True, False)] for seed in range(years)]
    for games in FARMED_A_WEEK:
        gains = [
            mean(
                FarmedClub(seed, ruled=ruled, farmed=games).farmers - clubs[not ruled].farmers
                for seed, clubs in enumerate(fair)
            )
            for ruled in (True, False)
        ]
        name = f"what five of forty gain in a year in which they are given {games} games a week"
        yield Figure(
            name=name, value=gains[0], reference=Reference("if all games counted in full", gains[1]), aims=at_most(500)
        )
    apart = mean(mean(abs(a - b) for a, b in zip(one.honest, other.honest, strict=True)) for one, other in fair)
    yield Figure(name="by how much the rule moves an honest person's number in a year", value=apart, aims=at_most(30))
    orders = [mean(club.order for club in clubs) for clubs in zip(*fair, strict=True)]
    reference = Reference("if all games counted in full", orders[1])
    name = "the order of honest people after a year: rank correlation"
    yield Figure(name=name, value=orders[0], reference=reference, aims=times_at_least(0.97))


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's rank correlation of values without ties."""
    places = [{value: place for place, value in enumerate(sorted(values))} for values in (one, other)]
    apart = sum((places[0][a] - places[1][b]) ** 2 for a, b in zip(one, other, strict=True))
    return 1 - 6 * apart / (len(one) * (len(one) ** 2 - 1))


def run(leagues: int = LEAGUES, years: int = YEARS) -> Iterator[Figure]:
    """Yields all figures about ratings. Raises AssertionError if another model is clearly better than PlackettLuce."""
    yield from _models(leagues)
    yield from _years(years)
    yield from farming(years)


def _models(leagues: int) -> Iterator[Figure]:
    """Yields for each kind of league how well PlackettLuce ranks people, compared with the other models and with the limit."""
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


def _years(years: int) -> Iterator[Figure]:
    """Yields the mean number that people are shown after a year: it has to stay near that of newcomers."""
    for sizes in ((2,), (2, 3, 4)):
        shown, certain = (mean(of_year) for of_year in zip(*(year(sizes, seed) for seed in range(years)), strict=True))
        name = f"the mean number shown after a year of games for {', '.join(map(str, sizes))}; 1000 at first"
        yield Figure(name=name, value=shown, reference=Reference("mu - 3 sigma", certain), aims=at_most(1020))
        assert abs(shown - NEWCOMER_POINTS) < 20 * sqrt(YEARS / years)


def _means(rate: Rate, sizes: Sequence[int], games: int, leagues: int) -> tuple[float, float]:
    """The mean results of some leagues."""
    results = [league(rate, sizes, games, seed) for seed in range(leagues)]
    return mean(rank for rank, _ in results), mean(level for _, level in results)
