"""The box as data: what is in it, and every way in which a changed file can be wrong."""

from collections import Counter
from importlib import resources

import pytest

from engines.pucks.board.box import BoxError, box, read_box
from engines.pucks.board.deck import CardKind, card

TEXT = (resources.files("engines.pucks") / "box.toml").read_text(encoding="utf-8")


def changed(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        assert old in text, f"the box has no {old!r}"
        text = text.replace(old, new, 1)
    return text


def test_the_deck_has_54_cards_as_the_rules_list_them():
    assert Counter(box().deck) == {
        "draw-2": 2, "draw-3": 2, "draw-4": 1,
        "take-1": 1, "take-2": 2, "take-3": 3, "take-4": 2, "take-5": 1, "take-6": 1,
        "shift": 4, "swap": 3, "twist": 4, "mix": 2, "borrow": 3, "salvage": 2, "faceoff": 2, "review": 2,
        "thin-ice": 1, "slush": 1, "net-off": 1,
        "whistle": 3, "u-turn": 2, "double": 2, "extra": 3, "quick-draw": 2, "sweep": 2,
    }  # fmt: skip
    assert len(box().deck) == 54
    kinds = Counter(card(card_id).kind for card_id in box().deck)
    assert kinds == {CardKind.QUICK: 14, CardKind.DRAW: 5, CardKind.ACTION: 10, CardKind.CHANGER: 25}


@pytest.mark.parametrize(("players", "deal", "limit"), [(2, 5, 7), (3, 5, 7), (4, 3, 5), (5, 3, 5), (6, 3, 5)])
def test_cards_are_dealt_and_kept_as_the_rules_say(players, deal, limit):
    layout = box().layout(players)
    assert (layout.deal, layout.hand_limit) == (deal, limit)


def test_a_box_may_be_changed_where_it_still_holds_together():
    small = read_box(changed(("take-6 = 1", "take-7 = 1"), ('rows = [\n    "B  Gs K ",', 'rows = [\n    "B  Gs K\'",')))
    assert "take-7" in small.deck
    assert small.layout(2).mats[2].turn == 180


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ((("[contents]", "[contents"),), "no TOML"),
        ((("[contents]", "[content]"),), r"no \[contents\]"),
        ((("mats = 16", "mats = 15"),), "promises mats = 15, but there are 16"),
        ((("mats = 16", 'mats = "many"'),), "mats must be a whole number"),
        ((("quick = 14", "quick = 13"),), "promises quick = 13, but there are 14"),
        ((("sweep = 2", "sweep = 3"),), "promises quick = 14, but there are 15"),
        ((("sweep = 2", "sweep = 0"),), "sweep must be a whole number from 1 on, not 0"),
        ((("sweep = 2", "sweep = true"),), "sweep must be a whole number"),
        ((("sweep = 2", "snooze = 2"),), "there is no card snooze"),
        ((("sweep = 2", "take-9 = 2"),), "take-9 is a card of the kind action"),
        ((("[deck.quick]", "[deck.quack]"),), r"\[deck.quack\]: no such kind of cards"),
        ((("[deck.draw]\ndraw-2 = 2\ndraw-3 = 2\ndraw-4 = 1\n", ""),), r"\[deck\] has no \[draw\]"),
        ((('front = "south"\n', ""),), "goal without a front"),
        ((('front = "south"', 'front = "up"'),), "front must be one of north, east, south, west, not 'up'"),
        ((('letter = "B"', 'letter = "B"\nfront = "south"'),), "has a front but no goal"),
        ((('face = ["P..P", ".MM.", ".MM.", "P..P"]', 'face = ["P..P", ".MM.", ".MM."]'),), "basic.* face must have 4 rows"),
        ((('".MM.", ".MM.", "P..P"]', '".MM.", ".MM..", "P..P"]'),), "face: row 3 must have 4 spaces, not '.MM..'"),
        ((('".MM.", ".MM.", "P..P"]', '".MM.", ".MX.", "P..P"]'),), "row 3 has 'X', which is none of"),
        ((('back = ["P..P", "....", ".P..", "...."]', ""),), "back must have 4 rows"),
        ((('letter = "B"', 'letter = "Bb"'),), "letter must be one letter"),
        ((('letter = "k"', 'letter = "K"'),), "two kinds of mats have the letter K"),
        ((('letter = "k"', 'letter = "s"'),), "letter must not be 's', which names a side"),
        ((('"B  Gs K "', '"B  Gs X "'),), "no kind of mats has the letter 'X'"),
        ((('"B  Gs K "', '"B  G  K "'),), "the goal of 'G' has no front"),
        ((('"B  Gs K "', '"B  Gs Ks"'),), "'Ks' has no goal to face a side"),
        ((('"B  Gs K "', '"B  Gs"'),), "all rows must have the same number of mats"),
        ((('"B  Gs K "', '"B  Gs Gs"'),), "2 to 3 players uses 5 goal mats, but the box has 4"),
        ((("players = [2, 3]", "players = [3, 3]"),), "one layout for 2 players, not 0"),
        ((("players = [2, 3]", "players = [2, 4]"),), "4 players"),
        ((("players = [2, 3]", "players = 2"),), "players must be"),
        ((("hand_limit = 7", "hand_limit = 0"),), "hand_limit must be a whole number from 1 on"),
        ((("deal = 3", "deal = 10"),), "too few cards to deal 10"),
        ((("pucks = 4", "pucks = 6"),), "need a start space"),
        ((("pucks = 4", "pucks = 0"),), "pucks must be a whole number from 1 on"),
        ((("cards = true", 'cards = "yes"'),), "cards must be true or false"),
        ((("[games.old-school]", "[games.new-school]"),), "has no old-school"),
        ((('face = [".GG.", "....", "....", "...."]', 'face = ["....", "....", "....", "...."]'),), "no goal"),
    ],
)  # fmt: skip
def test_a_box_that_is_wrong_is_refused_with_what_is_wrong(changes, complaint):
    with pytest.raises(BoxError, match=complaint):
        read_box(changed(*changes))
