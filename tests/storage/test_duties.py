"""Every column of the database is checked, forgotten, moved and exported, or somebody has said why it is not.

A change of the tables makes a test fail here until each of the four knows the new columns.
"""

from dataclasses import fields
from typing import Any, Final, get_args, get_type_hints

import sqlalchemy as sa

from storage.queries import forgetting
from storage.schema import column_types, tables
from storage.store import Store
from storage.upkeep import exporting, moving_rows
from storage.upkeep.checking import LIMITS, MIRRORS
from tests.storage.dump import everything
from tests.storage.test_exporting import PARTS
from tests.storage.test_forgetting import NAME, ZOE, fill, forget

COLUMNS: Final = {column for table in tables.metadata.sorted_tables for column in table.columns}

FREE: Final = {
    **dict.fromkeys(
        (
            tables.seats.c.rating_before, tables.seats.c.rating_after, tables.departures.c.rating_before,
            tables.departures.c.rating_after, tables.ratings.c.mu,
        ),
        "a rating may be any number",
    ),
}  # fmt: skip
"""The numbers of which any value is sound, and why."""

STAYS: Final = {
    tables.tables: {
        # what is played, and how it stands, is the others', too
        "id", "guild_id", "channel_id", "thread_id", "threaded", "game", "variant", "options", "wanted", "status", "private",
        "solo", "rated", "matched", "ladder", "event_id", "clock", "grace", "rules", "chain", "seed", "stream_key", "version",
        "turn", "turn_began", "deadline", "notice_at", "outcome", "questions", "nudged_turn", "given_back", "rematch_id",
        "lobby_message_id",
        "board_channel_id", "board_message_id", "board_version", "board_since", "board_turn", "board_posted", "created_at",
        "started_at", "finished_at",
    },
    tables.seats: {
        "table_id", "place", "status", "timeouts", "asked_at", "computer", "hopeless", "offered", "hints", "hinted",
    },
    tables.departures: {"table_id", "number", "place", "version", "lost"},
    tables.actions: {"table_id", "number", "kind", "seat", "tokens", "interaction_id", "at", "link", "fired"},
    tables.events: {
        "id", "guild_id", "channel_id", "threaded", "thread_id", "name", "game", "variant", "options", "format", "most",
        "clock", "rated", "most_late", "round_seconds", "key", "status", "created_at", "check_in_at",
        "starts_at", "due", "ends_at", "paused_at",
        "finished_at", "lots", "rounds", "forced", "acts", "outages", "message_id", "podium_id", "told",
    },
    tables.event_entries: {"event_id", "number", "seed", "missed", "has_left", "lapses", "lapsed_at", "place", "removed"},
}  # fmt: skip
"""What stays of a row in which a placeholder takes a person's place: it says nothing of who they are, and games need it."""

GOES: Final = {
    tables.tables.c.interaction_id: "with the person who has opened the table",
    tables.tables.c.offers: "as far as the person is offered something",
    tables.tables.c.set_aside: "as far as it names the person",
    tables.seats.c.name: "the placeholder's is there instead",
    tables.departures.c.name: "the placeholder's is there instead",
    tables.seats.c.rating_before: "it is about the person",
    tables.seats.c.rating_after: "it is about the person",
    tables.departures.c.rating_before: "it is about the person",
    tables.departures.c.rating_after: "it is about the person",
    tables.events.c.organiser_name: "the placeholder's is there instead",
    tables.event_entries.c.name: "the placeholder's is there instead",
    tables.event_entries.c.press: "a press of the person",
    tables.event_entries.c.asked_id: "who is asked to play in their place",
}
"""What `storage.queries.forgetting` takes out of such a row beside the person's id."""

WITHOUT_PEOPLE: Final = {
    tables.servers, tables.posts, tables.ladders, tables.heartbeats, tables.leases, tables.thinking, tables.reviews,
    tables.puzzle_ratings, tables.voided_days, tables.outages,
}  # fmt: skip
"""The tables in which nobody stands."""


def names(columns: set[sa.Column[Any]]) -> list[str]:
    return sorted(map(str, columns))


def test_check_has_limits_for_every_number() -> None:
    kinds = dict(MIRRORS)
    assert set(kinds) == set(tables.metadata.sorted_tables)
    limited = {table.c[name] for table, kind in MIRRORS for name in LIMITS[kind]}
    number = {
        column
        for column in COLUMNS
        if isinstance(column.type, sa.Integer | sa.Double)
        and not isinstance(column.type, column_types.Word | column_types.Structure)
    }
    assert names(number - limited - set(FREE)) == []
    assert all(FREE.values())
    for table, kind in MIRRORS:
        hints = get_type_hints(kind)
        untyped = {
            field.name
            for field in fields(kind)
            if isinstance(table.c[field.name].type, column_types.Structure)
            and Any in (hints[field.name], *get_args(hints[field.name]))
        }
        assert untyped <= {"settings", "payload"}, "`bot.admin.check` knows these"


def test_forgetting_knows_every_column() -> None:
    gone = {column.table for column in forgetting.ABOUT_ONE} | {tables.outbox}
    with_their_row = {column for column in COLUMNS if column.table in gone}
    stays = {table.c[name] for table, those in STAYS.items() for name in those}
    nobody = {column for column in COLUMNS if column.table in WITHOUT_PEOPLE}
    judged = [with_their_row, set(forgetting.REPLACED), stays, set(GOES), nobody]
    assert names(COLUMNS - set().union(*judged)) == []
    assert stays & set(GOES) == set()
    assert {column.table for column in forgetting.REPLACED} == set(STAYS)


async def test_what_goes_with_somebody_is_gone(store: Store) -> None:
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
    for column in GOES:
        there = [row[list(column.table.c).index(column)] for row in found[column.table.name]]
        assert not [value for value in there if value and any(word in value for word in ("777_00", "77700", str(ZOE), NAME))]


def test_all_is_moved_but_what_belongs_to_processes() -> None:
    assert {*moving_rows.MOVED, tables.leases} == set(tables.metadata.sorted_tables)


def test_every_column_is_exported_or_left_out_for_a_reason() -> None:
    given = {part.table.c[name] for part in PARTS for name in part.columns}
    given |= {tables.tables.c[name] for name in exporting.ABOUT_TABLE}
    given |= {tables.outbox.c[name] for name in exporting.OF_ANOTHER_JOB}
    nobody = {column for column in COLUMNS if column.table in exporting.NOBODY}
    judged = [given | {part.whose for part in PARTS}, set(exporting.LEFT_OUT), set(exporting.PICKED), nobody]
    assert names(COLUMNS - set().union(*judged)) == []
    assert sum(map(len, judged)) == len(COLUMNS), "one way or the other"
    assert all([*exporting.LEFT_OUT.values(), *exporting.NOBODY.values()])
    assert set(exporting.NOBODY) == WITHOUT_PEOPLE


def test_whoever_stands_in_a_row_is_forgotten_and_exported_there() -> None:
    untold = {tables.avoidances.c.avoided_id}  # nobody learns that they are avoided
    emptied = {tables.event_entries.c.asked_id}  # nobody else takes the place of whoever is asked
    assert {part.whose for part in PARTS} == {*forgetting.ABOUT_ONE, *forgetting.REPLACED, *emptied} - untold
