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
from bot.features.computers import sql as computers_sql
from bot.features.plans import sql as plans_sql
from bot.features.reviews import sql as reviews_sql
from storage import queries
from storage.cluster.leases import Leases
from storage.lines.addresses import address_of
from storage.lines.connect import writing_engine
from storage.lines.server import server_engine
from storage.lines.versions import KNOWN, NEWEST
from storage.migrations.__main__ import draft
from storage.migrations.applying import scripts
from storage.schema.errors import UnreadableRow
from storage.schema.records import (
    Ending,
    EntryKind,
    Grace,
    Handover,
    Heartbeat,
    JobKind,
    OfferKind,
    Offers,
    Proposal,
    Question,
    Result,
    Review,
    Seat,
    SeatStatus,
    Server,
    Standing,
    Thinking,
)
from storage.schema.tables import metadata
from storage.store import Store
from tests.storage.samples import a_job, a_plan, a_table, an_entry

pytestmark = pytest.mark.usefixtures("from_scratch")

REPOSITORY = Path(__file__).parents[2]


def test_the_steps_of_the_schema_are_one_line_with_one_end() -> None:
    known = ScriptDirectory.from_config(scripts())
    assert len(known.get_heads()) == 1
    assert len(known.get_bases()) == 1
    assert known.get_heads() == [NEWEST]
    assert {script.revision for script in known.walk_revisions()} == KNOWN


@pytest.mark.slow
async def test_the_bot_starts_on_a_file_that_is_up_to_date_without_loading_what_only_others_need(tmp_path: Path) -> None:
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


async def test_the_steps_lead_to_exactly_the_tables_that_the_program_uses(address: str) -> None:
    await (await Store.open(address)).close()
    with engine_of(address).connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    assert differences == []


async def test_the_conditions_on_rows_are_those_that_the_program_knows(address: str) -> None:
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
    store = await Store.open(address)
    async with store.read() as reader:
        assert await queries.tables.find(reader) == ()
    await store.close()


def test_a_draft_of_a_step_for_an_unchanged_schema_does_nothing(tmp_path: Path) -> None:
    config = scripts()
    location = config.get_main_option("script_location")
    assert location is not None
    own = Path(location) / "versions"
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


async def filled(address: str, revision: str, *statements: str) -> None:
    """Make a database as a former version left it."""
    config = scripts()
    with engine_of(address).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for statement in statements:
            connection.execute(sa.text(statement.replace(":", r"\:")))


def first_version(number: int, outcome: Any, offers: Any) -> str:
    """A table as version 0001 of the schema kept it."""
    told = "NULL" if outcome is None else f"'{json.dumps(outcome)}'"
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = f"{number}, 1, 2, 'bouncers', '8x8-16', '{{}}', 2, 'playing', 3, false, true, 4, 5"
    return f"INSERT INTO tables ({columns}, outcome, offers, created_at) VALUES ({values}, {told}, '{json.dumps(offers)}', 6.5)"


async def test_offers_results_nudges_and_rematches_of_the_first_version_are_read_in_their_new_form(address: str) -> None:
    drawn = {"winners": [], "how": "agreed", "reason": "agreed to a draw"}
    won = {"winners": [0, 2], "how": "rules", "reason": "Red wins.", "rematch": 17}
    asked = {
        "draw": {"by": 0, "agreed": [0, 2]},
        "undo": {"by": 1, "agreed": [1], "version": 4},
        "substitute": {"by": 2, "seat": 1, "to": 2**60, "version": 4},
        "nudged": 5,
    }
    await filled(
        address,
        "0001",
        first_version(1, None, {}),
        first_version(2, drawn, {"nudged": 3}),
        first_version(3, won, {}),
        first_version(4, None, asked),
    )
    store = await Store.open(address)
    async with store.read() as reader:
        kept = await queries.tables.find(reader, newest_first=False)
    await store.close()
    assert [(t.outcome, t.offers, t.nudged_turn, t.rematch_id) for t in kept] == [
        (None, Offers(), None, None),
        (Result(winners=(), how=Ending.AGREED, reason="agreed to a draw"), Offers(), 3, None),
        (Result(winners=(0, 2), how=Ending.RULES, reason="Red wins."), Offers(), None, 17),
        (
            None,
            Offers(
                draw=Proposal(by=0, agreed=(0, 2)),
                undo=Proposal(by=1, agreed=(1,), version=4),
                substitute=Handover(by=2, seat=1, to=2**60),
            ),
            5,
            None,
        ),
    ]


