"""Draws the latest events of Puck Bumpers: numbered actions, slides as fading trails, hits, goals, and moved mats.

Trails lie where their spaces are now. The last action is drawn strongest, and undone actions are grey and struck out.
"""

import math
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageChops

from engines.pucks.board.board import Mat, Point, cells
from engines.pucks.board.views import PucksView, Stop, Undone
from renderers import canvas, theme
from renderers.canvas import Layer, place, star
from renderers.lettering import write
from renderers.pucks.blocks import Area, Block
from renderers.pucks.board import DrawnRink
from renderers.pucks.cards import icon
from renderers.pucks.colours import colours_of
from renderers.pucks.icons import Pen, circle, draw_icon
from renderers.pucks.pieces import ghost, piece
from renderers.pucks.room import Room
from renderers.pucks.steps import Step, Story, Trace
from renderers.signs import burst, draw_hop, trail_strength
from renderers.sliced_sprite import SlicedSprite, slice_frame
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Face, Palette, Size

_STEPS_AT_MOST: Final = 12
"""Only so many of the latest actions, and all of the reader's own, have trails and numbers, so that these stay visible."""
_LARGE_NUMBER: Final = 40  # the size of a hexagon, in pixels, from which its number is large
_PALE: Final = 0.6  # the share of paper in the colour of a pale number, on which ink is read well
_FRESH: Final = 3  # the hits and the starts of this many actions are marked, the last ones


def draw_under(image: Image.Image, rink: DrawnRink, view: PucksView, story: Story, palette: Palette) -> None:
    """Draw what lies under the pieces: frames of mats, trails, goals, and marks of pieces that were placed or swapped."""
    pen = _Teller(image, rink, view, story, palette)
    for step in story.steps:
        pen.mats(step)
    for step in pen.told:
        for trace in step.traces:
            pen.trace(step, trace)
        pen.draw_swap(step)
    for step in story.steps:
        pen.goals(step)
    # If most of the setup is new, marks say nothing. Once the game has gone on, the setup is no news.
    setup = story.setup if not story.steps and (view.beside or 2 * len(story.setup) < len(view.pieces)) else ()
    if story.back is not None:
        pen.put_back(story.back)
    for which, point in (*setup, *(placed for step in story.steps if not step.undone for placed in step.placed)):
        place(image, _glow(palette.seats[which.colour].colour, palette, rink.space), rink.middle(point))


def draw_over(image: Image.Image, rink: DrawnRink, view: PucksView, story: Story, palette: Palette) -> None:
    """Draw the signs: turns of mats, whistles, and numbers of actions. They cover no piece, and so have no shadows."""
    pen = _Teller(image, rink, view, story, palette)
    for step in reversed(story.steps):
        pen.turns(step)
    if story.back is not None:
        pen.whistles(story.back)
    if len(story.steps) > 1:
        for step in reversed(pen.told):
            pen.number(step)


