"""Stores analyses and finds them again; `tree.py` says what they are."""

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
"""How many analyses of a person are kept: those used last."""

KEPT_FOR: Final = 30 * 86400.0
"""Seconds for which an analysis is kept after its last use."""


class Analyses(Keeper):
    """The analyses of all people. Nobody can reach those of others."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lists = core.service(Lists)

    def beginning(self, user_id: int, guild_id: int) -> Beginning:
        """Return where a person's new analysis begins: now."""
        return Beginning(user_id, guild_id, self._core.now())

    def chance(self) -> Chance:
        """Return a stream for the start of an analysis, from the operating system's entropy."""
        return Fair(self._core.entropy(32))

    async def open(self, begin: Callable[[], Analysis]) -> tuple[Analysed, int]:
        """Store the analysis that `begin` makes. Returns it, and how many others it replaced. Raises the errors of `begin`."""
        made = await in_share(begin)
        async with self._core.store.write() as writer:
            stored, dropped = await sql.add(writer, made, most=MOST_ANALYSES)
        self._core.on_change(made.used_at + KEPT_FOR)
        return await in_share(analysed, stored), dropped

    async def get(self, analysis_id: int, user_id: int, guild_id: int, number: int | None = None) -> Analysed:
        """Return a person's analysis at a position, or at its current one if None. Raises Refused if it does not exist."""
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
        """Change an analysis at a position, including what was added meanwhile. Returns it at its new position."""
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
        """Go to a position of a person's analysis. Raises Refused if it does not exist."""
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
        """Raise Refused while advice is not allowed."""
        if not await self._lists.may_have_advice(at.analysis.user_id, at.history.game.id, at.position.variant):
            raise Refused(say(
                "You’re playing a rated game of {game}, so there’s only the board for now. Ask me again when it’s over.",
                game=at.history.game.title,
            ))  # fmt: skip

    async def sweep(self) -> bool:
        """Delete all analyses that are due."""
        await self.forget_due()
        return False

    async def forget_due(self) -> int:
        """Delete the analyses unused for a month, and return how many. While no time counts, none is due."""
        due = await self.next_due()
        if due is None or due > self._core.now():
            return 0
        async with self._core.store.write() as writer:
            return await sql.forget(writer, self._core.now() - KEPT_FOR)

    async def next_due(self) -> float | None:
        """Return when the next analysis is dropped, in seconds since the epoch, or None; also None while no time counts."""
        if not self._core.time_counts():
            return None
        async with self._core.store.read() as reader:
            unused = await sql.longest_unused(reader)
        return None if unused is None else unused + KEPT_FOR


PART: Final = Part(name="analysis", keeper=Analyses)
