"""The questions to players whose turn it is, made from a spectator's view and worded alike everywhere, with the time left."""

from collections.abc import Iterable, Iterator
from typing import Final

from bot.core.clocks.heartbeats import duration
from bot.core.table.deadlines import in_grace
from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.notification import Left
from bot.messages.players import names
from engines import GAMES
from engines.game import Words, part_of
from engines.text import Text, join, plain, say, seat_name

MINUTE: Final = 60.0
"""The least time, in seconds, that a message says is left."""


def question(position: Position, seat: int) -> Text:
    """Return the question to an awaited seat, worded to follow a name and a comma: "ready to roll?"."""
    return part_of(position.game, Words).question(position.view(None), seat)


def question_sentence(position: Position, seat: int, language: Language) -> str:
    """Return the question to a seat as a sentence, in Markdown: "Ready to roll?"."""
    return sentence(language(question(position, seat), names(position)))


def sentence(asked: str) -> str:
    """Turn a question into a sentence with a capital letter."""
    return asked[:1].upper() + asked[1:]


def questions(position: Position, seats: Iterable[int]) -> Iterator[tuple[Text, list[int]]]:
    """Yield each different question once, with the seats that it is put to."""
    asked: dict[Text, list[int]] = {}
    for seat in seats:
        asked.setdefault(question(position, seat), []).append(seat)
    yield from asked.items()


def game_name(snapshot: Snapshot) -> Text:
    """Return the game's name and its table's number, as plain text."""
    return plain(f"{GAMES[snapshot.table.game].title} #{snapshot.table.id}")


def asked_in_turn(position: Position, seats: Iterable[int]) -> Text:
    """Return the questions to seats as one text. If they differ, each begins with the names of its seats."""
    each = list(questions(position, seats))
    if len(each) == 1:
        return each[0][0]
    return join([say("{who}: {question}", who=join([seat_name(seat) for seat in to], ", "), question=q) for q, to in each], " ")


def time_left(snapshot: Snapshot, language: Language, *, anyway: bool = False) -> Left:
    """Return a function that says how much time the turn has left. Without a clock, it says nothing unless `anyway`."""
    deadline = snapshot.table.deadline if anyway or snapshot.table.clock is not None else None
    overtime = in_grace(snapshot.table)

    def left(now: float) -> str:
        if deadline is None:
            return ""
        time = duration(max(MINUTE, deadline - now))
        if overtime:
            return language(say("Overtime: {time} left, or you lose.", time=time))
        return language(say("{time} left.", time=time))

    return left
