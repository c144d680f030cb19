"""The setup: one piece at a time, round to the right, by hand or at random."""

from collections import Counter

import pytest

from engines.chance import Fair
from engines.pucks.board.board import cells
from engines.pucks.board.views import Phase, PiecePlaced
from tests.engines.pucks.drawing import PUCKS, by_name, events, legal, offered, play


def start(seats: int = 4, **options):
    return PUCKS.start(seats, chance=Fair(bytes(range(32))), **options)


def marks(state) -> dict[str, str]:
    return {cell.space: cell.mark for mat in state.table.mats for cell in cells(mat)}


def test_pieces_are_placed_one_at_a_time_and_the_turn_goes_to_the_right():
    state, order = start(), []
    for piece in ("m1", "p1", "i1", "p2", "m2", "i2", "p3", "p4"):
        for _ in range(4):
            order.append(PUCKS.to_act(state)[0])
            state = play(state, f"place {piece} {offered(state, f'place {piece}')[0]}")
    assert order == [0, 3, 2, 1] * 8
    assert (state.phase, state.to_move, state.direction) == (Phase.DRAW, 0, 1)


@pytest.mark.parametrize(("word", "mark", "spaces"), [("m1", "M", 24), ("i1", "I", 24), ("p1", "P", 30)])
def test_a_piece_goes_on_any_empty_start_space_of_its_kind(word, mark, spaces):
    state = start()
    found = offered(state, f"place {word}")
    assert len(found) == spaces
    assert {marks(state)[space] for space in found} == {mark}
    after = play(state, f"place {word} {found[0]}")
    assert found[0] not in offered(after, f"place {word}")


def test_players_may_place_any_of_their_own_pieces_but_nobody_elses():
    state = start()
    assert offered(state, "place") == ["m1", "m2", "i1", "i2", "p1", "p2", "p3", "p4"]
    state = play(state, "place p3 a1", "auto", "auto", "auto")
    assert offered(state, "place") == ["m1", "m2", "i1", "i2", "p1", "p2", "p4"]
    assert not legal(start(), "red: place blue p1 a1")
    assert not legal(start(), "blue: place p1 a1")


def test_auto_places_the_rest_at_random_each_time_the_turn_comes():
    state = play(start(2), "auto")
    assert Counter(name.split()[0] for name in by_name(state)) == {"red": 1}
    assert PUCKS.to_act(state) == (1,)
    state = play(state, "place m1 a6")
    assert Counter(name.split()[0] for name in by_name(state)) == {"red": 2, "blue": 1}
    done = play(state, "auto")
    assert (done.phase, done.auto, len(by_name(done))) == (Phase.DRAW, (), 16)


def test_the_last_player_to_say_auto_ends_the_setup_for_all():
    state = play(start(6), "auto", "auto", "auto", "auto", "auto")
    assert state.phase is Phase.PLACE
    done = play(state, "auto")
    assert (done.phase, len(by_name(done))) == (Phase.DRAW, 48)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("variant", ["standard", "old-school"])
def test_a_table_may_be_opened_with_all_pieces_placed_at_random(seats, variant):
    state = PUCKS.start(seats, variant, Fair(bytes(range(32))), setup="random")
    assert PUCKS.view(state).beside == ()
    start_marks = {"m": "M", "i": "I", "p": "P"}
    assert all(marks(state)[space] == start_marks[name.split()[1][0]] for name, space in by_name(state).items())
    assert PUCKS.to_act(state) == (0,)


def test_places_at_random_follow_from_the_seed():
    again = [PUCKS.start(4, chance=Fair(bytes([n] * 32)), setup="random") for n in (1, 1, 2)]
    assert again[0] == again[1]
    assert again[0].table != again[2].table


def test_a_piece_that_is_placed_is_shown():
    (event,) = events(start(), "place p2 a1")
    assert isinstance(event.detail, PiecePlaced)
    assert (event.text, event.detail.piece.name, event.detail.space) == ("Red places puck 2 on a1.", "red p2", "a1")


def test_whoever_leaves_during_the_setup_is_passed_over_and_placed_pieces_stay():
    state = play(start(), "place p1 a1", "place p1 a4")
    after = PUCKS.withdraw(state, 2).state
    assert (PUCKS.to_act(after), after.phase) == ((1,), Phase.PLACE)
    left = PUCKS.withdraw(after, 0).state
    assert by_name(left) == {"red p1": "a1", "yellow p1": "a4"}
    assert (left.discard, PUCKS.view(left).hand_sizes) == ((), (0, 3, 0, 3))
    done = play(left, "auto", "auto")
    assert (done.phase, done.to_move) == (Phase.DRAW, 1), "the first seat that is left begins"


def test_the_last_one_who_has_not_placed_may_leave():
    state = play(start(3), "auto", "auto")
    done = PUCKS.withdraw(state, 1).state
    assert (done.phase, done.to_move) == (Phase.DRAW, 0)
    assert Counter(name.split()[0] for name in by_name(done)) == {"red": 8, "green": 8}
