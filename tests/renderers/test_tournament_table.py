"""The table of an event: nobody is left out, names stay in their room, and results are told apart without colours."""

import io
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from renderers import theme
from renderers.summaries.chips import Cell, CellKind, chip
from renderers.summaries.tournament_table import ROWS_AT_MOST, TALL, TournamentTable, draw, paint
from tests.renderers.pixels import assert_clear_corners, assert_fits, change, changed, counted, dark, pixel
from tests.renderers.tables import NAMES, RESULTS, crosstable, row, rows, table

LEGEND = tuple((kind, kind.value) for kind in RESULTS)
REASONS = ("Ann is ahead of Ben on games won: 2 to 1.", "Ben is ahead of Cleo by random draw.", "W" * 200)


def picture(shown: TournamentTable, *, high_contrast: bool = False) -> Image.Image:
    return paint(shown, theme.palette(high_contrast)).convert("RGB")


def renamed(shown: TournamentTable, number: int, name: str, **fields: Any) -> TournamentTable:
    people = list(shown.rows)
    people[number] = replace(people[number], name=name, **fields)
    return replace(shown, rows=tuple(people))


@pytest.mark.slow
@pytest.mark.parametrize("count", range(1, ROWS_AT_MOST + 1))
def test_every_number_of_people_fits(count: int) -> None:
    for fields in ({"note": "all of it"}, {"legend": LEGEND}, {"legend": LEGEND, "reasons": REASONS}, {}):
        assert_fits(picture(table(*rows(count, 5), **fields)))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 4, 16, TALL, TALL + 1, 44, 45, 64, ROWS_AT_MOST])
def test_nobody_is_left_out_and_everybody_has_a_place_of_their_own(count: int) -> None:
    shown = table(*rows(count, name="Ann"))
    usual = picture(shown)
    where = [change(usual, picture(renamed(shown, number, "Zoe"))) for number in range(count)]
    for one, other in combinations(where, 2):
        assert one[3] <= other[1] or one[2] <= other[0] or other[2] <= one[0]


@pytest.mark.parametrize("count", [4, TALL, 40])
def test_reasons_stand_below_everything_else(count: int) -> None:
    usual = table(*rows(count, name="Ann"), note="all of it")
    for number in range(len(REASONS)):
        with_reasons = picture(replace(usual, reasons=REASONS))
        where = change(with_reasons, picture(replace(usual, reasons=(*REASONS[:number], "Ann.", *REASONS[number + 1 :]))))
        last = change(with_reasons, picture(replace(usual, reasons=REASONS, note="and all")))
        assert where[1] >= last[3], "below the note"


def test_the_same_table_gives_the_same_small_file() -> None:
    for shown in (table(*rows(16, 5), legend=LEGEND), table(*rows(64)), crosstable(16)):
        assert draw(shown) == draw(shown)
        assert len(draw(shown)) < 100_000
        assert len(draw(shown, high_contrast=True)) < 100_000


@pytest.mark.parametrize("count", [4, TALL, 40, 64])
def test_a_long_name_reaches_neither_the_cells_nor_the_points_nor_the_next_column(count: int) -> None:
    for number in (0, count - 1):
        shown = table(*rows(count, 5 if count <= TALL else 0, name="."))
        where = change(picture(renamed(shown, number, "W" * 200)), picture(shown))
        beside = change(picture(shown), picture(renamed(shown, number, ".", points="9½", cells=(Cell("3"),) * 5)))
        assert where[2] <= beside[0]


def test_any_name_can_be_drawn_in_every_layout() -> None:
    for count in (10, 30, 60):
        assert Image.open(io.BytesIO(draw(table(*rows(count))))).width == theme.WIDTH
    assert set(NAMES) <= {each.name for each in rows(10)}


@pytest.mark.parametrize("high_contrast", [False, True])
def test_results_are_told_apart_by_their_shapes_alone(high_contrast: bool) -> None:
    palette = theme.palette(high_contrast)
    shapes = {}
    for kind in (CellKind.WON, CellKind.DRAWN, CellKind.LOST, CellKind.OPEN):
        shapes[kind] = chip(kind, palette, 40, 30).getchannel("A").point(lambda value: 255 * (value > 127))
    for one, other in combinations(shapes.values(), 2):
        assert sum(ImageChops.difference(one, other).histogram()[128:]) > 30


@pytest.mark.parametrize("high_contrast", [False, True])
def test_every_kind_of_a_cell_looks_different_in_grey(high_contrast: bool) -> None:
    shown = [table(row(cells=(Cell("7", kind),))) for kind in CellKind]
    greys = [picture(one, high_contrast=high_contrast).convert("L") for one in shown]
    for one, other in combinations(greys, 2):
        assert changed(one, other) is not None


