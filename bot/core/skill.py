"""Skill: what a rating says about somebody, how a game moves it, and the points that people are shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from openskill.models import PlackettLuce

MODEL: Final = PlackettLuce()


NEWCOMER_POINTS: Final = 1000


SCALE: Final = 40
"""Rating points per unit of mu: people are shown NEWCOMER_POINTS + SCALE * (mu - a newcomer's mu)."""


MOST_SKILL: Final = 1000.0
"""The most that mu or sigma can be, up or down, which is forty times a newcomer's mu. A rating beyond it must be damaged."""


PROVISIONAL_BELOW: Final = 10
"""The number of rated games from which a player's rating is no longer provisional."""


MOST_CHANGE: Final = 30
"""The most points by which one game moves a rating."""


MOST_CHANGE_PROVISIONAL: Final = 50
"""The most points by which one game moves a provisional rating."""


class Rated(Protocol):
    """A rating: a skill, and the number of games it is based on."""

    @property
    def mu(self) -> float:
        """The mean of the skill."""
        ...

    @property
    def sigma(self) -> float:
        """The standard deviation of the skill."""
        ...

    @property
    def played(self) -> int:
        """The number of rated games."""
        ...


def provisional(rating: Rated) -> bool:
    """Whether a rating is based on few games, and may be far from the truth."""
    return rating.played < PROVISIONAL_BELOW


def most_change(rating: Rated) -> int:
    """Return the most points by which the next game moves a rating."""
    return MOST_CHANGE_PROVISIONAL if provisional(rating) else MOST_CHANGE


def rating_points(rating: Rated) -> int:
    """Return the number that people are shown for a rating, never below 0."""
    return max(0, round(NEWCOMER_POINTS + SCALE * (rating.mu - MODEL.mu)))


def ratings_after(before: Sequence[Rated], ranks: Sequence[int], counting: float = 1.0) -> tuple[tuple[float, float], ...]:
    """Return each player's mu and sigma after a game with these ranks (0 is best). `counting` (0 to 1) scales the change."""
    seats = range(len(before))
    alone = [[int((seat == one) is last) for seat in seats] for one in seats for last in (False, True)]
    most = [0.0 for _ in seats]
    for possible in (ranks, *alone):
        most = [max(known, SCALE * abs(mu)) for known, (mu, _) in zip(most, _steps(before, possible), strict=True)]
    limits = [most_change(rating) / moved for rating, moved in zip(before, most, strict=True) if moved > 0]
    share = counting * min([1.0, *limits])
    return tuple(
        (rating.mu + share * mu, rating.sigma + share * sigma)
        for rating, (mu, sigma) in zip(before, _steps(before, ranks), strict=True)
    )


def _steps(before: Sequence[Rated], ranks: Sequence[int]) -> list[tuple[float, float]]:
    """Return by how much the model alone would move each player's mu and sigma."""
    rated = MODEL.rate([[MODEL.rating(rating.mu, rating.sigma)] for rating in before], ranks=[float(rank) for rank in ranks])
    return [(skill.mu - rating.mu, skill.sigma - rating.sigma) for rating, (skill,) in zip(before, rated, strict=True)]


@dataclass(frozen=True, slots=True)
class Skill:
    """The mean and standard deviation of a skill, as openskill defines them."""

    mu: float
    sigma: float


NEWCOMER: Final = Skill(MODEL.mu, MODEL.sigma)
"""The skill of a person about whom nothing is known."""
