"""Interprets the tokens of an action in Puck Bumpers, each by those before it, and shows the board that they lead to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from engines.game import Action, Choice
from engines.pucks.board import layouts
from engines.pucks.board.board import DIRECTIONS, STEPS, Mats, cells, grid, space_of
from engines.pucks.board.box import box
from engines.pucks.board.deck import CardId
from engines.pucks.board.layouts import RELATIONS
from engines.pucks.board.motion import SLUSH_REACH, Rink, move
from engines.pucks.board.pieces import COLOURS, Piece
from engines.pucks.board.views import Placed, PucksView, Way
from renderers.pucks.fold import At


class Meaning(Enum):
    """The possible meanings of the next token of an action."""

    ACT = auto()
    PIECE = auto()
    WAY = auto()
    WAITING = auto()
    SPACE = auto()
    CARD = auto()
    PILE = auto()
    MAT = auto()
    RELATION = auto()
    TARGET = auto()
    DEGREES = auto()
    COLOUR = auto()


@dataclass(frozen=True, slots=True)
class Pick:
    """An action, as far as it has been picked.

    Attributes:
        meaning: the meaning of the next token.
        colour: the colour of the pieces in question, if the next token names a piece, or follows a token that does.
        mat: the mat to be moved or turned, or None.
        relation: the side of another mat on which `mat` is to be laid, or None.
        piece: the piece to be moved or placed, or None.
    """

    meaning: Meaning
    colour: int
    mat: str | None = None
    relation: str | None = None
    piece: str | None = None

    def names(self, piece: Piece, word: str | None) -> bool:
        """Return whether a word means this piece, given the picks so far."""
        return (piece.colour, piece.word) == (self.colour, word)


def pick_of(view: PucksView, prefix: Action) -> Pick:
    """Return the action as picked so far, with the meaning of its next token."""
    seat = view.to_move if view.seat is None else view.seat
    if not prefix:
        return Pick(Meaning.ACT, seat)
    if prefix[0] == "place":
        return _pick_to_place(view, seat, prefix[1:])
    if prefix[0] == "discard":
        return Pick(Meaning.CARD, seat)
    if prefix[0] == "play":
        return Pick(Meaning.CARD, seat) if len(prefix) == 1 else _pick_with_card(seat, prefix[1], prefix[2:])
    colour, rest = _colour_first(seat, prefix)
    return Pick(Meaning.WAY, colour, piece=rest[0]) if rest else Pick(Meaning.PIECE, colour)


def _colour_first(seat: int, named: Action) -> tuple[int, Action]:
    """Return the colour that the first token names, or else the seat's own, and the remaining tokens."""
    return (COLOURS.index(named[0]), named[1:]) if named and named[0] in COLOURS else (seat, named)


def _pick_to_place(view: PucksView, seat: int, named: Action) -> Pick:
    """Return `pick_of` for a piece to be placed. If a seat has two colours, the first token names one of them."""
    if view.colours > 1 and not named:
        return Pick(Meaning.COLOUR, seat)
    colour, rest = _colour_first(seat, named)
    return Pick(Meaning.SPACE, colour, piece=rest[0]) if rest else Pick(Meaning.WAITING, colour)


