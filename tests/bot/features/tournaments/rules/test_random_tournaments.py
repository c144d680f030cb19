"""Random events with absence, late entries, odd numbers, players who leave and return, and games by hand.

Each round is compared with the second reading of the criteria; docs/competitions.md has them.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import lcm
from random import Random

import pytest

from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.pairing.knockout import bracket
from bot.features.tournaments.rules.rounds import Round
from bot.features.tournaments.rules.standings import course, crosstable, standings
from bot.features.tournaments.rules.tournament import Tournament
from tests.bot.features.tournaments.rules.playing import play_with_trouble
from tests.bot.features.tournaments.rules.second_readings import (
    Past,
    all_divisions,
    can_divide,
    cost_of_round,
    least_order_cost,
    least_swiss_cost,
    needs_no_repeat,
    order_cost,
    pods_cost,
    repeats,
    seating_cost,
)

COMPARED = 12
"""The most players of a Swiss round for whom all pairings are compared."""

DIVIDED = 9
"""The most players of a round of pods for whom all divisions are compared; for more, the repeats alone are."""


def free_part(paired: Round, hand: tuple[tuple[int, ...], ...]) -> Round:
    """A round without the games and byes set by hand."""
    return Round(
        tuple(game for game in paired.games if game.seats not in hand),
        tuple(player for player in paired.byes if (player,) not in hand),
    )


@dataclass
class Watcher:
    """Checks each round of an event, and counts."""

    rounds: int = 0
    pairings: int = 0
    compared: int = 0
    rematches: int = 0

    def look(self, before: Tournament, event: Tournament, there: tuple[int, ...], hand: tuple[tuple[int, ...], ...]) -> None:
        new = event.rounds[len(before.rounds) :]
        assert new, "no round"
        self.rounds += len(new)
        self.pairings += sum(len(each.games) for each in new)
        for seats in hand:
            assert seats in {game.seats for game in new[0].games} or seats in {(player,) for player in new[0].byes}
        getattr(self, before.format.id)(before, event, there, hand)

    def swiss(self, before: Tournament, event: Tournament, there: tuple[int, ...], hand: tuple[tuple[int, ...], ...]) -> None:
        paired, past = event.rounds[-1], Past(before)
        assert Counter(paired.players) == Counter(there), "each player has one game or a bye"
        free = free_part(paired, hand)
        assert len(free.byes) == len(free.players) % 2
        again = sum(past.met[frozenset(game.seats)] for game in free.games) + sum(past.byes[player] for player in free.byes)
        self.rematches += bool(again)
        if len(free.players) <= COMPARED:
            self.compared += 1
            scale = lcm(*(past.points[player].denominator for player in free.players))
            assert cost_of_round(past, free.players, free, scale) == least_swiss_cost(past, free.players, scale)
        else:
            assert not again or not needs_no_repeat(past, free.players)
            assert again or not any(seating_cost(past, game.seats)[0] for game in free.games), "an absolute preference"

    def pods(self, before: Tournament, event: Tournament, there: tuple[int, ...], hand: tuple[tuple[int, ...], ...]) -> None:
        paired, past = event.rounds[-1], Past(before)
        assert Counter(paired.players) == Counter(there)
        free = free_part(paired, hand)
        sizes = [len(game.seats) for game in free.games]
        assert all(3 <= size <= 5 for size in sizes)
        assert len(free.byes) == (0 if len(free.players) > 2 else len(free.players))
        seated = [player for game in free.games for player in game.seats]
        pods = [game.seats for game in free.games]
        for pod in pods:
            assert order_cost(past, pod) == least_order_cost(past, pod)
        again = repeats(past, pods)
        self.rematches += bool(again)
        if len(seated) <= DIVIDED:
            self.compared += 1
            costs = (pods_cost(past, seated, each) for each in all_divisions(seated, sizes))
            assert pods_cost(past, seated, pods) == min(costs)
        elif again:
            assert not can_divide(past, seated, sizes, again - 1)

    def round_robin(
        self, before: Tournament, event: Tournament, there: tuple[int, ...], hand: tuple[tuple[int, ...], ...]
    ) -> None:
        assert before.rounds == ()
        met = Counter(frozenset(game.seats) for each in event.rounds for game in each.games)
        assert met == Counter(frozenset(pair) for pair in combinations(there, 2))
        for each in event.rounds:
            assert Counter((*each.players, *each.rests)) == Counter(there)
        for player in there:
            firsts = [game.seats[0] == player for each in event.rounds for game in each.games if player in game.seats]
            assert abs(2 * sum(firsts) - len(firsts)) == (len(there) + 1) % 2

    def knockout(
        self, before: Tournament, event: Tournament, there: tuple[int, ...], hand: tuple[tuple[int, ...], ...]
    ) -> None:
        stages, paired = bracket(event.players, event.rounds, event.key), event.rounds[-1]
        if len(event.rounds) == 1:
            assert set(paired.players) == set(event.players)
        else:
            winners = [match.winner for match in stages[len(event.rounds) - 2]]
            assert None not in winners
            assert Counter(paired.players) == Counter(winners) + Counter(winners), "two games, one in each seat"
        for match in stages[len(event.rounds) - 1]:
            if match.games:
                first, second = match.games[:2]
                assert first.seats == second.seats[::-1]


def check_end(event: Tournament) -> None:
    """Check that a finished event has a complete table."""
    assert event.is_over
    assert len(event.rounds) <= event.length
    lines = standings(event)
    assert {line.player for line in lines} == set(event.players)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    if event.format.id == "knockout":
        (final,) = bracket(event.players, event.rounds, event.key)[-1]
        assert (final.winner, lines[1].place) == (lines[0].player, 2)
        return
    assert len({line.place for line in lines if line.counts}) == sum(line.counts for line in lines), "the lots leave no tie"
    points = {line.player: line.points for line in lines if line.counts}
    if not event.annulled_players:
        for player, value in points.items():
            assert value == sum(part.points or 0 for each in course(event, player) for part in each)
    cells = crosstable(event).cells
    assert all(len(cells[one][other]) == len(cells[other][one]) for one in range(len(lines)) for other in range(len(lines)))


FIELDS = {"swiss": (7, 24), "pods": (3, 12), "round_robin": (3, 8), "knockout": (3, 24)}


def play_tournaments(seeds: range) -> Watcher:
    """Play events of all formats, two in five of them Swiss."""
    watcher = Watcher()
    for seed in seeds:
        random, name = Random(seed), ("swiss", "pods", "round_robin", "swiss", "knockout")[seed % 5]
        fewest, most = FIELDS[name]
        players = (
            random.randint(13, 17)
            if name == "pods" and seed % 500 == 1
            else random.randint(fewest, random.randint(fewest, most))
        )
        check_end(play_with_trouble(FORMATS[name], players, random, watcher.look))
    return watcher


@pytest.mark.slow
def test_random_events_are_paired_as_well_as_can_be() -> None:
    assert play_tournaments(range(2, 27)).compared > 15


@pytest.mark.proof
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_random_events_are_paired_as_well_as_can_be(part: int) -> None:
    watcher = play_tournaments(range(1000 * part, 1000 * (part + 1)))
    assert watcher.compared > 1000
    assert watcher.rematches > 0, "some are unavoidable, or nothing was tried"
