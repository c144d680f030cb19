"""Notices: messages besides the board, in the channel or to one person: offers, reminders, news for watchers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import discord

from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, Picture, button, escape
from bot.messages.click import Click
from bot.messages.game.asking import question, questions
from bot.messages.game.players import LEVEL_WORDS, marks, names
from bot.messages.game.terms import house_terms
from bot.messages.table.lobby import add_terms_and_people, names_people
from bot.sessions import Snapshot
from bot.sessions.core.turns import abandonment, gives_grace, grace_period, in_grace
from bot.sessions.opening.terms import terms_mark
from engines import GAMES
from engines.text import Text, join, plain, say, say_n, seat_name
from storage.schema.records import EntryKind, Handover, Job, JobKind, OfferKind, Proposal, Relief, Seat, Status

HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to be sent.

    Attributes:
        builder: the message.
        pinged: the ids of the users it pings.
        to: the id of the user it is for, if it may also be sent to them directly.
        asks: whether it asks for an answer, and so stands on record until that is given; see `Question`.
        silent: whether no device makes a sound or shows a banner for it.
    """

    builder: MessageBuilder
    pinged: tuple[int, ...]
    to: int | None = None
    asks: bool = False
    silent: bool = False


def notice(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """The notice that a job is to send; None if it is out of date by now."""
    return BUILDERS[job.kind](snapshot, job, language)


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
    return f"https://discord.com/channels/{table.guild_id}/{channel}/{message}"


def _mentions(seats: list[Seat]) -> Text:
    return join([plain(f"<@{seat.user_id}>") for seat in seats], ", ")


def _game(snapshot: Snapshot) -> Text:
    return plain(f"**{snapshot.playing.game.title} #{snapshot.table.id}**")


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
        undecided = [snapshot.players[seat] for seat in snapshot.persons if seat not in offer.agreed]
        asked, text = [player.user_id for player in undecided], _proposal(snapshot, offer, kind, _mentions(undecided))
    if not asked:
        return None
    builder = MessageBuilder().text(language(text, names(snapshot)))
    version = snapshot.table.version
    yes = Click(acceptance(kind), snapshot.table.id, version)
    no = Click(f"{kind}-no", snapshot.table.id, version)
    accept = button(language(say("Accept")), yes.custom_id, discord.ButtonStyle.success)
    builder.buttons([accept, button(language(say("Decline")), no.custom_id)])
    return Notice(builder, tuple(asked), asks=True)


def _handover(snapshot: Snapshot, offer: Handover) -> Text:
    text = say("{asked}: will you take over {seat}’s seat in {game}?", asked=plain(f"<@{offer.to}>"),
               seat=seat_name(offer.seat), game=_game(snapshot))  # fmt: skip
    if snapshot.table.rated and snapshot.players[offer.seat].rated_as != offer.to:
        text = say("{offer} It’s a rated game, but the result won’t count for you.", offer=text)
    return text


def _proposal(snapshot: Snapshot, offer: Proposal, kind: OfferKind, asked: Text) -> Text:
    who, game = seat_name(offer.by), _game(snapshot)
    if isinstance(offer, Relief):
        return say("{asked}: {who} would like a computer ({level}) to take {seat}’s seat in {game}. OK?", asked=asked, who=who,
                   level=LEVEL_WORDS[offer.level], seat=seat_name(offer.seat), game=game)  # fmt: skip
    if kind is OfferKind.DRAW:
        return say("{asked}: {who} offers a draw in {game}.", asked=asked, who=who, game=game)
    if kind is OfferKind.CALL_OFF:
        return say("{asked}: {who} would like to call off {game}, with no result. OK?", asked=asked, who=who, game=game)
    history = snapshot.playing
    own = next(one for one in reversed(history.in_force) if one.entry.seat == offer.by and one.entry.kind is EntryKind.PLAY)
    return say("{asked}: {who} would like to take back “{action}” in {game}. OK?", asked=asked, who=who,
               action=history.action_words(own), game=game)  # fmt: skip


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


def invitation_message(snapshot: Snapshot, language: Language, poster: Picture | None = None) -> MessageBuilder:
    """The invitation, with buttons of its own: the lobby message may be elsewhere. That of a private table tells the terms."""
    who = join([plain(f"<@{p.user_id}>") for p in snapshot.invited], ", ")
    if snapshot.table.matched:
        return _match_message(snapshot, who, language)
    opener = next((p for p in snapshot.people if p.user_id == snapshot.table.opened_by), snapshot.people[0])
    text = say("{who}: {opener} invites you to play {game}! {link}", who=who, opener=plain(escape(opener.name)),
               game=GAMES[snapshot.table.game].title, link=link(snapshot))  # fmt: skip
    builder = MessageBuilder().text(language(text)).picture(poster)
    if not names_people(snapshot.table):
        add_terms_and_people(builder, snapshot, language)
    elif terms := house_terms(snapshot.table):
        builder.text(language(say("House rules, not rated: {terms}", terms=join(terms, " · "))))
    return builder.buttons(_answers(snapshot, language))


def _match_message(snapshot: Snapshot, who: Text, language: Language) -> MessageBuilder:
    """The question to people who were put together whether they play."""
    table, up_to = snapshot.table, f"<t:{int(snapshot.table.deadline or 0)}:R>"
    text = say("{who}: I’ve found you a game of {game}! Are you in? Please answer {when}: {link}", who=who,
               game=GAMES[table.game].title, when=up_to, link=link(snapshot))  # fmt: skip
    return MessageBuilder().text(language(text)).buttons(_answers(snapshot, language))


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
    return Notice(invitation_message(snapshot, language, poster), tuple(p.user_id for p in snapshot.invited), asks=True)


def _reminder(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    user = job.payload["user"]
    table = snapshot.table
    if job.payload["which"] == "next":
        return _next_up(snapshot, job, language)
    waited_for = any(p.user_id == user for p in snapshot.awaited)
    if table.status is not Status.PLAYING or table.turn != job.payload["turn"] or not waited_for or table.deadline is None:
        return None
    seat = snapshot.own_seat(user)
    known = {
        "who": plain(f"<@{user}>"), "game": _game(snapshot), "question": question(snapshot, seat),
        "when": f"<t:{int(table.deadline)}:R>", "link": link(snapshot),
    }  # fmt: skip
    if job.payload["which"] == "abandoned" and abandonment(snapshot).winners:
        text = say("{who}, {game} is still waiting for you: {question} Play, or you lose it {when}. {link}", **known)
    elif job.payload["which"] == "abandoned":
        text = say("{who}, {game} is still waiting for you: {question} Play, or the game ends {when}. {link}", **known)
    elif in_grace(table):
        text = say("{who}, you’re in overtime in {game}: {question} Play before it ends {when}, or the game is lost. {link}",
                   **known)  # fmt: skip
    elif (follows := _consequence(snapshot)) is not None:
        text = say("{who}, {game} is waiting for you: {question} Your time ends {when}. {follows} {link}", follows=follows,
                   **known)  # fmt: skip
    else:
        text = say("{who}, {game} is waiting for you: {question} Your time ends {when}. {link}", **known)
    return Notice(MessageBuilder().text(language(text, names(snapshot))), (user,), user)


def _next_up(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """The word to the person whose turn comes next; None once the turn is another one."""
    coming = snapshot.next_person
    if snapshot.table.turn != job.payload["turn"] or coming is None or coming.user_id != job.payload["user"]:
        return None
    awaited = join([seat_name(seat) for seat in snapshot.playing.to_act], ", ")
    text = say("{who}, you’re next in {game}, after {awaited}. {link}", who=plain(f"<@{coming.user_id}>"), game=_game(snapshot),
               awaited=awaited, link=link(snapshot))  # fmt: skip
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
    awaited = list(snapshot.awaited)
    by = seat_name(job.payload["by"])
    nudges = [
        say("{asked}: a friendly nudge from {who}. {game} is waiting for you: {question} {link}", who=by, game=_game(snapshot),
            asked=_mentions([snapshot.players[seat] for seat in seats]), question=asked, link=link(snapshot))
        for asked, seats in questions(snapshot, [seat for seat, p in enumerate(snapshot.players) if p in awaited])
    ]  # fmt: skip
    return Notice(MessageBuilder().text(language(join(nudges), names(snapshot))), tuple(p.user_id for p in awaited))


def _watch(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    user = job.payload["user"]
    if not snapshot.open_to(user):
        return None  # they have left a private table since
    over = snapshot.result()
    if over is None and any(p.user_id == user for p in snapshot.awaited):
        return None  # they have been pinged by the board itself
    who = plain(f"<@{user}>")
    if over is not None:
        text = say("{who}: {game} is over. {result} {link}", who=who, game=_game(snapshot), result=over, link=link(snapshot))
    else:
        awaited = join([seat_name(seat) for seat in snapshot.playing.to_act], ", ")
        text = say("{who}: news from {game}. Next up: {awaited}. {link}", who=who, game=_game(snapshot), awaited=awaited,
                   link=link(snapshot))  # fmt: skip
    return Notice(MessageBuilder().text(language(text, names(snapshot))), (user,), user)


BUILDERS: Final[Mapping[JobKind, Callable[[Snapshot, Job, Language], Notice | None]]] = {
    JobKind.OFFER: _offer,
    JobKind.HURRIED: _haste,
    JobKind.REMINDER: _reminder,
    JobKind.NUDGE: _nudge,
    JobKind.WATCH: _watch,
}
