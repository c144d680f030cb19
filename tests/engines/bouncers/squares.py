"""Positions of Bouncers written as the two sides' squares, kings with a K: ``on("c2 d4K", "e5")``."""

from typing import Any

from engines.bouncers import Bouncers, State

GAME = Bouncers()
RED, BLUE = 0, 1
CAPTURING = ("8x8-16", "8x8-12", "10x10-20")
TERMINAL = ("8x8-16-terminal", "8x8-12-terminal", "10x10-20-terminal")


def position(red: str, blue: str, to_move: int = RED, variant: str = "8x8-16", **more: Any) -> dict[str, Any]:
    lists: dict[str, list[str]] = {"red": [], "red_kings": [], "blue": [], "blue_kings": []}
    for colour, squares in (("red", red), ("blue", blue)):
        for square in squares.split():
            lists[colour + "_kings" if square.endswith("K") else colour].append(square.removesuffix("K"))
    return {"variant": variant, "to_move": to_move, **lists, **more}


def on(red: str, blue: str, to_move: int = RED, variant: str = "8x8-16", **more: Any) -> State:
    return GAME.from_position(position(red, blue, to_move, variant, **more))


def pieces(state: State) -> tuple[str, str]:
    sides: dict[int, list[str]] = {RED: [], BLUE: []}
    for piece in GAME.view(state).pieces:
        sides[piece.seat].append(piece.square + "K" * piece.king)
    return " ".join(sides[RED]), " ".join(sides[BLUE])


def moves(state: State) -> set[str]:
    seat = state.to_move
    return {GAME.notate(state, seat, action) for action in GAME.legal_actions(state, seat)}


def moves_of(state: State, square: str) -> set[str]:
    return {move for move in moves(state) if move.startswith(square)}


def go(state: State, *texts: str) -> State:
    for text in texts:
        state = GAME.play(state, state.to_move, GAME.parse(state, state.to_move, text)).state
    return state
