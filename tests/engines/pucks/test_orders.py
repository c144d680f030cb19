"""Standing orders: which there are, what they say, what each answers, and that none of them reveals hands."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chance import Fair
from engines.game import Game, Happened, Order, Orders, Step, part_of
from engines.pucks.board.state import State
from engines.text import Text
from engines.values import replace
from tests.engines.contract_games import random_action
from tests.engines.pucks.drawing import DECK, PUCKS, drawn, play, seat_and_action
from tests.engines.pucks.tables import four, two

UNTIL = "pass until-turn"
OTHERWISE = "pass otherwise"


def all_orders(game: Game[Any, Any], state: Any, seat: int, prefix: Order = ()) -> Iterator[Order]:
    for choice in part_of(game, Orders).order_choices(state, seat, prefix):
        if choice.final:
            yield (*prefix, choice.token)
        yield from all_orders(game, state, seat, (*prefix, choice.token))


def happened(state: State, text: str, origin: Happened[State] | None = None) -> Happened[State]:
    """What an action led to ("blue: m1 up"), perhaps as an order's answer to an earlier one."""
    state = state if origin is None else origin.step.state
    seat, action = seat_and_action(state, text)
    return Happened(seat, action, state, PUCKS.play(state, seat, action), origin)


def answers(state: State, text: str, seat: int, *orders: str, origin: str = "") -> tuple[str | None, list[str]]:
    """What a seat with these orders plays after an action, and the orders that it has then.

    If there is an action `origin`, that was played first, and the other one answers it by order.
    """
    seen = happened(state, text, happened(state, origin) if origin else None)
    made = PUCKS.respond(seen, seat, [tuple(order.split()) for order in orders])
    assert made.action is None or PUCKS.is_whole(seen.step.state, seat, made.action)
    return None if made.action is None else " ".join(made.action), [" ".join(order) for order in made.orders]


def scoring(*hands: list[str], seats: int = 3, scored: tuple[str, ...] = (), **keys: Any) -> State:
    """Red’s puck 4 stands before a goal, which `p4 up` slides it into."""
    dealt = [*hands, *[[]] * seats][:seats]
    pieces = {"red p4": "a14", "red m1": "b1", "blue m1": "b6", "blue p1": "b13", "green m1": "b3"}
    usual: dict[str, Any] = {"seats": seats, "hands": dealt, "pieces": pieces, "action_rule": 2, "scored": list(scored)}
    return drawn("", ["Gs B"], **{**usual, **keys})


ALMOST = ("red p1", "red p2", "red p3")


# --- which there are ---------------------------------------------------------------------------------------------------------


def test_what_can_be_ordered():
    orders = [" ".join(order) for order in all_orders(PUCKS, four(), 0)]
    assert orders[:9] == [
        "whistle wins anyone", "whistle wins blue", "whistle wins green", "whistle wins yellow",
        "whistle scores anyone", "whistle scores blue", "whistle scores green", "whistle scores yellow", "whistle moves any",
    ]  # fmt: skip
    assert orders[9:17] == [f"whistle moves {word}" for word in ("m1", "m2", "i1", "i2", "p1", "p2", "p3", "p4")]
    assert orders[-2:] == [OTHERWISE, UNTIL]
    assert len(orders) == len(set(orders))


def test_a_whistle_can_be_ordered_for_every_card_that_it_undoes_and_a_u_turn_also_for_what_makes_a_turn_longer():
    orders = set(all_orders(PUCKS, four(), 0))
    undone = {
        card
        for kind, trigger, card in (order for order in orders if len(order) == 3)
        if (kind, trigger) == ("whistle", "plays")
    }
    ended = {
        card for kind, trigger, card in (order for order in orders if len(order) == 3) if (kind, trigger) == ("u-turn", "plays")
    }
    assert {"draw-2", "take-6", "shift", "net-off", "salvage"} < undone
    assert ended == undone | {"double", "extra"}
    assert undone.isdisjoint({"whistle", "u-turn", "double", "extra", "quick-draw", "sweep"})


