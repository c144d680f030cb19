"""Which mats can be moved where: the rules of layouts, and the fast answers beside slow ones."""

import random

import pytest

from engines.pucks.board import layouts
from engines.pucks.board.board import Mat, Mats, start_mats
from engines.pucks.board.box import box
from engines.pucks.board.layouts import (
    RELATIONS,
    Frame,
    has_target,
    mendable,
    movable_mats,
    places_of,
    shape_of,
    targets,
    whole,
)

AROUND = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def mats_at(drawing: str) -> Mats:
    found = {
        letter: (x, y)
        for y, line in enumerate(drawing.strip().splitlines())
        for x, letter in enumerate(line.strip())
        if letter != "."
    }
    return tuple(Mat(letter, "basic", found[letter], 0, box().face("basic", "standard")) for letter in sorted(found))


def test_a_mat_can_be_moved_if_one_of_its_sides_touches_no_mat():
    assert movable_mats(mats_at("abc\ndef\nghi")) == tuple("abcdfghi")
    assert movable_mats(mats_at("abc\ndef\ng.i")) == tuple("abcdefgi")


def test_a_layout_is_legal_if_all_mats_hang_together_side_to_side():
    assert whole(shape_of(mats_at("abc")))
    assert whole(shape_of(mats_at("ab.\n.c.\n.de")))
    assert not whole(shape_of(mats_at("ab\n..\ncd")))
    assert not whole(shape_of(mats_at("ab.\n..c"))), "touching at a corner is not enough"


def test_a_shape_is_the_same_wherever_it_lies_and_a_frame_reads_back_what_it_wrote():
    moved = tuple(Mat(m.id, m.kind, (m.at[0] - 7, m.at[1] + 3), m.turn, m.face) for m in mats_at("ab\n.c"))
    assert shape_of(moved) == shape_of(mats_at("ab\n.c"))
    frame = Frame(-3, 5)
    for at in [(-3, 5), (0, 9), (12, 5), (-4, 4)]:
        assert frame.at(frame.place(at)) == at


def test_every_relation_names_the_place_on_its_own_side():
    mats = mats_at("...\n.a.\n...")
    for relation, step in zip(RELATIONS, AROUND, strict=True):
        other = (*mats, Mat("b", "basic", (5, 5), 0, mats[0].face))
        assert layouts.shift_mat(other, "b", relation, "a")[1].at == (1 + step[0], 1 + step[1])


def slow_whole(places: frozenset[tuple[int, int]]) -> bool:
    seen = {min(places)}
    for _ in places:
        seen |= {(x + dx, y + dy) for x, y in seen for dx, dy in AROUND} & places
    return seen == places


def slow_shifts(places):
    """Every layout that one shift leads to, with the mat that moved and its new place."""
    for mat in places:
        if all((mat[0] + dx, mat[1] + dy) in places for dx, dy in AROUND):
            continue
        rest = places - {mat}
        beside = {(x + dx, y + dy) for x, y in rest for dx, dy in AROUND} - places
        for target in beside:
            yield mat, target, rest | {target}


def slow_mendable(places, shifts: int) -> bool:
    return slow_whole(places) or (shifts > 0 and any(slow_mendable(after, shifts - 1) for _, _, after in slow_shifts(places)))


def random_places(dice: random.Random, size: int, loose: bool) -> frozenset[tuple[int, int]]:
    places = {(0, 0)}
    while len(places) < size:
        x, y = dice.choice(sorted(places))
        dx, dy = dice.choice(AROUND)
        far = 2 if loose and dice.random() < 0.3 else 1
        places.add((x + far * dx, y + far * dy))
    return frozenset(places)


def bits(places) -> tuple[Frame, int]:
    frame = Frame(min(x for x, _ in places), min(y for _, y in places))
    return frame, sum(frame.place(at) for at in places)


@pytest.mark.slow
@pytest.mark.parametrize("shifts", [0, 1, 2])
def test_where_a_mat_may_be_shifted_is_what_trying_all_shifts_says(shifts):
    dice = random.Random(shifts)
    for _ in range(60 if shifts < 2 else 6):
        places = random_places(dice, dice.randint(2, 9 if shifts < 2 else 6), loose=True)
        frame, shape = bits(places)
        assert whole(shape) == slow_whole(places)
        assert mendable(shape, shifts) == slow_mendable(places, shifts)
        expected = {
            mat: {target for moved, target, after in slow_shifts(places) if moved == mat and slow_mendable(after, shifts)}
            for mat in places
        }
        for mat in places:
            found = targets(shape, frame.place(mat), shifts)
            assert {frame.at(place) for place in layouts._each(found)} == expected[mat]
            assert has_target(shape, frame.place(mat), shifts) == bool(expected[mat])


@pytest.mark.parametrize("players", [2, 6])
def test_at_the_start_all_mats_at_the_rim_can_be_moved_and_none_inside(players):
    mats = start_mats(players, "standard")
    size = 3 if players == 2 else 4
    rim = [m.id for m in mats if {m.at[0], m.at[1]} & {0, size - 1}]
    assert list(movable_mats(mats)) == rim
    assert set(places_of(mats)) == {m.id for m in mats}
