"""Servers: their settings, and whether the bot is still on them."""

from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import NEVER
from storage.schema.records import Server
from storage.schema.tables import events, ladders, outbox, posts, ratings, seeks, servers, tables
from storage.transactions import Reader, Writer, insert_into

_SERVER: Final = sa.select(servers).where(servers.c.guild_id == sa.bindparam("guild_id"))


async def get(reader: Reader, guild_id: int) -> Server:
    """Return the settings of a server, or the defaults if nothing has been set or the row cannot be read."""
    known = await reader.readable(Server, _SERVER, guild_id=guild_id)
    return known[0] if known else Server(guild_id=guild_id)


async def left(reader: Reader) -> dict[int, float]:
    """Return when the bot was removed from servers, in seconds since the epoch, as far as this can be read."""
    found = sa.select(servers.c.guild_id, servers.c.left_at).where(
        servers.c.left_at.is_not(None), *reader.own(servers.c.guild_id)
    )
    return {
        row.guild_id: row.left_at
        for row in await reader.execute(found)
        if type(row.guild_id) is int and isinstance(row.left_at, float) and 0 < row.left_at < NEVER
    }


async def known(reader: Reader) -> tuple[int, ...]:
    """Return the ids of all servers about which there is any data, in ascending order, as far as they can be read."""
    ids = sa.union(
        *(
            sa.select(table.c.guild_id).where(*reader.own(table.c.guild_id))
            for table in (tables, outbox, posts, seeks, ladders, events, ratings, servers)
        )
    ).subquery()
    found = (await reader.execute(sa.select(ids.c.guild_id).order_by(ids.c.guild_id))).scalars()
    return tuple(guild_id for guild_id in found if type(guild_id) is int and guild_id > 0)


async def put(writer: Writer, server: Server) -> None:
    """Store a server's settings."""
    writer.put(servers, server)


async def put_left(writer: Writer, guild_id: int, left_at: float | None) -> None:
    """Store when the bot was removed from a server, or None if it is there. The settings of the server stay as they are."""
    insert = insert_into(writer.dialect, servers).values(guild_id=guild_id, settings={}, left_at=left_at)
    writer.later(insert.on_conflict_do_update(index_elements=["guild_id"], set_={"left_at": left_at}))
