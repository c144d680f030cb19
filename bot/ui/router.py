"""Every click of every message comes in here, and goes to the one function for its verb."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import discord

from bot.errors import Refused, SessionError, Stale
from bot.front import Counter, Front
from bot.pictures import Look, picture
from bot.sessions import Glance, Played
from bot.sessions.play import not_your_turn
from bot.ui import pages
from bot.ui.board import COLOURS, MARKS, heading, names, story
from bot.ui.click import Click
from bot.ui.lobby import lobby_sheet
from bot.ui.panel import panel_sheet, pick, stepped_back
from bot.ui.reply import Interaction
from bot.ui.sheet import Sheet, button
from engines.words import join, plain, say
from storage.records import SeatStatus, Status

Handler = Callable[[Counter, Click], Awaitable[None]]


async def route(front: Front, interaction: Interaction) -> None:
    """Answer a click on a button or a select."""
    data: Mapping[str, Any] = interaction.data or {}
    click = Click.read(str(data.get("custom_id", "")))
    if click is None:
        return
    handler = HANDLERS.get(click.verb)
    values = data.get("values", [])
    if isinstance(values, list) and values:
        click = click.then(*(str(value) for value in values))
    async with front.answer(interaction, update=click.verb in LOBBY or in_panel(interaction)) as counter:
        if handler is None:
            raise Refused(say("This button is from an older version of the bot. `/board` shows the present board."))
        await handler(counter, click)


# --- tables that wait for players -------------------------------------------------------------------------------------


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
    await counter.front.delivery.shown(glance.table.id, "lobby")
    await counter.deliver(glance.table.id)


# --- the panel --------------------------------------------------------------------------------------------------------


async def open_panel(counter: Counter, table_id: int, note: str = "") -> None:
    """Open the panel of somebody who plays, for the present board."""
    glance, seat = await _at_table(counter, table_id)
    record = glance.playing
    if seat not in record.game.may_act(record.state) and not record.game.secret:
        raise not_your_turn(glance)
    await counter.reply.show(await panel_sheet(glance, pick(glance, seat, ()), counter.language, note=note))


async def _move(counter: Counter, click: Click) -> None:
    await open_panel(counter, click.table)


async def _at_table(counter: Counter, table_id: int) -> tuple[Glance, int]:
    """A table that is being played, and the person's seat at it."""
    glance = await counter.glance(table_id)
    glance.require(Status.PLAYING)
    seat = glance.own_seat(counter.user.id)
    if glance.players[seat].status is not SeatStatus.JOINED:
        raise Refused(say("You have left this game."))
    return glance, seat


async def _pick(counter: Counter, click: Click) -> None:
    """A token was picked: play if that ends the action, else show how it may go on."""
    glance, seat = await _at_table(counter, click.table)
    note = ""
    picked = pick(glance, seat, click.tokens)
    if click.version != glance.playing.version:
        note = counter.language(say("The board has moved on since; this is the present one."))
        picked = pick(glance, seat, ())
    elif picked.final and not picked.choices:
        return await _play(counter, click, picked.prefix)
    await counter.reply.show(await panel_sheet(glance, picked, counter.language, page=click.page, note=note))
    return None


async def _back(counter: Counter, click: Click) -> None:
    glance, seat = await _at_table(counter, click.table)
    await counter.reply.show(await panel_sheet(glance, stepped_back(glance, seat, click.tokens), counter.language))


async def _act(counter: Counter, click: Click) -> None:
    await _play(counter, click, click.tokens)


async def _play(counter: Counter, click: Click, tokens: tuple[str, ...]) -> None:
    """Play, answer, and then have the board brought up to date."""
    play = counter.sessions.play
    try:
        played = await play.act(
            click.table, counter.user, tokens, version=click.version or None, interaction_id=counter.interaction.id
        )
    except Stale as stale:
        return await _moved_on(counter, click, stale)
    await show_played(counter, played)
    return None


async def _moved_on(counter: Counter, click: Click, stale: SessionError) -> None:
    """A click on an old board: show the present one, with what can be done there."""
    glance, seat = await _at_table(counter, click.table)
    note = counter.language(stale.text)
    sheet = await panel_sheet(glance, pick(glance, seat, ()), counter.language, note=note)
    if in_panel(counter.interaction):
        await counter.reply.show(sheet)
    else:
        await counter.reply.aside(sheet)


async def show_played(counter: Counter, played: Played) -> None:
    """Answer an action: in a panel with what can be done next, beside a board with nothing, unless it told a secret."""
    glance = played.glance
    table_id = glance.table.id
    who = names(glance)
    told = story(played.events, counter.language, who)
    secret = [event for event in played.events if event.private_to is not None]
    seat = glance.seat_of(counter.user.id)
    assert seat is not None
    record = glance.playing
    if counter.interaction.type is discord.InteractionType.component and not in_panel(counter.interaction):
        if secret:
            await counter.tell(story(tuple(secret), counter.language, who))
        else:
            await counter.reply.quietly()
    elif glance.table.status is Status.PLAYING and seat in record.to_act:
        await counter.reply.show(await panel_sheet(glance, pick(glance, seat, ()), counter.language, note=told))
    else:
        await counter.reply.show(Sheet(colour=COLOURS[seat]).text(told or counter.language(say("Done."))))
    await counter.deliver(table_id)


def in_panel(interaction: Interaction) -> bool:
    """Whether the click was on a private message, which the answer replaces."""
    message = interaction.message
    return message is not None and message.flags.ephemeral


# --- looking around ---------------------------------------------------------------------------------------------------


