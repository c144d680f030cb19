"""The picture of a leaderboard: places told by more than colour, whatever people call themselves."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from renderers import theme
from renderers.summaries.leaderboard import ROWS_AT_MOST, Leaderboard, LeaderboardRow, draw, paint
from tests.renderers.pixels import assert_clear_corners, assert_fits, change, dark
from tests.renderers.tables import NAMES


def rows(count: int, **fields: Any) -> tuple[LeaderboardRow, ...]:
    named = ((number, NAMES[(number - 1) % len(NAMES)], str(1700 - 50 * number)) for number in range(1, count + 1))
    return tuple(replace(LeaderboardRow(*each, "30", provisional=False), **fields) for each in named)


def board(*people: LeaderboardRow, **fields: str) -> Leaderboard:
    usual = {
        "title": "Bouncers", "subtitle": "The best of this server", "rating": "Rating", "games": "Games",
        "note": "? provisional", "nameless": "Somebody",
    }  # fmt: skip
    return Leaderboard(rows=people, **(usual | fields))


def picture(*people: LeaderboardRow, high_contrast: bool = False, **fields: str) -> Image.Image:
    return paint(board(*people, **fields), theme.palette(high_contrast)).convert("RGB")


@pytest.mark.parametrize("count", range(1, ROWS_AT_MOST + 1))
def test_every_number_of_people_fits(count: int) -> None:
    assert_fits(picture(*rows(count)))


def test_more_than_ten_are_not_drawn() -> None:
    assert draw(board(*rows(14))) == draw(board(*rows(ROWS_AT_MOST)))


def test_when_all_share_the_first_place_all_of_them_fit() -> None:
    assert picture(*rows(ROWS_AT_MOST, place=1)).height <= theme.MAX_HEIGHT


def test_the_same_leaderboard_gives_the_same_file_which_is_small() -> None:
    people = rows(ROWS_AT_MOST)
    assert draw(board(*people)) == draw(board(*people))
    assert len(draw(board(*people))) < 100_000


@pytest.mark.parametrize("high_contrast", [False, True])
def test_the_first_three_places_differ_in_shape_and_not_in_colour_alone(high_contrast: bool) -> None:
    shapes = []
    for place in (1, 2, 3):
        with_medal = picture(*rows(1, place=place, name="Ann"), high_contrast=high_contrast)
        shapes.append(dark(with_medal.crop((20, 200, 130, 290)), below=100))
    for one, other in combinations(shapes, 2):
        assert sum(ImageChops.difference(one, other).histogram()[128:]) > 150


def test_a_provisional_rating_has_a_question_mark() -> None:
    (sure,) = rows(1)
    left, _, right, _ = change(picture(sure), picture(replace(sure, provisional=True)))
    assert left > 600
    assert 826 < right < 870


def test_each_part_of_a_line_is_drawn() -> None:
    first, second = rows(2)
    for changed in (replace(second, name="Zoe"), replace(second, rating="1234"), replace(second, games="77")):
        where = change(picture(first, second), picture(first, changed))
        assert 280 < where[1] < where[3] < 380


def test_an_invisible_name_is_replaced() -> None:
    (row,) = rows(1)
    assert draw(board(replace(row, name="\u200b"))) == draw(board(replace(row, name="Somebody")))


def test_a_long_name_does_not_reach_into_the_ratings() -> None:
    (row,) = rows(1)
    assert change(picture(replace(row, name="W" * 200)), picture(replace(row, name=".")))[2] < 680


def test_a_long_title_does_not_reach_the_counters() -> None:
    where = change(picture(*rows(1), title="W" * 100, subtitle="W" * 100), picture(*rows(1), title=".", subtitle="."))
    assert where[2] < 620


def test_without_anybody_provisional_there_is_no_note() -> None:
    assert picture(*rows(3), note="").height < picture(*rows(3)).height


def test_the_corners_let_the_channel_show_through() -> None:
    assert_clear_corners(draw(board(*rows(3))))
