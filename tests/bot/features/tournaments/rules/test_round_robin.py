"""Round robins: the published Berger tables, balance, late entries, and few games at once."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.pairing.round_robin import berger_table, games_to_begin
from bot.features.tournaments.rules.rounds import Round, RoundGame
from bot.features.tournaments.rules.tournament import Tournament, start
from tests.bot.features.tournaments.rules.playing import KEY, finish_round

BERGER = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}  # fmt: skip
"""FIDE Handbook C.05, annex 1."""


def pairs(each: Round) -> set[str]:
    return {"-".join(map(str, game.seats)) for game in each.games}


@pytest.mark.parametrize("size", BERGER)
def test_the_table_is_the_published_one(size: int) -> None:
    table = berger_table(range(1, size + 1))
    assert [pairs(each) for each in table] == [set(line.split()) for line in BERGER[size]]


@pytest.mark.parametrize("size", BERGER)
def test_whoever_would_meet_the_missing_player_rests(size: int) -> None:
    table, missing = berger_table(range(1, size)), str(size)
    for each, line in zip(table, BERGER[size], strict=True):
        games = line.split()
        (resting,) = [game.replace(missing, "").strip("-") for game in games if missing in game.split("-")]
        assert pairs(each) == {game for game in games if missing not in game.split("-")}
        assert (each.rests, each.byes) == ((int(resting),), ())


def surplus(rounds: tuple[Round, ...]) -> Counter[int]:
    counts: Counter[int] = Counter()
    for game in (game for each in rounds for game in each.games):
        counts.update({game.seats[0]: 1})
        counts.subtract({game.seats[1]: 1})
    return counts


@pytest.mark.parametrize("players", range(2, 12))
def test_everybody_meets_everybody_and_seats_are_balanced(players: int) -> None:
    for cycles in (1, 2):
        table = berger_table(range(players), cycles)
        met = Counter(frozenset(game.seats) for each in table for game in each.games)
        assert met == Counter({frozenset(pair): cycles for pair in combinations(range(players), 2)})
        assert all(len({*each.players, *each.rests}) == players for each in table)
        balanced = cycles == 2 or players % 2 == 1
        assert {abs(count) for count in surplus(table).values()} <= ({0} if balanced else {1})
        assert len(table) == FORMATS["round_robin"].system.rounds(players) * cycles


def newcomers(players: int) -> Tournament:
    event = start(FORMATS["round_robin"], range(1, players + 1), KEY).pair()
    while len(event.entries) < 8:
        event = event.enter(100 + len(event.entries))
    return event


@pytest.mark.parametrize("players", range(3, 8))
def test_a_newcomer_plays_everybody_and_seats_stay_balanced(players: int) -> None:
    event = newcomers(players)
    met = Counter(frozenset(game.seats) for each in event.rounds for game in each.games)
    assert met == Counter(frozenset(pair) for pair in combinations(event.players, 2))
    assert {abs(count) for count in surplus(event.rounds).values()} <= {0, 1}
    finished = finish_round(event, Random(1))
    assert finished.is_over
    with pytest.raises(ValueError, match="cannot enter"):
        finished.enter(999)


def test_nobody_enters_when_more_than_half_is_over() -> None:
    event = start(FORMATS["round_robin"], [1, 2, 3, 4], KEY).pair()
    for number, each in enumerate(event.rounds[:2]):
        assert event.enter(5)
        for index, game in enumerate(each.games):
            event = event.settle(number, index, game.finish(1, 2))
    with pytest.raises(ValueError, match="cannot enter"):
        event.enter(5)


def test_nobody_plays_more_games_at_once_than_allowed() -> None:
    waiting = [game for each in berger_table(range(8)) for game in each.games]
    running: list[RoundGame] = []
    started = 0
    while waiting or running:
        begun = games_to_begin(waiting, running)
        started += len(begun)
        waiting = [game for game in waiting if game not in begun]
        running += begun
        assert max(Counter(player for game in running for player in game.seats).values()) <= 3
        assert not games_to_begin(waiting, running), "all that may begin have begun"
        running.pop(0)
    assert started == 28
