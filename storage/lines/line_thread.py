"""Lines whose connection belongs to a thread, which runs whole functions of it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

import sqlalchemy as sa
from typing_extensions import override

from storage.lines.lines import Line, Statistics
from storage.lines.timeouts import complete, explain_outages

Result = TypeVar("Result")
Work = Callable[[sa.Connection], Result]


class LineThread:
    """A thread with a connection, which it makes when it is first asked for something.

    It brings each function that it is asked for to the connection, and its result back. A function that makes several calls
    goes there once.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._connection: sa.Connection | None = None
        self._asked: SimpleQueue[tuple[asyncio.Future[Any] | None, Work[Any] | None]] = SimpleQueue()
        # A process can end although nobody has closed the connection.
        threading.Thread(target=self._serve, name="springboard-database", daemon=True).start()

    def ask(self, work: Work[Result], *, first: bool = False) -> asyncio.Future[Result]:
        """Run `work` on the thread. Cancelling the future stops the waiting, not the work.

        `first`: whether a transaction begins with it.
        """
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait((answer, partial(self._begin, work) if first else work))
        return answer

    def send(self, work: Work[None]) -> None:
        """Run `work` after all work before. Nobody learns whether it fails."""
        self._asked.put_nowait((None, work))

    def close(self) -> asyncio.Future[None]:
        """Close the connection after all work before, and end the thread."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait((answer, None))
        return answer

    def _serve(self) -> None:
        ends = False
        while not ends:
            answer, work = self._asked.get()
            ends = work is None
            result, error = None, None
            try:
                if work is None:
                    self._close()
                else:
                    result = work(self._connected())
            except BaseException as raised:  # noqa: BLE001 - whoever has asked gets it
                error = raised
            if answer is not None:
                _deliver(answer, result, error)
            del answer, work, result, error  # a thread that waits keeps nothing alive

    def _connected(self) -> sa.Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _begin(self, work: Work[Result], connection: sa.Connection) -> Result:
        """Begin a transaction with its first work."""
        return work(connection)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _deliver(answer: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    """Hand a result or an error over to the event loop of whoever waits for it."""

    def settle() -> None:
        if not answer.done():
            if error is None:
                answer.set_result(result)
            else:
                answer.set_exception(error)

    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        answer.get_loop().call_soon_threadsafe(settle)


class ThreadLine(Line):
    """A line by way of a thread. It connects when it is first asked for something."""

    def __init__(self, engine: sa.Engine, statistics: Statistics) -> None:
        super().__init__(statistics)
        self._engine = engine
        self._thread: LineThread | None = None
        self._used = False

    @override
    async def begin(self, time_limit: float | None) -> None:
        self._used = self.doubtful = False

    @override
    async def run(self, work: Work[Result], time_limit: float | None) -> Result:
        with explain_outages():
            return await self._ask(work)

    @override
    async def commit(self, flush: Work[None] | None, time_limit: float | None) -> None:
        if self._used or flush is not None:
            await complete(self._ask(partial(self._commit, flush)), time_limit)

    def _commit(self, flush: Work[None] | None, connection: sa.Connection) -> None:
        if flush is not None:
            flush(connection)
        try:
            connection.commit()
        except BaseException:
            self.doubtful = True
            raise

    def _ask(self, work: Work[Result]) -> asyncio.Future[Result]:
        """Have the thread run `work`, as one round trip to it."""
        first, self._used = not self._used, True
        self._statistics.round_trips += 1
        if self._thread is None:
            self._thread = self._begin_thread()
        return self._thread.ask(work, first=first)

    def _begin_thread(self) -> LineThread:
        return LineThread(self._engine)

    @override
    async def rollback(self, time_limit: float | None) -> None:
        self._send(_roll_back)

    @override
    async def drop(self, time_limit: float | None) -> None:
        self._send(give_up)

    def _send(self, work: Work[None]) -> None:
        """Run `work` for which nobody needs to wait: the next transaction comes after it."""
        if self._used and self._thread is not None:
            self._statistics.round_trips += 1
            self._thread.send(work)

    @override
    async def release(self, time_limit: float | None) -> None:
        pass

    @override
    async def close(self) -> None:
        if self._thread is not None:
            await self._thread.close()
            self._thread = None


def _roll_back(connection: sa.Connection) -> None:
    try:
        connection.rollback()
    except Exception:  # noqa: BLE001 - whatever it is: what was not committed is forgotten with the connection
        give_up(connection)


def give_up(connection: sa.Connection) -> None:
    """Close the driver's connection, which forgets what was not committed; with the next statement there is a new one.

    SQLite keeps a transaction open that it could not commit, while SQLAlchemy considers it ended.
    """
    connection.invalidate()
    connection.rollback()
