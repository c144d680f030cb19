"""The loop that reviews finished games step by step, one game at a time on each server."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from bot.core.core import Core, Work
from bot.features.reviews.service import Inquiry, Reviews
from bot.runtime.due_loop import DueLoop
from bot.runtime.outage import unreachable
from bot.workers.thinking import thinking
from bot.workers.thinking_queue import Priority

AT_ONCE: Final = 8
"""The most servers that can have a game under review at the same time."""

log = structlog.get_logger(__name__)


class Reviewing:
    """Carries on reviews, even after a restart. After each look, `advance` is called with the table and the number of looks."""

    def __init__(self, core: Core, advance: Callable[[int, int], None] = lambda *_: None) -> None:
        self._reviews = core.service(Reviews)
        self._advance = advance
        self._given_up: set[int] = set()
        """The tables whose reviews failed. They are tried again when the bot next starts."""
        self._loop = DueLoop("reviews", self._work, core.now)
        core.listen(self._loop.wake_by, Work.REVIEWS)

    def wake(self) -> None:
        """Carry on with unfinished reviews."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop. Inquiries that are still unanswered are repeated at the next start."""
        await self._loop.close()

    async def _work(self) -> None:
        """Take one step in one review of each server, again and again, until all reviews are finished."""
        busy = True
        while busy:
            unfinished = (await self._reviews.next_unfinished(without=self._given_up))[:AT_ONCE]
            busy = any(await asyncio.gather(*map(self._step, unfinished)))

    async def _step(self, table_id: int) -> bool:
        """Make the next inquiry about a game, and return whether there may be more to do."""
        try:
            inquiry = await self._reviews.inquiry(table_id)
            if inquiry is None:
                return False
            await self._reviews.note_answer(inquiry, await self._answer(inquiry))
            self._advance(table_id, inquiry.looks + 1)
        except Exception as error:
            if unreachable(error) is not None:
                raise
            log.exception("a review goes on at the next start only", table=table_id)
            self._given_up.add(table_id)
        return True

    async def _answer(self, inquiry: Inquiry) -> object:
        """Return an inquiry's result, or None if it fails. A failure does not stop the rest of the review."""
        try:
            found: object = await thinking(
                inquiry.function, *inquiry.values, server=inquiry.guild_id, person=0, priority=Priority.REVIEW
            )
        except Exception:
            log.exception("not reviewed", table=inquiry.review.table_id, entry=inquiry.look.number, choice=inquiry.look.choice)
            return None
        return found
