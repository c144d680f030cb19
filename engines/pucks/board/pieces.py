"""The pieces: meeples, ice blocks and pucks of up to six colours."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from engines.pucks.board.box import box
from engines.steps import colours_of
from engines.text import SEAT_COLOURS

COLOURS: Final = tuple(colour.lower() for colour in SEAT_COLOURS)
"""The colours in order, spelt as in actions."""


class PieceKind(StrEnum):
    """The kinds of piece. In actions they are written by their first letter."""

    MEEPLE = "meeple"
    ICE = "ice"
    PUCK = "puck"


START_MARK: Final = {PieceKind.MEEPLE: "M", PieceKind.ICE: "I", PieceKind.PUCK: "P"}
"""The mark of each kind's start spaces."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: the index of its colour, its kind, and its number within the kind, from 1. `Owners` knows who owns it."""

    colour: int
    kind: PieceKind
    number: int

    @property
    def shade(self) -> str:
        """The name of the piece's colour: "red"."""
        return COLOURS[self.colour]

    @property
    def word(self) -> str:
        """The piece's name among its owner's pieces: "p1"."""
        return f"{self.kind.value[0]}{self.number}"

    @property
    def name(self) -> str:
        """The piece's full name: "red p1"."""
        return f"{self.shade} {self.word}"


@dataclass(frozen=True, slots=True)
class Owners:
    """The colours of each seat. Seat s has the colour with index s and, if `each` is two, the one with index ``seats + s``."""

    seats: int
    each: int = 1

    @property
    def colours(self) -> int:
        """The number of colours in the game."""
        return self.seats * self.each

    @property
    def possible(self) -> bool:
        """Whether the box has that many colours."""
        return self.colours <= len(COLOURS)

    def of(self, colour: int) -> int:
        """Return the seat that plays a colour."""
        return colour % self.seats

    def colours_of(self, seat: int) -> tuple[int, ...]:
        """Return the colours that a seat plays."""
        return colours_of(seat, self.seats, self.each)


@cache
def owners_of(seats: int, each: int) -> Owners:
    """Return the owners in a game with this many players and this many colours for each."""
    return Owners(seats, each)


@cache
def all_pieces(colours: int, variant: str) -> tuple[Piece, ...]:
    """Return all pieces of a game with this many colours, colour by colour. Every state lists their places in this order."""
    rules = box().games[variant]
    own = ((PieceKind.MEEPLE, rules.meeples), (PieceKind.ICE, rules.ice), (PieceKind.PUCK, rules.pucks))
    return tuple(Piece(colour, kind, n) for colour in range(colours) for kind, count in own for n in range(1, count + 1))


@cache
def indices_of(colours: int, variant: str, colour: int) -> dict[str, int]:
    """Return the index in `all_pieces` of each piece of a colour, by the piece's word."""
    return {piece.word: i for i, piece in enumerate(all_pieces(colours, variant)) if piece.colour == colour}


@cache
def pieces_of_seat(owners: Owners, variant: str, seat: int) -> tuple[int, ...]:
    """Return the index in `all_pieces` of each piece of a seat, colour by colour."""
    return tuple(i for i, piece in enumerate(all_pieces(owners.colours, variant)) if owners.of(piece.colour) == seat)