def test_no_u_turn_is_ordered_for_a_win_which_it_would_not_hinder():
    assert not PUCKS.is_order(four(), 0, ("u-turn", "wins", "blue"))
    assert not PUCKS.order_choices(four(), 0, ("u-turn", "wins"))


def test_against_one_opponent_nobody_has_to_say_who_is_meant():
    assert [choice.token for choice in PUCKS.order_choices(two([]), 0, ("whistle", "scores"))] == ["blue"]
    left = PUCKS.withdraw(four(), 3).state
    assert [choice.token for choice in PUCKS.order_choices(left, 0, ("whistle", "scores"))] == ["anyone", "blue", "green"]


def test_orders_can_be_given_while_pieces_are_placed_but_not_without_cards_after_leaving_or_after_the_end():
    assert list(all_orders(PUCKS, PUCKS.start(2), 0))
    assert list(all_orders(PUCKS, PUCKS.start(2, "old-school"), 0)) == []
    assert list(all_orders(PUCKS, PUCKS.withdraw(four(), 3).state, 3)) == []
    over = PUCKS.withdraw(two([]), 1).state
    assert list(all_orders(PUCKS, over, 0)) == []


@pytest.mark.parametrize(("without", "kinds"), [
    ("mats", ["whistle", "u-turn", "pass"]),
    ("whistle", ["u-turn"]),
    ("u-turn", ["whistle", "pass"]),
    ("quick", []),
])  # fmt: skip
def test_cards_that_a_game_is_played_without_can_be_neither_ordered_nor_answered(without, kinds):
    state = PUCKS.start(2, without=without)
    assert [choice.token for choice in PUCKS.order_choices(state, 0)] == kinds
    answered = {order[2] for order in all_orders(PUCKS, state, 0) if order[1] == "plays"}
    assert answered <= {*state.deck, "double", "extra"}
    assert ("shift" in answered) == (without in {"whistle", "u-turn"})


def test_with_two_colours_a_piece_is_named_with_its_colour_first():
    state = PUCKS.start(2, colours="2")
    assert [choice.token for choice in PUCKS.order_choices(state, 0, ("whistle", "moves"))] == ["any", "red", "green"]
    assert PUCKS.is_order(state, 0, ("whistle", "moves", "green", "p1"))
    assert not PUCKS.is_order(state, 0, ("whistle", "moves", "blue", "p1"))
    assert not PUCKS.is_order(state, 0, ("whistle", "moves", "p1"))
    assert PUCKS.order_text(state, ("whistle", "moves", "green", "p1")) == "Whistle if anyone moves my green puck 1"
    assert [choice.token for choice in PUCKS.order_choices(state, 0, ("whistle", "scores"))] == ["blue"]


@pytest.mark.parametrize("order", [
    "", "whistle", "whistle scores", "whistle scores red", "whistle moves p5", "whistle moves any p1", "whistle plays whistle",
    "whistle plays shift c", "u-turn", "pass", "pass otherwise p1", "extra", "whistle moves blue p1",
])  # fmt: skip
def test_a_wrong_order_is_no_order(order):
    assert not PUCKS.is_order(two([]), 0, tuple(order.split()))


# --- what they say -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "text"), [
    ("whistle", "Whistle if …"),
    ("whistle wins", "Whistle if … wins"),
    ("whistle wins anyone", "Whistle if anyone else wins"),
    ("whistle wins blue", "Whistle if Blue wins"),
    ("whistle scores anyone", "Whistle if anyone else scores"),
    ("whistle scores blue", "Whistle if Blue scores"),
    ("whistle moves any", "Whistle if anyone moves a piece of mine"),
    ("whistle moves p1", "Whistle if anyone moves my puck 1"),
    ("whistle plays shift", "Whistle if anyone plays Board Shift"),
    ("u-turn scores green", "U-Turn if Green scores"),
    ("u-turn moves i2", "U-Turn if anyone moves my ice block 2"),
    ("u-turn plays double", "U-Turn if anyone plays Double Action"),
    ("pass otherwise", "Let a win stand unless another order stops it"),
    ("pass until-turn", "Let every win stand until my next turn"),
    ("whistle plays nonsense", "whistle plays nonsense"),
    ("whistle moves x9", "whistle moves x9"),
    ("whistle scores nobody", "whistle scores nobody"),
])  # fmt: skip
def test_an_order_in_words(order, text):
    assert PUCKS.order_text(four(), tuple(order.split())) == text


