"""The jobs that send one person a direct message. Their texts are in bot/messages/direct_messages.py."""

from bot.core.table.snapshot import Snapshot
from bot.i18n.language import language
from bot.messages.direct_messages import direct_message, doubted_clock_message, out_of_date, read_direct_message
from bot.outbox.access import Access
from bot.outbox.permissions import explain_unshown
from storage.schema.records import Job


async def send_direct_message(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Send a direct message. Nothing may depend on it, since a person who accepts none does not get it."""
    to, letter = job.payload["to"], read_direct_message(job.payload)
    if out_of_date(snapshot, letter, to):
        return
    unshown = explain_unshown(access.client, snapshot, letter.code)
    settings = snapshot.settings_of(to)
    own = access.language(snapshot) if settings.language is None else language(settings.language)
    await access.write_to(to, job, direct_message(snapshot, letter, to, unshown, own), f"l{job.id}-{int(job.created_at)}")


async def tell_of_doubted_clock(access: Access, job: Job) -> None:
    """Tell the owner that the clock is doubted, unless Discord has shown by now that the clock is right."""
    if access.core.discord.agrees:
        return
    to = job.payload["to"]
    own = await access.language_for(to, job.guild_id)
    await access.write_to(to, job, doubted_clock_message(access.core.now(), own), f"c{job.id}-{int(job.created_at)}")
