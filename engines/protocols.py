"""Protocols of games with more than the core of `engines.game.Game`, one for each feature.

A game derives from its protocols before `Game`: ``class Bunny(Hidden[…], Words[…], Game[…])``. The functions at the end of
`engines.game` answer for every other game. Standing orders have a module of their own, `engines.orders`.
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
    """A game in which a seat can know what another seat cannot. Its `hand_verbs` are followed by a card of the hand."""

    secret: ClassVar[bool] = True
    hand_title: ClassVar[Text] = say("Hand")
    """The label of the button that shows a seat what it alone knows."""
    hand_verbs: ClassVar[tuple[Token, ...]] = ()

    @abstractmethod
    def hand(self, view: V) -> Text | None:
        """Return what the seat of this view alone knows, in words, or None if there is nothing."""

    @abstractmethod
    def resample(self, state: S, seat: int | None, chance: Chance) -> S:
        """Return a random state that this seat, or a spectator if it is None, cannot tell from the given one.

        All states that the seat cannot tell apart give the same one: what is dealt again is first sorted, wherever it was. So a
        code of what the seat knows reveals nothing else (`engines.position_codes`).
        """

    @abstractmethod
    def open_view(self, state: S) -> V:
        """Return the spectator's view with nothing hidden, for the replay of a finished game, and not before the end."""

    def shows_secret(self, before: S, action: Action, step: Step[S]) -> bool:
        """Whether an action revealed a hidden fact to a seat, apart from its draws and private events."""
        return False

    def absent_choices(self, state: S, seat: int, prefix: Action, offered: list[Choice]) -> list[Choice]:
        """Return the offered choices that reveal least about a hand, for an absent player; by default all."""
        return offered


class Foresees(ABC, Generic[S]):
    """A game that decides which actions are certain. By default, those without a draw are, if nothing is hidden."""

    @abstractmethod
    def foresee(self, state: S, seat: int, action: Action) -> Step[S] | None:
        """Return the step after a whole legal action if the seat can know it beforehand, else None. It reveals no secret."""


class OutOfTurn(ABC, Generic[S]):
    """A game in which a seat can have a legal action while the game waits for another one."""

    @abstractmethod
    def may_act(self, state: S) -> tuple[int, ...]:
        """Return the seats that have a legal action now: those of `Game.to_act`, and others out of turn."""

    @abstractmethod
    def may_interrupt(self, state: S) -> tuple[int, ...]:
        """Return the seats that may have a legal action out of turn. Depends on common knowledge alone."""


class Rounds(Generic[V]):
    """A game for more than two in which the seats take turns in an order that everybody knows."""

    def next_seats(self, view: V) -> tuple[int, ...]:
        """Return the seats whose turns come after this one, the next one first, as long as nothing changes the order.

        Empty while no order is known, as when several seats are asked at once. The view is a spectator's, so nothing is
        revealed.
        """
        return ()


