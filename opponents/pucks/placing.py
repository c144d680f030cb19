"""Placing the pieces: each where the outlook is best, pucks first."""

from engines.game import Action
from engines.pucks.board.board import space_name
from engines.pucks.board.pieces import PieceKind
from engines.pucks.board.state import State
from engines.pucks.play.placing import free_starts, unplaced_pieces
from opponents.pucks.outlook import company_of, rink_for, shares_of, situation_of

_ORDER = (PieceKind.PUCK, PieceKind.ICE, PieceKind.MEEPLE)


def place(state: State, seat: int) -> Action:
    """Return the next piece that a seat places, and its space."""
    pieces = state.pieces
    piece = min(unplaced_pieces(state, seat), key=lambda index: (_ORDER.index(pieces[index].kind), index))
    space = max(free_starts(state, piece), key=lambda there: _chance(state, seat, piece, there))
    known = pieces[piece]
    named = (known.shade, known.word) if state.colours > 1 else (known.word,)
    return ("place", *named, space_name(space))


def _chance(state: State, seat: int, piece: int, space: int) -> float:
    """Return a seat's chance to win with a piece on a space, at first sight."""
    rink, places = rink_for(state.table), state.table.places
    spots = rink.spots((*places[:piece], space, *places[piece + 1 :]))
    return shares_of(company_of(state).distances(rink, spots), situation_of(state)._replace(left=1))[seat]
