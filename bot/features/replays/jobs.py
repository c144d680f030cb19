"""The job that posts the replay of a finished game where it was played."""

from typing import Final

from bot.core.table.snapshot import Snapshot
from bot.features.replays.results import public_replay_message
from bot.messages.builder import NOBODY
from bot.messages.pictures import looking_back
from bot.outbox.access import Access
from bot.outbox.jobs import Jobs
from storage.schema.records import Job, JobKind


async def _post_replay(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Post the replay of a game, unless it had only a few moves."""
    if snapshot.history is None or not snapshot.history.worth_replaying:
        return
    builder = await public_replay_message(snapshot, looking_back(snapshot, None, access.language(snapshot)))
    await access.send(access.place(snapshot), job, builder, f"r{job.id}-{int(job.created_at)}", NOBODY)


JOBS: Final = Jobs(about_tables={JobKind.REPLAY: _post_replay})
