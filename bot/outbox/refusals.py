"""What comes of a job that has failed: whether the error is for good, whether it was done all the same, when it is retried."""

import random
from typing import Final

import discord

from bot.outbox.access import SERVER_ERROR
from bot.outbox.permissions import OLD_EDITS_USED_UP, THREAD_CLOSED, THREAD_LOCKED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from storage.queues import IDLE
from storage.records import Job

NO_MORE_EDITS: Final = frozenset({UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, OLD_EDITS_USED_UP, THREAD_CLOSED, THREAD_LOCKED})
"""Error codes for messages that cannot be edited, although a new one can perhaps be posted.

Posting reopens an archived thread, unless it is locked.
"""

INVALID: Final = 400
"""The status with which Discord says that a request does not make sense."""

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 900.0
"""Seconds before a failed job is retried: FIRST_RETRY, then twice as long each time, up to LONGEST_RETRY."""

FIRST_IDLE_RETRY: Final = 120.0
LONGEST_IDLE_RETRY: Final = 6 * 3600.0
"""The same for jobs that nobody waits for. Discord grants few edits of old messages, and these should not use them up."""

MOST_IDLE_TRIES: Final = 12
"""How often such a job is tried before it is dropped: for about a day and a half."""

REFUSED_RETRY: Final = (3600.0, 6 * 3600.0, 24 * 3600.0)
"""Seconds before a job that Discord refused is retried for the first time, the second time, and so on. Then it is dropped.

They are long because Discord bans bots that repeat refused requests. `OutboxWorker.reconsider` retries sooner, once somebody
has changed the bot's permissions.
"""


def refused(error: discord.HTTPException) -> bool:
    """Whether Discord refuses something until somebody there changes something.

    A message that is unknown although it is only being posted was posted by an earlier attempt and has been deleted since; once
    Discord has forgotten its nonce, it can be posted anew.
    """
    return (
        isinstance(error, discord.Forbidden)
        or (isinstance(error, discord.NotFound) and error.code != UNKNOWN_MESSAGE)
        or error.code in {THREAD_CLOSED, THREAD_LOCKED}
    )


def may_have_been_done(error: BaseException) -> bool:
    """Whether Discord may have done what was asked for, although it did not say so."""
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR
    return not isinstance(error, discord.RateLimited)


def seconds_until_retry(job: Job, error: BaseException) -> float | None:
    """When to try a job again that has failed, in seconds from now. None: not at all, since nobody waits for it.

    Times are spread at random, so that what failed at the same moment is not tried at the same moment again.
    """
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    if job.kind not in IDLE:
        return _growing(FIRST_RETRY, LONGEST_RETRY, job.tries)
    if _for_good(error) or job.tries + 1 >= MOST_IDLE_TRIES:
        return None
    return _growing(FIRST_IDLE_RETRY, LONGEST_IDLE_RETRY, job.tries)


def _for_good(error: BaseException) -> bool:
    """Whether an edit will never be possible: the message is gone, or does not take it."""
    if not isinstance(error, discord.HTTPException) or error.code == OLD_EDITS_USED_UP:
        return False
    return error.status == INVALID or isinstance(error, discord.NotFound)


def _growing(first: float, longest: float, tries: int) -> float:
    doubled = first * 2.0 ** min(tries, 16)  # more would be past the longest, and some day past what a float holds
    return min(longest, doubled) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries
