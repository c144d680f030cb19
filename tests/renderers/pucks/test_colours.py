"""Pictures of games in which everybody has two colours."""

from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from engines.chance import Fair
from engines.pucks.board.pieces import Piece, PieceKind
from engines.pucks.board.views import PucksView
from renderers import theme
from renderers.poster import Poster, draw_poster
from renderers.pucks.blocks import Anchors
from renderers.pucks.panel import tray_block
from renderers.pucks.picks import Meaning, pick_of, with_prefix
from renderers.pucks.picture import compose
from renderers.pucks.seating import BETWEEN, GAP, cell_width, seating_of
from renderers.scene import Scene
from tests.renderers.pixels import change, counted, drawn
from tests.renderers.pucks.drawing import SEATS, assert_every_option_is_marked, assert_options_look_different, only, pictured
from tests.renderers.samples.pucks import COLOURS, GAME
from tests.renderers.scenes import lying, picking

PLACING = GAME.position(GAME.start(3, colours="2"))


def without_names(view: PucksView) -> PucksView:
    """Nobody to act, so that all seats look alike."""
    return replace(view, to_act=())


def test_the_row_of_seats_shows_the_scored_pucks_of_both_colours():
    view = lying(GAME, COLOURS).view
    red, green = view.scored
    assert (red.shade, green.shade) == ("red", "green")
    pictures = [pictured(one) for one in [view, *(replace(view, scored=scored) for scored in ((red,), (green,), ()))]]
    assert len({picture.tobytes() for picture in pictures}) == 4
    boxes = [change(pictures[3], picture) for picture in pictures[1:3]]
    assert boxes[0] == boxes[1], "one puck fills the first place, whichever colour it has"
    left, top, right, bottom = boxes[0]
    for picture, colour in zip(pictures[1:3], (0, 2), strict=True):
        assert theme.WARM.seats[colour].colour in counted(picture.crop((left, top, right, bottom)))


def test_the_row_of_seats_has_a_place_for_every_puck_that_it_takes():
    view = lying(GAME, COLOURS).view
    pucks = tuple(placed.piece for placed in view.pieces if placed.piece.colour in view.colours_of(0))
    own = [*view.scored, *(piece for piece in pucks if piece.kind is PieceKind.PUCK)]
    own.sort(key=lambda piece: piece.colour)
    assert len(own) == 8
    pictures = [pictured(replace(view, scored=tuple(own[:number]))) for number in range(9)]
    rights = [change(before, after)[2] for before, after in pairwise(pictures)]
    assert rights == sorted(set(rights)), "each one is to the right of the one before"


@pytest.mark.parametrize("seats", [2, 3])
def test_the_strip_shows_both_colours_of_everybody(seats):
    view = GAME.view(GAME.start(seats, "standard", Fair(bytes(32)), colours="2"))
    image = pictured(without_names(view))
    seating = seating_of(view, Scene(names=SEATS), tagged=False)
    strip = image.height - theme.EDGE - seating.height
    for column, seat in enumerate(seating.rows[0]):
        left = theme.EDGE + GAP + column * (cell_width(seats) + BETWEEN)
        found = counted(image.crop((round(left), strip, round(left + cell_width(seats)), image.height - theme.EDGE)))
        shown = {colour for colour in range(6) if found.get(theme.WARM.seats[colour].colour, 0) > 150}
        assert shown == {seat, seat + seats}


def test_pieces_of_whoever_has_left_are_grey_in_both_colours():
    view = GAME.view(GAME.start(3, "standard", Fair(bytes(32)), colours="2", setup="random"))
    left, top, right, bottom = 0, 0, 700, 700
    here = counted(pictured(view).crop((left, top, right, bottom)))
    gone = counted(pictured(replace(view, out=(1,))).crop((left, top, right, bottom)))
    for colour in range(6):
        look = theme.WARM.seats[colour].colour
        assert here.get(look, 0) > 300
        assert (gone.get(look, 0) < 20) is (colour in view.colours_of(1)), colour


