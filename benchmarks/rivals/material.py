"""Bouncers played by a plain alpha-beta search of fixed depth that counts pieces."""

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
    """A player that looks `depth` moves ahead, and wants more pieces than the other side. A king counts as one and a half."""

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
        """Return what a position is worth for the side to move, looking `depth` moves ahead.

        If it is worth less than `alpha`, the result may be `alpha` instead.
        """
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
    """Yield every move with the position after it. Moves that capture most come first."""
    names = state.board.names
    walks = [walk for piece in pieces_to_move(state) for walk in piece.continuations()]
    walks.sort(key=lambda walk: walk.enemy.bit_count())
    return ((tuple(names[place] for place in walk.path), state_after(state, walk)) for walk in walks)


def material(state: State, seat: int) -> int:
    side = state.sides[seat]
    return PIECE * side.bit_count() + (KING - PIECE) * (side & state.kings).bit_count()
