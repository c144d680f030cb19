"""How pieces move: each sentence of the rules on slides, steps and bumps, on boards drawn as text."""

import pytest

from engines.pucks.board.pieces import Piece, PieceKind
from engines.pucks.board.views import Moved, Stop
from tests.engines.pucks.drawing import assert_board, by_name, drawn, events, legal, offered, play, scored

RED_1, BLUE_1 = Piece(0, PieceKind.PUCK, 1), Piece(1, PieceKind.PUCK, 1)


@pytest.mark.parametrize(("action", "space"), [("p1 up", "a2"), ("p1 down", "a14"), ("p1 left", "a5"), ("p1 right", "b8")])
def test_a_puck_slides_to_the_edge_in_each_of_the_four_directions(action, space):
    board = """
        . .   . .  . . . .
        . rp1 . .  . . . .
    """
    assert by_name(play(drawn(board), action)) == {"red p1": space}


def test_a_puck_slides_until_a_piece_stops_it():
    after = play(drawn("rp1 . . .  . bm1 . ."), "p1 right")
    assert_board(after, ". . . .  rp1 bm1 . .")


def test_a_puck_that_is_blocked_at_once_can_neither_move_nor_push():
    state = drawn("""
        . bm1 . .
        . rp1 . .
    """)
    assert offered(state, "p1") == ["right", "down", "left"]
    state = drawn("rp1 bp1 . .")
    assert not legal(state, "p1 right")


def test_a_puck_that_is_hit_slides_on_in_the_same_direction_and_so_do_five():
    after = play(drawn("rp1 . bp1 .  . . . ."), "p1 right")
    assert_board(after, ". rp1 . .  . . . bp1")
    after = play(drawn("rp1 . bp1 .  rp2 . bp2 .  rp3 . . ."), "p1 right")
    assert_board(after, ". rp1 . bp1  . rp2 . bp2  . . . rp3")


def test_a_chain_goes_down_the_board_too():
    after = play(
        drawn("""
        rp1
        .
        bp1
        """, ["B", "B"]),
        "p1 down",
    )  # fmt: skip
    assert_board(
        after,
        """
        .
        rp1
        .
        .
        .
        .
        .
        bp1
        """,
    )


def test_a_chain_ends_at_a_puck_without_room_before_it():
    after = play(drawn("rp1 . bp1 bp2  . . . ."), "p1 right")
    assert_board(after, ". rp1 bp1 bp2  . . . .")
    after = play(drawn("rp1 . . .  . bp1 . .", ["B B"]), "p1 right")
    assert_board(after, ". . . .  rp1 . . bp1")
    again = play(drawn("rp1 . . .  . . . bp1", ["B B"]), "p1 right")
    assert_board(again, ". . . .  . . rp1 bp1")


@pytest.mark.parametrize("other", ["bi1", "bm1"])
def test_a_puck_that_meets_ice_or_a_meeple_just_stops(other):
    after = play(drawn(f"rp1 . {other} .  . . . ."), "p1 right")
    assert_board(after, f". rp1 {other} .  . . . .")


def test_the_way_of_every_piece_is_told_with_what_it_hit():
    (event,) = events(drawn("rp1 . . bp1  . . . ."), "p1 right")
    assert isinstance(event.detail, Moved)
    first, second = event.detail.ways
    assert (first.piece, first.points, first.stop, first.hit) == (RED_1, ((0, 0), (1, 0), (2, 0)), Stop.PIECE, BLUE_1)
    assert (second.piece, second.points, second.stop, second.hit) == (
        BLUE_1,
        tuple((x, 0) for x in range(3, 8)),
        Stop.EDGE,
        None,
    )
    assert event.text == "Red slides puck 1 right, bumping Blue’s puck 1 to the edge of mat b."


def test_a_pool_stops_a_puck():
    state = drawn("""
        . . . .
        rp1 . . .
    """, ["K"])  # fmt: skip
    assert not legal(state, "p1 right")
    after = play(drawn("""
        . . . .  . . . .
        . . . .  . . . rp1
    """, ["K B"]), "p1 left")  # fmt: skip
    assert by_name(after) == {"red p1": "a8"}


def test_no_piece_goes_where_there_is_no_mat_but_a_slide_crosses_the_seam_of_two():
    assert offered(drawn("rm1 . . ."), "m1") == ["right", "down"]
    state = drawn("rp1 . . .  . . . .", ["B B _ B", "_ B B B"])
    assert by_name(play(state, "p1 right")) == {"red p1": "b4"}


@pytest.mark.parametrize(("facing", "start", "direction"), [
    ("Gs", "a14", "up"), ("Gs", "a15", "up"), ("Gw", "a14", "right"), ("Gn", "a14", "down"), ("Ge", "a15", "left"),
])  # fmt: skip
def test_a_goal_is_entered_from_its_front_whichever_way_it_faces(facing, start, direction):
    state = drawn("", [facing], pieces={"red p1": start, "red p2": "a16"})
    after = play(state, f"p1 {direction}")
    assert (by_name(after), scored(after)) == ({"red p2": "a16"}, ["red p1"])


@pytest.mark.parametrize(("start", "direction"), [("a1", "right"), ("a4", "left")])
def test_a_goal_cannot_be_entered_from_its_sides(start, direction):
    assert not legal(drawn("", ["Gs"], pieces={"red p1": start}), f"p1 {direction}")


