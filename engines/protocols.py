"""The protocols of games that have more than the core (`engines.game.Game`). There is one for each feature.

A game derives from its protocols before `Game`: ``class Bunny(Hidden[…], Words[…], Game[…])``. The functions at the end of
`engines.game` give the answers for all other games. Standing orders have a module of their own, `engines.orders`.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from engines.actions import Action, Choice, Token
from engines.chance import Chance
from engines.packing import Reader, Writer
from engines.steps import Illustration, Shortcut, Step, View
from engines.text import Text, say

_SQUARE = re.compile(r"[a-z]([0-9]{1,2})")
S = TypeVar("S")
V = TypeVar("V", bound=View)


class Hidden(ABC, Generic[S, V]):
    """A game in which a seat can know what another seat cannot. After each of the `hand_verbs` comes a card from the hand."""

    secret: ClassVar[bool] = True
    hand_title: ClassVar[Text] = say("Hand")
    """The label of the button that shows a seat what it alone knows."""
    hand_verbs: ClassVar[tuple[Token, ...]] = ()

    @abstractmethod
    def hand(self, view: V) -> Text | None:
        """Return, in words, what only the seat of this view knows, or None if there is nothing of the kind."""

    @abstractmethod
    def resample(self, state: S, seat: int | None, chance: Chance) -> S:
        """Return a random state that this seat (or a spectator, if it is None) cannot tell from the given one.

        All states that the seat cannot tell apart lead to the same result, because whatever is dealt again is sorted first,
        wherever it was. So a code of what the seat knows reveals nothing else (`engines.position_codes`).
        """

    @abstractmethod
    def open_view(self, state: S) -> V:
        """Return the spectator's view with nothing hidden, for the replay of a finished game. Never show it before the end."""

    def shows_secret(self, before: S, action: Action, step: Step[S]) -> bool:
        """Whether an action revealed a hidden fact to a seat in another way than by its draws and private events."""
        return False

    def absent_choices(self, state: S, seat: int, prefix: Action, offered: list[Choice]) -> list[Choice]:
        """Return those of the offered choices that reveal least about an absent player's hand. By default, return all."""
        return offered


class Foresees(ABC, Generic[S]):
    """A game that decides itself which actions are certain. In other games without secrets, those that draw nothing are."""

    @abstractmethod
    def foresee(self, state: S, seat: int, action: Action) -> Step[S] | None:
        """Return the step after a whole legal action, or None if the seat cannot know it beforehand. It reveals no secret."""


class OutOfTurn(ABC, Generic[S]):
    """A game in which a seat can have a legal action while the game waits for another one."""

    @abstractmethod
    def may_act(self, state: S) -> tuple[int, ...]:
        """Return the seats that have a legal action now: those of `Game.to_act`, and others out of turn."""

    @abstractmethod
    def may_interrupt(self, state: S) -> tuple[int, ...]:
        """Return the seats that may have a legal action out of turn. This depends on common knowledge alone."""


class Rounds(Generic[V]):
    """A game for more than two players in which the seats take turns in an order that everybody knows."""

    def next_seats(self, view: V) -> tuple[int, ...]:
        """Return the seats whose turns come after this one, the next one first, as long as nothing changes the order.

        There are none while the order is not known, for example while several seats are asked at once. The view is a
        spectator's, so nothing is revealed.
        """
        return ()


