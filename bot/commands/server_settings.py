"""`/server-settings`: what the managers of a server choose for it, and may do to its tables."""

import discord
from discord import app_commands

from bot.commands.settings import language_choices
from bot.commands.which_table import live_tables, table_number
from bot.i18n.language import language as language_of
from bot.interactions.context import Context, person, respond
from bot.interactions.reply import Interaction
from bot.messages.builder import MessageBuilder
from bot.messages.lobby import CLOCK_WORDS
from bot.sessions.errors import Refused
from bot.sessions.settings import CLOCKS, ServerSettings
from engines.text import Text, join, plain, say

server_settings = app_commands.Group(
    name="server-settings",
    description="What holds for this server",
    guild_only=True,
    default_permissions=discord.Permissions(manage_guild=True),
)


@server_settings.command(name="show", description="See what holds for this server")
async def show(interaction: Interaction) -> None:
    """Show the server's settings."""
    async with respond(interaction) as context:
        _check_manager(interaction)
        await _show(context, await context.sessions.users.server(context.guild_id))


@server_settings.command(name="channel", description="Where tables may be opened; with no channel named, everywhere")
@app_commands.describe(channel="The channel", allowed="Whether tables may be opened there")
async def channel(interaction: Interaction, channel: discord.TextChannel | None = None, allowed: bool = True) -> None:
    """Allow tables in a channel, or disallow them again."""
    async with respond(interaction) as context:
        _check_manager(interaction)
        known = (await context.sessions.users.server(context.guild_id)).channels
        if channel is None:
            channels: tuple[int, ...] = ()
        elif allowed:
            channels = tuple(sorted({*known, channel.id}))
        elif not known:
            raise Refused(say("Every channel is allowed now. Name the channels where tables may be opened first."))
        elif known == (channel.id,):
            raise Refused(say("{channel} is the only channel where tables may be opened. Name another one first, or no "
                              "channel at all to allow every one.", channel=f"<#{channel.id}>"))  # fmt: skip
        else:
            channels = tuple(known_id for known_id in known if known_id != channel.id)
        await _change(context, channels=channels)


@server_settings.command(name="tables", description="How tables are opened unless their opener says otherwise")
@app_commands.describe(
    threads="Whether each table gets a thread",
    clock="How long a turn may take",
    most="How many tables a person may have",
)
@app_commands.choices(
    clock=[app_commands.Choice(name=str(CLOCK_WORDS[seconds]), value=word) for word, seconds in CLOCKS.items()]
)
async def table_defaults(
    interaction: Interaction,
    threads: bool | None = None,
    clock: str | None = None,
    most: app_commands.Range[int, 1, 100] | None = None,
) -> None:
    """Set the defaults of `/play`."""
    async with respond(interaction) as context:
        _check_manager(interaction)
        changes: dict[str, object] = {}
        if threads is not None:
            changes["threads"] = threads
        if clock is not None:
            changes["clock"] = CLOCKS.get(clock, 0) or None
        if most is not None:
            changes["most_tables"] = most
        await _change(context, **changes)


@server_settings.command(name="language", description="The language of what everybody sees")
@app_commands.describe(language="Which language")
@app_commands.choices(language=language_choices())
async def set_language(interaction: Interaction, language: str) -> None:
    """Set the language of public texts."""
    async with respond(interaction) as context:
        _check_manager(interaction)
        await _change(context, language=language)


@server_settings.command(name="close-table", description="Close a table; a game that is on ends without a result")
@app_commands.describe(game="Which table")
@app_commands.autocomplete(game=live_tables)
async def close_table(interaction: Interaction, game: str) -> None:
    """Close a table that has not started, or end its game without a result."""
    async with respond(interaction) as context:
        _check_manager(interaction)
        number = table_number(game)
        await context.sessions.moderation.close_whatever_is_wrong(number, context.guild_id, context.user)
        text = say("Table #{n} is closed.", n=number)
        async with context.delivering(number):
            await context.reply.show(MessageBuilder().text(context.language(text)))


@server_settings.command(name="remove-seat", description="Take somebody off a table")
@app_commands.describe(game="Which table", player="Who")
@app_commands.autocomplete(game=live_tables)
async def remove_seat(interaction: Interaction, game: str, player: discord.User) -> None:
    """Take somebody off a table."""
    async with respond(interaction) as context:
        _check_manager(interaction)
        snapshot = await context.sessions.moderation.remove(table_number(game), context.guild_id, person(player), context.user)
        text = say("{who} is off table #{n}.", who=plain(player.mention), n=snapshot.table.id)
        async with context.delivering(snapshot.table.id):
            await context.reply.show(MessageBuilder().text(context.language(text)))


def _check_manager(interaction: Interaction) -> None:
    """Raise Refused unless the user manages the server. Discord only hides these commands by default."""
    if not interaction.permissions.manage_guild:
        raise Refused(say("That needs the permission Manage Server."))


async def _change(context: Context, **changes: object) -> None:
    await _show(context, await context.sessions.users.change_server(context.guild_id, **changes))


async def _show(context: Context, settings: ServerSettings) -> None:
    yes, no = say("yes"), say("no")
    where: Text = join([plain(f"<#{channel}>") for channel in settings.channels], ", ")
    lines = [
        say("Tables may be opened in: {where}", where=where if settings.channels else say("every channel")),
        say("A thread for each table: {chosen}", chosen=yes if settings.threads else no),
        say("Clock: {clock}", clock=CLOCK_WORDS[settings.clock or 0]),
        say("Tables one person may have: {n}", n=settings.most_tables),
        say("Language: {language}", language=plain(language_of(settings.language).own_name)),
    ]
    await context.reply.show(MessageBuilder().text(context.language(join(lines))))


COMMANDS = (server_settings,)
