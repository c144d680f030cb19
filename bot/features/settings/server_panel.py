"""`/server-settings`: what a server's managers choose for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import discord

from bot.core.core import Core
from bot.core.people import Users
from bot.core.table.errors import Refused
from bot.core.table.settings import CLOCKS, ServerSettings
from bot.features.matchmaking.service import SeekPosts
from bot.features.posts.handlers import Chosen, choose_post
from bot.features.posts.service import Posts
from bot.features.posts.settings import TITLES, WEEKDAYS, is_on, post_words
from bot.features.settings.own_panel import LANGUAGES
from bot.features.settings.panel import ZONE, Panel, zone_field
from bot.features.settings.sections import Action, Entries, Faults, Section, Setting, one_of, set_to, switched_off
from bot.features.settings.tables import show_tables
from bot.i18n.time_zones import shown as shown_zone
from bot.interactions.checks import check_manager
from bot.interactions.context import Context
from bot.interactions.time_zones import time_zone_called
from bot.messages.form import Channels, Field, OneOf, Roles, Submission, TextField, Values
from bot.messages.lobby import CLOCK_WORDS
from bot.outbox.members import knows_roles
from engines.text import Text, echoed, join, plain, say
from storage.schema.records import Post, PostKind

ABSENT_WORDS: Final[Mapping[str, Text]] = {
    "random": say("A random move is played for them"),
    "computer": say("An easy computer plays for them"),
}
"""Who acts for a player who runs out of time, unless that loses the game, for each value of the setting."""

OLD_BOARDS_WORDS: Final[Mapping[str, Text]] = {"fold": say("Fold into one line"), "keep": say("Keep their pictures")}
"""What happens to outdated boards, for each value of the setting."""

THREADS_WORDS: Final[Mapping[str, Text]] = {"yes": say("Each in its own thread"), "no": say("In the channel itself")}
"""Where tables are played, for each option."""

MOST_TABLES: Final = 100
"""The highest limit that can be set on a person's open tables."""

EVERY_DAY: Final = "-1"
"""The option for a daily post, which takes the place of a day of the week."""

CHANNELS_TOLD: Final = 25
"""How many channels the panel lists, which is also how many a form has room for."""

GAMES_IN: Final = (
    discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice, discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)  # fmt: skip
POSTS_IN: Final = (discord.ChannelType.text, discord.ChannelType.news)
"""The types of channel in which posts can come. `GAMES_IN` has those in which games can be played."""


@dataclass(frozen=True, slots=True)
class Managed:
    """A server's settings and posts, and its guild if Discord has told the bot about it."""

    settings: ServerSettings
    posts: Mapping[PostKind, Post | None]
    guild: discord.Guild | None

    def channels(self, *ids: int) -> Values:
        """Return those of these channels that still exist, since a form offers no others."""
        guild = self.guild
        return tuple(str(one) for one in ids if guild is None or guild.get_channel_or_thread(one) is not None)

    def roles(self, *ids: int | None) -> Values:
        """Return those of these roles that still exist."""
        guild = self.guild
        return tuple(str(one) for one in ids if one is not None and (guild is None or guild.get_role(one) is not None))


async def _load(context: Context) -> Managed:
    """Read a server's settings. Raises Refused for anybody who does not manage the server."""
    check_manager(context.interaction)
    guild_id, guild = context.guild_id, context.interaction.guild
    posts = {kind: await context.core.service(Posts).get(guild_id, kind) for kind in TITLES}
    known = guild if guild is not None and knows_roles(guild) else None
    return Managed(await context.core.service(Users).server(guild_id), posts, known)


async def _store(context: Context, changes: Mapping[str, object]) -> None:
    await context.core.service(Users).change_server(context.guild_id, **changes)


# --- games --------------------------------------------------------------------------------------------------------------------


def _channel_lines(managed: Managed) -> list[Text]:
    channels = managed.settings.channels
    if not channels:
        return [say("Games are played in all channels.")]
    where = join([plain(f"<#{channel}>") for channel in channels[:CHANNELS_TOLD]], ", ")
    if (more := len(channels) - CHANNELS_TOLD) > 0:
        return [say("Games are played in {where} and {n} more.", where=where, n=more)]
    return [say("Games are played in {where}.", where=where)]


