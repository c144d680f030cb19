"""What happens to people's waits when games begin, tables close, or people stop. Matched people wait until a game begins."""

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
"""The seconds between two rounds. Rounds are held on the hour, on all servers."""

ANEW_EVERY: Final = 6 * 3600.0
"""The minimum number of seconds between two messages about people who are waiting. Each may mention a role."""

TOLD_AGAIN: Final = 60.0
"""How many seconds late people may be asked to confirm a game without getting a new deadline."""


def next_round(after: float) -> float:
    """Return when the first round after a moment is, in seconds since the epoch."""
    return (after // EVERY + 1) * EVERY


def without_wait(seek: Seek) -> Seek:
    """Return a person's seek with the wait ended and the wishes kept."""
    return replace(seek, remaining=0, since=None, until=None)


def _for_one_fewer(seek: Seek) -> Seek:
    """Return a person's seek with one game fewer to wait for. If that was the last one, the wait is over."""
    return replace(seek, remaining=seek.remaining - 1) if seek.remaining > 1 else without_wait(seek)


class Matched(Occasion):
    """A table of matched people, who all have to confirm. If one does not, the table closes, and the others go on waiting."""

    def is_of(self, table: Table) -> bool:
        """Whether the people of a table were matched."""
        return table.matched

    async def shown(self, change: Change) -> None:
        """Count the time for confirming from now, if people are asked late because Discord refused the message."""
        late = (change.table.deadline or 0.0) + TOLD_AGAIN < change.now + CONFIRMED_WITHIN
        if change.table.status is Status.OPEN and late:
            await change.amend(deadline=change.now + CONFIRMED_WITHIN)
            await change.enqueue(JobKind.LOBBY)

    async def started(self, change: Change) -> None:
        """Store that each player is waiting for one game fewer."""
        for person in change.snapshot.players:
            seek = await sql.get(change.writer, change.table.guild_id, person.user_id)
            if seek is not None and seek.since is not None:
                await sql.put(change.writer, _for_one_fewer(seek))

    async def left(self, change: Change, user_id: int, *, declined: bool) -> bool:
        """Close the table. The person who left waits for one game fewer, and the others wait as before."""
        del declined
        seek = await sql.get(change.writer, change.table.guild_id, user_id)
        if seek is not None and seek.since is not None:
            await sql.put(change.writer, _for_one_fewer(seek))
        await change.close(deadline=None)
        await self.closed(change)
        return True

    async def told_on_declining(self, core: Core, guild_id: int, user_id: int) -> Text | None:
        """Return the news that the person is no longer waiting, or None if they are waiting for more games."""
        async with core.store.read() as reader:
            seek = await sql.get(reader, guild_id, user_id)
        if seek is not None and is_waiting(seek, core.now()):
            return None
        return say("OK, you’re not waiting for games any more. Use `/match` to wait again.")

    async def expired(self, change: Change) -> None:
        """End the waits of people who have not confirmed in time, and tell them. If Discord refused to ask them, do nothing."""
        if change.table.lobby_message_id is None:
            return
        for person in change.snapshot.invited:
            seek = await sql.get(change.writer, change.table.guild_id, person.user_id)
            if seek is not None and seek.since is not None:
                await end_wait(change.writer, seek, WaitEnd.UNCONFIRMED, change.now)

    async def closed(self, change: Change) -> None:
        """Have the server's message about the people who are waiting updated."""
        await note_waiting(change.writer, change.table.guild_id, change.now)


async def note_waiting(writer: Writer, guild_id: int, now: float) -> None:
    """Have a server's message about waiting people updated, after a change in who is waiting."""
    post = await posts_sql.get(writer, guild_id, PostKind.SEEKS)
    if post is not None and post.due is not None:
        await owe_waiting(writer, post, await free_to_play(writer, guild_id, now), now)


async def owe_waiting(writer: Writer, post: Post, waiting: Sequence[Seek], now: float, *, changed: bool = True) -> None:
    """Post anew if somebody new is waiting and the last post is old enough. Otherwise edit it, at most hourly, if `changed`."""
    posted_at = post.posted_at or 0.0
    if any((seek.since or 0.0) > posted_at for seek in waiting) and posted_at + ANEW_EVERY <= now:
        await queries.jobs.enqueue_later(writer, post_job(post, JobKind.POST, now))
    elif changed and post.message_id is not None:
        due = max(now, (post.edited_at or posted_at) + EDIT_EVERY)
        await queries.jobs.enqueue_later(writer, edit_job(post, due, now))


async def free_to_play(reader: Reader, guild_id: int, now: float) -> list[Seek]:
    """Return the seeks of people who are waiting for more games than they are being asked about."""
    asked = Counter(place.user_id for place in await sql.matched_places(reader, guild_id) if place.waits)
    waiting = await sql.waiting(reader, guild_id)
    return [seek for seek in waiting if is_waiting(seek, now) and seek.remaining > asked[seek.user_id]]


def is_waiting(seek: Seek, now: float) -> bool:
    """Whether a person is waiting at a moment. They are told that their wait is over in the round after its end."""
    return seek.until is not None and seek.until > now


async def end_wait(writer: Writer, seek: Seek, why: WaitEnd, now: float) -> None:
    """End a person's wait, and send them the reason in a direct message, but not during their quiet hours."""
    await sql.put(writer, without_wait(seek))
    settings = PersonSettings.of(await queries.people.get(writer, seek.user_id))
    told = Job(
        kind=JobKind.WAIT_OVER, key=str(seek.user_id), payload={"to": seek.user_id, "why": why.value},
        due=quiet_until(settings, now), created_at=now, guild_id=seek.guild_id, place=f"person {seek.user_id}",
    )  # fmt: skip
    await queries.jobs.enqueue_later(writer, told)
