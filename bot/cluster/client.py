"""ShardClient: the bot's connection to one shard, which can take over another process's session and give up its own.

discord.py's `Client` resumes its own sessions. This client can also begin with a session that another process has left, and
then receives the events that it would have missed. Such a session does not list the servers and channels. So a second session
is begun beside it, and takes its place once they are known. Meanwhile every event arrives twice, and is handled once.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any, Final, Protocol

import aiohttp
import discord
import structlog
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.utils import snowflake_time

from bot.app import Springboard
from bot.cluster.holding import Holding, Session
from bot.cluster.limits import Identifying
from bot.core.core import Core
from bot.known_commands import until_registering
from bot.runtime.outage import outages
from storage.schema.errors import LeaseLost, Unreachable

CONNECT_WITHIN: Final = 60.0
"""Seconds within which a connection to the gateway must be made."""

HELLO_WITHIN: Final = 1.0
"""Seconds set aside for connecting before a session, so that slow connections do not bring two sessions closer together."""

RESUMABLE: Final = 4000
"""The close code that leaves a session resumable. After code 1000, the session is gone."""

ANSWERED_WITHIN: Final = 2.5
"""The age in seconds from which an interaction is not worth answering. Discord waits for three seconds."""

TOLD_AGAIN_WITHIN: Final = 10.0
"""Seconds after which a resumed session has repeated all missed events. `RESUMED` does not reliably mark their end."""

WARM_UP_RETRY: Final = 60.0
"""Seconds after which the client tries again to begin a session of its own."""

FINISH_WITHIN: Final = 3.0
"""Seconds that running interactions get to finish before a shard is handed over."""

HANG_UP_WITHIN: Final = 2.0
"""Seconds within which Discord must confirm that a connection is closed. discord.py would wait for thirty."""

ELSEWHERE_AFTER: Final = 3
"""The number of failed connections after which a session is resumed at the gateway's common address instead of its own."""

RESET_BY_PEER: Final = (54, 104, 10054)

log = structlog.get_logger(__name__)


class Others(Protocol):
    """The other shards, in this process or in another, as seen from one shard."""

    async def announce_commands(self) -> None:
        """Tell all processes that the commands were registered again. The message may be lost."""

    async def announce_work(self) -> None:
        """Make the others look for due work, because an interaction outside any server may concern their tables."""


