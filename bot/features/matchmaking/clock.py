"""Rounds that match a server's people at fixed times. Each table has its own transaction, so a cut-off round loses nothing."""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import structlog

from bot.core.change import Change
from bot.core.core import Work
from bot.core.opening import announce, open_table
from bot.core.pace import pace_of_person
from bot.core.parts import Keeper, Part
from bot.core.reminders import quiet_until
from bot.core.skill import Skill
from bot.core.table.audience import Unseen
from bot.core.table.deadlines import CONFIRMED_WITHIN
from bot.core.table.settings import DAY, PersonSettings, ServerSettings
from bot.core.table.snapshot import Snapshot, User
from bot.features.matchmaking import sql
from bot.features.matchmaking.rules import Match, Seeker, match
from bot.features.matchmaking.waiting import Matched, end_wait, free_to_play, is_waiting, next_round, owe_waiting, without_wait
from bot.features.matchmaking.wishes import options_of, terms_of
from bot.features.posts import sql as posts_sql
from engines.chance import SEED_BYTES
from storage import queries
from storage.schema.errors import Unreachable
from storage.schema.kinds import WaitEnd
from storage.schema.records import Grace, Post, PostKind, Table
from storage.schema.seek_records import Seek
from storage.store import Reader, Writer

MOST_GAMES: Final = 5
"""How many games a person may have at a time and still be matched for another, including games yet to begin."""

IDLE: Final = 30 * DAY
"""Seconds until the next round on a server where nobody is waiting. The first person to wait brings it forward."""

_KINDS: Final = (PostKind.SEEKS,)

log = structlog.get_logger(__name__)


