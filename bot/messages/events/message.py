"""The public messages of an event: the one that is edited as it goes on, and those that tell of a round."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.i18n.language import Language
from bot.messages.builder import PLAIN_LIMIT, Button, MessageBuilder, button, escape, plain_name, server_button
from bot.messages.click import Click
from bot.messages.events.pictures import podium_picture, standings_picture
from bot.messages.events.words import game_line, names_words, terms_words, trouble_words
from bot.messages.game.asking import MINUTE
from bot.messages.game.players import MEDALS
from bot.messages.notification import Notification, people
from bot.sessions import Snapshot
from bot.sessions.clocks.heartbeats import duration
from bot.sessions.competitions.event_rounds import key_hash
from bot.sessions.competitions.event_view import EventView
from engines.text import Text, join, plain, say, say_n
from storage.schema.kinds import EventStatus

NAMES_SHOWN: Final = 20
"""The most people who are named before the start. The others are counted."""

TITLE: Final = 40
"""The characters of an event's name on a lock screen."""

GAMES_SHOWN: Final = 10
"""The most games that the message of an event lists."""

DIGITS: Final = 16
"""The digits of the hash of the lots that are shown."""


@dataclass(frozen=True, slots=True)
class Call:
    """A message that tells the players of an event something.

    Attributes:
        builder: the message.
        pinged: the ids of those who are mentioned.
    """

    builder: MessageBuilder
    pinged: tuple[int, ...] = ()


async def event_message(view: EventView, language: Language) -> MessageBuilder:
    """The message of an event as it is now."""
    row = view.row
    builder = MessageBuilder().text(language(say("### 🏆 {name}", name=plain(escape(row.name)))))
    builder.text(f"{language(terms_words(row))}\n-# {language(_organiser_words(view))}")
    match row.status:
        case EventStatus.OPEN | EventStatus.CHECK_IN:
            builder.text(language(_before(view)))
            builder.text("\n".join(f"-# {language(line)}" for line in trouble_words(row)))
        case EventStatus.RUNNING:
            builder.picture(await standings_picture(view, language))
            builder.text("\n".join(map(language, _running(view))))
        case EventStatus.FINISHED:
            builder.picture(await standings_picture(view, language))
            builder.text(language(join([say("**The event is over.**"), *winners_words(view)])))
        case EventStatus.CANCELLED:
            builder.text(language(say("**The event was cancelled.** Games that have begun go on for themselves.")))
    return builder.buttons(_buttons(view, language))


def _organiser_words(view: EventView) -> Text:
    return say("Event #{n}, organised by {who}", n=view.row.id, who=plain(escape(view.row.organiser_name)))


def _before(view: EventView) -> Text:
    """When the event starts, and who has entered."""
    row, checked = view.row, [entry for entry in view.entries if entry.press is not None]
    told = [say("**Starts <t:{at}:F>** (<t:{at}:R>).", at=str(int(row.starts_at)))]
    if row.paused_at is not None:
        told.append(say("⏸️ The event is paused."))
    if row.status is EventStatus.OPEN:
        told.append(say("Check-in from <t:{at}:f>: only those who check in play.", at=str(int(row.check_in_at))))
        shown = list(view.entries)
        told.append(say_n("**{n} of {most} has entered**", "**{n} of {most} have entered**", len(shown), most=row.most))
    else:
        told.append(say("**Check in now**, or the event starts without you."))
        shown = checked
        told.append(say("**{n} of {all} have checked in**", n=len(shown), all=len(view.entries)))
    if shown:
        named = [plain(escape(entry.name)) for entry in shown[:NAMES_SHOWN]]
        told.append(join(named, ", "))
        if (more := len(shown) - NAMES_SHOWN) > 0:
            told.append(say_n("-# and {n} more", "-# and {n} more", more))
    if len(view.entries) < view.format.fewest:
        told.append(say("-# It takes at least {n} players.", n=view.format.fewest))
    told.append(say("-# The lots are fixed already; their hash begins with `{hash}`.", hash=key_hash(row)[:DIGITS]))
    return join(told)


