"""JobRunner: carries out the jobs of the outbox, kind by kind.

A job only says *that* something has to be shown ("the board of table 12"). What to show is read when the job is carried out, so
several changes in a short time take a single message. The kinds:

- ``board``: show the current board, by editing the message of this turn, or in a new message with a ping; ``refresh``: show a
  change on it that is not a step of the game, such as a vacation.
- ``lobby``: update the lobby message, which is the first one of a table; ``opening``: post it.
- the kinds in bot/messages/notices.py: send a notice to the channel, or to one person.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.i18n.language import Language, ServerLanguage, language
from bot.messages.board import board_message
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.lobby import lobby_message
from bot.messages.notices import BUILDERS, notice
from bot.messages.perspective import spectator
from bot.messages.pictures import picture
from bot.outbox.permissions import OLD_EDITS_USED_UP, THREAD_CLOSED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from bot.sessions import Sessions, Snapshot
from bot.sessions.history import History
from storage.records import Job, JobKind, Status

EDITABLE: Final = 55 * 60
"""Seconds during which a message may be edited freely. Discord limits edits of messages older than an hour."""

NO_MORE_EDITS: Final = frozenset({UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, OLD_EDITS_USED_UP, THREAD_CLOSED})
"""Error codes for messages that cannot be edited, although a new one can perhaps be posted.

