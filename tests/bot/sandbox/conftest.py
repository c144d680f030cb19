"""The sandbox, with or without a browser in front of it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
import simcord
from playwright.async_api import Browser, Page, async_playwright, expect

from bot.sandbox import open_sandbox
from tests.bot.kit import SETTLE_SECONDS, patient
from tests.bot.sandbox.browser import CHROMIUM, FLAGS, WAIT_LIMIT
from tests.bot.sandbox.windows import Site


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sandbox.SETTLE_TIMEOUT", SETTLE_SECONDS)
    monkeypatch.setattr(simcord.Env, "_settle_internal", patient(simcord.Env._settle_internal))


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with open_sandbox(0) as address, aiohttp.ClientSession() as session:
        yield Site(address, session)


WITH_OPEN = "from tests.opening import have_open; have_open(); from bot.__main__ import main; main(prog_name='springboard')"
"""Starts the sandbox with `/open`, which only tests have."""


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[str]:
    """The address of a sandbox started by `springboard sandbox`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DISCORD", "SPRINGBOARD"))}
    log = tmp_path / "log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-c", WITH_OPEN, "sandbox", "--port", "0"],
            cwd=Path(__file__).parents[3], env=environment, stdout=subprocess.PIPE, stderr=stream, text=True,
        )  # fmt: skip
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:[0-9]+/", said)
        assert address, f"{said}\n{log.read_text()}"
        yield address[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=WAIT_LIMIT) == 0
        assert '"level": "error"' not in log.read_text(), log.read_text()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    """Headless Chromium, shared with its event loop by all tests of a module."""
    expect.set_options(timeout=WAIT_LIMIT * 1000)
    if not CHROMIUM.exists() and os.environ.get("CI") != "true":
        pytest.skip(f"there is no {CHROMIUM} (on Debian: apt-get install chromium)")
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=WAIT_LIMIT * 1000)
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="module")
async def page(chromium: Browser) -> AsyncIterator[Page]:
    """An empty page without history, wide enough for two windows."""
    opened_page = await chromium.new_page(viewport={"width": 1500, "height": 1000})
    opened_page.set_default_timeout(WAIT_LIMIT * 1000)
    yield opened_page
    await opened_page.close()
