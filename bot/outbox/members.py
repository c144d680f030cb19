"""Members: which people are on a server, and which of them can see a place there.

Without privileged intents, Discord does not report who comes and goes, but it answers questions about ids, a hundred in each
request. The answers are remembered: for some minutes to tell whether somebody can see a place, and for a day to tell whom a
list may name.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import aiohttp
import discord
import structlog

from bot.core.table.audience import Unseen
from bot.runtime.cache import Cache

ASKED_AT_ONCE: Final = 100
"""The most people that one request may be about."""

FRESH_FOR: Final = 300.0
"""Seconds for which an answer tells what somebody can see. After that, their roles may have changed."""

ASKED_AGAIN_AFTER: Final = 3.0
"""Seconds after which the answer that somebody cannot see something is checked again."""

LOOKED_UP_EVERY: Final = 86_400.0
"""Seconds for which an answer tells that somebody is on a server, or has left it."""

ANSWERED_WITHIN: Final = 5.0
"""Seconds that Discord may take for an answer. After that, everybody counts as a member."""

SILENT_FOR: Final = 60.0
"""Seconds for which Discord is not asked again after an answer that did not come."""

KNOWN_AT_MOST: Final = 2_000
"""How many people are remembered with their roles, on all servers together."""

LOOKED_UP_AT_MOST: Final = 50_000
"""The most people for whom the time of their last look-up is remembered."""

_LOST: Final = (TimeoutError, OSError, RuntimeError, aiohttp.ClientError, discord.DiscordException)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What Discord has said about somebody, and when, in seconds since the epoch. `member` is None if they are no member."""

    at: float
    member: discord.Member | None


class Members:
    """What is known of the people on a connection's servers. The core asks it about the audience of a place."""

    def __init__(self, client: discord.Client, now: Callable[[], float]) -> None:
        self._client = client
        self._now = now
        self._answers = Cache[tuple[int, int], _Answer](KNOWN_AT_MOST, lambda _: 1)
        """The newest answers, by server and person."""
        self._looked_up = Cache[tuple[int, int], float](LOOKED_UP_AT_MOST, lambda _: 1)
        """When the newest answer about a person came, by server and person. These times are kept for many more people."""
        self._missing = Cache[int, float](KNOWN_AT_MOST, lambda _: 1)
        """When a channel or thread was last looked for in vain, by id."""
        self._former: dict[int, set[int]] = {}
        """The people known to have left, by server."""
        self._silent_until = 0.0
        """When Discord may be asked again, after an answer that did not come."""

    def note(self, member: discord.Member) -> None:
        """Note that somebody is on a server, and their roles, because Discord has named them in an interaction."""
        self._keep(member.guild.id, member.id, member)

    def former(self, guild_id: int) -> Collection[int]:
        """Return the people who have left a server, out of those who were looked up."""
        return self._former.get(guild_id, frozenset())

    async def look_up(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Learn which of these people have left a server, unless that was looked up in the last day."""
        guild, before = self._client.get_guild(guild_id), self._now() - LOOKED_UP_EVERY
        if guild is not None:
            await self._ask(guild, [one for one in user_ids if (self._looked_up.get((guild_id, one)) or 0.0) <= before])

    async def who_cannot_see(self, guild_id: int, channel_id: int, user_ids: Collection[int]) -> Mapping[int, Unseen]:
        """Return which of these people cannot see a channel or thread, and why. If nothing is known, people can see it."""
        guild = self._client.get_guild(guild_id)
        if guild is None or not knows_roles(guild):
            return {}
        await self._ask(guild, self._older(guild_id, user_ids, FRESH_FOR))
        place = await self._place(guild, channel_id)
        found = await self._unseen(place, guild_id, user_ids)
        if again := self._older(guild_id, found, ASKED_AGAIN_AFTER):  # they may have been let in, or have come back
            await self._ask(guild, again)
            found = await self._unseen(place, guild_id, user_ids)
        return found

    def _older(self, guild_id: int, user_ids: Collection[int], seconds: float) -> list[int]:
        """Return the people about whom there is no answer, or only an answer older than `seconds`."""
        before, known = self._now() - seconds, {one: self._answers.get((guild_id, one)) for one in user_ids}
        return [one for one, answer in known.items() if answer is None or answer.at <= before]

    async def _unseen(
        self, place: discord.abc.GuildChannel | discord.Thread | None, guild_id: int, user_ids: Collection[int]
    ) -> dict[int, Unseen]:
        """Return which of these people cannot see a place, and why, according to fresh answers."""
        found, stale = dict[int, Unseen](), self._older(guild_id, user_ids, FRESH_FOR)
        for one in user_ids:
            answer = self._answers.get((guild_id, one))
            why = None if answer is None or one in stale else await _why_unseen(place, answer.member)
            if why is not None:
                found[one] = why
        return found

    async def _place(self, guild: discord.Guild, channel_id: int) -> discord.abc.GuildChannel | discord.Thread | None:
        """Return a channel or thread, or None if it is gone or hidden from the bot."""
        known, now = guild.get_channel_or_thread(channel_id), self._now()
        if known is not None or now - (self._missing.get(channel_id) or 0.0) < FRESH_FOR:
            return known
        try:  # Discord does not report archived threads
            fetched = await self._client.fetch_channel(channel_id)
        except _LOST:
            self._missing.keep(channel_id, now)
            return None
        return None if isinstance(fetched, discord.abc.PrivateChannel) else fetched

    async def _ask(self, guild: discord.Guild, user_ids: Sequence[int]) -> None:
        """Ask Discord about people, except in an outage, when all would seem gone. Without an answer, they count as members."""
        people = [] if guild.unavailable else [one for one in user_ids if one > 0]
        for begin in range(0, len(people), ASKED_AT_ONCE):
            if self._now() < self._silent_until:
                return
            batch = people[begin : begin + ASKED_AT_ONCE]
            try:
                async with asyncio.timeout(ANSWERED_WITHIN):
                    there = await guild.query_members(user_ids=batch, limit=ASKED_AT_ONCE, cache=False)
            except _LOST as error:
                log.info("members not told", server=guild.id, error=repr(error))
                self._silent_until = self._now() + SILENT_FOR
                return
            members = {member.id: member for member in there}
            for one in batch:
                self._keep(guild.id, one, members.get(one))

    def _keep(self, guild_id: int, user_id: int, member: discord.Member | None) -> None:
        now, former = self._now(), self._former.setdefault(guild_id, set())
        self._answers.keep((guild_id, user_id), _Answer(now, member))
        self._looked_up.keep((guild_id, user_id), now)
        if member is None:
            former.add(user_id)
        else:
            former.discard(user_id)


async def _why_unseen(place: discord.abc.GuildChannel | discord.Thread | None, member: discord.Member | None) -> Unseen | None:
    """Return why somebody cannot see a place, or None if they can or the place is gone."""
    if member is None:
        return Unseen.LEFT
    channel = place.parent if isinstance(place, discord.Thread) else place
    if channel is None:
        return None
    held = channel.permissions_for(member)
    if not held.view_channel:
        return Unseen.CHANNEL
    if isinstance(place, discord.Thread) and place.is_private() and not held.manage_threads:
        try:
            await place.fetch_member(member.id)
        except discord.NotFound:
            return Unseen.THREAD
        except _LOST:
            return None
    return None


def knows_roles(guild: discord.Guild) -> bool:
    """Whether permissions can be computed. Just after another process's connection is taken over, roles are still unknown."""
    return guild.default_role is not None  # contrary to its type, if only the server's id is known
