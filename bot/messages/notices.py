"""Notices: messages besides the board, in the channel or to one person, such as invitations, reminders and nudges."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import discord

from bot.core.table.deadlines import ends_at, gives_grace, grace_period, in_grace
from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark
from bot.core.turns import abandonment
from bot.i18n.language import Language
from bot.messages.asking import asked_in_turn, game_name, question, time_left
from bot.messages.builder import CHANNELS, Button, MessageBuilder, Picture, button, escape, link_button
from bot.messages.click import Click
from bot.messages.lobby import add_terms_and_people, invitation_notification, names_people, opener_name
from bot.messages.notification import NO_LIMIT, Left, Notification, people
from bot.messages.players import names, plain_names
from bot.messages.terms import house_terms
from engines import GAMES
from engines.text import Text, join, plain, say, say_n, seat_name
from storage.schema.records import Job, JobKind, OfferKind, Status

HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to be sent.

    Attributes:
        pinged: the ids of the users it pings.
        to: the id of its only addressee, if it may also be sent to them directly.
        buttons: the buttons below it. In a direct message they can only be links, since a click there belongs to no server.
        asks: whether it is kept on record until it is answered; see `Question`.
        silent: whether no device makes a sound or shows a banner for it.
    """

    builder: MessageBuilder
    pinged: tuple[int, ...]
    to: int | None = None
    buttons: tuple[Button, ...] = ()
    asks: bool = False
    silent: bool = False


NoticeBuilder: TypeAlias = Callable[[Snapshot, Job, Language], Notice | None]
"""Builds a job's notice, or returns None if the notice is out of date."""


def notice(build: NoticeBuilder, snapshot: Snapshot, job: Job, language: Language, *, direct: bool = False) -> Notice | None:
    """Return a job's notice, in a channel or as a `direct` message, or None if it is out of date."""
    said = build(snapshot, job, language)
    if said is not None:
        said.builder.buttons([each for each in said.buttons if each.url is not None or not direct])
    return said


def acceptance(kind: OfferKind | None) -> str:
    """Return the verb of the button that accepts an offer, or an invitation if `kind` is None."""
    return "accept" if kind is None else f"{kind}-yes"


def refusal(kind: OfferKind) -> str:
    """Return the verb of the button that declines or withdraws an offer."""
    return f"{kind}-no"


def link(snapshot: Snapshot) -> str:
    """Return a link to a table's newest message, or a mention of its channel if there is no link."""
    table = snapshot.table
    channel = table.board_channel_id or table.thread_id or table.channel_id
    message = table.board_message_id or table.lobby_message_id
    if message is None or (table.board_message_id is None and channel != table.channel_id):
        return f"<#{channel}>"
    return f"{CHANNELS}/{table.guild_id}/{channel}/{message}"


def address(snapshot: Snapshot) -> str:
    """Return the address that `link` leads to, as a button needs it."""
    to = link(snapshot)
    return f"{CHANNELS}/{snapshot.table.guild_id}/{to[2:-1]}" if to.startswith("<#") else to


def board_button(snapshot: Snapshot, language: Language) -> Button:
    """Return the button that leads from elsewhere to a table's newest message."""
    return link_button(language(say("Go to the board")), address(snapshot))


def pinging_message(
    snapshot: Snapshot,
    language: Language,
    said: Text,
    pinged: Collection[int],
    *,
    left: Left = NO_LIMIT,
    more: Text | None = None,
) -> MessageBuilder:
    """Return a plain message to the people it pings: a sentence for the lock screen that ends in `left`, and Markdown below."""
    words = language(said, plain_names(snapshot)).replace("**", "")
    notification = Notification(words, left, people(pinged))
    return MessageBuilder().text("" if more is None else language(more, names(snapshot))).notify(notification)


