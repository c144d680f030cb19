"""The turn: drawing, acting, discarding, when it ends by itself, and the rules' own questions and answers about it."""

import random
from functools import partial

import pytest

from engines.chance import Fair, Scripted
from engines.game import IllegalAction, is_reversible, passive_action
from engines.pucks.board.state import State
from engines.pucks.board.views import CardsDrawn, Phase
from tests.engines.pucks import tables
from tests.engines.pucks.drawing import (
    DECK,
    PUCKS,
    SMALL,
    all_cards,
    assert_board,
    by_name,
    drawn,
    events,
    legal,
    offered,
    play,
    told,
)

two = partial(tables.two, action_rule=1)


@pytest.mark.parametrize(("seats", "dealt"), [(2, 5), (3, 5), (4, 3), (6, 3)])
def test_a_game_begins_with_draw_one_take_one_and_cards_dealt(seats, dealt):
    state = PUCKS.start(seats, chance=Fair(bytes(32)), setup="random")
    view = PUCKS.view(state)
    assert view.hand_sizes == (dealt,) * seats
    assert (view.draw_pile, view.discard, view.edge) == (54 - seats * dealt, (), ())
    assert (view.draw_rule, view.action_rule, view.direction) == (1, 1, 1)
    assert (view.phase, view.to_act) == (Phase.DRAW, (0,))
    assert all_cards(state) == DECK


def test_the_turn_begins_with_the_draw():
    state = two(phase="draw", draw_pile=["swap", "twist"])
    assert offered(state) == ["draw"]
    after = play(state, "draw")
    assert (after.phase, after.hands[0], after.draw_pile) == (Phase.ACT, ("twist",), ("swap",))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_as_many_cards_are_drawn_as_the_draw_card_says(number):
    state = two(phase="draw", draw_rule=number, draw_pile=["swap", "twist", "shift", "mix", "slush"])
    assert len(play(state, "draw").hands[0]) == number


def test_everybody_hears_how_many_cards_were_drawn_but_only_the_player_hears_which():
    state = two(phase="draw", draw_rule=2, draw_pile=["swap", "twist", "shift"])
    assert told(state, "draw") == ["Red draws 2 cards."]
    assert told(state, "draw", 1) == ["Red draws 2 cards."]
    assert told(state, "draw", 0) == ["Red draws 2 cards.", "Red draws Board Shift, Board Twist."]
    assert [event.detail for event in events(state, "draw")] == [CardsDrawn(2), CardsDrawn(2, ("shift", "twist"))]


def test_when_the_last_card_is_drawn_the_discard_pile_becomes_the_draw_pile_and_the_draw_goes_on():
    state = two(phase="draw", draw_pile=["swap"], discard=["shift", "mix", "slush"], chance=Scripted([1, 0]))
    after = play(state, "draw")
    assert (after.hands[0], after.draw_pile, after.discard) == (("swap",), ("slush", "shift", "mix"), ())
    state = two(phase="draw", draw_rule=3, draw_pile=["swap"], discard=["shift", "mix", "slush"], chance=Scripted([1, 0]))
    after = play(state, "draw")
    assert (after.hands[0], after.draw_pile) == (("swap", "mix", "shift"), ("slush",))
    assert told(state, "draw")[0] == "The discard pile is shuffled into a new draw pile."


def test_if_nothing_can_be_shuffled_no_card_is_drawn_and_the_pile_is_filled_later():
    state = two(phase="draw", discard=["mix", "slush"], chance=Scripted([1]))
    after = play(state, "draw")
    assert (after.hands[0], after.draw_pile, after.discard) == (("slush",), ("mix",), ())
    state = two(phase="draw", draw_rule=4, draw_pile=["swap", "mix"])
    assert play(state, "draw").hands[0] == ("mix", "swap")
    assert play(two(phase="draw"), "draw").hands[0] == ()
    assert told(two(phase="draw"), "draw") == ["Red finds no cards left to draw."]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_a_turn_has_exactly_as_many_actions_as_are_in_force(number):
    state = drawn("rm1 . . . . . . .", action_rule=number, pieces={"blue m1": "a13"})
    for taken in range(number):
        assert (state.to_move, state.taken) == (0, taken)
        state = play(state, "m1 right")
    assert (state.to_move, state.phase) == (1, Phase.DRAW)


def test_moves_and_cards_can_be_mixed_in_any_order():
    state = two(["twist", "shift"], action_rule=4)
    after = play(state, "m1 up", "play twist a 90", "m1 left", "play shift c east-of f")
    assert (after.to_move, by_name(after)["red m1"]) == (1, "e1")


