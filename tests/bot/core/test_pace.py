"""Pace: how soon people take their turns, and how many of them time out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.clocks.timing import WAITS
from bot.core.core import Core
from bot.core.pace import FEWEST_TURNS, Pace, Span, Turn, pace_of
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.snapshot import Snapshot
from bot.features.stats.ratings import Ratings
from storage import queries
from tests.bot.core.steps import sweep_after
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, HOUR, PEOPLE, Time, first_action, started


def turn(begins: float, seconds: float, *, timed_out: bool = False) -> Turn:
    return Turn((Span(begins, begins + seconds),), DAY, timed_out)


def turns(*hours: float) -> list[Turn]:
    """Turns a week apart that took these hours."""
    return [turn(7 * DAY * number, HOUR * length) for number, length in enumerate(hours)]


def test_a_pace_is_the_median_of_the_turns() -> None:
    assert pace_of(turns(1, 9, 2, 8, 3, 7, 4, 6, 5, 20, 23)) == Pace(11, 6 * HOUR, 0)


def test_too_few_turns_make_no_pace() -> None:
    assert pace_of(turns(*[1.0] * (FEWEST_TURNS - 1))) is None
    assert pace_of(turns(*[1.0] * FEWEST_TURNS)) == Pace(FEWEST_TURNS, HOUR, 0)


def test_time_outs_are_turns_that_took_the_whole_time() -> None:
    late = [turn(100 * DAY + number * DAY, DAY, timed_out=True) for number in range(6)]
    pace = pace_of([*turns(*[1.0] * 6), *late])
    assert pace == Pace(12, 12.5 * HOUR, 6)
    assert pace.timeout_share == 0.5


def test_a_turn_of_several_actions_takes_the_time_of_all_of_them() -> None:
    three = Turn((Span(0, HOUR), Span(HOUR, 3 * HOUR), Span(3 * HOUR, 3.5 * HOUR)), DAY)
    assert three.seconds() == 3.5 * HOUR


def test_a_pause_within_a_turn_does_not_count() -> None:
    vacation = Span(10 * HOUR, 5 * DAY)
    assert turn(9 * HOUR, 5 * DAY).seconds([vacation]) == 10 * HOUR
    assert turn(11 * HOUR, 2 * HOUR).seconds([vacation]) == 0.0
    assert turn(6 * DAY, HOUR).seconds([vacation]) == HOUR


def test_an_unknown_pause_counts_for_no_more_than_the_clock() -> None:
    assert turn(0, 14 * DAY).seconds() == DAY
    twice = Turn((Span(0, 14 * DAY), Span(14 * DAY, 14 * DAY + HOUR)), DAY)
    assert twice.seconds() == DAY + HOUR


MOMENTS = st.floats(0, 1e9)
SPANS = st.builds(Span, MOMENTS, MOMENTS)


@given(waits=st.lists(SPANS, min_size=1, max_size=4), pause=SPANS)
def test_no_turn_takes_less_than_nothing_or_more_than_its_clock(waits: list[Span], pause: Span) -> None:
    taken = Turn(tuple(waits), DAY)
    assert 0.0 <= taken.seconds([pause]) <= taken.seconds() <= DAY * len(waits)


def test_a_clock_that_was_set_back_makes_no_turn_shorter_than_nothing() -> None:
    assert turn(100.0, -50.0).seconds() == 0.0
    assert Span(0, 10).overlap(Span(20, 30)) == pytest.approx(0.0)


ONE_DAY = replace(BOUNCERS, clock=int(DAY))
THREE = replace(ONE_DAY, game="trampoline", seats=3)


async def pace(core: Core, user_id: int, asked_by: int = CLEO.id, game: str | None = None) -> Pace | None:
    return (await core.service(Ratings).results(10, user_id, asked_by=asked_by, game=game)).pace


async def play_on(core: Core, clock: Time, snapshot: Snapshot, *hours: float) -> Snapshot:
    """Have the players act one after the other, each after one of these delays."""
    for waited in hours:
        clock.pass_(waited * HOUR)
        player = snapshot.awaited[0]
        played = await core.service(Play).act(snapshot.table.id, PEOPLE[player.user_id], first_action(snapshot))
        snapshot = played.snapshot
    return snapshot


async def test_each_player_has_a_pace_of_their_own_turns(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await play_on(core, clock, snapshot, *[5, 1] * (FEWEST_TURNS - 1))
    assert await pace(core, ANN.id) is None
    await play_on(core, clock, await core.snapshot(snapshot.table.id), 20, 22)
    assert await pace(core, ANN.id) == Pace(FEWEST_TURNS, 5 * HOUR, 0)
    assert await pace(core, BEN.id) == Pace(FEWEST_TURNS, HOUR, 0)
    assert await pace(core, ANN.id, game="pucks") is None
    clock.pass_(90 * DAY)
    assert await pace(core, ANN.id) is None


async def test_the_last_vacation_is_left_out(core: Core, clock: Time) -> None:
    snapshot = await play_on(core, clock, await started(core, ONE_DAY), *[1] * 8)
    await core.service(Users).begin_vacation(ANN.id, 10)
    clock.pass_(10 * DAY)
    await play_on(core, clock, await core.snapshot(snapshot.table.id), 2, *[3] * 10)
    assert await pace(core, ANN.id) == Pace(FEWEST_TURNS, 2.5 * HOUR, 0)


async def test_a_turn_played_by_the_bot_is_a_time_out(core: Core, clock: Time) -> None:
    snapshot = await play_on(core, clock, await started(core, THREE, BEN, CLEO), 2)
    await sweep_after(core, clock, DAY + WAITS)
    assert len((await core.snapshot(snapshot.table.id)).playing.log) == 2
    async with core.store.read() as reader:
        waits = await queries.waits.of_person(reader, guild_id=10, user_id=BEN.id, since=0.0)
    assert [(wait.until - wait.since, wait.timed_out) for wait in waits] == [(DAY + WAITS, True)]


async def test_private_games_count_for_people_who_sit_there(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(ONE_DAY, private=True, opponents=(BEN,)))
    await play_on(core, clock, snapshot, *[1] * 2 * FEWEST_TURNS)
    assert await pace(core, ANN.id) is None
    assert await pace(core, ANN.id, asked_by=BEN.id) == Pace(FEWEST_TURNS, HOUR, 0)
