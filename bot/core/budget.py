"""The budget for heavy work, such as replaying a whole game: a queue that is fair to servers and to people.

At most `AT_ONCE` pieces of work run at a time, and never two for the same server or the same person. The next piece comes from
the server that has waited longest, and there from the first person in line.
"""

import asyncio
from collections import OrderedDict
from typing import Final, Self

from bot.core.table.errors import Refused
from engines.text import say

AT_ONCE: Final = 2
"""How many pieces of work run at a time. They run in threads, which take time from the event loop."""


class Ticket:
    """A person's place in the queue. Enter it with `async with` to run the block when its turn has come."""

    def __init__(self, budget: "Budget", guild_id: int, user_id: int) -> None:
        self.guild_id = guild_id
        self.user_id = user_id
        self._budget = budget
        self._come: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def ahead(self) -> int:
        """Return how many other people are served before this one."""
        return self._budget.ahead_of(self)

    @property
    def has_come(self) -> bool:
        """Whether the work may begin."""
        return self._come.done()

    def come(self) -> None:
        """Let the work begin."""
        self._come.set_result(None)

    async def __aenter__(self) -> Self:
        try:
            await asyncio.shield(self._come)
        except BaseException:
            self._budget.leave(self)
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._budget.leave(self)


class Budget:
    """The queue of heavy work, of which `at_once` pieces run at a time."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._running: set[Ticket] = set()
        # The servers in the order in which they get their next turn, each with its waiting people.
        self._waiting: OrderedDict[int, list[Ticket]] = OrderedDict()

    def queue(self, guild_id: int, user_id: int) -> Ticket:
        """Return a place in the queue, to be entered at once. Raises Refused if the person is waiting already."""
        if any(ticket.user_id == user_id for waiting in self._waiting.values() for ticket in waiting):
            raise Refused(say("One at a time, please: I’m still working on your last one."))
        ticket = Ticket(self, guild_id, user_id)
        self._waiting.setdefault(guild_id, []).append(ticket)
        self._serve()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Take a person out of the queue, whether they were served or not."""
        self._running.discard(ticket)
        waiting = self._waiting.get(ticket.guild_id, [])
        if ticket in waiting:
            waiting.remove(ticket)
        if not waiting:
            self._waiting.pop(ticket.guild_id, None)
        self._serve()

    def ahead_of(self, ticket: Ticket) -> int:
        """Return how many places are served before this one. In every round, each server has one place served."""
        if ticket not in self._waiting.get(ticket.guild_id, []):
            return 0
        rounds = self._waiting[ticket.guild_id].index(ticket)
        servers = list(self._waiting)
        earlier = servers[: servers.index(ticket.guild_id)]
        return sum(
            min(len(waiting), rounds + (guild_id in earlier)) if guild_id != ticket.guild_id else rounds
            for guild_id, waiting in self._waiting.items()
        )

    def _serve(self) -> None:
        while len(self._running) < self._at_once and (ticket := self._next()) is not None:
            waiting = self._waiting.pop(ticket.guild_id)
            waiting.remove(ticket)
            if waiting:
                self._waiting[ticket.guild_id] = waiting  # behind the other servers
            self._running.add(ticket)
            ticket.come()

    def _next(self) -> Ticket | None:
        servers = {ticket.guild_id for ticket in self._running}
        people = {ticket.user_id for ticket in self._running}
        candidates = (ticket for guild_id, waiting in self._waiting.items() if guild_id not in servers for ticket in waiting)
        return next((ticket for ticket in candidates if ticket.user_id not in people), None)
