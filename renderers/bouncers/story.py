"""Draws the latest moves of Bouncers as trails whose bounces are numbered in one sequence."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from PIL import Image

from engines.bouncers import BouncersView, Path, Piece
from engines.game import Action, Event
from renderers.bouncers.ground import FILES, Squares
from renderers.canvas import Point, place
from renderers.pieces import counter
from renderers.renderer import numbered
from renderers.signs import burst, cross, draw_ghost, draw_hop, numbered_dot, trail_strength
from renderers.theme import Colour, Palette, Size

_FAINTEST: Final = 0.5  # the least strength of a trail, since it crosses squares of two colours
_TAKEN: Final = 0.45  # the opacity of a captured piece under its cross
_ROOMY: Final = 4  # how many numbers of full size fit on one square
_LARGE: Final = 41  # the diameter in pixels from which a numbered dot has room for larger figures


@dataclass(frozen=True, slots=True)
class Move:
    """A path, and the piece that took it, as that piece was before the move."""

    path: Path
    piece: Piece


def moves_of(view: BouncersView, events: Iterable[Event]) -> list[Move]:
    """Return the moves among the events, oldest first. The pieces are found by taking the moves back one by one."""
    standing = {piece.square: piece for piece in view.pieces}
    moves: list[Move] = []
    for event in reversed(list(events)):
        if not isinstance(event.detail, Path) or event.seat is None:
            continue
        path = event.detail
        there = standing.pop(path.squares[-1], Piece(path.squares[-1], event.seat, king=False))
        piece = Piece(path.squares[0], event.seat, there.king and not path.promoted)
        standing[piece.square] = piece
        standing.update((square, Piece(square, seat, king)) for square, seat, king in path.captured)
        moves.append(Move(path, piece))
    return moves[::-1]


def numbers_of(events: Iterable[Event]) -> list[range]:
    """Return the numbers of each event's bounces."""
    moves = (event.detail if isinstance(event.detail, Path) and event.seat is not None else None for event in events)
    return numbered(0 if path is None else len(path.squares) - 1 for path in moves)


def picked_move(view: BouncersView, prefix: Action) -> Move | None:
    """Return the path picked so far with the piece that moves along it, or None if no piece has been picked."""
    standing = {piece.square: piece for piece in view.pieces}
    moving = standing.get(prefix[0]) if prefix else None
    if moving is None:
        return None
    captured = []
    for before, here in pairwise(prefix):
        # A step captures an enemy on the next square in the same direction.
        file = 2 * FILES.find(here[:1]) - FILES.find(before[:1])
        ahead = f"{FILES[file] if 0 <= file < view.size else '-'}{2 * int(here[1:]) - int(before[1:])}"
        enemy = standing.get(ahead)
        if enemy is not None and enemy.seat != moving.seat:
            captured.append((enemy.square, enemy.seat, enemy.king))
            del standing[ahead]
    return Move(Path(prefix, tuple(captured), promoted=False), moving)


@dataclass(frozen=True, slots=True)
class Landing:
    """The dot at the end of a step: the step's number, counted over all moves, and the dot's middle, diameter and colour."""

    number: int
    at: Point
    diameter: int
    colour: Colour


def landings_of(squares: Squares, moves: Sequence[Move], standing: set[str], palette: Palette) -> list[Landing]:
    """Return the landings of all steps, oldest first, with their numbers apart. `standing` contains the squares with pieces."""
    steps = [(square, palette.seats[move.piece.seat].colour) for move in moves for square in move.path.squares[1:]]
    visits = Counter(square for square, _ in steps)
    free = {square: iter(number_places(count, taken=square in standing)) for square, count in visits.items()}
    found = []
    for number, (square, colour) in enumerate(steps, start=1):
        (across, down), (x, y) = next(free[square], (0.0, 0.0)), squares.middle_of(square) or (0.0, 0.0)
        diameter = round(squares.side * (0.42 if visits[square] <= _ROOMY else 0.33))
        found.append(Landing(number, (x + across * squares.side, y + down * squares.side), diameter, colour))
    return found


def number_places(count: int, *, taken: bool) -> tuple[Point, ...]:
    """Return up to nine places for numbers, in shares of a square's side from its middle, which stays free if `taken`."""
    corners = ((0.27, -0.27), (-0.27, 0.27), (-0.27, -0.27), (0.27, 0.27))
    edges = ((0.33, 0.0), (-0.33, 0.0), (0.0, -0.33), (0.0, 0.33))
    if count == 1 and not taken:
        return ((0.0, 0.0),)
    if count <= _ROOMY:
        return corners[:count]
    wide = tuple((across * 1.22, down * 1.22) for across, down in corners)
    return (*wide, *edges) if taken else (*wide, (0.0, 0.0), *edges)


def draw_trails(
    image: Image.Image, squares: Squares, moves: Sequence[Move], landings: Sequence[Landing], palette: Palette
) -> None:
    """Draw what is under the pieces: a ghost where each move began, hops from number to number, and crossed-out captures."""
    for move in moves:
        for square, enemy, king in move.path.captured:
            if (at := squares.middle_of(square)) is not None:
                place(image, burst(palette, round(squares.side * 1.12)), at)
                draw_ghost(image, counter(enemy, palette, round(squares.side * 0.52), crowned=king), at, _TAKEN)
                place(image, cross(palette, round(squares.side * 0.44)), at)
    done = 0
    for move in moves:
        middles = [at for square in move.path.squares if (at := squares.middle_of(square)) is not None]
        if not middles:
            continue
        draw_ghost(image, counter(move.piece.seat, palette, squares.piece, crowned=move.piece.king), middles[0])
        onward = [landing.at for landing in landings[done : done + len(middles) - 1]]
        # The trail ends in the middle of the piece that has arrived.
        for start, end in pairwise([middles[0], *onward[:-1], middles[-1]] if onward else middles):
            strength = max(_FAINTEST, trail_strength(done, len(landings), palette))
            draw_hop(image, start, end, palette.seats[move.piece.seat].colour, palette, strength=strength, bend=0.11)
            done += 1


def draw_numbers(image: Image.Image, landings: Sequence[Landing], palette: Palette) -> None:
    """Draw the numbers of the steps above the pieces, counted over all moves. A single step has no number."""
    for landing in landings if len(landings) > 1 else ():
        size = Size.BODY if landing.diameter > _LARGE else Size.SMALL
        place(image, numbered_dot(landing.number, landing.colour, palette, landing.diameter, size), landing.at)
