"""The message of a table that waits for its players."""

import discord

from bot.i18n.language import Language
from bot.messages.board import COLOURS, MARKS
from bot.messages.builder import Button, Sheet, button, escaped
from bot.messages.click import Click
from bot.sessions import Glance
from engines import GAMES
from engines.chance import seed_hash
from engines.text import Text, join, plain, say, say_n
from storage.records import Status

CLOCK_WORDS = {
    0: say("no clock"),
    3600: say("1 hour a turn"), 28800: say("8 hours a turn"), 86400: say("1 day a turn"),
          259200: say("3 days a turn"), 604800: say("7 days a turn")}  # fmt: skip


def lobby_sheet(glance: Glance, language: Language) -> Sheet:
    """The table's message: who sits there, who is invited, what is played, and the buttons to come and go."""
    table = glance.table
    game = GAMES[table.game]
    sheet = Sheet(colour=COLOURS[0] if table.status is Status.OPEN else None)
    sheet.text(f"### {language(game.title)} #{table.id}\n{language(game.summary)}")
    sheet.text(language(join(_terms(glance), " · ")))
    sheet.text(language(join(_people(glance))))
    match table.status:
        case Status.OPEN:
            return sheet.buttons(_buttons(glance, language))
        case Status.CLOSED:
            return sheet.text(language(say("This table is closed.")))
        case _:
            return sheet.text(language(_started(glance)))


def _terms(glance: Glance) -> list[Text]:
    table = glance.table
    game = GAMES[table.game]
    terms = [say("Variant: {variant}", variant=game.variant_titles[table.variant])]
    terms.append(CLOCK_WORDS.get(table.clock or 0, say("another clock")))
    if table.private:
        terms.append(say("only for those invited"))
    if not table.rated:
        terms.append(say("not rated"))
    terms += [plain(f"{name}:{value}") for name, value in table.options.items() if name != "rated"]
    return terms


def _people(glance: Glance) -> list[Text]:
    lines = [join([MARKS[i], escaped(name)], " ") for i, name in enumerate(glance.names)]
    lines += [say("… {who} is invited", who=f"<@{p.user_id}>") for p in glance.invited]
    if glance.free and glance.table.status is Status.OPEN:
        lines.append(say_n("… one seat is free", "… {n} seats are free", glance.free))
    return lines


def _started(glance: Glance) -> Text:
    seed = glance.table.seed
    if seed is None:
        return say("The game has begun.")
    return say("The game has begun. Seed hash: `{hash}`", hash=seed_hash(seed))


def _buttons(glance: Glance, language: Language) -> list[Button]:
    table = glance.table
    click = Click("join", table.id)
    green, red = discord.ButtonStyle.success, discord.ButtonStyle.danger
    buttons = []
    if glance.free and not table.private:
        buttons.append(button(language(say("Join")), click.custom_id, green))
    if glance.invited:
        buttons.append(button(language(say("Accept")), Click("accept", table.id).custom_id, green))
        buttons.append(button(language(say("Decline")), Click("decline", table.id).custom_id, red))
    fewest = GAMES[table.game].seats[0]
    buttons.append(
        button(language(say("Start")), Click("start", table.id).custom_id, discord.ButtonStyle.primary,
               disabled=len(glance.players) < fewest)
    )  # fmt: skip
    buttons.append(button(language(say("Leave")), Click("leave", table.id).custom_id))
    return buttons
