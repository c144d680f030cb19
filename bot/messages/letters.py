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
            return say("I closed {game}: I couldn’t open its private thread ({error}).", game=game, error=plain(letter.error))
        case News.WRONG_CHANNEL:
            return say("I closed {game}: private threads only work in text channels.", game=game)
        case News.NOT_LET_IN:
            return say("I closed {game}: {who} can’t join its private thread, because they can’t see the channel.", game=game,
                       who=plain(f"<@{letter.user}>"))  # fmt: skip
        case News.PAUSED:
            return say("{game} has lost its private thread, and I show nothing of it in public. The clock is stopped. Play on "
                       "with `/move` and `/board`, which only you see. Whoever manages the server can close the table.",
                       game=game)  # fmt: skip


def played_here(letter: Letter) -> Text:
    """Why a table that is not private got no thread."""
    if letter.news is News.WRONG_CHANNEL:
        return say("Threads only work in text channels, so let’s play right here.")
    return say("I couldn’t open a thread ({error}), so let’s play right here.", error=plain(letter.error))


def no_place(snapshot: Snapshot) -> Text:
    """Why nothing of a private game is shown to anybody."""
    return say("What you did is saved, but the private thread of game #{n} is gone: nobody else sees the board. `/board` still "
               "shows it to you.", n=snapshot.table.id)  # fmt: skip
