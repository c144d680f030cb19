"""Overtime: the period of grace for a missed deadline, in the words of all messages that tell of it."""

from bot.sessions import Snapshot
from bot.sessions.grace import forgives, period, runs
from engines.text import Text, say, say_n
from storage.records import Grace, Table

HOUR = 3600


def overtime_note(snapshot: Snapshot) -> Text | None:
    """That the current turn is in overtime, for a board; None if it is not."""
    return say("Overtime: miss this one and the game is lost.") if runs(snapshot.table) else None


def strict_term(table: Table) -> Text | None:
    """That a table has no overtime, for its terms; None if it has one, or needs none because it has no clock."""
    if table.grace is not Grace.STRICT or table.clock is None:
        return None
    return say("strict: no overtime")


def what_follows(snapshot: Snapshot) -> Text | None:
    """What follows if the deadline of a game of two is missed; None in games where the bot plays for the absent."""
    if forgives(snapshot):
        return say("Miss it and you get {more}, just once. After that the game is lost.", more=_more(period(snapshot.table)))
    if snapshot.table.clock is None or len(snapshot.present) > 2:
        return None
    return say("Miss it and the game is lost.")


def _more(seconds: float) -> Text:
    hours = max(1, round(seconds / HOUR))
    return say("one last day") if hours == 24 else say_n("one more hour", "{n} more hours", hours)
