"""Messages for learners: a lesson with the panel to pick an action, the result of a try, and the end of the course."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Final

import discord
from typing_extensions import override

from bot.core.table.position import Position
from bot.core.table.settings import Learning
from bot.features.lessons.courses.lesson import END, Course, Feedback, Lesson, Start, choices, in_words, is_trap, scenery, view
from bot.i18n.language import Language
from bot.messages.board import COLOURS
from bot.messages.builder import Button, MessageBuilder, Picture, button
from bot.messages.click import Click
from bot.messages.menus import Verbs
from bot.messages.panel import Picking
from bot.messages.picking import Pick, Picker, certain_step
from bot.messages.pictures import Perspective, picture
from bot.messages.story import alt_text
from engines.actions import Action
from engines.game import Step
from engines.steps import Event, View
from engines.text import SEAT_COLOURS, join, plain, say

PICKS: Final = Verbs.of("learn-pick", play="learn-act")

TOLD_AFTER: Final = 2
"""After how many wrong tries a lesson shows a right action."""

_PRAISE: Final = (say("That’s it!"), say("Well done!"), say("Exactly!"), say("Spot on!"))


@dataclass(frozen=True, kw_only=True)
class LessonPosition(Position):
    """A lesson's position as its learner sees it, without what later lessons explain. Players are called by their colours."""

    lesson: Lesson

    kind: ClassVar[str] = "lesson"
    hand_first: ClassVar[bool] = True

    @cached_property
    def _seen(self) -> View:
        seen: View = view(self.game, self.lesson, self.state)
        return seen

    @override
    def view(self, seat: int | None) -> View:
        return self._seen

    @override
    def file_name(self, what: str = "") -> str:
        return f"learn-{self.game.id}.png"


@dataclass(frozen=True)
class LessonPanel:
    """The panel of a lesson for one learner, who has failed `tries` times so far."""

    course: Course
    lesson: Lesson
    learning: Learning
    language: Language
    tries: int = 0
    high_contrast: bool = False

    @cached_property
    def scenery(self) -> Start:
        """The start of the lesson."""
        return scenery(self.course.game, self.lesson)

    @cached_property
    def position(self) -> LessonPosition:
        """The position in which the lesson begins."""
        names = tuple(self.language(colour) for colour in SEAT_COLOURS)
        return LessonPosition(game=self.course.game, state=self.scenery.state, names=names, file="", lesson=self.lesson)

    @property
    def perspective(self) -> Perspective:
        """The perspective of the learner."""
        seat = self.lesson.seat
        return Perspective(seat=seat, side=seat, language=self.language, high_contrast=self.high_contrast)

    @cached_property
    def picker(self) -> Picker:
        """The picker of the actions that the lesson offers, traps included."""
        game, lesson, state = self.course.game, self.lesson, self.scenery.state
        return Picker(lesson.seat, lambda prefix: choices(game, lesson, state, prefix), game.verbs)

    def preview(self, picked: Pick) -> Step[Any] | None:
        """Return the result of a complete action if it is shown before it is played, or None."""
        if self.lesson.rolls or not picked.whole or is_trap(self.lesson, picked.prefix):
            return None
        return certain_step(self.position, picked)

    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        """Return a click in this lesson."""
        return Click(verb, page=page, tokens=(self.course.game.id, self.lesson.name, str(self.tries), *tokens))


async def lesson_message(
    panel: LessonPanel, picked: Pick, *, page: int = 0, note: str = "", preview: bool = True
) -> MessageBuilder:
    """Return a lesson: its text, the task, and the panel in which the action is picked.

    `page` is the page of a menu, or the number of its region, counted from 1 (see `Menu.page`). `note` is the result of the
    last try. `preview` says whether a complete action is shown before it is played.
    """
    picking = Picking(
        position=panel.position, picked=picked, perspective=panel.perspective, click=panel.click, verbs=PICKS, page=page,
        picker=panel.picker, wording=partial(in_words, panel.course.game, panel.lesson),
    )  # fmt: skip
    builder = MessageBuilder(colour=COLOURS[panel.lesson.seat]).text(_heading(panel))
    foreseen, begins = panel.preview(picked) if preview else None, panel.scenery.events if picked.untouched else ()
    events = begins if foreseen is None else foreseen.events
    made = await picking.picture(events, preview=foreseen, marked=not panel.lesson.rolls)
    builder.picture(_with_story(made, panel, events))
    if picked.untouched:
        builder.text(f"### {panel.language(panel.lesson.title)}\n{panel.language(panel.lesson.text)}")
    builder.text(note)  # right above the buttons: the text above the picture may be out of sight
    builder.text(f"🎯 **{panel.language(panel.lesson.task)}**\n{_question(panel, picking)}")
    picking.add_to(builder, [*picking.play(style=discord.ButtonStyle.success), *(picking.back() or _leaving(panel))])
    return builder


