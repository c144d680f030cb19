"""What the sandbox's server lets through."""

import secrets
import uuid

import aiohttp
import pytest

from bot.sandbox import open_sandbox
from tests.bot.sandbox.windows import Site

pytestmark = pytest.mark.slow


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
    async with open_sandbox(0) as address, aiohttp.ClientSession() as session:
        site = Site(address, session)
        ann = await site.open("Ann", "games")
        await ann.command("open", game="bouncers")
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
