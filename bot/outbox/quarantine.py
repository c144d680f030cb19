"""The job that tells players that their table is in quarantine. Nothing else about such a table can be told."""

from collections.abc import Sequence

import discord

from bot.core.quarantine import CLOSED, Quarantine
from bot.i18n.language import Language
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.notification import Notification, people
from bot.outbox.access import Access
from engines.text import Text, say
from storage.schema.records import Job


async def announce_quarantine(access: Access, job: Job) -> None:
    """Tell a table's players that it is in quarantine, or was closed. In public, only the number of a private table is told."""
    there = await access.core.service(Quarantine).whereabouts(job.table_number)
    if there is None or there.solo or there.channel_id is None or (there.reason is None and job.key != CLOSED):
        return  # gone, shown nowhere, or back again
    place = there.thread_id or there.channel_id
    channel = access.client.get_partial_messageable(place, guild_id=there.guild_id)
    hushed = there.private and there.thread_id is None
    called = () if hushed else there.seated
    language = await access.language_of(there.guild_id)
    builder, mentions = MessageBuilder(), NOBODY
    if called:
        users = [discord.Object(user) for user in called]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        builder.notify(quarantine_notification(job, called, language))
    else:
        builder.text(language(_said(job)))
    if job.key != CLOSED:
        builder.text(language(say("-# Whoever runs this bot has been told. A server manager can also close it.")))
    await access.send(channel, job, builder, f"n{job.id}-{int(job.created_at)}", mentions)


def quarantine_notification(job: Job, called: Sequence[int], language: Language) -> Notification:
    """Return what a table's players see on their lock screens when it is in quarantine, or was closed after that."""
    return Notification(language(_said(job)), mentions=people(called))


def _said(job: Job) -> Text:
    if job.key == CLOSED:
        return say("A moderator closed table #{n}, which I couldn’t read. It has no result.", n=job.table_id)
    return say("Table #{n} is on hold: I can’t load it right now. Its clock has stopped.", n=job.table_id)
