"""Draws Bounce Bunny Bounce: a vegetable patch of 35 cards with equal backs, two Bunnies, and what the seats have collected."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.bunny import Bounce, BunnyView, Space, Spied, Swapped
from engines.bunny.field import COLUMNS, ROWS
from engines.game import Event
from engines.text import say
from renderers import theme
from renderers.bunny.cards import Lie, bunny_sprite, card_sprite, token
from renderers.bunny.choices import draw_choices, draw_ways
from renderers.bunny.field import RAIL, burrow, foot, ground, middle
from renderers.bunny.trail import draw_numbers, draw_trails, face_over, steps_of
from renderers.canvas import card, place
from renderers.scene import Scene, Translate
from renderers.signs import burst
from renderers.sprite_cache import cache_sprite
from renderers.strip import draw_strip
from renderers.theme import Palette

_TITLES: Final = {"stop": say("Stop"), "spy": say("Spy"), "swap": say("Swap"), "bonus": say("Bonus")}
"""The titles of the cards whose signs do not explain themselves."""


def draw(view: BunnyView, scene: Scene) -> Image.Image:
    """Draw the whole picture of a view."""
    palette = theme.palette(scene.high_contrast)
    image = _hidden_field(palette).copy()
    steps = steps_of(scene.events)
    _draw_cards(image, view, turned_up(scene.events), scene.translate, palette)
    _draw_rail(image, view, scene.events, palette)
    draw_trails(image, steps, view.bunnies, palette)
    draw_choices(image, view, scene, palette)
    for seat, space in enumerate(view.bunnies):
        if space is not None:
            place(image, bunny_sprite(seat, palette), face_over(foot(space)))
    draw_ways(image, view, scene, palette)
    draw_numbers(image, steps, view.bunnies, palette)
    draw_strip(image, view, scene, palette)
    return card(image, palette)


@cache_sprite
def _hidden_field(palette: Palette) -> Image.Image:
    """Return the meadow with a face-down card on every space, since most cards stay face down to the end."""
    image = ground(palette).copy()
    for space in (column + row for column in COLUMNS for row in ROWS):
        place(image, card_sprite("hidden", palette), middle(space))
    return image


@lru_cache(maxsize=4)
def _back_box(palette: Palette) -> tuple[int, int, int, int]:
    """Return the extent of a face-down card with its shadow, measured from the middle of the card."""
    sprite = card_sprite("hidden", palette)
    left, top, right, bottom = sprite.getchannel("A").getbbox() or (0, 0, 0, 0)
    return left - sprite.width // 2, top - sprite.height // 2, right - sprite.width // 2, bottom - sprite.height // 2


def turned_up(events: Sequence[Event]) -> dict[Space, str]:
    """Return the cards that have just been turned up, by the spaces where they lie now, even if they are face down again."""
    shown: dict[Space, str] = {}
    for event in events:
        if isinstance(event.detail, Bounce):
            shown.update({landing.space: landing.card for landing in event.detail.landings})
        elif isinstance(event.detail, Spied) and event.detail.card is not None:
            shown[event.detail.space] = event.detail.card
        elif isinstance(event.detail, Swapped):
            first, second = event.detail.first, event.detail.second
            at_first, at_second = shown.pop(first, None), shown.pop(second, None)
            shown.update({space: face for space, face in ((first, at_second), (second, at_first)) if face is not None})
    return shown


def _draw_cards(image: Image.Image, view: BunnyView, shown: dict[Space, str], translate: Translate, palette: Palette) -> None:
    """Draw the cards that lie face up, have just been turned up, or were seen by the Spy of this seat."""
    known = {**dict([view.known] if view.known is not None else []), **shown}
    faces = {space: face for space, face in view.field if face != "hidden" or space in known}
    left, top, right, bottom = _back_box(palette)
    for x, y in map(middle, faces):  # removes the face-down card, whose shadow ends before the next card begins
        box = (round(x) + left, round(y) + top, round(x) + right, round(y) + bottom)
        image.paste(ground(palette).crop(box), box)
    for space, face in faces.items():
        at, turned = middle(space), known.get(space)
        if face == "empty":
            place(image, card_sprite("empty", palette), at)
            if turned == "carrot":
                # This Carrot has just been taken.
                place(image, burst(palette, 96), (at[0] - 22, at[1] - 28))
                place(image, token("carrot", palette, held=True), (at[0] - 22, at[1] - 28))
            continue
        seen = face if turned is None else turned
        lie: Lie = "turned" if turned is not None else "aside" if space in view.bunnies else "flat"
        title = translate(_TITLES.get(seen, ""))
        place(image, card_sprite(seen, palette, lie, title), at)


def _draw_rail(image: Image.Image, view: BunnyView, events: Sequence[Event], palette: Palette) -> None:
    """Draw each seat's Carrots and shocks, and its Bunny if that is off the field. New Carrots have a burst."""
    for seat in (0, 1):
        at, inward = burrow(seat), 1 - 2 * seat
        if view.bunnies[seat] is None:
            place(image, bunny_sprite(seat, palette), (at[0], at[1] - 10))
        fresh = view.carrots[seat] - sum(event.kind == "carrot" and event.seat == seat for event in events)
        # Both rows begin in a corner and lead towards the middle.
        for index in range(3):
            step = (index if seat == 0 else 2 - index) * 60
            place_of_carrot = (at[0] + inward * (86 + step), RAIL)
            if fresh <= index < view.carrots[seat]:
                place(image, burst(palette, 88), place_of_carrot)
            place(image, token("carrot", palette, held=index < view.carrots[seat]), place_of_carrot)
            if view.shocks:
                shock = token("shock", palette, held=index < view.shocks[seat])
                place(image, shock, (at[0] + inward * (286 + step), RAIL))
