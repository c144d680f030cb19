"""What somebody is shown follows from what they have been told, and from nothing else.

The games here are not those of `Hidden.resample`: see tests/engines/public_stories.py.
"""

import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engines.game import Buttons, Game, IllegalAction, Words, hand_of, is_reversible, may_act, part_of
from tests.engines.contract_games import Case, everybody, random_action
from tests.engines.public_stories import SECRET_CASES, Told, hidden_differences, hides_something, story

stories = given(
    case=st.sampled_from(SECRET_CASES), number=st.integers(0, 10**9), begins=st.integers(0, 60), who=st.integers(0, 10)
)


def shown(game: Game[Any, Any], state: Any, onlooker: int | None) -> dict[str, Any]:
    """All that an engine says of a state to an onlooker."""
    view = game.view(state, onlooker)
    return {
        "view": view,
        "described": game.describe(view),
        "hand": hand_of(game, view),
        "shortcuts": part_of(game, Buttons).shortcuts(game.view(state)),
        "waits for": game.to_act(state),
        "outcome": game.outcome(state),
        "may act": onlooker in may_act(game, state),
        "choices": game.choices(state, onlooker) if onlooker is not None else None,
    }


def onlooker_of(case: Case, who: int) -> int | None:
    return everybody(case)[who % (case.seats + 1)]


SECOND_WIND_UNDONE = {"case": Case("pucks", "standard", 2), "number": 8, "begins": 23, "who": 8}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@example(**SECOND_WIND_UNDONE)
@stories
def test_whoever_is_told_the_same_is_shown_the_same(case: Case, number: int, begins: int, who: int) -> None:
    onlooker, game = onlooker_of(case, who), case.game
    for told in story(case, onlooker, random.Random(number), begins=begins, length=12):
        first, second = (shown(game, state, onlooker) for state in told.states)
        assert first == second
        assert_same_words(game, told, onlooker)


def assert_same_words(game: Game[Any, Any], told: Told, onlooker: int | None) -> None:
    """The same notation of what was done, and the same answer to whether it may be taken back, and to what cannot be done."""
    if told.seat is not None and told.action is not None:
        seat, action = told.seat, told.action
        assert len({part_of(game, Words).notate(state, seat, action) for state in told.before}) == 1
        undoable = {is_reversible(game, state, action, step) for state, step in zip(told.before, told.steps, strict=True)}
        assert len(undoable) == 1, action
    if onlooker is None or not game.choices(told.states[0], onlooker):
        return
    action = random_action(game, told.states[0], onlooker, random.Random(str(told.action)))
    for length in range(1, len(action) + 1):
        offered = [game.choices(state, onlooker, action[:length]) for state in told.states]
        assert offered[0] == offered[1]
    refusals = []
    for state in told.states:
        with pytest.raises(IllegalAction) as refused:
            game.play(state, onlooker, (*action[:-1], "?!"))
        refusals.append((str(refused.value), refused.value.possible))
    assert refusals[0] == refusals[1]


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in SECRET_CASES if hides_something(case)], ids=str)
def test_the_pairs_differ_in_most_of_what_is_hidden_and_their_stories_go_on(case: Case) -> None:
    """Otherwise the test above would find nothing."""
    differences, lengths = [], []
    for number in range(12):
        told = list(story(case, number % case.seats, random.Random(number), begins=4 * number, length=6))
        if told:
            differences.append(hidden_differences(case, told[0].states))
            lengths.append(len(told))
    assert len(lengths) >= 6
    assert sorted(differences)[len(differences) // 2] >= 15
    assert max(lengths) >= 5
