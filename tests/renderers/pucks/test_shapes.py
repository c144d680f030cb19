"""Boards of other shapes than the box has: all of a board is in the picture, and large enough."""

import random
from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from engines.chance import Fair
from engines.game import Action
from engines.pucks.board.board import cells
from engines.pucks.board.pieces import COLOURS
from renderers import theme
from renderers.poster import HEIGHT, Poster, draw_poster
from renderers.pucks.fold import Fold, extent, folds
from renderers.pucks.picks import Meaning
from renderers.pucks.picture import Composition, compose
from renderers.scene import Scene
from tests.renderers.pixels import change, drawn, within
from tests.renderers.pucks.drawing import SEATS, legal, pictured, shaped
from tests.renderers.samples.pucks import GAME, laid, odd
from tests.renderers.scenes import Sample, in_scene, picking

pytestmark = pytest.mark.slow

SMALLEST = 60  # the least size of a mat in pixels: its spaces are 15 pixels wide. Only large, ragged boards come down to that.

CODES = {
    "a row": "BkGwBKGeBBGwkBKKKGeB", "a column": "B/k/Gs/B/K/Gn/B/B/Gs/k/B/K/K/K/Gs/B", "two mats": "BGw",
    "a hole": "BBK/K.Gw/BkB", "an L": "B/K/B/k/GnBBGw", "two rows": "BkGwBKGeBB/GskBKKKGeB",
    "far out": "Gs......./B......./KBBKkBKGw/.......B", "stairs": "Gs/BB/.KB/..KB/...KB/....kB/.....kGn/......Gs",
}  # fmt: skip


def scattered(code: str, seats: int) -> dict[str, str]:
    """Pieces anywhere on the basic mats of a board."""
    free = [f"{mat}{n}" for mat, told in laid(code).items() for n in range(1, 17) if told["kind"] == "basic"]
    random.Random(code).shuffle(free)
    names = [f"{colour} {word}" for colour in COLOURS[:seats] for word in ("p1", "p2", "m1", "i1")]
    return dict(zip(names, free, strict=False))


def standing(code: str) -> Sample:
    """A game of two on a board, in the middle of it."""
    return picking(GAME, odd(code, scattered(code, 2), 2), 0)


def page(view, **scene) -> Composition:
    return compose(view, Scene(**({"names": SEATS[: view.seats]} | scene)))


def assert_all_is_in_the_picture(shown: Composition) -> int:
    """The size of a mat, once it is sure that no mat reaches outside the rink or overlaps another."""
    layout = shown.layout()
    corners = [layout.rink.corner(mat.at) for mat in shown.view.mats]
    side = layout.rink.mat
    assert all(within((x, y, x + side, y + side), layout.rink.area) for x, y in corners)
    for number, (x, y) in enumerate(corners):
        assert all(abs(x - a) >= side or abs(y - b) >= side for a, b in corners[:number])
    assert layout.height <= theme.TALLEST
    return side


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10_000), six=st.booleans(), cards=st.integers(0, 7))
def test_nothing_of_any_board_is_cut_off_and_pieces_are_large_enough(seed, six, cards):
    view = shaped(6 if six else 2, legal(seed, 16 if six else 9), 0)
    hand = ("shift", "swap", "twist", "whistle", "draw-2", "take-3", "salvage")[:cards]
    assert assert_all_is_in_the_picture(page(replace(view, hand=hand))) >= SMALLEST


@pytest.mark.parametrize("name", CODES)
def test_odd_boards_are_drawn_whole_whatever_is_picked(name):
    assert assert_all_is_in_the_picture(page(standing(CODES[name]).view)) >= SMALLEST
    position = odd(CODES[name], {}, 2, hands=[["shift", "swap", "twist", "net-off", "mix"], ["whistle"]])
    state, dice = GAME.from_position(position), random.Random(name)
    for _ in range(4):
        prefix: Action = ()
        while choices := GAME.choices(state, 0, prefix):
            picture = drawn(picking(GAME, position, 0, prefix))
            assert picture.width == theme.WIDTH
            assert picture.height <= theme.TALLEST
            prefix = (*prefix, dice.choice(choices).token)


@pytest.mark.parametrize("name", ["a row", "a column"])
def test_a_long_board_is_cut_into_parts_so_that_its_pieces_are_large(name):
    rink = page(standing(CODES[name]).view).layout().rink
    assert rink.fold is not None
    assert rink.mat >= 120
    assert (name == "a column") == rink.fold.upright


def test_the_boards_of_the_box_are_never_cut():
    for seats in range(2, 7):
        assert page(replace(GAME.view(GAME.start(seats), 0), hand=("shift",) * 5)).layout().rink.fold is None


