"""Files that a message already has: which it shows, and how an edit names those that stay.

A file that a component shows is no attachment of its message: its id is with the component. An edit's component may show a file
that stays only if the edit names it by id and name.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import discord

from bot.messages.marks import all_components


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that stays with its message, among an edit's attachments."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """The file as discord.py sends it."""
        return {"id": str(self.id), "filename": self.filename}


def files_shown(message: discord.Message) -> tuple[KeptFile, ...]:
    """Return the files that a message's galleries show, as Discord answered, from top to bottom."""
    galleries = (part for part in all_components(message.components) if isinstance(part, discord.MediaGalleryComponent))
    shown = (item.media for gallery in galleries for item in gallery.items)
    return tuple(
        KeptFile(media.attachment_id, unquote(PurePosixPath(urlsplit(media.url).path).name))
        for media in shown
        if media.attachment_id is not None
    )
