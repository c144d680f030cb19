"""Grace: the first deadline that is missed in a game of two gives more time, once, before the next one loses the game.

The period is as long as the clock of the table, but at most a day. It begins when the time of the turn is over and ends with
the turn; whoever misses a deadline after that, of either player, has lost. A game for more players has it as soon as two are
left, since the bot plays for the absent before. Tables may be strict: then there is none. That is chosen when they are opened
and shown in their terms, and a rematch has the same.
"""

from typing import Final

from bot.sessions.snapshot import Snapshot
from storage.records import Grace, Status, Table

LONGEST: Final = 86400.0
"""Seconds that the period lasts at most: a day."""


def period(table: Table) -> float:
    """How many seconds the period of grace of a table lasts; 0.0 without a clock."""
    return min(float(table.clock or 0), LONGEST)


def time_for(table: Table) -> float:
    """How many seconds the time lasts that is running now: the clock's, or those of the period of grace."""
    return period(table) if table.grace is Grace.RUNNING else float(table.clock or 0)


def forgives(snapshot: Snapshot) -> bool:
    """Whether a deadline that is missed now gives a period of grace."""
    table = snapshot.table
    on = table.status is Status.PLAYING and table.clock is not None
    return on and table.grace is Grace.LEFT and len(snapshot.present) == 2


def runs(table: Table) -> bool:
    """Whether the current turn is in the period of grace."""
    return table.grace is Grace.RUNNING and table.status is Status.PLAYING
