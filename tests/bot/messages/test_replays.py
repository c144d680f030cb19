"""The cache of replays."""

from bot.messages.replays import ReplayCache
from renderers.replay import Replay


def made(size: int) -> Replay:
    return Replay(gif=bytes(size), frames=(0,), steps=1)


def test_the_cached_replays_have_so_many_bytes_altogether() -> None:
    cache = ReplayCache(most=1000)
    for number in range(200):
        cache.keep(number, made(300))
        assert cache.bytes <= 1000
    assert [number for number in range(200) if cache.get(number)] == [197, 198, 199]
    cache.get(197)
    cache.keep(200, made(300))
    assert [number for number in range(201) if cache.get(number)] == [197, 199, 200]  # what was asked for last stays


def test_a_replay_that_is_too_large_pushes_nothing_out() -> None:
    cache = ReplayCache(most=1000)
    cache.keep("small", made(100))
    cache.keep("large", made(1001))
    assert (cache.get("large"), cache.bytes) == (None, 100)
    assert cache.get("small") is not None
