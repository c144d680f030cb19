"""What somebody sees who learns a game: a lesson with the panel of the game below it, what came of a try, and the end."""

from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.drawing.place import drawing
from bot.i18n.language import Language
from bot.lessons.lesson import Course, Lesson, Scenery, Verdict, choices, scenery, trapped, way_in_words
from bot.messages.board import COLOURS
from bot.messages.builder import Button, MessageBuilder, Picture, button
from bot.messages.click import Click
from bot.messages.marks import MARKS
from bot.messages.offers import Offers, Verbs
from bot.messages.picking import Pick, Ways, certain, regions
from bot.messages.picture_cache import shown
from bot.messages.pictures import CACHE
from bot.messages.story import described, words
from bot.sessions.settings import Learning
from engines.actions import Action, Choice
from engines.events import Event
from engines.game import Step
from engines.text import SEAT_COLOURS, Text, join, plain, say
from renderers import draw
from renderers.scene import Scene

PICKS: Final = Verbs("learn-pick", "learn-pick", "learn-pick")

TOLD_AFTER: Final = 2
"""After so many wrong tries a lesson says what would be right."""

_PRAISE: Final = (say("That’s it!"), say("Well done!"), say("Exactly!"), say("Spot on!"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Somebody at a lesson.

    Attributes:
        course: the lessons of the game.
        lesson: the one they are at.
        scenery: how it begins.
        tries: how often they have tried in vain.
        learning: how far they are.
        language: their language.
        high_contrast: whether their pictures use the high-contrast palette.
    """

    course: Course
    lesson: Lesson
    scenery: Scenery
    tries: int
    learning: Learning
    language: Language
    high_contrast: bool

    @property
    def ways(self) -> Ways:
        """What can be picked."""
        game, lesson, state = self.course.game, self.lesson, self.scenery.state
        return Ways(lesson.seat, lambda prefix: choices(game, lesson, state, prefix), game.verbs)

    def preview(self, picked: Pick) -> Step[Any] | None:
        """What a complete action leads to, where a panel would show it before it is played."""
        if self.lesson.rolls or not picked.whole or trapped(self.lesson, picked.prefix):
            return None
        return certain(self.course.game, self.scenery.state, picked)

    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        """A click in this lesson."""
        return Click(verb, page=page, tokens=(self.course.game.id, self.lesson.name, str(self.tries), *tokens))


def desk(
    course: Course, lesson: Lesson, learning: Learning, language: Language, *, tries: int = 0, high_contrast: bool = False
) -> Desk:
    """Somebody who comes to a lesson, or has tried it `tries` times in vain."""
    return Desk(
        course=course, lesson=lesson, scenery=scenery(course.game, lesson), tries=tries,
        learning=learning, language=language, high_contrast=high_contrast,
    )  # fmt: skip


async def lesson_message(desk: Desk, picked: Pick, *, page: int = 0, note: str = "", preview: bool = True) -> MessageBuilder:
    """A lesson: what there is to know, the task, and the panel in which the action is picked.

    Args:
        desk: who learns what.
        picked: the action, as far as it has been picked.
        page: the page of a menu, or from 1 the region; see `Offers.page`.
        note: what came of the last try.
        preview: whether a complete action is shown before it is played.
    """
    offers = _offers(desk, picked, page)
    foreseen = desk.preview(picked) if preview else None
    builder = MessageBuilder(colour=COLOURS[desk.lesson.seat]).text(_heading(desk))
    if foreseen is None:
        prefix, options = offers.drawn
        events = desk.scenery.events if picked.untouched else ()
        builder.picture(await _picture(desk, desk.scenery.state, events, prefix, options))
    else:
        builder.picture(await _picture(desk, foreseen.state, foreseen.events))
    if picked.untouched:
        builder.text(f"### {desk.language(desk.lesson.title)}\n{desk.language(desk.lesson.text)}")
    builder.text(note)  # right above the buttons: what stands above the picture may be out of sight
    builder.text(f"➡️ **{desk.language(desk.lesson.task)}**\n{_asked(desk, picked)}")
    offers.add_to(builder)
    return builder.buttons(_controls(desk, picked, offers))


def _offers(desk: Desk, picked: Pick, page: int) -> Offers:
    return Offers(
        picked=picked,
        regions=regions(desk.course.game, picked.offers),
        page=page,
        click=desk.click(PICKS.pick, picked.prefix, page),
        language=desk.language,
        label=desk.language,
        verbs=PICKS,
    )


def _heading(desk: Desk) -> str:
    """The game, and how far the course has got."""
    course, solved = desk.course, set(desk.learning.solved)
    here = course.number(desk.lesson)
    dots = "".join("◉" if lesson is desk.lesson else "●" if lesson.name in solved else "○" for lesson in course.lessons)
    step = say("Learn {game}: step {n} of {all}", game=course.game.title, n=here + 1, all=len(course.lessons))
    return f"-# {desk.language(step)} {dots}"


def _asked(desk: Desk, picked: Pick) -> str:
    """The game's own question, and what is picked so far."""
    game, state = desk.course.game, desk.scenery.state
    if desk.lesson.rolls:
        return desk.language(say("What do the dice show? For once, you choose."))
    asked = say("Play this?") if picked.whole else game.prompt(state, picked.seat, picked.prefix)
    so_far = "" if picked.untouched else f" `{game.notate(state, picked.seat, picked.prefix)}`"
    return desk.language(asked) + so_far


def _controls(desk: Desk, picked: Pick, offers: Offers) -> list[Button]:
    """What can be pressed below what can be picked: *Play* and *Back* as in every panel, then the ways to other steps."""
    language, controls = desk.language, []
    if picked.final:
        play = desk.click("learn-act", picked.prefix)
        controls.append(button(language(say("Play")), play.custom_id, discord.ButtonStyle.success, emoji="✅"))
    if offers.region is not None:
        controls.append(offers.leave_region())
    elif not picked.untouched and picked.prefix != desk.ways.pick(()).prefix:
        back = desk.click(PICKS.pick, desk.ways.back(picked.prefix).prefix)
        controls.append(button(language(say("Back")), back.custom_id))
    return [*controls, *_leaving(desk)]


def _leaving(desk: Desk) -> list[Button]:
    """The ways to the step before, past this one, and to the beginning."""
    language, before = desk.language, desk.course.near(desk.lesson, -1)
    skip = button(language(say("Skip this step")), desk.click("learn-skip").custom_id)
    if before is None:
        return [skip]
    previous = button(language(say("Previous step")), _to(desk.course, before.name).custom_id)
    return [previous, skip, button(language(say("Start over")), Click("learn-anew", tokens=(desk.course.game.id,)).custom_id)]


def _to(course: Course, name: str) -> Click:
    """The click that goes to a lesson."""
    return Click("learn", tokens=(course.game.id, name))


async def _picture(
    desk: Desk, state: Any, events: tuple[Event, ...] = (), prefix: Action = (), options: tuple[Choice, ...] = ()
) -> Picture:
    """A board of a lesson as the learner may know it, in which the players are called by their colours."""
    game, seat, language = desk.course.game, desk.lesson.seat, desk.language
    view, names = game.view(state, seat), tuple(language(colour) for colour in SEAT_COLOURS)
    known = tuple(event for event in events if event.known_to(seat))
    picking = () if desk.lesson.rolls else options
    scene = Scene(
        names=names[: view.seats], events=known, prefix=prefix, options=picking, seen_from=seat,
        high_contrast=desk.high_contrast, translate=language,
    )  # fmt: skip
    png = await CACHE.picture(shown(game.id, view, scene), lambda: drawing(draw, game.id, view, scene))
    told = language(join([text for text in (game.hand(view), game.describe(view)) if text is not None]))
    return Picture(f"learn-{game.id}.png", png, described(known, told, language, names))


# --- what came of a try -----------------------------------------------------------------------------------------------------


def correction(desk: Desk, verdict: Verdict) -> str:
    """What is said about a wrong try, above the same lesson: what came of it, why it is not right, and in the end what is."""
    language = desk.language
    if verdict.step is None:
        lines = ["✋ " + language(say("The rules don’t allow that. {reason}", reason=verdict.words))]
    else:
        lines = [_told(desk, verdict.step), "🤔 " + language(say("Not quite. {reason}", reason=verdict.words))]
    if desk.tries >= TOLD_AFTER:
        way = way_in_words(desk.course.game, desk.lesson)
        lines.append("💡 " + language(say("Try this: {way}", way=join([plain("**"), way, plain("**")], ""))))
    return "\n".join(line for line in lines if line)


def _told(desk: Desk, step: Step[Any]) -> str:
    """What happened, in words."""
    known = tuple(event for event in step.events if event.known_to(desk.lesson.seat))
    return words(known, desk.language, SEAT_COLOURS, MARKS)


async def solved_message(desk: Desk, verdict: Verdict) -> MessageBuilder:
    """What came of the right action, why it was right, and the way on."""
    assert verdict.step is not None, "what is right is legal"
    language, step, following = desk.language, verdict.step, desk.course.near(desk.lesson, 1)
    praise = _PRAISE[desk.course.number(desk.lesson) % len(_PRAISE)]
    builder = MessageBuilder(colour=COLOURS[desk.lesson.seat]).text(_heading(desk))
    builder.picture(await _picture(desk, step.state, step.events))
    builder.text(f"### ✅ {language(praise)}\n{language(verdict.words)}").text(_told(desk, step))
    onward = END if following is None else following.name
    again = _to(desk.course, desk.lesson.name).custom_id
    return builder.buttons([
        button(language(say("Next step")), _to(desk.course, onward).custom_id, discord.ButtonStyle.success),
        button(language(say("Once more")), again),
    ])  # fmt: skip


# --- the end ----------------------------------------------------------------------------------------------------------------

END: Final = "end"
"""Where somebody is who has gone through all lessons. No lesson is called so."""


def end_message(course: Course, learning: Learning, language: Language) -> MessageBuilder:
    """The end of the lessons: what was skipped, what no lesson has shown, and a table to practise at."""
    game = course.game
    skipped = [lesson for lesson in course.lessons if lesson.name not in learning.solved]
    builder = MessageBuilder().text(f"### 🎓 {language(_finished(course, skipped))}").text(language(course.outro))
    builder.buttons([
        button(
            language(say("Play against the computer")), Click("practise", tokens=(game.id, "easy")).custom_id,
            discord.ButtonStyle.success,
        ),
        button(language(say("Rules of {game}", game=game.title)), Click("rules", tokens=(game.id,)).custom_id),
        button(language(say("Start over")), Click("learn-anew", tokens=(game.id,)).custom_id),
    ])  # fmt: skip
    return builder.buttons([_to_skipped(course, lesson, language) for lesson in skipped])


def _to_skipped(course: Course, lesson: Lesson, language: Language) -> Button:
    label = say("Step {n}: {title}", n=course.number(lesson) + 1, title=lesson.title)
    return button(language(label), _to(course, lesson.name).custom_id)


def _finished(course: Course, skipped: list[Lesson]) -> Text:
    if not skipped:
        return say("You know how {game} is played!", game=course.game.title)
    return say("That was {game}. These steps you have skipped:", game=course.game.title)