def _running(view: EventView) -> list[Text]:
    """The round that goes on, and its games."""
    row, event = view.row, view.event
    told: list[Text] = []
    if row.paused_at is not None:
        told.append(say("⏸️ The event is paused: no round ends or begins. Games that are on go on."))
    if event is None or not event.rounds:
        return told
    at_once = event.format.system.at_once
    if row.ends_at is not None and row.paused_at is None:
        until = str(int(row.ends_at))
        told.append(say("**All games end <t:{at}:R>** at the latest", at=until) if at_once else
                    say("**Round {n} of {all}**, until <t:{at}:f> at the latest", n=len(event.rounds), all=event.length,
                        at=until))  # fmt: skip
    rounds = range(len(event.rounds)) if at_once else (len(event.rounds) - 1,)
    games = [
        (game, stored.table_id)
        for number in rounds
        for game, stored in zip(event.rounds[number].games, row.rounds[number].games, strict=True)
    ]
    on = [one for one in games if not one[0].is_over and (one[1] is not None or not at_once)]
    over = [] if at_once else [one for one in games if one[0].is_over]
    shown = [*on, *over][:GAMES_SHOWN]
    told += [game_line(view, game.seats, table_id, game) for game, table_id in shown]
    if (more := len(games) - len(shown)) > 0 and not at_once:
        told.append(say_n("-# and {n} more game", "-# and {n} more games", more))
    if not at_once and (byes := event.rounds[-1].byes):
        told.append(say("-# Bye: {who}", who=join(names_words(view, byes), ", ")))
    return told


def winners_words(view: EventView, *, mention: bool = False) -> list[Text]:
    """The first three, each in a line."""
    return [
        say("{medal} {who}", medal=MEDALS[line.place - 1], who=names_words(view, (line.player,), mention=mention)[0])
        for line in view.standings
        if line.place <= len(MEDALS) and line.counts
    ]


def _buttons(view: EventView, language: Language) -> Sequence[Button]:
    row, tokens = view.row, (str(view.row.id),)
    shown = button(language(say("Details")), Click("event-show", tokens=tokens).custom_id)
    if row.status is EventStatus.CHECK_IN:
        label = say("I’m in: check in")
    elif view.can_enter:
        label = say("Enter")
    elif row.status is EventStatus.RUNNING:
        label = say("My games")
        mine = Click("event-show", tokens=(*tokens, "mine")).custom_id
        return [button(language(label), mine, discord.ButtonStyle.primary), shown]
    else:
        return [shown]
    enter = Click("event-enter", tokens=tokens).custom_id
    return [button(language(label), enter, discord.ButtonStyle.success), shown]


# --- calls ----------------------------------------------------------------------------------------------------------------


async def event_call(view: EventView, number: int, language: Language, best: Snapshot | None = None) -> Call | None:
    """The message that tells of the check-in (1), of a round (2 and up), or of the end (one more than there are rounds).

    None if that is over: nobody is called for what has passed. `best`: the best game of an event that is over.
    """
    row, event = view.row, view.event
    title = say("### 🏆 {name}", name=plain(escape(row.name)))
    if number == 1:
        return _check_in_call(view, title, language) if row.status is EventStatus.CHECK_IN else None
    if event is None:
        return None
    last = 2 if event.format.system.at_once else len(event.rounds) + 1
    if row.status is EventStatus.FINISHED and number > last:
        return await _last_call(view, title, best, language)
    if row.status is not EventStatus.RUNNING or number != last:
        return None
    return _round_call(view, title, language)