async def _keep_channels(context: Context, managed: Managed, entries: Entries) -> Text | None:
    """Save the channels that were added and removed, and drop those that no longer exist."""
    if not entries["channels"].touched:
        return None
    known = {str(channel) for channel in managed.settings.channels}
    toggled = entries["channels"].toggled(known)
    kept = sorted(int(one) for one in known | toggled.keys() if toggled.get(one, True))
    await _store(context, {"channels": tuple(map(int, managed.channels(*kept)))})
    return None


CHANNELS: Final = Section[Managed](
    name="channels",
    title=say("Channels for games"),
    lines=_channel_lines,
    settings=(
        Setting(
            field=Channels(
                name="channels", label=say("Where may games be played?"), types=GAMES_IN, most=CHANNELS_TOLD,
                about=say("Threads and posts in them count, too. Leave it empty to allow all channels."),
            ),
            shown=lambda managed: managed.channels(*managed.settings.channels)[:CHANNELS_TOLD],
            possible=lambda managed, values: managed.channels(*map(int, values)),
        ),
    ),
    keep=_keep_channels,
)  # fmt: skip


def _most_tables(entry: Submission) -> dict[str, object]:
    typed = entry.value
    if not (typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= MOST_TABLES):
        raise Refused(say("“{text}” isn’t a number from 1 to {most}.", text=echoed(typed), most=MOST_TABLES))
    return {"most_tables": int(typed)}


async def _keep_tables(context: Context, _: Managed, entries: Entries) -> Text | None:
    """Save the settings for new tables. Once this form has been sent, nobody needs to be asked about threads any more."""
    await _store(context, TABLES.changes(entries) | {"threads_asked": 0})
    return None


_MOST: Final = TextField(name="most_tables", label=say("Open tables per person"), most=20, about=say("A number from 1 to 100."))

TABLES: Final = Section[Managed](
    name="new-tables",
    title=say("New tables"),
    about=say("Whoever opens a table can pick another clock. In a game of two, whoever runs out of time loses."),
    settings=(
        one_of(
            "threads",
            say("Games are played"),
            THREADS_WORDS,
            read=lambda threads: "yes" if threads else "no",
            kept=lambda chosen: chosen == "yes",
        ),
        one_of(
            "clock",
            say("Time"),
            {str(seconds): CLOCK_WORDS[seconds] if seconds else say("No clock") for seconds in CLOCKS.values()},
            read=lambda seconds: str(seconds or 0),
            kept=lambda chosen: int(chosen) or None,
            menu=True,
        ),
        Setting(
            field=_MOST,
            shown=lambda managed: (str(managed.settings.most_tables),),
            lines=lambda managed: [set_to(_MOST.label, plain(str(managed.settings.most_tables)))],
            changes=_most_tables,
        ),
        one_of("absent", say("If somebody runs out of time"), ABSENT_WORDS, about=say("In games of three or more.")),
        one_of("old_boards", say("Older boards"), OLD_BOARDS_WORDS),
    ),
    keep=_keep_tables,
)

LANGUAGE: Final = Section[Managed](
    name="language",
    title=say("Language"),
    settings=(
        one_of(
            "language",
            say("Language of public messages"),
            LANGUAGES,
            about=say("What everybody sees, such as boards and posts."),
        ),
    ),
)


# --- posts --------------------------------------------------------------------------------------------------------------------

_HOURS: Final = OneOf(name="hour", label=say("Hour"), options={str(hour): plain(f"{hour}:00") for hour in range(24)}, menu=True)
_DAYS: Final = OneOf(
    name="day",
    label=say("How often"),
    options={EVERY_DAY: say("Every day"), **{str(day): say("Every {day}", day=words) for day, words in enumerate(WEEKDAYS)}},
    menu=True,
)
_ZONES: Final = zone_field(say("Time zone"))
_WEEKDAYS: Final = frozenset(map(str, range(len(WEEKDAYS))))


_POSSIBLE: Final[Mapping[str, Callable[[Managed, Values], Values]]] = {
    "channel": lambda managed, values: managed.channels(*map(int, values)),
    "role": lambda managed, values: managed.roles(*map(int, values)),
}
"""For each field whose values may cease to exist, a function that returns those that still exist."""


def _so_far(managed: Managed, kind: PostKind) -> Chosen:
    """Return the current choices for a post. A new post starts with the time zone of another post on the server."""
    chosen = Chosen.of(managed.posts[kind])
    zones = [post.zone for one, post in managed.posts.items() if post is not None and one in _AT_AN_HOUR]
    return replace(chosen, zone=zones[0]) if managed.posts[kind] is None and zones else chosen


