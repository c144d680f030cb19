"""Statements for analyses, the private boards on which people try out moves."""

from dataclasses import replace
from typing import Final

import sqlalchemy as sa

from storage.schema.records import Analysis
from storage.schema.rows import to_row
from storage.schema.tables import analyses
from storage.transactions import Reader, Writer

_OWN: Final = sa.select(analyses).where(
    analyses.c.user_id == sa.bindparam("user_id"), analyses.c.guild_id == sa.bindparam("guild_id")
)
_NEWEST_FIRST: Final = (analyses.c.used_at.desc(), analyses.c.id.desc())


async def get(reader: Reader, analysis_id: int, user_id: int, guild_id: int) -> Analysis | None:
    """Return a person's analysis on a server by its number, or None if it does not exist or cannot be read."""
    found = _OWN.where(analyses.c.id == sa.bindparam("analysis_id"))
    known = await reader.readable(Analysis, found, user_id=user_id, guild_id=guild_id, analysis_id=analysis_id)
    return next(iter(known), None)


async def of_person(reader: Reader, user_id: int, guild_id: int) -> tuple[Analysis, ...]:
    """Return a person's analyses on a server, last used first. Those that cannot be read are left out."""
    return await reader.readable(Analysis, _OWN.order_by(*_NEWEST_FIRST), user_id=user_id, guild_id=guild_id)


async def add(writer: Writer, analysis: Analysis, *, most: int) -> tuple[Analysis, int]:
    """Store an analysis, and keep only the person's `most` last used ones. Returns the stored one and the number deleted."""
    row = to_row(analysis)
    del row["id"]
    number = (await writer.execute(sa.insert(analyses).values(row).returning(analyses.c.id))).scalar_one()
    stay = sa.select(analyses.c.id).where(analyses.c.user_id == analysis.user_id).order_by(*_NEWEST_FIRST).limit(most)
    others = (analyses.c.user_id == analysis.user_id, analyses.c.id != number, analyses.c.id.not_in(stay))
    return replace(analysis, id=number), await writer.count(sa.delete(analyses).where(*others))


async def put(writer: Writer, analysis: Analysis) -> None:
    """Store an analysis in place of its last version."""
    writer.put(analyses, analysis)


async def forget(writer: Writer, before: float) -> int:
    """Delete the analyses last used at or before a moment, in seconds since the epoch. Returns how many there were."""
    return await writer.count(sa.delete(analyses).where(analyses.c.used_at <= before, *writer.own(analyses.c.guild_id)))


async def longest_unused(reader: Reader) -> float | None:
    """Return the earliest time at which any analysis was last used, in seconds since the epoch, or None if there are none."""
    found = sa.select(sa.func.min(analyses.c.used_at)).where(*reader.own(analyses.c.guild_id))
    moment = (await reader.execute(found)).scalar()
    return moment if isinstance(moment, int | float) else None
