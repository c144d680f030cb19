"""Draws the panel beside or below the rink of Puck Bumpers: the turn, the cards in force, and the piles."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.pucks.box import box
from engines.pucks.deck import CardId, CardKind, card
from engines.pucks.pieces import Piece
from engines.pucks.views import Phase, PucksView
from engines.text import Text, say
from renderers.canvas import Layer, Point, place
from renderers.lettering import write
from renderers.pieces import badge
from renderers.pucks.cards import back, count, empty_place, face
from renderers.pucks.colours import colours_of
from renderers.pucks.pieces import piece
from renderers.scene import Translate
from renderers.theme import Face, Palette, Size

SIDE: Final = 196
"""The width of the panel at the side of the rink."""
_CARD: Final = (88, 134)
"""The width and the height of cards in the panel."""
_TURN: Final = 112
"""The height of the two lines about the turn."""
_SLOT: Final = 62
"""Pixels from one piece in the tray to the next."""
_PIPS_AT_MOST: Final = 6
"""More actions than this are written as a number."""


@dataclass(slots=True)
class Anchors:
    """Where things are in the picture that an option may name. They are noted while they are drawn.

    Attributes:
        tray: the pieces still to be placed, by their words.
        seats: the middle of the row of each seat.
        draw_pile, discard: the piles, or None if there are none.
        words: where options are written that name nothing in the picture. Several are written below each other.
        slot: the size of the space of a piece in the tray, in pixels.
    """

    tray: dict[str, Point] = field(default_factory=dict)
    seats: list[Point] = field(default_factory=list)
    draw_pile: Point | None = None
    discard: Point | None = None
    words: Point = (0.0, 0.0)
    slot: int = _SLOT - 10


def side_height(view: PucksView) -> int:
    """The height that the panel needs at the side of the rink."""
    return _TURN + 36 + (3 * _CARD[1] + 2 * 12 if has_cards(view) else 0)


def band_height(view: PucksView) -> int:
    """The height that the panel needs below the rink; 0 if there is nothing to show in it."""
    if has_cards(view):
        return _CARD[1] + 20
    return _SLOT + 14 if view.phase is Phase.PLACE else 0


def has_cards(view: PucksView) -> bool:
    """Whether the variant is played with cards."""
    return box().games[view.variant].cards


def draw_side(
    image: Image.Image, view: PucksView, area: tuple[int, int, int, int], translate: Translate, palette: Palette
) -> Anchors:
    """Draw the panel at the side: the turn at the top, the cards in force or the tray below it, the piles at the bottom."""
    left, top, right, bottom = area
    anchors = Anchors()
    field_of(image, area, palette)
    middle = (left + right) / 2
    _draw_turn(image, view, (left + 14, top + 12), translate, palette)
    anchors.words = (middle, top + _TURN + 18)
    columns = (middle - _CARD[0] / 2 - 4, middle + _CARD[0] / 2 + 4)
    low = bottom - 14 - _CARD[1] / 2
    _draw_piles(image, view, (columns[0], low), (columns[1], low), translate, palette, anchors)
    room = (top + _TURN + 12, bottom - 14 - _CARD[1] - 12)
    if view.phase is Phase.PLACE:
        _draw_tray(image, view, (middle, (room[0] + room[1]) / 2), 3, palette, anchors)
    else:
        y = (room[0] + room[1]) / 2
        step = _CARD[1] / 2 + 6
        _draw_rules(image, view, ((columns[0], y - step), (columns[1], y - step), (middle, y + step)), translate, palette)
    return anchors


def draw_band(
    image: Image.Image, view: PucksView, area: tuple[int, int, int, int], translate: Translate, palette: Palette
) -> Anchors:
    """Draw the panel below the rink: the turn on the left, the cards in force or the tray beside it, the piles on the right."""
    left, top, right, bottom = area
    anchors = Anchors(words=(left + 96, top - 6))
    if bottom == top:
        return anchors
    field_of(image, area, palette)
    y = (top + bottom) / 2
    if not has_cards(view):
        _draw_turn_in_line(image, view, (left + 16, y), translate, palette)
        _draw_tray(image, view, ((left + right) / 2, y), 8, palette, anchors)
        return anchors
    _draw_turn(image, view, (left + 18, round(y - _TURN / 2)), translate, palette)
    step = _CARD[0] + 14
    piles = right - 24 - _CARD[0] / 2
    _draw_piles(image, view, (piles - step, y), (piles, y), translate, palette, anchors)
    if view.phase is Phase.PLACE:
        _draw_tray(image, view, ((left + 18 + SIDE + piles - 1.5 * step) / 2, y), 4, palette, anchors)
    else:
        first = (left + 18 + SIDE + piles - 1.5 * step) / 2 - step
        _draw_rules(image, view, ((first, y), (first + step, y), (first + 2 * step, y)), translate, palette)
    return anchors


def field_of(image: Image.Image, area: tuple[int, int, int, int], palette: Palette) -> None:
    """Draw a sunken field of the table."""
    left, top, right, bottom = area
    shape = _field(right - left, bottom - top, palette)
    image.paste(shape, (left, top), shape)


@lru_cache(maxsize=16)
def _field(width: int, height: int, palette: Palette) -> Image.Image:
    layer, colours = Layer(width, height, 3), colours_of(palette)
    layer.rounded((0, 0, width, height), 20, colours.table_light)
    layer.rounded((0, 0, width - 1.5, height - 2), 20, palette.ink)
    layer.rounded((2, 2.5, width - 1.5, height - 2), 18, colours.panel)
    return layer.done()


# --- the turn -----------------------------------------------------------------------------------------------------------


def _draw_turn(image: Image.Image, view: PucksView, corner: tuple[int, int], translate: Translate, palette: Palette) -> None:
    """Write whose turn it is, what that player has to do, and how much of it is done."""
    x, y = corner
    seat, word = _headline(view)
    if seat is not None:
        place(image, badge(seat, palette, 48), (x + 24, y + 26))
    write(image, (x + 58, y + 26), translate(word), Face.LABEL, Size.NAME, colours_of(palette).on_table, width=SIDE - 72)
    _draw_progress(image, view, (x, y + 76), translate, palette)


def _draw_turn_in_line(image: Image.Image, view: PucksView, at: Point, translate: Translate, palette: Palette) -> None:
    """Write the same on one line, for games without cards."""
    x, y = at
    seat, word = _headline(view)
    if seat is not None:
        place(image, badge(seat, palette, 48), (x + 24, y))
    end = write(image, (x + 62, y), translate(word), Face.LABEL, Size.NAME, colours_of(palette).on_table, width=180)
    _draw_progress(image, view, (x + 62 + end + 24, y), translate, palette)


def _headline(view: PucksView) -> tuple[int | None, Text]:
    """The seat whose turn it is, and what it has to do; after the game the winner, if there is one."""
    if view.outcome is not None:
        winners = view.outcome.winners
        return (winners[0], say("wins")) if winners else (None, say("no winner"))
    if view.winning is not None:
        return view.winning, say("wins?")
    if not view.whole:
        # Nothing else may be done until all mats are connected again.
        return view.to_move, say("apart!")
    word = {
        Phase.PLACE: say("place"),
        Phase.DRAW: say("draw"),
        Phase.ACT: say("act"),
        Phase.DISCARD: say("discard"),
    }[view.phase]
    return view.to_move, word


def _draw_progress(image: Image.Image, view: PucksView, at: Point, translate: Translate, palette: Palette) -> None:
    """Draw the second line: a pip for each action, the cards to draw, or a few words."""
    x, y = at
    colours = colours_of(palette)
    told: Text | None = None
    if view.outcome is not None:
        return
    if view.winning is not None:
        told = say("or a whistle")
    elif view.phase is Phase.PLACE:
        told = say("{n} to go", n=sum(1 for beside in view.beside if beside.seat == view.to_move))
    elif view.phase is Phase.DISCARD:
        told = say("down to {n}", n=view.hand_limit)
    elif view.phase is Phase.DRAW:
        for number in range(min(view.draw_rule, _PIPS_AT_MOST)):
            place(image, _small_card(palette), (x + 14 + number * 27, y))
        return
    elif view.allowed > _PIPS_AT_MOST:
        write(image, at, f"{view.taken} / {view.allowed}", Face.LABEL, Size.HEADING, colours.on_table)
        return
    if told is not None:
        write(image, at, translate(told), Face.LABEL, Size.BODY, palette.gold, width=SIDE - 28)
        return
    for action in range(max(view.allowed, view.taken)):
        place(image, pip(palette, taken=action < view.taken), (x + 13 + action * 27, y))


@lru_cache(maxsize=8)
def pip(palette: Palette, *, taken: bool) -> Image.Image:
    """A pip for an action: golden with a tick once the action is taken."""
    layer = Layer(26, 26)
    layer.ellipse((13, 13), 12, palette.gold if taken else colours_of(palette).on_table)
    layer.ellipse((13, 13), 9, palette.gold if taken else colours_of(palette).panel)
    if taken:
        layer.line([(8, 13), (12, 17), (18.5, 8.5)], 3.4, palette.ink)
    return layer.done()


@lru_cache(maxsize=4)
def _small_card(palette: Palette) -> Image.Image:
    """A small card, face down, for each card to draw."""
    layer = Layer(26, 36)
    layer.rounded((1, 1, 25, 35), 5, colours_of(palette).on_table)
    layer.rounded((4, 4, 22, 32), 3, colours_of(palette).card_back)
    layer.ellipse((13, 18), 5.5, colours_of(palette).on_table)
    return layer.done()


# --- cards --------------------------------------------------------------------------------------------------------------


def _draw_rules(
    image: Image.Image, view: PucksView, places: tuple[Point, Point, Point], translate: Translate, palette: Palette
) -> None:
    """Draw the rules in force: the number of cards to draw, the number of actions, and the ongoing card."""
    edge = {card(lying).kind: lying for lying in view.edge}
    rules = ((CardKind.DRAW, view.draw_rule, say("draw")), (CardKind.ACTION, view.action_rule, say("take")))
    for at, (kind, number, word) in zip(places, rules, strict=False):
        lying = edge.get(kind)
        if lying is not None and card(lying).number == number:
            place(image, face(lying, translate, palette, *_CARD), at)
        else:
            place(image, _printed(number, translate(word), palette), at)
    ongoing: CardId | None = view.ongoing
    if ongoing is None:
        place(image, empty_place(palette, *_CARD), places[2])
        return
    place(image, face(ongoing, translate, palette, *_CARD), places[2])
    if view.net_off is not None:
        place(image, _letter(view.net_off, palette), (places[2][0] + _CARD[0] / 2 - 12, places[2][1] - _CARD[1] / 2 + 12))


@lru_cache(maxsize=32)
def _printed(number: int, word: str, palette: Palette) -> Image.Image:
    """The number of a rule that no card has changed."""
    image = empty_place(palette, *_CARD).copy()
    middle, ink = image.width / 2, colours_of(palette).on_table
    write(image, (middle, image.height / 2 - 14), str(number), Face.LABEL, Size.HUGE, ink, align="middle")
    write(image, (middle, image.height / 2 + 34), word, Face.LABEL, Size.SMALL, ink, align="middle")
    return image


@lru_cache(maxsize=32)
def _letter(letter: str, palette: Palette) -> Image.Image:
    layer = Layer(36, 36)
    layer.ellipse((18, 18), 17, palette.paper)
    layer.ellipse((18, 18), 15, palette.ink)
    image = layer.done()
    write(image, (18, 17), letter, Face.LABEL, Size.SMALL, palette.paper, align="middle")
    return image


def _draw_piles(
    image: Image.Image, view: PucksView, draw_at: Point, discard_at: Point, translate: Translate, palette: Palette, to: Anchors
) -> None:
    """Draw the draw pile with its size, and the discard pile with its top card and its size."""
    low = _CARD[1] / 2 - 14
    if view.draw_pile:
        place(image, back(palette, *_CARD, pile=view.draw_pile > 1), draw_at)
    else:
        place(image, empty_place(palette, *_CARD), draw_at)
    place(image, count(view.draw_pile, palette), (draw_at[0], draw_at[1] + low))
    if view.discard:
        place(image, face(view.discard[-1], translate, palette, *_CARD), discard_at)
        place(image, count(len(view.discard), palette), (discard_at[0] + _CARD[0] / 2 - 14, discard_at[1] - low - 6))
    else:
        place(image, empty_place(palette, *_CARD), discard_at)
    to.draw_pile, to.discard = draw_at, discard_at


# --- pieces -------------------------------------------------------------------------------------------------------------


def waiting_pieces(view: PucksView) -> tuple[Piece, ...]:
    """The pieces in the tray: those of the seat whose view it is, otherwise those of the seat to move."""
    own = tuple(beside for beside in view.beside if beside.seat == view.seat)
    return own or tuple(beside for beside in view.beside if beside.seat == view.to_move)


def _draw_tray(image: Image.Image, view: PucksView, middle: Point, columns: int, palette: Palette, to: Anchors) -> None:
    """Draw the pieces that are still to be placed."""
    waiting = waiting_pieces(view)
    rows = -(-len(waiting) // columns)
    for index, standing in enumerate(waiting):
        row, column = divmod(index, columns)
        here = min(columns, len(waiting) - row * columns)
        at = (middle[0] + (column - (here - 1) / 2) * _SLOT, middle[1] + (row - (rows - 1) / 2) * _SLOT)
        place(image, piece(standing, palette, _SLOT - 10), at)
        to.tray[standing.word] = at
