"""Watches the bot's calls for those that simcord accepts and real Discord would refuse.

`Watch` sees every call when it is made, with the state of the world at that moment. A breach counts even if the bot swallowed
the error; the fixture `world` fails the test in the end.
"""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import discord
import simcord
from simcord.backend.errors import BackendError
from simcord.http import router

from loopback.faults import kind_of
from loopback.limits import SILENT, Call, Kind, breaches_of, lock_screen
from loopback.model import made_at

REFUSALS_AT_MOST = 3
"""How often a refused call (403, 404) may be tried again before it counts as hammering."""


@dataclass
class Watch:
    """All of the bot's calls to Discord, and what Discord would have refused.

    Attributes:
        breaches: sentences, empty if Discord would have taken everything.
        old_edits: edits of messages older than an hour. Discord rations these (error 30046) by an unpublished number.
        excused: parts of sentences. Breaches that contain one do not count, for tests that provoke them.
    """

    env: simcord.Env
    calls: list[Call] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)
    old_edits: list[Call] = field(default_factory=list)
    excused: set[str] = field(default_factory=set)
    _refused: dict[tuple[str, str], int] = field(default_factory=dict)

    @contextlib.contextmanager
    def watching(self) -> Iterator["Watch"]:
        dispatch = router.dispatch

        def watched(backend: Any, method: str, path: str, *, json: Any = None, files: Any = None, **rest: Any) -> Any:
            if backend is not self.env.backend:
                return dispatch(backend, method, path, json=json, files=files, **rest)
            self._note(method, path, json, files or ())
            try:
                return dispatch(backend, method, path, json=json, files=files, **rest)
            except BackendError as error:
                self._note_refusal(method, path, error)
                raise

        with mock.patch.object(router, "dispatch", watched):
            yield self

    def count(self, *kinds: Kind, since: int = 0) -> int:
        """How many calls of these kinds, or any, were made from index `since` of `calls`."""
        return sum(1 for call in self.calls[since:] if not kinds or call.kind in kinds)

    def finish(self) -> None:
        """Raise AssertionError if Discord would have refused something, or got no answer."""
        for record in self.env.backend.interactions.values():
            if not record.responded:
                self._breach(f"Interaction {record.id} ({record.command_name or 'a click'}) was never answered.")
        if len(self.calls) != len(self.env.http_requests):
            self.breaches.append(f"The watch saw {len(self.calls)} of {len(self.env.http_requests)} calls.")
        assert not self.breaches, "Discord would not have taken this:\n" + "\n".join(f"- {breach}" for breach in self.breaches)

    def _breach(self, sentence: str) -> None:
        if not any(part in sentence for part in self.excused):
            self.breaches.append(sentence)

    def _note(self, method: str, path: str, body: Any, files: Sequence[discord.File]) -> None:
        kind = kind_of(method, path, body)
        now = self.env.now().timestamp()
        call = Call(now, kind, method, path, body, tuple((file.filename, _size(file)) for file in files))
        self.calls.append(call)
        for sentence in (*breaches_of(call), *self._breaches_of_state(call)):
            self._breach(f"{kind} ({method} {path}): {sentence}")

    def _note_refusal(self, method: str, path: str, error: BackendError) -> None:
        if error.status not in (401, 403, 404, 429):
            return
        tries = self._refused[method, path] = self._refused.get((method, path), 0) + 1
        if tries > REFUSALS_AT_MOST:
            self._breach(f"{method} {path} was tried {tries} times though the answer was {error.status}.")

    def _breaches_of_state(self, call: Call) -> Iterator[str]:
        """Breaches that depend on the current state of the world."""
        backend = self.env.backend
        parts = call.path.strip("/").split("/")
        token = parts[2] if call.kind is Kind.FOLLOWUP else ""
        if token in backend.interaction_tokens and not backend.interaction_by_token(token).responded:
            yield "a follow-up came before the answer."
        if parts[0] == "channels" and int(parts[1]) in backend.dm_channels.values() and call.kind is Kind.SEND:
            yield from lock_screen(call.message) if not (call.message.get("flags") or 0) & SILENT else ()
        if parts[0] != "channels" or (channel := backend.channels.get(int(parts[1]))) is None or channel.guild_id is None:
            return
        held = discord.Permissions(backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel.id))
        thread = channel.thread_metadata
        if call.kind in (Kind.SEND, Kind.EDIT) and call.files and not held.attach_files:
            yield "files were posted where the bot may not attach files (50013)."
        if call.kind is Kind.SEND and thread is not None and thread.locked and not held.manage_threads:
            yield "a message was posted to a locked thread (50083)."
        if call.kind in (Kind.EDIT, Kind.DELETE) and thread is not None and thread.archived:
            yield "a message of an archived thread was changed (50083)."
        if call.kind is Kind.EDIT and call.at - made_at(int(parts[3])) > 3600:
            self.old_edits.append(call)


def _size(file: discord.File) -> int:
    place = file.fp.tell()
    file.fp.seek(0, 2)
    size = file.fp.tell()
    file.fp.seek(place)
    return size - place
