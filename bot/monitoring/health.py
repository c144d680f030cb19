"""Whether the bot can be used at this moment, and if not, why, in words."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

Probe = Callable[[], Awaitable[str | None]]
"""Returns why something cannot be used at this moment, in a sentence without ids or secrets; None if it can."""

PROBED_FOR: Final = 3.0
"""Seconds after which a probe that has not answered counts as an answer."""


class Health:
    """What the bot needs to be of use: the gateway, the database."""

    def __init__(self) -> None:
        self._probes: dict[str, Probe] = {}

    def add(self, name: str, probe: Probe) -> None:
        """Ask this probe, too."""
        self._probes[name] = probe

    async def reasons(self) -> dict[str, str]:
        """Why the bot cannot be used at this moment, by the names of the probes; empty if it can."""
        names = list(self._probes)
        answers = await asyncio.gather(*(self._answer(self._probes[name]) for name in names))
        return {name: answer for name, answer in zip(names, answers, strict=True) if answer is not None}

    async def _answer(self, probe: Probe) -> str | None:
        try:
            async with asyncio.timeout(PROBED_FOR):
                return await probe()
        except TimeoutError:
            return f"It has not answered within {PROBED_FOR:.0f} seconds."
        except Exception as error:  # noqa: BLE001 - whatever it is, it is no health
            return f"It fails: {type(error).__name__}."
