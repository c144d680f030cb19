"""The picture of Bouncers."""

import math
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from engines.game import Choice
from renderers import theme
from renderers.bouncers.colours import colours_of
from renderers.bouncers.ground import TRAYS, Squares
from renderers.bouncers.story import landings_of, moves_of, number_places
from tests.renderers.pixels import Box, change, changed, counted, drawn, pixel, within
from tests.renderers.samples import SAMPLES
from tests.renderers.samples.bouncers import GAME, KNOT, KNOTTED, MELEE, PREY, SHORT_WAY, TWELVE, several
from tests.renderers.scenes import in_scene, lying, picking
from tests.renderers.test_theme import PALETTES, TEXT

LEFT, TOP, SIDE = 66, 40, 105  # the corner of the 8×8 mat, and how wide a square is
SHADOW = 4  # how far a piece's shadow may fall on the next square


def position(**pieces: list[str]) -> dict[str, Any]:
    empty = {"variant": "8x8-16", "to_move": 0, "red": [], "red_kings": [], "blue": [], "blue_kings": []}
    return {**empty, **pieces}


def box(square: str, turned: bool = False) -> Box:
    """The square's place in the picture."""
    column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
    if turned:
        column, row = 7 - column, 7 - row
    return LEFT + column * SIDE, TOP + row * SIDE, LEFT + (column + 1) * SIDE, TOP + (row + 1) * SIDE


@pytest.mark.parametrize("name", PALETTES)
def test_coordinates_have_contrast_with_the_rim(name):
    colours = colours_of(PALETTES[name])
    assert theme.contrast(colours.on_pad, colours.pad) >= TEXT[name]


def test_a1_is_dark_and_h1_light():
    picture = drawn(lying(GAME, position(red=["d4"], blue=["d8"])))
    colours = colours_of(theme.WARM)
    assert pixel(picture, (LEFT + 8, TOP + 8 * SIDE - 8)) == colours.dark
    assert pixel(picture, (LEFT + 8 * SIDE - 8, TOP + 8 * SIDE - 8)) == colours.light


@pytest.mark.parametrize("square", ["a1", "c2", "h7", "e5"])
def test_a_piece_stands_on_its_square_and_nowhere_else(square):
    bare = drawn(lying(GAME, position(red=["d4"], blue=["d8"])))
    there = drawn(lying(GAME, position(red=["d4", square], blue=["d8"])))
    score = (0, theme.MAX_HEIGHT - theme.EDGE - theme.STRIP, theme.WIDTH, theme.MAX_HEIGHT)
    for picture in (bare, there):
        picture.paste((0, 0, 0), score)
        for tray in TRAYS:
            picture.paste((0, 0, 0), tray)
    left, top, right, bottom = box(square)
    assert within(change(bare, there), (left, top, right + SHADOW, bottom + SHADOW))


def test_seen_from_blue_the_board_is_turned_by_half_a_turn():
    straight = drawn(lying(GAME, MELEE))
    turned = drawn(lying(GAME, MELEE, seen_from=1))
    for file in "abcdefgh":
        for rank in range(1, 9):
            square = f"{file}{rank}"
            here, there = straight.crop(box(square)), turned.crop(box(square, turned=True))
            # Springs show between the pieces of rim squares, so compare the middles.
            inside = (6, 6, SIDE - 6, SIDE - 6)
            assert here.crop(inside).tobytes() == there.crop(inside).tobytes(), square


@pytest.mark.parametrize("square", ["c3", "a1", "h8", "d4"])
def test_a_mark_on_an_option_changes_that_square_alone(square):
    sample = lying(GAME, position(red=["d4"], blue=["d8"]))
    marked = in_scene(sample, options=(Choice(square, square, final=True),))
    assert within(change(drawn(sample), drawn(marked)), box(square))


def test_every_option_is_marked():
    sample = picking(GAME, MELEE, 0)
    bare = drawn(in_scene(sample, options=()))
    marked = drawn(sample)
    assert len(sample.scene.options) > 5
    for option in sample.scene.options:
        square = box(option.token)
        assert changed(bare.crop(square), marked.crop(square)) is not None, option.token


