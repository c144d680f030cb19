"""What the managers of a server may do to its tables."""

from bot.sessions.errors import Refused, SetAside
from bot.sessions.lobby import Lobby
from bot.sessions.parties import counts_for
from bot.sessions.planned import play
from bot.sessions.quarantine import Quarantine
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot, User
from bot.sessions.turns import advance, ended_by
from engines.text import say
from storage.records import Ending, Entry, EntryKind, SeatStatus, Status


class Moderation:
    """Closing tables and removing people from them. The caller has to check that the user may do so."""

    def __init__(self, repository: Repository, lobby: Lobby, quarantine: Quarantine) -> None:
        self._repository = repository
        self._lobby = lobby
        self._quarantine = quarantine

    async def close_whatever_is_wrong(self, table_id: int, guild_id: int, moderator: User) -> None:
        """Close a table of this server, also one that cannot be read. Raises what `close` raises."""
        try:
            await self.close(table_id, guild_id, moderator)
        except SetAside:
            await self._quarantine.close(table_id, guild_id)

    async def close(self, table_id: int, guild_id: int, moderator: User) -> Snapshot:
        """Close a table of this server: one that has not started is closed, a running game ends without a result.

        Raises NoSuchTable, WrongStage, or Refused for a rated game whose result counts for the moderator.
        """
        snapshot = await self._repository.snapshot(table_id, guild_id)
        if snapshot.table.status is Status.OPEN:
            return await self._lobby.close(table_id)
        async with self._repository.table(table_id, guild_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            if counts_for(snapshot, moderator.id):
                raise Refused(
                    say("You’re in this rated game, so another server manager has to close it. To give up, use `/resign`.")
                )
            return await advance(self._repository, writer, snapshot, snapshot.playing, ended_by(Ending.CLOSED))

    async def remove(self, table_id: int, guild_id: int, person: User, moderator: User) -> Snapshot:
        """Take somebody off a table: before the game their seat becomes free, during the game they leave it.

        Raises NoSuchTable, or Refused if that person does not sit there, or if it is an opponent of the moderator in a rated
        game.
        """
        snapshot = await self._repository.snapshot(table_id, guild_id)
        known = snapshot.person(person.id)
        if known is None or known.status in {SeatStatus.WITHDRAWN, SeatStatus.DECLINED}:
            raise Refused(say("They’re not playing at table #{n}.", n=table_id))
        if snapshot.table.status is Status.OPEN:
            if known.status is SeatStatus.JOINED:
                return await self._lobby.leave(table_id, person)
            return await self._lobby.decline(table_id, person)
        async with self._repository.table(table_id, guild_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            if person.id != moderator.id and counts_for(snapshot, moderator.id):
                raise Refused(say("You’re in this rated game, so another server manager has to remove somebody."))
            history = snapshot.playing
            seat = snapshot.own_seat(person.id)
            entry = Entry(table_id=table_id, number=history.version + 1, kind=EntryKind.WITHDRAW, seat=seat,
                          tokens=("removed",), user_id=moderator.id, at=self._repository.now())  # fmt: skip
            snapshot, history = await play(self._repository, writer, snapshot, history, entry)
            snapshot = await advance(self._repository, writer, snapshot, history)
            await writer.remove_watch(table_id, person.id)
        self._repository.keep(table_id, history)
        return snapshot
