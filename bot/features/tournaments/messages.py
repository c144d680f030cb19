"""The public messages of a tournament: the one that is edited as the tournament goes on, and the calls to its players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.core.clocks.heartbeats import duration
from bot.core.table.audience import Unseen
from bot.core.table.snapshot import Snapshot
from bot.features.tournaments.pictures import podium_picture, standings_picture
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.words import (
    ahead_words,
    clock_words,
    format_words,
    game_line,
    game_words,
    luck_words,
    names_words,
    title_words,
    unseen_players,
)
from bot.i18n.language import Language
from bot.messages.asking import MINUTE
from bot.messages.builder import PLAIN_LIMIT, Button, MessageBuilder, button, escape, escape_name, plain_name, server_button
from bot.messages.click import Click
from bot.messages.notification import Notification, people
from bot.messages.players import MEDALS
from engines.text import Text, join, plain, say, say_n
from storage.schema.kinds import TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.tournament_records import TournamentEntry

NAMES_SHOWN: Final = 20
"""The most people listed before the start. Any others are only counted."""

TITLE: Final = 40
"""The most characters of a tournament's name that a lock screen shows."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A message that notifies people of a tournament, and the ids of those it mentions."""

    builder: MessageBuilder
    pinged: tuple[int, ...] = ()


async def tournament_message(view: TournamentView, language: Language) -> MessageBuilder:
    """Return a tournament's message as it is now, with what is played, when, and by whom. *Rules* has everything else."""
    row = view.row
    builder = MessageBuilder().text(language(title_words(row)))
    match row.status:
        case TournamentStatus.OPEN | TournamentStatus.CHECK_IN:
            told = [
                join([game_words(row), format_words(row), clock_words(row)], " · "),
                *luck_words(row),
                *_when(view),
                *_who(view),
            ]
        case TournamentStatus.RUNNING:
            builder.picture(await standings_picture(view, language))
            told = [*luck_words(row), *_round(view)]
        case TournamentStatus.FINISHED:
            builder.picture(await standings_picture(view, language))
            told = [say("**The event is over.**"), *winners_words(view)]
        case TournamentStatus.CANCELLED:
            told = [_cancelled(view)]
    return builder.text(language(join(told))).buttons(_buttons(view, language))


def _when(view: TournamentView) -> list[Text]:
    row, at = view.row, str(int(view.row.starts_at))
    if row.paused_at is not None:
        return [say("⏸️ The event is paused.")]
    if row.status is TournamentStatus.OPEN:
        return [say("Starts <t:{at}:F> (<t:{at}:R>)", at=at)]
    return [say("**Check in now:** it starts <t:{at}:R> with whoever has checked in.", at=at)]


def _who(view: TournamentView) -> list[Text]:
    """Return a line with those who have entered or checked in, and how many more players are needed."""
    checks = view.row.status is TournamentStatus.CHECK_IN
    shown = view.checked_in if checks else view.entries
    if checks:
        counted = say("{n} of {all} have checked in", n=len(shown), all=len(view.entries))
    else:
        counted = say_n("{n} of {most} is in", "{n} of {most} are in", len(shown), most=view.row.most)
    if (missing := view.format.fewest - len(shown)) > 0:
        counted = say_n("{counted}, {n} more needed", "{counted}, {n} more needed", missing, counted=counted)
    named = names_words(view, tuple(entry.number for entry in shown[:NAMES_SHOWN]))
    if (more := len(shown) - NAMES_SHOWN) > 0:
        named.append(say_n("and {n} more", "and {n} more", more))
    if not named:
        return [join([plain("**"), counted, plain("**")], "")]
    return [say("**{counted}:** {names}", counted=counted, names=join(named, ", "))]


def _round(view: TournamentView) -> list[Text]:
    row, event = view.row, view.event
    if row.paused_at is not None:
        return [say("⏸️ The event is paused: no round starts or ends. Games already under way continue.")]
    if event is None or not event.rounds or row.ends_at is None:
        return []
    at = str(int(row.ends_at))
    if event.format.system.at_once:
        return [say("**All games end** <t:{at}:R> at the latest", at=at)]
    told = [say("**Round {n} of {all}** ends <t:{at}:f> at the latest", n=len(event.rounds), all=event.length, at=at)]
    if byes := event.rounds[-1].byes:
        told.append(say("-# Bye: {who}", who=join(names_words(view, byes), ", ")))
    return told


