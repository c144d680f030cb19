"""Draws BOUNCE: a trampoline at a garden party, nine heights, and the guests on their way up and down."""

import math
from collections.abc import Sequence
from typing import Final

from PIL import Image

from engines.game import Event
from engines.trampoline import Bump, Jumper, Place, Roll, TrampolineView
from engines.trampoline.track import TOP
from renderers import theme
from renderers.canvas import Layer, Point, card, lay, place
from renderers.lettering import write
from renderers.renderer import numbered
from renderers.scene import Scene
from renderers.signs import burst, draw_ghost, draw_hop, tag, trail_strength
from renderers.sprite_cache import cache_sprite
from renderers.strip import draw_strip
from renderers.theme import EDGE, STRIP, WIDTH, Face, Palette, Size
from renderers.trampoline.colours import colours_of
from renderers.trampoline.party import (
    Pose,
    big_arrow,
    bucket,
    draw_bunting,
    draw_cake,
    draw_stars,
    draw_trampoline,
    guest,
    label,
)
from renderers.trampoline.table import MIDDLE, draw_next, draw_rolled, draw_turn_number

_HEIGHT: Final = 1000
_GROUND: Final = _HEIGHT - EDGE - STRIP
"""The y coordinate at which the garden ends and the strip begins."""
_PITCH: Final = 69
_HIGHEST: Final = 142
"""How much lower each spot is than the next higher one, and the y coordinate of spot 9, the highest."""
_MAT: Final = _HIGHEST + (TOP - 1) * _PITCH + 48  # the y of the mat. Guests on spot 1 stand on it.
_LAWN: Final = 86  # the height above the strip of the faces of guests on the lawn, at zoom 1
_LANES: Final = (118, 826)  # the left and the right end of the lanes, of which each seat has one
_TRACK: Final = 24  # the distance of a trail from the middle of its lane: on the left upwards, on the right downwards


def draw(view: TrampolineView, scene: Scene) -> Image.Image:
    """Draw the party, as the view and the scene have it."""
    palette = theme.palette(scene.high_contrast)
    image = _ground(palette).copy()
    rolls = [event.detail for event in scene.events if isinstance(event.detail, Roll)]
    bumps = [event.detail for event in scene.events if isinstance(event.detail, Bump)]
    starts = [_draw_trail(image, view, roll, palette) for roll in rolls]
    for bump in bumps:
        _draw_bump(image, view, bump, palette)
    for seat, jumper in enumerate(view.tokens):
        _draw_guest(image, view, seat, jumper, scene, palette)
    if len(rolls) > 1:
        for number, (roll, (x, y)) in enumerate(zip(rolls, starts, strict=True), start=1):
            draw_turn_number(image, number, roll, (x - 62 * _zoom(view), y - 8), palette)
    if view.dice:
        draw_next(image, view, scene, palette)
    if rolls:
        draw_rolled(image, rolls, palette)
    draw_strip(image, view, scene, palette)
    return card(image, palette)


def numbers_of(events: Sequence[Event]) -> list[range]:
    """Return the number of each roll. Other events have none."""
    return numbered(isinstance(event.detail, Roll) for event in events)


def _lane(view: TrampolineView, seat: int) -> float:
    left, right = _LANES
    return left + (right - left) * (seat + 0.5) / view.seats


def _zoom(view: TrampolineView) -> float:
    """Return the zoom of the guests, which are as large as their lanes allow."""
    return {1: 1.35, 2: 1.35, 3: 1.2}.get(view.seats, 1.0)


def _lawn(view: TrampolineView) -> float:
    """Return the y coordinate of the faces of guests who are on the lawn."""
    return _GROUND - _LAWN * _zoom(view)


def _level(spot: int) -> float:
    """Return the y coordinate of the middle of a face at a spot."""
    return _HIGHEST + (TOP - spot) * _PITCH


def _pose(jumper: Jumper) -> Pose:
    if jumper.thrown_up:
        return "ill"
    if jumper.landed:
        return "landed"
    return "waiting" if jumper.place is None else jumper.place.facing


def _draw_guest(image: Image.Image, view: TrampolineView, seat: int, jumper: Jumper, scene: Scene, palette: Palette) -> None:
    """Draw a guest at its spot or on the lawn, with its jumps in words, unless it has left the game."""
    if jumper.left:
        return
    x, pose, zoom = _lane(view, seat), _pose(jumper), _zoom(view)
    if pose in {"up", "down"} and jumper.spot is not None:
        at = (x, _level(jumper.spot))
        arrow = big_arrow(palette, palette.seats[seat].colour, zoom, up=pose == "up")
        place(image, arrow, (x + 88 * zoom, at[1] - 10 * zoom))
    else:
        at = (x, _lawn(view))
    if pose == "landed":
        place(image, burst(palette, round(172 * zoom)), (x, at[1] - 6))
    place(image, guest(seat, palette, jumper.jumps, pose, zoom), at)
    if view.scores:
        words = scene.translate(view.scores[seat])
        place(image, label(seat, palette, words, zoom), (at[0], at[1] + 62 * zoom))
    if pose == "ill":
        place(image, bucket(palette, zoom), (x + 98 * zoom, at[1] + 24 * zoom))


