"""The jobs that send one person a direct message. Their texts are in bot/messages/direct_messages.py."""

from bot.core.table.snapshot import Snapshot
from bot.i18n.language import language
from bot.messages.direct_messages import direct_message, out_of_date, read_direct_message
from bot.outbox.access import Access
from bot.outbox.permissions import explain_unshown
from storage.schema.records import Job


async def send_direct_message(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Send a direct message. A person who takes none does not get it: nothing may depend on it."""
    to, letter = job.payload["to"], read_direct_message(job.payload)
    if out_of_date(snapshot, letter, to):
        return
    unshown = explain_unshown(access.client, snapshot, letter.code)
    settings = snapshot.settings_of(to)
    own = access.language(snapshot) if settings.language is None else language(settings.language)
    await access.write_to(to, job, direct_message(snapshot, letter, to, unshown, own), f"l{job.id}-{int(job.created_at)}")
