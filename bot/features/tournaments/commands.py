"""`/event`: tournaments of a server."""

from typing import Final

from discord import app_commands

from bot.core.table.errors import Refused
from bot.core.table.settings import CLOCKS, DAY, HOUR
from bot.features.tournaments.handlers import open_tournament, show_tournament, show_tournaments
from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.service import LONGEST_NAME, Tournaments
from bot.features.tournaments.view import TournamentRequest
from bot.features.tournaments.words import FORMAT_WORDS
from bot.interactions.checks import place_for_everybody
from bot.interactions.context import respond, responder_of
from bot.interactions.games import game_choices, suggest_variants
from bot.interactions.options import read_options, suggest_options
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import suggestions
from bot.messages.builder import clip
from bot.messages.lobby import CLOCK_WORDS
from engines import GAMES
from engines.text import say

STARTS: Final = {
    "1h": (HOUR, say("in an hour")), "6h": (6 * HOUR, say("in six hours")), "1d": (DAY, say("this time tomorrow")),
    "2d": (2 * DAY, say("in two days")), "3d": (3 * DAY, say("in three days")), "7d": (7 * DAY, say("in a week")),
    "14d": (14 * DAY, say("in two weeks")), "28d": (28 * DAY, say("in four weeks")),
}  # fmt: skip
"""When a tournament can start, by the value of the choice: in how many seconds, and in words."""

event = app_commands.Group(name="event", description="Tournaments on this server", guild_only=True)


@suggestions
async def _events(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the tournaments of the server, those that are on first."""
    known = responder_of(interaction).core.service(Tournaments)
    guild_id = interaction.guild_id or 0
    found = (*await known.of_guild(guild_id), *await known.of_guild(guild_id, over=True))
    return [
        app_commands.Choice(name=clip(f"#{one.id} {one.name}", 100), value=str(one.id))
        for one in found
        if current.lower() in f"#{one.id} {one.name}".lower()
    ][:25]


@event.command(name="create", description="Open a tournament")
@app_commands.describe(
    game="Which game",
    chosen="Who plays whom",
    name="Its name",
    variant="Which variant; leave it empty for the usual one",
    start="When it starts: in two days, unless you choose otherwise",
    days="How many days a round may last: seven, unless you choose otherwise",
    clock="Time for each turn: a day, unless you choose otherwise",
    players="How many players there may be",
    rated="Whether the games count for the ratings",
    timeouts="The most time-outs that players may have had lately, in percent",
    options="More options, such as rated:no or house rules of the game",
    thread="Play each game in a thread of its own: yes, unless you choose otherwise",
)
@app_commands.rename(chosen="format")
@app_commands.choices(
    game=game_choices(),
    chosen=[app_commands.Choice(name=str(words), value=one) for one, words in FORMAT_WORDS.items()],
    start=[app_commands.Choice(name=str(words), value=value) for value, (_, words) in STARTS.items()],
    clock=[app_commands.Choice(name=str(CLOCK_WORDS[seconds]), value=word) for word, seconds in CLOCKS.items() if seconds],
)
@app_commands.autocomplete(variant=suggest_variants, options=suggest_options)
async def create(
    interaction: Interaction,
    game: str,
    chosen: str,
    name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    variant: str | None = None,
    start: str | None = None,
    days: app_commands.Range[int, 1, 30] | None = None,
    clock: str | None = None,
    players: app_commands.Range[int, 3, 64] | None = None,
    rated: bool = True,
    timeouts: app_commands.Range[int, 0, 100] | None = None,
    options: str = "",
    thread: bool = True,
) -> None:
    """Open a tournament, and show its organiser what happens in trouble."""
    async with respond(interaction) as context:
        if start is not None and start not in STARTS:
            raise Refused(say("Pick one of the suggested times."))
        place = place_for_everybody(interaction)
        title = f"{GAMES[game].title}: {FORMAT_WORDS[chosen]}" if game in GAMES and chosen in FORMATS else game
        request = TournamentRequest(
            guild_id=context.guild_id, channel_id=place.id, name=title if name is None else name, game=game,
            format=chosen, variant=variant, most=players, clock=CLOCKS.get(clock or "1d") or int(DAY),
            round_seconds=int((days or 7) * DAY), starts_in=STARTS[start or "2d"][0], rated=rated, most_late=timeouts,
            options=read_options(options, GAMES.get(game)),
            threaded=thread and place.has_threads,
        )  # fmt: skip
        await open_tournament(context, place, request)


@event.command(name="show", description="See a tournament: your games, the table, how it goes")
@app_commands.describe(named="Which event; leave it empty if there’s only one")
@app_commands.rename(named="event")
@app_commands.autocomplete(named=_events)
async def show(interaction: Interaction, named: str | None = None) -> None:
    """Show the user a tournament; without a name, the only one that is on, or all of them."""
    async with respond(interaction) as context:
        if named is None:
            on = await context.core.service(Tournaments).of_guild(context.guild_id)
            if len(on) == 1:
                await show_tournament(context, on[0].id)
            else:
                await show_tournaments(context)
            return
        number = named.strip().removeprefix("#").split(" ")[0]
        if not (number.isascii() and number.isdigit() and len(number) < 19):
            raise Refused(say("Pick one of the suggested events."))
        await show_tournament(context, int(number))


@event.command(name="list", description="See all tournaments here")
async def list_all(interaction: Interaction) -> None:
    """Show the user the tournaments of the server."""
    async with respond(interaction) as context:
        await show_tournaments(context)


COMMANDS: Final = (event,)
