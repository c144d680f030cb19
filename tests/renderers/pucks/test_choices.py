"""All that can be chosen in Puck Bumpers is marked."""

import pytest

from engines.game import Choice
from tests.renderers.pixels import changed, drawn
from tests.renderers.pucks.drawing import assert_every_option_is_marked, assert_options_look_different
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import in_scene, lying, picking

pytestmark = pytest.mark.slow

PICKS = [
    (), ("p1",), ("play",), ("play", "shift"), ("play", "shift", "c"), ("play", "shift", "c", "east-of"),
    ("play", "borrow"),
]  # fmt: skip


@pytest.mark.parametrize("prefix", PICKS, ids=" ".join)
def test_every_option_is_marked(prefix):
    assert_every_option_is_marked(picking(GAME, SCRUM, 0, prefix))


CARDS_THAT_ASK = {
    "mix": ("c", "east-of", "d", "f"), "twist": ("f",), "swap": ("a",), "net-off": (), "faceoff": ("blue", "p2", "green"),
    "review": ("green",), "salvage": (),
}  # fmt: skip


@pytest.mark.parametrize("card_id", CARDS_THAT_ASK)
def test_what_a_card_asks_for_is_marked_step_by_step(card_id):
    position = {**SCRUM, "hands": [[card_id], [], [], []], "draw_pile": [], "discard": ["take-2", "u-turn", "extra"]}
    named = CARDS_THAT_ASK[card_id]
    for length in range(len(named) + 1):
        assert_options_look_different(picking(GAME, position, 0, ("play", card_id, *named[:length])))


def test_pieces_to_be_placed_and_their_spaces_are_marked():
    for seats in (2, 6):
        for prefix in ((), ("place",), ("place", "p1"), ("place", "m2")):
            assert_options_look_different(picking(GAME, GAME.position(GAME.start(seats)), 0, prefix))


def test_words_that_name_nothing_on_the_board_have_a_place_too():
    sample = lying(GAME, SCRUM, 0)
    for token in ("end", "pass", "draw", "discard", "whatever"):
        options = (Choice(token, token, final=True),)
        assert changed(drawn(in_scene(sample, options=options)), drawn(sample)) is not None, token


def test_words_that_name_nothing_at_all_do_no_harm():
    sample = lying(GAME, SCRUM, 0)
    options = tuple(Choice(token, token, final=True) for token in ("zz", "q9", "up", "east-of"))
    for prefix in (*PICKS, ("place",), ("play", "twist", "zz"), ("play", "mix", "zz", "zz", "zz"), ("orange",), ("zz", "zz")):
        drawn(in_scene(sample, prefix=prefix, options=options))
