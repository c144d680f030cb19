"""What is told of an action: a phrase about who did it, in few events, with pieces called by their names; and what is asked."""

import random
import re
from dataclasses import replace

import pytest

from engines.chance import Fair
from engines.game import action_words
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.text import plain, seat_name
from tests.engines.contract_games import random_action
from tests.engines.pucks.drawing import PUCKS, SMALL, drawn, events, play, seat_and_action, told
from tests.engines.pucks.tables import four, small, two


def phrases(state: State, action: str) -> list[str]:
    """The public phrases of an action, without their subject."""
    return [str(event.phrase) for event in events(state, action) if event.private_to is None]


def majors(state: State, action: str) -> list[str]:
    return [str(event.phrase) for event in events(state, action) if event.major]


# --- moves ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "action", "phrase"),
    [
        ("rp1 . . .", "p1 right", "slides puck 1 right to the edge of mat a"),
        ("rp1 . . . . . . .", "p1 right", "slides puck 1 right to the edge of mat b"),
        ("rp1 . . bi1", "p1 right", "slides puck 1 right against Blue’s ice block 1"),
        ("rp1 . . ri1", "p1 right", "slides puck 1 right against ice block 1"),
        ("rp1 . . bp2", "p1 right", "slides puck 1 right against Blue’s puck 2"),
        ("ri2 . . .", "i2 right", "moves ice block 2 right on mat a"),
        ("rm1 . . .", "m1 down", "moves meeple 1 down on mat a"),
        (". . . rm1 . . . .", "m1 right", "moves meeple 1 right to mat b"),
        ("rp1 . bp2 .", "p1 right", "slides puck 1 right, bumping Blue’s puck 2 to the edge of mat a"),
        ("rp1 . bp2 . bm1 . . .", "p1 right", "slides puck 1 right, bumping Blue’s puck 2 against Blue’s meeple 1"),
        ("rm1 ri1 . .", "m1 right", "moves meeple 1 right, bumping ice block 1 to the edge of mat a"),
        ("rp1 . bp2 . rp3 . . .", "p1 right", "slides puck 1 right, bumping Blue’s puck 2, then puck 3 to the edge of mat b"),
    ],
)
def test_a_move_is_told_with_everything_that_it_set_moving(board, action, phrase):
    assert phrases(drawn(board), action)[0] == phrase


def test_a_borrowed_piece_is_named_with_its_owner_even_if_it_goes_back():
    state = drawn("bp1 . . .\nrm1 . . .", borrowed="blue", action_rule=2)
    assert phrases(state, "blue p1 right") == ["slides Blue’s puck 1 right to the edge of mat a"]
    state = drawn("bp1 . . .\nrm1 . . .", borrowed="blue", action_rule=2, hands=[[], ["whistle"]])
    (undoing,) = [event for event in events(play(state, "blue p1 right"), "blue: play whistle") if event.kind == "undo"]
    assert str(undoing.phrase) == "plays Whistle: Red’s slide of Blue’s puck 1 is undone, and Red has 1 action left"


