"""The job that posts a shared position of an analysis in a channel."""

from hashlib import sha256
from typing import Final

from bot.core.table.errors import Refused
from bot.features.analysis.messages import analysis_panel, shared_message
from bot.features.analysis.service import Analyses
from bot.messages.builder import NOBODY
from bot.outbox.access import SHARED_ONCE_IN, Access, find_sent
from bot.outbox.jobs import Jobs
from storage.schema.records import Job, JobKind


async def post_analysis(access: Access, job: Job) -> None:
    """Post a position of an analysis, unless it has just been posted, or the analysis is gone."""
    shared_in, user_id, shared = job.payload["channel"], job.payload["user"], job.payload["analysis"]
    try:
        at = await access.core.service(Analyses).get(shared, user_id, job.guild_id, job.payload["position"])
    except Refused:
        return
    channel = access.client.get_partial_messageable(shared_in, guild_id=job.guild_id)
    nonce = analysis_nonce(shared, at.number, shared_in)
    if await find_sent(access.client, channel, nonce, job.created_at - SHARED_ONCE_IN) is None:
        panel = analysis_panel(at, await access.language_of(job.guild_id))
        await access.send(channel, job, await shared_message(panel, user_id), nonce, NOBODY)


def analysis_nonce(analysis_id: int, position: int, channel_id: int) -> str:
    """Return the nonce of a position shared in a channel, by which the message is found again. Discord allows 25 characters."""
    return f"a{sha256(f'{analysis_id}-{position}-{channel_id}'.encode()).hexdigest()[:20]}"


JOBS: Final = Jobs(about_none={JobKind.ANALYSIS: post_analysis})
