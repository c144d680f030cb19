"""Endings of Bouncers solved again, by the rules of `tests.engines.bouncers.slow` alone.

A value is the number of plies to the end, odd if the side to move wins and even if it loses; None is a draw.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from random import Random

from engines.bouncers.state import SETUPS
from opponents.bouncers.evaluation import Position
from opponents.bouncers.tables import layout_of, table_of
from tests.engines.bouncers.slow import Board, Man, Square, last_rank, moves, won

Value = int | None

GEOMETRIES = sorted({(setup.size, setup.terminal) for setup in SETUPS.values()})
"""The size of the board, and whether the last rank wins."""


def squares_of(size: int) -> list[Square]:
    return [(file, rank) for file in range(1, size + 1) for rank in range(1, size + 1)]


def possible(board: Board) -> bool:
    """Whether the game goes on with these pieces, and each may stand where it does."""
    arrived = any(not man.king and at[1] == last_rank(board, man.colour) for at, man in board.men.items())
    return not won(board) and not arrived


def boards(size: int, terminal: bool, pieces: int, to_move: Sequence[str] = ("red", "blue")) -> Iterator[Board]:
    squares = squares_of(size)
    men = [Man(colour, king) for colour in ("red", "blue") for king in ([False] if terminal else [False, True])]
    for ats in combinations(squares, pieces):
        for who in product(men, repeat=pieces):
            for mover in to_move:
                board = Board(size, terminal, dict(zip(ats, who, strict=True)), mover)
                if possible(board):
                    yield board


def random_board(size: int, terminal: bool, pieces: int, rng: Random) -> Board:
    squares = squares_of(size)
    while True:
        men = {at: Man(rng.choice(["red", "blue"]), not terminal and rng.random() < 0.5) for at in rng.sample(squares, pieces)}
        if possible(board := Board(size, terminal, men, rng.choice(["red", "blue"]))):
            return board


def lone_file(board: Board) -> int:
    """The file of a colour's only piece, in a position of three pieces."""
    files = {colour: [at[0] for at, man in board.men.items() if man.colour == colour] for colour in ("red", "blue")}
    return min(files.values(), key=len)[0]


def position_of(board: Board) -> Position:
    """The position as the opponent writes it."""
    bits = {at: 1 << (at[1] - 1) * board.size + at[0] - 1 for at in board.men}
    own = sum(bits[at] for at, man in board.men.items() if man.colour == board.to_move)
    kings = sum(bits[at] for at, man in board.men.items() if man.king)
    return own, sum(bits.values()) - own, kings, int(board.to_move == "blue")


def looked_up(board: Board) -> Value:
    index = layout_of(board.size, board.terminal).index(position_of(board))
    assert index is not None
    stored = table_of(board.size, board.terminal)[index]
    return stored - 1 if stored else None


def value_of(board: Board, value_after: Callable[[Board], Value]) -> Value:
    """The value of a position by those after each move. A move that wins leaves a lost one."""
    after = [0 if won(result.board) else value_after(result.board) for result in moves(board)]
    return best_of(after)


def best_of(after: Sequence[Value]) -> Value:
    if lost := [plies for plies in after if plies is not None and plies % 2 == 0]:
        return min(lost) + 1
    if None in after:
        return None
    return max((plies for plies in after if plies is not None), default=-1) + 1


def solved(size: int, terminal: bool) -> dict[Position, Value]:
    """The value of every position of two pieces, by going through all of them until nothing changes."""
    after: dict[Position, list[Position | None]] = {
        position_of(board): [None if won(result.board) else position_of(result.board) for result in moves(board)]
        for board in boards(size, terminal, 2)
    }
    values: dict[Position, Value] = dict.fromkeys(after)
    while True:
        better = {
            position: best_of([0 if reached is None else values[reached] for reached in reachable])
            for position, reachable in after.items()
        }
        if better == values:
            return values
        values = better