def test_goals_waiting_wins_and_a_turned_direction_are_the_lines_to_read():
    state = drawn("", ["Gs"], pieces={"red p3": "a14"}, scored=["red p1"], action_rule=2)
    assert phrases(state, "p3 up")[:2] == ["slides puck 3 up", "scores puck 3: 2 of 4"], "a goal is told once"
    assert majors(state, "p3 up") == ["scores puck 3: 2 of 4"]
    assert len(majors(two(["u-turn"]), "play u-turn")) == 1
    assert majors(two(["extra"]), "play extra") == []
    state = drawn("", ["Gs"], pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"], hands=[[], ["whistle"]])
    assert majors(state, "p4 up") == ["scores puck 4: 4 of 4", "wins unless somebody whistles"]
    assert [event.kind for event in events(state, "p4 up") if event.decisive] == ["score", "win"]


def test_somebody_elses_puck_counts_for_its_owner_and_the_player_who_scored_it_is_named():
    state = drawn("", ["Gs", "B"], pieces={"red p1": "b14", "blue p2": "a10"}, action_rule=2)
    moved, goal = events(state, "p1 up")[:2]
    assert str(moved.phrase) == "slides puck 1 up, bumping Blue’s puck 2"
    assert (goal.seat, str(goal.phrase)) == (0, "scores Blue’s puck 2: 1 of 4 for Blue")
    assert goal.text == "Red scores Blue’s puck 2: 1 of 4 for Blue."
    assert moved.affects == goal.affects == (1,)


@pytest.mark.parametrize(
    ("mats", "pieces", "more", "action", "phrase"),
    [
        (["Gs"], "a14", {"net_off": "a", "ongoing": "net-off"}, "p1 up", "slides puck 1 up against the closed goal on mat a"),
        (["B", "Gs"], "a2", {}, "p1 down", "slides puck 1 down against a wall on mat a"),
        (["B", "K"], "a2", {}, "p1 down", "slides puck 1 down to the pool on mat b"),
        (["B B"], "a5", {"ongoing": "slush"}, "p1 right", "slides puck 1 right into the slush on mat b"),
    ],
)
def test_what_stops_a_piece_is_called_by_its_name(mats, pieces, more, action, phrase):
    assert phrases(drawn("", mats, pieces={"red p1": pieces}, **more), action)[0] == phrase


# --- cards ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("take-3", ["plays Take 3: 3 actions a turn from now on"]),
        ("take-1", ["plays Take 1: 1 action a turn from now on"]),
        ("draw-2", ["plays Draw 2: 2 cards a turn from the next turn on"]),
        ("shift c east-of f", ["plays Board Shift", "moves mat c to the right of mat f"]),
        ("swap c g", ["plays Board Swap", "swaps mats c and g"]),
        ("twist a 270", ["plays Board Twist", "gives mat a a quarter turn anticlockwise"]),
        ("mix c east-of f a west-of g done",
         ["plays Let’s Mix Things Up", "moves mat c to the right of mat f", "moves mat a to the left of mat g"]),
        ("borrow blue", ["plays I Like Your Pieces More", "may move Blue’s pieces too this turn"]),
        ("salvage extra", ["plays Second Wind", "takes Extra Action from the discard pile"]),
        ("faceoff red p1 blue p1", ["plays Face-Off", "swaps puck 1 with Blue’s puck 1"]),
        ("review blue c3", ["plays Video Review", "puts Blue’s puck 2 back on c3"]),
        ("thin-ice", ["plays Thin Ice: from now on, ice blocks slide"]),
        ("slush", ["plays Slush: from now on, slides end after 4 spaces"]),
        ("net-off b", ["plays Net Off", "closes the goal on mat b"]),
        ("double", ["plays Double Action: 6 actions this turn"]),
        ("quick-draw", ["plays Quick Draw and draws 2 cards"]),
    ],
)  # fmt: skip
def test_a_card_is_told_with_what_it_does(card, said):
    state = two(
        [card.split(maxsplit=1)[0], "extra"], pieces={"red p1": "e1", "blue p1": "a1", "red m1": "e6"}, scored=["blue p2"],
        discard=["extra"], draw_pile=["swap", "twist", "shift"], action_rule=3,
    )  # fmt: skip
    assert phrases(state, f"play {card}") == said


@pytest.mark.parametrize(
    ("card", "major", "routine"),
    [
        ("take-3", "plays Take 3: 3 actions a turn from now on", ""),
        ("draw-2", "plays Draw 2: 2 cards a turn from the next turn on", ""),
        ("slush", "plays Slush: from now on, slides end after 4 spaces", ""),
        ("net-off b", "closes the goal on mat b", "plays Net Off"),
    ],
)
def test_a_rule_for_all_is_the_line_to_read_and_affects_all_others(card, major, routine):
    played = events(two([card.split(maxsplit=1)[0]]), f"play {card}")
    assert [(str(event.phrase), event.affects) for event in played if event.major] == [(major, (1,))]
    assert [str(event.phrase) for event in played if event.routine] == [routine] * bool(routine)
    assert [event.affects for event in events(four([], ["take-2"]), "play take-2")] == [(0, 2, 3)]


