"""Boards: the jobs that show the current board of a game, and retire older ones.

``board`` shows the current board, either by editing this turn's message or in a new message with a ping, which is plain at
first. If Discord refuses the second call, the announcement is recorded, and edited later. If only one person plays, among
computers, and is looking at the board, it is edited from turn to turn.

``refresh`` shows a change that is no step of the game, such as a vacation. ``retire`` folds an older board or a settled
question into one line. It also deletes reminders whose turn was played, or which a newer reminder replaces.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Final

import discord

from bot.core.jobs import Outbox, Posted, Shown
from bot.core.reminders import all_asleep
from bot.core.table.since import Since, standing, story_of
from bot.core.table.snapshot import Snapshot
from bot.messages.board import announce_turn, board_message
from bot.messages.builder import NOBODY, MessageBuilder, Picture
from bot.messages.folded_board import folded_board
from bot.messages.marks import clicks, has_mark
from bot.messages.pictures import draw_into, picture_without_content, spectator, version_shown
from bot.messages.settled import SettledOffer, settled_question
from bot.outbox.access import Access, Handler, LostConnection, own_messages
from bot.outbox.files import KeptFile, files_shown
from bot.outbox.refusals import INVALID, NO_MORE_EDITS
from storage.schema.jobs import is_of_question, is_of_reminder
from storage.schema.records import Job, JobKind, OfferKind, Seat, Settled, Status

EDITABLE: Final = 55 * 60
"""Seconds during which a message may be edited freely. Discord limits edits of messages older than an hour."""


class Boards:
    """Shows boards. `offers` has the words for settled offers."""

    def __init__(self, access: Access, offers: Mapping[OfferKind, SettledOffer]) -> None:
        self._access = access
        self._offers = offers

    def handlers(self) -> Mapping[JobKind, Handler]:
        """Return the handlers of the jobs that are carried out here."""
        return {JobKind.BOARD: self._board, JobKind.REFRESH: self._refresh, JobKind.RETIRE: self._retire}

    async def _board(self, snapshot: Snapshot, job: Job) -> Shown | None:
        """Show the board. If an earlier attempt may have posted it, look for its messages first."""
        table = snapshot.table
        in_doubt = snapshot.history is not None and self._access.in_doubt(job)
        strays = await self._strays(snapshot, job) if in_doubt else []
        newest = next((stray for stray in strays if stray.turn is not None), None)
        if newest is not None and newest.version == table.version and not newest.announces:
            return Shown((newest, *strays))
        if newest is None and strays and (_is_announced(snapshot) or _stays_in_place(snapshot, job)):
            newest = strays[0]  # the message to edit has to be the newest, even if the turn it asks for is over
        if newest is None:
            return await self._show_board(snapshot, job, strays)
        await self._access.core.service(Outbox).record_board(table.id, newest, *strays)
        return await self._show_board(await self._access.core.snapshot(table.id), job)

    async def _show_board(self, snapshot: Snapshot, job: Job, strays: Sequence[Posted] = ()) -> Shown | None:
        """Show the current board. `strays` are messages that show it but are not on record."""
        table, announced = snapshot.table, _is_announced(snapshot)
        if snapshot.history is None or (table.board_version == table.version and announced):
            return None
        if (announced or _stays_in_place(snapshot, job)) and self._editable(snapshot):
            try:
                return await self._edit_board(snapshot)
            except discord.HTTPException as error:
                if error.code not in NO_MORE_EDITS:
                    raise
        # While computers think, nothing is posted. One message then tells everything up to the next person's turn.
        return None if snapshot.thinking else await self._post_board(snapshot, job, strays)

    def _editable(self, snapshot: Snapshot) -> bool:
        posted = snapshot.table.board_posted
        return snapshot.table.board_message_id is not None and posted is not None and (
            self._access.core.now() - posted < EDITABLE
        )  # fmt: skip

    async def _builder(self, snapshot: Snapshot, since: Since) -> MessageBuilder:
        language = self._access.language(snapshot)
        empty = picture_without_content(snapshot.position, spectator(language))
        return board_message(snapshot, language, await self._picture(empty, snapshot, since), since.told)

    async def _picture(self, empty: Picture, snapshot: Snapshot, since: Since) -> Picture:
        viewer = spectator(self._access.language(snapshot))
        return await draw_into(empty, snapshot.position, viewer, standing(snapshot.playing, since.drawn))

    async def _edit_board(self, snapshot: Snapshot) -> Shown:
        table, since = snapshot.table, _since(snapshot)
        builder = await self._builder(snapshot, since)
        message = self._access.message(table.board_channel_id, table.board_message_id)
        await self._access.edit(message, builder, _mention_awaited(snapshot))
        assert table.board_channel_id is not None
        assert table.board_message_id is not None
        board = Posted(
            channel_id=table.board_channel_id, message_id=table.board_message_id, version=table.version, since=since.told,
            turn=table.board_turn if snapshot.thinking else table.turn, at=table.board_posted,
        )  # fmt: skip
        return Shown((board,))

    async def _post_board(self, snapshot: Snapshot, job: Job, strays: Sequence[Posted]) -> Shown:
        """Post the board in a new message, which announces the turn and, once a turn, pings the players who are awaited."""
        table, since, language = snapshot.table, _since(snapshot), self._access.language(snapshot)
        empty = picture_without_content(snapshot.position, spectator(language))
        builder, mentions = board_message(snapshot, language, empty, since.told), NOBODY
        nonce = _nonce(snapshot, table.version, again=table.board_turn == table.turn)
        if table.board_turn != table.turn and not job.payload.get("silent"):
            mentions = _mention_awaited(snapshot)
            announce_turn(builder, snapshot, language, since.told)
        silent = all_asleep(snapshot, [player.user_id for player in _pinged(snapshot)], self._access.core.now())
        # A message that pings is plain at first, so it need not wait for its picture.
        drawing = asyncio.ensure_future(self._picture(empty, snapshot, since))
        try:
            if builder.notification is None:
                builder.fill(await drawing)
            message = await self._access.create(self._access.place(snapshot), builder, nonce, mentions, silent=silent)
            board = Posted(
                channel_id=message.channel.id, message_id=message.id, version=table.version, since=since.told,
                turn=table.turn, at=self._access.core.now(),
            )  # fmt: skip
            if builder.notification is not None:
                self._access.doubt(job, message)
                builder.fill(await drawing)
        finally:
            drawing.cancel()
        try:
            await self._access.lay_out(message, job, builder, mentions, nonce)
        except (discord.HTTPException, discord.RateLimited, *LostConnection):
            await self._access.core.service(Outbox).record_board(table.id, replace(board, announces=True), *strays)
            raise
        return Shown((board, *strays))

    async def _strays(self, snapshot: Snapshot, job: Job) -> list[Posted]:
        """Return the boards posted after the newest one on record, the last one first."""
        table, created = snapshot.table, self._access.created(job)
        sent = await own_messages(self._access.client, self._access.place(snapshot), job.created_at)
        if created is not None and all(message.id != created.id for message in sent):
            sent.append(created)  # the bot may not read the history of the channel
        found = []
        for message in sent:
            shown = _version_on_buttons(snapshot, message)
            if shown is not None and message.id > (table.board_message_id or 0):
                of_this_turn = any(has_mark(message, _nonce(snapshot, shown, again=again)) for again in (False, True))
                found.append(
                    Posted(
                        channel_id=message.channel.id, message_id=message.id, version=shown,
                        since=_since(snapshot, shown).told, turn=table.turn if of_this_turn else None,
                        at=message.created_at.timestamp(), announces=not message.flags.components_v2,
                    )
                )  # fmt: skip
        return sorted(found, key=lambda posted: -posted.message_id)

    async def _retire(self, snapshot: Snapshot, job: Job) -> None:
        """Remove an older board's buttons. Unless the server keeps boards, the same call folds the board into one line."""
        if is_of_question(job):
            await self._retire_question(snapshot, job)
            return
        message = self._access.message(job.payload["channel"], job.payload["message"])
        version, since = job.payload["version"], job.payload["since"]
        if since == version:  # it only announced its turn, as far as is known
            since = _since(snapshot, version).told
        if snapshot.server_settings.old_boards == "keep":
            await self._keep(snapshot, message, version, since)
        else:
            await self._access.edit(message, folded_board(snapshot, self._access.language(snapshot), version))

    async def _retire_question(self, snapshot: Snapshot, job: Job) -> None:
        """Replace a question with a line that says how it was settled, or delete an outdated reminder. Nobody is pinged."""
        message = self._access.message(job.payload["channel"], job.payload["message"])
        if is_of_reminder(job) and job.payload["how"] != Settled.LAPSED:
            end = message.delete()
        else:
            end = self._access.edit(message, settled_question(snapshot, job, self._access.language(snapshot), self._offers))
        # A reminder that stays does no harm, and one to somebody who has blocked the bot could never be changed.
        with suppress(discord.Forbidden) if is_of_reminder(job) else nullcontext():
            await end

    async def _keep(self, snapshot: Snapshot, message: discord.PartialMessage, version: int, since: int) -> None:
        """Remove a board's buttons but keep its picture, whose file the edit names, so that it is not drawn or sent again."""
        files = self._access.files_of(message.id)
        if files is not None:
            try:
                await self._without_buttons(snapshot, message, version, since, files)
                return
            except discord.HTTPException as error:
                if error.status != INVALID or error.code in NO_MORE_EDITS:
                    raise
        found = await message.fetch()
        files = files_shown(found)
        shown = version_shown(snapshot, files[0].filename) if files else _version_on_buttons(snapshot, found)
        if shown is not None:  # otherwise, it has already lost its buttons, and has words in place of its picture
            since = since if shown == version else _since(snapshot, shown).told
            await self._without_buttons(snapshot, message, shown, since, files)

    async def _without_buttons(
        self, snapshot: Snapshot, message: discord.PartialMessage, version: int, since: int, files: Sequence[KeptFile]
    ) -> None:
        """Remove the buttons of a board that shows a version. `files` has its picture, or is empty if the board is in words."""
        before = replace(snapshot, history=snapshot.playing.at(version))
        language = self._access.language(snapshot)
        shown = picture_without_content(before.position, spectator(language), in_words=not files)
        builder = board_message(before, language, shown, since, live=False)
        await self._access.edit(message, builder, keeps=files)

    async def _refresh(self, snapshot: Snapshot, job: Job) -> Shown | None:
        """Update the newest board after a change that is no step of the game."""
        table = snapshot.table
        shown = table.board_message_id is not None and (table.board_version, table.board_turn) == (table.version, table.turn)
        return await self._edit_board(snapshot) if table.status in {Status.PLAYING, Status.FINISHED} and shown else None


