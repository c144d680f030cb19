"""`/settings`: the settings of a user."""

import re
from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.core.people import Users
from bot.core.table.errors import Refused
from bot.core.table.settings import ZONE, PersonSettings
from bot.i18n.language import language as language_of
from bot.i18n.time_zones import shown
from bot.interactions.context import Context, respond
from bot.interactions.options import language_choices, settings
from bot.interactions.reply import Interaction
from bot.interactions.time_zones import suggest_time_zones, time_zone_called
from bot.messages.builder import MessageBuilder
from engines.text import Text, echoed, join, plain, say
from storage.schema.records import Person


@settings.command(name="show", description="See your settings")
async def show(interaction: Interaction) -> None:
    """Show the user's settings."""
    async with respond(interaction) as context:
        await _show(context)


@settings.command(name="reminders", description="Choose when and where I remind you of your turn")
@app_commands.describe(
    half="When half your time is gone",
    late="When your time is nearly up",
    coming="When your turn comes next, silently, in games of three or more",
    where="Where I remind you",
)
@app_commands.rename(coming="next")
@app_commands.choices(
    where=[
        app_commands.Choice(name="a ping in the channel", value="channel"),
        app_commands.Choice(name="a direct message", value="direct"),
    ]
)
async def reminders(
    interaction: Interaction,
    half: bool | None = None,
    late: bool | None = None,
    coming: bool | None = None,
    where: str | None = None,
) -> None:
    """Set when and where to be reminded."""
    given = {"remind_half": half, "remind_late": late, "remind_next": coming, "notify": where}
    async with respond(interaction) as context:
        await _change(context, {key: value for key, value in given.items() if value is not None})


@settings.command(name="quiet-hours", description="Choose hours without reminders")
@app_commands.describe(
    begin="From when, such as 22:30. Leave empty for none",
    end="Until when, such as 7:00",
    zone="Your time zone: a large city, a country, or an offset such as UTC+2",
)
@app_commands.autocomplete(zone=suggest_time_zones)
async def quiet_hours(
    interaction: Interaction, begin: str | None = None, end: str | None = None, zone: str | None = None
) -> None:
    """Set the quiet hours, or remove them."""
    async with respond(interaction) as context:
        if (begin is None) != (end is None):
            raise Refused(say("Set both the beginning and the end of your quiet hours, or neither."))
        changes: dict[str, object] = {
            "quiet_from": None if begin is None else _minutes(begin),
            "quiet_until": None if end is None else _minutes(end),
        }
        if zone is not None:
            changes["zone"] = await time_zone_called(zone)
        await _change(context, changes)


@settings.command(name="vacation", description="Pause your clocks for a few days (0 ends it)")
@app_commands.describe(days="How many days: up to 14 at a time, 21 a year")
async def vacation(interaction: Interaction, days: app_commands.Range[int, 0, 14]) -> None:
    """Begin a vacation, or end one."""
    async with respond(interaction) as context:
        users = context.core.service(Users)
        if days == 0:
            await users.end_vacation(context.user.id)
            text: Text = say("Welcome back! Your clocks are running again.")
        else:
            person = await users.begin_vacation(context.user.id, days, context.interaction.id)
            text = say("Your clocks are paused until {when}. Enjoy!", when=f"<t:{int(person.vacation_until or 0)}:f>")
        await context.reply.show(MessageBuilder().text(context.language(text)))
        context.responder.outbox.wake()


@settings.command(name="palette", description="Choose the colours of your private pictures")
@app_commands.describe(palette="Which colours")
@app_commands.choices(
    palette=[
        app_commands.Choice(name="standard", value="standard"),
        app_commands.Choice(name="high contrast", value="high-contrast"),
    ]
)
async def set_palette(interaction: Interaction, palette: str) -> None:
    """Set the palette of private pictures."""
    async with respond(interaction) as context:
        await _change(context, {"high_contrast": palette == "high-contrast"})


