"""The rows of analyses. `columns` explains how rows are declared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa

from storage.schema.columns import EXPORTED, ExportedAs, OnForget, Unlimited, stored
from storage.schema.domains import JOINS, Count, Moment, Number, SeatNumber, ServerId, TableId, UserId
from storage.schema.structures import Node


@stored("analyses", sa.Index(None, "user_id", "used_at"), sa.Index(None, "table_id"), sa.Index(None, "used_at"), key=("id",))
@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A person's private board for analysis, which is a tree of positions. Nobody else sees it."""

    id: Annotated[Number, JOINS] = 0
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("analyses")]
    guild_id: Annotated[ServerId, EXPORTED]
    # Its content is private to the person, and a report would quote it.
    root: Annotated[str, Unlimited("a report would quote it; `bot.admin.check` plays it"), EXPORTED]
    """The code of the position at the root."""
    nodes: Annotated[tuple[Node, ...], EXPORTED] = ()
    """The other positions, each one after its parent."""
    current: Annotated[Count, EXPORTED] = 0
    """The position that the person is looking at. 0 is the root, and 1 is the first node."""
    side: Annotated[SeatNumber, EXPORTED] = 0
    """The seat from whose side the board is drawn."""
    table_id: Annotated[TableId | None, EXPORTED] = None
    """The table whose finished game is being analysed, or None."""
    place: Annotated[Count, EXPORTED] = 0
    """How many actions of that game were in force before the position at the root."""
    played: Annotated[Count, EXPORTED] = 0
    """How many of the first nodes are the game as it was played, one after another."""
    used_at: Annotated[Moment, EXPORTED]
    """When the person last used the analysis."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        count = len(self.nodes)
        for number, node in enumerate(self.nodes, 1):
            if not 0 <= node.parent < number:
                yield "nodes", f"position {number} comes after position {node.parent}, which is not before it"
            elif number <= self.played and node.parent != number - 1:
                yield "nodes", f"position {number} is said to have been played, but not after position {number - 1}"
        for name, number in (("current", self.current), ("played", self.played)):
            if number > count:
                yield name, f"{number}, but there are {count} positions"
        if self.table_id is None and (self.place or self.played):
            yield "table_id", "it comes from no game, but has moves of one"