_AT_AN_HOUR: Final = frozenset({PostKind.DAILY, PostKind.TODAY})
"""The kinds of post that come at an hour in a time zone."""


def _post_section(
    kind: PostKind, name: str, about: Text, fields: tuple[Field, ...], posts: Callable[[Core], Posts] = Posts
) -> Section[Managed]:
    """Return a section about a post, which sets where and when it comes, and can switch it off."""

    def shown(managed: Managed) -> Mapping[str, Values]:
        chosen = _so_far(managed, kind)
        return {
            "channel": () if chosen.channel_id is None else managed.channels(chosen.channel_id),
            "hour": (str(chosen.hour),),
            "day": (EVERY_DAY if chosen.weekday is None else str(chosen.weekday),),
            ZONE: (shown_zone(chosen.zone),),
            "role": managed.roles(chosen.role_id),
        }

    def setting(field: Field) -> Setting[Managed]:
        return Setting(
            field=field,
            shown=lambda managed: shown(managed)[field.name],
            possible=_POSSIBLE.get(field.name, lambda _, values: values),
        )

    async def keep(context: Context, managed: Managed, entries: Entries) -> Text | None:
        chosen, faults = _so_far(managed, kind), Faults()
        for one, entry in entries.items():
            with faults.gathering():
                if entry.touched:
                    chosen = replace(chosen, **await _chosen(one, entry))
        faults.settle()
        await choose_post(context, kind, chosen, posts)
        return None

    async def switch_off(context: Context) -> Text:
        await context.core.service(posts).switch_off(context.guild_id, kind)
        return switched_off(TITLES[kind])

    off = Action[Managed](
        name="off", label=say("Switch off"), carry_out=switch_off, offered=lambda managed: is_on(managed.posts[kind])
    )
    return Section(
        name=name, title=TITLES[kind], about=about, lines=lambda managed: post_words(kind, managed.posts[kind]),
        settings=tuple(map(setting, fields)), actions=(off,), keep=keep,
    )  # fmt: skip


async def _chosen(name: str, entry: Submission) -> dict[str, Any]:
    """Return the choice for a post that an entry makes. Raises Refused if the value is not possible."""
    value = entry.value
    if name in {"channel", "role"}:
        if value and not value.isdecimal():
            raise Refused(say("You can’t choose “{value}” here.", value=echoed(value)))
        return {f"{name}_id": int(value) if value else None}
    if name == ZONE:
        return {"zone": await time_zone_called(value)}
    if value not in (_HOURS if name == "hour" else _DAYS).options:
        raise Refused(say("You can’t choose “{value}” here.", value=echoed(value)))
    return {"hour": int(value)} if name == "hour" else {"weekday": int(value) if value in _WEEKDAYS else None}


def _channel_for(label: Text, about: Text | None = None) -> Channels:
    return Channels(name="channel", label=label, about=about, types=POSTS_IN, least=1)


_ROLE: Final = Roles(name="role", label=say("A role to mention"), about=say("Leave it empty to mention nobody."))

DAILY: Final = _post_section(
    PostKind.DAILY,
    "daily",
    say("The puzzle of the day, once a day in a channel of your choice."),
    (_channel_for(say("Channel")), _HOURS, _ZONES, _ROLE),
)

TODAY: Final = _post_section(
    PostKind.TODAY,
    "today",
    say("Running games, events and results, once a day or once a week."),
    (_channel_for(say("Channel")), _DAYS, _HOURS, _ZONES, _ROLE),
)

MATCHING: Final = _post_section(
    PostKind.SEEKS,
    "matching",
    say("Where I announce that people are waiting, and where their games are played."),
    (
        _channel_for(say("Channel")),
        replace(
            _ROLE, about=say("I mention it when somebody is waiting, at most every six hours. Leave it empty for no mention.")
        ),
    ),
    SeekPosts,
)


# --- moderation ---------------------------------------------------------------------------------------------------------------


MODERATION: Final = Section[Managed](
    name="tables",
    title=say("Tables"),
    about=say("Close a table, or remove somebody from one."),
    actions=(Action(name="pick", label=say("Pick a table"), opens=show_tables),),
)

PANEL: Final = Panel[Managed](
    verb="server",
    title=say("Server settings"),
    about=say("Only those who manage the server can change them. Only you see this."),
    sections=(CHANNELS, TABLES, LANGUAGE, DAILY, TODAY, MATCHING, MODERATION),
    load=_load,
    store=_store,
)
