"""Clicks on the lobby message: join, accept, decline, leave, start, add a word; and the way to it from elsewhere."""

from collections.abc import Coroutine
from typing import Any, Final

from bot.interactions.context import Context
from bot.interactions.handler import Answer, handles
from bot.interactions.reply import in_panel
from bot.messages.builder import escaped
from bot.messages.click import Click
from bot.messages.computers import computers_message, read_level
from bot.messages.lobby import WORD, lobby_message, word_form
from bot.sessions import Snapshot
from bot.sessions.dice import draws, word_of
from bot.sessions.errors import Refused
from engines.text import plain, say
from storage.records import JobKind, SeatStatus, Status


@handles("join", answer=Answer.UPDATE)
async def _join(context: Context, click: Click) -> None:
    joined = context.sessions.lobby.join(click.table, context.user, context.interaction.id, terms=click.version)
    await _changed(context, click, joined)


@handles("accept", answer=Answer.UPDATE)
async def _accept(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    known = snapshot.person(context.user.id)
    if known is None or known.status is not SeatStatus.INVITED:
        snapshot.require(Status.OPEN)
        raise Refused(say("You’re not invited to table #{n}.", n=click.table))
    await _join(context, click)


@handles("decline", answer=Answer.UPDATE)
async def _decline(context: Context, click: Click) -> None:
    await _changed(context, click, context.sessions.lobby.decline(click.table, context.user))


@handles("leave", answer=Answer.UPDATE)
async def _leave(context: Context, click: Click) -> None:
    await _changed(context, click, context.sessions.lobby.leave(click.table, context.user))


@handles("start", answer=Answer.UPDATE)
async def _start(context: Context, click: Click) -> None:
    await _changed(context, click, context.sessions.lobby.start(click.table, context.user, context.interaction.id))


@handles("word", answer=Answer.UPDATE)
async def _word(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    snapshot.require(Status.OPEN)
    if not draws(snapshot.table):
        raise Refused(say("Nothing is left to luck in this game."))
    if not await context.reply.ask(word_form(click.table, context.language)):
        raise Refused(say("That took me too long. Please press the button again."))


@handles("add-word", answer=Answer.UPDATE)
async def _add_word(context: Context, click: Click) -> None:
    word = word_of(context.entered(WORD))
    await _changed(context, click, context.sessions.lobby.join(click.table, context.user, context.interaction.id, word))
    mixed = say("“{word}” is mixed into the dice of table #{n}.", word=plain(escaped(word)), n=click.table)
    await context.tell(context.language(mixed))


async def _changed(context: Context, click: Click, change: Coroutine[Any, Any, Snapshot]) -> None:
    """Make a change and answer the click, while the outbox leaves the lobby message to the answer: not only once it is made."""
    async with context.responder.outbox.answering(click.table, None if in_panel(context.interaction) else JobKind.LOBBY):
        await _lobby(context, await change)


async def _lobby(context: Context, snapshot: Snapshot) -> None:
    """Answer the click by updating the lobby message; if that is lost, or the click was made elsewhere, the outbox does it."""
    message, table = context.interaction.message, snapshot.table
    elsewhere = message is not None and table.lobby_message_id not in {None, message.id}
    if not (in_panel(context.interaction) or elsewhere):
        async with context.delivering(table.id, answered=JobKind.LOBBY):
            await context.reply.show(await lobby_message(snapshot, await context.public_language(snapshot)))
        return
    own = await lobby_message(snapshot, context.language, inside=snapshot.open_to(context.user.id))
    async with context.delivering(table.id):
        await (context.reply.show(own) if in_panel(context.interaction) else context.reply.followup(own))


@handles("lobby")
async def _show_lobby(context: Context, click: Click) -> None:
    """Show the lobby to the user alone, with its buttons, and see to it that the lobby message is there."""
    snapshot = await context.snapshot(click.table)
    await context.sessions.outbox.enqueue(click.table, JobKind.LOBBY)
    async with context.delivering(click.table):
        await context.reply.show(await lobby_message(snapshot, context.language, inside=True))


# --- computers ------------------------------------------------------------------------------------------------------------


@handles("computers")
async def _computers(context: Context, click: Click) -> None:
    """Show the user the panel in which computers are added and removed."""
    snapshot = await context.snapshot(click.table)
    snapshot.require(Status.OPEN)
    await context.reply.show(computers_message(snapshot, context.language))


@handles("add-computer")
async def _add_computer(context: Context, click: Click) -> None:
    """The last token is the level."""
    level = read_level(click.tokens[-1] if click.tokens else "")
    await _seated(context, context.sessions.computers.add(click.table, context.user, level, context.interaction.id))


@handles("remove-computer")
async def _remove_computer(context: Context, click: Click) -> None:
    """The last token is the user id of the computer."""
    which = click.tokens[-1] if click.tokens else ""
    await _seated(context, context.sessions.computers.remove(click.table, context.user, int(which) if which.isdecimal() else 0))


async def _seated(context: Context, change: Coroutine[Any, Any, Snapshot]) -> None:
    """Show in the panel what has become of the table, and have its lobby message updated."""
    snapshot = await change
    async with context.delivering(snapshot.table.id):
        await context.reply.show(computers_message(snapshot, context.language))


HANDLERS: Final = (_join, _accept, _decline, _leave, _start, _word, _add_word, _show_lobby, _computers,
                   _add_computer, _remove_computer)  # fmt: skip
