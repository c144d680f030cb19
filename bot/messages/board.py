"""The board message: the one everybody in the channel sees."""

from typing import Final

import discord

from bot.i18n.language import Language
from bot.messages.builder import Button, Picture, Sheet, button, escaped
from bot.messages.click import Click
from bot.sessions import Glance
from bot.sessions.history import Record
from engines.game import Event, Shortcut
from engines.text import SEAT_COLOURS, Text, join, plain, say, seat_name
from storage.records import SeatStatus, Status

MARKS: Final = ("●", "■", "▲", "◆", "✚", "★")
"""The mark of each seat, as in the pictures."""

COLOURS: Final = (0xD55E00, 0x0072B2, 0x009E73, 0xF0E442, 0xCC79A7, 0xE69F00)
"""The colour of each seat, as in the pictures."""

EVENTS_SHOWN: Final = 6

assert len(MARKS) == len(COLOURS) == len(SEAT_COLOURS)


def names(glance: Glance) -> tuple[str, ...]:
    """The players' names, safe to stand in Markdown."""
    return tuple(escaped(name) for name in glance.names)


def heading(glance: Glance, language: Language) -> str:
    """The first line of every message about a table: which game, which number, who plays."""
    game = glance.playing.game
    who = " · ".join(
        f"{MARKS[i]} ~~{language(name)}~~" if player.status is SeatStatus.WITHDRAWN else f"{MARKS[i]} {language(name)}"
        for i, (player, name) in enumerate(zip(glance.players, names(glance), strict=True))
    )
    variant = "" if glance.table.variant == game.variants[0] else f" · {language(game.variant_titles[glance.table.variant])}"
    return f"**{language(game.title)} #{glance.table.id}**{variant}\n{who}"


def story(events: tuple[Event, ...], language: Language, who: tuple[str, ...]) -> str:
    """What happened, a line each; only the last few if they are many."""
    told = [language(event.text, who) for event in events if event.text]
    left_out = len(told) - EVENTS_SHOWN
    lines = told[-EVENTS_SHOWN:]
    return "\n".join(["…", *lines] if left_out > 0 else lines)


def board_sheet(glance: Glance, language: Language, picture: Picture, since: int, *, live: bool = True) -> Sheet:
    """The board message of a game.

    Args:
        glance: the table.
        language: the server's language.
        picture: the board as a spectator sees it.
        since: the version after which what happened is told.
        live: whether this is the newest board; an older one keeps its picture and story, and loses its buttons.
    """
    record, who = glance.playing, names(glance)
    over = glance.table.status is not Status.PLAYING
    to_act = () if over else record.to_act
    sheet = Sheet(colour=COLOURS[to_act[0]] if to_act else None)
    sheet.text(heading(glance, language)).picture(picture)
    sheet.text(story(record.events_since(since, None), language, who))
    if not live:
        return sheet
    if over:
        sheet.text("### " + language(glance.result() or say("The game is over."), who))
        return sheet.buttons(_after(glance, language))
    sheet.text(_turn(glance, language))
    for row in _buttons(glance, language):
        sheet.buttons(row)
    return sheet


def _turn(glance: Glance, language: Language) -> str:
    """Whose turn it is, with the ping, and until when."""
    who = join([plain(f"{MARKS[seat]} <@{glance.players[seat].user_id}>") for seat in glance.playing.to_act], ", ")
    if glance.table.clock is None or glance.table.deadline is None:
        text: Text = say("{who}: your turn.", who=who)
    else:
        text = say("{who}: your turn, until {when}.", who=who, when=f"<t:{int(glance.table.deadline)}:R>")
    for user_id, until in glance.away:
        away = say("{who} is on vacation until {when}.", who=plain(f"<@{user_id}>"), when=f"<t:{int(until)}:d>")
        text = join([text, away])
    offer = glance.table.offers.get("draw")
    if offer is not None:
        text = join([text, say("{who} offers a draw: `/draw` accepts.", who=seat_name(offer["by"]))])
    return language(text, names(glance))


def _buttons(glance: Glance, language: Language) -> list[list[Button]]:
    record, table = glance.playing, glance.table
    act = Click("act", table.id, table.version)
    rows: list[list[Button]] = []
    shortcuts = record.game.shortcuts(record.view(None))
    if shortcuts:
        rows.append(
            [button(language(s.label), act.then(*s.action).custom_id, discord.ButtonStyle.primary) for s in shortcuts[:5]]
        )
    row: list[Button] = []
    if not _all_offered(record, shortcuts):
        row.append(button(language(say("Move")), Click("move", table.id, table.version).custom_id, discord.ButtonStyle.primary))
    if record.game.secret:
        row.append(button(language(say("Hand")), Click("hand", table.id, table.version).custom_id))
    row.append(button(language(say("Board in words")), Click("words", table.id, table.version).custom_id))
    row.append(button(language(say("More")), Click("more", table.id, table.version).custom_id))
    return [*rows, row]


def _all_offered(record: Record, shortcuts: tuple[Shortcut, ...]) -> bool:
    """Whether the shortcuts are all that can be done. With hidden hands that is not asked: the answer could tell something."""
    if record.game.secret or not shortcuts:
        return False
    offered = {choice.token for seat in record.to_act for choice in record.game.choices(record.state, seat)}
    return offered <= {shortcut.action[0] for shortcut in shortcuts if len(shortcut.action) == 1}


def _after(glance: Glance, language: Language) -> list[Button]:
    table = glance.table
    return [
        button(language(say("Rematch")), Click("rematch", table.id).custom_id, discord.ButtonStyle.primary),
        button(language(say("Replay")), Click("replay", table.id).custom_id),
        button(language(say("Verify")), Click("verify", table.id).custom_id),
        button(language(say("Board in words")), Click("words", table.id, table.version).custom_id),
    ]
