"""Verification that a game was fair: its seed, and its log replayed by the rules.

Before the first move the table shows the SHA-256 of its seed, and when the game is over, the seed itself. So everybody can
check that the seed was chosen before anybody acted, and that dice and cards follow from it. The verification here makes the
same check on the bot's side, from the seed and the log alone, without any game kept in memory.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.sessions.errors import WrongStage
from bot.sessions.history import BrokenLog, History, rebuild
from bot.sessions.logbook import is_over
from bot.sessions.repository import Repository
from engines import UnknownRules, rules_of
from engines.chance import seed_hash
from engines.game import Game
from engines.text import Text, join, plain, say, seat_name
from storage.errors import UnreadableRow
from storage.records import Ending, Entry, Seat, SeatStatus, Status, Table
from storage.store import Store

CHECKED_AT_ONCE: Final = 200
"""How many tables are read at a time when all games are checked."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a verification.

    Attributes:
        table: the table.
        players: the players, by seat.
        hash: the SHA-256 of the seed, in hexadecimal.
        seed: the seed; None until the game is over, since nobody may know it before.
        history: the replayed game; None if the rules reject its log.
        problems: what is wrong, a sentence each; empty if all is well.
    """

    table: Table
    players: tuple[Seat, ...]
    hash: str
    seed: bytes | None
    history: History | None
    problems: tuple[Text, ...]


def verify(game: Game[Any, Any], table: Table, people: Sequence[Seat], entries: Sequence[Entry]) -> Verdict:
    """Replay a game from its seed and log, and compare the result with the table. Raises WrongStage if it has not started."""
    if table.seed is None:
        raise WrongStage(say("The game at table #{n} has not started yet.", n=table.id))
    players = tuple(p for p in people if p.status in {SeatStatus.JOINED, SeatStatus.WITHDRAWN})
    shown, seed = seed_hash(table.seed), table.seed if is_over(table) else None
    try:
        history = rebuild(game, table, len(players), entries)
    except BrokenLog as error:
        problem = say("The rules do not accept the log: {reason}.", reason=error.args[0])
        return Verdict(table, players, shown, seed, None, (problem,))
    return Verdict(table, players, shown, seed, history, tuple(_contradictions(table, history)))


def _contradictions(table: Table, history: History) -> Iterator[Text]:
    """Where the table contradicts its replayed game."""
    if history.version != table.version:
        yield say("The table speaks of {told} actions, its log has {n}.", told=table.version, n=history.version)
    ended, outcome = table.outcome, history.outcome
    if table.status is Status.FINISHED and ended is None:
        yield say("The game is said to be over, but not how it ended.")
    if table.status is not Status.FINISHED and ended is not None:
        yield say("It is written down how the game ended, but it is not said to be over.")
    if outcome is None and ended is not None and ended.how is Ending.RULES:
        yield say("The game is said to be over by the rules, but played again it goes on.")
    if outcome is not None and (ended is None or ended.how is not Ending.RULES):
        yield say("Played again, the game is over by the rules, but that is not written down.")
    if outcome is not None and ended is not None and outcome.winners != ended.winners:
        told, found = _named(ended.winners), _named(outcome.winners)
        yield say("The winners that are written down are {told}; played again: {found}.", told=told, found=found)


def _named(seats: Sequence[int]) -> Text:
    return join([seat_name(seat) for seat in seats], ", ") if seats else plain("–")


class Proof:
    """Verifies tables in the store."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def verify(self, table_id: int, guild_id: int | None = None) -> Verdict:
        """Verify a game as it is stored. Raises NoSuchTable, or WrongStage if the game has not started."""
        async with self._repository.quarantining(table_id, guild_id):
            async with self._repository.store.read() as reader:
                outline = await self._repository.outline_from(reader, table_id, guild_id)
                entries = await reader.entries(table_id)
            game = self._repository.rules_of(outline.table)
        # Replaying takes long, and must not hold one of the few connections meanwhile.
        return await asyncio.to_thread(verify, game, outline.table, outline.people, entries)


def known_rules(table: Table) -> Game[Any, Any]:
    """The rules that a table is played by. Raises UnknownRules."""
    return rules_of(table.game, table.rules)


Facts = Callable[[Game[Any, Any], Table, Sequence[Seat], Sequence[Entry], History | None], Iterable[str]]
"""Finds more that is wrong with a table, its people, its log and its replayed game, if it could be replayed."""


async def check_games(
    store: Store, rules: Callable[[Table], Game[Any, Any]] = known_rules, facts: Facts = lambda *_: ()
) -> AsyncIterator[str]:
    """Replay every game in a store from its log. Yields a sentence for the operator for each problem.

    Args:
        store: the database.
        rules: finds the rules that a table is played by; raises UnknownRules.
        facts: finds what else is wrong with a table.
    """
    last = 0
    while True:
        async with store.read() as reader:
            numbers = await reader.table_ids(after=last, limit=CHECKED_AT_ONCE)
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
    """What is wrong with a table. Raises UnreadableRow, UnknownRules."""
    async with store.read() as reader:
        table = await reader.table(table_id)
        people, entries = await reader.seats(table_id), await reader.entries(table_id)
    if table is None:
        return ()
    game, history = rules(table), None
    found: list[str] = []
    if table.seed is not None:
        verdict = await asyncio.to_thread(verify, game, table, people, entries)
        found, history = list(verdict.problems), verdict.history
    return [*found, *facts(game, table, people, entries, history)]
