"""The picture of a ladder: everybody on it, the first three with medals, and what they have won and lost."""

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from renderers import theme
from renderers.summaries.ladder import RUNGS_AT_MOST, Ladder, Rung, draw, paint
from tests.renderers.pixels import assert_fits, change, changed
from tests.renderers.tables import NAMES


def rungs(count: int, **fields: Any) -> tuple[Rung, ...]:
    return tuple(
        replace(Rung(number, NAMES[number % len(NAMES)], 20 - number, number), **fields) for number in range(1, count + 1)
    )


def ladder(*people: Rung, **fields: Any) -> Ladder:
    usual: dict[str, Any] = {
        "title": "Bouncers", "subtitle": "Ladder · until 31 December", "won": "won", "lost": "lost", "nameless": "Somebody",
    }  # fmt: skip
    return Ladder(rungs=people, **(usual | fields))


def picture(*people: Rung, high_contrast: bool = False, **fields: Any) -> Image.Image:
    return paint(ladder(*people, **fields), theme.palette(high_contrast)).convert("RGB")


@pytest.mark.parametrize("count", range(1, RUNGS_AT_MOST + 1))
def test_every_number_of_people_fits_with_a_note_and_without(count: int) -> None:
    for note in ("", "Beat somebody above you and you take their place."):
        assert_fits(picture(*rungs(count), note=note))


def test_more_than_twenty_are_not_drawn() -> None:
    assert draw(ladder(*rungs(24))) == draw(ladder(*rungs(RUNGS_AT_MOST)))


@pytest.mark.parametrize("high_contrast", [False, True])
def test_equal_ladders_give_the_same_small_file(high_contrast: bool) -> None:
    drawn = draw(ladder(*rungs(20)), high_contrast=high_contrast)
    assert drawn == draw(ladder(*rungs(20)), high_contrast=high_contrast)
    assert len(drawn) < 80_000


def test_the_first_three_have_medals_and_nobody_else() -> None:
    for place in range(1, 6):
        numbered = picture(*rungs(1, place=place)).crop((30, 204, 106, 276))
        left, _, right, _ = change(numbered, picture(*rungs(1, place=place + 5)).crop((30, 204, 106, 276)))
        assert (right - left > 44) == (place <= 3)


def test_each_part_of_a_rung_is_drawn_in_its_own_line() -> None:
    first, second = rungs(2, name="Ann")
    for changed_rung in (replace(second, name="Zoe"), replace(second, won=7), replace(second, lost=0)):
        where = change(picture(first, second), picture(first, changed_rung))
        assert 270 < where[1] < where[3] < 352


def test_games_won_and_lost_differ_in_shape() -> None:
    image = picture(*rungs(1, won=5, lost=5), won="", lost="").convert("L").point([255 if v < 90 else 0 for v in range(256)])
    won, lost = image.crop((820, 203, 904, 276)), image.crop((904, 203, 988, 276))
    assert changed(won, lost) is not None


def test_a_long_name_does_not_reach_into_the_numbers() -> None:
    (rung,) = rungs(1)
    assert change(picture(replace(rung, name="W" * 200)), picture(replace(rung, name=".")))[2] < 800
