"""Draws the strip of Puck Bumpers: each seat's name, score, scored pucks and cards or, at first, pieces still to be placed."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from PIL import Image

from engines.pucks.board.box import box
from engines.pucks.board.pieces import Piece, PieceKind
from engines.pucks.board.views import Phase, PucksView
from renderers.canvas import Layer, Point, place
from renderers.lettering import strike, text_width, write
from renderers.pieces import badges, computer_mark
from renderers.pucks.blocks import Anchors
from renderers.pucks.colours import colours_of
from renderers.pucks.icons import Pen, draw_icon
from renderers.pucks.panel import pip
from renderers.pucks.pieces import emblem
from renderers.pucks.seating import BETWEEN, GAP, PAD, SIDE, TAGS, Name, Seating, cell_width, mark_size
from renderers.scene import Scene
from renderers.signs import burst
from renderers.sprite_cache import cache_sprite
from renderers.theme import EDGE, WIDTH, Colour, Face, Palette, Size

_LEAST_PITCH: Final = 13  # the least distance of two scored pucks in pixels. With less room, only the score tells of them.
_ROUND: Final = 26  # the radius of the corners of a seat, at most


def draw_seats(
    image: Image.Image, view: PucksView, scene: Scene, seating: Seating, scored_now: set[Piece], palette: Palette, to: Anchors
) -> None:
    """Draw the strip at the bottom of the card, and note in `to` where the words that name colours go."""
    y = image.height - EDGE - seating.height
    image.paste(palette.paper, (0, y, WIDTH, image.height))
    image.paste(palette.line, (0, y, WIDTH, y + 3))
    y += GAP
    cell = cell_width(seating.across)
    for row in seating.rows:
        high = seating.row_height(row)
        left = EDGE + GAP + (seating.across - len(row)) * (cell + BETWEEN) / 2
        for column, seat in enumerate(row):
            x = left + column * (cell + BETWEEN)
            shown = _shown(view, scene, seating, seat, scored_now)
            image.paste(_seat(shown, (round(x + cell) - round(x), high), seating, palette), (round(x), y))
            if seating.tagged:
                own = view.colours_of(seat)
                to.colours |= {
                    colour: (x + cell * (number + 0.5) / len(own), y + high + TAGS / 2) for number, colour in enumerate(own)
                }
            if column and view.seats > 2:
                place(image, _chevron(palette), (x - BETWEEN / 2, y + high / 2))
        y += high + GAP + (TAGS if seating.tagged else 0)


class _State(Enum):
    WAITS = auto()
    ACTS = auto()
    WON = auto()
    OUT = auto()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the strip shows about a seat.

    Attributes:
        computer: whether a computer plays it.
        borrowed: whether its pieces are borrowed for this turn.
        pucks: its scored pucks, each with its colour and whether it was scored just now.
        needed: how many scored pucks win the game.
        hand: the number of its cards, or None in a game without cards.
        actions: whether each action of its turn has been taken. It is empty if it is not its turn, and in a game with cards.
        beside: how many pieces of each colour and kind it still has to place. It is empty once all pieces have been placed.
    """

    colours: tuple[int, ...]
    name: Name
    state: _State
    computer: bool
    borrowed: bool
    pucks: tuple[tuple[int, bool], ...]
    needed: int
    hand: int | None
    actions: tuple[bool, ...]
    beside: tuple[tuple[int, PieceKind, int], ...]


def _shown(view: PucksView, scene: Scene, seating: Seating, seat: int, scored_now: set[Piece]) -> _Shown:
    own = view.colours_of(seat)
    cards, acts = view.has_cards, seat == view.to_move
    return _Shown(
        own,
        seating.names[seat],
        _state(view, seat),
        seat in scene.computers,
        seat in view.borrowed,
        tuple(sorted((puck.colour, puck in scored_now) for puck in view.scored if puck.colour in own)),
        view.needed,
        view.hand_sizes[seat] if cards else None,
        tuple(action < view.taken for action in range(view.allowed)) if acts and not cards else (),
        _beside(view, own) if view.phase is Phase.PLACE else (),
    )


def _state(view: PucksView, seat: int) -> _State:
    if view.outcome is not None and seat in view.outcome.winners:
        return _State.WON
    if seat in view.out:
        return _State.OUT
    return _State.ACTS if seat in view.to_act else _State.WAITS


def _beside(view: PucksView, own: tuple[int, ...]) -> tuple[tuple[int, PieceKind, int], ...]:
    """Return how many pieces of each kind, in these colours, are still to be placed."""
    rules = box().games[view.variant]
    kinds = ((PieceKind.PUCK, rules.pucks), (PieceKind.MEEPLE, rules.meeples), (PieceKind.ICE, rules.ice))
    left = [(beside.colour, beside.kind) for beside in view.beside]
    return tuple((colour, kind, left.count((colour, kind))) for colour in own for kind, number in kinds if number)


