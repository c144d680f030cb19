"""Limits on how much one person can disturb others: by pings, and by opening, joining and leaving tables fast.

A ping counts against the person who causes it, by an invitation, an offer, a nudge, a rematch, or the new turn after somebody
leaves or takes over a seat. One ping too many is refused before anything is written. Leaving a seat and taking one over are
never refused, but ping nobody once the limit is reached. Moves, reminders and notices for watchers do not count.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from bot.core.table.computer_players import is_computer
from bot.core.table.errors import Refused
from engines.text import Text, say
from storage import queries
from storage.schema.records import Ping
from storage.store import Writer

WINDOW: Final = 600.0
"""The length in seconds of the period in which pings are counted: ten minutes."""

PINGS_AT_MOST: Final = 3
"""How many pings of the same user one person may cause within `WINDOW`."""

PINGS_OF_ALL: Final = 20
"""How many pings one person may cause within `WINDOW` altogether. It is enough for the invitations to four large tables."""

OPENED_AT_MOST: Final = 30
"""How many tables a person may open in a minute."""

LEFT_AT_MOST: Final = 5
"""How many seats a person may leave in a minute and still take another one."""


class Counting(Protocol):
    """A transaction in which pings are counted."""

    @property
    def writer(self) -> Writer:
        """The transaction."""
        ...

    @property
    def now(self) -> float:
        """When the transaction is made, in seconds since the epoch."""
        ...


async def ping(change: Counting, by: int, others: Iterable[int]) -> None:
    """Count a ping of each of `others` by the user `by`. Raises Refused, saying when to try again, if that is too many."""
    pinged = _people(by, others)
    known = await queries.people.pings_by(change.writer, by, change.now - WINDOW)
    for one in pinged:
        same = [ping for ping in known if ping.to_user == one]
        if len(same) >= PINGS_AT_MOST:
            when = _again(same, PINGS_AT_MOST)
            raise Refused(
                say("You’ve pinged the same person {n} times in ten minutes. Try again {when}.", n=PINGS_AT_MOST, when=when)
            )
    if len(known) + len(pinged) > PINGS_OF_ALL:
        when = _again(known, PINGS_OF_ALL - len(pinged) + 1)
        raise Refused(say("You’ve pinged a lot of people in ten minutes. Try again {when}.", when=when))
    await _count(change, by, pinged)


async def ping_if_allowed(change: Counting, by: int, others: Iterable[int]) -> bool:
    """Count pings as `ping` does, for an action that must go ahead. If there are too many, count nothing and return False."""
    pinged = _people(by, others)
    known = await queries.people.pings_by(change.writer, by, change.now - WINDOW)
    often = any(sum(ping.to_user == one for ping in known) >= PINGS_AT_MOST for one in pinged)
    if often or len(known) + len(pinged) > PINGS_OF_ALL:
        return False
    await _count(change, by, pinged)
    return True


def _people(by: int, others: Iterable[int]) -> list[int]:
    """Return those of `others` who can be pinged, leaving out the user `by`, computers, and people who were forgotten."""
    return [user for user in others if user > 0 and user != by and not is_computer(user)]


def _again(known: Sequence[Ping], most: int) -> str:
    """Return when fewer than `most` of these pings will still count."""
    return moment(known[len(known) - most].at + WINDOW)


async def _count(change: Counting, by: int, pinged: list[int]) -> None:
    if pinged:
        await queries.people.forget_pings(change.writer, change.now - WINDOW)
        await queries.people.add_pings(change.writer, by, pinged, change.now)


def moment(time: float) -> str:
    """Return a moment as Discord shows it ("in 5 minutes"). It is rounded up, so that it is never too early."""
    return f"<t:{int(-(-time // 1))}:R>"


class Pace:
    """A limit on how fast each person may do something. It is kept in memory, so a restart forgets what people have done.

    Args:
        most: how many times a person may do it within `seconds`.
        reason: returns the reason for refusing, given the moment when it is possible again.
    """

    def __init__(self, most: int, seconds: float, reason: Callable[[str], Text]) -> None:
        self._most = most
        self._seconds = seconds
        self._reason = reason
        # People are in the order in which they last did it, so those who can be forgotten come first.
        self._done: OrderedDict[int, deque[float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._done)

    def check(self, user_id: int, now: float) -> None:
        """Raise Refused, saying when it is possible again, if a user has been too fast. This counts nothing itself."""
        done = self._done.get(user_id, ())
        recent = [at for at in done if at > now - self._seconds]
        if len(recent) >= self._most:
            raise Refused(self._reason(moment(recent[-self._most] + self._seconds)))

    def count(self, user_id: int, now: float) -> None:
        """Record that a user has just done what the limit is for."""
        self._done.setdefault(user_id, deque(maxlen=self._most)).append(now)
        self._done.move_to_end(user_id)
        while next(iter(self._done.values()))[-1] <= now - self._seconds:
            self._done.popitem(last=False)


def opening_pace() -> Pace:
    """Return the limit on opening tables, rematches included. Tables that stay open reach the server's limit first."""
    return Pace(
        OPENED_AT_MOST, 60.0, lambda when: say("That’s a lot of tables at once. You can open the next one {when}.", when=when)
    )


def seating_pace() -> Pace:
    """Return the limit on leaving a seat and taking another, which changes a message everybody sees. Only leaving counts."""
    return Pace(LEFT_AT_MOST, 60.0, lambda when: say("Slow down a little. You can join again {when}.", when=when))
