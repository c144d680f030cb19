"""A house rule: everybody plays two colours with one hand of cards. Two players have red and green, blue and yellow."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chance import UNSEEDED, Fair
from engines.game import Action, normal_options
from engines.orders import Happened
from engines.pucks.board.board import start_mats
from engines.pucks.board.box import box
from engines.pucks.board.motion import BESIDE
from engines.pucks.board.pieces import COLOURS, Owners
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.text import Text
from engines.values import replace
from tests.engines.pucks.drawing import PUCKS, all_cards, by_name, drawn, legal, offered, play, scored, told
from tests.engines.pucks.test_games import (
    assert_nobody_sees_more_than_they_may,
    assert_nothing_is_lost,
    random_action,
    random_states,
)

FOUR = ["B K Gs B", "Ge K B k", "k' B K' Gw", "B Gn K' B"]
EIGHT = [f"{colour} p{n}" for colour in ("red", "green") for n in range(1, 5)]


def started(seats: int = 2, variant: str = "standard", **options: str) -> State:
    return PUCKS.start(seats, variant, Fair(bytes(32)), colours="2", **options)


def doubled(drawing: str = "", mats: list[str] | None = None, **keys: Any) -> State:
    """Two players with two colours each, Red (with Green) to act with three actions."""
    return drawn(drawing, mats, **{"colours": 2, "action_rule": 3, "hands": [["extra"], ["extra"]], **keys})


def why_not(state: State, action: str, seat: int = 0) -> str:
    tokens = tuple(action.split())
    with pytest.raises(ValueError) as wrong:
        PUCKS.play(state, seat, tokens)
    told = wrong.value.args[0]
    assert isinstance(told, Text)
    return str(told)


# --- who has what ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "colours"), [
    (2, [("red", "green"), ("blue", "yellow")]),
    (3, [("red", "yellow"), ("blue", "purple"), ("green", "orange")]),
])  # fmt: skip
def test_each_player_has_the_colour_of_the_seat_and_the_one_so_many_further_on(seats, colours):
    state = started(seats)
    assert [tuple(COLOURS[colour] for colour in state.owners.colours_of(seat)) for seat in range(seats)] == colours
    assert [PUCKS.view(state).colours_of(seat) for seat in range(seats)] == [(n, n + seats) for n in range(seats)]
    for seat in range(seats):
        own = Counter((state.pieces[index].shade, state.pieces[index].kind.value) for index in state.pieces_of(seat))
        assert own == {(c, kind): n for c in colours[seat] for kind, n in (("puck", 4), ("meeple", 2), ("ice", 2))}


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_only_two_or_three_can_have_two_colours(seats):
    with pytest.raises(ValueError, match=f"Only two or three players can have two colours each, not {seats}"):
        started(seats)


@pytest.mark.parametrize("variant", ["standard", "old-school"])
@pytest.mark.parametrize("seats", [2, 3])
def test_the_layout_goes_by_the_colours_and_the_hand_by_the_players(seats, variant):
    state = started(seats, variant, setup="random")
    assert state.table.mats == start_mats(2 * seats, variant)
    assert len(state.table.mats) == 16
    assert state.hand_limit == box().layout(seats).hand_limit == 7
    assert [len(hand) for hand in state.hands] == [5 if variant == "standard" else 0] * seats
    assert BESIDE not in state.table.places


def test_a_game_with_one_colour_each_is_the_usual_one_and_two_are_a_house_rule():
    plain, said = (PUCKS.start(2, "standard", Fair(bytes(32)), **options) for options in ({}, {"colours": "1"}))
    assert plain == said
    assert "colours" not in PUCKS.position(plain)
    assert len(plain.table.mats) == 9
    assert PUCKS.house_rules(normal_options(PUCKS, "standard", 2, {"colours": "2"})) == ("colours",)
    assert PUCKS.house_rules(normal_options(PUCKS, "standard", 2, {"colours": "1", "setup": "random"})) == ()


# --- placing --------------------------------------------------------------------------------------------------------------


def test_a_piece_is_placed_by_its_colour_and_its_word():
    state = started()
    assert offered(state, "red: place") == ["red", "green"]
    assert offered(state, "red: place green") == ["m1", "m2", "i1", "i2", "p1", "p2", "p3", "p4"]
    after = play(state, "place red p1 a1", "place yellow p1 a4", "place green p1 a13")
    assert by_name(after) == {"red p1": "a1", "yellow p1": "a4", "green p1": "a13"}
    assert told(state, "place green m2 a6") == ["Red places green meeple 2 on a6."]


def test_one_piece_at_a_time_of_either_colour_is_placed_until_all_are():
    state, dice = started(), random.Random(4)
    placed = []
    while state.phase is Phase.PLACE:
        (seat,) = PUCKS.to_act(state)
        action = random_action(state, seat, dice)
        while action == ("auto",):
            action = random_action(state, seat, dice)
        placed.append((seat, action[1]))
        state = PUCKS.play(state, seat, action).state
    assert [seat for seat, _ in placed] == [0, 1] * 16
    assert Counter(placed) == {(0, "red"): 8, (0, "green"): 8, (1, "blue"): 8, (1, "yellow"): 8}


def test_auto_places_both_colours_at_random_as_the_turns_come():
    after = play(started(), "red: auto")
    assert len(by_name(after)) == 1
    own = [name for name in by_name(play(after, "blue: auto")) if name.startswith(("red", "green"))]
    assert len(own) == 16


@pytest.mark.parametrize(("action", "why"), [
    ("place p1 a1", "Say which colour first: red p1 or green p1."),
    ("place p9 a1", "There’s no piece called p9."),
    ("place blue p1 a1", "Those are Blue’s pieces."),
    ("place red p1 a2", "a2 isn’t a start space for pucks."),
    ("place red p1 a4", "a4 is taken."),
    ("place green p1 a1", "You’ve already placed green puck 1."),
    ("green p1 up", "All pieces have to be placed first."),
])  # fmt: skip
def test_why_a_piece_cannot_be_placed_like_that(action, why):
    assert why in why_not(play(started(), "place green p1 a1", "place blue p1 a4"), action)


def test_why_no_piece_of_a_colour_is_left_to_be_placed():
    state = doubled("", FOUR, phase="place", scored=[name for name in EIGHT if name.startswith("red")],
                    pieces={"red m1": "a6", "red m2": "a7", "red i1": "b1", "red i2": "b4"})  # fmt: skip
    assert "All red pieces are already placed." in why_not(state, "place red p1 a1")


# --- moving ---------------------------------------------------------------------------------------------------------------

LINE = "rp1 . . gp1 . . bp1 yp1\nrm1 . . . . . . ."


def test_a_players_own_piece_is_moved_by_its_colour_and_its_word():
    state = doubled(LINE)
    assert offered(state)[:2] == ["red", "green"]
    assert legal(state, "red p1 right")
    assert legal(state, "green p1 right")
    assert told(state, "red p1 right") == ["Red slides red puck 1 right, bumping green puck 1 against Blue’s blue puck 1."]
    assert told(state, "red m1 down") == ["Red moves red meeple 1 down on mat a."]
    after = play(state, "green p1 left", "red m1 right")
    assert by_name(after) == by_name(state) | {"green p1": "a2", "red m1": "a6"}


def test_another_players_piece_is_named_with_its_owner_and_its_colour():
    step = PUCKS.play(doubled("rp1 . . yp1 . ."), 0, ("red", "p1", "right"))
    assert [str(event.text) for event in step.events] == [
        "Red slides red puck 1 right, bumping Blue’s yellow puck 1 to the edge of mat b."
    ]


def test_no_piece_is_moved_without_a_colour_that_is_in_the_game():
    state = doubled(LINE)
    assert not legal(state, "p1 right")
    assert "Say which colour first: red p1 or green p1." in why_not(state, "p1 right")
    assert "There’s no piece called p9." in why_not(state, "p9 right")
    assert "purple" not in offered(doubled(LINE))
    assert not legal(doubled(LINE), "purple p1 up")


@pytest.mark.parametrize(("action", "why"), [
    ("blue p1 left", "You haven’t borrowed Blue’s pieces."),
    ("yellow p1 left", "You haven’t borrowed Blue’s pieces."),
    ("red m2 up", "You can’t move red meeple 2: it isn’t on the board."),
    ("green p2 up", "You can’t move green puck 2: it’s scored."),
    ("red p1 left", "The board ends at a1."),
])  # fmt: skip
def test_why_a_piece_cannot_be_moved(action, why):
    assert why in why_not(doubled(LINE, scored=["green p2"]), action)


def test_why_no_piece_of_a_colour_can_be_moved():
    state = doubled("rm1 gm1 .\ngm2 gi1 .", scored=EIGHT[:4])
    assert offered(state)[:2] == ["green", "play"]
    assert "None of the red pieces can move." in why_not(state, "red m1 up")


def test_pieces_of_both_colours_count_for_whether_there_is_a_move():
    """Red's first colour stands walled in, so the turn goes on for the green piece alone."""
    state = doubled("rm1 bm1 .\nbm2 . gm1", hands=[[], []])
    assert PUCKS.to_act(state) == (0,)
    assert "green" in offered(state)


