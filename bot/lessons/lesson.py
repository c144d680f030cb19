"""What a lesson is: a position, what there is to know about it, and one decision, which the engine judges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engines.actions import Action, Choice
from engines.chance import UNSEEDED, Scripted
from engines.events import Event
from engines.game import Game, Step
from engines.text import Text, join, plain

ROLL: Final = "dice-"
"""How the token begins that stands for an action with dice that the learner has chosen: "dice-3-4" for a 3 and a 4."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A legal action that somebody tried in a lesson.

    Attributes:
        game: the game.
        state: the state before it.
        seat: the learner's seat.
        action: the action.
        step: the state after it, and what happened.
    """

    game: Game[Any, Any]
    state: Any
    seat: int
    action: Action
    step: Step[Any]


Condition = Callable[[Tried], bool]
"""What an action has to be, or to bring about."""


@dataclass(frozen=True, slots=True)
class Slip:
    """What is said about some wrong actions: the condition they meet, and the words."""

    when: Condition
    words: Text


@dataclass(frozen=True, slots=True)
class Trap:
    """Something that is offered although the rules forbid it, so that `Game.why_not` can say why.

    Attributes:
        before: the tokens after which it is offered.
        choice: what is offered.
    """

    before: Action
    choice: Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One step of a course.

    Attributes:
        name: its name in buttons, and in what is kept of a person's progress.
        title: a word or two.
        text: what there is to know, in Markdown.
        task: what is to be done.
        goal: whether an action is what was meant.
        way: an action that is, told to whoever has tried twice in vain.
        well: what is said when it is right.
        hint: what is said about a wrong action that none of `slips` fits.
        position: the position, as `Game.from_position` reads it; None: where a game for `seats` begins.
        seats: the number of seats, where `position` is None.
        seat: the learner's seat.
        slips: what is said about particular wrong actions; the first one that fits.
        traps: what is offered although it is not legal.
        before: what has just been played in the position, each action with its seat.
        chance: what is drawn, as `engines.chance.Scripted` takes it: a die that shows 4 is 3.
        rolls: the dice that the learner may choose between in place of rolling, in games of dice.
    """

    name: str
    title: Text
    text: Text
    task: Text
    goal: Condition
    way: Action
    well: Text
    hint: Text
    position: Mapping[str, Any] | None = None
    seats: int = 2
    seat: int = 0
    slips: tuple[Slip, ...] = ()
    traps: tuple[Trap, ...] = ()
    before: tuple[tuple[int, Action], ...] = ()
    chance: tuple[int, ...] = ()
    rolls: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The lessons of a game.

    Attributes:
        game: the game.
        lessons: the lessons in their order.
        outro: what is said at the end: what no lesson has shown, and what to look up.
    """

    game: Game[Any, Any]
    lessons: tuple[Lesson, ...]
    outro: Text

    def lesson(self, name: str) -> Lesson | None:
        """The lesson of this name, or None: there was one before an update, or the name is not the bot's."""
        return next((lesson for lesson in self.lessons if lesson.name == name), None)

    def number(self, lesson: Lesson) -> int:
        """The place of a lesson, from 0."""
        return self.lessons.index(lesson)

    def near(self, lesson: Lesson, steps: int) -> Lesson | None:
        """The lesson so many steps on, or back; None beyond the ends."""
        place = self.number(lesson) + steps
        return self.lessons[place] if 0 <= place < len(self.lessons) else None


@dataclass(frozen=True, slots=True)
class Scenery:
    """A lesson as it begins: the state, and what has just happened, as far as the learner may know it."""

    state: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comes of an action that was tried.

    Attributes:
        right: whether it is what was meant.
        words: why it is, or why not.
        step: what it led to; None for an action that is not legal.
    """

    right: bool
    words: Text
    step: Step[Any] | None = None


def scenery(game: Game[Any, Any], lesson: Lesson) -> Scenery:
    """The state in which a lesson begins. Raises ValueError if there is no such position."""
    chance = Scripted(lesson.chance) if lesson.chance else UNSEEDED
    state = game.start(lesson.seats, chance=chance) if lesson.position is None else game.from_position(lesson.position, chance)
    events: list[Event] = []
    for seat, action in lesson.before:
        step = game.play(state, seat, action)
        state = step.state
        events += [event for event in step.events if event.known_to(lesson.seat)]
    return Scenery(state, tuple(events))


def choices(game: Game[Any, Any], lesson: Lesson, state: Any, prefix: Action) -> list[Choice]:
    """What the learner may pick after these tokens: what is legal, what is only said to be, or the dice to choose from."""
    if lesson.rolls:
        return [] if prefix else [_of_dice(faces) for faces in lesson.rolls]
    offered = game.choices(state, lesson.seat, prefix)
    return [*offered, *(trap.choice for trap in lesson.traps if trap.before == prefix)]


def trapped(lesson: Lesson, action: Action) -> bool:
    """Whether the last of these tokens is one of the traps of a lesson."""
    return any((*trap.before, trap.choice.token) == action for trap in lesson.traps)


def judged(game: Game[Any, Any], lesson: Lesson, action: Action) -> Verdict:
    """What comes of an action. Raises IllegalAction for one that is neither legal nor a trap of the lesson."""
    state = scenery(game, lesson).state
    if trapped(lesson, action):
        reason = game.why_not(state, lesson.seat, action, len(action) - 1)
        return Verdict(right=False, words=lesson.hint if reason is None else reason)
    return _of_legal(Tried(game, state, lesson.seat, action, played(game, lesson, state, action)), lesson)


def played(game: Game[Any, Any], lesson: Lesson, state: Any, action: Action) -> Step[Any]:
    """What an action leads to; with the dice that the learner has chosen, if it stands for some.

    Raises IllegalAction for one that is not legal, and KeyError for dice that the lesson does not offer.
    """
    if not lesson.rolls:
        return game.play(state, lesson.seat, action)
    offered = {_of_dice(faces).token: faces for faces in lesson.rolls}
    loaded = game.from_position(game.position(state), Scripted.dice(*offered[" ".join(action)]))
    return game.play(loaded, lesson.seat, ("roll",))


def _of_dice(faces: tuple[int, ...]) -> Choice:
    """The choice of what the dice show."""
    shown = " + ".join(map(str, faces))
    label = plain(shown if len(faces) == 1 else f"{shown} = {sum(faces)}")
    return Choice(ROLL + "-".join(map(str, faces)), label, final=True, symbol="🎲")


def _of_legal(tried: Tried, lesson: Lesson) -> Verdict:
    if lesson.goal(tried):
        return Verdict(right=True, words=lesson.well, step=tried.step)
    words = next((slip.words for slip in lesson.slips if slip.when(tried)), lesson.hint)
    return Verdict(right=False, words=words, step=tried.step)


def way_in_words(game: Game[Any, Any], lesson: Lesson) -> Text:
    """The way that a lesson tells in the end, in the words of the buttons; verbs have none of their own."""
    state, labels = scenery(game, lesson).state, []
    for length, token in enumerate(lesson.way):
        if token not in game.verbs:
            labels.append(next(c.label for c in choices(game, lesson, state, lesson.way[:length]) if c.token == token))
    return join(labels, " › ")
