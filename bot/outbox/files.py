"""Files of messages: which files a message shows, and how an edit names those that stay.

A file that a component shows does not count as an attachment of its message: its id is with the component. A component in an
edit may show a file that stays only if the edit names the file by id and name.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import discord

from bot.messages.marks import all_components


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that stays with its message, for the attachments of an edit."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """Return the file in the form in which discord.py sends it."""
        return {"id": str(self.id), "filename": self.filename}


def files_shown(message: discord.Message) -> tuple[KeptFile, ...]:
    """Return the files that a message's galleries show according to Discord's answer, from top to bottom."""
    galleries = (part for part in all_components(message.components) if isinstance(part, discord.MediaGalleryComponent))
    shown = (item.media for gallery in galleries for item in gallery.items)
    return tuple(
        KeptFile(media.attachment_id, unquote(PurePosixPath(urlsplit(media.url).path).name))
        for media in shown
        if media.attachment_id is not None
    )