def test_a_move_straight_back_is_illegal_across_the_colours_too():
    state = play(doubled("rm1 . . gm1"), "red m1 right")
    assert not legal(state, "red m1 left")
    assert legal(play(state, "green m1 left"), "red m1 left")


# --- cards ----------------------------------------------------------------------------------------------------------------


def with_card(card: str, **keys: Any) -> State:
    second = "purple p1" if keys.get("seats") == 3 else "yellow p1"
    usual = {"pieces": {"red p1": "a1", "green p1": "a4", "blue p1": "d1", second: "d4"}}
    return doubled("", FOUR, **{**usual, "hands": [[card, "extra"], ["whistle", "extra"]], **keys})


@pytest.mark.parametrize("colour", ["blue", "yellow"])
def test_borrow_takes_either_colour_of_a_player_and_lends_both(colour):
    state = with_card("borrow")
    assert offered(state, "red: play borrow") == ["blue", "yellow"]
    labels = [str(choice.label) for choice in PUCKS.choices(state, 0, ("play", "borrow"))]
    assert labels == ["Blue’s pieces, blue and yellow", "Blue’s pieces, yellow and blue"]
    after = play(state, f"play borrow {colour}")
    assert told(state, f"play borrow {colour}")[1] == "Red may move Blue’s pieces too this turn."
    assert offered(after)[:4] == ["red", "green", "blue", "yellow"]
    assert legal(after, "blue p1 down")
    assert legal(after, "yellow p1 down")
    assert PUCKS.position(after)["borrowed"] == "blue"


