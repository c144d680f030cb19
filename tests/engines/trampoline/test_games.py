"""Whole games of BOUNCE: what always holds, a second reading of the rules to compare with, the odds, and positions as JSON."""

import json
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chance import Fair, Scripted
from engines.game import legal_actions
from engines.trampoline import Jumper, Trampoline, TrampolineState
from engines.trampoline.track import CYCLE

pytestmark = pytest.mark.slow

GAME = Trampoline()

seeds = st.binary(min_size=32, max_size=32)


def games(state, pick):
    """The states and events of a game played to its end; `pick(n)` chooses among n actions."""
    for _ in count():
        acting = GAME.to_act(state)
        if not acting:
            return
        actions = list(legal_actions(GAME, state, acting[0]))
        step = GAME.play(state, acting[0], actions[pick(len(actions))])
        yield acting[0], state, step
        state = step.state


class ByHand:
    """The board as a person would keep it: for each player a height, +1 or -1 for the arrow, and a counter."""

    def __init__(self, players):
        self.height = [0] * players
        self.arrow = [1] * players
        self.counter = [0] * players
        self.since = [0] * players
        self.clock = 0

    def step(self, player):
        if self.height[player] == 0:
            self.height[player] = 1
            self.counter[player] += 1
        elif self.arrow[player] == 1 and self.height[player] == 9:
            self.arrow[player] = -1
        elif self.arrow[player] == -1 and self.height[player] == 1:
            self.arrow[player] = 1
            self.counter[player] += 1
        else:
            self.height[player] += self.arrow[player]
        if self.counter[player] == 15:
            self.height[player] = 0

    def arrive(self, player, was):
        if self.height[player] != was:
            self.clock += 1
            self.since[player] = self.clock

    def turn(self, player, moves):
        was = self.height[player]
        for _ in range(moves):
            self.step(player)
            if self.counter[player] == 15:
                return
        if self.counter[player] >= 10 and self.height[player] >= 2:
            self.arrow[player] = -1
        self.arrive(player, was if moves == 1 else None)
        self.meet(player, [player])

    def meet(self, first, moved):
        there = [other for other in range(len(self.height)) if self.height[other] == self.height[first] and other not in moved]
        if not there:
            return
        second = min(there, key=lambda other: self.since[other])
        pushed = first if (self.arrow[first], self.arrow[second]) == (1, -1) else second
        was = self.height[pushed]
        if self.arrow[first] == self.arrow[second]:
            self.step(second)
        else:
            self.arrow[pushed] = -1
            self.height[pushed] = max(1, was - 1)
        self.arrive(pushed, was)
        if self.height[pushed] != was:
            self.meet(pushed, [*moved, pushed])

    def tokens(self):
        return [
            (height or None, {1: "up", -1: "down"}[arrow] if height else None, counter)
            for height, arrow, counter in zip(self.height, self.arrow, self.counter, strict=True)
        ]


@settings(max_examples=150, deadline=None)
@given(seats=st.integers(1, 4), seed=seeds, data=st.data())
def test_a_second_reading_of_the_rules_agrees_at_every_turn(seats, seed, data):
    board = ByHand(seats)
    for seat, _, step in games(GAME.start(seats, chance=Fair(seed)), lambda n: data.draw(st.integers(0, n - 1))):
        board.turn(seat, sum(step.events[0].detail.dice))
        assert [(jumper.spot, jumper.facing, jumper.jumps) for jumper in step.state.tokens] == board.tokens()


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_second_reading_agrees_about_one_roll_on_crowded_boards(data):
    places = data.draw(st.lists(st.sampled_from(CYCLE[:-1]), min_size=2, max_size=4))
    jumps = [data.draw(st.integers(1, 14)) for _ in places]
    state = GAME.from_position(
        {
            "to_move": 0,
            "tokens": [
                {"spot": place.spot, "facing": place.facing, "jumps": jump} for place, jump in zip(places, jumps, strict=True)
            ],
        },
        Scripted.dice(*(data.draw(st.integers(1, 6)) for _ in range(3))),
    )
    board = ByHand(len(places))
    board.height = [place.spot for place in places]
    board.arrow = [1 if place.facing == "up" else -1 for place in places]
    board.counter = list(jumps)
    board.since = list(range(len(places)))
    board.clock = 100
    step = GAME.play(state, 0, ("roll",))
    board.turn(0, sum(step.events[0].detail.dice))
    assert [(jumper.spot, jumper.facing, jumper.jumps) for jumper in step.state.tokens] == board.tokens()
    shared = sorted(
        (board.height[seat], board.since[seat], seat)
        for seat in range(len(places))
        if board.height.count(board.height[seat]) > 1
    )
    assert step.state.sharing == tuple(seat for height, _, seat in shared if height)


@settings(max_examples=100, deadline=None)
@given(seats=st.integers(1, 4), seed=seeds, data=st.data())
def test_a_token_is_always_on_one_of_the_18_places_or_off_or_out_and_games_end(seats, seed, data):
    turns = 0
    state = GAME.start(seats, chance=Fair(seed))
    for seat, before, step in games(state, lambda n: data.draw(st.integers(0, n - 1))):
        turns += 1
        state = step.state
        for jumper in state.tokens:
            assert jumper.place in CYCLE if 0 < jumper.jumps < 15 else jumper.place is None
        assert sum(jumper.jumps for jumper in state.tokens) >= sum(jumper.jumps for jumper in before.tokens)
        moved_on = [
            other for other in range(seats) if other != seat and state.tokens[other].jumps != before.tokens[other].jumps
        ]
        assert moved_on == []
        assert GAME.from_position(json.loads(json.dumps(GAME.position(state)))) == state
    # Every move of a token leads forward on its way of at most 15 rounds of 18 places.
    assert turns <= seats * 15 * 18
    outcome = GAME.outcome(state)
    assert outcome is not None
    landed = tuple(seat for seat in range(seats) if state.tokens[seat].landed)
    assert outcome.winners == landed
    assert landed or all(jumper.thrown_up for jumper in state.tokens)


