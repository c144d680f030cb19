"""Lessons, each of which has a position, a text about it, and one decision that the engine judges."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engines.actions import Action, Choice
from engines.chance import UNSEEDED, Scripted
from engines.game import Game, Step, Words, action_words, part_of
from engines.steps import Event
from engines.text import Text, join, plain, say

ROLL: Final = "dice-"
"""The prefix of the token for a roll that the learner chooses, such as "dice-3-4" for a 3 and a 4."""

END: Final = "end"
"""The stored progress of a learner who has finished, used in place of a lesson's name. No lesson has this name."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A legal action that the learner has tried in a state, and its result."""

    game: Game[Any, Any]
    state: Any
    seat: int
    action: Action
    step: Step[Any]


Condition = Callable[[Tried], bool]
"""A function that says whether an action meets a condition."""

Simplify = Callable[[Any], Any]
"""A function that removes from a view what later lessons explain."""


def unchanged(view: Any) -> Any:
    """Return a view as it is."""
    return view


def ways(*starts: str) -> dict[Action, Text]:
    """Return labels for the four directions, which do not say what lies there. They apply after each of `starts`, if given."""
    labels = {"up": say("Up"), "right": say("Right"), "down": say("Down"), "left": say("Left")}
    return {(*start.split(), way): label for start in starts or ("",) for way, label in labels.items()}


@dataclass(frozen=True, slots=True)
class Slip:
    """A comment on a wrong action that meets the condition `when`."""

    when: Condition
    words: Text


@dataclass(frozen=True, slots=True)
class Trap:
    """An illegal choice, offered after the tokens `before` so that `Words.why_not` can explain what is wrong with it."""

    before: Action
    choice: Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One step of a course.

    Attributes:
        name: its name in buttons, and in a person's stored progress.
        title: its title, in one or two words.
        text: the explanation, in Markdown.
        task: what the learner has to do.
        goal: whether an action is right.
        way: a right action, which is shown after two failed tries.
        well: the comment on a right action.
        hint: the comment on a wrong action to which none of `slips` applies.
        position: the position, as `Game.from_position` reads it, or None for the beginning of a game for `seats` players.
        seat: the learner's seat.
        slips: comments on particular wrong actions. The first that applies is used.
        traps: the illegal choices that are offered.
        before: the actions that have just been played from the position, each with its seat.
        chance: the results of chance, as `engines.chance.Scripted` takes them: a die that shows 4 is given as 3.
        rolls: the dice that the learner chooses between, in games with dice.
        question: replaces the game's first question if that uses words from a later lesson.
        labels: replacements for labels that give the answer away or hide the point, by the tokens up to the choice.
        simplify: removes from the picture and its description what a later lesson explains.
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
    question: Text | None = None
    labels: Mapping[Action, Text] = field(default_factory=dict)
    simplify: Simplify = unchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A game's lessons, in order. `outro` closes them. `retired` names removed lessons, at which people may still be."""

    game: Game[Any, Any]
    lessons: tuple[Lesson, ...]
    outro: Text
    retired: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of all lessons, including retired ones."""
        return frozenset((*(lesson.name for lesson in self.lessons), *self.retired))

    def lesson(self, name: str) -> Lesson | None:
        """Return the lesson with this name, or None if it is retired or unknown."""
        return next((lesson for lesson in self.lessons if lesson.name == name), None)

    def resumed(self, name: str, solved: Collection[str]) -> Lesson:
        """Return the lesson with this name, or the first unsolved one if it is retired or unknown."""
        unsolved = (lesson for lesson in self.lessons if lesson.name not in solved)
        return self.lesson(name) or next(unsolved, self.lessons[0])

    def number(self, lesson: Lesson) -> int:
        """Return a lesson's number in the course, counted from 0."""
        return self.lessons.index(lesson)

    def near(self, lesson: Lesson, steps: int) -> Lesson | None:
        """Return the lesson that is `steps` further on (or back, if negative), or None if there is none."""
        place = self.number(lesson) + steps
        return self.lessons[place] if 0 <= place < len(self.lessons) else None


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a lesson: its state, and the events leading to it that the learner knows."""

    state: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Feedback:
    """Whether an action is right, and why. `step` is its result, or None for an illegal action."""

    right: bool
    words: Text
    step: Step[Any] | None = None


def scenery(game: Game[Any, Any], lesson: Lesson) -> Start:
    """Return the start of a lesson. Raises ValueError if its position is impossible."""
    chance = Scripted(lesson.chance) if lesson.chance else UNSEEDED
    state = game.start(lesson.seats, chance=chance) if lesson.position is None else game.from_position(lesson.position, chance)
    events: list[Event] = []
    for seat, action in lesson.before:
        step = game.play(state, seat, action)
        state = step.state
        events += [event for event in step.events if event.known_to(lesson.seat)]
    return Start(state, tuple(events))


def choices(game: Game[Any, Any], lesson: Lesson, state: Any, prefix: Action) -> list[Choice]:
    """Return the learner's choices after the tokens `prefix`: the legal ones and traps, or the dice to choose from."""
    if lesson.rolls:
        return [] if prefix else [_of_dice(faces) for faces in lesson.rolls]
    offered = [*game.choices(state, lesson.seat, prefix), *(trap.choice for trap in lesson.traps if trap.before == prefix)]
    return [replace(choice, label=lesson.labels.get((*prefix, choice.token), choice.label)) for choice in offered]


