from dataclasses import MISSING, fields
from types import NoneType
from typing import get_args, get_type_hints

import pytest

from storage.schema.tables import metadata
from storage.upkeep.checking import MIRRORS


def test_every_table_of_the_database_mirrors_one_record() -> None:
    assert {table.name for table, _ in MIRRORS} == set(metadata.tables)


@pytest.mark.parametrize(("table", "kind"), MIRRORS, ids=lambda value: getattr(value, "name", ""))
def test_a_table_has_a_column_for_each_field_of_its_record_and_no_other(table, kind) -> None:
    assert [column.name for column in table.columns] == [field.name for field in fields(kind)]


@pytest.mark.parametrize(("table", "kind"), MIRRORS, ids=lambda value: getattr(value, "name", ""))
def test_a_column_may_be_empty_where_its_field_may_be_none(table, kind) -> None:
    may_be_none = {name for name, hint in get_type_hints(kind).items() if NoneType in get_args(hint)}
    assert {column.name for column in table.columns if column.nullable} == may_be_none


@pytest.mark.parametrize(("table", "kind"), MIRRORS, ids=lambda value: getattr(value, "name", ""))
def test_a_key_is_never_left_to_a_default_but_where_the_database_counts_it(table, kind) -> None:
    counted = {column.name for column in table.primary_key if table.dialect_options["sqlite"]["autoincrement"]}
    defaults = {field.name for field in fields(kind) if field.default is not MISSING or field.default_factory is not MISSING}
    assert {column.name for column in table.primary_key} & defaults == counted
