"""How a game ends: the last puck, a win that may be whistled back, several last pucks at once, and players who leave."""

from typing import Any

import pytest

from engines.chance import Fair
from engines.game import Outcome, open_view
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from tests.engines.pucks.drawing import PUCKS, SMALL, all_cards, by_name, drawn, legal, offered, play, scored, told
from tests.engines.pucks.tables import last_puck, outcome

ALL = ["p1", "p2", "p3", "p4"]


def test_whoever_has_all_pucks_scored_wins_at_once_whoever_scored_the_last_one():
    state = last_puck(["extra", "whistle"])
    after = play(state, "p4 up")
    assert PUCKS.outcome(after) == Outcome((0,), "All 4 pucks are in!")
    assert (PUCKS.to_act(after), PUCKS.may_act(after)) == ((), ())
    state = last_puck(to_move=1, pieces={"red p4": "a10", "blue m1": "a14"})
    assert outcome(play(state, "blue: m1 up")) == (0,)
    state = last_puck(scored=["red p1", "red p2"], pieces={"red p4": "a14", "red p3": "b1", "blue m1": "b6"})
    assert outcome(play(state, "p4 up")) is None


@pytest.mark.parametrize("held", ["whistle", "sweep", "shift"])
def test_a_win_waits_while_an_opponent_holds_a_card_whichever(held):
    state = last_puck([], [], [held])
    after = play(state, "p4 up")
    assert (outcome(after), PUCKS.to_act(after), PUCKS.view(after).winning) == (None, (2,), 0)
    assert told(state, "p4 up")[-1] == "Red wins unless somebody whistles."
    assert offered(after, "green: ") == (["pass"] if held == "shift" else ["play", "pass"])


def test_all_opponents_with_a_card_are_asked_alike_so_that_nobody_learns_who_holds_the_whistle():
    one, other = (play(last_puck([], *hands), "p4 up") for hands in ([["whistle"], ["swap"]], [["swap"], ["whistle"]]))
    assert PUCKS.to_act(one) == PUCKS.to_act(other) == (1, 2)
    assert PUCKS.view(one) == PUCKS.view(other)
    assert PUCKS.view(one, 3) == PUCKS.view(other, 3)
    assert offered(one, "blue: play")[:1] == ["whistle"]
    assert [offered(one, f"{colour}: ")[-1:] for colour in ("blue", "green", "yellow")] == [["pass"], ["pass"], []]


def test_the_game_is_over_when_no_player_with_a_card_is_left_to_answer():
    waiting = play(last_puck([], ["whistle"], ["whistle"], ["swap"]), "p4 up")
    one = play(waiting, "blue: pass")
    assert (outcome(one), PUCKS.to_act(one), PUCKS.view(one).passed) == (None, (2, 3), (1,))
    two = play(one, "green: pass")
    assert (outcome(two), PUCKS.to_act(two)) == (None, (3,)), "whoever holds no whistle is waited for too"
    assert outcome(play(two, "yellow: pass")) == (0,)
    assert outcome(play(last_puck([], ["swap"]), "p4 up", "blue: pass")) == (0,)


def test_whoever_plays_the_last_card_is_no_longer_asked():
    waiting = play(last_puck([], ["sweep"], ["sweep", "swap"]), "p4 up")
    assert PUCKS.to_act(waiting) == (1, 2)
    one = play(waiting, "blue: play sweep")
    assert (outcome(one), PUCKS.to_act(one)) == (None, (2,))
    two = play(one, "green: play sweep")
    assert (outcome(two), PUCKS.to_act(two)) == (None, (2,)), "there is a card left"
    assert outcome(play(play(last_puck([], ["sweep"]), "p4 up"), "blue: play sweep")) == (0,)


def test_whoever_draws_with_the_last_card_is_asked_on():
    state = play(last_puck([], ["quick-draw"], draw_pile=["mix", "swap", "whistle"]), "p4 up")
    after = play(state, "blue: play quick-draw")
    assert (outcome(after), PUCKS.to_act(after)) == (None, (1,))


