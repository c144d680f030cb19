"""The list of a server's tables, as `/games` shows it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from bot.core.listing import Page
from bot.core.table.deadlines import in_grace
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.asking import question_sentence
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.notices import link
from bot.messages.players import marks, names, names_with_levels
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from storage.schema.records import Status

MINE = "mine"
"""The token of a click that asks for the user's own tables alone."""


def list_message(
    page: Page, user_id: int, language: Language, *, mine: bool = False, unshown: Mapping[int, Text] = MappingProxyType({})
) -> MessageBuilder:
    """Show a page of the list, with buttons to other pages and to open tables. `unshown` says why boards cannot be shown."""
    builder = MessageBuilder()
    lines = []
    for snapshot in page.snapshots:
        lines.append(language(table_line(snapshot, user_id, language), names(snapshot)))
        if (why := unshown.get(snapshot.table.id)) is not None:
            lines.append(f"-# {language(why)}")
    if not lines:
        lines.append(language(say("No games going on here. Start one with `/play`!")))
    if longer := [f"#{snapshot.table.id}" for snapshot in page.snapshots if snapshot.table.given_back]:
        away = say("I was away for a while. {tables} got that time back.", tables=plain(", ".join(longer)))
        lines.append(language(away))
    if page.quarantined:
        lines.append(language(_quarantine_line(page.quarantined)))
    waiting = [snapshot.table for snapshot in page.snapshots if snapshot.table.status is Status.OPEN]
    builder.text("\n".join(lines)).buttons(
        [button(f"#{table.id} {language(GAMES[table.game].title)}", Click("lobby", table.id).custom_id) for table in waiting]
    )
    if page.number or page.more:
        tokens = (MINE,) if mine else ()
        back, on = (Click("games", page=number, tokens=tokens).custom_id for number in (page.number - 1, page.number + 1))
        builder.buttons(
            [
                button(language(say("Previous")), back, disabled=not page.number),
                button(language(say("Next")), on, disabled=not page.more),
            ]
        )
    return builder.buttons([button(language(say("What’s on today")), Click("today").custom_id)])


def _quarantine_line(numbers: tuple[int, ...]) -> Text:
    tables = plain(", ".join(f"#{number}" for number in numbers))
    return say_n(
        "{n} table is on hold because I can’t read it: {tables}. A server manager can close it.",
        "{n} tables are on hold because I can’t read them: {tables}. A server manager can close "
        "them.",
        len(numbers), tables=tables,
    )  # fmt: skip


_OPEN: Final[Mapping[tuple[bool, bool], Callable[[Text, Text, Text], Text]]] = {
    (False, False): lambda title, where, who: say("{title} {where}: {who}, waiting for players", title=title, where=where,
                                                  who=who),
    (False, True): lambda title, where, who: say("{title} {where}: {who} invited you", title=title, where=where, who=who),
    (True, False): lambda title, where, _: say("{title} {where}: matched, waiting for answers", title=title, where=where),
    (True, True): lambda title, where, _: say("{title} {where}: you’ve been matched. Are you in?", title=title, where=where),
}  # fmt: skip
"""How the line for an open table is worded, by whether its players were matched, and whether the reader is invited."""


def table_line(snapshot: Snapshot, user_id: int, language: Language) -> Text:
    """Put a table on one line for the reader `user_id` (0: everybody): the game, its place, the players, and who is awaited."""
    table = snapshot.table
    title = join([plain(f"**#{table.id}"), join([GAMES[table.game].title, "**"], "")], " ")
    who = join(
        [join(seat, " ") for seat in zip(marks(snapshot), names_with_levels(snapshot, names(snapshot)), strict=True)], ", "
    )
    where = plain(link(snapshot))
    if table.status is Status.OPEN:
        invited = any(p.user_id == user_id for p in snapshot.invited)
        return _OPEN[table.matched, invited](title, where, who)
    seat = snapshot.seat_of(user_id)
    if seat is not None and seat in snapshot.playing.to_act:
        wanted = plain(question_sentence(snapshot.position, seat, language))
        asked = {"title": title, "where": where, "who": who, "question": wanted}
        if in_grace(table):
            return say("{title} {where}: {who}. **{question}** You’re in overtime.", **asked)
        return say("{title} {where}: {who}. **{question}**", **asked)
    awaited = join([plain(names(snapshot)[seat]) for seat in snapshot.playing.to_act], ", ")
    if in_grace(table):
        return say(
            "{title} {where}: {who}. Waiting for {awaited}, in overtime", title=title, where=where, who=who, awaited=awaited
        )
    return say("{title} {where}: {who}. Waiting for {awaited}", title=title, where=where, who=who, awaited=awaited)
