"""Has finished games looked through, step after step, a game of each server at a time."""

import asyncio
from typing import Final

import structlog

from bot.outage import unreachable
from bot.outbox.loop import DueLoop
from bot.sessions import Sessions
from bot.sessions.reviews import Inquiry
from bot.thinking import Priority, thinking

AT_ONCE: Final = 8
"""The games of how many servers are looked through at the same time, at most."""

log = structlog.get_logger(__name__)


class Reviewing:
    """Goes on with all reviews that somebody has asked for. What was found out is stored, and not asked again after a restart.

    Args:
        sessions: the service, which knows what has to be found out.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._reviews = sessions.reviews
        self._given_up: set[int] = set()
        """The tables at which something went wrong: their reviews are gone on with at the next start."""
        self._loop = DueLoop("reviews", self._work, sessions.now)
        sessions.reviews.on_wanted = self._loop.wake

    def wake(self) -> None:
        """Go on where the reviews are."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop. What is being thought about is asked again at the next start."""
        await self._loop.close()

    async def _work(self) -> None:
        """Take one step of a review of each server after the other, until there is nothing left to be found out."""
        while any(await asyncio.gather(*map(self._step, await self._unfinished()))):
            pass

    async def _unfinished(self) -> tuple[int, ...]:
        return (await self._reviews.unfinished(without=self._given_up))[:AT_ONCE]

    async def _step(self, table_id: int) -> bool:
        """Find out the next thing about a game. Returns whether there was any, or others may come before it from now on."""
        try:
            inquiry = await self._reviews.inquiry(table_id)
            if inquiry is None:
                return False
            await self._reviews.found(inquiry, await self._answer(inquiry))
        except Exception as error:
            if unreachable(error) is not None:
                raise
            log.exception("a review goes on at the next start only", table=table_id)
            self._given_up.add(table_id)
        return True

    async def _answer(self, inquiry: Inquiry) -> object:
        """What is to be found out; None if that is not possible, which keeps nobody from the rest of the review."""
        try:
            found: object = await thinking(
                inquiry.function, *inquiry.values, server=inquiry.guild_id, person=0, priority=Priority.REVIEW
            )
        except Exception:
            log.exception("not reviewed", table=inquiry.review.table_id, entry=inquiry.look.number, choice=inquiry.look.choice)
            return None
        return found
