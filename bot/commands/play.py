"""`/play`: opening a table."""

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import app_commands

from bot.commands.table_options import Typing, read_options
from bot.i18n.language import Language, language
from bot.interactions.context import Context, people, respond, responder_of
from bot.interactions.private_thread import check_sees, parent_of
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import suggestions
from bot.messages.builder import clipped, escaped
from bot.messages.lobby import lobby_message
from bot.outbox.permissions import missing_permissions
from bot.sessions import TableRequest
from bot.sessions.errors import Refused
from bot.sessions.settings import CLOCKS, ServerSettings
from engines import GAMES
from engines.game import Game
from engines.text import Text, echoed, join, plain, say

_OPPONENTS: Final = ("opponent", "opponent2", "opponent3", "opponent4", "opponent5")

# --- autocomplete ---------------------------------------------------------------------------------------------------------


@suggestions
async def _variants(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The variants of the chosen game."""
    game = GAMES.get(str(getattr(interaction.namespace, "game", "") or ""))
    lang = await responder_of(interaction).private_language(interaction)
    found = [(lang(g.variant_titles[v]), v) for g in ([game] if game else GAMES.values()) for v in g.variants]
    return [
        app_commands.Choice(name=clipped(title, 100), value=variant)
        for title, variant in found
        if current.lower() in title.lower() or current.lower() in variant
    ][:25]


@suggestions
async def _options(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The options that may be added to those typed so far."""
    chosen = interaction.namespace
    game = GAMES.get(str(getattr(chosen, "game", "") or ""))
    typing = Typing(
        game=game,
        variant=str(getattr(chosen, "variant", "") or "") or None,
        seats=_possible_seats(chosen, game) if game is not None else (),
        language=await responder_of(interaction).private_language(interaction),
    )
    return [app_commands.Choice(name=name, value=value) for name, value in typing.suggested(current)]


def _possible_seats(chosen: app_commands.Namespace, game: Game[Any, Any]) -> Sequence[int]:
    """The numbers of seats that the table can have by what was typed so far."""
    invited = sum(1 for name in _OPPONENTS if getattr(chosen, name, None) is not None)
    wanted = getattr(chosen, "seats", None) or (max(1 + invited, game.seats[0]) if invited else 0)
    return [n for n in game.seats if n == wanted] or game.seats


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
    seats="How many can play",
    clock="Time for each turn",
    strict="No overtime: in a game of two, the first missed deadline loses",
    thread="Play in a thread of its own",
    private="Only for those you invite, in a private thread",
    options="More options, such as order:shuffled",
)
@app_commands.choices(
    game=[app_commands.Choice(name=str(game.listed), value=game.id) for game in GAMES.values()],
    clock=[
        app_commands.Choice(name="no clock", value="none"),
        app_commands.Choice(name="1 hour a turn", value="1h"),
        app_commands.Choice(name="8 hours a turn", value="8h"),
        app_commands.Choice(name="1 day a turn", value="1d"),
        app_commands.Choice(name="3 days a turn", value="3d"),
        app_commands.Choice(name="7 days a turn", value="7d"),
    ],
)
@app_commands.autocomplete(variant=_variants, options=_options)
async def play(
    interaction: Interaction,
    game: str,
    variant: str | None = None,
    opponent: discord.Member | None = None,
    opponent2: discord.Member | None = None,
    opponent3: discord.Member | None = None,
    opponent4: discord.Member | None = None,
    opponent5: discord.Member | None = None,
    seats: app_commands.Range[int, 1, 6] | None = None,
    clock: str | None = None,
    strict: bool = False,
    thread: bool | None = None,
    private: bool = False,
    options: str = "",
) -> None:
    """Open a table, in a thread of its own if that is wanted."""
    invited = [m for m in (opponent, opponent2, opponent3, opponent4, opponent5) if m is not None]
    async with respond(interaction, public=True) as context:
        server = await context.sessions.users.server(context.guild_id)
        in_thread = isinstance(interaction.channel, discord.Thread)
        own_thread = private or ((server.threads if thread is None else thread) and not in_thread)
        _check_people(invited, interaction)
        _check_channel(server, interaction)
        if private:
            _check_private(interaction, invited)
        else:
            _check_permissions(interaction, thread=own_thread)
        wanted = TableRequest(
            guild_id=context.guild_id,
            channel_id=interaction.channel_id or 0,
            game=game,
            variant=variant,
            options=read_options(options, GAMES.get(game)),
            opponents=people(invited),
            seats=seats,
            clock=server.clock if clock is None else _read_clock(clock),
            strict=strict,
            most_tables=server.most_tables,
            private=private,
            threaded=own_thread,
            answered=True,
        )
        await _open(context, wanted, language(server.language))


async def _open(context: Context, wanted: TableRequest, public: Language) -> None:
    """Open the table and answer with its lobby message. The outbox does the rest, also if the bot is stopped before."""
    snapshot = await context.sessions.lobby.open(context.user, wanted)
    message_id = await context.reply.show(await lobby_message(snapshot, public))
    await context.sessions.places.answered(snapshot.table.id, message_id)
    await context.deliver(snapshot.table.id)


# --- checking the request -------------------------------------------------------------------------------------------------


def _check_people(invited: list[discord.Member], interaction: Interaction) -> None:
    for member in invited:
        if member.bot:
            raise Refused(say("{name} is a bot. Bots don’t play here.", name=plain(escaped(member.display_name))))
        if member.id == interaction.user.id:
            raise Refused(say("You’re already in. Invite somebody else!"))


def _check_permissions(interaction: Interaction, *, thread: bool) -> None:
    """Raise Refused, before anything is opened, if the bot lacks a permission here."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    opens = "public" if thread else None
    _refuse_lacking(missing_permissions(interaction.app_permissions, in_thread=in_thread or thread, opens=opens))


def _check_private(interaction: Interaction, invited: list[discord.Member]) -> None:
    """Raise Refused, before anything is opened, if a private game cannot be played here by these people.

    Its thread is made in the channel; of a thread, in the channel that it belongs to.
    """
    channel = parent_of(interaction)
    if channel is None:
        raise Refused(say("Private games are played in a private thread. Open yours in a text channel."))
    _refuse_lacking(missing_permissions(channel.permissions_for(channel.guild.me), in_thread=True, opens="private"))
    for member in invited:
        check_sees(channel, member)


def _refuse_lacking(lacking: list[Text]) -> None:
    if lacking:
        raise Refused(say("I can’t run a game here. I still need: {missing}.", missing=join(lacking, ", ")))


def _check_channel(server: ServerSettings, interaction: Interaction) -> None:
    """Raise Refused if the server does not allow tables in this channel. A thread counts as its channel."""
    channel = interaction.channel
    here = {interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None}
    if server.channels and not here & set(server.channels):
        where = join([plain(f"<#{allowed}>") for allowed in server.channels], ", ")
        raise Refused(say("Games on this server are played in {where}.", where=where))


def _read_clock(clock: str) -> int | None:
    if clock not in CLOCKS:
        raise Refused(say("There’s no clock “{clock}”. Pick from: {clocks}.", clock=echoed(clock), clocks=", ".join(CLOCKS)))
    return CLOCKS[clock] or None


COMMANDS: Final[tuple[Command, ...]] = (play,)
