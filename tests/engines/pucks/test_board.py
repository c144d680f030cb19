"""The mats, the layouts and the geometry of the board: the figures of the rules page, point by point."""

import pytest

from engines.pucks.board.board import (
    SPACES,
    Barrier,
    Mat,
    cells,
    goal_front,
    grid,
    space_name,
    space_of,
    start_mats,
    turn_point,
)
from engines.pucks.board.box import box
from engines.pucks.board.layouts import shape_of, whole
from tests.engines.pucks.drawing import PUCKS

STANDARD_FACES = """
    P..P  I.PI  I.PI  .GG.
    .MM.  .~~.  ....  ....
    .MM.  .~~.  ....  ....
    P..P  I..I  I..I  ....
"""
BACKS = """
    P..P  .I.I  .I.I  .GG.
    ....  .~~.  ....  ....
    .P..  .~~.  ....  ....
    ....  ..I.  ..I.  ....
"""
LARGE = """
    P..PI.PI.GG.P..P
    .MM..~~......MM.
    .MM..~~......MM.
    P..PI..I....P..P
    ....I.PIP..PI.PI
    G....~~..MM.....
    G....~~..MM.....
    ....I..IP..PI..I
    I..IP..PI..I....
    .....MM..~~....G
    .....MM..~~....G
    IP.IP..PIP.I....
    P..P....I..IP..P
    .MM......~~..MM.
    .MM......~~..MM.
    P..P.GG.IP.IP..P
"""
SMALL = """
    P..P.GG.I.PI
    .MM......~~.
    .MM......~~.
    P..P....I..I
    ....P..P....
    G....MM....G
    G....MM....G
    ....P..P....
    I..I....P..P
    .~~......MM.
    .~~......MM.
    IP.I.GG.P..P
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def drawn_marks(mats) -> list[str]:
    marks = {cell.point: cell.mark for mat in mats for cell in cells(mat)}
    columns, rows = (range(max(point[i] for point in marks) + 1) for i in (0, 1))
    return ["".join(marks.get((x, y), " ") for x in columns) for y in rows]


def mat(kind: str, turn: int = 0, at: tuple[int, int] = (0, 0), letter: str = "a") -> Mat:
    return Mat(letter, kind, at, turn, box().face(kind, "standard"))


@pytest.mark.parametrize(("variant", "figure"), [("standard", STANDARD_FACES), ("old-school", BACKS)])
def test_the_faces_of_the_mats_are_those_of_the_rules(variant, figure):
    rows = [line.split() for line in lines(figure)]
    for column, kind in enumerate(["basic", "pool", "block", "goal"]):
        assert list(box().face(kind, variant).rows) == [row[column] for row in rows]


def test_there_are_six_basic_mats_six_block_mats_four_of_them_with_a_pool_and_four_goals():
    assert {kind.id: kind.count for kind in box().kinds.values()} == {"basic": 6, "pool": 4, "block": 2, "goal": 4}


@pytest.mark.parametrize(("players", "figure"), [(2, SMALL), (3, SMALL), (4, LARGE), (5, LARGE), (6, LARGE)])
def test_the_mats_lie_as_in_the_figure_for_so_many_players(players, figure):
    assert drawn_marks(start_mats(players, "standard")) == lines(figure)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("variant", ["standard", "old-school"])
def test_mats_are_called_by_letters_in_reading_order_and_the_layout_looks_the_same_from_both_ends(players, variant):
    mats = start_mats(players, variant)
    assert [m.id for m in mats] == [chr(97 + i) for i in range(len(mats))]
    assert [(m.at[1], m.at[0]) for m in mats] == sorted((m.at[1], m.at[0]) for m in mats)
    assert whole(shape_of(mats))
    kinds = [(m.kind, goal_front(m)) for m in mats]
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east", None: None}
    assert kinds == [(kind, opposite[front]) for kind, front in reversed(kinds)]


def test_both_variants_lie_in_the_same_layouts():
    for players in range(2, 7):
        old, new = start_mats(players, "old-school"), start_mats(players, "standard")
        assert [(m.kind, m.at, m.turn) for m in old] == [(m.kind, m.at, m.turn) for m in new]


def test_the_goals_face_the_middle_of_the_board():
    assert {m.id: goal_front(m) for m in start_mats(6, "standard") if m.kind == "goal"} == {
        "c": "south", "e": "east", "l": "west", "n": "north",
    }  # fmt: skip
    assert {m.id: goal_front(m) for m in start_mats(2, "standard") if m.kind == "goal"} == {
        "b": "south", "d": "east", "f": "west", "h": "north",
    }  # fmt: skip


def test_spaces_are_numbered_in_reading_order_of_the_mat_when_it_is_not_turned():
    assert [cell.space for cell in cells(mat("basic"))] == [f"a{n}" for n in range(1, 17)]
    assert {cell.space: cell.point for cell in cells(mat("basic"))}["a7"] == (2, 1)


@pytest.mark.parametrize(
    ("turn", "a1", "a2", "a7"), [(90, (3, 0), (3, 1), (2, 2)), (180, (3, 3), (2, 3), (1, 2)), (270, (0, 3), (0, 2), (1, 1))]
)
def test_spaces_turn_clockwise_with_their_mat_and_keep_their_names(turn, a1, a2, a7):
    points = {cell.space: cell.point for cell in cells(mat("basic", turn))}
    assert (points["a1"], points["a2"], points["a7"]) == (a1, a2, a7)


def test_four_quarter_turns_lead_back():
    for x in range(4):
        for y in range(4):
            assert turn_point(x, y, 360) == (x, y)
            assert turn_point(*turn_point(x, y, 90), 270) == (x, y)


@pytest.mark.parametrize(
    ("turn", "west_goal", "east_goal"),
    [
        (0, ("north", "west"), ("north", "east")),
        (90, ("north", "east"), ("east", "south")),
        (180, ("east", "south"), ("south", "west")),
        (270, ("south", "west"), ("north", "west")),
    ],
)
def test_a_goal_has_walls_at_its_back_and_its_ends_and_they_turn_with_it(turn, west_goal, east_goal):
    walls = {cell.space: cell.walls for cell in cells(mat("goal", turn)) if cell.walls}
    assert walls == {"a2": west_goal, "a3": east_goal}


def test_the_grid_says_what_bars_the_way():
    board = grid((mat("goal"), mat("pool", at=(0, 1), letter="b")), "a")
    ways = {(space_name(i // 4), ("up", "right", "down", "left")[i % 4]): barrier for i, barrier in enumerate(board.barriers)}
    assert ways["a1", "up"] is Barrier.EDGE
    assert ways["a1", "right"] is Barrier.WALL
    assert ways["a2", "left"] is Barrier.WALL
    assert ways["a2", "right"] is None
    assert ways["a6", "up"] is Barrier.NET
    assert ways["a2", "down"] is None
    assert ways["b2", "down"] is Barrier.POOL
    assert ways["a13", "down"] is None


def test_every_space_has_one_name_and_every_name_one_space():
    mats = start_mats(6, "standard")
    for space in range(len(mats) * SPACES):
        assert space_of(space_name(space), mats) == space
    for strange in ("q1", "a0", "a17", "a", "", "7", "a07", "A1", "a1 "):
        with pytest.raises(ValueError, match="no space"):
            space_of(strange, mats)


@pytest.mark.parametrize(("seats", "variant", "each"), [(3, "standard", "mmiipppp"), (5, "old-school", "iipp")])
def test_each_player_has_the_pieces_that_the_rules_say(seats, variant, each):
    beside = PUCKS.view(PUCKS.start(seats, variant)).beside
    assert "".join(piece.word[0] for piece in beside) == each * seats
    assert {piece.shade for piece in beside} == set(["red", "blue", "green", "yellow", "purple"][:seats])


def test_six_players_have_all_the_pieces_of_the_box():
    beside = PUCKS.view(PUCKS.start(6)).beside
    assert [sum(piece.word[0] == letter for piece in beside) for letter in "mip"] == [12, 12, 24]
