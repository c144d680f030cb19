"""The strip of Puck Bumpers: nothing is cut off, and the seats follow each other in the direction of play."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.chance import Fair
from engines.pucks.board.views import Phase, PucksView
from renderers import theme
from renderers.lettering import text_width
from renderers.pucks.picture import compose, strip_height
from renderers.pucks.seating import BETWEEN, GAP, cell_width, seating_of
from renderers.scene import Scene
from renderers.theme import Face
from tests.renderers.pixels import change, changed, drawn, pixel, within
from tests.renderers.pucks.drawing import bare, pictured, shaped
from tests.renderers.samples.pucks import GAME, SCRUM
from tests.renderers.scenes import picking

LETTERS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.ÄéЖ "), max_size=32)
"""Names as Discord allows them: of at most 32 letters."""
SEATS_AND_COLOURS = [(2, "1"), (3, "1"), (4, "1"), (5, "1"), (6, "1"), (2, "2"), (3, "2")]


def started(seats: int, colours: str = "1") -> PucksView:
    return GAME.view(GAME.start(seats, "standard", Fair(bytes(32)), setup="random", colours=colours))


def cells(seats: int) -> dict[int, tuple[float, float, float, float]]:
    """Where the seats are if all names have one line: left, top, right and bottom, from the lower edge."""
    seating = seating_of(started(seats), Scene(names=("Ann",) * seats), tagged=False)
    found: dict[int, tuple[float, float, float, float]] = {}
    y = -theme.EDGE - seating.height + GAP
    for row in seating.rows:
        left = theme.EDGE + GAP + (seating.across - len(row)) * (cell_width(seating.across) + BETWEEN) / 2
        for column, seat in enumerate(row):
            x = left + column * (cell_width(seating.across) + BETWEEN)
            found[seat] = (x, y, x + cell_width(seating.across), y + seating.row_height(row))
        y += seating.row_height(row) + GAP
    return found


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(game=st.sampled_from(SEATS_AND_COLOURS), names=st.lists(LETTERS, min_size=6, max_size=6), computers=st.booleans())
def test_names_are_never_cut_off(game, names, computers):
    seats, colours = game
    view = started(seats, colours)
    seating = seating_of(view, Scene(names=tuple(names), computers=tuple(range(seats)) if computers else ()), tagged=False)
    for seat, name in enumerate(seating.names):
        shown = "".join(names[seat].split())
        if shown:
            assert "".join("".join(name.lines).split()) == shown
        assert all(text_width(line, Face.NAME_STRONG, name.size) <= seating.room for line in name.lines)
    assert compose(view, Scene(names=tuple(names))).layout().height <= theme.TALLEST


@pytest.mark.parametrize("seats", range(2, 7))
def test_everything_about_a_seat_stays_within_its_place(seats):
    view, places = started(seats), cells(seats)
    full = replace(view, hand_sizes=(12,) * seats, to_act=())
    plain = pictured(full, names=("Ann",) * seats)
    for seat, (left, top, right, bottom) in places.items():
        box = (left, plain.height + top, right, plain.height + bottom)
        pucks = [placed.piece for placed in view.pieces if placed.piece.word[0] == "p" and placed.piece.colour == seat]
        for other in (
            pictured(replace(full, scored=tuple(pucks[: view.needed])), names=("Ann",) * seats),
            pictured(full, names=tuple("WWWW WWWW"[: 9 if seats < 4 else 8] if n == seat else "Ann" for n in range(seats))),
            pictured(replace(full, hand_sizes=tuple(3 if n == seat else 12 for n in range(seats))), names=("Ann",) * seats),
            pictured(full, names=("Ann",) * seats, computers=(seat,)),
            pictured(replace(full, out=(seat,)), names=("Ann",) * seats).crop((0, 0, 1024, plain.height)),
        ):
            foot = (0, round(box[1]) - 8, plain.width, plain.height)
            assert within(change(plain.crop(foot), other.crop(foot)), (left - 1, 7, right + 1, foot[3])), seat


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_seats_stand_in_one_or_two_rows_in_the_direction_of_play(seats):
    view = started(seats)
    forth = seating_of(view, Scene(names=()), tagged=False).rows
    back = seating_of(replace(view, direction=-1), Scene(names=()), tagged=False).rows
    assert [seat for row in forth for seat in row] == list(range(seats))
    assert [seat for row in back for seat in row] == [0, *range(seats - 1, 0, -1)]
    assert len(forth) == (1 if seats < 5 else 2)


def test_pieces_are_placed_in_the_opposite_order():
    view = GAME.view(GAME.start(4))
    assert view.phase is Phase.PLACE
    assert seating_of(view, Scene(names=()), tagged=False).rows == ((0, 3, 2, 1),)


def test_four_seats_with_long_names_have_two_rows():
    view = started(4)
    assert len(seating_of(view, Scene(names=("Ann", "Bob", "Cy", "Maximiliane von Hohenfels")), tagged=False).rows) == 1
    assert len(seating_of(view, Scene(names=("Ann", "Bob", "Cy", "W" * 32)), tagged=False).rows) == 2


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_seat_to_act_has_a_filled_pill(seats):
    view = replace(started(seats), to_act=())
    for seat, (left, top, _, bottom) in cells(seats).items():
        picture = pictured(replace(view, to_act=(seat,)), names=("Ann",) * seats)
        at = (round(left) + 5, round(picture.height + (top + bottom) / 2))
        assert pixel(picture, at) == theme.WARM.ink
        assert pixel(pictured(view, names=("Ann",) * seats), at) == theme.WARM.paper


def test_colours_to_choose_are_written_under_the_names():
    sample = picking(GAME, SCRUM, 0, ("play", "borrow"))
    assert {option.token for option in sample.scene.options} == {"blue", "green", "yellow"}
    plain, marked = drawn(bare(sample)), drawn(sample)
    assert strip_height(sample.view, sample.scene) > strip_height(sample.view, bare(sample).scene)
    top = plain.height - theme.EDGE - strip_height(sample.view, bare(sample).scene)
    low = marked.height - theme.EDGE - strip_height(sample.view, sample.scene)
    seating = seating_of(sample.view, sample.scene, tagged=True)
    high = seating.row_height(seating.rows[0])
    one, other = (picture.crop((0, y + GAP, 1024, y + GAP + high)) for picture, y in ((plain, top), (marked, low)))
    assert changed(one, other) is None, "the words are under the names and the scores"


def test_six_names_leave_room_for_a_spread_board():
    view = shaped(6, [(i % 4, i // 4) for i in range(16)])
    short, long = (compose(view, Scene(names=(name,) * 6)).layout() for name in ("Ann", "Maximiliane von und zu Hohenfels"))
    assert long.rink.mat >= short.rink.mat * 0.9
    assert changed(pictured(view, names=("Ann",) * 6), pictured(view, names=("Ben",) * 6)) is not None
