"""The picture of somebody's stats: everything fits, whatever people call themselves."""

import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from renderers import theme
from renderers.summaries.stats import GameRecord, Result, Section, Stats, draw, paint
from tests.renderers.pixels import assert_fits, changed
from tests.renderers.tables import NAMES

RESULTS: tuple[tuple[Result, str], ...] = (("won", "W"), ("drawn", "D"), ("lost", "L"))
FULL = Stats(
    name="Ann", nameless="Somebody", subtitle="At the Bounce Club", note="? = provisional", form_title="Form",
    games=tuple(
        GameRecord(title, "1144", provisional=False, results="24–3–14", place="place 2 of 17")
        for title in ("Bouncers", "Bounce Bunny Bounce") * 2
    ),
    form=tuple(RESULTS[number % 3] for number in range(10)),
    pace=(("Replies", "within 45 minutes"), ("Time-outs", "12 of 1234 turns")),
    curve_title="Rating at Bouncers", points=(1000, 1050, 1020, 1080, 1112),
    lists=(
        Section("Head to head", tuple((name, "12–2–7") for name in NAMES[:4])),
        Section("Best moments", (("6 wins in a row", "#118"), ("Peak of 1312 at Bounce Bunny Bounce", "#12345"))),
    ),
    badges_title="Computers beaten",
    badges=("Bouncers: expert", "Bounce Bunny Bounce: expert", "BOUNCE: expert", "Puck Bumpers: medium"),
)  # fmt: skip
EMPTY = replace(FULL, games=(), note="", form=(), pace=(), points=(), lists=(), badges=())


def test_full_stats_are_no_higher_than_discord_shows() -> None:
    assert_fits(paint(FULL, theme.WARM))


def test_rivals_whose_names_cannot_be_drawn_are_called_players() -> None:
    unseen, told = (replace(FULL, lists=(Section("Head to head", ((name, "2–1"),)),)) for name in ("\u3164", "Somebody"))
    assert draw(unseen) == draw(told)


def test_the_same_stats_give_the_same_file_which_is_small() -> None:
    assert draw(FULL) == draw(FULL)
    assert len(draw(FULL)) < 100_000


@pytest.mark.parametrize("part", ["games", "note", "form", "pace", "points", "lists", "badges"])
def test_missing_parts_take_no_room(part: str) -> None:
    assert paint(replace(FULL, **{part: getattr(EMPTY, part)}), theme.WARM).height < paint(FULL, theme.WARM).height
    assert paint(EMPTY, theme.WARM).height < paint(replace(EMPTY, **{part: getattr(FULL, part)}), theme.WARM).height


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_drawn(name: str) -> None:
    image = Image.open(io.BytesIO(draw(replace(FULL, name=name, lists=(Section("Rivals", ((name, "1–0–0"),)),)))))
    assert image.width == theme.WIDTH


@pytest.mark.parametrize("high_contrast", [False, True])
def test_results_differ_in_shape_and_not_in_colour_alone(high_contrast: bool) -> None:
    palette = theme.palette(high_contrast)
    shapes = []
    for result, _ in RESULTS:
        grey = paint(replace(EMPTY, form=((result, ""),)), palette).convert("L").crop((90, 166, 220, 240))
        shapes.append(grey.point(lambda value: 255 * (value > 200)))
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert changed(shapes[one], shapes[other]) is not None


def ratings() -> st.SearchStrategy[Any]:
    return st.lists(st.integers(0, 41_000), min_size=2, max_size=60).map(tuple)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(points=ratings())
def test_any_course_of_a_rating_is_drawn_within_its_place(points: tuple[int, ...]) -> None:
    with_curve = paint(replace(EMPTY, points=points), theme.WARM)
    assert with_curve.height == paint(replace(EMPTY, points=(1, 2)), theme.WARM).height
