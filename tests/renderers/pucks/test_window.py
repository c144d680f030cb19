"""The part of the board that a picture shows while an action is picked."""

import random
from dataclasses import replace

import pytest

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS, cells
from engines.pucks.board.box import ROWS
from renderers.pucks.foreseen import ways_of
from renderers.pucks.picks import Meaning, target
from renderers.pucks.picture import Page, page_of
from renderers.scene import Scene
from tests.renderers.pucks.drawing import SEATS, walk
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import picking

pytestmark = pytest.mark.slow


def points_of(page: Page, token: str) -> list[tuple[int, int]]:
    """The spaces that an option is about; none if it is shown elsewhere than on the board."""
    view, pick = page.view, page.pick
    pieces = [placed for placed in view.pieces if placed.piece.colour == pick.colour]
    if pick.meaning is Meaning.WAY:
        moved = [placed.piece for placed in pieces if placed.piece.word == pick.piece]
        return [point for piece in moved for way in ways_of(view, piece, token) for point in way.points]
    if pick.meaning is Meaning.SPACE:
        return [cell.point for mat in view.mats for cell in cells(mat) if cell.space == token]
    if pick.meaning is Meaning.MAT:
        return [cell.point for mat in view.mats if mat.id == token for cell in cells(mat)]
    if pick.meaning is Meaning.TARGET and (at := target(view.mats, pick, token)) is not None:
        return [(at[0] * ROWS + x, at[1] * ROWS + y) for x in range(ROWS) for y in range(ROWS)]
    if pick.meaning is Meaning.DEGREES:
        return [cell.point for mat in view.mats if mat.id == pick.mat for cell in cells(mat)]
    return [placed.point for placed in pieces if placed.piece.word == token]


def assert_all_options_are_seen(page: Page) -> bool:
    """Whether only a part of the board is shown; it must contain every option in any case, and the direction picked."""
    layout = page.layout()
    left, top, right, bottom = layout.rink.area
    half = layout.rink.space / 2
    picked = page.scene.prefix[-1:] if page.pick.meaning is Meaning.WAY else ()
    for token in (*picked, *(option.token for option in page.scene.options)):
        for point in points_of(page, token):
            x, y = layout.rink.middle(point)
            assert left <= x - half, token
            assert x + half <= right, token
            assert top <= y - half, token
            assert y + half <= bottom, token
    return layout.window is not None


@pytest.mark.parametrize(("seats", "variant"), [(2, "standard"), (4, "standard"), (6, "standard"), (3, "old-school")])
def test_every_option_is_in_the_picture_wherever_a_game_goes(seats, variant):
    dice, closer = random.Random(seats), 0
    for state, _ in walk(seats, variant, seats + 10, 90):
        for seat in GAME.to_act(state)[:1]:
            prefix: Action = ()
            while True:
                options = tuple(GAME.choices(state, seat, prefix))
                page = page_of(GAME.view(state, seat), Scene(names=SEATS, prefix=prefix, options=options))
                closer += assert_all_options_are_seen(page)
                if not options:
                    break
                prefix = (*prefix, dice.choice(options).token)
    assert closer > 10


def test_what_matters_is_drawn_larger():
    whole = picking(GAME, SCRUM, 0)
    near = picking(GAME, SCRUM, 0, ("m1",))
    plans = [page_of(sample.view, sample.scene).layout() for sample in (whole, near)]
    assert plans[0].window is None
    assert plans[1].window is not None
    assert plans[1].rink.space > 1.5 * plans[0].rink.space


def test_a_direction_is_seen_with_the_whole_way_that_the_piece_would_go():
    sample = picking(GAME, SCRUM, 0, ("p1",))
    assert {option.token for option in sample.scene.options} <= set(DIRECTIONS)
    assert_all_options_are_seen(page_of(sample.view, sample.scene))


def test_the_whole_board_is_shown_once_it_is_done():
    sample = picking(GAME, SCRUM, 0, ("m1", "up"))
    step = GAME.play(GAME.from_position(SCRUM), 0, ("m1", "up"))
    done = page_of(GAME.view(step.state, 0), replace(sample.scene, events=step.events))
    assert done.layout().window is None
    assert done.view == GAME.view(step.state, 0)
