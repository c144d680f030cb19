"""Planning a tournament in a private panel, and opening it."""

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Final

from bot.core.table.errors import Refused
from bot.core.table.request import variant_of
from bot.core.table.settings import CLOCKS
from bot.features.tournaments.handlers import check_place, open_tournament
from bot.features.tournaments.plan import STARTS, TournamentPlan
from bot.features.tournaments.plan_messages import ANY, NAME, PLAN, event_title, name_form, plan_panel, plan_rules_panel
from bot.features.tournaments.rules.formats import FORMATS
from bot.interactions.checks import place_for_everybody
from bot.interactions.context import Context
from bot.interactions.drafting import ANY as TOKENS
from bot.interactions.drafting import Choose, OptionPage, menu_handlers
from bot.interactions.handlers import handles, too_old
from bot.messages.click import Click, TooLong
from bot.messages.drafts import TOO_MUCH, draft_in, too_much, turn_in
from engines.text import Text, say


async def show_plan(context: Context, plan: TournamentPlan, wrong: Text | None = None) -> None:
    """Show an organiser the panel in which they plan a tournament. Raises Refused if they may not open any here."""
    await check_place(context, place_for_everybody(context.interaction))
    try:
        turn = turn_in(context.interaction.message, PLAN, refused=wrong is not None)
        message = plan_panel(plan, context.language, wrong, turn=turn)
    except TooLong:
        message = too_much(context.language)
    await context.reply.show(message)


async def _show_rules(context: Context, plan: TournamentPlan, wrong: Text | None = None, typed: str = "") -> None:
    contrast = context.settings.high_contrast
    try:
        turn = turn_in(context.interaction.message, PLAN, refused=wrong is not None)
        message = await plan_rules_panel(plan, context.language, high_contrast=contrast, wrong=wrong, typed=typed, turn=turn)
    except TooLong:
        await show_plan(context, _plan(context), TOO_MUCH)
        return
    await context.reply.show(message)


def _plan(context: Context) -> TournamentPlan:
    """Return the plan carried by the clicked panel. Raises Refused if it carries none."""
    plan = TournamentPlan.read(draft_in(context.interaction.message, PLAN))
    if plan is None:
        raise too_old(context.interaction)
    return plan


@handles(f"{PLAN}-open", tokens=TOKENS)
async def _open(context: Context, _click: Click) -> None:
    """Open the tournament, or show the panel with the reason if that is not possible."""
    plan, place = _plan(context), place_for_everybody(context.interaction)
    title = str(event_title(plan))
    try:
        await open_tournament(context, place, plan.request(context.guild_id, place.id, title, has_threads=place.has_threads))
    except Refused as refused:
        if refused.names:
            raise
        await show_plan(context, plan, refused.text)


@handles(f"{PLAN}-back", tokens=TOKENS)
async def _back(context: Context, _click: Click) -> None:
    await show_plan(context, _plan(context))


@handles(f"{PLAN}-name", tokens=TOKENS)
async def _name(context: Context, _click: Click) -> None:
    """Show the form for the name. The panel below it carries the choices."""
    if not await context.reply.ask(name_form(_plan(context), context.language)):
        raise Refused(say("That took me too long. Please press the button again."))


@handles(f"{PLAN}-named")
async def _named(context: Context, _click: Click) -> None:
    plan = _plan(context)
    try:
        named = plan.named(context.entered_text(NAME))
    except Refused as refused:
        await show_plan(context, plan, refused.text)
        return
    await show_plan(context, named)


# --- the menus ------------------------------------------------------------------------------------------------------------


def _known(value: str, values: Container[str]) -> str:
    """Return a value if it is a known one. Raises LookupError."""
    if value not in values:
        raise LookupError(value)
    return value


def _number(value: str) -> int | None:
    return None if value == ANY else int(value)


MENUS: Final[Mapping[str, Choose[TournamentPlan]]] = {
    "game": lambda plan, values: plan.with_game(values[0]),
    "format": lambda plan, values: replace(plan, format=_known(values[0], FORMATS), players=None),
    "variant": lambda plan, values: replace(plan, variant=variant_of(plan.rules, values[0])),
    "start": lambda plan, values: replace(plan, start=_known(values[0], STARTS)),
    "clock": lambda plan, values: replace(plan, clock=_known(values[0], CLOCKS)),
    "days": lambda plan, values: replace(plan, days=int(values[0])),
    "players": lambda plan, values: replace(plan, players=_number(values[0])),
    "timeouts": lambda plan, values: replace(plan, timeouts=_number(values[0])),
    "extras": lambda plan, values: replace(plan, rated="rated" in values, thread="thread" in values),
}

HANDLERS: Final = (
    _open, _back, _name, _named, *menu_handlers(PLAN, _plan, show_plan, MENUS), *OptionPage(PLAN, _plan, _show_rules).handlers,
)  # fmt: skip
