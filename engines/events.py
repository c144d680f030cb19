"""Events of a game, told to people, and how a game ended."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engines.text import Text, say, seat_name


@dataclass(frozen=True, slots=True)
class Saying:
    """Words that are put together when they are read. Most events never are.

    Attributes:
        words: a function of a module, which puts them together.
        values: its arguments: immutable values that contain nothing that a reader may not know.
    """

    words: Callable[..., Text]
    values: tuple[Any, ...]


def later(words: Callable[..., Text], *values: Any) -> Saying:
    """Words for an event, to be put together by `words(*values)` when they are read."""
    return Saying(words, values)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, described for people.

    Attributes:
        kind: the game's own name for this kind of event ("move", "capture", "bump").
        seat: the seat that caused it, or None.
        said: one short sentence; if `phrased`, without its subject, which is `seat`, and without its full stop.
        private_to: the only seat that may know of it, or None if everybody may.
        detail: an immutable value, of a type of the game's own, from which a picture can show the event, or None. It contains
            nothing that a reader of the event may not know.
        phrased: whether the sentence lacks its subject. Several such things that one player did can be told in one breath.
        major: whether this is the line to read where only one is read about the turn: a capture, a goal, a win at hand.
    """

    kind: str
    seat: int | None
    said: str | Saying
    private_to: int | None = None
    detail: Any = None
    phrased: bool = False
    major: bool = False

    @property
    def text(self) -> str:
        """One short sentence."""
        said = self._words()
        return say("{who} {did}.", who=seat_name(self.seat), did=said) if self.phrased and self.seat is not None else said

    @property
    def phrase(self) -> str | None:
        """The sentence without its subject and its full stop ("plays Take 3"); None if its subject is not the seat."""
        return self._words() if self.phrased else None

    def _words(self) -> str:
        return self.said.words(*self.said.values) if isinstance(self.said, Saying) else self.said

    def known_to(self, seat: int | None) -> bool:
        """Whether this seat (None: a spectator) may know of it."""
        return self.private_to is None or self.private_to == seat


def deed(kind: str, seat: int, phrase: Text | Saying, *, detail: Any = None, major: bool = False) -> Event:
    """A public event that a seat caused, from a phrase without its subject: "plays Take 3" is told as "Ann plays Take 3."."""
    return Event(kind, seat, phrase, detail=detail, phrased=True, major=major)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning seats (empty: nobody won; several: they share the win) and the reason, in words."""

    winners: tuple[int, ...]
    reason: str
