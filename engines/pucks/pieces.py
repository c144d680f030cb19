"""The pieces: meeples, ice blocks and pucks of up to six colours."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from engines.pucks.box import box
from engines.text import SEAT_COLOURS

COLOURS: Final = tuple(colour.lower() for colour in SEAT_COLOURS)
"""The colours of the seats, in order, as they are written in actions."""


class PieceKind(StrEnum):
    """The three kinds of piece. In actions they are written by their first letter."""

    MEEPLE = "meeple"
    ICE = "ice"
    PUCK = "puck"


START_MARK: Final = {PieceKind.MEEPLE: "M", PieceKind.ICE: "I", PieceKind.PUCK: "P"}
"""The mark of the start spaces of each kind."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: the seat whose colour it has, its kind, and its number within the kind, from 1."""

    seat: int
    kind: PieceKind
    number: int

    @property
    def colour(self) -> str:
        """Its colour as it is written: "red"."""
        return COLOURS[self.seat]

    @property
    def word(self) -> str:
        """What its owner calls it: "p1"."""
        return f"{self.kind.value[0]}{self.number}"

    @property
    def name(self) -> str:
        """Its full name: "red p1"."""
        return f"{self.colour} {self.word}"


@cache
def all_pieces(seats: int, variant: str) -> tuple[Piece, ...]:
    """All pieces of a game, seat by seat. Every state lists their spaces in this order."""
    rules = box().games[variant]
    own = ((PieceKind.MEEPLE, rules.meeples), (PieceKind.ICE, rules.ice), (PieceKind.PUCK, rules.pucks))
    return tuple(Piece(seat, kind, n) for seat in range(seats) for kind, count in own for n in range(1, count + 1))


@cache
def indices_of(seats: int, variant: str, seat: int) -> dict[str, int]:
    """The index in `all_pieces` of each piece of a seat, by the piece's word."""
    return {piece.word: i for i, piece in enumerate(all_pieces(seats, variant)) if piece.seat == seat}
