"""Threads: makes the threads of games, finds those that were made but not recorded, and removes people from them."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Final, NoReturn

import discord
import structlog

from bot.core.places import Letter
from bot.core.table.snapshot import Snapshot
from bot.messages.builder import clip
from bot.outbox.access import SERVER_ERROR, TOO_MANY, Access, LostConnection
from bot.outbox.permissions import UNKNOWN_MESSAGE
from engines import GAMES
from storage.schema.records import Job, News, SeatStatus, Table

THREAD_EXISTS: Final = 160004

FOR_GOOD: Final = frozenset({400, 403, 404})
"""The statuses of requests that Discord refuses permanently. After other statuses, another attempt may help."""

QUIET_FOR: Final = 10_080
"""Minutes without a message after which Discord archives a thread. This is a week, the longest that Discord allows."""

MARGIN: Final = timedelta(minutes=5)
"""How far the machine's clock may be ahead of Discord's."""

Channel = discord.abc.GuildChannel | discord.abc.PrivateChannel | discord.Thread

log = structlog.get_logger(__name__)


class NoThread(Exception):
    """A table cannot have a thread. `letter` says why."""

    def __init__(self, letter: Letter) -> None:
        super().__init__(letter)
        self.letter = letter


class TableThreads:
    """Makes the threads of tables."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def public(self, snapshot: Snapshot) -> int:
        """Make a thread from the lobby message, and return its id. Raises NoThread, or NotFound if the message was deleted."""
        table = snapshot.table
        channel = await self._channel(table.channel_id)
        if not isinstance(channel, discord.TextChannel) or table.lobby_message_id is None:
            raise NoThread(Letter(news=News.WRONG_CHANNEL))
        name = _name(table)
        if table.event_id is not None:  # many begin at once, so it says who plays
            name = clip(f"{' – '.join(snapshot.names)} · {name}", 100)
        try:
            made = await channel.get_partial_message(table.lobby_message_id).create_thread(
                name=name, auto_archive_duration=QUIET_FOR
            )
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return table.lobby_message_id
            if error.code == UNKNOWN_MESSAGE:
                raise
            _refuse(error)
        return made.id

    async def private(self, snapshot: Snapshot, *, anew: bool) -> int:
        """Make a thread for the table's people, or find an earlier one unless `anew`. Returns its id. Raises NoThread."""
        channel = await self._parent(snapshot.table)
        thread = None if anew else await self._find(channel, snapshot.table)
        if thread is None:
            try:
                thread = await channel.create_thread(
                    name=_name(snapshot.table),
                    type=discord.ChannelType.private_thread,
                    invitable=False,
                    auto_archive_duration=QUIET_FOR,
                )
            except discord.HTTPException as error:
                _refuse(error)
        await self._let_in(await opened_again(thread), snapshot)
        return thread.id

    async def is_private(self, table: Table) -> bool:
        """Whether a private table has a thread of its own, or version 0.1.0 opened it in a thread that is private."""
        if table.thread_id is not None:
            return True
        try:
            channel = await self._channel(table.channel_id)
        except (discord.Forbidden, discord.NotFound):
            return False
        return isinstance(channel, discord.Thread) and channel.is_private()

    async def _let_in(self, thread: discord.Thread, snapshot: Snapshot) -> None:
        """Add a table's people to its thread. The opener is last, and never sees a thread that somebody cannot be added to."""
        people = [person for person in snapshot.people if person.computer is None]
        there = [person.user_id for person in people if person.status in {SeatStatus.JOINED, SeatStatus.INVITED}]
        for user_id in sorted(there, key=lambda user_id: user_id == snapshot.table.opened_by):
            try:
                await thread.add_user(discord.Object(user_id))
            except discord.HTTPException as error:
                if error.status not in FOR_GOOD:
                    raise
                await self._archive(thread)
                raise NoThread(Letter(news=News.NOT_LET_IN, user=user_id)) from error

    async def _archive(self, thread: discord.Thread) -> None:
        """Archive a useless thread. The bot cannot delete it, since it does not ask for the permission to do so."""
        try:
            await thread.edit(archived=True)
        except (discord.HTTPException, discord.RateLimited, *LostConnection) as error:
            log.info("a thread stays open", thread=thread.id, error=repr(error))

    async def _find(self, channel: discord.TextChannel, table: Table) -> discord.Thread | None:
        """Return a table's private thread that was made but not recorded, or None."""
        since = datetime.fromtimestamp(table.created_at, UTC) - MARGIN
        try:
            async for thread in _threads(channel):
                own = thread.owner_id == self._access.own_id and thread.parent_id == channel.id
                if own and thread.is_private() and thread.name == _name(table) and (thread.created_at or since) >= since:
                    return thread
        except discord.Forbidden:
            log.info("threads may not be listed", channel=channel.id)
        return None

    async def _parent(self, table: Table) -> discord.TextChannel:
        """Return the text channel for a private thread. For a table opened in a thread, this is the parent of that thread."""
        channel = await self._channel(table.channel_id)
        if isinstance(channel, discord.Thread):
            channel = channel.parent or await self._channel(channel.parent_id)
        if not isinstance(channel, discord.TextChannel) or channel.is_news():
            raise NoThread(Letter(news=News.WRONG_CHANNEL))
        return channel

    async def _channel(self, channel_id: int) -> Channel:
        return self._access.client.get_channel(channel_id) or await self._access.client.fetch_channel(channel_id)


async def thread_of(client: discord.Client, thread_id: int) -> discord.Thread | None:
    """Return a thread, reopened if it was archived, or None if the id is another channel's. Raises Discord's errors."""
    thread = client.get_channel(thread_id) or await client.fetch_channel(thread_id)
    return await opened_again(thread) if isinstance(thread, discord.Thread) else None


async def dismiss(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Remove a person from a thread that is not open to them, unless the thread is gone or the person has left it."""
    user, thread_id = job.payload["user"], snapshot.table.thread_id
    if thread_id is None or snapshot.open_to(user):
        return
    try:
        thread = await thread_of(access.client, thread_id)
        if thread is not None and thread.is_private():
            await thread.remove_user(discord.Object(user))
    except discord.HTTPException as error:
        if error.status >= SERVER_ERROR or error.status == TOO_MANY:
            raise
        log.warning("not taken out of the thread", table=snapshot.table.id, code=error.code, error=error.text)


async def opened_again(thread: discord.Thread) -> discord.Thread:
    """Reopen an archived thread, unless it is locked. Discord lets nobody into or out of an archived thread."""
    return await thread.edit(archived=False) if thread.archived and not thread.locked else thread


async def _threads(channel: discord.TextChannel) -> AsyncIterator[discord.Thread]:
    """Yield the threads of a channel that the bot may see: first the active ones, then archived private ones."""
    for thread in await channel.guild.active_threads():
        yield thread
    async for thread in channel.archived_threads(private=True, joined=True, limit=50):
        yield thread


def _name(table: Table) -> str:
    return clip(f"{GAMES[table.game].title} #{table.id}", 100)


def _refuse(error: discord.HTTPException) -> NoReturn:
    """Raise NoThread if Discord has refused permanently, or else the error itself."""
    if error.status not in FOR_GOOD:
        raise error
    raise NoThread(Letter(news=News.NO_THREAD, error=error.text)) from error
