from dataclasses import MISSING, fields

import pytest
from sqlalchemy.dialects import sqlite

from storage.schema.column_types import Structure
from storage.schema.errors import UnreadableRow
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import Person, Post, PostKind, Result, Table
from storage.schema.rows import from_row, to_row
from storage.schema.seek_records import Seek
from storage.schema.structures import Wishes
from storage.schema.tables import metadata, record_of
from tests.storage.samples import a_table


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