class _Teller:
    """Draws the steps of a story on one picture."""

    def __init__(self, image: Image.Image, rink: DrawnRink, view: PucksView, story: Story, palette: Palette) -> None:
        self.image, self.rink, self.view, self.story, self.palette = image, rink, view, story, palette
        earlier, last = story.steps[:-_STEPS_AT_MOST], story.steps[-_STEPS_AT_MOST:]
        self.told = [*(step for step in earlier if view.seat is not None and step.seat == view.seat), *last]
        self.standing = {placed.point for placed in view.pieces}
        self.off = set(view.scored)
        self.room = Room(rink, view, [trace.end for step in story.steps for trace in step.traces if trace.way.scored])

    def age(self, step: Step) -> int:
        """Return the number of steps that came after this one."""
        return len(self.story.steps) - step.number

    def strength(self, step: Step) -> float:
        """Return the strength of a step, which is 1 for the last step."""
        last = min(len(self.story.steps), _STEPS_AT_MOST)
        return trail_strength(max(0, last - 1 - self.age(step)), last, self.palette)

    def colour(self, step: Step) -> Colour:
        """Return the colour of the seat that acted, or grey if the action was undone."""
        if step.undone:
            return self.palette.muted
        return self.palette.gold if step.seat is None else self.palette.seats[step.seat].colour

    # slides

    def trace(self, step: Step, trace: Trace) -> None:
        """Draw the way of a piece: a ghost where it began, its trail, and a burst where something stopped its slide."""
        way, strength, rink = trace.way, self.strength(step), self.rink
        fresh = self.age(step) < _FRESH and not step.undone
        if fresh and trace.start not in self.standing:
            place(self.image, ghost(way.piece, self.palette, rink.space, 0.5 * strength), rink.middle(trace.start))
        thick = max(6, round(rink.space * (0.5 if way.slid else 0.34) * (0.35 + 0.65 * strength)))
        seat = None if step.undone else way.piece.colour
        for number, run in enumerate(trace.runs):
            head = number == len(trace.runs) - 1
            for part in rink.parts(run):
                _draw_trail(self.image, rink, part, seat, self.palette, thick, strong=head and strength > 0.8)
        if fresh and way.slid and way.stop is not Stop.GOAL and len(trace.runs[-1]) > 1:
            self._draw_stop(trace, strength)

    def _draw_stop(self, trace: Trace, strength: float) -> None:
        before, last = trace.runs[-1][-2:]
        (x, y), (dx, dy) = self.rink.middle(last), self.rink.step(before, last)
        at = (x + dx / 2, y + dy / 2)
        large = self.rink.space * (0.5 + 0.5 * strength)
        if trace.way.stop is Stop.PIECE:
            place(self.image, burst(self.palette, round(large * 1.1)), at)
        elif trace.way.stop is not Stop.SLUSH:
            splash = colours_of(self.palette).pool_light if trace.way.stop is Stop.POOL else self.palette.paper
            place(self.image, burst(self.palette, round(large * 0.8), splash), at)

    def goals(self, step: Step) -> None:
        """Draw the scored pucks in their goals, each with a burst."""
        for trace in step.traces:
            if trace.way.scored and not step.undone and trace.way.piece in self.off:
                at = self.rink.middle(trace.end)
                place(self.image, burst(self.palette, round(self.rink.space * 1.9)), at)
                place(self.image, piece(trace.way.piece, self.palette, self.rink.space), at)

    def draw_swap(self, step: Step) -> None:
        """Draw a trail for each of the two pucks that have changed places."""
        if len(step.swapped) == 2:
            (first, one), (second, other) = step.swapped
            for moved, start, end in ((first, one, other), (second, other, one)):
                colour = self.palette.muted if step.undone else self.palette.seats[moved.colour].colour
                ends = self.rink.middle(start), self.rink.middle(end)
                draw_hop(self.image, *ends, colour, self.palette, strength=self.strength(step), width=self.rink.space * 0.2)

    # mats

    def mats(self, step: Step) -> None:
        """Frame each moved mat in the colour of the seat that moved it, with an arrow from its old place."""
        if step.undone:
            return
        for before, after in step.mats:
            now, colour = _current(self.view, after), self.colour(step)
            frame(self.palette, self.rink.mat, colour).place(self.image, self.rink.mat_middle(now.at))
            if before.at != after.at and now.at == after.at:
                (x, y), (left, top, right, bottom) = self.rink.mat_middle(before.at), self.rink.area
                start = min(max(x, left), right), min(max(y, top), bottom)
                end, strength = _towards(self.rink.mat_middle(now.at), start, self.rink.mat * 0.3), self.strength(step) * 0.85
                draw_hop(self.image, start, end, colour, self.palette, strength=strength, width=14, head=True, bend=0.1)

    def turns(self, step: Step) -> None:
        """Draw how far each mat was turned."""
        for before, after in step.mats if not step.undone else ():
            if before.turn != after.turn and before.at == after.at:
                sign = _turn_sign(self.palette, self.colour(step), (after.turn - before.turn) % 360)
                self._sign(_from_foot(_current(self.view, after)), sign, _TURN_SIGN)

    def put_back(self, undone: Undone) -> None:
        """Draw a disc behind every piece that was put back."""
        for placed in self.view.pieces:
            if placed.piece in undone.pieces:
                place(self.image, _glow(self.palette.muted, self.palette, self.rink.space), self.rink.middle(placed.point))

    def whistles(self, undone: Undone) -> None:
        """Draw a whistle beside every piece and on every mat that was put back."""
        side = max(24, round(self.rink.space * 0.8))
        for placed in self.view.pieces:
            if placed.piece in undone.pieces:
                self._sign([placed.point], _whistle(self.palette, side), (side, side))
        for mat in undone.mats:
            self._sign(_from_foot(_current(self.view, mat)), _whistle(self.palette, 46), (46, 46))

    # numbers

    def number(self, step: Step) -> None:
        """Draw the number of a step beside everything that the step is about, struck out if the step was undone."""
        spaces = [list(trace.points[:-1]) or [trace.end] for trace in step.traces[:1]]
        spaces += [[point] for _, point in (*step.swapped[:1], *step.placed)]
        spaces += [_from_foot(_current(self.view, after))[::-1] for _, after in step.mats]
        last = self.age(step) == 0
        side = min(46 if last else 36, max(32, self.rink.space))
        sign = step_number(step.number, step.seat, self.palette, side, struck=step.undone, faint=not last)
        for where in spaces:
            self._sign(where, sign, (side, side))

    def _sign(self, spaces: Sequence[Point], sign: Image.Image, size: tuple[float, float]) -> None:
        """Draw a sign where there is room, if possible at one of these spaces. `size` does not include its shadow."""
        at = self.room.take(spaces, size)
        if at is not None:
            place(self.image, sign, at)


