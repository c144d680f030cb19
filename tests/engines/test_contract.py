"""Every registered game, in every variant and with every number of players, keeps the contract of `engines.game`."""

import random
import re

import pytest

from engines import GAMES
from engines.chance import Fair
from engines.game import hand_of, may_act, may_interrupt, resample
from engines.text import Text, seat_name
from tests.engines.contract_games import OTHER_SEED, Case, every_case, everybody, played, random_action, still_in
from tests.engines.playthrough import playthroughs


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_a_random_game_comes_to_an_end_with_a_result(case, leaving):
    end = played(case, leaving).end
    outcome = case.game.outcome(end)
    assert outcome is not None
    assert list(outcome.winners) == sorted(set(outcome.winners) & set(range(case.seats)))
    assert isinstance(outcome.reason, Text)
    assert outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "rules", "variant"), playthroughs())
def test_players_who_know_nothing_of_a_game_come_to_its_own_end_nevertheless(game_id, rules, variant):
    present = GAMES[game_id]
    case = Case(game_id, variant, max(2, present.seats[0]), rules=None if rules == present.rules else rules)
    game, state, dice = case.game, case.start(), random.Random(str(case))
    for _ in range(20_000):
        if game.outcome(state) is not None:
            break
        seat = dice.choice(game.to_act(state))
        state = game.play(state, seat, random_action(game, state, seat, dice)).state
    assert game.outcome(state) is not None


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_somebody_is_waited_for_exactly_until_the_game_is_over(case, leaving):
    game = case.game
    for state in played(case, leaving).states:
        to_act, able = game.to_act(state), may_act(game, state)
        assert (game.outcome(state) is None) == bool(to_act)
        assert len(set(to_act)) == len(to_act)
        assert set(to_act) <= set(able) <= set(range(case.seats))
        assert not set(able) & set(game.view(state).out)
        assert set(able) - set(to_act) <= set(may_interrupt(game, state)), "everybody knows who may act out of turn at most"
        assert not set(may_interrupt(game, state)) & {*to_act, *game.view(state).out}
        assert may_interrupt(game, resample(game, state, None, Fair(OTHER_SEED))) == may_interrupt(game, state)


@every_case
def test_those_may_act_who_have_a_choice(case):
    for state in played(case).some_states(12):
        with_choices = [seat for seat in range(case.seats) if case.game.choices(state, seat)]
        assert sorted(may_act(case.game, state)) == with_choices


@every_case
def test_anybody_may_leave_at_any_time_but_only_once(case):
    game = case.game
    for state in played(case).some_states(8)[:-1]:
        for seat in still_in(game, state):
            step = game.withdraw(state, seat)
            assert seat in game.view(step.state).out
            assert seat not in may_act(game, step.state)
            assert step.events
            assert any(event.known_to(None) for event in step.events)
            with pytest.raises(ValueError):
                game.withdraw(step.state, seat)


@every_case
def test_if_all_but_one_leave_the_last_one_wins(case):
    game, state = case.game, case.start()
    for seat in range(case.seats - 1):
        assert game.outcome(state) is None
        state = game.withdraw(state, seat).state
    outcome = game.outcome(state)
    if case.seats > 1:
        assert outcome is not None
        assert outcome.winners == (case.seats - 1,)
    else:
        assert outcome is None
        over = game.outcome(game.withdraw(state, 0).state)
        assert over is not None
        assert over.winners == ()


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_everything_that_is_said_can_be_translated(case, leaving):
    game, game_played = case.game, played(case, leaving)
    for turn in game_played.turns:
        assert turn.step.events
        for event in turn.step.events:
            assert isinstance(event.text, Text)
            assert event.text
            assert re.fullmatch(r"[a-z-]+", event.kind)
            assert event.seat in everybody(case)
            assert event.private_to in everybody(case)
            if event.phrase is not None:
                assert event.seat is not None
                assert isinstance(event.phrase, Text)
                assert event.text == f"{seat_name(event.seat)} {event.phrase}."
    for state in game_played.some_states(10):
        for seat in everybody(case):
            view = game.view(state, seat)
            assert isinstance(game.describe(view), Text)
            assert game.describe(view)
            assert hand_of(game, view) is None or isinstance(hand_of(game, view), Text)
            assert all(isinstance(score, Text) for score in view.scores)


@every_case
def test_a_view_says_whose_it_is_and_how_the_game_stands(case):
    game = case.game
    for state in played(case).some_states(15):
        for seat in everybody(case):
            view = game.view(state, seat)
            assert view == game.view(state, seat)
            assert (view.variant, view.seats, view.seat) == (case.variant, case.seats, seat)
            assert (view.to_act, view.outcome) == (game.to_act(state), game.outcome(state))
            assert len(view.scores) == case.seats
            assert (view.out, view.colours) == (game.view(state).out, game.view(state).colours)
            assert set(view.out) <= set(range(case.seats))
