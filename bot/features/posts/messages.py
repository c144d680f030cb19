"""The contract of all kinds of posts: a message while its day goes on, and another one in its place once that is over."""

import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from bot.core.core import Core
from bot.features.posts.service import Posts
from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder


@dataclass(frozen=True, slots=True)
class Content:
    """A message while its day goes on.

    Attributes:
        builder: the message.
        changing: the words in it that may change while its day goes on.
    """

    builder: MessageBuilder
    changing: str

    @property
    def shown(self) -> int:
        """A checksum of these words, which is another one once the message has to be edited."""
        return zlib.crc32(self.changing.encode()) & 0x7FFFFFFF


class Open(Protocol):
    """Makes the message of a day that goes on; None if there is nothing to say. `role`: the role that is mentioned above it."""

    def __call__(  # noqa: D102 - see the class
        self, core: Core, guild_id: int, day: int, language: Language, role: int | None = None, /
    ) -> Awaitable[Content | None]: ...


class Closed(Protocol):
    """Makes the message in the place of one whose day is over or was withdrawn.

    None if nothing is known of that day any more, or it goes on: then it stays as it is.
    """

    def __call__(  # noqa: D102 - see the class
        self, core: Core, guild_id: int, day: int, language: Language, /
    ) -> Awaitable[MessageBuilder | None]: ...


@dataclass(frozen=True, slots=True)
class Contents:
    """What the posts of a kind say. The feature that has the kind makes them.

    Attributes:
        open: makes the message while its day goes on.
        closed: makes the message in its place afterwards; None: it stays as it is, if it lasts.
        lasts: whether it is there for longer than its day. Otherwise it is deleted then.
        posts: the service that has the posts of this kind.
    """

    open: Open
    closed: Closed | None = None
    lasts: bool = True
    posts: Callable[[Core], Posts] = Posts
