"""The jobs of the outbox: their queues, and the structure of their payloads by kind.

A queue is a place where jobs post: a channel or thread, or one person, who may have chosen direct messages. A job may name its
place, or it follows from where the job's table is played. Replays, which take long to draw, have queues of their own.

Queues run side by side. Within a queue, jobs that somebody who just clicked waits for come first, and jobs that nobody waits
for come last.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from storage.schema.job_records import Job
from storage.schema.kinds import JobKind, News, OfferKind, PostKind, Settled, WaitEnd
from storage.schema.table_records import Table

FIRST: Final = ((JobKind.LOBBY, JobKind.OPENING), (JobKind.BOARD,))
"""The most urgent kinds. A board may be shown in a thread that the opening of its table creates."""

IDLE: Final = frozenset({JobKind.REFRESH, JobKind.RETIRE, JobKind.WATCH, JobKind.REPLAY, JobKind.POST_EDIT})
"""Kinds that nobody waits for."""

OF_POSTS: Final = frozenset({JobKind.POST, JobKind.POST_EDIT, JobKind.POST_REFUSED})
"""Kinds whose subject is a server's post."""

Which = Literal["half", "late", "grace", "abandoned", "next"]
"""Which reminder it is: at half of a turn, near its end, at the start of a period of grace, before a game without a clock ends,
or at the start of a turn for the player whose turn comes next."""

MOST_TRIES: Final = 10**9
"""More attempts than any job can have had."""

_PLACE: Final = re.compile(r"(channel|person) [1-9]\d*", re.ASCII)

_STRICT = with_config(ConfigDict(strict=True))

_Id = Annotated[int, Field(gt=-(2**63), lt=2**63)]
_Count = Annotated[int, Field(ge=0, lt=2**31)]
_Code = Annotated[int, Field(ge=0, lt=2**31)]


@_STRICT
class _Board(TypedDict):
    silent: NotRequired[bool]
    refused: NotRequired[_Code]
    told: NotRequired[_Count]


@_STRICT
class _Retirement(TypedDict):
    channel: _Id
    message: _Id
    version: _Count
    since: _Count


@_STRICT
class _Settlement(TypedDict):
    channel: _Id
    message: _Id
    # JSON has no enumerations: the value read is a string. Without an offer it was an invitation, or a reminder of a turn.
    offer: NotRequired[Annotated[OfferKind, Field(strict=False)]]
    how: Annotated[Settled, Field(strict=False)]
    seat: NotRequired[_Count]
    turn: NotRequired[_Count]


@_STRICT
class _Opening(TypedDict):
    answered: NotRequired[bool]


@_STRICT
class _Offer(TypedDict):
    declined: NotRequired[_Count]


@_STRICT
class _Hurried(TypedDict):
    seat: _Count


@_STRICT
class _Reminder(TypedDict):
    user: _Id
    turn: _Count
    which: Which


@_STRICT
class _Nudge(TypedDict):
    by: _Count
    turn: _Count


@_STRICT
class _Watched(TypedDict):
    user: _Id
    turn: _Count


@_STRICT
class _Shared(TypedDict):
    channel: _Id
    version: _Count
    user: NotRequired[_Id]
    page: NotRequired[_Count]
    card: NotRequired[bool]


@_STRICT
class _Position(TypedDict):
    channel: _Id
    user: _Id
    analysis: _Id
    position: _Count


@_STRICT
class _Dismissal(TypedDict):
    user: _Id


@_STRICT
class _Letter(TypedDict):
    to: _Id
    news: Annotated[News, Field(strict=False)]
    user: _Id
    error: str
    turn: NotRequired[_Count]
    code: NotRequired[_Code]


@_STRICT
class _Post(TypedDict):
    refused: NotRequired[_Code]


@_STRICT
class _PostEdit(TypedDict):
    channel: _Id
    message: _Id
    day: _Count


@_STRICT
class _WaitOver(TypedDict):
    to: _Id
    why: Annotated[WaitEnd, Field(strict=False)]


@_STRICT
class _ClockDoubted(TypedDict):
    to: _Id


@_STRICT
class _Event(TypedDict):
    event: _Id


@_STRICT
class _EventCall(TypedDict):
    event: _Id
    number: _Count


@_STRICT
class _EventAsk(TypedDict):
    event: _Id
    entry: _Count
    to: _Id


@_STRICT
class _EventLeft(TypedDict):
    event: _Id
    to: _Id


@_STRICT
class _EventUnseen(TypedDict):
    event: _Id
    to: _Id


@_STRICT
class _PostRefused(TypedDict):
    to: _Id
    channel: _Id
    code: _Code


