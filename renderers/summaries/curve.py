"""Draws everybody's chances to win in the course of a game as bands, with the first seat's band at the bottom.

Together, the bands add up to certainty. Each band has the mark of its seat, and the name of its player stands where it begins,
so that nobody has to rely on the colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from PIL import Image

from renderers import png, theme
from renderers.canvas import Layer, Point, card, place
from renderers.lettering import can_write, text_width, write
from renderers.pieces import badges, plate
from renderers.signs import numbered_dot
from renderers.theme import WIDTH, Colour, Face, Palette, Size

HEIGHT: Final = 658
_TOP: Final = 142
_LEFT: Final = 232
_RIGHT: Final = WIDTH - 106
_BOTTOM: Final = HEIGHT - 74
"""The edges of the curve's box in pixels: top, left, right and bottom."""
_BADGE: Final = 40
_DOT: Final = 38
_NAME_PITCH: Final = 46
"""The least distance between two names, from middle to middle."""
_ROOMY: Final = 46  # the least height of a band, in pixels, for its mark to stand in it


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turning point of a game: it comes after `place` actions, belongs to `seat`, and is written as `number`."""

    place: int
    seat: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Everything in the picture, with texts in any language.

    Attributes:
        title, below: the heading, and the label of the axis below the curve.
        names, nameless: the players' names by seat, and the words for those whose names cannot be drawn.
        colours: the colours that each seat plays.
        points: every seat's chance to win (0 to 1) after various numbers of actions. There is at least one point.
        turns: the turning points, in order.
        winners: the seats that have won.
    """

    title: str
    below: str
    names: tuple[str, ...]
    nameless: tuple[str, ...]
    colours: tuple[tuple[int, ...], ...]
    points: tuple[tuple[int, tuple[float, ...]], ...]
    turns: tuple[TurningPoint, ...] = ()
    winners: tuple[int, ...] = ()
    high_contrast: bool = False

    @property
    def length(self) -> int:
        """The number of actions in the game."""
        return max(1, self.points[-1][0])


def draw(curve: Curve) -> bytes:
    """Draw a curve as a PNG file. Equal curves give the same bytes."""
    palette = theme.palette(curve.high_contrast)
    picture = paint(curve, palette)
    return png.encode(picture, palette.edge, png.choose_colours(picture, (*theme.anchors(palette), *tones(palette))))


def paint(curve: Curve, palette: Palette) -> Image.Image:
    """Draw a curve as a card."""
    image = Image.new("RGB", (WIDTH, HEIGHT), palette.paper)
    write(image, (44, 42), curve.title, Face.LABEL, Size.HEADING, palette.ink, width=WIDTH - 88)
    image.paste(bands(curve, palette, _RIGHT - _LEFT, _BOTTOM - _TOP), (_LEFT, _TOP))
    _write_scales(image, curve, palette)
    for turn, row in zip(curve.turns, _rows(curve), strict=True):
        _draw_turn(image, curve, turn, row, palette)
    for seat, (x, y) in mark_places(curve, _RIGHT - _LEFT, _BOTTOM - _TOP):
        place(image, badges(curve.colours[seat], palette, _BADGE), (_LEFT + x, _TOP + y))
    _write_names(image, curve, palette)
    return card(image, palette)


