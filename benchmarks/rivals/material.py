"""Bouncers by a plain alpha-beta search of fixed depth that counts pieces."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from benchmarks.matches import Request
from engines.bouncers.state import State, pieces_to_move, state_after
from engines.game import Action, Game

PIECE: Final = 2
KING: Final = 3
WON: Final = 1_000


@dataclass(frozen=True)
class AlphaBeta:
    """Looks `depth` moves ahead, and wants more pieces than the other side; a king counts one and a half."""

    depth: int

    def __call__(self, asked: Request) -> Action | None:
        found = list(moves(asked.state))
        Random(asked.stream).shuffle(found)
        best, chosen = -2 * WON, found[0][0]
        for action, after in found:
            if (value := -self.value(asked.game, after, self.depth - 1, -2 * WON, -best)) > best:
                best, chosen = value, action
        return chosen

    def value(self, game: Game[Any, Any], state: State, depth: int, alpha: int = -2 * WON, beta: int = 2 * WON) -> int:
        """What a position is worth for the side to move, after so many moves; at least `alpha`, unless it is less."""
        outcome = game.outcome(state)
        if outcome is not None:
            return 0 if not outcome.winners else WON + depth if outcome.winners == (state.to_move,) else -WON - depth
        if depth == 0:
            return material(state, state.to_move) - material(state, 1 - state.to_move)
        for _, after in moves(state):
            alpha = max(alpha, -self.value(game, after, depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha


def moves(state: State) -> Iterator[tuple[Action, State]]:
    """Every move and the position after it, those that capture most first."""
    names = state.board.names
    walks = [walk for piece in pieces_to_move(state) for walk in piece.continuations()]
    walks.sort(key=lambda walk: walk.enemy.bit_count())
    return ((tuple(names[place] for place in walk.path), state_after(state, walk)) for walk in walks)


def material(state: State, seat: int) -> int:
    side = state.sides[seat]
    return PIECE * side.bit_count() + (KING - PIECE) * (side & state.kings).bit_count()
