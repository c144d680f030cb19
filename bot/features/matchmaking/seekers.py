"""Seekers: people who seek a game, and with whom they may be put together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.core.skill import NEWCOMER, Skill

DAY: Final = 86_400.0
"""The seconds of a day."""


@dataclass(frozen=True, slots=True, order=True)
class Terms:
    """What a table plays.

    Attributes:
        game: the id of the game.
        variant: its variant.
        seats: the number of players.
        clock: seconds for a turn; 0: no clock.
        rated: whether the result counts for the ratings.
    """

    game: str
    variant: str
    seats: int
    clock: int
    rated: bool


@dataclass(frozen=True, slots=True)
class Seeker:
    """A person who seeks a game, and with whom they may be put together.

    Attributes:
        person: their id.
        since: since when they have been waiting, in seconds since the epoch.
        terms: all terms that they accept.
        skills: their skill at each game that they have a rating for.
        avoided: the ids of people whom they do not want to play with. Nobody learns of it.
        late: the share of their turns in which they ran out of time lately, 0 to 1.
        most_late: the greatest such share that they accept in others.
    """

    person: int
    since: float
    terms: frozenset[Terms]
    skills: Mapping[str, Skill] = field(default_factory=dict)
    avoided: frozenset[int] = frozenset()
    late: float = 0.0
    most_late: float = 1.0

    def skill(self, game: str) -> Skill:
        """Return the skill at a game: that of a newcomer if they have no rating."""
        return self.skills.get(game, NEWCOMER)

    def accepts(self, other: "Seeker") -> bool:
        """Return whether this person may be put together with another one, as far as it is up to this one."""
        return self.person != other.person and other.person not in self.avoided and other.late <= self.most_late


def go_together(one: Seeker, other: Seeker) -> bool:
    """Return whether two people accept each other."""
    return one.accepts(other) and other.accepts(one)
