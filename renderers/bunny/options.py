"""Draws what can be chosen: cards, and directions as arrows at the Bunny that hops."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from engines.bunny import BunnyView, Direction, Space
from engines.bunny.field import COLUMNS, DIRECTIONS, ROWS, next_card
from renderers.bunny.cards import CARD_HEIGHT, card_outline, way_sign
from renderers.bunny.field import ACROSS, DOWN, RAIL, burrow, middle
from renderers.canvas import place
from renderers.scene import Scene
from renderers.signs import tag
from renderers.theme import EDGE, WIDTH, Palette

_AWAY: Final[dict[Direction, tuple[int, int]]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}

_AT_FOOT: Final = (0.0, CARD_HEIGHT / 2 - 18)
_BESIDE: Final = (-30.0, CARD_HEIGHT / 2 - 18)
"""Where the name of a space is, from the middle of its card: at its foot, or there beside a Bunny."""


def draw_options(image: Image.Image, view: BunnyView, scene: Scene, palette: Palette) -> None:
    """Outline each card that an option chooses or leads to, and those picked so far.

    Directions are arrows round the Bunny that hops, as on their buttons. What is no place is written where the Bunny of the
    seat waits.
    """
    words: list[str] = []
    hopping = _hopping(view)
    space = None if hopping is None else view.bunnies[hopping]
    for option in scene.options:
        target = _target(view, space, option.token)
        if target is None:
            words.append(option.token)
        else:
            place(image, card_outline(palette), middle(target))
            tag_at = (0.0, 0.0) if option.token == "up" else _BESIDE if target in view.bunnies else _AT_FOOT
            _write_space(image, target, tag_at, palette)
    for picked in filter(_is_space, scene.prefix):
        place(image, card_outline(palette, picked=True), middle(picked))
        _write_space(image, picked, _AT_FOOT, palette)
    ways = [_AWAY[direction] for direction in DIRECTIONS if direction in {option.token for option in scene.options}]
    if space is not None:
        _draw_ways(image, space, ways, palette)
    seat = view.to_act[0] if view.to_act else 0
    for index, word in enumerate(words):
        place(image, tag(word, palette), (burrow(seat)[0], RAIL + 36 * (index - (len(words) - 1) / 2)))


def _write_space(image: Image.Image, space: Space, offset: tuple[float, float], palette: Palette) -> None:
    """Write the name of a space on its card."""
    x, y = middle(space)
    place(image, tag(space, palette), (x + offset[0], y + offset[1]))


def _draw_ways(image: Image.Image, space: Space, ways: Sequence[tuple[int, int]], palette: Palette) -> None:
    """Draw arrows at the edges of the card from which a Bunny hops."""
    x, y = middle(space)
    for along, down in ways:
        across = min(max(x + along * ACROSS * 0.55, EDGE + 34), WIDTH - EDGE - 34)
        place(image, way_sign((along, down), palette), (across, max(y + down * DOWN * 0.55, EDGE + 34)))


def _is_space(word: str) -> bool:
    """Whether a token is a space of the field."""
    return len(word) == 2 and word[0] in COLUMNS and word[1] in ROWS


def _hopping(view: BunnyView) -> int | None:
    """The seat whose Bunny a direction is for: the other one's in the phase of shocks."""
    if not view.to_act:
        return None
    return 1 - view.to_act[0] if view.phase == "shock" else view.to_act[0]


def _target(view: BunnyView, start: Space | None, word: str) -> Space | None:
    """The space that a token chooses or leads to from where the Bunny starts, or None."""
    if _is_space(word):
        return word
    if word in COLUMNS and view.phase == "move":
        return word + ROWS[0]
    if word not in DIRECTIONS or start is None:
        return None
    return next_card(tuple(face for _, face in view.field), start, DIRECTIONS[DIRECTIONS.index(word)])
