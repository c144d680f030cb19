"""The card of a finished game: everything on it is drawn, in its room, whatever people call themselves."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from PIL import Image

from engines import GAMES
from engines.game import View
from renderers import theme
from renderers.scene import Finale, Scene
from renderers.summaries.curve import Curve, TurningPoint
from renderers.summaries.result_card import ResultCard, draw_result_card, paint
from tests.renderers.curves import SIX, TWO
from tests.renderers.pixels import assert_clear_corners, assert_fits, change, pixel

NAMES = ("Ann", "W" * 100, "Дева Иванова", "田中さくら", "🦊🦊", "مرحبا \u202eevil")


@cache
def view(game: str, seats: int) -> View:
    found: View = GAMES[game].view(GAMES[game].start(seats))
    return found


def scene(seats: int, *, winners: tuple[int, ...] = (0,), **fields: Any) -> Scene:
    usual: dict[str, Any] = {"names": NAMES[:seats], "finale": Finale(winners=winners, drawn=not winners)}
    return Scene(**(usual | fields))


def card(seats: int, curve: Curve | None = None, **fields: Any) -> ResultCard:
    if curve is None:
        return ResultCard(title="Bouncers #42")
    one = replace(curve, turns=(TurningPoint(12, 0, 1),))
    percents = tuple(f"{90 - seat}%" for seat in range(seats))
    usual: dict[str, Any] = {
        "accuracy": "accuracy", "accuracies": percents, "curve": one, "turned": "The game turned at move 12.",
    }  # fmt: skip
    return ResultCard(title="Bouncers #42", **(usual | fields))


def picture(result: ResultCard, shown: Scene, game: str = "bouncers") -> Image.Image:
    palette = theme.palette(shown.high_contrast)
    return paint(game, view(game, len(shown.names)), shown, result, palette).convert("RGB")


@pytest.mark.slow
@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_every_number_of_players_fits(game: str, high_contrast: bool) -> None:
    for seats in {GAMES[game].seats[0], GAMES[game].seats[-1]}:
        curve = replace(TWO, high_contrast=high_contrast) if seats <= 2 else SIX
        chances = tuple((place, (1 / seats,) * seats) for place in (0, 20, 40))
        colours = tuple(map(view(game, seats).colours_of, range(seats)))
        curve = replace(curve, points=chances, names=NAMES[:seats], colours=colours)
        shown = scene(seats, high_contrast=high_contrast)
        for result in (card(seats), card(seats, curve)):
            assert_fits(picture(result, shown, game))


def test_equal_cards_give_the_same_small_file_with_clear_corners() -> None:
    values = ("bouncers", view("bouncers", 2), scene(2), card(2, TWO))
    drawn = draw_result_card(*values)
    assert drawn == draw_result_card(*values)
    assert len(drawn) < 100_000
    assert_clear_corners(drawn)


def test_without_a_review_it_is_the_same_card_without_its_lower_part_and_the_figures() -> None:
    whole, short = picture(card(2, TWO, accuracies=()), scene(2)), picture(card(2), scene(2))
    assert whole.height - short.height > 200
    inner = (20, 20, theme.WIDTH - 20, short.height - 40)
    assert whole.crop(inner).tobytes() == short.crop(inner).tobytes()


def test_each_part_is_drawn_in_its_place() -> None:
    result, shown = card(2, TWO), scene(2)
    usual = picture(result, shown)
    title = change(usual, picture(replace(result, title="BOUNCE #7"), shown))
    assert title[3] < 70
    draw = change(usual, picture(result, scene(2, winners=())))
    assert draw[1] < 158 < draw[3], "the words, and the gold of the winner's row"
    assert change(usual, picture(replace(result, accuracies=("11%", "89%")), shown))[0] > 800
    words = change(usual, picture(replace(result, turned="The game turned at move 99."), shown))
    assert 600 < words[1] < words[3] < 720
    assert result.curve is not None
    moved = change(usual, picture(replace(result, curve=replace(result.curve, turns=(TurningPoint(30, 0, 1),))), shown))
    assert moved[1] > 650
    assert change(usual, picture(replace(result, curve=replace(result.curve, turns=())), shown))[1] > 600


def test_the_winners_stand_first_and_on_gold() -> None:
    gold = theme.palette(high_contrast=False).gold
    for winner in (0, 1):
        image = picture(card(2), scene(2, winners=(winner,), names=("Ann", "Ben")))
        rows = image.crop((540, 170, 1000, image.height - 20))
        where = [y for y in range(rows.height) if pixel(rows, (rows.width // 2 + 100, y))[:3] == gold]
        assert where
        assert max(where) < rows.height / 2


def test_a_computer_has_its_mark_beside_its_score() -> None:
    where = change(picture(card(2), scene(2)), picture(card(2), scene(2, computers=(0,))))
    assert where[0] > 540
    assert where[2] < 800


def test_long_names_stay_clear_of_the_accuracy_and_words_of_any_length_of_the_edge() -> None:
    result = card(2, TWO)
    for seat in (0, 1):
        names = ("." if seat else "W" * 100, "W" * 100 if seat else ".")
        where = change(*(picture(result, scene(2, names=who, winners=())) for who in (names, (".", "."))))
        assert where[0] > 540
        assert where[2] < 880
    turns = (picture(replace(result, turned=word * 500), scene(2)).crop((0, 640, 1024, 730)) for word in ("W ", ". "))
    assert change(*turns)[2] <= 1000


def test_an_invisible_name_is_that_of_its_seat() -> None:
    one, other = (picture(card(2), scene(2, names=(name, "Ben"))) for name in ("\u200b", "Red"))
    assert one.tobytes() == other.tobytes()
