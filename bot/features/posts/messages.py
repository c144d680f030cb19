"""The contract for what a kind of post shows: an open message during its day, and a closed one afterwards."""

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
    """An open message, and those of its words that may change during its day."""

    builder: MessageBuilder
    changing: str

    @property
    def shown(self) -> int:
        """A checksum of `changing`. The posted message needs an edit when this differs from the stored checksum."""
        return zlib.crc32(self.changing.encode()) & 0x7FFFFFFF


class Open(Protocol):
    """Makes the current day's message, which mentions `role`, or returns None if there is nothing to say."""

    def __call__(  # noqa: D102 - see the class
        self, core: Core, guild_id: int, day: int, language: Language, role: int | None = None, /
    ) -> Awaitable[Content | None]: ...


class Closed(Protocol):
    """Makes the last version of a message whose day is over or that was withdrawn, or returns None to leave it unchanged."""

    def __call__(  # noqa: D102 - see the class
        self, core: Core, guild_id: int, day: int, language: Language, /
    ) -> Awaitable[MessageBuilder | None]: ...


@dataclass(frozen=True, slots=True)
class Contents:
    """A kind of post's messages and service. A past message is deleted unless it `lasts`. Without `closed`, it stays as is."""

    open: Open
    closed: Closed | None = None
    lasts: bool = True
    posts: Callable[[Core], Posts] = Posts
