"""How even a game would be: 1 for equal players, and less the more they differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.skill import NEWCOMER, Skill
from bot.features.matchmaking.rules import quality

SKILLS = st.builds(Skill, st.floats(-20, 70), st.floats(0.5, 25 / 3))


@given(st.lists(SKILLS, min_size=2, max_size=6))
def test_quality_lies_between_zero_and_one_in_any_order(skills: list[Skill]) -> None:
    assert 0 <= quality(skills) <= 1
    assert quality(skills) == pytest.approx(quality(skills[::-1]))


@given(st.floats(-20, 70), st.lists(st.floats(0.5, 25 / 3), min_size=2, max_size=6))
def test_equals_are_as_even_as_possible_however_much_is_known_of_them(mu: float, sigmas: list[float]) -> None:
    assert quality([Skill(mu, sigma) for sigma in sigmas]) == pytest.approx(1)


def test_quality_falls_as_players_differ_but_more_slowly_for_newcomers() -> None:
    for skills in ([quality([Skill(25, 2), Skill(25 + more, 2)]) for more in range(0, 20, 2)],):
        assert skills == sorted(skills, reverse=True)
        assert skills[0] == pytest.approx(1)
        assert skills[-1] < 0.2
    assert quality([NEWCOMER, Skill(33, 2)]) > quality([Skill(25, 2), Skill(33, 2)])
