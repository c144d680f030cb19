"""Hands are hidden: they are dealt again without a trace, and what happens by itself depends on none of their cards."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chance import Fair
from engines.game import Action, is_reversible, passive_action
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.pucks.play.moves import can_move_a_piece
from engines.values import replace
from tests.engines.pucks.drawing import PUCKS, drawn, play
from tests.engines.pucks.random_games import KINDS, begun, chosen, shows_a_card

DEALT = 600
"""How often a small deal is dealt again to see how often each hand comes up."""


def deals(state: State, seat: int | None) -> list[State]:
    """The state dealt again many times, as a seat or a spectator may see it."""
    return [PUCKS.resample(state, seat, Fair(bytes(32), 1000 * number)) for number in range(DEALT)]


def small(*hands: list[str], **keys: Any) -> State:
    usual: dict[str, Any] = {"seats": 3, "hands": [list(hand) for hand in hands], "action_rule": 2}
    pieces = {"red p4": "a14", "blue m1": "b6", "green m1": "b11"}
    return drawn("", ["Gs B"], **{**usual, "pieces": pieces, **keys})


def waiting(*hands: list[str], **keys: Any) -> State:
    """The same when Red has just scored the last puck."""
    return play(small(*hands, scored=["red p1", "red p2", "red p3"], **keys), "p4 up")


def assert_even(counted: Counter[Any], ways: int) -> None:
    """Every one of so many ways has come up, none of them much more often than another."""
    assert len(counted) == ways
    usual = DEALT / ways
    assert all(abs(count - usual) < 5 * usual**0.5 for count in counted.values()), counted


STATES = {
    "in a turn": lambda: small(["take-2"], ["mix"], ["swap"], draw_pile=["whistle"]),
    "when no action is left": lambda: small(["take-2"], ["mix"], ["swap"], draw_pile=["whistle"], taken=2),
    "before the draw": lambda: small(["take-2"], ["mix"], ["swap"], draw_pile=["whistle"], phase="draw"),
    "while a win waits": lambda: waiting(["take-2"], ["whistle"], ["swap"], draw_pile=["mix"]),
    "while a win waits for nobody who could whistle": lambda: waiting(["take-2"], ["mix"], ["swap"], draw_pile=["whistle"]),
    "when one has passed": lambda: play(waiting(["take-2"], ["whistle"], ["swap"], draw_pile=["mix"]), "blue: pass"),
    "when the game is over": lambda: play(
        waiting(["take-2"], ["mix"], ["swap"], draw_pile=["whistle"]), "blue: pass", "green: pass"
    ),
    "when one has left": lambda: PUCKS.withdraw(small(["take-2"], ["mix"], ["swap"], draw_pile=["whistle"]), 1).state,
    "when one has left and a win waits": lambda: (
        PUCKS.withdraw(waiting(["take-2"], ["mix"], ["whistle"], draw_pile=["swap"]), 1).state
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_all_cards_that_a_seat_does_not_see_are_as_likely_here_as_there(name, seat):
    state = STATES[name]()
    found = deals(state, seat)
    assert_even(Counter((*other.hands, other.draw_pile) for other in found), 24 if seat is None else 6)
    for other in found[:20]:
        assert replace(other, hands=state.hands, draw_pile=state.draw_pile) == state
        assert seat is None or other.hands[seat] == state.hands[seat]
        assert PUCKS.view(other, seat) == PUCKS.view(state, seat)
        assert PUCKS.from_position(PUCKS.position(other)) == other


def test_the_hand_of_a_player_who_left_mats_apart_holds_either_repair_equally_often():
    state = drawn("", ["B B B"], seats=3, pieces={"red p1": "a1"}, hands=[["shift", "mix"], ["shift"], ["swap"]], action_rule=2)
    broken = play(state, "play shift b north-of a")
    assert_even(Counter(other.hands for other in deals(broken, None)), 4)
    assert {hand for other in deals(broken, 1) for hand in other.hands[:1]} == {("mix",)}, "the other one is Blue’s own"


def test_a_card_that_everybody_saw_being_taken_is_known_only_until_one_like_it_has_been_played():
    state = small(["salvage", "quick-draw"], ["mix"], ["swap"], discard=["quick-draw"], draw_pile=["shift", "twist", "slush"])
    taken = play(state, "play salvage quick-draw")
    assert all("quick-draw" in other.hands[0] for other in deals(taken, 1))
    used = play(taken, "red: play quick-draw")
    assert {"quick-draw" in other.hands[0] for other in deals(used, 1)} == {True, False}
    left = PUCKS.withdraw(taken, 0).state
    assert all("quick-draw" in other.hands[0] for other in deals(left, 1)), "it is in no pile, as everybody knows"


def all_that_is_seen(state: State) -> tuple[Any, ...]:
    """What a spectator can see of a state, and what everybody is offered alike."""
    view = PUCKS.view(state)
    return view, PUCKS.to_act(state), PUCKS.outcome(state), PUCKS.shortcuts(view), PUCKS.describe(view)


def assert_alike(one: State, other: State) -> None:
    """Two states that differ only in hidden cards look the same, and the same is done for whoever is away."""
    assert all_that_is_seen(one) == all_that_is_seen(other)
    assert PUCKS.from_position(PUCKS.position(other)) == other, "nothing more happens by itself"
    for seat in PUCKS.to_act(one):
        if one.phase is Phase.DISCARD or (one.phase is Phase.ACT and not one.winning and not can_move_a_piece(one)
                                          and one.taken < one.allowed):  # fmt: skip
            continue  # the rules force a card, if one can be played
        for number in range(3):
            here, there = (passive_action(PUCKS, state, seat, random.Random(number)) for state in (one, other))
            assert here == there
            assert not shows_a_card(here)


def assert_same_step(one: State, other: State, seat: int, action: Action) -> tuple[State, State]:
    """An action does the same to both as far as others can see. Return what it leads to."""
    assert PUCKS.closing(one, seat, action) == PUCKS.closing(other, seat, action)
    here, there = (PUCKS.play(state, seat, action) for state in (one, other))
    told = [[event for event in step.events if event.known_to(None)] for step in (here, there)]
    assert told[0] == told[1]
    assert is_reversible(PUCKS, one, action, here) == is_reversible(PUCKS, other, action, there)
    assert all_that_is_seen(here.state) == all_that_is_seen(there.state)
    return here.state, there.state


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.sampled_from(KINDS), st.integers(0, 10**9))
def test_what_happens_by_itself_is_the_same_whichever_cards_others_hold_until_one_is_shown(seats, kind, seed):
    dice = random.Random(seed)
    state = begun(kind, seats, dice)
    other = PUCKS.resample(state, None, Fair(dice.randbytes(32)))
    for _ in range(90):
        if PUCKS.outcome(state) is not None:
            return
        assert_alike(state, other)
        if dice.random() < 0.01 and len(state.live) > 2:
            seat = dice.choice(state.live)
            state, other = PUCKS.withdraw(state, seat).state, PUCKS.withdraw(other, seat).state
            continue
        seat = dice.choice(PUCKS.may_act(state) if dice.random() < (0.4 if state.whole else 0.8) else PUCKS.to_act(state))
        action = chosen(kind, state, seat, dice)
        if shows_a_card(action) or not PUCKS.is_whole(other, seat, action):
            # Whoever plays a card knows the own hand: the others cannot tell apart what follows whatever they hold.
            other = PUCKS.resample(state, seat, Fair(dice.randbytes(32)))
            state, _ = assert_same_step(state, other, seat, action)
            other = PUCKS.resample(state, None, Fair(dice.randbytes(32)))
        else:
            state, other = assert_same_step(state, other, seat, action)
