"""Handles lessons: opening one, picking an action, having it judged, and moving on."""

from typing import Final

from bot.core.table.errors import Refused
from bot.core.table.settings import Learning
from bot.features.lessons.courses import COURSES
from bot.features.lessons.courses.lesson import END, Course, Lesson, is_trap, judge
from bot.features.lessons.messages import LessonPanel, correction, end_message, lesson_message, solved_message
from bot.features.lessons.service import Lessons
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.messages.click import Click, is_number
from engines.actions import Action
from engines.text import echoed, say

PICKED: Final = Tokens((is_word, is_word, is_number), more=is_word)
"""The tokens of a click in a lesson: the game, the lesson, the number of failed attempts, and the tokens picked so far."""


def course_of(game_id: str) -> Course:
    """Return the lessons of a game. Raises Refused if there are none."""
    if game_id not in COURSES:
        taught = ", ".join(COURSES)
        raise Refused(say("There are no lessons for “{game}”. Pick from: {games}.", game=echoed(game_id), games=taught))
    return COURSES[game_id]


def _learning(context: Context, course: Course) -> Learning:
    return context.settings.learning.get(course.game.id, Learning())


async def open_lessons(context: Context, game_id: str) -> None:
    """Show the user the lesson at which they left off."""
    course = course_of(game_id)
    await _go_to(context, course, _learning(context, course).at, _learning(context, course))


async def _go_to(context: Context, course: Course, name: str, learning: Learning) -> None:
    if name == END:
        await context.reply.show(end_message(course, learning, context.language))
    else:
        await _show(context, _panel(context, course, course.resumed(name, learning.solved), learning))


def _panel(context: Context, course: Course, lesson: Lesson, learning: Learning, tries: int = 0) -> LessonPanel:
    return LessonPanel(course, lesson, learning, context.language, tries, context.settings.high_contrast)


async def _show(context: Context, at: LessonPanel, tokens: Action = (), *, page: int = 0, note: str = "") -> None:
    wanted = context.settings.preview
    await context.reply.show(await lesson_message(at, at.picker.pick(tokens), page=page, note=note, preview=wanted))


@handles("learn", tokens=Tokens((is_word, is_word), least=1))
async def _learn(context: Context, click: Click) -> None:
    """Open a game's lessons where the user left off, or at the lesson that the click names."""
    game_id, *name = click.tokens
    if not name:
        return await open_lessons(context, game_id)
    course = course_of(game_id)
    await _go_to(context, course, name[0], _learning(context, course))
    return None


async def _at_lesson(context: Context, click: Click) -> tuple[LessonPanel, Action] | None:
    """Return a click's lesson and picked tokens. If the lesson is gone, show where the user left off and return None."""
    game_id, name, tries, *tokens = click.tokens
    course = course_of(game_id)
    lesson = course.lesson(name)
    if lesson is None:
        await open_lessons(context, game_id)
        return None
    return _panel(context, course, lesson, _learning(context, course), min(int(tries), 99)), tuple(tokens)


@handles("learn-pick", tokens=PICKED)
async def _pick(context: Context, click: Click) -> None:
    """Pick a token. As in every panel, a complete action without a preview is played at once."""
    if (found := await _at_lesson(context, click)) is None:
        return
    at, tokens = found
    picked = at.picker.pick(tokens)
    foreseen = context.settings.preview and at.preview(picked) is not None
    if is_trap(at.lesson, picked.prefix) or (picked.whole and picked.prefix == tokens and not foreseen):
        await _judge(context, at, picked.prefix)
    else:
        await _show(context, at, tokens, page=click.page)


@handles("learn-act", tokens=PICKED)
async def _act(context: Context, click: Click) -> None:
    if (found := await _at_lesson(context, click)) is None:
        return
    at, tokens = found
    picked = at.picker.pick(tokens)
    if picked.final and picked.prefix == tokens:
        await _judge(context, at, tokens)
    else:
        await _show(context, at, tokens)


async def _judge(context: Context, at: LessonPanel, action: Action) -> None:
    course, lesson = at.course, at.lesson
    feedback = judge(course.game, lesson, action)
    if not feedback.right:
        again = _panel(context, course, lesson, at.learning, at.tries + 1)
        await _show(context, again, note=correction(again, feedback))
        return
    learning = await _note(context, course, lesson, solved=True)
    await context.reply.show(await solved_message(_panel(context, course, lesson, learning), feedback))


async def _note(context: Context, course: Course, lesson: Lesson, *, solved: bool) -> Learning:
    following = course.near(lesson, 1)
    at = END if following is None else following.name
    return await context.core.service(Lessons).note(context.user.id, course.game.id, at, lesson.name if solved else None)


@handles("learn-skip", tokens=PICKED)
async def _skip(context: Context, click: Click) -> None:
    if (found := await _at_lesson(context, click)) is None:
        return
    at, _ = found
    learning = await _note(context, at.course, at.lesson, solved=False)
    await _go_to(context, at.course, learning.at, learning)


@handles("learn-anew", tokens=Tokens((is_word,)))
async def _anew(context: Context, click: Click) -> None:
    """Begin the lessons again, and forget which are solved."""
    course = course_of(click.tokens[0])
    learning = await context.core.service(Lessons).forget(context.user.id, course.game.id)
    await _go_to(context, course, learning.at, learning)


HANDLERS: Final = (_learn, _pick, _act, _skip, _anew)
