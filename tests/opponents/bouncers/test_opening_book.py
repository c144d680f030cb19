"""The openings of Bouncers: games are counted by their positions, and each move with its player's results."""

from collections.abc import Sequence

import pytest

from engines import GAMES
from engines.bouncers.state import first_state
from engines.chance import UNSEEDED
from engines.game import Action
from opponents.bouncers.opening_book import (
    PLIES,
    Continuation,
    Openings,
    RecordedGame,
    games_of_computers,
    openings_of_computers,
    written,
)

BOUNCERS = GAMES["bouncers"]
VARIANT = "8x8-16"
B, ANSWER, C = ("b2", "b3"), ("b7", "b6"), ("c2", "c3")


def after(*actions: Action, variant: str = VARIANT):
    state = first_state(variant, UNSEEDED)
    for action in actions:
        state = BOUNCERS.advance(state, state.to_move, action)
    return state


def counted(*games: tuple[Sequence[Action], float]) -> Openings:
    return Openings(VARIANT, [RecordedGame(actions, share, number) for number, (actions, share) in enumerate(games, 1)])


def test_a_move_has_the_number_of_its_games_and_its_players_share_of_them():
    openings = counted(([B, ANSWER], 1.0), ([B, ANSWER], 0.5), ([B], 0.0), ([C], 1.0))
    assert openings.continuations(after()) == (Continuation(B, 3, 0.5), Continuation(C, 1, 1.0))
    assert openings.continuations(after(B)) == (Continuation(ANSWER, 2, 0.25),)
    assert openings.continuations(after(C)) == ()
    assert len(openings) == 6


def test_a_move_is_known_without_one_game_if_another_one_has_it():
    openings = counted(([B, ANSWER], 1.0), ([B], 0.0))
    assert openings.knows(after(), after(B), without=1)
    assert not openings.knows(after(B), after(B, ANSWER), without=1)
    assert openings.knows(after(B), after(B, ANSWER), without=2)
    assert not openings.knows(after(), after(C), without=0)


def test_the_same_position_is_one_whatever_led_to_it():
    last = ("c7", "c6")
    openings = counted(([B, ANSWER, C, last], 1.0), ([C, ANSWER, B, last], 0.0))
    assert openings.continuations(after(B, ANSWER, C)) == (Continuation(last, 2, 0.5),)
    assert openings.continuations(after(C, ANSWER, B)) == openings.continuations(after(B, ANSWER, C))


def test_two_paths_to_the_same_position_are_one_move_by_the_more_usual_path():
    rare, usual = ("b2", "a3", "b4"), ("b2", "c3", "b4")
    openings = counted(([rare], 1.0), ([usual], 0.0), ([usual], 0.5))
    assert openings.continuations(after()) == (Continuation(usual, 3, 0.5),)


def test_of_moves_as_frequent_the_better_one_comes_first():
    assert [one.action for one in counted(([B], 0.0), ([C], 1.0)).continuations(after())] == [C, B]


@pytest.mark.parametrize("rejected", [("b7", "b3"), ("b7",), (), ("zz", "9"), ("b3", "b4")])
def test_only_the_first_moves_count_and_what_the_rules_reject_ends_them(rejected):
    line = [B, ANSWER, C, ("c7", "c6"), ("d2", "d3"), ("d7", "d6"), ("e2", "e3")]
    openings = counted((line, 1.0), ([B, rejected, C], 1.0), ([B, rejected, C], 0.0), ([rejected], 1.0))
    assert openings.continuations(after(*line[:PLIES])) == ()
    assert openings.continuations(after(*line[: PLIES - 1])) == (Continuation(line[PLIES - 1], 1, 0.0),)
    assert openings.continuations(after(B)) == (Continuation(ANSWER, 1, 0.0),)
    assert [(one.action, one.games) for one in openings.continuations(after())] == [(B, 3)]


@pytest.mark.parametrize("variant", BOUNCERS.variants)
def test_each_variant_has_games_of_computers_which_its_rules_allow(variant):
    games = list(games_of_computers(variant))
    for game in games:
        assert len(game.actions) == PLIES
        assert game.share in {0.0, 0.5, 1.0}
        after(*game.actions, variant=variant)
    first = openings_of_computers(variant).continuations(after(variant=variant))
    assert sum(one.games for one in first) == len(games) >= 20
    assert len(first) >= 3
    assert len({tuple(game.actions) for game in games}) > len(games) / 2, "computers that all play the same are no book"


def test_a_game_is_read_as_it_was_written(tmp_path, monkeypatch):
    actions = ((("b2", "b3", "b4")), ANSWER, C, ("c7", "c6"), ("d2", "d3"), ("d7", "d6"))
    file = tmp_path / "opening_book.txt"
    file.write_text(written(VARIANT, RecordedGame([*actions, B], 0.5)) + "\n", encoding="utf-8")
    monkeypatch.setattr("opponents.bouncers.opening_book.FILE", file)
    assert list(games_of_computers(VARIANT)) == [RecordedGame(actions, 0.5)]
    assert list(games_of_computers("8x8-12")) == []
