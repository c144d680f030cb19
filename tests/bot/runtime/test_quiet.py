"""Something is done once all has been quiet for a while."""

import asyncio

from bot.runtime.quiet import Quiet


async def test_each_step_comes_after_its_time() -> None:
    done, over = [], asyncio.Event()
    quiet = Quiet((0.02, over.set), (0.01, lambda: done.append("second")), (0, lambda: done.append("first")))
    quiet.stir()
    await over.wait()
    assert done == ["first", "second"]


async def test_whatever_happens_begins_the_time_anew() -> None:
    over = asyncio.Event()
    quiet = Quiet((0, over.set))
    quiet.stir()
    quiet.stop()
    for _ in range(3):
        await asyncio.sleep(0)
    assert not over.is_set()
    quiet.stir()
    await over.wait()
