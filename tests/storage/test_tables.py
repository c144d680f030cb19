from dataclasses import MISSING, fields

import pytest

from storage.schema.tables import metadata, record_of


@pytest.mark.parametrize("table", metadata.tables.values(), ids=lambda table: table.name)
def test_a_key_is_never_left_to_a_default_but_where_the_database_counts_it(table) -> None:
    counted = {column.name for column in table.primary_key if table.dialect_options["sqlite"]["autoincrement"]}
    kind = record_of(table)
    defaults = {field.name for field in fields(kind) if field.default is not MISSING or field.default_factory is not MISSING}
    assert {column.name for column in table.primary_key} & defaults == counted