def _check_in_call(view: EventView, title: Text, language: Language) -> Call:
    row, waiting = view.row, [entry for entry in view.entries if entry.press is None]
    said = say("{name}: check in, or it starts without you.", name=_plain_title(view))
    told = [say("**Check in now.** The event starts <t:{at}:R>, with those who have.", at=str(int(row.starts_at)))]
    names = join(names_words(view, tuple(entry.number for entry in waiting), mention=True), " ")
    enter = Click("event-enter", tokens=(str(row.id),)).custom_id
    check_in = button(language(say("I’m in: check in")), enter, discord.ButtonStyle.success)
    called = tuple(entry.user_id for entry in waiting if entry.user_id > 0)

    def left(now: float) -> str:
        return language(say("It starts in {time}.", time=duration(max(MINUTE, row.starts_at - now))))

    return _calling([title, *told], [names], Notification(language(said), left), called, check_in, language)


def _round_call(view: EventView, title: Text, language: Language) -> Call:
    row, event = view.row, view.event
    assert event is not None, "a round has begun"
    ends = row.ends_at or 0.0
    known = {"name": _plain_title(view), "n": len(event.rounds), "all": event.length}
    if event.format.system.at_once:
        said = say("{name} has started: everybody plays everybody. Play your games.", **known)
        told = say("**The event has started.** Everybody plays everybody, until <t:{at}:f> at the latest.", at=str(int(ends)))
        lines = [join(names_words(view, event.active, mention=True), " ")]
        called: tuple[int, ...] = event.active
    else:
        said = say("{name}: round {n} of {all} has begun. Play your game.", **known)
        told = say("**Round {n} of {all} has begun**, until <t:{at}:f> at the latest.", at=str(int(ends)), **known)
        newest, stored = event.rounds[-1], row.rounds[-1].games
        lines = [
            game_line(view, game.seats, one.table_id, None, mention=True)
            for game, one in zip(newest.games, stored, strict=True)
        ]
        if newest.byes:
            lines.append(
                say("{who}: bye, which is worth a point", who=join(names_words(view, newest.byes, mention=True), ", "))
            )
        called = tuple(dict.fromkeys(newest.players))
    mine = button(
        language(say("My games")),
        Click("event-show", tokens=(str(row.id), "mine")).custom_id,
        discord.ButtonStyle.primary,
    )
    users = {entry.number: entry.user_id for entry in view.entries}
    pinged = tuple(users[number] for number in called if users.get(number, 0) > 0)

    def left(now: float) -> str:
        return language(say("{time} left.", time=duration(max(MINUTE, ends - now))))

    return _calling([title, told], lines, Notification(language(said), left), pinged, mine, language)


def _calling(
    heading: Sequence[Text],
    lines: Sequence[Text],
    notification: Notification,
    pinged: tuple[int, ...],
    press: Button,
    language: Language,
) -> Call:
    """A call that pings people, who are mentioned in its lines. A short one begins with the sentence for lock screens."""
    short = len(body := language(join(lines))) <= PLAIN_LIMIT
    builder = MessageBuilder().text(body if short else language(join([*heading, *lines])))
    if not short:
        notification = replace(notification, mentions=people(pinged))
    return Call(builder.buttons([press]).notify(notification), pinged)


def _plain_title(view: EventView) -> Text:
    """The name of an event for a lock screen."""
    return plain(plain_name(view.row.name, TITLE))


async def _last_call(view: EventView, title: Text, best: Snapshot | None, language: Language) -> Call:
    """The result: the podium with the best game. Its people are named, and nobody is pinged."""
    told = [title, say("**The event is over.** Congratulations!"), *winners_words(view, mention=True)]
    builder = MessageBuilder().text(language(join(told)))
    builder.picture(await podium_picture(view, best, language))
    table = Click("event-show", tokens=(str(view.row.id), "table")).custom_id
    return Call(builder.buttons([button(language(say("The table")), table)]))


def farewell(view: EventView, server: str, language: Language) -> MessageBuilder:
    """Tell a player directly that the event goes on without them."""
    said = say("You’re out of {name}: you missed a second deadline.", name=_plain_title(view))
    more = say("On {server}. If you’d like to play on, press *Come back* in `/event show`.", server=server)
    row = view.row
    builder = MessageBuilder().text(language(more)).notify(Notification(language(said)))
    return builder.buttons([server_button(language, row.guild_id, row.thread_id or row.channel_id)])
