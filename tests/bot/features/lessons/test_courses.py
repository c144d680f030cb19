"""Every lesson is a position that the engine knows, with one decision that can be made correctly."""

from collections.abc import Iterator

import pytest

from bot.features.lessons.courses import COURSES
from bot.features.lessons.courses.lesson import END, Course, Lesson, choices, in_words, is_trap, judge, scenery
from bot.i18n.language import languages
from bot.messages.click import Click
from engines import GAMES
from engines.actions import Action
from engines.game import may_act
from engines.text import Text

EVERY = [(course, lesson) for course in COURSES.values() for lesson in course.lessons]
every_course = pytest.mark.parametrize("course", COURSES.values(), ids=list(COURSES))
every_lesson = pytest.mark.parametrize(
    ("course", "lesson"), EVERY, ids=[f"{course.game.id}-{lesson.name}" for course, lesson in EVERY]
)


def offered(course: Course, lesson: Lesson, prefix: Action = ()) -> Iterator[Action]:
    """All that can be played in a lesson, including traps."""
    state = scenery(course.game, lesson).state
    for choice in choices(course.game, lesson, state, prefix):
        action = (*prefix, choice.token)
        if choice.final:
            yield action
        if not is_trap(lesson, action):
            yield from offered(course, lesson, action)


def said_in(lesson: Lesson) -> list[Text]:
    slips = [slip.words for slip in lesson.slips]
    questions = [] if lesson.question is None else [lesson.question]
    return [lesson.title, lesson.text, lesson.task, lesson.well, lesson.hint, *slips, *questions, *lesson.labels.values()]


def test_the_games_of_the_bot_can_be_learned() -> None:
    assert {"bouncers", "bunny", "trampoline", "pucks"} <= set(COURSES) <= set(GAMES)


@every_course
def test_each_lesson_of_a_course_has_its_own_name_and_a_button_at_the_end(course: Course) -> None:
    names = [lesson.name for lesson in course.lessons]
    assert 6 <= len(names) <= 20
    assert len(set(names)) == len(names)
    assert END not in names


PUBLISHED = {
    "bouncers": "bounce ways spring first-rank rim chain capture captures last-rank king-steps king terminal "
    "blockade sacrifice",
    "bunny": "enter hop edge gap cards arrow bump chain loop spy swap shock bonus certain own-bump",
    "trampoline": "roll top jump land dice fall lift head-on gift faceplant",
    "pucks": "slide chain colour bump ice place turn numbers draw-cards shift swap changer score faceoff ongoing quick discard "
    "whistle make-room several",
}
"""The names of all lessons ever published, which people may have solved. None is ever removed here."""


@every_course
def test_a_removed_lesson_leaves_its_name(course: Course) -> None:
    assert course.names == set(PUBLISHED[course.game.id].split()), "names that are gone belong into `Course.retired`"


@every_course
def test_a_learner_at_a_removed_lesson_goes_on_with_the_first_unsolved_one(course: Course) -> None:
    first, second, *_ = course.lessons
    assert course.resumed("castling", ()) is first
    assert course.resumed("castling", (first.name,)) is second
    assert course.resumed("castling", course.names) is first
    assert course.resumed(second.name, (second.name,)) is second


@every_lesson
def test_a_lesson_waits_for_the_learner_or_lets_them_act_out_of_turn(course: Course, lesson: Lesson) -> None:
    state = scenery(course.game, lesson).state
    assert lesson.seat in may_act(course.game, state)
    assert course.game.outcome(state) is None


@every_lesson
def test_the_solution_that_a_lesson_tells_is_right(course: Course, lesson: Lesson) -> None:
    verdict = judge(course.game, lesson, lesson.way)
    assert verdict.right
    assert verdict.words is lesson.well
    assert verdict.step is not None
    assert in_words(course.game, lesson, lesson.way)


@every_lesson
def test_a_lesson_can_be_done_wrong_unless_there_is_only_one_thing_to_do(course: Course, lesson: Lesson) -> None:
    everything = list(offered(course, lesson))
    right = [action for action in everything if judge(course.game, lesson, action).right]
    assert lesson.way in right
    assert len(right) < len(everything) or len(everything) == 1


@every_lesson
def test_every_wrong_action_is_explained(course: Course, lesson: Lesson) -> None:
    for action in offered(course, lesson):
        verdict = judge(course.game, lesson, action)
        assert verdict.words
        if is_trap(lesson, action):
            assert not verdict.right
            assert verdict.step is None
            assert verdict.words is not lesson.hint, "the engine says why it is not possible"


@every_lesson
def test_every_comment_on_a_slip_is_reached(course: Course, lesson: Lesson) -> None:
    told = {judge(course.game, lesson, action).words for action in offered(course, lesson)}
    assert {slip.words for slip in lesson.slips} <= told


@every_lesson
def test_traps_are_against_the_rules(course: Course, lesson: Lesson) -> None:
    state = scenery(course.game, lesson).state
    for trap in lesson.traps:
        legal = [choice.token for choice in course.game.choices(state, lesson.seat, trap.before)]
        assert legal, "a trap stands beside something that is possible"
        assert trap.choice.token not in legal


@every_lesson
def test_whatever_can_be_picked_fits_into_a_button(course: Course, lesson: Lesson) -> None:
    for action in offered(course, lesson):
        tokens = (course.game.id, lesson.name, "99", *action)
        assert Click.read(Click("learn-pick", page=99, tokens=tokens).custom_id)


@every_lesson
@pytest.mark.parametrize("code", [code for code in languages() if code != "en"])
def test_a_lesson_is_told_in_every_language(course: Course, lesson: Lesson, code: str) -> None:
    language = languages()[code]
    assert [text for text in (*said_in(lesson), course.outro) if language(text) == text] == []
