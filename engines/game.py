"""The contract that every game implements, and the methods that follow from it for all games.

A `Game` is one object without state of its own. A state is an immutable value; playing an action gives a new state and the
events that led there. Legality has a single source, `Game.choices`: an action is a sequence of tokens, and it is legal if each
token is offered after the tokens before it and the last one is final.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NoReturn, TypeVar

from engines.actions import Action, Choice, IllegalAction, IncompleteAction, MalformedAction, Token, named
from engines.chance import UNSEEDED, Chance, chance_from_json
from engines.events import Event, Outcome, told
from engines.illustration import Illustration, figure
from engines.orders import Happened, Order, Response, TakesOrders
from engines.results import HasChance, Option, Shortcut, Step, View, settled
from engines.text import Text, say, seat_name

__all__ = [
    "Action",
    "Choice",
    "Event",
    "Game",
    "Happened",
    "HasChance",
    "IllegalAction",
    "Illustration",
    "IncompleteAction",
    "MalformedAction",
    "Option",
    "Order",
    "Outcome",
    "Response",
    "Shortcut",
    "Step",
    "Token",
    "View",
    "figure",
    "legal_actions",
    "stream_of",
    "told",
]

_SQUARE = re.compile(r"[a-z]([0-9]{1,2})")

S = TypeVar("S", bound=HasChance)
V = TypeVar("V", bound="View")


class Game(TakesOrders[S], ABC, Generic[S, V]):
    """The rules of one game. The docstring of this module explains how the parts fit together.

    Attributes:
        id: its name in code and commands, and that of its folder.
        title: the name people know it by.
        summary: one sentence for somebody who has never heard of it.
        rules: the version of its rules. Another one means that the same seed and log could lead to another game: that something
            else is legal, drawn or won. `engines.EARLIER` keeps those before.
        seats: the possible numbers of players.
        variants: the ids of the variants; the first is the default.
        variant_titles: the name of each variant in words.
        options: the settings offered when a table is opened, by name.
        token_pattern: what a well-formed token looks like.
        secret: whether a seat can know something that another seat cannot.
        chance: whether anything in it is drawn at random. Where nothing is, nobody has to be told of seeds.
        memory: whether remembering is part of the game. What was shown once is then not shown again while the game is going on.
        passive_tokens: the tokens that `absent_action` prefers where they are offered, most preferred first.
        verbs: first tokens that only name a kind of action ("play"): what may follow them is offered in their place, as far as
            there is room.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    rules: ClassVar[int] = 1
    seats: ClassVar[range]
    variants: ClassVar[tuple[str, ...]]
    variant_titles: ClassVar[Mapping[str, str]]
    options: ClassVar[Mapping[str, Option]] = {}
    token_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9][a-z0-9-]*")
    secret: ClassVar[bool] = False
    chance: ClassVar[bool] = True
    memory: ClassVar[bool] = False
    passive_tokens: ClassVar[tuple[Token, ...]] = ()
    verbs: ClassVar[tuple[Token, ...]] = ()

    @property
    def listed(self) -> str:
        """Its name in lists of games, where its title alone might be taken for something else."""
        return self.title

    @property
    def conditional(self) -> bool:
        """Whether moves can be planned ahead as replies to what others play: nothing is hidden, nothing is drawn."""
        return not self.secret and not self.chance and self.seats[-1] > 1

    # --- the life of a state -------------------------------------------------------------------------------------

    def start(self, seats: int, variant: str | None = None, chance: Chance = UNSEEDED, **options: str) -> S:
        """The first state. Options that are not given have their default values.

        Raises ValueError for a number of seats or a variant that the game does not have, and for options as `settle` does.
        """
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
        return self._start(seats, variant, chance, chosen | self.settle(variant, seats, options))

    def settle(self, variant: str, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Options in normal form, as they are kept and compared, without those that have their default value.

        Args:
            variant: one of the game's variants.
            seats: a possible number of players.
            options: the options that somebody has chosen, by name.

        Raises ValueError with a `Text` that says what is wrong and what is possible: with an option by itself, or with how it
        goes together with the others, the variant or the number of players.
        """
        return settled(self.options, options)

    def house_rules(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """The names of those among the options, given in normal form, that make it another game: one that is not rated."""
        return ()

    def written_out(self, name: str, variant: str, seats: int, options: Mapping[str, str]) -> str:
        """The value of an option, among options that were settled, as a free text to be changed; empty if there is none yet."""
        return options.get(name, self.options[name].values[0])

    def preview(self, variant: str, seats: int, options: Mapping[str, str]) -> V:
        """The start as everybody sees it before the game begins, without what is still to be drawn. `options` are settled."""
        return self.view(self.start(seats, variant), None)

    @abstractmethod
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> S:
        """The first state, from arguments that have been checked."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """The seats that the game is waiting for; empty when it is over."""

    def may_act(self, state: S) -> tuple[int, ...]:
        """The seats that have a legal action now: those of `to_act`, and in some games others out of turn."""
        return self.to_act(state)

    def out(self, state: S) -> tuple[int, ...]:
        """The seats that no longer take part (resigned, expelled, thrown up), as every view says."""
        return self.view(state).out

    def colours(self, state: S) -> int:
        """How many colours each seat plays, as every view says."""
        return 1

    def may_interrupt(self, state: S) -> tuple[int, ...]:
        """The seats that may have a legal action out of turn as far as everybody knows. The same whatever is hidden."""
        return ()

    @abstractmethod
    def choices(self, state: S, seat: int, prefix: Action = ()) -> list[Choice]:
        """The tokens that may follow `prefix`; empty if the seat may not act or nothing can follow."""

    def play(self, state: S, seat: int, action: Sequence[Token]) -> Step[S]:
        """The state after an action, and what happened.

        Raises:
            MalformedAction: a token does not look like any token of this game.
            IncompleteAction: the action cannot end where it does.
            IllegalAction: a token is not possible where it stands, or the seat may not act.
        """
        action = tuple(action)
        self.check(state, seat, action)
        return self._play(state, seat, action)

    @abstractmethod
    def _play(self, state: S, seat: int, action: Action) -> Step[S]:
        """Play an action that is known to be legal."""

    def advance(self, state: S, seat: int, action: Action) -> S:
        """The state after an action that is known to be legal, for programs that think ahead: without checks and words."""
        return self._play(state, seat, action).state

    def reversible(self, before: S, action: Action, step: Step[S]) -> bool:
        """Whether an action may be taken back by consent: it drew nothing at random and revealed nothing hidden."""
        return before.chance == step.state.chance and all(event.private_to is None for event in step.events)

    def absent_action(self, state: S, seat: int, rng: random.Random) -> Action:
        """A legal action for somebody who is away: the one that changes least, otherwise a random one.

        Each token is the first of `passive_tokens` that is offered, or else one of `absent_choices` chosen with `rng`. That is
        not a draw from the game's stream; the same state and an equal generator give the same action.

        Raises:
            IllegalAction: the seat may not act.
        """
        action: Action = ()
        while True:
            offered = self.absent_choices(state, seat, action)
            if not offered:
                self.check(state, seat, action)
            passive = [choice for token in self.passive_tokens for choice in offered if choice.token == token]
            choice = passive[0] if passive else rng.choice(offered)
            action = (*action, choice.token)
            if choice.final:
                return action

    def absent_choices(self, state: S, seat: int, prefix: Action = ()) -> list[Choice]:
        """What `absent_action` chooses from after `prefix`: all of `choices`, or those of them that tell least of a hand."""
        return self.choices(state, seat, prefix)

    @abstractmethod
    def withdraw(self, state: S, seat: int) -> Step[S]:
        """The state after a seat has resigned or been expelled. Raises ValueError if it has left before or the game is over."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it is going on."""

    # --- what each seat may know ----------------------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: int | None = None) -> V:
        """What this seat (None: a spectator) may know."""

    def revealed(self, state: S) -> V:
        """The spectator's view with nothing hidden, for the replay of a finished game. Never shown before the end."""
        return self.view(state)

    @abstractmethod
    def describe(self, view: V) -> Text:
        """The board in words, complete enough to play by."""

    def hand(self, view: V) -> Text | None:
        """What only the seat of this view may know, in words, or None if there is nothing."""
        return None

    def pages(self) -> tuple[Text, ...]:
        """More rules pages, in Markdown, made from the game's own data. They follow the game's rules.md.

        Each begins with a heading, its title in the list of pages, and may show an illustration: see `figure`.
        """
        return ()

    def illustrations(self) -> Mapping[str, Illustration]:
        """The pictures of the rules pages by the names that the pages give them: ``![A capture](capture)``."""
        return {}

    def shortcuts(self, view: V) -> tuple[Shortcut, ...]:
        """Up to five actions of the seat to act that the board may offer as buttons.

        The view is a spectator's, so the buttons cannot reveal anything.
        """
        return ()

    def resample(self, state: S, seat: int | None, chance: Chance) -> S:
        """A state, drawn with `chance`, that this seat (None: a spectator) cannot tell from the given one."""
        return state

    # --- words ------------------------------------------------------------------------------------------------------

    def prompt(self, state: S, seat: int, prefix: Action = ()) -> Text:
        """What a seat is asked for after these tokens: "Which piece bounces?". Depends on what the seat may know alone."""
        return say("And then?") if prefix else say("What’s your move?")

    def why_not(self, state: S, seat: int, action: Action, index: int) -> Text | None:
        """Why the token at `index` is not possible after those before it, which are: "There’s nothing behind f4 to bounce off."

        None if there is nothing better to say than what is possible instead. Depends on what the seat may know alone.
        """
        return None

    def foresee(self, state: S, seat: int, action: Action) -> Step[S] | None:
        """What a whole legal action leads to if the seat can know it before playing it, else None.

        In states that the seat cannot tell apart, either it is None or what follows looks the same to it. Games with hidden
        information decide for themselves; in others, everything is certain but what is drawn at random.
        """
        if self.secret:
            return None
        step = self.play(state, seat, action)
        return step if self.reversible(state, tuple(action), step) else None

    def closing(self, state: S, seat: int, action: Action) -> Shortcut | None:
        """An action that the seat may have played right after this whole legal one, in the same click: "Play and end the turn".

        Decided by what everybody can see, so that the offer says nothing about a hand. It is dropped if it is not legal then.
        """
        return None

    def region(self, token: Token) -> tuple[Token, Text] | None:
        """The part of the board that a square or space is looked for in where too many are offered at once: its key, and words.

        None for what is no place on the board. By default the row, the number in "c3".
        """
        found = _SQUARE.fullmatch(token)
        return None if found is None else (found[1], say("Row {n}", n=found[1]))

    def notate(self, state: S, seat: int, action: Action) -> str:
        """An action, or the beginning of one, as people write it; `parse` reads it back in the same state."""
        return " ".join(action)

    def parse(self, state: S, seat: int, text: str) -> Action:
        """The tokens of an action as somebody typed it. Does not check whether it is legal."""
        return tuple(text.lower().split())

    @abstractmethod
    def position(self, state: S, secret: bool = False) -> dict[str, Any]:
        """The state as plain JSON; if `secret`, with its random stream under "chance"."""

    @abstractmethod
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> S:
        """The state that `position` wrote, with `chance` (if given) as its stream.

        Raises ValueError, saying what is wrong, if there is no such state.
        """

    # --- what follows for every game --------------------------------------------------------------------------------

    def check(self, state: S, seat: int, action: Action) -> None:
        """Raise one of the errors that `play` raises unless the action is legal."""
        if not self.is_whole(state, seat, action):
            self._refuse(state, seat, action)

    def _refuse(self, state: S, seat: int, action: Action) -> NoReturn:
        """Raise the error that says what is wrong with an action that is not legal."""
        offered = self.choices(state, seat)
        if not offered and seat not in range(self.seats[-1]):
            raise IllegalAction(say("There is no seat {seat}.", seat=seat), action, 0, ())
        if not offered:
            raise IllegalAction(say("{who} cannot act now.", who=seat_name(seat)), action, 0, ())
        for index, token in enumerate(action):
            if all(choice.token != token for choice in offered):
                raise self._wrong(state, seat, action, index, offered)
            offered = self.choices(state, seat, action[: index + 1])
        where = say("after {before}", before=" ".join(action)) if action else say("to begin with")
        message = say("There is something missing {where}; possible: {possible}.", where=where, possible=named(offered))
        raise IncompleteAction(message, action, len(action), offered)

    def _wrong(self, state: S, seat: int, action: Action, index: int, offered: Sequence[Choice]) -> IllegalAction:
        token = action[index]
        if not self.token_pattern.fullmatch(token):
            message = say("“{token}” is no word of this game; possible here: {possible}.", token=token, possible=named(offered))
            return MalformedAction(message, action, index, offered)
        if (reason := self.why_not(state, seat, action, index)) is not None:
            message = say("{reason} Possible: {possible}.", reason=reason, possible=named(offered)) if offered else reason
        elif not offered:
            message = say("The action ends at {before}; “{token}” is too much.", token=token, before=" ".join(action[:index]))
        elif index:
            message = say(
                "“{token}” is not possible after {before}; possible: {possible}.",
                token=token,
                before=" ".join(action[:index]),
                possible=named(offered),
            )
        else:
            message = say("“{token}” is not possible now; possible: {possible}.", token=token, possible=named(offered))
        return IllegalAction(message, action, index, offered)

    def is_whole(self, state: S, seat: int, action: Action) -> bool:
        """Whether the tokens are a whole legal action of this seat. A game may override this with something faster."""
        final = False
        for index, token in enumerate(action):
            found = [choice for choice in self.choices(state, seat, action[:index]) if choice.token == token]
            if not found:
                return False
            final = found[0].final
        return final

    def legal_actions(self, state: S, seat: int) -> Iterator[Action]:
        """Every legal action of a seat, in the order of `choices`. A game may override this with something faster."""
        yield from self._below(state, seat, ())

    def _below(self, state: S, seat: int, prefix: Action) -> Iterator[Action]:
        for choice in self.choices(state, seat, prefix):
            action = (*prefix, choice.token)
            if choice.final:
                yield action
            yield from self._below(state, seat, action)


def legal_actions(game: Game[S, V], state: S, seat: int) -> Iterator[Action]:
    """Every legal action of a seat in a state, in the order of `Game.choices`."""
    return game.legal_actions(state, seat)


def stream_of(position: Mapping[str, Any], chance: Chance | None) -> Chance:
    """The stream for a position that is being read: `chance` if given, else the position's own, else `UNSEEDED`."""
    if chance is not None:
        return chance
    return chance_from_json(position["chance"]) if "chance" in position else UNSEEDED
