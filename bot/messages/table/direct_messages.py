"""Direct messages: news of a table for one person, and the same news as the answer to a click."""

from collections.abc import Mapping
from typing import Any

from bot.messages.game.asking import question
from bot.sessions import Letter, News, Snapshot
from engines import GAMES
from engines.text import Text, plain, say
from storage.schema.records import Status


def read_direct_message(payload: Mapping[str, Any]) -> Letter:
    """Read the payload of a job."""
    return Letter(
        news=News(payload["news"]), user=payload["user"], error=payload["error"], turn=payload.get("turn", 0),
        code=payload.get("code", 0),
    )  # fmt: skip


def out_of_date(snapshot: Snapshot, letter: Letter, to: int) -> bool:
    """Whether the news is out of date: it says that no board shows a player's turn, and one does, or the turn is over."""
    table = snapshot.table
    awaited = table.status is Status.PLAYING and any(player.user_id == to for player in snapshot.awaited)
    return letter.news is News.UNSHOWN and not (awaited and table.turn == letter.turn and table.board_turn != table.turn)


def direct_message_text(snapshot: Snapshot, letter: Letter, to: int, unshown: Text | None = None) -> Text:
    """The text of a direct message to a user. `unshown` is the reason why the board cannot be shown, if that is the news."""
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
        case News.UNSHOWN:
            asked = question(snapshot, snapshot.own_seat(to))
            return say("{game} is waiting for you: {question} {why} Until then, play with `/board` and `/move`, which only you "
                       "see.", game=game, question=asked, why=unshown or plain(""))  # fmt: skip


def played_here(letter: Letter) -> Text:
    """The reason why a table that is not private got no thread."""
    if letter.news is News.WRONG_CHANNEL:
        return say("Threads only work in text channels, so let’s play right here.")
    return say("I couldn’t open a thread ({error}), so let’s play right here.", error=plain(letter.error))


def no_place(snapshot: Snapshot) -> Text:
    """The reason why nothing of a private game is shown to others."""
    return say("What you did is saved, but the private thread of game #{n} is gone: nobody else sees the board. `/board` still "
               "shows it to you.", n=snapshot.table.id)  # fmt: skip
