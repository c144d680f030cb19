"""Heartbeats: time counts against players only while the bot is known to be connected to Discord.

Every few minutes the bot records that it is connected. After a longer gap, all players get that time back. If the machine's
clock cannot be right, time-outs stop until the ids that Discord assigns show that it is right, or until the application's owner
resumes them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from bot.core.clocks import outages
from bot.core.clocks.outages import OUTAGE
from bot.core.core import NEVER, Core, CountedTime
from storage import queries
from storage.schema.jobs import server_subject
from storage.schema.records import Heartbeat, Job, JobKind, Outage
from storage.store import Writer

EVERY: Final = 240.0
"""Seconds between two heartbeats. They must not exceed the longest gap that does not count as an outage."""

LATE: Final = 60.0
"""Seconds by which a heartbeat may be late without the process having been stopped."""

JUMP: Final = 120.0
"""Seconds by which the machine's clock may be set without stopping the time-outs."""

OLDEST: Final = 60 * 86400.0
"""The longest time, in seconds, that a bot may have been down. After a longer time, its clock is doubted."""

CONFIRMED_WITHIN: Final = 600.0
"""Seconds within which Discord usually shows that the clock is right. After that, the application's owner is told."""

NO_SERVER: Final = 0
"""The server id in a job that concerns no server."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The result of a heartbeat.

    Attributes:
        given_back: the seconds given back for the outage before the heartbeat, or None if there was none.
        halted: why time-outs are stopped, in English for the operator, or None if they are not.
        news: whether `halted` has changed since the previous heartbeat.
    """

    given_back: float | None = None
    halted: str | None = None
    news: bool = False