def _x(curve: Curve, actions: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * actions / curve.length


def _y(share: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * share


def _edges(chances: Sequence[float]) -> list[float]:
    """Return the edges of the bands, as shares of the height from the bottom. What remains at the top belongs to no seat."""
    return [min(1.0, max(0.0, edge)) for edge in accumulate(chances, initial=0.0)]


def _at(curve: Curve, actions: float) -> list[float]:
    """Return the edges after a number of actions, interpolated between two points."""
    earlier = curve.points[0]
    for later in curve.points:
        if later[0] >= actions:
            share = 0.0 if later[0] == earlier[0] else (actions - earlier[0]) / (later[0] - earlier[0])
            return [a + (b - a) * share for a, b in zip(_edges(earlier[1]), _edges(later[1]), strict=True)]
        earlier = later
    return _edges(earlier[1])


def mark_places(curve: Curve, width: int, height: int) -> list[tuple[int, Point]]:
    """Return where marks go: where each band is highest, away from ends and turning points. Low bands have no mark."""
    found = []
    taken = [width * turn.place / curve.length for turn in curve.turns]
    for seat in range(len(curve.names)):
        tries = [curve.length * (step + 1) / 25 for step in range(24)]
        free = [at for at in tries if all(abs(width * at / curve.length - other) > _BADGE for other in taken)] or tries
        heights = [(_at(curve, at)[seat + 1] - _at(curve, at)[seat], -at) for at in free]
        highest, at = max(heights)
        if highest * height >= _ROOMY:
            edges = _at(curve, -at)
            found.append((seat, (width * -at / curve.length, height * (1 - (edges[seat] + edges[seat + 1]) / 2))))
    return found


def tones(palette: Palette) -> tuple[Colour, ...]:
    """Return the colours of bands and lines, which any picture with a curve keeps exactly."""
    lines = theme.mix(palette.ink, palette.paper, 0.35)
    return (_nobodys(palette), lines, *(_band(palette, seat) for seat in range(len(palette.seats))))


def _band(palette: Palette, seat: int) -> Colour:
    """Return the colour of a band. It is paler than that of its seat, so that marks and lines stand out."""
    return theme.mix(palette.seats[seat].colour, palette.paper, 0.22 if palette.high_contrast else 0.3)


def _nobodys(palette: Palette) -> Colour:
    return theme.mix(palette.paper, palette.line, 0.5)


def bands(curve: Curve, palette: Palette, width: int, height: int) -> Image.Image:
    """Return the bands in this size, with lines between them, and dashed lines at a quarter, a half and three quarters."""
    layer = Layer(width, height, ground=_nobodys(palette))
    corners = [(width * actions / curve.length, _edges(chances)) for actions, chances in curve.points]
    if len(corners) == 1:
        corners.append((float(width), corners[0][1]))
    for seat in range(len(curve.names)):
        lower = [(x, (1 - edges[seat]) * height) for x, edges in corners]
        upper = [(x, (1 - edges[seat + 1]) * height) for x, edges in corners]
        layer.polygon([*upper, *reversed(lower)], _band(palette, curve.colours[seat][0]))
    for edge in range(1, len(curve.names) + 1):
        line = [(x, (1 - edges[edge]) * height) for x, edges in corners]
        layer.line(line, 7, palette.paper)
        layer.line(line, 3.2, palette.ink)
    for share in (0.25, 0.5, 0.75):
        for step in range(0, width, 22):
            layer.line([(step, share * height), (step + 7, share * height)], 1.6, (*palette.ink, 120))
    return layer.image().convert("RGB")


def _write_scales(image: Image.Image, curve: Curve, palette: Palette) -> None:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        percent = f"{round(100 * share)}%"
        write(image, (WIDTH - 24, _y(share)), percent, Face.LABEL, Size.SMALL, palette.muted, align="right")
    rounds = (step * int(10**power) for power in range(9) for step in (1, 2, 5))
    step = next(step for step in rounds if curve.length <= 8 * step)  # so that there are at most nine labels
    for actions in range(0, curve.length + 1, step):
        x = round(_x(curve, actions))
        image.paste(palette.muted, (x - 1, _BOTTOM + 2, x + 1, _BOTTOM + 12))
        write(image, (x, _BOTTOM + 28), str(actions), Face.LABEL, Size.SMALL, palette.muted, align="middle")
    write(image, (_LEFT - 28, _BOTTOM + 28), curve.below, Face.NAME, Size.SMALL, palette.muted, align="right", width=180)
    for x in (_LEFT, _RIGHT):
        image.paste(palette.ink, (x - 1, _TOP, x + 2, _BOTTOM))
    for y in (_TOP, _BOTTOM):
        image.paste(palette.ink, (_LEFT - 1, y - 1, _RIGHT + 2, y + 2))


def _rows(curve: Curve) -> list[int]:
    """Return which of two rows above the curve each turning point's number is in, so that no number hides another."""
    rows: list[int] = []
    for before, turn in zip((None, *curve.turns), curve.turns, strict=False):
        near = before is not None and _x(curve, turn.place) - _x(curve, before.place) < _DOT
        rows.append(1 - rows[-1] if near else 0)
    return rows


def _draw_turn(image: Image.Image, curve: Curve, turn: TurningPoint, row: int, palette: Palette) -> None:
    """Draw a turning point: a line across the bands and, above it, the number in the colour of its seat."""
    x = round(_x(curve, turn.place))
    for y in range(_TOP + 2, _BOTTOM - 4, 12):
        image.paste(palette.ink, (x - 1, y, x + 2, y + 7))
    colour = palette.seats[curve.colours[turn.seat][0]].colour
    place(image, numbered_dot(turn.number, colour, palette, _DOT, Size.SMALL), (x, _TOP - 22 - row * (_DOT - 4)))


def _write_names(image: Image.Image, curve: Curve, palette: Palette) -> None:
    """Write the names to the left of the bands. Those of the winners are on gold."""
    edges = _edges(curve.points[0][1])
    seats = range(len(curve.names) - 1, -1, -1)
    wanted = [_y((edges[seat] + edges[seat + 1]) / 2) for seat in seats]
    for seat, y in zip(seats, _spread_names(wanted), strict=True):
        name = curve.names[seat] if can_write(curve.names[seat], Face.NAME) else curve.nameless[seat]
        mark, won = badges(curve.colours[seat], palette, _BADGE), seat in curve.winners
        room = _LEFT - 44 - mark.width - 22
        shown = min(room, text_width(name, Face.NAME_STRONG, Size.BODY))
        if won:
            pill = plate(round(shown + mark.width + 34), _NAME_PITCH - 2, _NAME_PITCH / 2 - 1, palette.gold)
            image.paste(pill, (22, round(y - pill.height / 2)), pill)
        place(image, mark, (28 + mark.width / 2, y))
        write(image, (38 + mark.width, y), name, Face.NAME_STRONG, Size.BODY, palette.ink, width=room)


def _spread_names(wanted: list[float]) -> list[float]:
    """Return ascending heights of names so that none overlap: they are moved down as needed, then up from the bottom."""
    found = list(wanted)
    for index in range(1, len(found)):
        found[index] = max(found[index], found[index - 1] + _NAME_PITCH)
    lowest = _BOTTOM - _NAME_PITCH / 2
    for index in reversed(range(len(found))):
        found[index] = min(found[index], lowest)
        lowest = found[index] - _NAME_PITCH
    return found
