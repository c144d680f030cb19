"""The job that tells the application's owner that the clock of the machine cannot be right."""

from bot.messages.doubted_clock import doubted_clock_message
from bot.outbox.access import Access
from storage.schema.records import Job


async def tell_of_doubted_clock(access: Access, job: Job) -> None:
    """Tell the owner directly, unless Discord has shown by now that the clock is right; `springboard doctor` says it, too."""
    if access.core.discord.agrees:
        return
    to = job.payload["to"]
    own = await access.language_for(to, job.guild_id)
    await access.write_to(to, job, doubted_clock_message(access.core.now(), own), f"c{job.id}-{int(job.created_at)}")
