"""Seeks: what people would like to play on a server, with whom they would not, and who is waiting for it."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.sessions.core.post_jobs import owe_waiting
from bot.sessions.core.repository import Repository, Work
from bot.sessions.core.seeks import next_round, without_wait
from bot.sessions.matching.wishes import AVOIDED_AT_MOST, PLAYS, check, first_wishes, terms_of
from bot.sessions.record.errors import Refused
from bot.sessions.table.settings import DAY, ZONE, ServerSettings
from bot.sessions.table.snapshot import User
from engines.text import say
from storage import queries
from storage.schema.records import Post, PostKind
from storage.schema.seek_records import Seek
from storage.schema.structures import Wishes
from storage.store import Reader, Writer

OFF: Final = say("Matching is switched off on this server. Whoever manages it can switch it on with "
                 "`/server-settings match`.")  # fmt: skip


@dataclass(frozen=True, slots=True)
class OwnSeek:
    """What a person seeks, as they see it themselves.

    Attributes:
        seek: what they seek, and whether they are waiting.
        avoided: the ids of the people with whom they do not want to be put together.
        games: how many games that they were put together for go on, or wait for somebody to accept.
        next_round: when people are put together next, in seconds since the epoch.
        channel_id: where their games would be played; None: nobody has sought a game on the server yet, or it is switched off.
    """

    seek: Seek
    avoided: tuple[int, ...]
    games: int
    next_round: float
    channel_id: int | None


class Seeks:
    """What people seek on all servers."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def get(self, guild_id: int, user: User) -> OwnSeek:
        """Return what a person seeks on a server."""
        async with self._repository.store.read() as reader:
            return await self._own(reader, guild_id, user)

    async def waiting(self, guild_id: int) -> dict[str, int]:
        """Return how many people on a server are waiting for each game, those games first for which the most are.

        Whoever would play several counts for each of them. Nobody is to learn the exact numbers.
        """
        async with self._repository.store.read() as reader:
            seeks = await free_to_play(reader, guild_id, self._repository.now())
        count = Counter(game for seek in seeks for game in dict.fromkeys(PLAYS[p][0] for p in seek.wishes.plays if p in PLAYS))
        return dict(count.most_common())

    # --- what somebody chooses ------------------------------------------------------------------------------------------------

    async def choose(self, guild_id: int, user: User, change: Callable[[Wishes], Wishes]) -> OwnSeek:
        """Change what a person would like to play. Raises Refused for what cannot be chosen.

        Whoever is waiting goes on waiting for what they have chosen now, with their place, as long as some table fits it.
        """
        async with self._repository.store.write() as writer:
            known = (await self._own(writer, guild_id, user)).seek
            wishes = change(known.wishes)
            check(wishes)
            changed = replace(known, wishes=wishes)
            if known.since is not None:
                changed = replace(changed, remaining=wishes.games, until=known.since + wishes.days * DAY)
            await queries.seeks.put(writer, changed if terms_of(wishes) else without_wait(changed))
            await self._owe_waiting(writer, guild_id)
            own = await self._own(writer, guild_id, user)
        self._repository.on_change(0.0, Work.OUTBOX)
        return own

    async def join_in(self, guild_id: int, user: User) -> None:
        """Have a person wish for what others are waiting for, unless they wish for some of it already."""
        async with self._repository.store.write() as writer:
            waiting = await free_to_play(writer, guild_id, self._repository.now())
            others = [seek.wishes for seek in waiting if seek.user_id != user.id]
            seek = (await self._own(writer, guild_id, user)).seek
            plays, clocks = ({one: None for wishes in others for one in getattr(wishes, name)} for name in ("plays", "clocks"))
            wishes = seek.wishes
            if plays and not plays.keys() & set(wishes.plays):
                wishes = replace(wishes, plays=(*wishes.plays, *plays))
            if clocks and not clocks.keys() & set(wishes.clocks):
                wishes = replace(wishes, clocks=(*wishes.clocks, *clocks))
            if wishes != seek.wishes:
                await queries.seeks.put(writer, replace(seek, wishes=wishes))

    async def avoid(self, guild_id: int, user: User, avoided_ids: Collection[int]) -> OwnSeek:
        """Have a person put together with none of these people from now on, on any server. Nobody else learns of it.

        Raises Refused for too many.
        """
        avoided = sorted(set(avoided_ids) - {user.id})
        if len(avoided) > AVOIDED_AT_MOST:
            raise Refused(say("You can pick {most} people at most.", most=AVOIDED_AT_MOST))
        async with self._repository.store.write() as writer:
            await queries.seeks.avoid(writer, user.id, avoided, self._repository.now())
            return await self._own(writer, guild_id, user)

    async def wait(self, guild_id: int, user: User, channel_id: int) -> OwnSeek:
        """Have a person wait for games from now on. Whoever is waiting already goes on as before.

        The first one on a server decides where its people are put together, until its managers do.

        Args:
            guild_id: the server.
            user: the person.
            channel_id: the channel in which they ask for it.

        Raises Refused if no table fits what they have chosen, or it is switched off on the server.
        """
        now = self._repository.now()
        async with self._repository.store.write() as writer:
            seek = (await self._own(writer, guild_id, user)).seek
            if not terms_of(seek.wishes):
                raise Refused(say("Pick a game first, and how much time you’d like for a turn."))
            await self._place(writer, guild_id, channel_id, now)
            if seek.since is None:
                wishes = seek.wishes
                seek = replace(seek, remaining=wishes.games, since=now, until=now + wishes.days * DAY)
            await queries.seeks.put(writer, seek)
            await self._owe_waiting(writer, guild_id)
            own = await self._own(writer, guild_id, user)
        self._repository.on_change(own.next_round)
        self._repository.on_change(0.0, Work.OUTBOX)
        return own

    async def stop(self, guild_id: int, user: User) -> OwnSeek:
        """Have a person wait no more. A game that they were put together for already stays theirs to accept or decline."""
        async with self._repository.store.write() as writer:
            seek = (await self._own(writer, guild_id, user)).seek
            if seek.since is not None:
                await queries.seeks.put(writer, without_wait(seek))
                await self._owe_waiting(writer, guild_id)
            own = await self._own(writer, guild_id, user)
        self._repository.on_change(0.0, Work.OUTBOX)
        return own

    async def _own(self, reader: Reader, guild_id: int, user: User) -> OwnSeek:
        server = ServerSettings.of(await queries.servers.get(reader, guild_id))
        new = Seek(guild_id=guild_id, user_id=user.id, name=user.name, wishes=first_wishes(server))
        seek = replace(await queries.seeks.get(reader, guild_id, user.id) or new, name=user.name)
        avoided = tuple(row.avoided_id for row in await queries.seeks.avoided(reader, (user.id,)))
        games = sum(user_id == user.id for user_id, _ in await queries.seeks.matched(reader, guild_id))
        post = await queries.posts.get(reader, guild_id, PostKind.SEEKS)
        channel_id = None if post is None or post.due is None else post.channel_id
        return OwnSeek(seek, avoided, games, next_round(self._repository.now()), channel_id)

    async def _place(self, writer: Writer, guild_id: int, channel_id: int, now: float) -> None:
        """Have the people of a server put together in a channel, unless it is known where. Raises Refused if it is off."""
        post = await queries.posts.get(writer, guild_id, PostKind.SEEKS)
        if post is not None and post.due is None:
            raise Refused(OFF)
        if post is None:
            new = Post(
                guild_id=guild_id, kind=PostKind.SEEKS, channel_id=channel_id, hour=0, zone=ZONE, due=next_round(now)
            )  # fmt: skip
            await queries.posts.put(writer, new)

    async def _owe_waiting(self, writer: Writer, guild_id: int) -> None:
        """Have the message about those who are waiting posted or edited."""
        post, now = await queries.posts.get(writer, guild_id, PostKind.SEEKS), self._repository.now()
        if post is not None and post.due is not None:
            await owe_waiting(writer, post, await free_to_play(writer, guild_id, now), now)


async def free_to_play(reader: Reader, guild_id: int, now: float) -> Sequence[Seek]:
    """Return the seeks of those who are waiting for more games than they were put together for already."""
    asked = Counter(user_id for user_id, waits in await queries.seeks.matched(reader, guild_id) if waits)
    waiting = await queries.seeks.waiting(reader, guild_id)
    return [seek for seek in waiting if (seek.until or 0.0) > now and seek.remaining > asked[seek.user_id]]
