"""In every game states are values, and can be written as JSON and read back."""

import json
import sys
from dataclasses import FrozenInstanceError, fields, is_dataclass
from enum import Enum
from types import FunctionType

import pytest

from engines.chance import Fair
from tests.engines.contract_games import OTHER_SEED, every_case, every_game, everybody, played


def assert_immutable(value: object, where: str) -> None:
    """Fail for anything that could be changed from outside, however deep it lies."""
    if is_dataclass(value) and not isinstance(value, type):
        # Every dataclass has these parameters; the type stubs of the standard library leave them out.
        assert value.__dataclass_params__.frozen, f"{where} is a dataclass that is not frozen"  # type: ignore[attr-defined]
        for field in fields(value):
            assert_immutable(getattr(value, field.name), f"{where}.{field.name}")
    elif isinstance(value, tuple | frozenset):
        for number, item in enumerate(value):
            assert_immutable(item, f"{where}[{number}]")
    elif isinstance(value, FunctionType):
        # Words that are put together later: by a function of a module, which keeps nothing of its own.
        assert value.__closure__ is None, f"{where} is a function that keeps something"
        assert getattr(sys.modules[value.__module__], value.__name__) is value, f"{where} is not a function of a module"
    else:
        allowed = str | bytes | int | float | Enum | None
        assert isinstance(value, allowed), f"{where} is a {type(value).__name__}"


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_nothing_in_a_state_or_a_view_or_an_event_can_be_changed(case, leaving):
    game = case.game
    for state in played(case, leaving).some_states(10):
        assert_immutable(state, "state")
        hash(state)
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(state, fields(state)[0].name, None)
        for seat in everybody(case):
            assert_immutable(game.view(state, seat), "view")
    for turn in played(case, leaving).turns:
        assert_immutable(turn.step.events, "events")


@every_case
def test_playing_leaves_the_state_before_as_it_was(case):
    game = case.game
    for turn in played(case).some_turns(10):
        before = game.position(turn.before, secret=True)
        again = game.play(turn.before, turn.seat, turn.action)
        assert again == turn.step
        assert game.position(turn.before, secret=True) == before
        assert game.position(again.state, secret=True) == game.position(turn.step.state, secret=True)


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_the_seed_and_the_log_give_the_same_game_again(case, leaving):
    game, state = case.game, case.start()
    for turn in played(case, leaving).turns:
        step = game.withdraw(state, turn.seat) if turn.action is None else game.play(state, turn.seat, turn.action)
        assert step.events == turn.step.events
        state = step.state
    assert state == played(case, leaving).end
    assert game.position(state, secret=True) == game.position(played(case, leaving).end, secret=True)


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_a_position_that_is_written_is_read_back_as_the_same_state(case, leaving):
    game = case.game
    for state in played(case, leaving).some_states(25):
        written = json.loads(json.dumps(game.position(state)))
        assert "chance" not in written
        assert game.from_position(written) == state
        assert game.position(game.from_position(written)) == written


@every_case
def test_a_secret_position_carries_the_stream_on(case):
    game = case.game
    for turn in played(case).some_turns(12):
        written = json.loads(json.dumps(game.position(turn.before, secret=True)))
        read = game.from_position(written)
        assert game.position(read, secret=True) == written
        after = game.play(read, turn.seat, turn.action)
        assert after.events == turn.step.events
        assert game.position(after.state, secret=True) == game.position(turn.step.state, secret=True)


@every_case
def test_a_position_can_be_given_another_stream(case):
    game, stream = case.game, Fair(OTHER_SEED, 3)
    read = game.from_position(game.position(case.start(), secret=True), stream)
    assert game.position(read, secret=True)["chance"] == stream.to_json()


@every_game
@pytest.mark.parametrize("nonsense", [{}, {"variant": 7}, {"to_move": "me"}, {"variant": "no-such-variant", "to_move": 0}])
def test_what_is_no_position_is_refused(game, nonsense):
    with pytest.raises(ValueError) as caught:
        game.from_position(nonsense)
    assert str(caught.value)
