"""Who is matched: only people who fit, longest waiting first, and nobody is left over who could have been."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import networkx as nx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.core.skill import Skill
from bot.features.matchmaking.rules import DAY, EVEN, PATIENCE, Match, Seeker, Terms, go_together, least_quality, match, quality
from tests.bot.service import some
from tests.marks import quick_first

NOW = 100 * DAY
TWO = Terms("bouncers", "8x8-16", 2, 86_400, rated=True)
THREE = Terms("pucks", "standard", 3, 86_400, rated=True)
CASUAL = Terms("bouncers", "8x8-16", 2, 86_400, rated=False)

PEOPLE = range(1, 9)


def a_seeker(
    person: int, *terms: Terms, waited: float = 0.0, mu: float = 25.0, avoided: tuple[int, ...] = (), late: float = 0.0,
    most_late: float = 1.0,
) -> Seeker:  # fmt: skip
    skills = {game: Skill(mu, 2.0) for game in ("bouncers", "pucks")}
    return Seeker(person, NOW - waited, frozenset(terms or (TWO,)), skills, frozenset(avoided), late, most_late)


def people(found: list[Match]) -> list[tuple[int, ...]]:
    return [tuple(one.person for one in table.people) for table in found]


SEEKERS = st.builds(
    lambda chosen: [
        a_seeker(person, *terms, waited=waited, mu=mu, avoided=tuple(avoided), late=late, most_late=most)
        for person, (terms, waited, mu, avoided, late, most) in zip(PEOPLE, chosen, strict=False)
    ],
    st.lists(
        st.tuples(
            st.sets(st.sampled_from((TWO, THREE, CASUAL)), min_size=1),
            st.floats(0, 2 * PATIENCE),
            st.floats(10, 40),
            st.sets(st.sampled_from(PEOPLE), max_size=3),
            st.sampled_from((0.0, 0.1, 0.5)),
            st.sampled_from((1.0, 0.2)),
        ),
        max_size=8,
    ),
)


@pytest.mark.slow
@given(SEEKERS)
def test_only_people_who_fit_are_put_together_and_each_once(seekers: list[Seeker]) -> None:
    found = match(seekers, NOW)
    assert not [person for person, count in Counter(one.person for table in found for one in table.people).items() if count > 1]
    for table in found:
        assert len(table.people) == table.terms.seats
        assert all(table.terms in one.terms for one in table.people)
        assert all(go_together(one, other) for one, other in permutations(table.people, 2))
        assert table.quality == pytest.approx(quality([one.skill(table.terms.game) for one in table.people]))
        assert all(table.quality >= least_quality(NOW - one.since) for one in table.people)


@pytest.mark.slow
@given(SEEKERS)
def test_no_two_people_left_over_could_have_played_each_other(seekers: list[Seeker]) -> None:
    found = match(seekers, NOW)
    taken = {one.person for table in found for one in table.people}
    for one, other in combinations([one for one in seekers if one.person not in taken], 2):
        if go_together(one, other):
            for terms in (TWO, CASUAL):
                even = quality([one.skill(terms.game), other.skill(terms.game)])
                wanted = max(least_quality(NOW - one.since), least_quality(NOW - other.since))
                assert terms not in one.terms & other.terms or even < wanted


@pytest.mark.slow
@given(SEEKERS, st.randoms())
def test_the_order_of_the_people_makes_no_difference(seekers: list[Seeker], random: object) -> None:
    assert people(match(seekers[::-1], NOW)) == people(match(seekers, NOW))


def test_the_longest_wait_comes_first_and_gets_the_most_even_game() -> None:
    waiting = [a_seeker(1, mu=25), a_seeker(2, mu=26), a_seeker(3, mu=25.5, waited=DAY)]
    assert people(match(waiting, NOW)) == [(3, 1)]
    assert people(match([a_seeker(1, mu=25, waited=1), a_seeker(2, mu=30, waited=1), a_seeker(3, mu=29, waited=2)], NOW)) == [
        (3, 2)
    ]


def test_nobody_waits_because_of_somebody_elses_avoidance() -> None:
    """B fits A best but finds no third: A, C and D meet all the same."""
    waiting = [
        a_seeker(1, THREE, waited=4 * DAY), a_seeker(2, THREE, waited=3 * DAY, avoided=(3, 4)),
        a_seeker(3, THREE, waited=2 * DAY, mu=26), a_seeker(4, THREE, waited=DAY, mu=24),
    ]  # fmt: skip
    assert people(match(waiting, NOW)) == [(1, 3, 4)]


def test_the_longest_wait_is_seated_even_if_more_people_could_be_without_it() -> None:
    waiting = [
        a_seeker(1, THREE, waited=5 * DAY), a_seeker(2, THREE, TWO, waited=4 * DAY), a_seeker(3, THREE, TWO, waited=4 * DAY),
        a_seeker(4, TWO, avoided=(5,), waited=4 * DAY), a_seeker(5, TWO, waited=4 * DAY),
    ]  # fmt: skip
    assert people(match(waiting, NOW)) == [(1, 2, 3)]
    assert sorted(person for table in people(match(waiting[1:], NOW)) for person in table) == [2, 3, 4, 5]


def possible(seekers: list[Seeker]) -> list[frozenset[int]]:
    """The people at each possible table."""
    found = set()
    for terms in (TWO, THREE, CASUAL):
        for group in combinations(seekers, terms.seats):
            even = quality([one.skill(terms.game) for one in group])
            fit = all(terms in one.terms and even >= least_quality(NOW - one.since) for one in group)
            if fit and all(go_together(one, other) for one, other in combinations(group, 2)):
                found.add(frozenset(one.person for one in group))
    return sorted(found, key=sorted)


def most_seated(tables: list[frozenset[int]], taken: frozenset[int] = frozenset()) -> int:
    """The most people who can be seated, by trying everything."""
    free = [table for table in tables if not table & taken]
    return max((most_seated(free[n + 1 :], taken | table) for n, table in enumerate(free)), default=len(taken))


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(SEEKERS)
@example([a_seeker(1, mu=23.25), a_seeker(2, waited=1.0, mu=27.75), a_seeker(3, waited=1.0, mu=19.0)])
def test_the_longest_wait_is_seated_and_then_as_many_as_possible(seekers: list[Seeker]) -> None:
    tables, found = possible(seekers), match(seekers, NOW)
    seated = {one.person for table in found for one in table.people}
    with_a_table = [one for one in seekers if any(one.person in table for table in tables)]
    if with_a_table:
        longest = min(one.since for one in with_a_table)
        # Of several who have waited as long, the most even game decides.
        first = some(next((one for one in with_a_table if one.since == longest and one.person in seated), None))
        most = max(most_seated(tables, table) for table in tables if first.person in table)
        assert len(seated) == most


@pytest.mark.parametrize("number", quick_first(1, range(7)))
def test_a_maximum_of_people_is_seated_in_pairs(number: int) -> None:
    dice = Random(number)
    seekers = [
        a_seeker(person, waited=dice.uniform(0, 2 * PATIENCE), mu=dice.gauss(25, 6), avoided=tuple(dice.sample(range(60), 20)))
        for person in range(60)
    ]
    pairs = nx.Graph(tuple(table) for table in possible(seekers))
    found = people(match(seekers, NOW))
    assert len(found) == len(nx.max_weight_matching(pairs, maxcardinality=True))
    waited = {one.person: NOW - one.since for one in seekers}
    first = max((person for person in pairs), key=waited.__getitem__)
    assert any(first in pair for pair in found)


@pytest.mark.slow
def test_a_large_round_of_tables_of_all_sizes_ends_and_nobody_is_left_who_could_be_added() -> None:
    dice = Random(1)
    kinds = (TWO, THREE, replace(THREE, seats=4), replace(THREE, seats=6))
    seekers = [
        a_seeker(person, *dice.sample(kinds, 2), waited=dice.uniform(0, 2 * PATIENCE), mu=dice.gauss(25, 4))
        for person in range(80)
    ]
    found = match(seekers, NOW)
    assert sum(len(table.people) for table in found) >= 76


def test_games_may_be_less_even_for_those_who_wait() -> None:
    assert (least_quality(0), least_quality(PATIENCE), least_quality(9 * PATIENCE)) == (EVEN, 0, 0)
    assert match([a_seeker(1), a_seeker(2, mu=40)], NOW) == []
    assert match([a_seeker(1, waited=PATIENCE), a_seeker(2, mu=40)], NOW) == []
    assert people(match([a_seeker(1, waited=PATIENCE), a_seeker(2, waited=PATIENCE, mu=40)], NOW)) == [(1, 2)]


def test_people_meet_nobody_they_avoid_at_any_table() -> None:
    assert match([a_seeker(1, avoided=(2,)), a_seeker(2)], NOW) == []
    assert match([a_seeker(1), a_seeker(2, avoided=(1,))], NOW) == []
    three = [a_seeker(person, THREE, avoided=(3,) if person == 2 else ()) for person in (1, 2, 3, 4)]
    assert people(match(three, NOW)) == [(1, 2, 4)]


def test_people_who_want_punctual_opponents_get_them() -> None:
    assert match([a_seeker(1, most_late=0.1), a_seeker(2, late=0.2)], NOW) == []
    assert people(match([a_seeker(1, most_late=0.1), a_seeker(2, late=0.1)], NOW)) == [(1, 2)]


def test_too_few_for_a_table_wait_on() -> None:
    assert match([a_seeker(1, THREE), a_seeker(2, THREE), a_seeker(3, TWO)], NOW) == []
    assert match([a_seeker(1)], NOW) == []
    assert match([], NOW) == []
