"""What those who manage a server may do to its tables."""

from bot.sessions.errors import Refused
from bot.sessions.lobby import Lobby
from bot.sessions.repository import Desk
from bot.sessions.snapshot import Glance, User
from bot.sessions.turns import changed
from engines.text import say
from storage.records import Entry, EntryKind, SeatStatus, Status


class Moderation:
    """Closing tables and removing people from them. That the one who asks may do so is for the caller to know."""

    def __init__(self, desk: Desk, lobby: Lobby) -> None:
        self._desk = desk
        self._lobby = lobby

    async def close(self, table_id: int, guild_id: int) -> Glance:
        """Close a table of this server: one that waits is closed, a game that is on ends without a result."""
        glance = await self._desk.glance(table_id, guild_id)
        if glance.table.status is Status.OPEN:
            return await self._lobby.close(table_id)
        async with self._desk.table(table_id, guild_id) as (writer, glance):
            glance.require(Status.PLAYING)
            ended = {"winners": [], "how": "closed"}
            return await changed(self._desk, writer, glance, glance.playing, ended)

    async def remove(self, table_id: int, guild_id: int, person: User, moderator: User) -> Glance:
        """Take somebody off a table: before the game their seat is free again, during it they have left the game."""
        glance = await self._desk.glance(table_id, guild_id)
        known = glance.person(person.id)
        if known is None or known.status in {SeatStatus.WITHDRAWN, SeatStatus.DECLINED}:
            raise Refused(say("That person does not play at table #{n}.", n=table_id))
        if glance.table.status is Status.OPEN:
            if known.status is SeatStatus.JOINED:
                return await self._lobby.leave(table_id, person)
            return await self._lobby.decline(table_id, person)
        async with self._desk.table(table_id, guild_id) as (writer, glance):
            glance.require(Status.PLAYING)
            record = glance.playing
            seat = glance.own_seat(person.id)
            entry = Entry(table_id=table_id, number=record.version + 1, kind=EntryKind.WITHDRAW, seat=seat,
                          tokens=("removed",), user_id=moderator.id, at=self._desk.now())  # fmt: skip
            record = record.extended(entry)
            await writer.append(entry)
            glance = await changed(self._desk, writer, glance, record)
        self._desk.keep(table_id, record)
        return glance