def _cancelled(view: TournamentView) -> Text:
    """Say that a tournament was cancelled, and why, if the bot cancelled it."""
    by = next((act.by for act in reversed(view.row.acts) if act.deed is TournamentDeed.CANCELLED), None)
    if by is TournamentActor.BOT:
        return say("**The event was cancelled:** too few people checked in.")
    if not view.row.rounds:
        return say("**The event was cancelled.**")
    return say("**The event was cancelled.** Games already under way continue on their own.")


def winners_words(view: TournamentView, *, mention: bool = False) -> list[Text]:
    """Return a line for each of the first three, and lines that say what decided between players with equal points."""
    first = [line for line in view.standings if line.place <= len(MEDALS) and line.counts]
    told = [
        say("{medal} {who}", medal=MEDALS[line.place - 1], who=names_words(view, (line.player,), mention=mention)[0])
        for line in first
    ]
    why = ahead_words(view, name=lambda number: escape_name(view.name_of(number)), best=len(MEDALS))
    return [*told, *(join([plain("-#"), one], " ") for one in why)]


def _buttons(view: TournamentView, language: Language) -> Sequence[Button]:
    row, tokens = view.row, (str(view.row.id),)
    rules = button(language(say("Rules")), Click("event-show", tokens=(*tokens, "rules")).custom_id)
    if row.status is TournamentStatus.CANCELLED:
        return []
    if row.status is TournamentStatus.FINISHED:
        return [button(language(say("Standings")), Click("event-show", tokens=(*tokens, "table")).custom_id), rules]
    enter, found = Click("event-enter", tokens=tokens).custom_id, list[Button]()
    if row.status is TournamentStatus.RUNNING:
        mine = Click("event-show", tokens=(*tokens, "mine")).custom_id
        found.append(button(language(say("My games")), mine, discord.ButtonStyle.primary))
    if row.status is TournamentStatus.CHECK_IN:
        found.append(button(language(say("Check in")), enter, discord.ButtonStyle.success))
    elif view.can_enter:
        found.append(button(language(say("Enter")), enter, discord.ButtonStyle.success))
    return [*found, rules]


# --- calls ----------------------------------------------------------------------------------------------------------------


async def tournament_call(
    view: TournamentView, number: int, language: Language, best: Snapshot | None = None
) -> Announcement | None:
    """Return the call: 1 for the check-in, 2 and up for the rounds, then one for the end. None if it is out of date."""
    row, event = view.row, view.event
    title = title_words(row)
    if number == 1:
        return _check_in_call(view, title, language) if row.status is TournamentStatus.CHECK_IN else None
    if event is None:
        return None
    last = last_call(view) - 1
    if row.status is TournamentStatus.FINISHED and number > last:
        return await _last_call(view, title, best, language)
    if row.status is not TournamentStatus.RUNNING or number != last:
        return None
    return _round_call(view, title, language)


def last_call(view: TournamentView) -> int:
    """Return the number of the call for the end of a tournament, assuming that no other round will come."""
    rounds = 0 if view.event is None else len(view.event.rounds)
    return 3 if view.format.system.at_once else rounds + 2


def _check_in_call(view: TournamentView, title: Text, language: Language) -> Announcement:
    row, waiting = view.row, [entry for entry in view.entries if entry.press is None]
    said = say("{name}: check in, or it starts without you.", name=_plain_title(view))
    told = [say("**Check in now.** The event starts <t:{at}:R> with whoever has checked in.", at=str(int(row.starts_at)))]
    names = join(names_words(view, tuple(entry.number for entry in waiting), mention=True), " ")
    enter = Click("event-enter", tokens=(str(row.id),)).custom_id
    check_in = button(language(say("Check in")), enter, discord.ButtonStyle.success)
    called = tuple(entry.user_id for entry in waiting if entry.user_id > 0)

    def left(now: float) -> str:
        return language(say("It starts in {time}.", time=duration(max(MINUTE, row.starts_at - now))))

    return _calling([title, *told], [names], Notification(language(said), left), called, check_in, language)


