"""Learning a game: opening a lesson, picking an action in it, having it judged, and moving on."""

from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.lessons import COURSES, Course
from bot.lessons.lesson import Lesson, judged, trapped
from bot.messages.click import Click
from bot.messages.lessons import END, Desk, correction, desk, end_message, lesson_message, solved_message
from bot.sessions.errors import Refused
from bot.sessions.settings import Learning
from engines.actions import Action
from engines.text import echoed, say


def course_of(game_id: str) -> Course:
    """The lessons of a game. Raises Refused if there are none."""
    if game_id not in COURSES:
        taught = ", ".join(COURSES)
        raise Refused(say("There are no lessons for “{game}”. Pick from: {games}.", game=echoed(game_id), games=taught))
    return COURSES[game_id]


def _learning(context: Context, course: Course) -> Learning:
    return context.settings.learning.get(course.game.id, Learning())


async def open_lessons(context: Context, game_id: str) -> None:
    """Show the user the lesson that they have come to."""
    course = course_of(game_id)
    await _go_to(context, course, _learning(context, course).at, _learning(context, course))


async def _go_to(context: Context, course: Course, name: str, learning: Learning) -> None:
    """Show a lesson, or the end of them; the first one, if there is none of that name."""
    if name == END:
        await context.reply.show(end_message(course, learning, context.language))
    else:
        await _show(context, _desk(context, course, course.lesson(name) or course.lessons[0], learning))


def _desk(context: Context, course: Course, lesson: Lesson, learning: Learning, tries: int = 0) -> Desk:
    contrast = context.settings.high_contrast
    return desk(course, lesson, learning, context.language, tries=tries, high_contrast=contrast)


async def _show(context: Context, at: Desk, tokens: Action = (), *, page: int = 0, note: str = "") -> None:
    wanted = context.settings.preview
    await context.reply.show(await lesson_message(at, at.ways.pick(tokens), page=page, note=note, preview=wanted))


@handles("learn")
async def _learn(context: Context, click: Click) -> None:
    """Open the lessons of a game where the user has come to, or a certain one."""
    game_id, name = (*click.tokens, "", "")[:2]
    if not name:
        return await open_lessons(context, game_id)
    course = course_of(game_id)
    await _go_to(context, course, name, _learning(context, course))
    return None


async def _at_lesson(context: Context, click: Click) -> tuple[Desk, Action] | None:
    """The lesson that was clicked in, and the tokens picked. If there is none any more, the lessons are opened anew."""
    game_id, name, tries, *tokens = (*click.tokens, "", "", "")[: max(3, len(click.tokens))]
    course = course_of(game_id)
    lesson = course.lesson(name)
    if lesson is None or not tries.isdecimal():
        await open_lessons(context, game_id)
        return None
    return _desk(context, course, lesson, _learning(context, course), min(int(tries), 99)), tuple(tokens)


@handles("learn-pick")
async def _pick(context: Context, click: Click) -> None:
    """A token was picked: as in every panel, what is complete and has nothing to show before is played at once."""
    if (found := await _at_lesson(context, click)) is None:
        return
    at, tokens = found
    picked = at.ways.pick(tokens)
    foreseen = context.settings.preview and at.preview(picked) is not None
    if trapped(at.lesson, picked.prefix) or (picked.whole and picked.prefix == tokens and not foreseen):
        await _judge(context, at, picked.prefix)
    else:
        await _show(context, at, tokens, page=click.page)


@handles("learn-act")
async def _act(context: Context, click: Click) -> None:
    """An action is played."""
    if (found := await _at_lesson(context, click)) is None:
        return
    at, tokens = found
    picked = at.ways.pick(tokens)
    if picked.final and picked.prefix == tokens:
        await _judge(context, at, tokens)
    else:
        await _show(context, at, tokens)


async def _judge(context: Context, at: Desk, action: Action) -> None:
    """Say what came of an action. What is right is remembered."""
    course, lesson = at.course, at.lesson
    verdict = judged(course.game, lesson, action)
    if not verdict.right:
        again = _desk(context, course, lesson, at.learning, at.tries + 1)
        await _show(context, again, note=correction(again, verdict))
        return
    learning = await _note(context, course, lesson, solved=True)
    await context.reply.show(await solved_message(_desk(context, course, lesson, learning), verdict))


async def _note(context: Context, course: Course, lesson: Lesson, *, solved: bool) -> Learning:
    """Remember that somebody is through with a lesson."""
    following = course.near(lesson, 1)
    at = END if following is None else following.name
    return await context.sessions.users.learned(context.user.id, course.game.id, at, lesson.name if solved else None)


@handles("learn-skip")
async def _skip(context: Context, click: Click) -> None:
    if (found := await _at_lesson(context, click)) is None:
        return
    at, _ = found
    learning = await _note(context, at.course, at.lesson, solved=False)
    await _go_to(context, at.course, learning.at, learning)


@handles("learn-anew")
async def _anew(context: Context, click: Click) -> None:
    """Begin again, as if nothing had been learned."""
    course = course_of("".join(click.tokens[:1]))
    learning = await context.sessions.users.unlearned(context.user.id, course.game.id)
    await _go_to(context, course, learning.at, learning)


HANDLERS: Final = (_learn, _pick, _act, _skip, _anew)
