"""House rules: which can be chosen, alone and together, what is dealt under them, and how the game is played then."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engines.chance import Chance, Fair, Recorded, Scripted
from engines.game import normal_options
from engines.pucks.board.board import STEPS, goal_front, laid_out, start_mats
from engines.pucks.board.box import SIDES, LaidMat, box
from engines.pucks.board.codes import read_code, write_code
from engines.pucks.board.house import House, board_code, dealt_board, deck_without
from engines.pucks.board.layouts import frame_of, movable_mats, shape_of, whole
from engines.pucks.board.state import State
from engines.text import Text
from tests.engines.pucks.drawing import DECK, PUCKS, SMALL, all_cards, drawn, legal, offered, play, told
from tests.marks import quick_first

RING = "BGeKBk/Gn...B/K...K/B...Gs/kBGwKB"
"""All mats of the box but one basic and one goal mat, around an empty middle; every goal opens along the ring."""

ROW = "BBBBBBKKKKkkGeGwGeGw"

COLUMN = "B/B/B/B/B/B/K/K/K/K/k/k/Gs/Gn/Gs/Gn"

ALMOST_ALL = "mats+quick+borrow+salvage+faceoff+review+take-1+take-2+take-3+take-4+take-5+take-6"
"""All cards but 8: five draw cards and three ongoing ones."""


def start(seats: int = 2, variant: str = "standard", chance: Chance | None = None, **options: str) -> State:
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return PUCKS.start(seats, variant, Fair(bytes(32)) if chance is None else chance, **named)


def settled(seats: int = 2, variant: str = "standard", **options: str) -> dict[str, str]:
    return normal_options(PUCKS, variant, seats, {name.replace("_", "-"): value for name, value in options.items()})


def refusal(seats: int = 2, variant: str = "standard", **options: str) -> Text:
    with pytest.raises(ValueError) as caught:
        settled(seats, variant, **options)
    (text,) = caught.value.args
    assert isinstance(text, Text)
    return text


# --- the normal form --------------------------------------------------------------------------------------------------------


def test_options_are_kept_in_one_form_and_defaults_not_at_all():
    assert settled(board="standard", to_win="4", without="none", setup="draft") == {}
    assert settled(variant="old-school", to_win="4", board="standard", without="none") == {}
    assert settled(board="Bn.K/GeKnB.", to_win="2", without="whistle+mats+mats") == {
        "board": "B.K/GeKB", "to-win": "2", "without": "mats+whistle",
    }  # fmt: skip
    assert settled(board="shuffled", setup="random") == {"board": "shuffled", "setup": "random"}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("whistle", "whistle"),
        ("whistle+whistle", "whistle"),
        ("whistle+draw-2", "draw-2+whistle"),
        ("mix+twist+swap+shift", "mats"),
        ("mats+mix", "mats"),
        ("sweep+quick", "quick"),
        ("quick+mats+net-off", "mats+quick+net-off"),
        ("whistle+u-turn+double+extra+quick-draw+sweep", "quick"),
    ],
)
def test_cards_that_are_left_out_have_one_order(typed, kept):
    assert settled(without=typed) == {"without": kept}
    assert settled(without=kept) == {"without": kept}


def test_a_game_starts_with_the_documented_options_and_some_make_it_another_game():
    state = PUCKS.start(2, "standard", Fair(bytes(32)), **{"to-win": "2", "without": "mats+whistle"})
    assert state == start(to_win="2", without="whistle+twist+swap+shift+mix+mix")
    assert (state.needed, state.house) == (2, House(to_win=2, without=("shift", "swap", "twist", "mix", "whistle")))
    assert PUCKS.house_rules({}) == PUCKS.house_rules({"setup": "random", "order": "shuffled"}) == ()
    chosen = settled(board="shuffled", to_win="3", without="quick", setup="random")
    assert set(PUCKS.house_rules(chosen)) == {"board", "to-win", "without"}


# --- what is refused --------------------------------------------------------------------------------------------------------


def test_cards_that_do_not_exist_are_named_with_those_that_do():
    text = refusal(without="mats+whistel+whistel+Take-1")
    assert text.startswith("No such cards: “whistel”, “Take-1”. Pick from draw-2, ")
    assert all(card_id in text for card_id in box().deck)
    assert text.endswith("or the sets mats, quick; join several with +.")
    assert "and 90 more" in refusal(without="+".join(f"x{n}" for n in range(100)))
    assert refusal(without="") == refusal(without="+")
    assert "“”" in refusal(without="mats+")
    assert "the limit for a list of cards is 1000 characters" in refusal(without="mats+" * 10_000)
    assert "the limit for a list of cards is 1000 characters" in refusal(without="x" * 1_000_000)


def test_cards_and_pucks_to_win_are_for_the_standard_game_only():
    assert refusal(variant="old-school", without="whistle") == "“without:whistle” only works with the variant standard."
    text = refusal(variant="old-school", to_win="3", without="quick")
    assert text == "“to-win:3” only works with the variant standard. “without:quick” only works with the variant standard."
    assert refusal(to_win="1").endswith("Pick from: to-win:4, to-win:3, to-win:2.")


def test_enough_cards_must_be_left_for_the_deal_to_those_who_are_there():
    assert len(deck_without(start(without="mats+quick").house.without)) == 27
    # Two players are dealt 10 cards, three 15, four 12: with 13 cards left, four can play, but three cannot.
    thirteen = "mats+quick+salvage+faceoff+review+borrow+take-4+take-5+take-1+take-6"
    assert len(start(4, without=thirteen).deck) == 13
    assert len(start(2, without=thirteen).deck) == 13
    assert refusal(3, without=thirteen) == "3 players are dealt 15 cards, but only 13 are left. Leave out fewer."
    with pytest.raises(ValueError, match="3 players are dealt 15 cards, but only 13 are left"):
        start(3, without=thirteen)
    assert refusal(2, without=ALMOST_ALL) == "2 players are dealt 10 cards, but only 8 are left. Leave out fewer."
    assert "but only 1 is left" in refusal(2, without=ALMOST_ALL + "+draw-2+draw-3+draw-4+thin-ice+slush")
    assert "but only 0 are left" in refusal(2, without=ALMOST_ALL + "+draw-2+draw-3+draw-4+thin-ice+slush+net-off")


def test_a_board_must_have_start_spaces_for_all_pieces_of_all_players():
    assert settled(2, board="B.K/GeKB") == {"board": "B.K/GeKB"}
    text = "The board B.K/GeKB is too small for 4 players: it has only 10 of 16 start spaces for pucks."
    text += " It fits 2 players at most."
    assert refusal(4, board="B.K/GeKB") == text
    lacking = "4 of 8 start spaces for pucks, 0 of 4 start spaces for ice blocks"
    assert (
        refusal(2, board="GsB")
        == f"The board GsB is too small for 2 players: it has only {lacking}. It’s too small for any game."
    )
    assert "start spaces for meeples" in refusal(2, board="GsKKKKkk")
    # Six players need 24 start spaces for pucks: six basic mats have as many.
    assert settled(6, board="GsBBBBBBKKK")
    assert "23 of 24" in refusal(6, board="GsBBBBBKkk")


def test_what_is_wrong_with_a_code_is_said_with_the_boards_that_need_none():
    text = refusal(board="B.K/GeXB")
    assert "row 2, place 2: “X” isn’t a mat" in text
    assert text.endswith("Capitals matter. Boards without a code: standard, shuffled.")


def test_two_colours_for_each_need_twice_the_start_spaces_on_any_board():
    assert "10 of 16 start spaces for pucks" in refusal(2, board="B.K/GeKB", colours="2")
    assert settled(2, board="BGsBGn/B.KB/KkK", colours="2", to_win="2")
    assert "of 24 start spaces for pucks" in refusal(3, board="BGsBGn/B.KB/KkK", colours="2")
    assert refusal(4, board="GsB", colours="2").startswith("Only two or three players can have two colours each, not 4.")
    state = start(2, board="BGsBGn/B.KB/KkK", colours="2", to_win="2", setup="random")
    assert (state.needed, len(state.table.places), min(state.table.places) >= 0) == (4, 32, True)


def test_a_shuffled_board_has_the_mats_for_the_number_of_colours():
    for seats, colours, number in ((2, 1, 9), (2, 2, 16), (3, 1, 9), (3, 2, 16), (4, 1, 16)):
        state = start(seats, board="shuffled", colours=str(colours))
        assert len(state.table.mats) == number
        assert state.house.board == PUCKS.view(state).board == write_code(
            [LaidMat(mat.kind, mat.at, mat.turn) for mat in state.table.mats]
        )  # fmt: skip


def test_the_backs_of_the_mats_have_other_start_spaces():
    # A basic mat has 3 for pucks and none for meeples, a block mat 3 for ice blocks and none for pucks.
    assert settled(3, "old-school", board="BGsB/K.k") == {"board": "BGsB/K.k"}
    assert "for ice blocks" in refusal(3, "old-school", board="BBGsk")
    assert "for pucks" in refusal(3, "old-school", board="BGsKK")
    assert "for meeples" not in refusal(6, "old-school", board="KGs")


# --- the deal ---------------------------------------------------------------------------------------------------------------


def test_the_standard_board_draws_nothing():
    for variant in PUCKS.variants:
        for seats in PUCKS.seats:
            laid, chance = dealt_board({}, seats, Scripted([]))
            assert laid_out(laid, variant) == start_mats(seats, variant)
            assert chance == Scripted([])
            assert start(seats, variant).table.mats == start_mats(seats, variant)


def test_a_board_with_a_code_lies_as_the_code_says_and_draws_nothing():
    for variant, code in (("standard", RING), ("old-school", RING), ("standard", "B.K/GeKB"), ("standard", ROW)):
        stream = Recorded(Fair(bytes(32)))
        by_code, usual = start(2, variant, stream, board=code), start(2, variant, stream)
        assert by_code.table.mats == laid_out(read_code(code), variant)
        assert [mat.id for mat in by_code.table.mats] == [chr(ord("a") + i) for i in range(len(by_code.table.mats))]
        assert isinstance(by_code.chance, Recorded)
        assert isinstance(usual.chance, Recorded)
        assert by_code.chance.since(None) == usual.chance.since(None)
        assert by_code.hands == usual.hands


def draws_of(state: State) -> list[tuple[int, int]]:
    assert isinstance(state.chance, Recorded)
    return [(draw.below, draw.result) for draw in state.chance.since(None)]


@pytest.mark.parametrize(("seats", "number"), [(2, 9), (3, 9), (4, 16), (6, 16)])
def test_a_shuffled_board_is_dealt_before_the_cards_draw_by_draw(seats, number):
    """The draws, followed by hand: the mats of the standard layout are shuffled onto its places, then each is turned."""
    for n in range(20):
        state = start(seats, chance=Recorded(Fair(bytes([n]) * 32)), board="shuffled")
        draws = draws_of(state)
        standard = box().layout(seats).mats
        laid: list[LaidMat] = []
        while not laid or not open_to_mats(laid):
            kinds = [mat.kind for mat in standard]
            for i in range(number - 1, 0, -1):
                below, j = draws.pop(0)
                assert below == i + 1
                kinds[i], kinds[j] = kinds[j], kinds[i]
            turns = [draws.pop(0) for _ in range(number)]
            assert {below for below, _ in turns} == {4}
            laid = [LaidMat(kinds[i], standard[i].at, 90 * turns[i][1]) for i in range(number)]
        assert state.table.mats == laid_out(laid, "standard")
        # What is left are the draws for the cards.
        assert [below for below, _ in draws] == list(range(54, 1, -1))


def open_to_mats(laid: list[LaidMat]) -> bool:
    mats = laid_out(laid, "standard")
    at = {mat.at for mat in mats}
    ways = dict(zip(SIDES, STEPS, strict=True))
    opens = [(mat, ways[front]) for mat in mats if (front := goal_front(mat)) is not None]
    return all((mat.at[0] + way[0], mat.at[1] + way[1]) in at for mat, way in opens)


@pytest.mark.parametrize("variant", PUCKS.variants)
@pytest.mark.parametrize("seats", PUCKS.seats)
def test_shuffled_boards_are_the_mats_of_the_standard_one_on_its_outline_with_every_goal_open(seats, variant):
    found = set()
    for n in range(60):
        mats = start(seats, variant, Fair(n.to_bytes(32, "big")), board="shuffled").table.mats
        usual = start_mats(seats, variant)
        assert [(mat.id, mat.at) for mat in mats] == [(mat.id, mat.at) for mat in usual]
        assert Counter(mat.kind for mat in mats) == Counter(mat.kind for mat in usual)
        assert {mat.turn for mat in mats} <= {0, 90, 180, 270}
        assert open_to_mats([LaidMat(mat.kind, mat.at, mat.turn) for mat in mats])
        found.add(mats)
    assert len(found) == 60


def test_cards_that_are_left_out_are_nowhere():
    state = start(4, without="mats+whistle")
    gone = {"shift", "swap", "twist", "mix", "whistle"}
    assert all_cards(state) == Counter({card_id: n for card_id, n in DECK.items() if card_id not in gone})
    assert Counter(state.deck) == all_cards(state)
    assert state.deck == tuple(card_id for card_id in box().deck if card_id not in gone)
    assert "Left out: Board Shift, Board Swap, Board Twist, Let’s Mix Things Up, Whistle." in PUCKS.describe(PUCKS.view(state))
    assert "Left out" not in PUCKS.describe(PUCKS.view(start(4)))


def test_a_deck_that_is_dealt_out_to_the_last_card_is_played_on_without():
    ten = ALMOST_ALL.replace("+take-6", "").replace("+take-5", "")
    state = play(start(without=ten, setup="random"), "draw")
    assert len(state.deck) == 10
    assert (state.draw_pile, [len(hand) for hand in state.hands]) == ((), [5, 5])


# --- winning ----------------------------------------------------------------------------------------------------------------


def won(to_win: int | None, count: int, **keys: Any) -> State:
    """Red has scored so many pucks and is one space away from a goal with another."""
    if to_win is not None:
        keys["to_win"] = to_win
    board: dict[str, Any] = {"pieces": {"red p4": "b6", "blue m1": "i6"}, "scored": [f"red p{n}" for n in range(1, count + 1)]}
    return drawn("", SMALL, **board, **keys)


@pytest.mark.parametrize(("to_win", "count", "reason"), [
    (2, 1, "2 pucks are in, and that’s all it takes!"),
    (3, 2, "3 pucks are in, and that’s all it takes!"),
    (None, 3, "All 4 pucks are in!"),
])  # fmt: skip
def test_as_many_pucks_win_as_the_table_says(to_win, count, reason):
    before = won(to_win, count)
    assert PUCKS.outcome(before) is None
    assert PUCKS.view(before).scores == (f"{count} of {count + 1}", f"0 of {count + 1}")
    assert f"Red: {count} of {count + 1} scored" in PUCKS.describe(PUCKS.view(before))
    assert f"Red scores puck 4: {count + 1} of {count + 1}." in told(before, "p4 up")
    end = PUCKS.outcome(play(before, "p4 up"))
    assert end is not None
    assert (end.winners, end.reason) == ((0,), reason)
    assert PUCKS.outcome(play(won(to_win, count - 1), "p4 up")) is None


def test_all_pieces_are_placed_whatever_is_needed_to_win():
    state = start(3, to_win="2", setup="random")
    assert len(state.table.places) == 3 * 8
    assert min(state.table.places) >= 0
    assert PUCKS.view(start(3, to_win="2")).needed == 2


def test_two_pucks_at_once_can_be_more_than_are_needed():
    before = won(2, 1)
    assert PUCKS.view(replace(before, house=House(to_win=3))).scores[0] == "1 of 3"
    over = drawn("", SMALL, pieces={"blue m1": "i6"}, scored=["red p1", "red p2", "red p3"], to_win=2)
    end = PUCKS.outcome(over)
    assert end is not None
    assert end.winners == (0,)
    assert PUCKS.view(over).scores[0] == "3 of 2"


def test_without_any_whistle_in_the_deck_nobody_is_asked_about_a_win():
    before = won(2, 1, without=["whistle"], hands=[["extra"], ["slush", "take-2"]], draw_pile=["sweep"])
    end = PUCKS.outcome(play(before, "p4 up"))
    assert end is not None
    assert end.winners == (0,)


# --- boards of other shapes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [ROW, COLUMN])
@pytest.mark.parametrize("seats", [2, 6])
def test_all_mats_of_the_box_can_lie_in_one_row_and_be_moved_from_one_end_to_the_other(code, seats):
    state = start(seats, board=code, setup="random")
    mats = state.table.mats
    assert len(mats) == 16
    shape = shape_of(mats)
    assert whole(shape)
    frame = frame_of(mats)
    assert [frame.at(frame.place(mat.at)) for mat in mats] == [mat.at for mat in mats]
    assert movable_mats(mats) == tuple("abcdefghijklmnop")
    hands = (("shift", "swap", "mix", "twist"), *((),) * (seats - 1))
    table = replace(state.table, action_rule=6)
    state = replace(play(state, "draw"), hands=hands, table=table)
    side = "east-of" if "/" not in code else "south-of"
    after = play(state, f"play shift a {side} p")
    assert after.whole
    assert PUCKS.from_position(PUCKS.position(after)) == after
    assert offered(after, "play swap") == list("abcdefghijklmnop")
    assert legal(after, "play swap p a")
    after = play(after, f"play mix b {side} a c {side} b done")
    assert after.whole
    assert {"a", "p"} <= set(offered(after, "play swap"))


@pytest.mark.parametrize("code", quick_first(1, [ROW, COLUMN, RING]))
def test_however_often_mats_are_moved_they_stay_close_enough_to_be_written_down(code):
    dice, state = random.Random(code), play(start(2, board=code, setup="random"), "draw")
    for _ in range(150):
        state = replace(state, taken=0, hands=(("shift", "mix", "shift"), ()), table=replace(state.table, action_rule=6))
        action: tuple[str, ...] = ("play", dice.choice(["shift", "mix"]))
        while choices := PUCKS.choices(state, 0, action):
            # Westwards as often as can be, so that the board wanders and stretches.
            west = [choice for choice in choices if choice.token == "west-of"]
            action = (*action, (west or [dice.choice(choices)])[0].token)
        state = PUCKS.play(state, 0, action).state
        columns, rows = zip(*(mat.at for mat in state.table.mats), strict=True)
        assert max(max(columns) - min(columns), max(rows) - min(rows)) <= 18
        assert PUCKS.from_position(PUCKS.position(state)) == state


def test_letters_go_by_reading_order_around_a_hole():
    state = start(board=RING)
    rows: dict[int, list[str]] = {}
    for mat in state.table.mats:
        rows.setdefault(mat.at[1], []).append(mat.id)
    assert list(rows.values()) == [["a", "b", "c", "d", "e"], ["f", "g"], ["h", "i"], ["j", "k"], ["l", "m", "n", "o", "p"]]


# --- positions, and the board in words --------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [
    {}, {"board": "shuffled"}, {"board": RING}, {"to_win": "2"}, {"without": "quick"},
    {"board": "B.K/GeKB", "to_win": "3", "without": "mats+whistle", "setup": "random"},
])  # fmt: skip
def test_a_position_tells_the_house_rules_if_there_are_any(options):
    state = start(**options)
    position = PUCKS.position(state)
    assert PUCKS.from_position(position) == state
    assert ("board" in position, "to_win" in position, "without" in position) == (
        "board" in options, "to_win" in options, "without" in options,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"board": "B.K/GeKnB"}, "board must be the code of a board in its shortest form"),
        ({"board": 7}, "board must be the code"),
        ({"board": "BX"}, "row 1, place 2: “X” isn’t a mat"),
        ({"to_win": 4}, "to_win must be a whole number from 1 to 3, not 4"),
        ({"to_win": True}, "to_win must be"),
        ({"to_win": "2"}, "to_win must be"),
        ({"without": ["nope"]}, "without must list cards of the deck"),
        ({"without": "mats"}, "without must list cards of the deck"),
        ({"without": [["a"]]}, "without must list cards of the deck"),
        ({"without": ["whistle"], "hands": [["whistle"], []]}, "there is no card 'whistle'"),
        ({"variant": "old-school", "without": ["whistle"]}, "the variant old-school has no cards"),
    ],
)
def test_house_rules_that_do_not_exist_are_no_position(keys, words):
    with pytest.raises(ValueError, match=words):
        drawn("", SMALL, **keys)


@pytest.mark.parametrize(("seats", "board", "code"), [
    (3, "standard", "BGsK/GeBGw/KsGnB"),
    (4, "standard", "BKGsB/GeKBk/ksBKsGw/BGnKsB"),
    (2, "Bn.K/GeKB", "B.K/GeKB"),
])  # fmt: skip
def test_the_board_in_words_tells_the_code_of_its_start_however_mats_have_moved(seats, board, code):
    state = play(start(seats, board=board, setup="random"), "draw")
    state = replace(state, hands=(("twist", "swap"), *((),) * (seats - 1)), table=replace(state.table, action_rule=3))
    for now in (state, play(state, "play twist a 90", "play swap a b")):
        for seat in (None, *range(seats)):
            assert f"Start layout: `{code}`." in PUCKS.describe(PUCKS.view(now, seat)).splitlines()


def test_the_code_of_a_shuffled_board_is_told_and_gives_the_same_board_again():
    for n in range(10):
        state = start(4, chance=Fair(bytes([n]) * 32), board="shuffled")
        code = PUCKS.view(state).board
        assert code == board_code(state.house, 4)
        assert start(4, board=code).table.mats == state.table.mats
        assert start(4, "old-school", Fair(bytes([n]) * 32), board="shuffled").house.board == code
