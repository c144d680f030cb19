"""One table of each row type is read at the start; a table with anything wrong has a type of its own."""

import sqlite3
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from storage import queries
from storage.schema.column_types import Structure
from storage.schema.errors import UnreadableRow
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import Person, Post, PostKind, Result, SeatStatus, Status, Table
from storage.schema.rows import from_row, to_row
from storage.schema.seek_records import Seek
from storage.schema.structures import Wishes
from storage.schema.tables import departures, metadata, record_of, seats, tables
from storage.store import Store
from tests.storage.reading_back import once, opened
from tests.storage.samples import ANNA, BERT, a_departure, a_seat, a_table

COUNT = 5
HURT = 4
"""Not the first table, which is the sample of those in order."""


async def filled(store: Store) -> None:
    """Tables that differ in what every table differs in."""
    async with store.write() as writer:
        for n in range(1, COUNT + 1):
            fields: dict[str, Any] = {"deadline": 1000.0 + n, "notice_at": 900.0 + n, "clock": 3600, "version": n}
            fields |= {"thread_id": n, "turn_began": float(n), "given_back": n / 2, "started_at": 7.0, "nudged_turn": n}
            fields |= {"seed": n.to_bytes(32), "board_message_id": 10**17 + n, "status": Status.PLAYING}
            table = await queries.tables.add(writer, a_table(**fields))
            for place, user in enumerate((ANNA, BERT)):
                await queries.seats.put(writer, a_seat(table.id, user, place))
            await queries.seats.put_departure(writer, a_departure(table.id, ANNA, n, version=n))


async def samples(store: Store) -> list[int]:
    async with store.read() as reader:
        assert await queries.quarantine.names_are_text(reader)
        return await queries.quarantine.samples(reader)


async def test_tables_that_differ_only_in_numbers_times_and_names_are_of_one_type(store: Store) -> None:
    await filled(store)
    assert await samples(store) == [1]


@pytest.mark.parametrize(
    "columns", [{"game": "bunny"}, {"variant": "other"}, {"wanted": 3}, {"rules": 2}, {"options": {"rated": "no"}}], ids=str
)
async def test_tables_of_other_games_are_of_other_types(store: Store, columns: dict[str, object]) -> None:
    await filled(store)
    await once(store.write(), queries.tables.change, HURT, **columns)
    assert await samples(store) == [1, HURT]


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN"])
@pytest.mark.parametrize("column", [c.name for c in tables.c if isinstance(c.type, sa.Double)])
async def test_tables_with_something_else_than_a_number_are_of_their_own_type(store: Store, column: str, number: str) -> None:
    await filled(store)
    if store.address.path is None or number != "NaN":  # SQLite has none
        async with store.write() as writer:
            await writer.execute(sa.update(tables).where(tables.c.id == HURT).values({column: float(number)}))
        assert await samples(store) == [1, HURT]


async def test_games_that_are_over_and_tables_in_quarantine_are_left_out(store: Store) -> None:
    await filled(store)
    async with store.write() as writer:
        await queries.tables.change(writer, 1, status=Status.FINISHED)
        await queries.quarantine.put(writer, 2, "it is broken")
    assert await samples(store) == [3]


async def test_seats_of_another_kind_lead_to_their_table(store: Store) -> None:
    await filled(store)
    await once(store.write(), queries.seats.put, a_seat(HURT, 7, 2, status=SeatStatus.INVITED))
    assert await samples(store) == [1, HURT]


def a_wrong_value(column: sa.Column[object]) -> str:
    """A value that this column cannot have."""
    return "x'00ff'" if not isinstance(column.type, sa.LargeBinary) else "'x' || substr(hex(zeroblob(16)), 2)"


@pytest.mark.parametrize(
    "column", [c for t in (tables, seats, departures) for c in t.c if c.name not in {"id", "table_id", "set_aside"}], ids=str
)
async def test_no_column_can_hold_a_value_of_another_type_unnoticed(tmp_path: Path, column: sa.Column[object]) -> None:
    async with opened(tmp_path / "hurt.sqlite3") as store:
        await filled(store)
        with sqlite3.connect(tmp_path / "hurt.sqlite3") as connection:
            which = "id" if column.table is tables else f"user_id = {ANNA} AND table_id"
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute(f"UPDATE {column.table.name} SET {column.name} = {a_wrong_value(column)} WHERE {which} = {HURT}")
        connection.close()
        async with store.read() as reader:
            noticed = HURT in await queries.quarantine.samples(reader) or not await queries.quarantine.names_are_text(reader)
    assert noticed


@pytest.mark.parametrize("kind", ["seats", "departures"])
async def test_a_name_that_is_no_text_is_noticed(tmp_path: Path, kind: str) -> None:
    async with opened(tmp_path / "hurt.sqlite3") as store:
        await filled(store)
        with sqlite3.connect(tmp_path / "hurt.sqlite3") as connection:
            connection.execute(f"UPDATE {kind} SET name = CAST(x'ff' AS TEXT) WHERE table_id = {HURT}")
        connection.close()
        assert not await once(store.read(), queries.quarantine.names_are_text)


@pytest.mark.parametrize("table", metadata.tables.values(), ids=lambda table: table.name)
def test_keys_have_no_defaults_except_numbers_the_database_assigns(table) -> None:
    counted = {column.name for column in table.primary_key if table.dialect_options["sqlite"]["autoincrement"]}
    kind = record_of(table)
    defaults = {field.name for field in fields(kind) if field.default is not MISSING or field.default_factory is not MISSING}
    assert {column.name for column in table.primary_key} & defaults == counted


@pytest.mark.parametrize("moment", [1e13, -1e13, float("inf"), float("nan")])
def test_an_absurd_moment_keeps_a_row_from_being_read(moment: float) -> None:
    row = to_row(a_table(deadline=moment))
    with pytest.raises(UnreadableRow, match="deadline"):
        from_row(Table, list(row.values()))


def test_json_null_is_an_empty_column() -> None:
    assert Structure(Result).process_result_value("null", sqlite.dialect()) is None


@pytest.mark.parametrize(
    "record",
    [
        Seek(guild_id=1, user_id=2, name="Ann", wishes=Wishes()),
        Person(user_id=1),
        PuzzleAttempt(user_id=1, puzzle="bouncers-1", name="Ann", began_at=1.0, used_at=1.0),
        Post(guild_id=1, kind=PostKind.DAILY, channel_id=2, hour=8, zone="UTC", due=None),
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_records_defaults_contradict_nothing(record) -> None:
    assert list(record.contradictions()) == []
