"""How long games waited for a person: from the logs, for whoever had the seat then."""

from typing import Any

import pytest
import sqlalchemy as sa

from storage import queries
from storage.queries.waits import Wait
from storage.schema.records import EntryKind, SeatStatus, Status
from storage.store import Store
from tests.storage.reading_back import once
from tests.storage.samples import ANNA, BERT, CARL, GUILD, OTHER_GUILD, a_departure, a_seat, a_table, an_entry

CLOCK = 86400
PLAY, WITHDRAW, UNDO = EntryKind.PLAY, EntryKind.WITHDRAW, EntryKind.UNDO
Logged = tuple[int, int | None] | tuple[int, int | None, EntryKind]


async def a_game(store: Store, *log: Logged, departures: tuple[dict[str, Any], ...] = (), **fields: Any) -> int:
    """A game of Anna (seat 0) and Bert (seat 1) from 1000 on. The entries follow 10, 20, 30, … seconds later."""
    async with store.write() as writer:
        usual = {"status": Status.PLAYING, "clock": CLOCK, "started_at": 1000.0, "version": len(log)}
        table_id = (await queries.tables.add(writer, a_table(**(usual | fields)))).id
        await queries.seats.put(writer, a_seat(table_id, ANNA, 0))
        await queries.seats.put(writer, a_seat(table_id, BERT, 1))
        for number, (seat, user_id, *kind) in enumerate(log, 1):
            entry = an_entry(table_id, number, seat=seat, user_id=user_id, kind=(*kind, PLAY)[0], at=1000.0 + 10 * number)
            await queries.entries.append(writer, entry)
        for number, gone in enumerate(departures, 1):
            await queries.seats.put_departure(writer, a_departure(table_id, number=number, **gone))
    return table_id


async def waits(store: Store, user_id: int = ANNA, **asked: Any) -> list[tuple[Any, ...]]:
    """The waits for a person: where, whether fresh, from when to when, and what it was."""
    found = await once(store.read(), queries.waits.of_person, guild_id=GUILD, user_id=user_id, **({"since": 0.0} | asked))
    assert all(wait.clock == CLOCK and {type(wait.fresh), type(wait.counts), type(wait.timed_out)} == {bool} for wait in found)
    return [(wait.table_id, wait.fresh, wait.since, wait.until, _kind(wait)) for wait in found]


def _kind(wait: Wait) -> str:
    assert wait.counts or not wait.timed_out
    return "timed out" if wait.timed_out else "acted" if wait.counts else ""


async def test_a_wait_begins_with_the_entry_before_and_a_turn_after_one_of_another_seat(store: Store) -> None:
    game = await a_game(store, (0, ANNA), (1, BERT), (1, BERT), (0, ANNA), (0, ANNA))
    assert await waits(store) == [
        (game, True, 1000.0, 1010.0, "acted"),
        (game, True, 1030.0, 1040.0, "acted"),
        (game, False, 1040.0, 1050.0, "acted"),
    ]
    assert await waits(store, BERT) == [(game, True, 1010.0, 1020.0, "acted"), (game, False, 1020.0, 1030.0, "acted")]


async def test_an_action_of_the_bot_for_an_absent_person_is_their_time_out(store: Store) -> None:
    game = await a_game(store, (0, ANNA), (1, None), (0, ANNA), (1, BERT), (1, None, WITHDRAW), status=Status.FINISHED,
                        finished_at=1050.0)  # fmt: skip
    assert [wait[2:] for wait in await waits(store, BERT)] == [
        (1010.0, 1020.0, "timed out"),
        (1030.0, 1040.0, "acted"),
        (1040.0, 1050.0, "timed out"),
    ]
    assert [wait[0] for wait in await waits(store)] == [game, game]


async def test_leaving_or_undoing_is_no_turn(store: Store) -> None:
    await a_game(store, (0, ANNA), (0, ANNA, UNDO), (0, ANNA), (1, BERT, WITHDRAW))
    assert [wait[4] for wait in await waits(store)] == ["acted", "", "acted"]
    assert [wait[4] for wait in await waits(store, BERT)] == [""]


async def test_a_plan_that_answers_at_once_is_no_turn(store: Store) -> None:
    await a_game(store, (0, ANNA), (1, BERT))
    async with store.write() as writer:
        await writer.execute(sa.text("UPDATE actions SET fired = (1 = 1) WHERE number = 2"))
    assert [wait[4] for wait in await waits(store, BERT)] == [""]


async def test_time_outs_belong_to_whoever_had_the_seat_then(store: Store) -> None:
    gone = ({"user_id": CARL, "place": 1, "version": 2}, {"user_id": CARL, "place": 0, "version": 9})
    await a_game(store, (0, ANNA), (1, None), (0, ANNA), (1, None), departures=gone[:1])
    assert [wait[3] for wait in await waits(store, CARL)] == [1020.0]
    assert [wait[3] for wait in await waits(store, BERT)] == [1040.0]


async def test_a_person_removed_for_time_outs_and_relieved_timed_out_to_the_last(store: Store) -> None:
    gone = ({"user_id": CARL, "place": 1, "version": 2},)
    await a_game(store, (0, ANNA), (1, None), (1, None, WITHDRAW), (1, BERT, UNDO), (1, None), departures=gone)
    assert [wait[3:] for wait in await waits(store, CARL)] == [(1020.0, "timed out"), (1030.0, "timed out")]
    assert [wait[3:] for wait in await waits(store, BERT)] == [(1040.0, ""), (1050.0, "timed out")]


@pytest.mark.parametrize(
    "elsewhere",
    [{"guild_id": OTHER_GUILD}, {"clock": None}, {"set_aside": "broken"}, {"game": "bunny"}, {"private": True}],
    ids=lambda fields: next(iter(fields)),
)
async def test_irrelevant_games_are_left_out(store: Store, elsewhere: dict[str, Any]) -> None:
    here, _ = await a_game(store, (0, ANNA)), await a_game(store, (0, ANNA), **elsewhere)
    assert [wait[0] for wait in await waits(store, game="bouncers", seen_by=CARL)] == [here]


async def test_private_games_count_for_those_who_sit_there(store: Store) -> None:
    game = await a_game(store, (0, ANNA), private=True)
    assert [wait[0] for wait in await waits(store, seen_by=BERT)] == [game]
    assert [wait[0] for wait in await waits(store)] == [game]
    await once(store.write(), queries.seats.put, a_seat(game, BERT, 1, status=SeatStatus.DECLINED))
    assert await waits(store, seen_by=BERT) == []


async def test_older_waits_do_not_count(store: Store) -> None:
    await a_game(store, (0, ANNA), (1, BERT), (0, ANNA))
    await a_game(store, (0, ANNA), status=Status.FINISHED, finished_at=1010.0)
    assert [wait[2:4] for wait in await waits(store, since=1010.0)] == [(1020.0, 1030.0)]


async def test_the_newest_games_count_where_there_are_many(store: Store) -> None:
    games = [await a_game(store, (0, ANNA)) for _ in range(3)]
    assert [wait[0] for wait in await waits(store, games=2)] == games[1:]


async def test_an_invalid_moment_spoils_nothing(store: Store) -> None:
    game = await a_game(store, (0, ANNA), (1, BERT), (0, ANNA))
    async with store.write() as writer:
        await writer.execute(sa.text("UPDATE tables SET started_at = NULL"))
        if writer.dialect == "sqlite":
            await writer.execute(sa.text("UPDATE actions SET at = 'soon' WHERE number = 2"))
    assert [wait[0] for wait in await waits(store)] == [game, game]