class Options(Generic[V]):
    """A game whose options (`Game.options`) depend on each other, include house rules, or hold text to be edited."""

    def check_options(self, variant: str, seats: int, options: Mapping[str, str]) -> None:
        """Raise ValueError with a `Text` if the options, each in normal form, do not go with each other or with the table."""

    def house_rules(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names of the options (in normal form) that are house rules. A game with any of these is not rated."""
        return ()

    def editable_text(self, name: str, variant: str, seats: int, options: Mapping[str, str]) -> str | None:
        """Return an option's value as free text to be edited ("" if empty), or None if it is edited as it is stored."""
        return None

    def start_view(self, variant: str, seats: int, options: Mapping[str, str]) -> V | None:
        """Return what everybody sees before the game begins and anything is drawn, or None if the first state shows it."""
        return None


class Words(Generic[S, V]):
    """The words about the aim and about choosing an action, and the notation of actions."""

    def aim(self, variant: str) -> Text | None:
        """Return, in a few words, how to win a variant, for somebody who begins a game, or None if `Game.summary` says it."""
        return None

    def question(self, view: V, seat: int) -> Text:
        """Return the question to a seat for which the game waits, in words that others may read ("ready to roll?").

        It follows a name and a comma, so it begins with a small letter in languages that have one. A panel begins with it as a
        sentence of its own. The view is a spectator's, so nothing is revealed.
        """
        return say("it’s your turn!")

    def prompt(self, state: S, seat: int, prefix: Action = ()) -> Text | None:
        """Return the question to a seat after these tokens ("Where does d2 bounce?"), based on what the seat may know.

        Return None while `question` still stands. If there are no tokens, only a seat that the game is not waiting for gets a
        question here.
        """
        return say("And then?") if prefix else None

    def wording(self, state: S, seat: int, action: Action) -> Text | None:
        """Return a whole legal action as an order ("Slide puck 2 up") that reveals no secret, or None if its labels say it."""
        return None

    def why_not(self, state: S, seat: int, action: Action, index: int) -> Text | None:
        """Return why the token at `index` is impossible, as far as the seat may know, or None if the choices say it best."""
        return None

    def region(self, token: Token) -> tuple[Token, Text] | None:
        """Return the part of the board that has a space (by default its row) as a key and words, or None for other tokens."""
        found = _SQUARE.fullmatch(token)
        return None if found is None else (found[1], say("Row {n}", n=found[1]))

    def region_prompt(self, state: S, seat: int, prefix: Action, region: Text | None) -> Text:
        """Return the question that asks for a part of the board ("Which row?") or a space of the `region` ("Which space?")."""
        return say("Which row?") if region is None else say("{region}: which space?", region=region)

    def confirm(self, action: Action) -> Text:
        """Return the label of the button that plays a whole action."""
        return say("Play")

    def notate(self, state: S, seat: int, action: Action) -> str:
        """Return a whole or unfinished action as people write it. `parse` reads it back in the same state."""
        return " ".join(action)

    def parse(self, state: S, seat: int, text: str) -> Action:
        """Return the tokens of an action that somebody typed. The action need not be legal."""
        return tuple(text.lower().split())


class Buttons(Generic[S, V]):
    """Actions that take fewer clicks than picking their tokens one by one."""

    def shortcuts(self, view: V) -> tuple[Shortcut, ...]:
        """Return up to five actions of the seat whose turn it is, for buttons on the board. The view is a spectator's."""
        return ()

    def closing(self, state: S, seat: int, action: Action) -> Shortcut | None:
        """Return an action to offer together with this one ("Play and end the turn"). It depends on public facts alone."""
        return None

    def following(self, state: S, seat: int, last: Action) -> Action:
        """Return the start of an action that goes on from the game's newest one (`last`), such as the piece just moved."""
        return ()

    def rest(self, state: S, seat: int) -> tuple[Action, ...]:
        """Return actions that use up the rest of a turn with as little effect as possible, so that nothing is worth telling.

        Each is legal after those before it, and certain (see `Foresees`). There are none if the rules leave no such way, or if
        nothing of the turn is left. The answer depends on public facts alone.
        """
        return ()


class Packed(ABC):
    """A game that packs its positions, so that their codes are short. The codes of other games spell positions out.

    The packing for a version of the rules never changes, so that old codes can still be read. A new part is added at the end,
    with its usual value first.
    """

    @abstractmethod
    def pack(self, position: Mapping[str, Any], writer: Writer) -> None:
        """Write the parts of a position that `Game.position` returned."""

    @abstractmethod
    def unpack(self, reader: Reader) -> dict[str, Any]:
        """Return the position whose parts `pack` wrote."""


class Pages:
    """Rules pages with pictures, or with text that is made from the game's own data."""

    def pages(self) -> tuple[Text, ...]:
        """Return the rules pages, in Markdown, that follow the game's rules.md. Each begins with its title as a heading."""
        return ()

    def illustrations(self) -> Mapping[str, Illustration]:
        """Return the pictures of the rules pages, by the names that the pages use for them: ``![A capture](capture)``."""
        return {}


class Quick(ABC, Generic[S]):
    """Faster answers to questions that `Game.choices` answers. The contract tests compare both."""

    @abstractmethod
    def is_whole(self, state: S, seat: int, action: Action) -> bool:
        """Whether the tokens are a whole legal action of this seat."""

    def legal_actions(self, state: S, seat: int) -> Iterator[Action] | None:
        """Return every legal action of a seat, in the order of the choices, or None if walking the choices is fastest."""
        return None
