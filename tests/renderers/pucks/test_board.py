"""The board of Puck Bumpers, whatever its shape."""

from dataclasses import replace
from itertools import pairwise

import pytest

from renderers import theme
from tests.renderers.pixels import changed
from tests.renderers.pucks.drawing import pictured, shaped

SHAPES = {
    "a snake to the east": [(i, 0) for i in range(16)],
    "a snake to the south": [(0, i) for i in range(16)],
    "two rows": [(i % 8, i // 8) for i in range(16)],
    "stairs": [((i + 1) // 2, i // 2) for i in range(16)],
    "a ring": [
        (x, y) for x in range(-2, 3) for y in range(-2, 3) if 2 in {abs(x), abs(y)}
    ],
    "far from the start": [(i % 4 - 40, i // 4 + 70) for i in range(16)],
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seat", [None, 0])
def test_a_board_of_any_shape_fits_the_picture(shape, seat):
    picture = pictured(shaped(6, SHAPES[shape], seat))
    assert picture.width == theme.WIDTH
    assert 256 <= picture.height <= theme.MAX_HEIGHT


def test_the_picture_follows_the_shape_and_not_the_place_of_the_board():
    near = shaped(6, [(i % 4, i // 4) for i in range(16)])
    far = shaped(6, SHAPES["far from the start"])
    assert changed(pictured(near), pictured(far)) is None


@pytest.mark.parametrize("shape", ["a snake to the east", "two rows", "a ring"])
def test_every_mat_shows_its_letter_whatever_its_size(shape):
    view = shaped(6, SHAPES[shape])
    view = replace(view, pieces=())
    basic = [mat for mat in view.mats if mat.kind == "basic"]
    for one, other in pairwise(basic):
        exchanged = {one.id: replace(one, at=other.at), other.id: replace(other, at=one.at)}
        mats = tuple(exchanged.get(mat.id, mat) for mat in view.mats)
        assert changed(pictured(view), pictured(replace(view, mats=mats))) is not None, (one.id, other.id)
