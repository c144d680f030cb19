"""Clicks in the panel of house rules: whoever has opened a table chooses what is played there, until others join."""

from collections.abc import Mapping
from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.messages.click import Click
from bot.messages.house import CODE, Wrong, code_shown, house_done, house_form, house_panel, joined
from bot.messages.terms import own_options
from bot.sessions import Snapshot
from bot.sessions.errors import Refused, SessionError
from bot.sessions.options import tidied
from bot.sessions.terms import fixed
from engines import GAMES
from engines.game import Option
from engines.text import say


@handles("house")
async def _open(context: Context, click: Click) -> None:
    await _show(context, await context.snapshot(click.table))


@handles("house-set")
async def _set(context: Context, click: Click) -> None:
    name, value = _arguments(click, 2)
    await _change(context, click, {name: value})


@handles("house-parts")
async def _set_parts(context: Context, click: Click) -> None:
    name, number, *chosen = (*_arguments(click, 2), *click.tokens[2:])
    table = (await context.fresh(click.table)).table
    option = _option(table.game, name)
    if not number.isdecimal() or int(number) >= len(option.parts):
        raise _too_old()
    value = own_options(table).get(name, option.values[0])
    await _change(context, click, {name: joined(option, value, int(number), chosen)})


@handles("house-seats")
async def _set_seats(context: Context, click: Click) -> None:
    (number,) = _arguments(click, 1)
    if not number.isdecimal():
        raise _too_old()
    await _change(context, click, {}, seats=int(number))


@handles("house-edit")
async def _edit(context: Context, click: Click) -> None:
    (name,) = _arguments(click, 1)
    snapshot = await context.snapshot(click.table)
    _option(snapshot.table.game, name)
    if (reason := fixed(snapshot, context.user.id)) is not None:
        raise Refused(reason)
    form = house_form(snapshot.table, name, code_shown(context.interaction.message), context.language)
    if not await context.reply.ask(form):
        raise Refused(say("That took me too long. Please press the button again."))


@handles("house-code")
async def _write(context: Context, click: Click) -> None:
    (name,) = _arguments(click, 1)
    typed = context.entered(CODE)
    option = _option((await context.snapshot(click.table)).table.game, name)
    await _change(context, click, {name: tidied(option, typed)}, typed=typed)


@handles("house-done")
async def _done(context: Context, click: Click) -> None:
    await context.reply.show(house_done((await context.snapshot(click.table)).table, context.language))


async def _change(
    context: Context, click: Click, options: Mapping[str, str], *, seats: int | None = None, typed: str = ""
) -> None:
    """Make a change, and show what the table is now; if it is not possible, why not, with what was typed."""
    try:
        snapshot = await context.sessions.terms.change(click.table, context.user, options, seats)
    except SessionError as error:
        await _show(context, await context.fresh(click.table), Wrong(error.text, typed))
        return
    async with context.delivering(click.table):
        await _show(context, snapshot)


async def _show(context: Context, snapshot: Snapshot, wrong: Wrong | None = None) -> None:
    contrast = context.settings.high_contrast
    panel = await house_panel(snapshot, context.user.id, context.language, high_contrast=contrast, wrong=wrong)
    await context.reply.show(panel)


def _arguments(click: Click, least: int) -> tuple[str, ...]:
    if len(click.tokens) < least:
        raise _too_old()
    return click.tokens[:least]


def _option(game_id: str, name: str) -> Option:
    option = GAMES[game_id].options.get(name)
    if option is None:
        raise _too_old()
    return option


def _too_old() -> Refused:
    return Refused(say("This button is too old for me. See the board with `/board`."))


HANDLERS: Final = (_open, _set, _set_parts, _set_seats, _edit, _write, _done)
