"""The sandbox: its page in a browser, and what its server lets through."""

import asyncio
import io
import os
import re
import secrets
import signal
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from playwright.async_api import Browser, FrameLocator, Locator, async_playwright, expect
from playwright.async_api import Page as BrowserPage
from simcord.components import walk_components
from simcord.preview import _markdown, _queries

from bot.sandbox import opened
from bot.sandbox.markdown_cache import cached_markdown
from storage.store import Store
from tests.bot.test_kit import Toy, png, shown

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


# ------------------------------------------------------------- without a browser


@dataclass
class Page:
    """A window of the sandbox, as its script sees it."""

    site: "Site"
    who: str
    where: str
    context: str = ""
    shown: dict[str, Any] = field(default_factory=dict)
    sequence: int = 0

    async def look(self) -> "Page":
        status, self.shown = await self.site.ask("GET", "/api/state", page=self)
        assert status == 200
        return self

    async def act(self, kind: str, **body: Any) -> dict[str, Any]:
        status, said = await self.site.ask(
            "POST",
            "/api/action",
            page=self,
            json={
                **body,
                "kind": kind,
                "protocol_version": 3,
                "sequence": self.sequence + 1,
                "request_id": uuid.uuid4().hex,
                "generation": self.shown["context"]["generation"],
                "bot_generation": self.shown["botGeneration"],
                "published_revision": self.shown["publishedRevision"],
            },
        )
        assert status == 200, said
        self.sequence = said["expectedSequence"]
        return dict(said)

    async def command(self, name: str, **options: str) -> dict[str, Any]:
        _, catalogue = await self.site.ask("GET", "/api/commands", page=self)
        (entry,) = (one for one in catalogue["entries"] if one["invocation"] == name)
        return await self.act(
            "run_command",
            command_id=entry["commandId"],
            path=entry["path"],
            schema_fingerprint=entry["schemaFingerprint"],
            options=options,
        )

    async def click(self, label: str) -> dict[str, Any]:
        found = [
            (identity, item)
            for identity, message in self.shown["messages"].items()
            for item in walk_components(message["components"])
            if item.get("label") == label
        ]
        identity, item = found[-1]
        return await self.act("click", target_id=identity, control_key=f"message:{identity}:component:{item['id']}")

    @property
    def text(self) -> str:
        return str(self.shown["messages"])


@dataclass
class Site:
    """The server of the sandbox."""

    address: str
    session: aiohttp.ClientSession
    heard: list[str] = field(default_factory=list)

    async def ask(
        self, method: str, path: str, *, page: Page | None = None, json: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        sent = {**(headers or {})}
        if page is not None:
            sent |= {"X-Simcord-Capability": f"{page.who}.{page.where}"}
            sent |= {"X-Simcord-Context": page.context} if page.context else {}
        async with self.session.request(method, self.address + path.lstrip("/"), json=json, headers=sent) as answer:
            self.heard.append(f"{answer.headers} {await answer.text()}")
            return answer.status, await answer.json() if "json" in answer.content_type else await answer.text()

    async def state(self) -> dict[str, Any]:
        return dict((await self.ask("GET", "/sandbox/state"))[1])

    async def open(self, who: str, where: str) -> Page:
        state = await self.state()
        (person,) = (one["id"] for one in state["people"] if one["name"] == who)
        (place,) = (one["id"] for one in state["places"] if one["name"] == where)
        page = Page(self, person, place)
        status, said = await self.ask("POST", "/api/pages", page=page, json={})
        assert status == 200
        page.context, page.shown = said["context"]["id"], said
        return page


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with opened(0) as address, aiohttp.ClientSession() as session:
        yield Site(address, session)


async def test_every_window_is_of_one_person_in_one_place(site: Site) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "bounce-club")
    assert (await ann.command("play", game="bouncers"))["settlement"] == "settled"
    await ann.look()
    await ben.look()
    assert "Bouncers #1" in ann.text
    assert ben.shown["messages"] == {}
    assert (ann.shown["channel"]["name"], ben.shown["channel"]["name"]) == ("games", "bounce-club")
    assert (ann.shown["viewerId"], ben.shown["viewerId"]) == (ann.who, ben.who)


