"""The story of a board: what has happened since somebody was last asked, in words.

What one player did in a row is one paragraph under their mark and name: the events that matter most first and bold, each as a
phrase where it has one and as a whole sentence where it has not. What does not fit is counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.i18n.language import Language
from bot.messages.builder import ALT_LIMIT
from bot.sessions import Snapshot
from bot.sessions.since import own_story, standing
from engines.game import Event
from engines.text import Text, say_n

WIDTH: Final = 44
"""About how many characters stand in a line on a phone."""

LINES: Final = 14
"""The lines that the story of a board takes on a phone before it is folded: with the picture, about a screen."""

LETTERS: Final = 2500
"""The characters that a story may have at most, whatever happened: a message takes 4000 in all."""

BETWEEN: Final = " • "
AROUND: Final = 7
"""How many characters the asterisks around a name, the spaces, and the line end take."""

BOLD: Final = 4
"""How many asterisks are around what is bold."""

SPARE: Final = 120
"""How many characters are left for the line that counts what is folded."""

ALT_EVENTS: Final = 2
"""How many sentences of the story a description begins with."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a story may be.

    Attributes:
        lines: how many lines it may take on a phone. What matters most may exceed them.
        letters: how many characters it may have in all.
        everything: whether it is the answer to *What happened?*, which the line about the rest then does not point to.
    """

    lines: int = LINES
    letters: int = LETTERS
    everything: bool = False


FOLDED: Final = Length()


def whole(room: int) -> Length:
    """The length of a story that is told as far as there is room for it, which is a number of characters."""
    return Length(lines=10_000, letters=max(0, room - SPARE), everything=True)


@dataclass(slots=True)
class _Item:
    """An event in words, without its subject if `phrase`."""

    words: str
    phrase: bool
    major: bool
    shown: bool = True


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """What one seat did in a row.

    Attributes:
        seat: the seat; None: nobody's doing.
        mark: how many characters the mark of the seat takes in the text. People see one.
        name: how many its name takes.
        items: what it did.
    """

    seat: int | None
    mark: int
    name: int
    items: list[_Item]

    @property
    def shown(self) -> list[_Item]:
        """The items that are not folded away, those that matter most first."""
        return sorted((item for item in self.items if item.shown), key=lambda item: not item.major)

    @property
    def lines(self) -> int:
        """About how many lines it takes on a phone."""
        return -(-(self._told + self.name + AROUND) // WIDTH) if self.shown else 0

    @property
    def letters(self) -> int:
        """How many characters it has at most, with all that people do not see."""
        names = sum(phrase for phrase, _ in groupby(self.shown, key=lambda item: item.phrase))
        bold = BOLD * sum(item.major for item in self.shown)
        return self._told + bold + names * self.name + AROUND * (names + 1) + self.mark if self.shown else 0

    @property
    def _told(self) -> int:
        return sum(len(item.words) + len(BETWEEN) for item in self.items if item.shown)


def words(
    events: Iterable[Event], language: Language, who: Sequence[str], marks: Sequence[str], length: Length = FOLDED
) -> str:
    """The story in Discord's Markdown: a paragraph for each run of events of one seat, oldest first.

    Args:
        events: what happened, oldest first; only what the reader may know.
        language: the language of the reader.
        who: the players' names by seat, escaped.
        marks: the marks of the seats.
        length: how long it may be; what does not fit is counted in a last line.
    """
    paragraphs = _paragraphs(events, language, tuple(who), marks)
    _fold(paragraphs, length)
    told = [_written(paragraph, language, who, marks) for paragraph in paragraphs if paragraph.shown]
    folded = sum(not item.shown for paragraph in paragraphs for item in paragraph.items)
    if folded:
        told.append("-# " + language(_more(folded, length)))
    return "\n".join(told)


def _more(folded: int, length: Length) -> Text:
    if length.everything:
        return say_n("and {n} more: `/replay` shows them all", "and {n} more: `/replay` shows them all", folded)
    return say_n("and {n} more: *What happened?*", "and {n} more: *What happened?*", folded)


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


def _written(paragraph: _Paragraph, language: Language, who: Sequence[str], marks: Sequence[str]) -> str:
    """A paragraph: phrases in a row are one sentence with the name of their seat, everything else is a sentence already."""
    seat = paragraph.seat
    parts = []
    for phrases, items in groupby(paragraph.shown, key=lambda item: item.phrase):
        told = [f"**{item.words.replace('**', '')}**" if item.major else item.words for item in items]
        if phrases and seat is not None:
            parts.append(_ended(f"**{language(who[seat])}** {BETWEEN.join(told)}"))
        else:
            parts += told
    return " ".join(parts if seat is None else [marks[seat], *parts])


def _ended(sentence: str) -> str:
    """A sentence with its full stop, unless it ends in a way of its own."""
    return sentence if sentence.rstrip("*").endswith((".", "!", "?", "…")) else f"{sentence}."


def _fold(paragraphs: Sequence[_Paragraph], length: Length) -> None:
    """Hide what there is no room for: what matters less, the oldest first, and as long as possible not all of a paragraph."""
    minor = [(paragraph, item) for paragraph in paragraphs for item in paragraph.items if not item.major]
    for spared in (True, False):
        for paragraph, item in minor:
            if _fits(paragraphs, length):
                return
            item.shown = item.shown and spared and len(paragraph.shown) == 1
    major = [item for paragraph in paragraphs for item in paragraph.items if item.major]
    while major and sum(paragraph.letters for paragraph in paragraphs) > length.letters:
        major.pop(0).shown = False


def _fits(paragraphs: Sequence[_Paragraph], length: Length) -> bool:
    if sum(paragraph.letters for paragraph in paragraphs) > length.letters:
        return False
    lines = sum(paragraph.lines for paragraph in paragraphs)
    return lines <= length.lines or sum(len(paragraph.shown) for paragraph in paragraphs) == 1


def described(events: Sequence[Event], board: str, language: Language, names: Sequence[str]) -> str:
    """The description of a picture: what happened in a sentence or two, if there is room for them, then the board.

    Args:
        events: what happened, oldest first.
        board: the board in words.
        language: the language of the reader.
        names: the players' names by seat, as they are.
    """
    told = [event for event in events if event.text]
    chosen = [event for event in told if event.major] or told
    for count in range(ALT_EVENTS, 0, -1):
        sentences = " ".join(language(event.text, tuple(names)).replace("**", "") for event in chosen[-count:])
        if sentences and len(sentences) + 1 + len(board) <= ALT_LIMIT:
            return f"{sentences} {board}"
    return board


def since_asked(snapshot: Snapshot, seat: int) -> tuple[Event, ...]:
    """What the picture for one seat shows before it has picked anything: what has happened since it was last asked.

    Once the seat has acted in its turn, that is what has happened in the turn. In a game of memory, what the seat alone
    learned is there only right after the action with which it learned it; everything else stands in the board's message, too.
    """
    history = snapshot.playing
    since = own_story(history, seat).drawn
    if not history.game.memory:
        return standing(history, since, seat)
    last = max(since, history.version - 1)
    return (*standing(history, since, until=last), *standing(history, last, seat))
