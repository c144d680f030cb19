"""The endpoints for monitors: whether the bot is alive and usable, and its metrics."""

import asyncio
import logging
import re
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as plain

from bot.config import CannotRun
from bot.monitoring.endpoints import serve_site
from bot.monitoring.health import Health
from bot.monitoring.monitor import Monitor
from bot.runtime import metrics
from bot.runtime.metrics import REGISTRY, route_of
from loopback import virtual_time
from storage.store import Store

HERE = ("127.0.0.1", 0)
ROOT = Path(__file__).parents[3]


async def get(port: int, path: str, **headers: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}", headers=headers) as answer:
        return answer.status, await answer.text()


async def connected(port: int, *said: bytes) -> asyncio.StreamReader:
    """Send bytes over a connection, keep it open, and return its reader."""
    reader, writer = await asyncio.open_connection(*HERE[:1], port)
    reader.writer = writer  # type: ignore[attr-defined]  # open as long as the reader is held
    for part in said:
        writer.write(part)
        await writer.drain()
    return reader


async def heard(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the other side closes the connection."""
    async with asyncio.timeout(60):  # only a site that never closes it takes so long
        try:
            return await reader.read()
        except ConnectionError:
            return b""


async def test_it_says_that_the_bot_is_alive_and_why_it_is_not_ready() -> None:
    health = Health(fresh_for=0)
    reasons: dict[str, str | None] = {"database": None}

    async def database() -> str | None:
        return reasons["database"]

    async def broken() -> str | None:
        raise ValueError("secret")

    health.add("database", database)
    async with serve_site(HERE, health) as port:
        assert await get(port, "/health/live") == (200, "The bot is alive.\n")
        assert await get(port, "/health/ready") == (200, "The bot is ready.\n")
        reasons["database"] = "The disk is full."
        health.add("gateway", broken)
        assert await get(port, "/health/ready") == (503, "database: The disk is full.\ngateway: It fails: ValueError.\n")
        assert (await get(port, "/health/live"))[0] == 200


@pytest.mark.slow
async def test_however_many_ask_whether_it_is_ready_the_database_is_asked_once(store: Store) -> None:
    monitor = Monitor(store, lambda: 1000.0, health=Health(fresh_for=float("inf")))
    transactions: list[str] = []
    store.statistics.timed = lambda kind, _: transactions.append(kind)
    async with serve_site(HERE, monitor.health) as port:
        answers = await asyncio.gather(*(get(port, "/health/ready") for _ in range(24)))
        assert answers[0] == await get(port, "/health/ready"), "nor for whoever comes a little later"
    assert transactions == ["read", "write"]
    assert set(answers) == {(503, "gateway: There is no connection to Discord.\n")}


async def test_those_who_ask_at_the_same_time_share_an_answer_and_one_who_goes_takes_it_from_nobody() -> None:
    health, asked, go = Health(fresh_for=0), 0, asyncio.Event()

    async def slow() -> str | None:
        nonlocal asked
        asked += 1
        await go.wait()
        return f"It was asked {asked} times."

    health.add("slow", slow)
    first, second = asyncio.create_task(health.reasons()), asyncio.create_task(health.reasons())
    while not asked:
        await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first])
    go.set()
    assert await second == {"slow": "It was asked 1 times."}
    assert await health.reasons() == {"slow": "It was asked 2 times."}


def test_who_asks_without_a_pause_gets_few_answers_and_a_new_one_each_second() -> None:
    asked = 0

    async def database() -> str | None:
        nonlocal asked
        asked += 1
        return None

    async def work() -> tuple[int, int]:
        health, told, over = Health(), 0, asyncio.get_running_loop().time() + 10
        health.add("database", database)
        while asyncio.get_running_loop().time() < over:
            assert await health.reasons() == {}
            told += 1
        return asked, told

    asked_at_most, told_at_most = virtual_time.run(work())
    assert 8 <= asked_at_most <= 10
    assert told_at_most <= 50


@pytest.mark.parametrize("said", [b"", b"GET /health", b"GET /health/live HTTP/1.1\r\nHost: here\r\n"])
async def test_who_does_not_finish_what_it_asks_is_hung_up_on(said: bytes) -> None:
    async with serve_site(HERE, Health(), seconds=0.05) as port:
        halves = await asyncio.gather(*(connected(port, said) for _ in range(20)))
        assert await asyncio.gather(*map(heard, halves)) == [b""] * 20


async def test_a_connection_is_for_one_request() -> None:
    async with serve_site(HERE, Health()) as port:
        request = b"GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n"
        answer = await heard(await connected(port, request + request))
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.count(b"The bot is alive.") == 1


async def test_of_too_many_connections_the_oldest_gives_way() -> None:
    async with serve_site(HERE, Health(), most=3, seconds=3600) as port:
        halves = [await connected(port, b"GET /health") for _ in range(8)]
        assert await asyncio.gather(*map(heard, halves[:5])) == [b""] * 5
        assert not any(half.at_eof() for half in halves[5:])
        assert (await get(port, "/health/live"), await heard(halves[5])) == ((200, "The bot is alive.\n"), b"")


@pytest.mark.parametrize("said", [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    b"\r\n\r\n\x00\xff\xfe garbage\r\n\r\n",
    b"GET /health/live HTTP/9.9\r\n\r\n",
    b"GET /health/live HTTP/1.1\r\nno colon\r\n\r\n",
    b"GET /health/live HTTP/1.1\r\nHost: here\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n",
    b"GET /health/live HTTP/1.1\r\nHost: here\r\n" + b"X: x\r\n" * 5_000 + b"\r\n",
    b"GET http://[:1 HTTP/1.1\r\nHost: here\r\n\r\n",
    b"POST /health/live HTTP/1.1\r\nHost: here\r\nContent-Length: -1\r\n\r\n",
    b"GET /health/live HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
])  # fmt: skip
async def test_what_is_no_request_is_refused_and_not_logged(said: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with serve_site(HERE, Health()) as port:
        answer = await heard(await connected(port, said))
        assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
        assert (await get(port, "/health/live"))[0] == 200
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_body_that_makes_no_sense_is_nothing_that_the_log_tells_of(caplog: pytest.LogCaptureFixture) -> None:
    async with serve_site(HERE, Health()) as port:
        said = b"GET /health/live HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n", b"zzz\r\n\xff\r\n"
        assert (await heard(await connected(port, *said))).count(b"HTTP/1.") == 1
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_an_error_of_the_site_itself_is_told(caplog: pytest.LogCaptureFixture) -> None:
    health = Health()
    health.reasons = None  # type: ignore[method-assign, assignment]
    async with serve_site(HERE, health) as port:
        assert (await get(port, "/health/ready"))[0] == 500
    assert "Error handling request" in caplog.text


async def test_what_there_is_not_is_said() -> None:
    async with serve_site(HERE, Health()) as port, aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        assert await get(port, "/") == (404, "There are /health/live, /health/ready, /metrics.\n")
        async with session.post("/health/live", data=b"x" * 1000) as answer:
            assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
        async with session.head("/health/live") as answer:
            assert (answer.status, await answer.read()) == (200, b"")


async def test_metrics_can_be_read_by_both_formats_and_come_with_those_of_the_process() -> None:
    metrics.ACTIONS.labels("bouncers", "person").inc()
    async with serve_site(HERE, Health()) as port:
        _, text = await get(port, "/metrics")
        names = {family.name for family in plain(text)}
        assert {"springboard_actions", "springboard_answer_seconds", "process_resident_memory_bytes"} <= names
        _, text = await get(port, "/metrics", Accept="application/openmetrics-text; version=1.0.0")
        assert {"springboard_actions", "process_cpu_seconds"} <= {family.name for family in openmetrics(text)}


async def test_a_port_that_is_taken_is_named() -> None:
    async with serve_site(HERE, Health()) as port:
        with pytest.raises(CannotRun, match=rf"127\.0\.0\.1:{port} cannot be listened to"):
            async with serve_site(("127.0.0.1", port), Health()):
                pass


async def test_a_look_finds_what_there_is_in_the_database(store: Store) -> None:
    monitor = Monitor(store, lambda: 1000.0, health=Health(fresh_for=0))
    await monitor.look()
    assert REGISTRY.get_sample_value("springboard_database_up") == 1
    assert REGISTRY.get_sample_value("springboard_outbox_jobs") == 0
    assert REGISTRY.get_sample_value("springboard_tables", {"status": "playing"}) == 0
    free = REGISTRY.get_sample_value("springboard_disk_free_bytes")
    assert free is not None
    assert free > 0
    assert await monitor.health.reasons() == {"gateway": "There is no connection to Discord."}
    await store.close()
    await monitor.look()
    assert REGISTRY.get_sample_value("springboard_database_up") == 0
    assert "database" in await monitor.health.reasons()


@pytest.mark.parametrize(("path", "route"), [
    ("/api/v10/channels/1574254432546193408/messages/1574254432546193409", "/channels/{id}/messages/{id}"),
    (
        "/api/v10/webhooks/1574254432546193408/aW50ZXJh.Y3Rpb24/messages/@original",
        "/webhooks/{id}/{token}/messages/@original",
    ),
    ("/interactions/1574254432546193408/aW50ZXJhY3Rpb24/callback", "/interactions/{id}/{token}/callback"),
    ("/api/v10/users/@me", "/users/@me"),
    ("/proxy/api/v10/gateway/bot", "/gateway/bot"),
])  # fmt: skip
def test_routes_have_no_ids_and_no_tokens(path: str, route: str) -> None:
    assert route_of(path) == route


def test_no_metric_has_a_label_for_an_id() -> None:
    """Neither people nor servers are told apart: labels are few, and their values come from the program."""
    for family in REGISTRY.collect():
        assert family.name.startswith("springboard")
        for sample in family.samples:
            assert set(sample.labels) <= {"game", "by", "kind", "picture", "method", "route", "status", "scope", "state", "how",
                                          "le", "version", "reason"}  # fmt: skip
            assert not any(re.search(r"\d{15}", value) for value in sample.labels.values())


def test_every_metric_and_every_alert_is_explained() -> None:
    told = (ROOT / "docs" / "monitoring.md").read_text()
    counted = {"counter": "_total", "info": "_info"}
    missing = [name for family in REGISTRY.collect() if f"`{(name := family.name + counted.get(family.type, ''))}" not in told]
    assert missing == []
    alerts = re.findall(r"- alert: (\w+)", (ROOT / "deploy" / "prometheus" / "alerts.yml").read_text())
    assert alerts
    assert [alert for alert in alerts if f"`{alert}`" not in told] == []
    assert set(re.findall(r"^\| `(Springboard\w+)`", told, re.MULTILINE)) == set(alerts), "and no other"
