"""What declarations of columns cannot say themselves: that they are complete, explained and kept to."""

import ast
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import sqlalchemy as sa

from storage.schema import domains, tables
from storage.schema.column_types import Structure
from storage.schema.columns import DECLARED, SEARCHED, Emptied, OnForget, Renamed
from storage.schema.tables import declaration_of, declared, every_column, noted, record_of
from storage.store import Store
from tests.storage.dump import everything
from tests.storage.test_forgetting import NAME, ZOE, fill, forget

SCHEMA = Path(domains.__file__).parent


def documented(body: list[ast.stmt]) -> dict[str, bool]:
    """The names annotated or assigned, each with whether a docstring follows."""
    found = {}
    for statement, after in pairwise([*body, ast.Pass()]):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        if isinstance(target, ast.Name):
            text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
            found[target.id] = text
    return found


def test_every_column_is_explained_beside_it_or_by_its_domain() -> None:
    told = {"GameId", "Number", "ServerId", "UserId", "UserOrPlaceholder", "OfTable", "Name", "Skill"}
    assert told <= {name for name, text in documented(ast.parse((SCHEMA / "domains.py").read_text()).body).items() if text}
    unexplained, columns = [], 0
    for path in SCHEMA.glob("*_records.py"):
        for record in ast.parse(path.read_text()).body:
            if not isinstance(record, ast.ClassDef):
                continue
            texts = documented(record.body)
            for field in record.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    columns += 1
                    words = {node.id for node in ast.walk(field.annotation) if isinstance(node, ast.Name)}
                    if not texts[field.target.id] and not words & told:
                        unexplained.append(f"{record.name}.{field.target.id}")
    assert columns == len(list(every_column()))
    assert unexplained == []


def test_every_record_that_is_declared_has_its_table() -> None:
    assert {record_of(table) for table in tables.metadata.tables.values()} == set(DECLARED)
    assert tables.metadata.tables.keys() == {declared.name for declared in DECLARED.values()}


def test_columns_with_people_inside_are_searched() -> None:
    searched = {str(column) for column in noted(SEARCHED)}
    assert searched == {"tables.offers", "tables.set_aside", "outbox.payload"}, "`exporting` and `forgetting` know them"


def test_json_columns_have_types() -> None:
    json = [column for column in every_column() if isinstance(column.type, Structure)]
    untyped = {column.name for column in json if Any in (declared(column).kind, *get_args(declared(column).kind))}
    assert untyped == {"settings", "payload"}, "`bot.admin.check` and `storage.schema.jobs` know these"


async def test_what_goes_with_a_forgotten_person_is_gone(store: Store) -> None:
    async with store.write() as writer:
        await fill(writer)
        told = {"rating_before": 777_001, "rating_after": 777_002}
        for table in (tables.seats, tables.departures):
            await writer.execute(sa.update(table).where(table.c.user_id == ZOE).values(told))
        await writer.execute(
            sa.update(tables.tables).where(tables.tables.c.id == 1).values(interaction_id=777_003, set_aside=f"{ZOE}")
        )
    await forget(store)
    found = await everything(store)
    goes = {column for column in every_column() if declared(column).says(Emptied, Renamed)}
    goes |= {*noted(OnForget.EMPTY), *noted(SEARCHED)}
    assert len(goes) > 10
    for column in goes:
        there = [row[list(column.table.c).index(column)] for row in found[column.table.name]]
        assert not [value for value in there if value and any(word in value for word in ("777_00", "77700", str(ZOE), NAME))]


def test_everything_is_moved_except_what_belongs_to_processes() -> None:
    assert [table.name for table in tables.metadata.sorted_tables if not declaration_of(table).moves] == ["leases"]
