"""Moderation: how server managers close tables and remove people from them."""

from bot.core.change import changing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.quarantine import Quarantine
from bot.core.table.errors import Quarantined, Refused
from bot.core.table.players import counts_for
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import advance, ended_by
from engines.text import say
from storage import queries
from storage.schema.records import Ending, EntryKind, SeatStatus, Status


class Moderation:
    """Closes tables and removes people from them. The caller checks whether the user may do so."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lobby = core.service(Lobby)
        self._quarantine = core.service(Quarantine)

    async def close_whatever_is_wrong(self, table_id: int, guild_id: int, moderator: User) -> None:
        """Close a table of this server, even if it is unreadable. Raises the same errors as `close`."""
        try:
            await self.close(table_id, guild_id, moderator)
        except Quarantined:
            await self._quarantine.close(table_id, guild_id)

    async def close(self, table_id: int, guild_id: int, moderator: User) -> Snapshot:
        """Close a table without a result. Raises NoSuchTable, WrongStage, or Refused for the moderator's own rated game."""
        snapshot = await self._core.snapshot(table_id, guild_id)
        if snapshot.table.status is Status.OPEN:
            return await self._lobby.close(table_id)
        async with changing(self._core, table_id, guild_id) as change:
            change.snapshot.require(Status.PLAYING)
            if counts_for(change.snapshot, moderator.id):
                raise Refused(
                    say(
                        "You’re in this rated game, so another server manager has to close it. To give up, press *Resign*: "
                        "*More* under the board has it."
                    )
                )
            await advance(change, ended_by(Ending.CLOSED))
        return change.snapshot

    async def remove(self, table_id: int, guild_id: int, person: User, moderator: User) -> Snapshot:
        """Remove a person from a table. Before the game, their seat becomes free; during the game, they leave it.

        Raises NoSuchTable, or Refused if they don't sit there or are the moderator's opponent in a rated game.
        """
        snapshot = await self._core.snapshot(table_id, guild_id)
        known = snapshot.person(person.id)
        if known is None or known.status in {SeatStatus.WITHDRAWN, SeatStatus.DECLINED}:
            raise Refused(say("They’re not playing at table #{n}.", n=table_id))
        if snapshot.table.status is Status.OPEN:
            if known.status is SeatStatus.JOINED:
                return await self._lobby.leave(table_id, person)
            return await self._lobby.decline(table_id, person)
        async with changing(self._core, table_id, guild_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.PLAYING)
            if person.id != moderator.id and counts_for(snapshot, moderator.id):
                raise Refused(say("You’re in this rated game, so another server manager has to remove somebody."))
            seat = snapshot.own_seat(person.id)
            await change.play(change.next_entry(EntryKind.WITHDRAW, seat, moderator.id, ("removed",)))
            await advance(change)
            await queries.seats.remove_watch(change.writer, table_id, person.id)
        return change.snapshot
