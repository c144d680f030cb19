"""Draws Bounce Bunny Bounce: a vegetable patch of 35 cards in a meadow, two Bunnies, and what they have collected.

All face-down cards look alike. What is shown of them comes from the view and the events, which hold no more than the reader may
know.
"""

from functools import lru_cache
from typing import Final

from PIL import Image

from engines.bunny import Bounce, BunnyView, Direction, Landing, Space, Spied, Swapped
from engines.bunny.field import COLUMNS, DIRECTIONS, ROWS, next_card
from renderers import theme
from renderers.bunny.cards import (
    CARD_HEIGHT,
    bunny_sprite,
    card_outline,
    card_sprite,
    draw_flower,
    small_bunny,
    small_eye,
    token,
    write_word,
)
from renderers.bunny.colours import colours_of
from renderers.canvas import Layer, Point, card, place
from renderers.scene import Scene
from renderers.signs import burst, draw_ghost, draw_hop, numbered_dot, tag, trail_strength
from renderers.strip import draw_strip
from renderers.theme import CORNER, EDGE, STRIP, WIDTH, Palette

_HEIGHT: Final = 1024
_ACROSS: Final = 128
_DOWN: Final = 152
_LEFT: Final = 88
_TOP: Final = 26
"""The width and the height of a space, and the top left corner of the field."""
_LETTERS: Final = _TOP + 5 * _DOWN + 18
"""How far down the letters under the field are."""
_RAIL: Final = _HEIGHT - EDGE - STRIP - 48
"""The middle of the row that shows what each seat has."""
_FOOT: Final = (20, 24)
"""Where Bunnies stand and trails run, from the middle of a card. The sign at its top left remains visible."""


def draw(view: BunnyView, scene: Scene) -> Image.Image:
    """Draw the field."""
    palette = theme.palette(scene.high_contrast)
    image = _ground(palette).copy()
    shown = _turned_up(scene)
    _draw_cards(image, view, shown, palette)
    for event in scene.events:
        if isinstance(event.detail, Bounce):
            _draw_bounce(image, event.detail, palette)
        elif isinstance(event.detail, Swapped):
            _draw_swap(image, event.detail, palette)
    for seat, space in enumerate(view.bunnies):
        if space is not None:
            place(image, bunny_sprite(seat, palette), _face_over(_foot(space)))
    for event in scene.events:
        if isinstance(event.detail, Bounce):
            _draw_numbers(image, event.detail, palette)
        elif isinstance(event.detail, Spied):
            x, y = _middle(event.detail.space)
            place(image, small_eye(palette, event.detail.seat), (x + 34, y - 44))
    _draw_rail(image, view, palette)
    _draw_options(image, view, scene, palette)
    draw_strip(image, view, scene, palette)
    return card(image, palette)


def _middle(space: Space) -> Point:
    """The middle of the card on a space."""
    return _LEFT + (COLUMNS.index(space[0]) + 0.5) * _ACROSS, _TOP + (4 - ROWS.index(space[1]) + 0.5) * _DOWN


def _foot(space: Space) -> Point:
    """Where a Bunny stands on a space."""
    x, y = _middle(space)
    return x + _FOOT[0], y + _FOOT[1]


def _face_over(foot: Point) -> Point:
    """The middle of the face of a Bunny that stands here."""
    return foot[0] + 4, foot[1] - 14


# --- cards ---------------------------------------------------------------------------------------------------------------


def _turned_up(scene: Scene) -> dict[Space, str]:
    """The cards that have just been turned up, by where they lie now, even if they lie face down again."""
    shown: dict[Space, str] = {}
    for event in scene.events:
        if isinstance(event.detail, Bounce):
            shown.update({landing.space: landing.card for landing in event.detail.landings})
        elif isinstance(event.detail, Spied) and event.detail.card is not None:
            shown[event.detail.space] = event.detail.card
        elif isinstance(event.detail, Swapped):
            first, second = event.detail.first, event.detail.second
            at_first, at_second = shown.pop(first, None), shown.pop(second, None)
            shown.update({space: face for space, face in ((first, at_second), (second, at_first)) if face is not None})
    return shown


def _draw_cards(image: Image.Image, view: BunnyView, shown: dict[Space, str], palette: Palette) -> None:
    """Draw the card on every space: face up if it lies so, was just turned up, or was seen by the Spy of this seat."""
    known = dict([view.known]) if view.known is not None else {}
    for space, face in view.field:
        at = _middle(space)
        turned = shown.get(space, known.get(space))
        if face == "empty":
            place(image, card_sprite("empty", palette), at)
            if turned == "carrot":
                # The Carrot that has just been taken.
                place(image, burst(palette, 96), (at[0] - 22, at[1] - 28))
                place(image, token("carrot", palette, held=True), (at[0] - 22, at[1] - 28))
        elif turned is not None:
            place(image, card_sprite(turned, palette, "turned"), at)
        else:
            place(image, card_sprite(face, palette, "aside" if space in view.bunnies else "flat"), at)


