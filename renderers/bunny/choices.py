"""Draws the choices: the cards to pick, and the directions as arrows beside the hopping Bunny."""

from typing import Final

from PIL import Image

from engines.bunny import BunnyView, Direction, Space
from engines.bunny.field import COLUMNS, DIRECTIONS, ROWS, next_card
from renderers.bunny.cards import CARD_HEIGHT, card_outline, way_sign
from renderers.bunny.field import ACROSS, DOWN, LEFT, RAIL, middle
from renderers.canvas import Point, place
from renderers.scene import Scene
from renderers.signs import tag
from renderers.theme import EDGE, WIDTH, Palette

_AWAY: Final[dict[Direction, tuple[int, int]]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_ARROW: Final[dict[Direction, tuple[float, float]]] = {
    "left": (-0.55 * ACROSS, 0), "right": (0.42 * ACROSS, -44), "up": (-24, -0.55 * DOWN), "down": (-24, 0.55 * DOWN),
}  # fmt: skip
"""Where each direction's arrow is, from the card's middle: round the Bunny at the bottom right, clear of the next card."""
_PAST_BUNNY: Final = -44  # the height at which an arrow to the left passes a Bunny on that side
_LEFTMOST: Final = LEFT + 4  # the least x of an arrow, so that it clears the numbers of the rows
_AT_FOOT: Final = (0.0, CARD_HEIGHT / 2 - 18)
_BESIDE: Final = (-30.0, CARD_HEIGHT / 2 - 18)
_BESIDE_ARROW: Final = (31.0, CARD_HEIGHT / 2 - 18)
"""Where a space's name is, measured from the card's middle: at the card's foot, in the middle or beside a Bunny or an arrow."""


def draw_choices(image: Image.Image, view: BunnyView, scene: Scene, palette: Palette) -> None:
    """Outline the cards picked and those that options lead to. Options off the field are written at the collection."""
    words: list[str] = []
    space = _hopping_from(view)
    for option in scene.options:
        target = _target(view, space, option.token)
        if target is None:
            words.append(scene.translate(option.label))
        else:
            place(image, card_outline(palette), middle(target))
            _write_space(image, target, _name_place(option.token, taken=target in view.bunnies), palette)
    for picked in filter(_is_space, scene.prefix):
        place(image, card_outline(palette, picked=True), middle(picked))
        _write_space(image, picked, _AT_FOOT, palette)
    seat = view.to_act[0] if view.to_act else 0
    for index, word in enumerate(words):
        sprite = tag(word, palette)
        edge = EDGE + 12 + sprite.width / 2
        place(image, sprite, ((edge, WIDTH - edge)[seat], RAIL + 30 - 36 * index))


def _name_place(token: str, *, taken: bool) -> Point:
    """Return where the name of a token's space is written, clear of an arrow up to the space and of a Bunny on it."""
    if token == "up":
        return (0.0, 0.0) if taken else _BESIDE_ARROW
    return _BESIDE if taken else _AT_FOOT


def _write_space(image: Image.Image, space: Space, offset: tuple[float, float], palette: Palette) -> None:
    x, y = middle(space)
    place(image, tag(space, palette), (x + offset[0], y + offset[1]))


def draw_ways(image: Image.Image, view: BunnyView, scene: Scene, palette: Palette) -> None:
    """Draw an arrow for each direction on offer, at the edges of the card from which a Bunny hops."""
    space = _hopping_from(view)
    if space is None:
        return
    x, y = middle(space)
    tokens = {option.token for option in scene.options}
    for direction in filter(tokens.__contains__, DIRECTIONS):
        across, down = _ARROW[direction]
        if direction == "left" and _target(view, space, direction) in view.bunnies:
            down = _PAST_BUNNY
        at = min(max(x + across, _LEFTMOST), WIDTH - EDGE - 34), max(y + down, EDGE + 34)
        place(image, way_sign(_AWAY[direction], palette), at)


def _is_space(word: str) -> bool:
    return len(word) == 2 and word[0] in COLUMNS and word[1] in ROWS


def _hopping_from(view: BunnyView) -> Space | None:
    """Return the space of the Bunny that hops (in the phase of shocks, the opponent's), or None if it is off the field."""
    if not view.to_act:
        return None
    return view.bunnies[1 - view.to_act[0] if view.phase == "shock" else view.to_act[0]]


def _target(view: BunnyView, start: Space | None, word: str) -> Space | None:
    """Return the space that a token chooses or leads to, or None if it concerns no space."""
    if _is_space(word):
        return word
    if word in COLUMNS and view.phase == "move":
        return word + ROWS[0]
    if word not in DIRECTIONS or start is None:
        return None
    return next_card(tuple(face for _, face in view.field), start, DIRECTIONS[DIRECTIONS.index(word)])
