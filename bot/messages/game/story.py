"""The story of a board: its latest events in words.

Consecutive events of one player are a paragraph under their mark and name. The events that matter most come first and bold.
Each is a phrase if it has one, else a whole sentence. Events that do not fit are counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.i18n.language import Language
from bot.messages.builder import ALT_LIMIT, clip
from bot.sessions import Snapshot
from bot.sessions.record.since import own_story, standing
from engines.game import Event
from engines.text import say_n

WIDTH: Final = 44
"""About how many characters stand in a line on a phone."""

LINES: Final = 14
"""The lines that the story of a board takes on a phone before it is folded: with the picture, about a screen."""

CHARACTERS: Final = 2500
"""The most characters of a story: a message takes 4000 in all."""

BETWEEN: Final = " • "
AROUND: Final = 7
"""The characters of the asterisks around a name, the spaces, and the line end."""

BOLD: Final = 4
"""The number of asterisks around bold words."""

SPARE: Final = 120
"""Characters left for the line that counts the folded events."""

ALT_EVENTS: Final = 2
"""The most sentences of the story before the description of a picture."""


@dataclass(frozen=True, slots=True)
class Length:
    """The greatest length of a story.

    Attributes:
        lines: the lines that it may take on a phone. Major events may exceed them.
        characters: the characters that it may have in all.
        everything: whether it is the answer to *What happened?*, so that its last line must not point there.
    """

    lines: int = LINES
    characters: int = CHARACTERS
    everything: bool = False


FOLDED: Final = Length()


def whole(room: int) -> Length:
    """The length of a story that is told in full, as far as this number of characters allows."""
    return Length(lines=10_000, characters=max(0, room - SPARE), everything=True)


@dataclass(slots=True)
class _Item:
    """An event in words, without its subject if `phrase`."""

    words: str
    phrase: bool
    major: bool
    visible: bool = True


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Consecutive events of one seat.

    Attributes:
        seat: the seat; None: the events have none.
        mark: the characters of the mark in the text. People see one.
        name: the characters of the name.
        items: the events.
    """

    seat: int | None
    mark: int
    name: int
    items: list[_Item]

    @property
    def visible(self) -> list[_Item]:
        """The items that are not folded away, major ones first."""
        return sorted((item for item in self.items if item.visible), key=lambda item: not item.major)

    @property
    def size(self) -> tuple[int, int]:
        """About how many lines it takes on a phone, and the most characters it can have, with those that people do not see."""
        visible = self.visible
        if not visible:
            return 0, 0
        length = sum(len(item.words) + len(BETWEEN) for item in visible)
        names = sum(phrase for phrase, _ in groupby(visible, key=lambda item: item.phrase))
        bold = BOLD * sum(item.major for item in visible)
        characters = length + bold + names * self.name + AROUND * (names + 1) + self.mark
        return -(-(length + self.name + AROUND) // WIDTH), characters


def words(
    events: Iterable[Event], language: Language, who: Sequence[str], marks: Sequence[str], length: Length = FOLDED
) -> str:
    """The story in Discord's Markdown: a paragraph for each run of events of one seat, oldest first.

    Args:
        events: the events, oldest first; only those that the reader may know.
        language: the language of the reader.
        who: the players' names by seat, escaped.
        marks: the marks of the seats.
        length: its greatest length; events that do not fit are counted in a last line.
    """
    paragraphs = _paragraphs(events, language, tuple(who), marks)
    _fold(paragraphs, length)
    told = [_paragraph_text(paragraph, language, who, marks) for paragraph in paragraphs if paragraph.visible]
    folded = sum(not item.visible for paragraph in paragraphs for item in paragraph.items)
    if folded and length.everything:
        more = say_n("and {n} more: `/replay` shows them all", "and {n} more: `/replay` shows them all", folded)
        told.append(f"-# {language(more)}")
    elif folded:
        more = say_n("and {n} more: *What happened?*", "and {n} more: *What happened?*", folded)
        told.append(f"-# {language(more)}")
    return "\n".join(told)


def _paragraphs(events: Iterable[Event], language: Language, who: tuple[str, ...], marks: Sequence[str]) -> list[_Paragraph]:
    paragraphs: list[_Paragraph] = []
    for event in events:
        said = event.phrase or event.text
        if not said:
            continue
        if not paragraphs or event.seat not in {None, paragraphs[-1].seat}:
            mark, name = (0, 0) if event.seat is None else (len(marks[event.seat]), len(language(who[event.seat])))
            paragraphs.append(_Paragraph(event.seat, mark, name, []))
        paragraphs[-1].items.append(_Item(language(said, who), event.phrased, event.major))
    return paragraphs


def _paragraph_text(paragraph: _Paragraph, language: Language, who: Sequence[str], marks: Sequence[str]) -> str:
    """A paragraph: consecutive phrases become one sentence with the name of their seat; the others are sentences already."""
    seat = paragraph.seat
    parts = []
    for phrases, items in groupby(paragraph.visible, key=lambda item: item.phrase):
        told = [f"**{item.words.replace('**', '')}**" if item.major else item.words for item in items]
        if phrases and seat is not None:
            sentence = f"**{language(who[seat])}** {BETWEEN.join(told)}"
            parts.append(sentence if sentence.rstrip("*").endswith((".", "!", "?", "…")) else f"{sentence}.")
        else:
            parts += told
    return " ".join(parts if seat is None else [marks[seat], *parts])


def _fold(paragraphs: Sequence[_Paragraph], length: Length) -> None:
    """Hide items for which there is no room: minor ones first, the oldest first, and if possible not all of a paragraph."""
    minor = [(paragraph, item) for paragraph in paragraphs for item in paragraph.items if not item.major]
    for spared in (True, False):
        for paragraph, item in minor:
            if _fits(paragraphs, length):
                return
            item.visible = item.visible and spared and len(paragraph.visible) == 1
    major = [item for paragraph in paragraphs for item in paragraph.items if item.major]
    while major and sum(paragraph.size[1] for paragraph in paragraphs) > length.characters:
        major.pop(0).visible = False


def _fits(paragraphs: Sequence[_Paragraph], length: Length) -> bool:
    sizes = [paragraph.size for paragraph in paragraphs]
    if sum(characters for _, characters in sizes) > length.characters:
        return False
    return sum(lines for lines, _ in sizes) <= length.lines or sum(len(paragraph.visible) for paragraph in paragraphs) == 1


def alt_text(events: Sequence[Event], board: str, language: Language, names: Sequence[str], last: str = "") -> str:
    """The description of a picture: a sentence or two of its story, if there is room for them, then the board.

    It is never longer than Discord takes: if necessary, the board is cut.

    Args:
        events: the events, oldest first.
        board: the board in words.
        language: the language of the reader.
        names: the players' names by seat, as they are.
        last: the last words, which are never cut.
    """
    room = ALT_LIMIT - (len(last) + 1 if last else 0)
    told = [event for event in events if event.text]
    chosen = [event for event in told if event.major] or told
    for count in range(ALT_EVENTS, 0, -1):
        sentences = " ".join(language(event.text, tuple(names)).replace("**", "") for event in chosen[-count:])
        if sentences and len(sentences) + 1 + len(board) <= room:
            board = f"{sentences} {board}"
            break
    return " ".join(filter(None, (clip(board, room), last)))


def since_asked(snapshot: Snapshot, seat: int) -> tuple[Event, ...]:
    """The events since a seat was last asked, for its picture before it picks anything.

    Once the seat has acted in its turn, they are the events of the turn. In a game of memory, the secrets of the seat are among
    them only right after the action that revealed them; all other events stand in the board's message, too.
    """
    history = snapshot.playing
    since = own_story(history, seat).drawn
    if not history.game.memory:
        return standing(history, since, seat)
    last = max(since, history.version - 1)
    return (*standing(history, since, until=last), *standing(history, last, seat))