def test_every_order_has_words_of_its_own_on_the_way_and_in_the_end():
    orders = list(all_orders(PUCKS, four(), 0))
    assert len({PUCKS.order_text(four(), order) for order in orders}) == len(orders)
    for order in orders:
        assert all(isinstance(PUCKS.order_text(four(), order[:length]), Text) for length in range(1, 4))
        assert PUCKS.order_text(four(), order) != " ".join(order)
        assert PUCKS.is_order(four(), 0, order)


# --- what they answer: scoring -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["whistle scores red", "whistle scores anyone"])
def test_a_goal_is_whistled_and_the_order_is_used_up(order):
    assert answers(scoring([], ["whistle"]), "p4 up", 1, "u-turn plays shift", order) == (
        "play whistle",
        ["u-turn plays shift"],
    )


def test_a_goal_counts_for_the_owner_of_the_puck_whoever_brings_it_in():
    assert answers(scoring([], ["whistle"]), "p4 up", 1, "whistle scores green") == (None, ["whistle scores green"])
    assert answers(scoring([], ["whistle"]), "m1 down", 1, "whistle scores anyone") == (None, ["whistle scores anyone"])
    state = scoring([], [], ["whistle"], pieces={"red p4": "a10", "blue m1": "a14"}, to_move=1)
    assert answers(state, "blue: m1 up", 2, "whistle scores red")[0] == "play whistle"
    assert answers(state, "blue: m1 up", 2, "whistle scores blue")[0] is None
    own = scoring(["whistle"], pieces={"red p4": "a10", "blue m1": "a14"}, to_move=1)
    assert answers(own, "blue: m1 up", 0, "whistle scores anyone")[0] is None, "nobody whistles their own goal"
    state = PUCKS.withdraw(scoring([], [], ["whistle"], pieces={"red p4": "a10", "blue m1": "a14"}, to_move=1), 0).state
    assert answers(state, "blue: m1 up", 2, "whistle scores anyone")[0] is None


def test_an_order_answers_nobodys_own_action_and_waits_for_its_card():
    assert answers(scoring(["whistle"]), "p4 up", 0, "whistle scores anyone", "u-turn scores anyone")[0] is None
    assert answers(scoring([], ["swap"]), "p4 up", 1, "whistle scores red") == (None, ["whistle scores red"])


# --- what they answer: moves and cards ---------------------------------------------------------------------------------------


def bumping(*hands: list[str], **keys: Any) -> State:
    """Red’s meeple can bump Blue’s puck 1 to the right (`m1 right`), or go up."""
    usual: dict[str, Any] = {"pieces": {"red m1": "a5", "blue p1": "a6", "blue i1": "a16"}, "hands": [*hands, []][:2]}
    return drawn("", ["B B"], **{**usual, "action_rule": 2, **keys})


@pytest.mark.parametrize(("order", "played"), [("any", "play whistle"), ("p1", "play whistle"), ("i1", None), ("p2", None)])
def test_a_move_of_a_certain_piece_is_whistled(order, played):
    assert answers(bumping([], ["whistle"]), "m1 right", 1, f"whistle moves {order}")[0] == played


def test_a_piece_that_is_left_alone_needs_no_whistle():
    assert answers(bumping([], ["whistle"]), "m1 up", 1, "whistle moves any")[0] is None


@pytest.mark.parametrize(("order", "played"), [("yellow p1", "play whistle"), ("blue p1", None), ("any", "play whistle")])
def test_with_two_colours_a_piece_is_that_of_its_colour(order, played):
    state = bumping([], ["whistle"], colours=2, pieces={"red m1": "a5", "yellow p1": "a6", "blue p1": "b16"})
    assert answers(state, "red m1 right", 1, f"whistle moves {order}")[0] == played


