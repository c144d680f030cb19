"""The site for monitors: whether the bot is alive, whether it can be used, and what it has counted."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as plain

from bot import metrics
from bot.errors import CannotRun
from bot.metrics import REGISTRY, route_of
from bot.monitoring.health import Health
from bot.monitoring.monitor import Monitor
from bot.monitoring.site import served
from storage.store import Store

HERE = ("127.0.0.1", 0)
ROOT = Path(__file__).parents[3]


async def get(port: int, path: str, **headers: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}", headers=headers) as answer:
        return answer.status, await answer.text()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "games.sqlite3")
    yield opened
    await opened.close()


async def test_it_says_that_the_bot_is_alive_and_why_it_is_not_ready() -> None:
    health = Health()
    reasons: dict[str, str | None] = {"database": None}

    async def database() -> str | None:
        return reasons["database"]

    async def broken() -> str | None:
        raise ValueError("secret")

    health.add("database", database)
    async with served(HERE, health) as port:
        assert await get(port, "/health/live") == (200, "The bot is alive.\n")
        assert await get(port, "/health/ready") == (200, "The bot is ready.\n")
        reasons["database"] = "The disk is full."
        health.add("gateway", broken)
        assert await get(port, "/health/ready") == (503, "database: The disk is full.\ngateway: It fails: ValueError.\n")
        assert (await get(port, "/health/live"))[0] == 200


async def test_metrics_can_be_read_by_both_formats_and_come_with_those_of_the_process() -> None:
    metrics.ACTIONS.labels("bouncers", "person").inc()
    async with served(HERE, Health()) as port:
        _, text = await get(port, "/metrics")
        names = {family.name for family in plain(text)}
        assert {"springboard_actions", "springboard_answer_seconds", "process_resident_memory_bytes"} <= names
        _, text = await get(port, "/metrics", Accept="application/openmetrics-text; version=1.0.0")
        assert {"springboard_actions", "process_cpu_seconds"} <= {family.name for family in openmetrics(text)}


async def test_a_port_that_is_taken_is_named() -> None:
    async with served(HERE, Health()) as port:
        with pytest.raises(CannotRun, match=rf"127\.0\.0\.1:{port} cannot be listened to"):
            async with served(("127.0.0.1", port), Health()):
                pass


async def test_a_look_finds_what_there_is_in_the_database(store: Store) -> None:
    monitor = Monitor(store, lambda: 1000.0)
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


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/channels/1574254432546193408/messages/1574254432546193409", "/channels/{id}/messages/{id}"),
        (
            "/api/v10/webhooks/1574254432546193408/aW50ZXJh.Y3Rpb24/messages/@original",
            "/webhooks/{id}/{token}/messages/@original",
        ),
        ("/interactions/1574254432546193408/aW50ZXJhY3Rpb24/callback", "/interactions/{id}/{token}/callback"),
        ("/api/v10/users/@me", "/users/@me"),
        ("/proxy/api/v10/gateway/bot", "/gateway/bot"),
    ],
)
def test_routes_have_no_ids_and_no_tokens(path: str, route: str) -> None:
    assert route_of(path) == route


def test_no_metric_has_a_label_for_an_id() -> None:
    """Neither people nor servers are told apart: labels are few, and their values come from the program."""
    for family in REGISTRY.collect():
        assert family.name.startswith("springboard")
        for sample in family.samples:
            assert set(sample.labels) <= {"game", "by", "kind", "picture", "method", "route", "status", "scope", "state", "how",
                                          "le", "version"}  # fmt: skip
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
