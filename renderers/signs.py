"""Marks for events (trails, numbers, bursts, ghosts) and for choices (rings, tags)."""

import math
from typing import Final

from PIL import Image

from renderers import theme
from renderers.canvas import Layer, Point, fade, lay, place, snug, star, with_shadow
from renderers.lettering import text_width, write
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Face, Palette, Size

GHOST: Final = 0.38
"""The opacity of a piece that is no longer there."""
_RING_INSIDE: Final = 150  # the opacity (of 256) inside a filled ring
_STRENGTHS: Final = 4  # the number of steps from faint to full strength along a trail


def trail_strength(index: int, count: int, palette: Palette) -> float:
    """Return the strength (0 to 1) of one part of a trail, which is `Palette.faint` for the oldest and 1 for the newest."""
    share = 1.0 if count < 2 else index / (count - 1)
    return round(palette.faint + (1 - palette.faint) * round(share * _STRENGTHS) / _STRENGTHS, 3)


def draw_hop(
    image: Image.Image,
    start: Point,
    end: Point,
    colour: Colour,
    palette: Palette,
    *,
    strength: float = 1.0,
    bend: float = 0.16,
    width: float = 10.0,
    head: bool = False,
) -> None:
    """Draw one part of a trail, with a light outline that shows on any background.

    It bends to the left by the share `bend` of its length, so that a hop there and a hop back do not cover each other. `head`
    adds an arrowhead. A smaller `strength` makes the hop thinner and paler.
    """
    width *= 0.5 + 0.5 * strength
    dx, dy = round(end[0] - start[0]), round(end[1] - start[1])
    sprite, offset = _hop(dx, dy, colour, palette, strength, bend, width, head)
    lay(image, sprite, (round(start[0]) + offset[0], round(start[1]) + offset[1]))


@cache_sprite
def _hop(
    dx: int, dy: int, colour: Colour, palette: Palette, strength: float, bend: float, width: float, head: bool
) -> tuple[Image.Image, tuple[int, int]]:
    """Return the sprite of a hop, and its top left corner measured from the start of the hop."""
    control = (dx / 2 + dy * bend * 2, dy / 2 - dx * bend * 2)
    weights = ((2 * share * (1 - share), share * share) for share in (step / 16 for step in range(17)))
    curve = [(control[0] * near + dx * far, control[1] * near + dy * far) for near, far in weights]  # quadratic
    room = math.ceil(width * 2 + 6)
    left, top = math.floor(min(x for x, _ in curve)) - room, math.floor(min(y for _, y in curve)) - room
    right, bottom = math.ceil(max(x for x, _ in curve)) + room, math.ceil(max(y for _, y in curve)) + room
    points = [(x - left, y - top) for x, y in curve]
    layer = Layer(right - left, bottom - top)
    tip = _arrow_head(points, width) if head else None
    body = [point for point in points if math.dist(point, points[-1]) > width * 1.6] or points[:1] if head else points
    pale = theme.mix(palette.paper, colour, 0.3 + 0.7 * strength)
    for grow, ink in ((8.0, palette.paper), (4.0, theme.mix(pale, palette.ink, 0.3 + 0.2 * strength)), (0.0, pale)):
        layer.line(body, width + grow, ink)
        if tip:
            layer.line([*tip, tip[0]], grow + 0.1, ink)
            layer.polygon(tip, ink)
    sprite = layer.image()
    box = sprite.getchannel("A").getbbox() or (0, 0, 1, 1)
    return sprite.crop(box), (left + box[0], top + box[1])


def _arrow_head(points: list[Point], width: float) -> list[Point]:
    (x, y), (bx, by) = points[-1], points[-4]
    length = math.hypot(x - bx, y - by) or 1.0
    ux, uy = (x - bx) / length, (y - by) / length
    back, half = width * 2.3, width * 1.6
    return [
        (x, y),
        (x - ux * back - uy * half, y - uy * back + ux * half),
        (x - ux * back + uy * half, y - uy * back - ux * half),
    ]


