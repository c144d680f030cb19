"""The rest of a turn: going on with the piece that was just moved, and steps that use up the actions left.

Nobody may pass while an action is legal. But a player who has done what they wanted can still leave the board nearly as it is:
two pieces step aside and back again, one after the other, since no move may take back the one before it.
"""

from itertools import chain, cycle, islice
from typing import NamedTuple

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS, SPACES
from engines.pucks.board.motion import Motion, Rink
from engines.pucks.board.pieces import COLOURS, PieceKind
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase, Stop
from engines.pucks.play import moves


def following(state: State, seat: int, last: Action) -> Action:
    """Return the piece that `last` moved, as the beginning of an action, if it can be moved again in this turn."""
    if not _acts(state, seat) or last[-1] not in DIRECTIONS:
        return ()
    return last[:-1] if moves.choices(state, last[:-1]) else ()


def rest(state: State, seat: int) -> tuple[Action, ...]:
    """Return steps that use up the actions left in a turn that has begun. There may be none.

    Meeples and ice blocks of the player step to an adjacent space and, as far as the number of actions allows, back again. They
    bump nothing, and they neither enter nor leave a goal.
    """
    left = state.allowed - state.taken
    if not _acts(state, seat) or left <= 0:
        return ()
    steps = _steps_aside(state)
    if len(steps) < min(left, 2):
        return ()
    # As few pieces as possible end elsewhere: two are back after four steps, three after the first six.
    two, three = ([*(s.there for s in steps[:n]), *(s.back for s in steps[:n])] for n in (2, 3))
    return tuple(islice(chain(three if left % 4 == 2 and left > 2 and len(steps) > 2 else (), cycle(two)), left))


def _acts(state: State, seat: int) -> bool:
    """Whether it is this seat's turn, the seat has taken an action in it, and pieces may be moved now."""
    acting = state.phase is Phase.ACT and seat == state.to_move and not state.winning
    return acting and state.taken > 0 and moves.may_move_pieces(state)


class _Step(NamedTuple):
    """A step of a piece to the next space, and the step back."""

    there: Action
    back: Action


def _steps_aside(state: State) -> list[_Step]:
    """Return a step for up to three pieces that can step aside, meeples first. No two of the pieces go to the same space."""
    rink = state.rink()
    found: list[_Step] = []
    taken: set[int] = set()
    own = [index for index in state.pieces_of(state.to_move) if state.pieces[index].kind is not PieceKind.PUCK]
    for piece in sorted(own, key=lambda index: state.pieces[index].kind is not PieceKind.MEEPLE):
        ways = [
            way for way in moves.motions(state, rink, piece) if _is_quiet(rink, way[1]) and way[1].places[piece] not in taken
        ]
        if ways and len(found) < 3:
            start = state.table.places[piece]
            direction, motion = min(ways, key=lambda way: way[1].places[piece] // SPACES != start // SPACES)
            taken.add(motion.places[piece])
            known = state.pieces[piece]
            named = (COLOURS[known.colour], known.word) if state.owners.each > 1 else (known.word,)
            found.append(_Step((*named, DIRECTIONS[direction]), (*named, DIRECTIONS[(direction + 2) % 4])))
    return found


def _is_quiet(rink: Rink, motion: Motion) -> bool:
    """Whether a motion is one piece's step between two spaces that are not goals."""
    (leg, *more) = motion.legs
    return not more and leg.stop is Stop.STEP and all(rink.grid.marks[space] != "G" for space in leg.spaces)