def _heading(panel: LessonPanel) -> str:
    course, solved = panel.course, set(panel.learning.solved)
    here = course.number(panel.lesson)
    dots = "".join("◉" if lesson is panel.lesson else "●" if lesson.name in solved else "○" for lesson in course.lessons)
    step = say("Learn {game}: step {n} of {all}", game=course.game.title, n=here + 1, all=len(course.lessons))
    return f"-# {panel.language(step)} {dots}"


def _question(panel: LessonPanel, picking: Picking) -> str:
    """Return the question asked by the lesson or else by the game, with the picks so far in the words of their buttons."""
    lesson, language = panel.lesson, panel.language
    if lesson.rolls:
        return language(say("What do the dice show? For once, you choose."))
    own = language(lesson.question) if lesson.question is not None and picking.picked.untouched else None
    return picking.question(own, bold=False)


def _leaving(panel: LessonPanel) -> list[Button]:
    language, before = panel.language, panel.course.near(panel.lesson, -1)
    skip = button(language(say("Skip this step")), panel.click("learn-skip").custom_id)
    if before is None:
        return [skip]
    previous = button(language(say("Previous step")), _to(panel.course, before.name).custom_id)
    return [previous, skip, button(language(say("Start over")), Click("learn-anew", tokens=(panel.course.game.id,)).custom_id)]


def _to(course: Course, name: str) -> Click:
    return Click("learn", tokens=(course.game.id, name))


def _with_story(made: Picture, panel: LessonPanel, events: Sequence[Event]) -> Picture:
    """Return a picture whose description also tells the events, since no text does."""
    known = [event for event in events if event.known_to(panel.lesson.seat)]
    return replace(made, alt=alt_text(known, made.alt, panel.language, panel.position.names))


def correction(panel: LessonPanel, feedback: Feedback) -> str:
    """Return the note on a wrong try: that it is taken back, why it is wrong, and, after several tries, a right action."""
    language = panel.language
    if feedback.step is None:
        lines = ["✋ " + language(say("The rules don’t allow that. {reason}", reason=feedback.words))]
    else:
        lines = ["🤔 " + language(say("Not quite, so I’ve taken it back. {reason}", reason=feedback.words))]
    if panel.tries >= TOLD_AFTER:
        way = in_words(panel.course.game, panel.lesson, panel.lesson.way)
        lines.append("💡 " + language(say("Try this: {way}", way=join([plain("**"), way, plain("**")], ""))))
    return "\n".join(lines)


async def solved_message(panel: LessonPanel, feedback: Feedback) -> MessageBuilder:
    """Return a picture of what the right action led to, with why it was right and a button that leads on."""
    assert feedback.step is not None, "what is right is legal"
    language, step, following = panel.language, feedback.step, panel.course.near(panel.lesson, 1)
    praise = _PRAISE[panel.course.number(panel.lesson) % len(_PRAISE)]
    builder = MessageBuilder(colour=COLOURS[panel.lesson.seat]).text(_heading(panel))
    made = await picture(panel.position, panel.perspective, events=step.events, after=step.state)
    builder.picture(_with_story(made, panel, step.events))
    builder.text(f"### ✅ {language(praise)}\n{language(feedback.words)}")
    onward, label = (END, say("Finish")) if following is None else (following.name, say("Next step"))
    again = _to(panel.course, panel.lesson.name).custom_id
    return builder.buttons([
        button(language(label), _to(panel.course, onward).custom_id, discord.ButtonStyle.success),
        button(language(say("Once more")), again),
    ])  # fmt: skip


def end_message(course: Course, learning: Learning, language: Language) -> MessageBuilder:
    """Return the end of the lessons, with those not solved yet, the topics without a lesson, and a table to practise at."""
    game = course.game
    skipped = [lesson for lesson in course.lessons if lesson.name not in learning.solved]
    title = say("You know how to play {game}!", game=game.title)
    if skipped:
        title = say("That was {game}. The steps you haven’t done yet are below.", game=game.title)
    builder = MessageBuilder().text(f"### 🎓 {language(title)}").text(language(course.outro))
    builder.buttons([
        button(
            language(say("Play against the computer")), Click("practise", tokens=(game.id, "easy")).custom_id,
            discord.ButtonStyle.success,
        ),
        button(language(say("Rules of {game}", game=game.title)), Click("rules", tokens=(game.id,)).custom_id),
        button(language(say("Start over")), Click("learn-anew", tokens=(game.id,)).custom_id),
    ])  # fmt: skip
    return builder.buttons([
        button(
            language(say("Step {n}: {title}", n=course.number(lesson) + 1, title=lesson.title)),
            _to(course, lesson.name).custom_id,
        )
        for lesson in skipped
    ])  # fmt: skip
