"""The job that posts what a person shares of a game, as everybody may see it: its card, its replay or a page of its review."""

from typing import Final

from bot.core.table.snapshot import Snapshot
from bot.features.replays.results import public_replay_message
from bot.features.reviews.messages import review_message
from bot.features.reviews.service import Reviews
from bot.features.sharing.messages import public_card_message
from bot.messages.builder import NOBODY
from bot.messages.pictures import looking_back
from bot.outbox.access import SHARED_ONCE_IN, Access, find_sent, shared_nonce
from bot.outbox.jobs import Jobs
from storage.schema.records import Job, JobKind


async def _post_shared(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Post what a person chose to share, unless the channel may not have it or has just had the same."""
    shared_in, page, is_card = job.payload["channel"], job.payload.get("page"), job.payload.get("card", False)
    if snapshot.history is None or not snapshot.may_be_shared_in(shared_in):
        return
    channel = access.client.get_partial_messageable(shared_in, guild_id=snapshot.table.guild_id)
    nonce = shared_nonce(snapshot.table.id, job.payload["version"], shared_in, page, card=is_card)
    if await find_sent(access.client, channel, nonce, job.created_at - SHARED_ONCE_IN) is not None:
        return
    language = access.language(snapshot)
    perspective = looking_back(snapshot, None, language)
    shared_by = job.payload.get("user")
    if is_card:
        reviewed = None if page is None else await access.core.service(Reviews).finished_review(snapshot)
        builder = await public_card_message(snapshot, reviewed, perspective, shared_by=shared_by or 0)
    elif page is None:
        builder = await public_replay_message(snapshot, perspective, shared_by=shared_by)
    else:
        reviewed = await access.core.service(Reviews).finished_review(snapshot)
        if reviewed is None:  # another version of the reviewer is making it again
            return
        builder = await review_message(reviewed, perspective, page, shared_by=shared_by)
    await access.send(channel, job, builder, nonce, NOBODY)


JOBS: Final = Jobs(shared={JobKind.REPLAY: _post_shared})