_ON_BOARDS: Final = frozenset({"more", "words"})
"""The verbs of a button on every board, in this version and in version 1.0.0."""


def _version_on_buttons(snapshot: Snapshot, message: discord.Message) -> int | None:
    """Return the version of the board in a message, by its buttons or an announcement's mark, or None if there is none."""
    own = [click for click in clicks(message) if click.table == snapshot.table.id]
    if message.flags.components_v2:
        return next((click.version for click in own if click.verb in _ON_BOARDS), None)
    turns = range(snapshot.table.turn, -1, -1)
    versions = (click.version for click in own for turn in turns if has_mark(message, _nonce(snapshot, click.version, turn)))
    return next(versions, None)


def _is_announced(snapshot: Snapshot) -> bool:
    """Whether nobody has to be pinged, because the newest message has already done so this turn or because computers think."""
    return snapshot.table.board_turn == snapshot.table.turn or snapshot.thinking


def _stays_in_place(snapshot: Snapshot, job: Job) -> bool:
    """Whether a new turn is shown by editing the message of the last one, because its only reader is looking at it."""
    return snapshot.is_alone and job.payload.get("silent", False) and snapshot.server_settings.old_boards != "keep"


def _since(snapshot: Snapshot, version: int | None = None) -> Since:
    """Return since when the board of a version (None: the newest) tells and draws events.

    Where computers play, it also tells what no message has shown yet, since the message before may have become too old to edit.
    """
    history, shown = snapshot.playing, snapshot.table.board_version
    story = story_of(history if version is None else history.at(version), snapshot.computers)
    if not snapshot.computers or shown is None:
        return story
    return replace(story, told=min(story.told, shown))


def _nonce(snapshot: Snapshot, version: int, turn: int | None = None, *, again: bool = False) -> str:
    """Return the nonce of a turn's board (None: the current turn). `again` is for a board that replaces the announcement."""
    return f"b{snapshot.table.id}-{version}-{snapshot.table.turn if turn is None else turn}" + ("-a" if again else "")


def _mention_awaited(snapshot: Snapshot) -> discord.AllowedMentions:
    """Mention the people whose turn it is. Without these mentions, an edit would remove the message from their inboxes."""
    users = [discord.Object(player.user_id) for player in _pinged(snapshot)]
    return discord.AllowedMentions(everyone=False, roles=False, users=users)


def _pinged(snapshot: Snapshot) -> list[Seat]:
    return [player for player in snapshot.awaited if player.computer is None]