def test_nobody_borrows_their_own_colours_or_from_the_same_player_by_the_other_colour():
    three = with_card("borrow", seats=3, hands=[["borrow", "borrow"], ["extra"], ["extra"]])
    assert offered(three, "red: play borrow") == ["blue", "purple", "green", "orange"]
    after = play(three, "play borrow blue")
    assert offered(after, "red: play borrow") == ["green", "orange"]
    assert "You’ve already borrowed Blue’s pieces." in why_not(after, "play borrow purple")
    assert "Those pieces are already yours." in why_not(with_card("borrow"), "play borrow green")


def test_borrowed_pieces_and_whistled_moves_go_back_in_both_colours():
    after = play(with_card("borrow", action_rule=2), "play borrow yellow", "blue p1 down", "end", "blue: draw")
    assert after.table.borrowed == ()
    assert not legal(after, "blue: red p1 down")
    state = with_card("slush")
    after = play(play(state, "green p1 down"), "blue: play whistle")
    assert by_name(after) == by_name(state)


def test_faceoff_swaps_any_two_pucks_even_two_of_one_player():
    state = with_card("faceoff")
    assert offered(state, "red: play faceoff") == ["red", "blue", "green", "yellow"]
    after = play(state, "play faceoff red p1 green p1")
    assert (by_name(after)["red p1"], by_name(after)["green p1"]) == ("a4", "a1")
    assert told(state, "play faceoff green p1 yellow p1")[1] == "Red swaps green puck 1 with Blue’s yellow puck 1."
    assert "There’s no other red puck on the board." in why_not(state, "play faceoff red p1 red p1")
    lonely = with_card("faceoff", pieces={"red p1": "a1", "blue p1": "d1"})
    assert "There’s no green puck on the board." in why_not(lonely, "play faceoff green p1 blue p1")


