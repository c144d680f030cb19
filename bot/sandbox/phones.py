"""The phones of the sandbox's people: what their lock screens show.

As Discord's do, they show the content with which a message was created, if it pings the person or was sent to them directly,
and nothing of its components. Edits notify nobody. A message without content is shown without a word.
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
"""How many notifications a lock screen shows."""

SILENT: Final = 1 << 12
"""The flag of a message without a sound and a banner."""

_MENTION: Final = re.compile(r"<@(&?)(\d+)>")


@dataclass(frozen=True)
class Shown:
    """A notification: the id of the channel, thread or conversation it came from, and when, in seconds since the epoch."""

    place: int
    words: str
    at: float

    def as_json(self) -> dict[str, Any]:
        """The notification for the page, with ids as strings: they are too large for JavaScript's numbers."""
        return {"place": str(self.place), "words": self.words, "at": self.at}


class Phones:
    """The lock screens of the sandbox's people, which every message posted from now on may light up."""

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
        """What each person's lock screen shows, the newest first, by id."""
        return {str(person): [one.as_json() for one in reversed(shown)] for person, shown in self._shown.items()}

    def _light_up(self, message: Message) -> None:
        if message.flags & SILENT or message.is_ephemeral or message.author_id != self._env.backend.bot_user.id:
            return
        channel = self._env.backend.get_channel(message.channel_id)
        pinged = set(message.ping_user_ids) | set(channel.recipient_ids if channel.guild_id is None else ())
        words = _MENTION.sub(lambda found: f"@{self._names.get(int(found[2]), 'role')}", message.content)
        for person in pinged & self._shown.keys():
            self._shown[person].append(Shown(message.channel_id, words, self._env.now().timestamp()))
