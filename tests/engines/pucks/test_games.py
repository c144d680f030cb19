"""Whole games: what holds in each of their states, however badly people play, and that they come to an end."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chance import Fair
from engines.game import Action
from engines.pucks.board.motion import BESIDE, SCORED
from engines.pucks.board.pieces import COLOURS, PieceKind
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from tests.engines.pucks.drawing import DECK, PUCKS, SMALL, all_cards, drawn, play

pytestmark = pytest.mark.slow

PIECES = {"standard": {"meeple": 2, "ice": 2, "puck": 4}, "old-school": {"ice": 2, "puck": 2}}


def random_action(state: State, seat: int, dice: random.Random, keen: bool = False) -> Action:
    """An action found by walking the choices; a keen player takes a goal where there is one, and plays fewer cards."""
    if keen and (goal := scoring(state, seat)) is not None:
        return goal
    action: Action = ()
    while True:
        offered = PUCKS.choices(state, seat, action)
        choice = dice.choice(offered)
        if keen and not action and choice.token == "play" and len(offered) > 1 and dice.random() < 0.6:
            continue
        action = (*action, choice.token)
        if choice.final:
            return action


def scoring(state: State, seat: int) -> Action | None:
    """A move of one of the seat's own pucks into a goal."""
    if seat != state.to_move or state.phase is not Phase.ACT or state.winning:
        return None
    for piece in own_pucks(state, seat):
        for way in PUCKS.choices(state, seat, piece):
            step = PUCKS.play(state, seat, (*piece, way.token))
            if any(event.kind == "score" for event in step.events):
                return (*piece, way.token)
    return None


def own_pucks(state: State, seat: int) -> list[Action]:
    """The seat's own pucks that can be moved, as they are named in actions."""
    colours = [(COLOURS[colour],) for colour in state.owners.colours_of(seat)] if state.colours > 1 else [()]
    found = [(*colour, choice.token) for colour in colours for choice in PUCKS.choices(state, seat, colour)]
    return [piece for piece in found if piece[-1] in {"p1", "p2", "p3", "p4"}]


def assert_nothing_is_lost(state: State) -> None:
    """Every piece is somewhere, once; so is every card; and mats hang together where they must."""
    counted = Counter((piece.colour, piece.kind.value) for piece in state.pieces)
    colours = range(state.owners.colours)
    assert counted == {(colour, kind): n for colour in colours for kind, n in PIECES[state.variant].items()}
    standing = [space for space in state.table.places if space >= 0]
    assert len(set(standing)) == len(standing)
    marks = state.grid().marks
    for piece, space in zip(state.pieces, state.table.places, strict=True):
        assert space != BESIDE or state.phase is Phase.PLACE or state.owners.of(piece.colour) in state.out
        assert space != SCORED or piece.kind is PieceKind.PUCK
        if space >= 0:
            assert marks[space] != "~"
            assert marks[space] != "G" or piece.kind is not PieceKind.PUCK
    assert all_cards(state) == (DECK if state.variant == "standard" else {})
    assert len({mat.at for mat in state.table.mats}) == len(state.table.mats)
    assert state.whole or state.phase is Phase.ACT
    assert state.whole == (state.table.settled is None)


def assert_nobody_sees_more_than_they_may(state: State, dice: random.Random) -> None:
    """With the other hands and the draw pile dealt anew, a seat sees the same, is offered the same and is told the same."""
    for seat in (None, *range(state.seats)):
        other = PUCKS.resample(state, seat, Fair(dice.randbytes(32)))
        assert_nothing_is_lost(other)
        assert PUCKS.view(other, seat) == PUCKS.view(state, seat)
        assert PUCKS.from_position(PUCKS.position(other)) == other, "somebody is waited for in the same way"
        if seat is None:
            continue
        assert other.hands[seat] == state.hands[seat]
        action: Action = ()
        while offered := PUCKS.choices(state, seat, action):
            assert PUCKS.choices(other, seat, action) == offered
            action = (*action, dice.choice(offered).token)
        assert PUCKS.choices(other, seat, action) == []


