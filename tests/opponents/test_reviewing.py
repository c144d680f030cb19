"""What the figures of a review mean, and what is asked for it."""

import pytest

from engines import GAMES
from engines.chance import UNSEEDED, Fair
from engines.game import legal_actions
from engines.text import seat_name
from opponents.reviewing import Slip, accuracy_of, advise, assess, judge, luck_of, only_way, slip_of
from tests.bot.scripted import scripted

SEED = bytes(range(32))


@pytest.mark.parametrize(
    ("lost", "slip"),
    [
        (0.0, None),
        (0.0499, None),
        (0.05, Slip.INACCURACY),
        (0.0999, Slip.INACCURACY),
        (0.6 - 0.5, Slip.MISTAKE),
        (0.1999, Slip.MISTAKE),
        (0.2, Slip.BLUNDER),
        (1.0, Slip.BLUNDER),
    ],
)
def test_five_ten_and_twenty_points_are_an_inaccuracy_a_mistake_and_a_blunder(lost: float, slip: Slip | None) -> None:
    assert slip_of(lost) is slip


def test_whoever_gives_nothing_away_is_accurate_and_whoever_gives_more_away_is_less_so() -> None:
    assert accuracy_of(0.0) == pytest.approx(1.0, abs=1e-4)
    steps = [accuracy_of(lost / 20) for lost in range(21)]
    assert steps == sorted(steps, reverse=True)
    assert 0.0 <= steps[-1] < 0.01
    assert accuracy_of(0.1) == pytest.approx(0.636, abs=0.001), "as lichess counts it"


def test_luck_is_what_a_draw_changed_whatever_was_chosen() -> None:
    assert luck_of(0.5, 0.5, 0.0) == 0.0
    assert luck_of(0.5, 0.7, 0.0) == pytest.approx(0.2), "a good choice, and a good draw"
    assert luck_of(0.5, 0.4, 0.1) == pytest.approx(0.0), "a bad choice, and nothing else"
    assert luck_of(0.5, 0.5, 0.1) == pytest.approx(0.1), "a bad choice, and a draw that made up for it"
    assert luck_of(0.5, 0.1, 0.1) == pytest.approx(-0.3)


def test_where_there_is_one_legal_action_there_is_nothing_to_choose() -> None:
    game = GAMES["trampoline"]
    state = game.start(1, None, Fair(SEED))
    assert only_way(game, state, 0) == (len(list(legal_actions(game, state, 0))) == 1)
    bouncers = GAMES["bouncers"]
    assert not only_way(bouncers, bouncers.start(2), 0)
    assert not only_way(bouncers, bouncers.start(2), 1), "who may not act has no choice either"


def test_a_review_thinks_its_share_about_each_thing_and_never_learns_the_stream_of_the_game() -> None:
    game = GAMES["bunny"]
    state = game.start(2, None, Fair(SEED))
    (seat,) = game.to_act(state)
    action = next(iter(legal_actions(game, state, seat)))
    with scripted("bunny") as told:
        assert assess("bunny", game.rules, state, (), "a") == (0.5, 0.5)
        assert judge("bunny", game.rules, state, seat, action, (), "a").lost == 0.0
        assert advise("bunny", game.rules, state, seat, (), "a").reason == f"{seat_name(seat)} likes it."
    assert [(asked.what, asked.nodes) for asked in told.asked] == [("assess", 8), ("judge", 16), ("choose", 8)]
    assert all(asked.chance == UNSEEDED != state.chance for asked in told.asked)