class Rounds(Keeper):
    """The rounds of all servers on which somebody has sought a game."""

    async def next_due(self) -> float | None:
        """Return when the next round is due, in seconds since the epoch, or None if there is none or time does not count."""
        if not self._core.time_counts():
            return None
        async with self._core.store.read() as reader:
            return await posts_sql.next_due(reader, _KINDS)

    async def sweep(self) -> bool:
        """Hold the due rounds of up to a hundred servers. A failure delays no other server. Returns whether there were any."""
        due, now = await self.next_due(), self._core.now()
        if due is None or due > now:
            return False
        async with self._core.store.read() as reader:
            posts = await posts_sql.due(reader, _KINDS, now)
        for post in posts:
            try:
                await self._hold(post)
            except Unreachable:
                raise
            except Exception:
                log.exception("nobody was put together", server=post.guild_id)
                async with self._core.store.write() as writer:
                    known = await posts_sql.get(writer, post.guild_id, post.kind)
                    if known is not None and known.due is not None:
                        await posts_sql.put(writer, replace(known, due=next_round(now)))
        if not posts:  # the rounds that are due cannot be read, but somebody may repair them
            async with self._core.store.write() as writer:
                await posts_sql.put_off(writer, _KINDS, now, next_round(now))
        self._core.on_change(0.0, Work.OUTBOX)
        return bool(posts)

    async def move(self, writer: Writer, seconds: float, since: float, until: float, guild_id: int | None) -> None:
        """Extend waits by `seconds`, the time in which nobody could be matched."""
        await sql.move(writer, seconds, since, until, guild_id)

    async def begin_anew(self, writer: Writer, now: float) -> None:
        """Have all waits begin now, and make the next round due."""
        await sql.begin_anew(writer, now)
        await posts_sql.begin_anew(writer, _KINDS, now)

    async def _hold(self, post: Post) -> None:
        """Match a server's people, and end waits that are over, or whose people have left or cannot see the channel."""
        now = self._core.now()
        unseen = await self._end_unseen(post)
        async with self._core.store.read() as reader:
            seekers = await self._seekers(reader, post.guild_id, now)
        matches = await asyncio.to_thread(match, seekers, now)
        for found in matches:
            await self._open(post, found)
        async with self._core.store.write() as writer:
            known = await posts_sql.get(writer, post.guild_id, post.kind)
            if known is None or known.due is None:
                return  # matching was switched off meanwhile
            waiting = await sql.waiting(writer, post.guild_id)
            over = [seek for seek in waiting if not is_waiting(seek, now) and not await _is_asked(writer, seek)]
            for seek in over:
                await end_wait(writer, seek, WaitEnd.TOO_LONG, now)
            still = await free_to_play(writer, post.guild_id, now)
            await owe_waiting(writer, known, still, now, changed=bool(matches or over or unseen))
            due = next_round(now) if len(over) < len(waiting) else now + IDLE
            await posts_sql.put(writer, replace(known, due=due))

    async def _end_unseen(self, post: Post) -> bool:
        """End the waits of people who cannot see where games are played. Returns whether there were any."""
        async with self._core.store.read() as reader:
            ids = [seek.user_id for seek in await sql.waiting(reader, post.guild_id)]
        unseen = await self._core.audience.who_cannot_see(post.guild_id, post.channel_id, ids)
        if not unseen:
            return False
        async with self._core.store.write() as writer:
            for user_id, why in unseen.items():
                seek = await sql.get(writer, post.guild_id, user_id)
                if seek is None or seek.since is None:
                    continue
                if why is Unseen.LEFT:  # people who have left cannot be sent a message
                    await sql.put(writer, without_wait(seek))
                else:
                    await end_wait(writer, seek, WaitEnd.UNSEEN, self._core.now())
        return True

    async def _seekers(self, reader: Reader, guild_id: int, now: float) -> Sequence[Seeker]:
        busy = Counter(place.user_id for place in await sql.matched_places(reader, guild_id))
        free = [seek for seek in await free_to_play(reader, guild_id, now) if busy[seek.user_id] < MOST_GAMES]
        seeks = [seek for seek in free if await _is_there(reader, seek.user_id, now)]
        ids = [seek.user_id for seek in seeks]
        skills: dict[int, dict[str, Skill]] = {user_id: {} for user_id in ids}
        for rating in await queries.ratings.of_people(reader, guild_id, ids):
            skills[rating.user_id][rating.game] = Skill(rating.mu, rating.sigma)
        apart = await _kept_apart(reader, guild_id, ids)
        late = dict.fromkeys(ids, 0.0)
        if any(seek.wishes.most_late is not None for seek in seeks):  # nobody else has to wait until that is counted
            for user_id in ids:
                pace = await pace_of_person(reader, guild_id, user_id, now)
                late[user_id] = 0.0 if pace is None else pace.timeout_share
        return [
            Seeker(
                seek.user_id, seek.since or 0.0, frozenset(terms_of(seek.wishes)), skills[seek.user_id],
                frozenset(apart[seek.user_id]), late[seek.user_id],
                1.0 if seek.wishes.most_late is None else seek.wishes.most_late / 100,
            )
            for seek in seeks
        ]  # fmt: skip

    async def _open(self, post: Post, found: Match) -> None:
        """Open a table for a match, unless its people no longer all wait for such a game or no longer fit together."""
        core, terms, now = self._core, found.terms, self._core.now()
        game = core.games[terms.game]
        async with core.store.write() as writer:
            free = {seek.user_id: seek for seek in await free_to_play(writer, post.guild_id, now)}
            people = [free[seeker.person] for seeker in found.people if seeker.person in free]
            ids = {seek.user_id for seek in people}
            apart = await _kept_apart(writer, post.guild_id, ids)
            fit = all(terms in terms_of(seek.wishes) and not apart[seek.user_id] & ids for seek in people)
            if len(people) < terms.seats or not fit:
                return
            server = ServerSettings.of(await queries.servers.get(writer, post.guild_id))
            table = Table(
                guild_id=post.guild_id, channel_id=post.channel_id, threaded=server.threads, game=game.id, rules=game.rules,
                variant=terms.variant, options=options_of(terms), wanted=terms.seats, opened_by=people[0].user_id,
                rated=terms.rated, matched=True, clock=terms.clock, grace=Grace.LEFT, seed=core.entropy(SEED_BYTES),
                created_at=now, deadline=now + CONFIRMED_WITHIN,
            )  # fmt: skip
            change = Change(core, writer, Snapshot(table, ()))
            await open_table(change, [User(seek.user_id, seek.name) for seek in people])
            await announce(change)
        change.publish()


async def _kept_apart(reader: Reader, guild_id: int, ids: Collection[int]) -> dict[int, set[int]]:
    """Return, for each of these people, those they avoid or already play with at a table of matched people."""
    apart: dict[int, set[int]] = {user_id: set() for user_id in ids}
    for row in await sql.avoidances_of(reader, ids):
        apart[row.user_id].add(row.avoided_id)
    tables: dict[int, set[int]] = {}
    for place in await sql.matched_places(reader, guild_id):
        tables.setdefault(place.table_id, set()).add(place.user_id)
    for together in tables.values():
        for user_id in together & apart.keys():
            apart[user_id] |= together - {user_id}
    return apart


async def _is_there(reader: Reader, user_id: int, now: float) -> bool:
    """Whether a person is neither on vacation nor in their quiet hours."""
    person = await queries.people.get(reader, user_id)
    return (person.vacation_until or 0.0) <= now and quiet_until(PersonSettings.of(person), now) <= now


async def _is_asked(writer: Writer, seek: Seek) -> bool:
    """Whether a person has been asked to confirm a game. If so, their wait does not end until that is settled."""
    places = await sql.matched_places(writer, seek.guild_id)
    return any(place.waits and place.user_id == seek.user_id for place in places)


PART: Final = Part(name="matchmaking", occasion=Matched(), keeper=Rounds)
