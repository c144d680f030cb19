"""`/play`: opening a table."""

from typing import Final

import discord
from discord import app_commands

from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.places import Places
from bot.core.table.errors import Refused
from bot.core.table.request import TableRequest
from bot.core.table.settings import CLOCKS
from bot.features.computers.messages import practice_words
from bot.features.playing.handlers import show_begun
from bot.i18n.language import Language, language
from bot.interactions.checks import (
    check_channel,
    check_permissions,
    check_players,
    check_private,
    check_seen,
    in_own_thread,
    place_here,
)
from bot.interactions.context import Context, people, respond
from bot.interactions.games import game_choices, suggest_variants
from bot.interactions.options import read_options, suggest_options
from bot.interactions.reply import Command, Interaction
from bot.messages.lobby import asks_threads, lobby_message, threads_question
from bot.messages.players import LEVEL_WORDS, read_level
from engines import GAMES
from engines.text import echoed, say
from storage.schema.records import Level

# --- autocomplete ---------------------------------------------------------------------------------------------------------


# --- the command ----------------------------------------------------------------------------------------------------------


@app_commands.command(name="play", description="Start a game")
@app_commands.guild_only()
@app_commands.describe(
    game="Which game",
    variant="Which variant",
    opponent="Who to invite",
    opponent2="Who else to invite",
    opponent3="Who else to invite",
    opponent4="Who else to invite",
    opponent5="Who else to invite",
    computer="Play against a computer of this strength; with seats, computers fill all the others",
    seats="How many can play",
    clock="Time for each turn",
    strict="No overtime: in a game of two, the first missed deadline loses",
    thread="Play in a thread of its own",
    private="Play in a private thread for those you invite; with computers alone, unseen by anybody",
    options="More options, such as order:shuffled",
)
@app_commands.choices(
    game=game_choices(),
    computer=[app_commands.Choice(name=str(label), value=level) for level, label in LEVEL_WORDS.items()],
    clock=[
        app_commands.Choice(name="no clock", value="none"),
        app_commands.Choice(name="1 hour a turn", value="1h"),
        app_commands.Choice(name="8 hours a turn", value="8h"),
        app_commands.Choice(name="1 day a turn", value="1d"),
        app_commands.Choice(name="3 days a turn", value="3d"),
        app_commands.Choice(name="7 days a turn", value="7d"),
    ],
)
@app_commands.autocomplete(variant=suggest_variants, options=suggest_options)
async def play(
    interaction: Interaction,
    game: str,
    variant: str | None = None,
    opponent: discord.Member | None = None,
    opponent2: discord.Member | None = None,
    opponent3: discord.Member | None = None,
    opponent4: discord.Member | None = None,
    opponent5: discord.Member | None = None,
    computer: str | None = None,
    seats: app_commands.Range[int, 1, 6] | None = None,
    clock: str | None = None,
    strict: bool = False,
    thread: bool | None = None,
    private: bool = False,
    options: str = "",
) -> None:
    """Open a table, in a thread of its own if the user or the server wants one."""
    invited = [m for m in (opponent, opponent2, opponent3, opponent4, opponent5) if m is not None]
    solo = private and computer is not None and not invited
    async with respond(interaction, public=not solo) as context:
        server = await context.core.service(Users).server(context.guild_id)
        own_thread = not solo and (private or in_own_thread(interaction, server.threads if thread is None else thread))
        check_players(invited, interaction)
        check_channel(server, interaction)
        place = interaction.channel_id or 0
        if solo:
            pass  # nothing is posted, which needs no permission
        elif private:
            place = check_private(interaction)
        else:
            check_permissions(interaction, place_here(interaction), thread=own_thread, answered=True)
        await check_seen(context, place, people(invited))
        wanted = TableRequest(
            guild_id=context.guild_id,
            channel_id=interaction.channel_id or 0,
            game=game,
            variant=variant,
            options=read_options(options, GAMES.get(game)),
            opponents=people(invited),
            seats=seats,
            computers=_computers(computer, seats, len(invited)),
            clock=None if solo else server.clock if clock is None else _read_clock(clock),
            strict=strict,
            most_tables=server.most_tables,
            private=private,
            solo=solo,
            threaded=own_thread,
            interaction_id=interaction.id,
            asks_threads=(
                interaction.permissions.manage_guild and not (server.threads or private) and server.threads_asked is None
            ),
            answered=not solo,
        )
        await _open(context, wanted, language(server.language))


async def _open(context: Context, wanted: TableRequest, public: Language) -> None:
    """Open the table and answer with its lobby message. The outbox does the rest, also if the bot is stopped before.

    A table that has that message already was opened, and the answer given, by another process.
    """
    snapshot = await context.core.service(Lobby).open(context.user, wanted)
    if wanted.solo:
        await show_begun(context, snapshot, practice_words(snapshot, context.language))
    elif snapshot.table.lobby_message_id is None:
        message_id = await context.reply.show(await lobby_message(snapshot, public))
        await context.core.service(Places).record_answer(snapshot.table.id, message_id)
        if asks_threads(snapshot):
            await context.reply.followup(threads_question(snapshot.table.id, context.language))
    await context.deliver(snapshot.table.id)


# --- checking the request -------------------------------------------------------------------------------------------------


def _computers(level: str | None, seats: int | None, invited: int) -> tuple[Level, ...]:
    """Return the computers at a table: one, or with `seats` one for each seat that is left. Raises Refused if none is left."""
    if level is None:
        return ()
    left = 1 if seats is None else seats - 1 - invited
    if left < 1:
        raise Refused(say("There’s no seat left for a computer. Choose more `seats`, or invite fewer people."))
    return (read_level(level),) * left


def _read_clock(clock: str) -> int | None:
    if clock not in CLOCKS:
        raise Refused(say("There’s no clock “{clock}”. Pick from: {clocks}.", clock=echoed(clock), clocks=", ".join(CLOCKS)))
    return CLOCKS[clock] or None


COMMANDS: Final[tuple[Command, ...]] = (play,)
