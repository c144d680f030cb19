"""The column on the right of BOUNCE: the dice to be rolled next, the rolls that win, and the dice as they fell."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.text import plain, say
from engines.trampoline import Roll, TrampolineView, odds_text
from renderers import theme
from renderers.canvas import Layer, Point, place, with_shadow
from renderers.lettering import text_width, write
from renderers.pieces import badge, die, plate
from renderers.scene import Scene
from renderers.signs import numbered_dot, tag
from renderers.theme import Face, Palette, Size
from renderers.trampoline.party import coin

MIDDLE: Final = 924
"""The x coordinate of the middle of the column."""
_NEXT: Final = (842, 82, 1006, 248)  # the card with the dice that are rolled next
_NEXT_DIE: Final = 48  # the side of a die on it
_FIRST: Final = 308
_PITCH: Final = 98
"""The y coordinate of the first of several turns, and the distance from each turn to the next."""
_TURNS_AT_MOST: Final = 4  # how many turns there is room for: if there are more, the newest are shown
_LOWEST: Final = 622  # the y of the last die of a single turn


def draw_next(image: Image.Image, view: TrampolineView, scene: Scene, palette: Palette) -> None:
    """Draw the dice and the coin that the seat to act may throw, and the totals that win or how far there is to go."""
    left, top, right, bottom = _NEXT
    middle = (left + right) / 2
    place(image, _card(right - left, bottom - top, palette), (middle + 6, (top + bottom) / 2 + 6))
    things = [die(0, palette, _NEXT_DIE)] * view.dice + ([coin(None, palette, _NEXT_DIE + 4)] if view.faceplant else [])
    for index, thing in enumerate(things):
        at = (middle + (index - (len(things) - 1) / 2) * 52, top + 50.0)
        place(image, thing, at)
        if index < view.dice:
            write(image, (at[0] - 1, at[1] - 1), "?", Face.LABEL, Size.BODY, palette.ink, align="middle")
    for seat in view.to_act:
        place(image, badge(seat, palette, 46), (right - 18, top + 2))
    chance = odds_text(view)
    foot = (middle, bottom - (36.0 if chance is None else 60.0))
    if view.wins:
        totals = plain("/".join(str(total) for total in view.wins))
        _write_pill(image, foot, scene.translate(say("{totals} wins", totals=totals)), palette.gold, palette)
    elif view.away:
        _write_pill(image, foot, scene.translate(say("{n} to go", n=view.away)), palette.line, palette)
    if chance is not None:
        words, room = scene.translate(chance), right - left - 20
        write(image, (middle, bottom - 22.0), words, Face.LABEL, Size.BODY, palette.ink, align="middle", width=room)
    for number, option in enumerate(scene.options if len(scene.options) > 1 else ()):  # a single option needs no label
        place(image, tag(option.token, palette), (middle, bottom + 16 + 38.0 * number))


def _write_pill(image: Image.Image, foot: Point, words: str, colour: theme.Colour, palette: Palette) -> None:
    left, _, right, _ = _NEXT
    room = right - left - 28
    size = Size.BODY if text_width(words, Face.LABEL, Size.BODY) <= room else Size.SMALL
    place(image, plate(right - left - 14, 40, 20, colour), foot)
    write(image, foot, words, Face.LABEL, size, palette.ink, align="middle", width=room)


@lru_cache(maxsize=4)
def _card(width: int, height: int, palette: Palette) -> Image.Image:
    layer = Layer(width + 12, height + 12)
    layer.plates((0, 0, width, height), 22, (0, palette.ink), (3, palette.paper))
    return with_shadow(layer.image(), palette.ink)


def draw_rolled(image: Image.Image, rolls: Sequence[Roll], palette: Palette) -> None:
    """Draw the dice or the coin of each turn with the badge of its seat. Several turns are numbered."""
    if len(rolls) == 1:
        (roll,) = rolls
        places = [(MIDDLE - 8.0, _LOWEST - (len(roll.dice) - 1 - index) * 104.0) for index in range(len(roll.dice))]
        place(image, badge(roll.seat, palette, 52), (MIDDLE - 8, places[0][1] - 86))
        for index, at in enumerate(places):
            place(image, _die_or_coin(roll, index, palette, 84), (at[0] + (-10, 12, -6)[index % 3], at[1]))
        return
    for row, (number, roll) in enumerate([*enumerate(rolls, start=1)][-_TURNS_AT_MOST:]):
        middle = _FIRST + _PITCH * row
        place(image, numbered_dot(number, palette.seats[roll.seat].colour, palette, 42, Size.BODY), (MIDDLE - 24, middle))
        place(image, badge(roll.seat, palette, 42), (MIDDLE + 24, middle))
        for index in range(len(roll.dice)):
            spot: Point = (MIDDLE + (index - (len(roll.dice) - 1) / 2) * 56, middle + 48)
            place(image, _die_or_coin(roll, index, palette, 50), spot)


def _die_or_coin(roll: Roll, index: int, palette: Palette, side: int) -> Image.Image:
    if roll.faceplant:
        return coin(roll.dice[index], palette, side + 8)
    return die(roll.dice[index], palette, side, (-9, 7, -5)[index % 3])


def draw_turn_number(image: Image.Image, number: int, roll: Roll, at: Point, palette: Palette) -> None:
    """Draw the number of a turn where its trail begins."""
    place(image, numbered_dot(number, palette.seats[roll.seat].colour, palette, 46, Size.BODY), at)
