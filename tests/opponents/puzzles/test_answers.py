"""A solver’s actions are answered as the goal of the puzzle says."""

import pytest

from engines.game import Action, IllegalAction, legal_actions
from engines.pucks import Pucks
from engines.values import replace
from opponents.puzzles.certain import Plans, action_of
from opponents.puzzles.goals import most_goals
from opponents.puzzles.judging import Verdict, answer, refute, solution, takes_thought
from opponents.puzzles.puzzle import BadPuzzle, Goal, puzzle_of, row_of
from tests.opponents.puzzles import proving_bouncers, proving_pucks, proving_regret

FORCED = puzzle_of("bouncers", "1 3 force:4 forced - bouncers14VYCQSMQ3FM30AKW034Y6A a3-b4")
SCORING = puzzle_of("pucks", "1 1 score exhausted - pucks12E11M4073DD9F795THV6G9GTW085GZBCX1C05R6VG p2 up, p2 right")
CERTAIN = puzzle_of("bunny", "1 1 carrot covered chain,quiet bunny12JQ5CHV6RGRV01C0YGAGXEKWE20G083KX5Q left")
BEST_ROW = "1 2 best sampled quiet bunny1EPMZQ59KTJE7V0N9GQYDRC0PEKFXDWC3ZE5Q left; right 20, up 37, down 39"
BEST = puzzle_of("bunny", BEST_ROW)


def test_a_line_that_another_move_equals_is_not_proved() -> None:
    with pytest.raises(AssertionError, match="another move wins as soon"):
        proving_bouncers.prove(replace(FORCED, text=f"{FORCED.text}, h6-g5, d4-e5"))


def test_a_turn_is_solved_in_any_order_that_scores() -> None:
    proving_pucks.prove(SCORING)
    assert answer(SCORING, SCORING.own).verdict is Verdict.SOLVED
    first = answer(SCORING, SCORING.own[:1])
    assert (first.verdict, first.left) == (Verdict.RIGHT, 1)
    assert solution(SCORING, SCORING.own[:1]) == solution(SCORING) == SCORING.line
    assert most_goals(SCORING.line.start.state, SCORING.seat) == SCORING.goals == 1


def test_an_action_after_which_the_turn_scores_too_little_is_wrong() -> None:
    state = SCORING.line.start.state
    wrong = [
        action for action in legal_actions(Pucks(), state, SCORING.seat) if answer(SCORING, [action]).verdict is Verdict.WRONG
    ]
    assert wrong
    assert "can’t score" in str(refute(SCORING, [wrong[0]]).words)


def test_a_plan_is_certain_whatever_lies_face_down() -> None:
    plans = Plans(CERTAIN.line.start.state, CERTAIN.seat)
    assert plans.sure_moves(plans.start, 1) == []
    assert [action_of(plans.start, move) for move in plans.sure_moves(plans.start, 2)] == [("left",)]


def test_leaving_the_certain_way_is_wrong() -> None:
    assert answer(CERTAIN, [("left",)]).verdict is Verdict.SOLVED
    assert answer(CERTAIN, [("right",)]).verdict is Verdict.WRONG
    assert "no carrot is certain" in str(refute(CERTAIN, [("right",)]).words)


def test_a_puzzle_by_regret_is_a_row_with_the_losses_and_back() -> None:
    assert row_of(BEST) == BEST_ROW
    assert (BEST.goal, BEST.own) == (Goal.BEST, (("left",),))
    assert BEST.losses == ((("right",), 20), (("up",), 37), (("down",), 39))
    assert BEST.text.endswith(" left")
    assert "what would you do?" in str(BEST.task)


@pytest.mark.parametrize("row", [BEST_ROW.partition(";")[0], BEST_ROW.replace("20", "x"), BEST_ROW.replace("best", "carrot")])
def test_losses_are_given_only_where_the_best_move_is_asked_for(row: str) -> None:
    with pytest.raises(BadPuzzle):
        puzzle_of("bunny", row)


def test_the_best_move_solves_and_so_does_one_that_gives_nothing_away() -> None:
    assert answer(BEST, [("left",)]).verdict is Verdict.SOLVED
    alike = replace(BEST, losses=BEST.losses[1:])
    assert answer(alike, [("right",)]).verdict is Verdict.SOLVED
    with pytest.raises(IllegalAction):
        answer(BEST, [("enter", "a")])


@pytest.mark.parametrize(("action", "points"), BEST.losses)
def test_any_other_move_is_wrong_and_its_loss_is_given_at_once(action: Action, points: int) -> None:
    assert answer(BEST, [action]).verdict is Verdict.WRONG
    assert not takes_thought(BEST)
    reason = refute(BEST, [action])
    assert reason.numbers == f"That costs you {points} points of winning chance."
    assert not [figure for figure in reason.words.split() if figure == str(points)], "the words come without it"
    assert solution(BEST) == BEST.line


@pytest.mark.slow
def test_the_best_move_does_better_in_games_to_the_end_by_the_slow_rules() -> None:
    proving_regret.prove(BEST, 60)
    worst, best = ("down",), BEST.own[0]
    swapped = replace(BEST, text=BEST.text.replace(" left", " down"), losses=((best, 20), *BEST.losses[:2]))
    assert swapped.own == (worst,)
    with pytest.raises(AssertionError, match="may be as good"):
        proving_regret.prove(swapped, 60)