def test_review_names_the_colour_of_the_puck_that_comes_back():
    state = with_card("review", scored=["yellow p3", "green p3"])
    assert offered(state, "red: play review") == ["yellow"]
    after = play(state, "play review yellow a13")
    assert scored(after) == ["green p3"]
    assert by_name(after)["yellow p3"] == "a13"
    assert told(state, "play review yellow a13")[1] == "Red puts Blue’s yellow puck 3 back on a13."
    assert "Only an opponent’s puck can come back." in why_not(state, "play review green a13")
    assert "No blue puck has been scored." in why_not(state, "play review blue a13")


# --- winning --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "needed"), [("standard", 8), ("old-school", 4)])
def test_all_pucks_of_both_colours_win(variant, needed):
    pucks = [f"{colour} p{n}" for colour in ("red", "green") for n in range(1, needed // 2 + 1)]
    last = pucks[-1]
    rest: dict[str, Any] = {"hands": [["extra"], []]} if variant == "standard" else {"hands": []}
    state = doubled("", ["Gs B"], variant=variant, pieces={last: "a14", "blue i1": "b6"}, scored=pucks[:-1], **rest)
    assert PUCKS.outcome(state) is None
    assert PUCKS.view(state).scores == (f"{needed - 1} of {needed}", f"0 of {needed}")
    step = PUCKS.play(state, 0, (*last.split(), "up"))
    outcome = PUCKS.outcome(step.state)
    assert outcome is not None
    assert outcome.winners == (0,)
    assert str(outcome.reason) == f"All {needed} pucks are in!"
    assert f"Red scores {last.replace(' p', ' puck ')}: {needed} of {needed}." in [str(event.text) for event in step.events]


@pytest.mark.parametrize("gone", [["red p1", "red p2", "red p3"], ["red p1", "green p1", "green p2"], EIGHT[4:7]])
def test_fewer_pucks_to_win_are_twice_as_many_of_whichever_colours(gone):
    assert PUCKS.start(3, "standard", UNSEEDED, **{"colours": "2", "to-win": "2"}).needed == 4
    state = doubled("", ["Gs B"], to_win=2, pieces={"red p4": "a14", "blue i1": "b6"}, scored=gone, hands=[["extra"], []])
    assert PUCKS.outcome(state) is None
    assert PUCKS.view(state).scores == ("3 of 4", "0 of 4")
    outcome = PUCKS.outcome(play(state, "red p4 up"))
    assert outcome is not None
    assert outcome.winners == (0,)


def test_a_win_with_both_colours_waits_for_whoever_holds_a_card():
    state = doubled("", ["Gs B"], pieces={"green p4": "a14", "blue i1": "b6"}, scored=EIGHT[:-1], hands=[[], ["swap"]])
    waiting = play(state, "green p4 up")
    assert PUCKS.to_act(waiting) == (1,)
    assert "Red wins unless somebody whistles." in told(state, "green p4 up")
    outcome = PUCKS.outcome(play(waiting, "blue: pass"))
    assert outcome is not None
    assert outcome.winners == (0,)


@pytest.mark.parametrize(("order", "action", "fires"), [
    ("whistle scores red", "green p4 up", True),
    ("whistle moves yellow i1", "red m1 right", True),
    ("whistle moves blue i1", "red m1 right", False),
    ("whistle moves any", "red m1 right", True),
])  # fmt: skip
def test_standing_orders_know_both_colours(order, action, fires):
    pieces = {"green p4": "a14", "red m1": "b5", "yellow i1": "b6", "blue i1": "b13"}
    state = doubled("", ["Gs B"], pieces=pieces, hands=[["extra"], ["whistle"]])
    tokens = tuple(order.split())
    assert PUCKS.is_order(state, 1, tokens)
    step = PUCKS.play(state, 0, tuple(action.split()))
    response = PUCKS.respond(Happened(0, tuple(action.split()), state, step), 1, (tokens,))
    assert response.action == (("play", "whistle") if fires else None)


def test_a_puck_counts_for_the_player_of_its_colour_whoever_moved_it():
    state = doubled("", ["Gs B"], pieces={"yellow p2": "a10", "red m1": "a14", "blue m1": "b1"})
    assert "Red scores Blue’s yellow puck 2: 1 of 8 for Blue." in told(state, "red m1 up")
    assert PUCKS.view(play(state, "red m1 up")).scores == ("0 of 8", "1 of 8")


# --- leaving, words, positions --------------------------------------------------------------------------------------------


def test_whoever_leaves_leaves_both_colours_behind_as_nobodys():
    state = PUCKS.withdraw(started(3, setup="random"), 1).state
    state = play(state, "red: draw")
    left = [name for name in by_name(state) if name.startswith(("blue", "purple"))]
    assert len(left) == 16
    assert {"blue", "purple"}.isdisjoint(offered(state))


def test_the_board_in_words_says_whose_colours_are_whose():
    state = doubled(LINE, scored=["green p2", "red p4"])
    words = str(PUCKS.describe(replace(PUCKS.view(state), beside=())))
    assert "Red (red and green): 2 of 8 scored, 1 card. Red: Pucks: 1 a1. Meeples: 1 a5. Green: Pucks: 1 a4." in words
    assert "Blue (blue and yellow): 0 of 8 scored, 1 card. Blue: Pucks: 1 b3. Yellow: Pucks: 1 b4." in words


@pytest.mark.parametrize(("prefix", "asked"), [
    ("place", "Which colour do you place?"),
    ("place red", "Which piece do you place?"),
    ("place red p1", "Where does red puck 1 go?"),
])  # fmt: skip
def test_the_questions_while_placing(prefix, asked):
    assert str(PUCKS.prompt(started(), 0, tuple(prefix.split()))) == asked


@pytest.mark.parametrize(("prefix", "asked"), [
    ("green", "Which green piece?"),
    ("green p1", "Which way does green puck 1 go?"),
    ("play faceoff green", "Which green puck?"),
    ("play faceoff green p1", "Whose puck do you swap green puck 1 with?"),
    ("play review", "Whose puck comes back?"),
])  # fmt: skip
def test_the_questions_while_moving(prefix, asked):
    assert str(PUCKS.prompt(with_card("faceoff"), 0, tuple(prefix.split()))) == asked


def test_the_colours_of_a_player_are_offered_first_and_then_the_pieces():
    state = PUCKS.withdraw(started(3, setup="random"), 2).state
    state = play(state, "red: draw")
    assert [str(choice.label) for choice in PUCKS.choices(state, 0)][:2] == ["Your red pieces", "Your yellow pieces"]
    assert len(PUCKS.choices(state, 0)) < 8


def test_a_position_has_full_names_and_says_that_there_are_two_colours():
    position = PUCKS.position(doubled(LINE))
    assert position["colours"] == 2
    assert position["pieces"] == {"red m1": "a5", "red p1": "a1", "green p1": "a4", "blue p1": "b3", "yellow p1": "b4"}
    assert PUCKS.from_position(position) == doubled(LINE)


@pytest.mark.parametrize(("written", "seats", "read"), [("yellow", 2, "blue"), (["purple", "green"], 3, ["blue", "green"])])
def test_a_position_may_name_a_lender_by_either_colour(written, seats, read):
    state = doubled(LINE, seats=seats, borrowed=written, hands=[["extra"]] * seats)
    assert PUCKS.position(state)["borrowed"] == read


@pytest.mark.parametrize(("keys", "why"), [
    ({"colours": 3}, "colours must be a whole number from 1 to 2, not 3"),
    ({"colours": 2, "seats": 4, "hands": [[]] * 4}, "colours must be a whole number from 1 to 1, not 2"),
    ({"borrowed": ["blue", "yellow"]}, "borrowed must be null, one of red, blue, green, yellow"),
    ({"borrowed": "purple"}, "borrowed must be null"),
    ({"pieces": {"purple p1": "a1"}}, "there is no 'purple p1' in this game"),
])  # fmt: skip
def test_a_wrong_position_says_what_is_wrong(keys, why):
    with pytest.raises(ValueError, match=why):
        doubled(LINE, **keys)


# --- whole games ----------------------------------------------------------------------------------------------------------

players = st.sampled_from([2, 3])
variants = st.sampled_from(["standard", "standard", "old-school"])


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(players, variants, st.integers(0, 10**9))
def test_no_piece_and_no_card_is_ever_lost_and_every_position_is_read_back(seats, variant, seed):
    for number, (state, _) in enumerate(random_states(seats, variant, seed, 150, colours="2")):
        assert_nothing_is_lost(state)
        assert state.owners == Owners(seats, 2)
        if number % 10 == 0:
            assert PUCKS.from_position(PUCKS.position(state)) == state


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(players, st.integers(0, 10**9))
def test_hands_are_never_seen_by_others(seats, seed):
    for number, (state, dice) in enumerate(random_states(seats, "standard", seed, 120, colours="2")):
        if number % 8 == 0 or not state.whole or state.winning:
            assert_nobody_sees_more_than_they_may(state, dice)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(players, variants, st.integers(0, 10**9))
def test_no_choice_is_longer_than_a_menu(seats, variant, seed):
    """Nobody has to pick from more than 25 tokens except spaces, whose mat is asked for first."""
    for state, dice in random_states(seats, variant, seed, 60, colours="2"):
        seat = dice.choice(PUCKS.may_act(state) or (0,))
        action: Action = ()
        while choices := PUCKS.choices(state, seat, action):
            regions = {PUCKS.region(choice.token) or choice.token for choice in choices}
            assert len(regions) <= 25
            action = (*action, dice.choice(choices).token)


def with_scored(state: State, number: int) -> State:
    """The same with so many pucks of each colour scored: random players would take very long."""
    position = PUCKS.position(state, secret=True)
    gone = [f"{COLOURS[colour]} p{n + 1}" for colour in range(state.owners.colours) for n in range(number)]
    position["pieces"] = {name: space for name, space in position["pieces"].items() if name not in gone}
    return PUCKS.from_position({**position, "scored": gone})


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["standard", "old-school"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_random_game_comes_to_an_end_and_somebody_wins_with_both_colours(seats, variant):
    dice = random.Random(10 + seats)
    state = with_scored(started(seats, variant, setup="random"), {"standard": 3, "old-school": 1}[variant])
    for _ in range(12_000):
        if PUCKS.outcome(state) is not None:
            break
        seat = dice.choice(PUCKS.may_act(state) if dice.random() < 0.1 else PUCKS.to_act(state))
        state = PUCKS.play(state, seat, random_action(state, seat, dice, keen=True)).state
    outcome = PUCKS.outcome(state)
    assert outcome is not None
    (winner,) = outcome.winners
    assert PUCKS.view(state).scores[winner] == {"standard": "8 of 8", "old-school": "4 of 4"}[variant]
    assert all_cards(state) == (Counter(box().deck) if variant == "standard" else {})
