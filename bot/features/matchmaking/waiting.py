"""What becomes of people who wait for games when their tables begin or are closed, and when they stop waiting.

Whoever is put together with others goes on waiting until their game begins: a table that comes to nothing costs them nothing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.core.change import Change
from bot.core.core import Core
from bot.core.parts import Occasion
from bot.core.reminders import quiet_until
from bot.core.table.deadlines import CONFIRMED_WITHIN
from bot.core.table.settings import PersonSettings
from bot.features.matchmaking import sql
from bot.features.posts import sql as posts_sql
from bot.features.posts.service import EDIT_EVERY, edit_job, post_job
from engines.text import Text, say
from storage import queries
from storage.schema.kinds import WaitEnd
from storage.schema.records import Job, JobKind, Post, PostKind, Status, Table
from storage.schema.seek_records import Seek
from storage.store import Reader, Writer

EVERY: Final = 3600.0
"""The seconds between two rounds, which are at the same times on all servers: on every hour."""

ANEW_EVERY: Final = 6 * 3600.0
"""The fewest seconds between two messages about those who seek a game. Each may mention a role."""

TOLD_AGAIN: Final = 60.0
"""Seconds by which the end of that time may be later than a message says."""


def next_round(after: float) -> float:
    """Return when the first round after a moment is, in seconds since the epoch."""
    return (after // EVERY + 1) * EVERY


def without_wait(seek: Seek) -> Seek:
    """Return a seek of a person who does not wait any more. What they would like stays."""
    return replace(seek, remaining=0, since=None, until=None)


def _for_one_fewer(seek: Seek) -> Seek:
    """Return a seek of somebody who waits for one game fewer, or who does not wait any more."""
    return replace(seek, remaining=seek.remaining - 1) if seek.remaining > 1 else without_wait(seek)


class Matched(Occasion):
    """People were put together at a table. All of them have to confirm: if one does not, it is closed, and the others wait."""

    def is_of(self, table: Table) -> bool:
        """Whether the people of a table were put together."""
        return table.matched

    async def shown(self, change: Change) -> None:
        """Have the time in which people confirm begin when they are asked: that may be late, if Discord has refused it."""
        late = (change.table.deadline or 0.0) + TOLD_AGAIN < change.now + CONFIRMED_WITHIN
        if change.table.status is Status.OPEN and late:
            await change.amend(deadline=change.now + CONFIRMED_WITHIN)
            await change.enqueue(JobKind.LOBBY)

    async def started(self, change: Change) -> None:
        """Note that everybody waits for one game fewer."""
        for person in change.snapshot.players:
            seek = await sql.get(change.writer, change.table.guild_id, person.user_id)
            if seek is not None and seek.since is not None:
                await sql.put(change.writer, _for_one_fewer(seek))

    async def left(self, change: Change, user_id: int, *, declined: bool) -> bool:
        """Close the table. The one who does not play waits for one game fewer, the others go on as before."""
        del declined
        seek = await sql.get(change.writer, change.table.guild_id, user_id)
        if seek is not None and seek.since is not None:
            await sql.put(change.writer, _for_one_fewer(seek))
        await change.close(deadline=None)
        await self.closed(change)
        return True

    async def told_on_declining(self, core: Core, guild_id: int, user_id: int) -> Text | None:
        """Say that they do not wait any more, unless they wait for further games."""
        async with core.store.read() as reader:
            seek = await sql.get(reader, guild_id, user_id)
        if seek is not None and is_waiting(seek, core.now()):
            return None
        return say("OK, you’re not waiting for games any more. Use `/match` to wait again.")

    async def expired(self, change: Change) -> None:
        """Have those wait no more who have not confirmed in time that they play, and tell them.

        If they could not be asked, because Discord has refused the message, they wait on.
        """
        if change.table.lobby_message_id is None:
            return
        for person in change.snapshot.invited:
            seek = await sql.get(change.writer, change.table.guild_id, person.user_id)
            if seek is not None and seek.since is not None:
                await end_wait(change.writer, seek, WaitEnd.UNCONFIRMED, change.now)

    async def closed(self, change: Change) -> None:
        """Have the message of the server tell who is waiting now."""
        await note_waiting(change.writer, change.table.guild_id, change.now)


async def note_waiting(writer: Writer, guild_id: int, now: float) -> None:
    """Have the message of a server tell who is waiting, since that has changed."""
    post = await posts_sql.get(writer, guild_id, PostKind.SEEKS)
    if post is not None and post.due is not None:
        await owe_waiting(writer, post, await free_to_play(writer, guild_id, now), now)


async def owe_waiting(writer: Writer, post: Post, waiting: Sequence[Seek], now: float, *, changed: bool = True) -> None:
    """Have the message about those who seek a game posted anew, or else edited if anything has `changed`.

    Posted anew if somebody has begun to wait since it was posted, and it is old enough; edited once an hour at most.
    """
    posted_at = post.posted_at or 0.0
    if any((seek.since or 0.0) > posted_at for seek in waiting) and posted_at + ANEW_EVERY <= now:
        await queries.jobs.enqueue_later(writer, post_job(post, JobKind.POST, now))
    elif changed and post.message_id is not None:
        due = max(now, (post.edited_at or posted_at) + EDIT_EVERY)
        await queries.jobs.enqueue_later(writer, edit_job(post, due, now))


async def free_to_play(reader: Reader, guild_id: int, now: float) -> list[Seek]:
    """Return the seeks of those who are waiting for more games than they were put together for already."""
    asked = Counter(place.user_id for place in await sql.matched_places(reader, guild_id) if place.waits)
    waiting = await sql.waiting(reader, guild_id)
    return [seek for seek in waiting if is_waiting(seek, now) and seek.remaining > asked[seek.user_id]]


def is_waiting(seek: Seek, now: float) -> bool:
    """Whether a person is waiting at a moment. At the round after their time is over they are told that they are not."""
    return seek.until is not None and seek.until > now


async def end_wait(writer: Writer, seek: Seek, why: WaitEnd, now: float) -> None:
    """Have a person wait no more, and tell them directly why, after their quiet hours."""
    await sql.put(writer, without_wait(seek))
    settings = PersonSettings.of(await queries.people.get(writer, seek.user_id))
    told = Job(
        kind=JobKind.WAIT_OVER, key=str(seek.user_id), payload={"to": seek.user_id, "why": why.value},
        due=quiet_until(settings, now), created_at=now, guild_id=seek.guild_id, place=f"person {seek.user_id}",
    )  # fmt: skip
    await queries.jobs.enqueue_later(writer, told)
