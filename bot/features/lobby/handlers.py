"""Handles clicks on the lobby message, and shows the lobby elsewhere."""

from collections.abc import Coroutine
from typing import Any, Final

from bot.core.contributions import draws, word_of
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.table.errors import Refused, TermsChanged
from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark
from bot.interactions.checks import check_manager
from bot.interactions.context import Context
from bot.interactions.handlers import Answer, handles
from bot.interactions.reply import in_panel
from bot.messages.builder import MessageBuilder, escape
from bot.messages.click import Click
from bot.messages.lobby import WORD, fair_dice_message, is_lobby_of, lobby_message, word_form
from bot.messages.settled import answered_invitation, lapsed_invitation
from engines.text import plain, say
from storage.schema.records import JobKind, SeatStatus, Status


@handles("join", answer=Answer.UPDATE)
async def _join(context: Context, click: Click) -> None:
    joined = context.core.service(Lobby).join(click.table, context.user, context.interaction.id, terms=click.version)
    await _change(context, click, joined)


@handles("accept", answer=Answer.UPDATE)
async def _accept(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    if _on_invitation(context, click) and snapshot.table.status is not Status.OPEN:
        await context.reply.show(lapsed_invitation(snapshot, await context.public_language(snapshot)))
        return
    known = snapshot.person(context.user.id)
    if known is None or known.status is not SeatStatus.INVITED:
        snapshot.require(Status.OPEN)
        raise Refused(say("You’re not invited to table #{n}.", n=click.table))
    joined = context.core.service(Lobby).join(click.table, context.user, context.interaction.id, terms=click.version)
    if _on_invitation(context, click):
        await _answer_invitation(context, await joined, accepted=True)
    else:
        await _change(context, click, joined)


@handles("decline", answer=Answer.UPDATE)
async def _decline(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    if _on_invitation(context, click) and snapshot.table.status is not Status.OPEN:
        await context.reply.show(lapsed_invitation(snapshot, await context.public_language(snapshot)))
        return
    declined = context.core.service(Lobby).decline(click.table, context.user)
    if _on_invitation(context, click):
        await _answer_invitation(context, await declined, accepted=False)
    else:
        await _change(context, click, declined)
    occasion = context.core.parts.occasion(snapshot.table)
    if (told := await occasion.told_on_declining(context.core, context.guild_id, context.user.id)) is not None:
        await context.tell(context.language(told))


def _on_invitation(context: Context, click: Click) -> bool:
    """Whether a click was on an invitation to a table, that is, a public message other than its lobby."""
    message = context.interaction.message
    return message is not None and not in_panel(context.interaction) and not is_lobby_of(message, click.table)


async def _answer_invitation(context: Context, snapshot: Snapshot, *, accepted: bool) -> None:
    """Replace an invitation with the answer of the person who clicked. The outbox updates the lobby message."""
    public = await context.public_language(snapshot)
    table_id, asks_others = snapshot.table.id, snapshot.table.status is Status.OPEN and snapshot.invited
    async with context.delivering(table_id) if asks_others else context.settling(table_id):
        await context.reply.show(answered_invitation(snapshot, context.user.name, public, accepted=accepted))


@handles("leave", answer=Answer.UPDATE)
async def _leave(context: Context, click: Click) -> None:
    await _change(context, click, context.core.service(Lobby).leave(click.table, context.user))


@handles("start", answer=Answer.UPDATE)
async def _start(context: Context, click: Click) -> None:
    await _change(context, click, context.core.service(Lobby).start(click.table, context.user, context.interaction.id))


@handles("fair")
async def _fair(context: Context, click: Click) -> None:
    """Explain to the user how a table's dice are made fair."""
    await context.reply.show(fair_dice_message(await context.snapshot(click.table), click.version, context.language))


@handles("use-threads", answer=Answer.UPDATE)
async def _use_threads(context: Context, click: Click) -> None:
    """Give the server's new tables their own threads. A lobby of an earlier version asks this, and then drops the question."""
    check_manager(context.interaction)
    await context.core.service(Users).change_server(context.guild_id, threads=True, threads_asked=0)
    done = context.language(say("From the next game on, each gets its own thread. `/server-settings` changes that."))
    if in_panel(context.interaction):
        await context.reply.show(MessageBuilder().text(done))
        return
    with context.responder.outbox.answering(click.table, JobKind.LOBBY):
        await context.core.service(Outbox).enqueue(click.table, JobKind.LOBBY)
        await _lobby(context, await context.fresh(click.table))
    await context.tell(done)


@handles("word", answer=Answer.UPDATE)
async def _word(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    snapshot.require(Status.OPEN)
    if not draws(snapshot.table):
        raise Refused(say("There’s no luck in this game."))
    # The buttons of an earlier version of the bot have no mark.
    if snapshot.seat_of(context.user.id) is None and click.version != terms_mark(snapshot.table):
        raise TermsChanged(click.table)
    if not await context.reply.ask(word_form(snapshot.table, context.language)):
        raise Refused(say("That took me too long. Please press the button again."))


@handles("add-word", answer=Answer.UPDATE)
async def _add_word(context: Context, click: Click) -> None:
    word = word_of(context.entered_text(WORD))
    joined = context.core.service(Lobby).join(click.table, context.user, context.interaction.id, word, terms=click.version)
    mixed = context.language(say("“{word}” is mixed into the dice of table #{n}.", word=plain(escape(word)), n=click.table))
    if in_panel(context.interaction):
        await joined
        async with context.delivering(click.table):
            await context.reply.show(MessageBuilder().text(mixed))
        return
    # The lobby messages of earlier versions of the bot have the button themselves.
    await _change(context, click, joined)
    await context.tell(mixed)


async def _change(context: Context, click: Click, change: Coroutine[Any, Any, Snapshot]) -> None:
    """Make a change and answer the click. The outbox leaves the lobby message alone until the answer is given."""
    with context.responder.outbox.answering(click.table, None if in_panel(context.interaction) else JobKind.LOBBY):
        snapshot = await change
        await _lobby(context, snapshot)
    context.responder.following.advance(click.table, snapshot.table.version)  # panels for its computers


async def _lobby(context: Context, snapshot: Snapshot) -> None:
    """Answer with the updated lobby. If the click was elsewhere, or the answer is lost, the outbox updates the message."""
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
    """Show the lobby with its buttons to the user alone. If the lobby message is missing, it is posted again."""
    snapshot = await context.snapshot(click.table)
    await context.core.service(Outbox).enqueue(click.table, JobKind.LOBBY)
    async with context.delivering(click.table):
        await context.reply.show(await lobby_message(snapshot, context.language, inside=True))


HANDLERS: Final = (_join, _accept, _decline, _leave, _start, _fair, _use_threads, _word, _add_word, _show_lobby)