@pytest.mark.parametrize("card", ["shift c east-of f", "swap c g", "twist a 90"])
def test_a_moved_mat_is_told_before_its_card_and_after_a_goal(card):
    played, moved = events(two([card.split(maxsplit=1)[0]]), f"play {card}")
    assert (played.routine, moved.routine, moved.major) == (True, False, False)


def test_the_line_to_read_last_lets_a_win_stand_or_undoes_something():
    pieces, scored = {"red p4": "a14", "blue m1": "b6"}, ["red p1", "red p2", "red p3"]
    won = play(drawn("", ["Gs B"], seats=4, hands=[[], ["whistle"], ["swap"], []], pieces=pieces, scored=scored), "p4 up")
    (passed,) = events(won, "blue: pass")
    assert (str(passed.phrase), passed.routine) == ("lets the win stand", True)
    review = small("review", pieces={"red p1": "e1"}, scored=["blue p2"])
    assert majors(review, "play review blue c3") == ["puts Blue’s puck 2 back on c3"]
    after = play(two([], ["whistle"]), "m1 up")
    undone = "plays Whistle: Red’s move of meeple 1 is undone, and Red has 1 action left"
    assert majors(after, "blue: play whistle") == [undone]


def test_a_whistle_names_the_card_that_it_undoes_and_affects_its_player():
    state = play(two(["shift"], ["whistle"]), "play shift c east-of f")
    (undoing,) = [event for event in events(state, "blue: play whistle") if event.kind == "undo"]
    assert str(undoing.phrase) == "plays Whistle: Red’s Board Shift is undone, and Red has 1 action left"
    assert undoing.affects == (0,)


def whistled(state: State, *actions: str) -> str:
    """What is said when Blue whistles after these actions."""
    return phrases(play(state, *actions), "blue: play whistle")[0].removeprefix("plays Whistle: ")


def test_a_whistle_tells_what_is_undone_and_what_is_left():
    pieces = {"red p1": "e1", "red i1": "e6", "blue m1": "i6"}
    row = two([], ["whistle"], pieces=pieces)
    assert whistled(row, "p1 up") == "Red’s slide of puck 1 is undone, and Red has 1 action left"
    assert whistled(row, "i1 up") == "Red’s move of ice block 1 is undone, and Red has 1 action left"
    card = two(["take-3"], ["whistle"], action_rule=3)
    assert whistled(card, "play take-3") == "Red’s Take 3 is undone, and Red has 3 actions left"
    assert (
        whistled(two(["extra"], ["whistle"], taken=1), "m1 up")
        == "Red’s move of meeple 1 is undone, and Red has no actions left"
    )
    borrowed = drawn("bp1 . . .", borrowed="blue", action_rule=2, hands=[[], ["whistle"]])
    assert whistled(borrowed, "blue p1 right") == "Red’s slide of Blue’s puck 1 is undone, and Red has 1 action left"


def test_a_whistle_says_first_that_a_goal_or_a_win_does_not_count():
    pieces = {"red p1": "e2", "red m1": "e6", "blue m1": "i6"}
    goal = two([], ["whistle"], pieces=pieces)
    assert whistled(goal, "p1 up") == "no goal! Red’s slide of puck 1 is undone, and Red has 1 action left"
    last = two([], ["whistle"], pieces=pieces, scored=["red p2", "red p3", "red p4"])
    assert whistled(last, "p1 up") == "no win yet! Red’s slide of puck 1 is undone, and Red has 1 action left"