# --- what happened ---------------------------------------------------------------------------------------------------------


def _draw_bounce(image: Image.Image, bounce: Bounce, palette: Palette) -> None:
    """Draw the way of a Bunny: a hop for each bounce, also over the edge of the field, and a burst for each bump."""
    colour = palette.seats[bounce.bunny].colour
    if bounce.start is not None:
        draw_ghost(image, bunny_sprite(bounce.bunny, palette), _face_over(_foot(bounce.start)))
    before, count = bounce.start, len(bounce.landings) + (bounce.back_to is not None)
    for index, landing in enumerate(bounce.landings):
        if landing.bumped:
            place(image, burst(palette, 132), _foot(landing.space))
            draw_ghost(image, bunny_sprite(1 - bounce.bunny, palette), _face_over(_foot(landing.space)), 0.6)
        strength = trail_strength(index, count, palette)
        for start, end in _legs(before, landing.space, landing):
            draw_hop(image, start, end, colour, palette, strength=strength, bend=0.1, head=count == 1)
        before = landing.space
    if bounce.back_to is not None and before is not None:
        place(image, burst(palette, 110), _foot(bounce.back_to))
        draw_ghost(image, bunny_sprite(bounce.bunny, palette), _face_over(_foot(bounce.back_to)), 0.6)
        for start, end in _legs(before, bounce.back_to, None):
            draw_hop(image, start, end, colour, palette, bend=0.1, head=True)


def _draw_numbers(image: Image.Image, bounce: Bounce, palette: Palette) -> None:
    """Number the bounces of a chain on its trail; the last number is beside the Bunny, which stands there."""
    colour, last = palette.seats[bounce.bunny].colour, len(bounce.landings)
    if last == 1 and bounce.back_to is None:
        return
    for number, landing in enumerate(bounce.landings, start=1):
        x, y = _foot(landing.space)
        standing = number == last and bounce.back_to is None
        place(image, numbered_dot(number, colour, palette), (x - 50, y + 24) if standing else (x, y))


def _legs(before: Space | None, space: Space, landing: Landing | None) -> list[tuple[Point, Point]]:
    """The start and the end of each line of one bounce: one line, or two if it goes over the edge of the field."""
    x, y = _foot(space)
    if before is None:
        return [((x, _LETTERS + 8.0), (x, y))]
    start = _foot(before)
    if landing is None or not landing.wrapped or landing.direction is None:
        return [(start, (x, y))]
    along = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[landing.direction]
    left, right, top, bottom = _LEFT - 14.0, _LEFT + 7 * _ACROSS + 14.0, _TOP - 8.0, _TOP + 5 * _DOWN + 8.0
    out = ((start[0], top if along[1] < 0 else bottom), (left if along[0] < 0 else right, start[1]))[along[0] != 0]
    back = ((x, bottom if along[1] < 0 else top), (right if along[0] < 0 else left, y))[along[0] != 0]
    return [(start, out), (back, (x, y))]


def _draw_swap(image: Image.Image, swapped: Swapped, palette: Palette) -> None:
    """Draw two arrows between cards that have changed places."""
    colour = palette.seats[swapped.seat].colour
    first, second = _middle(swapped.first), _middle(swapped.second)
    draw_hop(image, first, second, colour, palette, bend=0.12, head=True)
    draw_hop(image, second, first, colour, palette, bend=0.12, head=True)


# --- what the seats have, and what can be chosen ------------------------------------------------------------------------------


def _draw_rail(image: Image.Image, view: BunnyView, palette: Palette) -> None:
    """Draw above each seat in the strip its Bunny, if it is off the field, its Carrots and its Universal Shocks."""
    for seat in (0, 1):
        burrow = _burrow(seat)
        if view.bunnies[seat] is None:
            place(image, small_bunny(seat, palette), (burrow[0], burrow[1] - 14))
        # Both rows begin in their corner and go towards the middle.
        inward = 1 - 2 * seat
        for index in range(3):
            step = (index if seat == 0 else 2 - index) * 58
            carrot = token("carrot", palette, held=index < view.carrots[seat])
            place(image, carrot, (burrow[0] + inward * (84 + step), _RAIL))
            shock = token("shock", palette, held=index < view.shocks[seat])
            place(image, shock, (burrow[0] + inward * (280 + step), _RAIL))


