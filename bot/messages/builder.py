"""A message as the bot writes it: a layout (Components V2) with the pictures it shows."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import discord
from discord import ui

from engines.text import Text

ALT_LIMIT: Final = 1024
TEXT_LIMIT: Final = 3800
"""Characters of text in one message, with room left below Discord's 4000."""
LABEL_LIMIT: Final = 80
OPTION_LIMIT: Final = 100
ROW: Final = 5
"""Buttons in a row."""

TURNS_LINES_ROUND: Final = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that change the direction of all that follows; a name may not do that to the line that it stands in."""

ERROR_COLOUR: Final = 0xC0392B
"""The colour beside what went wrong."""

NOBODY: Final = discord.AllowedMentions.none()

Item = ui.Item[Any]
Button = ui.Button[Any]


class Layout(ui.LayoutView):
    """A layout without state of its own.

    discord.py would keep every layout with buttons in memory to call it back. Ours are not called back: clicks are routed by
    their custom_id alone. So they say that they need not be kept.
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        super().__init__(timeout=None)
        for item in items:
            self.add_item(item)

    def is_dispatchable(self) -> bool:
        """Never: see the class."""
        return False

    def is_finished(self) -> bool:
        """Always, and from the beginning: answers to interactions ask for nothing else before they keep a layout."""
        return True


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a message: its file name, its bytes, and its description in words."""

    name: str
    png: bytes
    alt: str


@dataclass(slots=True)
class MessageBuilder:
    """A message: what stands in it from top to bottom, in one container, and the colour at its side."""

    colour: int | None = None
    items: list[Item] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    documents: list[tuple[str, bytes]] = field(default_factory=list)

    def text(self, words: str) -> "MessageBuilder":
        """Words in Discord's Markdown; empty ones are left out, and whole lines at the end of what does not fit any more."""
        room = TEXT_LIMIT - sum(len(item.content) for item in self.items if isinstance(item, ui.TextDisplay))
        if len(words) > room:
            kept, _, _ = words[: max(room - 2, 0)].rpartition("\n")
            words = f"{kept}\n…" if kept else clipped(words, max(room, 0))
        if words.strip():
            self.items.append(ui.TextDisplay(words))
        return self

    def picture(self, picture: Picture | None) -> "MessageBuilder":
        """A picture, if there is one."""
        if picture is not None:
            self.pictures.append(picture)
            item = discord.MediaGalleryItem(f"attachment://{picture.name}", description=clipped(picture.alt, ALT_LIMIT))
            self.items.append(ui.MediaGallery(item))
        return self

    def document(self, name: str, content: bytes) -> "MessageBuilder":
        """A file to be kept, shown by its name."""
        self.documents.append((name, content))
        self.items.append(ui.File(f"attachment://{name}"))
        return self

    def line(self) -> "MessageBuilder":
        """A thin line across."""
        self.items.append(ui.Separator())
        return self

    def buttons(self, buttons: Sequence[Button]) -> "MessageBuilder":
        """Buttons, five in a row."""
        for start in range(0, len(buttons), ROW):
            self.items.append(ui.ActionRow(*buttons[start : start + ROW]))
        return self

    def select(self, select: "ui.Select[Any]") -> "MessageBuilder":
        """A select in a row of its own."""
        self.items.append(ui.ActionRow(select))
        return self

    def layout(self) -> Layout:
        """The layout, made anew: discord.py ties items to the view they are sent with."""
        return Layout([ui.Container(*self.items, accent_colour=self.colour)])

    def files(self) -> list[discord.File]:
        """The files, made anew: discord.py reads each of them once."""
        kept = [*((picture.name, picture.png) for picture in self.pictures), *self.documents]
        return [discord.File(io.BytesIO(content), name) for name, content in kept]


def button(
    label: str,
    custom_id: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> Button:
    """A button; labels that are too long are cut."""
    return ui.Button(label=clipped(label, LABEL_LIMIT), custom_id=custom_id, style=style, emoji=emoji, disabled=disabled)


def clipped(words: str, most: int) -> str:
    """The words, cut with an ellipsis if they are longer than that many characters."""
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def escaped(name: str) -> str:
    """A name that shows as it is: no Markdown, no mention, no link, on one line. A text of our own is left to be translated."""
    if isinstance(name, Text):
        return name
    shown = " ".join(name.translate(TURNS_LINES_ROUND).replace("://", ":\u200b//").split()) or "…"
    return discord.utils.escape_mentions(discord.utils.escape_markdown(shown)).replace("<", "\\<")
