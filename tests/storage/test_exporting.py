"""A person gets all data about them, and nothing about others."""

import json
from dataclasses import fields
from enum import StrEnum
from typing import Any, get_args

import pytest
import sqlalchemy as sa
from pydantic_core import to_json

from storage import queries
from storage.cluster.leases import Leases
from storage.schema import column_types, tables
from storage.schema.kinds import TournamentActor, TournamentDeed
from storage.schema.records import (
    Choice,
    Handover,
    JobKind,
    Level,
    Node,
    OfferKind,
    Offers,
    Proposal,
    Question,
    Relief,
    Reply,
    SeatStatus,
    Status,
)
from storage.schema.structures import TournamentAct, TournamentRound, Wishes
from storage.store import Store
from storage.transactions import ShardFilter
from storage.upkeep.exporting import ABOUT_TABLE, AT_TABLE, PERSONAL, Unread, at_tables, numbers_of, personal
from tests.storage.reading_back import once, stored_table
from tests.storage.samples import BERT, CARL, a_job, a_seat, a_table, an_entry
from tests.storage.test_forgetting import NAME, ZOE, fill, forget

PARTS = (*PERSONAL, *AT_TABLE)
CANARY = "canary"
FLOCK = 9_100_000_000_000_000_000
"""Ids from here on belong to others."""


async def exported(store: Store, user_id: int = ZOE) -> dict[str, Any]:
    """All data about a person, as JSON is read back."""
    unread = Unread()
    async with store.read() as reader:
        own = await reader.run(lambda connection: personal(connection, user_id, unread))
        numbers = await reader.run(lambda connection: numbers_of(connection, user_id))
        there = await reader.run(lambda connection: list(at_tables(connection, user_id, numbers, unread)))
    found: dict[str, Any] = json.loads(to_json({**own, "tables": there, "unread": unread.rows}))
    return found


def test_every_kind_of_offer_is_known() -> None:
    kinds = {argument for field in fields(Offers) for argument in get_args(field.type) if argument is not type(None)}
    assert {field.name for field in fields(Offers)} == set(OfferKind)
    assert kinds == {Proposal, Handover, Relief}
    names = {field.name for kind in kinds for field in fields(kind)}
    assert names == {"by", "agreed", "version", "seat", "to", "level"}, "see `_offers_of`: what is new may name others"


async def test_a_person_gets_something_from_every_place_they_are_in(store: Store) -> None:
    await once(store.write(), fill)
    found = await exported(store)
    assert {part.name for part in PERSONAL if found[part.name]} == {part.name for part in PERSONAL}
    parts = {name for table in found["tables"] for name in table}
    assert parts == {"table", "about", "offers", "still_to_be_sent", *(part.name for part in AT_TABLE)}
    numbers = [table["table"] for table in found["tables"]]
    assert numbers == sorted(numbers, reverse=True), "the newest first"
    assert found["unread"] == 0
    (settings,) = found["settings"]
    assert settings["settings"] == {"zone": "UTC"}
    assert NAME in str(found), "their own words and names are theirs"


async def test_a_person_gets_only_their_own_rows_of_a_table(store: Store) -> None:
    async with store.write() as writer:
        await fill(writer)
        table = await stored_table(writer, 1)
    found = next(one for one in (await exported(store))["tables"] if one["table"] == table.id)
    assert [entry["number"] for entry in found["actions"]] == [1]
    assert [gone["number"] for gone in found["departures"]] == [2]
    assert found["seat"] == [found["seat"][0] | {"place": 0, "name": NAME}]
    assert [mine["word"] for mine in found["contributions"]] == [NAME]
    assert found["about"]["guild_id"] == str(table.guild_id), "not every program reads so large numbers exactly"
    assert found["offers"] == [{"kind": "substitute", "seat": 0, "by_you": False, "to_you": True}]


async def test_offers_and_agreements_belong_to_their_person(store: Store) -> None:
    offers = Offers(
        draw=Proposal(by=1, agreed=(1,)),
        undo=Proposal(by=1, agreed=(0, 1), version=3),
        substitute=Handover(by=0, seat=0, to=CARL),
        computer=Relief(by=1, agreed=(1,), seat=2, level=Level.HARD),
    )
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(status=Status.PLAYING, offers=offers))
        await queries.seats.put(writer, a_seat(table.id, ZOE, 0))
        await queries.seats.put(writer, a_seat(table.id, BERT, 1))
    (mine,) = (await exported(store))["tables"]
    assert mine["offers"] == [
        {"kind": "undo", "version": 3, "by_you": False, "agreed": True},
        {"kind": "substitute", "seat": 0, "by_you": True, "to_you": False},
    ]
    (theirs,) = (await exported(store, CARL))["tables"]
    assert theirs["offers"] == [{"kind": "substitute", "seat": 0, "by_you": False, "to_you": True}]


