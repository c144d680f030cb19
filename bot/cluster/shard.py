"""Shard: runs the client of one shard while this process has its lease."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import aiohttp
import discord
import structlog

from bot.cluster.client import ShardClient
from bot.cluster.holding import Holding, Session
from bot.loops.heartbeat import uptime
from bot.runtime.backoff import backoff
from storage.schema.errors import LeaseLost, Unreachable

FIRST_RETRY: Final = 1.0
LONGEST_RETRY: Final = 30.0
"""The longest wait, in seconds, before a failed shard is started again. The wait begins with FIRST_RETRY and doubles."""

CLOSE_WITHIN: Final = 5.0
"""Seconds within which a client must close. Whatever it leaves undone is in the database."""

log = structlog.get_logger(__name__)


class Shard:
    """Runs a shard's client, and starts it again if it ends.

    Args:
        holding: the lease.
        make: makes a client, which begins with the given session if there is one.
        token: the bot's token.
        inherited: the session that the previous process has left, if any.
        on_fatal: called with an error that keeps every process from running the bot, such as a refused token.
    """

    def __init__(
        self,
        holding: Holding,
        make: Callable[[Session | None], ShardClient],
        token: str,
        inherited: Session | None,
        on_fatal: Callable[[BaseException], None],
    ) -> None:
        self.holding = holding
        self._make = make
        self._token = token
        self._on_fatal = on_fatal
        self.client = make(inherited)
        self._served = uptime()
        self._task = asyncio.create_task(self._run(), name=f"springboard-shard {holding.shard}")

    @property
    def session(self) -> Session | None:
        """The session with the gateway."""
        return self.client.session

    @property
    def connected(self) -> bool:
        """Whether there is a session with the gateway now."""
        return self.client.heartbeat.is_connected

    @property
    def unserved(self) -> float:
        """The seconds since the last session with the gateway."""
        if self.connected:
            self._served = uptime()
        return uptime() - self._served

    async def _run(self) -> None:
        failures = 0
        while True:
            delay = backoff(failures, first=FIRST_RETRY, longest=LONGEST_RETRY)
            try:
                await self.client.start(self._token)
                if self.client.is_closed():
                    return
            except LeaseLost:
                if self.holding.lost:
                    return
            except (discord.LoginFailure, discord.PrivilegedIntentsRequired, discord.ConnectionClosed) as error:
                self._on_fatal(error)
                return
            except (discord.DiscordException, aiohttp.ClientError, OSError, Unreachable) as error:
                log.warning("a shard could not be started", shard=self.holding.shard, seconds=delay, error=repr(error))
            except Exception:
                log.exception("a shard failed", shard=self.holding.shard, seconds=delay)
            session = self.client.session
            await self._close()
            await asyncio.sleep(delay)
            failures += 1
            self.client = self._make(session)

    async def hand_over(self) -> Session | None:
        """Stop, so that another process can continue. Returns the session that it can resume."""
        await self._stop_listening()
        session = await self.client.leave()
        await self._close()
        return session

    async def abandon(self) -> None:
        """Stop at once, because another process has the shard."""
        await self._stop_listening()
        await self._close()

    def wake(self) -> None:
        """Do what is due, because another process may have changed something."""
        if self.connected:
            self.client.wake()

    async def _stop_listening(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({self._task})

    async def _close(self) -> None:
        try:
            async with asyncio.timeout(CLOSE_WITHIN):
                await self.client.close()
        except TimeoutError:
            log.warning("a shard did not close in time", shard=self.holding.shard)
        except Exception as error:  # noqa: BLE001 - it is over for this process whatever went wrong
            log.warning("a shard did not close in good order", shard=self.holding.shard, error=repr(error))
