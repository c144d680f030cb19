"""Puzzles as values, the answers that a solver gets, and what the whole set promises."""

from collections import Counter
from itertools import chain
from random import Random
from statistics import fmean

import pytest

from engines import GAMES
from engines.game import IllegalAction, legal_actions
from engines.position_codes import in_words
from engines.text import Text
from opponents.puzzles.collection import GAMES as GAMES_WITH_PUZZLES
from opponents.puzzles.collection import Why, packaged, puzzles_of, retired
from opponents.puzzles.judging import Verdict, answer, begin, refute, solution
from opponents.puzzles.puzzle import HARDEST, THEMES, BadPuzzle, Goal, Proof, Puzzle, Theme, puzzle_of, row_of
from tests.marks import quick_first
from tests.opponents.puzzles import proving_bouncers, proving_bunny, proving_pucks, proving_regret
from tests.opponents.puzzles.proving_regret import differences, nearest
from tools.puzzles.mining import MINERS

PROVE = {"bouncers": proving_bouncers.prove, "bunny": proving_bunny.prove, "pucks": proving_pucks.prove}

KEPT = 0.10
"""What the best moves of Bunny keep on average, at least, in games to the end that are played plainly."""
ALL = [puzzle for game in GAMES_WITH_PUZZLES for puzzle in puzzles_of(game).values()]

STAY = [puzzle for puzzle in ALL if puzzle.name not in retired()]

BEST = [puzzle for puzzle in STAY if puzzle.goal is Goal.BEST]

SAMPLE = [puzzle for puzzle in Random("puzzles").sample(STAY, 20) if puzzle.goal not in {Goal.CARROT, Goal.BEST}]
"""Some of those that are proved in about a second."""
ROW = "7 4 win forced quiet,race bouncers126GB57ZE8ABGN6GRNM036N4D f4-e4, c6-b5, h2-g3, e7-f7, e5-f6-e7-e8"
PUZZLE = puzzle_of("bouncers", ROW)


def prove(puzzle: Puzzle) -> None:
    (proving_regret.prove if puzzle.goal is Goal.BEST else PROVE[puzzle.game])(puzzle)


def names(puzzles: list[Puzzle]) -> list[str]:
    return [puzzle.name for puzzle in puzzles]


def test_a_puzzle_is_a_row_of_text_and_back() -> None:
    assert row_of(PUZZLE) == ROW
    assert (PUZZLE.name, PUZZLE.goal, PUZZLE.proof, PUZZLE.difficulty) == ("bouncers-7", Goal.WIN, Proof.FORCED, 4)
    assert PUZZLE.themes == (Theme.QUIET, Theme.RACE)
    assert (PUZZLE.variant, PUZZLE.rules, PUZZLE.seat) == ("8x8-16-terminal", GAMES["bouncers"].rules, 0)
    assert PUZZLE.own == (("f4", "e4"), ("h2", "g3"), ("e5", "f6", "e7", "e8"))


@pytest.mark.parametrize(
    "row", ["", "7 4 win", ROW.replace("win", "lose"), ROW.replace("7", "x", 1), ROW.replace("race", "joy")]
)
def test_a_row_that_is_no_puzzle_is_refused(row: str) -> None:
    with pytest.raises(BadPuzzle):
        puzzle_of("bouncers", row)


def test_the_task_is_a_sentence_that_says_who_moves() -> None:
    assert str(PUZZLE.task).endswith("to move: win in 3 moves.")


def test_every_theme_has_a_name() -> None:
    assert set(THEMES) == set(Theme)
    assert all(isinstance(name, Text) for name in THEMES.values())


def test_puzzles_are_found_by_their_names() -> None:
    assert packaged().puzzles == {puzzle.name: puzzle for puzzle in ALL}
    assert puzzles_of("trampoline") == {}


def test_a_right_action_is_answered_and_the_last_one_solves() -> None:
    first = answer(PUZZLE, PUZZLE.own[:1])
    assert (first.verdict, first.own, first.left) == (Verdict.RIGHT, 1, 2)
    assert first.line.actions == PUZZLE.line.actions[:2]
    last = answer(PUZZLE, PUZZLE.own)
    assert (last.verdict, last.own, last.left) == (Verdict.SOLVED, 3, 0)
    assert last.line.actions == PUZZLE.line.actions


def test_another_path_to_the_same_position_is_right() -> None:
    state = PUZZLE.line.steps[3].state
    game = PUZZLE.line.start.game
    aim = PUZZLE.line.steps[4].state
    paths = [path for path in legal_actions(game, state, 0) if game.advance(state, 0, path) == aim]
    assert len(paths) >= 1
    assert all(answer(PUZZLE, (*PUZZLE.own[:2], path)).verdict is Verdict.SOLVED for path in paths)