@pytest.mark.parametrize(("columns", "rows"), [(16, 1), (1, 16), (12, 2), (3, 14), (40, 1)])
def test_parts_of_a_board_never_overlap_and_are_in_order(columns, rows):
    for fold in folds(columns, rows):
        across, down, aside, below = extent(columns, rows, fold)
        places = [(x, y) for x in range(columns) for y in range(rows)]
        corners = [fold.corner(at, 50) for at in places]
        assert len(set(corners)) == len(places)
        assert max(x for x, _ in corners) + 50 <= across * 50 + aside
        assert max(y for _, y in corners) + 50 <= down * 50 + below
        along = [(n, 0) if columns > rows else (0, n) for n in range(max(columns, rows))]
        assert all(fold.part(b) - fold.part(a) in {0, 1} for a, b in pairwise(along))


def test_a_way_that_goes_on_in_another_part_is_cut_there():
    whole = page(standing(CODES["a row"]).view).layout().rink
    assert isinstance(whole.fold, Fold)
    last, first = whole.fold.length * 4 - 1, whole.fold.length * 4
    assert whole.parts([(last - 1, 1), (last, 1), (first, 1)]) == [[(last - 1, 1), (last, 1)], [(first, 1)]]
    assert whole.step((last, 1), (first, 1)) == (whole.space, 0)
    assert whole.step((first, 1), (last, 1)) == (-whole.space, 0)
    (x, y), (beyond_x, beyond_y) = whole.middle((last, 1)), whole.middle((first, 1))
    assert beyond_x < x
    assert beyond_y > y


def test_a_slide_across_the_cut_is_told_on_both_sides_of_it():
    position = odd("BBBBBBkkKKKKGwGwGwGw", {"red p1": "a5", "blue p1": "p16"}, 2)
    step = GAME.play(GAME.from_position(position, Fair(bytes(32))), 0, ("p1", "right"))
    view = GAME.view(step.state, None)
    told, still = pictured(view, events=step.events), pictured(view)
    rink = page(view, events=step.events).layout().rink
    assert rink.fold is not None
    way = [cell.point for mat in view.mats for cell in cells(mat) if cell.point[1] == 1]
    reached = max(placed.point[0] for placed in view.pieces if placed.piece.word == "p1" and placed.piece.colour == 0)
    for part in rink.parts(sorted(point for point in way if point[0] <= reached)):
        (x, y), (end_x, _) = rink.middle(part[0]), rink.middle(part[-1])
        strip = (round(x), round(y) - 4, max(round(end_x), round(x) + 8), round(y) + 4)
        if len(part) > 1:
            assert told.crop(strip).tobytes() != still.crop(strip).tobytes(), part


@pytest.mark.parametrize("name", CODES)
def test_the_words_for_the_four_sides_are_apart_on_any_board(name):
    position = {**GAME.position(GAME.from_position(odd(CODES[name], {}, 2))), "hands": [["shift"], []]}
    for mat in GAME.choices(GAME.from_position(position), 0, ("play", "shift")):
        sample = picking(GAME, position, 0, ("play", "shift", mat.token))
        spots: list[tuple[int, int, int, int]] = []
        for option in sample.scene.options:
            one = in_scene(sample, options=(option,))
            none = in_scene(sample, options=())
            assert compose(sample.view, sample.scene).pick.meaning is Meaning.RELATION
            spots.append(change(drawn(one), drawn(none)))
        for number, (left, top, right, bottom) in enumerate(spots):
            for a, b, c, d in spots[:number]:
                assert right <= a or c <= left or bottom <= b or d <= top, (mat.token, option.token)
        break


@pytest.mark.parametrize("name", CODES)
def test_a_poster_has_room_for_its_words_beside_any_board(name):
    state = GAME.from_position(odd(CODES[name], {}, 2))
    few, many = (Poster("Puck Bumpers", ("two", "no clock", words), 6) for words in ("Standard", "Something else"))
    one, other = (Image.open(BytesIO(draw_poster(GAME.id, GAME.view(state, None), poster))) for poster in (few, many))
    assert one.size == (theme.WIDTH, HEIGHT)
    assert change(one.convert("RGB"), other.convert("RGB"))[0] > 100


def test_the_pictures_of_a_random_game_on_a_long_board_are_drawn_wherever_it_goes():
    dice = random.Random(3)
    state = GAME.from_position(odd(CODES["a row"], scattered(CODES["a row"], 3), 3), Fair(bytes(32)))
    for number in range(60):
        seat = (GAME.to_act(state) or (0,))[0]
        action: Action = ()
        while not GAME.is_whole(state, seat, action):
            action = (*action, dice.choice(GAME.choices(state, seat, action)).token)
        step = GAME.play(state, seat, action)
        state = step.state
        if number % 6 == 0:
            view = GAME.view(state, None)
            assert_all_is_in_the_picture(page(view, events=step.events))
            assert pictured(view, events=tuple(e for e in step.events if e.known_to(None))).height <= theme.TALLEST
