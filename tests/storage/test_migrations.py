import ast
import json
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from setuptools import find_packages  # type: ignore[import-untyped]  # its types are a distribution of their own

from bot.core.skill import rating_points
from opponents.puzzles.days import Calendar
from storage import queries
from storage.cluster.leases import Leases
from storage.connections.addresses import address_of
from storage.connections.connect import writing_engine
from storage.connections.server import server_engine
from storage.connections.versions import KNOWN, NEWEST, revisions
from storage.migrations.__main__ import draft
from storage.migrations.applying import scripts
from storage.schema.errors import StorageError, UnreadableRow
from storage.schema.records import Ending, EntryKind, Grace, Handover, Offers, Proposal, Result, Seat, SeatStatus, Server
from storage.schema.tables import metadata
from storage.store import Store
from storage.upkeep.moving_rows import MOVED, differences
from tests.bot.filled import filled_files, unpack
from tests.storage.reading_back import once, opened
from tests.storage.samples import a_job

pytestmark = pytest.mark.usefixtures("from_scratch")

REPOSITORY = Path(__file__).parents[2]


def test_the_migrations_form_one_chain_with_one_head() -> None:
    known = ScriptDirectory.from_config(scripts())
    assert len(known.get_heads()) == 1
    assert len(known.get_bases()) == 1
    assert known.get_heads() == [NEWEST]
    assert {script.revision for script in known.walk_revisions()} == KNOWN