async def test_what_one_does_the_others_see_without_asking(site: Site) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "games")
    await ann.command("play", game="bouncers")
    await ben.look()
    assert (await ben.click("Join"))["settlement"] == "settled"
    assert "Ben" in (await ann.look()).text


async def test_a_click_counts_while_the_message_is_the_same_though_the_page_is_newer(site: Site) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "games")
    cleo = await site.open("Cleo", "bounce-club")
    await ann.command("play", game="bouncers")
    await ben.look()
    await cleo.look()
    assert (await cleo.command("play", game="bouncers"))["settlement"] == "settled"
    seen = ben.shown["publishedRevision"]
    said = await ben.click("Join")
    assert (said["rejected"], said["settlement"]) == (False, "settled")
    assert (await ben.look()).shown["publishedRevision"] > seen + 1


async def test_a_click_on_a_message_that_has_changed_since_is_refused(site: Site) -> None:
    ann, ben, cleo = [await site.open(name, "games") for name in ("Ann", "Ben", "Cleo")]
    await ann.command("play", game="bouncers", seats="2")
    await ben.look()
    await cleo.look()
    assert (await ben.click("Join"))["settlement"] == "settled"
    said = await cleo.click("Join")
    assert said["rejected"]
    assert [one["code"] for one in said["diagnostics"]] == ["stale-revision"]
    assert "Cleo" not in (await ann.look()).text


async def test_a_private_channel_is_offered_and_shown_only_to_those_who_see_it(site: Site) -> None:
    state = await site.state()
    names = {person["id"]: person["name"] for person in state["people"]}
    (attic,) = (place for place in state["places"] if place["name"] == "attic")
    assert [names[one] for one in attic["seenBy"]] == ["Ann", "Cleo", "Émile", "田中"]
    ann, ben = await site.open("Ann", "attic"), await site.open("Ben", "attic")
    await ann.act("send_message", content="A secret.")
    assert "A secret." in (await ann.look()).text
    await ben.look()
    assert ben.shown["status"] == "access_denied"
    assert "A secret." not in str(ben.shown)


async def test_time_goes_on_by_itself_and_jumps_when_told(site: Site) -> None:
    ann = await site.open("Ann", "games")
    begun = (await site.state())["now"]
    await asyncio.sleep(1.5)
    assert (await site.state())["now"] > begun
    assert (await site.ask("POST", "/sandbox/skip", json={"seconds": 3 * 3600}))[0] == 200
    while (await site.state())["now"] < begun + 3 * 3600:
        await asyncio.sleep(0.05)
    await ann.act("send_message", content="Later.")
    (message,) = (await ann.look()).shown["messages"].values()
    assert message["timestamp"] > ann.shown["publication"]["publishedAt"][:13]


@pytest.mark.parametrize("body", [{}, {"seconds": -1}, {"seconds": 1e9}, {"seconds": "soon"}, []])
async def test_time_does_not_jump_backwards_or_out_of_sight(site: Site, body: Any) -> None:
    assert (await site.ask("POST", "/sandbox/skip", json=body))[0] == 400


@pytest.mark.parametrize(
    "headers", [{"Host": "springboard.example"}, {"Origin": "http://springboard.example"}, {"Origin": "null"}]
)
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/"), ("GET", "/sandbox/state"), ("POST", "/sandbox/skip"), ("POST", "/api/pages")]
)
async def test_other_sites_are_kept_out(site: Site, method: str, path: str, headers: dict[str, str]) -> None:
    status, _ = await site.ask(method, path, headers=headers, json={"seconds": 60} if method == "POST" else None)
    assert status == 403


async def test_the_password_of_the_preview_stays_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size=32: f"password{size}-{uuid.uuid4().hex}")
    async with opened(0) as address, aiohttp.ClientSession() as session:
        site = Site(address, session)
        ann = await site.open("Ann", "games")
        await ann.command("play", game="bouncers")
        for path in (
            "/",
            "/view",
            "/sandbox/index.js",
            "/sandbox/frame.js",
            "/app.js",
            "/api/state",
            "/api/commands",
            "/sandbox/state",
        ):
            await site.ask("GET", path, page=ann)
    assert "password12-" in " ".join(site.heard)  # the ids of pages, which are no secrets
    assert "password32-" not in " ".join(site.heard)


