"""`/settings`: what people choose for themselves, on all servers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.people import DAYS_A_YEAR, DAYS_IN_A_ROW, Users, vacation_left
from bot.core.table.errors import Refused
from bot.core.table.settings import ZONE as USUAL_ZONE
from bot.core.table.settings import PersonSettings
from bot.features.privacy.handlers import ask_to_forget, show_export
from bot.features.settings.panel import ZONE, Panel, zone_field
from bot.features.settings.sections import Action, Entries, Faults, Section, Setting, one_of, saved, switched_off, switches
from bot.i18n.language import language as language_of
from bot.i18n.language import languages
from bot.i18n.time_zones import shown as shown_zone
from bot.interactions.context import Context
from bot.interactions.time_zones import time_zone_called
from bot.messages.form import OneOf, TextField
from engines.text import Text, echoed, plain, say, say_n
from storage.schema.records import Person

AS_IN_DISCORD: Final = "auto"
"""The option that stands for the language of a person's Discord client."""

LANGUAGES: Final[Mapping[str, Text]] = {code: plain(known.own_name) for code, known in languages().items()}
"""The name of every available language, in that language."""

PALETTES: Final[Mapping[str, Text]] = {"standard": say("Standard"), "high-contrast": say("High contrast")}

_BEGIN: Final = "from"
_END: Final = "until"
_TIME_LIMIT: Final = 20


@dataclass(frozen=True, slots=True)
class Own:
    """A person's settings and their row, as of `now`, in seconds since the epoch."""

    settings: PersonSettings
    person: Person
    now: float

    @property
    def away(self) -> bool:
        """Whether the person is on vacation."""
        return self.person.vacation_until is not None and self.person.vacation_until > self.now

    @property
    def has_quiet_hours(self) -> bool:
        """Whether both ends of the quiet hours are set."""
        return None not in {self.settings.quiet_from, self.settings.quiet_until}


async def _load(context: Context) -> Own:
    person = await context.core.service(Users).person(context.user.id)
    return Own(PersonSettings.of(person), person, context.core.now())


async def _store(context: Context, changes: Mapping[str, object]) -> None:
    await context.core.service(Users).change(context.user.id, **changes)


# --- reminders ----------------------------------------------------------------------------------------------------------------


async def _keep_reminders(context: Context, own: Own, entries: Entries) -> Text | None:
    """Save the reminders. Choosing direct messages, even if they were chosen before, makes the bot try them again."""
    changes = REMINDERS.changes(entries)
    if own.settings.notify == "direct" == entries["notify"].value:
        changes["notify"] = "direct"
    if changes:
        await _store(context, changes)
    return saved(REMINDERS.title) if changes else None


REMINDERS: Final = Section[Own](
    name="reminders",
    title=say("Reminders"),
    settings=(
        switches(
            "when",
            say("When should I remind you?"),
            {
                "remind_half": say("When half your time is gone"),
                "remind_late": say("When your time is nearly up"),
                "remind_next": say("Quiet heads-up when you’re next"),
            },
            say("The heads-up is for games of three or more, and makes no sound."),
        ),
        one_of("notify", say("Where"), {"channel": say("A ping in the channel"), "direct": say("A direct message")}),
    ),
    keep=_keep_reminders,
)


# --- quiet hours --------------------------------------------------------------------------------------------------------------

_TIME_OF_DAY: Final = re.compile(
    r"(?P<hours>[0-9]{1,2})(?:\s*(?:[:.h]|uhr)?\s*(?P<minutes>[0-9]{2}))?\s*(?:uhr|h|(?P<half>[ap])\.?\s?m\.?)?", re.IGNORECASE
)
"""A time of day as people write it: 22:30, 22.30, 2230, 22, 7am, 10:30 pm, 22 Uhr, 22h30."""

_A_DAY: Final = 24
_NOON: Final = 12
"""The number of hours in half a day. `_A_DAY` is the number in a whole day."""