async def test_a_row_of_the_first_version_that_fits_no_form_stays_as_it_is_and_spoils_no_other(address: str) -> None:
    strange = {"winners": "nobody", "how": "by magic", "rematch": 9}
    odd = first_version(3, {"winners": [], "how": "rules", "reason": "", "rematch": "soon"}, {"nudged": "often"})
    await filled(address, "0001", first_version(1, strange, {}), first_version(2, None, {}), odd)
    store = await Store.open(address)
    async with store.read() as reader:
        assert [table.id for table in await queries.tables.find(reader)] == [2]
        with pytest.raises(UnreadableRow, match=r"Table \(id 1, guild_id 1\): outcome: winners"):
            await queries.tables.get(reader, 1)
    await store.close()


async def test_a_database_of_the_second_version_is_read_with_what_the_third_adds(address: str) -> None:
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "1, 10, 20, 'bouncers', '8x8-16', '{\"order\": \"shuffled\"}', 2, 'playing', 3, false, true, 1, 2"
    seed = "X'" + "07" * 32 + "'" if address.startswith("sqlite") or "://" not in address else "'\\x" + "07" * 32 + "'"
    await filled(
        address,
        "0002",
        f"INSERT INTO tables ({columns}, seed, offers, nudged_turn, created_at) VALUES ({values}, {seed}, '{{}}', 2, 6.5)",
        "INSERT INTO seats VALUES (1, 3, 0, 'joined', 'Ann', 1, 6.5)",
        "INSERT INTO actions VALUES (1, 1, 'play', 0, '[\"a2\", \"a3\"]', 3, 99, 7.5)",
        "INSERT INTO outbox (id, table_id, kind, key, payload, due, tries, created_at) "
        "VALUES (1, 1, 'board', '', '{}', 8.5, 1, 7.5)",
        "INSERT INTO servers VALUES (10, '{\"threads\": true}')",
    )
    store = await Store.open(address)
    async with store.read() as reader:
        (table,) = await queries.tables.find(reader)
        (seat,), (entry,), (job,) = (
            await queries.seats.of_table(reader, 1),
            await queries.entries.of_table(reader, 1),
            await queries.jobs.due(reader, 9.0),
        )
        server = await queries.servers.get(reader, 10)
    await store.close()
    assert (table.seed, table.nudged_turn, table.options) == (bytes([7] * 32), 2, {"order": "shuffled"})
    assert (table.threaded, table.rules, table.stream_key, table.given_back, table.set_aside) == (False, 1, None, None, None)
    assert seat == Seat(table_id=1, user_id=3, place=0, status=SeatStatus.JOINED, name="Ann", timeouts=1, asked_at=6.5)
    assert (entry.tokens, entry.interaction_id, entry.link) == (("a2", "a3"), 99, None)
    assert (job.kind, job.tries) == (JobKind.BOARD, 1)
    assert server == Server(guild_id=10, settings={"threads": True})


