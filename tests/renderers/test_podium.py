"""The result card of an event: the first players as high as they are placed, and the best game with its players."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from PIL import Image

from engines import GAMES
from renderers import theme
from renderers.scene import Finale, Scene
from renderers.summaries.podium import FINISHERS_AT_MOST, BestGame, Finisher, Podium, draw, paint
from tests.renderers.mosaics import LONG
from tests.renderers.pixels import assert_clear_corners, assert_fits, change, changed, pixel
from tests.renderers.tables import NAMES


def podium(*places: int, **fields: Any) -> Podium:
    steps = tuple(Finisher(place, NAMES[number % len(NAMES)], "5½ points") for number, place in enumerate(places))
    return Podium(**({"title": "Spring Open", "subtitle": "Bouncers", "finishers": steps, "nameless": "Somebody"} | fields))


def best_game(game: str = "bouncers", seats: int = 2, **fields: Any) -> BestGame:
    view = GAMES[game].view(GAMES[game].start(seats))
    scene = Scene(names=("Ann", *LONG)[:seats], finale=Finale(winners=(0,)))
    usual: dict[str, Any] = {"title": "The best game: #42", "caption": "Ann takes four at once."}
    return BestGame(**({"game_id": game, "view": view, "scene": scene} | usual | fields))


def renamed(shown: Podium, number: int, name: str) -> Podium:
    steps = list(shown.finishers)
    steps[number] = replace(steps[number], name=name)
    return replace(shown, finishers=tuple(steps))


def picture(shown: Podium, *, high_contrast: bool = False) -> Image.Image:
    return paint(shown, theme.palette(high_contrast)).convert("RGB")


@pytest.mark.slow
@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_every_number_of_players_fits_below_any_podium(game: str, high_contrast: bool) -> None:
    for seats in GAMES[game].seats:
        assert_fits(picture(podium(1, 2, 3, best_game=best_game(game, seats)), high_contrast=high_contrast))


def test_nobody_on_the_podium_is_left_out_and_everybody_has_a_place_of_their_own() -> None:
    for places in ((1,), (1, 2), (1, 2, 3), (1, 1, 1), (1, 2, 2), (1, 2, 2, 2), (1, 2, 3, 3, 3)):
        shown = podium(*places)
        for number in range(len(places)):
            shown = renamed(shown, number, "Ann")
        usual = picture(shown)
        where = [change(usual, picture(renamed(shown, number, "Zoe"))) for number in range(len(places))]
        for one, other in combinations(where, 2):
            assert one[2] <= other[0] or other[2] <= one[0]


def test_better_places_stand_higher_and_shared_places_equally_high() -> None:
    def heights(*places: int) -> list[int]:
        shown = podium(*places)
        for number in range(len(places)):
            shown = renamed(shown, number, ".")
        usual = picture(shown)
        found = []
        for number, finisher in enumerate(people := shown.finishers):
            other = (*people[:number], replace(finisher, points=""), *people[number + 1 :])
            found.append(change(usual, picture(replace(shown, finishers=other)))[3])
        return found

    first, second, third, fourth = heights(1, 2, 3, 4)
    assert first < second < third < fourth
    assert len(set(heights(1, 1, 1))) == 1
    first, second, also_second = heights(1, 2, 2)
    assert first < second == also_second


def test_the_first_stands_in_the_middle_of_three() -> None:
    shown = podium(1, 2, 3)
    where = [change(picture(shown), picture(renamed(shown, number, "Zoe"))) for number in range(3)]
    assert where[1][2] < where[0][0] < where[0][2] < where[2][0]


def test_more_than_five_are_not_drawn() -> None:
    assert draw(podium(1, 2, 3, 3, 3, 3, 3)) == draw(podium(1, 2, 3, 3, 3))
    assert FINISHERS_AT_MOST == 5


@pytest.mark.parametrize("places", [(1,), (1, 2), (1, 2, 3), (1, 1, 3), (1, 2, 2, 2), (1, 2, 3, 3, 3)])
def test_long_names_do_not_reach_each_other(places: tuple[int, ...]) -> None:
    shown = podium(*places)
    for number in range(len(places)):
        shown = renamed(shown, number, ".")
    where = [change(picture(shown), picture(renamed(shown, number, "W" * 200))) for number in range(len(places))]
    for one, other in combinations(where, 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1]
    assert all(box[0] > theme.EDGE and box[2] < theme.WIDTH - theme.EDGE for box in where)


def test_the_name_of_a_single_winner_has_more_room_than_the_others() -> None:
    def width_of_first(*places: int) -> int:
        shown = podium(*places)
        left, _, right, _ = change(picture(renamed(shown, 0, ".")), picture(renamed(shown, 0, "W" * 200)))
        return right - left

    assert width_of_first(1, 2, 3) > 500
    assert width_of_first(1, 1, 3) < 310


def test_without_a_best_game_the_podium_is_the_same_and_ends_with_its_floor() -> None:
    alone, whole = picture(podium(1, 2, 3)), picture(podium(1, 2, 3, best_game=best_game()))
    assert whole.height - alone.height > 400
    inner = (20, 20, theme.WIDTH - 20, alone.height - 40)
    assert alone.crop(inner).tobytes() == whole.crop(inner).tobytes()


def test_the_winner_of_the_best_game_is_told_by_a_cup_and_not_by_colour_alone() -> None:
    looks = []
    for winners in ((), (0,), (1,)):
        game = best_game()
        shown = podium(1, best_game=replace(game, scene=replace(game.scene, finale=Finale(winners=winners))))
        looks.append(picture(shown).convert("L").crop((940, 600, 1000, 1000)).point([255 * (v < 150) for v in range(256)]))
    for one, other in combinations(looks, 2):
        assert changed(one, other) is not None


@pytest.mark.parametrize(("game", "seats"), [("bouncers", 2), ("trampoline", 4), ("pucks", 6)])
def test_captions_of_any_length_leave_the_players_their_rows(game: str, seats: int) -> None:
    def rows(caption: str) -> Image.Image:
        image = picture(podium(1, best_game=best_game(game, seats, caption=caption)))
        return image.crop((450, image.height - 28 - 44 * seats, theme.WIDTH, image.height))

    long, longer = rows("W " * 300), rows("W " * 300 + "and more")
    assert long.tobytes() == longer.tobytes()
    gold = theme.WARM.gold
    assert any(pixel(long, (200, y)) == gold for y in range(50))


def test_invisible_names_are_replaced() -> None:
    shown = podium(1, 2, 3, best_game=best_game())
    assert draw(renamed(shown, 1, "\u200b")) == draw(renamed(shown, 1, "Somebody"))


@pytest.mark.parametrize("high_contrast", [False, True])
def test_the_same_podium_gives_the_same_small_file_with_clear_corners(high_contrast: bool) -> None:
    shown = podium(1, 2, 3, best_game=best_game("pucks", 6))
    drawn = draw(shown, high_contrast=high_contrast)
    assert drawn == draw(shown, high_contrast=high_contrast)
    assert len(drawn) < 120_000
    assert_clear_corners(drawn)
