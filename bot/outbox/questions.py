"""Questions that are settled: their job ``retire`` puts one line in the place of the question and its buttons.

A reminder of a turn that was played, or that another one takes the place of, is deleted.
"""

from collections.abc import Mapping
from contextlib import nullcontext, suppress

import discord

from bot.core.table.snapshot import Snapshot
from bot.messages.settled import SettledOffer, settled_question
from bot.outbox.access import Access
from storage.schema.jobs import is_of_reminder
from storage.schema.records import Job, OfferKind, Settled


async def retire_question(access: Access, snapshot: Snapshot, job: Job, offers: Mapping[OfferKind, SettledOffer]) -> None:
    """Replace a question by how it was settled, without pinging anybody. `offers`: what is said of offers."""
    message = access.message(job.payload["channel"], job.payload["message"])
    if is_of_reminder(job) and job.payload["how"] != Settled.LAPSED:
        end = message.delete()
    else:
        end = access.edit(message, settled_question(snapshot, job, access.language(snapshot), offers))
    # A reminder does no harm where it stays; that of somebody who has blocked the bot could never be ended.
    with suppress(discord.Forbidden) if is_of_reminder(job) else nullcontext():
        await end
