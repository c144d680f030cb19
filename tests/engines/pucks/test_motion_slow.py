"""The engine moves pieces as the plain second reading of the rules does, on random boards of every shape."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.pucks.board.board import DIRECTIONS, Mat, Mats, grid, start_mats
from engines.pucks.board.box import box
from engines.pucks.board.motion import BESIDE, SCORED, Rink, move
from engines.pucks.board.pieces import PieceKind, all_pieces
from tests.engines.pucks import slow

LATTICE = [(column, row) for column in range(-1, 4) for row in range(-1, 3)]


@st.composite
def boards(draw) -> tuple[Mats, str]:
    """Mats of any kinds, lying and turned anyhow: full boards, thin ones, and boards in several parts."""
    variant = draw(st.sampled_from(["standard", "old-school"]))
    if draw(st.integers(0, 3)) == 0:
        return start_mats(draw(st.sampled_from([2, 6])), variant), variant
    places = draw(st.lists(st.sampled_from(LATTICE), min_size=2, max_size=12, unique=True))
    kinds = [draw(st.sampled_from(["basic", "block", "pool", "goal", "goal"])) for _ in places]
    turns = [draw(st.sampled_from([0, 90, 180, 270])) for _ in places]
    described = enumerate(zip(places, kinds, turns, strict=True))
    return tuple(Mat(chr(97 + i), kind, at, turn, box().face(kind, variant)) for i, (at, kind, turn) in described), variant


def crowded(mats: Mats, variant: str, seats: int, net_off: str | None, dice: random.Random) -> list[int]:
    """Pieces thrown onto the board, most of them close together, so that there is something to hit."""
    marks = grid(mats, net_off).marks
    spaces = [space for space, mark in enumerate(marks) if mark != "~"]
    dice.shuffle(spaces)
    if dice.random() < 0.5:
        spaces.sort(key=lambda space: space // 16 % 3)
    placed = []
    for piece in all_pieces(seats, variant):
        allowed = [space for space in spaces if piece.kind is not PieceKind.PUCK or marks[space] != "G"]
        if not allowed or dice.random() < 0.15:
            placed.append(SCORED if piece.kind is PieceKind.PUCK and dice.random() < 0.5 else BESIDE)
            continue
        placed.append(allowed[0])
        spaces.remove(allowed[0])
    return placed


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(boards(), st.integers(2, 6), st.sampled_from([None, "thin-ice", "slush", "net-off"]), st.randoms(use_true_random=False))
def test_every_move_on_a_random_board_does_what_the_rules_say_it_does(board, seats, ongoing, dice):
    mats, variant = board
    goals = [mat.id for mat in mats if mat.kind == "goal"]
    net_off = dice.choice(goals) if ongoing == "net-off" and goals else None
    pieces = all_pieces(seats, variant)
    places = tuple(crowded(mats, variant, seats, net_off, dice))
    rules = box().games[variant]
    rink = Rink(grid(mats, net_off), pieces, rules.bumping, ongoing == "thin-ice", 4 if ongoing == "slush" else None)
    floor, walls, closed = slow.floor_of(mats, net_off)
    points = rink.grid.points
    before = {points[space]: piece.name for piece, space in zip(pieces, places, strict=True) if space >= 0}
    out = {piece.name for piece, space in zip(pieces, places, strict=True) if space == SCORED}
    for index, piece in enumerate(pieces):
        for number, way in enumerate(DIRECTIONS):
            if places[index] < 0:
                assert move(rink, places, index, number) is None
                continue
            expected = slow.Board(
                floor, walls, dict(before), set(out), closed, rules.bumping, ongoing == "thin-ice", ongoing == "slush"
            )
            possible = slow.move(expected, piece.name, way)
            motion = move(rink, places, index, number)
            assert (motion is not None) == possible, f"{piece.name} {way}"
            if motion is None:
                continue
            after = zip(pieces, motion.places, strict=True)
            assert {points[space]: other.name for other, space in after if space >= 0} == expected.pieces
            scored = {other.name for other, space in zip(pieces, motion.places, strict=True) if space == SCORED}
            assert scored == expected.scored
            assert_ways_lead_there(rink, places, motion)


def assert_ways_lead_there(rink, places, motion):
    """Each way begins where its piece stood and ends where it stands, over adjacent points."""
    points = rink.grid.points
    ways = motion.ways(rink)
    assert max(Counter(way.piece for way in ways).values()) == 1
    moved = {index for index, (a, b) in enumerate(zip(places, motion.places, strict=True)) if a != b}
    assert {rink.pieces[index] for index in moved} == {way.piece for way in ways}
    for way in ways:
        index = rink.pieces.index(way.piece)
        assert way.points[0] == points[places[index]]
        assert way.scored == (motion.places[index] == SCORED)
        if not way.scored:
            assert way.points[-1] == points[motion.places[index]]
        for (x, y), (u, v) in zip(way.points, way.points[1:], strict=False):
            assert abs(x - u) + abs(y - v) == 1
