"""Tells Discord what it has still to be told: works the errands off, and keeps those that failed for later.

An errand says only *that* something must be shown ("the board of table 12"); what is shown is read when it is carried out, so
that several changes in a short time cost one message. Kinds:

- ``board``: show the present board, as an edit of the turn's message or as a new one with a ping; ``refresh``: show on it what
  is no step of the game, such as a vacation.
- ``lobby``: bring the table's first message up to date; ``opening``: post it.
- the kinds in bot/ui/notices.py: something to be said in the channel, or to one person.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.errors import NoSuchTable
from bot.language import Language, language
from bot.pictures import Look, picture
from bot.rights import OLD_EDITS_USED_UP, THREAD_CLOSED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, trouble
from bot.sessions import Glance, Sessions
from bot.sessions.record import Record
from bot.ui.board import board_sheet
from bot.ui.lobby import lobby_sheet
from bot.ui.notices import BUILDERS, notice
from bot.ui.sheet import NOBODY, Sheet
from engines.words import Text, say
from storage.records import Errand, Status

EDITABLE: Final = 55 * 60
"""Seconds for which a message may be edited freely. Discord rations edits of messages older than an hour."""

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 900.0
AFTER_TROUBLE: Final = 30.0
"""Seconds after which the outbox is looked at again if it could not be worked off at all."""
HELD_BACK: Final = (3600.0, 6 * 3600.0, 24 * 3600.0)
"""Seconds after which something that Discord refused is tried again, each time; then it is given up. Long, because whoever
tries again and again is shut out; it comes sooner when somebody changes what the bot may do (`reconsider`)."""

NO_MORE_EDITS: Final = frozenset({UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, OLD_EDITS_USED_UP, THREAD_CLOSED})
"""Why a message cannot be edited though a new one might be posted. A post reopens a thread, unless it is locked."""

EDIT_PATIENCE: Final = 10.0
"""Seconds that an edit which is only for looks may take: Discord has bots wait long with edits of old messages."""

log = structlog.get_logger(__name__)

LostConnection = (aiohttp.ClientError, TimeoutError, OSError)


class Delivery:
    """The one that works the outbox off.

    Args:
        client: the connection to Discord.
        sessions: the service; errands come from its store.
        server_language: the language of a server's public texts.
    """

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        server_language: Callable[[int], Awaitable[Language]],
    ) -> None:
        self._client = client
        self._sessions = sessions
        self._server_language = server_language
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._running: asyncio.Task[None] | None = None
        self._again = False
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False
        self._carry_out: dict[str, Callable[[Glance, Errand], Awaitable[None]]] = {
            "board": self._board,
            "refresh": self._refresh,
            "lobby": self._lobby,
            "opening": self._opening,
            **dict.fromkeys(BUILDERS, self._notice),
        }

    def kick(self) -> None:
        """Something may be due: look, unless that is going on already."""
        if self._closed:
            return
        if self._running is not None and not self._running.done():
            self._again = True
            return
        self._running = asyncio.create_task(self._drain(), name="springboard-delivery")

    async def close(self) -> None:
        """Stop. What is not delivered stays in the outbox for the next start."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def deliver(self, table_id: int) -> Text | None:
        """Carry out what is due for one table now. Gives the trouble in words if something could not be shown."""
        refused: Text | None = None
        async with self._sessions.desk.store.read() as reader:
            due = [e for e in await reader.errands(self._sessions.desk.now()) if e.table_id == table_id]
        for errand in due:
            refused = await self._attempt(errand) or refused
        self._wake_later()
        return refused

    async def reconsider(self, guild_id: int) -> None:
        """Somebody has changed what the bot may do on a server: try again what was refused there."""
        desk = self._sessions.desk
        async with desk.store.read() as reader:
            refused = [e for e in await reader.errands(desk.now() + HELD_BACK[-1]) if e.tries and e.due > desk.now()]
            tables = [await reader.table(errand.table_id) for errand in refused]
        again = [e for e, table in zip(refused, tables, strict=True) if table is not None and table.guild_id == guild_id]
        if again:
            async with desk.store.write() as writer:
                for errand in again:
                    await writer.enqueue(replace(errand, due=desk.now()))
            self.kick()

    async def shown(self, table_id: int, kind: str) -> None:
        """An answer to a click has shown already what an errand of this kind was to show: it need not be carried out."""
        desk = self._sessions.desk
        async with self._locks[table_id], desk.store.write() as writer:
            for errand in await writer.errands(desk.now()):
                if errand.table_id == table_id and errand.kind == kind:
                    await writer.finish_errand(errand)

    async def _drain(self) -> None:
        try:
            while True:
                self._again = False
                async with self._sessions.desk.store.read() as reader:
                    due = await reader.errands(self._sessions.desk.now())
                by_table: defaultdict[int, list[Errand]] = defaultdict(list)
                for errand in due:
                    by_table[errand.table_id].append(errand)
                await asyncio.gather(*(self._attempt_all(errands) for errands in by_table.values()))
                if not due and not self._again:
                    break
            async with self._sessions.desk.store.read() as reader:
                following = await reader.next_errand()
        except Exception:
            log.exception("delivery failed")
            following = self._sessions.desk.now() + AFTER_TROUBLE
        self._arm(following)

    async def _attempt_all(self, errands: list[Errand]) -> None:
        for errand in errands:
            await self._attempt(errand)

    async def _attempt(self, errand: Errand) -> Text | None:
        """Carry one errand out, and delete it or put it off. Gives the trouble in words if Discord refuses it."""
        desk = self._sessions.desk
        async with self._locks[errand.table_id]:
            if not await self._still_there(errand):
                return None
            try:
                glance = await desk.glance(errand.table_id)
                await self._carry(glance, errand)
            except NoSuchTable:
                pass
            except discord.HTTPException as error:
                if not (isinstance(error, discord.Forbidden | discord.NotFound) or error.code == THREAD_CLOSED):
                    await self._put_off(errand, error)
                    return None
                log.warning("errand refused", table=errand.table_id, kind=errand.kind, code=error.code, error=error.text)
                if error.code != UNKNOWN_CHANNEL and errand.tries < len(HELD_BACK):
                    await self._postpone(errand, HELD_BACK[errand.tries])
                else:
                    await self._finish(errand)
                return trouble(self._client, glance, error)
            except LostConnection as error:
                await self._put_off(errand, error)
                return None
            except Exception as error:
                log.exception("errand failed", table=errand.table_id, kind=errand.kind)
                await self._put_off(errand, error)
                return None
            await self._finish(errand)
            return None

    async def _carry(self, glance: Glance, errand: Errand) -> None:
        """Carry an errand out. Where a thread was deleted, the game goes on in its channel, unless it is a private one."""
        try:
            await self._carry_out[errand.kind](glance, errand)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or glance.table.thread_id is None or glance.table.private:
                raise
            await self._note(glance, thread_id=None)
            await self._carry_out[errand.kind](await self._sessions.desk.glance(errand.table_id), errand)

    async def _still_there(self, errand: Errand) -> bool:
        """Whether nobody else has carried the errand out while this one waited for the table."""
        async with self._sessions.desk.store.read() as reader:
            return any(e == errand for e in await reader.errands(self._sessions.desk.now()))

    async def _put_off(self, errand: Errand, error: BaseException) -> None:
        wait = min(LONGEST_RETRY, FIRST_RETRY * 2**errand.tries) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries
        log.warning("errand put off", table=errand.table_id, kind=errand.kind, seconds=round(wait), error=repr(error))
        await self._postpone(errand, wait)

    async def _postpone(self, errand: Errand, seconds: float) -> None:
        desk = self._sessions.desk
        async with desk.store.write() as writer:
            await writer.postpone(errand.id, desk.now() + seconds)

    async def _finish(self, errand: Errand) -> None:
        async with self._sessions.desk.store.write() as writer:
            await writer.finish_errand(errand)

    def _arm(self, following: float | None) -> None:
        """Wake up again when the next errand is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if following is not None and not self._closed:
            wait = max(0.0, following - self._sessions.desk.now())
            self._timer = asyncio.get_running_loop().call_later(wait, self.kick)

    def _wake_later(self) -> None:
        if self._running is None or self._running.done():
            self.kick()

    # --- the errands --------------------------------------------------------------------------------------------------

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