def test_nobody_may_pass_while_an_action_even_with_a_card_is_legal():
    assert offered(two()) == ["m1"]
    assert not legal(two(["extra"]), "end")
    with pytest.raises(IllegalAction):
        play(two(), "end")
    state = drawn("", ["B"], pieces={"blue m1": "a1"}, hands=[["twist"], []])
    assert offered(state) == ["play"]


def test_when_no_action_is_legal_and_no_card_is_held_the_turn_goes_on_by_itself():
    state = drawn("", ["B"], pieces={"blue m1": "a1"}, hands=[[], []], phase="draw", action_rule=3)
    after = play(state, "draw")
    assert (after.to_move, after.phase) == (1, Phase.DRAW)
    assert "Red has no moves left this turn." in told(state, "draw")


@pytest.mark.parametrize("held", ["whistle", "faceoff", "review"])
def test_when_no_action_is_legal_whoever_holds_a_card_ends_the_turn(held):
    state = drawn("", ["B"], pieces={"blue m1": "a1"}, hands=[[], []], phase="draw", draw_pile=[held], action_rule=3)
    drawn_card = play(state, "draw")
    assert (drawn_card.to_move, drawn_card.phase, offered(drawn_card)[-1]) == (0, Phase.ACT, "end")
    assert told(drawn_card, "end") == ["Red ends the turn."]
    assert play(drawn_card, "end").to_move == 1


@pytest.mark.parametrize("held", ["take-1", "take-6", "extra", "double", "u-turn", "quick-draw", "sweep"])
def test_the_turn_waits_for_end_while_a_card_can_be_played_for_free(held):
    state = play(two([held]), "m1 up")
    assert (state.to_move, offered(state)) == (0, ["play", "end"])
    assert play(state, "end").to_move == 1


@pytest.mark.parametrize("held", ["shift", "draw-2", "slush", "borrow", "salvage"])
def test_the_turn_waits_for_end_whichever_card_is_held_so_that_nobody_learns_which(held):
    state = play(two([held]), "m1 up")
    assert (state.to_move, state.phase, offered(state)) == (0, Phase.ACT, ["end"])
    assert play(state, "end").to_move == 1


def test_the_turn_ends_by_itself_when_no_action_is_left_and_no_card_is_held():
    assert play(two([], ["whistle"]), "m1 up").to_move == 1
    assert play(two(["draw-2"]), "play draw-2").to_move == 1, "the last card was the last action"
    assert play(two(["take-1", "extra"], taken=1), "play extra", "m1 up", "play take-1").to_move == 1


def test_a_quick_card_that_was_the_last_one_held_ends_a_turn_without_actions():
    state = play(two(["sweep", "quick-draw"], draw_pile=["shift"] * 4), "m1 up", "play sweep")
    assert (state.to_move, state.phase) == (0, Phase.ACT)
    drew = play(state, "play quick-draw")
    assert (drew.to_move, drew.phase, len(drew.hands[0])) == (0, Phase.ACT, 2), "there are cards in the hand again"
    assert play(play(two(["sweep"]), "m1 up"), "play sweep").to_move == 1


def test_no_move_may_put_every_piece_back_to_where_it_was():
    state = play(two(action_rule=3), "m1 up")
    assert offered(state, "m1") == ["up", "right", "left"]
    state = play(drawn("rp1 . . .", action_rule=2), "p1 right")
    assert offered(state, "p1") == ["down"]
    state = two(["borrow"], action_rule=3)
    after = play(state, "play borrow blue", "blue m1 up")
    assert not legal(after, "blue m1 down")


def test_a_move_back_is_legal_if_another_piece_has_moved_or_it_is_not_the_move_before():
    state = play(drawn("rm1 bp1 . . .", action_rule=2), "m1 right")
    assert legal(state, "m1 left"), "the bumped puck lies elsewhere"
    state = play(two(action_rule=4), "m1 up", "m1 left", "m1 down")
    assert legal(state, "m1 right"), "the place is that of three moves before"


def test_a_card_in_between_makes_no_difference_unless_it_moved_something():
    state = play(two(["draw-2"], action_rule=3), "m1 up", "play draw-2")
    assert not legal(state, "m1 down")
    moved = play(two(["twist", "swap"], action_rule=4, pieces={"red m1": "a6", "blue m1": "i6"}), "m1 down", "play twist a 180")
    assert legal(moved, "m1 down")


