"""Clicks on what needs the others: taking back, seats handed over, another game; and answers to offers."""

from collections.abc import Mapping
from typing import Final

from bot.front import Counter, Handler, person
from bot.ui.board import names
from bot.ui.click import Click
from bot.ui.ending import offer_draw
from bot.ui.sheet import Sheet
from engines.words import Text, say


async def ask_undo(counter: Counter, table_id: int) -> None:
    """Ask to take the own last action back, or agree that somebody does."""
    await counter.glance(table_id)
    glance, what, undone = await counter.sessions.consent.undo(table_id, counter.user)
    if undone:
        text: Text = say("Taken back. {what}", what=what)
    else:
        text = say("The others are asked whether this may be taken back. {what}", what=what)
    await counter.reply.show(Sheet().text(counter.language(text, names(glance))))
    await counter.deliver(table_id)


async def open_rematch(counter: Counter, table_id: int) -> None:
    """Open a table for another game of the same people, or sit down at the one that is open."""
    await counter.glance(table_id)
    glance = await counter.sessions.consent.rematch(table_id, counter.user)
    await counter.reply.aside(Sheet().text(counter.language(say("You sit at table #{n}.", n=glance.table.id))))
    await counter.deliver(glance.table.id)


async def _undo(counter: Counter, click: Click) -> None:
    await ask_undo(counter, click.table)


async def _undo_no(counter: Counter, click: Click) -> None:
    await _refuse(counter, click, "undo")


async def _draw_yes(counter: Counter, click: Click) -> None:
    await offer_draw(counter, click.table)


async def _draw_no(counter: Counter, click: Click) -> None:
    await _refuse(counter, click, "draw")


async def _substitute_yes(counter: Counter, click: Click) -> None:
    await counter.glance(click.table)
    glance = await counter.sessions.consent.take_over(click.table, person(counter.interaction.user))
    await counter.reply.show(Sheet().text(counter.language(say("You play at table #{n} now. Good luck!", n=click.table))))
    await counter.deliver(glance.table.id)


async def _substitute_no(counter: Counter, click: Click) -> None:
    await _refuse(counter, click, "substitute")


async def _refuse(counter: Counter, click: Click, kind: str) -> None:
    await counter.glance(click.table)
    await counter.sessions.consent.refuse(click.table, counter.user, kind)
    await counter.reply.show(Sheet().text(counter.language(say("Turned down; the game goes on."))))


async def _rematch(counter: Counter, click: Click) -> None:
    await open_rematch(counter, click.table)


HANDLERS: Final[Mapping[str, Handler]] = {
    "undo": _undo,
    "undo-yes": _undo,
    "undo-no": _undo_no,
    "draw-yes": _draw_yes,
    "draw-no": _draw_no,
    "substitute-yes": _substitute_yes,
    "substitute-no": _substitute_no,
    "rematch": _rematch,
}
