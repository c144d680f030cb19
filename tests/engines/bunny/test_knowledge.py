"""Who knows which card: what lies face down, what a Spy saw, and what can be taken back."""

from collections import Counter

from engines.bunny.field import SPACES, card_on
from engines.chance import Fair
from engines.game import is_reversible, open_view
from tests.engines.bunny.cards import GAME, play, table


def test_only_the_revealed_view_shows_face_down_cards():
    state = GAME.start(2)
    for seat in (None, 0, 1):
        shown = [face for _, face in GAME.view(state, seat).field]
        assert Counter(shown) == {"hidden": 30, "carrot": 5}
    state = GAME.start(2)
    assert open_view(GAME, state).field == tuple(zip(SPACES, state.field, strict=True))


def test_what_a_spy_saw_is_in_its_players_hand_until_the_next_movement():
    state = play(table({"c1": "spy", "d2": "stop", "a1": "stop"}), "enter c", "spy d2").state
    assert GAME.hand(GAME.view(state, 0)) == "You peeked: Stop on d2."
    assert GAME.hand(GAME.view(state, 1)) is None
    assert GAME.hand(GAME.view(state)) is None
    state = play(state, "enter a").state
    assert GAME.hand(GAME.view(state, 0)) is None


def test_a_card_that_a_spy_saw_is_followed_when_it_is_swapped_in_the_same_turn():
    cards = {"c1": "spy", "g3": "stop", "g4": "swap", "d2": "bonus", "e5": "left"}
    state = play(table(cards, bunnies=[None, "g3"]), "enter c", "spy d2", "shock up", "swap e5 d2").state
    assert GAME.view(state, 0).known == ("e5", "bonus")
    assert GAME.view(state, 1).known is None


def test_resampling_keeps_what_the_spy_saw_and_the_cards_under_bunnies():
    cards = {"c1": "spy", "g3": "stop", "d2": "bonus"}
    state = play(table(cards, bunnies=[None, "g3"]), "enter c", "spy d2").state
    for seed in range(10):
        chance = Fair(bytes([seed]) * 32)
        assert card_on(GAME.resample(state, 0, chance).field, "d2") == "bonus"
        assert card_on(GAME.resample(state, None, chance).field, "g3") == "stop"
    seen = {card_on(GAME.resample(state, 1, Fair(bytes([seed]) * 32)).field, "d2") for seed in range(30)}
    assert len(seen) > 3


def test_only_what_turned_nothing_up_can_be_taken_back():
    def reversible(state, action):
        return is_reversible(GAME, state, tuple(action.split()), play(state, action))

    cards = {"c3": "stop", "d3": "carrot", "b3": "spy", "c4": "swap", "c2": "up", "g5": "stop"}
    state = table(cards, bunnies=["c3", "g5"], face_up=["b3", "c4"])
    assert reversible(state, "right")
    assert reversible(state, "left")
    assert reversible(state, "up")
    assert not reversible(state, "down")
    assert not reversible(play(state, "left").state, "spy a1")
    assert reversible(play(state, "up").state, "swap a1 b1")
    assert reversible(play(state, "right").state, "pass")
    assert not reversible(play(state, "right").state, "shock up")
