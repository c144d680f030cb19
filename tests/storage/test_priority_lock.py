"""The priority lock: who gets it first."""

import asyncio
from collections.abc import Callable

import pytest

from storage.connections.priority_lock import OVERTAKEN_AT_MOST, PriorityLock, work_in_background
from storage.store import Store


class Queue:
    """People who wait for a priority lock, and note their names when they get it."""

    def __init__(self) -> None:
        self.lock = PriorityLock()
        self.passed: list[str] = []
        self.waiting: dict[str, asyncio.Task[None]] = {}

    async def _pass(self, name: str, background: bool) -> None:
        if background:
            work_in_background()
        async with self.lock:
            self.passed.append(name)
            await asyncio.sleep(0)

    async def come(self, *names: str) -> None:
        """They queue in this order; those with small initials in the background."""
        for name in names:
            self.waiting[name] = asyncio.create_task(self._pass(name, name.islower()))
        await asyncio.sleep(0)

    async def all_through(self) -> list[str]:
        await asyncio.gather(*self.waiting.values(), return_exceptions=True)
        return self.passed


@pytest.fixture
async def queue() -> Queue:
    return Queue()


async def test_tasks_that_somebody_waits_for_go_first(queue: Queue) -> None:
    async with queue.lock:
        await queue.come("a", "b", "A", "c", "B")
    assert await queue.all_through() == ["A", "B", "a", "b", "c"]


async def test_nobody_waits_for_ever(queue: Queue) -> None:
    async with queue.lock:
        await queue.come("a", "b", *(f"F{n}" for n in range(2 * OVERTAKEN_AT_MOST + 3)))
    passed = await queue.all_through()
    assert passed.index("a") == OVERTAKEN_AT_MOST
    assert passed.index("b") == 2 * OVERTAKEN_AT_MOST + 1


async def test_only_one_task_holds_the_lock_at_a_time(queue: Queue) -> None:
    inside: list[int] = []

    async def enter() -> None:
        async with queue.lock:
            inside.append(1)
            assert len(inside) == 1
            await asyncio.sleep(0)
            inside.pop()

    await asyncio.gather(*(enter() for _ in range(20)))


@pytest.mark.parametrize("names", [("A", "B", "C"), ("a", "b", "c"), ("A", "b", "C")])
@pytest.mark.parametrize("gives_up", [0, 1])
async def test_a_task_that_gives_up_stops_nobody(queue: Queue, names: tuple[str, ...], gives_up: int) -> None:
    async with queue.lock:
        await queue.come(*names)
        queue.waiting[names[gives_up]].cancel()
    passed = await queue.all_through()
    assert sorted(passed) == sorted(set(names) - {names[gives_up]})
    async with asyncio.timeout(10), queue.lock:
        pass


async def test_a_task_that_gives_up_at_its_turn_lets_the_next_one_in(queue: Queue) -> None:
    await queue.lock.acquire()
    await queue.come("A", "B")
    queue.lock.release()
    queue.waiting["A"].cancel()
    assert await queue.all_through() == ["B"]
    async with asyncio.timeout(10), queue.lock:
        pass


async def test_tasks_started_in_the_background_are_in_the_background(queue: Queue) -> None:
    async def start() -> None:
        work_in_background()
        await queue.come("A")

    async with queue.lock:
        await asyncio.create_task(start())
        await queue.come("B")
    assert await queue.all_through() == ["B", "A"]


async def test_a_write_that_somebody_waits_for_overtakes_those_of_the_background(store: Store) -> None:
    order: list[str] = []

    async def write(name: str, prepare: Callable[[], None] | None = None) -> None:
        if prepare is not None:
            prepare()
        async with store.write():
            order.append(name)

    async with store.write():
        writes = [write("background", work_in_background) for _ in range(5)]
        tasks = [asyncio.create_task(one) for one in (*writes, write("click"))]
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert order == ["click", *["background"] * 5]