def test_the_next_turn_may_take_a_move_back():
    state = play(
        two(pieces={"red m1": "e6", "blue m1": "i6"}, draw_pile=["swap", "swap"]), "m1 up", "draw", "m1 up", "end", "draw"
    )
    assert legal(state, "m1 down")


def test_cards_above_the_limit_are_discarded_by_choice():
    hand = ["shift", "shift", "swap", "swap", "twist", "mix", "slush", "review", "faceoff"]
    state = play(two(hand), "m1 up", "end")
    assert (state.phase, offered(state), offered(state, "discard")) == (
        Phase.DISCARD, ["discard"], ["shift", "swap", "twist", "mix", "slush", "review", "faceoff"],
    )  # fmt: skip
    after = play(state, "discard swap", "discard shift")
    assert (after.to_move, after.discard) == (1, ("swap", "shift"))
    assert after.hands[0] == ("shift", "swap", "twist", "mix", "slush", "review", "faceoff")


@pytest.mark.parametrize(("seats", "limit"), [(2, 7), (3, 7), (4, 5), (5, 5), (6, 5)])
def test_the_hand_limit_follows_from_the_number_of_players(seats, limit):
    hand = ["shift", "shift", "swap", "swap", "twist", "mix", "slush", "review"]
    state = drawn("", SMALL, seats=seats, hands=[hand, *[[]] * (seats - 1)], pieces={"red m1": "e6"})
    state = play(state, "m1 up", "end")
    for _ in range(8 - limit):
        assert state.phase is Phase.DISCARD
        state = play(state, f"discard {state.hands[0][0]}")
    assert (state.phase, len(state.hands[0])) == (Phase.DRAW, limit)


def test_cards_above_the_limit_may_be_kept_until_the_turn_ends_and_everybody_sees_what_is_discarded():
    state = two([], ["shift"] * 4 + ["swap"] * 3 + ["quick-draw"], draw_pile=["mix", "mix", "slush"])
    after = play(state, "blue: play quick-draw", "red: m1 up")
    assert (after.phase, after.to_move, len(after.hands[1])) == (Phase.DRAW, 1, 9)
    state = play(two(["shift"] * 4 + ["swap"] * 3 + ["mix"]), "m1 up", "end")
    assert told(state, "discard mix") == [f"Red discards Let’s Mix Things Up (more than {state.hand_limit} in hand)."]


@pytest.mark.parametrize(("direction", "order"), [(1, [0, 1, 2, 3, 0]), (-1, [0, 3, 2, 1, 0])])
def test_play_goes_round_one_way_or_the_other(direction, order):
    pieces = {"red m1": "a1", "blue m1": "b6", "green m1": "c6", "yellow m1": "d1"}
    state = drawn("", ["B B B B"], seats=4, direction=direction, pieces=pieces, draw_pile=["shift", "swap", "mix", "slush"])
    seen = [state.to_move]
    for _ in range(4):
        state = play(state, "m1 down")
        state = play(state, "end") if state.hands[state.to_move] and state.phase is Phase.ACT else state
        seen.append(state.to_move)
        state = play(state, "draw")
    assert seen == order


def test_three_actions_to_shift_a_mat_and_then_score():
    state = drawn("", ["B Gn", "B _"], pieces={"red p1": "c3", "red p2": "c16"}, hands=[["shift"], []], action_rule=3)
    after = play(state, "play shift b west-of a", "p1 left", "p1 up")
    assert by_name(after)["red p1"] == "a1"


def test_a_doubled_turn_to_swap_shift_twist_borrow_and_bump_with_a_borrowed_meeple():
    state = drawn(
        "", ["B B Gn"], pieces={"red p1": "a2", "blue m1": "a1", "red i1": "b1"}, action_rule=3,
        hands=[["double", "swap", "shift", "twist", "borrow"], []],
    )  # fmt: skip
    after = play(state, "play double", "play swap b c", "play shift b south-of a", "play twist b 90", "play borrow blue")
    assert (after.taken, after.allowed) == (4, 6)
    bumped = play(after, "blue m1 right")
    assert by_name(bumped)["blue m1"] == "a2"
    assert by_name(bumped)["red p1"] == "c13"
    assert play(bumped, "blue m1 down").to_move == 1