def _from_foot(mat: Mat) -> list[Point]:
    """Return the spaces of a mat row by row, beginning at its lower edge."""
    return sorted((cell.point for cell in cells(mat)), key=lambda point: (-point[1], point[0]))


# --- slides -------------------------------------------------------------------------------------------------------------


def _draw_trail(
    image: Image.Image, rink: DrawnRink, run: Sequence[Point], seat: int | None, palette: Palette, thick: int, *, strong: bool
) -> None:
    start, end = rink.middle(run[0]), rink.middle(run[-1])
    dx, dy = round(end[0] - start[0]), round(end[1] - start[1])
    if (dx, dy) == (0, 0):
        return
    way = (1 if dx > 0 else 3) if abs(dx) >= abs(dy) else (2 if dy > 0 else 0)
    tail = _tail(max(abs(dx), abs(dy)), thick, seat, palette, strong, way)
    place(image, tail, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))


_TURNS: Final = (Image.Transpose.ROTATE_90, None, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180)


@cache_sprite
def _tail(length: int, thick: int, seat: int | None, palette: Palette, strong: bool, way: int) -> Image.Image:
    """Return a trail that widens in one direction (0 to 3: up, right, down, left), and is broken and faded where it begins.

    It fades in steps, so that the seat's colour survives in a picture of few colours. Unless `strong`, all of it is faded.
    Without a seat, it is grey.
    """
    high = thick + 8
    full = palette.muted if seat is None else palette.seats[seat].colour
    faded = palette.line if seat is None else colours_of(palette).faded[seat]
    middle, layer = high / 2, Layer(length, high, 3)

    def wedge(start: float, end: float, grow: float, colour: Colour) -> None:
        near, far = (thick * (0.13 + 0.37 * share) + grow for share in (start, end))
        x, y = start * length - grow, end * length + grow
        layer.polygon([(x, middle - near), (y, middle - far), (y, middle + far), (x, middle + near)], colour)

    parts = ((0.0, 0.1, faded), (0.16, 0.28, faded), (0.34, 0.6, faded), (0.6, 1.0, full if strong else faded))
    for grow in (1.6, 0.0):
        for start, end, colour in parts:
            wedge(start, end, grow, theme.mix(full, palette.ink, 0.55) if grow else colour)
    image = layer.image()
    turn = _TURNS[way]
    return image if turn is None else image.transpose(turn)


@cache_sprite
def step_number(
    number: int, seat: int | None, palette: Palette, side: int = 46, *, struck: bool = False, faint: bool = False
) -> Image.Image:
    """Return an action's number on a hexagon in the seat's colour, pale if `faint`, or grey and struck out if undone."""
    room = 6
    layer, middle = Layer(side + 2 * room, side + 2 * room), room + side / 2
    look = None if seat is None or struck else palette.seats[seat]
    if look is None:
        fill, ink = palette.line if struck or faint else palette.gold, palette.muted if struck else palette.ink
    elif faint:
        fill, ink = theme.mix(look.colour, palette.paper, _PALE), palette.ink
    else:
        fill, ink = look.colour, look.on_colour
    rim = [(0.0, palette.muted)] if faint else [(0.0, palette.ink), (2.0, palette.gold)]
    for inset, colour in (*rim, (2.4 if faint else 6.0, fill)):
        layer.polygon(star((middle, middle), side / 2 - inset, 6), colour)
    image = layer.image()
    size = Size.NAME if number < 10 and side >= _LARGE_NUMBER else Size.SMALL
    write(image, (middle, middle), str(number), Face.LABEL, size, ink, align="middle")
    if struck:
        strike = Layer(image.width, image.height)
        for width, colour in ((8, palette.paper), (4.5, colours_of(palette).wall)):
            strike.line([(room + 3, image.height - room - 3), (image.width - room - 3, room + 3)], width, colour)
        image = Image.alpha_composite(image, strike.image())
    return image


@cache_sprite
def _glow(colour: Colour, palette: Palette, space: int) -> Image.Image:
    """Return a disc that is drawn behind a piece that has just been placed or put back."""
    side = round(space * 1.4)
    layer = Layer(side, side)
    radius, pale = space * 0.66, theme.mix(colour, palette.paper, 0.6)
    layer.discs((side / 2, side / 2), (radius, palette.ink), (radius - 2, palette.gold), (radius - 7, pale))
    return layer.image()