def test_pieces_are_picked_by_their_colour_and_their_word():
    view = picking(GAME, COLOURS, 0).view
    assert pick_of(view, ()).meaning is Meaning.ACT
    assert (pick_of(view, ("green",)).meaning, pick_of(view, ("green",)).colour) == (Meaning.PIECE, 2)
    assert (pick_of(view, ("green", "p1")).meaning, pick_of(view, ("green", "p1")).colour) == (Meaning.WAY, 2)
    placing = picking(GAME, PLACING, 0).view
    meanings = [pick_of(placing, ("place", "yellow", "p1", "a1")[:end]).meaning for end in (1, 2, 3)]
    assert meanings == [Meaning.COLOUR, Meaning.WAITING, Meaning.SPACE]
    assert pick_of(placing, ("place", "yellow")).colour == 3


def test_a_piece_of_the_second_colour_is_shown_where_it_is_placed():
    view = picking(GAME, PLACING, 0).view
    (shown,) = with_prefix(view, ("place", "yellow", "p2", "a13")).pieces
    assert (shown.piece.name, shown.space) == ("yellow p2", "a13")
    assert with_prefix(view, ("place", "blue")) == view


PICKS = [
    (), ("red",), ("green",), ("green", "m1"), ("play", "borrow"), ("play", "faceoff"), ("play", "faceoff", "green"),
    ("play", "faceoff", "green", "p1"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("prefix", PICKS, ids=" ".join)
def test_every_option_is_marked(prefix):
    assert_every_option_is_marked(picking(GAME, COLOURS, 0, prefix))


@pytest.mark.slow
@pytest.mark.parametrize("prefix", [("place",), ("place", "red"), ("place", "yellow"), ("place", "yellow", "m2")], ids=" ".join)
def test_pieces_to_be_placed_and_their_spaces_are_marked(prefix):
    assert_options_look_different(picking(GAME, PLACING, 0, prefix))


def test_a_colour_that_can_be_moved_has_its_pieces_ringed():
    """Red p4 is scored; of the others in green, p3 is too."""
    sample = picking(GAME, COLOURS, 0)
    only_red, only_green = drawn(only(sample, "red")), drawn(only(sample, "green"))
    layout = compose(sample.view, only(sample, "red").scene).layout()
    assert compose(sample.view, only(sample, "green").scene).layout() == layout
    ringed: dict[int, set[Piece]] = {0: set(), 2: set()}
    for colour, picture, other in ((0, only_red, only_green), (2, only_green, only_red)):
        for placed in sample.view.pieces:
            x, y = layout.rink.middle(placed.point)
            box = (round(x - 26), round(y - 26), round(x + 26), round(y + 26))
            gold = [counted(one.crop(box)).get(theme.WARM.gold, 0) for one in (picture, other)]
            ringed[colour] |= {placed.piece} if gold[0] > gold[1] + 200 else set()
        assert {one.colour for one in ringed[colour]} == {colour}


@pytest.mark.parametrize("width", [112, 232, 450])
def test_all_pieces_to_be_placed_are_in_the_tray_in_rows_of_one_colour(width):
    view, to = GAME.view(GAME.start(2, colours="2"), 0), Anchors()
    block = tray_block(view, theme.WARM, to)
    block.draw(Image.new("RGB", (width, block.height(width))), (0, 0, width, block.height(width)))
    assert len(to.tray) == 16
    rows = {y: {piece.colour for piece, at in to.tray.items() if at[1] == y} for _, y in to.tray.values()}
    assert all(len(colours) == 1 for colours in rows.values())
    assert max(rows) < block.height(width)
    assert all(0 < x < width for x, _ in to.tray.values())
    assert len(set(to.tray.values())) == 16


@pytest.mark.parametrize("seats", [2, 3])
def test_the_poster_shows_both_colours_of_every_seat(seats):
    for each, others in (("1", 0), ("2", seats)):
        view = GAME.view(GAME.start(seats, colours=each))
        picture = Image.open(BytesIO(draw_poster(GAME.id, view, Poster("Puck Bumpers", ("two", "three"), seats))))
        words = counted(picture.convert("RGB").crop((440, 0, picture.width, picture.height)))
        assert sum(words.get(theme.WARM.seats[colour].colour, 0) > 800 for colour in range(6)) == seats + others