def test_absence_has_a_dash_unless_there_is_a_word_for_it() -> None:
    cells = (Cell(), Cell("", CellKind.ABSENT), Cell("ill", CellKind.ABSENT))
    nothing, dash, word = (picture(table(row(cells=(cell,)))) for cell in cells)
    assert changed(nothing, dash) is not None
    assert changed(dash, word) is not None


def test_all_rounds_are_shown_or_else_the_latest_ones_with_room_for_names() -> None:
    people = rows(8, 30, name=".")
    shown = table(*people)
    usual = picture(shown)
    first, last = ((*people[0].cells[:number], Cell("99"), *people[0].cells[number + 1 :]) for number in (0, 29))
    assert changed(usual, picture(renamed(shown, 0, ".", cells=first))) is None
    assert changed(usual, picture(renamed(shown, 0, ".", cells=last))) is not None
    assert change(usual, picture(renamed(shown, 0, "W" * 100)))[2] > 250
    seven = table(*rows(16, 7, name="."))
    early = (Cell("99"), *seven.rows[0].cells[1:])
    assert changed(picture(seven), picture(renamed(seven, 0, ".", cells=early))) is not None


def test_a_crosstable_is_shown_whole_or_not_at_all() -> None:
    for players, text, is_shown in ((4, "1 ½", True), (8, "1 ½", True), (16, "½", True), (16, "1 ½ 1", False)):
        shown = crosstable(players, text)
        without = replace(shown, heads=(), rows=tuple(replace(each, cells=()) for each in shown.rows))
        assert (changed(picture(shown), picture(without)) is not None) == is_shown


def test_the_diagonal_of_a_crosstable_is_filled_out() -> None:
    image = picture(crosstable(8, ""))
    filled = theme.mix(theme.WARM.paper, theme.WARM.line, 0.8)
    rows = [y for y in range(200, image.height - 20) if filled in {pixel(image, (x, y)) for x in range(200, 900, 10)}]
    assert len(rows) > 8 * 50


def test_a_player_who_has_left_is_struck_out_in_every_layout() -> None:
    for count in (4, 30):
        shown = table(*rows(count, name="Ann"))
        gone = renamed(shown, 1, "Ann", has_left=True)
        left, top, right, bottom = change(picture(shown), picture(gone))
        name = picture(gone).crop((left, (top + bottom) // 2, right, (top + bottom) // 2 + 1))
        assert len([x for x in range(name.width) if pixel(name, (x, 0)) == theme.WARM.muted]) > 40


@pytest.mark.parametrize("high_contrast", [False, True])
def test_medals_differ_in_shape_and_only_the_first_three_have_one(high_contrast: bool) -> None:
    shapes = []
    for place in (1, 2, 3):
        image = picture(table(row(place, has_medal=True)), high_contrast=high_contrast).crop((40, 200, 130, 280))
        shapes.append(dark(image, below=100))
    for one, other in combinations(shapes, 2):
        assert sum(ImageChops.difference(one, other).histogram()[128:]) > 100
    plain, marked = (picture(table(row(4, has_medal=has_medal))).crop((20, 200, 96, 280)) for has_medal in (False, True))
    assert changed(plain, marked) is None


def test_dots_stand_for_places_that_are_left_out_but_not_for_shared_ones() -> None:
    def muted(*places: int) -> int:
        image = picture(table(*(row(place, name=".", points="") for place in places), points=""))
        return counted(image.crop((300, 165, 900, image.height - 30))).get(theme.WARM.muted, 0)

    assert not muted(1, 2, 3, 4)
    assert not muted(1, 1, 3, 3, 5)
    assert muted(1, 2, 7, 8) > 100
    assert muted(1, 1, 4) > 100


def test_an_invisible_name_is_replaced() -> None:
    for count in (4, 30):
        shown = table(*rows(count))
        assert draw(renamed(shown, 1, "\u200b")) == draw(renamed(shown, 1, "Somebody"))


def test_the_legend_and_the_note_take_room_only_if_present() -> None:
    people = rows(4, 5)
    plain, explained, noted = table(*people), table(*people, legend=LEGEND), table(*people, note="· goes on")
    assert picture(plain).height < picture(explained).height == picture(noted).height
    foot = change(picture(explained), picture(table(*people, legend=tuple((kind, "W" * 60) for kind in RESULTS))))
    assert foot[0] >= 30
    assert foot[2] <= theme.WIDTH - 30


def test_the_corners_let_the_channel_show_through() -> None:
    assert_clear_corners(draw(table(*rows(3))))
