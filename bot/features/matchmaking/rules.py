"""Matching: which of those who seek a game are put together.

Whoever has waited longest of those for whom there is a table gets one, and then as many people as can be do; of as many, those
who have waited longer, at the most even tables that there are for them. How even a table has to be falls as people wait: at
first only people of about the same strength meet, and after `PATIENCE` everybody who fits otherwise. Everybody at a table has
to find it even enough, so nobody meets a much stronger player on their first day. Of terms that are equally even it is any of
them, so that people who would play everything get to play everything.

Where all tables have two seats that is a maximum matching (networkx). Otherwise all choices are tried, up to `MOST_STEPS` of
them: enough for the rounds of a server, and of a larger round it is the best that was found by then.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Final

import networkx as nx

from bot.core.skill import MODEL, NEWCOMER, Skill

DAY: Final = 86_400.0
"""The seconds of a day."""

EVEN: Final = 0.8
"""The quality that a table has to have for somebody who has just begun to wait."""

PATIENCE: Final = 3 * DAY
"""Seconds after which any quality will do."""

MOST_TABLES: Final = 6000
"""The most tables that are looked at, in equal parts for each person who has waited longest there. Ten people have fewer."""

MOST_STEPS: Final = 50_000
"""The most choices that are tried. The first few are what one would do without looking ahead."""

_EXACT: Final = 10**6
"""How finely the evenness of tables is told apart where many are weighed against each other."""


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


@dataclass(frozen=True, slots=True)
class Match:
    """People who are put together.

    Attributes:
        terms: what they play.
        people: who they are, those first who have waited longest.
        quality: how even the game will be, 0 to 1.
    """

    terms: Terms
    people: tuple[Seeker, ...]
    quality: float


def match(seekers: Iterable[Seeker], now: float) -> list[Match]:
    """Return tables for people who seek a game, at most one for each of them.

    Args:
        seekers: everybody who seeks one, each once.
        now: the time, in seconds since the epoch.
    """
    waiting = sorted(seekers, key=lambda seeker: (seeker.since, seeker.person))
    tables = [sorted(tables, key=lambda table: -table.quality) for tables in _Tables(waiting, now).by_first()]
    if all(len(table.people) == 2 for some in tables for table in some):
        return _in_pairs(waiting, tables)
    return _Search(waiting, tables).best()


def least_quality(waited: float) -> float:
    """Return the quality that a table has to have for somebody who has waited for so many seconds."""
    return EVEN * max(0.0, 1.0 - waited / PATIENCE)


class _Tables:
    """The tables that are possible. How even a game of the same people would be is computed once.

    Args:
        waiting: the people, those first who have waited longest.
        now: the time, in seconds since the epoch.
    """

    def __init__(self, waiting: Sequence[Seeker], now: float) -> None:
        self._waiting = waiting
        self._now = now
        self._fit = [
            [n for n, other in enumerate(waiting) if n > m and go_together(one, other)] for m, one in enumerate(waiting)
        ]

    def by_first(self) -> Iterator[list[Match]]:
        """Yield for each person the tables at which nobody has waited longer."""
        each = MOST_TABLES // max(1, len(self._waiting))
        for place, first in enumerate(self._waiting):
            found: list[Match] = []
            for seats in sorted({terms.seats for terms in first.terms}):
                terms = frozenset(each for each in first.terms if each.seats == seats)
                for people, shared in self._people((place,), self._fit[place], terms, seats):
                    if (table := self._table(people, shared)) is not None:
                        found.append(table)
                    if len(found) >= each:
                        break
            yield found

    def _people(
        self, people: tuple[int, ...], others: Sequence[int], terms: frozenset[Terms], seats: int
    ) -> Iterator[tuple[tuple[int, ...], frozenset[Terms]]]:
        """Yield all who may sit at a table with some people, and the terms that they share."""
        if len(people) == seats:
            yield people, terms
            return
        for place in others:
            if shared := terms & self._waiting[place].terms:
                fit = set(self._fit[place])
                yield from self._people((*people, place), [other for other in others if other in fit], shared, seats)

    def _table(self, places: Sequence[int], shared: frozenset[Terms]) -> Match | None:
        """Return the most even table of some people; None if it is not even enough for all of them."""
        people = tuple(self._waiting[place] for place in places)
        every = sorted(shared)
        Random(f"{people[0].person} {self._now}").shuffle(every)  # noqa: S311 - nobody gains by guessing it
        every.sort(key=lambda terms: not terms.rated)  # who does not mind is rated
        games = {terms.game: quality([one.skill(terms.game) for one in people]) for terms in every}
        best = max(every, key=lambda terms: games[terms.game])
        even = games[best.game]
        return Match(best, people, even) if all(even >= least_quality(self._now - one.since) for one in people) else None


def _in_pairs(waiting: Sequence[Seeker], tables: Sequence[Sequence[Match]]) -> list[Match]:
    """Return the best choice of tables that all have two seats.

    The people who can be seated together form a matroid: whoever has waited longer never costs anybody else a seat in number.
    """
    places = {seeker.person: place for place, seeker in enumerate(waiting)}
    moments = sorted({seeker.since for seeker in waiting}, reverse=True)
    worth = {moment: (len(waiting) + 1) ** rank for rank, moment in enumerate(moments, 1)}
    graph, scale, least = nx.Graph(), _EXACT * (len(waiting) + 1), 2 * len(waiting) ** 2 + 1
    for table in (table for some in tables for table in some):
        one, other = (places[seeker.person] for seeker in table.people)
        waited = sum(worth[seeker.since] for seeker in table.people)
        weight = (waited * scale + round(table.quality * _EXACT)) * least - one - other
        graph.add_edge(one, other, weight=weight, table=table)
    chosen = sorted(tuple(sorted(pair)) for pair in nx.max_weight_matching(graph))
    return [graph.edges[pair]["table"] for pair in chosen]


class _Search:
    """The search for the best choice of tables: person by person, the one who has waited longest first.

    Of as many people those are found first who have waited longer, since whoever comes next is seated before they are left out.

    Args:
        waiting: the people.
        tables: for each of them the tables at which nobody has waited longer, the most even first.
    """

    def __init__(self, waiting: Sequence[Seeker], tables: Sequence[Sequence[Match]]) -> None:
        self._waiting = waiting
        self._tables = tables
        self._first = next((place for place, some in enumerate(tables) if some), len(waiting))
        self._steps = 0
        self._best: tuple[Match, ...] = ()
        self._seated = 0

    def best(self) -> list[Match]:
        """Return the best choice."""
        self._go_on(self._first, (), frozenset())
        return list(self._best)

    def _go_on(self, place: int, chosen: tuple[Match, ...], seated: frozenset[int]) -> None:
        """Try all choices for the people from a place on, while more can be seated than by the best choice so far."""
        if len(seated) > self._seated:
            self._best, self._seated = chosen, len(seated)
        if place == len(self._waiting) or self._steps >= MOST_STEPS or len(seated) + self._room(place, seated) <= self._seated:
            return
        self._steps += 1
        person = self._waiting[place].person
        if person not in seated:
            for table in self._tables[place]:
                people = {seeker.person for seeker in table.people}
                if not people & seated:
                    self._go_on(place + 1, (*chosen, table), seated | people)
        if place != self._first or person in seated:
            self._go_on(place + 1, chosen, seated)

    def _room(self, place: int, seated: frozenset[int]) -> int:
        """Return how many people from a place on can be seated at most."""
        there: set[int] = set()
        for some in self._tables[place:]:
            for table in some:
                people = {seeker.person for seeker in table.people}
                if not people & seated:
                    there |= people
        return len(there)


def quality(skills: Sequence[Skill]) -> float:
    """Return how even a game between people would be by their ratings, above 0 and at most 1: as even as it could be.

    openskill's `predict_draw` is the likelihood of a draw. It is smaller for newcomers, of whom little is known, and smaller
    for more players, however even they may be. So it is compared with that of the same table where all have the same mean: 1 is
    as even as these players could be, and newcomers are not at a disadvantage.
    """
    middle = fmean(skill.mu for skill in skills)
    even = _draw([Skill(middle, skill.sigma) for skill in skills])
    return min(1.0, _draw(skills) / even) if even else 1.0


def _draw(skills: Sequence[Skill]) -> float:
    return MODEL.predict_draw([[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills])
