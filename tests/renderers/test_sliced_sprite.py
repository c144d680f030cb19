"""Sprites that are cut up look as they do in one piece."""

import pytest
from PIL import Image, ImageChops

from engines.pucks.board.box import box
from renderers import theme
from renderers.canvas import Layer, place, with_shadow
from renderers.pucks.highlights import card_frame
from renderers.pucks.mats import mat_sprite
from renderers.pucks.story import frame
from renderers.sliced_sprite import SlicedSprite, slice_around, slice_frame, slice_sprite

GROUND = Image.effect_noise((120, 100), 90).convert("RGB")


def rounded(width: int, height: int) -> Image.Image:
    """A plate with round corners and a shadow."""
    layer = Layer(width + 24, height + 24)
    layer.rectangle((4, 4, width + 4, height + 4), 9, theme.WARM.gold)
    return with_shadow(layer.image(), theme.WARM.ink)


def whole(cut: SlicedSprite) -> Image.Image:
    """The sprite that a frame was cut from."""
    sprite = Image.new("RGBA", cut.size)
    for strip, at in cut.strips:
        sprite.paste(strip, at)
    return sprite


SPRITES = {
    "a plate": rounded(60, 40),
    "a sliver": rounded(60, 2),
    "a plate without an edge": Image.new("RGBA", (30, 20), (*theme.WARM.gold, 255)),
    "a pane": Image.new("RGBA", (30, 20), (*theme.WARM.gold, 90)),
    "nothing": Image.new("RGBA", (30, 20)),
    "a frame": whole(frame(theme.WARM, 70, theme.WARM.gold)),
    "a card's frame": whole(card_frame(theme.WARM, 260, 84, chosen=True)),
}


def area(cut: SlicedSprite) -> int:
    """How many pixels are pasted through a mask."""
    return sum(strip.width * strip.height for strip, _ in cut.strips)


@pytest.mark.parametrize("cut_up", [slice_sprite, slice_frame])
@pytest.mark.parametrize("at", [(10, 12), (-20, -9), (90, 70), (-7, 80), (300, 0)])
@pytest.mark.parametrize("name", SPRITES)
def test_a_sprite_that_is_cut_up_looks_the_same_wherever_it_lies(name, at, cut_up):
    whole, cut = GROUND.copy(), GROUND.copy()
    whole.paste(SPRITES[name], at, SPRITES[name])
    cut_up(SPRITES[name]).lay(cut, at)
    assert ImageChops.difference(whole, cut).getbbox() is None


@pytest.mark.parametrize("centre", [(50, 40), (50.5, 40.5), (49.49, 41.51)])
def test_a_sliced_sprite_is_placed_like_a_whole_one(centre):
    whole, cut = GROUND.copy(), GROUND.copy()
    place(whole, SPRITES["a plate"], centre)
    slice_sprite(SPRITES["a plate"]).place(cut, centre)
    assert ImageChops.difference(whole, cut).getbbox() is None


def test_nearly_all_of_a_mat_needs_no_mask():
    sprite = mat_sprite("basic", box().kinds["basic"].face, 0, theme.WARM, 192)
    assert area(slice_sprite(sprite)) < 0.15 * sprite.width * sprite.height


def test_a_sprite_without_solid_pixels_has_no_middle():
    assert slice_sprite(SPRITES["a pane"]).core is None
    assert slice_sprite(SPRITES["nothing"]).strips == ()


@pytest.mark.parametrize("name", ["a frame", "a card's frame"])
def test_the_middle_of_a_frame_is_left_out(name):
    sprite = SPRITES[name]
    assert area(slice_frame(sprite)) < 0.6 * sprite.width * sprite.height


def test_slicing_around_a_box_leaves_out_that_box_and_nothing_else():
    sprite, hidden = rounded(60, 40), (20, 15, 50, 30)
    whole, cut = GROUND.copy(), GROUND.copy()
    for image, lay in ((whole, slice_sprite(sprite)), (cut, slice_around(sprite, hidden))):
        lay.lay(image, (0, 0))
    assert ImageChops.difference(whole, cut).getbbox() == hidden
    for image in (whole, cut):
        image.paste(theme.WARM.ink, hidden)
    assert ImageChops.difference(whole, cut).getbbox() is None
