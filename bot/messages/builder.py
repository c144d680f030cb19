"""The builder that composes a message as a layout (Components V2), with its pictures and files."""

import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

import discord
from discord import AppCommandType, ui
from discord.app_commands import AppCommand, AppCommandGroup, Argument

from bot.core.table.snapshot import NAMELESS
from bot.messages.click import Click
from bot.messages.marks import menu_id
from bot.messages.notification import NAME, Notification
from engines.text import Text, is_visible, say

ALT_LIMIT: Final = 1024
TEXT_LIMIT: Final = 3800
"""The most characters of text in a message, somewhat below Discord's limit of 4000."""
PLAIN_LIMIT: Final = 1500
"""The most characters of a message that stays plain. A longer message becomes a layout, which holds twice as many."""
UPLOAD_LIMIT: Final = 10 * 1024 * 1024
"""The most bytes of a file on a server without boosts."""
LABEL_LIMIT: Final = 80
OPTION_LIMIT: Final = 100
OPTIONS_AT_MOST: Final = 25
"""The most options in a select menu."""
TITLE_LIMIT: Final = 45
"""The most characters in the title of a form, and in the label of a form's field."""
ROW: Final = 5
"""The most buttons in a row."""
SPLIT_AT_MOST: Final = 12
"""The most buttons that may be divided into more rows than they need: a message has at most 40 parts, and each row is one."""

PHONE: Final = 326
"""The width of a row of buttons, in pixels, on a phone 390 pixels wide. Buttons that do not fit wrap to a second line."""
_BUTTON: Final = 26.0
_LETTER: Final = 7.4
_EMOJI: Final = 30.0
_GAP: Final = 8.0
"""What makes up a button's approximate width, in pixels: its frame, each letter, an emoji, and the gap to the next button."""

_UNDIVIDED: Final = re.compile(
    r"<(?:a?:\w+:\d+|/[^<>:]+:\d+|[@#][!&]?\d+|t:-?\d+(?::\w)?)>"  # an emoji, a mention, a time
    r"|\\."
    r"|`[^`\n]*`"
    r"|(?<!!)\[[^\]\n]*\]\([^)\s]*\)"
    r"|\*\*(?:\\.|[^*\n\\])*\*\*|~~(?:\\.|[^~\n\\])*~~|\*(?:\\.|[^*\n\\])+\*"
)
"""The parts of a Markdown text that are never cut in two, since each half would show as code."""

BIDI_CONTROLS: Final = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""The characters that change the direction of text. In a name, they could reverse the rest of its line."""

_LOOKALIKES: Final = str.maketrans(
    {"*": "∗", "`": "ˋ", "~": "∼", "|": "ǀ", "\\": "∖", "<": "‹", ">": "›", "[": "［", "]": "］"}
)
"""Replacements for Markdown's characters on a lock screen, where a backslash would be visible."""

_UNDERLINES: Final = re.compile(r"(?<!\w)_|_(?!\w)|_(?=_)")
"""Underscores that Markdown would interpret, namely those that are not within a word."""

_SIGNS: Final = re.compile(r"[\\*_`~|<\[]|^[-+#>]")
"""Characters that Markdown would interpret, either anywhere or at the beginning of a line."""

_NUMBERED: Final = re.compile(r"^(\d+)\.(?=\s|$)")
"""A number at the beginning of a line, which Markdown would read as a list item."""

_ESCAPED: Final = re.compile(r"\\([^a-zA-Z0-9\s])")
_MARKED_OUT: Final = re.compile(r"(\*\*|\*|__|~~|\|\||`+)(?=\S)(.+?)(?<=\S)\1")
_LINE_START: Final = re.compile(r"^ *(?:-#|#{1,3}|[-*]|>) +", re.MULTILINE)
"""What Markdown adds to words: backslashes before characters, signs around a passage, and signs at the beginning of a line."""

FENCE: Final = "```"

