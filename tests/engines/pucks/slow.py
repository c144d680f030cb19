"""The rules of moving pieces a second time, written from the rules page alone and as plainly as can be, to compare with.

A board is a table of the points that can be stood on, a set of walls between points, and a table of pieces by point. Everything
is looked at point by point; only the names of mats and pieces are shared with the engine.
"""

from dataclasses import dataclass

from engines.pucks.board.board import Mats

Point = tuple[int, int]
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


@dataclass
class Board:
    """What is printed on each point, the walls (pairs of points), and the points of the closed goal."""

    floor: dict[Point, str]
    walls: set[frozenset[Point]]
    pieces: dict[Point, str]
    scored: set[str]
    closed: set[Point]
    bumping: bool = True
    thin_ice: bool = False
    slush: bool = False


def plus(point: Point, way: str) -> Point:
    return point[0] + WAYS[way][0], point[1] + WAYS[way][1]


def floor_of(mats: Mats, net_off: str | None) -> tuple[dict[Point, str], set[frozenset[Point]], set[Point]]:
    """What is printed where, the walls, and the closed goal, read off the mats by turning their rows quarter by quarter."""
    floor: dict[Point, str] = {}
    walls: set[frozenset[Point]] = set()
    closed: set[Point] = set()
    for mat in mats:
        rows, quarters = [list(row) for row in mat.face.rows], mat.turn // 90
        for _ in range(quarters):
            rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        front = ["down", "left", "up", "right"][quarters]
        here = {(4 * mat.at[0] + x, 4 * mat.at[1] + y): rows[y][x] for x in range(4) for y in range(4)}
        floor |= here
        for point, mark in here.items():
            if mark == "G":
                walls |= {
                    frozenset((point, plus(point, way))) for way in WAYS if way != front and here.get(plus(point, way)) != "G"
                }
                if mat.id == net_off:
                    closed.add(point)
    return floor, walls, closed


def open_to(board: Board, start: Point, way: str) -> bool:
    """Whether a piece could go from a point to the next one: a mat, no pool, no wall, no piece, no closed goal."""
    end = plus(start, way)
    return (
        board.floor.get(end, "~") != "~"
        and frozenset((start, end)) not in board.walls
        and end not in board.pieces
        and not (end in board.closed and start not in board.closed)
    )


def slide(board: Board, start: Point, way: str) -> None:
    name = board.pieces.pop(start)
    here, gone = start, 0
    while open_to(board, here, way) and not (board.slush and gone == 4):
        here, gone = plus(here, way), gone + 1
        if board.floor[here] == "G" and is_puck(name):
            board.scored.add(name)
            return
    board.pieces[here] = name
    ahead = plus(here, way)
    if not board.bumping or ahead not in board.pieces or not is_puck(board.pieces[ahead]):
        return
    if frozenset((here, ahead)) in board.walls or (board.slush and gone == 4):
        return
    if open_to(board, ahead, way):
        slide(board, ahead, way)


def is_puck(name: str) -> bool:
    return name.split()[1].startswith("p")


def move(board: Board, name: str, way: str) -> bool:
    """Move a piece on the board, in place. Return False, without moving anything, if it cannot go that way."""
    start = next(point for point, piece in board.pieces.items() if piece == name)
    kind, ahead = name.split()[1][0], plus(start, way)
    if open_to(board, start, way):
        if kind == "p" or (kind == "i" and board.thin_ice):
            slide(board, start, way)
        else:
            del board.pieces[start]
            board.pieces[ahead] = name
        return True
    if kind != "m" or ahead not in board.pieces or frozenset((start, ahead)) in board.walls:
        return False
    if ahead in board.closed and start not in board.closed:
        return False
    if board.pieces[ahead].split()[1].startswith("m") or not open_to(board, ahead, way):
        return False
    slide(board, ahead, way)
    del board.pieces[start]
    board.pieces[ahead] = name
    return True
