"""The time to draw a Bouncers board as a PNG file, and its size, beside a chess board drawn by chess.svg and cairosvg.

Both are drawn with 1024 pixels, 32 pieces and the last move, in the same run and in turns; the figure is the best of several
repetitions. Bouncers is drawn from a warm cache, as by a running bot; the first picture of a process is also given. The aims:
under 25 ms and under 60 kB per board.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import chess
import chess.svg

from engines.bouncers import Bouncers
from engines.game import View
from renderers import draw
from renderers.scene import Scene

REPETITIONS = 15
SIDE = 1024
AIM_MS, AIM_BYTES = 25, 60_000


def bouncers_boards() -> list[tuple[str, View, Scene]]:
    """The position after the first move, and one after a long move on a crowded board, each with its name."""
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
    """A function that draws a chess board as a PNG file, or the reason why there is none here."""
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
    """The milliseconds that a call takes, and the bytes that it returns."""
    began = time.perf_counter()
    size = len(call())
    return (time.perf_counter() - began) * 1000, size


def best_of(calls: Mapping[str, Callable[[], bytes]], repetitions: int) -> tuple[dict[str, float], dict[str, int]]:
    """The fewest milliseconds that each call takes when all are repeated in turns, and the bytes that it returns."""
    best, sizes = dict.fromkeys(calls, float("inf")), dict.fromkeys(calls, 0)
    for _ in range(repetitions):
        for name, call in calls.items():
            taken, sizes[name] = timed(call)
            best[name] = min(best[name], taken)
    return best, sizes


def run() -> Iterator[str]:
    """Yields a line for the first picture, one for each board, and one for chess with the ratio."""
    boards = bouncers_boards()
    calls: dict[str, Callable[[], bytes]] = {name: partial(draw, "bouncers", view, scene) for name, view, scene in boards}
    first, _ = timed(calls[boards[0][0]])
    yield f"Bouncers, the first picture of a process: {first:.0f} ms"
    reference = chess_picture()
    if not isinstance(reference, str):
        calls["chess"] = reference
    best, sizes = best_of(calls, REPETITIONS)
    for name, _, _ in boards:
        aim = f"aims: {AIM_MS} ms, {AIM_BYTES / 1000:.0f} kB"
        yield f"Bouncers {name}: {best[name]:.1f} ms, {sizes[name] / 1000:.1f} kB ({aim})"
    if isinstance(reference, str):
        yield f"chess by chess.svg and cairosvg: not measured, {reference}"
        return
    took, size = best["chess"], sizes["chess"]
    slowest = max(best[name] for name, _, _ in boards)
    yield f"chess by chess.svg and cairosvg after 1. e4, {SIDE} px: {took:.1f} ms, {size / 1000:.1f} kB"
    yield f"chess takes {took / slowest:.1f} times as long as the slower Bouncers board"
