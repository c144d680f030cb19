"""What people are told about how long a game takes is what games of computers take."""

import pytest

from benchmarks.lengths import courses, main, named, terms_of, told
from bot.features.computers.messages import OWN_TURNS
from engines import GAMES


@pytest.mark.slow
@pytest.mark.parametrize("game_id", OWN_TURNS)
def test_people_are_told_how_long_games_are(game_id: str) -> None:
    assert told(game_id) == OWN_TURNS[game_id]


def test_people_are_told_so_of_every_game() -> None:
    assert set(OWN_TURNS) == set(GAMES)


def test_each_roll_is_a_turn_also_when_the_other_player_is_out() -> None:
    for course in courses(terms_of("trampoline", "standard"), "easy", 6):
        assert 1 <= course.own <= 40
        assert course.back == 0


def test_a_turn_of_several_actions_is_one() -> None:
    for course in courses(terms_of("pucks", "standard"), "easy", 2):
        assert course.own < course.actions


def test_a_table_of_a_variant(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(named(["pucks"])) == [("pucks", "standard"), ("pucks", "old-school")]
    assert main(["bouncers/8x8-12", "--games", "2"]) == 0
    rows = [line.split("|")[1:4] for line in capsys.readouterr().out.splitlines()[2:]]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["bouncers/8x8-12", person, games] for person, games in zip(["newcomer", "easy", "medium", "all"], "2226", strict=True)
    ]
