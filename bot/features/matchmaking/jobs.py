"""The job that tells people that their wait is over, and what happens if matched people cannot be asked."""

from contextlib import suppress
from typing import Final

from bot.core.lobby import Lobby
from bot.core.table.errors import SessionError
from bot.core.table.snapshot import Snapshot
from bot.features.matchmaking.messages import wait_over_message
from bot.features.matchmaking.service import SeekPosts, Seeks
from bot.outbox.access import Access
from bot.outbox.jobs import Jobs
from bot.outbox.permissions import NO_PLACE
from storage.schema.kinds import WaitEnd
from storage.schema.records import Job, JobKind, PostKind


async def tell_wait_over(access: Access, job: Job) -> None:
    """Tell a person why their wait is over, unless they are waiting again. `/match` shows it if they get no direct messages."""
    to = job.payload["to"]
    if await access.core.service(Seeks).is_waiting(job.guild_id, to):
        return  # again
    own = await access.language_for(to, job.guild_id)
    builder = wait_over_message(WaitEnd(job.payload["why"]), job.guild_id, access.server_name(job.guild_id), own)
    await access.write_to(to, job, builder, f"s{job.id}-{int(job.created_at)}")


async def _give_up(access: Access, job: Job, snapshot: Snapshot | None, code: int) -> None:
    """Close a table whose matched people cannot be asked. They go on waiting, unless there is no place for games."""
    if snapshot is None or not snapshot.table.matched:
        return
    with suppress(SessionError):  # the table is no longer open
        await access.core.service(Lobby).close(snapshot.table.id)
    if code in NO_PLACE:
        await access.core.service(SeekPosts).stop(job.guild_id, PostKind.SEEKS)


JOBS: Final = Jobs(about_none={JobKind.WAIT_OVER: tell_wait_over}, refused={JobKind.OPENING: _give_up})
