"""In no game does anybody learn what they may not know."""

import random
from typing import Any

import pytest

from engines.chance import Fair
from engines.game import (
    Action,
    Buttons,
    Game,
    IllegalAction,
    Words,
    action_words,
    check,
    foresee,
    hand_of,
    is_reversible,
    is_whole,
    open_view,
    part_of,
    resample,
)
from tests.engines.contract_games import CASES, OTHER_SEED, Case, every_case, every_game, everybody, played, random_action


@every_case
def test_nobody_can_tell_apart_two_states_that_differ_in_what_they_cannot_know(case):
    game = case.game
    for number, state in enumerate(played(case).some_states(8)):
        for seat in everybody(case):
            other = resample(game, state, seat, Fair(OTHER_SEED, 1000 * number))
            view = game.view(state, seat)
            assert game.view(other, seat) == view
            assert game.describe(game.view(other, seat)) == game.describe(view)
            assert hand_of(game, game.view(other, seat)) == hand_of(game, view)
            assert part_of(game, Buttons).shortcuts(game.view(other)) == part_of(game, Buttons).shortcuts(game.view(state))
            assert (game.outcome(other), game.to_act(other)) == (game.outcome(state), game.to_act(state))
            for asked in game.to_act(state):
                assert question_to(game, other, asked) == question_to(game, state, asked)
            if seat is not None:
                assert_same_choices(game, state, other, seat, random.Random(number))


def question_to(game: Game[Any, Any], state: Any, seat: int) -> str:
    return str(part_of(game, Words).question(game.view(state), seat))


@every_case
def test_what_is_asked_of_a_seat_and_what_it_has_done_says_nothing_of_what_only_it_knows(case):
    """Whatever the seat holds, everybody reads the same question, and the same words for an action once it is played."""
    game = case.game
    for number, turn in enumerate(played(case).some_turns(30)):
        assert turn.action is not None
        words = action_words(game, turn.before, turn.seat, turn.action)
        for draw in range(3):
            other = resample(game, turn.before, None, Fair(OTHER_SEED, 1000 * number + 50 * draw))
            for asked in game.to_act(turn.before):
                assert question_to(game, other, asked) == question_to(game, turn.before, asked)
            if is_whole(game, other, turn.seat, turn.action):
                assert action_words(game, other, turn.seat, turn.action) == words


def assert_same_choices(game: Game[Any, Any], state: Any, other: Any, seat: int, dice: random.Random) -> None:
    """The same choices and questions along a random action, the same foresight, and the same words about a wrong one."""
    assert game.choices(other, seat) == game.choices(state, seat)
    action = random_action(game, state, seat, dice) if game.choices(state, seat) else ()
    for length in range(1, len(action) + 1):
        assert game.choices(other, seat, action[:length]) == game.choices(state, seat, action[:length])
        assert part_of(game, Words).prompt(other, seat, action[:length]) == part_of(game, Words).prompt(
            state, seat, action[:length]
        )
    if action:
        assert_same_foresight(game, state, other, seat, action)
    for wrong in ("?!", "a1", "up", "p1", "play"):
        for typed in {(*action[:-1], wrong), (*action, wrong)}:
            messages = {messages_about(game, each, seat, typed) for each in (state, other)}
            assert len(messages) == 1


def assert_same_foresight(game: Game[Any, Any], state: Any, other: Any, seat: int, action: Action) -> None:
    """What a seat is shown of an action before it plays it depends on what it knows alone, and comes about."""
    here, there = foresee(game, state, seat, action), foresee(game, other, seat, action)
    assert (here is None) == (there is None)
    if here is not None and there is not None:
        assert game.view(here.state, seat) == game.view(there.state, seat)
        assert [event for event in here.events if event.known_to(seat)] == [
            event for event in there.events if event.known_to(seat)
        ]
        played_out = game.play(state, seat, action)
        assert game.view(played_out.state, seat) == game.view(here.state, seat)


def messages_about(game: Game[Any, Any], state: Any, seat: int, action: Action) -> tuple[str, ...]:
    """What is said, also to somebody who types, about an action that cannot be played; nothing if it can."""
    try:
        check(game, state, seat, action)
    except IllegalAction as error:
        return error.message, error.typed_message
    return ()


