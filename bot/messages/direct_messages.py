"""Direct messages: news of a table for one person, which may also be the answer to that person's click."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.core.places import Letter
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.asking import game_name, question, time_left
from bot.messages.builder import MessageBuilder, escape_name, plain_name, shown_name
from bot.messages.notices import board_button
from bot.messages.notification import Notification
from bot.messages.players import plain_names
from engines.text import Text, join, plain, say
from storage.schema.records import News, Status


def read_direct_message(payload: Mapping[str, Any]) -> Letter:
    """Read a job's payload as a letter."""
    return Letter(
        news=News(payload["news"]), user=payload["user"], error=payload["error"], turn=payload.get("turn", 0),
        code=payload.get("code", 0),
    )  # fmt: skip


def out_of_date(snapshot: Snapshot, letter: Letter, to: int) -> bool:
    """Whether a letter is no longer true: it says that no board shows a player's turn, but one does now or the turn is over."""
    table = snapshot.table
    awaited = table.status is Status.PLAYING and any(player.user_id == to for player in snapshot.awaited)
    return letter.news is News.UNSHOWN and not (awaited and table.turn == letter.turn and table.board_turn != table.turn)


def direct_message(snapshot: Snapshot, letter: Letter, to: int, unshown: Text, language: Language) -> MessageBuilder:
    """Return the message to a user, with a sentence for the lock screen and a link. `unshown` says why there is no board."""
    if letter.news is News.UNSHOWN:
        wanted = question(snapshot.position, snapshot.own_seat(to))
        asked = say("Your turn in {game}: {question}", game=game_name(snapshot), question=wanted)
        more = say("{why} Until then, play with `/board` and `/move`, which only you can see.", why=unshown)
        notification = Notification(language(asked, plain_names(snapshot)), time_left(snapshot, language))
    else:
        said, more = _closed(snapshot, letter, plain_name)
        notification = Notification(language(said))
    return MessageBuilder().text(language(more)).notify(notification).buttons([board_button(snapshot, language)])


def news_text(snapshot: Snapshot, letter: Letter) -> Text:
    """Return the news in a letter as the answer to a click: what has become of a table that has lost its place."""
    return join([part for part in _closed(snapshot, letter, escape_name) if part], " ")


def _closed(snapshot: Snapshot, letter: Letter, name: Callable[[str], str]) -> tuple[Text, Text]:
    """Say that a table is closed or paused and why, and then anything else there is to say. `name` writes a name."""
    game = game_name(snapshot)
    match letter.news:
        case News.NO_THREAD:
            return say("{game} is off: I couldn’t open its private thread.", game=game), plain(letter.error)
        case News.WRONG_CHANNEL:
            return say("{game} is off: private threads only work in text channels.", game=game), plain("")
        case News.NOT_LET_IN:
            kept_out = next((name(shown_name(person.name)) for person in snapshot.people if person.user_id == letter.user), "…")
            return say("{game} is off: {who} can’t see the channel, so they can’t join its private thread.", game=game,
                       who=plain(kept_out)), plain("")  # fmt: skip
        case _:
            return (
                say("{game} is on hold and its clock has stopped: its private thread is gone.", game=game),
                say(
                    "I won’t show any of it in public. Play on with `/move` and `/board`, which only you can see. A server "
                    "manager can close the table."),
            )  # fmt: skip


def played_here(letter: Letter) -> Text:
    """Say why a table that is not private got no thread."""
    if letter.news is News.WRONG_CHANNEL:
        return say("Threads only work in text channels, so let’s play right here.")
    return say("I couldn’t open a thread ({error}), so let’s play right here.", error=plain(letter.error))


def no_place(snapshot: Snapshot) -> Text:
    """Say why nothing of a private game is shown to others."""
    return say(
        "Your move is saved, but the private thread of game #{n} is gone, so nobody else can see the board. `/board` still "
        "shows it to you.", n=snapshot.table.id)  # fmt: skip


def doubted_clock_message(now: float, language: Language) -> MessageBuilder:
    """Tell the owner that nobody runs out of time, why, and what helps. `now` is the time by the doubted clock."""
    said = say("Nobody can run out of time right now: the clock of the machine I run on may be wrong.")
    more = say(
        "It jumped, and now shows {now}. If that’s right, this message has just proved it, and game clocks start again in a "
        "few minutes. If it’s wrong, set it right, and they start again, too. If nothing else helps, run `springboard "
        "resume-clocks`: everybody whose turn it is gets their full time again.", now=f"<t:{now:.0f}:F>")  # fmt: skip
    return MessageBuilder().text(language(more)).notify(Notification(language(said)))
