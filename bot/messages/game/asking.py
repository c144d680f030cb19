"""The questions to the players who are awaited, in the same words wherever they are asked.

They are made from a spectator's view alone, so they can stand where anybody reads them. A panel begins with them, too.
"""

from collections.abc import Iterable, Iterator

from bot.i18n.language import Language
from bot.messages.game.players import names
from bot.sessions import Snapshot
from engines.game import Words, part_of
from engines.text import Text


def question(snapshot: Snapshot, seat: int) -> Text:
    """The question to a seat that is awaited, as it goes on after a name and a comma: "ready to roll?"."""
    history = snapshot.playing
    return part_of(history.game, Words).question(history.view(None), seat)


def question_sentence(snapshot: Snapshot, seat: int, language: Language) -> str:
    """The question to a seat as a sentence of its own, in Markdown: "Ready to roll?"."""
    return sentence(language(question(snapshot, seat), names(snapshot)))


def sentence(asked: str) -> str:
    """A question as a sentence of its own."""
    return asked[:1].upper() + asked[1:]


def questions(snapshot: Snapshot, seats: Iterable[int]) -> Iterator[tuple[Text, list[int]]]:
    """Yield each different question once, with the seats that it goes to."""
    asked: dict[Text, list[int]] = {}
    for seat in seats:
        asked.setdefault(question(snapshot, seat), []).append(seat)
    yield from asked.items()
