"""Codes of boards: what they say, their shortest form, and every wrong place of texts that are none."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.pucks.board.board import cells, goal_front, laid_out
from engines.pucks.board.box import LaidMat, box
from engines.pucks.board.codes import LONGEST, code_of, read_code, write_code
from engines.text import Text
from tests.engines.pucks.boards import boards


@settings(max_examples=300, deadline=None)
@given(boards())
@pytest.mark.slow
def test_every_board_has_a_code_that_says_it_and_nothing_else(mats):
    code = write_code(mats)
    assert read_code(code) == mats
    assert code_of(code) == code
    assert len(code) <= 95
    assert not any(row.endswith(".") for row in code.split("/"))


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(boards(), st.integers(0, 3), st.integers(0, 3))
def test_empty_rows_and_columns_at_the_rim_do_not_count_and_n_says_nothing_of_a_mat_without_a_goal(mats, columns, rows):
    code = write_code(mats)
    wide = "/".join("." * columns + row + "." for row in code.split("/"))
    at = {mat.at: mat for mat in mats}
    spelt = "/".join(
        "".join(word(at.get((column, row))) for column in range(1 + max(column for column, _ in at)))
        for row in range(1 + max(row for _, row in at))
    )
    assert code_of("/" * rows + wide + "/" * rows) == code_of(spelt) == code_of(f"  {code}\n") == code


def word(mat: LaidMat | None) -> str:
    """A mat in the long form of a code."""
    if mat is None:
        return "."
    kind = box().kinds[mat.kind]
    quarters = mat.turn // 90 + (0 if kind.face.front is None else 2)
    return kind.letter + "nesw"[quarters % 4]


def test_the_code_of_the_rules_page():
    mats = read_code("B.K/GeKB")
    assert [(mat.kind, mat.at, mat.turn) for mat in mats] == [
        ("basic", (0, 0), 0), ("pool", (2, 0), 0), ("goal", (0, 1), 270), ("pool", (1, 1), 0), ("basic", (2, 1), 0),
    ]  # fmt: skip
    assert [mat.id for mat in laid_out(mats, "standard")] == list("abcde")
    assert code_of("B.K./GeKnB") == "B.K/GeKB"


def test_a_letter_says_where_the_north_of_a_mat_faces_and_where_a_goal_opens():
    for letter, side, turn in zip("nesw", ("north", "east", "south", "west"), (0, 90, 180, 270), strict=True):
        block, goal = laid_out(read_code(f"K{letter}G{letter}"), "standard")
        assert block.turn == turn
        assert goal_front(goal) == side
        # Space 1 is the north-west corner of a mat that is not turned, and goes round with it.
        corner = {0: (0, 0), 90: (3, 0), 180: (3, 3), 270: (0, 3)}[turn]
        assert cells(block)[0].point == corner


def test_mats_in_the_lower_half_of_a_code_are_not_turned_unless_it_says_so():
    assert [mat.turn for mat in read_code("Gs/K/K/Ks")] == [0, 0, 0, 180]
    assert write_code(box().layout(2).mats) == "BGsK/GeBGw/KsGnB"
    assert write_code(box().layout(6).mats) == "BKGsB/GeKBk/ksBKsGw/BGnKsB"
    for players in (2, 6):
        assert read_code(write_code(box().layout(players).mats)) == box().layout(players).mats


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        ("B.K/GeXB", ["row 2, place 2: “X” isn’t a mat"]),
        ("B.K/GeKX", ["row 2, place 3: “X” isn’t a mat"]),
        ("bGs/kGn", ["row 1, place 1: “b” isn’t a mat"]),
        ("Gs/gs", ["row 2, place 1: “g” isn’t a mat"]),
        ("Xe.Y/Gs", ["row 1, place 1: “X” isn’t a mat", "row 1, place 3: “Y” isn’t a mat"]),
        ("GB", ["row 1, place 1: “G” needs the side it opens to: Gn, Ge, Gs, Gw"]),
        ("GsB n", ["row 1, place 3: “ ” isn’t a mat"]),
        ("Gs.n", ["row 1, place 3: “n” isn’t a mat"]),
        ("//B!/Gs", ["row 3, place 2: “!” isn’t a mat"]),
        ("B-K", ["row 1, place 2: “-” isn’t a mat"]),
        ("", ["it has no goal"]),
        ("./..", ["it has no goal"]),
        ("BK", ["it has no goal"]),
        ("kGsk/k..", ["row 2, place 1: the box has only 2 k"]),
        ("GsGsGs/GsGsGs", ["row 2, place 2: the box has only 4 G", "row 2, place 3: the box has only 4 G"]),
        ("GsB.B", ["row 1, place 4: this mat isn’t connected to the others"]),
        ("Gs./.B", ["row 2, place 2: this mat isn’t connected to the others"]),
        ("K/./GsB", ["row 1, place 1: this mat isn’t connected to the others"]),
        ("kGskkX", ["row 1, place 5: “X” isn’t a mat", "row 1, place 4: the box has only 2 k"]),
        ("bGs.K", ["row 1, place 1: “b” isn’t a mat", "row 1, place 4: this mat isn’t connected to the others"]),
        ("B/./B", ["it has no goal", "row 3, place 1: this mat isn’t connected to the others"]),
    ],
)
def test_every_wrong_place_of_a_code_is_named(code, faults):
    with pytest.raises(ValueError) as caught:
        read_code(code)
    (text,) = caught.value.args
    assert isinstance(text, Text)
    assert text.startswith(f"“{' '.join(code.split())}” isn’t a board: {'; '.join(faults)}. ")


def test_what_a_code_can_consist_of_is_said_with_what_is_wrong():
    with pytest.raises(
        ValueError, match=r"Mats are B, K, k .* and G .*\. Write \. for no mat and / for a new row\. Capitals matter"
    ):
        read_code("?")
    with pytest.raises(
        ValueError, match=r"connected side to side, one must have a goal, and the box has 6 B, 4 K, 2 k, 4 G\.$"
    ):
        read_code("BB")


@pytest.mark.parametrize("code", ["X" * LONGEST, "B" * LONGEST, "k." * (LONGEST // 2), "/" * LONGEST, "Gs/" * 60, "\0" * 50])
def test_whatever_is_typed_as_a_code_is_answered_briefly(code):
    with pytest.raises(ValueError) as caught:
        read_code(code)
    assert len(caught.value.args[0]) < 1500


@pytest.mark.parametrize("code", ["B" * (LONGEST + 1), "Gs" + "." * 10_000_000, "👀" * 5_000_000])
def test_a_code_that_is_too_long_is_not_even_read(code):
    with pytest.raises(ValueError, match=f"the limit for a board’s code is {LONGEST} characters"):
        read_code(code)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="BKkGnesw./bX ", max_size=40))
def test_a_text_is_a_board_of_the_box_or_no_code(code):
    try:
        mats = read_code(code)
    except ValueError as error:
        wrong = error.args[0]
    else:
        wrong = None
    if wrong is not None:
        assert isinstance(wrong, Text)
        return
    counts = Counter(mat.kind for mat in mats)
    assert all(count <= box().kinds[kind].count for kind, count in counts.items())
    assert counts["goal"]
    assert read_code(write_code(mats)) == mats
    assert min(mat.at[0] for mat in mats) == min(mat.at[1] for mat in mats) == 0
