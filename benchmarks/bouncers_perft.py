"""The speed of move generation: perft of Bouncers beside perft of chess by python-chess, in the same run.

Both go through the tree of moves from the starting position, and count the last moves without playing them (bulk counting). The
figure is the number of leaves per second, the best of several repetitions in turns.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import chess

from benchmarks.figures import Figure, Reference, times_at_least
from engines.bouncers import Bouncers, perft

REPETITIONS = 5
CHESS_DEPTH = 4
CHESS_LEAVES = 197_281
BOUNCERS_DEPTHS = {"8x8-16": 3, "8x8-12": 4, "10x10-20": 3}
TINY: Final[Mapping[str, Any]] = {"repetitions": 1, "less_deep": 2}


def chess_perft(board: chess.Board, depth: int) -> int:
    """Return the number of sequences of `depth` moves, counted as in python-chess's own examples."""
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += chess_perft(board, depth - 1)
        board.pop()
    return leaves


def timed(count: Callable[[], int]) -> tuple[int, float]:
    """Return the count, and the seconds that counting took."""
    began = time.perf_counter()
    leaves = count()
    return leaves, time.perf_counter() - began


def run(repetitions: int = REPETITIONS, less_deep: int = 0) -> Iterator[Figure]:
    """Yield a figure for each board. Bouncers is searched `less_deep` moves less deep."""
    game, board = Bouncers(), chess.Board()
    counts: dict[str, Callable[[], int]] = {"chess": partial(chess_perft, board, CHESS_DEPTH)}
    for variant, depth in BOUNCERS_DEPTHS.items():
        counts[variant] = partial(perft, game.start(2, variant), depth - less_deep)
    leaves: dict[str, int] = {}
    best = dict.fromkeys(counts, float("inf"))
    for _ in range(repetitions):
        for name, count in counts.items():
            leaves[name], seconds = timed(count)
            best[name] = min(best[name], seconds)
    assert leaves["chess"] == CHESS_LEAVES, "this is not chess"
    rates = {name: leaves[name] / best[name] for name in counts}
    reference = Reference(f"chess by python-chess {chess.__version__}, depth {CHESS_DEPTH}", rates["chess"])
    for variant, depth in BOUNCERS_DEPTHS.items():
        name = f"perft of Bouncers {variant}, depth {depth}"
        yield Figure(name=name, value=rates[variant], unit="a second", reference=reference, aims=times_at_least(1))
