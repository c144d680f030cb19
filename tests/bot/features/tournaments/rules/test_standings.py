"""Standings and their tie-breaks, against published crosstables and a second reading of the rules."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.tournaments.rules.formats import FORMATS, Format, RoundRobin, Swiss
from bot.features.tournaments.rules.rounds import DRAW, Ending, Round, RoundGame
from bot.features.tournaments.rules.scores import Scores
from bot.features.tournaments.rules.standings import Part, course, crosstable, standings
from bot.features.tournaments.rules.tie_breaks import TieBreak
from bot.features.tournaments.rules.tournament import Entry, Tournament, start
from engines.chance import draw_lots
from tests.bot.features.tournaments.rules.crosstables import PUBLISHED, SCORES, Table
from tests.bot.features.tournaments.rules.playing import KEY, finish_round, play

HALF = Fraction(1, 2)


@pytest.mark.parametrize("table", PUBLISHED.values(), ids=list(PUBLISHED))
def test_the_published_crosstable_is_consistent(table: Table) -> None:
    for row, published in enumerate(table.points):
        assert sum(SCORES[score] for cell in table.cells(row) if cell != "x" for score in cell) == Fraction(published)
        for column in range(len(table.names)):
            pairs = zip(table.cells(row)[column], table.cells(column)[row], strict=True)
            assert all((mine, theirs) in {("1", "0"), ("0", "1"), ("=", "="), ("x", "x")} for mine, theirs in pairs)


@pytest.mark.parametrize("table", PUBLISHED.values(), ids=list(PUBLISHED))
def test_the_order_is_the_published_one(table: Table) -> None:
    event = table.event()
    lines = standings(event)
    assert [table.names[line.player - 1] for line in lines] == list(table.names)
    assert [line.points for line in lines] == [Fraction(points) for points in table.points]
    assert [line.place for line in lines] == list(range(1, len(lines) + 1))
    cells = crosstable(event).cells
    for row in range(len(lines)):
        assert [list(cell) for cell in cells[row]] == [
            [] if cell == "x" else [SCORES[score] for score in cell] for cell in table.cells(row)
        ]


@pytest.mark.parametrize("table", PUBLISHED.values(), ids=list(PUBLISHED))
def test_the_tie_breaks_have_the_published_values(table: Table) -> None:
    event = table.event()
    for tie_break, published in table.values.items():
        lines = standings(replace(event, format=replace(event.format, tie_breaks=(tie_break,))))
        found = {table.names[line.player - 1]: line.tie_breaks[0] for line in lines}
        assert {name: found[name] for name in published} == {name: Fraction(value) for name, value in published.items()}


def test_who_won_more_games_comes_first_if_wins_are_the_first_tie_break() -> None:
    table = PUBLISHED["Madrid 2022"]
    event = table.event()
    wins_first = replace(event, format=replace(event.format, tie_breaks=(TieBreak.WINS, TieBreak.SONNEBORN_BERGER)))
    assert [table.names[line.player - 1] for line in standings(wins_first)][2:4] == ["Nakamura", "Radjabov"]


def one_round(*games: RoundGame, tie_breaks: tuple[TieBreak, ...], players: int, byes: tuple[int, ...] = ()) -> Tournament:
    chosen = Format("test", RoundRobin(), 2, 64, tie_breaks)
    return Tournament(chosen, tuple(Entry(player) for player in range(1, players + 1)), KEY, (Round(games, byes),))


def test_players_share_a_place_if_nothing_separates_them() -> None:
    event = one_round(RoundGame((1, 2), (1, 1)), RoundGame((3, 4), (2, 1)), tie_breaks=(TieBreak.WINS,), players=4)
    assert [(line.player, line.place) for line in standings(event)] == [(4, 1), (1, 2), (2, 2), (3, 4)]


def test_a_direct_encounter_counts_only_if_all_have_met() -> None:
    games = [RoundGame((1, 2), (2, 1)), RoundGame((1, 4), (1, 2)), RoundGame((2, 4), (2, 1))]
    met = one_round(*games, tie_breaks=(TieBreak.DIRECT,), players=4)
    assert [line.player for line in standings(met)][:3] == [1, 2, 4]
    assert [line.place for line in standings(met)][:3] == [1, 1, 1]
    two = one_round(RoundGame((1, 2), (2, 1)), RoundGame((1, 3), (1, 2)), tie_breaks=(TieBreak.DIRECT,), players=3)
    assert [(line.player, line.place) for line in standings(two)] == [(2, 1), (1, 2), (3, 3)]
    unmet = one_round(RoundGame((1, 3), (1, 2)), RoundGame((2, 4), (1, 2)), tie_breaks=(TieBreak.DIRECT,), players=4)
    assert [line.place for line in standings(unmet)] == [1, 1, 3, 3]


def test_players_left_equal_by_a_direct_encounter_are_compared_again() -> None:
    """Among all four, 1 has 2½ points, 2 and 3 have 1½ each, 4 has ½; and 2 has beaten 3."""
    games = [
        RoundGame((1, 2), (1, 2)), RoundGame((1, 3), (1, 1)), RoundGame((1, 4), (1, 2)),
        RoundGame((2, 3), (1, 2)), RoundGame((2, 4), (1, 1)), RoundGame((3, 4), (1, 2)),
    ]  # fmt: skip
    event = one_round(*games, tie_breaks=(TieBreak.DIRECT,), players=4, byes=(2, 3, 4, 4))
    assert {line.points for line in standings(event)} == {Fraction(5, 2)}
    assert [(line.player, line.place) for line in standings(event)] == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_fewest_time_outs_and_then_the_lots_decide() -> None:
    games = [RoundGame((1, 2), (1, 1), timeouts=(0, 2)), RoundGame((3, 4), (1, 1), timeouts=(1, 0))]
    event = one_round(*games, tie_breaks=(TieBreak.TIMEOUTS, TieBreak.LOTS), players=4)
    tied = draw_lots(KEY, "tie", (1, 4))
    assert [line.player for line in standings(event)] == [*tied, 3, 2]
    assert [line.ahead_by for line in standings(event)] == [TieBreak.LOTS, TieBreak.TIMEOUTS, TieBreak.TIMEOUTS, None]


def test_each_line_says_why_it_is_ahead_of_the_next() -> None:
    """1 and 2 have a point each, and 1 has won the game between them; 3 and 4 have half a point and nothing between them."""
    games = [RoundGame((1, 2), (1, 2)), RoundGame((2, 3), (1, 2)), RoundGame((3, 4), (1, 1))]
    event = one_round(*games, tie_breaks=(TieBreak.WINS, TieBreak.DIRECT), players=4)
    assert [(line.player, line.place) for line in standings(event)] == [(1, 1), (2, 2), (3, 3), (4, 3)]
    assert [line.ahead_by for line in standings(event)] == [TieBreak.DIRECT, None, None, None]


def test_places_of_several_players_are_worth_the_opponents_they_leave_behind() -> None:
    game = RoundGame((1, 2, 3, 4), (2, 1, 4, 3))
    assert [game.points(player) for player in game.seats] == [Fraction(2, 3), 1, 0, Fraction(1, 3)]
    shared = RoundGame((1, 2, 3), (1, 1, 3))
    assert [shared.points(player) for player in shared.seats] == [Fraction(3, 4), Fraction(3, 4), 0]
    assert [RoundGame((1, 2), (1, 1)).points(player) for player in (1, 2)] == [DRAW, DRAW]


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_a_game_gives_half_as_many_points_as_it_has_seats(places: list[int]) -> None:
    game = RoundGame(tuple(range(len(places))), tuple(places))
    assert sum(game.points(player) for player in game.seats) == Fraction(len(places), 2)


def slow_values(event: Tournament) -> dict[int, dict[TieBreak, Fraction]]:
    """Points of opponents, pair by pair, from docs/competitions.md alone; no annulled games."""
    points = {line.player: line.points for line in standings(event)}
    found: dict[int, dict[TieBreak, Fraction]] = {}
    for player, own in points.items():
        berger = buchholz = Fraction(0)
        wins = 0
        for each in event.rounds:
            mine = [game for game in each.games if player in game.seats]
            if player in each.byes:
                berger += own
            if not any(game.ending is not Ending.FORFEITED for game in mine):
                buchholz += own
            for game in mine:
                place = game.places[game.seats.index(player)]
                others = [(other, rank) for other, rank in zip(game.seats, game.places, strict=True) if other != player]
                share = Fraction(1, len(others))
                for other, rank in others:
                    berger += share * points[other] * (1 if place < rank else HALF if place == rank else 0)
                    buchholz += share * points[other] * (game.ending is not Ending.FORFEITED)
                wins += game.ending is not Ending.FORFEITED and all(place < rank for _, rank in others)
        found[player] = {TieBreak.SONNEBORN_BERGER: berger, TieBreak.BUCHHOLZ: buchholz, TieBreak.WINS: Fraction(wins)}
    return found


@pytest.mark.parametrize("name", ["swiss", "pods"])
@pytest.mark.parametrize("seed", range(4))
def test_tie_breaks_are_those_of_a_slow_reading(name: str, seed: int) -> None:
    event = play(FORMATS[name], 11, Random(seed))
    expected = slow_values(event)
    for tie_break in (TieBreak.SONNEBORN_BERGER, TieBreak.BUCHHOLZ, TieBreak.WINS):
        lines = standings(replace(event, format=replace(event.format, tie_breaks=(tie_break,))))
        assert {line.player: line.tie_breaks[0] for line in lines} == {
            player: values[tie_break] for player, values in expected.items()
        }


def test_results_of_leavers_stay_if_half_were_played() -> None:
    for played, counts in ((1, False), (2, True)):
        event = start(FORMATS["round_robin"], [1, 2, 3, 4, 5], KEY).pair()
        own = [
            (number, index)
            for number, each in enumerate(event.rounds)
            for index, game in enumerate(each.games)
            if 1 in game.seats
        ]
        for number, index in own[:played]:
            game = event.rounds[number].games[index]
            event = event.settle(number, index, game.finish(*(1 if player == 1 else 2 for player in game.seats)))
        event = event.withdraw(1)
        lines = {line.player: line for line in standings(event)}
        assert lines[1].counts is counts
        assert lines[1].points == (played if counts else 0)
        assert sum(line.points for line in lines.values()) == (4 if counts else 0)
        assert {line.player: line for line in standings(event.come_back(1))}[1].points == played


def test_late_rounds_byes_and_absence_have_their_points() -> None:
    event = start(FORMATS["swiss"], range(1, 8), KEY).pair()
    (bye,) = event.rounds[0].byes
    for index, game in enumerate(event.rounds[0].games):
        event = event.settle(0, index, game.finish(1, 1))
    event = event.enter(8).pair(absent=[2])
    points = {line.player: line.points for line in standings(event)}
    assert points[bye] == 1 + (bye in event.rounds[1].byes)
    assert points[8] == HALF + (8 in event.rounds[1].byes)
    assert course(event, 8)[0][0].part is Part.LATE
    assert course(event, 2)[1][0].part is Part.ABSENT
    assert course(event, bye)[0][0].part is Part.BYE
    playing = event.rounds[1].games[0].seats[0]
    assert course(event, playing)[1][0].points is None
    assert course(event, playing)[1][0].seat == 0


def test_a_table_is_the_same_in_any_order_of_entry() -> None:
    event = play(Format("swiss", Swiss(), 7, 64, FORMATS["swiss"].tie_breaks), 12, Random(3))
    turned = replace(event, entries=event.entries[::-1])
    assert [line.player for line in standings(event)] == [line.player for line in standings(turned)]


def test_each_tie_break_is_computed_once_however_many_players_are_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    event = start(FORMATS["swiss"], range(1, 65), KEY)
    for _ in range(3):
        event = finish_round(event.pair(), Random(1))
    calls = Counter[str]()

    def counted(name: str) -> Callable[..., Mapping[int, Fraction]]:
        compute = getattr(Scores, name)

        def count(*values: object) -> Mapping[int, Fraction]:
            calls[name] += 1
            found: Mapping[int, Fraction] = compute(*values)
            return found

        return count

    for name in ("wins", "buchholz", "timeouts", "direct"):
        monkeypatch.setattr(Scores, name, counted(name))
    assert len(standings(event)) == 64
    direct = calls.pop("direct")
    assert calls == {"wins": 1, "buchholz": 1, "timeouts": 1}
    assert direct < 64, "once for those who are equal"


def test_the_points_of_a_game_are_the_mean_of_the_scores_against_each_opponent() -> None:
    for places in product(range(1, 4), repeat=4):
        game = RoundGame((7, 3, 9, 5), places)
        for player in game.seats:
            scores = [game.score(player, other) for other in game.opponents(player)]
            assert game.points(player) == sum(scores, Fraction(0)) / 3
