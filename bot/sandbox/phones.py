"""The phones of the sandbox's people, with what their lock screens show.

As in Discord, a lock screen shows the content with which a message was created, if it pings the person or was sent to them
directly, and nothing of the message's components. Edits notify nobody. For a message without content, no words are shown.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import simcord
from simcord.actors import MemberActor
from simcord.backend.models import Message

KEPT: Final = 3
"""The number of notifications that a lock screen shows."""

SILENT: Final = 1 << 12
"""The flag of a message that makes no sound and shows no banner."""

_MENTION: Final = re.compile(r"<@(&?)(\d+)>")


@dataclass(frozen=True)
class Shown:
    """A notification: the channel, thread or conversation (by id), its words, and when it came, in seconds since the epoch."""

    place: int
    words: str
    at: float

    def as_json(self) -> dict[str, Any]:
        """Return the notification for the page. Ids are strings, since they are too large for JavaScript's numbers."""
        return {"place": str(self.place), "words": self.words, "at": self.at}


class Phones:
    """The lock screens of the sandbox's people. From now on, every posted message may appear on them."""

    def __init__(self, env: simcord.Env, people: Sequence[MemberActor]) -> None:
        self._env = env
        self._names: Mapping[int, str] = {person.id: person.user.global_name or "" for person in people}
        self._shown: dict[int, deque[Shown]] = {person.id: deque(maxlen=KEPT) for person in people}
        commit = env.backend.commit_message

        def committed(message: Message, **how: Any) -> Message:
            kept = commit(message, **how)
            self._light_up(kept)
            return kept

        env.backend.commit_message = committed  # type: ignore[method-assign]

    def as_json(self) -> dict[str, list[dict[str, Any]]]:
        """Return what each person's lock screen shows, newest first, by the person's id."""
        return {str(person): [one.as_json() for one in reversed(shown)] for person, shown in self._shown.items()}

    def _light_up(self, message: Message) -> None:
        if message.flags & SILENT or message.is_ephemeral or message.author_id != self._env.backend.bot_user.id:
            return
        channel = self._env.backend.get_channel(message.channel_id)
        pinged = set(message.ping_user_ids) | set(channel.recipient_ids if channel.guild_id is None else ())
        words = _MENTION.sub(lambda found: f"@{self._names.get(int(found[2]), 'role')}", message.content)
        for person in pinged & self._shown.keys():
            self._shown[person].append(Shown(message.channel_id, words, self._env.now().timestamp()))
