"""In which threads pictures are drawn."""

import asyncio
import threading
from typing import Any

from bot.i18n.language import language
from bot.messages.perspective import spectator
from bot.messages.pictures import picture
from bot.sessions import Sessions, work_in_background
from tests.bot.service import started


async def test_pictures_that_nobody_waits_for_hold_up_no_other(sessions: Sessions) -> None:
    snapshot = await started(sessions)
    seen = spectator(language("en-US"))
    go_on = threading.Event()
    drawing: list[str] = []

    def slow(*_: Any) -> bytes:
        drawing.append("background")
        assert go_on.wait(60)
        return b"slow"

    def quick(*_: Any) -> bytes:
        drawing.append("click")
        return b"quick"

    async def aside() -> bytes:
        work_in_background()
        return (await picture(snapshot, seen, draw=slow)).content

    waiting = [asyncio.create_task(aside()) for _ in range(20)]
    try:
        while not drawing:
            await asyncio.sleep(0)
        async with asyncio.timeout(60):
            assert (await picture(snapshot, seen, draw=quick)).content == b"quick"
        assert drawing == ["background", "click"], "the others in the background wait for one another"
    finally:
        go_on.set()
    assert await asyncio.gather(*waiting) == [b"slow"] * 20
