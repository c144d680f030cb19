"""Health: whether the bot can be used at this moment, and if not, why."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from bot.runtime.cache import SingleFlight

Probe = Callable[[], Awaitable[str | None]]
"""Returns why a part of the bot cannot be used, as a sentence without ids or secrets, or None if it can be used."""

PROBED_FOR: Final = 3.0
"""Seconds after which a probe that does not answer counts as a failure."""

FRESH_FOR: Final = 1.0
"""Seconds for which an answer is given to other callers, too. A probe begins a transaction, for which players would wait."""


PAUSE: Final = 0.25
"""Seconds that a client which asks without a pause has to wait before it gets an earlier answer again."""


class Health:
    """The health of the gateway, database, disk and token. An answer serves other callers, too, for `fresh_for` seconds."""

    def __init__(self, fresh_for: float = FRESH_FOR) -> None:
        self._probes: dict[str, Probe] = {}
        self._fresh_for = fresh_for
        self._asking = SingleFlight[dict[str, str]]()
        self._answer: dict[str, str] = {}
        self._stale_at = 0.0

    def add(self, name: str, probe: Probe) -> None:
        """Add a probe."""
        self._probes[name] = probe

    async def reasons(self) -> dict[str, str]:
        """Return why the bot cannot be used now, by probe. One caller at a time asks, and the others get the same answer."""
        if asyncio.get_running_loop().time() < self._stale_at:
            answer = self._answer
            await asyncio.sleep(PAUSE)
            return answer
        return await self._asking.run(None, self._ask)

    async def _ask(self) -> dict[str, str]:
        names = list(self._probes)
        answers = await asyncio.gather(*(self._probe(self._probes[name]) for name in names))
        self._answer = {name: answer for name, answer in zip(names, answers, strict=True) if answer is not None}
        self._stale_at = asyncio.get_running_loop().time() + self._fresh_for
        return self._answer

    async def _probe(self, probe: Probe) -> str | None:
        try:
            async with asyncio.timeout(PROBED_FOR):
                return await probe()
        except TimeoutError:
            return f"It has not answered within {PROBED_FOR:.0f} seconds."
        except Exception as error:  # noqa: BLE001 - whatever it is, it is no health
            return f"It fails: {type(error).__name__}."
