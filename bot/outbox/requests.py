"""Counts the requests of a client to Discord, and those that Discord refuses for their number."""

from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.metrics import LIMITED, REQUESTS, route_of

LOST: Final = "lost"
"""In the place of a status: no answer came."""


def count_requests(trace: aiohttp.TraceConfig) -> None:
    """Count all requests of a session that tells `trace` about them."""
    trace.on_request_end.append(_ended)
    trace.on_request_exception.append(_lost)


async def _ended(_: aiohttp.ClientSession, _context: SimpleNamespace, told: aiohttp.TraceRequestEndParams) -> None:
    route, status = route_of(told.url.path), told.response.status
    REQUESTS.labels(told.method, route, status).inc()
    if status == 429:
        LIMITED.labels(route, told.response.headers.get("X-RateLimit-Scope", "unknown")).inc()


async def _lost(_: aiohttp.ClientSession, _context: SimpleNamespace, told: aiohttp.TraceRequestExceptionParams) -> None:
    REQUESTS.labels(told.method, route_of(told.url.path), LOST).inc()
