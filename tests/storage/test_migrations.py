import ast
import tomllib
from pathlib import Path

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from setuptools import find_packages
from sqlalchemy.ext.asyncio import create_async_engine

from storage.connect import address_of, scripts
from storage.migrations.__main__ import draft
from storage.store import Store
from storage.tables import metadata

REPOSITORY = Path(__file__).parents[2]


def test_the_steps_of_the_schema_are_one_line_with_one_end() -> None:
    known = ScriptDirectory.from_config(scripts())
    assert len(known.get_heads()) == 1
    assert len(known.get_bases()) == 1


async def test_the_steps_lead_to_exactly_the_tables_that_the_program_uses(address: str) -> None:
    await (await Store.open(address)).close()
    engine = create_async_engine(address_of(address).url)
    async with engine.connect() as connection:
        differences = await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata))
    await engine.dispose()
    assert differences == []


async def test_the_conditions_on_rows_are_those_that_the_program_knows(address: str) -> None:
    await (await Store.open(address)).close()
    engine = create_async_engine(address_of(address).url)

    def conditions(connection: sa.Connection) -> set[str | None]:
        look = sa.inspect(connection)
        return {found["name"] for table in metadata.tables for found in look.get_check_constraints(table)}

    async with engine.connect() as connection:
        present = await connection.run_sync(conditions)
    await engine.dispose()
    known = {
        str(constraint.name)
        for table in metadata.tables.values()
        for constraint in table.constraints
        if isinstance(constraint, sa.CheckConstraint)
    }
    assert present == known


async def test_a_database_that_is_up_to_date_is_left_alone(address: str) -> None:
    store = await Store.open(address)
    await store.close()
    store = await Store.open(address)
    async with store.read() as reader:
        assert await reader.tables() == ()
    await store.close()


def test_a_draft_of_a_step_for_an_unchanged_schema_does_nothing(tmp_path: Path) -> None:
    config = scripts()
    own = Path(config.get_main_option("script_location")) / "versions"
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", f"{own}\n{tmp_path}")
    draft("nothing at all", config, tmp_path)
    (written,) = tmp_path.glob("*.py")
    steps = len(list(own.glob("r*.py")))
    assert written.name == f"r{steps + 1:04}_nothing_at_all.py"
    (upgrade,) = (node for node in ast.parse(written.read_text()).body if isinstance(node, ast.FunctionDef))
    assert [ast.unparse(line) for line in upgrade.body] == ["pass"]


def test_the_steps_are_part_of_what_is_installed() -> None:
    setup = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["setuptools"]
    packages = find_packages(str(REPOSITORY), include=setup["packages"]["find"]["include"])
    assert {"storage", "storage.migrations", "storage.migrations.versions"} <= set(packages)
    assert "*.mako" in setup["package-data"]["*"]