Posting reopens an archived thread, unless it is locked.
"""

EDIT_TIMEOUT: Final = 10.0
"""Seconds that a cosmetic edit may take: Discord makes bots wait long for edits of old messages."""

LostConnection = (aiohttp.ClientError, TimeoutError, OSError)
"""The exceptions raised when a connection is lost; discord.py passes them on unchanged."""

log = structlog.get_logger(__name__)


class JobRunner:
    """Carries out jobs. See `OutboxWorker` for the arguments."""

    def __init__(self, client: discord.Client, sessions: Sessions, server_language: ServerLanguage) -> None:
        self._client = client
        self._sessions = sessions
        self._server_language = server_language
        self._kinds: dict[JobKind, Callable[[Snapshot, Job], Awaitable[None]]] = {
            JobKind.BOARD: self._board,
            JobKind.REFRESH: self._refresh,
            JobKind.LOBBY: self._lobby,
            JobKind.OPENING: self._opening,
            **dict.fromkeys(BUILDERS, self._notice),
        }

    async def carry_out(self, snapshot: Snapshot, job: Job) -> None:
        """Carry out a job. Raises the error with which Discord refused it.

        If the thread of a table has been deleted, its game continues in the channel, unless it is private.
        """
        try:
            await self._kinds[job.kind](snapshot, job)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or snapshot.table.thread_id is None or snapshot.table.private:
                raise
            await self._note(snapshot, thread_id=None)
            await self._kinds[job.kind](await self._sessions.snapshot(job.table_id), job)

    async def _board(self, snapshot: Snapshot, job: Job) -> None:
        table = snapshot.table
        if snapshot.history is None or (table.board_version == table.version and table.board_turn == table.turn):
            return None
        if table.board_turn == table.turn and self._editable(snapshot):
            try:
                return await self._edit_board(snapshot)
            except discord.HTTPException as error:
                if error.code not in NO_MORE_EDITS:
                    raise
        return await self._post_board(snapshot)

    def _editable(self, snapshot: Snapshot) -> bool:
        posted = snapshot.table.board_posted
        return snapshot.table.board_message_id is not None and posted is not None and (
            self._sessions.now() - posted < EDITABLE
        )  # fmt: skip

    async def _builder(self, snapshot: Snapshot, since: int, *, live: bool = True) -> MessageBuilder:
        language = await self._language(snapshot)
        events = snapshot.playing.events_since(max(since, snapshot.playing.version - 1), None)
        shown = await picture(snapshot, spectator(language), events=events)
        return board_message(snapshot, language, shown, since, live=live)

    async def _edit_board(self, snapshot: Snapshot) -> None:
        table = snapshot.table
        since = table.board_since or 0
        builder = await self._builder(snapshot, since)
        message = self._message(table.board_channel_id, table.board_message_id)
        await message.edit(view=builder.layout(), attachments=builder.files(), allowed_mentions=_mention_awaited(snapshot))
        await self._note(snapshot, board_version=table.version)

    async def _post_board(self, snapshot: Snapshot) -> None:
        table = snapshot.table
        since = 0 if table.board_version is None else min(table.board_version, table.version)
        builder = await self._builder(snapshot, since)
        channel = self._client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)
        message = await channel.send(
            view=builder.layout(), files=builder.files(), nonce=f"b{table.id}-{table.version}-{table.turn}",
            allowed_mentions=_mention_awaited(snapshot) if table.board_turn != table.turn else NOBODY,
        )  # fmt: skip
        await self._note(
            snapshot, board_version=table.version, board_since=since, board_turn=table.turn,
            board_channel_id=message.channel.id, board_message_id=message.id, board_posted=self._sessions.now(),
        )  # fmt: skip
        if table.board_message_id is not None:
            await self._retire_board(snapshot)

    async def _retire_board(self, snapshot: Snapshot) -> None:
        """Remove the buttons of the previous board. If that fails they stay, and lead to the current board."""
        table = snapshot.table
        before = replace(snapshot, history=_at(snapshot.playing, table.board_version or 0))
        language = await self._language(snapshot)
        events = before.playing.events_since(max(table.board_since or 0, before.playing.version - 1), None)
        shown = await picture(before, spectator(language), events=events)
        builder = board_message(before, language, shown, table.board_since or 0, live=False)
        message = self._message(table.board_channel_id, table.board_message_id)
        with self._cosmetic(table.id):
            async with asyncio.timeout(EDIT_TIMEOUT):
                await message.edit(view=builder.layout(), attachments=builder.files(), allowed_mentions=NOBODY)

    async def _refresh(self, snapshot: Snapshot, job: Job) -> None:
        """Update the newest board after a change that is not a step of the game. If that fails, the next board shows it."""
        table = snapshot.table
        shown = table.board_message_id is not None and (table.board_version, table.board_turn) == (table.version, table.turn)
        if table.status is Status.PLAYING and shown:
            with self._cosmetic(table.id):
                async with asyncio.timeout(EDIT_TIMEOUT):
                    await self._edit_board(snapshot)

    @contextmanager
    def _cosmetic(self, table_id: int) -> Iterator[None]:
        """Ignore a failure, because nothing depends on what is done."""
        try:
            yield
        except (discord.HTTPException, *LostConnection) as error:
            log.info("an old board stays as it is", table=table_id, error=repr(error))

    async def _lobby(self, snapshot: Snapshot, job: Job) -> None:
        """Update the lobby message. If somebody has deleted it, post it again while it is still of use."""
        table = snapshot.table
        if table.lobby_message_id is None:
            return
        builder = lobby_message(snapshot, await self._language(snapshot))
        message = self._message(table.channel_id, table.lobby_message_id)
        try:
            await message.edit(view=builder.layout(), attachments=[], allowed_mentions=NOBODY)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            if table.status in {Status.OPEN, Status.PLAYING}:
                await self._opening(replace(snapshot, table=replace(table, lobby_message_id=None)), job)

    async def _opening(self, snapshot: Snapshot, job: Job) -> None:
        """Post the lobby message of a table that no command has shown, with a ping for the people who are invited."""
        table = snapshot.table
        if table.lobby_message_id is not None:
            return
        builder = lobby_message(snapshot, await self._language(snapshot))
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        invited = [discord.Object(p.user_id) for p in snapshot.invited]
        message = await channel.send(
            view=builder.layout(), nonce=f"t{table.id}-{job.id}",
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=invited),
        )  # fmt: skip
        await self._note(snapshot, lobby_message_id=message.id)

    async def _notice(self, snapshot: Snapshot, job: Job) -> None:
        """Send a notice: to one person directly if they want that and it is possible, otherwise to the channel."""
        said = notice(snapshot, job, await self._language(snapshot))
        if said is None:
            return
        nonce = f"n{job.id}-{job.payload.get('turn', snapshot.table.version)}"
        if said.to is not None and await self._sent_directly(snapshot, job, said.to, nonce):
            return
        table = snapshot.table
        channel = self._client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)
        pinged = [discord.Object(user) for user in said.pinged]
        await channel.send(
            view=said.builder.layout(), nonce=nonce,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=pinged),
        )  # fmt: skip

    async def _sent_directly(self, snapshot: Snapshot, job: Job, user_id: int, nonce: str) -> bool:
        """Send a notice to one person directly, in their language. Returns False if they do not want that or it fails."""
        settings = await self._sessions.users.settings(user_id)
        if settings.notify != "direct":
            return False
        own = await self._language(snapshot) if settings.language is None else language(settings.language)
        said = notice(snapshot, job, own)
        assert said is not None, "it was asked for a moment ago"
        try:
            direct = await self._client.create_dm(discord.Object(user_id))
            await direct.send(view=said.builder.layout(), nonce=nonce, allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            log.info("direct message not delivered", code=error.code)
            return False
        return True

    # --- what the jobs share ------------------------------------------------------------------------------------------

    def _message(self, channel_id: int | None, message_id: int | None) -> discord.PartialMessage:
        assert channel_id is not None
        assert message_id is not None
        return self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def _note(self, snapshot: Snapshot, **columns: Any) -> None:
        """Record what Discord shows now. Raises NoSuchTable if the bot was removed from the server in the meantime."""
        await self._sessions.outbox.note(snapshot.table.id, **columns)

    async def _language(self, snapshot: Snapshot) -> Language:
        return await self._server_language(snapshot.table.guild_id)


def _mention_awaited(snapshot: Snapshot) -> discord.AllowedMentions:
    """Mentions of the players whose turn it is.

    An edit pings nobody, but without this it would remove the mention from their list of mentions.
    """
    awaited = [discord.Object(p.user_id) for p in snapshot.awaited]
    return discord.AllowedMentions(everyone=False, roles=False, users=awaited)


def _at(history: History, version: int) -> History:
    """The history at an earlier version."""
    return replace(history, log=history.log[:version])
