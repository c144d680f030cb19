"""Notices: messages besides the board, in the channel or to one person: offers, reminders, news for watchers."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.core.table.deadlines import ends_at, gives_grace, grace_period, in_grace
from bot.core.table.since import standing, turn_before
from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark
from bot.core.turns import abandonment
from bot.i18n.language import Language
from bot.messages.asking import asked_in_turn, game_name, question, time_left
from bot.messages.builder import CHANNELS, Button, MessageBuilder, Picture, button, escape, link_button
from bot.messages.click import Click
from bot.messages.lobby import add_terms_and_people, invitation_notification, names_people, opener_name
from bot.messages.notification import NO_LIMIT, Left, Notification, people
from bot.messages.players import LEVEL_WORDS, marks, names, plain_names
from bot.messages.story import brief, cut, headline
from bot.messages.terms import house_terms
from engines import GAMES
from engines.text import Text, join, plain, say, say_n, seat_name
from storage.schema.records import EntryKind, Handover, Job, JobKind, OfferKind, Proposal, Relief, Status

HOUR: Final = 3600

ACTION: Final = 60
"""The characters that an action has that is to be taken back."""

HEADLINE: Final = 80
"""The characters that what was done has in the news for watchers."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to be sent.

    Attributes:
        builder: the message.
        pinged: the ids of the users it pings.
        to: the id of the user it is for, if it may also be sent to them directly.
        buttons: buttons below it. Those of a direct message can only lead elsewhere: what is pressed there is on no server.
        asks: whether it asks for an answer, and so stands on record until that is given; see `Question`.
        silent: whether no device makes a sound or shows a banner for it.
    """

    builder: MessageBuilder
    pinged: tuple[int, ...]
    to: int | None = None
    buttons: tuple[Button, ...] = ()
    asks: bool = False
    silent: bool = False


def notice(snapshot: Snapshot, job: Job, language: Language, *, direct: bool = False) -> Notice | None:
    """The notice that a job is to send, in a channel or as a `direct` message; None if it is out of date by now."""
    said = BUILDERS[job.kind](snapshot, job, language)
    if said is not None:
        said.builder.buttons([each for each in said.buttons if each.url is not None or not direct])
    return said


def acceptance(kind: OfferKind | None) -> str:
    """Return the verb of the button that accepts an offer, or an invitation (None)."""
    return "accept" if kind is None else f"{kind}-yes"


def link(snapshot: Snapshot) -> str:
    """A link to the newest message of a table; if it cannot be linked, a mention of its channel."""
    table = snapshot.table
    channel = table.board_channel_id or table.thread_id or table.channel_id
    message = table.board_message_id or table.lobby_message_id
    if message is None or (table.board_message_id is None and channel != table.channel_id):
        return f"<#{channel}>"
    return f"{CHANNELS}/{table.guild_id}/{channel}/{message}"


def address(snapshot: Snapshot) -> str:
    """The address of what `link` leads to, for a button."""
    to = link(snapshot)
    return f"{CHANNELS}/{snapshot.table.guild_id}/{to[2:-1]}" if to.startswith("<#") else to


def board_button(snapshot: Snapshot, language: Language) -> Button:
    """The button that leads to the newest message of a table, in a message that may be elsewhere."""
    return link_button(language(say("Go to the board")), address(snapshot))


def _said(
    snapshot: Snapshot,
    language: Language,
    said: Text,
    pinged: Collection[int],
    *,
    left: Left = NO_LIMIT,
    more: Text | None = None,
) -> MessageBuilder:
    """A plain message to the people it pings: a sentence for the lock screen, and more text below it, in Markdown.

    `left`: says how long there is, at the end of the sentence.
    """
    words = language(said, plain_names(snapshot)).replace("**", "")
    notification = Notification(words, left, people(pinged))
    return MessageBuilder().text("" if more is None else language(more, names(snapshot))).notify(notification)


def _offer(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """An offer, for the people who have to agree to it. Computers answer by themselves, and a notice tells their answer."""
    kind = OfferKind(job.key)
    if snapshot.table.status is not Status.PLAYING:
        return None
    if (declined := job.payload.get("declined")) is not None:
        return _refusal(snapshot, declined, language)
    offer = snapshot.table.offers.of(kind)
    if offer is None:
        return None
    if isinstance(offer, Handover):
        asked, text = [offer.to], _handover(snapshot, offer)
    else:
        asked = [snapshot.players[seat].user_id for seat in snapshot.persons if seat not in offer.agreed]
        text = _proposal(snapshot, offer, kind, language)
    if not asked:
        return None
    uncounted = kind is OfferKind.SUBSTITUTE and snapshot.table.rated and not _counts_for(snapshot, asked[0])
    more = say("-# It’s a rated game, but the result won’t count for you.") if uncounted else None
    builder = _said(snapshot, language, text, asked, more=more)
    version = snapshot.table.version
    yes = Click(acceptance(kind), snapshot.table.id, version)
    no = Click(f"{kind}-no", snapshot.table.id, version)
    accept = button(language(say("Accept")), yes.custom_id, discord.ButtonStyle.success)
    builder.buttons([accept, button(language(say("Decline")), no.custom_id)])
    return Notice(builder, tuple(asked), asks=True)


def _counts_for(snapshot: Snapshot, user_id: int) -> bool:
    """Whether the result would count for a person who takes the seat that they are offered."""
    offer = snapshot.table.offers.substitute
    return offer is not None and snapshot.players[offer.seat].rated_as == user_id


def _handover(snapshot: Snapshot, offer: Handover) -> Text:
    return say("Will you take over {seat}’s seat in {game}?", seat=seat_name(offer.seat), game=game_name(snapshot))


def _proposal(snapshot: Snapshot, offer: Proposal, kind: OfferKind, language: Language) -> Text:
    who, game = seat_name(offer.by), game_name(snapshot)
    if isinstance(offer, Relief):
        return say("{who} would like a computer player ({level}) in {seat}’s seat in {game}. OK?", who=who,
                   level=LEVEL_WORDS[offer.level], seat=seat_name(offer.seat), game=game)  # fmt: skip
    if kind is OfferKind.DRAW:
        return say("{who} offers you a draw in {game}. Do you accept?", who=who, game=game)
    if kind is OfferKind.CALL_OFF:
        return say("{who} would like to call off {game}, with no result. OK?", who=who, game=game)
    history = snapshot.playing
    own = next(one for one in reversed(history.in_force) if one.entry.seat == offer.by and one.entry.kind is EntryKind.PLAY)
    action = cut(brief(language(history.action_words(own), plain_names(snapshot))), ACTION)
    return say("{who} would like to take back a move in {game}: “{action}”. OK?", who=who, action=plain(action), game=game)


def _refusal(snapshot: Snapshot, seat: int, language: Language) -> Notice:
    """The notice that a computer has declined a draw."""
    text = say("{who} declined the draw.", who=plain(f"{marks(snapshot)[seat]} {language(names(snapshot)[seat])}"))
    return Notice(MessageBuilder().text(language(text)), ())


def _haste(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """The notice that a computer has played below its level, because the machine is busy."""
    if snapshot.table.status is not Status.PLAYING:
        return None
    text = say("-# I’m very busy right now, so {who} played at its easy level.", who=seat_name(job.payload["seat"]))
    return Notice(MessageBuilder().text(language(text, names(snapshot))), ())


def invitation_message(
    snapshot: Snapshot, language: Language, poster: Picture | None = None, *, again: bool = False
) -> MessageBuilder:
    """The invitation, with buttons of its own: the lobby message may be elsewhere. That of a private table tells the terms.

    `again`: whether it stands in a message that pings nobody, below somebody's answer.
    """
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
    """The buttons that answer an invitation."""
    accept = Click(acceptance(None), snapshot.table.id, terms_mark(snapshot.table)).custom_id
    decline = Click("decline", snapshot.table.id).custom_id
    yes = button(language(say("Accept")), accept, discord.ButtonStyle.success)
    return [yes, button(language(say("Decline")), decline)]


def invitation(snapshot: Snapshot, language: Language, poster: Picture | None) -> Notice | None:
    """The notice to those who are invited, with the poster of the table; None if nobody is by now."""
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
    known = {"game": game_name(snapshot), "question": question(snapshot, snapshot.own_seat(user))}
    abandoned = job.payload["which"] == "abandoned"
    left = time_left(snapshot, language, anyway=abandoned)
    follows = say("Your time ends {when}.", when=f"<t:{int(table.deadline)}:R>")
    if abandoned:
        text = say("{game} is still waiting for you: {question}", **known)
        ends = {"when": f"<t:{int(table.deadline)}:R>"}
        lost = bool(abandonment(snapshot).winners)
        follows = say("Play, or you lose it {when}.", **ends) if lost else say("Play, or the game ends {when}.", **ends)
    else:
        text = say("{game} is waiting for you: {question}", **known)
        if not in_grace(table) and (missed := _consequence(snapshot)) is not None:
            follows = join([follows, missed], " ")
    builder = _said(snapshot, language, text, (user,), left=left, more=say("-# {more}", more=follows))
    move = button(language(say("Move")), Click("move", table.id, table.version).custom_id, discord.ButtonStyle.primary)
    return Notice(builder, (user,), user, (move, board_button(snapshot, language)), asks=True)


def _next_up(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """The word to the person whose turn comes next; None once the turn is another one."""
    coming = snapshot.next_person
    if snapshot.table.turn != job.payload["turn"] or coming is None or coming.user_id != job.payload["user"]:
        return None
    awaited = join([seat_name(seat) for seat in snapshot.playing.to_act], ", ")
    text = say("{who}, you’re next in {game}, after {awaited}. {link}", who=plain(f"<@{coming.user_id}>"),
               game=plain(f"**{game_name(snapshot)}**"), awaited=awaited, link=link(snapshot))  # fmt: skip
    return Notice(MessageBuilder().text(language(text, names(snapshot))), (coming.user_id,), coming.user_id, silent=True)


def _consequence(snapshot: Snapshot) -> Text | None:
    """The consequence of a missed deadline in a game of two; None in games where the bot plays for the absent."""
    if gives_grace(snapshot):
        hours = max(1, round(grace_period(snapshot.table) / HOUR))
        more = say("one last day") if hours == 24 else say_n("one more hour", "{n} more hours", hours)
        return say("Miss it and you get {more}, just once. After that the game is lost.", more=more)
    if snapshot.table.clock is None or len(snapshot.present) > 2:
        return None
    return say("Miss it and the game is lost.")


def _nudge(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    if snapshot.table.status is not Status.PLAYING or snapshot.table.turn != job.payload["turn"]:
        return None
    asked = asked_in_turn(snapshot, snapshot.playing.to_act)
    known = {"who": seat_name(job.payload["by"]), "game": game_name(snapshot), "question": asked}
    text = say("{who} nudges you. {game} is waiting for you: {question}", **known)
    pinged = tuple(p.user_id for p in snapshot.awaited)
    builder = _said(snapshot, language, text, pinged, left=time_left(snapshot, language))
    return Notice(builder.buttons([board_button(snapshot, language)]), pinged)


def _watch(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    user = job.payload["user"]
    if not snapshot.open_to(user):
        return None  # they have left a private table since
    over = snapshot.result()
    if over is None and any(p.user_id == user for p in snapshot.awaited):
        return None  # they have been pinged by the board itself
    if over is not None:
        text = say("{game} is over. {result}", game=game_name(snapshot), result=over)
    else:
        history, who = snapshot.playing, plain_names(snapshot)
        done = headline(standing(history, turn_before(history, snapshot.computers)[0]), language, who, (), HEADLINE)
        awaited = join([seat_name(seat) for seat in history.to_act], ", ")
        text = say("News from {game}: {done} Next to play: {awaited}.", game=game_name(snapshot), done=done, awaited=awaited)
    builder = _said(snapshot, language, text, (user,))
    return Notice(builder.buttons([board_button(snapshot, language)]), (user,), user)


BUILDERS: Final[Mapping[JobKind, Callable[[Snapshot, Job, Language], Notice | None]]] = {
    JobKind.OFFER: _offer,
    JobKind.HURRIED: _haste,
    JobKind.REMINDER: _reminder,
    JobKind.NUDGE: _nudge,
    JobKind.WATCH: _watch,
}
