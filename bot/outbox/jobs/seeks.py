"""The job that tells a person directly that they are not waiting for a game any more."""

from bot.messages.builder import MessageBuilder
from bot.messages.table.seeks import wait_over_words
from bot.outbox.delivery.access import Access
from storage.schema.kinds import WaitEnd
from storage.schema.records import Job


async def tell_wait_over(access: Access, job: Job) -> None:
    """Tell a person that their wait is over, and why, unless they wait again. Whoever takes no messages sees it in `/match`."""
    to = job.payload["to"]
    if await access.sessions.seeks.is_waiting(job.guild_id, to):
        return  # again
    own = await access.language_for(to, job.guild_id)
    text = own(wait_over_words(WaitEnd(job.payload["why"]), access.server_name(job.guild_id)))
    await access.tell(to, job, MessageBuilder().text(text), f"s{job.id}-{int(job.created_at)}")
