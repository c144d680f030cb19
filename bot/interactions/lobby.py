"""Clicks on the lobby message: join, accept, decline, leave, start."""

from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import Answer, handles
from bot.messages.click import Click
from bot.messages.lobby import lobby_message
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines.text import say
from storage.records import JobKind, SeatStatus, Status


@handles("join", answer=Answer.UPDATE)
async def _join(context: Context, click: Click) -> None:
    await _lobby(context, await context.sessions.lobby.join(click.table, context.user))


@handles("accept", answer=Answer.UPDATE)
async def _accept(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    known = snapshot.person(context.user.id)
    if known is None or known.status is not SeatStatus.INVITED:
        snapshot.require(Status.OPEN)
        raise Refused(say("You have no invitation to table #{n}.", n=click.table))
    await _join(context, click)


@handles("decline", answer=Answer.UPDATE)
async def _decline(context: Context, click: Click) -> None:
    await _lobby(context, await context.sessions.lobby.decline(click.table, context.user))


@handles("leave", answer=Answer.UPDATE)
async def _leave(context: Context, click: Click) -> None:
    await _lobby(context, await context.sessions.lobby.leave(click.table, context.user))


@handles("start", answer=Answer.UPDATE)
async def _start(context: Context, click: Click) -> None:
    await _lobby(context, await context.sessions.lobby.start(click.table, context.user))


async def _lobby(context: Context, snapshot: Snapshot) -> None:
    """Answer the click by updating the lobby message."""
    await context.reply.show(lobby_message(snapshot, await context.public_language()))
    if not context.reply.lost:
        await context.responder.outbox.shown(snapshot.table.id, JobKind.LOBBY)
    await context.deliver(snapshot.table.id)


HANDLERS: Final = (_join, _accept, _decline, _leave, _start)
