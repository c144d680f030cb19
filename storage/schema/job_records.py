"""The rows of the outbox. `columns` explains how rows are declared, and `jobs` what their payloads contain."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import EXPORTED, SEARCHED, AsText, OnForgetServer, Unlimited, Withheld, stored
from storage.schema.domains import BIG, JOINS, LARGEST, Count, Moment, Number, TableId
from storage.schema.kinds import JobKind

OF_NO_SERVER: Final = frozenset({JobKind.CLOCK_DOUBTED})
"""The kinds of jobs that are about no server. Their server's id is 0."""

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
    """Something that is still to be done in Discord: a row of the outbox.

    A job belongs to a subject on a server, and is carried out at a place. Most jobs have a table as their subject, and their
    place follows from where that table is played. Any other job names its server and its place.
    """

    # A job that replaces another gets a new number, so a number always means the same payload: finishing the older job by its
    # number never deletes the newer one.
    id: Annotated[Number, JOINS] = 0
    table_id: Annotated[TableId | None, JOINS] = None
    """The table that is the job's subject, or None if the subject is something else."""
    kind: Annotated[JobKind, EXPORTED]
    """What is to be done."""
    key: Annotated[str, _BY_KIND, _WORK] = ""
    """Tells jobs of one subject and kind apart. A new job with the same three replaces the old one, and has no tries yet."""
    payload: Annotated[dict[str, Any], SEARCHED] = field(default_factory=dict)
    """Plain JSON; see `jobs`. The job's person is "to", or else "user". A job with both tells "to" about "user"."""
    due: Annotated[float, Field(ge=0, le=LARGEST), EXPORTED]
    """The earliest time at which to do it."""
    tries: Annotated[Count, _WORK] = 0
    """How often the job has failed."""
    created_at: Annotated[Moment, EXPORTED]
    """Since when something of this kind has been owed. A job that replaces another one takes over its time."""
    guild_id: Annotated[int, BIG, Field(ge=0, lt=2**63), AsText(), OnForgetServer.DELETE_ROW, EXPORTED] = 0
    """The server. For a job about a table, the store fills in the table's server."""
    subject: Annotated[str, _BY_KIND, _WORK] = ""
    """What the job belongs to, such as "table 7", "server 10" or "post daily". If empty, it is the table or else the server."""
    place: Annotated[str | None, _BY_KIND, _WORK] = None
    """The queue that carries the job out, "channel 20" or "person 3", or None if it follows from the table and the kind."""

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
