"""What some games have beside the core of `engines.game.Game`, a protocol for each.

A game derives from those that it has something to say about, before `Game`: ``class Bunny(Hidden[…], Words[…], Game[…])``. For
every other game the functions at the end of `engines.game` have an answer. Standing orders have a module of their own,
`engines.orders`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, Generic, TypeVar

from engines.actions import Action, Choice, Token
from engines.chance import Chance
from engines.illustration import Illustration
from engines.results import Shortcut, Step, View
from engines.text import Text, say

_SQUARE = re.compile(r"[a-z]([0-9]{1,2})")

S = TypeVar("S")
V = TypeVar("V", bound=View)


class Hidden(ABC, Generic[S, V]):
    """A seat can know something that another seat cannot."""

    secret: ClassVar[bool] = True

    @abstractmethod
    def hand(self, view: V) -> Text | None:
        """What only the seat of this view may know, in words; None if there is nothing."""

    @abstractmethod
    def resample(self, state: S, seat: int | None, chance: Chance) -> S:
        """A state, drawn with `chance`, that this seat (None: a spectator) cannot tell from the given one."""

    @abstractmethod
    def open_view(self, state: S) -> V:
        """The spectator's view with nothing hidden, for the replay of a finished game. It is not shown before the end."""

    def shows_secret(self, before: S, action: Action, step: Step[S]) -> bool:
        """Whether an action showed somebody what was hidden, apart from what it drew and from private events."""
        return False

    def absent_choices(self, state: S, seat: int, prefix: Action, offered: list[Choice]) -> list[Choice]:
        """Those of the offered choices that tell least of a hand, for a seat that is away. By default all of them."""
        return offered


class Foresees(ABC, Generic[S]):
    """The game decides which actions are certain. Without this protocol those are that draw nothing, if nothing is hidden."""

    @abstractmethod
    def foresee(self, state: S, seat: int, action: Action) -> Step[S] | None:
        """What a whole legal action leads to if the seat can know it before playing it, else None.

        In states that the seat cannot tell apart, either it is None or what follows looks the same to it.
        """


class OutOfTurn(ABC, Generic[S]):
    """A seat can have a legal action while the game waits for another one."""

    @abstractmethod
    def may_act(self, state: S) -> tuple[int, ...]:
        """The seats that have a legal action now: those of `Game.to_act`, and others out of turn."""

    @abstractmethod
    def may_interrupt(self, state: S) -> tuple[int, ...]:
        """The seats that may have a legal action out of turn as far as everybody knows. The same whatever is hidden."""


class Options(Generic[V]):
    """Options (`Game.options`) that have to go together, make it another game, or hold a text that is edited."""

    def check_options(self, variant: str, seats: int, options: Mapping[str, str]) -> None:
        """Raise ValueError with a `Text` if the options, each in normal form, do not go with each other or with the table."""

    def house_rules(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """The names of those among the options, given in normal form, that make it another game: one that is not rated."""
        return ()

    def editable_text(self, name: str, variant: str, seats: int, options: Mapping[str, str]) -> str | None:
        """The value of an option as a free text to be changed, if it is not written as it is stored; "": there is none yet."""
        return None

    def start_view(self, variant: str, seats: int, options: Mapping[str, str]) -> V | None:
        """The start as everybody sees it before the game begins, without what is still to be drawn; None: as it begins."""
        return None


class Words(Generic[S]):
    """What is said about choosing an action, and how actions are written."""

    def prompt(self, state: S, seat: int, prefix: Action = ()) -> Text:
        """What a seat is asked for after these tokens: "Which piece bounces?". Depends on what the seat may know alone."""
        return say("And then?") if prefix else say("What’s your move?")

    def why_not(self, state: S, seat: int, action: Action, index: int) -> Text | None:
        """Why the token at `index` is not possible after those before it, which are: "There’s nothing behind f4 to bounce off."

        None if there is nothing better to say than what is possible instead. Depends on what the seat may know alone.
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


class Buttons(Generic[S, V]):
    """Whole actions that are a single click."""

    def shortcuts(self, view: V) -> tuple[Shortcut, ...]:
        """Up to five actions of the seat to act that the board may offer as buttons.

        The view is a spectator's, so the buttons cannot reveal anything.
        """
        return ()

    def closing(self, state: S, seat: int, action: Action) -> Shortcut | None:
        """An action that the seat may have played right after this whole legal one, in the same click: "Play and end the turn".

        Decided by what everybody can see, so that the offer says nothing about a hand. It is dropped if it is not legal then.
        """
        return None


class Pages:
    """Rules pages that have pictures, or are made from the game's own data."""

    def pages(self) -> tuple[Text, ...]:
        """More rules pages, in Markdown. They follow the game's rules.md.

        Each begins with a heading, its title in the list of pages, and may show an illustration: see `figure`.
        """
        return ()

    def illustrations(self) -> Mapping[str, Illustration]:
        """The pictures of the rules pages by the names that the pages give them: ``![A capture](capture)``."""
        return {}


class Quick(ABC, Generic[S]):
    """Faster answers to what follows from `Game.choices`. The contract tests compare both."""

    @abstractmethod
    def is_whole(self, state: S, seat: int, action: Action) -> bool:
        """Whether the tokens are a whole legal action of this seat."""

    def legal_actions(self, state: S, seat: int) -> Iterator[Action] | None:
        """Every legal action of a seat, in the order of the choices; None: there is no faster way than to follow those."""
        return None
