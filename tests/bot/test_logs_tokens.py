"""No Discord token reaches the log, however discord.py and aiohttp mention it."""

import asyncio
import base64
import contextlib
import io
import json
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any
from unittest import mock

import aiohttp
import discord
import pytest
import structlog
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter

from bot import logs
from bot.config import Format, LogLevel
from tests.bot.test_logs import as_before

__all__ = ["as_before"]
ID = 1234567890123456789
INTERACTION = base64.urlsafe_b64encode(f"interaction:{ID}:".encode() + bytes(range(120))).decode()
WEBHOOK = "q7Jx-0pWqUeQ3n_mLZkT4yVbR8sDfGhJkLzXcVbNmQwErTyUiOpAsDfGhJkLzXcVbNm1"
BOT = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gabcde.abcdefghijklmnopqrstuvwxyz-_0123456789"
every_form = pytest.mark.parametrize("form", list(Format))


@contextlib.asynccontextmanager
async def local_discord(*answers: Callable[[], web.Response]) -> AsyncIterator[None]:
    """A server in place of Discord, which gives these answers one after another."""
    left = list(answers)

    async def answer(_: web.Request) -> web.Response:
        return left.pop(0)()

    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    with mock.patch.object(Route, "BASE", f"http://127.0.0.1:{port}"):
        yield
    await runner.cleanup()


def limited() -> web.Response:
    headers = {"Via": "1.1 google", "X-Ratelimit-Remaining": "0", "X-Ratelimit-Bucket": "abcd", "X-Ratelimit-Reset-After": "0"}
    return as_json({"retry_after": 0, "global": True, "message": "slow"}, 429, headers)


def taken() -> web.Response:
    return as_json({"token": WEBHOOK, "interaction": {"id": str(ID), "token": INTERACTION}})


def as_json(content: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(body=json.dumps(content).encode(), content_type="application/json", status=status, headers=headers)


def route(token: str) -> Route:
    return Route("POST", "/webhooks/{webhook_id}/{webhook_token}", webhook_id=ID, webhook_token=token)


async def answered_by_http(token: str) -> None:
    """discord.py's client for ordinary routes is held up, and then succeeds."""
    http = HTTPClient(asyncio.get_running_loop())
    http._HTTPClient__session = aiohttp.ClientSession()  # type: ignore[attr-defined]
    http._global_over = asyncio.Event()
    http._global_over.set()
    http.token = BOT
    async with local_discord(limited, taken):
        await http.request(route(token), json={"token": token})
    await http.close()


async def answered_by_webhook(token: str) -> None:
    """discord.py's client for answers is held up, succeeds, and then fails because nobody listens."""
    async with aiohttp.ClientSession() as session:
        async with local_discord(limited, taken):
            await AsyncWebhookAdapter().request(route(token), session)
        with mock.patch.object(Route, "BASE", "http://127.0.0.1:1"):
            callback = Route("POST", "/interactions/{webhook_id}/{webhook_token}/callback", webhook_id=ID, webhook_token=token)
            for failing in (route(token), callback):
                try:
                    await session.post(failing.url, raise_for_status=True)
                except aiohttp.ClientError:
                    logging.getLogger("bot").exception("lost at %s", failing.url)
                structlog.get_logger("bot").warning("job put off", error=repr(failing.url), url=failing.url)


async def received(payload: dict[str, Any]) -> None:
    """discord.py's gateway receives something."""
    socket = DiscordWebSocket(mock.Mock(), loop=asyncio.get_running_loop())
    socket.shard_id, socket._keep_alive = 0, None
    socket._discord_parsers, socket._dispatch = {}, mock.Mock()
    socket.log_receive = mock.Mock()  # type: ignore[method-assign]
    await socket.received_message(json.dumps(payload))


@every_form
@pytest.mark.parametrize("token", [INTERACTION, WEBHOOK], ids=["interaction", "webhook"])
async def test_what_discord_py_logs_of_an_answer_holds_no_token(form: Format, token: str) -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.DEBUG, form, to=stream)
    await answered_by_http(token)
    await answered_by_webhook(token)
    await received({"t": "INTERACTION_CREATE", "op": 0, "s": 1, "d": {"id": str(ID), "token": token, "type": 2}})
    said = stream.getvalue()
    assert "We are being rate limited. POST" in said
    assert "Rate limit is being handled by bucket hash" in said
    assert "WebSocket Event" in said
    assert "Cannot connect to host" in said
    assert f"/webhooks/{ID}/{logs.BLOT}" in said
    assert f"/interactions/{ID}/{logs.BLOT}/callback" in said
    for secret in (INTERACTION, WEBHOOK, BOT):
        assert secret not in said
        assert secret[-12:] not in said


@every_form
def test_a_token_is_redacted_in_python_in_json_and_in_addresses_that_are_quoted(form: Format) -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.DEBUG, form, to=stream)
    log = structlog.get_logger("bot")
    quoted = INTERACTION.replace("=", "%3D")
    log.info("said", one={"token": WEBHOOK}, two=json.dumps({"token": WEBHOOK}), three=f"token={WEBHOOK}",
             four=f"https://discord.com/api/v10/webhooks/{ID}/{quoted}/messages/@original?wait=1",
             five=json.dumps(json.dumps({"webhook_token": WEBHOOK})), six=f"Authorization: Bot {BOT}")  # fmt: skip
    log.info("an object", seven=discord.Webhook.partial(ID, WEBHOOK, session=mock.Mock(spec=aiohttp.ClientSession)).url)
    said = stream.getvalue()
    assert said.count(logs.BLOT) == 7
    assert WEBHOOK[-12:] not in said
    assert "/messages/@original?wait=1" in said


@every_form
def test_what_only_looks_a_little_like_a_token_stays(form: Format) -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.INFO, form, to=stream)
    digest = "0" * 30 + "af" * 17
    structlog.get_logger("bot").info(
        "left a server", server=ID, tokens=("c2", "c3"), hash=digest, path=f"/channels/{ID}/messages/{ID}",
        webhooks=f"/webhooks/{ID}/{ID}", message="Improper token has been passed.", error="springboard.sqlite3.before-restore",
    )  # fmt: skip
    said = stream.getvalue()
    assert logs.BLOT not in said
    assert digest in said
