"""The contract for the content of a kind of post: an open message for its day, and a closed one once that is over."""

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
    """An open message, and the words in it that may change during its day."""

    builder: MessageBuilder
    changing: str

    @property
    def shown(self) -> int:
        """A checksum of `changing`: the message needs an edit when it differs."""
        return zlib.crc32(self.changing.encode()) & 0x7FFFFFFF


class Open(Protocol):
    """Makes the message of the current day, mentioning `role`; None if there is nothing to say."""

    def __call__(  # noqa: D102 - see the class
        self, core: Core, guild_id: int, day: int, language: Language, role: int | None = None, /
    ) -> Awaitable[Content | None]: ...


class Closed(Protocol):
    """Makes the message that replaces one whose day is over or was withdrawn, or None to leave it as it is."""

    def __call__(  # noqa: D102 - see the class
        self, core: Core, guild_id: int, day: int, language: Language, /
    ) -> Awaitable[MessageBuilder | None]: ...


@dataclass(frozen=True, slots=True)
class Contents:
    """A kind of post: its open and closed messages, and its service. Without `closed` it is deleted, unless it `lasts`."""

    open: Open
    closed: Closed | None = None
    lasts: bool = True
    posts: Callable[[Core], Posts] = Posts