def _haste(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """Say that a computer has played below its level because the machine is busy."""
    if snapshot.table.status is not Status.PLAYING:
        return None
    text = say("-# I’m very busy right now, so {who} played at its easy level.", who=seat_name(job.payload["seat"]))
    return Notice(MessageBuilder().text(language(text, names(snapshot))), ())


def invitation_message(
    snapshot: Snapshot, language: Language, poster: Picture | None = None, *, again: bool = False
) -> MessageBuilder:
    """Return the invitation with a private table's terms. If `again`, it stands below somebody's answer and pings nobody."""
    builder = MessageBuilder()
    if again:
        who = join([plain(f"<@{p.user_id}>") for p in snapshot.invited], ", ")
        builder.text(language(say("{who}: {question} {link}", who=who, question=_question(snapshot), link=link(snapshot))))
    builder.picture(poster)
    if not names_people(snapshot.table):
        add_terms_and_people(builder, snapshot, language)
    elif terms := house_terms(snapshot.table):
        builder.text(language(say("House rules, not rated: {terms}", terms=join(terms, " · "))))
    builder.buttons([*_answers(snapshot, language), *([] if again else [board_button(snapshot, language)])])
    return builder if again else builder.notify(invitation_notification(snapshot, language))


def _question(snapshot: Snapshot) -> Text:
    game = GAMES[snapshot.table.game].title
    if snapshot.table.matched:
        return say("I’ve found you a game of {game}! Are you in?", game=game)
    return say("{opener} invites you to play {game}!", opener=plain(escape(opener_name(snapshot))), game=game)


def _answers(snapshot: Snapshot, language: Language) -> list[Button]:
    accept = Click(acceptance(None), snapshot.table.id, terms_mark(snapshot.table)).custom_id
    decline = Click("decline", snapshot.table.id).custom_id
    yes = button(language(say("Accept")), accept, discord.ButtonStyle.success)
    return [yes, button(language(say("Decline")), decline)]


def invitation(snapshot: Snapshot, language: Language, poster: Picture | None) -> Notice | None:
    """Return the notice to invited people, with the table's poster, or None if nobody is invited any more."""
    if snapshot.table.status is not Status.OPEN or not snapshot.invited:
        return None
    pinged = tuple(p.user_id for p in snapshot.invited)
    return Notice(invitation_message(snapshot, language, poster), pinged, asks=True)


def _reminder(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    if job.payload["which"] == "next":
        return _next_up(snapshot, job, language)
    user = job.payload["user"]
    table = replace(snapshot.table, deadline=ends_at(snapshot.table))
    snapshot = replace(snapshot, table=table)
    waited_for = any(p.user_id == user for p in snapshot.awaited)
    if table.status is not Status.PLAYING or table.turn != job.payload["turn"] or not waited_for or table.deadline is None:
        return None
    known = {"game": game_name(snapshot), "question": question(snapshot.position, snapshot.own_seat(user))}
    abandoned = job.payload["which"] == "abandoned"
    left = time_left(snapshot, language, anyway=abandoned)
    follows = say("Your time’s up {when}.", when=f"<t:{int(table.deadline)}:R>")
    if abandoned:
        text = say("{game} is still waiting for you: {question}", **known)
        ends = {"when": f"<t:{int(table.deadline)}:R>"}
        lost = bool(abandonment(snapshot).winners)
        follows = say("Play, or you lose {when}.", **ends) if lost else say("Play, or the game ends {when}.", **ends)
    else:
        text = say("{game} is waiting for you: {question}", **known)
        if not in_grace(table) and (missed := _consequence(snapshot)) is not None:
            follows = join([follows, missed], " ")
    builder = pinging_message(snapshot, language, text, (user,), left=left, more=say("-# {more}", more=follows))
    move = button(language(say("Move")), Click("move", table.id, table.version).custom_id, discord.ButtonStyle.primary)
    return Notice(builder, (user,), user, (move, board_button(snapshot, language)), asks=True)


def _next_up(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """Return the message to the person whose turn comes next, or None if another turn has begun."""
    coming = snapshot.next_person
    if snapshot.table.turn != job.payload["turn"] or coming is None or coming.user_id != job.payload["user"]:
        return None
    awaited = join([seat_name(seat) for seat in snapshot.playing.to_act], ", ")
    text = say("{who}, you’re next in {game}, after {awaited}. {link}", who=plain(f"<@{coming.user_id}>"),
               game=plain(f"**{game_name(snapshot)}**"), awaited=awaited, link=link(snapshot))  # fmt: skip
    return Notice(MessageBuilder().text(language(text, names(snapshot))), (coming.user_id,), coming.user_id, silent=True)


def _consequence(snapshot: Snapshot) -> Text | None:
    """Say what follows from a missed deadline in a game of two players, or return None if the bot plays for absent players."""
    if gives_grace(snapshot):
        hours = max(1, round(grace_period(snapshot.table) / HOUR))
        more = say("one last day") if hours == 24 else say_n("one more hour", "{n} more hours", hours)
        return say("If you miss it, you get {more}, just once. After that, you lose.", more=more)
    if snapshot.table.clock is None or len(snapshot.present) > 2:
        return None
    return say("If you miss it, you lose.")


def _nudge(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    if snapshot.table.status is not Status.PLAYING or snapshot.table.turn != job.payload["turn"]:
        return None
    asked = asked_in_turn(snapshot.position, snapshot.playing.to_act)
    known = {"who": seat_name(job.payload["by"]), "game": game_name(snapshot), "question": asked}
    text = say("{who} nudges you. {game} is waiting for you: {question}", **known)
    pinged = tuple(p.user_id for p in snapshot.awaited)
    builder = pinging_message(snapshot, language, text, pinged, left=time_left(snapshot, language))
    return Notice(builder.buttons([board_button(snapshot, language)]), pinged)


BUILDERS: Final[Mapping[JobKind, NoticeBuilder]] = {JobKind.HURRIED: _haste, JobKind.REMINDER: _reminder, JobKind.NUDGE: _nudge}
"""The builders of the notices that every game has. `bot.outbox.jobs.Jobs` has the builders of the features."""