def random_states(seats: int, variant: str, seed: int, turns: int, **options: str):
    """The states of a game that is played at random, with cards out of turn and players who leave now and then."""
    dice = random.Random(seed)
    state = PUCKS.start(seats, variant, Fair(dice.randbytes(32)), setup=dice.choice(["draft", "random", "random"]), **options)
    yield state, dice
    for _ in range(turns):
        if PUCKS.outcome(state) is not None:
            return
        if dice.random() < 0.003 and len(state.live) > 2:
            state = PUCKS.withdraw(state, dice.choice(state.live)).state
        else:
            seat = dice.choice(PUCKS.may_act(state) if dice.random() < 0.2 else PUCKS.to_act(state))
            state = PUCKS.play(state, seat, random_action(state, seat, dice)).state
        yield state, dice


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.sampled_from(["standard", "standard", "old-school"]), st.integers(0, 10**9))
def test_no_piece_and_no_card_is_ever_lost_or_doubled_and_layouts_are_legal_between_turns(seats, variant, seed):
    for state, _ in random_states(seats, variant, seed, 150):
        assert_nothing_is_lost(state)


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**9))
def test_hands_are_never_seen_by_others(seats, seed):
    for number, (state, dice) in enumerate(random_states(seats, "standard", seed, 120)):
        if number % 8 == 0 or not state.whole or state.winning:
            assert_nobody_sees_more_than_they_may(state, dice)


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 6), st.sampled_from(["standard", "old-school"]), st.integers(0, 10**9))
def test_every_position_is_read_back_as_it_was(seats, variant, seed):
    for number, (state, _) in enumerate(random_states(seats, variant, seed, 100)):
        if number % 5 == 0 or not state.whole:
            assert PUCKS.from_position(PUCKS.position(state)) == state


@pytest.mark.parametrize("variant", ["standard", "old-school"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_a_random_game_comes_to_an_end_and_somebody_wins(seats, variant):
    dice = random.Random(seats)
    state = PUCKS.start(seats, variant, Fair(dice.randbytes(32)), setup="random")
    for _ in range(12_000):
        if PUCKS.outcome(state) is not None:
            break
        seat = dice.choice(PUCKS.may_act(state) if dice.random() < 0.1 else PUCKS.to_act(state))
        state = PUCKS.play(state, seat, random_action(state, seat, dice, keen=True)).state
    assert_nothing_is_lost(state)
    outcome = PUCKS.outcome(state)
    assert outcome is not None
    (winner,) = outcome.winners
    assert PUCKS.view(state).scores[winner] == {"standard": "4 of 4", "old-school": "2 of 2"}[variant]


@pytest.mark.parametrize("hands", [[["whistle"], ["swap"]], [["swap"], ["whistle"]], [["whistle"], ["whistle"]]])
def test_a_waiting_win_dealt_anew_still_waits_for_the_same_players(hands):
    state = drawn("", ["Gs B"], seats=3, pieces={"red p4": "a14", "blue m1": "b6"}, hands=[["take-2"], *hands],
                  draw_pile=["mix", "twist"], scored=["red p1", "red p2", "red p3"])  # fmt: skip
    waiting = play(state, "p4 up")
    for number in range(20):
        for seat in (None, 0, 1, 2):
            other = PUCKS.resample(waiting, seat, Fair(bytes([number] * 32)))
            assert PUCKS.to_act(other) == (1, 2)
            assert PUCKS.view(other, seat) == PUCKS.view(waiting, seat)


def test_a_game_that_is_over_is_still_over_however_hands_are_dealt():
    over = play(drawn("", ["Gs B"], seats=3, pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"],
                      hands=[["take-2"], ["mix"], ["swap"]], draw_pile=["whistle"] * 3), "p4 up")  # fmt: skip
    for number in range(5):
        assert PUCKS.outcome(PUCKS.resample(over, 0, Fair(bytes([number] * 32)))) == PUCKS.outcome(over)


def test_a_card_that_everybody_saw_being_taken_stays_in_its_hand_while_it_may_go_back():
    state = drawn("", SMALL, pieces={"red p1": "e1"}, hands=[["salvage", "swap"], ["mix"]], discard=["sweep"], action_rule=2,
                  draw_pile=["take-1", "twist", "slush", "extra"])  # fmt: skip
    after = play(state, "play salvage sweep")
    dealt = {PUCKS.resample(after, 1, Fair(bytes([number] * 32))).hands[0] for number in range(30)}
    assert len(dealt) > 2
    assert all("sweep" in hand for hand in dealt)


def test_a_hand_that_must_hold_a_repair_holds_one_however_it_is_dealt():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "mix", "swap"], ["extra"]], action_rule=2,
                  draw_pile=["take-1", "twist", "slush", "sweep"])  # fmt: skip
    broken = play(state, "play shift b north-of a")
    dealt = {PUCKS.resample(broken, 1, Fair(bytes([number] * 32))).hands[0] for number in range(30)}
    assert len(dealt) > 5
    assert all("mix" in hand for hand in dealt)
