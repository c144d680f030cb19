"""Errands: what Discord is told, kind by kind.

An errand says only *that* something must be shown ("the board of table 12"); what is shown is read when it is carried out, so
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
from bot.messages.board import board_sheet
from bot.messages.builder import NOBODY, Sheet
from bot.messages.lobby import lobby_sheet
from bot.messages.notices import BUILDERS, notice
from bot.messages.pictures import Look, picture
from bot.outbox.permissions import OLD_EDITS_USED_UP, THREAD_CLOSED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from bot.sessions import Glance, Sessions
from bot.sessions.errors import NoSuchTable
from bot.sessions.history import Record
from engines.text import say
from storage.records import Errand, Status

EDITABLE: Final = 55 * 60
"""Seconds for which a message may be edited freely. Discord rations edits of messages older than an hour."""

NO_MORE_EDITS: Final = frozenset({UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, OLD_EDITS_USED_UP, THREAD_CLOSED})
"""Why a message cannot be edited though a new one might be posted. A post reopens a thread, unless it is locked."""

EDIT_PATIENCE: Final = 10.0
"""Seconds that an edit which is only for looks may take: Discord has bots wait long with edits of old messages."""

LostConnection = (aiohttp.ClientError, TimeoutError, OSError)
"""How a lost connection comes out of discord.py: raw."""

log = structlog.get_logger(__name__)


class Errands:
    """What each kind of errand does. See `Delivery` for the arguments."""

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        server_language: Callable[[int], Awaitable[Language]],
    ) -> None:
        self._client = client
        self._sessions = sessions
        self._server_language = server_language
        self._kinds: dict[str, Callable[[Glance, Errand], Awaitable[None]]] = {
            "board": self._board,
            "refresh": self._refresh,
            "lobby": self._lobby,
            "opening": self._opening,
            **dict.fromkeys(BUILDERS, self._notice),
        }

    async def carry_out(self, glance: Glance, errand: Errand) -> None:
        """Carry an errand out, or raise what Discord answered.

        Where a thread was deleted, the game goes on in its channel, unless it is a private one.
        """
        try:
            await self._kinds[errand.kind](glance, errand)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or glance.table.thread_id is None or glance.table.private:
                raise
            await self._note(glance, thread_id=None)
            await self._kinds[errand.kind](await self._sessions.desk.glance(errand.table_id), errand)

    async def _board(self, glance: Glance, errand: Errand) -> None:
        table = glance.table
        if glance.record is None or (table.board_version == table.version and table.board_turn == table.turn):
            return None
        if table.board_turn == table.turn and self._editable(glance):
            try:
                return await self._edit_board(glance)
            except discord.HTTPException as error:
                if error.code not in NO_MORE_EDITS:
                    raise
        return await self._post_board(glance)

    def _editable(self, glance: Glance) -> bool:
        posted = glance.table.board_posted
        return glance.table.board_message_id is not None and posted is not None and (
            self._sessions.desk.now() - posted < EDITABLE
        )  # fmt: skip

    async def _sheet(self, glance: Glance, since: int, *, live: bool = True) -> Sheet:
        language = await self._language(glance)
        events = glance.playing.events_since(max(since, glance.playing.version - 1), None)
        shown = await picture(glance, Look(seat=None, language=language, events=events))
        return board_sheet(glance, language, shown, since, live=live)

    async def _edit_board(self, glance: Glance) -> None:
        table = glance.table
        since = table.board_since or 0
        sheet = await self._sheet(glance, since)
        message = self._message(table.board_channel_id, table.board_message_id)
        await message.edit(view=sheet.layout(), attachments=sheet.files(), allowed_mentions=_awaited(glance))
        await self._note(glance, board_version=table.version)

    async def _post_board(self, glance: Glance) -> None:
        table = glance.table
        since = 0 if table.board_version is None else min(table.board_version, table.version)
        sheet = await self._sheet(glance, since)
        channel = self._client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)
        message = await channel.send(
            view=sheet.layout(), files=sheet.files(), nonce=f"b{table.id}-{table.version}-{table.turn}",
            allowed_mentions=_awaited(glance) if table.board_turn != table.turn else NOBODY,
        )  # fmt: skip
        await self._note(
            glance, board_version=table.version, board_since=since, board_turn=table.turn, board_channel_id=message.channel.id,
            board_message_id=message.id, board_posted=self._sessions.desk.now(),
        )  # fmt: skip
        if table.board_message_id is not None:
            await self._retire_board(glance)

    async def _retire_board(self, glance: Glance) -> None:
        """Take the buttons of the board before away. If that fails the buttons stay, and lead to the present board."""
        table = glance.table
        before = replace(glance, record=_at(glance.playing, table.board_version or 0))
        language = await self._language(glance)
        events = before.playing.events_since(max(table.board_since or 0, before.playing.version - 1), None)
        shown = await picture(before, Look(seat=None, language=language, events=events))
        sheet = board_sheet(before, language, shown, table.board_since or 0, live=False)
        message = self._message(table.board_channel_id, table.board_message_id)
        with self._for_looks(table.id):
            async with asyncio.timeout(EDIT_PATIENCE):
                await message.edit(view=sheet.layout(), attachments=sheet.files(), allowed_mentions=NOBODY)

    async def _refresh(self, glance: Glance, errand: Errand) -> None:
        """Show what has changed about the newest board though the game has not moved on. If it fails, the next one shows it."""
        table = glance.table
        shown = table.board_message_id is not None and (table.board_version, table.board_turn) == (table.version, table.turn)
        if table.status is Status.PLAYING and shown:
            with self._for_looks(table.id):
                async with asyncio.timeout(EDIT_PATIENCE):
                    await self._edit_board(glance)

    @contextmanager
    def _for_looks(self, table_id: int) -> Iterator[None]:
        """What may fail, because nothing depends on it."""
        try:
            yield
        except (discord.HTTPException, *LostConnection) as error:
            log.info("an old board stays as it is", table=table_id, error=repr(error))

    async def _lobby(self, glance: Glance, errand: Errand) -> None:
        """Bring the table's first message up to date; if somebody deleted it, post it anew while it is good for something."""
        table = glance.table
        if table.lobby_message_id is None:
            return
        sheet = lobby_sheet(glance, await self._language(glance))
        message = self._message(table.channel_id, table.lobby_message_id)
        try:
            await message.edit(view=sheet.layout(), attachments=[], allowed_mentions=NOBODY)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            if table.status in {Status.OPEN, Status.PLAYING}:
                await self._opening(replace(glance, table=replace(table, lobby_message_id=None)), errand)

    async def _opening(self, glance: Glance, errand: Errand) -> None:
        """Post the first message of a table that was opened by no command, with a ping for those who are invited."""
        table = glance.table
        if table.lobby_message_id is not None:
            return
        sheet = lobby_sheet(glance, await self._language(glance))
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        invited = [discord.Object(p.user_id) for p in glance.invited]
        message = await channel.send(
            view=sheet.layout(), nonce=f"t{table.id}-{errand.id}",
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=invited),
        )  # fmt: skip
        await self._note(glance, lobby_message_id=message.id)

    async def _notice(self, glance: Glance, errand: Errand) -> None:
        """Say something; to one person directly if they want that and it is possible, else in the channel."""
        said = notice(glance, errand, await self._language(glance))
        if said is None:
            return
        nonce = f"n{errand.id}-{errand.payload.get('turn', glance.table.version)}"
        if said.to is not None and await self._told_directly(glance, errand, said.to, nonce):
            return
        table = glance.table
        channel = self._client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)
        pinged = [discord.Object(user) for user in said.pinged]
        await channel.send(
            view=said.sheet.layout(), nonce=nonce,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=pinged),
        )  # fmt: skip

    async def _told_directly(self, glance: Glance, errand: Errand, user_id: int, nonce: str) -> bool:
        """Say something to one person directly, in their own language. False if they do not want that, or cannot be reached."""
        settings = await self._sessions.persons.settings(user_id)
        if settings.notify != "direct":
            return False
        own = await self._language(glance) if settings.language is None else language(settings.language)
        said = notice(glance, errand, own)
        assert said is not None, "it was asked for a moment ago"
        try:
            direct = await self._client.create_dm(discord.Object(user_id))
            await direct.send(view=said.sheet.layout(), nonce=nonce, allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            log.info("direct message not delivered", code=error.code)
            return False
        return True

    # --- small things -------------------------------------------------------------------------------------------------

    def _message(self, channel_id: int | None, message_id: int | None) -> discord.PartialMessage:
        assert channel_id is not None
        assert message_id is not None
        return self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def _note(self, glance: Glance, **columns: Any) -> None:
        """Note what Discord shows now. Raises NoSuchTable if the bot was put out of the server in the meantime."""
        async with self._sessions.desk.store.write() as writer:
            if await writer.table(glance.table.id) is None:
                raise NoSuchTable(say("There is no table #{n} here.", n=glance.table.id))
            await writer.change_table(glance.table.id, **columns)

    async def _language(self, glance: Glance) -> Language:
        return await self._server_language(glance.table.guild_id)


def _awaited(glance: Glance) -> discord.AllowedMentions:
    """Those whose turn it is. Editing makes no noise, but without this it would take the mention off their list."""
    awaited = [discord.Object(p.user_id) for p in glance.awaited]
    return discord.AllowedMentions(everyone=False, roles=False, users=awaited)


def _at(record: Record, version: int) -> Record:
    """The record as it was at an earlier version."""
    return replace(record, log=record.log[:version])
