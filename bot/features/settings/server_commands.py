"""`/server-settings`: the settings of a server, and what its managers may do to tables."""

from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands

from bot.core.people import Users
from bot.core.table.errors import Refused
from bot.core.table.settings import CLOCKS, ServerSettings
from bot.features.posts.handlers import EVERY_DAY, choose_none, choose_post
from bot.features.posts.service import Posts
from bot.features.posts.settings import TITLES, WEEKDAYS, post_words
from bot.features.settings.moderation import Moderation
from bot.i18n.language import language as language_of
from bot.interactions.checks import check_manager
from bot.interactions.context import Context, person, respond
from bot.interactions.options import language_choices, server_settings
from bot.interactions.reply import Interaction
from bot.interactions.tables import LIVE_TABLES, table_number
from bot.interactions.time_zones import suggest_time_zones
from bot.messages.builder import MessageBuilder
from bot.messages.lobby import CLOCK_WORDS
from engines.text import Text, echoed, join, plain, say
from storage.schema.records import PostKind

ABSENT_WORDS: Final[Mapping[str, Text]] = {"random": say("a random move"), "computer": say("the computer, easy")}
"""Who acts for a player whose time is up where that does not lose the game, by the value of the setting."""

OLD_BOARDS_WORDS: Final[Mapping[str, Text]] = {"fold": say("fold into one line"), "keep": say("keep their pictures")}
"""What becomes of boards that are not the newest any more, by the value of the setting."""

EACH_DAY: Final = say("every day")
"""The choice of a message each day."""


@server_settings.command(name="show", description="See the settings of this server")
async def show(interaction: Interaction) -> None:
    """Show the server's settings."""
    async with respond(interaction) as context:
        check_manager(interaction)
        await _show(context, await context.core.service(Users).server(context.guild_id))


@server_settings.command(name="channel", description="Choose the channels for games; leave empty to allow all")
@app_commands.describe(channel="Which channel", allowed="Allow games there")
async def channel(
    interaction: Interaction,
    channel: discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel | None = None,
    allowed: bool = True,
) -> None:
    """Allow tables in a channel, its threads and posts, or disallow them again."""
    async with respond(interaction) as context:
        check_manager(interaction)
        known = (await context.core.service(Users).server(context.guild_id)).channels
        if channel is None:
            channels: tuple[int, ...] = ()
        elif allowed:
            channels = tuple(sorted({*known, channel.id}))
        elif not known:
            raise Refused(say("All channels are allowed right now. First allow the ones you want."))
        elif known == (channel.id,):
            raise Refused(say("{channel} is the only channel for games. Allow another one first, or leave the option "
                              "empty to allow all.", channel=f"<#{channel.id}>"))  # fmt: skip
        else:
            channels = tuple(known_id for known_id in known if known_id != channel.id)
        await _change(context, channels=channels)


@server_settings.command(name="tables", description="Set the defaults for new tables")
@app_commands.describe(
    threads="Give each table its own thread",
    clock="Time for each turn",
    most="How many tables one person can have open",
    absent="Who plays for somebody who runs out of time, in games of three or more",
)
@app_commands.choices(
    clock=[app_commands.Choice(name=str(CLOCK_WORDS[seconds]), value=word) for word, seconds in CLOCKS.items()],
    absent=[app_commands.Choice(name=str(words), value=value) for value, words in ABSENT_WORDS.items()],
)
async def table_defaults(
    interaction: Interaction,
    threads: bool | None = None,
    clock: str | None = None,
    most: app_commands.Range[int, 1, 100] | None = None,
    absent: str | None = None,
) -> None:
    """Set the defaults of `/play`."""
    async with respond(interaction) as context:
        check_manager(interaction)
        changes: dict[str, object] = {}
        if threads is not None:
            changes |= {"threads": threads, "threads_asked": 0}
        if clock is not None:
            changes["clock"] = CLOCKS.get(clock, 0) or None
        if most is not None:
            changes["most_tables"] = most
        if absent is not None:
            changes["absent"] = _read_absent(absent)
        await _change(context, **changes)


@server_settings.command(name="language", description="Set the language of public messages")
@app_commands.describe(language="Which language")
@app_commands.choices(language=language_choices())
async def set_language(interaction: Interaction, language: str) -> None:
    """Set the language of public texts."""
    async with respond(interaction) as context:
        check_manager(interaction)
        await _change(context, language=language)


@server_settings.command(name="old-boards", description="Choose whether older boards fold into one line or keep their pictures")
@app_commands.describe(what="What happens to a board once the next one is up")
@app_commands.choices(what=[app_commands.Choice(name=str(words), value=value) for value, words in OLD_BOARDS_WORDS.items()])
async def old_boards(interaction: Interaction, what: str) -> None:
    """Choose what becomes of older boards."""
    async with respond(interaction) as context:
        check_manager(interaction)
        if what not in OLD_BOARDS_WORDS:
            raise Refused(say("There’s no “{chosen}”. Pick from: {choices}.", chosen=echoed(what),
                              choices=", ".join(OLD_BOARDS_WORDS)))  # fmt: skip
        await _change(context, old_boards=what)


