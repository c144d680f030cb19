"""Games on the page whose pictures are slow or impossible to draw are played to their ends."""

import pytest
from playwright.async_api import Page, expect

from bot.core.core import Core
from bot.workers.drawing import drawing_in
from engines.game import Buttons, part_of
from storage.schema.records import Status
from tests.bot.sandbox.browser import Window
from tests.bot.sandbox.here import sandbox_here
from tests.bot.workers.failing import NOTE, Failing, broken

BASMALA = "\ufdfd"
PICTURE = "img.gallery-image"


async def played_to_the_end(core: Core, *windows: Window) -> set[str]:
    """Roll, or press the first button under the board, until game 1 is over. Returns how boards were shown."""
    ways = {"words": windows[0].frame.get_by_text(NOTE.removeprefix("-# ")), "pictures": windows[0].frame.locator(PICTURE)}
    seen: set[str] = set()
    while (snapshot := await core.snapshot(1)).table.status is Status.PLAYING:
        (seat,) = snapshot.playing.to_act
        window, label = windows[seat], part_of(snapshot.playing.game, Buttons).shortcuts(snapshot.playing.view(None))[0].label
        messages = window.frame.locator("#channel-message-list")
        before = await messages.inner_text()
        await window.press(str(label))
        await expect(messages).not_to_have_text(before, use_inner_text=True)
        await window.ready()
        seen |= {way for way, found in ways.items() if await found.count()}
    for window in windows:
        await expect(window.frame.locator(".button-label", has_text="Rematch").last).to_be_visible()
    return seen | {way for way, found in ways.items() if await found.count()}


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("third", [
    pytest.param(False, marks=pytest.mark.proof, id="drawn"),
    pytest.param(True, marks=pytest.mark.slow, id="every-third-fails"),
])  # fmt: skip
async def test_somebody_with_an_unknown_script_plays_to_the_end(
    page: Page, monkeypatch: pytest.MonkeyPatch, third: bool
) -> None:
    monkeypatch.setattr("bot.sandbox.world.PEOPLE", (("ann", "Ann"), ("basmala", BASMALA), ("cleo", "Cleo"), ("dev", "Dev")))
    place = Failing(broken, lambda number: third and number % 3 == 0)
    with drawing_in(place):
        async with sandbox_here() as (address, core):
            await page.goto(address)
            ann, other = Window(page, 0), Window(page, 1)
            await ann.type("play", game="trampoline", opponent=BASMALA)
            await other.press("Accept")
            await expect(ann.frame.get_by_text(", ready to roll?").last).to_be_visible()
            assert await played_to_the_end(core(), ann, other) == ({"words", "pictures"} if third else {"pictures"})
    assert place.asked >= 3
