"""Draws the blocks of Puck Bumpers' panel: the turn, the cards in force, the piles, the tray, and more."""

from collections.abc import Callable, Sequence
from typing import Final

from PIL import Image

from engines.pucks.board.deck import CardId, CardKind, card, draw_card, take_card
from engines.pucks.board.pieces import Piece
from engines.pucks.board.views import Phase, PucksView
from engines.text import Text, plain, say
from renderers.canvas import Layer, Point, place
from renderers.lettering import text_width, write
from renderers.pieces import badges
from renderers.pucks.blocks import GAP, NARROW, SLOT, Anchors, Area, Block
from renderers.pucks.cards import SLIM_CARD, back, count, icon, wrap
from renderers.pucks.colours import colours_of
from renderers.pucks.pieces import piece
from renderers.scene import Translate
from renderers.sprite_cache import cache_sprite
from renderers.theme import Face, Palette, Size

_CHIP: Final = (112, 48)  # the width and the height of a rule in force, and of a pile
_SLIM_PILE: Final = 90  # the width of a pile in a slim column
_BAND_RULE: Final = 128
_BAND_PILE: Final = 102
"""How wide a rule in force (`_BAND_RULE`) and a pile (`_BAND_PILE`) are in a band."""
_PICKED: Final = 76  # the size of the icon of the card that is being played
_TURN: Final = 184  # the width of the turn in a band
_PIPS_AT_MOST: Final = 6  # more actions than this are written as a number


# --- the turn -----------------------------------------------------------------------------------------------------------


def turn_block(view: PucksView, translate: Translate, palette: Palette) -> Block:
    """Return the block about the turn, with its player, the task and how far it has come."""
    alone = view.outcome is not None or (view.winning is None and view.phase is Phase.DRAW)

    def draw(image: Image.Image, area: Area) -> None:
        left, top, right, _ = area
        wide = right - left > NARROW + 60
        seat, word = _headline(view)
        middle, indent = (left + right) / 2, left + 62
        if seat is not None:
            mark = badges(view.colours_of(seat), palette, 48 if wide else 44)
            indent += mark.width - mark.height if wide else 0
            place(image, mark, (left + 4 + mark.width / 2, top + 28) if wide else (middle, top + 24))
        at, align = ((indent, top + (28 if alone else 15)), "left") if wide else ((middle, top + 64), "middle")
        room, told = right - at[0] if wide else right - left, translate(word)
        size = Size.NAME if wide and text_width(told, Face.LABEL, Size.NAME) <= room else Size.BODY
        write(image, at, told, Face.LABEL, size, colours_of(palette).on_table, width=room, align=align)
        if alone:
            return
        at, room = ((indent, top + 43), right - indent) if wide else ((middle, top + 96), NARROW + 4)
        _draw_progress(image, view, at, room, translate, palette, align=align)

    return Block(_TURN + 10 * (view.colours - 1), lambda width: 58 if width > NARROW + 60 else 116, draw)


def _headline(view: PucksView) -> tuple[int | None, Text]:
    """Return the seat in the headline (the seat to move or, if there is one, the winner) and the words about that seat."""
    if view.outcome is not None:
        winners = view.outcome.winners
        return (winners[0], say("wins")) if winners else (None, say("no winner"))
    if view.winning is not None:
        return view.winning, say("wins?")
    if not view.whole:
        # Nothing else may be done until all mats are connected again.
        return view.to_move, say("apart!")
    return view.to_move, _TASKS[view.phase]


_TASKS: Final = {Phase.PLACE: say("place"), Phase.DRAW: say("draw"), Phase.ACT: say("act"), Phase.DISCARD: say("discard")}


def _draw_progress(
    image: Image.Image, view: PucksView, at: Point, room: float, translate: Translate, palette: Palette, *, align: str
) -> None:
    """Draw how far the turn has come: a pip for each action, or a few words."""
    told: Text | None = None
    if view.winning is not None:
        told = say("whistle?")
    elif view.phase is Phase.PLACE:
        told = say("{n} to go", n=sum(1 for beside in view.beside if view.owners.of(beside.colour) == view.to_move))
    elif view.phase is Phase.DISCARD:
        told = say("down to {n}", n=view.hand_limit)
    elif max(view.allowed, view.taken) > _PIPS_AT_MOST:
        told = plain(f"{view.taken} / {view.allowed}")
    if told is not None:
        write(image, at, translate(told), Face.LABEL, Size.SMALL, palette.gold, width=room, align=align)
        return
    number, (x, y) = max(view.allowed, view.taken), at
    pitch = min(28.0, room / max(1, number))
    start = x + 13 if align == "left" else x - pitch * (number - 1) / 2
    for action in range(number):
        place(image, pip(palette, taken=action < view.taken), (start + pitch * action, y))