class ShardClient(Springboard):
    """The connection to one shard.

    Args:
        core: the tables of this shard's servers, and what may be done to them.
        holding: the shard's lease.
        identifying: makes a session wait until it may begin.
        others: the other shards, or None if there are none.
        inherited: the session that another process has left, if any.
        registers: whether this client registers the commands, which only one client in all processes does.
        options: the options of `Springboard`.

    Attributes:
        cold: whether the client has resumed a session and does not yet know which servers there are.
    """

    def __init__(
        self,
        core: Core,
        *,
        holding: Holding,
        identifying: Identifying,
        others: Others | None = None,
        inherited: Session | None = None,
        registers: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(core, shard_id=holding.shard, shard_count=holding.of, **options)
        self.holding = holding
        self.cold = False
        self._others = others
        self._identifying = identifying
        self._identify_at = 0.0
        self._inherited = inherited
        self._registers = registers
        self._catching_up = inherited is not None and not inherited.exact
        self._resumed_at: float | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: set[asyncio.Task[Any]] = set()
        self.trace.on_request_start.append(self._guard)

    async def _guard(self, _session: Any, _context: Any, asked: aiohttp.TraceRequestStartParams) -> None:
        """Refuse requests once another process may have the shard, except answers to interactions, which no other gives."""
        if not {"interactions", "webhooks", "gateway"} & set(asked.url.parts):
            self.holding.check()

    async def _prepare(self) -> None:
        """Prepare in the background, so that the connection need not wait."""
        self._begin(super()._prepare())

    async def _register(self) -> None:
        """If this client registers the commands, do so once it certainly has the shard, and retry until it succeeds."""
        failures = 0
        while self._registers:
            await self.holding.confirmed()
            with suppress(LeaseLost):  # lost for good, or only renewed late
                if await self._sync():
                    if self._others is not None:
                        await self._others.announce_commands()
                    return
                await asyncio.sleep(until_registering(failures))
                failures += 1

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.create_task(self._while_held(work), name=f"springboard-shard {self.shard_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _while_held(self, work: Awaitable[None]) -> None:
        """Do work that belongs to the shard's holder. If the lease is lost, the shard's next process does the same work."""
        try:
            await work
        except LeaseLost as error:
            log.info("the lease is over", shard=self.shard_id, error=str(error))

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a session may begin. `_identify` has connected a little early, since connecting takes time."""
        early = self._identify_at - asyncio.get_running_loop().time()
        if early < -HELLO_WITHIN:  # the process was frozen, or the hello took long, so the turn has passed
            raise TimeoutError("too late for the turn to begin a session")
        await asyncio.sleep(max(0.0, early))

    # The session

    @property
    def session(self) -> Session | None:
        """The current session, or None."""
        ws = self.ws
        if ws is None or ws.session_id is None or ws.sequence is None:
            return self._inherited
        return Session(ws.session_id, str(ws.gateway), ws.sequence)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Listen to the gateway until closed, as discord.py does, but begin with the inherited session if there is one.

        Raises:
            discord.ConnectionClosed: if Discord refuses the shard.
            LeaseLost: if another process has the shard.
        """
        backoff, session, in_vain = ExponentialBackoff(), self._inherited, 0
        while not self.is_closed():
            await self.holding.confirmed()
            try:
                self.ws = await self._open(session, elsewhere=in_vain >= ELSEWHERE_AFTER)
                in_vain = 0
                while True:
                    await self._next_event()
            except LeaseLost:
                log.info("the lease is over, or was when the connection was made", shard=self.shard_id)
            except Unreachable as error:  # the database knows whose turn it is
                outages.note(error)
                await asyncio.sleep(backoff.delay())
            except ReconnectWebSocket as error:
                self.dispatch("disconnect")
                self._inherited = session = self.session if error.resume else None
            except (
                OSError,
                discord.HTTPException,
                discord.GatewayNotFound,
                discord.ConnectionClosed,
                aiohttp.ClientError,
            ) as error:
                self.dispatch("disconnect")
                if self.is_closed():
                    return
                _refuse_final(error)
                session, in_vain = self.session, in_vain + 1
                if not (isinstance(error, OSError) and error.errno in RESET_BY_PEER):
                    delay = backoff.delay()
                    log.warning("the gateway is out of reach", shard=self.shard_id, seconds=round(delay, 1), error=repr(error))
                    await asyncio.sleep(delay)

    async def _open(self, session: Session | None, *, elsewhere: bool) -> DiscordWebSocket:
        """Connect, and resume the session or begin a new one. With `elsewhere`, use the common address, not the session's."""
        self._resumed_at = None
        if session is None:
            self._catching_up = False
            return await self._identify()
        async with asyncio.timeout(CONNECT_WITHIN):
            return await DiscordWebSocket.from_client(
                self, shard_id=self.shard_id, session=session.id, sequence=session.sequence, resume=True,
                gateway=None if elsewhere else yarl.URL(session.resume_url).with_query(None),
            )  # fmt: skip

    async def _identify(self, *, necessary: bool = True) -> DiscordWebSocket:
        """Connect, and begin a session once it is this shard's turn among all shards of all processes."""
        await self._identifying.turn(self.holding.shard, necessary=necessary)
        await self.holding.confirmed()
        self._identify_at = asyncio.get_running_loop().time() + HELLO_WITHIN
        async with asyncio.timeout(CONNECT_WITHIN):
            return await DiscordWebSocket.from_client(self, initial=True, shard_id=self.shard_id)

    async def _next_event(self) -> None:
        """Handle the next event. The failure of a connection that has been replaced meanwhile is no error."""
        heard = self.ws
        try:
            await heard.poll_event()
        except (ReconnectWebSocket, discord.ConnectionClosed, OSError):
            if self.ws is heard:
                raise

    async def on_resumed(self) -> None:
        """Continue. If the resumed session was another process's, also begin a session of the client's own."""
        self._catching_up = False
        if self._resumed_at is None:
            self._resumed_at = asyncio.get_running_loop().time()
        if self._inherited is not None and not self.is_ready() and not self.cold:
            self.cold = True
            self._begin(self._warm_up())
        await super().on_resumed()

    async def on_ready(self) -> None:
        """Continue with a session of the client's own, which lists the servers."""
        self.cold = self._catching_up = False
        await super().on_ready()

    async def _warm_up(self) -> None:
        """Begin a session beside the inherited one, and switch to it."""
        while not self.is_ready():
            try:
                if await self._identifying.can_spare():
                    await self._go_over()
                    return
                log.warning("a resumed session is kept, since few more may begin today", shard=self.shard_id)
            except (OSError, Unreachable, ReconnectWebSocket, discord.DiscordException, aiohttp.ClientError) as error:
                log.warning("a resumed session is kept for now", shard=self.shard_id, error=repr(error))
            await asyncio.sleep(WARM_UP_RETRY)

    async def _go_over(self) -> None:
        """Begin a session, and end the previous one once the new session has listed the servers."""
        fresh = await self._identify(necessary=False)
        try:
            async with asyncio.timeout(CONNECT_WITHIN):
                while fresh.session_id is None:
                    await fresh.poll_event()
        except BaseException:
            await fresh.close(code=1000)
            raise
        former, self.ws = self.ws, fresh
        await former.close(code=1000)

    # Interactions

    @property
    def alone(self) -> bool:
        """Whether this process certainly has the lease. After being frozen, it may still receive events of a lost shard."""
        return self.holding.valid

    @property
    def shares_token(self) -> bool:
        """Return True: other processes may use the same token, for other shards or because this shard was theirs."""
        return True

    def is_new(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether an interaction is delivered for the first time, as far as that can be known.

        Interactions that a killed process has received are delivered again. If the process handled one, the database says so.
        If not, Discord has told the person that there was no answer, and they press again.
        """
        task = asyncio.current_task()
        if task is not None:  # this task handles the interaction until it ends
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        made, now = snowflake_time(interaction.id).timestamp(), self.core.now()
        if (self._catching_up and made < now - ANSWERED_WITHIN) or (self._is_told_again() and made < self.holding.since):
            log.info("too late for an interaction", interaction=interaction.id, seconds=round(now - made, 1))
            return False
        return super().is_new(interaction)

    def _is_told_again(self) -> bool:
        """Whether Discord may still repeat events from before the session was resumed. Only then is their age checked."""
        if self._inherited is None or self._resumed_at is None:
            return self._inherited is not None
        return asyncio.get_running_loop().time() < self._resumed_at + TOLD_AGAIN_WITHIN

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Route a click. In a direct message, it may concern tables of other shards."""
        await super().on_interaction(interaction)
        if interaction.guild_id is None and self._others is not None:
            await self._others.announce_work()

    async def on_app_command_completion(self, interaction: discord.Interaction[Any], _command: Any) -> None:
        """Announce work after a command in a direct message, which may concern tables of other shards."""
        if interaction.guild_id is None and self._others is not None:
            await self._others.announce_work()

    # The end

    async def leave(self) -> Session | None:
        """Stop listening, and finish the running interactions. Returns the session, which another process can resume.

        The session is not exact until all events that a killed process may have received have been repeated.
        """
        # First end the task that begins a second session, which would receive events meant for the next process.
        for task in (tasks := set(self._tasks)):
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=HANG_UP_WITHIN)
        session, exact = self.session, not self._catching_up
        await self._hang_up()
        if self._running:
            await asyncio.wait(self._running, timeout=FINISH_WITHIN)
        return None if session is None else Session(session.id, session.resume_url, session.sequence, exact=exact)

    async def _hang_up(self) -> None:
        """Close the connection so that the session can be resumed, by this process or another."""
        if self.ws is not None and self.ws.open:
            with suppress(OSError, aiohttp.ClientError):
                async with asyncio.timeout(HANG_UP_WITHIN):
                    await self.ws.close(code=RESUMABLE)

    async def close(self) -> None:
        """Stop working, and disconnect. The session stays resumable for the shard's next process."""
        for task in (tasks := [*self._tasks, *self._running]):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._hang_up()
        await super().close()


def _refuse_final(error: Exception) -> None:
    """Raise the error with which Discord has closed a connection for good, for example because there are too few shards."""
    if isinstance(error, discord.ConnectionClosed):
        if error.code == 4014:
            raise discord.PrivilegedIntentsRequired(error.shard_id) from None
        if error.code != 1000:
            raise error
