"""The strip under every board: the mark, the name and the score of each seat, in a filled pill if the seat is to act."""

from PIL import Image

from engines.game import View
from engines.text import seat_name
from renderers.canvas import lay, place
from renderers.lettering import can_write, strike, write
from renderers.pieces import badges, computer_mark, plate
from renderers.scene import Scene
from renderers.theme import EDGE, STRIP, WIDTH, Colour, Face, Palette, Size

_GAP = 8  # pixels between a pill and the edge of the strip or the next pill


def draw_strip(image: Image.Image, view: View, scene: Scene, palette: Palette) -> None:
    """Draw the strip over the lowest `theme.STRIP` pixels of the card."""
    top = image.height - EDGE - STRIP
    image.paste(palette.paper, (0, top, WIDTH, image.height))
    image.paste(palette.line, (0, top, WIDTH, top + 3))
    left, width = EDGE + 2 * _GAP, WIDTH - 2 * EDGE - 4 * _GAP
    cell = (width - _GAP * (view.seats - 1)) / view.seats
    for seat in range(view.seats):
        x = left + seat * (cell + _GAP)
        _draw_seat(image, view, scene, palette, seat, (round(x), top + _GAP + 2, round(x + cell), top + STRIP - _GAP))


def shown_name(scene: Scene, seat: int) -> str:
    """Return the player's name, or the name of the seat if nothing of it can be drawn."""
    name = scene.names[seat] if seat < len(scene.names) else ""
    return scene.translate(name if can_write(name, Face.NAME) else seat_name(seat))


def _draw_seat(
    image: Image.Image, view: View, scene: Scene, palette: Palette, seat: int, box: tuple[int, int, int, int]
) -> None:
    """Draw one seat, in a dark pill if it is to act, in a golden one if it has won, and struck out if it is out."""
    left, top, right, bottom = box
    height, middle = bottom - top, (top + bottom) / 2
    won = view.outcome is not None and seat in view.outcome.winners
    awaited, out = seat in view.to_act, seat in view.out and not won
    if won or awaited:
        pill = plate(right - left, height, height / 2, palette.gold if won else palette.ink)
        lay(image, pill, (left, top))
    crowded = view.seats > 4
    mark = badges(view.colours_of(seat), palette, 44 if crowded else 52, out=out)
    mark_at = left + height / 2 - (2 if crowded else 0) + (mark.width - mark.height) / 2
    place(image, mark, (mark_at, middle))
    colour = palette.muted if out else palette.paper if awaited and not won else palette.ink
    room = (mark_at + mark.width / 2 + (10 if crowded else 14), right - (14 if crowded else 26))
    score = scene.translate(view.scores[seat]) if seat < len(view.scores) else ""
    stacked, indent = view.seats > 2, 0
    if seat in scene.computers:
        side = 28 if stacked else 38
        indent = side + 8
        place(image, computer_mark(palette, side), (room[0] + side / 2, middle + (16 if stacked else -2)))
    name = shown_name(scene, seat)
    if stacked:
        _write_stacked(image, name, score, room, middle, colour, indent=indent, struck=out, crowded=crowded)
    else:
        _write_in_line(image, name, score, (room[0] + indent, room[1]), middle, colour, struck=out)


def _write_in_line(
    image: Image.Image, name: str, score: str, room: tuple[float, float], y: float, colour: Colour, *, struck: bool
) -> None:
    scored = write(image, (room[1], y), score, Face.LABEL, Size.HEADING, colour, align="right", width=(room[1] - room[0]) / 2)
    width = room[1] - room[0] - (scored + 20 if scored else 0)
    written = write(image, (room[0], y), name, Face.NAME_STRONG, Size.HEADING, colour, width=width)
    if struck:
        strike(image, (room[0], y), written, colour)


def _write_stacked(
    image: Image.Image,
    name: str,
    score: str,
    room: tuple[float, float],
    y: float,
    colour: Colour,
    *,
    indent: int,
    struck: bool,
    crowded: bool,
) -> None:
    """Write the name above the score, which is indented by `indent` pixels."""
    width, size = room[1] - room[0], Size.BODY if crowded else Size.NAME
    name_at = y - 14 if score or indent else y
    written = write(image, (room[0], name_at), name, Face.NAME_STRONG, size, colour, width=width)
    if score:
        write(image, (room[0] + indent, y + 17), score, Face.LABEL, Size.SMALL, colour, width=width - indent)
    if struck:
        strike(image, (room[0], name_at), written, colour)
