"""Questions that are settled: their job ``retire`` puts one line in the place of the question and its buttons."""

from bot.messages.table.settled import settled_question
from bot.outbox.delivery.access import Access
from bot.sessions import Snapshot
from storage.schema.records import Job


async def retire_question(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Replace a question by how it was settled, without pinging anybody."""
    builder = settled_question(snapshot, job, access.language(snapshot))
    message = access.message(job.payload["channel"], job.payload["message"])
    await access.edit(message, builder)
