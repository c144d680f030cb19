"""The queries: plain functions of a transaction, in a module for each topic, as in `await queries.jobs.due(reader, now)`.

A function that only reads takes a `Reader`, of which a `Writer` is one. A function that changes something takes a `Writer`.
"""

from storage.queries import (
    analyses,
    clocks,
    contributions,
    entries,
    forgetting,
    heartbeats,
    jobs,
    opening_book,
    people,
    pings,
    plans,
    posts,
    puzzles,
    quarantine,
    ratings,
    reviews,
    seats,
    servers,
    tables,
    thinking,
    waits,
    watches,
)

__all__ = [
    "analyses",
    "clocks",
    "contributions",
    "entries",
    "forgetting",
    "heartbeats",
    "jobs",
    "opening_book",
    "people",
    "pings",
    "plans",
    "posts",
    "puzzles",
    "quarantine",
    "ratings",
    "reviews",
    "seats",
    "servers",
    "tables",
    "thinking",
    "waits",
    "watches",
]