@pytest.mark.parametrize("colour", ["blue", "yellow"])
def test_with_two_colours_a_player_scores_with_either(colour):
    pieces = {"green p1": "b1", "red m1": "a5", f"{colour} p1": "a6"}
    state = drawn("", ["B Gw"], colours=2, seats=3, hands=[[], [], ["whistle"]], action_rule=2, pieces=pieces)
    owner = {"blue": "blue", "yellow": "red"}[colour]
    assert answers(state, "red m1 right", 2, f"whistle scores {owner}")[0] == "play whistle"


def test_what_scores_for_oneself_is_not_whistled_as_a_move():
    state = drawn("", ["B Ge"], pieces={"red m1": "a5", "blue p1": "a6", "blue i1": "a16"}, hands=[[], ["whistle"]])
    east = drawn("", ["B Gw"], pieces={"red m1": "a5", "blue p1": "a6", "blue i1": "a16"}, hands=[[], ["whistle"]])
    assert PUCKS.position(play(east, "m1 right"))["scored"] == ["blue p1"]
    assert answers(east, "m1 right", 1, "whistle moves any", "whistle moves p1")[0] is None
    assert answers(state, "m1 right", 1, "whistle moves p1")[0] == "play whistle"


def test_a_piece_that_a_card_moves_or_brings_back_has_moved_but_not_one_that_its_mat_carries():
    facing_off = bumping(["faceoff"], ["whistle"], pieces={"red p1": "a1", "blue p1": "a6"})
    assert answers(facing_off, "play faceoff red p1 blue p1", 1, "whistle moves p1")[0] == "play whistle"
    twisting = bumping(["twist"], ["whistle"])
    assert answers(twisting, "play twist a 90", 1, "whistle moves any")[0] is None
    assert answers(twisting, "play twist a 90", 1, "whistle plays twist")[0] == "play whistle"
    state = bumping(["review"], ["whistle"], scored=["blue p2"])
    assert answers(state, "play review blue b1", 1, "whistle moves p2")[0] == "play whistle"


@pytest.mark.parametrize(("played", "order", "answer"), [
    ("take-6", "whistle plays take-6", "play whistle"),
    ("take-6", "u-turn plays take-6", "play u-turn"),
    ("take-6", "whistle plays take-5", None),
    ("double", "u-turn plays double", "play u-turn"),
    ("extra", "u-turn plays extra", "play u-turn"),
    ("extra", "u-turn plays double", None),
    ("quick-draw", "u-turn plays extra", None),
    ("salvage shift", "whistle plays salvage", "play whistle"),
])  # fmt: skip
def test_a_card_is_answered(played, order, answer):
    state = bumping([played.split()[0]], ["whistle", "u-turn"], discard=["shift"], draw_pile=["swap", "twist", "mix"])
    assert answers(state, f"play {played}", 1, order)[0] == answer


@pytest.mark.parametrize("card", ["double", "extra"])
def test_a_card_that_is_discarded_is_not_played(card):
    state = bumping(phase="discard", hands=[[card] * 8, ["u-turn"]])
    assert answers(state, f"discard {card}", 1, f"u-turn plays {card}") == (None, [f"u-turn plays {card}"])


def test_a_card_of_ones_own_is_not_answered():
    assert answers(bumping(["extra", "u-turn"]), "play extra", 0, "u-turn plays extra")[0] is None


# --- which one -------------------------------------------------------------------------------------------------------------


def test_a_whistle_goes_before_a_u_turn():
    orders = ["u-turn scores red", "whistle scores red"]
    assert answers(scoring([], ["u-turn", "whistle"]), "p4 up", 1, *orders) == ("play whistle", ["u-turn scores red"])
    assert answers(scoring([], ["u-turn"]), "p4 up", 1, *orders) == ("play u-turn", ["whistle scores red"])