def _minutes(text: str) -> int:
    """Return a time of day like 22:30 as minutes since midnight. Raises Refused for any other text."""
    found = _TIME_OF_DAY.fullmatch(text.strip())
    if found is not None:
        hours, minutes, half = int(found["hours"]), int(found["minutes"] or 0), (found["half"] or "").lower()
        if half and 1 <= hours <= _NOON:
            hours = hours % _NOON + (_NOON if half == "p" else 0)
        elif half:
            hours = _A_DAY
        elif hours * 60 + minutes == _A_DAY * 60:
            hours = 0
        if hours < _A_DAY and minutes < 60:
            return hours * 60 + minutes
    raise Refused(say("“{text}” isn’t a time. Write it like 22:30 or 10:30 pm.", text=echoed(text)))


def _clock_time(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def _quiet_lines(own: Own) -> list[Text]:
    begin, end = own.settings.quiet_from, own.settings.quiet_until
    if begin is None or end is None:
        return [say("None")]
    zone = shown_zone(own.settings.zone or USUAL_ZONE)
    return [say("{begin} to {end}, {zone}", begin=_clock_time(begin), end=_clock_time(end), zone=zone)]


async def _keep_quiet_hours(context: Context, own: Own, entries: Entries) -> Text | None:
    """Save the quiet hours, or remove them if both times are empty. Fields that were not touched keep their values."""
    changes: dict[str, object] = {}
    faults, read = Faults(), 0
    times = {"quiet_from": entries[_BEGIN], "quiet_until": entries[_END]}
    for name, entry in times.items():
        with faults.gathering():
            if entry.touched:
                changes[name] = _minutes(entry.value) if entry.values else None
            read += 1
    if read == len(times):
        with faults.gathering():
            _check_times(own, changes)
    with faults.gathering():
        if (zone := entries[ZONE]).touched or not zone.values:
            changes["zone"] = await time_zone_called(zone.value)
    faults.settle()
    if changes:
        await _store(context, changes)
    return None


def _check_times(own: Own, changes: Mapping[str, object]) -> None:
    """Raise Refused if only one of the times is set, or both are the same."""
    begin = changes.get("quiet_from", own.settings.quiet_from)
    end = changes.get("quiet_until", own.settings.quiet_until)
    if (begin is None) != (end is None):
        raise Refused(say("Set both the beginning and the end of your quiet hours, or neither."))
    if begin is not None and begin == end and not changes.keys().isdisjoint(("quiet_from", "quiet_until")):
        raise Refused(say("Your quiet hours can’t begin and end at the same time: that could mean all day or never."))


async def _no_quiet_hours(context: Context) -> Text:
    await _store(context, {"quiet_from": None, "quiet_until": None})
    return switched_off(QUIET_HOURS.title)


QUIET_HOURS: Final = Section[Own](
    name="quiet-hours",
    title=say("Quiet hours"),
    about=say(
        "In these hours I send no reminders (they come before or after them) and find you no games. A message that names you "
        "alone, such as that of your turn, makes no sound."
    ),
    lines=_quiet_lines,
    settings=(
        Setting(
            field=TextField(name=_BEGIN, label=say("From"), most=_TIME_LIMIT, example=say("such as 22:30")),
            shown=lambda own: () if own.settings.quiet_from is None else (_clock_time(own.settings.quiet_from),),
        ),
        Setting(
            field=TextField(name=_END, label=say("Until"), most=_TIME_LIMIT, example=say("such as 7:00")),
            shown=lambda own: () if own.settings.quiet_until is None else (_clock_time(own.settings.quiet_until),),
        ),
        Setting(
            field=zone_field(say("Your time zone"), say("such as Berlin")),
            shown=lambda own: () if own.settings.zone is None else (shown_zone(own.settings.zone),),
        ),
    ),
    actions=(
        Action(name="none", label=say("Switch off"), offered=lambda own: own.has_quiet_hours, carry_out=_no_quiet_hours),
    ),
    keep=_keep_quiet_hours,
)  # fmt: skip


# --- vacation -----------------------------------------------------------------------------------------------------------------


async def _go_on_vacation(context: Context, _: Own, entries: Entries) -> Text | None:
    if not entries["days"].values:
        raise Refused(say("Pick how many days you’ll be away."))
    days = int(entries["days"].value)
    await context.core.service(Users).begin_vacation(context.user.id, days, context.interaction.id)
    context.responder.outbox.wake()
    return say("✅ {title} · your clocks are paused. Enjoy!", title=VACATION.title)


def _vacation_lines(own: Own) -> list[Text]:
    if not own.away:
        return [say("You’re not on vacation.")]
    return [say("On vacation until {when}", when=f"<t:{int(own.person.vacation_until or 0)}:f>")]


async def _end_vacation(context: Context) -> Text:
    await context.core.service(Users).end_vacation(context.user.id)
    context.responder.outbox.wake()
    return say("✅ {title} · welcome back! Your clocks are running again.", title=VACATION.title)


VACATION: Final = Section[Own](
    name="vacation",
    title=say("Vacation"),
    about=say("Pauses your clocks: up to {most} days at a time, {year} a year.", most=DAYS_IN_A_ROW, year=DAYS_A_YEAR),
    lines=_vacation_lines,
    change=say("Go on vacation"),
    changeable=lambda own: not own.away,
    settings=(
        Setting(
            field=OneOf(
                name="days", needed=True, label=say("How many days?"),
                options={str(n): say_n("{n} day", "{n} days", n) for n in range(1, DAYS_IN_A_ROW + 1)},
            ),
            shown=lambda _: (),
            about=lambda own: say(
                "It starts now. You have {n} of {most} days left this year.",
                n=vacation_left(own.person, own.now), most=DAYS_A_YEAR,
            ),
        ),
    ),
    actions=(Action(name="end", label=say("End vacation"), offered=lambda own: own.away, carry_out=_end_vacation),),
    keep=_go_on_vacation,
)  # fmt: skip


# --- pictures, language, data -------------------------------------------------------------------------------------------------


PICTURES: Final = Section[Own](
    name="pictures",
    title=say("Boards and pictures"),
    about=say(
        "High contrast is for people who find the colours hard to tell apart. It changes only pictures that you alone see: "
        "the channel’s board stays."
    ),
    settings=(
        one_of(
            "high_contrast",
            say("Palette"),
            PALETTES,
            read=lambda high: "high-contrast" if high else "standard",
            kept=lambda chosen: chosen == "high-contrast",
            about=say("If colours are hard to tell apart. Only for pictures that you alone see."),
        ),
        switches(
            "boards",
            say("Your boards"),
            {
                "preview": say("Preview before you play (a picture of the board after your move)"),
                "turn_board": say("Your side at the bottom (Flip board for me)"),
                "practise_openly": say("Others can watch you practise"),
            },
        ),
    ),
)


LANGUAGE: Final = Section[Own](
    name="language",
    title=say("Language"),
    settings=(
        one_of(
            "language",
            say("Language of private messages"),
            {AS_IN_DISCORD: say("Same as Discord"), **LANGUAGES},
            read=lambda code: AS_IN_DISCORD if code is None else language_of(code).code,
            kept=lambda code: None if code == AS_IN_DISCORD else code,
            about=say("What only you see, such as this panel."),
        ),
    ),
)


DATA: Final = Section[Own](
    name="data",
    title=say("Your data"),
    about=say("Get everything I keep about you as a file, or have all of it deleted. I ask before I delete anything."),
    actions=(
        Action(name="export", label=say("Export my data"), opens=show_export),
        Action(name="forget", label=say("Forget me …"), opens=ask_to_forget),
    ),
)

PANEL: Final = Panel[Own](
    verb="settings",
    title=say("Your settings"),
    about=say("The same on every server. Only you see this."),
    sections=(REMINDERS, QUIET_HOURS, VACATION, PICTURES, LANGUAGE, DATA),
    load=_load,
    store=_store,
    speaks=lambda context, own: language_of(own.settings.language or str(context.interaction.locale)),
)
