"""What pieces, directions and mats are called in sentences and on buttons."""

from functools import cache
from typing import Final

from engines.pucks.board import DIRECTIONS
from engines.pucks.layouts import RELATIONS
from engines.pucks.pieces import COLOURS, Piece, PieceKind
from engines.text import Text, say, seat_name

ARROWS: Final = ("⬆️", "➡️", "⬇️", "⬅️")
"""The emoji of each direction: up, right, down, left."""


@cache
def piece_label(piece: Piece) -> Text:
    """A piece on a button: "Ice 2"."""
    if piece.kind is PieceKind.MEEPLE:
        return say("Meeple {n}", n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("Ice {n}", n=piece.number)
    return say("Puck {n}", n=piece.number)


@cache
def piece_name(piece: Piece) -> Text:
    """A piece in a sentence, as its owner calls it: "ice block 2"."""
    if piece.kind is PieceKind.MEEPLE:
        return say("meeple {n}", n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("ice block {n}", n=piece.number)
    return say("puck {n}", n=piece.number)


@cache
def whose(piece: Piece) -> Text:
    """A piece in a sentence, with its owner: "Red’s ice block 2"."""
    owner = seat_name(piece.colour)
    if piece.kind is PieceKind.MEEPLE:
        return say("{owner}’s meeple {n}", owner=owner, n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("{owner}’s ice block {n}", owner=owner, n=piece.number)
    return say("{owner}’s puck {n}", owner=owner, n=piece.number)


@cache
def called_by(seat: int, piece: Piece) -> Text:
    """A piece in a sentence about a seat: with its owner if that is somebody else."""
    return piece_name(piece) if piece.colour == seat else whose(piece)


@cache
def pieces_of(seat: int) -> Text:
    """The label of a player's pieces."""
    return say("{who}’s pieces", who=seat_name(seat))


def seat_of(colour: str, seats: int) -> int | None:
    """The seat with a colour as it is written in actions, or None if no player has it."""
    return COLOURS.index(colour) if colour in COLOURS[:seats] else None


@cache
def direction_label(direction: int) -> Text:
    """A direction on a button."""
    return (say("Up"), say("Right"), say("Down"), say("Left"))[direction]


@cache
def direction_name(direction: str) -> Text:
    """A direction in a sentence, from its token."""
    return (say("up"), say("right"), say("down"), say("left"))[DIRECTIONS.index(direction)]


@cache
def relation_label(relation: str) -> Text:
    """Where a mat is laid beside another one, on a button."""
    return (say("North of …"), say("East of …"), say("South of …"), say("West of …"))[RELATIONS.index(relation)]


@cache
def relation_name(relation: str) -> Text:
    """Where a mat is laid beside another one, in a sentence."""
    return (say("north of"), say("east of"), say("south of"), say("west of"))[RELATIONS.index(relation)]
