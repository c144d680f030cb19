"""What people would like to play on a server, whom they avoid, and who is waiting."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Final

from bot.core.core import Work
from bot.core.parts import Service
from bot.core.table.errors import Refused
from bot.core.table.settings import DAY, ZONE, ServerSettings
from bot.core.table.snapshot import User
from bot.features.matchmaking import sql
from bot.features.matchmaking.waiting import (
    ANEW_EVERY,
    end_wait,
    free_to_play,
    is_waiting,
    next_round,
    note_waiting,
    owe_waiting,
    without_wait,
)
from bot.features.matchmaking.wishes import AVOIDED_AT_MOST, check, first_wishes, terms_of
from bot.features.posts import sql as posts_sql
from bot.features.posts.service import ON_TIME, Posts, without_message
from engines.text import say
from storage import queries
from storage.schema.kinds import WaitEnd
from storage.schema.records import Post, PostKind
from storage.schema.seek_records import Seek
from storage.schema.structures import Wishes
from storage.store import Reader, Writer

OFF: Final = say("Matching is switched off on this server. Whoever manages it can switch it on with "
                 "`/server-settings`.")  # fmt: skip

IMPOSSIBLE: Final = say("None of the games you’ve picked can be played like that. Change the number of players, or whether "
                        "it’s rated.")  # fmt: skip

_LISTS: Final = ("plays", "clocks")
"""The wishes to which *Me too* may add."""


@dataclass(frozen=True, slots=True)
class OwnSeek:
    """What a person seeks, as they see it themselves.

    Attributes:
        avoided: the ids of the people they avoid.
        asked: how many games found for them have yet to be accepted by everybody.
        playing: how many games found for them are going on.
        channel_id: the channel where games are played, or None if nobody has sought one yet, or matching is off.
        off: whether matching is switched off on the server.
    """

    seek: Seek
    avoided: tuple[int, ...]
    asked: int
    playing: int
    channel_id: int | None
    off: bool

    @property
    def waits(self) -> bool:
        """Whether the person is waiting."""
        return self.seek.since is not None

    @property
    def possible(self) -> bool:
        """Whether any table fits the person's choices."""
        return bool(terms_of(self.seek.wishes))