async def test_tables_of_the_third_version_keep_the_rule_that_a_missed_deadline_loses_at_once(address: str) -> None:
    columns = (
        "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, clock, version, turn"
    )
    rows = [
        f"{number}, 10, 20, 'bouncers', '8x8-16', '{{}}', 2, '{status}', 3, false, true, 86400, 0, {number}, '{{}}', 6.5"
        for number, status in enumerate(("open", "playing", "finished", "closed"), 1)
    ]
    await filled(
        address,
        "0003",
        *(f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({row})" for row in rows),
        "UPDATE tables SET deadline = 90000.5, notice_at = 50000.5, given_back = 7.5 WHERE id = 2",
        "INSERT INTO seats VALUES (2, 3, 0, 'joined', 'Ann', 1, 6.5, NULL)",
        "INSERT INTO contributions VALUES (2, 77, 3, 'luck', 1)",
        "INSERT INTO people VALUES (3, '{\"remind_half\": false}', NULL, NULL, '{}')",
        "INSERT INTO heartbeats VALUES ('main', 100.5, NULL)",
    )
    store = await Store.open(address)
    async with store.read() as reader:
        found = {table.id: table for table in await queries.tables.find(reader)}
        person = await queries.people.get(reader, 3)
    await store.close()
    assert {number: table.grace for number, table in found.items()} == dict.fromkeys((1, 2, 3, 4), Grace.STRICT)
    running = found[2]
    assert (running.clock, running.deadline, running.notice_at, running.given_back) == (86400, 90000.5, 50000.5, 7.5)
    assert person.settings == {"remind_half": False}


async def test_games_of_the_fifth_version_go_on_without_plans_and_take_them_from_now_on(address: str) -> None:
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "1, 10, 20, 'bouncers', '8x8-16', '{}', 2, 'playing', 3, false, true, 2, 3"
    await filled(
        address,
        "0005",
        f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({values}, '{{}}', 6.5)",
        "INSERT INTO seats (table_id, user_id, place, status, name, timeouts, asked_at) "
        "VALUES (1, 3, 0, 'joined', 'Ann', 0, 6.5), (1, 4, 1, 'joined', 'Ben', 0, 6.5)",
        "INSERT INTO actions (table_id, number, kind, seat, tokens, user_id, interaction_id, at) "
        "VALUES (1, 1, 'play', 0, '[\"a2\", \"a3\"]', 3, 99, 7.5), (1, 2, 'play', 1, '[\"a7\", \"a6\"]', 4, NULL, 8.5)",
    )
    store = await Store.open(address)
    async with store.write() as writer:
        found = await queries.tables.get_joined(writer, 1)
        entries = await queries.entries.of_table(writer, 1)
        await plans_sql.put(writer, plan := a_plan(1, 4, 1))
    assert found is not None
    assert (found.table.version, found.plans) == (2, ())
    assert [seat.user_id for seat in found.seats] == [3, 4]
    assert [(e.kind, e.tokens, e.interaction_id, e.fired) for e in entries] == [
        (EntryKind.PLAY, ("a2", "a3"), 99, False),
        (EntryKind.PLAY, ("a7", "a6"), None, False),
    ]
    async with store.read() as reader:
        assert (await queries.tables.get_joined(reader, 1)).plans == (plan,)  # type: ignore[union-attr]
    await store.close()


async def test_seats_that_were_left_before_the_seventh_version_keep_whom_their_result_counts_for(address: str) -> None:
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "1, 10, 20, 'bouncers', '8x8-16', '{}', 2, 'playing', 3, false, true, 0, 1"
    await filled(
        address,
        "0005",
        f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({values}, '{{}}', 6.5)",
        "INSERT INTO seats VALUES (1, 3, 0, 'joined', 'Ann', 0, 6.5, NULL, NULL, NULL)",
        "INSERT INTO seats VALUES (1, 5, 1, 'joined', 'Cleo', 0, 7.5, 4, NULL, NULL)",
    )
    store = await Store.open(address)
    async with store.read() as reader:
        found = await queries.tables.get_joined(reader, 1)
    await store.close()
    assert found is not None
    assert [(seat.user_id, seat.rated_as) for seat in found.seats] == [(3, None), (5, 4)]
    assert found.departures == ()


async def test_games_of_the_seventh_version_have_no_computers_and_count_hints_from_now_on(address: str) -> None:
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "1, 10, 20, 'bouncers', '8x8-16', '{}', 2, 'playing', 3, false, true, 1, 3"
    offers = json.dumps({"draw": {"by": 0, "agreed": [0]}})
    await filled(
        address,
        "0007",
        f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({values}, '{offers}', 6.5)",
        "INSERT INTO seats VALUES (1, 3, 0, 'joined', 'Ann', 1, 6.5, NULL, 1000, 1020)",
        "INSERT INTO seats VALUES (1, 4, 1, 'joined', 'Ben', 0, 7.5, NULL, NULL, NULL)",
        "INSERT INTO actions (table_id, number, kind, seat, tokens, user_id, interaction_id, at) "
        "VALUES (1, 1, 'play', 0, '[\"a2\", \"a3\"]', 3, 99, 7.5)",
        "INSERT INTO departures VALUES (1, 1, 1, 5, 'Cleo', 0, true, NULL, NULL)",
    )
    store = await Store.open(address)
    async with store.write() as writer:
        found = await queries.tables.get_joined(writer, 1)
        assert found is not None
        await queries.seats.put(writer, replace(found.seats[0], hints=1, hinted=1))
        await computers_sql.put(writer, Thinking(table_id=1, version=1, due=8.5, asked=(1,), created_at=7.5))
    async with store.read() as reader:
        ann, ben = await queries.seats.of_table(reader, 1)
        thinking = await computers_sql.get(reader, 1)
    await store.close()
    assert found.table.offers == Offers(draw=Proposal(by=0, agreed=(0,)))
    assert ben == Seat(table_id=1, user_id=4, place=1, status=SeatStatus.JOINED, name="Ben", timeouts=0, asked_at=7.5)
    assert (ann.timeouts, ann.rating_before, ann.rating_after) == (1, 1000, 1020)
    assert (ann.computer, ann.hints, ann.hinted) == (None, 1, 1)
    assert [departure.name for departure in found.departures] == ["Cleo"]
    assert thinking == Thinking(table_id=1, version=1, due=8.5, asked=(1,), created_at=7.5)


async def test_games_of_the_eighth_version_have_no_reviews_and_can_be_looked_through_from_now_on(address: str) -> None:
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "1, 10, 20, 'bouncers', '8x8-16', '{}', 2, 'finished', 3, false, true, 1, 3"
    ended = json.dumps({"winners": [0], "how": "rules", "reason": "Blue resigned."})
    await filled(
        address,
        "0008",
        f"INSERT INTO tables ({columns}, outcome, offers, created_at) VALUES ({values}, '{ended}', '{{}}', 6.5)",
        "INSERT INTO seats (table_id, user_id, place, status, name, timeouts, asked_at, computer, hints, hinted) "
        "VALUES (1, 3, 0, 'joined', 'Ann', 1, 6.5, NULL, 2, 0)",
        "INSERT INTO thinking VALUES (1, 1, 8.5, '[1]', 7.5)",
    )
    store = await Store.open(address)
    review = Review(table_id=1, reviewer=1, version=1, asked_at=9.5, standings=(Standing(0, (0.5, 0.5)),))
    async with store.write() as writer:
        assert await reviews_sql.get(writer, 1) is None
        await reviews_sql.put(writer, review)
    async with store.read() as reader:
        (ann,) = await queries.seats.of_table(reader, 1)
        found, waiting, thinking = (
            await reviews_sql.get(reader, 1),
            await reviews_sql.unfinished(reader),
            await computers_sql.get(reader, 1),
        )
    await store.close()
    assert (ann.hints, ann.hinted) == (2, 0)
    assert found == review
    assert waiting == ((1, 10),)
    assert thinking is not None


async def test_a_database_of_the_ninth_version_has_no_leases_and_takes_them_from_now_on(address: str) -> None:
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "1, 10, 20, 'bouncers', '8x8-16', '{}', 2, 'finished', 3, false, true, 1, 3"
    ended = json.dumps({"winners": [0], "how": "rules", "reason": "Blue resigned."})
    await filled(
        address,
        "0009",
        f"INSERT INTO tables ({columns}, outcome, offers, created_at) VALUES ({values}, '{ended}', '{{}}', 6.5)",
        "INSERT INTO heartbeats VALUES ('main', 100.5, NULL)",
        "INSERT INTO reviews VALUES (1, 1, 1, 9.5, true, '[]', '[]')",
    )
    store = await Store.open(address)
    leases = Leases(store)
    assert await leases.all() == ()
    await leases.add("shard 0 of 1")
    assert await leases.claim("shard 0 of 1", "somebody", 10.0) is not None
    async with store.read() as reader:
        table, review, beat = (
            await queries.tables.get(reader, 1),
            await reviews_sql.get(reader, 1),
            await queries.heartbeats.get(reader, "main"),
        )
    await store.close()
    assert table is not None
    assert table.outcome == Result(winners=(0,), how=Ending.RULES, reason="Blue resigned.")
    assert review == Review(table_id=1, reviewer=1, version=1, asked_at=9.5, done=True)
    assert beat == Heartbeat(name="main", at=100.5)


async def test_leases_of_the_tenth_version_are_held_on_and_tell_nothing_of_what_was_before(address: str) -> None:
    await filled(
        address,
        "0010",
        "INSERT INTO leases VALUES ('shard 0 of 2', NULL, 3, 0, 'left', 'wss://resume', 8, true)",
        "INSERT INTO leases VALUES ('shard 1 of 2', 'ann', 5, 100.5, 'lost', 'wss://resume', 9, false)",
    )
    store = await Store.open(address)
    leases = Leases(store)
    left, lost = await leases.all()
    assert (left.fence, left.session, left.sequence, left.exact, left.since) == (3, "left", 8, True, 0.0)
    assert (lost.owner, lost.fence, lost.expires, lost.exact, lost.since) == ("ann", 5, 100.5, False, 0.0)
    assert await leases.renew("ann", 10.0) == {"shard 1 of 2": 5}
    taken = await leases.claim("shard 0 of 2", "ben", 10.0)
    await store.close()
    assert taken is not None
    assert (taken.fence, taken.exact, taken.since) == (4, True, 0.0)


async def test_tables_of_the_eleventh_version_go_on_and_from_now_on_a_command_opens_one(address: str) -> None:
    columns = "guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "10, 20, 'bouncers', '8x8-16', '{}', 2, 'playing', 3, false, true, 1, 3, '{}', 6.5"
    await filled(
        address,
        "0011",
        *[f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({values})"] * 2,
        "INSERT INTO actions (table_id, number, kind, seat, tokens, user_id, interaction_id, at) "
        "VALUES (2, 1, 'play', 0, '[\"c2\", \"c3\"]', 3, 77, 7.5)",
    )
    store = await Store.open(address)
    async with store.write() as writer:
        before = await queries.tables.find(writer)
        await queries.entries.append(writer, an_entry(2, 2, interaction_id=78))
        new = await queries.tables.add(writer, a_table(interaction_id=77))
        found, log = await queries.tables.by_interaction(writer, 77), await queries.entries.of_table(writer, 2)
    await store.close()
    assert [(table.id, table.interaction_id) for table in before] == [(2, None), (1, None)]
    assert (new.id, found) == (3, 3), "the ids of moves are another matter"
    assert [entry.interaction_id for entry in log] == [77, 78]


async def test_games_of_the_twelfth_version_keep_their_hash_chain_and_those_that_start_now_have_the_next(address: str) -> None:
    columns = "guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = ", '8x8-16', '{}', 2, 'playing', 3, false, true, 1, 3, '{}', 6.5"
    await filled(
        address,
        "0012",
        f"INSERT INTO tables ({columns}, offers, created_at) VALUES (10, 20, 'bouncers'{values})",
        "INSERT INTO actions (table_id, number, kind, seat, tokens, user_id, interaction_id, at, link) "
        f"VALUES (1, 1, 'play', 0, '[\"c2\", \"c3\"]', 3, 77, 7.5, '{'ab' * 32}')",
    )
    store = await Store.open(address)
    async with store.write() as writer:
        new = await queries.tables.add(writer, a_table(chain=2))
        before, log = await queries.tables.get(writer, 1), await queries.entries.of_table(writer, 1)
        opened = await queries.tables.add(writer, a_table())
        await queries.tables.amend(writer, opened, chain=2)
        amended = await queries.tables.get(writer, opened.id)
    await store.close()
    assert before is not None
    assert amended is not None
    assert (before.chain, opened.chain, amended.chain, new.chain) == (1, 1, 2, 2)
    assert [entry.link for entry in log] == ["ab" * 32]


async def test_jobs_of_the_thirteenth_version_are_of_their_tables_and_from_now_on_a_server_has_some(address: str) -> None:
    columns = "guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "20, 'bouncers', '8x8-16', '{}', 2, 'playing', 3, false, true, 1, 3, '{}', 6.5"
    job = "INSERT INTO outbox (table_id, kind, key, payload, due, tries, created_at) VALUES"
    await filled(
        address,
        "0013",
        *[f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({guild_id}, {values})" for guild_id in (10, 11)],
        *[f"{job} ({number}, 'board', '', '{{\"told\": 4}}', 8.5, {number}, 7.5)" for number in (1, 2)],
        f"{job} (1, 'lobby', '', '{{}}', 8.5, 0, 7.5)",
        "DELETE FROM outbox WHERE kind = 'lobby'",
    )
    store = await Store.open(address)
    async with store.write() as writer:
        before = await queries.jobs.unfinished(writer)
        replaced = await queries.jobs.enqueue(writer, a_job(1, created_at=9.0))
        new = await queries.jobs.enqueue(writer, replace(a_job(1), table_id=None, guild_id=11, place="channel 5"))
        after = await queries.jobs.unfinished(writer)
        await writer.execute(sa.text("DELETE FROM tables WHERE id = 1"))
        left = await queries.jobs.unfinished(writer)
    await store.close()
    assert [(job.id, job.table_id, job.guild_id, job.subject, job.place) for job in before] == [
        (1, 1, 10, "table 1", None), (2, 2, 11, "table 2", None),
    ]  # fmt: skip
    assert [(job.payload, job.tries, job.created_at) for job in before] == [({"told": 4}, 1, 7.5), ({"told": 4}, 2, 7.5)]
    assert (replaced.id, replaced.created_at, new.id) == (4, 7.5, 5), "the number of a job that is gone is not given again"
    assert after == (before[1], replaced, new)
    assert left == (before[1], new)


async def test_a_job_of_the_thirteenth_version_whose_server_is_no_number_stays_to_be_found(tmp_path: Path) -> None:
    path = str(tmp_path / "games.sqlite3")
    columns = "guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "'here', 20, 'bouncers', '8x8-16', '{}', 2, 'playing', 3, false, true, 1, 3, '{}', 6.5"
    await filled(
        path,
        "0013",
        f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({values})",
        "INSERT INTO outbox (table_id, kind, key, payload, due, tries, created_at) VALUES (1, 'board', '', '{}', 8.5, 0, 7.5)",
    )
    store = await Store.open(path)
    async with store.read() as reader:
        (found,) = await queries.jobs.unfinished(reader)
    await store.close()
    assert (found.table_id, found.guild_id, found.subject) == (1, 0, "table 1")


async def test_a_game_of_the_fourteenth_version_whose_rematch_was_closed_can_have_another_one(address: str) -> None:
    columns = (
        "guild_id, channel_id, game, variant, options, wanted, opened_by, private, rated, version, turn, offers, created_at"
    )
    values = "10, 20, 'bouncers', '8x8-16', '{}', 2, 3, false, true, 0, 0, '{}', 6.5"
    await filled(
        address,
        "0014",
        *(
            f"INSERT INTO tables ({columns}, status, rematch_id) VALUES ({values}, '{status}', {rematch})"
            for status, rematch in (
                ("finished", 3), ("finished", 4), ("closed", "NULL"), ("open", "NULL"), ("finished", "NULL"),
            )
        ),
    )  # fmt: skip
    store = await Store.open(address)
    async with store.write() as writer:
        found = {table.id: table.rematch_id for table in await queries.tables.find(writer)}
        ended = await queries.tables.end_rematch(writer, 4)
        none = await queries.tables.end_rematch(writer, 3)
        after = await queries.tables.get(writer, 2)
    await store.close()
    assert found == {1: None, 2: 4, 3: None, 4: None, 5: None}
    assert (ended, none) == ([2], [])
    assert after is not None
    assert after.rematch_id is None


async def test_tables_of_the_fourteenth_version_have_no_questions_on_record(address: str) -> None:
    columns = "guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    values = "10, 20, 'bouncers', '8x8-16', '{}', 2, 'playing', 3, false, true, 1, 3"
    offers = json.dumps({"draw": {"by": 0, "agreed": [0]}})
    await filled(address, "0014", f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({values}, '{offers}', 6.5)")
    question = Question(offer=OfferKind.DRAW, channel_id=20, message_id=30)
    store = await Store.open(address)
    async with store.write() as writer:
        before = await queries.tables.get(writer, 1)
        assert before is not None
        await queries.tables.amend(writer, before, questions=(question,))
        after = await queries.tables.get(writer, 1)
    await store.close()
    assert before.questions == ()
    assert after == replace(before, questions=(question,))


async def test_what_is_noted_of_ratings_moves_with_the_number_of_today(address: str) -> None:
    columns = "id, guild_id, channel_id, game, variant, options, wanted, status, opened_by, private, rated, version, turn"
    table = "10, 20, 'bouncers', '8x8-16', '{}', 2, 'finished', 3, false, true, 1, 2"
    of_seat = "table_id, user_id, place, status, name, rated_as, rating_before, rating_after, timeouts, asked_at"
    of_departure = "table_id, number, place, user_id, name, version, lost, rating_before, rating_after"
    rated = "guild_id, user_id, game, name, mu, sigma, played, won, drawn, lost, updated_at"
    await filled(
        address,
        "0024",
        *(f"INSERT INTO tables ({columns}, offers, created_at) VALUES ({number}, {table}, '{{}}', 6.5)" for number in (1, 2)),
        f"INSERT INTO ratings ({rated}) VALUES (10, 3, 'bouncers', 'Ann', 30.0, 5.0, 30, 20, 0, 10, 6.5)",
        f"INSERT INTO ratings ({rated}) VALUES (11, 4, 'bouncers', 'Ben', 30.0, 1.0, 30, 20, 0, 10, 6.5)",
        f"INSERT INTO seats ({of_seat}) VALUES (1, 3, 0, 'joined', 'Ann', NULL, 1570, 1600, 0, 6.5)",
        f"INSERT INTO seats ({of_seat}) VALUES (1, 4, 1, 'joined', 'Ben', NULL, 1200, 1190, 0, 6.5)",
        f"INSERT INTO seats ({of_seat}) VALUES (2, 5, 0, 'joined', 'Cleo', 3, 150, 420, 0, 6.5)",
        f"INSERT INTO seats ({of_seat}) VALUES (2, 3, 1, 'joined', 'Ann', NULL, NULL, NULL, 0, 6.5)",
        f"INSERT INTO departures ({of_departure}) VALUES (2, 1, 1, 3, 'Ann', 1, true, 1600, 1580)",
    )
    store = await Store.open(address)
    async with store.read() as reader:
        first, second = [await queries.seats.of_table(reader, number) for number in (1, 2)]
        gone = (await queries.seats.departures_of_tables(reader, [2]))[2]
        rating = await queries.ratings.get(reader, 10, 3, "bouncers")
    await store.close()
    assert rating is not None
    assert rating_points(rating) == 1200, "1600 until now"
    noted = [[(seat.rating_before, seat.rating_after) for seat in seats] for seats in (first, second)]
    assert noted[0] == [(1170, 1200), (1200, 1190)], "Ben is rated on another server"
    assert noted[1] == [(0, 20), (None, None)], "Cleo plays for Ann; no number is below 0"
    assert [(one.rating_before, one.rating_after) for one in gone] == [(1200, 1180)]
