"""Conditions on rows that several queries share."""

from typing import Any, Final

import sqlalchemy as sa

from storage.schema.domains import LARGEST
from storage.schema.records import Grace, JobKind, Status
from storage.schema.tables import events, outbox, posts, servers, tables
from storage.transactions import Reader

NEVER: Final = LARGEST
"""The time until which unreadable jobs are put off, in seconds since the epoch. It is some 30,000 years from now."""

FAR: Final = 1e12
"""A moment that no clock shows. In SQLite, every text is greater than any number, so comparing with this leaves out texts."""

LIVE: Final = (Status.OPEN, Status.PLAYING)
"""The stages of tables that may still be waiting for a player."""

OVER: Final = (Status.FINISHED.value, Status.CLOSED.value)
"""The remaining stages, as they are written in the database."""


def raw(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """Return a value as it is in the database, without a conversion, which could fail."""
    return sa.type_coerce(column, sa.types.NullType())


NOT_OVER: Final = sa.cast(raw(tables.c.status), sa.String).not_in(OVER)
"""The condition that a table's game is not over. It can be checked whatever is wrong with the table's row."""

IN_ORDER: Final = tables.c.set_aside.is_(None)
"""The condition that a table is not in quarantine."""


def _here(guild_id: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
    """Return the condition that the bot is still on a server, checked row by row, so that no query lists removed servers."""
    return ~sa.exists().where(servers.c.guild_id == guild_id, servers.c.left_at.is_not(None))


HERE: Final = _here(tables.c.guild_id)
JOB_HERE: Final = _here(outbox.c.guild_id)
POST_HERE: Final = _here(posts.c.guild_id)
EVENT_HERE: Final = _here(events.c.guild_id)

RUNNING: Final = (tables.c.status.in_(LIVE), IN_ORDER, HERE)
"""The conditions that time is running at a table."""

UNSEEN: Final = sa.and_(
    tables.c.status == Status.PLAYING,
    tables.c.clock.is_not(None),
    tables.c.grace != Grace.RUNNING,
    sa.or_(tables.c.board_turn.is_not(None), tables.c.lobby_message_id.is_not(None)),
    tables.c.board_turn.is_distinct_from(tables.c.turn),
)
"""The condition that the message of a turn whose time is running has not been posted yet, although Discord shows the table."""

ENDS: Final = sa.case((UNSEEN, tables.c.deadline + tables.c.clock), else_=tables.c.deadline)
"""When the time of a table ends. Until the message of its turn has been posted, this is later by the length of a turn."""

SPEAKABLE: Final = sa.or_(
    outbox.c.table_id.is_(None),
    sa.exists().where(tables.c.id == outbox.c.table_id, sa.or_(IN_ORDER, outbox.c.kind == JobKind.SET_ASIDE)),
)
"""The condition that a job may be done: it has no table, its table is not in quarantine, or it announces the quarantine."""


def at_own(reader: Reader, table_id: sa.ColumnElement[int]) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the condition that the server of a table belongs to this process, or no condition if all servers do."""
    own = reader.own()
    return (sa.exists().where(tables.c.id == table_id, *own),) if own else ()