async def test_of_a_private_table_closed_to_them_a_person_gets_only_their_own_actions(store: Store) -> None:
    async with store.write() as writer:
        for status in SeatStatus:
            table = await queries.tables.add(writer, a_table(private=True, opened_by=BERT, options={"secret": "yes"}))
            await queries.seats.put(writer, a_seat(table.id, ZOE, 0, status=status))
        gone = await queries.tables.add(writer, a_table(private=True, opened_by=BERT))
        await queries.entries.append(writer, an_entry(gone.id, 1, user_id=ZOE))
    found = (await exported(store))["tables"]
    about = {table["seat"][0]["status"] if "seat" in table else "gone": "about" in table for table in found}
    assert about == {"invited": True, "joined": True, "withdrawn": True, "declined": False, "gone": False}


async def test_there_is_no_data_about_a_stranger_or_a_forgotten_person(store: Store) -> None:
    await once(store.write(), fill)
    nothing = {**{part.name: [] for part in PERSONAL}, "tables": [], "unread": 0}
    assert await exported(store, CARL) == nothing
    await forget(store)
    assert await exported(store) == nothing


async def test_one_shards_process_exports_data_from_the_servers_of_all(store: Store) -> None:
    async with store.write() as writer:
        await fill(writer)
        for number in range(4):
            far = await queries.tables.add(writer, a_table(guild_id=(number << 22) + 1))
            await queries.seats.put(writer, a_seat(far.id, ZOE, 0))
    leases = Leases(store)
    await leases.add("shard 0 of 4")
    lease = await leases.claim("shard 0 of 4", "somebody", 10.0)
    assert lease is not None
    part = store.part(ShardFilter(0, 4), lease.name, lease.fence)
    assert await exported(part) == await exported(store)


IN_JSON: dict[str, Any] = {
    "tokens": (CANARY,), "replies": (Reply((CANARY,), (CANARY,)),), "orders": ((CANARY,),),
    "payload": {"user": FLOCK, "news": CANARY}, "settings": {"zone": CANARY}, "vacation_days": {CANARY: 1.0},
    "choices": (Choice(1, line=((0, (CANARY,)),)),), "standings": (), "nodes": (Node(0, 0, (CANARY,)),), "asked": (0,),
    "judged": (True,), "played": ((CANARY,),), "options": {CANARY: CANARY}, "outcome": None, "wishes": Wishes(plays=(CANARY,)),
    "offers": Offers(substitute=Handover(by=3, seat=3, to=FLOCK)), "rounds": (TournamentRound(games=(), byes=(FLOCK,)),),
    "forced": ((FLOCK,),), "outages": ((77.5, 78.5),),
    "acts": (TournamentAct(at=77.5, deed=TournamentDeed.WITHDREW, by=TournamentActor.PLAYER, entry=FLOCK),),
    "questions": (Question(channel_id=FLOCK, message_id=FLOCK),),
}  # fmt: skip


def a_bird(table: sa.Table, table_id: int) -> dict[str, Any]:
    """Another person's row at a table, with a canary in every text and JSON, and ids that nobody else has."""
    return {
        column.name: table_id if column.references(tables.tables.c.id) else _bird(column, table_id) for column in table.columns
    }


def _bird(column: sa.Column[Any], table_id: int) -> Any:
    if isinstance(column.type, column_types.Structure):
        return IN_JSON[column.name]
    if isinstance(column.type, column_types.Word):
        kind: type[StrEnum] = column.type.kind
        return next(iter(kind))
    bird = f"{CANARY} {table_id}"
    if issubclass(column.type.python_type, bytes):
        return bird.encode().ljust(32, b".")
    if issubclass(column.type.python_type, str | bool | float):
        return {str: bird, bool: False, float: 77.5}[column.type.python_type]
    return FLOCK + table_id if isinstance(column.type, sa.BigInteger) else 77 + table_id * column.primary_key


def test_the_press_that_opened_a_table_is_exported_only_to_its_opener() -> None:
    opened = next(part for part in AT_TABLE if part.name == "opened")
    assert "interaction_id" in opened.columns
    assert "interaction_id" not in ABOUT_TABLE


