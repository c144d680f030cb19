"""What is said: the board in words, the hand, the labels of choices, the pages about the deck, and the rules page."""

import re
from collections import Counter
from importlib import resources

import pytest

from engines.chance import Fair
from engines.pucks.board.box import box
from engines.pucks.board.deck import CardKind, card
from engines.text import Text
from tests.engines.pucks.drawing import PUCKS, SMALL, drawn, play

RULES = (resources.files("engines.pucks") / "rules.md").read_text(encoding="utf-8")


def labels(state, seat: int, *prefix: str) -> dict[str, str]:
    return {choice.token: str(choice.label) for choice in PUCKS.choices(state, seat, prefix)}


def test_the_board_in_words_is_enough_to_play_by():
    state = drawn(
        "", SMALL, seats=3, pieces={"red p1": "e1", "blue m1": "b2"}, scored=["red p2"], hands=[["take-3"], ["slush"], []],
        draw_pile=["swap"], discard=["twist", "mix"], ongoing="net-off", net_off="h", direction=-1, draw_rule=2, action_rule=4,
    )  # fmt: skip
    assert PUCKS.describe(PUCKS.view(state)).splitlines() == [
        "Red’s turn: 4 actions left.",
        "Draw 2, take 4. Next: Green. Net Off: the goal on mat h is closed.",
        "Row 1: a basic · b goal, opens down · c pool",
        "Row 2: d goal, opens right · e basic · f goal, opens left",
        "Row 3: g pool, turned 180° · h goal, opens up · i basic",
        "Red: 1 of 4 scored, 1 card, 6 pieces to place. Pucks: 1 e1.",
        "Blue: 0 of 4 scored, 1 card, 7 pieces to place. Meeples: 1 b2.",
        "Green: 0 of 4 scored, 0 cards, 8 pieces to place.",
        "Draw pile: 1 card. Discard pile, top first: Let’s Mix Things Up, Board Twist.",
        "Start layout: `BGsK/GeBGw/KsGnB`.",
    ]


def test_each_players_pieces_are_listed_kind_by_kind_with_their_numbers():
    state = drawn("rp1 rp3 . ri2\nrm1 rm2 . bp4", scored=["red p2"])
    lines = PUCKS.describe(PUCKS.view(state)).splitlines()
    assert "Red: 1 of 4 scored, 0 cards, 2 pieces to place. Pucks: 1 a1, 3 a2. Ice: 2 a4. Meeples: 1 a5, 2 a6." in lines
    assert "Blue: 0 of 4 scored, 0 cards, 7 pieces to place. Pucks: 4 a8." in lines


def test_what_matters_about_a_board_of_six_fits_into_a_pictures_description():
    state = PUCKS.start(6, chance=Fair(bytes(32)), setup="random")
    words = PUCKS.describe(PUCKS.view(state))
    assert words.index("Draw pile") < 1024


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({"phase": "draw"}, "Red draws 1 card next."),
        ({"phase": "place"}, "Red places a piece."),
        ({"phase": "discard", "hands": [["shift"] * 4 + ["swap"] * 3 + ["twist"], []]}, "Red has to discard 1 card."),
        ({"borrowed": "blue"}, "Red’s turn: 1 action left. May also move the pieces of Blue."),
        ({"scored": [f"blue p{n}" for n in range(1, 5)]}, "The game is over. All 4 pucks are in!"),
        ({"ongoing": "slush"}, "Slush: Ongoing: every slide ends after 4 spaces."),
    ],
)
def test_what_is_to_be_done_stands_in_the_first_lines(keys, line):
    state = drawn("", SMALL, **({"pieces": {"red p1": "e1"}} | keys))
    assert line in "\n".join(PUCKS.describe(PUCKS.view(state)).splitlines()[:2])


def test_mats_that_do_not_hang_together_are_mentioned():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "shift"], []], action_rule=2)
    broken = play(state, "play shift b north-of a")
    lines = PUCKS.describe(PUCKS.view(broken)).splitlines()
    assert lines[2:5] == [
        "Row 1: b basic",
        "Row 2: a basic · gap · c basic",
        "The mats aren’t all connected: until they are, no piece can move and the turn can’t end.",
    ]


