"""Backups that the running bot makes in a process of its own, so that no player waits for them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import structlog

from bot.admin.backups import Made, make, tidy
from bot.config import BACKUPS, ConfigError, Settings
from bot.workers.worker import Worker, WorkFailed
from storage.schema.errors import StorageError
from storage.upkeep.backups import BackupFolder, Busy

EVERY: Final = 3600.0
"""Seconds between backups."""

FIRST: Final = 5.0
"""Seconds from the start to the first backup, since the bot has more urgent things to do at first."""

RETRY: Final = 600.0
"""Seconds from a failed backup to the next attempt."""

TIME_LIMIT: Final = 3 * 3600.0
"""The most seconds of processor time that a backup may take, and the most seconds that it may wait for a disk."""

NICE: Final = 19

log = structlog.get_logger(__name__)


class Backups:
    """Makes a backup at regular intervals.

    Args:
        database, folder: what is backed up, and where the backups are kept.
        now: returns the time, in seconds since the epoch.
        every, first, retry: see EVERY, FIRST and RETRY.

    Attributes:
        failures: the number of backups that have failed since the start.
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
        self._worker = Worker("backup", nice=NICE, timeout=TIME_LIMIT, standstill=TIME_LIMIT)
        self._newest: float | None = None
        self._failure: str | None = None
        self._problems: tuple[str, ...] = ()
        self.failures = 0

    def age(self) -> float | None:
        """Return the seconds since the newest backup, or None if there is none."""
        return None if self._newest is None else max(0.0, self._now() - self._newest)

    async def run(self) -> None:
        """Make backups until this is cancelled."""
        wait = max(self._first, await asyncio.to_thread(self._begin))
        while True:
            # By the loop's clock, which does not jump when that of the machine is set.
            await asyncio.sleep(wait)
            wait = self._every if await self.make() else self._retry

    async def make(self) -> bool:
        """Make a backup now. Returns whether it succeeded. A failure is logged unless it is the same as the last one."""
        try:
            made = await self._worker.call(make, self._database, self._folder.path, self._now())
        except Busy:
            # The process of a bot that was killed may still be making one; its backup will be there at the next attempt.
            log.info("another process is making a backup", again_in=self._retry)
            return False
        except (StorageError, WorkFailed) as error:
            self._note_failure(str(error))
            return False
        except Exception as error:  # noqa: BLE001 – any error is logged, and the backup tried again
            self._note_failure(repr(error))
            return False
        finally:
            self._worker.rest()  # and returns its memory until the next backup
        self._note_success(made)
        return True

    def close(self) -> None:
        """Stop. A backup that is being made is given up, and its unfinished file is removed at the next start."""
        self._worker.close()

    def _begin(self) -> float:
        """Tidy up, and return the seconds until a backup is due."""
        try:
            with suppress(Busy):
                tidy(self._folder.path)
            newest = self._folder.newest(self._now())
        except StorageError as error:
            self._note_failure(str(error))
            return self._first
        if newest is None:
            return 0.0
        self._newest = newest.made
        return max(0.0, newest.made + self._every - self._now())

    def _note_failure(self, reason: str) -> None:
        self.failures += 1
        if reason != self._failure:
            log.error("no backup", reason=reason, again_in=self._retry)
        self._failure = reason

    def _note_success(self, made: Made) -> None:
        self._newest = self._now()
        if self._failure is not None:
            log.info("backups are made again")
        self._failure = None
        if made.problems and made.problems != self._problems:
            log.warning("backup has faults", file=made.path.name, faults=len(made.problems), some=made.problems[:3])
        self._problems = made.problems
        log.debug("backup", file=made.path.name, size=made.size, removed=[path.name for path in made.gone])


def require_folder(settings: Settings) -> None:
    """Raise ConfigError if the settings ask for backups in a folder that cannot be written to."""
    try:
        if settings.backups is not None:
            BackupFolder(settings.backups).require_writable()
    except StorageError as error:
        raise ConfigError(f"{BACKUPS}: {error}") from error


@asynccontextmanager
async def backing_up(settings: Settings) -> AsyncIterator[Backups | None]:
    """Make backups while the block runs, if the settings say so. Otherwise, yield None."""
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
