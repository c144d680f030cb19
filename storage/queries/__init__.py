"""Queries: plain functions of a transaction, one module for each topic, as in `await queries.jobs.due(reader, now)`.

A function that only reads takes a `Reader`, which a `Writer` is too; one that changes something takes a `Writer`.
"""

from storage.queries import (
    clocks,
    entries,
    forgetting,
    heartbeats,
    jobs,
    people,
    quarantine,
    ratings,
    seats,
    servers,
    tables,
    waits,
)

__all__ = [
    "clocks", "entries", "forgetting", "heartbeats", "jobs", "people", "quarantine", "ratings", "seats", "servers", "tables",
    "waits",
]  # fmt: skip
