"""Cards and sprites, pixel by pixel."""

import pytest
from PIL import Image, ImageChops, ImageDraw

from renderers import theme
from renderers.canvas import card, card_sides, fade, opacity, place, snug

SIZES = ((1024, 1024), (1024, 440), (300, 90), (90, 300), (129, 128))


@pytest.mark.parametrize("size", SIZES)
def test_the_edge_of_a_card_is_the_same_on_every_side(size):
    seen = opacity(size)
    assert seen.size == size
    for flip in (Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.FLIP_TOP_BOTTOM):
        assert ImageChops.difference(seen, seen.transpose(flip)).getbbox() is None


@pytest.mark.parametrize("size", SIZES)
def test_cards_of_all_sizes_have_the_same_corners_and_are_solid_inside(size):
    deep = theme.EDGE + theme.CORNER + 4
    corner = (0, 0, deep, deep)
    assert opacity(size).crop(corner).tobytes() == opacity((640, 480)).crop(corner).tobytes()
    across = list(opacity(size).crop((0, size[1] // 2, size[0], size[1] // 2 + 1)).tobytes())
    assert across[: theme.EDGE] == sorted(across[: theme.EDGE])
    assert set(across[theme.EDGE : -theme.EDGE]) == {255}
    assert across[0] == 0


@pytest.mark.parametrize("size", SIZES)
def test_a_card_is_drawn_on_only_along_its_edge(size):
    before = Image.new("RGB", size, theme.WARM.paper)
    after = card(before.copy(), theme.WARM)
    assert after.getpixel((0, 0)) == after.getpixel((size[0] // 2, theme.EDGE // 2)) == theme.WARM.edge
    for box in card_sides(size):
        after.paste(theme.WARM.paper, box)
    assert after.tobytes() == before.tobytes()


@pytest.mark.parametrize("box", [(3, 5, 20, 40), (10, 0, 30, 20), (0, 0, 50, 50), (25, 25, 26, 26)])
def test_a_snug_sprite_lies_where_the_whole_one_would(box):
    sprite = Image.new("RGBA", (50, 50))
    ImageDraw.Draw(sprite).ellipse(box, fill=(200, 30, 30, 180))
    assert snug(sprite).size <= sprite.size
    for centre in ((60, 60), (60.5, 61.5), (59.3, 60.7)):
        whole, trimmed = Image.new("RGB", (120, 120)), Image.new("RGB", (120, 120))
        place(whole, sprite, centre)
        place(trimmed, snug(sprite), centre)
        assert whole.tobytes() == trimmed.tobytes()


def test_a_clear_sprite_stays_as_it_is():
    assert snug(Image.new("RGBA", (30, 20))).size == (30, 20)


def test_a_faded_sprite_is_a_copy():
    sprite = Image.new("RGBA", (4, 4), (10, 20, 30, 200))
    assert fade(sprite, 0.5).getpixel((0, 0)) == (10, 20, 30, 100)
    assert sprite.getpixel((0, 0)) == (10, 20, 30, 200)
