"""Reviewing: looks through finished games step by step, one game of each server at a time."""

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
"""How many servers have a game looked through at the same time, at most."""

log = structlog.get_logger(__name__)


class Reviewing:
    """Goes on with all reviews that people have asked for. Each result is stored, and not asked for again after a restart.

    Args:
        core: the tables and their services, which know what is missing in each review.
        advance: called with the number of a table and of the looks that were taken at its game, after each.
    """

    def __init__(self, core: Core, advance: Callable[[int, int], None] = lambda *_: None) -> None:
        self._reviews = core.service(Reviews)
        self._advance = advance
        self._given_up: set[int] = set()
        """The tables at which something went wrong: their reviews go on at the next start."""
        self._loop = DueLoop("reviews", self._work, core.now)
        core.listen(self._loop.wake_by, Work.REVIEWS)

    def wake(self) -> None:
        """Go on with the reviews that are not finished."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop. Inquiries that are being thought about are made again at the next start."""
        await self._loop.close()

    async def _work(self) -> None:
        """Take one step in a review of each server, again and again until all reviews are finished."""
        while any(await asyncio.gather(*map(self._step, await self._unfinished()))):
            pass

    async def _unfinished(self) -> tuple[int, ...]:
        return (await self._reviews.next_unfinished(without=self._given_up))[:AT_ONCE]

    async def _step(self, table_id: int) -> bool:
        """Make the next inquiry about a game. Returns whether there may be more to do."""
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
        """Return the result of an inquiry; None if it fails, which does not stop the rest of the review."""
        try:
            found: object = await thinking(
                inquiry.function, *inquiry.values, server=inquiry.guild_id, person=0, priority=Priority.REVIEW
            )
        except Exception:
            log.exception("not reviewed", table=inquiry.review.table_id, entry=inquiry.look.number, choice=inquiry.look.choice)
            return None
        return found
