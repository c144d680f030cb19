"""The picture of win chances: told by more than colour, whatever people call themselves."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from renderers import theme
from renderers.summaries.curve import HEIGHT, Curve, TurningPoint, draw, paint
from tests.renderers.curves import ALONE, CURVES, FOLDER, SIX, TWO
from tests.renderers.pixels import change, counted, dark, pixel


def picture(curve: Curve) -> Image.Image:
    return paint(curve, theme.palette(curve.high_contrast)).convert("RGB")


@pytest.mark.parametrize("name", CURVES)
def test_the_samples_are_drawn_as_before(name: str) -> None:
    kept = Image.open(FOLDER / f"{name}.png").convert("RGBA")
    drawn = Image.open(io.BytesIO(draw(CURVES[name]))).convert("RGBA")
    assert drawn.size == kept.size == (theme.WIDTH, HEIGHT)
    assert drawn.tobytes() == kept.tobytes()


def test_the_same_curve_gives_the_same_file_which_is_small() -> None:
    assert draw(SIX) == draw(SIX)
    assert len(draw(SIX)) < 100_000


def test_the_first_seat_has_the_lowest_band_and_the_rest_is_nobodys() -> None:
    palette = theme.palette(high_contrast=False)
    image = picture(replace(ALONE, points=((0, (0.5,)), (4, (0.5,)))))
    low, high = (pixel(image, (700, y)) for y in (HEIGHT - 100, 160))
    assert low != high
    distance = sum(abs(a - b) for a, b in zip(low[:3], palette.seats[0].colour, strict=True))
    assert distance < sum(abs(a - b) for a, b in zip(high[:3], palette.seats[0].colour, strict=True))


def test_names_stand_to_the_left_of_the_curve_and_invisible_ones_are_replaced() -> None:
    assert change(picture(TWO), picture(replace(TWO, names=("Zoe", TWO.names[1]))))[2] < 232
    assert draw(replace(TWO, names=("\u200b", TWO.names[1]))) == draw(replace(TWO, names=("Rot", TWO.names[1])))


def test_each_high_band_has_the_mark_of_its_seat_in_it() -> None:
    """Without its colours: the marks differ in shape."""
    shapes = []
    for seat in (0, 1, 2):
        curve = replace(ALONE, points=((0, (0.9,)), (4, (0.9,))), colours=((seat,),), winners=())
        assert change(picture(curve), picture(replace(curve, points=((0, (0.1,)), (4, (0.1,))))))[2] > 232
        shapes.append(dark(picture(curve).crop((232, 134, 936, HEIGHT - 74)), below=90).tobytes())
    assert len(set(shapes)) == 3


@pytest.mark.parametrize("curve", [TWO, SIX, ALONE])
def test_winners_stand_on_gold(curve: Curve) -> None:
    gold = theme.palette(high_contrast=False).gold
    won, nobody = picture(curve), picture(replace(curve, winners=()))
    left = (0, 0, 232, HEIGHT)
    assert counted(won.crop(left)).get(gold, 0) > 1000 > counted(nobody.crop(left)).get(gold, 0)


def test_turning_points_have_numbers_that_do_not_hide_one_another() -> None:
    near = replace(TWO, turns=(TurningPoint(9, 1, 1), TurningPoint(10, 0, 2)))
    alone = replace(TWO, turns=(TurningPoint(9, 1, 1),))
    where = change(picture(alone).crop((0, 0, 1024, 134)), picture(near).crop((0, 0, 1024, 134)))
    assert where[3] - where[1] < 50, "the second one is in a row of its own, above the first"
    assert where[1] < 90


def test_a_game_of_one_point_can_be_drawn() -> None:
    assert draw(replace(TWO, points=((0, (0.5, 0.5)),), turns=()))


def test_long_names_do_not_reach_into_the_curve() -> None:
    assert change(picture(replace(TWO, names=("W" * 100, TWO.names[1]))), picture(TWO))[2] < 232
