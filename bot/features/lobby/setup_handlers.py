"""Handles the private panel in which a table is set up, and opens the table."""

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
from bot.interactions.drafting import DraftPanel
from bot.interactions.handlers import handles
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click, is_number
from bot.messages.lobby import asks_threads, lobby_message, threads_question
from bot.messages.notices import board_button
from bot.messages.players import read_level
from engines.text import Text, say


async def open_table(
    context: Context, setup: Setup, *, answered: bool = False, known: Sequence[discord.Member] | None = None
) -> None:
    """Open the table of a set-up, in its own thread if the user or the server wants one.

    If `answered`, the public answer to the command becomes the lobby message. Otherwise, or if the bot stops before answering,
    the outbox posts it. `known` has the invited members, if Discord has already named them. If a check raises an error, nothing
    is opened.
    """
    server = await context.core.service(Users).server(context.guild_id)
    invited = [await fetch_member(context, user_id) for user_id in setup.opponents] if known is None else known
    wanted = await _request(context, setup, server, invited, answered=answered)
    if setup.replaces:
        before = await context.fresh(setup.replaces)
        if (reason := why_fixed(before, context.user.id)) is not None:  # the game has begun, or others have joined
            raise Refused(reason, before.names)
    snapshot = await context.core.service(Lobby).open(context.user, wanted)
    if setup.replaces:
        with suppress(SessionError):  # its game has begun this very moment, so now there are both tables
            await context.core.service(Lobby).leave(setup.replaces, context.user)
        context.responder.outbox.wake()
    if wanted.solo:
        await show_begun(context, snapshot, practice_words(snapshot, context.language))
    elif not answered:
        async with context.delivering(snapshot.table.id):
            opened = MessageBuilder().text(context.language(say("Table #{n} is open.", n=snapshot.table.id)))
            await context.reply.show(opened.buttons([board_button(snapshot, context.language)]))
    elif snapshot.table.lobby_message_id is None:  # otherwise, another process has opened it and given the answer
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
    elif not solo:  # a game that nobody else can see is not posted, so it needs no permission
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


async def _front(context: Context, setup: Setup, wrong: Text | None, turn: int) -> MessageBuilder:
    server = await context.core.service(Users).server(context.guild_id)
    return setup_panel(setup, server, context.language, wrong, turn=turn)


async def _page(context: Context, setup: Setup, wrong: Text | None, turn: int, typed: str) -> MessageBuilder:
    contrast = context.settings.high_contrast
    return await rules_panel(setup, context.language, high_contrast=contrast, wrong=wrong, typed=typed, turn=turn)


def _people(setup: Setup, values: tuple[str, ...]) -> Setup:
    if not all(map(is_number, values)):
        raise ValueError(values)
    return replace(setup, opponents=tuple(map(int, values)))


def _computer(setup: Setup, values: tuple[str, ...]) -> Setup:
    if values[0] == NONE:
        return replace(setup, computer=None, computers=1)
    level, several = read_choice(values[0])
    return replace(setup, computer=read_level(level), computers=several)


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


PANEL: Final = DraftPanel(
    SETUP, Setup.read, _front, _page, open_table,
    {
        "game": lambda setup, values: setup.with_game(values[0]),
        "variant": lambda setup, values: replace(setup, variant=variant_of(setup.rules, values[0])),
        "people": _people,
        "computer": _computer,
        "players": lambda setup, values: (
            replace(setup, seats=None) if values[0] == NONE else setup.with_options({}, int(values[0]))
        ),
        "clock": _clock,
        "extras": _extras,
    },
)  # fmt: skip
"""The panel of `/play`."""


@handles("setup-again")
async def _again(context: Context, click: Click) -> None:
    """Show the panel with the settings of an open table, so that the user may change them and open it anew."""
    snapshot = await context.snapshot(click.table)
    if (reason := why_fixed(snapshot, context.user.id)) is not None:
        raise Refused(reason, snapshot.names)
    if snapshot.table.thread_id is not None:
        raise Refused(say("This table has its thread already. For another game, press *Leave* and start one with `/play`."))
    await PANEL.show(context, Setup.of(snapshot))


HANDLERS: Final = (_again, *PANEL.handlers)
