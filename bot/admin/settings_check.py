"""Whether the settings of people and servers, and the errands in the outbox, are such as the program can use."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from bot.i18n.language import languages
from bot.sessions.settings import PersonSettings, ServerSettings
from bot.sessions.timing import Which
from storage import tables
from storage.checking import readable
from storage.records import Job, JobKind, OfferKind, Person, Server

_STRICT = with_config(ConfigDict(strict=True))


@_STRICT
class _Somebody(TypedDict):
    user: int


@_STRICT
class _Reminder(TypedDict):
    user: int
    turn: int
    which: Which


@_STRICT
class _Nudge(TypedDict):
    by: int
    turn: int


@_STRICT
class _News(TypedDict):
    user: int
    turn: int


_PAYLOADS: Final[Mapping[JobKind, TypeAdapter[Any]]] = {
    JobKind.REMINDER: TypeAdapter(_Reminder),
    JobKind.NUDGE: TypeAdapter(_Nudge),
    JobKind.WATCH: TypeAdapter(_News),
    JobKind.DISMISSAL: TypeAdapter(_Somebody),
}
"""What jobs have to say beyond their kind. Those of other kinds may say anything."""


def setting_faults(connection: sa.Connection) -> Iterator[str]:
    """A sentence for each setting, and each job, that cannot be used."""
    for person in readable(connection, tables.people, Person):
        for reason in _faults(PersonSettings, person.settings):
            yield f"A row of people is not as it should be: Person (user_id {person.user_id}): settings: {reason}."
    for server in readable(connection, tables.servers, Server):
        for reason in _faults(ServerSettings, server.settings):
            yield f"A row of servers is not as it should be: Server (guild_id {server.guild_id}): settings: {reason}."
    for job in readable(connection, tables.outbox, Job):
        for reason in _job_faults(job):
            yield f"A row of outbox is not as it should be: Job (id {job.id}, table_id {job.table_id}): {reason}."


def _faults(kind: type[BaseModel], settings: Mapping[str, Any]) -> Iterator[str]:
    try:
        kind.model_validate(settings)
    except ValidationError as error:
        yield from (f"{'.'.join(map(str, found['loc']))}: {found['msg']}" for found in error.errors())
    code = settings.get("language")
    if isinstance(code, str) and code not in languages():
        yield f"language: there is no language {code!r}"


def _job_faults(job: Job) -> Iterator[str]:
    if job.kind is JobKind.OFFER and job.key not in set(OfferKind):
        yield f"key: there is no offer {job.key!r}"
    try:
        if job.kind in _PAYLOADS:
            _PAYLOADS[job.kind].validate_python(job.payload)
    except ValidationError as error:
        for found in error.errors():
            yield f"payload: {'.'.join(map(str, found['loc']))}: {found['msg']}"
