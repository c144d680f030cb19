"""What is said: the board in words, the hand, the labels of choices, the pages about the deck, and the rules page."""

import re
from collections import Counter
from importlib import resources

import pytest

from engines.chance import Fair
from engines.pucks.box import box
from engines.pucks.deck import CardKind, card
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
        "Red has taken 0 of 4 actions.",
        "In force: draw 2, take 4; play goes to the right. Net Off: no piece may enter the goal on mat h.",
        "The mats, row by row from the north, each row from the west:",
        "a (row 1, column 1): basic.",
        "b (row 1, column 2): goal open to the south. Blue m1 on b2.",
        "c (row 1, column 3): pool.",
        "d (row 2, column 1): goal open to the east, turned 270 degrees.",
        "e (row 2, column 2): basic. Red p1 on e1.",
        "f (row 2, column 3): goal open to the west, turned 90 degrees.",
        "g (row 3, column 1): pool, turned 180 degrees.",
        "h (row 3, column 2): goal open to the north, turned 180 degrees.",
        "i (row 3, column 3): basic.",
        "Red: 1 of 4 pucks scored, 6 pieces not placed, 1 card.",
        "Blue: 0 of 4 pucks scored, 7 pieces not placed, 1 card.",
        "Green: 0 of 4 pucks scored, 8 pieces not placed, 0 cards.",
        "Draw pile: 1 card. Discard pile, the top first: Let's Mix Things Up, Board Twist.",
    ]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({"phase": "draw"}, "Red is about to draw 1 card."),
        ({"phase": "place"}, "Red places a piece."),
        ({"phase": "discard", "hands": [["shift"] * 4 + ["swap"] * 3 + ["twist"], []]}, "Red has to discard 1 card."),
        ({"borrowed": "blue"}, "Red has taken 0 of 1 action. The pieces of Blue may be moved too."),
        ({"scored": [f"blue p{n}" for n in range(1, 5)]}, "The game is over. Blue has scored all 4 pucks."),
        ({"ongoing": "slush"}, "Slush: Ongoing: no slide is longer than 4 spaces, and what lies beyond them is not hit."),
    ],
)
def test_what_is_to_be_done_stands_in_the_first_lines(keys, line):
    state = drawn("", SMALL, **({"pieces": {"red p1": "e1"}} | keys))
    assert line in "\n".join(PUCKS.describe(PUCKS.view(state)).splitlines()[:2])


def test_mats_that_do_not_hang_together_are_mentioned():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "shift"], []], action_rule=2)
    broken = play(state, "play shift b north-of a")
    assert "The mats do not hang together" in PUCKS.describe(PUCKS.view(broken))


def test_a_waiting_win_is_mentioned():
    state = drawn("", ["Gs"], pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"], hands=[[], ["whistle"]])
    assert PUCKS.describe(PUCKS.view(play(state, "p4 up"))).startswith("Red has won, unless somebody whistles.")


def test_the_hand_names_each_card_with_what_it_does():
    state = drawn("", SMALL, pieces={"red p1": "e1"}, hands=[["take-3", "slush", "take-3"], []])
    hand = PUCKS.hand(PUCKS.view(state, 0))
    assert hand is not None
    assert hand.splitlines() == [
        "You hold 3 cards; 7 may be kept.",
        "- **2 × Take 3** (`take-3`): 3 actions a turn from now on, this turn included. Costs no action.",
        "- **Slush** (`slush`): Ongoing: no slide is longer than 4 spaces, and what lies beyond them is not hit.",
    ]
    assert PUCKS.hand(PUCKS.view(state, 1)) == "You hold no cards."
    assert PUCKS.hand(PUCKS.view(state)) is None


def test_choices_say_what_they_do():
    state = drawn("rm1 bp1 . rp1  . . . .", hands=[["take-3", "twist", "whistle"], []], action_rule=2)
    assert labels(state, 0) == {"m1": "Meeple 1 on a1", "p1": "Puck 1 on a4", "play": "Play a card"}
    assert labels(state, 0, "m1") == {"right": "Right: bumps the puck p1 of Blue", "down": "Down: to a5"}
    assert labels(state, 0, "p1")["left"] == "Left: to a3"
    assert labels(state, 0, "play")["take-3"] == "Take 3: 3 actions a turn from now on, this turn included. Costs no action."
    assert labels(state, 0, "play", "twist", "a")["90"] == "A quarter clockwise"
    goal = drawn("", ["Gs"], pieces={"red p1": "a14", "red p2": "a15", "blue p1": "a11"})
    assert labels(goal, 0, "p1")["up"] == "Up: into the goal"
    hit = drawn("rp1 . bp1 .")
    assert labels(hit, 0, "p1")["right"] == "Right: to a2, hits the puck p1 of Blue"


def test_every_card_of_the_deck_is_on_the_pages_once_with_its_number():
    pages = PUCKS.pages()
    assert len(pages) == len(CardKind)
    text = "\n".join(pages)
    for card_id, count in Counter(box().deck).items():
        assert text.count(f"**{card(card_id).title}** ({count} in the deck, `{card_id}`): {card(card_id).effect}") == 1
    assert [re.findall(r"^(\d+) cards", page, re.MULTILINE) for page in pages] == [["5"], ["10"], ["25"], ["14"]]
    assert all(isinstance(page, Text) and len(page) < 1800 for page in pages)


def test_no_section_of_the_rules_page_is_longer_than_a_page():
    assert max(len(section) for section in RULES.split("\n## ")) < 1800


def test_the_rules_page_names_every_card_by_which_it_can_be_played():
    for card_id in box().deck:
        known = card(card_id)
        family = re.sub(r"\d", "", card_id)
        assert re.search(rf"`play {re.escape(family)}", RULES), card_id
        assert known.number or known.title in RULES or card_id in {"shift", "swap", "twist", "quick-draw"}


def test_the_rules_page_has_the_numbers_of_the_box():
    for kind in CardKind:
        total = sum(card(card_id).kind is kind for card_id in box().deck)
        assert f"({total})" in RULES
    assert "54 cards" in RULES
    for mats in box().kinds.values():
        for row in (*mats.face.rows, *mats.back.rows):
            assert row in RULES


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