@settings.command(name="preview", description="See where a move leads before you play it")
@app_commands.describe(on="Show a preview with a Play button; off plays your last pick at once")
async def set_preview(interaction: Interaction, on: bool) -> None:
    """Set whether a move is previewed before it is played."""
    async with respond(interaction) as context:
        await _change(context, {"preview": on})


@settings.command(name="turn-board", description="Turn the board in your private pictures towards you")
@app_commands.describe(on="Your own side at the bottom; off shows the board as everybody sees it")
async def set_turn_board(interaction: Interaction, on: bool) -> None:
    """Set whether the board in private pictures is turned towards the user."""
    async with respond(interaction) as context:
        await _change(context, {"turn_board": on})


@settings.command(name="language", description="Choose the language of your private messages")
@app_commands.describe(language="Which language")
@app_commands.choices(language=[app_commands.Choice(name="same as Discord", value="auto"), *language_choices()])
async def set_language(interaction: Interaction, language: str) -> None:
    """Set the language of private texts, and answer in it."""
    async with respond(interaction) as context:
        chosen = str(interaction.locale) if language == "auto" else language
        spoken = replace(context, language=language_of(chosen))
        await _change(spoken, {"language": None if language == "auto" else language})


async def _change(context: Context, changes: dict[str, object]) -> None:
    await context.core.service(Users).change(context.user.id, **changes)
    await _show(context)


async def _show(context: Context) -> None:
    person = await context.core.service(Users).person(context.user.id)
    text = join(_lines(PersonSettings.of(person), person, context.core.now()))
    await context.reply.show(MessageBuilder().text(context.language(text)))


def _lines(settings: PersonSettings, person: Person, now: float) -> list[Text]:
    """Return a person's settings in words, one line each."""
    yes, no = say("yes"), say("no")
    where = say("a ping in the channel") if settings.notify == "channel" else say("a direct message")
    lines = [
        say("Reminder at half time: {chosen}", chosen=yes if settings.remind_half else no),
        say("Reminder when time is nearly up: {chosen}", chosen=yes if settings.remind_late else no),
        say("Silent word when you’re next: {chosen}", chosen=yes if settings.remind_next else no),
        say("Reminders come as: {where}", where=where),
    ]
    if settings.quiet_from is None or settings.quiet_until is None:
        lines.append(say("Quiet hours: none"))
    else:
        lines.append(say("Quiet hours: {begin} to {end}, {zone}", begin=_clock_time(settings.quiet_from),
                         end=_clock_time(settings.quiet_until), zone=shown(settings.zone or ZONE)))  # fmt: skip
    contrast = say("high contrast") if settings.high_contrast else say("standard")
    lines.append(say("Palette: {palette}", palette=contrast))
    lines.append(say("Preview before you play: {chosen}", chosen=yes if settings.preview else no))
    lines.append(say("Flip board for me: {chosen}", chosen=say("on") if settings.turn_board else say("off")))
    lines.append(say("Others can watch you practise: {chosen}", chosen=yes if settings.practise_openly else no))
    tongue = say("same as Discord") if settings.language is None else plain(language_of(settings.language).own_name)
    lines.append(say("Language: {language}", language=tongue))
    if person.vacation_until is not None and person.vacation_until > now:
        lines.append(say("On vacation until {when}", when=f"<t:{int(person.vacation_until)}:f>"))
    return lines


_TIME_OF_DAY: Final = re.compile(r"(?P<hours>[0-9]{1,2})(?::(?P<minutes>[0-9]{1,2}))?")


def _minutes(text: str) -> int:
    """Return a time of day like 22:30 in minutes since midnight. Raises Refused for any other text."""
    found = _TIME_OF_DAY.fullmatch(text.strip())
    if found is not None:
        hours, minutes = int(found["hours"]), int(found["minutes"] or 0)
        if hours < 24 and minutes < 60:
            return hours * 60 + minutes
    raise Refused(say("“{text}” isn’t a time. Write it like 22:30.", text=echoed(text)))


def _clock_time(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


COMMANDS = (settings,)
