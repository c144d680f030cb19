"""The names of pieces, directions and mats in sentences and on buttons."""

from functools import cache
from typing import Final

from engines.pucks.board.board import DIRECTIONS
from engines.pucks.board.layouts import RELATIONS
from engines.pucks.board.pieces import COLOURS, Owners, Piece, PieceKind
from engines.text import Text, say, seat_name

_COLOURS: Final = (say("red"), say("blue"), say("green"), say("yellow"), say("purple"), say("orange"))
TURNS: Final = ("90", "180", "270")
ARROWS: Final = ("⬆️", "➡️", "⬇️", "⬅️")


@cache
def piece_label(piece: Piece) -> Text:
    """Return the name of a piece for a button: "Ice 2"."""
    if piece.kind is PieceKind.MEEPLE:
        return say("Meeple {n}", n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("Ice {n}", n=piece.number)
    return say("Puck {n}", n=piece.number)


def colour_name(colour: int) -> Text:
    """Return the name of a colour for a sentence: "red"."""
    return _COLOURS[colour]


@cache
def piece_name(owners: Owners, piece: Piece) -> Text:
    """Return a piece for a sentence as its owner names it: "ice block 2" or, with two colours each, "red ice block 2"."""
    if owners.each > 1:
        return _in_colour(piece)
    if piece.kind is PieceKind.MEEPLE:
        return say("meeple {n}", n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("ice block {n}", n=piece.number)
    return say("puck {n}", n=piece.number)


def _in_colour(piece: Piece) -> Text:
    colour = colour_name(piece.colour)
    if piece.kind is PieceKind.MEEPLE:
        return say("{colour} meeple {n}", colour=colour, n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("{colour} ice block {n}", colour=colour, n=piece.number)
    return say("{colour} puck {n}", colour=colour, n=piece.number)


@cache
def whose(owners: Owners, piece: Piece) -> Text:
    """Return a piece for a sentence, with its owner: "Red’s ice block 2" or, with two colours, "Red’s green ice block 2"."""
    owner = seat_name(owners.of(piece.colour))
    if owners.each > 1:
        return say("{owner}’s {piece}", owner=owner, piece=_in_colour(piece))
    if piece.kind is PieceKind.MEEPLE:
        return say("{owner}’s meeple {n}", owner=owner, n=piece.number)
    if piece.kind is PieceKind.ICE:
        return say("{owner}’s ice block {n}", owner=owner, n=piece.number)
    return say("{owner}’s puck {n}", owner=owner, n=piece.number)


@cache
def called_by(owners: Owners, seat: int, piece: Piece) -> Text:
    """Return the name of a piece for a sentence about a seat, with the piece's owner if that is another seat."""
    return piece_name(owners, piece) if owners.of(piece.colour) == seat else whose(owners, piece)


@cache
def pieces_of(owners: Owners, seat: int, colour: int) -> Text:
    """Return the label of a colour's pieces, for a button that a seat presses."""
    owner = owners.of(colour)
    if owners.each == 1:
        return say("{who}’s pieces", who=seat_name(owner))
    if owner == seat:
        return say("Your {colour} pieces", colour=colour_name(colour))
    return say("{who}’s {colour} pieces", who=seat_name(owner), colour=colour_name(colour))


@cache
def pucks_of(owners: Owners, colour: int) -> Text:
    """Return the label of a colour's pucks, for a button."""
    who = seat_name(owners.of(colour))
    if owners.each == 1:
        return say("{who}’s pucks", who=who)
    return say("{who}’s {colour} pucks", who=who, colour=colour_name(colour))


def colour_of(word: str, owners: Owners) -> int | None:
    """Return the colour with this name in actions, or None if it is not in the game."""
    return COLOURS.index(word) if word in COLOURS[: owners.colours] else None


@cache
def direction_label(direction: int) -> Text:
    """Return the name of a direction for a button."""
    return (say("Up"), say("Right"), say("Down"), say("Left"))[direction]


@cache
def direction_name(direction: str) -> Text:
    """Return the name of a direction for a sentence, from its token."""
    return (say("up"), say("right"), say("down"), say("left"))[DIRECTIONS.index(direction)]


@cache
def relation_label(relation: str) -> Text:
    """Return the name, for a button, of a mat's place beside another mat."""
    return (say("Above …"), say("Right of …"), say("Below …"), say("Left of …"))[RELATIONS.index(relation)]


@cache
def relation_name(relation: str) -> Text:
    """Return the name, for a sentence, of a mat's place beside another mat."""
    return (say("above"), say("to the right of"), say("below"), say("to the left of"))[RELATIONS.index(relation)]


@cache
def turn_label(degrees: str) -> Text:
    """Return the name of a mat's turn for a button, from its token."""
    labels = (say("Quarter turn clockwise (90°)"), say("Half turn (180°)"), say("Quarter turn anticlockwise (270°)"))
    return labels[TURNS.index(degrees)]


@cache
def turn_name(degrees: str) -> Text:
    """Return the name of a mat's turn for a sentence, from its token."""
    return (say("a quarter turn clockwise"), say("half a turn"), say("a quarter turn anticlockwise"))[TURNS.index(degrees)]
