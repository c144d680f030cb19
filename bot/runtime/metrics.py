"""The bot's metrics for Prometheus, which docs/monitoring.md explains.

No label holds the id of a person, a server, a channel or a table. Every module that counts or measures something imports this
one, which imports nothing of the bot's. The numbers describe this process, unless a metric says that it describes the whole
database.
"""

import math
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

REGISTRY: Final = CollectorRegistry()
"""All of the bot's metrics. `bot.monitoring` adds those of a process (memory, processor, files) when it serves them."""

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""The buckets for durations, in seconds. Discord waits three seconds for an answer."""

LATENESS: Final = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0)

ACTIONS: Final = Counter(
    "springboard_actions", "Actions written to the logs of games.", ("game", "by"), registry=REGISTRY
)  # fmt: skip
ANSWER: Final = Histogram(
    "springboard_answer_seconds", "From the arrival of an interaction to its first answer.", ("kind",), buckets=SECONDS,
    registry=REGISTRY,
)  # fmt: skip
PICTURE: Final = Histogram(
    "springboard_picture_seconds", "Drawing a picture, waiting for a free process included.", ("picture",), buckets=SECONDS,
    registry=REGISTRY,
)  # fmt: skip
PICTURES_FAILED: Final = Counter(
    "springboard_pictures_failed", "Pictures that could not be drawn, and were replaced by words.", ("kind", "reason"),
    registry=REGISTRY,
)  # fmt: skip
OUTBOX_JOBS: Final = Gauge("springboard_outbox_jobs", "Jobs in the outbox of the whole database.", registry=REGISTRY)
OUTBOX_PUT_OFF: Final = Gauge(
    "springboard_outbox_put_off_jobs", "Jobs of the whole database that have failed, to be tried again.", registry=REGISTRY
)  # fmt: skip
OUTBOX_OLDEST: Final = Gauge(
    "springboard_outbox_oldest_seconds", "For how long a job of the whole database has been due that nobody has done.",
    registry=REGISTRY,
)  # fmt: skip
LATE: Final = Histogram(
    "springboard_deadline_lateness_seconds",
    "How late deadlines and reminders were handled.",
    buckets=LATENESS,
    registry=REGISTRY,
)
REQUESTS: Final = Counter(
    "springboard_discord_requests", "Requests to Discord.", ("method", "route", "status"), registry=REGISTRY
)  # fmt: skip
LIMITED: Final = Counter(
    "springboard_discord_rate_limited", "Requests that Discord has refused for their number (429).", ("route", "scope"),
    registry=REGISTRY,
)  # fmt: skip
RIVALS: Final = Counter(
    "springboard_rival_answers", "Interactions that another process with the same token has answered first.", registry=REGISTRY
)  # fmt: skip
LAG: Final = Histogram(
    "springboard_loop_lag_seconds",
    "How much later than asked the event loop has come back.",
    buckets=SECONDS,
    registry=REGISTRY,
)
LAG_MAX: Final = Gauge("springboard_loop_lag_max_seconds", "The longest of that in the last minute.", registry=REGISTRY)
THINKING_QUEUE: Final = Gauge("springboard_thinking_queue", "Questions that wait for a process to think.", registry=REGISTRY)
THINKING: Final = Histogram(
    "springboard_thinking_seconds", "Thinking about a question, waiting included.", buckets=SECONDS, registry=REGISTRY
)
OVERRUNS: Final = Counter(
    "springboard_thinking_overruns", "Answers of computers with hidden hands that came later than they were to be shown.",
    ("game",), registry=REGISTRY,
)  # fmt: skip
TABLES: Final = Gauge("springboard_tables", "Tables of the whole database that are not over.", ("status",), registry=REGISTRY)
SHARDS: Final = Gauge("springboard_shards", "Shards of this process, and in all.", ("state",), registry=REGISTRY)
LEASE_REMAINING: Final = Gauge(
    "springboard_lease_remaining_seconds", "For how long the leases of this process are certain.", registry=REGISTRY
)
LEASE_REMAINING.set(math.nan)  # as long as there are no leases
TAKEOVERS: Final = Counter("springboard_takeovers", "Shards taken over from other processes.", ("how",), registry=REGISTRY)
REFUSED: Final = Counter(
    "springboard_writes_refused", "Writes refused since another process had the shard.", registry=REGISTRY
)  # fmt: skip
LATENCY: Final = Gauge(
    "springboard_gateway_latency_seconds", "The slowest of the connections to the gateway; NaN without one.", registry=REGISTRY
)
DATABASE_UP: Final = Gauge("springboard_database_up", "Whether the database has answered the last time.", registry=REGISTRY)
DATABASE: Final = Histogram(
    "springboard_database_seconds", "Transactions with the database.", ("kind",), buckets=SECONDS, registry=REGISTRY
)
BACKUP_AGE: Final = Gauge(
    "springboard_backup_age_seconds", "The age of the newest backup; NaN if the bot makes none, or there is none yet.",
    registry=REGISTRY,
)  # fmt: skip
BACKUP_FAILURES: Final = Counter(
    "springboard_backup_failures", "Backups that could not be made since the start.", registry=REGISTRY
)
DISK_FREE: Final = Gauge(
    "springboard_disk_free_bytes", "Space on the disk of the database; NaN if it is on a server.", registry=REGISTRY
)
STOPPED: Final = Gauge("springboard_time_outs_stopped", "Whether the clock is doubted, so that nobody runs out of time.",
                       registry=REGISTRY)  # fmt: skip
INFO: Final = Info("springboard", "The version of the program.", registry=REGISTRY)

_ID: Final = re.compile(r"/\d{5,}")
_TOKEN: Final = re.compile(r"/(interactions|webhooks)/\{id\}/[^/]+")
_NAMED: Final = re.compile(r"/reactions/[^/]+")


def route_of(path: str) -> str:
    """Return a request's path without ids, tokens and names: `/channels/{id}/messages`."""
    path = re.sub(r"^.*?/api(/v\d+)?(?=/)", "", path)
    return _NAMED.sub("/reactions/{emoji}", _TOKEN.sub(r"/\1/{id}/{token}", _ID.sub("/{id}", path)))


def observe_transaction(kind: str, seconds: float) -> None:
    """Count a transaction with the database, of the kind `read` or `write`, and the seconds it took."""
    DATABASE.labels(kind).observe(seconds)


@contextmanager
def measure_time(histogram: Histogram, **labels: str) -> Iterator[None]:
    """Measure how long the block takes, even if it fails."""
    began = time.perf_counter()
    try:
        yield
    finally:
        (histogram.labels(**labels) if labels else histogram).observe(time.perf_counter() - began)
