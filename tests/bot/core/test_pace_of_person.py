"""The pace of a person on a server, from games that are played: turns, time-outs, and vacations left out."""

from dataclasses import replace

from bot.core.clocks.timing import WAITS
from bot.core.core import Core
from bot.core.pace import FEWEST_TURNS, Pace
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.snapshot import Snapshot
from bot.features.stats.ratings import Ratings
from storage import queries
from tests.bot.core.steps import sweep_after
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, HOUR, PEOPLE, Time, first_action, started

ONE_DAY = replace(BOUNCERS, clock=int(DAY))
THREE = replace(ONE_DAY, game="trampoline", seats=3)


async def pace(core: Core, user_id: int, asked_by: int = CLEO.id, game: str | None = None) -> Pace | None:
    return (await core.service(Ratings).results(10, user_id, asked_by=asked_by, game=game)).pace


async def play_on(core: Core, clock: Time, snapshot: Snapshot, *hours: float) -> Snapshot:
    """Have the players act one after the other, each after so many hours."""
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
