"""What the outbox carries out for a feature, by the kind of job."""

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
"""Carries out a job about a table, and returns what to record."""

AboutNone: TypeAlias = Callable[[Access, Job], Awaitable[None]]
"""Carries out a job that is about no table."""

Refusal: TypeAlias = Callable[[Access, Job, Snapshot | None, int], Awaitable[None]]
"""Acts on a job that Discord has refused for good, given the job's table, if any, and the error's code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Jobs:
    """What the outbox carries out for a feature.

    Attributes:
        notices: the messages besides the board, for people who watch or have to answer.
        settled: what replaces the question about an offer once the offer is settled.
        shared: the jobs that post what a person shares of a table, not necessarily where it is played.
        refused: what follows if Discord refuses a job for good, even a job of another feature.
    """

    about_tables: Mapping[JobKind, AboutTable] = field(default_factory=dict)
    notices: Mapping[JobKind, NoticeBuilder] = field(default_factory=dict)
    settled: Mapping[OfferKind, SettledOffer] = field(default_factory=dict)
    shared: Mapping[JobKind, AboutTable] = field(default_factory=dict)
    about_none: Mapping[JobKind, AboutNone] = field(default_factory=dict)
    refused: Mapping[JobKind, Refusal] = field(default_factory=dict)
