"""The questions to awaited players, made from a spectator's view, in the same words wherever asked, with the time left."""

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
"""The shortest time in seconds that is said to be left."""


def question(position: Position, seat: int) -> Text:
    """The question to an awaited seat, as it follows a name and a comma: "ready to roll?"."""
    return part_of(position.game, Words).question(position.view(None), seat)


def question_sentence(position: Position, seat: int, language: Language) -> str:
    """The question to a seat as a sentence, in Markdown: "Ready to roll?"."""
    return sentence(language(question(position, seat), names(position)))


def sentence(asked: str) -> str:
    """A question as a sentence."""
    return asked[:1].upper() + asked[1:]


def questions(position: Position, seats: Iterable[int]) -> Iterator[tuple[Text, list[int]]]:
    """Yield each different question once, with the seats that it goes to."""
    asked: dict[Text, list[int]] = {}
    for seat in seats:
        asked.setdefault(question(position, seat), []).append(seat)
    yield from asked.items()


def game_name(snapshot: Snapshot) -> Text:
    """The game and its table's number, as plain text."""
    return plain(f"{GAMES[snapshot.table.game].title} #{snapshot.table.id}")


def asked_in_turn(position: Position, seats: Iterable[int]) -> Text:
    """The questions to seats as one text; where they differ, each begins with its seats' names."""
    each = list(questions(position, seats))
    if len(each) == 1:
        return each[0][0]
    return join([say("{who}: {question}", who=join([seat_name(seat) for seat in to], ", "), question=q) for q, to in each], " ")


def time_left(snapshot: Snapshot, language: Language, *, anyway: bool = False) -> Left:
    """Say as plain text how long there is for the current turn: nothing without a clock, unless `anyway`."""
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
