"""The lessons on tactics meet the standard of all puzzles: each has one answer, and a proof of it."""

from itertools import chain

import pytest

from bot.features.lessons.courses import COURSES, tactics
from bot.features.lessons.courses.lesson import judge
from opponents.puzzles.collection import GAMES, packaged
from tests.bot.features.lessons.test_courses import offered
from tests.bot.service import some
from tests.opponents.puzzles.test_puzzles import PROVE
from tools.puzzles.mining import MINERS

SEARCHED = [name for name, puzzle in tactics.PUZZLES.items() if puzzle.game == "bouncers"]
"""The lessons whose other actions a search shows not to come near."""

every_tactic = pytest.mark.parametrize("name", tactics.PUZZLES)
every_proof = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "certain" else ()) for name in tactics.PUZZLES]
)
"""Every lesson. The cards of one can turn out in so many ways that its proofs take seconds."""


def test_the_lessons_of_each_game_with_puzzles_end_with_two_on_tactics() -> None:
    for game in GAMES:
        last = [lesson.name for lesson in COURSES[game].lessons[-2:]]
        assert last == [name for name, puzzle in tactics.PUZZLES.items() if puzzle.game == game]


@every_tactic
def test_one_of_several_actions_is_right(name: str) -> None:
    puzzle = tactics.PUZZLES[name]
    course = COURSES[puzzle.game]
    lesson = some(course.lesson(name))
    verdicts = [judge(course.game, lesson, action) for action in offered(course, lesson)]
    ends = {verdict.step.state for verdict in verdicts if verdict.right and verdict.step is not None}
    assert len(verdicts) >= 4
    assert len(ends) == 1, "paths with the same end are the same move"


@every_proof
def test_a_miner_finds_the_same_puzzle_in_the_position(name: str) -> None:
    puzzle = tactics.PUZZLES[name]
    assert MINERS[puzzle.game].propose(puzzle.line.start.state) == puzzle


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHED)
def test_a_deeper_search_finds_no_other_good_action(name: str) -> None:
    puzzle = tactics.PUZZLES[name]
    assert MINERS[puzzle.game].deeper_look(puzzle) == puzzle


@every_proof
def test_each_is_proved_by_the_slow_rules(name: str) -> None:
    puzzle = tactics.PUZZLES[name]
    PROVE[puzzle.game](puzzle)


@pytest.mark.slow
def test_none_of_them_is_a_puzzle_of_a_day_or_for_practice() -> None:
    known = chain.from_iterable(MINERS[puzzle.game].marks(puzzle) for puzzle in packaged().puzzles.values())
    own = [mark for puzzle in tactics.PUZZLES.values() for mark in MINERS[puzzle.game].marks(puzzle)]
    assert set(own).isdisjoint(known)
