"""Backups that the running bot makes by itself, in a process beside it, so that nobody waits for them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import structlog

from bot.admin.backups import Made, make, tidy
from bot.config import Settings
from bot.workers.worker import Worker, WorkFailed
from storage.backups import BackupFolder, Busy
from storage.errors import StorageError

EVERY: Final = 3600.0
"""Seconds from one backup to the next."""

FIRST: Final = 5.0
"""Seconds after the start before which there is no backup: the bot has more urgent things to do."""

RETRY: Final = 600.0
"""Seconds until it is tried again after a backup has failed."""

PATIENCE: Final = 3 * 3600.0
"""Seconds that a backup may take. It yields to everything else on the machine."""

NICE: Final = 19

log = structlog.get_logger(__name__)


class Backups:
    """Makes a backup every so often.

    Args:
        database, folder: what is backed up, and where backups are kept.
        now: the time, in seconds since the epoch.
        every, first, retry: see EVERY, FIRST and RETRY.

    Attributes:
        failures: how often no backup could be made since the start.
    """

    def __init__(
        self,
        database: str | Path,
        folder: Path,
        *,
        now: Callable[[], float] = time.time,
        every: float = EVERY,
        first: float = FIRST,
        retry: float = RETRY,
    ) -> None:
        self._database, self._folder = database, BackupFolder(folder)
        self._now, self._every, self._first, self._retry = now, every, first, retry
        self._worker = Worker("backup", nice=NICE, patience=PATIENCE)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="springboard-backup")
        self._newest: float | None = None
        self._failure: str | None = None
        self._problems: tuple[str, ...] = ()
        self.failures = 0

    def age(self) -> float | None:
        """Seconds since the newest backup was made; None if there is none."""
        return None if self._newest is None else max(0.0, self._now() - self._newest)

    async def run(self) -> None:
        """Make backups until this is cancelled."""
        loop = asyncio.get_running_loop()
        wait = max(self._first, await loop.run_in_executor(self._thread, self._begin))
        while True:
            # By the loop's clock, which does not jump when that of the machine is set.
            await asyncio.sleep(wait)
            wait = self._every if await self.make() else self._retry

    async def make(self) -> bool:
        """Make a backup now. Returns whether that succeeded; if not, the log says why, unless it has said so the last time."""
        try:
            made = await asyncio.get_running_loop().run_in_executor(self._thread, self._made)
        except Busy:
            # A bot that was killed may have left one behind that is still at it; it will be there when this is tried again.
            log.info("another process is making a backup", again_in=self._retry)
            return False
        except (StorageError, WorkFailed) as error:
            self._failed(str(error))
            return False
        except Exception as error:  # noqa: BLE001 – whatever it is, it is told, and tried again
            self._failed(repr(error))
            return False
        self._succeeded(made)
        return True

    def close(self) -> None:
        """Make no more backups. One that is being made is given up; what is left of it goes at the next start."""
        self._worker.close()
        self._thread.shutdown()
        self._worker.rest()

    def _begin(self) -> float:
        """Tidy up, and return the seconds until a backup is due."""
        try:
            with suppress(Busy):
                tidy(self._folder.path)
            newest = self._folder.newest(self._now())
        except StorageError as error:
            self._failed(str(error))
            return self._first
        if newest is None:
            return 0.0
        self._newest = newest.made
        return max(0.0, newest.made + self._every - self._now())

    def _made(self) -> Made:
        try:
            return self._worker.call(make, self._database, self._folder.path, self._now())
        finally:
            self._worker.rest()  # its memory is needed for other things until the next time

    def _failed(self, reason: str) -> None:
        self.failures += 1
        if reason != self._failure:
            log.error("no backup", reason=reason, again_in=self._retry)
        self._failure = reason

    def _succeeded(self, made: Made) -> None:
        self._newest = self._now()
        if self._failure is not None:
            log.info("backups are made again")
        self._failure = None
        if made.problems and made.problems != self._problems:
            log.warning("backup has faults", file=made.path.name, faults=len(made.problems), some=made.problems[:3])
        self._problems = made.problems
        log.debug("backup", file=made.path.name, size=made.size, removed=[path.name for path in made.gone])


@asynccontextmanager
async def backing_up(settings: Settings) -> AsyncIterator[Backups | None]:
    """Backups are made in this block, if the settings say so; otherwise this is None."""
    if settings.backups is None:
        yield None
        return
    backups = Backups(settings.database.get_secret_value(), settings.backups)
    running = asyncio.create_task(backups.run(), name="springboard-backups")
    try:
        yield backups
    finally:
        running.cancel()
        backups.close()
        with suppress(asyncio.CancelledError):
            await running