def test_a_word_that_is_no_square_is_not_marked_on_the_board():
    sample = lying(GAME, MELEE)
    asked = in_scene(sample, options=tuple(Choice(word, word, final=True) for word in ("stop", "", "z9", "a0")))
    assert changed(drawn(sample), drawn(asked)) is None


def test_a_king_does_not_look_like_a_counter():
    counter = drawn(lying(GAME, position(red=["d4"], blue=["d8"])))
    king = drawn(lying(GAME, position(red_kings=["d4"], blue=["d8"])))
    different = ImageChops.difference(counter, king).crop(box("d4")).convert("L").point([0] * 40 + [255] * 216)
    assert different.histogram()[255] > SIDE * SIDE / 8


def test_while_a_path_is_picked_its_piece_stands_at_its_end_and_its_captures_are_gone():
    sample = lying(GAME, position(red=["d2", "c2"], blue=["f2", "h8"]))
    picked = in_scene(sample, prefix=("d2", "e2"))
    red = theme.WARM.seats[0].colour
    assert red in counted(drawn(picked).crop(box("e2")))
    beside_the_trail = (20, 20, 46, 46)
    assert red in counted(drawn(sample).crop(box("d2")).crop(beside_the_trail))
    assert red not in counted(drawn(picked).crop(box("d2")).crop(beside_the_trail))
    assert changed(drawn(picked).crop(box("f2")), drawn(sample).crop(box("f2"))) is not None


def test_the_move_that_was_made_is_drawn_and_only_while_it_is_news():
    sample = SAMPLES["bouncers-move"]()
    quiet = in_scene(sample, events=())
    for square in ("d1", "e1", "f1"):
        assert changed(drawn(sample).crop(box(square)), drawn(quiet).crop(box(square))) is not None
    assert changed(drawn(sample).crop(box("a8")), drawn(quiet).crop(box("a8"))) is None


def test_a_large_board_has_its_own_squares():
    picture = drawn(lying(GAME, {**position(red=["j1"], blue=["a10"]), "variant": "10x10-20"}))
    assert isinstance(picture, Image.Image)
    red = theme.WARM.seats[0].colour
    x, y = LEFT + 9 * 84 + 42, TOP + 9 * 84 + 42
    assert red in {pixel(picture, (x + dx, y)) for dx in range(-30, 31)}


def landings(sample):
    moves = moves_of(sample.view, sample.scene.events)
    standing = {piece.square for piece in sample.view.pieces}
    return landings_of(Squares(sample.view.size, turned=False), moves, standing, theme.WARM)


@pytest.mark.parametrize(("position_", "way"), [(PREY, TWELVE), (KNOTTED, KNOT), ({**KNOTTED, "variant": "10x10-20"}, KNOT)])
def test_a_long_way_that_crosses_itself_has_a_number_for_each_step_and_none_hides_another(position_, way):
    found = landings(several(position_, way))
    assert [landing.number for landing in found] == list(range(1, len(way)))
    for landing, other in combinations(found, 2):
        assert math.dist(landing.at, other.at) >= (landing.diameter + other.diameter) / 2, (landing, other)


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("count", range(1, 9))
def test_the_numbers_of_one_square_stay_on_it_and_apart(count, taken):
    places = number_places(count, taken=taken)[:count]
    assert len(places) == count
    assert all(max(abs(across), abs(down)) < 0.4 for across, down in places)
    apart = 0.42 if count <= 4 else 0.32
    assert all(math.dist(one, other) >= apart for one, other in combinations(places, 2))


def test_several_moves_are_numbered_over_all_of_them():
    back = ("h7", "g6", "g5")
    found = landings(several(MELEE, SHORT_WAY, back))
    red, blue = (theme.WARM.seats[seat].colour for seat in (0, 1))
    assert [(landing.number, landing.colour) for landing in found] == [(1, red), (2, red), (3, blue), (4, blue)]
    both, last = several(MELEE, SHORT_WAY, back), several(MELEE, SHORT_WAY, back)
    last = in_scene(last, events=last.scene.events[1:])
    assert changed(drawn(both).crop(box("e1")), drawn(last).crop(box("e1"))) is not None