def test_a_goal_cannot_be_entered_from_the_back():
    state = drawn("", ["B", "Gs"], pieces={"red p1": "a2", "red m1": "a15"})
    assert by_name(play(state, "p1 down"))["red p1"] == "a14"
    assert "down" not in offered(state, "m1")


def test_a_puck_in_a_goal_is_out_at_once_and_counts_for_its_owner():
    state = drawn("", ["Gs"], pieces={"red p1": "a14", "blue m1": "a3"})
    after = play(state, "p1 up")
    assert (by_name(after), scored(after)) == ({"blue m1": "a3"}, ["red p1"])
    state = drawn("", ["Gs"], pieces={"red m1": "a14", "blue p1": "a10"})
    after = play(state, "m1 up")
    assert (by_name(after), scored(after)) == ({"red m1": "a10"}, ["blue p1"])


@pytest.mark.parametrize("piece", ["blue i1", "blue m1"])
def test_ice_and_meeples_may_stand_in_a_goal_and_block_it(piece):
    state = drawn("", ["Gs"], pieces={"red p1": "a14", piece: "a2"})
    after = play(state, "p1 up")
    assert (by_name(after), scored(after)) == ({"red p1": "a6", piece: "a2"}, [])


@pytest.mark.parametrize("word", ["i1", "m1"])
def test_ice_and_meeples_step_into_a_goal_and_across_it(word):
    state = drawn("", ["Gs"], pieces={f"red {word}": "a6"}, action_rule=2)
    after = play(state, f"{word} up")
    assert by_name(after) == {f"red {word}": "a2"}
    assert offered(after, word) == ["right"]  # up is the back, left an end, and down would take the move back


def test_sliding_ice_comes_to_rest_in_a_goal():
    state = drawn("", ["Gs"], pieces={"red m1": "a14", "blue i1": "a10"})
    after = play(state, "m1 up")
    assert (by_name(after), scored(after)) == ({"red m1": "a10", "blue i1": "a2"}, [])


def test_an_ice_block_goes_one_space_and_sets_nothing_sliding():
    after = play(drawn("ri1 . . ."), "i1 right")
    assert_board(after, ". ri1 . .")
    state = drawn("ri1 . bp1 .", action_rule=2)
    after = play(state, "i1 right")
    assert_board(after, ". ri1 bp1 .")
    assert not legal(after, "i1 right")


def test_a_meeple_goes_one_space_and_cannot_bump_a_meeple():
    after = play(drawn("rm1 . . ."), "m1 right")
    assert_board(after, ". rm1 . .")
    assert not legal(drawn("rm1 bm1 . ."), "m1 right")
    assert not legal(drawn("rm1 rm2 . ."), "m1 right")


@pytest.mark.parametrize("piece", ["rp1", "bp1", "ri1", "bi1"])
def test_a_meeple_bumps_a_puck_or_ice_of_any_colour_and_takes_its_space(piece):
    after = play(drawn(f". rm1 {piece} .  . . . ."), "m1 right")
    assert_board(after, f". . rm1 .  . . . {piece}")


@pytest.mark.parametrize("behind", ["bp2", "bi1", "bm1"])
def test_a_meeple_cannot_bump_what_has_no_room_behind_it(behind):
    assert not legal(drawn(f"rm1 bp1 {behind} ."), "m1 right")


def test_a_meeple_cannot_bump_a_piece_against_the_edge_a_pool_or_a_wall():
    assert not legal(drawn(". . rm1 bp1"), "m1 right")
    pool = drawn("", ["B", "K"], pieces={"red m1": "a14", "blue p1": "b2"})
    assert not legal(pool, "m1 down")
    state = drawn("", ["Gs"], pieces={"red m1": "a1", "blue i1": "a2"})
    assert not legal(state, "m1 right")


def test_a_bumped_puck_and_sliding_ice_set_the_next_puck_sliding():
    after = play(drawn("rm1 rp1 . bp1  . . . ."), "m1 right")
    assert_board(after, ". rm1 rp1 .  . . . bp1")
    after = play(drawn("rm1 bi1 . bp1  . . . ."), "m1 right")
    assert_board(after, ". rm1 bi1 .  . . . bp1")


@pytest.mark.parametrize("piece", ["ri2", "bm1"])
def test_sliding_ice_stops_at_ice_and_at_meeples(piece):
    after = play(drawn(f"rm1 bi1 . {piece}  . . . ."), "m1 right")
    assert_board(after, f". rm1 bi1 {piece}  . . . .")


def test_a_bump_is_told_with_the_bumped_piece_first_and_the_meeple_last():
    (event,) = events(drawn("rm1 bp1 . ."), "m1 right")
    assert [(way.piece.name, way.points, way.slid) for way in event.detail.ways] == [
        ("blue p1", ((1, 0), (2, 0), (3, 0)), True),
        ("red m1", ((0, 0), (1, 0)), False),
    ]
    assert event.text == "Red moves meeple 1 right, bumping Blue’s puck 1 to the edge of mat a."


def test_players_can_only_move_their_own_pieces():
    state = drawn("rp1 bp1 . .  . bm1 bi1 .")
    assert offered(state) == ["p1"]
    assert not legal(state, "red: blue p1 right")
    assert not legal(state, "blue: p1 right")
