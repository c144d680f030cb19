"""Bouncers: counters that can only move by bouncing off something behind them, and capture what they bounce towards."""

from dataclasses import dataclass

from engines.game import View


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board: its square ("c2"), whose it is, and whether it is a king."""

    square: str
    seat: int
    king: bool


@dataclass(frozen=True, kw_only=True)
class BouncersView(View):
    """The board, which everybody may see whole. `scores` are the pieces left to each seat.

    Attributes:
        size: how many files and ranks the board has, 8 or 10.
        pieces: every piece, from square a1 rank by rank.
    """

    size: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Path:
    """The detail of a "move" event: what one move did.

    Attributes:
        squares: where the piece stood, and every square it bounced to.
        captured: what it captured, in order: square, seat, whether it was a king.
        promoted: whether it became a king at the end.
    """

    squares: tuple[str, ...]
    captured: tuple[tuple[str, int, bool], ...]
    promoted: bool
