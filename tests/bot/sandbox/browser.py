"""The windows of the sandbox in a browser, with clicks and typing as people do it."""

import re
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import FrameLocator, Locator, expect
from playwright.async_api import Page as BrowserPage

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
WAIT_LIMIT = 120.0
"""Seconds to wait for what is bound to come, however slow or busy the machine is."""


@dataclass
class Window:
    """One window of the sandbox page, used as a person uses it."""

    page: BrowserPage
    number: int

    @property
    def frame(self) -> FrameLocator:
        return self.page.locator(".pane").nth(self.number).frame_locator("iframe")

    @property
    def newest(self) -> Locator:
        return self.frame.locator("article.channel-message").last

    async def ready(self) -> None:
        """A click while the one before is on its way is not taken: the page says so, and people wait."""
        await expect(self.frame.locator("#action-status")).not_to_contain_text("…")

    async def press(self, label: str) -> None:
        await self.ready()
        words = self.frame.locator(".button-label", has_text=re.compile(f"^{re.escape(label)}$"))
        await self.frame.locator(".component-button", has=words).last.click()

    def menu(self, name: str) -> Locator:
        """A menu of the newest message, by what it asks for."""
        return self.newest.locator(f'.select-trigger[aria-label="{name}"]')

    async def choose(self, name: str, *labels: str) -> None:
        """Choose options of a menu of the newest message, by their beginnings."""
        await self.ready()
        menu = self.newest.locator(f'.preview-select:has(.select-trigger[aria-label="{name}"])')
        many = await menu.get_attribute("data-maximum") != "1"
        await self.menu(name).click()
        for label in labels:
            await menu.locator(".select-option", has_text=re.compile(f"^{re.escape(label)}")).click()
        if many:
            await self.menu(name).click()
        await expect(self.newest.locator(".preview-select.is-open")).to_have_count(0)
        await self.ready()

    async def type(self, command: str, **options: str) -> None:
        """A slash command, with what is typed into each option; the suggestion that is just that is taken when it comes."""
        await self.begin(command)
        for name, value in options.items():
            entry = self.frame.locator(f'input[data-option="{name}"]')
            if not await entry.count():
                await self.frame.locator(".command-ghost").click()
                await self.frame.locator(".command-suggestion", has_text=re.compile(rf"^{name}\b")).click()
            await entry.fill(value)
            await self.suggestion(value).click()
        await self.frame.locator("#send-message").click()
        await expect(self.frame.locator(".command-chip")).to_have_count(0)

    async def begin(self, command: str) -> None:
        """Pick a slash command; the first of its options, if it has to have one, is entered then."""
        await self.ready()
        await self.frame.locator("#channel-composer-input").click()
        await self.page.keyboard.type(f"/{command}", delay=20)
        await expect(self.frame.locator(".command-popup")).to_contain_text(f"/{command}")
        await self.page.keyboard.press("Enter")
        await expect(self.frame.locator(".command-chip")).to_have_text(f"/{command}")

    def suggestion(self, value: str) -> Locator:
        """What is suggested under this name or for this value; others may be there until what was typed has been looked up."""
        name = self.frame.locator(".command-suggestion-label", has_text=re.compile(f"^{re.escape(value)}$"))
        named = self.frame.locator(".command-suggestion", has=name)
        return named.or_(self.frame.locator(f'.command-suggestion[data-value="{value}"]')).first

    async def play(self, *tokens: str) -> None:
        """A turn, by way of the Move panel."""
        await self.press("Move")
        for token in tokens:
            await self.press(token)

    async def sees_a_board_with(self, words: str) -> None:
        """The newest board is there as a picture that is loaded, with these words for those who do not see it."""
        board = self.frame.locator("article.channel-message", has=self.frame.get_by_role("button", name="More")).last
        picture = board.locator("img.gallery-image").last
        await expect(picture).to_have_attribute("alt", re.compile(re.escape(words)))
        await expect(picture).to_have_js_property("naturalWidth", 1024)
