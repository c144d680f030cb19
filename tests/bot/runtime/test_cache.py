"""The cache: what it holds, and who computes."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.runtime.cache import Cache, SingleFlight


def bounded(limit: int = 1000, **options: Any) -> Cache[Any, bytes]:
    return Cache(limit, len, **options)


class Slow:
    """Computes a value once it may, and counts how often it has begun."""

    def __init__(self, value: bytes | None = b"value", error: Exception | None = None) -> None:
        self.count = 0
        self.go_on = asyncio.Event()
        self._value, self._error = value, error

    async def __call__(self) -> bytes | None:
        self.count += 1
        await self.go_on.wait()
        if self._error is not None:
            raise self._error
        return self._value


def computing(value: bytes | None) -> Callable[[], Awaitable[bytes | None]]:
    async def compute() -> bytes | None:
        return value

    return compute


def test_the_values_weigh_no_more_than_the_limit_and_the_one_used_longest_ago_goes_first() -> None:
    cache = bounded()
    for number in range(200):
        cache.keep(number, bytes(300))
        assert cache.weight <= 1000
    assert (len(cache), [number for number in range(200) if cache.get(number)]) == (3, [197, 198, 199])
    cache.get(197)
    cache.keep(200, bytes(300))
    assert [number for number in range(201) if cache.get(number)] == [197, 199, 200]


def test_a_value_that_is_too_heavy_drops_no_other() -> None:
    cache = bounded()
    cache.keep("light", bytes(100))
    cache.keep("heavy", bytes(1001))
    assert (cache.get("heavy"), cache.weight, cache.get("light")) == (None, 100, bytes(100))


def test_the_last_value_stays_however_heavy_it_is_where_one_has_to() -> None:
    cache = bounded(at_least=1)
    cache.keep("light", bytes(100))
    cache.keep("heavy", bytes(1001))
    assert (cache.get("light"), cache.weight, len(cache)) == (None, 1001, 1)
    cache.keep("another", bytes(10))
    assert (cache.get("heavy"), cache.weight) == (None, 10)


def test_a_new_value_takes_the_place_of_the_old_one_with_its_weight() -> None:
    cache = bounded()
    cache.keep("key", bytes(300))
    cache.keep("key", bytes(200))
    assert (cache.get("key"), cache.weight, len(cache)) == (bytes(200), 200, 1)


def test_a_value_that_does_not_replace_the_cached_one_is_left_out() -> None:
    cache = bounded(replaces=lambda new, cached: len(new) >= len(cached))
    cache.keep("key", b"long")
    cache.keep("key", b"so")
    assert cache.get("key") == b"long"
    cache.keep("key", b"more")
    assert (cache.get("key"), cache.weight) == (b"more", 4)


def test_what_is_dropped_weighs_nothing_any_more() -> None:
    cache = bounded()
    cache.keep("a", b"12")
    cache.keep("b", b"345")
    cache.drop("a")
    cache.drop("a")
    cache.drop("unknown")
    assert (cache.get("a"), cache.weight) == (None, 3)
    cache.clear()
    assert (len(cache), cache.weight) == (0, 0)


async def test_many_who_ask_at_once_have_it_computed_once() -> None:
    cache, slow = bounded(), Slow()
    asking = [asyncio.create_task(cache.load("key", slow)) for _ in range(20)]
    await asyncio.sleep(0)
    slow.go_on.set()
    assert (await asyncio.gather(*asking), slow.count, cache.get("key")) == ([b"value"] * 20, 1, b"value")


async def test_different_keys_do_not_wait_for_each_other() -> None:
    cache, slow = bounded(), Slow()
    waiting = asyncio.create_task(cache.load("slow", slow))
    await asyncio.sleep(0)
    assert await cache.load("quick", computing(b"quick")) == b"quick"
    slow.go_on.set()
    assert await waiting == b"value"


async def test_callers_in_different_lanes_do_not_wait_for_each_other() -> None:
    cache, slow = bounded(), Slow()
    waiting = asyncio.create_task(cache.load("key", slow, lane="slow"))
    await asyncio.sleep(0)
    assert await cache.load("key", computing(b"value"), lane="fast") == b"value"
    slow.go_on.set()
    assert (await waiting, len(cache), cache.weight) == (b"value", 1, len(b"value"))


async def test_a_load_does_not_look_at_what_is_cached_already() -> None:
    cache = bounded()
    cache.keep("key", b"old")
    assert (await cache.load("key", computing(b"new")), cache.get("key")) == (b"new", b"new")


async def test_none_is_given_to_all_who_wait_but_not_cached() -> None:
    cache, slow = bounded(), Slow(value=None)
    asking = [asyncio.create_task(cache.load("key", slow)) for _ in range(3)]
    await asyncio.sleep(0)
    slow.go_on.set()
    assert (await asyncio.gather(*asking), slow.count, len(cache)) == ([None] * 3, 1, 0)


async def test_an_error_reaches_all_who_wait_and_the_next_one_tries_again() -> None:
    cache, failing = bounded(), Slow(error=OSError("no font"))
    asking = [asyncio.create_task(cache.load("key", failing)) for _ in range(3)]
    await asyncio.sleep(0)
    failing.go_on.set()
    found = await asyncio.gather(*asking, return_exceptions=True)
    assert ([str(error) for error in found], failing.count, len(cache)) == (["no font"] * 3, 1, 0)
    assert await cache.load("key", computing(b"value")) == b"value"


async def test_the_first_caller_who_is_cancelled_takes_nothing_from_the_others() -> None:
    cache, slow = bounded(), Slow()
    first, second = (asyncio.create_task(cache.load("key", slow)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    third = asyncio.create_task(cache.load("key", slow))
    await asyncio.sleep(0)
    slow.go_on.set()
    assert (await second, await third) == (b"value", b"value")
    assert first.cancelled()
    assert slow.count == 1


async def test_a_load_that_nobody_waits_for_any_more_is_cached_all_the_same() -> None:
    cache, slow = bounded(), Slow()
    alone = asyncio.create_task(cache.load("key", slow))
    await asyncio.sleep(0)
    alone.cancel()
    slow.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await alone
    while cache.get("key") is None:
        await asyncio.sleep(0)


@pytest.mark.slow
async def test_asyncio_does_not_complain_of_an_error_that_nobody_waits_for_any_more() -> None:
    complaints: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    flight, failing = SingleFlight[bytes | None](), Slow(error=OSError("no font"))
    alone = asyncio.create_task(flight.run("key", failing))
    await asyncio.sleep(0)
    alone.cancel()
    failing.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await alone
    for _ in range(5):
        await asyncio.sleep(0)
    del failing
    gc.collect()
    assert (complaints, await flight.run("key", computing(b"value"))) == ([], b"value")