def test_whoever_has_passed_stays_passed_whatever_they_play_then():
    state = play(last_puck([], ["quick-draw", "whistle"], ["swap"], draw_pile=["mix"] * 4), "p4 up", "blue: pass")
    after = play(state, "blue: play quick-draw")
    assert (PUCKS.to_act(after), PUCKS.view(after).passed) == ((2,), (1,))
    assert not legal(after, "blue: pass")
    assert legal(after, "blue: play whistle")


def test_the_player_who_took_the_action_is_not_asked_whoever_wins_by_it():
    pushed = last_puck(["swap"], ["whistle"], ["swap"], to_move=1, pieces={"red p4": "a10", "blue m1": "a14"})
    assert PUCKS.to_act(play(pushed, "blue: m1 up")) == (2,)


def test_a_whistle_takes_the_win_back_and_the_turn_goes_on_even_twice():
    after = play(last_puck([], [], ["whistle"]), "p4 up", "green: play whistle")
    assert (outcome(after), after.winning, PUCKS.to_act(after), after.taken) == (None, (), (0,), 1)
    assert (by_name(after)["red p4"], len(scored(after))) == ("a14", 3)
    assert outcome(play(after, "p4 up")) == (0,), "the second action of the turn"
    state = play(last_puck([], ["whistle", "whistle"]), "p4 up", "blue: play whistle", "p4 up", "blue: play whistle")
    assert (outcome(state), state.to_move, state.phase) == (None, 1, Phase.DRAW)


def test_whoever_has_passed_may_still_whistle_while_others_are_asked():
    state = drawn("", ["Gs"], seats=3, pieces={"red p4": "a14"}, scored=[f"red p{n}" for n in range(1, 4)],
                  hands=[[], ["whistle"], ["whistle"]])  # fmt: skip
    after = play(state, "p4 up", "blue: pass", "blue: play whistle")
    assert (outcome(after), PUCKS.to_act(after)) == (None, (1,))
    assert PUCKS.position(after)["pieces"] == {"red p4": "a14"}


def test_whoever_has_passed_may_be_asked_again_about_another_win():
    state = play(last_puck([], ["whistle"], ["whistle"]), "p4 up", "blue: pass", "green: play whistle")
    assert PUCKS.view(state).passed == ()
    again = play(state, "p4 up")
    assert PUCKS.to_act(again) == (1,), "Green has played the last card"


def test_while_a_win_waits_the_player_of_the_turn_can_take_no_action():
    after = play(last_puck(["take-3", "swap"], ["whistle"], pieces={"red p4": "a14", "red m1": "b1", "blue m1": "b6"}), "p4 up")
    assert offered(after, "red: ") == []
    assert not legal(after, "red: m1 down")
    assert not legal(after, "red: play take-3")


def test_a_whistle_of_the_player_who_acted_delays_nothing():
    assert outcome(play(last_puck(["whistle"]), "p4 up")) == (0,)
    pushed = last_puck([], ["whistle"], to_move=1, pieces={"red p4": "a10", "blue m1": "a14"})
    assert outcome(play(pushed, "blue: m1 up")) == (0,), "Blue cannot whistle what Blue did"


def test_quick_play_goes_on_while_a_win_waits_and_may_bring_a_whistle():
    state = play(last_puck([], ["swap"], ["quick-draw"], draw_pile=["mix", "swap", "whistle"]), "p4 up")
    after = play(state, "green: play quick-draw")
    assert (outcome(after), PUCKS.to_act(after)) == (None, (1, 2))
    assert outcome(play(after, "blue: pass")) is None
    assert by_name(play(after, "blue: pass", "green: play whistle"))["red p4"] == "a14"


def test_a_u_turn_does_not_stop_a_win_but_ends_the_turn_if_it_is_whistled_back():
    state = play(last_puck([], ["whistle"], ["u-turn"]), "p4 up", "green: play u-turn")
    assert (outcome(state), PUCKS.to_act(state)) == (None, (1,))
    assert outcome(play(state, "blue: pass")) == (0,)
    back = play(state, "blue: play whistle")
    assert (outcome(back), back.to_move, back.phase, back.direction) == (None, 3, Phase.DRAW, -1)