@settings(max_examples=60, deadline=None)
@given(seats=st.integers(1, 4), seed=seeds, data=st.data())
def test_the_game_goes_on_whoever_leaves_when(seats, seed, data):
    state = GAME.start(seats, chance=Fair(seed))
    while GAME.outcome(state) is None:
        (seat,) = GAME.to_act(state)
        assert not state.tokens[seat].out
        if data.draw(st.integers(0, 9)) == 0:
            staying = [other for other in range(seats) if not state.tokens[other].out]
            state = GAME.withdraw(state, data.draw(st.sampled_from(staying))).state
        else:
            state = GAME.play(state, seat, ("roll",)).state
        assert GAME.from_position(GAME.position(state)) == state


def test_the_same_seed_tells_the_same_story():
    def story():
        return [
            event.text for _, _, step in games(GAME.start(3, chance=Fair(b"s" * 32)), lambda n: n - 1) for event in step.events
        ]

    assert story() == story()


def test_there_is_some_variety_in_the_telling():
    told = set()
    for seed in range(20):
        for _, before, step in games(GAME.start(1, chance=Fair(bytes([seed]) * 32)), lambda n: 0):
            if before.tokens[0].jumps == step.state.tokens[0].jumps and step.state.tokens[0].place == (8, "up"):
                told.add(step.events[0].text.split(": ", 1)[1])
    assert told == {"up to spot 8.", "whee, spot 8.", "spot 8 and rising."}


def test_the_chance_to_win_alone_without_the_faceplant_is_0_90973():
    from benchmarks.trampoline_odds import exact  # noqa: PLC0415 only slow tests need it

    assert round(exact(Jumper()), 5) == 0.90973


def test_games_of_the_engine_come_out_near_the_exact_chance():
    from benchmarks.trampoline_odds import exact, simulated  # noqa: PLC0415 only slow tests need it

    won, rolls = simulated(2000)
    assert abs(won / 2000 - exact(Jumper())) < 0.025  # four standard errors
    assert 13 < rolls / 2000 < 15.5


def position(**changes):
    written = {"to_move": 0, "tokens": [{"spot": 3, "facing": "down", "jumps": 10}, {"spot": None, "facing": None, "jumps": 0}]}
    return {**written, **changes}


def test_a_position_is_read_as_it_is_written():
    state = GAME.from_position(position())
    assert GAME.position(state) == position()
    assert state == TrampolineState((Jumper(CYCLE[15], 10), Jumper()))


def test_a_position_carries_its_stream_only_when_asked_to():
    state = GAME.start(2, chance=Fair(b"k" * 32))
    assert "chance" not in GAME.position(state)
    assert GAME.from_position(GAME.position(state, secret=True)).chance == state.chance


def test_without_an_order_the_lower_seat_has_been_on_a_shared_spot_longer():
    shared = position(tokens=[{"spot": 9, "facing": facing, "jumps": 2} for facing in ("up", "down", "up")])
    assert GAME.from_position(shared).sharing == (0, 1, 2)
    assert GAME.from_position({**shared, "sharing": [2, 0, 1]}).sharing == (2, 0, 1)


def test_a_position_may_have_a_token_on_a_spot_before_its_first_jump():
    state = GAME.from_position(position(tokens=[{"spot": 5, "facing": "up", "jumps": 0}]), chance=Scripted.dice(1, 1, 1))
    assert GAME.position(GAME.play(state, 0, ("roll",)).state)["tokens"] == [{"spot": 8, "facing": "up", "jumps": 0}]


ON_3 = {"spot": 3, "facing": "down", "jumps": 10}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, "BOUNCE needs a list of 1 to 4 tokens."),
        (position(tokens=[ON_3] * 5), "BOUNCE needs a list of 1 to 4 tokens."),
        (position(to_move=2), "There is no seat 2."),
        (position(to_move=True), "There is no seat True."),
        (position(tokens=["3v"]), "Red’s token isn’t an object."),
        (position(tokens=[{**ON_3, "jumps": 16}]), "Red’s jumps must be 0 to 15, not 16."),
        (position(tokens=[{**ON_3, "spot": 10}]), "Red can’t be on spot 10 facing down."),
        (position(tokens=[{**ON_3, "spot": "3"}]), "Red can’t be on spot 3 facing down."),
        (position(tokens=[{**ON_3, "facing": "left"}]), "Red can’t be on spot 3 facing left."),
        (position(tokens=[{**ON_3, "facing": None}]), "Red can’t be on spot 3 facing None."),
        (position(tokens=[{**ON_3, "jumps": 15}]), "Red threw up or left, and can’t be on a spot."),
        (position(tokens=[{"spot": None, "facing": None, "jumps": 1}]), "After 1 jump Red must be on a spot."),
        (position(tokens=[{**ON_3, "left": "yes"}]), "“left” of Red must be true or false, not yes."),
        (position(tokens=[{"spot": None, "facing": None, "jumps": 15}, ON_3]), "It can’t be Red’s turn: Red is out."),
        (position(sharing=[0, 1]), "“sharing” must list the seats that share a spot (), not [0, 1]."),
        (position(tokens=[ON_3, ON_3], sharing=[0]), "“sharing” must list the seats that share a spot (0, 1), not [0]."),
        (position(last_left=1), "Blue isn’t the last one left."),
    ],
)
def test_a_position_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(ValueError) as raised:
        GAME.from_position(wrong)
    assert str(raised.value) == message
