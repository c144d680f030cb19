"""The sandbox's windows in a browser, clicked and typed into as people do."""

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
"""Seconds to wait for what must come, however slow or busy the machine is."""


@dataclass
class Window:
    page: BrowserPage
    number: int

    @property
    def frame(self) -> FrameLocator:
        return self.page.locator(".pane").nth(self.number).frame_locator("iframe")

    @property
    def newest(self) -> Locator:
        return self.frame.locator("article.channel-message").last

    async def ready(self) -> None:
        """Wait until the last click is handled: until then the page takes no other."""
        await expect(self.frame.locator("#action-status")).not_to_contain_text("…")

    async def press(self, label: str) -> None:
        await self.ready()
        words = self.frame.locator(".button-label", has_text=re.compile(f"^{re.escape(label)}$"))
        await self.frame.locator(".component-button", has=words).last.click()

    def menu(self, name: str) -> Locator:
        """A menu of the newest message, by its placeholder."""
        return self.newest.locator(f'.select-trigger[aria-label="{name}"]')

    async def choose(self, name: str, *labels: str) -> None:
        """Choose a menu's options by how they begin."""
        await self.ready()
        menu = self.newest.locator(f'.preview-select:has(.select-trigger[aria-label="{name}"])')
        many = await menu.get_attribute("data-maximum") != "1"
        await self.menu(name).click()
        for label in labels:
            option = menu.locator(".select-option", has_text=re.compile(f"^{re.escape(label)}"))
            await option.click()
            if many:
                await expect(option).to_have_attribute("aria-selected", "true")
        opened = self.newest.locator(".preview-select.is-open")
        while many and await opened.count():
            await self.ready()  # while the page looks up options, which it does soon after a menu opens, it applies none
            await self.menu(name).click()
        await expect(opened).to_have_count(0)
        await self.ready()

    async def type(self, command: str, **options: str) -> None:
        """Type a slash command and its options. An exact suggestion is taken when it comes."""
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
        """Pick a slash command, and with it its first required option."""
        await self.ready()
        await self.frame.locator("#channel-composer-input").click()
        await self.page.keyboard.type(f"/{command}", delay=20)
        await expect(self.frame.locator(".command-popup")).to_contain_text(f"/{command}")
        await self.page.keyboard.press("Enter")
        await expect(self.frame.locator(".command-chip")).to_have_text(f"/{command}")

    def suggestion(self, value: str) -> Locator:
        """The suggestion with this name or value. Others may be shown until it has been looked up."""
        name = self.frame.locator(".command-suggestion-label", has_text=re.compile(f"^{re.escape(value)}$"))
        named = self.frame.locator(".command-suggestion", has=name)
        return named.or_(self.frame.locator(f'.command-suggestion[data-value="{value}"]')).first

    async def play(self, *tokens: str) -> None:
        await self.press("Move")
        for token in tokens:
            await self.press(token)

    async def sees_a_board_with(self, words: str) -> None:
        """Wait for the newest board's picture with these words in its alt text."""
        board = self.frame.locator("article.channel-message", has=self.frame.get_by_role("button", name="More")).last
        picture = board.locator("img.gallery-image").last
        await expect(picture).to_have_attribute("alt", re.compile(re.escape(words)))
        await expect(picture).to_have_js_property("naturalWidth", 1024)
