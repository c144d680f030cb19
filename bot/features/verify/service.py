"""Verifying that a game was fair, by its seed and by replaying its log under the rules.

Before the first move, the table shows the SHA-256 of its seed, and after the game it shows the seed itself. So everybody can
check that the seed was chosen before anybody acted. The bot makes the same check here.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.core.contributions import lines
from bot.core.parts import Service
from bot.core.table.chain import broken_at
from bot.core.table.errors import WrongStage
from bot.core.table.history import BrokenLog, History, rebuild
from bot.core.table.options import rules_for
from bot.core.table.snapshot import Snapshot
from bot.features.verify.logbook import write_log
from engines import UnknownRules
from engines.chance import seed_hash, stream_key
from engines.game import Game
from engines.text import Text, join, plain, say, seat_name
from storage import queries
from storage.schema.errors import UnreadableRow
from storage.schema.records import Contribution, Ending, Entry, Seat, SeatStatus, Status, Table
from storage.store import Store

CHECKED_AT_ONCE: Final = 200
"""How many tables are read at a time when all games are checked."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a verification.

    Attributes:
        hash: the SHA-256 of the seed, in hexadecimal.
        seed: the seed, or None while the game is still running, because it is secret until then.
        key: the key of the game's stream (in games of version 0.1.0, the seed itself), or None until the game is over.
        contributions: what the players mixed into the key, in order.
        history: the replayed game, or None if the rules reject its log.
        problems: what is wrong, one sentence each.
    """

    table: Table
    players: tuple[Seat, ...]
    hash: str
    seed: bytes | None
    key: bytes | None
    contributions: tuple[Contribution, ...]
    history: History | None
    problems: tuple[Text, ...]

    @property
    def removed(self) -> int:
        """How many contributions are missing because their authors asked to be forgotten."""
        return sum(one.removed for one in self.contributions)


def verify(
    game: Game[Any, Any],
    table: Table,
    people: Sequence[Seat],
    entries: Sequence[Entry],
    contributions: Sequence[Contribution] = (),
) -> Verdict:
    """Replay a game from its seed, contributions and log, and compare it with its table. Raises WrongStage before its start."""
    if table.seed is None or not table.begun:
        raise WrongStage(say("The game at table #{n} hasn’t started yet.", n=table.id))
    players = tuple(p for p in people if p.status in {SeatStatus.JOINED, SeatStatus.WITHDRAWN})
    seed, key = (table.seed, table.stream_key or table.seed) if table.is_over else (None, None)
    history, problems = None, list(_dice(table, table.seed, contributions))
    try:
        history = rebuild(game, table, len(players), entries)
    except BrokenLog as error:
        problems.append(say("The rules reject the log: {reason}.", reason=error.args[0]))
    else:
        problems += [*_chain(history, entries), *contradictions(table, history)]
    return Verdict(table, players, seed_hash(table.seed), seed, key, tuple(contributions), history, tuple(problems))


def _dice(table: Table, seed: bytes, contributions: Sequence[Contribution]) -> Iterator[Text]:
    """Yield a fault if contributions are missing or the key is wrong. After a removal, the key can no longer be checked."""
    if table.stream_key is None:
        return
    if [one.number for one in contributions] != list(range(1, len(contributions) + 1)):
        yield say("Part of what the players added to the dice is missing.")
    elif not any(one.removed for one in contributions) and stream_key(seed, lines(contributions)) != table.stream_key:
        yield say("The dice key doesn’t follow from the seed and what the players added.")


def _chain(history: History, entries: Sequence[Entry]) -> Iterator[Text]:
    """If the log's hash chain is broken, yield a fault that says where."""
    if history.start is None:
        if any(entry.link is not None for entry in entries):
            yield say("The log’s hash chain has no start: the dice key is missing.")
    elif (number := broken_at(history.start, entries)) is not None:
        yield say("The log’s hash chain breaks at action {n}.", n=number)


