"""Replays: the jobs that post the animation of a game, by itself after its end and where somebody shares theirs, or its review.

What everybody may see is posted and nothing else, whoever it was that shared it.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from bot.messages.builder import NOBODY
from bot.messages.perspective import looking_back
from bot.messages.records import public_replay_message
from bot.messages.review import review_message
from bot.outbox.access import Access, Handler
from bot.outbox.sent import find_sent
from bot.sessions import Snapshot
from storage.records import Job, JobKind

SHARED_ONCE_IN: Final = 3600.0
"""Seconds within which the same replay is not posted a second time in one channel, however often it is shared."""


class Replays:
    """Posts replays.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Handler]:
        """The handlers of the kinds of jobs that are carried out here."""
        return {JobKind.REPLAY: self._replay}

    async def _replay(self, snapshot: Snapshot, job: Job) -> None:
        """Post the replay of a game where it is played, or in the channel that it is shared in."""
        if snapshot.history is None:
            return
        channel, nonce = self._access.place(snapshot), f"r{job.id}-{int(job.created_at)}"
        shared_in = job.payload.get("channel")
        if shared_in is not None:
            if not snapshot.may_be_shared_in(shared_in):
                return
            channel = self._access.client.get_partial_messageable(shared_in, guild_id=snapshot.table.guild_id)
            nonce = shared_nonce(snapshot.table.id, job.payload["version"], shared_in, job.payload.get("page"))
            if await find_sent(self._access.client, channel, nonce, job.created_at - SHARED_ONCE_IN) is not None:
                return
        language = self._access.language(snapshot)
        perspective = looking_back(snapshot, None, language)
        shared_by = job.payload.get("user")
        if (page := job.payload.get("page")) is None:
            builder = await public_replay_message(snapshot, perspective, shared_by=shared_by)
        else:
            reviewed = await self._access.sessions.reviews.finished(snapshot)
            if reviewed is None:  # it is made anew by another version of the reviewer
                return
            builder = await review_message(reviewed, perspective, page, shared_by=shared_by)
        await self._access.send(channel, job, builder, nonce, NOBODY)


def shared_nonce(table_id: int, version: int, channel_id: int, page: int | None = None) -> str:
    """The nonce of a replay that is shared, or of a page of a review, the same for the same in the same channel.

    It may have 25 characters.
    """
    what = f"{table_id}-{version}-{channel_id}" + ("" if page is None else f"-{page}")
    return f"s{sha256(what.encode()).hexdigest()[:20]}"


def shares(job: Job) -> bool:
    """Whether a job posts something in a channel that need not be that of its table."""
    return job.kind is JobKind.REPLAY and "channel" in job.payload
