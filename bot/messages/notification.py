"""Notifications: what a phone shows of a message that pings somebody.

A lock screen shows the `content` with which a message was created, and nothing of a layout. So a message that pings is created
plainly, with one sentence: who did what, what is asked, in which game, how long there is. It has no Markdown and no moment (a
server has no time zone), and tells only what spectators know. An edit, which notifies nobody, makes it a layout.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

SOON_SEEN: Final = 100
"""The characters that every lock screen shows, and that hold the decisive words."""

SENTENCE: Final = 180
"""The most characters shown of the whole sentence with one mention."""

NAME: Final = 20
"""The characters of a name within the sentence."""

MENTION: Final = 34
"""Characters kept for a mention: Discord's longest name, with its sign and the space before it."""


Left = Callable[[float], str]
"""Says how long there is at a moment, in seconds since the epoch."""

NO_LIMIT: Final[Left] = "".format
"""Says nothing: there is no limit."""


@dataclass(frozen=True, slots=True)
class Notification:
    """The sentence for the lock screens of the people whom a message pings.

    Attributes:
        said: what is said, as plain text.
        left: says how long there is, as plain text; all else stays as it is.
        mentions: the people or roles that are pinged, as Discord writes them.
    """

    said: str
    left: Left = NO_LIMIT
    mentions: tuple[str, ...] = ()

    def content(self, now: float, more: str = "") -> str:
        """The content of the plain message at a moment: the sentence, the mentions, and below them anything else."""
        return f"{self._line(self.left(now))}\n{more}".strip()

    def stands_in(self, content: str, more: str = "") -> bool:
        """Whether a message has this content, however long there was when it was sent."""
        before, after = self.said, f"{self._line('').removeprefix(self.said)}\n{more}".rstrip()
        return len(content) >= len(before + after) and content.startswith(before) and content.endswith(after)

    def _line(self, left: str) -> str:
        return " ".join(part for part in (self.said, left, *self.mentions) if part)


def people(user_ids: Iterable[int]) -> tuple[str, ...]:
    """The mentions of people, by id."""
    return tuple(f"<@{user_id}>" for user_id in user_ids)


def role_mention(role: int | None) -> tuple[str, ...]:
    """The mention of a role, by id, if any."""
    return () if role is None else (f"<@&{role}>",)
