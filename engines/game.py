"""The contract that every game keeps, and what follows from it for all of them.

A game is one object without state of its own. A state is an immutable value; playing an action gives a new one and the events
that led there. Legality has one source, `Game.choices`: an action is a sequence of tokens, and it is legal if each token is
offered after the tokens before it and the last one is final.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from engines.chance import UNSEEDED, Chance, chance_from_json
from engines.text import Text, say, seat_name

Token = str
"""One word of an action: "c2", "up", "take-3"."""

Action = tuple[Token, ...]
"""A whole action, for instance ("c2", "c3", "d4")."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A token that may come next. If `final`, the tokens before it and it are a whole legal action (which may still go on)."""

    token: Token
    label: str
    final: bool


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in words for people.

    Attributes:
        kind: the game's own word for this sort of event ("move", "capture", "bump").
        seat: whose doing it was, or None.
        text: one short sentence.
        private_to: the only seat that may know of it, or None if everybody may.
        detail: an immutable value of the game's own from which a picture can show it, or None. It holds nothing that the
            readers of the event may not know.
    """

    kind: str
    seat: int | None
    text: str
    private_to: int | None = None
    detail: Any = None

    def known_to(self, seat: int | None) -> bool:
        """Whether this seat (None: a spectator) may know of it."""
        return self.private_to is None or self.private_to == seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the seats that won (none: nobody; several: they share it) and why, in words."""

    winners: tuple[int, ...]
    reason: str


S = TypeVar("S")
V = TypeVar("V", bound="View")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """What playing an action gives: the state after it, and what happened on the way, in order."""

    state: S
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A whole action that everybody may see on offer, as a button under the board."""

    action: Action
    label: str


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a table is opened, beside the variant. The first value is the default."""

    title: str
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class View:
    """What one seat (None: a spectator) may know of a state, and nothing else. Each game adds its own board.

    Attributes:
        variant: the variant's id.
        seats: how many seats there are.
        seat: whose view this is; None for a spectator's.
        to_act: the seats that are waited for; empty when the game is over.
        out: seats that no longer take part (resigned, expelled, thrown up).
        scores: for each seat a word or two for the strip under the board ("14", "2 of 3").
        outcome: how the game ended, or None while it lasts.
    """

    variant: str
    seats: int
    seat: int | None
    to_act: tuple[int, ...]
    out: tuple[int, ...] = ()
    scores: tuple[str, ...] = ()
    outcome: Outcome | None = None


class IllegalAction(ValueError):
    """An action that cannot be played.

    Attributes:
        action: all the tokens that were given.
        index: the place of the first token that is wrong; ``len(action)`` if something is missing there.
        possible: what could have stood in that place.
    """

    def __init__(self, message: str, action: Action, index: int, possible: Sequence[Choice]) -> None:
        super().__init__(message)
        self.message = message
        self.action = action
        self.index = index
        self.possible = tuple(possible)

    @property
    def token(self) -> Token | None:
        """The token that was wrong, or None if one is missing."""
        return self.action[self.index] if self.index < len(self.action) else None


class MalformedAction(IllegalAction):
    """A token is no word of this game at all."""


class IncompleteAction(IllegalAction):
    """All tokens are good, but the action cannot end there."""


_NAMED_AT_MOST = 8


def _named(choices: Sequence[Choice]) -> str:
    """The tokens of the choices for an error message, the first few of them if they are many."""
    named = ", ".join(choice.token for choice in choices[:_NAMED_AT_MOST])
    more = len(choices) - _NAMED_AT_MOST
    return say("{some} and {n} more", some=named, n=more) if more > 0 else named


