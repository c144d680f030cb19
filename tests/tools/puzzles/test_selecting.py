"""The puzzles that were chosen have the shares that were aimed at."""

from statistics import fmean

import pytest

from opponents.puzzles.collection import GAMES
from tests.opponents.puzzles.test_puzzles import STAY, names
from tools.puzzles.mining import MINERS, solved
from tools.puzzles.selecting import AIMS


def test_each_level_solves_its_share_of_the_puzzles_of_each_game() -> None:
    assert solved().keys() == set(names(STAY))
    for game in GAMES:
        own = [solved()[puzzle.name] for puzzle in STAY if puzzle.game == game]
        for level, (least, most) in AIMS.items():
            assert least <= fmean(shares[level] for shares in own) <= most, (game, level)


@pytest.mark.proof
def test_the_shares_that_are_written_down_are_those_of_the_levels() -> None:
    for puzzle in STAY:
        shares = MINERS[puzzle.game].shares(puzzle)
        assert {level: round(100 * share) for level, share in shares.items()} == {
            level: round(100 * share) for level, share in solved()[puzzle.name].items()
        }, puzzle.name
