"""A column is declared in one place, and an incomplete declaration is refused.

The new column is one line in a copy of the storage, and a migration: everything else follows.
"""

import shutil
import subprocess
import sys
from dataclasses import make_dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import sqlalchemy as sa
from pydantic import Field

from storage.connections.versions import NEWEST
from storage.schema.columns import (
    DECLARED,
    EMPTIED,
    EXPORTED,
    KEPT,
    RENAMED,
    SEARCHED,
    Exported,
    ExportedAs,
    OnForget,
    Unlimited,
    Withheld,
    make_table,
    stored,
)
from storage.schema.domains import Count, Id, Moment, Name, Number, ServerId, UserOrPlaceholder
from storage.schema.kinds import Level

STORAGE = Path(__file__).parents[2] / "storage"
AFTER = '''    """The version at which the last hint was counted, or None before the first."""
'''
LINE = '''    shoe_size: Annotated[int | None, Field(ge=15, le=60), EXPORTED, EMPTIED] = None
    """The size of the person's shoes."""
'''
MIGRATION = f'''"""What shoes people wear."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{NEWEST}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("shoe_size", sa.Integer()))
'''
FAULT = "Seat (table_id 1, user_id 72): shoe_size: Input should be less than or equal to 60 (99)"
USE = """
import asyncio
from storage import queries
from storage.schema.records import Seat, SeatStatus, Status, Table
from storage.schema.tables import seats
from storage.store import Store
from storage.upkeep.checking import row_faults
from storage.upkeep.exporting import Unread, at_tables
from storage.upkeep.moving import move

ANN = 71


async def sizes(store):
    async with store.read() as reader:
        return [seat.shoe_size for seat in await queries.seats.of_table(reader, 1)]


async def use():
    store = await Store.open("db.sqlite3")
    print("table:", repr(seats.c.shoe_size.type), seats.c.shoe_size.nullable)
    async with store.write() as writer:
        opened = dict(channel_id=1, game="bouncers", variant="classic", wanted=2, opened_by=72, created_at=1.0)
        table = await queries.tables.add(writer, Table(guild_id=1, status=Status.PLAYING, **opened))
        for place, (user, size) in enumerate(((ANN, 43), (72, 99))):
            seat = Seat(table_id=1, user_id=user, place=place, status=SeatStatus.JOINED, name="x", asked_at=1.0, shoe_size=size)
            await queries.seats.put(writer, seat)
    print("written and read:", await sizes(store))
    print("check:", await store.inspect(lambda connection: list(row_faults(connection))))
    async with store.read() as reader:
        mine = await reader.run(lambda connection: list(at_tables(connection, ANN, [1], Unread())))
    print("export:", mine[0]["seat"][0]["shoe_size"])
    await store.close()
    await move("db.sqlite3", "moved.sqlite3", lambda done, total: None)
    store = await Store.open("moved.sqlite3")
    print("moved:", await sizes(store))
    async with store.write() as writer:
        await queries.forgetting.forget_person(writer, ANN, -1, "somebody")
    print("forgotten:", await sizes(store))
    await store.close()


asyncio.run(use())
"""


