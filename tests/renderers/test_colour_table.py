"""The colours of the seats are what their names say, and can be told apart under every sight."""

from itertools import pairwise

import pytest

from engines.text import SEAT_COLOURS
from renderers import theme
from tests.renderers.colour_table import BASIC, EARLIER, FILE, HUES, PALETTES, nearest_name, page, pairs, seats
from tests.renderers.colour_vision import SIGHTS, hue

IN_BOTH = pytest.mark.parametrize("name", PALETTES)


@IN_BOTH
def test_every_hue_is_what_the_name_of_the_seat_says(name):
    for seat, colour in seats(PALETTES[name]).items():
        low, high = HUES[seat]
        assert low <= hue(colour) <= high, seat


@IN_BOTH
def test_the_nearest_of_all_basic_names_is_the_seats_own(name):
    assert [nearest_name(colour) for colour in seats(PALETTES[name]).values()] == list(SEAT_COLOURS)


def test_the_hues_of_names_do_not_overlap_and_contain_the_average_colour_of_their_name():
    ranges = sorted(HUES.values())
    assert all(end < start for (_, end), (start, _) in pairwise(ranges))
    for seat, (low, high) in HUES.items():
        assert low <= hue(BASIC[seat]) <= high, seat


def test_the_earlier_colours_were_not_what_their_names_said():
    red, *_, purple, orange = EARLIER["normal"]
    assert nearest_name(red) == "Orange"
    assert nearest_name(purple) == "Pink"
    assert not HUES["Orange"][0] <= hue(orange) <= HUES["Orange"][1]


@IN_BOTH
@pytest.mark.parametrize("sight", SIGHTS)
def test_seats_are_further_apart_than_before_under_every_sight(name, sight):
    before = dict(zip(seats(PALETTES[name]), EARLIER[name], strict=True))
    assert min(pairs(seats(PALETTES[name]), sight).values()) > min(pairs(before, sight).values())


@IN_BOTH
@pytest.mark.parametrize(("sight", "least"), [("normal", 29), ("protan", 18), ("deutan", 15), ("tritan", 20)])
def test_no_two_seats_come_closer_than_is_published(name, sight, least):
    assert min(pairs(seats(PALETTES[name]), sight).values()) >= least


@IN_BOTH
def test_red_and_orange_are_apart_under_every_sight(name):
    for sight in SIGHTS:
        assert pairs(seats(PALETTES[name]), sight)["Red", "Orange"] >= 20, sight


@IN_BOTH
def test_marks_and_digits_can_be_read_on_every_colour(name):
    for look in PALETTES[name].seats:
        assert theme.contrast(look.colour, look.on_colour) >= 4.5, look.mark


def test_the_page_about_colours_says_what_is_measured():
    # Else: python -m tests.renderers.colour_table --write
    assert FILE.read_text("utf-8") == page()
