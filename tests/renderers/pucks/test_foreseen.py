"""Where a piece would go, as the picture shows it before it is moved."""

import pytest

from engines.pucks.board.board import DIRECTIONS
from engines.pucks.board.views import Moved
from renderers.pucks.foreseen import ways_of
from tests.renderers.pucks.drawing import walk
from tests.renderers.samples.pucks import GAME, SCRUM


@pytest.mark.parametrize(("seats", "variant"), [(3, "standard"), (2, "old-school")])
def test_a_piece_goes_as_the_picture_has_shown_it(seats, variant):
    seen = 0
    for state, _ in walk(seats, variant, seats, 60):
        seat = state.to_move
        view = GAME.view(state)
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


def test_what_cannot_move_goes_nowhere():
    view = GAME.view(GAME.from_position(SCRUM))
    piece = view.pieces[0].piece
    assert ways_of(view, piece, "sideways") == ()
    assert ways_of(GAME.view(GAME.start(2)), piece, DIRECTIONS[0]) == ()
