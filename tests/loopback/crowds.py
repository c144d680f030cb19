"""People in front of a cluster: they repeat unanswered clicks, and stay when a bot is gone."""

import asyncio
from typing import Any, Final

from loopback.model import Interaction, Message, Person
from loopback.server import Loopback
from tests.loopback.people import People
from tests.loopback.players import Players

PRESSES: Final = 3
"""How often a button is pressed until it is answered."""
AGAIN_AFTER: Final = 1.0


class PatientPeople(People):
    """People who press again.

    Attributes:
        failed: what nobody has answered.
        again: repeated presses of one button by somebody who wanted one thing.
    """

    def __init__(self, loopback: Loopback) -> None:
        super().__init__(loopback, patient=True)
        self.failed: list[Interaction] = []
        self.again: list[list[Interaction]] = []

    async def click(self, who: Person, message: Message, custom_id: str, *values: str) -> Interaction:
        """Press a button, and again if nothing happens, as long as it is there."""
        whole = next(one for one in message.custom_ids if one.startswith(custom_id))
        presses: list[Interaction] = []
        while True:
            presses.append(await super().click(who, message, whole, *values))
            if presses[-1].callback is not None:
                break
            self.failed.append(presses[-1])
            await asyncio.sleep(AGAIN_AFTER)
            if len(presses) == PRESSES or message.deleted or whole not in message.custom_ids:
                break
        if len(presses) > 1:
            self.again.append(presses)
        return presses[-1]

    async def slash(self, who: Person, where: Any, name: str, /, **options: Any) -> Interaction:
        asked = await super().slash(who, where, name, **options)
        if asked.callback is None:
            self.failed.append(asked)
        return asked


class Crowd(Players):
    """Players who think between two actions, until they are leaving."""

    leaving = False
    _pace = 0.0

    def settle(self, tables: int, pace: float) -> None:
        """Set how many tables they want, and how many seconds they think on average."""
        self.most, self.opening, self._pace = tables, 40, pace

    async def play(self) -> None:
        while not self.leaving:
            await self.something()
            await asyncio.sleep(self.dice.uniform(0, 2 * self._pace))