def view(game: Game[Any, Any], lesson: Lesson, state: Any) -> Any:
    """Return the learner's view of a state, without what later lessons explain."""
    return lesson.simplify(game.view(state, lesson.seat))


def is_trap(lesson: Lesson, action: Action) -> bool:
    """Return whether the last of these tokens is a trap of the lesson."""
    return any((*trap.before, trap.choice.token) == action for trap in lesson.traps)


def judge(game: Game[Any, Any], lesson: Lesson, action: Action) -> Feedback:
    """Judge an action. Raises IllegalAction if it is neither legal nor a trap of the lesson."""
    state = scenery(game, lesson).state
    if is_trap(lesson, action):
        reason = part_of(game, Words).why_not(state, lesson.seat, action, len(action) - 1)
        return Feedback(right=False, words=lesson.hint if reason is None else reason)
    tried = Tried(game, state, lesson.seat, action, play(game, lesson, state, action))
    right = lesson.goal(tried)
    words = lesson.well if right else next((slip.words for slip in lesson.slips if slip.when(tried)), lesson.hint)
    return Feedback(right=right, words=words, step=tried.step)


def play(game: Game[Any, Any], lesson: Lesson, state: Any, action: Action) -> Step[Any]:
    """Play an action, or the roll of the dice it stands for. Raises IllegalAction, or KeyError for dice the lesson lacks."""
    if not lesson.rolls:
        return game.play(state, lesson.seat, action)
    offered = {_of_dice(faces).token: faces for faces in lesson.rolls}
    loaded = game.from_position(game.position(state), Scripted.dice(*offered[" ".join(action)]))
    return game.play(loaded, lesson.seat, ("roll",))


def _of_dice(faces: tuple[int, ...]) -> Choice:
    shown = " + ".join(map(str, faces))
    label = plain(shown if len(faces) == 1 else f"{shown} = {sum(faces)}")
    return Choice(ROLL + "-".join(map(str, faces)), label, final=True, symbol="🎲")


def in_words(game: Game[Any, Any], lesson: Lesson, action: Action) -> Text:
    """Return a whole or partial action in words. Traps and chosen dice, unknown to the game, are told by their labels."""
    if not lesson.rolls and not is_trap(lesson, action):
        return action_words(game, scenery(game, lesson).state, lesson.seat, action)
    state, labels = scenery(game, lesson).state, []
    for length, token in enumerate(action):
        if token not in game.verbs:
            labels.append(next(c.label for c in choices(game, lesson, state, action[:length]) if c.token == token))
    return join(labels, " → ")


# --- conditions for goals and comments ------------------------------------------------------------------------------------


def plays(*actions: str) -> Condition:
    """Return the condition that the action is one of these. Tokens are separated by spaces."""
    wanted = {tuple(action.split()) for action in actions}
    return lambda tried: tried.action in wanted


def begins(*starts: str) -> Condition:
    """Return the condition that the action begins with one of these. Tokens are separated by spaces."""
    wanted = [tuple(start.split()) for start in starts]
    return lambda tried: any(tried.action[: len(start)] == start for start in wanted)


def ends(token: str) -> Condition:
    """Return the condition that the action ends with this token."""
    return lambda tried: tried.action[-1] == token


def tells(kind: str, seat: int | None = None) -> Condition:
    """Return the condition that an event of this kind happens. If a seat is given, it has to be the event's seat."""
    return lambda tried: any(event.kind == kind and seat in {None, event.seat} for event in tried.step.events)


def wins(seat: int) -> Condition:
    """Return the condition that the seat wins at once."""

    def is_won(tried: Tried) -> bool:
        outcome = tried.game.outcome(tried.step.state)
        return outcome is not None and seat in outcome.winners

    return is_won


def both(one: Condition, other: Condition) -> Condition:
    """Return the condition that both conditions are met."""
    return lambda tried: one(tried) and other(tried)


def fails(condition: Condition) -> Condition:
    """Return the condition that the given one is not met."""
    return lambda tried: not condition(tried)