class Seeks(Service):
    """What people seek on all servers."""

    async def get(self, guild_id: int, user: User) -> OwnSeek:
        """Return what a person seeks on a server."""
        async with self._core.store.read() as reader:
            return await self._own(reader, guild_id, user)

    async def is_waiting(self, guild_id: int, user_id: int) -> bool:
        """Whether a person is waiting for a game on a server."""
        async with self._core.store.read() as reader:
            seek = await sql.get(reader, guild_id, user_id)
        return seek is not None and is_waiting(seek, self._core.now())

    async def waiting(self, guild_id: int) -> dict[str, int]:
        """Return how many people are waiting for each game, most popular first. Nobody may be shown the exact numbers."""
        async with self._core.store.read() as reader:
            seeks = await free_to_play(reader, guild_id, self._core.now())
        count = Counter(game for seek in seeks for game in {terms.game for terms in terms_of(seek.wishes)})
        return dict(count.most_common())

    async def choose(self, guild_id: int, user: User, change: Callable[[Wishes], Wishes], *, possible: bool = False) -> OwnSeek:
        """Change a person's wishes. If they are waiting, they keep their place. Raises Refused for wishes that no menu offers.

        If `possible` is true, also raises Refused unless at least one table fits the new wishes. If it is false, wishes that
        fit no table are stored, too, but the person is not matched until one does.
        """
        async with self._core.store.write() as writer:
            known = (await self._own(writer, guild_id, user)).seek
            wishes = change(known.wishes)
            check(wishes)
            if possible:
                _require_possible(wishes)
            changed, now = replace(known, wishes=wishes), self._core.now()
            if known.since is not None and wishes.games != known.wishes.games:
                changed = replace(changed, remaining=wishes.games)
            if known.since is not None and wishes.days != known.wishes.days:
                changed = replace(changed, until=now + wishes.days * DAY)
            await sql.put(writer, changed)
            await note_waiting(writer, guild_id, self._core.now())
            own = await self._own(writer, guild_id, user)
        self._core.on_change(0.0, Work.OUTBOX)
        return own

    async def join_in(self, guild_id: int, user: User) -> None:
        """Add to a person's wishes what others are waiting for, unless the person already wants some of the same games."""
        async with self._core.store.write() as writer:
            waiting = await free_to_play(writer, guild_id, self._core.now())
            others = [seek.wishes for seek in waiting if seek.user_id != user.id and terms_of(seek.wishes)]
            seek = (await self._own(writer, guild_id, user)).seek
            wishes, wanted = seek.wishes, {terms for theirs in others for terms in terms_of(theirs)}
            if wanted and not wanted & set(terms_of(wishes)):
                plays, clocks = ({one: None for each in (wishes, *others) for one in getattr(each, name)} for name in _LISTS)
                wishes = replace(wishes, plays=tuple(plays), clocks=tuple(clocks))
            if wanted and not wanted & set(terms_of(wishes)):
                wishes = replace(wishes, seats=(), rated=None)
            if wishes != seek.wishes:
                await sql.put(writer, replace(seek, wishes=wishes))

    async def avoid(self, guild_id: int, user: User, avoided_ids: Collection[int]) -> OwnSeek:
        """Replace the list of whom a person avoids on all servers, which nobody else sees. Raises Refused if it is too long."""
        avoided = sorted(set(avoided_ids) - {user.id})
        if len(avoided) > AVOIDED_AT_MOST:
            raise Refused(say("You can pick {most} people at most.", most=AVOIDED_AT_MOST))
        async with self._core.store.write() as writer:
            await sql.avoid(writer, user.id, avoided, self._core.now())
            return await self._own(writer, guild_id, user)

    async def wait(self, guild_id: int, user: User, channel_id: int) -> OwnSeek:
        """Have a person wait. Games go to this channel if none is set. Raises Refused if no table fits, or matching is off."""
        now = self._core.now()
        async with self._core.store.write() as writer:
            seek = (await self._own(writer, guild_id, user)).seek
            _require_possible(seek.wishes)
            await self._place(writer, guild_id, channel_id, now)
            if seek.since is None:
                wishes = seek.wishes
                seek = replace(seek, remaining=wishes.games, since=now, until=now + wishes.days * DAY)
            await sql.put(writer, seek)
            await note_waiting(writer, guild_id, self._core.now())
            own = await self._own(writer, guild_id, user)
        self._core.on_change(next_round(now))
        self._core.on_change(0.0, Work.OUTBOX)
        return own

    async def stop(self, guild_id: int, user: User) -> OwnSeek:
        """Have a person stop waiting. They can still answer if a game has already been found for them."""
        async with self._core.store.write() as writer:
            seek = (await self._own(writer, guild_id, user)).seek
            if seek.since is not None:
                await sql.put(writer, without_wait(seek))
                await note_waiting(writer, guild_id, self._core.now())
            own = await self._own(writer, guild_id, user)
        self._core.on_change(0.0, Work.OUTBOX)
        return own

    async def _own(self, reader: Reader, guild_id: int, user: User) -> OwnSeek:
        server = ServerSettings.of(await queries.servers.get(reader, guild_id))
        new = Seek(guild_id=guild_id, user_id=user.id, name=user.name, wishes=first_wishes(server))
        seek = replace(await sql.get(reader, guild_id, user.id) or new, name=user.name)
        if seek.since is not None and not is_waiting(seek, self._core.now()):
            seek = without_wait(seek)
        avoided = tuple(row.avoided_id for row in await sql.avoidances_of(reader, (user.id,)))
        mine = [place.waits for place in await sql.matched_places(reader, guild_id) if place.user_id == user.id]
        post = await posts_sql.get(reader, guild_id, PostKind.SEEKS)
        channel_id = None if post is None or post.due is None else post.channel_id
        return OwnSeek(seek, avoided, sum(mine), len(mine) - sum(mine), channel_id, post is not None and post.due is None)

    async def _place(self, writer: Writer, guild_id: int, channel_id: int, now: float) -> None:
        """Have a server's games played in this channel, unless one is already known. Raises Refused if matching is off."""
        post = await posts_sql.get(writer, guild_id, PostKind.SEEKS)
        if post is not None and post.due is None:
            raise Refused(OFF)
        due = next_round(now)
        if post is None:
            new = Post(guild_id=guild_id, kind=PostKind.SEEKS, channel_id=channel_id, hour=0, zone=ZONE, due=due)
            await posts_sql.put(writer, new)
        elif (post.due or due) > due:  # nobody was waiting, or the clock was wrong
            await posts_sql.put(writer, replace(post, due=due))


class SeekPosts(Posts):
    """The messages about people who are waiting. They are posted where games are played, when somebody begins to wait."""

    def day_for(self, post: Post) -> int:
        """Return the number of the six-hour period to which a message posted now belongs."""
        return int(self._core.now() // ANEW_EVERY)

    def goes_on(self, post: Post) -> bool:
        """Return True, as a message stays in use until it is closed."""
        return True

    def is_on_time(self, post: Post, owed_at: float) -> bool:
        """Whether a message that has been due since `owed_at` is still on time, and so may mention a role."""
        return self._core.now() <= owed_at + ON_TIME

    def _first_due(self, hour: int, zone: str, now: float, weekday: int | None) -> float:
        return next_round(now)

    def _closes(self, post: Post, day: int, now: float) -> float:
        return now

    async def _chosen(self, writer: Writer, post: Post, now: float) -> Post:
        """If games have moved to another channel, close the message in the old channel and post one in the new channel."""
        if post.posted_in in {None, post.channel_id}:
            return post
        await self._close(writer, post)
        moved = without_message(post)
        await owe_waiting(writer, moved, await sql.waiting(writer, post.guild_id), now)
        return moved

    async def _end(self, writer: Writer, post: Post) -> Post:
        """End the post and all waits. The post also forgets its message if that has been deleted."""
        ended = await super()._end(writer, post)
        for seek in await sql.waiting(writer, post.guild_id):
            await end_wait(writer, seek, WaitEnd.SWITCHED_OFF, self._core.now())
        return without_message(ended)


def _require_possible(wishes: Wishes) -> None:
    if not (wishes.plays and wishes.clocks):
        raise Refused(say("Pick a game first, and how much time you’d like per turn."))
    if not terms_of(wishes):
        raise Refused(IMPOSSIBLE)