async def test_direct_messages_are_a_place_of_their_own_for_one_person(tmp_path: Path) -> None:
    def make(_: Store, *, now: Callable[[], float]) -> discord.Client:
        client = Toy(tmp_path / "toy.sqlite3", now)
        client.task = write
        return client

    async def write(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Look at your messages.", ephemeral=True)
        await interaction.user.send(view=shown(1), file=discord.File(io.BytesIO(png(1)), "count.png"))

    async with opened(0, make) as address, aiohttp.ClientSession() as session:
        site = Site(address, session)
        ann = await site.open("Ann", "games")
        await ann.command("do")
        (place,) = (one for one in (await site.state())["places"] if one["kind"] == "direct")
        assert place["seenBy"] == [ann.who]
        letter = await site.open("Ann", place["name"])
        assert "Clicked 1 times" in letter.text
        assert (await letter.click("More"))["settlement"] == "settled"
        await letter.look()
        assert "image/png" in str(letter.shown["assets"])


async def test_what_the_sandbox_does_by_itself_is_refused(site: Site) -> None:
    ann = await site.open("Ann", "games")
    with pytest.raises(AssertionError, match="by itself"):
        await ann.act("close")
    with pytest.raises(AssertionError, match="by itself"):
        await ann.act("viewer", viewer_id=ann.who)
    assert (await ann.look()).shown["viewerId"] == ann.who


@pytest.mark.parametrize("who", ["", "1.2", "x.y", "ann"])
async def test_nobody_and_nowhere_cannot_be_opened(site: Site, who: str) -> None:
    status, _ = await site.ask("POST", "/api/pages", json={}, headers={"X-Simcord-Capability": who})
    assert status == 404


async def test_a_window_that_was_closed_does_nothing_any_more(site: Site) -> None:
    ann = await site.open("Ann", "games")
    assert (await site.ask("DELETE", f"/api/pages/{ann.context}", page=ann))[0] == 200
    with pytest.raises(AssertionError, match="no longer open"):
        await ann.act("send_message", content="Hello?")


def test_texts_that_are_remembered_are_those_that_would_be_made_anew() -> None:
    plain = _markdown.markdown_tokens
    asked: list[tuple[str, str, dict[str, Any] | None]] = [
        ("**Ann** plays `c2-c3`, <@5>. <t:1700000000:R>", "text_display", {"users": {"5": name}}) for name in ("Ben", "Cleo")
    ] + [("**Move**", "label", None), ("**Move**", "message", {"users": {}})]
    with cached_markdown():
        for text, profile, context in asked * 2:
            for module in (_markdown, _queries):
                made = module.markdown_tokens(text, profile, context=context)
                assert made == plain(text, profile, context=context)
                made.clear()  # what one caller does with it is nothing to the next
    assert all(module.markdown_tokens is plain for module in (_markdown, _queries))


# ------------------------------------------------------------------ with a browser


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[str]:
    """The sandbox as `springboard sandbox` opens it: its address."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DISCORD", "SPRINGBOARD"))}
    log = tmp_path / "log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot", "sandbox", "--port", "0"],
            cwd=Path(__file__).parents[2], env=environment, stdout=subprocess.PIPE, stderr=stream, text=True,
        )  # fmt: skip
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:[0-9]+/", said)
        assert address, f"{said}\n{log.read_text()}"
        yield address[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
        assert '"level": "error"' not in log.read_text(), log.read_text()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium without a screen."""
    expect.set_options(timeout=20_000)
    if not CHROMIUM.exists() and os.environ.get("CI") != "true":
        pytest.skip(f"there is no {CHROMIUM} (on Debian: apt-get install chromium)")
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        await chromium.close()


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

    async def type(self, command: str, **options: str) -> None:
        """A slash command, with what is typed into each option; what is suggested first is taken."""
        await self.ready()
        await self.frame.locator("#channel-composer-input").click()
        await self.page.keyboard.type(f"/{command}", delay=20)
        await expect(self.frame.locator(".command-popup")).to_contain_text(f"/{command}")
        await self.page.keyboard.press("Enter")
        await expect(self.frame.locator(".command-chip")).to_have_text(f"/{command}")
        for name, value in options.items():
            entry = self.frame.locator(f'input[data-option="{name}"]')
            if not await entry.count():
                await self.frame.locator(".command-ghost").click()
                await self.frame.locator(".command-suggestion", has_text=re.compile(rf"^{name}\b")).click()
            await entry.fill(value)
            await self.frame.locator(".command-suggestion").first.click()
        await self.frame.locator("#send-message").click()
        await expect(self.frame.locator(".command-chip")).to_have_count(0)

    async def play(self, *tokens: str) -> None:
        """A turn, by way of the Move panel."""
        await self.press("Move")
        for token in tokens:
            await self.press(token)

    async def sees_a_board_with(self, words: str) -> None:
        """The newest board is there as a picture that is loaded, with these words for those who do not see it."""
        board = self.frame.locator("article.channel-message", has=self.frame.get_by_role("button", name="Board in words")).last
        picture = board.locator("img.gallery-image").last
        await expect(picture).to_have_attribute("alt", re.compile(re.escape(words)))
        await expect(picture).to_have_js_property("naturalWidth", 1024)


@pytest.mark.browser
async def test_two_people_play_some_turns_in_the_page(sandbox: str, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1500, "height": 1000})
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.set_default_timeout(20_000)
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)

    await ann.type("play", game="Bounc", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("Ann is to move")

    await ann.play("c2", "c3", "Play this")
    await ben.sees_a_board_with("Ben is to move")
    await ann.sees_a_board_with("c3")

    await ben.type("move", action="d7 d6")
    await ann.sees_a_board_with("Ann is to move")
    await ben.sees_a_board_with("d6")

    await ben.play()
    await expect(ben.newest).to_contain_text("Only you can see this")
    await expect(ann.frame.get_by_text("Only you can see this")).to_have_count(1)  # her own panel, not his

    await page.get_by_role("button", name="1 h").click()
    await expect(ann.frame.get_by_text(re.compile(r"until in 23 hours"))).to_be_visible()

    await page.locator(".who").nth(1).select_option(label="Cleo")
    await page.locator(".where").nth(1).select_option(label="# attic")
    await expect(ben.frame.locator("#channel-name")).to_have_text("attic")
    assert trouble == []


@pytest.mark.browser
async def test_a_whole_game_is_played_in_the_page_to_its_end_and_looked_back_on(sandbox: str, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1500, "height": 1000})
    page.set_default_timeout(20_000)
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("play", game="Bounc", variant="8x8-12-terminal", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("Ann is to move")
    await ann.type("move", action="a1 a2 b3 b4 a5")
    await ben.sees_a_board_with("Ben is to move")
    await ben.play("f8", "Play this")  # with only one way to go, it goes by itself
    await ann.sees_a_board_with("Ann is to move")
    await ann.play("a3", "Play this")
    await ben.sees_a_board_with("Ben is to move")
    await ben.type("move", action="h8 h7 g6 h5 g4")
    await ann.sees_a_board_with("Ann is to move")
    await ann.type("move", action="g3 f4 g5 g6 h6 g7 h8")
    for window in (ann, ben):
        await expect(window.frame.get_by_text("Ann wins: Ann has reached the last rank.").last).to_be_visible()
    await ben.press("Verify")
    await expect(ben.frame.get_by_text("All is in order.").last).to_be_visible()
    await ben.press("Rematch")
    await expect(ann.frame.get_by_text("Bouncers #2").last).to_be_visible()


@pytest.mark.browser
async def test_a_thread_appears_by_itself_and_can_be_opened(sandbox: str, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 1500, "height": 1000})
    page.set_default_timeout(20_000)
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("play", game="Bounc", opponent="Ben", thread="True")
    await ben.press("Accept")
    thread = page.locator(".place.thread")
    await expect(thread).to_have_class(re.compile("unread"))
    await thread.click()
    await expect(thread).not_to_have_class(re.compile("unread"))
    await page.reload()
    await expect(page.locator(".place.thread.shown")).to_have_count(1)
