"""A queue that is fair to servers, and to the people of each server.

The priority decides first. Among equal priorities, the server that has waited longest for a turn comes next, then the person on
it who has waited longest, then this person's oldest question. So those who ask a lot wait longer than those who ask little.
"""

from collections import OrderedDict, deque
from enum import IntEnum
from typing import Final, Generic, TypeVar

Item = TypeVar("Item")


class Priority(IntEnum):
    """The priority of a question. The lowest value goes first."""

    URGENT = 0
    """The question has waited too long already, and is quickly answered."""
    HINT = 1
    """A person has clicked, and sees an empty answer until the question is answered."""
    MOVE = 2
    """The question is a computer's move, which people wait for."""
    REVIEW = 3
    """Nobody waits for the answer at this moment."""


class FairQueue(Generic[Item]):
    """The queue. Its items are compared only by identity."""

    def __init__(self) -> None:
        self._waiting: Final[dict[Priority, OrderedDict[int, OrderedDict[int, deque[Item]]]]] = {
            priority: OrderedDict() for priority in Priority
        }

    def __len__(self) -> int:
        return sum(self.of(priority) for priority in Priority)

    def of(self, priority: Priority) -> int:
        """Return the number of waiting items of a priority."""
        return sum(len(items) for people in self._waiting[priority].values() for items in people.values())

    def put(self, item: Item, *, server: int, person: int, priority: Priority) -> None:
        """Add an item."""
        people = self._waiting[priority].setdefault(server, OrderedDict())
        people.setdefault(person, deque()).append(item)

    def take(self) -> Item | None:
        """Remove the next item and return it, or None if there is none."""
        for servers in self._waiting.values():
            if not servers:
                continue
            server, people = servers.popitem(last=False)
            person, items = people.popitem(last=False)
            item = items.popleft()
            if items:
                people[person] = items  # behind the other people
            if people:
                servers[server] = people  # behind the other servers
            return item
        return None
