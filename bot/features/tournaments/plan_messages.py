"""The private panel in which an organiser plans a tournament, and its page for house rules."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.request import variant_of
from bot.core.table.settings import CLOCKS
from bot.features.tournaments.plan import STARTS, TournamentPlan
from bot.features.tournaments.service import LONGEST_NAME
from bot.features.tournaments.words import FORMAT_WORDS, HOW_IT_GOES
from bot.i18n.language import Language
from bot.messages.builder import ERROR_COLOUR, OPTION_LIMIT, MessageBuilder, button, clip, escape
from bot.messages.click import Click
from bot.messages.drafts import Draft
from bot.messages.form import Form, TextField
from bot.messages.lobby import CLOCK_WORDS
from bot.messages.option_menus import OptionMenus, options_page
from bot.messages.terms import HOUSE_RULES, has_house_rules, rules_words
from engines import GAMES
from engines.text import Text, plain, say, say_n

PLAN: Final = "event-plan"
"""The prefix of the verbs in this panel."""

NAME: Final = "name"
"""The custom_id of the field for the name."""

ANY: Final = "any"
"""The option that stands for no limit."""

DAYS: Final = (*range(1, 15), 16, 18, 20, 21, 22, 24, 25, 26, 27, 28, 30)
"""How many days a round may last, with as many options as a menu has room for."""

PLAYERS: Final = (*range(3, 11), 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64)
"""The limits on the number of players that can be chosen."""

TIMEOUTS: Final = (0, 2, 5, 10, 15, 20, 25, 30, 40, 50, 75)
"""The limits on time-outs that can be chosen, in percent."""

EXTRAS: Final[Mapping[str, Text]] = {"rated": say("Counts for the ratings"), "thread": say("Each game in a thread of its own")}
"""Further choices, of which any number can be made."""


def event_title(plan: TournamentPlan) -> Text:
    """Return the name of an event for which no name was chosen."""
    return say("{game}: {format}", game=GAMES[plan.game].title, format=FORMAT_WORDS[plan.format])


def plan_panel(plan: TournamentPlan, language: Language, wrong: Text | None = None, *, turn: int = 0) -> MessageBuilder:
    """Return the panel: a menu for each choice, and *Open the event*. `wrong` says why the last choice is impossible."""
    draft, game = Draft(PLAN, plan.chosen, turn), plan.rules
    builder = MessageBuilder(colour=None if wrong is None else ERROR_COLOUR)
    name = plain(escape(plan.name)) if plan.name else event_title(plan)
    least = plan.pairing.fewest
    needs = say_n("It takes at least {n} player.", "It takes at least {n} players.", least)
    builder.text(language(say("### 🏆 {name}\n{how} {needs} Nothing is posted before *Open the event*.", name=name,
                              how=HOW_IT_GOES.get(plan.format, plain("")), needs=needs)))  # fmt: skip
    if wrong is not None:
        builder.text(language(wrong))

    def add(kind: str, title: Text, options: Mapping[str, Text], chosen: Iterable[str], *, many: bool = False) -> None:
        builder.select(_menu(draft.click(kind), language(title), options, chosen, language, many=many))

    add("game", say("Which game?"), {one.id: plain(one.title) for one in GAMES.values()}, [plan.game])
    add("format", say("Who plays whom?"), FORMAT_WORDS, [plan.format])
    if len(game.variants) > 1:
        variants = {one: say("Variant: {variant}", variant=game.variant_titles[one]) for one in game.variants}
        add("variant", say("Variant"), variants, [variant_of(game, plan.variant)])
    add("start", say("Start"), {one: say("Starts {when}", when=words) for one, (_, words) in STARTS.items()}, [plan.start])
    add("clock", say("Time for a turn"), {one: CLOCK_WORDS[secs] for one, secs in CLOCKS.items() if secs}, [plan.clock])
    days = {str(n): say_n("A round lasts {n} day at most", "A round lasts {n} days at most", n) for n in DAYS}
    add("days", say("Days for a round"), days, [str(plan.days)])
    add("players", say("Players"), _players(plan), [str(plan.players or ANY)])
    late = {ANY: say("Anybody, however often they run out of time")} | {
        str(n): say("At most {n}% time-outs", n=n) for n in TIMEOUTS
    }
    add("timeouts", say("Time-outs"), late, [ANY if plan.timeouts is None else str(plan.timeouts)])
    on = [name for name, chosen in (("rated", plan.rated), ("thread", plan.thread)) if chosen]
    add("extras", say("Anything else"), EXTRAS, on, many=True)
    builder.text(language(rules_words(game, plan.options)))
    buttons = [
        button(language(say("Open the event")), draft.click("open").custom_id, discord.ButtonStyle.success),
        button(language(say("Name …")), draft.click("name").custom_id),
    ]
    buttons += [button(language(HOUSE_RULES), draft.click("rules").custom_id)] if has_house_rules(game) else []
    builder.buttons(buttons)
    draft.finish()
    return builder


async def plan_rules_panel(
    plan: TournamentPlan, language: Language, *, high_contrast: bool, wrong: Text | None = None, typed: str = "", turn: int = 0
) -> MessageBuilder:
    """Return the page for house rules. `wrong` says why the last choice is impossible, and `typed` is the code typed for it."""
    draft, seats = Draft(PLAN, plan.chosen, turn), plan.pairing.system.largest
    menus = OptionMenus(
        game=plan.rules, variant=variant_of(plan.rules, plan.variant), wanted=seats, seats=[seats],
        options={name: value for name, value in plan.options.items() if name in plan.rules.options}, language=language,
        click=draft.click,
    )  # fmt: skip
    message = await options_page(menus, draft.click("back"), high_contrast=high_contrast, wrong=wrong, typed=typed)
    draft.finish()
    return message


def name_form(plan: TournamentPlan, language: Language) -> Form:
    """Return the form for an event's name."""
    click = Click(f"{PLAN}-named")
    line = TextField(name=NAME, label=say("Name"), most=LONGEST_NAME)
    return Form(language(say("The event’s name")), click.custom_id, line.part(language, (plan.name,), marked=False))


def _players(plan: TournamentPlan) -> dict[str, Text]:
    chosen = plan.pairing
    words = {ANY: say("Up to {n} players, as many as the format takes", n=chosen.most)}
    fitting = (n for n in PLAYERS if chosen.fewest <= n < chosen.most or n == plan.players)
    return words | {str(n): say("Up to {n} players", n=n) for n in fitting}


def _menu(
    click: Click, placeholder: str, options: Mapping[str, Text], chosen: Iterable[str], language: Language, *, many: bool
) -> "ui.Select[Any]":
    known = set(chosen)
    return ui.Select(
        custom_id=click.custom_id, placeholder=placeholder, min_values=int(not many), max_values=len(options) if many else 1,
        required=not many,
        options=[
            discord.SelectOption(label=clip(label[:1].upper() + label[1:], OPTION_LIMIT), value=value, default=value in known)
            for value, label in ((value, language(words)) for value, words in options.items())
        ],
    )  # fmt: skip
