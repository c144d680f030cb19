"""What the words picked so far mean, and the board as they leave it."""

import pytest

from renderers.pucks.picks import Meaning, pick_of, with_prefix
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import picking


def test_a_word_means_a_puck_or_a_space_by_what_was_said_before():
    view = picking(GAME, SCRUM, 0).view
    assert pick_of(view, ()).meaning is Meaning.ACT
    assert pick_of(view, ("p1",)).meaning is Meaning.WAY
    assert pick_of(view, ("place",)).meaning is Meaning.WAITING
    assert pick_of(view, ("place", "p1")).meaning is Meaning.SPACE
    assert pick_of(view, ("red",)).meaning is Meaning.PIECE
    assert pick_of(view, ("play", "review", "blue")).meaning is Meaning.SPACE
    assert pick_of(view, ("play", "faceoff", "red", "p1")).meaning is Meaning.COLOUR
    assert pick_of(view, ("play", "faceoff", "red", "p1", "blue")).colour == 1
    assert [pick_of(view, ("play", "mix", "c", "east-of", "d")[:end]).meaning for end in (2, 3, 4, 5)] == [
        Meaning.MAT,
        Meaning.RELATION,
        Meaning.TARGET,
        Meaning.MAT,
    ]


@pytest.mark.parametrize(
    "action",
    [
        ("play", "shift", "c", "east-of", "d"),
        ("play", "swap", "a", "p"),
        ("play", "twist", "e", "270"),
        ("play", "mix", "c", "east-of", "d", "a", "north-of", "c", "done"),
    ],
    ids=" ".join,
)
def test_the_board_is_drawn_as_it_will_be_once_what_is_picked_is_done(action):
    position = {**SCRUM, "hands": [[action[1]], [], [], []], "draw_pile": [], "discard": []}
    state = GAME.from_position(position)
    done = GAME.view(GAME.play(state, 0, action).state, 0)
    planned = with_prefix(GAME.view(state, 0), action)
    assert planned.mats == done.mats
    assert planned.pieces == done.pieces


def test_a_piece_that_is_placed_stands_there_before_the_choice_is_confirmed():
    planned = with_prefix(GAME.view(GAME.start(3), 0), ("place", "p1", "c3"))
    assert [(placed.piece.name, placed.space) for placed in planned.pieces] == [("red p1", "c3")]