def test_what_was_there_before_is_not_answered_when_something_else_happens():
    state = play(scoring([], ["whistle"], ["quick-draw"], draw_pile=["swap", "twist", "mix"]), "p4 up")
    assert answers(state, "green: play quick-draw", 1, "whistle scores red") == (None, ["whistle scores red"])
    assert answers(state, "red: m1 down", 1, "whistle scores red")[0] is None


def test_a_whistle_still_answers_what_somebody_elses_order_has_answered():
    state = scoring([], ["whistle", "u-turn"], ["u-turn"])
    orders = ["u-turn scores red", "whistle scores red"]
    assert answers(state, "green: play u-turn", 1, *orders, origin="p4 up") == ("play whistle", ["u-turn scores red"])
    assert answers(state, "green: play u-turn", 1, "u-turn scores red", origin="p4 up")[0] is None, "the turn is over"


def test_a_whistle_answers_neither_what_was_played_before_it_was_ordered_nor_what_has_been_whistled():
    after = play(scoring(["extra"], ["whistle", "u-turn"], ["u-turn"]), "p4 up")
    assert answers(after, "green: play u-turn", 1, "whistle scores red", origin="red: play extra")[0] is None
    state = scoring([], ["whistle"], ["whistle"])
    assert answers(state, "green: play whistle", 1, "whistle scores red", origin="p4 up")[0] is None


def test_a_u_turn_waits_for_connected_mats_and_the_last_action_is_answered_before_the_next_draw():
    state = drawn("", ["B B B"], hands=[["shift", "shift"], ["u-turn"]], action_rule=2, pieces={"red p1": "a1"})
    assert answers(state, "play shift b north-of a", 1, "u-turn plays shift") == (None, ["u-turn plays shift"])
    state = scoring([], [], ["whistle", "u-turn"], action_rule=1)
    assert answers(state, "p4 up", 2, "whistle scores red")[0] == "play whistle"
    assert answers(state, "p4 up", 2, "u-turn scores red")[0] == "play u-turn"


# --- wins --------------------------------------------------------------------------------------------------------------------


def winning(*hands: list[str], **keys: Any) -> State:
    return scoring(*hands, scored=ALMOST, **keys)


@pytest.mark.parametrize("order", ["whistle wins red", "whistle wins anyone", "whistle scores red"])
def test_a_win_is_whistled(order):
    assert answers(winning([], ["whistle"], ["swap"]), "p4 up", 1, OTHERWISE, order) == ("play whistle", [OTHERWISE])


def test_a_goal_that_wins_nothing_is_no_win():
    assert answers(scoring([], ["whistle"]), "p4 up", 1, "whistle wins anyone")[0] is None


@pytest.mark.parametrize("order", [OTHERWISE, UNTIL])
@pytest.mark.parametrize("hand", [["whistle"], ["swap"]])
def test_a_win_is_let_stand_whatever_is_held(order, hand):
    state = winning([], hand, ["whistle"])
    assert answers(state, "p4 up", 1, order) == ("pass", [order])
    assert answers(state, "p4 up", 1, order, "whistle wins green")[0] == "pass"


def test_passing_otherwise_comes_after_an_order_that_answers_the_win_and_until_the_next_turn_before():
    state = winning([], ["whistle"], ["swap"])
    assert answers(state, "p4 up", 1, OTHERWISE, "whistle wins red")[0] == "play whistle"
    assert answers(state, "p4 up", 1, "whistle wins red", UNTIL) == ("pass", ["whistle wins red", UNTIL])


def test_whoever_lets_wins_stand_until_the_next_turn_does_not_whistle_one_once_others_let_it_stand_too():
    won = happened(winning([], ["whistle"], ["swap"], ["swap"], seats=4), "p4 up")
    state = play(won.step.state, "blue: pass")
    let = Happened(2, ("pass",), state, PUCKS.play(state, 2, ("pass",)), won)
    orders = ("whistle", "wins", "red"), ("pass", "until-turn")
    assert PUCKS.respond(let, 1, orders).action is None
    assert PUCKS.respond(let, 1, orders[:1]).action == ("play", "whistle")


