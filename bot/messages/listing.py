"""The list of a server's tables, as `/games` shows it."""

from bot.i18n.language import Language
from bot.messages.board import marks, names
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.computers import known_as
from bot.messages.notices import link
from bot.sessions import Snapshot
from bot.sessions.grace import runs
from bot.sessions.listing import Page
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from storage.records import Status

MINE = "mine"
"""The token of a click that asks for one's own tables only."""


def list_message(page: Page, user_id: int, language: Language, *, mine: bool = False) -> MessageBuilder:
    """A page of the list, with buttons to the others, and to the tables that wait for players."""
    builder = MessageBuilder()
    lines = [language(_line(snapshot, user_id), names(snapshot)) for snapshot in page.snapshots]
    if not lines:
        lines.append(language(say("No games here yet. Start one with `/play`!")))
    if longer := [f"#{snapshot.table.id}" for snapshot in page.snapshots if snapshot.table.given_back]:
        away = say("I was away for a while. {tables} got that time back.", tables=plain(", ".join(longer)))
        lines.append(language(away))
    if page.set_aside:
        lines.append(language(_aside(page.set_aside)))
    builder.text("\n".join(lines)).buttons(_ways_in(page, language))
    if page.number or page.more:
        tokens = (MINE,) if mine else ()
        back, on = (Click("games", page=number, tokens=tokens).custom_id for number in (page.number - 1, page.number + 1))
        builder.buttons(
            [
                button(language(say("Previous")), back, disabled=not page.number),
                button(language(say("Next")), on, disabled=not page.more),
            ]
        )
    return builder


def _ways_in(page: Page, language: Language) -> list[Button]:
    """A button for each table that has not started, to join it from here: its first message may be deleted, or far above."""
    waiting = [snapshot.table for snapshot in page.snapshots if snapshot.table.status is Status.OPEN]
    return [
        button(f"#{table.id} {language(GAMES[table.game].listed)}", Click("lobby", table.id).custom_id)
        for table in waiting
    ]  # fmt: skip


def _aside(numbers: tuple[int, ...]) -> Text:
    tables = plain(", ".join(f"#{number}" for number in numbers))
    return say_n(
        "{n} table is on hold because I can’t read it: {tables}. A server manager can close it.",
        "{n} tables are on hold because I can’t read them: {tables}. A server manager can close "
        "them.",
        len(numbers), tables=tables,
    )  # fmt: skip


def _line(snapshot: Snapshot, user_id: int) -> Text:
    """A table in a line: what is played where, by whom, and who is awaited."""
    table = snapshot.table
    title = join([plain(f"**#{table.id}"), join([GAMES[table.game].listed, "**"], "")], " ")
    who = join([join(seat, " ") for seat in zip(marks(snapshot), known_as(snapshot, names(snapshot)), strict=True)], ", ")
    where = plain(link(snapshot))
    if table.status is Status.OPEN:
        if any(p.user_id == user_id for p in snapshot.invited):
            return say("{title} {where}: {who} invited you", title=title, where=where, who=who)
        return say("{title} {where}: {who}, waiting for players", title=title, where=where, who=who)
    if any(p.user_id == user_id for p in snapshot.awaited):
        if runs(table):
            return say("{title} {where}: {who}. **Your turn**, in overtime", title=title, where=where, who=who)
        return say("{title} {where}: {who}. **Your turn**", title=title, where=where, who=who)
    awaited = join([plain(names(snapshot)[seat]) for seat in snapshot.playing.to_act], ", ")
    if runs(table):
        return say(
            "{title} {where}: {who}. Waiting for {awaited}, in overtime", title=title, where=where, who=who, awaited=awaited
        )
    return say("{title} {where}: {who}. Waiting for {awaited}", title=title, where=where, who=who, awaited=awaited)
