"""The private panel of house rules: the starting position, and a menu for each option of the game."""

from dataclasses import dataclass
from zlib import crc32

import discord

from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark, why_fixed
from bot.i18n.language import Language
from bot.messages.builder import ERROR_COLOUR, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.form import Form
from bot.messages.option_menus import OptionMenus, code_form
from bot.messages.players import names
from bot.messages.terms import own_options
from engines import GAMES
from engines.text import Text, say
from storage.schema.records import Table


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """A change that was impossible: the reason, and the code typed for it, if any, which is shown again for correction."""

    reason: Text
    typed: str = ""


async def house_panel(
    snapshot: Snapshot, user_id: int, language: Language, *, high_contrast: bool = False, wrong: FailedAttempt | None = None
) -> MessageBuilder:
    """Return a table's panel of house rules, with menus for those who may change them. `wrong` is a failed attempt to do so."""
    table, reason = snapshot.table, why_fixed(snapshot, user_id)
    menus, typed = _menus(snapshot, language, wrong), "" if wrong is None else wrong.typed
    builder = MessageBuilder(colour=None if wrong is None else ERROR_COLOUR)
    builder.text(f"### {language(_title(table))}\n{menus.summary()}")
    builder.picture(await menus.preview(high_contrast=high_contrast))
    if wrong is not None:
        builder.text(language(wrong.reason))
    if reason is not None:
        menus.add_codes(builder, typed)
        return builder.text(language(reason, names(snapshot))).buttons(menus.rules_button())
    menus.add_to(builder, typed, hints=not typed)
    done = button(language(say("Done")), Click("house-done", table.id).custom_id, discord.ButtonStyle.success)
    return builder.buttons([*menus.edit_buttons(), *menus.rules_button(), done])


def _menus(snapshot: Snapshot, language: Language, wrong: FailedAttempt | None = None) -> OptionMenus:
    table = snapshot.table
    # If a menu keeps its custom_id, Discord goes on showing the last choice, even if it was impossible.
    state = crc32(repr((terms_mark(table), wrong)).encode())

    def click(kind: str, *arguments: str) -> Click:
        return Click(f"house-{kind}", table.id, 0 if kind == "edit" else state, tokens=arguments)

    game, taken = GAMES[table.game], len(snapshot.players) + len(snapshot.invited)
    return OptionMenus(
        game=game, variant=table.variant, wanted=table.wanted, seats=[n for n in game.seats if n >= taken],
        options=own_options(table), language=language, click=click, table=table.id,
    )  # fmt: skip


def house_done(snapshot: Snapshot, language: Language) -> MessageBuilder:
    """Return the finished panel, which shows the chosen house rules."""
    return MessageBuilder().text(f"**{language(_title(snapshot.table))}**\n{_menus(snapshot, language).summary()}")


def house_form(table: Table, name: str, entered: str, language: Language) -> Form:
    """Return the form in which the code of an option is typed."""
    return code_form(Click("house-code", table.id, tokens=(name,)).custom_id, entered, language)


def _title(table: Table) -> Text:
    return say("House rules of table #{n}", n=table.id)
