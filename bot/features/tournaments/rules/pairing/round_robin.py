"""Round robin: everybody plays everybody, according to the Berger tables of FIDE (Handbook C.05, annex 1)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from bot.features.tournaments.rules.rounds import Round, RoundGame


def berger_table(players: Sequence[int], cycles: int = 1) -> tuple[Round, ...]:
    """Return all rounds of a round robin.

    The players are given in an order drawn by lot, which decides who has the first seat once more than others. With an odd
    number of players, everybody has both seats equally often. Every other cycle swaps the seats, so two cycles are balanced for
    everybody.
    """
    size = len(players) + len(players) % 2
    return tuple(_round(players, size, number, swapped=cycle % 2 == 1) for cycle in range(cycles) for number in range(1, size))


def _round(players: Sequence[int], size: int, number: int, *, swapped: bool) -> Round:
    """Return one round of the table.

    Players are numbered from 1 to `size`, which is even, so perhaps nobody has the last number. In round r, the numbers i and j
    meet if i + j is r + 1 modulo `size` - 1, ignoring the last number. The player who would meet themselves meets the last
    number instead, or rests if nobody has it.
    """
    games: list[RoundGame] = []
    rests: list[int] = []
    for one in range(1, size):
        other = (number + 1 - one) % (size - 1) or size - 1
        if one == other and size > len(players):
            rests.append(players[one - 1])
        elif one == other:
            games.append(_game(players, one, size, first=(one <= size // 2) != swapped))
        elif one < other:
            games.append(_game(players, one, other, first=((one + other) % 2 == 1) != swapped))
    return Round(tuple(games), rests=tuple(rests))


def _game(players: Sequence[int], one: int, other: int, *, first: bool) -> RoundGame:
    mine, theirs = players[one - 1], players[other - 1]
    return RoundGame((mine, theirs) if first else (theirs, mine))


def late_round(players: Sequence[int], rounds: Iterable[Round], newcomer: int, cycles: int = 1) -> Round:
    """Return the games of a player who enters after the others were paired. Seats stay as balanced as they were."""
    surplus: Counter[int] = Counter()
    for game in (game for each in rounds for game in each.games):
        surplus[game.seats[0]] += 1
        surplus[game.seats[1]] -= 1
    games: list[RoundGame] = []
    for _ in range(cycles):
        for player in sorted(players, key=lambda each: (surplus[each], each)):
            newcomer_first = (surplus[player] or -surplus[newcomer]) >= 0
            first, second = (newcomer, player) if newcomer_first else (player, newcomer)
            games.append(RoundGame((first, second)))
            surplus[first] += 1
            surplus[second] -= 1
    return Round(tuple(games))


def games_to_begin(waiting: Iterable[RoundGame], running: Iterable[RoundGame], most: int = 3) -> tuple[RoundGame, ...]:
    """Return the waiting games that may begin now, so that nobody plays more than `most` at once."""
    busy = Counter(player for game in running for player in game.seats)
    begun: list[RoundGame] = []
    for game in waiting:
        if all(busy[player] < most for player in game.seats):
            busy.update(game.seats)
            begun.append(game)
    return tuple(begun)
