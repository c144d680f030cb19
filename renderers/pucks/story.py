"""Draws what has just happened in Puck Bumpers: slides as fading trails, hits, scored pucks, and mats that were moved.

A trail only makes sense on the board on which it was made. Slides are therefore drawn only if no mat was moved after them, and
nothing is drawn that came before an action was undone.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops

from engines.game import Event
from engines.pucks.board import Mat
from engines.pucks.pieces import PieceKind
from engines.pucks.views import MatsMoved, Moved, PiecePlaced, PucksSwapped, PucksView, Scored, Stop, Undone, Way
from renderers import theme
from renderers.canvas import Layer, Point, place, with_shadow
from renderers.lettering import write
from renderers.pucks.board import Rink
from renderers.pucks.colours import colours_of
from renderers.pucks.icons import Pen, circle, draw_icon
from renderers.pucks.pieces import NUMBERS_FROM, piece
from renderers.signs import burst, draw_ghost, draw_hop, numbered_dot, trail_strength
from renderers.theme import Colour, Face, Palette, Size

_TRAILS_AT_MOST: Final = 4
"""Only this many moves are drawn, the last ones; more would hide each other."""
_RINGS_AT_MOST: Final = 6
"""If more pieces than this were placed at once, they are not marked."""


def scored_now(events: Sequence[Event]) -> set[int]:
    """The seats that have just scored, unless it has been undone."""
    details = [event.detail for event in _since_undone(events)]
    return {detail.piece.seat for detail in details if isinstance(detail, Scored)}


def draw_under(image: Image.Image, rink: Rink, view: PucksView, events: Sequence[Event], palette: Palette) -> None:
    """Draw what belongs under the pieces: frames of mats, trails, and marks of pieces that were placed or swapped."""
    standing = {placed.point for placed in view.pieces}
    told = _since_undone(events)
    for event in told:
        if isinstance(event.detail, MatsMoved):
            _draw_moved_mats(image, rink, view, event.detail, _colour_of(event, palette), palette)
    moves = _moves(told)
    for index, move in enumerate(moves):
        strength = trail_strength(index, len(moves), palette)
        for way in move.ways:
            _draw_way(image, rink, way, standing, strength, palette)
    on_this_board = _since_mats_moved(told)
    placed_now = [event.detail for event in on_this_board if isinstance(event.detail, PiecePlaced)]
    for placed in placed_now if len(placed_now) <= _RINGS_AT_MOST else ():
        glow = _glow(palette.seats[placed.piece.seat].colour, palette, rink.space)
        place(image, glow, rink.middle(placed.point))
    for event in on_this_board:
        if isinstance(event.detail, PucksSwapped):
            _draw_swapped(image, rink, event.detail, palette)


def draw_over(image: Image.Image, rink: Rink, view: PucksView, events: Sequence[Event], palette: Palette) -> None:
    """Draw what belongs on top of the pieces: scored pucks, numbers of a chain, and signs for turns of mats and for undoing."""
    standing = {placed.point for placed in view.pieces}
    told = _since_undone(events)
    moves = _moves(told)
    for index, move in enumerate(moves):
        for way in move.ways:
            if way.scored:
                _draw_scored(image, rink, way, palette)
        slides = [way for way in move.ways if way.slid]
        if index == len(moves) - 1 and len(slides) > 1:
            for number, way in enumerate(slides, start=1):
                _draw_number(image, rink, number, way, standing, palette)
    for event in told:
        if isinstance(event.detail, MatsMoved):
            for before, after in zip(event.detail.before, event.detail.after, strict=True):
                if before.turn != after.turn and before.at == after.at:
                    degrees = (after.turn - before.turn) % 360
                    _at_foot(image, rink, _current(view, after), _turn_sign(palette, _colour_of(event, palette), degrees))
    if events and (undone := _last_undone(events)) is not None:
        _draw_undone(image, rink, view, undone, palette)


def _since_undone(events: Sequence[Event]) -> Sequence[Event]:
    """The events after the last whistle. Those before it no longer count."""
    for index in range(len(events) - 1, -1, -1):
        if isinstance(events[index].detail, Undone):
            return events[index + 1 :]
    return events


def _last_undone(events: Sequence[Event]) -> Undone | None:
    return next((event.detail for event in reversed(events) if isinstance(event.detail, Undone)), None)


def _since_mats_moved(events: Sequence[Event]) -> Sequence[Event]:
    """The events since a mat was last moved."""
    for index in range(len(events) - 1, -1, -1):
        if isinstance(events[index].detail, MatsMoved):
            return events[index + 1 :]
    return events


def _moves(events: Sequence[Event]) -> list[Moved]:
    return [event.detail for event in _since_mats_moved(events) if isinstance(event.detail, Moved)][-_TRAILS_AT_MOST:]


# --- slides -------------------------------------------------------------------------------------------------------------


def _draw_way(
    image: Image.Image, rink: Rink, way: Way, standing: set[tuple[int, int]], strength: float, palette: Palette
) -> None:
    """Draw the way of a piece: a ghost where it began, its trail, and a burst where a slide was stopped."""
    start, end = rink.middle(way.points[0]), rink.middle(way.points[-1])
    if way.points[0] not in standing:
        draw_ghost(image, piece(way.piece, palette, rink.space), start, 0.45)
    if start != end:
        thick = max(8, round(rink.space * (0.5 if way.slid else 0.3)))
        _draw_trail(image, start, end, way.piece.seat, palette, thick, strength)
    if way.slid and way.stop is not Stop.GOAL and len(way.points) > 1:
        before, last = way.points[-2], way.points[-1]
        step = (last[0] - before[0], last[1] - before[1])
        at = (end[0] + step[0] * rink.space * 0.5, end[1] + step[1] * rink.space * 0.5)
        if way.stop is Stop.PIECE:
            place(image, burst(palette, round(rink.space * 1.1)), at)
        elif way.stop is not Stop.SLUSH:
            splash = colours_of(palette).pool_light if way.stop is Stop.POOL else palette.paper
            place(image, burst(palette, round(rink.space * 0.8), splash), at)


def _draw_trail(image: Image.Image, start: Point, end: Point, seat: int, palette: Palette, thick: int, strength: float) -> None:
    """Draw a trail like the tail of a comet from `start` to `end`, which are in one row or one column."""
    dx, dy = round(end[0] - start[0]), round(end[1] - start[1])
    way = (1 if dx > 0 else 3) if abs(dx) >= abs(dy) else (2 if dy > 0 else 0)
    tail = _tail(max(abs(dx), abs(dy)), thick, seat, palette, strength, way)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    place(image, tail, middle)


_TURNS: Final = {
    0: Image.Transpose.ROTATE_90,
    1: None,
    2: Image.Transpose.ROTATE_270,
    3: Image.Transpose.ROTATE_180,
}


@lru_cache(maxsize=512)
def _tail(length: int, thick: int, seat: int, palette: Palette, strength: float, way: int) -> Image.Image:
    """A trail that widens in one direction (0 to 3: up, right, down, left), and is broken and faded at its beginning.

    It fades in steps, so that the colour of the seat survives in a picture of few colours.
    """
    thick = round(thick * (0.55 + 0.45 * strength))
    high = thick + 8
    middle, strong, faded = high / 2, palette.seats[seat].colour, colours_of(palette).faded[seat]
    layer = Layer(length, high, 3)

    def wedge(start: float, end: float, grow: float, colour: Colour) -> None:
        near, far = (thick * (0.13 + 0.37 * share) + grow for share in (start, end))
        x, y = start * length - grow, end * length + grow
        layer.polygon([(x, middle - near), (y, middle - far), (y, middle + far), (x, middle + near)], colour)

    parts = ((0.0, 0.1, faded), (0.16, 0.28, faded), (0.34, 0.6, faded), (0.6, 1.0, strong if strength == 1 else faded))
    for grow in (1.6, 0.0):
        for start, end, colour in parts:
            wedge(start, end, grow, theme.mix(strong, palette.ink, 0.55) if grow else colour)
    image = layer.done()
    turn = _TURNS[way]
    return image if turn is None else image.transpose(turn)


def _draw_number(
    image: Image.Image, rink: Rink, number: int, way: Way, standing: set[tuple[int, int]], palette: Palette
) -> None:
    """Draw the number of a slide in its chain on the way of the slide, on a free space if there is one."""
    middle = len(way.points) / 2
    free = [(abs(i - middle), i) for i, point in enumerate(way.points) if point not in standing]
    at = rink.middle(way.points[min(free)[1]]) if free else rink.middle(way.points[0])
    colour = palette.seats[way.piece.seat].colour
    dot = numbered_dot(number, colour, palette, max(30, round(rink.space * 0.68)))
    place(image, dot if rink.space >= NUMBERS_FROM else _dark_dot(number, colour, palette), at)


@lru_cache(maxsize=64)
def _dark_dot(number: int, colour: Colour, palette: Palette) -> Image.Image:
    """The number of a slide on small boards, square so that it does not look like a piece, which has a number there too."""
    layer = Layer(30, 30)
    layer.rounded((0, 0, 30, 30), 8, palette.paper)
    layer.rounded((2, 2, 28, 28), 6, palette.ink)
    layer.rounded((4, 23, 26, 26), 1, colour)
    image = layer.done()
    write(image, (15, 13), str(number), Face.LABEL, Size.SMALL, palette.paper, align="middle")
    return image


def _draw_scored(image: Image.Image, rink: Rink, way: Way, palette: Palette) -> None:
    """Draw a scored puck in the goal, with a burst."""
    at = rink.middle(way.points[-1])
    place(image, burst(palette, round(rink.space * 1.9)), at)
    place(image, piece(way.piece, palette, round(rink.space * 1.1)), at)


def _draw_swapped(image: Image.Image, rink: Rink, swapped: PucksSwapped, palette: Palette) -> None:
    """Draw a trail between two pucks that have changed places, one for each."""
    one, other = (rink.middle(point) for point in swapped.points)
    for moved, start, end in ((swapped.first, one, other), (swapped.second, other, one)):
        colour = palette.seats[moved.seat].colour
        draw_hop(image, start, end, colour, palette, strength=0.8, width=rink.space * 0.2)


@lru_cache(maxsize=32)
def _glow(colour: Colour, palette: Palette, space: int) -> Image.Image:
    """A disc behind a piece that has just been placed."""
    side = round(space * 1.3)
    layer = Layer(side, side)
    middle = (side / 2, side / 2)
    layer.ellipse(middle, space * 0.62, palette.ink)
    layer.ellipse(middle, space * 0.62 - 2, palette.gold)
    layer.ellipse(middle, space * 0.62 - 6, theme.mix(colour, palette.paper, 0.6))
    return layer.done()


# --- mats ---------------------------------------------------------------------------------------------------------------


def _current(view: PucksView, mat: Mat) -> Mat:
    """The mat with the same letter as it lies now."""
    return next(other for other in view.mats if other.id == mat.id)


def _draw_moved_mats(
    image: Image.Image, rink: Rink, view: PucksView, moved: MatsMoved, colour: Colour, palette: Palette
) -> None:
    """Draw a frame round each mat that was moved, in the colour of who moved it, and an arrow from where it was."""
    for before, after in zip(moved.before, moved.after, strict=True):
        now = _current(view, after)
        place(image, frame(palette, rink.mat, colour), rink.mat_middle(now.at))
        if before.at != after.at and now.at == after.at:
            start = _within(rink.mat_middle(before.at), rink.area)
            draw_hop(image, start, rink.mat_middle(now.at), colour, palette, strength=0.85, width=14, head=True, bend=0.1)


def _within(point: Point, area: tuple[int, int, int, int]) -> Point:
    left, top, right, bottom = area
    return min(max(point[0], left), right), min(max(point[1], top), bottom)


@lru_cache(maxsize=16)
def frame(palette: Palette, side: int, colour: Colour) -> Image.Image:
    """A frame along the edge of a mat, or of anything else that is `side` pixels wide and high."""
    layer = Layer(side, side)
    thick = max(5.0, side * 0.04)
    for inset, ink in ((0.0, palette.ink), (2.0, colour), (thick, palette.ink)):
        layer.rounded((inset, inset, side - inset, side - inset), max(3.0, 12 - inset), ink)
    image = layer.done()
    hole = Layer(side, side)
    low = thick + 2
    hole.rounded((low, low, side - low, side - low), max(3.0, 12 - low), palette.paper)
    image.putalpha(ImageChops.subtract(image.getchannel("A"), hole.done().getchannel("A")))
    return image


def _at_foot(image: Image.Image, rink: Rink, mat: Mat, sign: Image.Image) -> None:
    """Draw a sign on the middle of the lower edge of a mat, away from its letter."""
    x, y = rink.corner(mat.at)
    place(image, sign, (x + rink.mat / 2, y + rink.mat - 10))


@lru_cache(maxsize=48)
def _turn_sign(palette: Palette, colour: Colour, degrees: int) -> Image.Image:
    """The sign on a mat that was turned: by how many degrees clockwise."""
    width, height, room = 104, 40, 8
    layer = Layer(width + 2 * room, height + 2 * room)
    layer.rounded((room, room, room + width, room + height), height / 2, palette.ink)
    layer.rounded((room + 2, room + 2, room + width - 2, room + height - 2), height / 2 - 2, palette.paper)
    pen = Pen(layer, (room + 4, room + 1), 38, palette)
    pen.arrow(circle((32, 32), 19, -90, -90 + degrees), 6, colour)
    image = with_shadow(layer.done(), palette.ink)
    write(image, (room + 68, room + height / 2), f"{degrees}°", Face.LABEL, Size.SMALL, palette.ink, align="middle")
    return image


def _colour_of(event: Event, palette: Palette) -> Colour:
    """The colour of the seat whose doing it was, or gold."""
    return palette.gold if event.seat is None else palette.seats[event.seat].colour


# --- what was undone ----------------------------------------------------------------------------------------------------


def _draw_undone(image: Image.Image, rink: Rink, view: PucksView, undone: Undone, palette: Palette) -> None:
    """Draw a whistle on every piece and every mat that was put back."""
    back = set(undone.pieces)
    sign = _whistle(palette, max(24, round(rink.space * 0.6)))
    for placed in view.pieces:
        if placed.piece in back:
            x, y = rink.middle(placed.point)
            up = 0.36 if placed.piece.kind is PieceKind.MEEPLE else 0.32
            place(image, sign, (x + rink.space * 0.34, y - rink.space * up))
    for mat in undone.mats:
        _at_foot(image, rink, _current(view, mat), _whistle(palette, 46))


@lru_cache(maxsize=8)
def _whistle(palette: Palette, diameter: int) -> Image.Image:
    room = 10
    layer = Layer(diameter + 2 * room, diameter + 2 * room)
    middle = layer.width / 2
    layer.ellipse((middle, middle), diameter / 2, palette.ink)
    layer.ellipse((middle, middle), diameter / 2 - 2, palette.paper)
    side = diameter * 0.68
    draw_icon(Pen(layer, (middle - side / 2, middle - side / 2), side, palette), "whistle")
    return with_shadow(layer.done(), palette.ink)