@pytest.mark.slow
async def test_nothing_of_others_is_exported_wherever_it_is(store: Store) -> None:
    await once(store.write(), fill)
    before = await exported(store)
    known = {"id", "opened_by", "offers", *ABOUT_TABLE}
    async with store.write() as writer:
        for mine in before["tables"]:
            table_id, own = mine["table"], {"interaction_id"} if "opened" in mine else set()
            bird = a_bird(tables.tables, table_id)
            hidden = {name: value for name, value in bird.items() if name not in known | own}
            await writer.execute(sa.update(tables.tables).where(tables.tables.c.id == table_id).values(hidden))
            for table in tables.metadata.sorted_tables:
                if table is not tables.tables:
                    await writer.execute(sa.insert(table).values(a_bird(table, table_id)))
        await writer.execute(sa.insert(tables.tables).values(a_bird(tables.tables, 4711)))
        letter = {"to": FLOCK, "user": ZOE, "news": "paused", "error": CANARY}
        await queries.jobs.enqueue(writer, a_job(1, kind=JobKind.LETTER, key="x", payload=letter))
    after = await exported(store)
    assert CANARY not in str(after)
    assert str(FLOCK)[:8] not in str(after)
    assert after == before


async def test_others_in_a_persons_own_rows_are_not_named(store: Store) -> None:
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(opened_by=FLOCK, status=Status.PLAYING))
        told = {"rating_before": 1234, "rating_after": 1235}
        await queries.seats.put(writer, a_seat(table.id, ZOE, 0, rated_as=FLOCK, **told))
        await queries.seats.put(writer, a_seat(table.id, FLOCK, 1, rated_as=ZOE, rating_before=999, name=CANARY))
        await queries.people.add_pings(writer, ZOE, [FLOCK], 1000.0)
        await queries.people.add_pings(writer, FLOCK, [ZOE], 1001.0)
        await queries.jobs.enqueue(
            writer, a_job(table.id, kind=JobKind.WATCH, key=CANARY, payload={"user": ZOE, "by": FLOCK, "of": CANARY})
        )
    found = await exported(store)
    assert CANARY not in str(found)
    assert str(FLOCK)[:8] not in str(found)
    (there,) = found["tables"]
    assert (there["seat"][0]["rating_before"], there["seat"][0]["rating_after"]) == (None, None), "it is the other's rating"
    assert there["result_of_a_seat_left_to_others"] == [{"place": 1, "rating_before": 999, "rating_after": None}]
    assert there["still_to_be_sent"] == [{"kind": "watch", "due": 1000.0, "created_at": 1000.0}]
    assert (found["pings_sent"], found["pings_received"]) == ([{"at": 1000.0}], [{"at": 1001.0}])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "damaged"),
    [
        (tables.people.c.settings, "[1]"), (tables.tables.c.offers, f'{{"substitute": {{"to": {ZOE}}}}}'),
        (tables.tables.c.options, '{"bounces": 1}'), (tables.tables.c.status, "sleeping"), (tables.seats.c.status, "sleeping"),
        (tables.actions.c.kind, "sleeping"), (tables.actions.c.tokens, "[1]"), (tables.plans.c.replies, "{}"),
        (tables.watches.c.what, "nothing"), (tables.outbox.c.payload, f"[{ZOE}]"), (tables.outbox.c.due, "Infinity"),
    ],
    ids=str,
)  # fmt: skip
async def test_an_unreadable_row_is_counted_and_all_others_are_exported(
    store: Store, column: sa.Column[Any], damaged: str
) -> None:
    await once(store.write(), fill)
    before = await exported(store)
    odd = before["tables"][-1]["table"]
    async with store.write() as writer:
        at = "" if column.table is tables.people else f" WHERE {'id' if column.table is tables.tables else 'table_id'} = {odd}"
        sql = f"UPDATE {column.table.name} SET {column.name} = '{damaged}'{at}"
        await writer.execute(sa.text(sql.replace(":", "\\:")))
    after = await exported(store)
    assert after["unread"] > 0
    assert after["tables"][:-1] == before["tables"][:-1]
    assert [table["table"] for table in after["tables"]] == [table["table"] for table in before["tables"]]
    assert after["ratings"] == before["ratings"]
    gone = {name for name, rows in before["tables"][-1].items() if after["tables"][-1].get(name) != rows}
    assert len(gone) <= 3, "the rows of the odd table alone, and what it says of itself"
