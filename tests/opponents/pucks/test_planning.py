"""A plan costs no more than its budget, and what was found within it stands."""

from collections.abc import Iterable, Iterator

import pytest
from typing_extensions import override

from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from opponents.contract import Budget
from opponents.pucks import planning
from opponents.pucks.planning import FIRST_WIDTH, Plan, Planner
from tests.opponents.pucks.games import AT_RANDOM, random_game

ONE_MORE = 60
"""The most boards between two looks at the budget: those after the moves of all of a player's pieces."""


def states(seats: int) -> Iterator[State]:
    for number, state in enumerate(random_game(seats, "standard", 100, 6, AT_RANDOM)):
        if number % 16 == 10 and state.phase is Phase.ACT and not state.winning:
            yield state


def planned(state: State, nodes: int, *, answers: bool = True) -> Planner:
    planner = Planner(state, answers=answers)
    planner.plans(Budget(nodes, seconds=3600))
    return planner


@pytest.mark.parametrize("answers", [False, True])
@pytest.mark.parametrize("seats", [2, 4])
def test_no_more_boards_are_looked_at_than_the_budget_allows(seats: int, answers: bool) -> None:
    spent = 0
    for state in states(seats):
        begun = Planner(state, answers=answers).nodes
        nodes = begun + 1_000
        found = planned(state, nodes, answers=answers).nodes
        assert found <= nodes + ONE_MORE
        spent += found >= nodes
    assert spent, "all of them found everything there was"


class CutShort(Planner):
    """Its budget ends as soon as it searches for the second time."""

    @override
    def _through(self, begun: Iterable[Plan], seat: int, width: int) -> list[Plan]:
        if width > FIRST_WIDTH and seat == self.seat:
            self._limit = 0
        return super()._through(begun, seat, width)


@pytest.mark.parametrize("answers", [False, True])
def test_results_stand_when_the_budget_ends(monkeypatch: pytest.MonkeyPatch, answers: bool) -> None:
    plenty = Budget(10**9, seconds=3600)
    found = [CutShort(state, answers=answers).plans(plenty) for state in states(2)]
    monkeypatch.setattr(planning, "WIDER", 0)  # there is no second time
    once = [Planner(state, answers=answers).plans(plenty) for state in states(2)]
    assert [[(plan.look.action, plan.shares) for plan in plans] for plans in found] == [
        [(plan.look.action, plan.shares) for plan in plans] for plans in once
    ]