_NAMED: Final = re.compile(r"(?<!`)`/([a-z-]+(?: [a-z-]+){0,2})`(?!`)")
"""A command in backticks, including the names of the groups that it belongs to."""

ERROR_COLOUR: Final = 0xC0392B
"""The accent colour of error messages."""

NAMES_KEPT: Final = 1024
"""How many escaped names are cached. Each name stands in a message several times."""

NOBODY: Final = discord.AllowedMentions.none()

CHANNELS: Final = "https://discord.com/channels"
"""The beginning of the addresses of servers, channels and messages."""

Item = ui.Item[Any]
Button = ui.Button[Any]


class CommandMentions:
    """Turns command names in texts into mentions, once the commands' ids are known.

    Texts name commands in backticks, such as `/play`. A mention needs the id that Discord gives a registered command. Until it
    is known, the backticks stay. They always stay around what cannot be clicked: a command with options, a group of commands,
    and a block of code.
    """

    def __init__(self) -> None:
        self._mentions: dict[str, str] = {}

    def learn(self, registered: Iterable[AppCommand]) -> None:
        """Replace the known commands with those registered at Discord. Context menus are left out: no text can link to them."""
        typed = [command for command in registered if command.type is AppCommandType.chat_input]
        self._mentions = {name: f"</{name}:{command.id}>" for command in typed for name in _full_names(command)}

    def __call__(self, words: str) -> str:
        """Return the text with mentions in place of the commands that can be clicked."""
        if not self._mentions or "`/" not in words:
            return words
        parts = words.split(FENCE)  # every second part is a block of code
        parts[::2] = [_NAMED.sub(lambda named: self._mentions.get(named[1], named[0]), part) for part in parts[::2]]
        return FENCE.join(parts)


def _full_names(command: AppCommand | AppCommandGroup, before: str = "") -> Iterator[str]:
    """Yield the full name of a command, or of each command in a group."""
    name = f"{before}{command.name}"
    inner = [option for option in command.options if not isinstance(option, Argument)]
    if not inner:
        yield name
    for option in inner:
        yield from _full_names(option, f"{name} ")


mentions: Final = CommandMentions()
"""The command mentions of the bot that this process runs."""


class _Stateless(ui.view.BaseView):
    """A view that discord.py must not keep in memory, since its buttons are routed by their custom_ids alone."""

    def is_dispatchable(self) -> bool:
        """Always return False, so that discord.py does not keep the view."""
        return False

    def is_finished(self) -> bool:
        """Always return True, which is all that discord.py checks before it keeps the view of a response."""
        return True


class Layout(_Stateless, ui.LayoutView):
    """A layout without state."""


class PlainView(_Stateless, ui.View):
    """The buttons of a plain message, without state."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a message, or the words in its place.

    Attributes:
        alt: its description for people who cannot see it. A description in Markdown is read to them as plain words.
        words: if it could not be drawn, Markdown for its place: a line that says so, then the picture in words. Otherwise None.
    """

    name: str
    content: bytes
    alt: str
    words: str | None = None


