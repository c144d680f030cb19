"""Questions that are settled: their job ``retire`` puts one line in the place of the question and its buttons.

A reminder of a turn that was played, or that another one takes the place of, is deleted.
"""

from contextlib import nullcontext, suppress

import discord

from bot.core.table.snapshot import Snapshot
from bot.messages.settled import settled_question
from bot.outbox.access import Access
from storage.schema.jobs import is_of_reminder
from storage.schema.records import Job, Settled


async def retire_question(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Replace a question by how it was settled, without pinging anybody."""
    message = access.message(job.payload["channel"], job.payload["message"])
    if is_of_reminder(job) and job.payload["how"] != Settled.LAPSED:
        end = message.delete()
    else:
        end = access.edit(message, settled_question(snapshot, job, access.language(snapshot)))
    # A reminder does no harm where it stays; that of somebody who has blocked the bot could never be ended.
    with suppress(discord.Forbidden) if is_of_reminder(job) else nullcontext():
        await end
