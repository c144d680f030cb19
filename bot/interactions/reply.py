"""Answers to interactions within Discord's three seconds: in a single request, or deferred and filled in when ready."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from typing import Any, Final, TypedDict, TypeVar, Unpack

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.interactions.panels import Panels
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.form import Form
from bot.runtime import metrics
from bot.runtime.request_counts import Tally, adding_to
from bot.runtime.rival import rivals
from bot.workers.drawing import answer_under_way

DEFER_AFTER: Final = 1.5
"""Seconds after which an interaction without an answer is deferred. Discord gives up after three seconds."""

KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.component: "button",
    discord.InteractionType.modal_submit: "form",
}
"""The labels of the types of interactions in the metrics."""

UNKNOWN_INTERACTION: Final = 10062
ALREADY_ANSWERED: Final = 40060

Result = TypeVar("Result")

log = structlog.get_logger(__name__)

Interaction = discord.Interaction[Any]
Command = app_commands.Command[Any, ..., Any]
Menu = app_commands.ContextMenu


class Manner(TypedDict, total=False):
    """How an interaction is answered. The default is a private message.

    Attributes:
        update: whether the answer replaces the clicked message, such as a private panel.
        public: whether everybody sees the answer.
        silent: whether the clicked message stays, and the answer is an additional private message.
    """

    update: bool
    public: bool
    silent: bool


class Reply:
    """The answer to an interaction, in a certain `Manner`. `lost` says that the last request probably never reached Discord."""

    def __init__(
        self,
        interaction: Interaction,
        *,
        panels: Panels | None = None,
        update: bool = False,
        public: bool = False,
        silent: bool = False,
        made: Callable[[], None] = lambda: None,
    ) -> None:
        self.interaction = interaction
        self._tell_made = made
        self._panels = panels
        self._update = update and interaction.message is not None
        self._public = public
        self._silent = silent and interaction.message is not None
        self._lock = asyncio.Lock()
        self._deferred = False
        self._answered = False
        self._provisional = False
        self._arrived: float | None = time.perf_counter()
        self._made = Tally()
        self._rivalled = False
        self.lost = False

    async def defer(self) -> None:
        """Tell Discord that the answer will take a moment, unless it has been sent already."""
        async with self._lock:
            if self._deferred or self._answered or self._provisional:
                return
            with self._tolerant("defer"):
                if self._update or self._silent:
                    await insisting(self.interaction.response.defer)
                else:
                    await insisting(lambda: self.interaction.response.defer(ephemeral=not self._public, thinking=True))
            self._deferred = not self.lost

    async def progress(self, builder: MessageBuilder) -> None:
        """Show the user the progress until the answer or an error replaces it. A public or silent answer shows none."""
        if not (self._public or self._silent):
            # If the caller is cancelled because the answer is ready, the request goes on, and the answer waits for it.
            await asyncio.shield(asyncio.ensure_future(self._show_progress(builder)))

    async def _show_progress(self, builder: MessageBuilder) -> None:
        async with self._lock:
            if self._answered:
                return
            with self._tolerant("progress"):
                if self._deferred or self._provisional:
                    await self._edit(builder)
                elif self._update:
                    await self._replace(builder)
                else:
                    await self._send(builder)
            self._provisional = self._provisional or not self.lost

    async def _edit(self, builder: MessageBuilder) -> int:
        """Replace the answer, or fill in a deferred one. Returns the id of the message."""
        message = await insisting(
            lambda: self.interaction.edit_original_response(
                content=None, view=builder.layout(), attachments=builder.files(), allowed_mentions=NOBODY
            )
        )
        return message.id

    async def _replace(self, builder: MessageBuilder) -> None:
        await insisting(
            lambda: self.interaction.response.edit_message(
                content=None, view=builder.layout(), attachments=builder.files(), allowed_mentions=NOBODY
            )
        )

    async def show(self, builder: MessageBuilder) -> int | None:
        """Send the answer, or replace the one already sent. Returns the id of the message if Discord has sent one."""
        if self._silent:
            await self.followup(builder)
            return None
        message_id = None
        async with self._lock:
            with self._tolerant("show"):
                if self._deferred or self._answered or self._provisional:
                    message_id = await self._edit(builder)
                elif self._update:
                    await self._replace(builder)
                else:
                    message_id = await self._send(builder)
            self._answered = True
        message = self.interaction.message
        if in_panel(self.interaction) or not (self._update or self._public):
            self._note_panel(message.id if self._update and message is not None else message_id, builder)
        return message_id

    def _note_panel(self, message_id: int | None, builder: MessageBuilder) -> None:
        """Remember the panel that a private message now shows. If its id is None, nothing is remembered."""
        if self._panels is not None and message_id is not None and not self.lost:
            self._panels.note(self.interaction.user.id, message_id, self.interaction.id, builder)

    async def _send(self, builder: MessageBuilder) -> int | None:
        try:
            answer = await insisting(
                lambda: self.interaction.response.send_message(
                    view=builder.layout(), files=builder.files(), ephemeral=not self._public, allowed_mentions=NOBODY
                )
            )
        except discord.HTTPException as error:
            if error.code != ALREADY_ANSWERED or self._is_answered_elsewhere():
                raise
            # Discord had accepted an earlier attempt, or a deferral, that seemed to have failed.
            return await self._edit(builder)
        return answer.message_id

    async def followup(self, builder: MessageBuilder) -> None:
        """Send a private message in addition to the answer, such as an error or a warning. The clicked message stays."""
        message_id = None
        async with self._lock:
            with self._tolerant("followup"):
                waiting = self._deferred and not self._answered
                if self._provisional and not self._answered:
                    message_id = await self._edit(builder)
                elif not waiting and not self._answered:
                    answer = await self.interaction.response.send_message(
                        view=builder.layout(), files=builder.files(), ephemeral=True, allowed_mentions=NOBODY
                    )
                    message_id = answer.message_id
                elif waiting and not (self._update or self._silent or self._public):
                    message_id = await self._edit(builder)
                else:
                    unfilled = waiting and self._public
                    # A followup would fill the public placeholder. So the placeholder is filled first, and deleted afterwards.
                    if unfilled:
                        await self.interaction.edit_original_response(
                            content=None, view=MessageBuilder().text("…").layout(), allowed_mentions=NOBODY
                        )
                    try:
                        sent = await self.interaction.followup.send(
                            view=builder.layout(), files=builder.files(), ephemeral=True, allowed_mentions=NOBODY, wait=True
                        )
                        message_id = sent.id
                    finally:
                        if unfilled:
                            await self.interaction.delete_original_response()
            self._answered = True
        self._note_panel(message_id, builder)

    async def post(self, builder: MessageBuilder) -> bool:
        """Send a message that everybody sees, after the interaction has been answered. Returns whether it has arrived."""
        async with self._lock:
            with self._tolerant("post"):
                await self.interaction.followup.send(
                    view=builder.layout(), files=builder.files(), ephemeral=False, allowed_mentions=NOBODY, wait=True
                )
            return not self.lost

    async def update(self, builder: MessageBuilder) -> None:
        """Replace the clicked message for everybody, before anything else is shown. This is only for silent answers."""
        async with self._lock:
            with self._tolerant("update"):
                if self._deferred:
                    await self._edit(builder)
                else:
                    await self._replace(builder)
            self._answered = True

    async def ask(self, form: Form) -> bool:
        """Answer with a form. Returns False if the interaction has already been deferred or answered."""
        async with self._lock:
            if self._deferred or self._answered:
                return False
            with self._tolerant("ask"):
                await insisting(lambda: self.interaction.response.send_modal(form))
            self._answered = True
        return True

    async def acknowledge(self) -> None:
        """Answer without showing anything. The clicked message stays."""
        async with self._lock:
            if not (self._answered or self._deferred):
                with self._tolerant("acknowledge"):
                    await insisting(self.interaction.response.defer)
                self._answered = True

    def _is_answered_elsewhere(self) -> bool:
        """Whether another process has answered, because it has taken over the shard or uses the same token.

        If it uses the same token, this answer's very first request is refused. Processes that divide the shards among them may
        both receive an interaction for a moment, which does no harm.
        """
        if not self.interaction.client.alone:
            return True
        if self._made.requests == 1 and not self.interaction.client.shares_token:
            self._rivalled = True
            rivals.note(self.interaction.id)
        return self._rivalled

    @contextmanager
    def _tolerant(self, what: str) -> Iterator[None]:
        """Tolerate a failed answer, since it must not undo a change. The board will show the change anyway.

        A retry after a 5xx may find the interaction already answered (40060), a late request may find it expired (10062), and a
        lost connection raises an exception of aiohttp.
        """
        self.lost = False
        self._tell_made()
        try:
            with adding_to(self._made):
                yield
            if self._arrived is not None:  # this is the first answer
                seconds, self._arrived = time.perf_counter() - self._arrived, None
                metrics.ANSWER.labels(KINDS.get(self.interaction.type, "other")).observe(seconds)
        except discord.InteractionResponded:
            log.info("answered before", what=what)
        except discord.HTTPException as error:
            self.lost = error.code != ALREADY_ANSWERED or self._is_answered_elsewhere()
            if error.code not in {ALREADY_ANSWERED, UNKNOWN_INTERACTION}:
                log.warning("reply failed", what=what, status=error.status, code=error.code, error=error.text)
        except (discord.RateLimited, aiohttp.ClientError, TimeoutError, OSError) as error:
            self.lost = True
            log.warning("reply failed", what=what, error=repr(error))


async def insisting(request: Callable[[], Awaitable[Result]]) -> Result:
    """Make a request that may be made twice, such as a callback or an edit. Repeat it at once if its connection broke."""
    try:
        return await request()
    except TimeoutError:
        raise  # it took minutes, and is of no use any more
    except (aiohttp.ClientError, ConnectionError) as error:
        log.info("answering once more", error=repr(error))
        return await request()


@asynccontextmanager
async def answering(
    interaction: Interaction, *, defer_after: float = DEFER_AFTER, panels: Panels | None = None, **manner: Unpack[Manner]
) -> AsyncIterator[Reply]:
    """Yield the reply to an interaction, which is deferred if the block takes longer than `defer_after` seconds."""
    under_way = ExitStack()
    under_way.enter_context(answer_under_way())
    reply = Reply(interaction, panels=panels, made=under_way.close, **manner)

    async def watch() -> None:
        await asyncio.sleep(defer_after)
        await reply.defer()

    watcher = asyncio.create_task(watch(), name="springboard-defer")
    try:
        yield reply
    finally:
        under_way.close()
        watcher.cancel()
        with suppress(asyncio.CancelledError):
            await watcher


def in_panel(interaction: Interaction) -> bool:
    """Whether a click was on a private message, which the answer to the click replaces."""
    message = interaction.message
    return message is not None and message.flags.ephemeral