@every_case
def test_what_may_be_played_with_an_action_says_nothing_about_hands(case):
    game = case.game
    for number, turn in enumerate(played(case).some_turns(30)):
        assert turn.action is not None
        offered = part_of(game, Buttons).closing(turn.before, turn.seat, turn.action)
        for draw in range(4):
            other = resample(game, turn.before, None, Fair(OTHER_SEED, 1000 * number + 50 * draw))
            if is_whole(game, other, turn.seat, turn.action):
                assert part_of(game, Buttons).closing(other, turn.seat, turn.action) == offered


@every_case
def test_the_rest_of_a_turn_says_nothing_about_hands(case):
    game, buttons = case.game, part_of(case.game, Buttons)
    for number, turn in enumerate(played(case).some_turns(30)):
        state = turn.step.state
        for draw in range(4):
            other = resample(game, state, None, Fair(OTHER_SEED, 1000 * number + 50 * draw))
            assert buttons.rest(other, turn.seat) == buttons.rest(state, turn.seat)
            assert turn.action is not None
            assert buttons.following(other, turn.seat, turn.action) == buttons.following(state, turn.seat, turn.action)


@every_game
def test_only_a_game_with_secrets_has_other_states_that_look_the_same(game):
    case = Case(game.id, game.variants[0], game.seats[-1])
    for seat in (None, 0):
        states = played(case).some_states(10)[:-1]
        others = [resample(game, state, seat, Fair(OTHER_SEED)) for state in states]
        assert (
            any(game.position(other) != game.position(state) for state, other in zip(states, others, strict=True))
            == game.secret
        )


@every_case
def test_what_is_told_to_one_is_not_told_to_all(case):
    for turn in played(case).turns:
        private = [event for event in turn.step.events if event.private_to is not None]
        assert case.game.secret or not private
        for event in private:
            for told in turn.step.events:
                if told.private_to != event.private_to:
                    assert told.text != event.text
                    assert told.detail is None or told.detail != event.detail


@every_case
def test_nothing_that_was_drawn_or_shown_to_one_alone_can_be_taken_back(case):
    game = case.game
    for turn in played(case).some_turns(40):
        assert turn.action is not None
        stream_before, stream_after = (game.position(state, secret=True)["chance"] for state in (turn.before, turn.step.state))
        chancy = stream_before != stream_after
        private = any(event.private_to is not None for event in turn.step.events)
        reversible = is_reversible(game, turn.before, turn.action, turn.step)
        if chancy or private:
            assert not reversible
        elif not game.secret:
            assert reversible


@every_case
def test_when_nothing_is_hidden_any_more_different_states_look_different(case):
    game = case.game
    for state in played(case).some_states(8):
        other = resample(game, state, None, Fair(OTHER_SEED))
        shown = open_view(game, state)
        assert (shown.seat, shown.seats, shown.to_act, shown.outcome) == (
            None, case.seats, game.to_act(state), game.outcome(state),
        )  # fmt: skip
        if not game.secret:
            assert shown == game.view(state)
        elif shown == open_view(game, other):
            assert game.position(other) == game.position(state)


@every_game
def test_only_a_game_with_secrets_has_something_to_remember(game):
    assert game.secret or not game.memory


@every_case
def test_only_a_game_with_secrets_shows_anybody_more_than_everybody(case):
    game = case.game
    hands = {hand_of(game, game.view(state, seat)) for state in played(case).some_states(8) for seat in everybody(case)}
    assert game.secret or hands == {None}
    for state in played(case).some_states(8):
        assert hand_of(game, game.view(state)) is None
        if not game.secret:
            assert {game.describe(game.view(state, seat)) for seat in everybody(case)} == {game.describe(game.view(state))}


@every_case
def test_an_action_that_showed_a_secret_cannot_be_taken_back(case):
    """An action tells others something if it is not possible in all the states that they cannot tell apart."""
    game = case.game
    if not game.secret:
        return
    for number, turn in enumerate(played(case).some_turns(30)):
        assert turn.action is not None
        for seat in everybody(case):
            others = (resample(game, turn.before, seat, Fair(OTHER_SEED, 1000 * number + 50 * n)) for n in range(6))
            if seat != turn.seat and not all(is_whole(game, other, turn.seat, turn.action) for other in others):
                assert not is_reversible(game, turn.before, turn.action, turn.step), turn.action


@pytest.mark.slow
@every_game
def test_in_a_game_with_secrets_somebody_has_something_that_only_they_know(game):
    cases = [case for case in CASES if case.game is game]
    hands = [
        hand_of(game, game.view(state, seat))
        for case in cases
        for state in played(case).some_states(30)
        for seat in range(case.seats)
    ]
    assert any(hand is not None for hand in hands) == game.secret
