"""Setting up a table in a private panel, and opening it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.places import Places
from bot.core.table.errors import Refused, SessionError
from bot.core.table.request import TableRequest, variant_of
from bot.core.table.settings import ServerSettings
from bot.core.terms import why_fixed
from bot.features.computers.messages import practice_words
from bot.features.lobby.setup import NOBODY_ELSE, Setup
from bot.features.lobby.setup_messages import NONE, SETUP, read_choice, rules_panel, setup_panel
from bot.features.playing.handlers import show_begun
from bot.i18n.language import language
from bot.interactions.checks import (
    check_channel,
    check_permissions,
    check_players,
    check_private,
    check_seen,
    fetch_member,
    in_own_thread,
    place_here,
)
from bot.interactions.context import Context, people
from bot.interactions.drafting import ANY, OptionPage, menu_handlers
from bot.interactions.handlers import handles, too_old
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click, TooLong, is_number
from bot.messages.drafts import TOO_MUCH, draft_in, too_much, turn_in
from bot.messages.lobby import asks_threads, lobby_message, threads_question
from bot.messages.notices import board_button
from bot.messages.players import read_level
from engines.text import Text, say

# --- opening --------------------------------------------------------------------------------------------------------------


async def open_table(
    context: Context, setup: Setup, *, answered: bool = False, known: Sequence[discord.Member] | None = None
) -> None:
    """Open the table of a set-up, in its own thread if the user or the server wants one.

    If `answered`, the public answer becomes the lobby message; the outbox posts it otherwise, or if the bot stops first.
    `known` are the invited members, if Discord has already named them. Raises what the checks raise, before anything is opened.
    """
    server = await context.core.service(Users).server(context.guild_id)
    invited = [await fetch_member(context, user_id) for user_id in setup.opponents] if known is None else known
    wanted = await _request(context, setup, server, invited, answered=answered)
    if setup.replaces:
        await _check_replaced(context, setup)
    snapshot = await context.core.service(Lobby).open(context.user, wanted)
    if setup.replaces:
        with suppress(SessionError):  # it has begun in this very moment: then both of them are there
            await context.core.service(Lobby).leave(setup.replaces, context.user)
        context.responder.outbox.wake()
    if wanted.solo:
        await show_begun(context, snapshot, practice_words(snapshot, context.language))
    elif not answered:
        async with context.delivering(snapshot.table.id):
            opened = MessageBuilder().text(context.language(say("Table #{n} is open.", n=snapshot.table.id)))
            await context.reply.show(opened.buttons([board_button(snapshot, context.language)]))
    elif snapshot.table.lobby_message_id is None:  # or another process has opened it, and given the answer
        message_id = await context.reply.show(await lobby_message(snapshot, language(server.language)))
        await context.core.service(Places).record_answer(snapshot.table.id, message_id)
    if not wanted.solo and asks_threads(snapshot):
        await context.reply.followup(threads_question(snapshot.table.id, context.language))
    if answered or wanted.solo:
        await context.deliver(snapshot.table.id)


async def _request(
    context: Context, setup: Setup, server: ServerSettings, invited: Sequence[discord.Member], *, answered: bool
) -> TableRequest:
    """Return the request for a set-up's table. Raises Refused if it cannot be played here, or by these people."""
    interaction, solo = context.interaction, setup.solo
    threads = server.threads if setup.thread is None else setup.thread
    own_thread = not solo and (setup.private or in_own_thread(interaction, threads))
    check_players(invited, interaction)
    levels = setup.levels
    if solo and len(levels) + 1 < setup.wanted:
        raise Refused(NOBODY_ELSE)
    check_channel(server, interaction)
    place = interaction.channel_id or 0
    if setup.private and not solo:
        place = check_private(interaction)
    elif not solo:  # nothing is posted of a game that nobody else can see, which needs no permission
        check_permissions(interaction, place_here(interaction), thread=own_thread, answered=answered)
    await check_seen(context, place, people(invited))
    return TableRequest(
        guild_id=context.guild_id, channel_id=interaction.channel_id or 0, game=setup.game, variant=setup.variant,
        options=setup.options, opponents=people(invited), seats=setup.seats, computers=levels,
        clock=None if solo else setup.turn_seconds(server.clock), strict=setup.strict, most_tables=server.most_tables,
        private=setup.private, solo=solo, threaded=own_thread, interaction_id=interaction.id,
        asks_threads=(
            interaction.permissions.manage_guild and not (server.threads or setup.private) and server.threads_asked is None
        ),
        answered=answered and not solo,
    )  # fmt: skip


