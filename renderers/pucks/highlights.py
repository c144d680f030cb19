"""Sprites that mark the choices in Puck Bumpers: golden rings, frames, pills and arrows."""

import math

from PIL import Image

from engines.pucks.board.board import DIRECTIONS, STEPS
from renderers.canvas import Layer, with_shadow
from renderers.lettering import text_width, write
from renderers.pucks.colours import colours_of
from renderers.pucks.icons import Pen, circle
from renderers.sliced_sprite import SlicedSprite, slice_frame
from renderers.sprite_cache import cache_sprite
from renderers.theme import Face, Palette, Size


@cache_sprite
def ring(palette: Palette, space: int, *, chosen: bool) -> Image.Image:
    """Return a ring round a piece, light if the piece has been chosen and golden if it can be."""
    side, middle, thick = round(space * 1.2) + 8, (round(space * 1.2) + 8) / 2, max(3.2, space * 0.07)
    layer, hole = Layer(side, side), Layer(side, side)
    radius = space * 0.565
    colour = palette.paper if chosen else palette.gold
    layer.discs((middle, middle), (radius + 2, palette.ink), (radius, colour), (radius - thick, palette.ink))
    hole.ellipse((middle, middle), radius - thick - 1.5, palette.paper)
    image = layer.image()
    image.paste((0, 0, 0, 0), (0, 0), hole.image())
    return image


@cache_sprite
def chip(token: str, palette: Palette) -> Image.Image:
    """Return a token on a small golden pill."""
    height = 30
    width = max(height, math.ceil(text_width(token, Face.LABEL, Size.SMALL)) + 15)
    room = 7
    layer = Layer(width + 2 * room, height + 2 * room)
    layer.plates((room, room, room + width, room + height), height / 2, (0, palette.ink), (2, palette.gold))
    image = with_shadow(layer.image(), palette.ink)
    write(image, (room + width / 2, room + height / 2), token, Face.LABEL, Size.SMALL, palette.ink, align="middle")
    return image


@cache_sprite
def way_arrow(token: str, palette: Palette, side: int) -> Image.Image:
    """Return the sign of a direction. Like the emoji on its button, it is a light arrow on a blue square."""
    room, colours = 8, colours_of(palette)
    layer = Layer(side + 2 * room, side + 2 * room)
    layer.rectangle((room, room, room + side, room + side), side * 0.24, palette.ink)
    layer.rectangle((room + 2, room + 2, room + side - 2, room + side - 2), side * 0.2, palette.paper)
    line = max(3.0, side * 0.09)
    layer.rectangle((room + line, room + line, room + side - line, room + side - line), side * 0.16, colours.button)
    dx, dy = STEPS[DIRECTIONS.index(token)]
    middle, reach, wing, thick = room + side / 2, side * 0.3, side * 0.2, side * 0.13
    tip = (middle + dx * reach, middle + dy * reach)
    tail = (middle - dx * reach, middle - dy * reach)
    wings = [(tip[0] - dx * wing + a * dy * wing, tip[1] - dy * wing + a * dx * wing) for a in (-1, 1)]
    layer.line([tail, tip], thick, palette.paper)
    layer.line([wings[0], tip, wings[1]], thick, palette.paper)
    return with_shadow(layer.image(), palette.ink)


@cache_sprite
def dot(palette: Palette, space: int) -> Image.Image:
    """Return one of the dots along the way that a piece would go."""
    radius = max(3.0, space * 0.075)
    side = round(2 * radius) + 6
    layer = Layer(side, side)
    layer.discs((side / 2, side / 2), (radius + 1.8, palette.ink), (radius, palette.gold))
    return layer.image()


@cache_sprite
def big_letter(letter: str, palette: Palette, *, chosen: bool) -> Image.Image:
    """Return the large letter of a mat, light if the mat has been chosen and golden if it can be."""
    side, room = 46, 8
    layer = Layer(side + 2 * room, side + 2 * room)
    middle = side / 2 + room
    layer.discs((middle, middle), (side / 2, palette.ink), (side / 2 - 2.5, palette.paper if chosen else palette.gold))
    image = with_shadow(layer.image(), palette.ink)
    low = 2.5 if letter in "acemno" else 0 if letter in "bdfhikl" else 4
    write(image, (middle, middle - low), letter, Face.LABEL, Size.HEADING, palette.ink, align="middle")
    return image


@cache_sprite
def dashed_square(palette: Palette, side: int) -> Image.Image:
    """Return a dashed square, which marks a free place for a mat."""
    layer = Layer(side, side, 2)
    low, high = 5.0, side - 5.0
    layer.rectangle((low, low, high, high), 12, (*colours_of(palette).on_table, 26))
    dashes = max(4, round((high - low) / 26))
    for step in range(dashes):
        start, end = (low + (high - low) * (step + share) / dashes for share in (0.2, 0.8))
        for edge in (low, high):
            layer.line([(start, edge), (end, edge)], 4, palette.gold)
            layer.line([(edge, start), (edge, end)], 4, palette.gold)
    return layer.image()


@cache_sprite
def place_name(relation: str, letter: str, palette: Palette, side: int) -> Image.Image:
    """Return the name of a free place ("east-of d") on two lines, or only its letter where mats are very small."""
    width = max(44, math.ceil(text_width(relation, Face.LABEL, Size.SMALL)) + 18)
    high = 64
    layer = Layer(width + 8, high + 8)
    layer.plates((4, 4, width + 4, high + 4), 16, (0, palette.ink), (2, palette.gold))
    image = layer.image()
    middle = width / 2 + 4
    write(image, (middle, 22), relation, Face.LABEL, Size.SMALL, palette.ink, align="middle")
    write(image, (middle, 48), letter, Face.LABEL, Size.NAME, palette.ink, align="middle")
    if side >= width + 8:
        return image
    # Very small mats have room for the letter only.
    return chip(letter, palette)


@cache_sprite
def turn_arrow(token: str, palette: Palette) -> Image.Image:
    """Return a pill with a turning arrow and the number of degrees."""
    width, height, room = 104, 44, 8
    layer = Layer(width + 2 * room, height + 2 * room)
    layer.plates((room, room, room + width, room + height), height / 2, (0, palette.ink), (2, palette.gold))
    pen = Pen(layer, (room + 5, room + 2), 40, palette)
    pen.arrow(circle((32, 32), 20, -90, -90 + int(token)), 6, palette.paper)
    image = with_shadow(layer.image(), palette.ink)
    write(image, (room + 70, room + height / 2), token, Face.LABEL, Size.SMALL, palette.ink, align="middle")
    return image


@cache_sprite
def card_frame(palette: Palette, width: int, height: int, *, chosen: bool) -> SlicedSprite:
    """Return a frame round a card, light if the card has been chosen and golden if it can be."""
    grow = 5
    layer = Layer(width + 2 * grow, height + 2 * grow)
    hole = Layer(layer.width, layer.height)
    layer.plates((0, 0, layer.width, layer.height), 16, (0, palette.ink), (2, palette.paper if chosen else palette.gold))
    hole.rectangle((grow + 2, grow + 2, layer.width - grow - 2, layer.height - grow - 2), 10, palette.paper)
    image = layer.image()
    image.paste((0, 0, 0, 0), (0, 0), hole.image())
    return slice_frame(image)