def test_a_whistle_tells_whoever_was_asked_whether_the_turn_goes_back():
    ended = play(two(["extra"], ["whistle"]), "m1 up", "m1 left", "end")
    assert ended.to_move == 1
    assert whistled(ended) == "Red’s move of meeple 1 is undone, and the turn goes back to Red, with no actions left"
    assert play(ended, "blue: play whistle").to_move == 0
    over = play(two([], ["whistle"]), "m1 up", "m1 left")
    assert whistled(over) == "Red’s move of meeple 1 is undone, and Red has no actions left"
    assert play(over, "blue: play whistle").to_move == 1
    assert whistled(play(two(["u-turn"], ["whistle"]), "m1 up", "play u-turn")) == "Red’s move of meeple 1 is undone"


# --- what is asked of a seat, as everybody may read it ----------------------------------------------------------------------


def public_question(state: State, seat: int = 0) -> str:
    return str(PUCKS.question(PUCKS.view(state), seat))


def test_a_seat_is_asked_what_it_has_to_decide():
    assert public_question(two([])) == "what’s your move? 2 actions left."
    assert public_question(two([], taken=1)) == "what’s your move? 1 action left."
    assert public_question(play(two(["extra"], taken=1), "m1 up")) == "no actions left. Play a card, or end your turn?"
    assert public_question(drawn("", SMALL, phase="draw", draw_rule=3)) == "draw 3 cards to start your turn."
    over = two(["shift"] * 4 + ["swap"] * 4 + ["twist"], phase="discard")
    assert public_question(over) == "your hand is too full: discard 2 cards."
    row = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "shift"], []], action_rule=2)
    assert public_question(play(row, "play shift b north-of a")) == "how do you put the mats back together?"


def test_a_player_who_places_is_told_how_many_pieces_are_left():
    state = PUCKS.start(2)
    left = len(state.pieces_of(0))
    assert public_question(state) == "which piece do you place first?"
    while left > 1:
        seat = PUCKS.to_act(state)[0]
        if seat != 0:
            state = play(state, "auto")
            continue
        piece = PUCKS.choices(state, 0, ("place",))[0].token
        space = PUCKS.choices(state, 0, ("place", piece))[0].token
        state, left = play(state, f"red: place {piece} {space}"), left - 1
        if left > 1:
            assert public_question(state) == f"which piece is next? You have {left} left."
    assert public_question(state) == "place your last piece."


def test_all_who_hold_a_card_are_asked_the_same_about_a_win():
    for held in ("whistle", "shift"):
        state = drawn("", ["Gs"], pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"], hands=[[], [held]])
        assert public_question(play(state, "p4 up"), 1) == "Red is about to win. Whistle, or let it stand?"


# --- actions in words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("p1 up", "Slide puck 1 up"),
        ("m1 up", "Move meeple 1 up"),
        ("play extra", "Play Extra Action"),
        ("play twist e 90", "Play Board Twist: mat e, a quarter turn clockwise"),
        ("play", "Play a card"),
        ("play twist e 180", "Play Board Twist: mat e, half a turn"),
        ("play twist e 270", "Play Board Twist: mat e, a quarter turn anticlockwise"),
        ("play swap a c", "Play Board Swap: mats a and c"),
        ("play shift c north-of b", "Play Board Shift: mat c above mat b"),
        ("play mix c north-of b done", "Play Let’s Mix Things Up: mat c above mat b"),
        ("play faceoff red p1 blue p1", "Play Face-Off: puck 1 and Blue’s puck 1"),
        ("play net-off b", "Play Net Off: the goal on mat b"),
        ("play borrow blue", "Play I Like Your Pieces More and move Blue’s pieces too"),
        ("play twist e", "Board Twist · 1 action · Mat e"),
        ("p1", "Puck 1"),
    ],
)
def test_an_action_is_put_into_words_as_an_order(action, words):
    hand = ["extra", "twist", "swap", "shift", "mix", "faceoff", "net-off", "borrow"]
    state = two(hand, pieces={"red p1": "e1", "red m1": "e6", "blue m1": "i6", "blue p1": "i1"})
    seat, tokens = seat_and_action(state, action)
    assert str(action_words(PUCKS, state, seat, tokens)) == words


