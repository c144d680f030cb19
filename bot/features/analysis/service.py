"""Stores people's analyses. What an analysis consists of is defined in `tree.py`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.core.core import Core
from bot.core.listing import Lists
from bot.core.parts import Keeper, Part
from bot.core.shares import in_share
from bot.core.table.errors import Refused
from bot.features.analysis import sql
from bot.features.analysis.tree import Analysed, Beginning, analysed, gone_analysis, path_to
from engines.chance import Chance, Fair
from engines.text import say
from storage.schema.records import Analysis

MOST_ANALYSES: Final = 20
"""How many analyses are kept for each person. Those used longest ago are deleted first."""

KEPT_FOR: Final = 30 * 86400.0
"""How long an analysis is kept after its last use, in seconds."""


class Analyses(Keeper):
    """Everybody's analyses. Nobody can reach another person's."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lists = core.service(Lists)

    def beginning(self, user_id: int, guild_id: int) -> Beginning:
        """Return the beginning of a new analysis, opened by a person at this moment."""
        return Beginning(user_id, guild_id, self._core.now())

    def chance(self) -> Chance:
        """Return a stream of draws for the start of an analysis, seeded from the operating system's entropy."""
        return Fair(self._core.entropy(32))

    async def open(self, begin: Callable[[], Analysis]) -> tuple[Analysed, int]:
        """Store the analysis made by `begin`. Returns it and the number of older ones deleted. Raises as `begin` does."""
        made = await in_share(begin)
        async with self._core.store.write() as writer:
            stored, dropped = await sql.add(writer, made, most=MOST_ANALYSES)
        self._core.on_change(made.used_at + KEPT_FOR)
        return await in_share(analysed, stored), dropped

    async def get(self, analysis_id: int, user_id: int, guild_id: int, number: int | None = None) -> Analysed:
        """Return a person's analysis at position `number`, or at its current one. Raises Refused if either does not exist."""
        async with self._core.store.read() as reader:
            found = await sql.get(reader, analysis_id, user_id, guild_id)
        if found is None:
            raise gone_analysis()
        return await in_share(analysed, found, number)

    async def of_person(self, user_id: int, guild_id: int) -> tuple[Analysis, ...]:
        """Return a person's analyses on a server, last used first."""
        async with self._core.store.read() as reader:
            return await sql.of_person(reader, user_id, guild_id)

    async def change(self, at: Analysed, change: Callable[[Analysed], Analysis]) -> Analysed:
        """Apply a change at a position, and retry if the analysis has changed meanwhile. Raises Refused if it is gone."""
        while True:
            made = replace(await in_share(change, at), used_at=self._core.now())
            async with self._core.store.write() as writer:
                await writer.lock(made.user_id)
                there = await sql.get(writer, made.id, made.user_id, made.guild_id)
                if there is None:
                    raise gone_analysis()
                if there.nodes == at.analysis.nodes:
                    await sql.put(writer, made)
                    break
            at = await in_share(analysed, there, at.number)
        return await in_share(analysed, made)

    async def go(self, analysis_id: int, user_id: int, guild_id: int, number: int) -> Analysed:
        """Go to a position of a person's analysis, and store it as the current one. Raises Refused if either does not exist."""
        async with self._core.store.write() as writer:
            await writer.lock(user_id)
            there = await sql.get(writer, analysis_id, user_id, guild_id)
            if there is None:
                raise gone_analysis()
            path_to(there, number)
            gone = replace(there, current=number, used_at=self._core.now())
            await sql.put(writer, gone)
        return await in_share(analysed, gone)

    async def check_advisable(self, at: Analysed) -> None:
        """Raise Refused if the person is playing a rated game of the same kind, so that advice is not allowed."""
        if not await self._lists.may_have_advice(at.analysis.user_id, at.history.game.id, at.position.variant):
            raise Refused(say(
                "You’re playing a rated game of {game}, so there’s only the board for now. Ask me again when it’s over.",
                game=at.history.game.title,
            ))  # fmt: skip

    async def sweep(self) -> bool:
        """Delete all analyses that are due for deletion."""
        await self.forget_due()
        return False

    async def forget_due(self) -> int:
        """Delete the analyses unused for 30 days, and return how many. Nothing is deleted while time does not count."""
        due = await self.next_due()
        if due is None or due > self._core.now():
            return 0
        async with self._core.store.write() as writer:
            return await sql.forget(writer, self._core.now() - KEPT_FOR)

    async def next_due(self) -> float | None:
        """Return when the next analysis is due for deletion, or None if there are none, or while time does not count."""
        if not self._core.time_counts():
            return None
        async with self._core.store.read() as reader:
            unused = await sql.longest_unused(reader)
        return None if unused is None else unused + KEPT_FOR


PART: Final = Part(name="analysis", keeper=Analyses)