def test_a_wrong_action_is_wrong_and_may_be_tried_again() -> None:
    wrong = ("e5", "f6")
    found = answer(PUZZLE, [wrong])
    assert (found.verdict, found.own, found.left) == (Verdict.WRONG, 0, 3)
    assert found.line.actions == ((0, wrong),)
    with pytest.raises(ValueError, match="action 1 was wrong"):
        answer(PUZZLE, [wrong, PUZZLE.own[1]])


def test_an_illegal_action_is_refused_as_in_a_game() -> None:
    with pytest.raises(IllegalAction):
        answer(PUZZLE, [("a1", "h8")])
    with pytest.raises(ValueError, match="nothing was played"):
        answer(PUZZLE, [])


def test_giving_up_shows_the_rest_of_the_line() -> None:
    assert solution(PUZZLE) == solution(PUZZLE, PUZZLE.own[:2]) == PUZZLE.line
    assert begin(PUZZLE).actions == ()


def test_a_wrong_action_is_refuted_with_the_chance_that_it_gives_away() -> None:
    reason = refute(PUZZLE, [("e5", "f6")])
    assert reason.line.actions[0] == (0, ("e5", "f6"))
    assert len(reason.line.actions) == 2, "with the answer"
    assert "answers" in reason.words
    assert reason.numbers == "Win chance: 0% instead of 100%."
    assert reason == refute(PUZZLE, [("e5", "f6")])
    with pytest.raises(ValueError, match="is right"):
        refute(PUZZLE, PUZZLE.own[:1])


@pytest.mark.slow
def test_numbers_are_in_order_and_none_comes_twice() -> None:
    for game in GAMES_WITH_PUZZLES:
        numbers = [puzzle.number for puzzle in puzzles_of(game).values()]
        assert numbers == sorted(set(numbers))
        stay = [puzzle for puzzle in puzzles_of(game).values() if puzzle.name not in retired()]
        marks = Counter(chain.from_iterable(map(MINERS[game].marks, stay)))
        assert not [mark for mark, count in marks.items() if count > 1]


def test_every_puzzle_is_solved_by_its_line() -> None:
    for puzzle in ALL:
        assert 1 <= puzzle.difficulty <= HARDEST
        assert answer(puzzle, puzzle.own).verdict is Verdict.SOLVED, puzzle.name
        assert answer(puzzle, puzzle.own).line == puzzle.line
        assert in_words(puzzle.line)


@pytest.mark.parametrize("puzzle", quick_first(4, SAMPLE), ids=lambda puzzle: puzzle.name)
def test_some_puzzles_are_proved_anew(puzzle: Puzzle) -> None:
    prove(puzzle)


@pytest.mark.proof
@pytest.mark.parametrize("name", names(STAY))
def test_every_puzzle_is_proved_anew(name: str) -> None:
    puzzle = packaged().puzzles.get(name)
    assert puzzle is not None
    prove(puzzle)


@pytest.mark.proof
def test_best_moves_keep_more_in_the_mean_in_games_to_the_end() -> None:
    assert fmean(fmean(differences(puzzle, nearest(puzzle))) for puzzle in BEST) > KEPT


def test_puck_bumpers_has_plans_of_two_and_three_goals_of_cards_and_of_mats() -> None:
    own = [puzzle for puzzle in STAY if puzzle.game == "pucks"]
    goals = Counter(puzzle.goals for puzzle in own)
    assert min(goals[2], goals[3]) >= 2
    assert goals[2] >= 20
    assert sum(Theme.MATS in puzzle.themes for puzzle in own) >= 50
    assert sum(Theme.CARD in puzzle.themes and Theme.MATS not in puzzle.themes for puzzle in own) >= 50


def test_retired_puzzles_are_found_and_at_most_for_practice() -> None:
    whole = packaged()
    assert retired().keys() <= whole.puzzles.keys()
    assert {puzzle.name for puzzle in ALL if puzzle.game == "bunny"} >= {f"bunny-{number}" for number in range(1, 36)}
    assert {"bunny-6", "bunny-17", "bunny-26"} <= retired().keys()
    practice = whole.practice(10_000).keys()
    assert {name for name in retired() if name in practice} == {name for name, why in retired().items() if why is Why.SHARE}


def test_a_win_by_force_has_its_moves_in_the_task() -> None:
    five = packaged().puzzles["bouncers-5"]
    assert (five.goal, five.moves) == (Goal.FORCE, 2)
    assert str(five.task).endswith("to move: win by force in at most 2 moves.")
    assert all((puzzle.goal is Goal.FORCE) == (puzzle.moves > 0) for puzzle in ALL)


@pytest.mark.slow
def test_a_longer_win_is_called_a_win() -> None:
    """It wins in 23 plies, which no search of the levels sees."""
    reason = refute(packaged().puzzles["bouncers-5"], [("d8", "c7", "d7")])
    assert str(reason.words).startswith("That wins, too, but later. Red answers")
    assert reason.numbers is None