def test_play_turned_round_stops_a_player_who_was_about_to_move():
    # Red and then Yellow have had their turns; before Green draws, Blue turns the game round, and it is Red's turn again.
    state = drawn("", ["B B B B"], seats=4, to_move=3, direction=-1, hands=[[], ["u-turn"], [], []],
                  pieces={"red m1": "a1", "yellow m1": "d1"}, draw_pile=["take-6", "swap"])  # fmt: skip
    after = play(state, "m1 down")
    assert after.to_move == 2
    assert play(after, "blue: play u-turn").to_move == 0


def test_a_card_that_moves_a_mat_may_be_whistled_but_not_a_card_that_was_drawn():
    state = two([], ["whistle"], phase="draw", draw_pile=["swap"])
    assert not legal(play(state, "draw"), "blue: play whistle")


def test_no_slide_starts_at_an_adjacent_puck_and_going_back_and_forth_uses_up_no_actions():
    assert offered(drawn("rp1 bp1 . ."), "p1") == ["down"]
    state = drawn("rm1 . . .", action_rule=2)
    assert not legal(play(state, "m1 right"), "m1 left")
    assert_board(play(state, "m1 right", "m1 right"), ". . rm1 .")


def test_an_action_is_a_whole_move_or_a_whole_card_and_a_wrong_word_is_named():
    with pytest.raises(IllegalAction) as caught:
        play(two(), "m1 north")
    assert (caught.value.token, [choice.token for choice in caught.value.possible]) == (
        "north",
        ["up", "right", "down", "left"],
    )


def test_a_move_of_a_piece_can_be_taken_back_and_what_showed_or_drew_a_card_cannot():
    acting = two(["take-3", "swap"], phase="act")

    def reversible(state, action):
        return is_reversible(PUCKS, state, tuple(action.split()), PUCKS.play(state, 0, action.split()))

    assert reversible(acting, "m1 up")
    assert reversible(play(acting, "m1 up"), "end")
    assert not reversible(acting, "play take-3")
    assert not reversible(two(phase="draw", draw_pile=["swap", "twist"]), "draw")


def test_ending_a_turn_that_has_actions_left_shows_what_is_not_in_the_hand():
    stuck = drawn("", ["B"], pieces={"blue m1": "a1"}, hands=[["whistle"], []])
    assert not is_reversible(PUCKS, stuck, ("end",), PUCKS.play(stuck, 0, ("end",)))


def test_for_whoever_is_away_pieces_are_placed_at_random_cards_are_drawn_and_a_win_stands():
    def absent(state):
        return " ".join(passive_action(PUCKS, state, PUCKS.to_act(state)[0], random.Random(7)))

    assert absent(PUCKS.start(3)) == "auto"
    assert absent(two(["swap"], phase="draw", draw_pile=["mix"])) == "draw"
    scored = ["red p1", "red p2", "red p3"]
    waiting = play(drawn("", ["Gs B"], pieces={"red p4": "a14"}, scored=scored, hands=[[], ["whistle"]]), "p4 up")
    assert absent(waiting) == "pass"


def absent_actions(state: State) -> set[str]:
    return {" ".join(passive_action(PUCKS, state, state.to_move, random.Random(number))) for number in range(40)}


def test_whoever_is_away_moves_pieces_at_random_and_ends_the_turn_where_it_can_end():
    moves = {"m1 up", "m1 right", "m1 down", "m1 left"}
    assert absent_actions(two([])) == moves
    for hand in (["extra", "twist", "shift"], ["whistle"] * 5, ["take-6", "swap"]):
        state = two(hand)
        assert [passive_action(PUCKS, state, 0, random.Random(n)) for n in range(20)] == [
            passive_action(PUCKS, two([]), 0, random.Random(n)) for n in range(20)
        ], "the choice among the moves does not depend on the hand either"
        assert absent_actions(play(state, "m1 up")) == {"end"}


def test_for_whoever_is_away_a_card_is_played_only_if_one_must_be_and_then_one_that_costs_an_action():
    state = drawn("", ["B"], pieces={"blue m1": "a1"}, hands=[["extra", "twist", "take-3", "quick-draw"], []], action_rule=1)
    assert absent_actions(state) == {"play twist a 90", "play twist a 180", "play twist a 270"}
    assert absent_actions(play(state, "play twist a 90")) == {"end"}


def test_for_whoever_is_away_mats_that_were_left_apart_are_mended():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "shift", "extra"], []], action_rule=2)
    after = play(state, "play shift b north-of a")
    assert {action.split()[1] for action in absent_actions(after)} == {"shift"}
    for number in range(20):
        assert PUCKS.play(after, 0, passive_action(PUCKS, after, 0, random.Random(number))).state.whole
