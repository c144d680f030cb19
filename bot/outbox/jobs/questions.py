"""Questions that are settled: their job ``retire`` puts one line in the place of the question and its buttons.

A reminder of a turn that was played, or that another one takes the place of, is deleted.
"""

from contextlib import suppress

import discord

from bot.messages.table.settled import settled_question
from bot.outbox.delivery.access import Access
from bot.sessions import Snapshot
from storage.schema.jobs import is_of_reminder
from storage.schema.records import Job, Settled


async def retire_question(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Replace a question by how it was settled, without pinging anybody."""
    message = access.message(job.payload["channel"], job.payload["message"])
    if is_of_reminder(job) and job.payload["how"] != Settled.LAPSED:
        with suppress(discord.Forbidden):  # nothing is wrong with it where it stays
            await message.delete()
        return
    await access.edit(message, settled_question(snapshot, job, access.language(snapshot)))
