"""Time at a table, compared with a model that shares no code with it (time_model.py)."""

import pytest

from storage.store import Store
from tests.bot.time_histories import by_bot, by_model, history

EACH = 100
WHAT = {"half", "late", "grace", "over", "taken", "refused", "ends"}
"""How many histories must have each kind of happening."""


async def live_through(store: Store, numbers: range) -> None:
    met: set[str] = set()
    for number in numbers:
        told = history(number)
        expected = by_model(told)
        assert await by_bot(store, told) == expected, f"history {number}: {told}"
        met.update(what for _, what, _ in expected)
    assert met == WHAT


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(3))
async def test_the_bot_lives_through_random_histories_as_the_model_does(store: Store, hundred: int) -> None:
    await live_through(store, range(hundred * EACH, (hundred + 1) * EACH))


@pytest.mark.proof
@pytest.mark.parametrize("thousand", range(100))
async def test_the_bot_lives_through_a_hundred_thousand_histories_as_the_model_does(store: Store, thousand: int) -> None:
    await live_through(store, range(thousand * 10 * EACH, (thousand + 1) * 10 * EACH))