@dataclass(slots=True)
class MessageBuilder:
    """A message in a container, or a bare message without one.

    Attributes:
        colour: the container's accent colour, or None.
        items: its components, from top to bottom.
        pictures: the pictures it shows, without those that could not be drawn.
        in_words: the text components in place of pictures that could not be drawn, each with its whole text. `layout` cuts
            these texts to the room that everything else leaves.
        documents: the names and contents of the files it offers.
        mark: the number that identifies the message, if any; see `bot.messages.marks`.
        notification: what a phone shows of it, or None if it pings nobody.
        bare: whether it has no container, so that it takes as little room as an ordinary line.
    """

    colour: int | None = None
    items: list[Item] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    in_words: list[tuple["ui.TextDisplay[Any]", str]] = field(default_factory=list)
    documents: list[tuple[str, bytes]] = field(default_factory=list)
    mark: int | None = None
    bare: bool = False
    notification: Notification | None = None

    @property
    def room(self) -> int:
        """How many more characters of text fit."""
        parts = [part for item in self.items for part in (item.children if isinstance(item, ui.Section) else [item])]
        return max(0, TEXT_LIMIT - sum(len(part.content) for part in parts if isinstance(part, ui.TextDisplay)))

    def text(self, words: str) -> "MessageBuilder":
        """Add Markdown, if any, with clickable commands. Text that does not fit is cut, if possible at the end of a line."""
        words = _clip_at_line(mentions(words), self.room)
        if words.strip():
            self.items.append(ui.TextDisplay(words))
        return self

    def text_with_button(self, words: str, button: Button) -> "MessageBuilder":
        """Add a short Markdown text with a button at its end."""
        self.items.append(ui.Section(ui.TextDisplay(mentions(words)), accessory=button))
        return self

    def picture(self, picture: Picture | None) -> "MessageBuilder":
        """Add a picture, or the words in its place. Nothing is added for None."""
        if picture is not None and picture.words is not None:
            words = mentions(picture.words)
            note: ui.TextDisplay[Any] = ui.TextDisplay(words.partition("\n")[0])
            self.in_words.append((note, words))
            self.items.append(note)
        elif picture is not None:
            self.pictures.append(picture)
            item = discord.MediaGalleryItem(
                f"attachment://{picture.name}", description=clip(plain_words(picture.alt), ALT_LIMIT)
            )
            self.items.append(ui.MediaGallery(item))
        return self

    def fill(self, picture: Picture) -> None:
        """Give the only picture, which was added without content, its content or the words in its place."""
        (empty,) = self.pictures
        self.pictures = []
        made = MessageBuilder().picture(replace(picture, alt=empty.alt))
        place = next(number for number, item in enumerate(self.items) if isinstance(item, ui.MediaGallery))
        self.items[place : place + 1] = made.items
        self.pictures += made.pictures
        self.in_words += made.in_words

    def document(self, name: str, content: bytes) -> "MessageBuilder":
        """Add a file to download."""
        self.documents.append((name, content))
        self.items.append(ui.File(f"attachment://{name}"))
        return self

    def line(self) -> "MessageBuilder":
        """Add a thin horizontal line."""
        self.items.append(ui.Separator())
        return self

    def buttons(self, buttons: Sequence[Button]) -> "MessageBuilder":
        """Add buttons in rows of at most five, chosen so that a phone wraps as few of them as possible."""
        self.items += [ui.ActionRow(*row) for row in _in_rows(buttons)]
        return self

    def select(self, select: "ui.Select[Any] | ui.UserSelect[Any]") -> "MessageBuilder":
        """Add a select menu in a row of its own. Its id says what it shows, as Discord keeps a pick as long as the id stays."""
        select.id = menu_id(select)
        self.items.append(ui.ActionRow(select))
        return self

    def custom_ids(self) -> Iterator[str]:
        """Yield the custom_ids of the message's buttons and menus, from top to bottom."""
        for item in self.items:
            for part in [*getattr(item, "children", ()), getattr(item, "accessory", None)]:
                if isinstance(custom_id := getattr(part, "custom_id", None), str):
                    yield custom_id

    def layout(self) -> Layout:
        """Return a new layout, since discord.py ties items to views. Texts in place of pictures share the remaining room."""
        for number, (item, words) in enumerate(self.in_words):
            first, _, rest = words.partition("\n")
            item.content = first
            told = _clip_at_line(rest, self.room // (len(self.in_words) - number) - 1)
            item.content = f"{first}\n{told}" if told.strip() else first
        layout = Layout(timeout=None)
        framed: list[Item] = [ui.Container(*self.items, accent_colour=self.colour, id=self.mark)]
        for part in self.items if self.bare else framed:
            layout.add_item(part)
        return layout

    def notify(self, notification: Notification) -> "MessageBuilder":
        """Make this a message that pings people or goes to one person directly, with `notification` on the lock screen."""
        self.notification = notification
        return self

    @property
    def stays_plain(self) -> bool:
        """Whether a message that pings needs no layout, because it has only text and buttons and is short enough."""
        return (
            self.notification is not None
            and all(isinstance(item, ui.TextDisplay | ui.ActionRow) for item in self.items)
            and not self.in_words
            and len(self._words) <= PLAIN_LIMIT
        )

    @property
    def _words(self) -> str:
        return "\n".join(item.content for item in self.items if isinstance(item, ui.TextDisplay))

    def content(self, now: float) -> str:
        """Return the content with which a message that pings is created at the time `now`, in seconds since the epoch."""
        assert self.notification is not None, "only a message that pings is created plainly"
        return self.notification.content(now, self._words if self.stays_plain else "")

    def stands_in(self, message: discord.Message) -> bool:
        """Judge by its text whether a message is this one. Having none of the bot's buttons, it has no mark."""
        return self.notification is not None and self.notification.stands_in(message.content, self._words)

    def plain_view(self) -> PlainView:
        """Return a new pinging message's buttons, or only the first row if it becomes a layout. The first has the mark."""
        view, mark = PlainView(timeout=None), self.mark
        rows = [item for item in self.items if isinstance(item, ui.ActionRow)]
        for number, row in enumerate(rows if self.stays_plain else rows[:1]):
            for item in row.children:
                if isinstance(item, ui.Button):
                    custom_id, mark = _marked(item.custom_id, mark)
                    view.add_item(
                        ui.Button(
                            style=item.style, label=item.label, emoji=item.emoji, url=item.url, disabled=item.disabled,
                            custom_id=custom_id, row=number,
                        )
                    )  # fmt: skip
        return view

    def files(self) -> list[discord.File]:
        """Return the attachments, made anew for every call, since discord.py reads each only once."""
        contents = [*((picture.name, picture.content) for picture in self.pictures), *self.documents]
        return [discord.File(io.BytesIO(content), name) for name, content in contents]


def button(
    label: str,
    custom_id: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> Button:
    """Return a button. A label that is too long is cut."""
    return ui.Button(label=clip(label, LABEL_LIMIT), custom_id=custom_id, style=style, emoji=emoji, disabled=disabled)


def link_button(label: str, address: str) -> Button:
    """Return a button that opens an address."""
    return ui.Button(label=clip(label, LABEL_LIMIT), url=address)


def server_button(language: Callable[[Text], str], guild_id: int, channel_id: int | None = None) -> Button:
    """Return a button for a direct message. It leads to a server or, if `channel_id` is given, to a channel of the server."""
    return link_button(
        language(say("Go to the server")), f"{CHANNELS}/{guild_id}" + ("" if channel_id is None else f"/{channel_id}")
    )


def _marked(custom_id: str | None, mark: int | None) -> tuple[str | None, int | None]:
    """Return the custom_id with the mark, and the mark that is left for the next button: None once a button carries it."""
    click = None if custom_id is None else Click.read(custom_id)
    if click is None or mark is None:
        return custom_id, mark
    return replace(click, page=mark).custom_id, None


def clip(words: str, most: int) -> str:
    """Return the text, cut and ended with an ellipsis if it is longer than `most` characters."""
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def _in_rows(buttons: Sequence[Button]) -> list[Sequence[Button]]:
    """Divide buttons into rows that take the fewest lines on a phone, then into the fewest rows, with the fullest first."""
    if 0 < len(buttons) <= ROW and lines_on_phone(buttons) == 1:
        return [buttons]
    if len(buttons) > SPLIT_AT_MOST:
        return [buttons[start : start + ROW] for start in range(0, len(buttons), ROW)]
    best: list[tuple[int, int, list[Sequence[Button]]]] = [(0, 0, [])]
    for end in range(1, len(buttons) + 1):
        found = []
        for start in range(max(0, end - ROW), end):
            lines, count, rows = best[start]
            row = buttons[start:end]
            found.append((lines + lines_on_phone(row), count + 1, [*rows, row]))
        best.append(min(found, key=lambda divided: (divided[0], divided[1], [-len(row) for row in divided[2]])))
    return best[-1][2]


def lines_on_phone(row: Sequence[Button]) -> int:
    """Return how many lines a row of buttons takes on a phone."""
    lines, used = 1, 0.0
    for one in row:
        width = _BUTTON + _LETTER * len(one.label or "") + (_EMOJI if one.emoji else 0.0)
        if used and used + _GAP + width > PHONE:
            lines, used = lines + 1, width
        else:
            used += width + (_GAP if used else 0.0)
    return lines


def _clip_at_line(words: str, most: int) -> str:
    """Return Markdown of at most `most` characters. Longer Markdown ends with an ellipsis, at the end of a line if possible."""
    if len(words) <= most:
        return words
    kept, _, _ = words[: max(most - 2, 0)].rpartition("\n")
    return f"{kept}\n…" if kept else clip_markdown(words, most)


def clip_markdown(words: str, most: int) -> str:
    """Cut Markdown like `clip`, but never within an emoji, a mention, a link, or bold text."""
    if len(words) <= most:
        return words
    end = max(0, most - 1)
    inside = next((found for found in _UNDIVIDED.finditer(words) if found.start() < end < found.end()), None)
    kept = words[: end if inside is None else inside.start()].rstrip()
    return f"{kept}…" if kept else ""


def printable(words: str) -> str:
    """Return the text with spaces in place of control characters, not all of which Discord and the database accept."""
    return "".join(c if c.isprintable() or unicodedata.category(c) == "Cf" else " " for c in words)


def shown_name(name: str) -> str:
    """Return a person's name, or words in its place if it is invisible. A `Text` is returned as it is."""
    return name if isinstance(name, Text) or is_visible(name) else NAMELESS


def escape_name(name: str) -> str:
    """Escape a person's name as `escape` does, or return words in its place if it is invisible."""
    return escape(shown_name(name))


def escape(name: str) -> str:
    """Escape a name so that it is shown literally on one line, without Markdown, mentions or links. A `Text` stays as it is."""
    return name if isinstance(name, Text) else _escape(name)


@lru_cache(maxsize=NAMES_KEPT)
def _escape(name: str) -> str:
    escaped = _NUMBERED.sub(r"\1\\.", _SIGNS.sub(r"\\\g<0>", _one_line(name)))
    return discord.utils.escape_mentions(escaped)


def _one_line(name: str) -> str:
    """Return a name on one line, without anything that reverses the line or becomes a link; an ellipsis if it is invisible."""
    return " ".join(name.translate(BIDI_CONTROLS).replace("://", ":\u200b//").split()) if is_visible(name) else "…"


def fitting(names: Sequence[str], most: int) -> tuple[str, int]:
    """Return as many of the names as fit into `most` characters, but at least one, and the number of names left out."""
    count = max([1, *(n for n in range(1, len(names) + 1) if len(", ".join(names[:n])) <= most)])
    return ", ".join(names[:count]), len(names) - count


def plain_name(name: str, most: int = NAME) -> str:
    """Return a name for a lock screen, without Markdown, mentions, links or backslashes. A `Text` is left as it is."""
    return name if isinstance(name, Text) else _plain(name, most)


def plain_words(words: str) -> str:
    """Return the words of a Markdown text without its markup, to be read aloud. Lookalikes replace signs that are no markup."""
    words = _ESCAPED.sub(r"\1", words.translate(BIDI_CONTROLS))
    for _ in range(2):  # a marked passage may contain another
        words = _MARKED_OUT.sub(r"\2", words)
    return _LINE_START.sub("", words).translate(_LOOKALIKES)


@lru_cache(maxsize=NAMES_KEPT)
def _plain(name: str, most: int) -> str:
    without = _UNDERLINES.sub("ˍ", _one_line(name).translate(_LOOKALIKES))
    unlisted = _NUMBERED.sub(r"\1․", without.lstrip("#-+ "))  # a lookalike of the full stop, which begins no list
    return clip(discord.utils.escape_mentions(unlisted), most) or "…"
