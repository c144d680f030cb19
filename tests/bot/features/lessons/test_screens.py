"""No screen of a lesson shows what a later one explains: neither in words, nor on buttons, nor in pictures."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.core.table.settings import Learning
from bot.features.lessons.courses import COURSES
from bot.features.lessons.courses.lesson import Course, Lesson, choices, is_trap, judge, scenery
from bot.features.lessons.messages import TOLD_AFTER, LessonPanel, correction, lesson_message, solved_message
from bot.i18n.language import languages
from bot.messages import pictures
from bot.messages.builder import MessageBuilder
from engines.actions import Action
from engines.steps import deed
from engines.text import plain
from renderers.scene import Scene
from tests.bot.features.lessons.test_courses import every_course, offered
from tests.bot.service import some

ENGLISH = languages()["en"]

TERMS = {
    "bouncers": {
        "first-rank": "rim|first rank", "rim": "side file", "capture": r"captur|enemy|\blost\b", "last-rank": "king|crown",
        "terminal": "terminal|race",
    },
    "bunny": {
        "edge": "edge", "arrow": "shock|arrow", "bump": "bump", "chain": "chain", "loop": "loop|circle", "spy": "spy|peek",
        "swap": "swap", "shock": "universal|bolt", "bonus": "bonus",
    },
    "trampoline": {
        "top": r"down\b", "jump": "jump|of 15", "land": r"\bland|wins?\b", "dice": "which roll|two dice|2 dice",
        "fall": "jelly|one die|1 die", "lift": "bump|lift", "faceplant": "faceplant|coin",
    },
    "pucks": {
        "chain": "bump(?!ers)", "bump": "meeple", "ice": r"\bice\b", "place": r"\bplac(ed|es|ing)\b|start space",
        "turn": r"\bcards?\b|draw|hand\b|\bactions?\b|take \d|pile", "numbers": "action card",
        "shift": r"\bmats?\b(?! [a-i]\b)|game changer|shift|discard pile, top", "swap": "board swap|pool",
        "changer": "twist|°", "faceoff": "face-off", "ongoing": "ongoing|net off|slush", "quick": "quick|extra action",
        "discard": r"\bdiscards?\b(?! pile)|too many", "whistle": "whistle",
    },
}  # fmt: skip
"""The words that each lesson introduces."""


class Uncached:
    async def picture(self, _key: object, draw: Callable[[], Awaitable[bytes]], **_lane: object) -> bytes:
        return await draw()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words in the pictures of lessons, which are all drawn anew."""
    words: list[str] = []

    async def noted(draw: Callable[[str, Any, Scene], bytes], game_id: str, view: Any, scene: Scene, **_lane: object) -> bytes:
        def translated(text: str) -> str:
            words.append(scene.translate(text))
            return words[-1]

        return draw(game_id, view, replace(scene, translate=translated))

    monkeypatch.setattr(pictures, "drawing", noted)
    monkeypatch.setattr(pictures, "CACHE", Uncached())
    return words


def shown(builder: MessageBuilder) -> list[str]:
    """All texts, picture descriptions and button labels of a message."""
    texts = [item.content for item in builder.items if isinstance(item, ui.TextDisplay)]
    rows = [child for item in builder.items if isinstance(item, ui.ActionRow) for child in item.children]
    labels = [button.label or "" for button in rows if isinstance(button, ui.Button)]
    entries = [option.label for menu in rows if isinstance(menu, ui.Select) for option in menu.options]
    return [*texts, *labels, *entries, *(picture.alt for picture in builder.pictures)]


def panel_of(course: Course, lesson: Lesson) -> LessonPanel:
    return LessonPanel(course, lesson, Learning(), ENGLISH)


async def screens(course: Course, lesson: Lesson) -> list[str]:
    """All that a lesson can show: on the way to a right action, after it, and after each wrong one."""
    panel = panel_of(course, lesson)
    found: list[str] = []
    for length in range(len(lesson.way)):
        found += shown(await lesson_message(panel, panel.picker.pick(lesson.way[:length])))
    found += shown(await solved_message(panel, judge(course.game, lesson, lesson.way)))
    verdicts = [judge(course.game, lesson, action) for action in offered(course, lesson)]
    corrected = replace(panel, tries=TOLD_AFTER)
    return [*found, *(correction(corrected, verdict) for verdict in verdicts if not verdict.right), lesson.hint]


@every_course
@pytest.mark.slow
async def test_no_screen_shows_what_only_a_later_step_explains(course: Course, written: list[str]) -> None:
    terms = TERMS[course.game.id]
    for lesson in course.lessons:
        written.clear()
        seen = [*await screens(course, lesson), *written]
        for later in course.lessons[course.number(lesson) + 1 :]:
            term = terms.get(later.name)
            early = [] if term is None else [text for text in seen if re.search(term, text, re.IGNORECASE)]
            assert early == [], f"{lesson.name} has words of {later.name}"


