"""Boards: the jobs that show the current board of a game.

``board`` shows it, by editing the message of this turn, or in a new message with a ping; ``refresh`` shows a change on it that
is not a step of the game, such as a vacation.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.messages.board import board_message
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.perspective import spectator
from bot.messages.pictures import picture
from bot.outbox.access import Access, Handler, LostConnection
from bot.outbox.permissions import OLD_EDITS_USED_UP, THREAD_CLOSED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from bot.sessions import Snapshot
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

log = structlog.get_logger(__name__)


class Boards:
    """Shows boards.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Handler]:
        """The handlers of the kinds of jobs that are carried out here."""
        return {JobKind.BOARD: self._board, JobKind.REFRESH: self._refresh}

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
        return await self._post_board(snapshot, job)

    def _editable(self, snapshot: Snapshot) -> bool:
        posted = snapshot.table.board_posted
        return snapshot.table.board_message_id is not None and posted is not None and (
            self._access.sessions.now() - posted < EDITABLE
        )  # fmt: skip

    async def _builder(self, snapshot: Snapshot, since: int, *, live: bool = True) -> MessageBuilder:
        language = await self._access.language(snapshot)
        events = snapshot.playing.events_since(max(since, snapshot.playing.version - 1), None)
        shown = await picture(snapshot, spectator(language), events=events)
        return board_message(snapshot, language, shown, since, live=live)

    async def _edit_board(self, snapshot: Snapshot) -> None:
        table = snapshot.table
        since = table.board_since or 0
        builder = await self._builder(snapshot, since)
        message = self._access.message(table.board_channel_id, table.board_message_id)
        await message.edit(view=builder.layout(), attachments=builder.files(), allowed_mentions=_mention_awaited(snapshot))
        await self._access.note(snapshot, board_version=table.version)

    async def _post_board(self, snapshot: Snapshot, job: Job) -> None:
        table = snapshot.table
        since = 0 if table.board_version is None else min(table.board_version, table.version)
        builder = await self._builder(snapshot, since)
        message = await self._access.send(
            self._access.place(snapshot), job, builder, f"b{table.id}-{table.version}-{table.turn}",
            _mention_awaited(snapshot) if table.board_turn != table.turn and not job.payload.get("silent") else NOBODY,
        )  # fmt: skip
        await self._access.note(
            snapshot, board_version=table.version, board_since=since, board_turn=table.turn,
            board_channel_id=message.channel.id, board_message_id=message.id, board_posted=self._access.sessions.now(),
        )  # fmt: skip
        if table.board_message_id is not None:
            await self._retire_board(snapshot)

    async def _retire_board(self, snapshot: Snapshot) -> None:
        """Remove the buttons of the previous board. If that fails they stay, and lead to the current board."""
        table = snapshot.table
        before = replace(snapshot, history=_at(snapshot.playing, table.board_version or 0))
        language = await self._access.language(snapshot)
        events = before.playing.events_since(max(table.board_since or 0, before.playing.version - 1), None)
        shown = await picture(before, spectator(language), events=events)
        builder = board_message(before, language, shown, table.board_since or 0, live=False)
        message = self._access.message(table.board_channel_id, table.board_message_id)
        with self._cosmetic(table.id):
            async with asyncio.timeout(EDIT_TIMEOUT):
                await message.edit(view=builder.layout(), attachments=builder.files(), allowed_mentions=NOBODY)

    async def _refresh(self, snapshot: Snapshot, job: Job) -> None:
        """Update the newest board after a change that is not a step of the game. If that fails, the next board shows it."""
        table = snapshot.table
        shown = table.board_message_id is not None and (table.board_version, table.board_turn) == (table.version, table.turn)
        if table.status in {Status.PLAYING, Status.FINISHED} and shown:
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


def _mention_awaited(snapshot: Snapshot) -> discord.AllowedMentions:
    """Mentions of the players whose turn it is.

    An edit pings nobody, but without this it would remove the mention from their list of mentions.
    """
    awaited = [discord.Object(p.user_id) for p in snapshot.awaited]
    return discord.AllowedMentions(everyone=False, roles=False, users=awaited)


def _at(history: History, version: int) -> History:
    """The history at an earlier version."""
    return replace(history, log=history.log[:version])
