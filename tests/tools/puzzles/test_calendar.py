"""The calendar is laid so that no board comes twice, the games take turns, and each week gets harder."""

from collections import Counter
from itertools import chain, combinations, groupby, pairwise

import pytest

from opponents.puzzles.collection import packaged
from opponents.puzzles.days import PRACTICE_EVERY, WEEK, read_days
from opponents.puzzles.puzzle import Puzzle
from tests.opponents.puzzles.test_days import WERE, some
from tools.puzzles.calendar import days_text, extended
from tools.puzzles.mining import MINERS

MOST_IN_A_ROW = 5
"""The most days in a row with the same game."""


def test_days_are_rows_of_text_and_back() -> None:
    days = ("bouncers-1", None, "pucks-2")
    assert days_text(days) == "bouncers-1\n-\npucks-2\n"
    assert read_days(days_text(days)) == days


def test_no_day_comes_twice_and_none_changes_when_there_are_more_puzzles() -> None:
    few, more = some("bouncers", 60), [*some("bouncers", 200), *some("pucks", 40), *some("bunny", 15)]
    days = extended((), few, 1)
    longer = extended(days, more, 90)
    assert longer[: len(days)] == days
    assert longer[len(days) : 89] == [None] * (89 - len(days)), "they have passed without a puzzle"
    assert None not in longer[89:]
    names = [name for name in longer if name is not None]
    assert len(set(names)) == len(names)
    assert set(names) == {puzzle.name for puzzle in more if puzzle.number % PRACTICE_EVERY}
    assert extended(longer, more, 90) == longer
    assert extended([], [], 1) == []


def test_a_week_mixes_the_games_and_gets_harder_from_monday_to_sunday() -> None:
    puzzles = {puzzle.name: puzzle for game in ("bouncers", "pucks", "bunny") for puzzle in some(game, 60)}
    days = [puzzles[name] for name in extended((), puzzles.values(), 1) if name is not None]
    assert len(days) == 3 * 48
    for begin in range(0, len(days), WEEK):
        week = days[begin : begin + WEEK]
        assert {puzzle.game for puzzle in week} == {"bouncers", "pucks", "bunny"}
        assert_rising(week)


def assert_rising(week: list[Puzzle]) -> None:
    for game in {puzzle.game for puzzle in week}:
        hard = [puzzle.difficulty for puzzle in week if puzzle.game == game]
        assert all(one <= other for one, other in pairwise(hard))


def test_some_puzzles_of_the_most_frequent_games_wait() -> None:
    many = [*some("pucks", 100), *some("bunny", 10)]
    days = extended((), many, 1, 40)
    assert len(days) == 40
    assert sum(name is not None and name.startswith("bunny") for name in days) == 8


@pytest.mark.slow
def test_no_day_stands_on_the_board_of_another_mirrored_or_recoloured() -> None:
    whole = packaged()
    puzzles = [whole.puzzles[name] for name in whole.calendar.names if name is not None]
    assert len({puzzle.name for puzzle in puzzles}) == len(puzzles)
    for game, miner in MINERS.items():
        own = [puzzle for puzzle in puzzles if puzzle.game == game]
        marks = Counter(chain.from_iterable(map(miner.marks, own)))
        assert not [mark for mark, count in marks.items() if count > 1], game
        assert not [(one.name, other.name) for one, other in combinations(own, 2) if miner.same_board(one, other)]


def test_the_games_take_turns_all_year_and_each_week_gets_harder() -> None:
    whole = packaged()
    puzzles = [whole.puzzles[name] for name in whole.calendar.names[len(WERE) :] if name is not None]
    for begin in range(0, len(puzzles), WEEK):
        week = puzzles[begin : begin + WEEK]
        assert len({puzzle.game for puzzle in week}) >= 2
        assert_rising(week)
    for game in MINERS:
        places = [place for place, puzzle in enumerate(puzzles) if puzzle.game == game]
        assert max(later - place for place, later in pairwise(places)) <= 2 * WEEK, f"{game} is never away for two weeks"
    assert max(len(list(run)) for _, run in groupby(puzzle.game for puzzle in puzzles)) <= MOST_IN_A_ROW


def test_fields_of_one_deal_are_one_board_and_fields_of_two_deals_are_not() -> None:
    """Nine puzzles stood on one field, on which other cards lay face down, or two had been swapped."""
    miner, puzzles = MINERS["bunny"], packaged().puzzles
    of_one_deal = [puzzles[f"bunny-{number}"] for number in (4, 11, 23, 24, 27, 28, 30, 31, 33)]
    assert all(miner.same_board(one, other) for one, other in combinations(of_one_deal, 2))
    assert not any(miner.same_board(of_one_deal[0], puzzles[f"bunny-{number}"]) for number in (1, 5, 8, 9))
