"""The part of the board that a picture shows while an action is picked."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.game import Action, Event
from engines.pucks.board.board import DIRECTIONS, cells
from engines.pucks.board.box import ROWS, box
from engines.pucks.board.views import Moved, PucksView, Stop, Way
from renderers import theme
from renderers.pucks.cards import CARD_WIDTH
from renderers.pucks.layout import READABLE
from renderers.pucks.picks import Meaning, target, ways_of
from renderers.pucks.picture import Composition, compose
from renderers.pucks.window import latest, window_of_size
from renderers.scene import Scene
from tests.engines.pucks.drawing import drawn
from tests.engines.pucks.tables import two
from tests.renderers.pixels import within
from tests.renderers.pucks.drawing import SEATS, legal, shaped, walk
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import picking

pytestmark = pytest.mark.slow


def points_of(page: Composition, token: str) -> list[tuple[int, int]]:
    """The spaces that an option is about, if it is shown on the board."""
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


def assert_all_options_are_seen(page: Composition) -> bool:
    """Whether only a part of the board is shown. It must contain every option and the direction picked."""
    layout = page.layout()
    half = layout.rink.space / 2
    picked = page.scene.prefix[-1:] if page.pick.meaning is Meaning.WAY else ()
    for token in (*picked, *(option.token for option in page.scene.options)):
        for point in points_of(page, token):
            x, y = layout.rink.middle(point)
            assert within((x - half, y - half, x + half, y + half), layout.rink.area), token
    return layout.window is not None


@pytest.mark.parametrize(("seats", "variant"), [(2, "standard"), (4, "standard"), (6, "standard"), (3, "old-school")])
def test_every_option_is_in_the_picture_wherever_a_game_goes(seats, variant):
    dice, closer, smallest = random.Random(seats), 0, 300
    for state, _ in walk(seats, variant, seats + 10, 90):
        for seat in GAME.to_act(state)[:1]:
            prefix: Action = ()
            while True:
                options = tuple(GAME.choices(state, seat, prefix))
                page = compose(GAME.view(state, seat), Scene(names=SEATS, prefix=prefix, options=options))
                closer += assert_all_options_are_seen(page)
                smallest = min(smallest, page.layout().rink.mat)
                if not options:
                    break
                prefix = (*prefix, dice.choice(options).token)
    assert closer > 10 or smallest * 1.15 > READABLE, "unless the pieces on the whole board can be told apart"


def wide(*prefix: str, **keys: Any) -> Composition:
    """The picture of a pick on a board that is too wide for its pieces to be told apart."""
    pieces, hands = {"red m1": "b6", "blue m1": "c6"}, [["slush"], []]
    state = drawn("", ["B B B B B B"] * 4, seats=2, pieces=pieces, hands=hands, action_rule=2)
    scene = Scene(names=SEATS, prefix=prefix, options=tuple(GAME.choices(state, 0, prefix)), **keys)
    return compose(GAME.view(state, 0), scene)


def test_the_part_of_a_large_board_that_matters_is_drawn_larger():
    plans = [page.layout() for page in (wide(), wide("m1"))]
    assert plans[0].window is None
    assert plans[1].window is not None
    assert plans[1].rink.space > 1.3 * plans[0].rink.space


def test_a_direction_is_seen_with_the_whole_way_that_the_piece_would_go():
    sample = picking(GAME, SCRUM, 0, ("p1",))
    assert {option.token for option in sample.scene.options} <= set(DIRECTIONS)
    assert_all_options_are_seen(compose(sample.view, sample.scene))


def test_the_whole_board_is_shown_where_other_pieces_can_be_picked_too():
    assert wide("m1").layout().window is not None
    layout = wide("m1", whole=True).layout()
    assert layout.window is None
    assert layout.rink.area[3] - layout.rink.area[1] <= 800, "there are many buttons below it"


def test_the_board_and_the_hand_stay_where_they_are_while_an_action_of_a_turn_is_picked():
    state = two(["twist", "shift", "slush"], pieces={"red p1": "e1", "red m1": "e10", "blue m1": "i6"}, taken=1)
    view, scene = GAME.view(state, 0), Scene(names=("Ann", "Ben"))
    before = compose(view, scene).layout()
    for prefix, whole in ((("p1",), False), (("p1",), True), (("play",), False), (("play", "twist"), False)):
        page = compose(view, replace(scene, prefix=prefix, options=tuple(GAME.choices(state, 0, prefix)), whole=whole))
        assert set(page.held) == {"twist", "shift", "slush"}
        assert (page.layout().rink, page.layout().height) == (before.rink, before.height), prefix


def test_the_whole_board_is_shown_once_the_action_is_done():
    sample = picking(GAME, SCRUM, 0, ("m1", "up"))
    step = GAME.play(GAME.from_position(SCRUM), 0, ("m1", "up"))
    done = compose(GAME.view(step.state, 0), replace(sample.scene, events=step.events))
    assert done.layout().window is None
    assert done.view == GAME.view(step.state, 0)


SPREAD = [
    (0, 0), (1, 0), (3, 0), (4, 0), (1, 1), (2, 1), (3, 1), (4, 1),
    (5, 1), (2, 2), (3, 2), (1, 3), (2, 3), (3, 3), (4, 3), (1, 4),
]  # fmt: skip
"""Sixteen mats, six by five with the gaps, as shifts leave them."""


def on_a_phone(page: Composition) -> float:
    """The size of a puck in pixels, in a picture that is 350 pixels wide."""
    return page.layout().rink.space * 0.95 * 350 / theme.WIDTH


def slid(view: PucksView, *steps: tuple[int, int]) -> tuple[Event, ...]:
    """These seats' first pieces slide so many spaces to the right, as if nothing were in their way."""
    events = []
    for seat, far in steps:
        placed = next(one for one in view.pieces if one.piece.colour == seat)
        x, y = placed.point
        way = Way(placed.piece, tuple((x - far + step, y) for step in range(far + 1)), Stop.EDGE)
        events.append(Event("move", seat, "…", detail=Moved((way,))))
    return tuple(events)


