"""The board as bits moves pieces, and counts slides, as the engine does."""

import pytest

from engines.pucks.board import motion
from engines.pucks.board.state import State
from opponents.pucks.outlook import company_of, rink_for
from opponents.pucks.rink import FAR, occupied_bits
from tests.opponents.pucks.games import AT_RANDOM, random_game

TABLES = [
    (2, "standard", {}), (3, "standard", {"board": "shuffled"}), (2, "standard", {"colours": "2"}), (4, "standard", {}),
    (6, "standard", {"board": "shuffled"}), (2, "old-school", {}), (6, "old-school", {}),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "variant", "options"), TABLES)
def test_pieces_move_as_in_the_engine(seats: int, variant: str, options: dict[str, str]) -> None:
    seen = 0
    for number, state in enumerate(random_game(seats, variant, 160, 1, {**AT_RANDOM, **options})):
        if number % 4 == 0:
            seen += _compare_motions(state)
    assert seen > 100


def _compare_motions(state: State) -> int:
    engine, rink = state.rink(), rink_for(state.table)
    spots = rink.spots(state.table.places)
    at = {bit: piece for piece, bit in enumerate(spots) if bit >= 0}
    found = 0
    for piece in range(len(spots)):
        for side in range(4):
            expected = motion.move(engine, state.table.places, piece, side)
            moved = company_of(state).sliding.after_move(rink, spots, at, piece, side, engine.thin_ice)
            assert moved == (None if expected is None else rink.spots(expected.places))
            found += expected is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "variant", "options"), TABLES)
def test_the_slides_to_a_goal_are_the_fewest(seats: int, variant: str, options: dict[str, str]) -> None:
    compared = 0
    for number, state in enumerate(random_game(seats, variant, 160, 2, {**AT_RANDOM, **options})):
        if number % 8 == 0:
            rink = rink_for(state.table)
            layers = rink.distances(occupied_bits(rink.spots(state.table.places)))
            for pucks in company_of(state).pucks:
                for puck in pucks:
                    space = state.table.places[puck]
                    if space >= 0:
                        there = rink.bits[space]
                        distance = next((n for n, layer in enumerate(layers, start=1) if layer >> there & 1), FAR)
                        assert distance == _fewest(state, space)
                        compared += 1
    assert compared > 30


def _fewest(state: State, start: int) -> int:
    """In how many slides, at most `FAR`, a puck gets to a goal while everything else stands still, space by space."""
    seen = reached = {start}
    for number in range(1, FAR):
        ends = {_slid(state, space, side) for space in reached for side in range(4)}
        if None in ends:
            return number
        reached = {space for space in ends if space is not None} - seen
        seen = seen | reached
    return FAR


def _slid(state: State, space: int, side: int) -> int | None:
    """Where a puck that slides from a space ends, or None in a goal."""
    grid, reach = state.grid(), state.rink().reach
    covered = 0
    while covered != reach:
        ahead = grid.neighbours[4 * space + side]
        if ahead < 0 or ahead in state.table.places:
            break
        space, covered = ahead, covered + 1
        if grid.marks[space] == "G":
            return None
    return space
