"""Seat preferences, and the order that follows from them."""

import pytest

from bot.features.tournaments.rules.pairing.seats import ABSOLUTE, MILD, STRONG, order_of_several, order_of_two, seat_cost
from bot.features.tournaments.rules.rounds import History

NONE = (0, 0)


def history(*seats: str) -> History:
    """What players 1, 2, … have had: f for the first seat, s for the second."""
    return History({player: tuple(("fs".index(seat), 2) for seat in had) for player, had in enumerate(seats, 1)}, {}, {})


@pytest.mark.parametrize(
    ("had", "first", "second"),
    [
        ("", NONE, NONE), ("f", STRONG, NONE), ("fs", NONE, MILD), ("sf", MILD, NONE), ("ff", ABSOLUTE, NONE),
        ("fsf", STRONG, NONE), ("sff", ABSOLUTE, NONE), ("ssff", ABSOLUTE, NONE), ("sfssf", NONE, STRONG),
        ("ffsf", ABSOLUTE, NONE), ("sfss", NONE, ABSOLUTE),
    ],
)  # fmt: skip
def test_what_a_seat_costs(had: str, first: tuple[int, int], second: tuple[int, int]) -> None:
    assert [seat_cost(1, seat, history(had)) for seat in (0, 1)] == [first, second]


@pytest.mark.parametrize(
    ("had", "order"),
    [
        (("f", "s"), (2, 1)), (("s", "f"), (1, 2)), (("fsf", "f"), (2, 1)), (("ff", "f"), (2, 1)), (("f", "ff"), (1, 2)),
        (("ffs", "sff"), (1, 2)), (("fsf", "sff"), (1, 2)), (("fssf", "sfsf"), (1, 2)),
        (("fs", "fs"), (1, 2)), (("sf", "sf"), (2, 1)),
    ],
)  # fmt: skip
def test_the_cheaper_order_or_else_swapped_seats(had: tuple[str, str], order: tuple[int, int]) -> None:
    assert order_of_two(1, 2, 0, history(*had)) == order


def test_at_first_every_other_board_gives_the_higher_player_the_first_seat() -> None:
    assert [order_of_two(1, 2, board, history("", "")) for board in range(3)] == [(1, 2), (2, 1), (1, 2)]


def test_those_who_sat_late_come_early() -> None:
    known = {1: ((0, 4),), 2: ((1, 4),), 3: ((2, 4),), 4: ((3, 4),)}
    assert order_of_several((1, 2, 3, 4), History(known, {}, {})) == (4, 3, 2, 1)
    late = {1: ((3, 5),), 2: ((4, 5),), 3: ((0, 5),)}
    assert order_of_several((1, 2, 3), History(late, {}, {})) == (2, 1, 3)
