"""The bracket of a knockout: everybody who still plays is there, and winners are told without colours."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from PIL import Image

from renderers import theme
from renderers.summaries.bracket import Bracket, BracketMatch, Stage, draw, paint, shown_stages
from tests.renderers.pixels import assert_clear_corners, assert_fits, change, changed, dark, pixel
from tests.renderers.tables import NAMES


def bracket(size: int, over: int = 0, name: str | None = None, **fields: Any) -> Bracket:
    """A bracket of so many players, in which the upper ones have won the rounds that are over."""
    places: list[str | None] = [NAMES[number % len(NAMES)] if name is None else name for number in range(size)]
    stages: list[Stage] = []
    while len(places) > 1:
        winner = 0 if len(stages) < over else None
        pairs = zip(places[::2], places[1::2], strict=True)
        matches = tuple(BracketMatch(pair, ("2", "½") if winner == 0 else ("", ""), winner) for pair in pairs)
        places = [match.names[0] if winner == 0 else None for match in matches]
        stages.append(Stage(f"1/{len(matches)}", matches))
    usual: dict[str, Any] = {
        "title": "Spring Cup", "subtitle": "Bouncers · knockout", "bye": "bye", "note": "8 are left", "nameless": "Somebody",
    }  # fmt: skip
    return Bracket(stages=tuple(stages), **(usual | fields))


def with_match(shown: Bracket, round_number: int, number: int, match: BracketMatch) -> Bracket:
    stage = shown.stages[round_number]
    matches = (*stage.matches[:number], match, *stage.matches[number + 1 :])
    stages = (*shown.stages[:round_number], replace(stage, matches=matches), *shown.stages[round_number + 1 :])
    return replace(shown, stages=stages)


def picture(shown: Bracket, *, high_contrast: bool = False) -> Image.Image:
    return paint(shown, theme.palette(high_contrast)).convert("RGB")


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64])
def test_every_bracket_fits_at_any_time(size: int) -> None:
    for over in range(size.bit_length()):
        for note in ("", "8 are left"):
            assert_fits(picture(bracket(size, over, note=note)))


@pytest.mark.parametrize("size", [4, 16, 32, 64])
def test_everybody_in_the_current_round_has_a_place_of_their_own(size: int) -> None:
    for over in range(size.bit_length() - 1):
        shown = bracket(size, over, name="Ann")
        usual = picture(shown)
        renamed = [
            with_match(shown, over, number, replace(match, names=names))
            for number, match in enumerate(shown.stages[over].matches)
            for names in (("Zoe", match.names[1]), (match.names[0], "Zoe"))
        ]
        where = [change(usual, picture(other)) for other in renamed]
        for one, other in combinations(where, 2):
            assert one[3] <= other[1] or one[2] <= other[0] or other[2] <= one[0]


def test_many_players_see_the_current_round_and_sixteen_or_fewer_the_way_to_the_final() -> None:
    assert [stage.title for stage in shown_stages(bracket(64))] == ["1/32"]
    assert [stage.title for stage in shown_stages(bracket(64, over=1))] == ["1/16"]
    for over in (2, 3, 6):
        assert [stage.title for stage in shown_stages(bracket(64, over))] == ["1/8", "1/4", "1/2", "1/1"]
    assert [stage.title for stage in shown_stages(bracket(4))] == ["1/2", "1/1"]


@pytest.mark.parametrize("size", [4, 16, 32, 64])
def test_a_long_name_stays_within_its_match_and_clear_of_the_score(size: int) -> None:
    shown = bracket(size, name=".")
    match = BracketMatch((".", "."), ("1½", "½"))
    long = replace(match, names=("W" * 200, "W" * 200))
    usual = with_match(shown, 0, 0, match)
    where = change(picture(usual), picture(with_match(shown, 0, 0, long)))
    score = change(picture(usual), picture(with_match(shown, 0, 0, replace(match, scores=("", "")))))
    assert where[2] <= score[0]


@pytest.mark.parametrize("high_contrast", [False, True])
def test_the_winner_of_a_match_is_told_by_a_shape(high_contrast: bool) -> None:
    shown = bracket(4, name=".")
    inks = []
    for winner in (None, 0, 1):
        ended = with_match(shown, 0, 0, BracketMatch((".", "."), winner=winner))
        inks.append(dark(picture(ended, high_contrast=high_contrast).crop((480, 200, 600, 380)), below=90))
    for one, other in combinations(inks, 2):
        assert changed(one, other) is not None


def test_the_winner_is_on_gold_and_the_final_has_a_cup_once_it_is_over() -> None:
    gold = theme.WARM.gold
    before, after = picture(bracket(4, 1)), picture(bracket(4, 2))
    assert gold not in {pixel(before, (x, 340)) for x in range(620, 990)}
    assert gold in {pixel(after, (x, 340)) for x in range(620, 990)}
    left, top, _, _ = change(before, after)
    assert left > 560
    assert top < 270


def test_the_opponent_of_somebody_with_a_bye_is_a_word_and_an_open_place_is_empty() -> None:
    shown = bracket(4, name="Ann")
    matches = (BracketMatch(("Ann", None)), BracketMatch(("Ann", None), winner=0), BracketMatch())
    empty, bye, open_match = (picture(with_match(shown, 0, 1, match)) for match in matches)
    other_word = picture(with_match(replace(shown, bye="Freilos"), 0, 1, BracketMatch(("Ann", None), winner=0)))
    assert changed(bye, other_word) is not None
    assert changed(empty, picture(with_match(replace(shown, bye="Freilos"), 0, 1, BracketMatch(("Ann", None))))) is None
    assert changed(empty, open_match) is not None


def test_an_invisible_name_is_replaced() -> None:
    shown = bracket(4)
    one, other = (with_match(shown, 0, 0, BracketMatch((name, "Ben"))) for name in ("\u200b", "Somebody"))
    assert draw(one) == draw(other)


@pytest.mark.parametrize("high_contrast", [False, True])
def test_the_same_bracket_gives_the_same_small_file(high_contrast: bool) -> None:
    for shown in (bracket(16, 4), bracket(32), bracket(64)):
        drawn = draw(shown, high_contrast=high_contrast)
        assert drawn == draw(shown, high_contrast=high_contrast)
        assert len(drawn) < 90_000


def test_the_corners_let_the_channel_show_through() -> None:
    assert_clear_corners(draw(bracket(4)))