# --- mats ---------------------------------------------------------------------------------------------------------------


def _current(view: PucksView, mat: Mat) -> Mat:
    return next(other for other in view.mats if other.id == mat.id)


def _towards(point: canvas.Point, other: canvas.Point, length: float) -> canvas.Point:
    """Return the point at this distance from one point towards another, but never beyond the other."""
    share = length / max(length, math.dist(point, other))
    return point[0] + (other[0] - point[0]) * share, point[1] + (other[1] - point[1]) * share


@cache_sprite
def frame(palette: Palette, side: int, colour: Colour) -> SlicedSprite:
    """Return a frame along the edge of a square, such as a mat, that is `side` pixels wide."""
    layer = Layer(side, side, 2)
    thick = max(5.0, side * 0.04)
    for inset, ink in ((0.0, palette.ink), (2.0, colour), (thick, palette.ink)):
        layer.rectangle((inset, inset, side - inset, side - inset), max(3.0, 12 - inset), ink)
    image = layer.image()
    hole = Layer(side, side, 2)
    low = thick + 2
    hole.rectangle((low, low, side - low, side - low), max(3.0, 12 - low), palette.paper)
    image.putalpha(ImageChops.subtract(image.getchannel("A"), hole.image().getchannel("A")))
    return slice_frame(image)


_TURN_SIGN: Final = (104, 40)  # the width and the height of the sign on a mat that was turned


@cache_sprite
def _turn_sign(palette: Palette, colour: Colour, degrees: int) -> Image.Image:
    """Return a sign that shows how many degrees clockwise a mat was turned."""
    (width, height), room = _TURN_SIGN, 8
    layer = Layer(width + 2 * room, height + 2 * room)
    layer.plates((room, room, room + width, room + height), height / 2, (0, palette.ink), (2, palette.paper))
    pen = Pen(layer, (room + 4, room + 1), 38, palette)
    pen.arrow(circle((32, 32), 19, -90, -90 + degrees), 6, colour)
    image = layer.image()
    write(image, (room + 68, room + height / 2), f"{degrees}°", Face.LABEL, Size.SMALL, palette.ink, align="middle")
    return image


# --- undone actions -----------------------------------------------------------------------------------------------------


@cache_sprite
def _whistle(palette: Palette, diameter: int) -> Image.Image:
    room = 10
    layer = Layer(diameter + 2 * room, diameter + 2 * room)
    middle = layer.width / 2
    layer.discs((middle, middle), (diameter / 2, palette.ink), (diameter / 2 - 2, palette.paper))
    side = diameter * 0.68
    draw_icon(Pen(layer, (middle - side / 2, middle - side / 2), side, palette), "whistle")
    return layer.image()


# --- cards --------------------------------------------------------------------------------------------------------------

_CARD: Final = 50  # the size of a card that was played, in pixels
_PITCH: Final = 86  # pixels from one such card to the next, with its number beside it
_NUMBER: Final = 36  # the size of the number
_CARDS_AT_MOST: Final = 6
_ROWS_AT_MOST: Final = 4
"""At most `_CARDS_AT_MOST` of the last cards are shown, in at most `_ROWS_AT_MOST` rows."""


def story_block(story: Story, palette: Palette) -> Block:
    """Return the block of the played cards in order, each with the number of its action, struck out if it was undone."""
    played = [(step, step.card) for step in story.steps if step.card is not None][-_CARDS_AT_MOST:]

    def columns(width: int) -> int:
        return max(1, min(len(played), width // _PITCH))

    def draw(image: Image.Image, area: Area) -> None:
        across = columns(area[2] - area[0])
        inset = (area[2] - area[0] - across * _PITCH) / 2
        for index, (step, card_id) in enumerate(played[-_ROWS_AT_MOST * across :]):
            row, column = divmod(index, across)
            x, y = area[0] + inset + column * _PITCH, area[1] + row * (_CARD + 6) + _CARD / 2
            place(image, icon(card_id, palette, _CARD), (x + _PITCH - _CARD / 2, y))
            faint = step.number < story.steps[-1].number
            sign = step_number(step.number, step.seat, palette, _NUMBER, struck=step.undone, faint=faint)
            place(image, sign, (x + _NUMBER / 2, y))

    def height(width: int) -> int:
        return min(_ROWS_AT_MOST, -(-len(played) // columns(width))) * (_CARD + 6) - 6

    return Block(len(played) * _PITCH, height, draw)