def test_a_spread_board_shows_only_the_last_turn_and_a_map_of_the_whole():
    view = shaped(6, SPREAD)
    whole = compose(view, Scene(names=SEATS))
    page = compose(view, Scene(names=SEATS, events=slid(view, (3, 0), (5, 0))))
    assert whole.layout().window is None
    assert page.layout().window is not None
    assert page.layout().beside, "below the rink, the map would take its height"
    assert on_a_phone(whole) < 14
    assert on_a_phone(page) > 18
    seen = next(placed.point for placed in view.pieces if placed.piece.colour == 5)
    (x, y), (left, top, right, bottom) = page.layout().rink.middle(seen), page.layout().rink.area
    assert left < x < right
    assert top < y < bottom


def test_a_board_whose_pieces_can_be_told_apart_is_shown_whole():
    for seats in range(2, 7):
        view = GAME.view(GAME.start(seats, setup="random"))
        page = compose(view, Scene(names=SEATS, events=slid(view, (1, 0))))
        assert page.layout().window is None
        assert on_a_phone(page) > (25 if seats < 4 else 19)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_hand_leaves_the_board_large_enough_to_tell_its_pieces_apart(seats):
    state = GAME.from_position({**GAME.position(GAME.start(seats, setup="random")), "phase": "act"})
    limit = box().layout(seats).hand_limit
    names = ("Maximiliane von und zu Hohenfels", *SEATS[1:])
    for kinds in range(1, limit + 1):
        view = replace(GAME.view(state, 0), hand=tuple(sorted(set(box().deck))[-kinds:]))
        for events in ((), slid(view, (1, 0), (0, 0))):
            page = compose(view, Scene(names=names, events=events, options=tuple(GAME.choices(state, 0))))
            layout = page.layout()
            assert layout.window is None, "all own pieces are options"
            assert layout.rink.mat >= READABLE
            assert on_a_phone(page) > (22 if seats < 4 else 15.5)
            assert layout.card_width == CARD_WIDTH


def test_many_cards_leave_a_spread_board_room():
    view = shaped(6, SPREAD, 0)
    sizes = []
    for kinds in (1, 5, 9, 12):
        page = compose(replace(view, hand=tuple(sorted(set(box().deck))[:kinds])), Scene(names=SEATS, prefix=(), options=()))
        sizes.append(on_a_phone(page))
    assert min(sizes[:2]) > 11.5
    assert min(sizes) > 8.5


def test_a_part_of_the_board_has_hardly_a_margin_where_the_board_ends():
    view = shaped(2, [(column, row) for column in range(3) for row in range(3)])
    corner = next(placed for placed in view.pieces if placed.piece.colour == 0)
    there = replace(view, pieces=(replace(corner, point=(0, 0)),))
    way = Way(corner.piece, ((0, 0), (1, 0)), Stop.EDGE)
    (part,) = latest(there, compose(there, Scene(names=SEATS, events=(Event("move", 0, "…", detail=Moved((way,))),))).story)
    left, top, right, bottom = part
    assert -0.5 < left < 0
    assert -0.5 < top < 0
    assert (right, bottom) == (3.5, 2.5)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_in_random_games_the_pieces_of_the_last_turn_can_be_told_apart_on_a_phone(seats):
    sizes = []
    for state, events in walk(seats, "standard", seats + 20, 120):
        view, known = GAME.view(state), tuple(event for event in events if event.known_to(None))
        page = compose(view, Scene(names=SEATS, events=known))
        if latest(view, page.story):
            sizes.append(on_a_phone(page))
    assert min(sizes) > 11
    assert sum(size > 14 for size in sizes) >= 0.9 * len(sizes)


def test_a_frame_of_an_animation_has_one_size_and_shows_the_whole_board():
    layouts = []
    for state, events in walk(6, "standard", 5, 80):
        known = tuple(event for event in events if event.known_to(None))
        layouts.append(compose(GAME.view(state), Scene(names=SEATS, events=known, moving=True)).layout())
    assert {layout.height for layout in layouts} == {theme.TALLEST}
    assert {layout.window for layout in layouts} == {None}


@given(
    places=st.integers(0, 10_000).map(lambda seed: frozenset(legal(seed, 16))),
    start=st.tuples(st.integers(0, 15), st.integers(0, 3), st.integers(0, 3)),
    size=st.tuples(st.floats(7, 30), st.floats(7, 30)),
)
def test_a_window_contains_its_part_and_is_no_larger_than_wanted(places, start, size):
    column, row = sorted(places)[start[0]]
    x, y = column * ROWS + start[1], row * ROWS + start[2]
    part = (x - 1.5, y - 1.5, x + 2.5, y + 2.5)
    window = window_of_size(part, size, places)
    left, top, right, bottom = part
    assert within((left + 1e-6, top + 1e-6, right - 1e-6, bottom - 1e-6), window)
    assert window[2] - window[0] <= size[0] + 1e-6
    assert window[3] - window[1] <= size[1] + 1e-6