@cache_sprite
def _seat(shown: _Shown, size: tuple[int, int], seating: Seating, palette: Palette) -> Image.Image:
    """Return the picture of a seat, in a dark pill if it is to act, in a golden one if it has won, struck out if it is out."""
    image = Image.new("RGB", size, palette.paper)
    ground, ink = {
        _State.WAITS: (None, palette.ink),
        _State.ACTS: (palette.ink, palette.paper),
        _State.WON: (palette.gold, palette.ink),
        _State.OUT: (None, palette.muted),
    }[shown.state]
    if ground is not None:
        layer = Layer(*size)
        layer.rectangle((0, 0, *size), min(size[1] / 2, _ROUND), ground)
        place(image, layer.image(), (size[0] / 2, size[1] / 2))
    out = shown.state is _State.OUT
    mark = badges(shown.colours, palette, mark_size(seating.across), out=out)
    place(image, mark, (SIDE + mark.width / 2, size[1] / 2))
    if shown.borrowed:
        place(image, _heart(palette), (SIDE + mark.width - 5, 15))
    x, y = SIDE + mark.width + GAP, size[1] - PAD - seating.info - shown.name.height
    for line in shown.name.lines:
        y += shown.name.leading
        middle = y - shown.name.leading / 2
        written = write(image, (x, middle), line, Face.NAME_STRONG, shown.name.size, ink, width=seating.room)
        if out:
            strike(image, (x, middle), written, ink)
    _draw_info(image, shown, (x, size[0] - SIDE - 2), y + seating.info / 2, palette, ink)
    return image


def _draw_info(image: Image.Image, shown: _Shown, ends: Point, y: float, palette: Palette, ink: Colour) -> None:
    left, right = ends
    if shown.computer:
        place(image, computer_mark(palette, 28), (left + 14, y))
        left += 36
    if shown.beside:
        _draw_beside(image, shown, (left, right), y, palette, ink)
        return
    write(image, (left, y), _score(len(shown.pucks), shown.needed), Face.LABEL, Size.BODY, ink)
    left += max(text_width(_score(number, shown.needed), Face.LABEL, Size.BODY) for number in range(shown.needed + 1)) + 12
    if shown.hand is not None:
        right -= write(image, (right, y), str(shown.hand), Face.LABEL, Size.BODY, ink, align="right") + 18
        place(image, _cards(palette), (right, y + 1))
        right -= 26
    for number, taken in enumerate(reversed(shown.actions)):
        place(image, pip(palette, taken=taken), (right - 13 - number * 27, y))
    right -= 27 * len(shown.actions)
    pucks: list[tuple[int | None, bool]] = [*shown.pucks]
    pucks += [(None, False)] * (shown.needed - len(pucks))
    pitch = min(28.0, (right - left) / len(pucks))
    for index, (colour, now) in enumerate(pucks if pitch >= _LEAST_PITCH else ()):
        middle = (left + pitch * (index + 0.5), y)
        if now:
            place(image, burst(palette, 40), middle)
        place(image, emblem(PieceKind.PUCK, palette, 25, colour, hollow=colour is None), middle)


def _score(pucks: int, needed: int) -> str:
    return f"{pucks}/{needed}"


def _draw_beside(image: Image.Image, shown: _Shown, ends: Point, y: float, palette: Palette, ink: Colour) -> None:
    """Draw how many pieces of each colour and kind the seat still has to place."""
    pitch = min(78.0, (ends[1] - ends[0]) / len(shown.beside))
    side = min(25, round(pitch) - 16)
    for index, (colour, kind, number) in enumerate(shown.beside):
        x = ends[0] + index * pitch
        place(image, emblem(kind, palette, side, colour), (x + side / 2, y))
        write(image, (x + side + 2, y + 1), str(number), Face.LABEL, Size.SMALL, ink)


@cache_sprite
def _chevron(palette: Palette) -> Image.Image:
    layer = Layer(16, 24)
    for width, ink in ((7.5, palette.paper), (4, palette.muted)):
        layer.line([(4.5, 5), (11.5, 12), (4.5, 19)], width, ink)
    return layer.image()


@cache_sprite
def _cards(palette: Palette) -> Image.Image:
    """Return two small cards, which stand beside the number of cards in a hand."""
    layer, colours = Layer(30, 30), colours_of(palette)
    pen = Pen(layer, (0, 0), 30, palette)
    pen.card(24, 34, -14, colours.on_table, 46)
    pen.card(40, 34, 12, colours.on_table, 46)
    return layer.image()


@cache_sprite
def _heart(palette: Palette) -> Image.Image:
    """Return a heart, which marks a seat whose pieces are borrowed for this turn."""
    layer = Layer(32, 32)
    draw_icon(Pen(layer, (1, 1), 30, palette), "borrow")
    return layer.image()