def contradictions(table: Table, history: History) -> Iterator[Text]:
    """Yield each contradiction between the table and its replayed game."""
    if history.version != table.version:
        yield say("The table counts {told} actions, but its log has {n}.", told=table.version, n=history.version)
    ended, outcome = table.outcome, history.outcome
    if table.status is Status.FINISHED and ended is None:
        yield say("The game is marked as over, but its result is missing.")
    if table.status is not Status.FINISHED and ended is not None:
        yield say("There’s a result, but the game isn’t marked as over.")
    if outcome is None and ended is not None and ended.how is Ending.RULES:
        yield say("The game is marked as over by the rules, but in the replay it goes on.")
    if outcome is not None and (ended is None or ended.how is not Ending.RULES):
        yield say("In the replay the game ends by the rules, but it isn’t marked that way.")
    if outcome is not None and ended is not None and outcome.winners != ended.winners:
        told, found = _seat_names(ended.winners), _seat_names(outcome.winners)
        yield say("The winners on record are {told}, but in the replay: {found}.", told=told, found=found)


def _seat_names(seats: Sequence[int]) -> Text:
    return join([seat_name(seat) for seat in seats], ", ") if seats else plain("–")


class Proof(Service):
    """Verifies tables in the store."""

    async def verify(self, table_id: int, guild_id: int | None = None) -> Verdict:
        """Verify a stored game. Raises NoSuchTable, or WrongStage if the game has not started."""
        async with self._core.quarantining(table_id, guild_id):
            async with self._core.store.read() as reader:
                summary = await self._core.read_summary(reader, table_id, guild_id)
                entries, mixed = (
                    await queries.entries.of_table(reader, table_id),
                    await queries.entries.contributions_of_table(reader, table_id),
                )
            game = self._core.rules_of(summary.table)
        # Replaying is slow, and must not occupy one of the few connections.
        return await asyncio.to_thread(verify, game, summary.table, summary.people, entries, mixed)

    async def log(self, snapshot: Snapshot) -> str:
        """Return the log of a game as text, with its proof (see `write_log`)."""
        return await asyncio.to_thread(write_log, snapshot, await self.contributions(snapshot.table.id))

    async def contributions(self, table_id: int) -> tuple[Contribution, ...]:
        """Return the players' contributions to a game's dice, in order."""
        async with self._core.store.read() as reader:
            return await queries.entries.contributions_of_table(reader, table_id)


Facts = Callable[[Game[Any, Any], Snapshot, Sequence[Entry]], Iterable[str]]
"""Finds further faults of a table, given its rules, its snapshot (with the replayed game if possible) and its log."""


async def check_games(
    store: Store, rules: Callable[[Table], Game[Any, Any]] = rules_for, facts: Facts = lambda *_: ()
) -> AsyncIterator[str]:
    """Replay every game in a store from its log, and yield a sentence for each problem. `facts` finds further problems."""
    last = 0
    while True:
        async with store.read() as reader:
            numbers = await queries.tables.ids(reader, after=last, limit=CHECKED_AT_ONCE)
        if not numbers:
            return
        for last in numbers:
            try:
                problems = await _problems(store, last, rules, facts)
            except UnreadableRow as error:
                problems = [say("it cannot be read: {reason}", reason=str(error))]
            except UnknownRules as error:
                problems = [error.args[0]]
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one table, the others are checked
                problems = [say("it cannot be checked: {reason}", reason=repr(error))]
            for problem in problems:
                yield say("Table {n}: {problem}", n=last, problem=str(problem).removesuffix(".") + ".")


async def _problems(store: Store, table_id: int, rules: Callable[[Table], Game[Any, Any]], facts: Facts) -> Sequence[str]:
    """Return the faults of a table. Raises UnreadableRow or UnknownRules."""
    async with store.read() as reader:
        table = await queries.tables.get(reader, table_id)
        people, entries = await queries.seats.of_table(reader, table_id), await queries.entries.of_table(reader, table_id)
        mixed, watches = (
            await queries.entries.contributions_of_table(reader, table_id),
            await queries.seats.watches_of_table(reader, table_id),
        )
    if table is None:
        return ()
    game, history = rules(table), None
    found: list[str] = []
    if table.seed is not None and table.begun:
        verdict = await asyncio.to_thread(verify, game, table, people, entries, mixed)
        found, history = list(verdict.problems), verdict.history
    return [*found, *facts(game, Snapshot(table, people, history, watches=watches), entries)]
