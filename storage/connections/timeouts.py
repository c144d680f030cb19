"""Time limits. No statement is abandoned halfway, but a server that does not answer is given up in good time."""

import asyncio
import sqlite3
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree

from storage.schema.errors import NoAnswer, Unreachable

Result = TypeVar("Result")

TIME_LIMIT: Final = 8.0
"""The number of seconds without an answer after which a server counts as unreachable."""

GRACE: Final = 0.5
"""The number of seconds that a statement has to end after it has been given up."""

_OUTAGES: Final = ("08", "25006", "25P03", "28", "3D", "40001", "40P01", "42501", "53", "55P03", "57", "58")
"""Prefixes of the SQLSTATEs that mean trouble with the server rather than with the statement: connecting fails or an idle
connection was cut off (08, 25P03, 28, 3D), nothing can be written (25006), other transactions are in the way (40001, 40P01,
55P03), a right was taken away (42501), resources have run out (53), an operator or a time-out has intervened (57), or the
system has failed (58)."""

_SQLITE_OUTAGES: Final = frozenset(
    getattr(sqlite3, f"SQLITE_{name}") for name in ("BUSY", "LOCKED", "IOERR", "FULL", "CANTOPEN", "PROTOCOL")
)
"""The corresponding codes of SQLite: another program holds the file, or the disk is full or failing."""


async def complete(work: Coroutine[Any, Any, Result] | asyncio.Future[Result], time_limit: float | None = None) -> Result:
    """Finish `work` even if the calling task is cancelled, and let the cancellation take effect afterwards.

    If a statement were abandoned halfway, nobody would know whether its transaction is still open. Statements are short, so a
    cancelled task waits for the statement that it has begun.

    A server that does not answer within `time_limit` seconds is given up, and its connection must not be used again. For a
    file, there is no time limit (None). Raises Unreachable if the database doesn't answer or is unavailable. Other errors pass
    through.
    """
    task = asyncio.ensure_future(work)
    cancelled = await _wait(task, time_limit)
    given_up = not task.done()
    if given_up:
        task.cancel()
        cancelled = await _wait(task, GRACE) or cancelled
        task.add_done_callback(_retrieve_error)
    if cancelled is not None:
        # The error is retrieved in any case. Otherwise asyncio would warn that it never was.
        raise cancelled from (None if not task.done() or task.cancelled() else task.exception())
    if given_up and (not task.done() or task.cancelled()):
        raise NoAnswer(f"The database has not answered for {time_limit:g} seconds.")
    with explain_outages():
        return task.result()


@contextmanager
def explain_outages() -> Iterator[None]:
    """Raise Unreachable in place of an error in the block which means that the database is unavailable."""
    try:
        yield
    except Exception as error:
        if is_outage(error):
            reason = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
            raise Unreachable(f"The database cannot be used just now: {first_line(reason)}.") from error
        raise


async def _wait(task: asyncio.Future[Any], seconds: float | None) -> asyncio.CancelledError | None:
    """Wait for a task, but at most `seconds`. Return the cancellation of the calling task if it came meanwhile, or None."""
    loop = asyncio.get_running_loop()
    until = None if seconds is None else loop.time() + seconds
    cancelled: asyncio.CancelledError | None = None
    while not task.done() and (until is None or loop.time() < until):
        try:
            await asyncio.wait({task}, timeout=None if until is None else until - loop.time())
        except asyncio.CancelledError as error:
            cancelled = error
    return cancelled


def _retrieve_error(task: asyncio.Future[Any]) -> None:
    """Retrieve the error of work that nobody is waiting for any more. Otherwise asyncio would warn that nobody did."""
    if not task.cancelled():
        task.exception()


def is_outage(error: BaseException) -> bool:
    """Return whether an error means that the database is unavailable, rather than that the question was wrong."""
    if isinstance(error, NoneFree | OSError | TimeoutError):
        return True
    if isinstance(error, DBAPIError):
        if error.connection_invalidated or error.orig is None:
            return error.connection_invalidated
        error = error.orig
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in _SQLITE_OUTAGES
    state = getattr(error, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_OUTAGES)
    # Errors that libpq itself finds have no code: it cannot connect, or has lost the connection.
    psycopg = sys.modules.get("psycopg")
    return psycopg is not None and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)


def first_line(error: BaseException) -> str:
    """Return the first sentence of an error, without its full stop."""
    return (str(error).splitlines() or [""])[0].rstrip(".") or type(error).__name__