async def _check_replaced(context: Context, setup: Setup) -> None:
    """Raise Refused if a table that is to be replaced cannot be left any more: the game has begun, or others have joined."""
    before = await context.fresh(setup.replaces)
    if (reason := why_fixed(before, context.user.id)) is not None:
        raise Refused(reason, before.names)


# --- the panel ------------------------------------------------------------------------------------------------------------


async def show_setup(context: Context, setup: Setup, wrong: Text | None = None) -> None:
    """Show the user the panel in which they set up a table."""
    server = await context.core.service(Users).server(context.guild_id)
    try:
        turn = turn_in(context.interaction.message, SETUP, refused=wrong is not None)
        message = setup_panel(setup, server, context.language, wrong, turn=turn)
    except TooLong:
        message = too_much(context.language)
    await context.reply.show(message)


async def _show_rules(context: Context, setup: Setup, wrong: Text | None = None, typed: str = "") -> None:
    contrast = context.settings.high_contrast
    try:
        turn = turn_in(context.interaction.message, SETUP, refused=wrong is not None)
        message = await rules_panel(setup, context.language, high_contrast=contrast, wrong=wrong, typed=typed, turn=turn)
    except TooLong:
        await show_setup(context, _setup(context), TOO_MUCH)
        return
    await context.reply.show(message)


def _setup(context: Context) -> Setup:
    """Return the set-up that the panel carries that was clicked on. Raises Refused if it carries none."""
    setup = Setup.read(draft_in(context.interaction.message, SETUP))
    if setup is None:
        raise too_old(context.interaction)
    return setup


@handles("setup-again")
async def _again(context: Context, click: Click) -> None:
    """Show the panel with the settings of an open table, so that the user may change them and open it anew."""
    snapshot = await context.snapshot(click.table)
    if (reason := why_fixed(snapshot, context.user.id)) is not None:
        raise Refused(reason, snapshot.names)
    if snapshot.table.thread_id is not None:
        raise Refused(say("This table has its thread already. For another game, press *Leave* and start one with `/play`."))
    await show_setup(context, Setup.of(snapshot))


def _game(setup: Setup, values: tuple[str, ...]) -> Setup:
    return setup.with_game(values[0])


def _variant(setup: Setup, values: tuple[str, ...]) -> Setup:
    return replace(setup, variant=variant_of(setup.rules, values[0]))


def _people(setup: Setup, values: tuple[str, ...]) -> Setup:
    if not all(map(is_number, values)):
        raise ValueError(values)
    return replace(setup, opponents=tuple(map(int, values)))


def _computer(setup: Setup, values: tuple[str, ...]) -> Setup:
    if values[0] == NONE:
        return replace(setup, computer=None, computers=1)
    level, several = read_choice(values[0])
    return replace(setup, computer=read_level(level), computers=several)


def _players(setup: Setup, values: tuple[str, ...]) -> Setup:
    if values[0] == NONE:
        return replace(setup, seats=None)
    return setup.with_options({}, int(values[0]))


def _clock(setup: Setup, values: tuple[str, ...]) -> Setup:
    changed = replace(setup, clock=values[0])
    changed.turn_seconds(None)
    return changed


def _extras(setup: Setup, values: tuple[str, ...]) -> Setup:
    options: Mapping[str, str] = {
        **{name: value for name, value in setup.options.items() if name not in {"order", "rated"}},
        **({"order": "shuffled"} if "shuffled" in values else {}), **({"rated": "no"} if "unrated" in values else {}),
    }  # fmt: skip
    return replace(setup, strict="strict" in values, thread="thread" in values, private="private" in values, options=options)


@handles("setup-open", tokens=ANY)
async def _open(context: Context, _click: Click) -> None:
    """Open the table, or show the panel with the reason why that is impossible."""
    setup = _setup(context)
    try:
        await open_table(context, setup, answered=False)
    except Refused as refused:
        if refused.names:
            raise
        await show_setup(context, setup, refused.text)


@handles("setup-back", tokens=ANY)
async def _back(context: Context, _click: Click) -> None:
    await show_setup(context, _setup(context))


MENUS: Final = {
    "game": _game, "variant": _variant, "people": _people, "computer": _computer, "players": _players, "clock": _clock,
    "extras": _extras,
}  # fmt: skip

HANDLERS: Final = (
    _again, _open, _back, *menu_handlers(SETUP, _setup, show_setup, MENUS), *OptionPage(SETUP, _setup, _show_rules).handlers,
)  # fmt: skip