@every_course
def test_a_step_that_brings_a_term_explains_it(course: Course) -> None:
    for name, term in TERMS[course.game.id].items():
        lesson = some(course.lesson(name))
        told = f"{lesson.title}\n{lesson.text}\n{lesson.task}\n{lesson.well}"
        assert re.search(term, told, re.IGNORECASE), name


@every_course
def test_each_step_has_one_thing_to_tell(course: Course) -> None:
    for lesson in course.lessons:
        assert len(lesson.text) <= 260, lesson.name
        assert lesson.text.count("\n") == 0, lesson.name


def test_no_piece_bounces_on_before_that_is_taught() -> None:
    course = COURSES["bouncers"]
    for lesson in course.lessons[: [lesson.name for lesson in course.lessons].index("chain")]:
        assert {len(action) for action in offered(course, lesson) if not is_trap(lesson, action)} == {2}


def labels(game: str, name: str, prefix: Action = ()) -> dict[str, str]:
    """The labels of a lesson's buttons, by the tokens they pick."""
    course = COURSES[game]
    lesson = some(course.lesson(name))
    return {choice.token: choice.label for choice in choices(course.game, lesson, scenery(course.game, lesson).state, prefix)}


@pytest.mark.parametrize("name", ["hop", "edge", "gap", "arrow", "bump", "chain", "loop", "bonus"])
def test_a_button_of_a_hop_does_not_say_what_lies_there(name: str) -> None:
    assert labels("bunny", name) == {"left": "Left", "right": "Right", "up": "Up", "down": "Down"}


def test_a_button_of_a_shock_does_not_say_what_it_brings() -> None:
    assert labels("bunny", "shock", ("shock",)) == {"left": "Left", "right": "Right", "up": "Up", "down": "Down"}


@pytest.mark.parametrize(("name", "puck"), [("slide", "p2"), ("colour", "p2"), ("score", "p1")])
def test_a_button_of_a_slide_does_not_say_that_it_scores(name: str, puck: str) -> None:
    assert labels("pucks", name, (puck,))["right"] == "Right"


def test_a_button_of_a_bump_says_so() -> None:
    assert labels("pucks", "bump", ("m1",))["down"] == "Down, bumping Blue’s puck 1"


def test_what_a_card_promises_is_played_in_the_next_step() -> None:
    course = COURSES["pucks"]
    changer, score = course.lesson("changer"), course.lesson("score")
    assert changer is not None
    assert score is not None
    assert course.near(changer, 1) is score
    assert judge(course.game, changer, changer.way).step is not None
    after = some(judge(course.game, changer, changer.way).step)
    assert scenery(course.game, score).state == after.state


@every_course
async def test_the_last_step_ends_with_finish_and_all_others_lead_on(course: Course) -> None:
    for lesson in (course.lessons[0], course.lessons[-1]):
        solved = shown(await solved_message(panel_of(course, lesson), judge(course.game, lesson, lesson.way)))
        last = lesson is course.lessons[-1]
        assert ("Finish" in solved, "Next step" in solved) == (last, not last)


async def test_once_something_is_picked_it_can_be_taken_back_and_other_steps_wait() -> None:
    panel = panel_of(COURSES["pucks"], COURSES["pucks"].lessons[1])
    begun, picked = [shown(await lesson_message(panel, panel.picker.pick(tokens))) for tokens in ((), ("p1",))]
    assert ("Back" in begun, "Previous step" in begun) == (False, True)
    assert ("Back" in picked, "Previous step" in picked) == (True, False)


async def test_a_row_is_asked_for_before_its_card() -> None:
    course = COURSES["bunny"]
    lesson = some(course.lesson("spy"))
    panel = panel_of(course, lesson)
    rows = "\n".join(shown(await lesson_message(panel, panel.picker.pick(()))))
    assert "Which card do you peek at? Which row is it in?" in rows
    cards = "\n".join(shown(await lesson_message(panel, panel.picker.pick(("spy",)), page=4)))
    assert "Row 4: which card?" in cards
    assert "Peek at a card" not in cards.replace("Picked: Peek at a card.", ""), "the question says it, and the picture"


async def test_a_question_says_what_is_picked(written: list[str]) -> None:
    course = COURSES["pucks"]
    panel = panel_of(course, course.lessons[0])
    asked = await lesson_message(panel, panel.picker.pick(("p2", "right")))
    assert "Slide puck 2 right?" in "\n".join(shown(asked))
    assert written, "the picture is drawn"


@every_course
async def test_nothing_that_another_seat_alone_may_know_is_told_in_a_lesson(course: Course) -> None:
    lesson = course.lessons[0]
    verdict = judge(course.game, lesson, lesson.way)
    assert verdict.step is not None
    other = 1 - lesson.seat
    secret = deed("peek", other, plain("finds the hidden cake"))
    for private_to, heard in ((other, False), (lesson.seat, True), (None, True)):
        step = replace(verdict.step, events=(replace(secret, private_to=private_to),))
        told = shown(await solved_message(panel_of(course, lesson), replace(verdict, step=step)))
        assert any("hidden cake" in text for text in told) is heard