def _pick_with_card(seat: int, card_id: CardId, named: Action) -> Pick:
    """Return `pick_of` for a card to be played, given the tokens after it."""
    first = named[0] if named else None
    if card_id in {"shift", "mix"}:
        step = named[len(named) // 3 * 3 :] if card_id == "mix" else named[:3]
        meaning = (Meaning.MAT, Meaning.RELATION, Meaning.TARGET, Meaning.ACT)[len(step)]
        return Pick(meaning, seat, mat=(*step, None)[0], relation=(*step, None, None)[1])
    if card_id in {"swap", "net-off", "twist"}:
        return Pick(Meaning.DEGREES if card_id == "twist" and named else Meaning.MAT, seat, mat=first)
    if card_id == "salvage":
        return Pick(Meaning.PILE, seat)
    if card_id == "review" and first in COLOURS:
        return Pick(Meaning.SPACE, COLOURS.index(first))
    if card_id == "faceoff" and named and named[-1] in COLOURS:
        return Pick(Meaning.PIECE, COLOURS.index(named[-1]))
    return Pick(Meaning.COLOUR, seat)


def target(view_mats: Mats, pick: Pick, token: str) -> At | None:
    """Return the place next to the mat that the token names, on the side `pick.relation`, or None if either is missing."""
    other = next((mat for mat in view_mats if mat.id == token), None)
    if other is None or pick.relation not in RELATIONS:
        return None
    dx, dy = STEPS[RELATIONS.index(pick.relation)]
    return other.at[0] + dx, other.at[1] + dy


def free_sides(mats: Mats, moving: str | None) -> set[At]:
    """Return the free places beside all mats except the one to be moved."""
    taken = {mat.at for mat in mats}
    around = {(mat.at[0] + dx, mat.at[1] + dy) for mat in mats if mat.id != moving for dx, dy in STEPS}
    return around - taken


def places_needed(mats: Mats, pick: Pick, options: Sequence[Choice]) -> set[At]:
    """Return the places that must be in the picture besides those of the mats."""
    if pick.meaning is not Meaning.TARGET:
        return set()
    return {at for option in options if (at := target(mats, pick, option.token)) is not None}


def with_prefix(view: PucksView, prefix: Action) -> PucksView:
    """Return the view as the picks so far would make it, with mats moved or turned, or a piece placed."""
    mats, pieces = view.mats, view.pieces
    if prefix[:1] == ("play",):
        mats = _mats_after(mats, prefix[1:])
    if mats != view.mats:
        points = {cell.space: cell.point for mat in mats for cell in cells(mat)}
        pieces = tuple(replace(placed, point=points[placed.space]) for placed in pieces)
    if prefix[:1] == ("place",):
        pieces += _placed_piece(view, prefix[1:])
    return view if (mats, pieces) == (view.mats, view.pieces) else replace(view, mats=mats, pieces=pieces)


def _placed_piece(view: PucksView, named: Action) -> tuple[Placed, ...]:
    colour, rest = _colour_first(view.to_move, named)
    points = {cell.space: cell.point for mat in view.mats for cell in cells(mat)} if len(rest) == 2 else {}
    new = [beside for beside in view.beside if (beside.colour, beside.word) == (colour, rest[0])] if points else []
    return tuple(Placed(beside, rest[1], points[rest[1]]) for beside in new if rest[1] in points)


def _mats_after(mats: Mats, card_and_named: Action) -> Mats:
    card_id, named = card_and_named[:1], card_and_named[1:]
    letters = {mat.id for mat in mats}
    if card_id in {("shift",), ("mix",)}:
        for start in range(0, len(named) - 2, 3):
            letter, relation, other = named[start : start + 3]
            if letter in letters and other in letters and relation in RELATIONS:
                mats = layouts.shift_mat(mats, letter, relation, other)
    elif card_id == ("swap",) and len(named) == 2 and set(named) <= letters:
        mats = layouts.swap_mats(mats, named[0], named[1])
    elif card_id == ("twist",) and len(named) == 2 and named[0] in letters and named[1].isdecimal():
        mats = layouts.twist_mat(mats, named[0], int(named[1]))
    return mats


def can_go(view: PucksView, piece: Piece) -> bool:
    """Return whether a piece can be moved in at least one direction."""
    return any(ways_of(view, piece, direction) for direction in DIRECTIONS)


def ways_of(view: PucksView, piece: Piece, direction: str) -> tuple[Way, ...]:
    """Return the ways of all pieces that a move in this direction ("up") would set in motion, if the move is possible."""
    if direction not in DIRECTIONS or piece not in {placed.piece for placed in view.pieces}:
        return ()
    pieces = tuple(placed.piece for placed in view.pieces)
    rink = Rink(
        grid(view.mats, view.net_off), pieces, bumping=box().games[view.variant].bumping,
        thin_ice=view.ongoing == "thin-ice", reach=SLUSH_REACH if view.ongoing == "slush" else None,
    )  # fmt: skip
    places = tuple(space_of(placed.space, view.mats) for placed in view.pieces)
    motion = move(rink, places, pieces.index(piece), DIRECTIONS.index(direction))
    return () if motion is None else motion.ways(rink)
