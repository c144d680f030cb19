"""Stats: what follows from a person’s finished games."""

from dataclasses import replace
from typing import Any

import pytest

from bot.core.table.snapshot import Snapshot
from bot.features.stats.stats import FORM, RIVALS, Feat, GameResult, Stats, game_of, stats_of
from storage.schema.records import Departure, Ending, Level, Seat, SeatStatus, Status, Table
from storage.schema.records import Result as Ended

ANN, BEN, CLEO = 1, 2, 3
NAMES = {ANN: "Ann", BEN: "Ben", CLEO: "Cleo"}


def seat(place: int, user_id: int, **fields: Any) -> Seat:
    return Seat(
        table_id=0, user_id=user_id, place=place, name=NAMES.get(user_id, "Somebody"), asked_at=0.0,
        **({"status": SeatStatus.JOINED} | fields),
    )  # fmt: skip


def game(number: int, *people: Seat, won: int | None = 0, how: Ending = Ending.RULES, **table: Any) -> Snapshot:
    """A finished game, won by a seat or drawn (None)."""
    row = Table(
        id=number, guild_id=1, channel_id=1, variant="standard", wanted=len(people), opened_by=ANN, created_at=0.0,
        status=Status.FINISHED, outcome=Ended(winners=() if won is None else (won,), how=how, reason=""),
        **({"game": "bouncers"} | table),
    )  # fmt: skip
    return Snapshot(row, people)


def against(number: int, other: int = BEN, *, won: int | None = 0, before: int = 1000, after: int = 1000) -> Snapshot:
    return game(number, seat(0, ANN, rating_after=after), seat(1, other, rating_before=before), won=won)


def computer(place: int, level: Level) -> Seat:
    return seat(place, -10 - place, computer=level)


def test_nothing_follows_from_nothing() -> None:
    assert stats_of([], ANN) == Stats()


def test_the_form_is_that_of_the_latest_games() -> None:
    games = [against(1, won=1), *(against(number, won=None) for number in range(2, 2 + FORM - 1)), against(30)]
    assert stats_of(games, ANN).form == (GameResult.DRAWN,) * (FORM - 1) + (GameResult.WON,)


def test_the_rivals_are_those_who_were_played_most() -> None:
    games = [against(1), against(2, won=1), against(3, CLEO), against(4, won=None)]
    games += [against(10 + other, other) for other in range(100, 100 + RIVALS)]
    first, second, *rest = stats_of(games, ANN).rivals
    assert (first.name, first.won, first.drawn, first.lost) == ("Ben", 1, 1, 1)
    assert (second.name, second.games) == ("Cleo", 1)
    assert len(rest) == RIVALS - 2


def test_somebody_who_asked_to_be_forgotten_is_nobodys_rival() -> None:
    assert stats_of([against(1, -7)], ANN).rivals == ()


def test_moments_name_the_table_where_they_were_reached() -> None:
    won = [against(1, after=1030), against(2, after=1050, before=1400), against(3, after=1060, before=1200)]
    stats = stats_of([*won, against(4, won=1, after=1020), against(5, after=1040)], ANN)
    assert (stats.run, stats.peak, stats.upset) == (Feat(3, 3), {"bouncers": Feat(1060, 3)}, Feat(1400, 2))
    assert stats.ratings == {"bouncers": (1030, 1050, 1060, 1020, 1040)}


def test_a_single_win_is_no_run_and_a_single_rating_no_peak() -> None:
    stats = stats_of([against(1)], ANN)
    assert (stats.run, stats.peak) == (None, {})


def test_ratings_of_several_games_are_kept_apart() -> None:
    other = game(2, seat(0, ANN, rating_after=1010), seat(1, BEN), game="bunny")
    found = stats_of([against(1, after=1030), other, against(3, after=1060)], ANN).ratings
    assert found == {"bouncers": (1030, 1060), "bunny": (1010,)}


def test_a_badge_is_for_beating_computers_alone_the_weakest_of_them_counts() -> None:
    games = [
        game(1, seat(0, ANN), computer(1, Level.EASY), rated=False),
        game(2, seat(0, ANN), computer(1, Level.EXPERT), computer(2, Level.HARD), rated=False),
        game(3, seat(0, ANN), computer(1, Level.EXPERT), rated=False, won=1),
        game(4, seat(0, ANN), seat(1, BEN), computer(2, Level.EXPERT), rated=False, game="bunny"),
    ]
    stats = stats_of(games, ANN)
    assert stats.badges == {"bouncers": Level.HARD}
    assert stats.form == (GameResult.WON,), "practice is no form"
    assert stats.ratings == {}


def test_leaving_a_rated_game_loses_it_whatever_the_stand_in_does() -> None:
    leaving = Departure(table_id=1, number=1, place=0, user_id=ANN, name="Ann", version=3, lost=True, rating_after=980)
    left = replace(game(1, seat(0, CLEO), seat(1, BEN), won=0), departures=(leaving,))
    assert stats_of([left], ANN).form == (GameResult.LOST,)
    assert stats_of([left], ANN).ratings == {"bouncers": (980,)}
    assert [rival.name for rival in stats_of([left], BEN).rivals] == ["Ann"]


@pytest.mark.parametrize("how", [Ending.CLOSED, Ending.CALLED_OFF])
def test_a_game_without_a_result_tells_nothing(how: Ending) -> None:
    assert stats_of([game(1, seat(0, ANN), seat(1, BEN), won=None, how=how)], ANN) == Stats()


def test_a_game_alone_and_the_game_of_others_tell_nothing() -> None:
    assert stats_of([game(1, seat(0, ANN)), game(2, seat(0, BEN), seat(1, CLEO))], ANN) == Stats()


def test_a_game_that_is_not_rated_has_its_own_result() -> None:
    resigned = replace(seat(1, BEN), status=SeatStatus.WITHDRAWN)
    found = game_of(game(1, seat(0, ANN), resigned, won=0, rated=False), BEN)
    assert found is not None
    assert (found.result, found.rating) == (GameResult.LOST, None)
