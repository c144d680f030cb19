"""The queries: plain functions of a transaction, in a module for each topic, as in `await queries.jobs.due(reader, now)`.

A function that only reads takes a `Reader`, of which a `Writer` is one. A function that changes something takes a `Writer`.
"""

from storage.queries import (
    clocks,
    contributions,
    entries,
    forgetting,
    heartbeats,
    jobs,
    people,
    pings,
    quarantine,
    ratings,
    seats,
    servers,
    tables,
    waits,
    watches,
)

__all__ = [
    "clocks",
    "contributions",
    "entries",
    "forgetting",
    "heartbeats",
    "jobs",
    "people",
    "pings",
    "quarantine",
    "ratings",
    "seats",
    "servers",
    "tables",
    "waits",
    "watches",
]