@server_settings.command(name="daily", description="Post the daily puzzle in a channel, once a day")
@app_commands.describe(
    channel="Where",
    hour="At what hour of the day",
    zone="In which time zone: a large city, a country, or an offset such as UTC+2",
    role="A role to mention; leave empty for none",
    off="Don’t post it any more",
)
@app_commands.autocomplete(zone=suggest_time_zones)
async def daily(
    interaction: Interaction,
    channel: discord.TextChannel | None = None,
    hour: app_commands.Range[int, 0, 23] | None = None,
    zone: str | None = None,
    role: discord.Role | None = None,
    off: bool = False,
) -> None:
    """Have the daily puzzle posted in a channel, or not any more. What is left out stays as it is, except for the role."""
    async with respond(interaction) as context:
        check_manager(interaction)
        if off:
            await choose_none(context, PostKind.DAILY)
        else:
            await choose_post(context, PostKind.DAILY, channel, hour, zone, role)


@server_settings.command(name="today", description="Post what’s on here in a channel, once a day or once a week")
@app_commands.describe(
    channel="Where",
    hour="At what hour of the day",
    day="On which day of the week",
    zone="In which time zone: a large city, a country, or an offset such as UTC+2",
    role="A role to mention; leave empty for none",
    off="Don’t post it any more",
)
@app_commands.choices(
    day=[app_commands.Choice(name=str(words), value=value) for value, words in enumerate((EACH_DAY, *WEEKDAYS), EVERY_DAY)]
)
@app_commands.autocomplete(zone=suggest_time_zones)
async def today(
    interaction: Interaction,
    channel: discord.TextChannel | None = None,
    hour: app_commands.Range[int, 0, 23] | None = None,
    day: int | None = None,
    zone: str | None = None,
    role: discord.Role | None = None,
    off: bool = False,
) -> None:
    """Have posted what goes on, or not any more. What is left out stays as it is, except for the role."""
    async with respond(interaction) as context:
        check_manager(interaction)
        if off:
            await choose_none(context, PostKind.TODAY)
        else:
            await choose_post(context, PostKind.TODAY, channel, hour, zone, role, day)


@server_settings.command(name="close-table", description="Close a table. A running game ends without a result")
@app_commands.describe(game=LIVE_TABLES.description)
@app_commands.autocomplete(game=LIVE_TABLES.suggest)
async def close_table(interaction: Interaction, game: str) -> None:
    """Close a table that has not started, or end its game without a result."""
    async with respond(interaction) as context:
        check_manager(interaction)
        number = table_number(game)
        await context.core.service(Moderation).close_whatever_is_wrong(number, context.guild_id, context.user)
        text = say("Table #{n} is closed.", n=number)
        async with context.delivering(number):
            await context.reply.show(MessageBuilder().text(context.language(text)))


@server_settings.command(name="remove-seat", description="Remove somebody from a table")
@app_commands.describe(game=LIVE_TABLES.description, player="Who")
@app_commands.autocomplete(game=LIVE_TABLES.suggest)
async def remove_seat(interaction: Interaction, game: str, player: discord.User) -> None:
    """Remove a player from a table."""
    async with respond(interaction) as context:
        check_manager(interaction)
        snapshot = await context.core.service(Moderation).remove(
            table_number(game), context.guild_id, person(player), context.user
        )
        text = say("{who} has been removed from table #{n}.", who=plain(player.mention), n=snapshot.table.id)
        async with context.delivering(snapshot.table.id):
            await context.reply.show(MessageBuilder().text(context.language(text)))


def _read_absent(absent: str) -> str:
    if absent not in ABSENT_WORDS:
        raise Refused(say("“{absent}” can’t play for anybody. Pick from: {choices}.", absent=echoed(absent),
                          choices=", ".join(ABSENT_WORDS)))  # fmt: skip
    return absent


async def _change(context: Context, **changes: object) -> None:
    await _show(context, await context.core.service(Users).change_server(context.guild_id, **changes))


async def _show(context: Context, settings: ServerSettings) -> None:
    yes, no = say("yes"), say("no")
    where: Text = join([plain(f"<#{channel}>") for channel in settings.channels], ", ")
    lines = [
        say("Games are played in: {where}", where=where if settings.channels else say("all channels")),
        say("Own thread for each table: {chosen}", chosen=yes if settings.threads else no),
        say("Time: {clock}", clock=CLOCK_WORDS[settings.clock or 0]),
        say("Open tables per person: {n}", n=settings.most_tables),
        say("If somebody runs out of time, in games of three or more: {who}", who=ABSENT_WORDS[settings.absent]),
        say("Older boards: {what}", what=OLD_BOARDS_WORDS[settings.old_boards]),
        say("Language: {language}", language=plain(language_of(settings.language).own_name)),
    ]
    for kind in TITLES:
        lines += post_words(kind, await context.core.service(Posts).get(context.guild_id, kind))
    await context.reply.show(MessageBuilder().text(context.language(join(lines))))


COMMANDS = (server_settings,)