def test_only_a_seat_that_is_asked_about_a_win_passes():
    assert answers(scoring([], ["whistle"]), "p4 up", 1, UNTIL, "whistle scores red")[0] == "play whistle"
    state = winning(["swap"], [], ["whistle"])
    assert answers(state, "p4 up", 0, OTHERWISE)[0] is None, "it is Red who wins"
    passed = play(winning([], ["swap"], ["whistle"]), "p4 up", "blue: pass")
    assert answers(passed, "green: play whistle", 1, OTHERWISE)[0] is None


def test_a_win_that_another_order_has_let_stand_is_whistled_all_the_same():
    before = winning([], ["swap"], ["whistle"])
    state = play(before, "p4 up")
    assert answers(before, "blue: pass", 2, "whistle wins red", origin="p4 up")[0] == "play whistle"
    assert answers(state, "blue: pass", 2, "whistle wins red")[0] is None, "blue has passed without an order"
    assert answers(state, "blue: pass", 2, OTHERWISE)[0] == "pass"


def test_no_order_undoes_its_owners_win_and_no_u_turn_is_wasted_on_a_win():
    pieces = {"red p4": "a10", "blue m1": "a14"}
    state = winning(["whistle"], [], ["whistle"], pieces=pieces, to_move=1)
    assert answers(state, "blue: m1 up", 0, "whistle moves any", "whistle scores anyone", "whistle moves p4")[0] is None
    assert answers(winning([], ["u-turn"], ["swap"]), "p4 up", 1, "u-turn scores red") == (None, ["u-turn scores red"])


def test_until_the_next_turn_ends_when_its_player_draws():
    state = play(scoring([], ["swap"], action_rule=1, draw_pile=["swap"] * 4), "m1 down")
    assert answers(state, "blue: draw", 1, UNTIL, OTHERWISE) == (None, [OTHERWISE])
    assert answers(state, "blue: draw", 2, UNTIL) == (None, [UNTIL])
    assert answers(scoring(), "m1 down", 0, UNTIL) == (None, [UNTIL]), "a turn that has begun already is not the next one"


def test_when_a_winner_leaves_whoever_is_asked_about_the_next_one_answers_by_order():
    waiting = play(winning([], [], ["swap"], ["whistle"], seats=4), "p4 up")
    both = replace(waiting, winning=(0, 1))
    left = Happened(0, (), both, PUCKS.withdraw(both, 0))
    assert left.step.state.winning == (1,)
    assert PUCKS.respond(left, 2, [("pass", "otherwise")]).action == ("pass",)
    assert PUCKS.respond(left, 1, [("pass", "otherwise")]).action is None
    assert PUCKS.respond(left, 0, [("pass", "otherwise")]).action is None


# --- giving them -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("orders", "played"), [
    ([UNTIL], ("pass",)),
    ([OTHERWISE], ("pass",)),
    (["whistle wins green", OTHERWISE], ("pass",)),
    (["whistle wins red", OTHERWISE], None),
    (["whistle scores anyone", OTHERWISE, UNTIL], ("pass",)),
    (["whistle wins red"], None),
])  # fmt: skip
@pytest.mark.parametrize("hand", [["whistle"], ["swap"]])
def test_a_seat_that_is_asked_about_a_win_passes_by_order_unless_the_win_is_to_be_whistled(orders, played, hand):
    state = play(winning([], hand, ["whistle"]), "p4 up")
    assert PUCKS.at_once(state, 1, [tuple(order.split()) for order in orders]) == played


def test_a_seat_that_is_asked_nothing_plays_nothing_by_order():
    waiting = play(winning([], ["swap"], ["whistle"]), "p4 up")
    assert PUCKS.at_once(waiting, 0, [("pass", "until-turn")]) is None
    assert PUCKS.at_once(play(waiting, "blue: pass"), 1, [("pass", "until-turn")]) is None
    assert PUCKS.at_once(scoring(), 1, [("pass", "until-turn")]) is None


