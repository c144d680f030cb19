"""The bot's Discord profile: an avatar with a puck on a spring, and a banner with bouncing pieces. The sandbox has initials."""

import io
from itertools import pairwise
from typing import Final

from PIL import Image

from engines.pucks.board.pieces import Piece, PieceKind
from renderers import theme
from renderers.bunny.cards import bunny_sprite
from renderers.canvas import Layer, Point, place
from renderers.lettering import write
from renderers.pieces import counter, draw_mark, draw_spring
from renderers.pucks.pieces import piece
from renderers.theme import Face, Palette, Size, hex_colour
from renderers.trampoline.party import guest

INITIAL_SIDE: Final = 80
"""The side of an initial in pixels, twice as large as Discord shows an avatar."""
AVATAR_SIDE: Final = 512
"""The side of the avatar in pixels. Discord cuts it to a circle."""
BANNER_SIZE: Final = (1360, 480)
"""The size of the banner in pixels, twice as large as Discord shows it."""

_FLOOR: Final = 400
_SPRINGS: Final = (420, 670, 920, 1170)
"""The y coordinate of the banner's floor, and the x coordinates of its springs."""

_SKY: Final = (hex_colour("#2aa79b"), hex_colour("#0d5a73"))
_GLOW: Final = hex_colour("#5cc9b5")
_GROUND: Final = hex_colour("#0a4459")
_PLAIN: Final = hex_colour("#4f5660")


def avatar() -> bytes:
    """Draw the avatar as a PNG file. All that matters is inside the circle that Discord cuts out."""
    side, palette = AVATAR_SIDE, theme.WARM
    layer = Layer(side, side)
    layer.rectangle((0, 0, side, side), 0, _SKY)
    layer.ellipse((side / 2, 176), 168, _GLOW)
    draw_spring(layer, (side / 2, 300), 128, 150, palette)
    _draw_ball(layer, (side / 2, 168), 118, palette)
    return _png(layer.image().convert("RGB"))


def initial(name: str) -> bytes:
    """Draw the first letter of a name as a PNG file, for a person who has no avatar."""
    side, palette = INITIAL_SIDE, theme.WARM
    image = Image.new("RGB", (side, side), _PLAIN)
    letter, middle = name[:1].upper(), (side / 2, side / 2)
    write(image, middle, letter, Face.NAME_STRONG, Size.HEADING, palette.paper, align="middle", width=side)
    return _png(image)


def _draw_ball(layer: Layer, centre: Point, radius: float, palette: Palette) -> None:
    """Draw the bouncing piece: round, lit from the top left, and with the mark of the last seat."""
    look = palette.seats[0]
    x, y = centre
    layer.ellipse(centre, radius, palette.ink)
    layer.ellipse(centre, radius - 11, theme.mix(look.colour, palette.paper, 0.4))
    layer.ellipse((x + 5, y + 5), radius - 17, look.colour)
    draw_mark(layer, theme.Mark.STAR, centre, radius * 0.58, palette.paper)


def banner() -> bytes:
    """Draw the banner as a PNG file. Its lower left corner is plain, because Discord lays the avatar over it."""
    (width, height), palette = BANNER_SIZE, theme.WARM
    layer = Layer(width, height, 2)
    layer.rectangle((0, 0, width, height), 0, _SKY)
    layer.rectangle((0, _FLOOR, width, height), 0, _GROUND)
    for start, end in pairwise((170, *_SPRINGS, 1440)):
        for share in (step / 12 for step in range(13)):
            layer.ellipse((start + (end - start) * share, _FLOOR - 150 - 4 * share * (1 - share) * 170), 6, _GLOW)
    for x in _SPRINGS:
        draw_spring(layer, (x, _FLOOR - 62), 62, 62, palette)
    image = layer.image()
    bunny = bunny_sprite(3, palette)
    jumpers = (
        (counter(1, palette, 148, crowned=True), 170),
        (bunny.resize((bunny.width * 7 // 4, bunny.height * 7 // 4), Image.Resampling.LANCZOS), 212),
        (guest(4, palette, 2, "up", 1.15), 170),
        (piece(Piece(0, PieceKind.PUCK, 1), palette, 150), 212),
    )
    for x, (sprite, up) in zip(_SPRINGS, jumpers, strict=True):
        place(image, sprite, (x, _FLOOR - up))
    return _png(image.convert("RGB"))


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
