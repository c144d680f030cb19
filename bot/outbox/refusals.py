"""Discord's errors: whether they are permanent, whether the job may have been done all the same, and when it is retried."""

from typing import Final

import discord

from bot.outbox.access import SERVER_ERROR, Later
from bot.outbox.permissions import NO_PLACE, OLD_EDITS_USED_UP, THREAD_CLOSED, THREAD_LOCKED, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from bot.runtime.backoff import backoff
from storage.schema.jobs import IDLE
from storage.schema.records import Job

NO_MORE_EDITS: Final = frozenset({UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, OLD_EDITS_USED_UP, THREAD_CLOSED, THREAD_LOCKED})
"""The error codes for messages that cannot be edited, although a new message may work, as it does in an archived thread."""

INVALID: Final = 400
"""The status with which Discord rejects a request as invalid."""

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 900.0
"""The most seconds until a failed job is retried; see `backoff`."""

FIRST_IDLE_RETRY: Final = 120.0
LONGEST_IDLE_RETRY: Final = 6 * 3600.0
"""The most seconds until a failed idle job is retried. Discord grants few edits of old messages, so retries must be rare."""

SPREAD: Final = 0.2
"""The share by which these times are made longer or shorter at random."""

MOST_IDLE_TRIES: Final = 12
"""How often an idle job is tried before it is dropped, which takes about a day and a half."""

REFUSED_IDLE_RETRY: Final = (3600.0, 6 * 3600.0, 24 * 3600.0)
"""Seconds before each retry of a refused idle job, which is dropped after the last. Discord bans bots that retry often."""

REFUSED_RETRY: Final = (60.0, 300.0, 1200.0, *REFUSED_IDLE_RETRY)
"""Seconds before each retry of any other refused job. The first three come early, since many refusals are over soon."""


def is_refusal(error: discord.HTTPException) -> bool:
    """Whether an error is a refusal, which lasts until people on the server change something.

    An unknown message does not count. Even a new message can be unknown, if an earlier attempt posted it and somebody deleted
    it. It is posted anew once Discord has forgotten its nonce.
    """
    return (
        isinstance(error, discord.Forbidden)
        or (isinstance(error, discord.NotFound) and error.code != UNKNOWN_MESSAGE)
        or error.code in {THREAD_CLOSED, THREAD_LOCKED, *NO_PLACE}
    )


def seconds_until_refused_retry(job: Job) -> float | None:
    """Return the seconds until a refused job is retried, or None if it is dropped."""
    schedule = REFUSED_IDLE_RETRY if job.kind in IDLE else REFUSED_RETRY
    return schedule[job.tries] if job.tries < len(schedule) else None


def may_have_been_done(error: BaseException) -> bool:
    """Whether Discord may have carried out a request in spite of an error."""
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR
    return not isinstance(error, discord.RateLimited | Later)


def seconds_until_retry(job: Job, error: BaseException) -> float | None:
    """Return the seconds until a failed job is retried, varied at random, or None to drop an idle job for good."""
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    if isinstance(error, Later):
        return error.seconds
    if job.kind not in IDLE:
        return backoff(job.tries, first=FIRST_RETRY, longest=LONGEST_RETRY, spread=SPREAD)
    if _for_good(error) or job.tries + 1 >= MOST_IDLE_TRIES:
        return None
    return backoff(job.tries, first=FIRST_IDLE_RETRY, longest=LONGEST_IDLE_RETRY, spread=SPREAD)


def _for_good(error: BaseException) -> bool:
    """Whether an edit will never be possible, because the message is gone or Discord finds the edit invalid."""
    if not isinstance(error, discord.HTTPException) or error.code == OLD_EDITS_USED_UP:
        return False
    return error.status == INVALID or isinstance(error, discord.NotFound)