_PAYLOADS: Final[Mapping[JobKind, TypeAdapter[Any]]] = {
    JobKind.BOARD: TypeAdapter(_Board),
    JobKind.RETIRE: TypeAdapter(_Retirement),
    JobKind.OPENING: TypeAdapter(_Opening),
    JobKind.OFFER: TypeAdapter(_Offer),
    JobKind.HURRIED: TypeAdapter(_Hurried),
    JobKind.REMINDER: TypeAdapter(_Reminder),
    JobKind.NUDGE: TypeAdapter(_Nudge),
    JobKind.WATCH: TypeAdapter(_Watched),
    JobKind.ANALYSIS: TypeAdapter(_Position),
    JobKind.DISMISSAL: TypeAdapter(_Dismissal),
    JobKind.LETTER: TypeAdapter(_Letter),
    JobKind.POST: TypeAdapter(_Post),
    JobKind.POST_EDIT: TypeAdapter(_PostEdit),
    JobKind.POST_REFUSED: TypeAdapter(_PostRefused),
    JobKind.WAIT_OVER: TypeAdapter(_WaitOver),
    JobKind.CLOCK_DOUBTED: TypeAdapter(_ClockDoubted),
    JobKind.EVENT: TypeAdapter(_Event),
    JobKind.EVENT_CALL: TypeAdapter(_EventCall),
    JobKind.EVENT_ASK: TypeAdapter(_EventAsk),
    JobKind.EVENT_LEFT: TypeAdapter(_EventLeft),
    JobKind.EVENT_UNSEEN: TypeAdapter(_EventUnseen),
}
"""Kinds that are missing have no payload, and one that they have all the same is ignored."""

_SHARED: Final[TypeAdapter[Any]] = TypeAdapter(_Shared)
_SETTLEMENT: Final[TypeAdapter[Any]] = TypeAdapter(_Settlement)

_QUESTION: Final = "question-"


def place_of(table: Table) -> str:
    """Return the queue of jobs that post where a table is played."""
    return f"channel {table.thread_id or table.channel_id}"


def post_subject(kind: PostKind) -> str:
    """Return the subject of a post's jobs. There is one post for each server and kind."""
    return f"post {kind}"


def server_subject(guild_id: int) -> str:
    """Return the subject of a server's jobs that are about nothing more particular."""
    return f"server {guild_id}"


def post_of(job: Job) -> PostKind:
    """Return which post of its server a job is about. Raises ValueError if it is about none."""
    return PostKind(job.subject.removeprefix("post "))


def question_key(message_id: int) -> str:
    """Return the key of the job that takes the buttons off a question. A board's is the bare id of its message."""
    return f"{_QUESTION}{message_id}"


def is_of_question(job: Job) -> bool:
    """Return whether a job takes the buttons off a question, not a board."""
    return job.kind is JobKind.RETIRE and job.key.startswith(_QUESTION)


def is_of_reminder(job: Job) -> bool:
    """Return whether a job takes the buttons off a reminder of a turn."""
    return is_of_question(job) and "turn" in job.payload


def job_faults(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the columns that keep a row of the outbox from being carried out, each with the reason.

    The columns have the right types.
    """
    kind, payload = values["kind"], values["payload"]
    if not 0 <= values["tries"] < MOST_TRIES:
        yield "tries", f"nothing was tried {values['tries']} times"
    if kind is JobKind.OFFER and values["key"] not in set(OfferKind):
        yield "key", f"there is no offer {values['key']!r}"
    shape = _PAYLOADS.get(kind)
    # The replay of a game that is over says nothing; one that a person shares says where, by its key as well.
    if kind is JobKind.REPLAY and (payload or values["key"]):
        shape = _SHARED
    elif kind is JobKind.RETIRE and values["key"].startswith(_QUESTION):
        shape = _SETTLEMENT
    try:
        if shape is not None:
            shape.validate_python(payload)
    except ValidationError as error:
        found = error.errors()[0]
        yield "payload", f"{'.'.join(map(str, found['loc']))}: {found['msg']}"
    table_id, subject, place = values["table_id"], values["subject"], values["place"]
    belongs = server_subject(values["guild_id"]) if table_id is None else f"table {table_id}"
    if kind in OF_POSTS and table_id is None:
        if subject not in map(post_subject, PostKind):
            yield "subject", f"it is {subject!r:.80}, and no post of a server"
    elif subject != belongs:
        yield "subject", f"it is {subject!r:.80}, but the job belongs to {belongs}"
    if place is None and table_id is None:
        yield "place", "a job that is about no table needs one"
    if place is not None and _PLACE.fullmatch(place) is None:
        yield "place", f"nothing can be posted to {place!r:.80}"


def shares(job: Job) -> bool:
    """Return whether a job posts something in a channel that need not be its table's."""
    return job.kind is JobKind.REPLAY and "channel" in job.payload
