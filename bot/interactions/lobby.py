"""Clicks on the message of a table that waits for players: join, accept, decline, leave, start."""

from collections.abc import Mapping
from typing import Final

from bot.interactions.context import Counter, Handler
from bot.messages.click import Click
from bot.messages.lobby import lobby_sheet
from bot.sessions import Glance
from bot.sessions.errors import Refused
from engines.text import say
from storage.records import SeatStatus, Status


async def _join(counter: Counter, click: Click) -> None:
    await _lobby(counter, await counter.sessions.lobby.join(click.table, counter.user))


async def _accept(counter: Counter, click: Click) -> None:
    glance = await counter.glance(click.table)
    known = glance.person(counter.user.id)
    if known is None or known.status is not SeatStatus.INVITED:
        glance.require(Status.OPEN)
        raise Refused(say("You have no invitation to table #{n}.", n=click.table))
    await _join(counter, click)


async def _decline(counter: Counter, click: Click) -> None:
    await _lobby(counter, await counter.sessions.lobby.decline(click.table, counter.user))


async def _leave(counter: Counter, click: Click) -> None:
    await _lobby(counter, await counter.sessions.lobby.leave(click.table, counter.user))


async def _start(counter: Counter, click: Click) -> None:
    await _lobby(counter, await counter.sessions.lobby.start(click.table, counter.user))


async def _lobby(counter: Counter, glance: Glance) -> None:
    """Show the table's message as it is now, in the answer to the click itself."""
    await counter.reply.show(lobby_sheet(glance, await counter.public_language()))
    if not counter.reply.lost:
        await counter.front.delivery.shown(glance.table.id, "lobby")
    await counter.deliver(glance.table.id)


HANDLERS: Final[Mapping[str, Handler]] = {
    "join": _join,
    "accept": _accept,
    "decline": _decline,
    "leave": _leave,
    "start": _start,
}
