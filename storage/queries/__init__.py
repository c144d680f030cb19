"""Queries, which are plain functions of a transaction, with one module for each topic: `await queries.jobs.due(reader, now)`.

A function that only reads takes a `Reader`, and a `Writer` is one too. A function that changes something takes a `Writer`.
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
