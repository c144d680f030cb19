"""Seats: who sits where in a game, so that nobody always has the first or the last turn."""

from collections.abc import Sequence
from itertools import permutations

from bot.features.tournaments.rules.rounds import History

FIRST, SECOND = 0, 1

ABSOLUTE, STRONG, MILD = (1, 0), (0, 2), (0, 1)
"""The cost of breaking a seat preference, by its strength (FIDE Handbook C.04)."""


def seat_cost(player: int, seat: int, history: History) -> tuple[int, int]:
    """Return the cost of a seat in a two-player game: broken absolute preferences, then the strength of other broken ones.

    A preference is absolute after two more games in one seat than in the other, or after two games in a row in one seat. It is
    strong after one more game in one seat. It is mild, and against the seat of the last game, if the player has had both seats
    equally often.
    """
    had = [each for each, _ in history.seats.get(player, ())]
    surplus = had.count(seat) - had.count(1 - seat)
    if surplus > 1 or had[-2:] == [seat, seat]:
        return ABSOLUTE
    if surplus == 1:
        return STRONG
    if surplus == 0 and had[-1:] == [seat]:
        return MILD
    return (0, 0)


def order_cost(first: int, second: int, history: History) -> tuple[int, int]:
    """Return the cost of seating two players in this order, which is the sum of their `seat_cost`."""
    absolute, other = zip(seat_cost(first, FIRST, history), seat_cost(second, SECOND, history), strict=True)
    return sum(absolute), sum(other)


def order_of_two(higher: int, lower: int, board: int, history: History) -> tuple[int, int]:
    """Return the higher-ranked and the other player in seat order. The `board` at which they play is numbered from 0.

    The cheaper order is taken. If both orders cost the same, the two swap the seats that they had in the last round in which
    their seats differed. If there was no such round, the higher player gets their preferred seat or, without a preference, the
    first seat at every other board.
    """
    orders = ((higher, lower), (lower, higher))
    here, there = (order_cost(*order, history) for order in orders)
    if here != there:
        return orders[here > there]
    had = [[seat for seat, _ in reversed(history.seats.get(player, ()))] for player in (higher, lower)]
    for mine, theirs in zip(*had, strict=False):
        if mine != theirs:
            return orders[mine == FIRST]
    wish, reverse = (seat_cost(higher, seat, history) for seat in (FIRST, SECOND))
    if wish != reverse:
        return orders[wish > reverse]
    return orders[board % 2]


def order_of_several(players: Sequence[int], history: History) -> tuple[int, ...]:
    """Return a game's players in seat order, each where they have sat least often. In ties, those who sat late go first."""
    size = len(players)
    had = {player: history.seats.get(player, ()) for player in players}
    times = {player: [sum(seat == each for each, _ in had[player]) for seat in range(size)] for player in players}
    lateness = {player: sum(2 * seat - seats + 1 for seat, seats in had[player]) for player in players}

    def cost(order: tuple[int, ...]) -> tuple[int, int]:
        return (
            sum(times[player][seat] for seat, player in enumerate(order)),
            sum((lateness[player] + 2 * seat - size + 1) ** 2 for seat, player in enumerate(order)),
        )

    return min(permutations(players), key=cost)