class Heartbeats:
    """The heartbeats of a process, and what follows when they are missing. Until `keep` is called, time always counts."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._name = core.name
        self._every = EVERY
        self._owner_id: int | None = None
        self._keeps = False
        self._looked: tuple[float, float] | None = None
        self._last: float | None = None
        self._lost: float | None = None
        self._since: float | None = None
        """The last heartbeat before this process began to doubt the clock. None without one, or after another jump."""
        self._before: Beat | None = None

    def keep(self, uptime: Callable[[], float], every: float = EVERY, owner_id: int | None = None) -> None:
        """From now on, let time count only between heartbeats.

        `uptime` reads a clock that cannot be set; `every` is in seconds. If the clock stays in doubt, `owner_id` is told.
        """
        self._every, self._owner_id = every, owner_id
        self._core.discord.uptime = uptime
        self._looked = (self._core.now(), uptime())
        self._keeps = True
        self._update()

    def pause(self) -> None:
        """Let no time count until the next heartbeat, because the bot has lost its connection to Discord."""
        if self._counting().includes(self._core.now()):
            self._lost = self._core.now()
        self._last = None
        self._update()

    async def beat(self) -> Beat:
        """Record that the bot is connected to Discord, and give back the time of any outage before."""
        jump = self._jump()
        async with self._core.store.write() as writer:
            now = self._core.now()
            goes_on = self._before is not None and self._lost is None
            if (
                goes_on
                and not jump
                and await queries.heartbeats.beat_on(writer, self._name, now, since=now - self._patience, until=now + JUMP)
            ):
                return self._remember(now, Beat())
            known = await self._last_heartbeat(writer)
            was = known.halted if known else None
            halted = was or self._doubt(known, now, jump)
            if jump or was is None:  # nobody knows when things written by a wrong clock really happened
                self._since = None if known is None or was else known.at
            if jump < 0:
                await queries.clocks.move_jobs(writer, jump)
            if halted is None:
                given_back = await self._give_back(writer, known, now)
            elif self._core.discord.agrees:
                halted, given_back = None, await self._make_good(writer, self._since, now)
                await self._forget_doubts_of_others(writer)
            else:
                given_back = None
            await queries.heartbeats.put(writer, Heartbeat(name=self._name, at=now, halted=halted))
            await self._owe_telling(
                writer, now, begins=was is None and halted is not None, ends=was is not None and halted is None
            )
        return self._remember(now, Beat(given_back, halted))

    async def _last_heartbeat(self, writer: Writer) -> Heartbeat | None:
        """Return the last heartbeat of this process, or a newer one that was recorded with another number of shards."""
        mine = await queries.heartbeats.get(writer, self._name)
        return newest([*([] if mine is None else [mine]), *await queries.heartbeats.find(writer)], self._name)

    def _remember(self, now: float, beat: Beat) -> Beat:
        self._looked = (now, self._core.discord.uptime())
        self._last, self._lost = now, None
        was = self._before.halted if self._before else None
        self._before = replace(beat, news=beat.halted != was)
        self._update()
        return self._before

    async def resume(self) -> bool:
        """Let time-outs go on, and give awaited players their full time again. Returns whether any time-outs were stopped."""
        async with self._core.store.write() as writer:
            stopped = [beat for beat in await queries.heartbeats.find(writer) if beat.halted is not None]
            if not stopped:
                return False
            now = self._core.now()
            await outages.begin_anew(self._core, writer, now)
            for beat in stopped:
                await queries.heartbeats.put(writer, Heartbeat(name=beat.name, at=now))
            await _drop_telling(writer)
        return True

    @property
    def _patience(self) -> float:
        """The longest gap after a heartbeat that does not count as an outage, in seconds."""
        return max(OUTAGE, self._every + LATE)

    def _counting(self) -> CountedTime:
        """Return when players' clocks run: for a while after a heartbeat, and never while the machine's clock is in doubt."""
        if self._last is None or self._before is None or self._before.halted is not None:
            return NEVER
        return CountedTime(self._last, JUMP, self._patience)

    def _update(self) -> None:
        if self._keeps:
            self._core.counting = self._counting()

    @property
    def has_jumped(self) -> bool:
        """Whether the clock has jumped since the last heartbeat, so that the next one stops the time-outs."""
        return self._jump() != 0.0

    def _jump(self) -> float:
        """Return by how many seconds the clock has jumped since the last heartbeat, or 0.0 if it has kept pace with uptime."""
        if self._looked is None:
            return 0.0
        wall, uptime = self._looked
        seconds = (self._core.now() - wall) - (self._core.discord.uptime() - uptime)
        return seconds if abs(seconds) > JUMP else 0.0

    def _doubt(self, known: Heartbeat | None, now: float, jump: float) -> str | None:
        try:
            self._check_clock(known, now, jump)
        except ValueError as error:
            return str(error)
        return None

    def _check_clock(self, known: Heartbeat | None, now: float, jump: float) -> None:
        """Raise ValueError if the clock cannot be right, with a sentence for the operator."""
        if jump:
            way = "forward" if jump > 0 else "back"
            raise ValueError(f"The clock of this machine jumped {way} by {duration(abs(jump))}, to {_moment(now)}.")
        shown, seen = _moment(now), "" if known is None else _moment(known.at)
        if known is not None and known.at - now > JUMP:
            raise ValueError(f"The clock of this machine shows {shown}, but the bot has been running at {seen} already.")
        if known is not None and self._before is None and now - known.at > OLDEST:
            raise ValueError(f"The clock of this machine shows {shown}, and the bot was last running at {seen}.")

    async def _give_back(self, writer: Writer, known: Heartbeat | None, now: float) -> float | None:
        """Give back an outage since the last heartbeat or, without one, a player's last action. Returns its seconds or None."""
        since = known.at if known else await queries.heartbeats.last_activity(writer, now)
        if since is not None and self._lost is not None:
            since = max(since, self._lost)
        if since is None:
            return None
        if now - since <= self._patience:
            if self._before is None or self._lost is not None:
                await outages.bridge(self._core, writer, since, now)
            return None
        return await self._record_outage(writer, since, now)

    async def _make_good(self, writer: Writer, since: float | None, now: float) -> float | None:
        """Give back the time during which a clock was in doubt, once Discord has shown it to be right.

        Returns the seconds given back, or None. `since` is when the last heartbeat before the doubt was. If it is None or in
        the future, nobody knows how much time was lost, so some deadlines may be wrong, and all awaited players get their whole
        time again. Otherwise, the deadlines are moved by the time since then.
        """
        if since is None or since > now:
            await outages.begin_anew(self._core, writer, now)
            return None
        if now - since <= self._patience:
            await outages.bridge(self._core, writer, since, now)
            return None
        return await self._record_outage(writer, since, now)

    async def _record_outage(self, writer: Writer, since: float, now: float) -> float:
        await outages.give_back(self._core, writer, since, now)
        await queries.heartbeats.add_outage(writer, Outage(name=self._name, since=since, until=now))
        return now - since

    async def _forget_doubts_of_others(self, writer: Writer) -> None:
        """Clear the doubt in heartbeats that belong to another number of shards, since no process records those any more."""
        for beat in await queries.heartbeats.find(writer):
            if beat.halted is not None and _count_of(beat.name) != _count_of(self._name):
                await queries.heartbeats.put(writer, replace(beat, halted=None))

    async def _owe_telling(self, writer: Writer, now: float, *, begins: bool, ends: bool) -> None:
        """If a doubt `begins`, have the owner told later, once for all processes. If the last one `ends`, drop the message."""
        if begins and self._owner_id is not None:
            job = Job(
                kind=JobKind.CLOCK_DOUBTED, payload={"to": self._owner_id}, due=now + CONFIRMED_WITHIN, created_at=now,
                guild_id=NO_SERVER, subject=server_subject(NO_SERVER), place=f"person {self._owner_id}",
            )  # fmt: skip
            await queries.jobs.enqueue_later(writer, job)
        if ends and all(beat.halted is None for beat in await queries.heartbeats.find(writer)):
            await _drop_telling(writer)


async def _drop_telling(writer: Writer) -> None:
    """Drop the message that tells the owner of a doubt, since the doubt is over."""
    await queries.jobs.drop(writer, NO_SERVER, server_subject(NO_SERVER), JobKind.CLOCK_DOUBTED)


def newest(beats: Iterable[Heartbeat], name: str) -> Heartbeat | None:
    """Return the newest heartbeat with this name or from when there was another number of shards. None if there is none."""
    ours = (beat for beat in beats if beat.name == name or _count_of(beat.name) != _count_of(name))
    return max(ours, key=lambda beat: beat.at, default=None)


def _count_of(name: str) -> str:
    """Return the number of shards from a heartbeat's name such as "shard 3 of 12", or "" if a single process has all shards."""
    return name.partition(" of ")[2]


def duration(seconds: float) -> str:
    """Return a length of time as people write it, such as "26 h 5 min"."""
    minutes = round(seconds / 60)
    days, hours = divmod(minutes // 60, 24)
    if days > 3:
        return f"{days} d"
    hours, parts = hours + 24 * days, []
    if hours:
        parts.append(f"{hours} h")
    if minutes % 60 or not hours:
        parts.append(f"{minutes % 60} min")
    return " ".join(parts)


def _moment(time: float) -> str:
    """Return a moment as text for the operator, or its seconds if the clock shows one that no calendar has."""
    try:
        return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (OverflowError, OSError, ValueError):
        return f"{time:.0f} s"
