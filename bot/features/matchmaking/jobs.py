"""The job that tells a person directly that they are not waiting for a game any more."""

from bot.features.matchmaking.messages import wait_over_message
from bot.features.matchmaking.service import Seeks
from bot.outbox.access import Access
from storage.schema.kinds import WaitEnd
from storage.schema.records import Job


async def tell_wait_over(access: Access, job: Job) -> None:
    """Tell a person that their wait is over, and why, unless they wait again. Whoever takes no messages sees it in `/match`."""
    to = job.payload["to"]
    if await access.core.service(Seeks).is_waiting(job.guild_id, to):
        return  # again
    own = await access.language_for(to, job.guild_id)
    builder = wait_over_message(WaitEnd(job.payload["why"]), job.guild_id, access.server_name(job.guild_id), own)
    await access.write_to(to, job, builder, f"s{job.id}-{int(job.created_at)}")
