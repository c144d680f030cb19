"""The strip with the seats."""

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from engines.game import Outcome, View
from renderers import theme
from renderers.scene import Scene
from renderers.strip import draw_strip, shown_name
from tests.renderers.pixels import change, changed, counted, within
from tests.renderers.test_lettering import ODD

SIX = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo")


def view(seats: int, to_act: tuple[int, ...] = (), **more: Any) -> View:
    return View(variant="", seats=seats, seat=None, to_act=to_act, scores=("3",) * seats, **more)


def strip(
    view: View, names: tuple[str, ...] = SIX, palette: theme.Palette = theme.WARM, computers: tuple[int, ...] = ()
) -> Image.Image:
    image = Image.new("RGB", (theme.WIDTH, 200), palette.edge)
    draw_strip(image, view, Scene(names=names, computers=computers), palette)
    return image


def cell(seat: int, seats: int) -> tuple[float, float, float, float]:
    """A seat's part of the strip, with a little more."""
    width = (theme.WIDTH - 2 * theme.EDGE - 32 + 8) / seats
    left = theme.EDGE + 16 + seat * width
    return left - 4, 200 - theme.EDGE - theme.STRIP, left + width, 200 - theme.EDGE


def colours(image: Image.Image, seat: int, seats: int) -> dict[tuple[int, ...], int]:
    """How many pixels of each colour a seat's part of the strip has."""
    left, top, right, bottom = cell(seat, seats)
    return counted(image.crop((round(left), round(top), round(right), round(bottom))))


@pytest.mark.parametrize("seats", range(1, 7))
def test_the_seat_to_act_has_a_filled_pill(seats):
    for seat in range(seats):
        image = strip(view(seats, to_act=(seat,)))
        assert [other for other in range(seats) if colours(image, other, seats).get(theme.WARM.ink, 0) > 3000] == [seat]


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.parametrize("palette", [theme.WARM, theme.HIGH_CONTRAST], ids=["warm", "high-contrast"])
def test_a_computer_has_a_mark_of_its_own(seats, palette):
    plain = strip(view(seats), palette=palette)
    for seat in range(seats):
        assert within(change(plain, strip(view(seats), palette=palette, computers=(seat,))), cell(seat, seats))


def test_several_seats_can_have_to_act_at_once():
    image = strip(view(3, to_act=(0, 2)))
    assert [colours(image, seat, 3).get(theme.WARM.ink, 0) > 3000 for seat in range(3)] == [True, False, True]


def test_winners_have_a_golden_pill():
    image = strip(view(4, outcome=Outcome((1, 3), "")))
    assert [colours(image, seat, 4).get(theme.WARM.gold, 0) > 3000 for seat in range(4)] == [False, True, False, True]


def test_seats_that_are_out_are_grey_and_struck_out():
    playing, out = strip(view(3)), strip(view(3, out=(1,)))
    blue = theme.WARM.seats[1].colour
    assert colours(playing, 1, 3).get(blue, 0) > 100
    assert blue not in colours(out, 1, 3)
    left, _, right, _ = cell(1, 3)
    assert left <= change(playing, out)[0] <= change(playing, out)[2] <= right


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_name_of_any_kind_stays_within_its_seat(name, seats):
    plain = strip(view(seats, to_act=(0,)))
    assert within(change(plain, strip(view(seats, to_act=(0,)), (SIX[0], name, *SIX[2:]))), cell(1, seats))


def test_a_name_stays_a_name_in_any_script_and_only_nothing_is_the_seats_colour_in_words():
    scene = Scene(names=("👩‍👩‍👧", "张伟", "\u200b"))
    assert [shown_name(scene, seat) for seat in range(4)] == ["👩‍👩‍👧", "张伟", "Green", "Yellow"]


def test_the_two_palettes_differ_in_the_strip():
    one, other = strip(view(2, to_act=(0,))), strip(view(2, to_act=(0,)), palette=theme.HIGH_CONTRAST)
    assert changed(one, other) is not None


def test_a_seat_without_a_score_has_its_name_alone():
    scored, bare = view(3), replace(view(3), scores=())
    assert changed(strip(scored), strip(bare)) is not None
