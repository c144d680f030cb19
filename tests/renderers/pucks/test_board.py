"""The board of Puck Bumpers, whatever its shape."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image

from renderers import theme
from renderers.pucks.board import table_with
from renderers.pucks.picture import compose
from renderers.scene import Scene
from tests.renderers.pixels import changed
from tests.renderers.pucks.drawing import SEATS, pictured, shaped
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import lying

SHAPES = {
    "a snake to the east": [(i, 0) for i in range(16)],
    "a snake to the south": [(0, i) for i in range(16)],
    "two rows": [(i % 8, i // 8) for i in range(16)],
    "stairs": [((i + 1) // 2, i // 2) for i in range(16)],
    "three rows": [(i % 6, i // 6) for i in range(16)],
    "a ring": [(x, y) for x in range(-2, 3) for y in range(-2, 3) if 2 in {abs(x), abs(y)}],
    "far from the start": [(i % 4 - 40, i // 4 + 70) for i in range(16)],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seat", [None, 0])
def test_a_board_of_any_shape_fits_the_picture(shape, seat):
    picture = pictured(shaped(6, SHAPES[shape], seat))
    assert picture.width == theme.WIDTH
    assert 256 <= picture.height <= theme.TALLEST


def test_the_picture_follows_the_shape_and_not_the_place_of_the_board():
    near = shaped(6, [(i % 4, i // 4) for i in range(16)])
    assert changed(pictured(near), pictured(shaped(6, SHAPES["far from the start"]))) is None


@pytest.mark.parametrize("shape", ["a snake to the east", "two rows", "a ring"])
def test_every_mat_shows_its_letter_whatever_its_size(shape):
    view = shaped(6, SHAPES[shape])
    view = replace(view, pieces=())
    basic = [mat for mat in view.mats if mat.kind == "basic"]
    for one, other in pairwise(basic):
        exchanged = {one.id: replace(one, at=other.at), other.id: replace(other, at=one.at)}
        mats = tuple(exchanged.get(mat.id, mat) for mat in view.mats)
        assert changed(pictured(view), pictured(replace(view, mats=mats))) is not None, (one.id, other.id)


@pytest.mark.parametrize(("shape", "beside"), [("three rows", True), ("a snake to the south", False), ("a ring", False)])
def test_the_panel_lies_where_it_leaves_more_room_for_the_board(shape, beside):
    assert compose(shaped(6, SHAPES[shape]), Scene(names=SEATS)).layout().beside is beside


@pytest.mark.parametrize(("seats", "seat", "least"), [(4, None, 248), (6, None, 248), (4, 0, 248), (6, 5, 236), (2, None, 330)])
def test_the_mats_are_large_enough_for_a_phone(seats, seat, least):
    assert compose(GAME.view(GAME.start(seats, setup="random"), seat), Scene(names=SEATS)).layout().rink.mat >= least


def test_a_cached_table_is_the_same_however_often_it_was_drawn_on():
    sample = lying(GAME, SCRUM)
    layout = compose(sample.view, sample.scene).layout()

    def table(net_off: str | None, *, cached: bool) -> Image.Image:
        return table_with(layout.height, layout.rink, sample.view.mats, theme.WARM, net_off, starts=False, cached=cached)

    for net_off in (None, "e", "l", None):
        fresh, first = table(net_off, cached=False), table(net_off, cached=True)
        assert changed(fresh, first) is None
        first.paste(theme.WARM.gold, (0, 0, 500, 500))
        assert changed(fresh, table(net_off, cached=True)) is None
    assert changed(table(None, cached=True), table("e", cached=True)) is not None
