"""Decides which of the people who seek a game are put together.

Whoever has waited longest gets a table if there is one for them. After that, as many people as possible get one. Among choices
that seat equally many, those who have waited longer come first, at the most even tables for them. The evenness required falls
as people wait: at first only people of similar strength meet, and after `PATIENCE` seconds everybody who otherwise fits.
Everybody at a table has to find it even enough, so nobody meets a much stronger player on their first day. Among equally even
terms the choice is random, so that people who would play any game get to play all of them.

If all tables have two seats, this is a maximum matching (networkx). Otherwise, all choices are tried, up to `MOST_STEPS`. That
is enough for a server's rounds; in a larger round, the best choice found by then is taken.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Final

from bot.core.skill import MODEL, NEWCOMER, Skill

DAY: Final = 86_400.0

EVEN: Final = 0.8
"""The quality required of a table for somebody who has just begun to wait."""

PATIENCE: Final = 3 * DAY
"""How long somebody waits, in seconds, until a table of any quality will do."""

MOST_TABLES: Final = 6000
"""The maximum number of tables examined. Among ten people, there are fewer.

Each person has an equal share of this number, for the tables at which nobody has waited longer than they have.
"""

MOST_STEPS: Final = 50_000
"""The maximum number of choices tried. The first few are those that a greedy search would make."""

_EXACT: Final = 10**6
"""Into how many steps evenness is divided when many tables are compared."""


@dataclass(frozen=True, slots=True, order=True)
class Terms:
    """A table's terms: its game and variant, number of players, seconds for a turn (0: no clock), and whether it is rated."""

    game: str
    variant: str
    seats: int
    clock: int
    rated: bool


@dataclass(frozen=True, slots=True)
class Seeker:
    """A person who seeks a game, and the conditions that they accept.

    Attributes:
        person: their id.
        since: when they began to wait, in seconds since the epoch.
        terms: all terms that they accept.
        skills: their skill at each game in which they have a rating.
        avoided: the ids of people they do not want to play with. Nobody else learns of these.
        late: the share of their recent turns in which they ran out of time, from 0 to 1.
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
        """Return the person's skill at a game, or a newcomer's if they have no rating."""
        return self.skills.get(game, NEWCOMER)

    def accepts(self, other: "Seeker") -> bool:
        """Return whether this person accepts the other as an opponent."""
        return self.person != other.person and other.person not in self.avoided and other.late <= self.most_late


def go_together(one: Seeker, other: Seeker) -> bool:
    """Return whether two people accept each other."""
    return one.accepts(other) and other.accepts(one)


@dataclass(frozen=True, slots=True)
class Match:
    """People put together, longest waiting first, to play on these `terms`. `quality`, 0 to 1, is how even the game will be."""

    terms: Terms
    people: tuple[Seeker, ...]
    quality: float


def match(seekers: Iterable[Seeker], now: float) -> list[Match]:
    """Return tables for people who seek a game, at most one for each. `now` is in seconds since the epoch."""
    waiting = sorted(seekers, key=lambda seeker: (seeker.since, seeker.person))
    tables = [sorted(tables, key=lambda table: -table.quality) for tables in _Tables(waiting, now).by_first()]
    if all(len(table.people) == 2 for some in tables for table in some):
        return _in_pairs(waiting, tables)
    return _Search(waiting, tables).best()


def least_quality(waited: float) -> float:
    """Return the quality that a table needs for somebody who has waited for `waited` seconds."""
    return EVEN * max(0.0, 1.0 - waited / PATIENCE)


class _Tables:
    """The possible tables for people who are sorted by how long they have waited, longest first. Each is examined once."""

    def __init__(self, waiting: Sequence[Seeker], now: float) -> None:
        self._waiting = waiting
        self._now = now
        self._fit = [
            [n for n, other in enumerate(waiting) if n > m and go_together(one, other)] for m, one in enumerate(waiting)
        ]

    def by_first(self) -> Iterator[list[Match]]:
        """Yield, for each person, the possible tables at which they have waited longest."""
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
        """Yield each group that extends these people to a full table, with the terms that everybody in it accepts."""
        if len(people) == seats:
            yield people, terms
            return
        for place in others:
            if shared := terms & self._waiting[place].terms:
                fit = set(self._fit[place])
                yield from self._people((*people, place), [other for other in others if other in fit], shared, seats)

    def _table(self, places: Sequence[int], shared: frozenset[Terms]) -> Match | None:
        """Return the most even table of these people, or None if it is not even enough for all of them."""
        people = tuple(self._waiting[place] for place in places)
        every = sorted(shared)
        Random(f"{people[0].person} {self._now}").shuffle(every)  # noqa: S311 - nobody gains by guessing it
        every.sort(key=lambda terms: not terms.rated)  # people who do not mind play a rated game
        games = {terms.game: quality([one.skill(terms.game) for one in people]) for terms in every}
        best = max(every, key=lambda terms: games[terms.game])
        even = games[best.game]
        return Match(best, people, even) if all(even >= least_quality(self._now - one.since) for one in people) else None


def _in_pairs(waiting: Sequence[Seeker], tables: Sequence[Sequence[Match]]) -> list[Match]:
    """Return the best tables for two. As the sets of seated people form a matroid, preferring long waits costs no seats."""
    import networkx as nx  # noqa: PLC0415 - 13 MB, which a bot need not spend until two people seek a game

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
    """The search for the best tables. It tries to seat people in order of waiting, each at the most even table first."""

    def __init__(self, waiting: Sequence[Seeker], tables: Sequence[Sequence[Match]]) -> None:
        self._waiting = waiting
        self._tables = tables
        self._first = next((place for place, some in enumerate(tables) if some), len(waiting))
        self._steps = 0
        self._best: tuple[Match, ...] = ()
        self._seated = 0

    def best(self) -> list[Match]:
        self._go_on(self._first, (), frozenset())
        return list(self._best)

    def _go_on(self, place: int, chosen: tuple[Match, ...], seated: frozenset[int]) -> None:
        """Try all choices for the people from `place` on, as long as they might seat more than the best choice so far."""
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
        """Return an upper bound on how many people from `place` on can still be seated."""
        there: set[int] = set()
        for some in self._tables[place:]:
            for table in some:
                people = {seeker.person for seeker in table.people}
                if not people & seated:
                    there |= people
        return len(there)


def quality(skills: Sequence[Skill]) -> float:
    """Return how even a game would be by the players' ratings, as a number above 0 and at most 1.

    openskill's `predict_draw` is the likelihood of a draw. However even the players are, it is lower for uncertain ratings,
    such as newcomers', and for more players. So it is divided by the likelihood for the same players with equal means. The
    result 1 means as even as these players could be, and newcomers are not at a disadvantage.
    """
    middle = fmean(skill.mu for skill in skills)
    even = _draw([Skill(middle, skill.sigma) for skill in skills])
    return min(1.0, _draw(skills) / even) if even else 1.0


def _draw(skills: Sequence[Skill]) -> float:
    return MODEL.predict_draw([[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills])