# --- setting up -------------------------------------------------------------------------------------------------------------


def test_pieces_placed_by_chance_are_told_in_one_line_a_player():
    state = play(PUCKS.start(3, chance=Fair(bytes(32))), "auto", "auto")
    rest = events(state, "auto")
    assert [(event.kind, event.seat) for event in rest] == [("auto", 1), ("place", 1), ("place", 0), ("place", 2)]
    assert [str(event.phrase) for event in rest] == [
        "places at random", "places 8 pieces", "places 7 pieces", "places 7 pieces",
    ]  # fmt: skip
    assert [event.tally and event.tally.number for event in rest] == [0, 8, 7, 7]
    placed = [one for event in rest[1:] for one in event.detail.placed]
    where, earlier = (PUCKS.position(after)["pieces"] for after in (PUCKS.play(state, 1, ("auto",)).state, state))
    assert {one.piece.name: one.space for one in placed} == {name: where[name] for name in where.keys() - earlier.keys()}


def test_a_piece_placed_by_hand_is_told_with_its_space_and_counts_as_one():
    (placed,) = events(PUCKS.start(2), "place i1 c1")
    assert placed.phrase == "places ice block 1 on c1"
    assert placed.tally is not None
    assert [str(placed.tally.words(number)) for number in (1, 4)] == ["places 1 piece", "places 4 pieces"]


# --- all of it --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("variant", PUCKS.variants)
def test_everything_that_somebody_does_is_told_in_a_phrase_without_notation(variant):
    dice, seen = random.Random(1), set()
    for seed in range(4):
        state = PUCKS.start(2 + seed, variant, Fair(bytes([seed] * 32)))
        for _ in range(220):
            if PUCKS.outcome(state) is not None:
                break
            seat = dice.choice(PUCKS.may_act(state))
            step = PUCKS.play(state, seat, random_action(PUCKS, state, seat, dice))
            state = step.state
            for event in step.events:
                if event.private_to is not None:
                    continue
                seen.add(event.kind)
                assert (event.phrase is None) == (event.seat is None), event.text
                if event.seat is not None:
                    assert event.text == f"{seat_name(event.seat)} {event.phrase}."
                if event.kind != "undo":
                    assert not re.search(r"(?<!on )(?<!to )(?<!from )(?<!: )(?<!→ )\b[pim][1-4]\b", event.text), event.text
                    assert "**" not in event.text
    assert len(seen) > (8 if variant == "standard" else 3)


# --- questions --------------------------------------------------------------------------------------------------------------


def asked(state: State, text: str = "") -> str:
    """What the seat to act is asked after these tokens; "blue: play" is asked of Blue."""
    seat, action = seat_and_action(state, text)
    return str(PUCKS.prompt(state, seat, action))