@cache_sprite
def pip(palette: Palette, *, taken: bool) -> Image.Image:
    """Return the sign of an action: an empty pip or, once the action is taken, a golden one with a tick."""
    layer = Layer(26, 26)
    colours = colours_of(palette)
    rim, inside = (palette.gold, palette.gold) if taken else (colours.on_table, colours.panel)
    layer.discs((13, 13), (12, rim), (9, inside))
    if taken:
        layer.line([(8, 13), (12, 17), (18.5, 8.5)], 3.4, palette.ink)
    return layer.image()


# --- cards --------------------------------------------------------------------------------------------------------------


def rules_block(view: PucksView, translate: Translate, palette: Palette, to: Anchors) -> Block:
    """Return the block with the rules in force and the piles. In a slim column, rules are side by side and have no words."""
    rules = [
        _rule(view, CardKind.DRAW, view.draw_rule, say("draw"), translate, palette),
        _rule(view, CardKind.ACTION, view.action_rule, say("take"), translate, palette),
    ]
    if view.ongoing is not None:
        rules.append(_ongoing(view, translate, palette))
    piles = [_draw_pile(view, palette, to), _discard(view, palette, to)]
    band = [*((rule, _BAND_RULE) for rule in rules), *((pile, _BAND_PILE) for pile in piles)]

    def lines(width: int) -> list[list[tuple[_Chip, int]]]:
        """Return the chips of each line, each chip with its width."""
        if width >= _line_width(band):
            return [band]
        across = max(1, (width + GAP) // (_CHIP[0] + GAP))
        if across == 1 and width >= SLIM_CARD:
            return [[(rule, _CHIP[1]) for rule in rules], [(pile, _SLIM_PILE) for pile in piles]]
        chips = [(chip, _CHIP[0]) for chip in (*rules, *piles)]
        return [chips[start : start + across] for start in range(0, len(chips), across)]

    def draw(image: Image.Image, area: Area) -> None:
        cut = lines(area[2] - area[0])
        inset = (area[2] - area[0] - max(map(_line_width, cut))) // 2
        for row, line in enumerate(cut):
            x = area[0] + inset
            for chip, width in line:
                chip(image, (x, area[1] + row * (_CHIP[1] + GAP)), width)
                x += width + GAP

    def height(width: int) -> int:
        return len(lines(width)) * (_CHIP[1] + GAP) - GAP

    return Block(_line_width(band), height, draw)


_Chip = Callable[[Image.Image, tuple[int, int], int], None]
"""A function that draws a rule or a pile, given its top left corner and width. A rule no wider than its icon has no word."""


def _line_width(line: Sequence[tuple[_Chip, int]]) -> int:
    return sum(width + GAP for _, width in line) - GAP


def _rule(view: PucksView, kind: CardKind, number: int, word: Text, translate: Translate, palette: Palette) -> _Chip:
    """Return the chip for the number of cards to draw or actions to take. The word is golden if a card has set the number."""
    shown = draw_card(number) if kind is CardKind.DRAW else take_card(number)
    changed = shown in view.edge

    def draw(image: Image.Image, at: tuple[int, int], width: int) -> None:
        place(image, icon(shown, palette, _CHIP[1]), (at[0] + _CHIP[1] / 2, at[1] + _CHIP[1] / 2))
        if width < _CHIP[0]:
            return
        ink = palette.gold if changed else colours_of(palette).on_table
        text_at, told, room = (at[0] + _CHIP[1] + 5, at[1] + _CHIP[1] / 2), translate(word), width - _CHIP[1] - 3
        size = Size.BODY if text_width(told, Face.LABEL, Size.BODY) <= room else Size.SMALL
        write(image, text_at, told, Face.LABEL, size, ink, width=room)

    return draw


def _ongoing(view: PucksView, translate: Translate, palette: Palette) -> _Chip:
    """Return the chip of the ongoing card, with the letter of the mat that it names, if it names one."""
    shown = view.ongoing
    assert shown is not None, "a card is in force"

    def draw(image: Image.Image, at: tuple[int, int], width: int) -> None:
        place(image, icon(shown, palette, _CHIP[1]), (at[0] + _CHIP[1] / 2, at[1] + _CHIP[1] / 2))
        if width < _CHIP[0]:
            return
        words = translate(card(shown).title).split(" ")[:2]
        if view.net_off is not None:
            words = [translate(card(shown).title), view.net_off]
        for number, word in enumerate(words):
            y = at[1] + _CHIP[1] / 2 + (number - (len(words) - 1) / 2) * 23
            room = width - _CHIP[1] - 4
            write(image, (at[0] + _CHIP[1] + 7, y), word, Face.LABEL, Size.SMALL, palette.gold, width=room)

    return draw


def _draw_pile(view: PucksView, palette: Palette, to: Anchors) -> _Chip:
    def draw(image: Image.Image, at: tuple[int, int], width: int) -> None:
        to.draw_pile = (at[0] + 23, at[1] + _CHIP[1] / 2)
        place(image, back(palette, 38, 46) if view.draw_pile else _hollow(palette), to.draw_pile)
        _write_size(image, view.draw_pile, at, width, palette)

    return draw


def _discard(view: PucksView, palette: Palette, to: Anchors) -> _Chip:
    def draw(image: Image.Image, at: tuple[int, int], width: int) -> None:
        to.discard = (at[0] + _CHIP[1] / 2, at[1] + _CHIP[1] / 2)
        place(image, icon(view.discard[-1], palette, _CHIP[1]) if view.discard else _hollow(palette), to.discard)
        _write_size(image, len(view.discard), at, width, palette)

    return draw


def _write_size(image: Image.Image, size: int, at: tuple[int, int], width: int, palette: Palette) -> None:
    place(image, count(size, palette), (at[0] + (_CHIP[1] + width) / 2, at[1] + _CHIP[1] / 2))


@cache_sprite
def _hollow(palette: Palette) -> Image.Image:
    layer, colours = Layer(46, 50), colours_of(palette)
    layer.rectangle((1, 1, 45, 49), 9, colours.table_light)
    layer.rectangle((3.5, 3.5, 42.5, 46.5), 7, colours.panel)
    return layer.image()


# --- pieces -------------------------------------------------------------------------------------------------------------


def waiting_pieces(view: PucksView) -> tuple[Piece, ...]:
    """Return the pieces in the tray: those of the view's seat or, if it has none left, those of the seat to move."""
    own = _beside(view, view.seat)
    return own or _beside(view, view.to_move)


def _beside(view: PucksView, seat: int | None) -> tuple[Piece, ...]:
    return tuple(beside for beside in view.beside if view.owners.of(beside.colour) == seat)


def tray_block(view: PucksView, palette: Palette, to: Anchors) -> Block:
    """Return the block of the pieces that are still to be placed, in rows by colour."""
    waiting = waiting_pieces(view)
    sets = [[one for one in waiting if one.colour == colour] for colour in dict.fromkeys(one.colour for one in waiting)]
    columns = max(map(len, sets), default=0)

    def rows(width: int) -> list[list[Piece]]:
        across = max(1, width // SLOT)
        return [pieces[start : start + across] for pieces in sets for start in range(0, len(pieces), across)]

    def draw(image: Image.Image, area: Area) -> None:
        for row, pieces in enumerate(rows(area[2] - area[0])):
            for column, standing in enumerate(pieces):
                x = (area[0] + area[2]) / 2 + (column - (len(pieces) - 1) / 2) * SLOT
                to.tray[standing] = (x, area[1] + (row + 0.5) * SLOT)
                place(image, piece(standing, palette, SLOT - 6), to.tray[standing])

    return Block(columns * SLOT, lambda width: len(rows(width)) * SLOT, draw)


def card_block(card_id: CardId, translate: Translate, palette: Palette) -> Block:
    """Return the block of the card being played, which has its title below or beside its icon."""
    title = translate(card(card_id).title)
    lines = wrap(title, Face.LABEL, Size.SMALL, NARROW + 4, 4) or title.split(" ")[:4]

    def draw(image: Image.Image, area: Area) -> None:
        left, top, right, bottom = area
        wide = right - left > NARROW + 60
        side = min(_PICKED, bottom - top) if wide else _PICKED
        place(image, icon(card_id, palette, side), ((left + side / 2) if wide else (left + right) / 2, top + side / 2))
        for number, line in enumerate(lines):
            at: Point = ((left + right) / 2, top + _PICKED + 16 + number * 24)
            if wide:
                at = (left + side + 12, (top + bottom) / 2 + (number - (len(lines) - 1) / 2) * 24)
            align, room = ("left", right - at[0]) if wide else ("middle", NARROW + 8)
            write(image, at, line, Face.LABEL, Size.SMALL, colours_of(palette).on_table, align=align, width=room)

    def height(width: int) -> int:
        return max(58, 24 * len(lines)) if width > NARROW + 60 else _PICKED + 8 + 24 * len(lines)

    return Block(NARROW + 82, height, draw)


def words_block(number: int, to: Anchors) -> Block:
    """Return a block with room for options that name nothing in the picture, one below the other."""

    def draw(_image: Image.Image, area: Area) -> None:
        to.words = ((area[0] + area[2]) / 2, area[1] + 18)

    return Block(NARROW, lambda _width: 38 * number, draw)


def hand_block(to: Anchors) -> Block:
    """Return a block with room for a word about the hand. In a column, it is directly above the hand."""

    def draw(_image: Image.Image, area: Area) -> None:
        to.hand = (min((area[0] + area[2]) / 2, area[0] + 52), (area[1] + area[3]) / 2)

    return Block(NARROW, lambda _width: 30, draw)