class Game(ABC, Generic[S, V]):
    """The rules of one game. See the module's first lines for how the parts fit together.

    Attributes:
        id: the id in code and commands.
        title: the name people know it by.
        summary: one sentence for somebody who has never heard of it.
        seats: how many may play, as a range.
        variants: the variants' ids; the first is the default.
        variant_titles: for each variant its name in words.
        options: further choices when a table is opened, by name.
        token_pattern: what a well-formed token looks like.
        secret: whether any seat can know something that another cannot.
        memory: whether it is part of the game to remember what was shown once. Nothing of the kind is then shown again while
            the game lasts.
        passive_tokens: the tokens that `absent_action` takes where they are offered, the one it likes best first.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    seats: ClassVar[range]
    variants: ClassVar[tuple[str, ...]]
    variant_titles: ClassVar[Mapping[str, str]]
    options: ClassVar[Mapping[str, Option]] = {}
    token_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9][a-z0-9-]*")
    secret: ClassVar[bool] = False
    memory: ClassVar[bool] = False
    passive_tokens: ClassVar[tuple[Token, ...]] = ()

    # --- the life of a state -------------------------------------------------------------------------------------

    def start(self, seats: int, variant: str | None = None, chance: Chance = UNSEEDED, **options: str) -> S:
        """The first state. Raises ValueError for a number of seats, a variant or an option that does not exist."""
        variant = self.variants[0] if variant is None else variant
        if seats not in self.seats:
            fewest, most = self.seats[0], self.seats[-1]
            if fewest == most:
                raise ValueError(say("{game} is for {most} players, not {n}.", game=self.title, most=most, n=seats))
            raise ValueError(
                say("{game} is for {fewest} to {most} players, not {n}.", game=self.title, fewest=fewest, most=most, n=seats)
            )
        if variant not in self.variants:
            raise ValueError(say("{game} has no variant {variant}.", game=self.title, variant=variant))
        chosen = {name: option.values[0] for name, option in self.options.items()}
        for name, value in options.items():
            if name not in chosen or value not in self.options[name].values:
                raise ValueError(say("{game} has no option {name}:{value}.", game=self.title, name=name, value=value))
            chosen[name] = value
        return self._start(seats, variant, chance, chosen)

    @abstractmethod
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> S:
        """The first state, from arguments that are known to be good."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """The seats that are waited for; empty when the game is over."""

    def may_act(self, state: S) -> tuple[int, ...]:
        """The seats that have a legal action now: those waited for, and in some games others out of turn."""
        return self.to_act(state)

    @abstractmethod
    def choices(self, state: S, seat: int, prefix: Action = ()) -> list[Choice]:
        """The tokens that may follow `prefix` in an action of this seat; empty if it may not act or the prefix is none."""

    def play(self, state: S, seat: int, action: Sequence[Token]) -> Step[S]:
        """The state after a legal action.

        Raises:
            MalformedAction: a token is no word of this game.
            IncompleteAction: the action cannot end where it does.
            IllegalAction: a token is not possible there, or the seat may not act.
        """
        action = tuple(action)
        self.check(state, seat, action)
        return self._play(state, seat, action)

    @abstractmethod
    def _play(self, state: S, seat: int, action: Action) -> Step[S]:
        """The state after an action that is known to be legal."""

    def reversible(self, before: S, action: Action, step: Step[S]) -> bool:
        """Whether an action may be taken back by consent: nothing was drawn, and nothing came to light that was hidden."""
        drawn = self.position(before, secret=True)["chance"] != self.position(step.state, secret=True)["chance"]
        return not drawn and all(event.private_to is None for event in step.events)

    def absent_action(self, state: S, seat: int, rng: random.Random) -> Action:
        """A legal action for somebody who is away: the one that changes least, otherwise a random one.

        Each token is the first of `passive_tokens` that is offered, or else one drawn with `rng`, which is no draw of the
        game: equal states and equal generators give the same action.

        Raises:
            IllegalAction: the seat may not act.
        """
        action: Action = ()
        while True:
            offered = self.choices(state, seat, action)
            if not offered:
                self.check(state, seat, action)
            passive = [choice for token in self.passive_tokens for choice in offered if choice.token == token]
            choice = passive[0] if passive else rng.choice(offered)
            action = (*action, choice.token)
            if choice.final:
                return action

    @abstractmethod
    def withdraw(self, state: S, seat: int) -> Step[S]:
        """The state after a seat has left the game: resigned, or was expelled. Raises ValueError if it had left before."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it lasts."""

    # --- what may be known of it ----------------------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: int | None = None) -> V:
        """What this seat (None: a spectator) may know."""

    def revealed(self, state: S) -> V:
        """The spectator's view with nothing hidden, for the replay of a finished game. Never shown while a game lasts."""
        return self.view(state)

    @abstractmethod
    def describe(self, view: V) -> Text:
        """The board in words, complete enough to play by."""

    def hand(self, view: V) -> Text | None:
        """What only this seat may know, in words; None if there is nothing of the kind now."""
        return None

    def pages(self) -> tuple[Text, ...]:
        """Pages of the rules that are made from the game's own data, in Markdown; they follow the page beside its engine."""
        return ()

    def shortcuts(self, view: V) -> tuple[Shortcut, ...]:
        """Actions of the seat to act that a board may offer as buttons to be pressed at once, at most five.

        It is asked with a spectator's view, so that the buttons tell nobody anything.
        """
        return ()

    def resample(self, state: S, seat: int | None, chance: Chance) -> S:
        """Another state that this seat (None: a spectator) cannot tell from this one, drawn with `chance`."""
        return state

    # --- words ------------------------------------------------------------------------------------------------------

    def notate(self, state: S, seat: int, action: Action) -> str:
        """The action as people write it; `parse` reads it back in the same state."""
        return " ".join(action)

    def parse(self, state: S, seat: int, text: str) -> Action:
        """The tokens of an action as somebody typed it. Says nothing about whether it is legal."""
        return tuple(text.lower().split())

    @abstractmethod
    def position(self, state: S, secret: bool = False) -> dict[str, Any]:
        """The state as plain JSON; with its chance stream, under "chance", if `secret`."""

    @abstractmethod
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> S:
        """The state that `position` wrote. Raises ValueError, saying what is wrong, if there is no such state."""

    # --- what follows for every game --------------------------------------------------------------------------------

    def check(self, state: S, seat: int, action: Action) -> None:
        """Raise the fitting `IllegalAction` unless the action is legal. See `play`."""
        offered = self.choices(state, seat)
        if not offered and seat not in range(self.seats[-1]):
            raise IllegalAction(say("There is no seat {seat}.", seat=seat), action, 0, ())
        if not offered:
            raise IllegalAction(say("{who} cannot act now.", who=seat_name(seat)), action, 0, ())
        final = False
        for index, token in enumerate(action):
            found = next((choice for choice in offered if choice.token == token), None)
            if found is None:
                raise self._wrong(action, index, offered)
            final = found.final
            offered = self.choices(state, seat, action[: index + 1])
        if not final:
            where = say("after {before}", before=" ".join(action)) if action else say("to begin with")
            message = say(
                "There is something missing {where}; possible: {possible}.",
                where=where,
                possible=_named(offered),
            )
            raise IncompleteAction(message, action, len(action), offered)

    def _wrong(self, action: Action, index: int, offered: Sequence[Choice]) -> IllegalAction:
        token = action[index]
        if not self.token_pattern.fullmatch(token):
            message = say(
                "“{token}” is no word of this game; possible here: {possible}.", token=token, possible=_named(offered)
            )
            return MalformedAction(message, action, index, offered)
        if not offered:
            message = say("The action ends at {before}; “{token}” is too much.", token=token, before=" ".join(action[:index]))
        elif index:
            message = say(
                "“{token}” is not possible after {before}; possible: {possible}.",
                token=token,
                before=" ".join(action[:index]),
                possible=_named(offered),
            )
        else:
            message = say("“{token}” is not possible now; possible: {possible}.", token=token, possible=_named(offered))
        return IllegalAction(message, action, index, offered)

    def is_whole(self, state: S, seat: int, action: Action) -> bool:
        """Whether the tokens are a whole legal action of this seat."""
        if not action:
            return False
        return any(choice.final and choice.token == action[-1] for choice in self.choices(state, seat, action[:-1]))

    def legal_actions(self, state: S, seat: int) -> Iterator[Action]:
        """Every legal action of a seat, in the order in which they are offered. A game may have a faster way."""
        yield from self._below(state, seat, ())

    def _below(self, state: S, seat: int, prefix: Action) -> Iterator[Action]:
        for choice in self.choices(state, seat, prefix):
            action = (*prefix, choice.token)
            if choice.final:
                yield action
            yield from self._below(state, seat, action)


def legal_actions(game: Game[S, V], state: S, seat: int) -> Iterator[Action]:
    """Every legal action of a seat in a state, in the order in which they are offered."""
    return game.legal_actions(state, seat)


def stream_of(position: Mapping[str, Any], chance: Chance | None) -> Chance:
    """The stream for a position that is read: the one given, else the one it carries, else `UNSEEDED`."""
    if chance is not None:
        return chance
    return chance_from_json(position["chance"]) if "chance" in position else UNSEEDED
