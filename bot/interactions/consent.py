"""Clicks on what needs the others: taking back, seats handed over, another game; and answers to offers."""

from collections.abc import Mapping
from typing import Final

from bot.interactions.context import Counter, Handler
from bot.messages.board import heading, names
from bot.messages.builder import Sheet, escaped
from bot.messages.click import Click
from bot.sessions import Glance
from engines.text import Text, plain, say, seat_name


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


# --- answers to offers ----------------------------------------------------------------------------------------------------
# They are buttons of a message that everybody sees, and the answer is shown in its place.


async def _undo_yes(counter: Counter, click: Click) -> None:
    await counter.glance(click.table)
    glance, what, undone = await counter.sessions.consent.undo(click.table, counter.user, answering=True)
    if undone:
        await _settled(
            counter, glance, say("{who} has agreed, and it is taken back. {what}", who=_who(counter, glance), what=what)
        )
    else:
        await _agreed(counter)


async def _draw_yes(counter: Counter, click: Click) -> None:
    await counter.glance(click.table)
    glance, drawn = await counter.sessions.play.draw(click.table, counter.user, answering=True)
    if drawn:
        await _settled(counter, glance, say("{who} has agreed, and the game is drawn.", who=_who(counter, glance)))
    else:
        await _agreed(counter)


async def _substitute_yes(counter: Counter, click: Click) -> None:
    await counter.glance(click.table)
    glance = await counter.sessions.consent.take_over(click.table, counter.user)
    await _settled(counter, glance, say("{who} has taken the seat over. Good luck!", who=_who(counter, glance)))


async def _undo_no(counter: Counter, click: Click) -> None:
    await _refuse(counter, click, "undo")


async def _draw_no(counter: Counter, click: Click) -> None:
    await _refuse(counter, click, "draw")


async def _substitute_no(counter: Counter, click: Click) -> None:
    await _refuse(counter, click, "substitute")


async def _refuse(counter: Counter, click: Click, kind: str) -> None:
    before = await counter.glance(click.table)
    glance = await counter.sessions.consent.refuse(click.table, counter.user, kind)
    offer = before.table.offers.get(kind)
    if offer is not None and offer["by"] == glance.seat_of(counter.user.id):
        text = say("{who} has taken the offer back; the game goes on.", who=_who(counter, glance))
    else:
        text = say("{who} has declined; the game goes on.", who=_who(counter, glance))
    await _settled(counter, glance, text)


def _who(counter: Counter, glance: Glance) -> Text:
    seat = glance.seat_of(counter.user.id)
    return plain(escaped(counter.user.name)) if seat is None else seat_name(seat)


async def _settled(counter: Counter, glance: Glance, text: Text) -> None:
    """Show everybody, in the place of the offer, what has become of it."""
    language = await counter.public_language()
    await counter.reply.show(Sheet().text(heading(glance, language)).text(language(text, names(glance))))
    await counter.deliver(glance.table.id)


async def _agreed(counter: Counter) -> None:
    await counter.tell(counter.language(say("You have agreed. The others are still asked.")))


async def _rematch(counter: Counter, click: Click) -> None:
    await open_rematch(counter, click.table)


ANSWERS: Final[Mapping[str, Handler]] = {
    "undo-yes": _undo_yes,
    "undo-no": _undo_no,
    "draw-yes": _draw_yes,
    "draw-no": _draw_no,
    "substitute-yes": _substitute_yes,
    "substitute-no": _substitute_no,
}
HANDLERS: Final[Mapping[str, Handler]] = {**ANSWERS, "undo": _undo, "rematch": _rematch}
