"""The panel of house rules, where a table's host chooses its options until others join."""

from collections.abc import Mapping
from typing import Final

from bot.core.table.errors import Refused, SessionError
from bot.core.table.options import tidy_typed
from bot.core.table.snapshot import Snapshot
from bot.core.terms import Terms, why_fixed
from bot.features.house_rules.messages import FailedAttempt, house_done, house_form, house_panel
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word, too_old
from bot.messages.click import Click, is_number
from bot.messages.option_menus import CODE, code_shown, with_group
from bot.messages.terms import own_options
from bot.outbox.access import shown_texts
from engines import GAMES
from engines.game import Option
from engines.text import say


@handles("house")
async def _open(context: Context, click: Click) -> None:
    await _show(context, await context.snapshot(click.table))


@handles("house-set", tokens=Tokens((is_word, is_word)))
async def _set(context: Context, click: Click) -> None:
    name, value = click.tokens
    await _change(context, click, {name: value})


@handles("house-parts", tokens=Tokens((is_word, is_number), more=is_word))
async def _set_parts(context: Context, click: Click) -> None:
    name, number, *chosen = click.tokens
    table = (await context.fresh(click.table)).table
    option = _option(table.game, name)
    if int(number) >= len(option.parts):
        raise too_old()
    value = own_options(table).get(name, option.values[0])
    await _change(context, click, {name: with_group(option, value, int(number), chosen)})


@handles("house-seats", tokens=Tokens((is_number,)))
async def _set_seats(context: Context, click: Click) -> None:
    await _change(context, click, {}, seats=int(click.tokens[0]))


@handles("house-edit", tokens=Tokens((is_word,)))
async def _edit(context: Context, click: Click) -> None:
    (name,) = click.tokens
    snapshot = await context.snapshot(click.table)
    _option(snapshot.table.game, name)
    if (reason := why_fixed(snapshot, context.user.id)) is not None:
        raise Refused(reason, snapshot.names)
    message = context.interaction.message
    entered = "" if message is None else code_shown(shown_texts(message))
    form = house_form(snapshot.table, name, entered, context.language)
    if not await context.reply.ask(form):
        raise Refused(say("That took me too long. Please press the button again."))


@handles("house-code", tokens=Tokens((is_word,)))
async def _write(context: Context, click: Click) -> None:
    (name,) = click.tokens
    typed = context.entered_text(CODE)
    option = _option((await context.snapshot(click.table)).table.game, name)
    await _change(context, click, {name: tidy_typed(option, typed)}, typed=typed)


@handles("house-done")
async def _finish(context: Context, click: Click) -> None:
    await context.reply.show(house_done(await context.snapshot(click.table), context.language))


async def _change(
    context: Context, click: Click, options: Mapping[str, str], *, seats: int | None = None, typed: str = ""
) -> None:
    """Change the house rules and show the table. If the change is impossible, show the reason and the typed text instead."""
    try:
        snapshot = await context.core.service(Terms).change(click.table, context.user, options, seats)
    except SessionError as error:
        await _show(context, await context.fresh(click.table), FailedAttempt(error.text, typed))
        return
    async with context.delivering(click.table):
        await _show(context, snapshot)


async def _show(context: Context, snapshot: Snapshot, wrong: FailedAttempt | None = None) -> None:
    contrast = context.settings.high_contrast
    panel = await house_panel(snapshot, context.user.id, context.language, high_contrast=contrast, wrong=wrong)
    await context.reply.show(panel)


def _option(game_id: str, name: str) -> Option:
    option = GAMES[game_id].options.get(name)
    if option is None:
        raise too_old()
    return option


HANDLERS: Final = (_open, _set, _set_parts, _set_seats, _edit, _write, _finish)
