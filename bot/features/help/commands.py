"""`/rules`, `/help`: pages to read. `/learn`: lessons to play."""

from typing import Final

from discord import app_commands

from bot.features.help import messages as pages
from bot.features.lessons import handlers as lessons
from bot.features.lessons.courses import COURSES
from bot.features.playing import looking
from bot.interactions.context import respond, responder_of
from bot.interactions.games import game_choices
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import suggestions
from bot.messages.rulebook import pages_about, rules_pages
from engines import GAMES


@suggestions
async def _pages(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the pages of the chosen game's rules, by their titles."""
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
    """Show a page of a game's rules; the first one if none is named."""
    async with respond(interaction) as context:
        number = 0 if page is None else pages.page_number(game, page, context.language)
        await looking.show_rules(context, game, number)


@app_commands.command(name="learn", description="Learn a game by playing, step by step")
@app_commands.guild_only()
@app_commands.describe(game="Which game")
@app_commands.choices(game=game_choices(COURSES))
async def learn(interaction: Interaction, game: str) -> None:
    """Open the lessons of a game at the one that the user has reached."""
    async with respond(interaction) as context:
        await lessons.open_lessons(context, game)


@app_commands.command(name="help", description="See what I can do")
@app_commands.guild_only()
async def help_(interaction: Interaction) -> None:
    """Show what the bot can do."""
    async with respond(interaction) as context:
        await context.reply.show(pages.help_message(context.language))


COMMANDS: Final[tuple[Command, ...]] = (rules, learn, help_)
