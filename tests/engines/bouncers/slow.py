"""Bouncers implemented a second time, slowly and plainly, to check the fast engine against.

Written from the rules page alone, sharing nothing with `engines.bouncers`: a board is a dict from (file, rank), both counted
from 1, to a man, and every sentence of the rules is one line of code.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Square = tuple[int, int]


class Man(NamedTuple):
    colour: str
    king: bool


class Board(NamedTuple):
    size: int
    terminal: bool
    men: dict[Square, Man]
    to_move: str


class Result(NamedTuple):
    """A move: its squares by name, and the board after it."""

    squares: tuple[str, ...]
    board: Board


def name(square: Square) -> str:
    return "abcdefghij"[square[0] - 1] + str(square[1])


def square(name: str) -> Square:
    return "abcdefghij".index(name[0]) + 1, int(name[1:])


def read(position: Mapping[str, Any]) -> Board:
    men = {square(each): Man(colour, king=False) for colour in ("red", "blue") for each in position[colour]}
    men |= {square(each): Man(colour, king=True) for colour in ("red", "blue") for each in position[f"{colour}_kings"]}
    variant = position["variant"]
    return Board(
        10 if variant.startswith("10x10") else 8, variant.endswith("terminal"), men, ("red", "blue")[position["to_move"]]
    )


def on_board(board: Board, at: Square) -> bool:
    return 1 <= at[0] <= board.size and 1 <= at[1] <= board.size


def forward(colour: str) -> int:
    return 1 if colour == "red" else -1


def first_rank(board: Board, colour: str) -> int:
    return 1 if colour == "red" else board.size


def last_rank(board: Board, colour: str) -> int:
    return board.size if colour == "red" else 1


def directions(man: Man) -> list[tuple[int, int]]:
    if man.king:
        return [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    up = forward(man.colour)
    return [(-1, 0), (1, 0), (0, up), (-1, up), (1, up)]


def has_springboard(board: Board, at: Square, man: Man, direction: tuple[int, int]) -> bool:
    if man.king:
        return True
    behind = (at[0] - direction[0], at[1] - direction[1])
    if on_board(board, behind):
        return behind in board.men
    goes_forward = direction[1] == forward(man.colour)
    on_first_rank = at[1] == first_rank(board, man.colour)
    on_side_file = at[0] in (1, board.size)
    goes_diagonally = goes_forward and direction[0] != 0
    return (on_first_rank and goes_forward) or (on_side_file and goes_diagonally)


def won(board: Board) -> bool:
    if {man.colour for man in board.men.values()} != {"red", "blue"}:
        return True
    return board.terminal and any(at[1] == last_rank(board, man.colour) for at, man in board.men.items())


def moves(board: Board) -> Iterator[Result]:
    if won(board):
        return
    for at, man in board.men.items():
        if man.colour == board.to_move:
            yield from go_on(board, at, man, came_from=None, squares=(name(at),))


def go_on(board: Board, at: Square, man: Man, came_from: Square | None, squares: tuple[str, ...]) -> Iterator[Result]:
    """Every move that begins with these squares and has at least one more."""
    for direction in directions(man):
        to = (at[0] + direction[0], at[1] + direction[1])
        if not on_board(board, to) or to in board.men:
            continue
        if not man.king and to == came_from:
            continue
        if not has_springboard(board, at, man, direction):
            continue
        men = dict(board.men)
        del men[at]
        ahead = (to[0] + direction[0], to[1] + direction[1])
        captures = ahead in men and men[ahead].colour != man.colour
        if captures:
            del men[ahead]
        arrives = not man.king and to[1] == last_rank(board, man.colour)
        men[to] = Man(man.colour, king=man.king or (arrives and not board.terminal))
        other = "blue" if man.colour == "red" else "red"
        after = Board(board.size, board.terminal, men, other)
        path = (*squares, name(to))
        yield Result(path, after)
        all_captured = not any(each.colour == other for each in men.values())
        if arrives or all_captured or (man.king and not captures):
            continue
        yield from go_on(after._replace(to_move=man.colour), to, man, at, path)


def perft(board: Board, depth: int) -> int:
    """The number of sequences of `depth` moves; the last ones are counted and not played."""
    if depth == 1:
        return sum(1 for _ in moves(board))
    return sum(perft(after, depth - 1) for _, after in moves(board))
