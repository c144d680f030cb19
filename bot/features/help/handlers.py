"""Handles `/rules` and `/help`, and clicks in their pages."""

from contextlib import suppress
from typing import Final

from discord import app_commands

from bot.core.table.errors import SessionError
from bot.features.help import messages as pages
from bot.features.help.messages import rules_message
from bot.features.help.topics import suggested
from bot.interactions.context import Context, respond, responder_of
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import game_choices, suggestions
from bot.interactions.tables import way_back
from bot.messages.builder import clip, plain_words
from bot.messages.click import Click, is_number
from bot.messages.rulebook import pages_about, rules_pages
from engines import GAMES


async def show_rules(context: Context, game_id: str, page: int = 0, table_id: int = 0) -> None:
    """Show a page of a game's rules, from 0. *Back* leads to the table whose *More* opened the rules, or back to the game."""
    contrast, back = context.settings.high_contrast, await _back_from_rules(context, table_id) if table_id else None
    message = await rules_message(game_id, page, context.language, table=table_id, back=back, high_contrast=contrast)
    await context.reply.show(message)


async def _back_from_rules(context: Context, table_id: int) -> Click:
    with suppress(SessionError):  # the rules can be read even if the table no longer exists
        snapshot = await context.snapshot(table_id)
        if snapshot.is_alone and (way := way_back(context, snapshot)) is not None:
            return way
    return Click("more", table_id)


@handles("rules", tokens=Tokens((is_word,)))
async def _rules(context: Context, click: Click) -> None:
    await show_rules(context, click.tokens[0], click.page, click.table)


@handles("rules-page", tokens=Tokens((is_word, is_number)))
async def _rules_page(context: Context, click: Click) -> None:
    """Show the page chosen from the list of titles, whose number is the last token."""
    game_id, number = click.tokens
    await show_rules(context, game_id, int(number), click.table)


HANDLERS: Final = (_rules, _rules_page)


@suggestions
async def _pages(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    game = str(getattr(interaction.namespace, "game", "") or "")
    if game not in GAMES:
        return []
    language = await responder_of(interaction).private_language(interaction)
    titles = [page.title for page in rules_pages(game, language)]
    found = pages_about(game, current, language)
    return [app_commands.Choice(name=f"{number + 1} · {titles[number]}", value=str(number + 1)) for number in found]


@app_commands.command(name="rules", description="Learn how a game is played, with pictures")
@app_commands.guild_only()
@app_commands.describe(game="Which game", page="Which page, by its number or title")
@app_commands.choices(game=game_choices())
@app_commands.autocomplete(page=_pages)
async def rules(interaction: Interaction, game: str, page: str | None = None) -> None:
    """Show a page of a game's rules, the first one if none is named."""
    async with respond(interaction) as context:
        number = 0 if page is None else pages.page_number(game, page, context.language)
        await show_rules(context, game, number)


@suggestions
async def _topics(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    language = await responder_of(interaction).private_language(interaction)
    return [
        app_commands.Choice(name=clip(f"{topic.name} · {plain_words(language(topic.about))}", 100), value=topic.name)
        for topic in suggested(current, language)[:25]
    ]


@app_commands.command(name="help", description="See what I can do, and find it")
@app_commands.guild_only()
@app_commands.describe(about="What you’re looking for, such as “leaderboard” or “give up”")
@app_commands.autocomplete(about=_topics)
async def help_(interaction: Interaction, about: str | None = None) -> None:
    """Show what the bot can do, or what it knows about a topic."""
    async with respond(interaction) as context:
        if about is None:
            await context.reply.show(pages.help_message(context.language))
        else:
            await context.reply.show(pages.about_message(about, context.language))


COMMANDS: Final[tuple[Command, ...]] = (rules, help_)
