"""The rows of posts. `columns` explains how rows are declared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated
from zoneinfo import available_timezones

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import stored
from storage.schema.domains import Count, DiscordId, Moment, ServerId, Text
from storage.schema.kinds import PostKind


@stored("posts", sa.Index(None, "due"), key=("guild_id", "kind"), nobody="it is about a server")
@dataclass(frozen=True, kw_only=True)
class Post:
    """A server's post. It consists of a message from time to time, and each message closes the one before."""

    guild_id: ServerId
    kind: PostKind
    """What the post is about."""
    channel_id: DiscordId
    """The channel where it is posted."""
    hour: Annotated[int, Field(ge=0, le=23)]
    """The hour of the day when it is posted."""
    zone: Text
    """The time zone of that hour, as an IANA name."""
    weekday: Annotated[int, Field(ge=0, le=6)] | None = None
    """The day of the week when it is posted (0 for Monday), or None for every day."""
    role_id: DiscordId | None = None
    """The role that the post mentions, or None."""
    due: Moment | None
    """When the next message or round of matching is due, or None if the post is switched off, or stopped by a refusal."""
    refused: Count | None = None
    """The error code with which Discord refused the newest message, or None if it did not."""
    day: Count | None = None
    """The number of the day, or of the period of six hours, that the newest message belongs to."""
    posted_in: DiscordId | None = None
    """The channel of the newest message."""
    message_id: DiscordId | None = None
    """The id of the newest message."""
    posted_at: Moment | None = None
    """When the newest message was posted."""
    edited_at: Moment | None = None
    """When the bot last edited that message of its own accord, or None if it has not done so."""
    shown: Count = 0
    """A checksum of those words in the message that may change during its day, or 0 if there is no message."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        if self.zone not in available_timezones():
            yield "zone", f"there is no time zone {self.zone!r:.80}"
        message = {"day": self.day, "posted_in": self.posted_in, "message_id": self.message_id, "posted_at": self.posted_at}
        missing = [name for name, value in message.items() if value is None]
        if 0 < len(missing) < len(message):
            yield missing[0], "only a part is known of its newest message"
        elif missing and (self.edited_at is not None or self.shown):
            yield "edited_at" if self.edited_at is not None else "shown", "there is no message that can show it"
