"""The jobs of a feature: what the outbox carries out for it, by their kinds."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.core.jobs import Shown
from bot.core.table.snapshot import Snapshot
from bot.messages.notices import NoticeBuilder
from bot.messages.settled import SettledOffer
from bot.outbox.access import Access
from storage.schema.records import Job, JobKind, OfferKind

AboutTable: TypeAlias = Callable[[Access, Snapshot, Job], Awaitable[Shown | None]]
"""Carries out a job about a table, and returns what has to be recorded of it."""

AboutNone: TypeAlias = Callable[[Access, Job], Awaitable[None]]
"""Carries out a job that is about no table."""

Refusal: TypeAlias = Callable[[Access, Job, Snapshot | None, int], Awaitable[None]]
"""Draws the conclusion from a job that Discord has refused for good: it gets its table, if any, and the code of the error."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Jobs:
    """What the outbox carries out for a feature.

    Attributes:
        about_tables: the jobs about tables.
        notices: the messages besides the board, for those who watch or have to answer.
        settled: what stays in the place of the question about an offer, once that is settled.
        shared: those that post what a person shares of a table, in a place that need not be that of the table.
        about_none: the jobs that are about no table.
        refused: what follows where Discord has refused one for good. A job of another feature may have consequences here, too.
    """

    about_tables: Mapping[JobKind, AboutTable] = field(default_factory=dict)
    notices: Mapping[JobKind, NoticeBuilder] = field(default_factory=dict)
    settled: Mapping[OfferKind, SettledOffer] = field(default_factory=dict)
    shared: Mapping[JobKind, AboutTable] = field(default_factory=dict)
    about_none: Mapping[JobKind, AboutNone] = field(default_factory=dict)
    refused: Mapping[JobKind, Refusal] = field(default_factory=dict)
