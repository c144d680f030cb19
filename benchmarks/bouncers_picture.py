"""The time to draw a Bouncers board as a PNG file, and its size, beside a chess board drawn by chess.svg and cairosvg.

Both pictures have 1024 pixels, 32 pieces and the last move. They are drawn in the same run and in turns; the figure is the best
of several repetitions. Bouncers is drawn from a warm cache, as by a running bot. The time of a process's first picture is
given, too.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import chess
import chess.svg

from benchmarks.figures import Figure, Reference, at_most, times_at_least
from engines.bouncers import Bouncers
from engines.game import View
from renderers import draw
from renderers.scene import Scene

REPETITIONS = 15
SIDE = 1024
AIMS_MS, AIM_TIMES, AIM_KB = (5, 7), 10, 75
TINY: Final[Mapping[str, Any]] = {"repetitions": 1}


def bouncers_boards() -> list[tuple[str, View, Scene]]:
    """Return the position after the first move and one after a long move on a crowded board, each with its name."""
    game = Bouncers()
    opening = game.start(2)
    melee = game.from_position(
        {
            "variant": "8x8-16",
            "to_move": 0,
            "red": ["a1", "b1", "c1", "d1", "h1", "c2", "e2", "a4", "b4", "d4", "f4", "h5", "g7"],
            "red_kings": [],
            "blue": ["h3", "e5", "c6", "e6", "a7", "c7", "h7", "a8", "b8", "d8", "e8"],
            "blue_kings": ["f1"],
        }
    )
    boards: list[tuple[str, View, Scene]] = []
    for name, state, action in (
        ("after the first move", opening, ("c2", "c3")),
        ("after a move of 13 steps", melee, tuple("d1e1f2g2f3g4h4g5f5f6g6f7e7e8"[at : at + 2] for at in range(0, 28, 2))),
    ):
        step = game.play(state, 0, action)
        boards.append((name, game.view(step.state), Scene(names=("Ann", "Bob"), events=step.events)))
    return boards


def chess_picture() -> Callable[[], bytes] | str:
    """Return a function that draws a chess board as a PNG file, or the reason why there is none here."""
    try:
        # Imported here because it fails where the system has no libcairo. The package has no type hints.
        import cairosvg  # type: ignore[import-untyped]  # noqa: PLC0415
    except OSError as error:
        return str(error).splitlines()[0]
    board = chess.Board()
    board.push_san("e4")

    def drawn() -> bytes:
        svg = chess.svg.board(board, size=SIDE, lastmove=board.peek())
        return bytes(cairosvg.svg2png(bytestring=svg.encode()))

    return drawn


def timed(call: Callable[[], bytes]) -> tuple[float, int]:
    """Return the milliseconds of CPU that a call takes, and the size of what it returns, in bytes."""
    began = time.process_time()
    size = len(call())
    return (time.process_time() - began) * 1000, size


def best_of(calls: Mapping[str, Callable[[], bytes]], repetitions: int) -> tuple[dict[str, float], dict[str, int]]:
    """Return the fewest milliseconds of each call, when all are repeated in turns, and the size of its result in bytes."""
    best, sizes = dict.fromkeys(calls, float("inf")), dict.fromkeys(calls, 0)
    for _ in range(repetitions):
        for name, call in calls.items():
            taken, sizes[name] = timed(call)
            best[name] = min(best[name], taken)
    return best, sizes


def picture_figures(
    name: str, millis: float, size: int, reference: Reference | None, aims: tuple[float, float, float | None]
) -> Iterator[Figure]:
    """Yield a picture's time beside the reference, and its size. `aims` are those for milliseconds, ratio, and perhaps kB."""
    most, times, kilobytes = aims
    yield Figure(name=name, value=millis, unit="ms CPU", reference=reference, times_better=True,
                 aims=(*at_most(most), *times_at_least(times)))  # fmt: skip
    yield Figure(name=f"{name}, its size", value=size / 1000, unit="kB", aims=() if kilobytes is None else at_most(kilobytes))


def run(repetitions: int = REPETITIONS) -> Iterator[Figure]:
    boards = bouncers_boards()
    calls: dict[str, Callable[[], bytes]] = {name: partial(draw, "bouncers", view, scene) for name, view, scene in boards}
    first, _ = timed(calls[boards[0][0]])
    chessboard = chess_picture()
    left_out = f"the reference is left out: {chessboard}" if isinstance(chessboard, str) else ""
    yield Figure(name="the first picture of a process", value=first, unit="ms CPU", note=left_out)
    if not isinstance(chessboard, str):
        calls["chess"] = chessboard
    best, sizes = best_of(calls, repetitions)
    reference = None if left_out else Reference("chess.svg with cairosvg", best["chess"])
    for (name, _, _), most in zip(boards, AIMS_MS, strict=True):
        yield from picture_figures(f"Bouncers {name}", best[name], sizes[name], reference, (most, AIM_TIMES, AIM_KB))