def _round_call(view: TournamentView, title: Text, language: Language) -> Announcement:
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
            lines.append(say("{who}: bye, worth a point", who=join(names_words(view, newest.byes, mention=True), ", ")))
        called = tuple(dict.fromkeys(newest.players))
    mine = button(
        language(say("My games")), Click("event-show", tokens=(str(row.id), "mine")).custom_id, discord.ButtonStyle.primary
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
) -> Announcement:
    """Return a call that pings the people mentioned in its lines. A short call begins with the sentence for lock screens."""
    short = len(body := language(join(lines))) <= PLAIN_LIMIT
    builder = MessageBuilder().text(body if short else language(join([*heading, *lines])))
    if not short:
        notification = replace(notification, mentions=people(pinged))
    return Announcement(builder.buttons([press]).notify(notification), pinged)


def _plain_title(view: TournamentView) -> Text:
    return plain(plain_name(view.row.name, TITLE))


async def _last_call(view: TournamentView, title: Text, best: Snapshot | None, language: Language) -> Announcement:
    """Return the call with the result: the podium and the best game. People are named, but nobody is pinged."""
    told = [title, say("**The event is over.** Congratulations!"), *winners_words(view, mention=True)]
    builder = MessageBuilder().text(language(join(told)))
    builder.picture(await podium_picture(view, best, language))
    table = Click("event-show", tokens=(str(view.row.id), "table")).custom_id
    return Announcement(builder.buttons([button(language(say("Standings")), table)]))


def question(view: TournamentView, entry: TournamentEntry, language: Language) -> Announcement:
    """Return the message that asks a person whether they take over from a player."""
    assert entry.asked_id is not None, "somebody is asked"
    said = say("Take over from {who} in {name}?", name=_plain_title(view), who=plain(plain_name(entry.name, TITLE)))
    told = say("You’d take on their results and play from the next game on. Nothing happens until you accept.")
    tokens = (str(view.row.id), str(entry.number))
    builder = MessageBuilder().text(language(join([title_words(view.row), told])))
    builder.buttons([
        button(language(say("Accept")), Click("event-accept", tokens=tokens).custom_id, discord.ButtonStyle.success),
        button(language(say("Decline")), Click("event-decline", tokens=tokens).custom_id),
        button(language(say("What’s this about?")), Click("event-show", tokens=(tokens[0], "rules")).custom_id),
    ])  # fmt: skip
    return Announcement(builder.notify(Notification(language(said), mentions=people((entry.asked_id,)))), (entry.asked_id,))


def answered_message(view: TournamentView, number: int, name: str, language: Language, *, accepted: bool) -> MessageBuilder:
    """Return what everybody sees in place of the question, once the person with this name has answered it."""
    who = {"who": plain(escape_name(name)), "name": plain(escape(view.row.name))}
    if accepted:
        return MessageBuilder().text(language(say("{who} takes over in {name} from the next game on.", **who)))
    other = plain(escape_name(view.name_of(number)))
    return MessageBuilder().text(language(say("{who} declined to take over from {other} in {name}.", other=other, **who)))


def farewell(view: TournamentView, server: str, language: Language) -> MessageBuilder:
    """Return the direct message that tells a player that the tournament goes on without them."""
    said = say("You’re out of {name}: you missed a second deadline.", name=_plain_title(view))
    more = say("On {server}. If you’d like to play on, press *Come back* in `/event show`.", server=server)
    row = view.row
    builder = MessageBuilder().text(language(more)).notify(Notification(language(said)))
    return builder.buttons([server_button(language, row.guild_id, row.thread_id or row.channel_id)])


def unseen_call(view: TournamentView, unseen: Mapping[int, Unseen], server: str, language: Language) -> MessageBuilder:
    """Return the direct message that tells an organiser who cannot see the tournament, and what they can do about it."""
    row = view.row
    said = say_n("{name}: {n} player can’t see it any more.", "{name}: {n} players can’t see it any more.", len(unseen),
                 name=_plain_title(view))  # fmt: skip
    more = say("On {server}. *Organise* in `/event show` lets you remove them, or pick somebody to take over. Whoever "
               "manages the server can let them see the channel.", server=plain(plain_name(server)))  # fmt: skip
    told = join([*unseen_players(view, unseen), more])
    builder = MessageBuilder().text(language(told)).notify(Notification(language(said)))
    return builder.buttons([server_button(language, row.guild_id, row.thread_id or row.channel_id)])