@pytest.mark.slow
async def test_a_current_file_opens_without_loading_what_only_others_need(tmp_path: Path) -> None:
    path = tmp_path / "up-to-date.db"
    await (await Store.open(path)).close()
    started = f"""
import asyncio, sys
import bot.command_line
from storage.store import Store

async def start():
    await (await Store.open({str(path)!r})).close()

asyncio.run(start())
assert not {{"alembic", "sqlalchemy.orm", "sqlalchemy.ext.asyncio", "psycopg"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", started], cwd=REPOSITORY, check=True)


def engine_of(address: str) -> sa.Engine:
    """An engine for a database that a store does not open."""
    found = address_of(address)
    return server_engine(found, reading=False, migrating=True) if found.path is None else writing_engine(found, 5.0)


async def test_the_migrations_lead_to_exactly_the_declared_tables(address: str) -> None:
    await (await Store.open(address)).close()
    with engine_of(address).connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    assert differences == []


async def test_the_check_constraints_are_the_declared_ones(address: str) -> None:
    await (await Store.open(address)).close()
    with engine_of(address).connect() as connection:
        look = sa.inspect(connection)
        present = {found["name"] for table in metadata.tables for found in look.get_check_constraints(table)}
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
    async with opened(address) as store:
        assert await once(store.read(), queries.tables.find) == ()


def test_a_drafted_migration_of_an_unchanged_schema_does_nothing(tmp_path: Path) -> None:
    config = scripts()
    location = config.get_main_option("script_location")
    assert location is not None
    own = Path(location) / "versions"
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", f"{own}\n{tmp_path}")
    draft("nothing at all", config, tmp_path)
    (written,) = tmp_path.glob("*.py")
    assert written.name == f"r{int(NEWEST) + 1:04}_nothing_at_all.py"
    (upgrade,) = (node for node in ast.parse(written.read_text()).body if isinstance(node, ast.FunctionDef))
    assert [ast.unparse(line) for line in upgrade.body] == ["pass"]


def test_the_migrations_are_installed() -> None:
    setup = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["setuptools"]
    packages = find_packages(str(REPOSITORY), include=setup["packages"]["find"]["include"])
    assert {"storage", "storage.migrations", "storage.migrations.versions"} <= set(packages)
    assert "*.mako" in setup["package-data"]["*"]


async def left(address: str, revision: str, *rows: sa.Executable) -> None:
    """Make a database as an earlier version left it."""
    config = scripts()
    with engine_of(address).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for row in rows:
            connection.execute(row)


def row(table: str, **values: Any) -> sa.Executable:
    """A row, by the names of columns at the time."""
    columns = [sa.column(name, sa.JSON() if isinstance(value, dict | list) else None) for name, value in values.items()]
    return sa.insert(sa.table(table, *columns)).values(values)


def game(number: int, **changed: Any) -> sa.Executable:
    """A running game of Bouncers."""
    usual = {
        "id": number, "guild_id": 10, "channel_id": 20, "game": "bouncers", "variant": "8x8-16", "options": {}, "wanted": 2,
        "status": "playing", "opened_by": 3, "private": False, "rated": True, "version": 1, "turn": 2, "offers": {},
        "created_at": 6.5,
    }  # fmt: skip
    return row("tables", **usual | changed)


def job(table_id: int, kind: str = "board", tries: int = 1) -> sa.Executable:
    """A job that waits to be sent."""
    payload: dict[str, Any] = {"told": 4}
    return row("outbox", table_id=table_id, kind=kind, key="", payload=payload, due=8.5, tries=tries, created_at=7.5)


@pytest.mark.parametrize("revision", ["0001", "0013", "0025"])
async def test_a_database_of_a_build_between_two_releases_is_refused_and_left_as_it_is(address: str, revision: str) -> None:
    await (await Store.open(address)).close()
    with engine_of(address).begin() as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{revision}'"))
    with pytest.raises(StorageError, match=rf"between two releases \(its schema is {revision}.*It was left as it is"):
        await Store.open(address)
    with engine_of(address).connect() as connection:
        assert revisions(connection) == {revision}


@pytest.mark.parametrize("revision", sorted(KNOWN - {NEWEST}))
async def test_a_filled_database_of_a_release_has_the_same_rows_afterwards_on_either_kind_of_database(
    revision: str, tmp_path: Path, server: str
) -> None:
    path = tmp_path / "filled.sqlite3"
    unpack(filled_files()[revision], path)
    await left(server, revision)
    with engine_of(str(path)).connect() as source, engine_of(server).begin() as target:
        kept = sa.MetaData()
        kept.reflect(target)
        for table in kept.sorted_tables:
            texts = {column.name for column in table.columns if isinstance(column.type, sa.JSON)}
            for found in source.execute(sa.select(table)).mappings() if table.name != "alembic_version" else ():
                present = {name: value for name, value in found.items() if value is not None}
                target.execute(
                    sa.insert(table).values(present | {name: json.loads(present[name]) for name in texts & present.keys()})
                )
    for address in (str(path), server):
        await (await Store.open(address)).close()
    with engine_of(str(path)).connect() as first, engine_of(server).connect() as second:
        assert [unlike for table in MOVED for unlike in differences(first, second, table) if unlike] == []


async def test_games_of_0_1_0_go_on_as_they_were(address: str) -> None:
    won = {"winners": [0, 2], "how": "rules", "reason": "Red wins."}
    asked = {
        "draw": {"by": 0, "agreed": [0, 2]},
        "undo": {"by": 1, "agreed": [1], "version": 4},
        "substitute": {"by": 2, "seat": 1, "to": 2**60},
    }
    await left(
        address,
        "0002",
        game(
            1, seed=bytes([7] * 32), options={"order": "shuffled"}, nudged_turn=2, clock=86400, deadline=90000.5, notice_at=5.5
        ),
        game(2, offers=asked),
        game(3, status="finished", outcome=won, rematch_id=4),
        game(4, status="open"),
        game(5, status="finished", rematch_id=6),
        game(6, status="closed"),
        row("seats", table_id=1, user_id=3, place=0, status="joined", name="Ann", timeouts=1, asked_at=6.5),
        row("actions", table_id=1, number=1, kind="play", seat=0, tokens=["a2", "a3"], user_id=3, interaction_id=99, at=7.5),
        row("servers", guild_id=10, settings={"threads": True}),
        row("people", user_id=3, settings={"remind_half": False}, vacation_days={}),
    )
    async with opened(address) as store:
        async with store.write() as writer:
            found = {table.id: table for table in await queries.tables.find(writer)}
            joined = await queries.tables.get_joined(writer, 1)
            (entry,) = await queries.entries.of_table(writer, 1)
            server, person = await queries.servers.get(writer, 10), await queries.people.get(writer, 3)
            ended = [await queries.tables.end_rematch(writer, number) for number in (4, 6)]
        leases = await Leases(store).all()
    assert joined is not None
    first = joined.table
    assert (first.seed, first.nudged_turn, first.options) == (bytes([7] * 32), 2, {"order": "shuffled"})
    assert (first.clock, first.deadline, first.notice_at) == (86400, 90000.5, 5.5)
    assert (first.threaded, first.rules, first.chain, first.questions, first.interaction_id) == (False, 1, 1, (), None)
    assert (first.stream_key, first.given_back, first.set_aside, first.solo, first.event_id) == (None, None, None, False, None)
    assert {table.grace for table in found.values()} == {Grace.STRICT}, "a missed deadline loses at once, as it did"
    assert (joined.plans, joined.departures, leases) == ((), (), ())
    assert joined.seats == (
        Seat(table_id=1, user_id=3, place=0, status=SeatStatus.JOINED, name="Ann", timeouts=1, asked_at=6.5),
    )
    assert (entry.kind, entry.tokens, entry.interaction_id) == (EntryKind.PLAY, ("a2", "a3"), 99)
    assert (entry.link, entry.fired) == (None, False)
    assert server == Server(guild_id=10, settings={"threads": True})
    assert person.settings == {"remind_half": False}
    assert found[2].offers == Offers(
        draw=Proposal(by=0, agreed=(0, 2)),
        undo=Proposal(by=1, agreed=(1,), version=4),
        substitute=Handover(by=2, seat=1, to=2**60),
    )
    assert found[3].outcome == Result(winners=(0, 2), how=Ending.RULES, reason="Red wins.")
    assert {number: table.rematch_id for number, table in found.items() if number in {3, 5}} == {3: 4, 5: None}
    assert ended == [[3], []], "a game whose rematch was closed can have another one"


async def test_a_row_of_0_1_0_that_fits_no_form_stays_as_it_is_and_spoils_no_other(address: str) -> None:
    strange = {"winners": "nobody", "how": "by magic"}
    await left(
        address, "0002", game(1, outcome=strange), game(2), game(3, outcome={"how": "rules"}, offers={"nudged": "often"})
    )
    async with opened(address) as store, store.read() as reader:
        assert [table.id for table in await queries.tables.find(reader)] == [2]
        with pytest.raises(UnreadableRow, match=r"Table \(id 1, guild_id 10\): outcome: winners"):
            await queries.tables.get(reader, 1)


async def test_jobs_of_0_1_0_are_of_their_tables_and_from_now_on_a_server_has_some(address: str) -> None:
    await left(
        address, "0002", *(game(number, guild_id=guild_id) for number, guild_id in ((1, 10), (2, 11))),
        *(job(number, tries=number) for number in (1, 2)), job(1, "lobby"), sa.text("DELETE FROM outbox WHERE kind = 'lobby'"),
    )  # fmt: skip
    async with opened(address) as store, store.write() as writer:
        before = await queries.jobs.unfinished(writer)
        replaced = await queries.jobs.enqueue(writer, a_job(1, created_at=9.0))
        new = await queries.jobs.enqueue(writer, replace(a_job(1), table_id=None, guild_id=11, place="channel 5"))
        after = await queries.jobs.unfinished(writer)
        await writer.execute(sa.text("DELETE FROM tables WHERE id = 1"))
        remaining = await queries.jobs.unfinished(writer)
    assert [(job.id, job.table_id, job.guild_id, job.subject, job.place) for job in before] == [
        (1, 1, 10, "table 1", None), (2, 2, 11, "table 2", None),
    ]  # fmt: skip
    assert [(job.payload, job.tries, job.created_at) for job in before] == [({"told": 4}, 1, 7.5), ({"told": 4}, 2, 7.5)]
    assert (replaced.id, replaced.created_at, new.id) == (4, 7.5, 5), "the number of a job that is gone is not given again"
    assert after == (before[1], replaced, new)
    assert remaining == (before[1], new)


async def test_a_job_of_0_1_0_whose_server_is_no_number_stays_to_be_found(tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite3")
    await left(path, "0002", game(1, guild_id="here"), job(1))
    async with opened(path) as store:
        (found,) = await once(store.read(), queries.jobs.unfinished)
    assert (found.table_id, found.guild_id, found.subject) == (1, 0, "table 1")


async def test_the_days_of_puzzles_of_1_0_0_end_at_midnight_utc(address: str) -> None:
    usual = {
        "user_id": 3, "name": "Ann", "began_at": 6.5, "used_at": 6.5, "judged": [], "ongoing": True, "played": [], "version": 0,
        "solved": 0, "given_up": 0, "reported": False,
    }  # fmt: skip
    days = (1, 6, None, -5, 2_000_000)
    await left(address, "0021", *(row("puzzle_attempts", **usual, puzzle=f"puzzle {day}", day=day) for day in days))
    await (await Store.open(address)).close()
    with engine_of(address).connect() as connection:
        kept = {row.day: row.day_ends for row in connection.execute(sa.text("SELECT day, day_ends FROM puzzle_attempts"))}
    assert kept == {1: Calendar().begins(2), 6: Calendar().begins(7), None: None, -5: None, 2_000_000: None}


async def test_ratings_noted_by_1_0_0_shift_with_the_number_that_is_shown(address: str) -> None:
    def rated(guild_id: int, user_id: int, sigma: float) -> sa.Executable:
        return row(
            "ratings", guild_id=guild_id, user_id=user_id, game="bouncers", name="Ann", mu=30.0, sigma=sigma, played=30, won=20,
            drawn=0, lost=10, updated_at=6.5,
        )  # fmt: skip

    def seat(table_id: int, user_id: int, place: int, before: int | None, after: int | None, **more: Any) -> sa.Executable:
        noted = {"rating_before": before, "rating_after": after, "timeouts": 0, "asked_at": 6.5}
        return row("seats", table_id=table_id, user_id=user_id, place=place, status="joined", name="x", **noted, **more)

    await left(
        address,
        "0021",
        *(game(number, status="finished") for number in (1, 2)),
        rated(10, 3, 5.0),
        rated(11, 4, 1.0),
        seat(1, 3, 0, 1570, 1600),
        seat(1, 4, 1, 1200, 1190),
        seat(2, 5, 0, 150, 420, rated_as=3),
        seat(2, 3, 1, None, None),
        row(
            "departures", table_id=2, number=1, place=1, user_id=3, name="Ann", version=1, lost=True,
            rating_before=1600, rating_after=1580,
        ),
    )  # fmt: skip
    async with opened(address) as store, store.read() as reader:
        first, second = [await queries.seats.of_table(reader, number) for number in (1, 2)]
        gone = (await queries.seats.departures_of_tables(reader, [2]))[2]
        rating = await queries.ratings.get(reader, 10, 3, "bouncers")
    assert rating is not None
    assert rating_points(rating) == 1200, "1600 until now"
    noted = [[(seat.rating_before, seat.rating_after) for seat in seats] for seats in (first, second)]
    assert noted[0] == [(1170, 1200), (1200, 1190)], "Ben is rated on another server"
    assert noted[1] == [(0, 20), (None, None)], "Cleo plays for Ann; no number is below 0"
    assert [(one.rating_before, one.rating_after) for one in gone] == [(1200, 1180)]
