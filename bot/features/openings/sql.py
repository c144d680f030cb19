"""The first moves of a server's finished games, from which its openings are counted."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from storage.queries.row_conditions import IN_ORDER
from storage.schema.column_types import Unreadable
from storage.schema.records import EntryKind, Result, Status
from storage.schema.tables import actions, tables
from storage.transactions import Reader


@dataclass(frozen=True, slots=True)
class FirstEntries:
    """The beginning of a finished game: its number, its result, and the kind and tokens of each of its first log entries."""

    number: int
    outcome: Result
    entries: tuple[tuple[EntryKind, tuple[str, ...]], ...]


def _public(guild_id: int, game: str, variant: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions that a game of this variant was played on the server, is public, and is over."""
    here = (tables.c.guild_id == guild_id, tables.c.game == game, tables.c.variant == variant)
    return (*here, tables.c.status == Status.FINISHED, tables.c.private.is_(False), IN_ORDER)


async def extent(reader: Reader, guild_id: int, game: str, variant: str) -> tuple[int, float]:
    """Return how many public finished games a server has, and when the last one ended (seconds since the epoch)."""
    games, ended = sa.func.count().label("games"), sa.func.coalesce(sa.func.max(tables.c.finished_at), 0.0).label("ended")
    found = sa.select(games, ended).select_from(tables).where(*_public(guild_id, game, variant))
    (row,) = await reader.rows(found)
    return row.games, row.ended


async def of_server(
    reader: Reader, guild_id: int, game: str, variant: str, *, entries: int, limit: int
) -> tuple[FirstEntries, ...]:
    """Return up to `entries` log entries of each of the newest public finished games. Unreadable games are left out."""
    newest = sa.select(tables.c.id).where(*_public(guild_id, game, variant)).order_by(tables.c.id.desc()).limit(limit)
    found = (
        sa.select(tables.c.id, tables.c.outcome, actions.c.kind, actions.c.tokens)
        .join_from(tables, actions, actions.c.table_id == tables.c.id)
        .where(tables.c.id.in_(newest), actions.c.number <= entries)
        .order_by(tables.c.id, actions.c.number)
    )

    def read(connection: sa.Connection) -> tuple[FirstEntries, ...]:
        games = groupby(connection.execute(found), lambda row: row[0])
        read = (_first_entries(number, [row[1:] for row in rows]) for number, rows in games)
        return tuple(game for game in read if game is not None)

    return await reader.run(read)


def _first_entries(number: int, rows: list[tuple[Any, ...]]) -> FirstEntries | None:
    """Return the beginning of a game from its rows, or None if a row cannot be read or the game has no result."""
    outcome = rows[0][0]
    if outcome is None or any(isinstance(value, Unreadable) for row in rows for value in row):
        return None
    return FirstEntries(number, outcome, tuple((kind, tokens) for _, kind, tokens in rows))
