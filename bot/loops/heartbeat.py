"""The bot's heartbeat: time counts against players only while the bot is connected to Discord."""

import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog

from bot.core.clocks.heartbeats import EVERY, Beat, Heartbeats
from bot.core.core import Core
from bot.runtime.due_loop import DueLoop

log = structlog.get_logger(__name__)


class Heartbeat:
    """Beats regularly while connected. When time counts again or has been moved, `on_beating` is called until it succeeds."""

    def __init__(self, core: Core, on_beating: Callable[[], Awaitable[None]], every: float = EVERY) -> None:
        self._core = core
        self._on_beating = on_beating
        self._every = every
        self._connected = False
        self._beating = False
        self._loop = DueLoop("heartbeat", self._beat, core.now)

    @property
    def is_connected(self) -> bool:
        """Whether there is a session with Discord at this moment."""
        return self._connected

    def begin(self, owner_id: int | None = None) -> None:
        """Let time count only between heartbeats from now on. `owner_id` is told if the clock cannot be right."""
        self._core.service(Heartbeats).keep(uptime, self._every, owner_id)

    async def connected(self) -> None:
        """Begin to beat, since there is a session with Discord. Returns after the first heartbeat."""
        self._connected = True
        self._loop.wake()
        await self._loop.wait()

    def disconnected(self) -> None:
        """Stop beating. Without Discord, nobody can act, so no time counts."""
        self._connected = self._beating = False
        self._core.service(Heartbeats).pause()

    async def close(self) -> None:
        """Beat a last time, so that the bot knows at its next start how long it was away. Then stop for good."""
        if self._connected:
            try:
                await self._core.service(Heartbeats).beat()
            except Exception as error:  # noqa: BLE001 - without it, the one before is the last
                log.info("no last heartbeat", error=repr(error))
        self.disconnected()
        await self._loop.close()

    async def _beat(self) -> float | None:
        if not self._connected:
            return None
        beat = await self._core.service(Heartbeats).beat()
        if not self._connected:  # the session was lost in the meantime
            self._core.service(Heartbeats).pause()
            return None
        _report(beat)
        if not self._beating or beat.news or beat.given_back is not None:
            self._beating = False
            await self._on_beating()
            self._beating = self._connected
        return self._core.now() + self._every


def _report(beat: Beat) -> None:
    """Tell the operator how a heartbeat has changed the time of the tables."""
    if beat.given_back is not None:
        log.warning("time given back after an outage", length=str(timedelta(seconds=round(beat.given_back))))
    if beat.news and beat.halted is not None:
        log.error(
            "time-outs are stopped", reason=beat.halted,
            advice="Nobody runs out of time until then; games go on. Set the clock of this machine right: time-outs go on as "
                   "soon as it agrees with Discord's. Or run `springboard resume-clocks`: whoever is awaited gets all of "
                   "their time again.",
        )  # fmt: skip
    elif beat.news:
        log.warning("time-outs go on")


def uptime() -> float:
    """Return the seconds since a fixed moment, by a clock that cannot be set and runs while the machine is suspended."""
    return time.monotonic() + _suspended()


def _suspended() -> float:
    """Return how many seconds the machine has been suspended (0.0 if unknown), which Python's monotonic clock leaves out."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)
    if hasattr(time, "CLOCK_UPTIME_RAW"):
        return time.clock_gettime(time.CLOCK_MONOTONIC) - time.clock_gettime(time.CLOCK_UPTIME_RAW)
    return 0.0