async def _words(counter: Counter, click: Click) -> None:
    glance = await counter.glance(click.table)
    await counter.tell(board_in_words(counter, glance))


def board_in_words(counter: Counter, glance: Glance) -> str:
    """The present board in words, as the person may know it."""
    record = glance.playing
    view = record.view(glance.viewpoint(counter.user.id))
    who = names(glance)
    parts = [heading(glance, counter.language), counter.language(record.game.describe(view), who)]
    hand = record.game.hand(view)
    if hand is not None:
        parts.append(counter.language(hand, who))
    return "\n".join(parts)


async def show_board(counter: Counter, table_id: int) -> None:
    """The present board as a picture with words, to the person alone."""
    glance = await counter.glance(table_id)
    record = glance.playing
    seat = glance.viewpoint(counter.user.id)
    shown = await picture(glance, Look(seat=seat, language=counter.language, turned=True))
    sheet = Sheet().text(heading(glance, counter.language)).picture(shown)
    over = glance.result()
    if over is not None:
        sheet.text(counter.language(over, names(glance)))
    else:
        awaited = join([plain(f"{MARKS[i]} {names(glance)[i]}") for i in record.to_act], ", ")
        sheet.text(counter.language(say("To act: {who}.", who=awaited)))
    sheet.text(counter.language(record.game.describe(record.view(seat)), names(glance)))
    await counter.reply.show(sheet)


async def _board(counter: Counter, click: Click) -> None:
    await show_board(counter, click.table)


async def show_hand(counter: Counter, table_id: int) -> None:
    """What only the person may know, with what they can do now."""
    glance, seat = await _at_table(counter, table_id)
    if glance.playing.game.hand(glance.playing.view(seat)) is None:
        raise Refused(say("There is nothing that only you may know just now."))
    await counter.reply.show(await panel_sheet(glance, pick(glance, seat, ()), counter.language))


async def _hand(counter: Counter, click: Click) -> None:
    await show_hand(counter, click.table)


async def _more(counter: Counter, click: Click) -> None:
    """The less frequent things, in a private message."""
    glance = await counter.glance(click.table)
    sheet = Sheet().text(heading(glance, counter.language))
    buttons = [button(counter.language(say("Board")), Click("board", click.table).custom_id)]
    if glance.table.status is Status.PLAYING and glance.viewpoint(counter.user.id) is not None:
        offered = "draw" in glance.table.offers
        buttons.append(
            button(counter.language(say("Accept the draw") if offered else say("Offer a draw")),
                   Click("draw", click.table).custom_id)
        )  # fmt: skip
        buttons.append(
            button(counter.language(say("Resign")), Click("resign", click.table).custom_id, discord.ButtonStyle.danger)
        )
    buttons.append(button(counter.language(say("Rules")), Click("rules", tokens=(glance.table.game,)).custom_id))
    await counter.reply.show(sheet.buttons(buttons))


# --- giving up, and drawing -------------------------------------------------------------------------------------------


async def ask_resign(counter: Counter, table_id: int) -> None:
    """Ask whether the person means to give the game up."""
    glance, _ = await _at_table(counter, table_id)
    sheet = Sheet().text(heading(glance, counter.language))
    sheet.text(counter.language(say("Do you want to give this game up? That cannot be taken back.")))
    yes = button(counter.language(say("Resign")), Click("resign-yes", table_id).custom_id, discord.ButtonStyle.danger)
    no = button(counter.language(say("Play on")), Click("never-mind", table_id).custom_id)
    await counter.reply.show(sheet.buttons([yes, no]))


async def _resign(counter: Counter, click: Click) -> None:
    await ask_resign(counter, click.table)


async def _resign_yes(counter: Counter, click: Click) -> None:
    played = await counter.sessions.play.resign(click.table, counter.user, counter.interaction.id)
    await counter.reply.show(Sheet().text(counter.language(say("You have resigned."))))
    await counter.deliver(played.glance.table.id)


async def _never_mind(counter: Counter, _: Click) -> None:
    await counter.reply.show(Sheet().text(counter.language(say("Nothing has changed."))))


async def offer_draw(counter: Counter, table_id: int) -> None:
    """Offer a draw or agree to one."""
    await counter.glance(table_id)
    glance, drawn = await counter.sessions.play.draw(table_id, counter.user)
    if drawn:
        text = say("The game is drawn.")
    else:
        text = say("You have offered a draw. It stands until somebody else acts or turns it down.")
    await counter.reply.show(Sheet().text(counter.language(text)))
    await counter.deliver(glance.table.id)


async def _rules(counter: Counter, click: Click) -> None:
    await counter.reply.show(await pages.rules_sheet(" ".join(click.tokens), click.page, counter.language))


async def _draw(counter: Counter, click: Click) -> None:
    await offer_draw(counter, click.table)


HANDLERS: Final[dict[str, Handler]] = {
    "join": _join,
    "accept": _accept,
    "decline": _decline,
    "leave": _leave,
    "start": _start,
    "move": _move,
    "pick": _pick,
    "choose": _pick,
    "page": _pick,
    "back": _back,
    "act": _act,
    "board": _board,
    "words": _words,
    "hand": _hand,
    "more": _more,
    "resign": _resign,
    "resign-yes": _resign_yes,
    "never-mind": _never_mind,
    "draw": _draw,
    "rules": _rules,
}
"""What each verb of a `Click` does."""

LOBBY: Final = frozenset({"join", "accept", "decline", "leave", "start"})
"""The verbs whose answer replaces the table's own message."""
