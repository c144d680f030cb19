"""The opponent that plays any game by random games."""

from random import Random

import pytest

from engines import GAMES
from engines.chance import Fair
from engines.game import check
from engines.values import replace
from opponents import Budget, Level
from opponents.contract import PACES
from opponents.playouts import Playouts, playout, random_action
from tests.marks import quick_first
from tests.opponents.bouncers.test_opponent import ONE_LEFT
from tests.opponents.test_every_opponent import Forbidden

LITTLE = Budget(6)
every_game = pytest.mark.parametrize("game_id", GAMES)


def player(game_id: str, level: Level = Level.EASY) -> Playouts:
    return Playouts(GAMES[game_id], level)


@pytest.mark.parametrize("game_id", quick_first(1, GAMES))
def test_it_chooses_a_legal_action_of_any_game_the_same_for_the_same_stream(game_id):
    game = GAMES[game_id]
    state = game.start(max(2, game.seats[0]), None, Fair(bytes(32)))
    for _ in range(2):
        (seat, *_) = game.to_act(state)
        thought = player(game_id).choose(state, seat, LITTLE, stream="a")
        check(game, state, seat, thought.action)
        assert 0 <= thought.chance_to_win <= 1
        assert player(game_id).choose(state, seat, LITTLE, stream="a") == thought
        state = game.play(state, seat, thought.action).state


@every_game
def test_everybody_has_a_chance_and_together_they_are_one(game_id):
    game = GAMES[game_id]
    state = game.start(2, None, Fair(bytes(32)))
    together = sum(player(game_id).assess(state, LITTLE, stream="a"))
    assert together == pytest.approx(1) or (game_id == "trampoline" and together < 1), "where all may throw up"
    assert sum(playout(game, state, Random(1))) <= 1


@every_game
def test_it_draws_nothing_from_the_dice_of_the_true_game(game_id):
    game = GAMES[game_id]
    state = replace(game.start(2, None, Fair(bytes(32))), chance=Forbidden())
    (seat, *_) = game.to_act(state)
    check(game, state, seat, player(game_id).choose(state, seat, LITTLE).action)


def test_it_takes_a_win_that_is_at_hand():
    game = GAMES["bouncers"]
    thought = player("bouncers").choose(ONE_LEFT, 0, Budget(300), stream="a")
    assert thought.chance_to_win == 1
    outcome = game.outcome(game.advance(ONE_LEFT, 0, thought.action))
    assert outcome is not None
    assert outcome.winners == (0,)


def test_it_compares_an_action_with_the_best_one():
    game = GAMES["bouncers"]
    state = game.start(2)
    action = random_action(game, state, 0, Random(1))
    judgement = player("bouncers").judge(state, 0, action, LITTLE, stream="a")
    assert judgement.played.action == action
    assert judgement.best.chance_to_win >= judgement.played.chance_to_win
    assert player("bouncers").reason(state, 0, judgement.best)


def test_with_hidden_hands_it_answers_at_a_fixed_time():
    for game_id, game in GAMES.items():
        assert player(game_id, Level.EXPERT).pace == (PACES[Level.EXPERT] if game.secret else 0)