@cache_sprite
def numbered_dot(number: int, colour: Colour, palette: Palette, diameter: int = 36, size: Size = Size.SMALL) -> Image.Image:
    """Return a round dot with a number on it, such as that of a bounce."""
    side = diameter + 2
    layer, middle = Layer(side, side), side / 2
    layer.discs((middle, middle), (diameter / 2, theme.mix(colour, palette.ink, 0.55)), (diameter / 2 - 3.5, palette.paper))
    dot = layer.image()
    write(dot, (middle, middle), str(number), Face.LABEL, size, palette.ink, align="middle")
    return dot


@cache_sprite
def burst(palette: Palette, diameter: int, colour: Colour | None = None) -> Image.Image:
    """Return a comic-style burst for a capture or a bump."""
    colour = palette.gold if colour is None else colour
    side = diameter + 24
    layer, middle = Layer(side, side), side / 2
    radius = diameter / 2
    layer.polygon(star((middle, middle), radius, 12, 0.72), palette.ink)
    layer.polygon(star((middle, middle), radius - 4.5, 12, 0.72), colour)
    layer.polygon(star((middle, middle), radius * 0.72, 12, 0.72), theme.mix(colour, palette.paper, 0.7))
    return snug(with_shadow(layer.image(), palette.ink))


@cache_sprite
def cross(palette: Palette, side: int) -> Image.Image:
    """Return a cross with a light outline, which is drawn over a captured piece."""
    width = side * 0.17
    layer, near, far = Layer(side, side), width, side - width
    for grow, colour in ((width * 0.75, palette.paper), (0.0, palette.ink)):
        layer.line([(near, near), (far, far)], width + grow, colour)
        layer.line([(near, far), (far, near)], width + grow, colour)
    return layer.image()


def draw_ghost(image: Image.Image, sprite: Image.Image, centre: Point, opacity: float = GHOST) -> None:
    """Draw a piece, translucent, where it was before."""
    place(image, fade(sprite, opacity), centre)


def draw_option(image: Image.Image, centre: Point, token: str, palette: Palette, diameter: int, *, taken: bool) -> None:
    """Mark a choice with a ring and its token or, if a piece is there (`taken`), with the token alone at the foot."""
    if not taken:
        place(image, ring(diameter, palette, filled=True), centre)
    place(image, tag(token, palette), (centre[0], centre[1] + diameter / 2 - 15) if taken else centre)


@cache_sprite
def ring(diameter: int, palette: Palette, *, filled: bool, colour: Colour | None = None) -> Image.Image:
    """Return the ring round a choice. It is golden by default, and its inside is translucent if `filled` and clear if not."""
    side = diameter + 8
    layer, middle = Layer(side, side), side / 2
    radius, colour = diameter / 2, palette.gold if colour is None else colour
    layer.discs((middle, middle), (radius, palette.ink), (radius - 2.5, colour), (radius - 9.5, palette.ink))
    hole = Layer(side, side)
    hole.ellipse((middle, middle), diameter / 2 - 12, palette.paper)
    image, inside = layer.image(), hole.image()
    clear = 256 - _RING_INSIDE if filled else 256
    opacity = inside.getchannel("A").point([255 - value * clear // 256 for value in range(256)])
    image.paste(palette.paper, (0, 0), inside)
    alpha = image.getchannel("A")
    alpha.paste(opacity, (0, 0), inside)
    image.putalpha(alpha)
    return image


@cache_sprite
def tag(token: str, palette: Palette) -> Image.Image:
    """Return a small golden label with the token of a button."""
    height = 32
    width = max(height + 8, math.ceil(text_width(token, Face.LABEL, Size.BODY)) + 22)
    layer = Layer(width, height)
    layer.plates((0, 0, width, height), height / 2, (0, palette.ink), (2.5, palette.gold))
    label = layer.image()
    write(label, (width / 2, height / 2), token, Face.LABEL, Size.BODY, palette.ink, align="middle")
    return label
