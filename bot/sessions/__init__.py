"""The service: what may be done to a table, and what follows. It knows nothing of Discord.

`lobby` is before a game, `play` during it, `consent` what needs the others, `timing` what happens by itself, `persons` what
belongs to people and servers, `moderation` what those may do who manage a server, `ratings` what comes of the games. All work
on one `Desk`, which reads and writes the store. Every change is one transaction: the log entry, the table's columns, and the
errands that say what Discord has still to be told.
"""

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from bot.sessions.consent import Consent
from bot.sessions.history import BrokenLog, Logged, Record
from bot.sessions.lobby import Lobby, Opening
from bot.sessions.moderation import Moderation
from bot.sessions.play import Play, Played
from bot.sessions.ratings import Ratings
from bot.sessions.repository import Desk
from bot.sessions.snapshot import Glance, User
from bot.sessions.timing import Timing
from bot.sessions.users import Persons
from bot.sessions.verify import Proof
from engines import GAMES
from engines.game import Game
from storage.records import Status, Table
from storage.store import Store

__all__ = ["BrokenLog", "Glance", "Lobby", "Logged", "Opening", "Play", "Played", "Record", "Sessions", "User"]


class Sessions:
    """All tables of the bot. See `Desk` for the arguments."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        entropy: Callable[[int], bytes] = os.urandom,
        games: Mapping[str, Game[Any, Any]] = GAMES,
    ) -> None:
        self.desk = Desk(store, now=now, entropy=entropy, games=games)
        self.lobby = Lobby(self.desk)
        self.play = Play(self.desk)
        self.consent = Consent(self.desk, self.lobby)
        self.timing = Timing(self.desk)
        self.ratings = Ratings(self.desk)
        self.proof = Proof(self.desk)
        self.persons = Persons(self.desk, self.lobby, self.play)
        self.moderation = Moderation(self.desk, self.lobby)

    async def glance(self, table_id: int, guild_id: int | None = None) -> Glance:
        """A table as it stands. Raises NoSuchTable, also for a table of another server than `guild_id`."""
        return await self.desk.glance(table_id, guild_id)

    async def tables(
        self,
        *,
        guild_id: int,
        channel_id: int | None = None,
        user_id: int | None = None,
        statuses: Collection[Status] = (Status.OPEN, Status.PLAYING),
        game: str | None = None,
        limit: int = 25,
    ) -> tuple[Table, ...]:
        """Tables of a server, newest first: those of a channel or its threads, those that somebody sits at."""
        async with self.desk.store.read() as reader:
            return await reader.tables(
                guild_id=guild_id, channel_id=channel_id, user_id=user_id, statuses=statuses, game=game, limit=limit
            )

    async def outlines(
        self,
        *,
        guild_id: int,
        seen_by: int,
        channel_id: int | None = None,
        user_id: int | None = None,
        statuses: Collection[Status] = (Status.OPEN, Status.PLAYING),
        limit: int = 25,
    ) -> tuple[Glance, ...]:
        """Tables as `tables` finds them, with their people but without their games: no log is read for a list of names.

        Private tables that `seen_by` may not look at are left out.
        """
        tables = await self.tables(guild_id=guild_id, channel_id=channel_id, user_id=user_id, statuses=statuses, limit=limit)
        async with self.desk.store.read() as reader:
            people = await reader.seats_of([table.id for table in tables])
        glances = (Glance(table, people[table.id]) for table in tables)
        return tuple(glance for glance in glances if glance.open_to(seen_by))