def test_passing_until_the_next_turn_is_offered_by_itself_to_whoever_waits():
    state = play(winning([], ["swap"], ["whistle"]), "m1 down")
    assert [bool(PUCKS.order_shortcuts(state, seat)) for seat in range(3)] == [False, True, True]
    waiting = play(winning([], ["swap"], ["whistle"]), "p4 up")
    (offered,) = PUCKS.order_shortcuts(waiting, 1)
    assert (offered.action, offered.label) == (("pass", "until-turn"), "Pass until my turn")
    assert PUCKS.is_order(waiting, 1, offered.action)
    assert PUCKS.order_shortcuts(PUCKS.start(2, "old-school"), 1) == ()


@pytest.mark.parametrize(("direction", "asked"), [(1, [2, 3, 0, 1]), (-1, [0, 3, 2, 1])])
def test_seats_answer_in_the_order_of_play(direction, asked):
    assert list(PUCKS.asked_in_turn(happened(four(direction=direction), "blue: m1 up"), [2, 3, 0, 1])) == asked


# --- what others can learn ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
@settings(deadline=None)
def test_what_is_ordered_and_what_becomes_of_it_depends_on_no_hand_unless_a_card_is_played(seed, seats):
    dice = random.Random(seed)
    state = PUCKS.start(seats, chance=Fair(seed.to_bytes(32, "big")), setup="random")
    last: Happened[State] | None = None
    for number in range(dice.randrange(80)):
        if PUCKS.outcome(state) is not None:
            return
        seat = dice.choice(PUCKS.may_act(state))
        before, action = state, random_action(PUCKS, state, seat, dice)
        step = PUCKS.play(state, seat, action)
        state = step.state
        last = Happened(seat, action, before, step, last if dice.random() < 0.3 else None)
        if number % 4 == 0:
            assert_alike(dice, last)


@given(seed=st.integers(0, 2**32))
@settings(deadline=None)
@pytest.mark.slow
def test_what_is_answered_to_a_win_that_waits_depends_on_no_hand_unless_it_is_whistled(seed):
    dice = random.Random(seed)
    cards = dice.sample(sorted(DECK.elements()), 30)
    hands = [cards[:2], cards[2:5], cards[5:8], cards[8:9]]
    state = winning(*hands, seats=4, draw_pile=cards[9:])
    won = happened(state, "p4 up")
    passing = next(iter(PUCKS.to_act(won.step.state)))
    step = PUCKS.play(won.step.state, passing, ("pass",))
    assert_alike(dice, dice.choice([won, Happened(passing, ("pass",), won.step.state, step, won)]))


def assert_alike(dice: random.Random, here: Happened[State]) -> None:
    """For every seat: the same orders whatever is held, and the same answer to them unless a held card is played."""
    state = here.step.state
    other = PUCKS.resample(state, None, Fair(dice.randbytes(32)))
    there = Happened(here.seat, here.action, here.before, Step(other, here.step.events), here.origin)
    for seat in range(state.seats):
        orders = list(all_orders(PUCKS, state, seat))
        assert list(all_orders(PUCKS, other, seat)) == orders
        assert [PUCKS.order_text(other, order) for order in orders] == [PUCKS.order_text(state, order) for order in orders]
        given = dice.sample(orders, min(len(orders), 12))
        assert PUCKS.order_shortcuts(other, seat) == PUCKS.order_shortcuts(state, seat)
        assert PUCKS.at_once(other, seat, given) == PUCKS.at_once(state, seat, given)
        made = PUCKS.respond(here, seat, given), PUCKS.respond(there, seat, given)
        cards = [response.action[1] if response.action and response.action[0] == "play" else None for response in made]
        assert cards[0] != cards[1] or made[0] == made[1]
        for card, hands in zip(cards, (state.hands, other.hands), strict=True):
            assert card is None or card in hands[seat]
        if cards[0] != cards[1]:
            held = [{card for card in cards if card in hands[seat]} for hands in (state.hands, other.hands)]
            assert held[0] != held[1]
