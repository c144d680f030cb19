"""Works out where a piece would go in Puck Bumpers, from what everybody can see."""

from engines.pucks.board.board import DIRECTIONS, grid, space_of
from engines.pucks.board.box import box
from engines.pucks.board.motion import SLUSH_REACH, Rink, move
from engines.pucks.board.pieces import Piece
from engines.pucks.board.views import PucksView, Way


def can_go(view: PucksView, piece: Piece) -> bool:
    """Whether a piece can be moved in any direction."""
    return any(ways_of(view, piece, direction) for direction in DIRECTIONS)


def ways_of(view: PucksView, piece: Piece, direction: str) -> tuple[Way, ...]:
    """The ways of all pieces that a move in this direction ("up") would set in motion; none if it is not possible."""
    if direction not in DIRECTIONS or piece not in {placed.piece for placed in view.pieces}:
        return ()
    pieces = tuple(placed.piece for placed in view.pieces)
    rink = Rink(
        grid(view.mats, view.net_off),
        pieces,
        bumping=box().games[view.variant].bumping,
        thin_ice=view.ongoing == "thin-ice",
        reach=SLUSH_REACH if view.ongoing == "slush" else None,
    )
    places = tuple(space_of(placed.space, view.mats) for placed in view.pieces)
    motion = move(rink, places, pieces.index(piece), DIRECTIONS.index(direction))
    return () if motion is None else motion.ways(rink)
