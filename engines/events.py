"""What happens in a game, told to people: events, and how a game ended."""

from dataclasses import dataclass
from typing import Any

from engines.text import Text, say, seat_name


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, described for people.

    Attributes:
        kind: the game's own name for this kind of event ("move", "capture", "bump").
        seat: the seat that caused it, or None.
        text: one short sentence.
        private_to: the only seat that may know of it, or None if everybody may.
        detail: an immutable value, of a type of the game's own, from which a picture can show the event, or None. It contains
            nothing that a reader of the event may not know.
        phrase: the sentence without its subject, the name of `seat`, and without its full stop ("plays Take 3"); None if the
            sentence has another subject. With it, several things that one player did can be told in one breath.
        major: whether somebody who reads only one line about the turn should read this one: a capture, a goal, a win at hand.
    """

    kind: str
    seat: int | None
    text: str
    private_to: int | None = None
    detail: Any = None
    phrase: Text | None = None
    major: bool = False

    def known_to(self, seat: int | None) -> bool:
        """Whether this seat (None: a spectator) may know of it."""
        return self.private_to is None or self.private_to == seat


def told(kind: str, seat: int, phrase: Text, *, detail: Any = None, major: bool = False) -> Event:
    """A public event that a seat caused, from a phrase without its subject: "plays Take 3" is told as "Ann plays Take 3."."""
    text = say("{who} {did}.", who=seat_name(seat), did=phrase)
    return Event(kind, seat, text, detail=detail, phrase=phrase, major=major)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning seats (empty: nobody won; several: they share the win) and the reason, in words."""

    winners: tuple[int, ...]
    reason: str
