"""How even a game would be, by the ratings of its players.

openskill's `predict_draw` is the likelihood of a draw by the ratings. It is smaller for newcomers, of whom little is known, and
smaller for more players, however even they may be. So it is compared with that of the same table where all have the same mean:
1 is as even as these players could be, and newcomers are not at a disadvantage.
"""

from collections.abc import Sequence
from statistics import fmean

from bot.core.skill import MODEL, Skill


def quality(skills: Sequence[Skill]) -> float:
    """Return how even a game between people would be, above 0 and at most 1, which is as even as it could be."""
    middle = fmean(skill.mu for skill in skills)
    even = _draw([Skill(middle, skill.sigma) for skill in skills])
    return min(1.0, _draw(skills) / even) if even else 1.0


def _draw(skills: Sequence[Skill]) -> float:
    return MODEL.predict_draw([[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills])