def _draw_trail(image: Image.Image, view: TrampolineView, roll: Roll, palette: Palette) -> Point:
    """Draw a roll's way, up on the left of its lane and down on the right, with its jumps, and return where it began."""
    x, colour = _lane(view, roll.seat), palette.seats[roll.seat].colour
    points = [(x, _lawn(view)) if roll.start is None else _on_track(x, roll.start), *(_on_track(x, at) for at in roll.path)]
    if roll.fell:
        points.append(_on_track(x, Place(roll.path[-1].spot, "down")))
    before = roll.jumps - sum(at == Place(1, "up") for at in roll.path)
    ghost = guest(roll.seat, palette, before, "waiting" if roll.start is None else roll.start.facing, _zoom(view))
    began = (x, _lawn(view) if roll.start is None else _level(roll.start.spot))
    draw_ghost(image, ghost, began)
    parts = len(points) - 1
    for index in range(parts):
        start, end = points[index], points[index + 1]
        bend = 0.0 if start[0] == end[0] or (roll.start is None and index == 0) else 0.75
        draw_hop(image, start, end, colour, palette, strength=trail_strength(index, parts, palette), bend=bend)
    bead = _bead(colour, palette)
    for point in points[1:-1]:
        place(image, bead, point)
    if roll.jumps > before:
        place(image, tag(f"+{roll.jumps - before}", palette), (x - 54, _MAT + 10))
    return began


def _on_track(x: float, at: Place) -> Point:
    return x + (-_TRACK if at.facing == "up" else _TRACK), _level(at.spot)


@cache_sprite
def _bead(colour: theme.Colour, palette: Palette) -> Image.Image:
    """Return a bead, which marks each place on a trail that a token has passed."""
    layer = Layer(22, 22)
    layer.discs((11, 11), (10, theme.mix(colour, palette.ink, 0.55)), (8, palette.paper))
    return layer.image()


def _draw_bump(image: Image.Image, view: TrampolineView, bump: Bump, palette: Palette) -> None:
    """Draw a burst where two guests met, a ghost of the one that was moved, and an arrow to its new place."""
    colour, zoom = palette.seats[bump.moved].colour, _zoom(view)
    met = _level(bump.start.spot)
    moved, comer, other = _lane(view, bump.moved), _lane(view, bump.seat), _lane(view, bump.other)
    draw_hop(image, (comer, met), (other, met), palette.seats[bump.seat].colour, palette, bend=0.08, head=True)
    place(image, burst(palette, round(190 * zoom)), (moved, met))
    ghost = guest(bump.moved, palette, view.tokens[bump.moved].jumps, bump.start.facing, zoom)
    draw_ghost(image, ghost, (moved, met), 0.6)
    end = (moved, _lawn(view)) if bump.end == Place(1, "down") else (moved, _level(bump.end.spot))
    if end[1] != met:
        way = math.copysign(1, end[1] - met)
        aside = moved - 74 * zoom
        draw_hop(image, (aside, met), (aside, end[1] + 10 * way), colour, palette, bend=0.0, head=True)


@cache_sprite
def _ground(palette: Palette) -> Image.Image:
    colours = colours_of(palette)
    layer = Layer(WIDTH, _HEIGHT, 3, ground=colours.sky[-1])
    for spot in range(TOP, 0, -1):
        top = _level(spot) - _PITCH / 2 if spot < TOP else 0
        swell = [(x, top + 5 * math.sin(x / 120 + spot * 1.7)) for x in range(0, WIDTH + 16, 16)]
        layer.polygon([*swell, (WIDTH, _HEIGHT), (0, _HEIGHT)], colours.sky[spot - 1])
    draw_stars(layer, palette, ((170, 128), (330, 96), (520, 150), (690, 108), (240, 214), (440, 236), (760, 196), (610, 262)))
    _draw_lawn(layer, palette)
    for spot in range(2, TOP + 1):
        y = _level(spot)
        for dash in range(24):
            x = _LANES[0] - 8 + dash * 30
            layer.line([(x, y), (x + 9, y)], 3, (*colours.on_sky, 70))
    draw_bunting(layer, palette, WIDTH)
    draw_trampoline(layer, palette, _LANES[0] - 40, _LANES[1] + 14, _MAT, _GROUND - 64)
    draw_cake(layer, palette, (MIDDLE - 8, _GROUND - 16))
    image = layer.image().convert("RGB")
    _draw_scale(image, palette)
    return image


def _draw_lawn(layer: Layer, palette: Palette) -> None:
    colours = colours_of(palette)
    for base, height, length, shift, colour in (
        (_MAT - 26, 26, 150, 0.0, theme.mix(colours.hill, colours.sky[0], 0.35)),
        (_MAT + 8, 20, 110, 2.0, colours.hill),
        (_MAT + 46, 6, 90, 1.0, colours.grass_dark),
        (_MAT + 70, 5, 130, 3.0, colours.grass),
    ):
        ridge = [(x, base - height * math.sin(x / length + shift)) for x in range(0, WIDTH + 16, 16)]
        layer.polygon([*ridge, (WIDTH, _HEIGHT), (0, _HEIGHT)], colour)
    for index in range(26):
        x, y = 24 + index * 39, _MAT + 92 + (index * 37) % 70
        for blade in (-7, 0, 7):
            layer.line([(x, y), (x + blade, y - 12 + abs(blade) / 2)], 3, colours.grass_dark)


def _draw_scale(image: Image.Image, palette: Palette) -> None:
    """Draw a pole on the left with the numbers of the spots. Spot 1 is at the mat."""
    layer = Layer(72, _HEIGHT)
    x = 36
    heights = {spot: _level(spot) if spot > 1 else _MAT for spot in range(1, TOP + 1)}
    top, bottom = heights[TOP] - 30, heights[1] + 90
    layer.line([(x, top), (x, bottom)], 16, palette.ink)
    layer.line([(x, top), (x, bottom)], 10, palette.paper)
    for spot, y in heights.items():
        layer.discs((x, y), (27, palette.ink), (24, palette.gold if spot in {1, TOP} else palette.paper))
    pole = layer.image()
    for spot, y in heights.items():
        write(pole, (x, y), str(spot), Face.LABEL, Size.HEADING, palette.ink, align="middle")
    lay(image, pole, (EDGE + 12, 0))