def test_moved_pieces_are_found_even_if_captured_or_crowned_since():
    sample = several(position(red=["d7", "d6", "a1"], blue=["f8"], blue_kings=["h1"]), ("d7", "d8"), ("h1", "h2"), ("d8", "d7"))
    moved = [(move.piece.square, move.piece.king) for move in moves_of(sample.view, sample.scene.events)]
    assert moved == [("d7", False), ("h1", True), ("d8", True)]
    for pieces, king in (({"red": ["d2", "d1", "a1"]}, False), ({"red": ["a1"], "red_kings": ["d2"]}, True)):
        gone = several(position(**pieces, blue_kings=["d5"]), ("d2", "d3"), ("d5", "d4"), ("a1", "a2"))
        assert not any(piece.square == "d3" for piece in gone.view.pieces)
        assert [move.piece.king for move in moves_of(gone.view, gone.scene.events)] == [king, True, False]


def test_a_piece_that_has_just_arrived_has_a_ring_and_others_have_none():
    sample = several(MELEE, ("c2", "c3"))
    quiet = in_scene(sample, events=())
    ring = (2, SIDE // 2 - 10, 10, SIDE // 2 + 10)
    assert changed(drawn(sample).crop(box("c3")).crop(ring), drawn(quiet).crop(box("c3")).crop(ring)) is not None
    assert changed(drawn(sample).crop(box("a4")), drawn(quiet).crop(box("a4"))) is None


def test_a_picked_piece_is_marked_before_it_goes_anywhere():
    sample = lying(GAME, MELEE)
    picked = in_scene(sample, prefix=("c2",))
    assert changed(drawn(sample).crop(box("c2")), drawn(picked).crop(box("c2"))) is not None
    assert changed(drawn(sample).crop(box("h5")), drawn(picked).crop(box("h5"))) is None


def test_captured_pieces_lie_beside_the_board_on_their_captors_side():
    above, below = TRAYS
    full, fewer = lying(GAME, MELEE), lying(GAME, {**MELEE, "blue": MELEE["blue"][:-1]})
    assert changed(drawn(full).crop(below), drawn(fewer).crop(below)) is not None
    assert changed(drawn(full).crop(above), drawn(fewer).crop(above)) is None
    turned = [lying(GAME, where, seen_from=1) for where in (MELEE, {**MELEE, "blue": MELEE["blue"][:-1]})]
    assert changed(*(drawn(sample).crop(above) for sample in turned)) is not None
    assert changed(*(drawn(sample).crop(below) for sample in turned)) is None


def test_the_trays_are_empty_at_the_start_and_have_room_for_all_captures():
    above, below = TRAYS
    start = drawn(SAMPLES["bouncers-start"]())
    blue, red = theme.WARM.seats[1].colour, theme.WARM.seats[0].colour
    assert not {red, blue} & set(counted(start.crop(below)))
    end = drawn(lying(GAME, {**position(red=["a1"], blue=["a2"]), "variant": "10x10-20"}))
    around = end.copy()
    for tray, colour in ((above, red), (below, blue)):
        assert colour in counted(end.crop(tray))
        around.paste((0, 0, 0), tray)
    strip = (above[0] - 12, above[1], 1010, below[3])
    assert not {red, blue} & set(counted(around.crop(strip)))


def test_what_was_just_captured_stands_out_beside_the_board():
    sample = several(MELEE, SHORT_WAY)
    quiet = in_scene(sample, events=())
    below = TRAYS[1]
    assert changed(drawn(sample).crop(below), drawn(quiet).crop(below)) is not None


def test_the_strip_counts_the_pieces_that_a_picked_path_leaves():
    lying_there = position(red=["c2", "c1", "b2"], blue=["e5", "h8"])
    strip = (0, theme.MAX_HEIGHT - theme.EDGE - theme.STRIP, theme.WIDTH, theme.MAX_HEIGHT)

    def strip_of(where, *prefix):
        return drawn(picking(GAME, where, 0, prefix)).crop(strip).tobytes()

    assert strip_of(lying_there, "c2", "c3") == strip_of(lying_there), "nothing is captured yet"
    assert strip_of(lying_there, "c2", "c3", "d4") == strip_of(position(red=["c2", "c1", "b2"], blue=["h8"])), "e5 is captured"
