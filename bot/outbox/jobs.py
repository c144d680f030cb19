"""JobRunner: what Discord is told, kind by kind.

An job says only *that* something must be shown ("the board of table 12"); what is shown is read when it is carried out, so
that several changes in a short time cost one message. Kinds:

- ``board``: show the present board, as an edit of the turn's message or as a new one with a ping; ``refresh``: show on it what
  is no step of the game, such as a vacation.
- ``lobby``: bring the table's first message up to date; ``opening``: post it.
- the kinds in bot/messages/notices.py: something to be said in the channel, or to one person.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.i18n.language import Language, language
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
"""Seconds for which a message may be edited freely. Discord rations edits of messages older than an hour."""

NO_MORE_EDITS: Final = frozenset({UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, OLD_EDITS_USED_UP, THREAD_CLOSED})
"""Why a message cannot be edited though a new one might be posted. A post reopens a thread, unless it is locked."""

EDIT_TIMEOUT: Final = 10.0
"""Seconds that an edit which is only for looks may take: Discord has bots wait long with edits of old messages."""

LostConnection = (aiohttp.ClientError, TimeoutError, OSError)
"""How a lost connection comes out of discord.py: raw."""

log = structlog.get_logger(__name__)


class JobRunner:
    """What each kind of job does. See `OutboxWorker` for the arguments."""

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        server_language: Callable[[int], Awaitable[Language]],
    ) -> None:
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
        """Carry an job out, or raise what Discord answered.

        Where a thread was deleted, the game goes on in its channel, unless it is a private one.
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
        await message.edit(view=builder.layout(), attachments=builder.files(), allowed_mentions=_awaited(snapshot))
        await self._note(snapshot, board_version=table.version)

    async def _post_board(self, snapshot: Snapshot) -> None:
        table = snapshot.table
        since = 0 if table.board_version is None else min(table.board_version, table.version)
        builder = await self._builder(snapshot, since)
        channel = self._client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)
        message = await channel.send(
            view=builder.layout(), files=builder.files(), nonce=f"b{table.id}-{table.version}-{table.turn}",
            allowed_mentions=_awaited(snapshot) if table.board_turn != table.turn else NOBODY,
        )  # fmt: skip
        await self._note(
            snapshot, board_version=table.version, board_since=since, board_turn=table.turn,
            board_channel_id=message.channel.id, board_message_id=message.id, board_posted=self._sessions.now(),
        )  # fmt: skip
        if table.board_message_id is not None:
            await self._retire_board(snapshot)

    async def _retire_board(self, snapshot: Snapshot) -> None:
        """Take the buttons of the board before away. If that fails the buttons stay, and lead to the present board."""
        table = snapshot.table
        before = replace(snapshot, history=_at(snapshot.playing, table.board_version or 0))
        language = await self._language(snapshot)
        events = before.playing.events_since(max(table.board_since or 0, before.playing.version - 1), None)
        shown = await picture(before, spectator(language), events=events)
        builder = board_message(before, language, shown, table.board_since or 0, live=False)
        message = self._message(table.board_channel_id, table.board_message_id)
        with self._for_looks(table.id):
            async with asyncio.timeout(EDIT_TIMEOUT):
                await message.edit(view=builder.layout(), attachments=builder.files(), allowed_mentions=NOBODY)

    async def _refresh(self, snapshot: Snapshot, job: Job) -> None:
        """Show what has changed about the newest board though the game has not moved on. If it fails, the next one shows it."""
        table = snapshot.table
        shown = table.board_message_id is not None and (table.board_version, table.board_turn) == (table.version, table.turn)
        if table.status is Status.PLAYING and shown:
            with self._for_looks(table.id):
                async with asyncio.timeout(EDIT_TIMEOUT):
                    await self._edit_board(snapshot)

    @contextmanager
    def _for_looks(self, table_id: int) -> Iterator[None]:
        """What may fail, because nothing depends on it."""
        try:
            yield
        except (discord.HTTPException, *LostConnection) as error:
            log.info("an old board stays as it is", table=table_id, error=repr(error))

    async def _lobby(self, snapshot: Snapshot, job: Job) -> None:
        """Bring the table's first message up to date; if somebody deleted it, post it anew while it is good for something."""
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
        """Post the first message of a table that was opened by no command, with a ping for those who are invited."""
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
        """Say something; to one person directly if they want that and it is possible, else in the channel."""
        said = notice(snapshot, job, await self._language(snapshot))
        if said is None:
            return
        nonce = f"n{job.id}-{job.payload.get('turn', snapshot.table.version)}"
        if said.to is not None and await self._told_directly(snapshot, job, said.to, nonce):
            return
        table = snapshot.table
        channel = self._client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)
        pinged = [discord.Object(user) for user in said.pinged]
        await channel.send(
            view=said.builder.layout(), nonce=nonce,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=pinged),
        )  # fmt: skip

    async def _told_directly(self, snapshot: Snapshot, job: Job, user_id: int, nonce: str) -> bool:
        """Say something to one person directly, in their own language. False if they do not want that, or cannot be reached."""
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

    # --- small things -------------------------------------------------------------------------------------------------

    def _message(self, channel_id: int | None, message_id: int | None) -> discord.PartialMessage:
        assert channel_id is not None
        assert message_id is not None
        return self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def _note(self, snapshot: Snapshot, **columns: Any) -> None:
        """Note what Discord shows now. Raises NoSuchTable if the bot was put out of the server in the meantime."""
        await self._sessions.outbox.note(snapshot.table.id, **columns)

    async def _language(self, snapshot: Snapshot) -> Language:
        return await self._server_language(snapshot.table.guild_id)


def _awaited(snapshot: Snapshot) -> discord.AllowedMentions:
    """Those whose turn it is. Editing makes no noise, but without this it would take the mention off their list."""
    awaited = [discord.Object(p.user_id) for p in snapshot.awaited]
    return discord.AllowedMentions(everyone=False, roles=False, users=awaited)


def _at(history: History, version: int) -> History:
    """The history as it was at an earlier version."""
    return replace(history, log=history.log[:version])
