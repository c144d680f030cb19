"""The picture of Bouncers."""

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from engines.game import Choice
from renderers import theme
from renderers.bouncers.colours import colours_of
from tests.renderers.pixels import Box, change, changed, drawn, pixel, within
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.bouncers import GAME, MELEE
from tests.renderers.scenes import lying, picking
from tests.renderers.test_theme import PALETTES, TEXT

LEFT, TOP, SIDE = 92, 40, 105
"""The corner of the 8×8 mat, and how wide a square is."""
SHADOW = 4
"""How far a piece's shadow may fall on the next square."""


def position(**pieces: list[str]) -> dict[str, Any]:
    empty = {"variant": "8x8-16", "to_move": 0, "red": [], "red_kings": [], "blue": [], "blue_kings": []}
    return {**empty, **pieces}


def box(square: str, turned: bool = False) -> Box:
    """The square's place in the picture."""
    column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
    if turned:
        column, row = 7 - column, 7 - row
    return LEFT + column * SIDE, TOP + row * SIDE, LEFT + (column + 1) * SIDE, TOP + (row + 1) * SIDE


@pytest.mark.parametrize("name", PALETTES)
def test_coordinates_have_contrast_with_the_rim(name):
    colours = colours_of(PALETTES[name])
    assert theme.contrast(colours.on_pad, colours.pad) >= TEXT[name]


def test_a1_is_dark_and_h1_light():
    picture = drawn(lying(GAME, position(red=["d4"], blue=["d8"])))
    colours = colours_of(theme.WARM)
    assert pixel(picture, (LEFT + 8, TOP + 8 * SIDE - 8)) == colours.dark
    assert pixel(picture, (LEFT + 8 * SIDE - 8, TOP + 8 * SIDE - 8)) == colours.light


@pytest.mark.parametrize("square", ["a1", "c2", "h7", "e5"])
def test_a_piece_stands_on_its_square_and_nowhere_else(square):
    bare = drawn(lying(GAME, position(red=["d4"], blue=["d8"])))
    there = drawn(lying(GAME, position(red=["d4", square], blue=["d8"])))
    score = (0, theme.MAX_HEIGHT - theme.EDGE - theme.STRIP, theme.WIDTH, theme.MAX_HEIGHT)
    for picture in (bare, there):
        picture.paste((0, 0, 0), score)
    left, top, right, bottom = box(square)
    assert within(change(bare, there), (left, top, right + SHADOW, bottom + SHADOW))


def test_seen_from_blue_the_board_is_turned_by_half_a_turn():
    straight = drawn(lying(GAME, MELEE))
    turned = drawn(lying(GAME, MELEE, seen_from=1))
    for file in "abcdefgh":
        for rank in range(1, 9):
            square = f"{file}{rank}"
            here, there = straight.crop(box(square)), turned.crop(box(square, turned=True))
            # Springs show between the pieces of rim squares, so compare the middles.
            inside = (6, 6, SIDE - 6, SIDE - 6)
            assert here.crop(inside).tobytes() == there.crop(inside).tobytes(), square


@pytest.mark.parametrize("square", ["c3", "a1", "h8", "d4"])
def test_a_mark_on_an_option_changes_that_square_alone(square):
    sample = lying(GAME, position(red=["d4"], blue=["d8"]))
    marked = replace(sample, scene=replace(sample.scene, options=(Choice(square, square, final=True),)))
    assert within(change(drawn(sample), drawn(marked)), box(square))


def test_every_option_is_marked():
    sample = picking(GAME, MELEE, 0)
    bare = drawn(replace(sample, scene=replace(sample.scene, options=())))
    marked = drawn(sample)
    assert len(sample.scene.options) > 5
    for option in sample.scene.options:
        square = box(option.token)
        assert changed(bare.crop(square), marked.crop(square)) is not None, option.token


def test_a_word_that_is_no_square_is_not_marked_on_the_board():
    sample = lying(GAME, MELEE)
    asked = replace(
        sample, scene=replace(sample.scene, options=tuple(Choice(word, word, final=True) for word in ("stop", "", "z9", "a0")))
    )
    assert changed(drawn(sample), drawn(asked)) is None


def test_a_king_does_not_look_like_a_counter():
    counter = drawn(lying(GAME, position(red=["d4"], blue=["d8"])))
    king = drawn(lying(GAME, position(red_kings=["d4"], blue=["d8"])))
    different = ImageChops.difference(counter, king).crop(box("d4")).convert("L").point([0] * 40 + [255] * 216)
    assert different.histogram()[255] > SIDE * SIDE / 8


def test_while_a_path_is_picked_the_piece_stands_where_it_has_come_to_and_what_it_captured_is_gone():
    sample = lying(GAME, position(red=["d2", "c2"], blue=["f2", "h8"]))
    picked = replace(sample, scene=replace(sample.scene, prefix=("d2", "e2")))
    beside = drawn(lying(GAME, position(red=["e2", "c2"], blue=["h8"])))
    middle = (20, 20, SIDE - 20, 70)
    assert drawn(picked).crop(box("e2")).crop(middle).tobytes() == beside.crop(box("e2")).crop(middle).tobytes()
    standing = drawn(sample).crop(box("f2"))
    assert changed(drawn(picked).crop(box("f2")), standing) is not None


def test_the_move_that_was_made_is_drawn_and_only_while_it_is_news():
    sample = SAMPLES["bouncers-move"]()
    quiet = replace(sample, scene=replace(sample.scene, events=()))
    for square in ("d1", "e1", "f1"):
        assert changed(drawn(sample).crop(box(square)), drawn(quiet).crop(box(square))) is not None
    assert changed(drawn(sample).crop(box("a8")), drawn(quiet).crop(box("a8"))) is None


def test_a_large_board_has_its_own_squares():
    picture = drawn(lying(GAME, {**position(red=["j1"], blue=["a10"]), "variant": "10x10-20"}))
    assert isinstance(picture, Image.Image)
    red = theme.WARM.seats[0].colour
    x, y = LEFT + 9 * 84 + 42, TOP + 9 * 84 + 42
    assert red in {pixel(picture, (x + dx, y)) for dx in range(-30, 31)}