class Options(Generic[V]):
    """Options (`Game.options`) that have to go together, make it another game, or hold a text that is edited."""

    def check_options(self, variant: str, seats: int, options: Mapping[str, str]) -> None:
        """Raise ValueError with a `Text` if the options, each in normal form, do not go with each other or with the table."""

    def house_rules(self, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names of the given options (in normal form) that are house rules. A game with any is not rated."""
        return ()

    def editable_text(self, name: str, variant: str, seats: int, options: Mapping[str, str]) -> str | None:
        """Return an option's value as free text to be edited ("" if empty), or None if it is edited as it is stored."""
        return None

    def start_view(self, variant: str, seats: int, options: Mapping[str, str]) -> V | None:
        """Return what everybody can see before the game begins and anything is drawn, or None if the start's view will do."""
        return None


class Words(Generic[S, V]):
    """The words about the aim and about choosing an action, and the notation of actions."""

    def aim(self, variant: str) -> Text | None:
        """Return in a few words how to win a variant, for whoever begins a game, or None if `Game.summary` says it."""
        return None

    def question(self, view: V, seat: int) -> Text:
        """Return the question to a seat that the game waits for, as others may read it: "ready to roll?".

        It follows a name and a comma, so it begins with a small letter where the language has one; a panel begins with it as a
        sentence. The view is a spectator's, so nothing is revealed.
        """
        return say("it’s your turn!")

    def prompt(self, state: S, seat: int, prefix: Action = ()) -> Text | None:
        """Return the question to a seat after these tokens, "Where does d2 bounce?", from what it may know.

        None while `question` still stands. Without tokens, only a seat that the game does not wait for has a question here.
        """
        return say("And then?") if prefix else None

    def wording(self, state: S, seat: int, action: Action) -> Text | None:
        """Return a whole legal action as an order: "Slide puck 2 up", or None if its labels say it. Reveals no secret."""
        return None

    def why_not(self, state: S, seat: int, action: Action, index: int) -> Text | None:
        """Return why the token at `index` is impossible, as far as the seat may know, or None if the choices say it best."""
        return None

    def region(self, token: Token) -> tuple[Token, Text] | None:
        """Return the key and words of a space's part of the board, by default its row, or None for a token that is no place."""
        found = _SQUARE.fullmatch(token)
        return None if found is None else (found[1], say("Row {n}", n=found[1]))

    def region_prompt(self, state: S, seat: int, prefix: Action, region: Text | None) -> Text:
        """Return the question that parts of the board answer: "Which row?", or after a `region` is picked "Which space?"."""
        return say("Which row?") if region is None else say("{region}: which space?", region=region)

    def confirm(self, action: Action) -> Text:
        """Return the label of the button that plays a whole action."""
        return say("Play")

    def notate(self, state: S, seat: int, action: Action) -> str:
        """Return an action, or its beginning, as people write it; `parse` reads it back in the same state."""
        return " ".join(action)

    def parse(self, state: S, seat: int, text: str) -> Action:
        """Return the tokens of a typed action, which need not be legal."""
        return tuple(text.lower().split())


class Buttons(Generic[S, V]):
    """Actions that take fewer clicks than picking them token by token."""

    def shortcuts(self, view: V) -> tuple[Shortcut, ...]:
        """Return up to five actions of the seat to act, for buttons on the board. The view is a spectator's."""
        return ()

    def closing(self, state: S, seat: int, action: Action) -> Shortcut | None:
        """Return an action to play after this one, if still legal: "Play and end the turn". Depends on public facts alone."""
        return None

    def following(self, state: S, seat: int, last: Action) -> Action:
        """Return the beginning of an action that goes on from `last`, the newest action of the game: the piece just moved."""
        return ()

    def rest(self, state: S, seat: int) -> tuple[Action, ...]:
        """Return the actions that use up the rest of a turn with as little effect as possible: nothing worth telling.

        Each is legal after those before it, and certain (see `Foresees`). Empty if the rules leave no such way, or the turn has
        nothing left. Depends on public facts alone.
        """
        return ()


class Packed(ABC):
    """A game that packs its positions, so that they have short codes. The codes of other games spell their positions out.

    The packing of a version of the rules never changes, so that old codes can be read: a new part is added at the end, its
    usual value first.
    """

    @abstractmethod
    def pack(self, position: Mapping[str, Any], writer: Writer) -> None:
        """Write the parts of a position of `Game.position`."""

    @abstractmethod
    def unpack(self, reader: Reader) -> dict[str, Any]:
        """Return the position whose parts `pack` wrote."""


class Pages:
    """Rules pages that have pictures, or are made from the game's own data."""

    def pages(self) -> tuple[Text, ...]:
        """Return more rules pages, in Markdown, to follow the game's rules.md. Each begins with its title as a heading."""
        return ()

    def illustrations(self) -> Mapping[str, Illustration]:
        """Return the pictures of the rules pages by the names that the pages give them: ``![A capture](capture)``."""
        return {}


class Quick(ABC, Generic[S]):
    """Faster answers to questions that `Game.choices` answers. The contract tests compare both."""

    @abstractmethod
    def is_whole(self, state: S, seat: int, action: Action) -> bool:
        """Whether the tokens are a whole legal action of this seat."""

    def legal_actions(self, state: S, seat: int) -> Iterator[Action] | None:
        """Return every legal action of a seat, in the order of the choices, or None if walking the choices is fastest."""
        return None
