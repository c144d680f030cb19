"""Notifications: what a phone shows of a message that pings somebody.

A lock screen shows the `content` with which a message was created, and nothing of a layout. So a message that pings is created
plainly, with one sentence: who did what, what is asked, in which game, and how long there is. The sentence has no Markdown. It
names no point in time, since a server has no time zone. It tells only what spectators know. An edit, which notifies nobody,
then turns the message into a layout.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

SOON_SEEN: Final = 100
"""The number of characters that every lock screen shows, and that must hold the decisive words."""

SENTENCE: Final = 180
"""The most characters that are shown of the whole sentence, including one mention."""

NAME: Final = 20
"""The most characters of a name within the sentence."""

MENTION: Final = 34
"""The characters kept free for a mention: Discord's longest name, its sign, and the space before it."""


Left = Callable[[float], str]
"""Says how much time people have left at a given time, in seconds since the epoch."""

NO_LIMIT: Final[Left] = "".format
"""Says nothing, because there is no limit."""


@dataclass(frozen=True, slots=True)
class Notification:
    """The sentence for the lock screens of the people whom a message pings.

    Attributes:
        said: what is said, as plain text.
        left: says how much time is left, as plain text. This is the only part that changes with time.
        mentions: the people or roles that are pinged, as Discord writes them.
    """

    said: str
    left: Left = NO_LIMIT
    mentions: tuple[str, ...] = ()

    def content(self, now: float, more: str = "") -> str:
        """Return the content of the plain message at the time `now`: the sentence, the mentions, and `more` below them."""
        return f"{self._line(self.left(now))}\n{more}".strip()

    def stands_in(self, content: str, more: str = "") -> bool:
        """Whether a message has this content, regardless of how much time was left when it was sent."""
        before, after = self.said, f"{self._line('').removeprefix(self.said)}\n{more}".rstrip()
        return len(content) >= len(before + after) and content.startswith(before) and content.endswith(after)

    def _line(self, left: str) -> str:
        return " ".join(part for part in (self.said, left, *self.mentions) if part)


def people(user_ids: Iterable[int]) -> tuple[str, ...]:
    """Return the mentions of people, given their ids."""
    return tuple(f"<@{user_id}>" for user_id in user_ids)


def role_mention(role: int | None) -> tuple[str, ...]:
    """Return the mention of a role, given its id, if there is one."""
    return () if role is None else (f"<@&{role}>",)
