"""The rows of the database as values: a frozen dataclass for each kind of row, declared as `columns` explains."""

from storage.schema.analysis_records import Analysis
from storage.schema.game_records import Contribution, Entry, Plan, Review, Thinking
from storage.schema.job_records import Job
from storage.schema.kinds import (
    Ending,
    EntryKind,
    Grace,
    JobKind,
    Level,
    News,
    OfferKind,
    PostKind,
    PuzzleOutcome,
    SeatStatus,
    Settled,
    Status,
    WatchFor,
)
from storage.schema.people_records import Person, Ping, Rating, Server
from storage.schema.post_records import Post
from storage.schema.process_records import Heartbeat, Outage, StoredLease
from storage.schema.structures import Choice, Handover, Node, Offers, Proposal, Question, Relief, Reply, Result, Standing
from storage.schema.table_records import Departure, Seat, Table, Watch

__all__ = [
    "Analysis", "Choice", "Contribution", "Departure", "Ending", "Entry", "EntryKind", "Grace", "Handover", "Heartbeat",
    "Job", "JobKind", "Level", "News", "Node", "OfferKind", "Offers", "Outage", "Person", "Ping", "Plan", "Post",
    "PostKind", "Proposal", "PuzzleOutcome", "Question", "Rating", "Relief", "Reply", "Result", "Review", "Seat",
    "SeatStatus", "Server", "Settled", "Standing", "Status", "StoredLease", "Table", "Thinking", "Watch", "WatchFor",
]  # fmt: skip
