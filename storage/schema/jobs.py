"""The jobs of the outbox: their queues, and the structure of their payloads by kind.

A queue is a place where jobs post: a channel or thread, or one person, who may have chosen direct messages. A job may name its
place. Otherwise, the place follows from where the job's table is played. Replays take long to draw, so they have queues of
their own.

Different queues are worked on at the same time. Within a queue, the jobs for which somebody has just clicked come first, and
the jobs for which nobody is waiting come last.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import ConfigDict, Field, ValidationError, with_config
from typing_extensions import TypedDict

from storage.schema.column_types import adapter
from storage.schema.job_records import Job
from storage.schema.kinds import JobKind, News, OfferKind, PostKind, Settled, WaitEnd
from storage.schema.table_records import Table

FIRST: Final = ((JobKind.LOBBY, JobKind.OPENING), (JobKind.BOARD,))
"""The most urgent kinds of jobs, in this order. A board may be shown in a thread that the opening of its table creates."""

IDLE: Final = frozenset({JobKind.REFRESH, JobKind.RETIRE, JobKind.WATCH, JobKind.REPLAY, JobKind.POST_EDIT})
"""The kinds of jobs that nobody is waiting for."""

OF_POSTS: Final = frozenset({JobKind.POST, JobKind.POST_EDIT, JobKind.POST_REFUSED})
"""The kinds of jobs whose subject is one of a server's posts."""

Which = Literal["half", "late", "grace", "abandoned", "next"]
"""Which reminder a job sends: at half of a turn, near its end, at the start of a period of grace, before a game without a clock
ends, or at the start of a turn for the player whose turn comes next."""

MOST_TRIES: Final = 10**9
"""A number of attempts that no job can have reached."""

_PLACE: Final = re.compile(r"(channel|person) [1-9]\d*", re.ASCII)

_STRICT = with_config(ConfigDict(strict=True))

_Id = Annotated[int, Field(gt=-(2**63), lt=2**63)]
_Count = Annotated[int, Field(ge=0, lt=2**31)]
_Code = Annotated[int, Field(ge=0, lt=2**31)]

_AS_WORD: Final = Field(strict=False)
"""Makes an enumeration be read as a string, because JSON has no enumerations."""


def _payload(**entries: Any) -> type[Any]:
    """Return the type of a payload with these entries."""
    made: type[Any] = _STRICT(TypedDict("Payload", entries))  # type: ignore[operator]  # the entries are known only here
    return made


_PAYLOADS: Final[Mapping[JobKind, type[Any]]] = {
    JobKind.BOARD: _payload(silent=NotRequired[bool], refused=NotRequired[_Code], told=NotRequired[_Count]),
    JobKind.RETIRE: _payload(channel=_Id, message=_Id, version=_Count, since=_Count),
    JobKind.OPENING: _payload(answered=NotRequired[bool]),
    JobKind.OFFER: _payload(declined=NotRequired[_Count]),
    JobKind.HURRIED: _payload(seat=_Count),
    JobKind.REMINDER: _payload(user=_Id, turn=_Count, which=Which),
    JobKind.NUDGE: _payload(by=_Count, turn=_Count),
    JobKind.WATCH: _payload(user=_Id, turn=_Count),
    JobKind.ANALYSIS: _payload(channel=_Id, user=_Id, analysis=_Id, position=_Count),
    JobKind.DISMISSAL: _payload(user=_Id),
    JobKind.LETTER: _payload(
        to=_Id, news=Annotated[News, _AS_WORD], user=_Id, error=str, turn=NotRequired[_Count], code=NotRequired[_Code]
    ),
    JobKind.POST: _payload(refused=NotRequired[_Code]),
    JobKind.POST_EDIT: _payload(channel=_Id, message=_Id, day=_Count),
    JobKind.POST_REFUSED: _payload(to=_Id, channel=_Id, code=_Code),
    JobKind.WAIT_OVER: _payload(to=_Id, why=Annotated[WaitEnd, _AS_WORD]),
    JobKind.CLOCK_DOUBTED: _payload(to=_Id),
    JobKind.EVENT: _payload(event=_Id),
    JobKind.EVENT_CALL: _payload(event=_Id, number=_Count),
    JobKind.EVENT_ASK: _payload(event=_Id, entry=_Count, to=_Id),
    JobKind.EVENT_LEFT: _payload(event=_Id, to=_Id),
    JobKind.EVENT_UNSEEN: _payload(event=_Id, to=_Id),
}
"""The type of each kind's payload. A kind that is missing has no payload, and any that it has nevertheless is ignored."""

_SHARED: Final = _payload(channel=_Id, version=_Count, user=NotRequired[_Id], page=NotRequired[_Count], card=NotRequired[bool])
_SETTLEMENT: Final = _payload(
    channel=_Id,
    message=_Id,
    offer=NotRequired[Annotated[OfferKind, _AS_WORD]],  # without an offer, it was an invitation or a reminder of a turn
    how=Annotated[Settled, _AS_WORD],
    seat=NotRequired[_Count],
    turn=NotRequired[_Count],
)

_QUESTION: Final = "question-"


def place_of(table: Table) -> str:
    """Return the queue of the jobs that post where a table is played."""
    return f"channel {table.thread_id or table.channel_id}"


def post_subject(kind: PostKind) -> str:
    """Return the subject of the jobs for a post. A server has one post of each kind."""
    return f"post {kind}"


def server_subject(guild_id: int) -> str:
    """Return the subject of those of a server's jobs that are about nothing more specific."""
    return f"server {guild_id}"


def post_of(job: Job) -> PostKind:
    """Return which of its server's posts a job is about. Raises ValueError if it is about none."""
    return PostKind(job.subject.removeprefix("post "))


def question_key(message_id: int) -> str:
    """Return the key of the job that removes the buttons from a question. For a board, it is just its message's id."""
    return f"{_QUESTION}{message_id}"


def is_of_question(job: Job) -> bool:
    """Return whether a job removes the buttons from a question, rather than from a board."""
    return job.kind is JobKind.RETIRE and job.key.startswith(_QUESTION)


def is_of_reminder(job: Job) -> bool:
    """Return whether a job removes the buttons from a reminder of a turn."""
    return is_of_question(job) and "turn" in job.payload


def job_faults(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the columns that keep an outbox row of the right types from being carried out, each with the reason."""
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
            adapter(shape).validate_python(payload)  # type: ignore[arg-type]  # a class can be hashed
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
    """Return whether a job posts something in a channel that is not necessarily its table's."""
    return job.kind is JobKind.REPLAY and "channel" in job.payload
