"""The meaning of the tokens picked so far, the board as they leave it, and where a piece would go."""

import pytest

from engines.pucks.board.board import DIRECTIONS
from engines.pucks.board.views import Moved
from renderers.pucks.picks import Meaning, pick_of, ways_of, with_prefix
from tests.renderers.pucks.drawing import walk
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import picking


def test_a_word_means_a_puck_or_a_space_depending_on_the_words_before():
    view = picking(GAME, SCRUM, 0).view
    assert pick_of(view, ()).meaning is Meaning.ACT
    assert pick_of(view, ("p1",)).meaning is Meaning.WAY
    assert pick_of(view, ("place",)).meaning is Meaning.WAITING
    assert pick_of(view, ("place", "p1")).meaning is Meaning.SPACE
    assert pick_of(view, ("red",)).meaning is Meaning.PIECE
    assert pick_of(view, ("play", "review", "blue")).meaning is Meaning.SPACE
    assert pick_of(view, ("play", "faceoff", "red", "p1")).meaning is Meaning.COLOUR
    assert pick_of(view, ("play", "faceoff", "red", "p1", "blue")).colour == 1
    meanings = [pick_of(view, ("play", "mix", "c", "east-of", "d")[:end]).meaning for end in (2, 3, 4, 5)]
    assert meanings == [Meaning.MAT, Meaning.RELATION, Meaning.TARGET, Meaning.MAT]


CARDS = (
    ("play", "shift", "c", "east-of", "d"), ("play", "swap", "a", "p"), ("play", "twist", "e", "270"),
    ("play", "mix", "c", "east-of", "d", "a", "north-of", "c", "done"),
)  # fmt: skip


@pytest.mark.parametrize("action", CARDS, ids=" ".join)
def test_the_board_is_drawn_as_the_picked_action_will_leave_it(action):
    state = GAME.from_position({**SCRUM, "hands": [[action[1]], [], [], []], "draw_pile": [], "discard": []})
    done = GAME.view(GAME.play(state, 0, action).state, 0)
    planned = with_prefix(GAME.view(state, 0), action)
    assert planned.mats == done.mats
    assert planned.pieces == done.pieces


def test_a_piece_that_is_placed_stands_there_before_the_choice_is_confirmed():
    planned = with_prefix(GAME.view(GAME.start(3), 0), ("place", "p1", "c3"))
    assert [(placed.piece.name, placed.space) for placed in planned.pieces] == [("red p1", "c3")]


@pytest.mark.parametrize(("seats", "variant"), [(3, "standard"), (2, "old-school")])
def test_a_piece_goes_as_the_picture_has_shown_it(seats, variant):
    seen = 0
    for state, _ in walk(seats, variant, seats, 60):
        seat, view = state.to_move, GAME.view(state)
        for piece in [placed.piece for placed in view.pieces if placed.piece.colour == seat]:
            for choice in GAME.choices(state, seat, (piece.word,)):
                events = GAME.play(state, seat, (piece.word, choice.token)).events
                moved = next(event.detail for event in events if isinstance(event.detail, Moved))
                assert ways_of(view, piece, choice.token) == moved.ways
                seen += 1
    assert seen > 100


@pytest.mark.parametrize("ongoing", [None, "thin-ice", "slush"])
def test_the_ongoing_card_counts(ongoing):
    state = GAME.from_position({**SCRUM, "ongoing": ongoing})
    for piece, word, direction in (("ice", "i2", "left"), ("puck", "p1", "right")):
        moved = GAME.play(state, 0, (word, direction)).events[0].detail
        found = next(placed.piece for placed in GAME.view(state).pieces if placed.piece.name == f"red {word}")
        assert found.kind == piece
        assert ways_of(GAME.view(state), found, direction) == moved.ways


def test_pieces_that_cannot_move_go_nowhere():
    view = GAME.view(GAME.from_position(SCRUM))
    piece = view.pieces[0].piece
    assert ways_of(view, piece, "sideways") == ()
    assert ways_of(GAME.view(GAME.start(2)), piece, DIRECTIONS[0]) == ()
