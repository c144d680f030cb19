"""Counts a client's requests to Discord, and how many of them Discord refuses because there are too many."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.runtime.metrics import LIMITED, REQUESTS, route_of

LOST: Final = "lost"
"""The status recorded for a request that got no answer."""


@dataclass
class Tally:
    """The number of requests made for one purpose, including those that discord.py repeats by itself."""

    requests: int = 0


_TALLY: Final = ContextVar[Tally | None]("springboard_tally", default=None)


@contextmanager
def adding_to(tally: Tally) -> Iterator[None]:
    """While the block lasts, count its requests in `tally` as well."""
    before = _TALLY.set(tally)
    try:
        yield
    finally:
        _TALLY.reset(before)


def count_requests(trace: aiohttp.TraceConfig) -> None:
    """Count all requests of the HTTP session that `trace` belongs to."""
    trace.on_request_start.append(_count_request)
    trace.on_request_end.append(_count_answer)
    trace.on_request_exception.append(_count_loss)


async def _count_request(_: aiohttp.ClientSession, _context: SimpleNamespace, _seen: aiohttp.TraceRequestStartParams) -> None:
    tally = _TALLY.get()
    if tally is not None:
        tally.requests += 1


async def _count_answer(_: aiohttp.ClientSession, _context: SimpleNamespace, seen: aiohttp.TraceRequestEndParams) -> None:
    route, status = route_of(seen.url.path), seen.response.status
    REQUESTS.labels(seen.method, route, status).inc()
    if status == 429:
        LIMITED.labels(route, seen.response.headers.get("X-RateLimit-Scope", "unknown")).inc()


async def _count_loss(_: aiohttp.ClientSession, _context: SimpleNamespace, seen: aiohttp.TraceRequestExceptionParams) -> None:
    REQUESTS.labels(seen.method, route_of(seen.url.path), LOST).inc()