def test_a_win_is_final_when_the_last_one_who_is_asked_leaves():
    waiting = play(last_puck([], ["whistle"]), "p4 up")
    assert outcome(PUCKS.withdraw(waiting, 1).state) == (0,)
    assert outcome(PUCKS.withdraw(waiting, 2).state) is None


def test_a_winner_who_leaves_before_the_win_is_final_has_not_won():
    waiting = play(last_puck([], ["whistle"], ["whistle"]), "p4 up", "green: pass")
    after = PUCKS.withdraw(waiting, 0).state
    assert (outcome(after), after.winning, PUCKS.to_act(after), after.phase) == (None, (), (1,), Phase.DRAW)
    assert PUCKS.view(after).passed == ()


def test_only_the_last_puck_of_a_chain_can_be_scored():
    state = drawn("", ["Gs", "B"], pieces={"red p4": "b14", "blue p4": "b6", "blue m1": "a16"},
                  scored=[f"{c} {w}" for c in ("red", "blue") for w in ALL[:3]])  # fmt: skip
    after = play(state, "p4 up")
    assert (outcome(after), by_name(after)["red p4"]) == ((1,), "b10")


@pytest.mark.parametrize(
    ("to_move", "direction", "winner"), [(0, 1, 0), (1, 1, 2), (1, -1, 0), (2, 1, 2), (2, -1, 2), (3, 1, 0), (3, -1, 2)]
)
def test_if_several_score_their_last_puck_the_acting_player_wins_or_else_the_next_in_order(to_move, direction, winner):
    # A chain scores its last puck only, so this takes a position in which both have been scored.
    state = drawn("", SMALL, seats=4, to_move=to_move, direction=direction,
                  scored=[f"{colour} {word}" for colour in ("red", "green") for word in ALL])  # fmt: skip
    assert outcome(state) == (winner,)


def five(**keys: Any) -> State:
    hands = [["swap"], ["take-3", "shift"], ["whistle"], ["extra"], ["double", "sweep"]]
    pieces = {"red m1": "a6", "blue p1": "a7", "blue m1": "b6", "green m1": "c6", "yellow m1": "d6", "purple m1": "d1"}
    usual: dict[str, Any] = {"seats": 5, "hands": hands, "pieces": pieces, "to_move": 1, "action_rule": 2}
    return drawn("", ["B B B B"], **{**usual, **keys})


def test_with_five_left_the_others_play_on_and_the_pieces_stay_as_obstacles():
    after = PUCKS.withdraw(five(), 1).state
    assert (outcome(after), PUCKS.view(after).out, after.to_move, after.phase) == (None, (1,), 2, Phase.DRAW)
    assert by_name(after)["blue p1"] == "a7"
    assert by_name(play(PUCKS.withdraw(five(to_move=0), 1).state, "m1 right"))["blue p1"] == "b5", "it can still be bumped"


def test_the_cards_of_a_player_who_left_leave_the_game_unseen_but_the_position_keeps_them():
    after = PUCKS.withdraw(five(draw_pile=["mix"]), 1).state
    assert (after.hands[1], after.discard, after.draw_pile) == (("take-3", "shift"), (), ("mix",))
    assert PUCKS.position(after)["hands"][1] == ["take-3", "shift"]
    assert PUCKS.from_position(PUCKS.position(after)) == after
    for seat in (None, *range(5)):
        view = PUCKS.view(after, seat)
        assert (view.hand_sizes, view.discard, view.draw_pile) == ((1, 0, 1, 1, 2), (), 1)
    shown = open_view(PUCKS, after).hands
    assert shown is not None
    assert (PUCKS.view(after, 1).hand, shown[1]) == ((), ())
    assert "Take 3" not in str(PUCKS.withdraw(five(), 1).events)


def test_the_cards_of_a_player_who_left_are_not_shuffled_into_a_new_draw_pile():
    left = PUCKS.withdraw(five(discard=["mix"]), 1).state
    assert play(left, "draw").hands[2] == ("whistle", "mix")


def test_with_two_left_the_other_one_wins():
    state = drawn("", SMALL, pieces={"red m1": "e6", "blue m1": "i6"}, hands=[["swap"], []])
    step = PUCKS.withdraw(state, 0)
    assert PUCKS.outcome(step.state) == Outcome((1,), "Red has left.")
    assert step.events[0].text == "Red leaves the game; the pieces stay on the board."