def test_a_waiting_win_is_mentioned():
    state = drawn("", ["Gs"], pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"], hands=[[], ["whistle"]])
    assert PUCKS.describe(PUCKS.view(play(state, "p4 up"))).startswith("Red wins unless somebody whistles.")


def test_the_hand_names_each_card_with_what_it_does():
    state = drawn("", SMALL, pieces={"red p1": "e1"}, hands=[["take-3", "slush", "take-3"], []])
    hand = PUCKS.hand(PUCKS.view(state, 0))
    assert hand is not None
    assert hand.splitlines() == [
        "You hold 3 cards. You may keep 7.",
        "- **2 × Take 3** (`take-3`): From now on, everyone takes 3 actions a turn.",
        "- **Slush** (`slush`): Ongoing: every slide ends after 4 spaces.",
    ]
    assert PUCKS.hand(PUCKS.view(state, 1)) == "Your hand is empty."
    assert PUCKS.hand(PUCKS.view(state)) is None


def test_buttons_say_in_a_word_or_two_what_they_do():
    state = drawn("rm1 bp1 . rp1  . . ri1 .", hands=[["take-3", "twist", "whistle"], []], action_rule=2)
    assert labels(state, 0) == {"m1": "Meeple 1", "i1": "Ice 1", "p1": "Puck 1", "play": "Play a card"}
    assert labels(state, 0, "m1") == {"right": "Right, bumping Blue’s puck 1", "down": "Down"}
    assert labels(state, 0, "play") == {"take-3": "Take 3 · free", "twist": "Board Twist · 1 action"}
    answering = drawn("rm1 bp1 . rp1  . . ri1 .", hands=[[], ["whistle"]], action_rule=2, phase="act")
    assert labels(play(answering, "p1 right"), 1, "play") == {"whistle": "Whistle"}, "out of turn all cards are free"
    assert labels(state, 0, "play", "twist", "a")["90"] == "Quarter turn clockwise (90°)"
    ways = {choice.token: choice.symbol for choice in PUCKS.choices(state, 0, ("p1",))}
    assert ways == {"right": "➡️", "down": "⬇️", "left": "⬅️"}


def test_the_button_of_a_direction_says_where_the_piece_goes_and_which_puck_scores():
    state = drawn("", SMALL, pieces={"red p1": "e10", "red p2": "e3", "blue p1": "e2", "red m1": "e7"})
    assert labels(state, 0, "p1")["up"] == "Up, sending Blue’s puck 1 into the goal!"
    assert labels(state, 0, "p2")["up"] == "Up, into the goal!"
    assert labels(state, 0, "m1")["up"] == "Up, sending puck 2 into the goal!"


def test_every_card_of_the_deck_has_one_line_in_the_card_index():
    text = "\n".join(PUCKS.pages())
    for card_id, count in Counter(box().deck).items():
        assert text.count(f"- **{card(card_id).title}** × {count} (`{card_id}`): {card(card_id).effect}\n") <= 1
        assert text.count(f"(`{card_id}`)") == 1
    counts = [int(n) for n in re.findall(r"There are (\d+) in the deck", text)]
    assert (len(counts), sum(counts)) == (len(PUCKS.pages()), 54)
    assert all(isinstance(page, Text) for page in PUCKS.pages())


def test_a_cards_effect_is_said_in_a_breath_and_the_rules_page_names_every_card():
    for card_id in dict.fromkeys(box().deck):
        assert len(card(card_id).effect) <= 75, card_id
    for card_id in box().deck:
        assert re.search(rf"`play {re.escape(re.sub(r'[0-9]', '', card_id))}", RULES), card_id


def test_the_rules_page_has_the_numbers_of_the_box():
    for kind in CardKind:
        total = sum(card(card_id).kind is kind for card_id in box().deck)
        assert f"({total})" in RULES
    assert f"{len(box().deck)} cards" in RULES
    rules, few, many = box().games["standard"], box().layout(2), box().layout(6)
    assert f"{rules.pucks} pucks, {rules.meeples} meeples and {rules.ice} ice blocks" in RULES
    assert f"{few.hand_limit} cards with two or three players, {many.hand_limit} with more" in RULES
    assert f"{few.deal} cards (two or three players) or {many.deal}" in RULES


def test_every_example_on_the_rules_page_is_an_action_somewhere():
    examples = re.findall(r"`((?:play|place|discard|red|p1|m1|i2) [^`]+|draw|end|pass|auto)`", RULES)
    hand = [card_id for card_id in dict.fromkeys(box().deck) if card_id not in {"whistle", "take-5"}]
    acting = drawn(
        "", ["B B B", "B _ B", "B Gs B"], seats=3, to_move=2, action_rule=5, borrowed="red", discard=["whistle"],
        pieces={"red p1": "e1", "red m1": "e7", "blue p3": "h1", "green p1": "b6", "green m1": "h6", "green i2": "b10"},
        scored=["blue p1"], hands=[["whistle"], ["whistle"], hand],
    )  # fmt: skip
    full = [["take-1", *["shift"] * 4, *["swap"] * 3], [], []]
    waiting = play(
        drawn("", ["Gs"], pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"], hands=[[], ["whistle"]]), "p4 up"
    )
    places = [
        (acting, 2),
        (play(acting, "green: p1 up"), 0),
        (drawn("", SMALL, phase="draw"), 0),
        (drawn("", SMALL, phase="place"), 0),
        (drawn("", SMALL, seats=3, phase="discard", hands=full, pieces={"red p1": "e1"}), 0),
        (play(drawn("", SMALL, pieces={"red m1": "e6"}, hands=[["extra"], []]), "m1 up"), 0),
        (waiting, 1),
    ]
    assert len(examples) > 25
    for example in examples:
        assert any(PUCKS.is_whole(state, seat, tuple(example.split())) for state, seat in places), example


def test_everything_that_is_told_is_ready_to_be_translated():
    state = PUCKS.start(3, chance=Fair(bytes(32)), setup="random")
    step = PUCKS.play(state, 0, ("draw",))
    assert all(isinstance(event.text, Text) and event.text.template for event in step.events)
    assert all(isinstance(shortcut.label, Text) for shortcut in PUCKS.shortcuts(PUCKS.view(state)))
