"""The simulated Discord. As in Discord, people wait only for the answer to what they do.

In simcord, an action ends when everything is done that the bot does at once or will do within half a minute. That suits tests.
But people would have to wait for pictures of other tables, for thinking computers, and for messages edited some seconds later.
So here an action ends with its answer, and pages are updated as soon as more has happened. Only a skip waits for the bot, which
does what is due in each step before the next step.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import simcord
from simcord.backend.models import Interaction
from typing_extensions import override

SOON: Final = 0.02
"""Seconds for what the bot can do at once, before anybody looks."""

_PRESSED: Final = "INTERACTION_CREATE"
"""simcord's name for waiting for the answer to an interaction."""


class SimulatedDiscord(simcord.Env):
    """simcord's Discord. Until it is opened, it waits for the bot as simcord does."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._waits = True
        self._asked: Interaction | None = None
        self._register_dispatch_observer(self._note)

    def open(self) -> None:
        """Let people in, who wait only for answers."""
        self._waits = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Make everything done in the block wait until the bot has nothing more to do."""
        before, self._waits = self._waits, True
        try:
            yield
        finally:
            self._waits = before

    def _note(self, interaction: Interaction) -> None:
        self._asked = interaction

    @override
    async def _settle_internal(self, *, dispatch: str | None = None, **how: Any) -> None:
        """Wait for the answer to what was just pressed or typed, or otherwise give the bot a moment."""
        if self._waits:
            await super()._settle_internal(dispatch=dispatch, **how)
            return
        asked, until = self._asked, asyncio.get_running_loop().time() + self.settle_timeout
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(SOON):
                    await super()._settle_internal(dispatch=dispatch, **how)
            if dispatch != _PRESSED or asked is None or asked.responded or asyncio.get_running_loop().time() > until:
                return
            await asyncio.sleep(SOON)