def test_five_players_leave_one_after_the_other_until_one_is_left():
    state = five()
    for seat in (3, 1, 0, 4):
        assert outcome(state) is None
        state = PUCKS.withdraw(state, seat).state
    assert outcome(state) == (2,)


def test_leaving_out_of_turn_leaves_the_turn_alone():
    state = play(five(), "m1 up")
    after = PUCKS.withdraw(state, 4).state
    assert (after.to_move, after.taken, after.phase) == (1, 1, Phase.ACT)
    done = play(after, "m1 left", "end", "draw", "m1 up")
    assert PUCKS.withdraw(done, 3).state.to_move == 2


def test_the_seat_of_a_player_who_left_is_passed_over_both_ways():
    left = PUCKS.withdraw(five(to_move=0, draw_pile=["mix"]), 1).state
    assert play(left, "m1 up", "m1 left", "end").to_move == 2
    other = PUCKS.withdraw(five(to_move=2, direction=-1), 1).state
    assert play(other, "m1 up", "m1 left", "end").to_move == 0


def test_whoever_leaves_while_discarding_or_before_drawing_leaves_the_turn_to_the_next():
    full = ["shift"] * 4 + ["swap"] * 2
    discarding = PUCKS.withdraw(five(phase="discard", hands=[[], full, [], [], []]), 1).state
    assert (discarding.to_move, discarding.phase, discarding.discard) == (2, Phase.DRAW, ())
    drawing = PUCKS.withdraw(five(phase="draw"), 1).state
    assert (drawing.to_move, drawing.phase) == (2, Phase.DRAW)


def test_a_player_who_left_cannot_play_be_borrowed_or_win():
    left = PUCKS.withdraw(five(to_move=0, hands=[["borrow"], ["sweep"], [], [], []]), 1).state
    assert PUCKS.choices(left, 1) == []
    assert offered(left, "play borrow") == ["green", "yellow", "purple"]
    borrowed = PUCKS.withdraw(play(five(to_move=0, hands=[["borrow"], [], [], [], []]), "play borrow blue"), 1).state
    assert offered(borrowed) == ["m1"]
    state = drawn("", ["Gs"], seats=3, out=[1], pieces={"blue p4": "a10", "red m1": "a14"},
                  scored=[f"blue {word}" for word in ALL[:3]])  # fmt: skip
    after = play(state, "m1 up")
    assert (outcome(after), "blue p4" in scored(after)) == (None, True)


def test_the_last_action_of_a_player_who_left_can_still_be_whistled_until_the_next_draw():
    state = PUCKS.withdraw(play(five(), "m1 up"), 1).state
    assert (state.to_move, state.phase) == (2, Phase.DRAW)
    after = play(state, "green: play whistle")
    assert (by_name(after)["blue m1"], after.to_move, after.phase) == ("b6", 2, Phase.DRAW)


def test_mats_that_do_not_hang_together_go_back_when_their_mover_leaves():
    state = drawn("", ["B B B"], seats=3, pieces={"red p1": "a1"}, hands=[["shift", "shift"], [], []], action_rule=2)
    broken = play(state, "play shift b north-of a")
    after = PUCKS.withdraw(broken, 0).state
    assert (after.table.mats, after.whole) == (state.table.mats, True)
    assert PUCKS.withdraw(broken, 1).state.whole is False


def test_no_card_is_lost_when_players_leave():
    state = PUCKS.start(5, chance=Fair(bytes(32)), setup="random")
    before = all_cards(state)
    for seat in (2, 0, 4):
        state = PUCKS.withdraw(state, seat).state
        assert all_cards(state) == before


def test_nobody_can_leave_twice_or_after_the_end():
    left = PUCKS.withdraw(five(), 1).state
    with pytest.raises(ValueError, match="Blue"):
        PUCKS.withdraw(left, 1)
    with pytest.raises(ValueError, match="no seat 5"):
        PUCKS.withdraw(left, 5)
    over = play(last_puck(), "p4 up")
    with pytest.raises(ValueError, match="Green"):
        PUCKS.withdraw(over, 2)
