"""Faults of Discord: refused, lost, slow or repeated calls."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from unittest import mock

import discord
from simcord.backend.errors import BackendError
from simcord.http import router as simulated
from simcord.http.client import FakeWebhookAdapter

from tests.bot.kit import World

FOR_EVER = 10.0 * 365 * 86400
SEND = r"POST /channels/\d+/messages"
EDIT = r"PATCH /channels/\d+/messages/\d+"
ANSWER = r"POST /interactions/.*"


@contextlib.contextmanager
def a_bad_line(
    world: World, pattern: str, error: Callable[[], Exception], *, times: int = 1, arrives: bool = False
) -> Iterator[None]:
    """Make `times` calls that match `pattern` ("METHOD /path", a regular expression) fail with `error`.

    If `arrives`, Discord carries the call out, and only the answer is lost.
    """
    dispatch, left = simulated.dispatch, [times]

    def called(backend: Any, method: str, path: str, **rest: Any) -> Any:
        if not left[0] or not re.fullmatch(pattern, f"{method} {path}"):
            return dispatch(backend, method, path, **rest)
        left[0] -= 1
        if arrives:
            dispatch(backend, method, path, **rest)
        raise error()

    with mock.patch.object(simulated, "dispatch", called):
        yield
    assert left[0] == 0, f"{left[0]} of {times} calls were never made"


@contextlib.contextmanager
def a_slow_line(world: World, pattern: str, seconds: float = FOR_EVER) -> Iterator[list[str]]:
    """Delay matching calls ("METHOD /path") by simulated seconds, as discord.py does for rate limits. Yields those begun."""
    with _before_calls(world, pattern, lambda: asyncio.sleep(seconds)) as begun:
        yield begun


@contextlib.contextmanager
def limited(world: World, pattern: str, seconds: float) -> Iterator[list[str]]:
    """Have discord.py refuse matching calls because their rate limit is too long to wait for. Yields those calls."""

    async def refuse() -> None:
        raise discord.RateLimited(seconds)

    with _before_calls(world, pattern, refuse) as tried:
        yield tried


@contextlib.contextmanager
def _before_calls(world: World, pattern: str, act: Callable[[], Awaitable[None]]) -> Iterator[list[str]]:
    """Do something before each matching call of discord.py. Yields those calls."""
    matching = list[str]()

    def wrapped(request: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def called(to: Any, route: Any, *rest: Any, **more: Any) -> Any:
            call = f"{route.method} {str(route.url).partition('/api/v10')[2].partition('?')[0]}"
            if re.fullmatch(pattern, call):
                matching.append(call)
                await act()
            return await request(to, route, *rest, **more)

        return called

    with contextlib.ExitStack() as patched:
        for kind in (type(world.client.http), FakeWebhookAdapter):
            patched.enter_context(mock.patch.object(kind, "request", wrapped(kind.request)))
        yield matching


@contextlib.contextmanager
def nonces() -> Iterator[list[str]]:
    """Never post a message twice whose nonce was just seen, as Discord promises but simcord does not. Yields all nonces."""
    dispatch, known, seen = simulated.dispatch, dict[str, Any](), list[str]()

    def called(backend: Any, method: str, path: str, **rest: Any) -> Any:
        body = rest.get("json") or {}
        if not re.fullmatch(SEND, f"{method} {path}") or not body.get("enforce_nonce"):
            return dispatch(backend, method, path, **rest)
        seen.append(body["nonce"])
        if body["nonce"] not in known:
            known[body["nonce"]] = dispatch(backend, method, path, **rest)
        return known[body["nonce"]]

    with mock.patch.object(simulated, "dispatch", called):
        yield seen


def refusal(status: int, code: int = 0) -> Callable[[], Exception]:
    return lambda: BackendError(status, code, "refused")
