"""A position at the end of a line of moves that is not played on, and its words, for analyses, puzzles and finished games."""

from dataclasses import dataclass
from typing import Final

from bot.core.table.history import History, HistoryEntry
from bot.core.table.position import LinePosition, Position
from bot.i18n.language import Language
from bot.messages.board import COLOURS
from bot.messages.builder import MessageBuilder
from bot.messages.pictures import InWords, Perspective
from bot.messages.players import marks, names
from bot.messages.story import ALONE, words
from engines.game import Event, action_words
from engines.position_codes import Line
from engines.text import Text, say, say_n
from storage.schema.records import EntryKind

MOVES_SHOWN: Final = 6
"""The most moves of the line that are told, counted back from its end."""


@dataclass(frozen=True)
class LineBoard(InWords):
    """A position at the end of a line of moves, as somebody sees it."""

    at: LinePosition
    perspective: Perspective

    @property
    def language(self) -> Language:
        """The language of the person who sees it."""
        return self.perspective.language

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.at.position

    def framed(self, heading: str) -> MessageBuilder:
        """Return a message under `heading`, in the colour of the seat whose turn it is."""
        seat = self.at.seat
        return MessageBuilder(colour=None if seat is None else COLOURS[seat]).text(heading)

    @property
    def variant_words(self) -> str:
        """The variant, worded to follow the name of the game, or nothing if it is the usual variant."""
        game, variant = self.at.history.game, self.position.variant
        return "" if variant == game.variants[0] else f" · {self.language(game.variant_titles[variant])}"

    @property
    def last_events(self) -> tuple[Event, ...]:
        """The events of the last move."""
        last = self.at.history.log.last
        return () if last is None else last.events

    def told(self, events: tuple[Event, ...]) -> str:
        """Tell events as a story."""
        return words(events, self.language, names(self.position), marks(self.position), ALONE)

    def last_words(self, line: Line) -> list[str]:
        """Return a line's last move in words, but only if it draws or turns up something, which no position shows."""
        game, state, seats = line.start.game, line.end.state, marks(self.position)
        unknown = line.actions[len(line.steps) :]
        return [f"{seats[seat]}\u00a0{self.in_words(action_words(game, state, seat, action))}" for seat, action in unknown]

    def line_words(self, whole: Line | None = None) -> str:
        """Put the line up to the position into words, with the number of moves left out, then the `last_words` of `whole`."""
        history = self.at.history
        shown = history.log[-MOVES_SHOWN:]
        told = [f"{marks(self.position)[logged.entry.seat]} {self.in_words(move_words(history, logged))}" for logged in shown]
        told += [] if whole is None else self.last_words(whole)
        before = history.version - len(shown)
        if before:
            told.insert(0, self.language(say_n("{n} move earlier", "{n} moves earlier", before)))
        return "-# " + " · ".join(told) if told else ""


def move_words(history: History, logged: HistoryEntry) -> Text:
    """Put a move of a line into words."""
    return history.action_words(logged) if logged.entry.kind is EntryKind.PLAY else say("leaves the game")
