"""The rows of the outbox. See `columns`, and `jobs` for their payloads."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import EXPORTED, SEARCHED, AsText, OnForgetServer, Unlimited, Withheld, stored
from storage.schema.domains import BIG, JOINS, LARGEST, Count, Moment, Number, TableId
from storage.schema.kinds import JobKind

OF_NO_SERVER: Final = frozenset({JobKind.CLOCK_DOUBTED})
"""Kinds of jobs that are about no server and have 0 for it."""

_WORK: Final = Withheld("how the bot does what is to be sent")
_BY_KIND: Final = Unlimited("`jobs.job_faults` looks at it when it is read")


@stored(
    "outbox",
    sa.UniqueConstraint("guild_id", "subject", "kind", "key"),
    sa.Index(None, "table_id"),
    sa.Index(None, "due"),
    key=("id",),
)
@dataclass(frozen=True, kw_only=True)
class Job:
    """Something still to be done in Discord: a row of the outbox.

    A job belongs to a subject on a server and is carried out at a place. The subject of most jobs is a table, and their place
    follows from where it is played. Any other job names its server and its place.
    """

    # A job that replaces another gets a new number, so a number always means the same payload: finishing the older job by its
    # number never deletes the newer one.
    id: Annotated[Number, JOINS] = 0
    table_id: Annotated[TableId | None, JOINS] = None
    """The table that is the subject, or None for another subject."""
    kind: Annotated[JobKind, EXPORTED]
    """What to do."""
    key: Annotated[str, _BY_KIND, _WORK] = ""
    """A job replaces one with the same subject, kind and key, and starts with no tries."""
    payload: Annotated[dict[str, Any], SEARCHED] = field(default_factory=dict)
    """Plain JSON; see `jobs`. Its person is under "to", or "user"; with both, it tells "to" about "user"."""
    due: Annotated[float, Field(ge=0, le=LARGEST), EXPORTED]
    """When to do it, at the earliest."""
    tries: Annotated[Count, _WORK] = 0
    """How often it has failed."""
    created_at: Annotated[Moment, EXPORTED]
    """Since when something of this kind has been owed, including by jobs that this one replaced."""
    guild_id: Annotated[int, BIG, Field(ge=0, lt=2**63), AsText(), OnForgetServer.DELETE_ROW, EXPORTED] = 0
    """The server. The store fills in the table's."""
    subject: Annotated[str, _BY_KIND, _WORK] = ""
    """What the job belongs to, such as "table 7", "server 10" or "post daily"; by default its table, or else its server."""
    place: Annotated[str | None, _BY_KIND, _WORK] = None
    """The queue in which it is carried out, "channel 20" or "person 3", or None if it follows from the table and the kind."""

    @property
    def table_number(self) -> int:
        """The number of the job's table. Raises LookupError if it has none."""
        if self.table_id is None:
            raise LookupError(f"job {self.id} is about {self.subject}, not about a table")
        return self.table_id

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        if (self.guild_id == 0) != (self.kind in OF_NO_SERVER):
            yield "guild_id", f"a job of this kind is about {'no' if self.kind in OF_NO_SERVER else 'a'} server"
