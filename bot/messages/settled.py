"""Questions that have been settled, by an answer or otherwise, and the messages that replace them and their buttons."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder, escape_name
from bot.messages.notices import invitation_message, link
from bot.messages.players import names, names_with_levels
from engines import GAMES
from engines.text import Text, join, plain, say, seat_name
from storage.schema.jobs import is_of_reminder
from storage.schema.records import Job, OfferKind, SeatStatus, Settled, Status

SettledOffer: TypeAlias = Callable[[Settled, int | None], Text]
"""Says how an offer was settled, and by which seat, if that is known."""


def settled_question(
    snapshot: Snapshot, job: Job, language: Language, offers: Mapping[OfferKind, SettledOffer]
) -> MessageBuilder:
    """Return the line that tells how a job's question was settled. `offers` has the words for offers, by kind."""
    kind, how, seat = job.payload.get("offer"), Settled(job.payload["how"]), job.payload.get("seat")
    if is_of_reminder(job):
        text = say("{who}’s time ran out: {link}", who=seat_name(job.payload["seat"]), link=link(snapshot))
    else:
        text = _invitation(snapshot, how) if kind is None else offers[OfferKind(kind)](how, seat)
    said = language(text, names_with_levels(snapshot, names(snapshot)))
    return MessageBuilder(bare=True).text(f"-# {language(GAMES[snapshot.table.game].title)} #{snapshot.table.id} · {said}")


def _invitation(snapshot: Snapshot, how: Settled) -> Text:
    """Say who has answered an invitation and how, or that it is no longer open."""
    told = list(_answers(snapshot)) if how is Settled.AGREED and snapshot.table.status is not Status.CLOSED else []
    if how is Settled.REPLACED:
        return say("A newer invitation has replaced this one.")
    if not told:
        return say("This invitation is no longer open: {link}", link=link(snapshot))
    return join([*told, plain(link(snapshot))], " ")


def _answers(snapshot: Snapshot) -> Iterator[Text]:
    """Yield the words for each person, apart from the opener, who has joined or declined."""
    for person in snapshot.people:
        opened = person.user_id == snapshot.table.opened_by and not snapshot.table.matched
        if opened or person.computer is not None:
            continue
        if person.status is SeatStatus.JOINED:
            yield say("{who} is in!", who=plain(escape_name(person.name)))
        elif person.status is SeatStatus.DECLINED:
            yield say("{who} can’t make it this time.", who=plain(escape_name(person.name)))


def answered_invitation(snapshot: Snapshot, name: str, language: Language, *, accepted: bool) -> MessageBuilder:
    """Return `name`'s answer to an invitation. If others have yet to answer, the question to them stands below it."""
    table, who = snapshot.table, plain(escape_name(name))
    told = {"who": who, "game": GAMES[table.game].title, "n": table.id, "link": link(snapshot)}
    if accepted:
        answer = language(say("{who} is in! {game} #{n}: {link}", **told))
    else:
        answer = language(say("{who} can’t make it this time. {game} #{n}: {link}", **told))
    asks_others = table.status is Status.OPEN and snapshot.invited
    builder = MessageBuilder().text(f"-# {answer}" if asks_others else answer)
    if asks_others:
        builder.items += invitation_message(snapshot, language, again=True).items
    return builder


def lapsed_invitation(snapshot: Snapshot, language: Language) -> MessageBuilder:
    """Return the message in place of an invitation to a table that nobody can join any more."""
    return MessageBuilder().text(language(say("This invitation is no longer open: {link}", link=link(snapshot))))