def test_the_question_stands_until_something_is_picked():
    state = drawn("", ["Gs"], pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"], hands=[[], ["whistle"]])
    waiting = play(state, "p4 up")
    for state, seat in ((two([]), 0), (PUCKS.start(2), 0), (drawn("", SMALL, phase="draw"), 0), (waiting, 1)):
        assert PUCKS.prompt(state, seat) is None
    assert asked(two([], ["sweep"]), "blue: ") == "Play a quick card?", "the game does not wait for Blue"
    over = two(["shift"] * 4 + ["swap"] * 4 + ["twist"], phase="discard")
    assert asked(over, "discard") == "Which card do you discard?"


def test_only_a_player_who_can_do_nothing_but_end_the_turn_is_told_why():
    state = play(two(["twist", "extra"], taken=1), "m1 up")
    assert PUCKS.prompt(state, 0) is None, "a free card can still be played"
    state = play(two(["twist", "whistle"], taken=1), "m1 up")
    assert asked(state) == "No actions left: none of your cards can be played now."
    assert public_question(state) == "no actions left. Play a card, or end your turn?", "of the hand, others learn nothing"
    stuck = drawn("", ["B"], hands=[["whistle"], ["swap"]], action_rule=2, pieces={})
    assert asked(stuck) == "No piece can move, and none of your cards can be played now."


def test_a_whistle_alone_is_asked_about_by_what_it_would_undo():
    state = play(two([], ["whistle"], pieces={"red p1": "e1", "red m1": "e6"}), "p1 up")
    assert asked(state, "blue: play") == "Undo Red’s slide of puck 1?"
    both = play(two(["extra"], ["whistle", "quick-draw"], pieces={"red p1": "e1"}), "p1 up")
    assert asked(both, "blue: play") == "Which card?"


@pytest.mark.parametrize(
    ("picked", "question"),
    [
        ("p1", "Which way does puck 1 go?"),
        ("i2", "Which way does ice block 2 go?"),
        ("blue", "Which of Blue’s pieces?"),
        ("blue p1", "Which way does Blue’s puck 1 go?"),
        ("p1 up", "Play it?"),
        ("play", "Which card?"),
        ("play take-2", "Play it?"),
        ("play shift", "Which mat do you move?"),
        ("play shift c", "Where does mat c go?"),
        ("play shift c east-of", "Mat c goes to the right of which mat?"),
        ("play shift c east-of f", "Play it?"),
        ("play mix", "Which mat do you move first?"),
        ("play mix c", "Where does mat c go?"),
        ("play mix c east-of f", "Move another mat, or done?"),
        ("play mix c east-of f a", "Where does mat a go?"),
        ("play mix c east-of f done", "Play it?"),
        ("play swap", "Which mat do you swap?"),
        ("play swap c", "Which mat do you swap mat c with?"),
        ("play twist", "Which mat do you turn?"),
        ("play twist c", "How far do you turn mat c?"),
        ("play borrow", "Whose pieces do you like more?"),
        ("play salvage", "Which card do you take?"),
        ("play faceoff", "Whose puck first?"),
        ("play faceoff red", "Which of your pucks?"),
        ("play faceoff red p1", "Whose puck do you swap puck 1 with?"),
        ("play faceoff red p1 blue", "Which of Blue’s pucks?"),
        ("play review", "Whose puck comes back?"),
        ("play review blue", "Where does the puck go?"),
        ("play net-off", "Which goal do you close?"),
    ],
)
def test_each_step_of_an_action_has_its_question(picked, question):
    state = two([], borrowed="blue", pieces={"red p1": "e1", "red i2": "e6", "blue p1": "a1"}, seats=2)
    assert asked(state, picked) == question


def test_placing_asks_which_piece_and_where():
    state = PUCKS.start(2)
    assert asked(state, "place") == "Which piece do you place?"
    assert asked(state, "place i1") == "Where does ice block 1 go?"


def test_a_button_says_what_it_does_and_a_space_is_looked_for_on_its_mat():
    labels = {action: str(PUCKS.confirm(tuple(action.split()))) for action in ("discard take-4", "place p1 c3", "p1 up")}
    assert labels == {"discard take-4": "Discard", "place p1 c3": "Place", "p1 up": "Play"}
    state = PUCKS.start(2)
    asked_for = [str(PUCKS.region_prompt(state, 0, ("place", "p1"), region)) for region in (None, plain("Mat c"))]
    assert asked_for == ["Which mat?", "Mat c: which space?"]


def test_four_players_hear_the_same_of_an_action():
    state = four([], ["take-2"])
    assert {tuple(told(state, "play take-2", seat)) for seat in (None, 0, 2, 3)} == {
        ("Blue plays Take 2: 2 actions a turn from now on.",)
    }


def test_a_view_that_says_nothing_of_cards_and_turns_is_described_without_them():
    view = PUCKS.view(PUCKS.start(2), 0)
    untold = PUCKS.describe(replace(view, hand_sizes=(), hand=(), phase=Phase.ACT, allowed=0))
    assert untold.startswith("It’s Red’s turn.\nRow 1:")
    assert not re.search("card|draw|action", untold, re.IGNORECASE)
