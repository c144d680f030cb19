"""The boards of several games in one picture, each with its players, and whose turn it is or who has won."""

import io
from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image

from engines import GAMES
from renderers import theme
from renderers.scene import Finale
from renderers.summaries.mosaic import MOST, Tile, draw_mosaic, paint
from tests.renderers.mosaics import FOLDER, LONG, MOSAICS, four, tile
from tests.renderers.pixels import assert_fits, change, changed, pixel
from tests.renderers.scenes import starting


def picture(*tiles: Tile) -> Image.Image:
    return paint(tiles, theme.palette(tiles[0].scene.high_contrast)).convert("RGB")


def renamed(shown: Tile, *names: str) -> Tile:
    return replace(shown, scene=replace(shown.scene, names=names))


def with_winners(shown: Tile, *winners: int) -> Tile:
    return replace(shown, scene=replace(shown.scene, finale=Finale(winners=winners)))


@pytest.mark.slow
@pytest.mark.parametrize("name", MOSAICS)
def test_the_samples_are_drawn_as_before(name: str) -> None:
    kept = Image.open(FOLDER / f"{name}.png").convert("RGBA")
    drawn = Image.open(io.BytesIO(draw_mosaic(MOSAICS[name]))).convert("RGBA")
    assert drawn.size == kept.size
    assert drawn.tobytes() == kept.tobytes()


@pytest.mark.parametrize("count", range(1, MOST + 1))
def test_any_number_of_boards_fills_a_picture_no_higher_than_discord_shows(count: int) -> None:
    image = picture(*four()[:count])
    assert_fits(image)
    paper = theme.palette(high_contrast=False).paper
    corners = [(40, 30), (990, 30), (40, image.height - 28), (990, image.height - 28)]
    assert [pixel(image, corner)[:3] for corner in corners] == [paper] * 4


def test_equal_mosaics_give_the_same_small_file() -> None:
    assert draw_mosaic(four()) == draw_mosaic(four())
    assert len(draw_mosaic(four())) < 150_000


@pytest.mark.slow
def test_each_game_stands_in_its_own_place() -> None:
    usual = picture(*four())
    middle = (theme.WIDTH // 2, theme.MAX_HEIGHT // 2)
    for place, shown in enumerate(four()):
        other = [*four()]
        other[place] = renamed(replace(shown, number="#9"), *("Zoe" for _ in range(shown.view.seats)))
        left, top, right, bottom = change(usual, picture(*other))
        assert left > middle[0] if place % 2 else right < middle[0], place
        assert top > middle[1] if place // 2 else bottom < middle[1], place


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_every_number_of_players_is_named_within_the_tile(game: str, count: int) -> None:
    for seats in GAMES[game].seats:
        shown = tile(starting(GAMES[game], seats), 7)
        for seat in range(seats):
            names = ["."] * seats
            names[seat] = "W" * 100
            short, long = renamed(shown, *("." * seats)), renamed(shown, *names)
            before, after = (picture(*[one] * count) for one in (short, long))
            assert changed(before, after) is not None
            assert change(before, after)[2] < theme.WIDTH - theme.EDGE - 14
            if count > 1:
                gap = (theme.WIDTH // 2 - 6, 0, theme.WIDTH // 2 + 6, before.height)
                assert changed(before.crop(gap), after.crop(gap)) is None


def test_turns_and_winners_are_told_by_shapes_without_colours() -> None:
    running = four()[0]
    first_to_act = replace(running, view=replace(running.view, to_act=(0,)))
    looks = (running, with_winners(running, 0), with_winners(running, 1), first_to_act)
    shapes = [picture(look).convert("L").crop((590, 100, 1000, 500)) for look in looks]
    for one, other in combinations(shapes, 2):
        assert changed(one, other) is not None


def test_winners_stand_on_gold() -> None:
    gold = theme.palette(high_contrast=False).gold
    for winner in (0, 1):
        image = picture(with_winners(four()[0], winner)).crop((700, 100, 980, 500))
        where = [y for y in range(image.height) if pixel(image, (140, y))[:3] == gold]
        assert where
        assert (min(where) > 200) == bool(winner)


def test_an_overlong_title_keeps_its_number() -> None:
    shown = replace(four()[3], title="Bounce " * 9, note="It’s a draw!")
    where = change(picture(shown, shown), picture(*[replace(shown, number="#44")] * 2))
    assert where[1] < 70


def test_an_invisible_name_is_that_of_its_seat() -> None:
    shown = four()[0]
    assert picture(renamed(shown, "\u200b", "Ben")).tobytes() == picture(renamed(shown, "Red", "Ben")).tobytes()


def test_long_names_and_many_players_are_still_a_small_file() -> None:
    assert len(draw_mosaic([tile("pucks-spread", 77777, LONG)] * 4)) < 150_000
