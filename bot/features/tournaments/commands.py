"""`/event`: a server's tournaments."""

from typing import Final

from discord import app_commands

from bot.core.table.errors import Refused
from bot.core.table.request import require_game
from bot.features.tournaments.handlers import show_tournament, show_tournaments
from bot.features.tournaments.plan import TournamentPlan
from bot.features.tournaments.plan_handlers import PANEL
from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.service import LONGEST_NAME, Tournaments
from bot.features.tournaments.words import FORMAT_WORDS
from bot.interactions.context import respond, responder_of
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import game_choices, suggestions
from bot.messages.builder import clip
from engines.text import say

event = app_commands.Group(name="event", description="Tournaments on this server", guild_only=True)


@suggestions
async def _events(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the server's tournaments, the current ones first."""
    known = responder_of(interaction).core.service(Tournaments)
    guild_id = interaction.guild_id or 0
    found = (*await known.of_guild(guild_id), *await known.of_guild(guild_id, over=True))
    return [
        app_commands.Choice(name=clip(f"#{one.id} {one.name}", 100), value=str(one.id))
        for one in found
        if current.lower() in f"#{one.id} {one.name}".lower()
    ][:25]


@event.command(name="create", description="Plan a tournament, then open it")
@app_commands.describe(game="Which game", chosen="Who plays whom", name="Its name")
@app_commands.rename(chosen="format")
@app_commands.choices(
    game=game_choices(), chosen=[app_commands.Choice(name=str(words), value=one) for one, words in FORMAT_WORDS.items()]
)
async def create(
    interaction: Interaction, game: str, chosen: str, name: app_commands.Range[str, 1, LONGEST_NAME] | None = None
) -> None:
    """Show an organiser the panel in which they plan and open a tournament."""
    async with respond(interaction) as context:
        require_game(game)
        if chosen not in FORMATS:
            raise Refused(say("There’s no such format."))
        plan = TournamentPlan(game=game, format=chosen)
        await PANEL.show(context, plan if name is None else plan.named(name))


@event.command(name="show", description="See the tournaments here: your games, the standings, how they go")
@app_commands.describe(named="Which event; leave it empty to see all of them")
@app_commands.rename(named="event")
@app_commands.autocomplete(named=_events)
async def show(interaction: Interaction, named: str | None = None) -> None:
    """Show the user a tournament. By default, show the server's only one, or the list of all."""
    async with respond(interaction) as context:
        if named is None:
            events = context.core.service(Tournaments)
            every = (*await events.of_guild(context.guild_id), *await events.of_guild(context.guild_id, over=True))
            if len(every) == 1:
                await show_tournament(context, every[0].id)
            else:
                await show_tournaments(context)
            return
        number = named.strip().removeprefix("#").split(" ")[0]
        if not (number.isascii() and number.isdigit() and len(number) < 19):
            raise Refused(say("Pick one of the suggested events."))
        await show_tournament(context, int(number))


COMMANDS: Final = (event,)
