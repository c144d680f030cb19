"""Whole games of Bounce Bunny Bounce: what always holds, a second reading of the rules to compare with, and who knows what."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.bunny import Bunny
from engines.bunny.field import SHUFFLED, SPACES, all_carrots_within_reach, deal
from engines.chance import Chance, Fair
from engines.game import Action, IllegalAction, legal_actions
from tests.engines.bunny.slow import Table, reach

pytestmark = pytest.mark.slow

GAME = Bunny()

seeds = st.binary(min_size=32, max_size=32)


def pick(state, seat, draw):
    action: Action = ()
    while True:
        choices = GAME.choices(state, seat, action)
        choice = choices[draw(st.integers(0, len(choices) - 1))]
        action = (*action, choice.token)
        if choice.final:
            return action


def states(draw, seed, at_most):
    state = GAME.start(2, chance=Fair(seed))
    for _ in range(at_most):
        if not GAME.to_act(state):
            return
        (seat,) = GAME.to_act(state)
        action = pick(state, seat, draw)
        step = GAME.play(state, seat, action)
        yield state, seat, action, step
        state = step.state


@settings(max_examples=40, deadline=None)
@given(seed=seeds, data=st.data())
def test_a_second_reading_of_the_rules_agrees_at_every_step(seed, data):
    table = None
    for state, seat, action, step in states(data.draw, seed, 60):
        table = table or Table(GAME.position(state))
        assert seat == table.chooser
        assert set(legal_actions(GAME, state, seat)) == table.legal()
        table.play(action)
        after = GAME.position(step.state)
        after.pop("spied", None)
        assert after == table.position()
        assert (GAME.outcome(step.state) is not None) == table.over()


def test_a_second_reading_agrees_over_whole_games():
    for number in range(25):
        choosing, state = Fair(bytes([number]) * 32), GAME.start(2, chance=Fair(bytes([100 + number]) * 32))
        table = Table(GAME.position(state))
        while GAME.to_act(state):
            actions = sorted(table.legal())
            chosen, choosing = choosing.randbelow(len(actions))
            state = GAME.play(state, table.chooser, actions[chosen]).state
            table.play(actions[chosen])
            after = GAME.position(state)
            after.pop("spied", None)
            assert after == table.position()
        assert table.over()


@settings(max_examples=60, deadline=None)
@given(seed=seeds, data=st.data())
def test_nothing_is_ever_lost(seed, data):
    for _, _, _, step in states(data.draw, seed, 40):
        state = step.state
        cards = Counter(state.field)
        assert len(state.field) == 35
        assert cards["carrot"] + sum(state.carrots) == 5
        assert cards["empty"] == sum(state.carrots)
        # 43 cards: those on the field, the Carrots won, two Bunnies, and six Universal Shocks, held or set aside.
        assert 35 - cards["empty"] + sum(state.carrots) + 2 + 6 == 43
        assert all(0 <= shocks <= 3 for shocks in state.shocks)
        assert {card: cards[card] for card in set(SHUFFLED)} == dict(Counter(SHUFFLED))
        assert GAME.from_position(json.loads(json.dumps(GAME.position(state)))) == state


@settings(max_examples=40, deadline=None)
@given(seed=seeds, data=st.data())
def test_games_end(seed, data):
    quiet = 0
    state = GAME.start(2, chance=Fair(seed))
    for _, _, _, step in states(data.draw, seed, 2000):
        state = step.state
        quiet = state.quiet_turns
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert max(state.carrots) == 3 or quiet == 80
    assert outcome.winners == tuple(seat for seat in (0, 1) if state.carrots[seat] > state.carrots[1 - seat])


@settings(max_examples=15, deadline=None)
@given(seed=seeds, data=st.data())
def test_what_a_seat_cannot_know_changes_nothing_for_it(seed, data):
    for _, _, _, step in states(data.draw, seed, 20):
        state = step.state
        for reader in (None, 0, 1):
            other = GAME.resample(state, reader, Fair(data.draw(seeds)))
            assert Counter(other.field) == Counter(state.field)
            view = GAME.view(state, reader)
            assert GAME.view(other, reader) == view
            assert GAME.describe(GAME.view(other, reader)) == GAME.describe(view)
            assert GAME.hand(GAME.view(other, reader)) == GAME.hand(view)
            assert GAME.shortcuts(GAME.view(other, reader)) == GAME.shortcuts(view)
            assert GAME.from_position(GAME.position(other)) == other
            for seat in GAME.to_act(state):
                assert GAME.choices(other, seat) == GAME.choices(state, seat)
                for choice in GAME.choices(state, seat):
                    assert GAME.choices(other, seat, (choice.token,)) == GAME.choices(state, seat, (choice.token,))
                for wrong in (("nowhere",), ("enter", "h"), ("spy", "a9"), ("swap", "a1", "a1"), ("shock",)):
                    assert refusal(other, seat, wrong) == refusal(state, seat, wrong)


def refusal(state, seat, action):
    try:
        GAME.play(state, seat, action)
    except IllegalAction as error:
        return error.message, error.index, error.possible
    return None


@settings(max_examples=40, deadline=None)
@given(seed=seeds, data=st.data())
def test_what_happens_in_public_tells_only_what_was_turned_up(seed, data):
    for state, seat, action, step in states(data.draw, seed, 30):
        if action[0] in ("swap", "spy"):  # these turn up nothing, so they must look alike whatever lies face down
            other = GAME.play(GAME.resample(state, None, Fair(data.draw(seeds))), seat, action)
            public = [event for event in step.events if event.known_to(None)]
            assert [event for event in other.events if event.known_to(None)] == public
            opponent = [event for event in step.events if event.known_to(1 - seat)]
            assert opponent == public


@settings(max_examples=30, deadline=None)
@given(seed=seeds)
def test_the_deal_agrees_with_a_search_by_brute_force(seed):
    chance: Chance = Fair(seed)
    spaces, chance = chance.shuffle(SPACES[7:])
    cards, chance = chance.shuffle(SHUFFLED)
    rest = iter(cards)
    field = tuple("carrot" if space in spaces[:5] else next(rest) for space in SPACES)
    assert all_carrots_within_reach(field) == (reach(dict(zip(SPACES, field, strict=True))) == 5)
    dealt, _ = deal(Fair(seed))
    assert (dealt == field) == all_carrots_within_reach(field)


def test_about_one_deal_in_four_is_dealt_again():
    chance = Fair(b"d" * 32)
    deals = draws = 0
    for _ in range(150):
        _, after = deal(chance)
        assert isinstance(after, Fair)
        deals += 1
        draws += (after.block - chance.block) // (27 + 29)
        chance = after
    assert 0.65 < deals / draws < 0.85