@pytest.mark.slow
def test_a_new_column_is_one_line_and_a_migration(tmp_path: Path) -> None:
    shutil.copytree(STORAGE, tmp_path / "storage", ignore=shutil.ignore_patterns("__pycache__"))
    records = tmp_path / "storage" / "schema" / "table_records.py"
    before = records.read_text()
    assert before.count(AFTER) == 1
    records.write_text(before.replace(AFTER, AFTER + LINE))
    (tmp_path / "storage" / "migrations" / "versions" / "r9999_shoes.py").write_text(MIGRATION)
    ran = subprocess.run([sys.executable, "-c", USE], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [
        "table: Integer() True", "written and read: [43, 99]", f"check: ['A row of seats is not as it should be: {FAULT}.']",
        "export: 43", "moved: [43, 99]", "forgotten: [None, 99]",
    ]  # fmt: skip


PERSON = ("user_id", Annotated[Id, OnForget.DELETE_ROW, ExportedAs("errands")])
PLACE = ("user_id", Annotated[UserOrPlaceholder, OnForget.REPLACE_ID, ExportedAs("errands")])


def declare(*columns: tuple[str, Any], **options: Any) -> type:
    """A table of errands with these columns."""
    errand = make_dataclass("Errand", columns, frozen=True, kw_only=True)
    try:
        return stored("errands", key=(columns[0][0],), **options)(errand)
    finally:
        DECLARED.pop(errand, None)


@pytest.mark.parametrize(
    ("columns", "options", "missing"),
    [
        ((PERSON, ("steps", Annotated[int, EXPORTED])), {}, "errands.steps: its limits are missing"),
        ((PERSON, ("note", Annotated[str, EXPORTED])), {}, "errands.note: its limits are missing"),
        ((PERSON, ("steps", Count)), {}, "errands.steps: whether it is exported is missing"),
        ((PERSON, ("level", Level)), {}, "errands.level: whether it is exported is missing"),
        ((PERSON, ("to", Annotated[Id, OnForget.DELETE_ROW])), {}, "errands.to: whether it is exported is missing"),
        ((PLACE, ("steps", Annotated[Count, EXPORTED])), {}, "errands.steps: what becomes of it when its person is forgotten"),
        ((PLACE, ("steps", Annotated[Count, EXPORTED, EMPTIED])), {}, "errands.steps: it is to be emptied, but is never empty"),
        ((PERSON, ("name", Annotated[Name, EXPORTED, RENAMED])), {}, "errands.name: it says what becomes of it in a row"),
        ((PERSON, ("steps", Annotated[Count, Exported("chores")])), {}, "errands.steps: no part of the export is 'chores'"),
        (
            (("user_id", Annotated[Id, OnForget.DELETE_ROW, ExportedAs("errands", ("stepps",))]),),
            {},
            "errands.user_id: it names 'stepps', which is no column",
        ),
        ((PERSON, ("guild_id", Annotated[Id, EXPORTED])), {}, "errands.guild_id: what happens when its server is forgotten"),
        ((("steps", Annotated[Count, EXPORTED]),), {}, "errands: no column has a person's id"),
        ((PERSON,), {"nobody": "it is about shoes"}, "errands.user_id: it is about a person, though the table is not"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_declaration_that_leaves_something_open_is_refused(
    columns: tuple[tuple[str, Any], ...], options: dict[str, Any], missing: str
) -> None:
    with pytest.raises(TypeError) as refused:
        declare(*columns, **options)
    assert missing in str(refused.value)


def test_all_that_a_column_leaves_open_is_said_at_once() -> None:
    with pytest.raises(TypeError, match=r"errands\.steps: its limits.*errands\.steps: whether.*errands\.steps: what becomes"):
        declare(PLACE, ("steps", int))


def test_a_declaration_that_says_all_makes_a_table() -> None:
    errand = make_dataclass(
        "Errand",
        (
            ("id", Annotated[Number, Withheld("a number"), KEPT]),
            ("guild_id", Annotated[ServerId, EXPORTED, KEPT]),
            PLACE,
            ("name", Annotated[Name, EXPORTED, RENAMED]),
            ("steps", Annotated[Count | None, EXPORTED, EMPTIED]),
            ("level", Annotated[Level, EXPORTED, KEPT]),
            ("helpers", Annotated[tuple[int, ...], SEARCHED]),
            ("ends", Annotated[Moment | None, EXPORTED, KEPT]),
            ("words", Annotated[dict[Annotated[str, Field(max_length=3)], str], EXPORTED, KEPT]),
            ("note", Annotated[str | None, Unlimited("it may be anything"), EXPORTED, KEPT]),
        ),
        frozen=True,
        kw_only=True,
    )
    try:
        table = make_table(stored("errands", sa.Index("by_user", "user_id"), key=("id",))(errand), sa.MetaData())
    finally:
        DECLARED.pop(errand, None)
    assert [column.name for column in table.columns if column.nullable] == ["steps", "ends", "note"]
    assert {column.name: type(column.type).__name__ for column in table.columns} == {
        "id": "BigInteger", "guild_id": "BigInteger", "user_id": "BigInteger", "name": "String", "steps": "Integer",
        "level": "Word", "helpers": "Structure", "ends": "Double", "words": "Structure", "note": "String",
    }  # fmt: skip
    assert [column.name for column in table.primary_key] == ["id"]
    assert table.dialect_options["sqlite"]["autoincrement"]
    assert {index.name for index in table.indexes} == {"by_user"}
