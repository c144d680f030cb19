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
from bot.interactions.drafting import Choose, DraftPanel
from bot.interactions.handlers import handles
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from engines.text import Text, say


async def _front(context: Context, plan: TournamentPlan, wrong: Text | None, turn: int) -> MessageBuilder:
    await check_place(context, place_for_everybody(context.interaction))
    return plan_panel(plan, context.language, wrong, turn=turn)


async def _page(context: Context, plan: TournamentPlan, wrong: Text | None, turn: int, typed: str) -> MessageBuilder:
    contrast = context.settings.high_contrast
    return await plan_rules_panel(plan, context.language, high_contrast=contrast, wrong=wrong, typed=typed, turn=turn)


async def _open(context: Context, plan: TournamentPlan) -> None:
    place, title = place_for_everybody(context.interaction), str(event_title(plan))
    await open_tournament(context, place, plan.request(context.guild_id, place.id, title, has_threads=place.has_threads))


def _known(value: str, values: Container[str]) -> str:
    """Return a value if it is known. Raises LookupError otherwise."""
    if value not in values:
        raise LookupError(value)
    return value


def _number(value: str) -> int | None:
    return None if value == ANY else int(value)


_MENUS: Final[Mapping[str, Choose[TournamentPlan]]] = {
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

PANEL: Final = DraftPanel(PLAN, TournamentPlan.read, _front, _page, _open, _MENUS)
"""The panel of `/event create`. Showing it raises Refused if the user may not open any tournament here."""


@handles(f"{PLAN}-name", tokens=TOKENS)
async def _name(context: Context, _click: Click) -> None:
    """Show the form for the name. The panel below it carries what was chosen."""
    if not await context.reply.ask(name_form(PANEL.read(context), context.language)):
        raise Refused(say("That took me too long. Please press the button again."))


@handles(f"{PLAN}-named")
async def _named(context: Context, _click: Click) -> None:
    plan = PANEL.read(context)
    try:
        named = plan.named(context.entered_text(NAME))
    except Refused as refused:
        await PANEL.show(context, plan, refused.text)
        return
    await PANEL.show(context, named)


HANDLERS: Final = (_name, _named, *PANEL.handlers)