def _burrow(seat: int) -> Point:
    """Where the Bunny of a seat waits while it is off the field."""
    return (EDGE + 54.0, WIDTH - EDGE - 54.0)[seat], float(_RAIL)


def _draw_options(image: Image.Image, view: BunnyView, scene: Scene, palette: Palette) -> None:
    """Outline each card that an option chooses or leads to. Other options are written where the Bunny of the seat waits."""
    words: list[str] = []
    marks: dict[Space, list[str]] = {}
    for option in scene.options:
        target = _target(view, scene, option.token)
        if target is None:
            words.append(option.token)
        else:
            marks.setdefault(target, []).append(option.token)
    for space in (picked for picked in scene.prefix if len(picked) == 2 and _is_space(picked)):
        place(image, card_outline(palette, picked=True), _middle(space))
        place(image, tag(space, palette), _middle(space))
    for space, tokens in marks.items():
        x, y = _middle(space)
        place(image, card_outline(palette), (x, y))
        for index, word in enumerate(tokens):
            place(image, tag(word, palette), (x, y + CARD_HEIGHT / 2 - 18 - 34 * index))
    seat = view.to_act[0] if view.to_act else 0
    for index, word in enumerate(words):
        middle = _RAIL + 36 * (index - (len(words) - 1) / 2)
        place(image, tag(word, palette), (_burrow(seat)[0], middle))


def _is_space(word: str) -> bool:
    return len(word) == 2 and word[0] in COLUMNS and word[1] in ROWS


def _target(view: BunnyView, scene: Scene, word: str) -> Space | None:
    """The space that a token chooses or leads to, or None."""
    if _is_space(word):
        return word
    if scene.prefix == ("enter",) and word in COLUMNS:
        return word + ROWS[0]
    if word in DIRECTIONS and view.to_act:
        direction: Direction = DIRECTIONS[DIRECTIONS.index(word)]
        seat = 1 - view.to_act[0] if scene.prefix == ("shock",) else view.to_act[0]
        space = view.bunnies[seat]
        if space is not None:
            return next_card(tuple(face for _, face in view.field), space, direction)
    return None


# --- the meadow ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _ground(palette: Palette) -> Image.Image:
    """The meadow with the patch and the coordinates, without cards."""
    colours = colours_of(palette)
    layer = Layer(WIDTH, _HEIGHT, 3, ground=colours.grass)
    for index in range(60):
        tuft = (14 + (index * 83) % 1000, 14 + (index * 47) % (_HEIGHT - STRIP - 24))
        for blade in (-6, 0, 6) if abs(tuft[1] - _LETTERS) > 28 else ():
            layer.line([tuft, (tuft[0] + blade, tuft[1] - 11 + abs(blade) / 2)], 3, colours.grass_dark)
    for at in ((36, 150), (1002, 96), (24, 520), (1000, 640), (1004, 330), (508, 846), (30, 832)):
        draw_flower(layer, at, palette)
    patch = (_LEFT - 14, _TOP - 12, _LEFT + 7 * _ACROSS + 14, _TOP + 5 * _DOWN - 2)
    layer.rounded((patch[0] - 5, patch[1] - 5, patch[2] + 5, patch[3] + 5), CORNER, colours.grass_dark)
    layer.rounded(patch, CORNER, colours.soil_dark)
    layer.rounded((patch[0], patch[1] + 4, patch[2], patch[3]), CORNER, colours.soil)
    for row in range(1, 5):
        y = _TOP + row * _DOWN - 6
        furrow = [(patch[0] + 20 + step * 12, y + (2 if step % 2 else -2)) for step in range(75)]
        layer.line(furrow, 4, colours.soil_dark)
    for seat in (0, 1):
        burrow, inward = _burrow(seat), 1 - 2 * seat
        ends = sorted((burrow[0] - inward * 42, burrow[0] + inward * 440))
        layer.rounded((ends[0], _RAIL - 38, ends[1], _RAIL + 38), 38, theme.mix(colours.grass, colours.grass_dark, 0.55))
        layer.ellipse((burrow[0], _RAIL + 18), 34, theme.mix(colours.grass_dark, palette.ink, 0.35), 13)
    image = layer.done().convert("RGB")
    for index, letter in enumerate(COLUMNS):
        write_word(image, (_LEFT + (index + 0.5) * _ACROSS, _LETTERS), letter, palette)
    for index, number in enumerate(ROWS):
        write_word(image, (EDGE + 30, _TOP + (4 - index + 0.5) * _DOWN), number, palette)
    return image
