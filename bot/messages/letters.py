"""Letters: what one person is told directly about a table, and what the person whose click it followed is told at once."""

from collections.abc import Mapping
from typing import Any

from bot.sessions import Letter, News, Snapshot
from engines import GAMES
from engines.text import Text, plain, say


def read_letter(payload: Mapping[str, Any]) -> Letter:
    """The letter in the payload of a job."""
    return Letter(news=News(payload["news"]), user=payload["user"], error=payload["error"])


def letter_text(snapshot: Snapshot, letter: Letter) -> Text:
    """The text of a letter."""
    game = plain(f"{GAMES[snapshot.table.game].title} #{snapshot.table.id}")
    match letter.news:
        case News.NO_THREAD:
            return say("I have closed {game}: its private thread could not be opened ({error}).", game=game,
                       error=plain(letter.error))  # fmt: skip
        case News.WRONG_CHANNEL:
            return say("I have closed {game}: a private thread can only be opened in a text channel.", game=game)
        case News.NOT_LET_IN:
            return say("I have closed {game}: {who} cannot be let into its private thread. They have to be able to see its "
                       "channel.", game=game, who=plain(f"<@{letter.user}>"))  # fmt: skip
        case News.PAUSED:
            return say("The private thread of {game} is gone, and nothing of it is shown in public. Its clock has stopped. "
                       "You can play on with `/move` and `/board`, which answer you alone; whoever manages the server can "
                       "close the table.", game=game)  # fmt: skip


def played_here(letter: Letter) -> Text:
    """Why a table that is not private got no thread."""
    if letter.news is News.WRONG_CHANNEL:
        return say("Threads can only be opened in text channels; we play right here.")
    return say("I could not open a thread ({error}); we play right here.", error=plain(letter.error))


def no_place(snapshot: Snapshot) -> Text:
    """Why nothing of a private game is shown to anybody."""
    return say("What you did is saved, but the thread of the private game #{n} is gone, so nobody is shown the board or told "
               "of it. `/board` still shows it to you alone.", n=snapshot.table.id)  # fmt: skip
