"""Games in the page of which a picture is hard to draw, or cannot be drawn: they are played to their ends."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import discord
import pytest
from playwright.async_api import Page, expect

from bot.app import Springboard
from bot.drawing.lanes import drawing_in
from bot.sandbox import open_sandbox, sandboxed_client
from bot.sessions import Sessions
from engines.game import Buttons, part_of
from storage.schema.records import Status
from storage.store import Store
from tests.bot.drawing.failing import NOTE, Failing, broken
from tests.bot.sandbox.browser import Window

BASMALA = "\ufdfd"


@asynccontextmanager
async def sandbox_here() -> AsyncIterator[tuple[str, Callable[[], Sessions]]]:
    """The sandbox in this process: its address, and the service behind it."""
    made: list[Springboard] = []

    def make(store: Store, *, now: Callable[[], float]) -> discord.Client:
        client = sandboxed_client(store, now=now)
        assert isinstance(client, Springboard)
        made.append(client)
        return client

    async with open_sandbox(0, make) as address:
        yield address, lambda: made[-1].sessions


async def played_to_the_end(sessions: Sessions, *windows: Window) -> bool:
    """Roll, or whatever stands first under the board, until the game of table 1 is over. Gives whether words were seen."""
    in_words = windows[0].frame.get_by_text(NOTE.removeprefix("-# "))
    seen = False
    while (snapshot := await sessions.snapshot(1)).table.status is Status.PLAYING:
        (seat,) = snapshot.playing.to_act
        window, label = windows[seat], part_of(snapshot.playing.game, Buttons).shortcuts(snapshot.playing.view(None))[0].label
        await window.press(str(label))
        await window.ready()
        seen = seen or await in_words.count() > 0
    for window in windows:
        await expect(window.frame.locator(".button-label", has_text="Rematch").last).to_be_visible()
    return seen or await in_words.count() > 0


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "third",
    [
        pytest.param(False, marks=pytest.mark.proof, id="drawn"),
        pytest.param(True, marks=pytest.mark.slow, id="every-third-fails"),
    ],
)
async def test_somebody_whose_name_no_font_can_draw_plays_to_the_end(
    page: Page, monkeypatch: pytest.MonkeyPatch, third: bool
) -> None:
    monkeypatch.setattr("bot.sandbox.world.PEOPLE", (("ann", "Ann"), ("basmala", BASMALA), ("cleo", "Cleo"), ("dev", "Dev")))
    place = Failing(broken, lambda number: third and number % 3 == 0)
    with drawing_in(place):
        async with sandbox_here() as (address, sessions):
            await page.goto(address)
            ann, other = Window(page, 0), Window(page, 1)
            await ann.type("play", game="trampoline", opponent=BASMALA)
            await other.press("Accept")
            await expect(ann.frame.get_by_text(", ready to roll?").last).to_be_visible()
            assert await played_to_the_end(sessions(), ann, other) == third
            assert await ann.frame.locator("img.gallery-image").count() > 0
    assert place.asked >= 3
