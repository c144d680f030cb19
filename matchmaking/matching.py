"""Matching: which of those who seek a game are put together.

Whoever has waited longest comes first, and gets the most even table that there is for them. How even it has to be falls as
people wait: at first only people of about the same strength meet, and after `PATIENCE` everybody who fits otherwise. Everybody
at a table has to find it even enough, so nobody meets a much stronger player on their first day. Of tables that are equally
even it is any of them, so that people who would play everything get to play everything.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from matchmaking.quality import quality
from matchmaking.seekers import DAY, Seeker, Terms, go_together

EVEN: Final = 0.8
"""The quality that a table has to have for somebody who has just begun to wait."""

PATIENCE: Final = 3 * DAY
"""Seconds after which any quality will do."""

_Table: TypeAlias = tuple[tuple[Seeker, ...], float]


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
    return _Round(now).tables(sorted(seekers, key=lambda seeker: (seeker.since, seeker.person)))


def least_quality(waited: float) -> float:
    """Return the quality that a table has to have for somebody who has waited for so many seconds."""
    return EVEN * max(0.0, 1.0 - waited / PATIENCE)


class _Round:
    """One round of matching. How even a game of the same people would be is computed once."""

    def __init__(self, now: float) -> None:
        self._now = now
        self._known: dict[tuple[str, frozenset[int]], float] = {}

    def tables(self, waiting: Sequence[Seeker]) -> list[Match]:
        """Return the tables for people who are waiting, those first who have waited longest."""
        found = list[Match]()
        while waiting:
            first, *others = waiting
            best = max(self._for(first, others), key=lambda table: table.quality, default=None)
            taken = {first.person}
            if best is not None:
                found.append(best)
                taken |= {seeker.person for seeker in best.people}
            waiting = [seeker for seeker in others if seeker.person not in taken]
        return found

    def _for(self, first: Seeker, others: Sequence[Seeker]) -> Iterator[Match]:
        """Yield the most even table of each terms for the one who comes first, in any order."""
        fit = [seeker for seeker in others if go_together(first, seeker)]
        every = sorted(first.terms)
        Random(f"{first.person} {self._now}").shuffle(every)  # noqa: S311 - nobody gains by guessing it
        every.sort(key=lambda terms: not terms.rated)  # who does not mind is rated
        tried = dict[tuple[str, int, tuple[int, ...]], _Table | None]()  # variants and clocks make no difference to a table
        for terms in every:
            others = [seeker for seeker in fit if terms in seeker.terms]
            key = terms.game, terms.seats, tuple(seeker.person for seeker in others)
            if key not in tried:
                tried[key] = self._table(first, others, terms)
            if (table := tried[key]) is not None:
                people, even = table
                yield Match(terms, tuple(sorted(people, key=lambda seeker: (seeker.since, seeker.person))), even)

    def _table(self, first: Seeker, others: Sequence[Seeker], terms: Terms) -> _Table | None:
        """Return people for a table, with how even it is; None: too few fit.

        They are added one by one, each time the one who leaves it most even.
        """
        people: tuple[Seeker, ...] = (first,)
        even = 1.0
        while len(people) < terms.seats:
            choices = list(self._choices(people, others, terms.game))
            if not choices:
                return None
            even, added = max(choices, key=lambda choice: (choice[0], -choice[1].since))
            people = (*people, added)
        return people, even

    def _choices(self, people: tuple[Seeker, ...], others: Sequence[Seeker], game: str) -> Iterator[tuple[float, Seeker]]:
        """Yield those who may be added to a table, with how even it is then: even enough for all who are there."""
        for seeker in others:
            if seeker not in people and all(go_together(seeker, one) for one in people[1:]):
                table = (*people, seeker)
                even = self._quality(table, game)
                if all(even >= least_quality(self._now - one.since) for one in table):
                    yield even, seeker

    def _quality(self, table: Sequence[Seeker], game: str) -> float:
        key = game, frozenset(seeker.person for seeker in table)
        if key not in self._known:
            self._known[key] = quality([seeker.skill(game) for seeker in table])
        return self._known[key]
