"""The words of offers: the question, the answer to the person who asked, and how the offer was settled."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.players import counts_as_loss
from bot.core.table.snapshot import REASONS, Snapshot
from bot.core.undoing import undoable
from bot.features.offers.kinds import Offer
from bot.features.offers.service import Answered
from bot.i18n.language import Language
from bot.messages.asking import game_name
from bot.messages.board import heading
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.notices import Notice, acceptance, pinging_message, refusal
from bot.messages.players import LEVEL_LABELS, LEVEL_WORDS, former_name, marks, names, names_with_levels, plain_names
from bot.messages.settled import SettledOffer
from bot.messages.story import brief, cut
from engines.text import Text, join, plain, say, say_n, seat_name
from storage.schema.records import Ending, EntryKind, Handover, Job, OfferKind, Relief, Settled, Status

ACTION: Final = 60
"""The maximum length, in characters, at which a question shows the action to be taken back."""

AGREED: Final = say("You agreed. I’m still waiting for the others.")
"""What a player is told who has agreed while others still have to."""

_BLANKS: Final = dict.fromkeys(("who", "game", "seat", "level", "action", "what", "computer"), "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """The words of a kind of offer, with blanks to fill in.

    Attributes:
        question: the question to those who have to agree.
        asked: tells the person who made the offer whom the bot has asked.
        done: tells whoever made the offer, or agreed by command, that it is carried out; None if agreeing takes a button.
        agreed: tells everybody who was the last to agree by button.
        settled: tells who has agreed in another way, or who has the seat; None if `agreed` says the same.
    """

    question: Text
    asked: Text
    done: Text | None = None
    agreed: Text
    settled: Text | None = None


WORDS: Final[Mapping[OfferKind, Words]] = {
    OfferKind.DRAW: Words(
        question=say("{who} offers you a draw in {game}. Do you accept?", **_BLANKS),
        asked=say("You offered {who} a draw.", **_BLANKS),
        done=say("It’s a draw!"),
        agreed=say("{who} agreed: it’s a draw!", **_BLANKS),
    ),
    OfferKind.UNDO: Words(
        question=say("{who} would like to take back a move in {game}: “{action}”. OK?", **_BLANKS),
        asked=say("Asked {who} to let you take this back. {what}", **_BLANKS),
        done=say("Taken back! {what}", **_BLANKS),
        agreed=say("{who} agreed: taken back. {what}", **_BLANKS),
        settled=say("{who} agreed: taken back.", **_BLANKS),
    ),
    OfferKind.CALL_OFF: Words(
        question=say("{who} would like to call off {game}, with no result. OK?", **_BLANKS),
        asked=say("Asked {who} to call the game off. Until they agree, it goes on.", **_BLANKS),
        done=REASONS[Ending.CALLED_OFF],
        agreed=say("{who} agreed: the game is called off.", **_BLANKS),
    ),
    OfferKind.SUBSTITUTE: Words(
        question=say("Will you take over {seat}’s seat in {game}?", **_BLANKS),
        asked=say("Asked {who} to take over the seat.", **_BLANKS),
        agreed=say("{who} takes over the seat. Good luck!", **_BLANKS),
    ),
    OfferKind.COMPUTER: Words(
        question=say("{who} would like a computer player ({level}) in {seat}’s seat in {game}. OK?", **_BLANKS),
        asked=say("Asked the others to let a computer take the seat."),
        done=say("A computer has taken the seat."),
        agreed=say("{who} agreed: {computer} takes over the seat.", **_BLANKS),
        settled=say("{who} takes over the seat. Good luck!", **_BLANKS),
    ),
}

DECLINED: Final = say("{who} declined. On with the game!", **_BLANKS)
WITHDRAWN: Final = say("{who} withdrew the offer. On with the game!", **_BLANKS)
LAPSED: Final = say("This offer has lapsed: the game has moved on.")
UNNAMED: Final = {
    Settled.DECLINED: say("The offer was declined. On with the game!"),
    Settled.REPLACED: say("A newer offer has replaced this one."),
    Settled.OVER: say("This offer is off: the game is over."),
}


def filled(text: Text, **values: object) -> Text:
    """Return a text with its blanks filled in."""
    return Text.made(text.template, values)


def offer_notice(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """Return the notice of an offer, for those who have to agree, or of a computer's refusal. Return None if it is outdated."""
    kind = OfferKind(job.key)
    if snapshot.table.status is not Status.PLAYING:
        return None
    if (seat := job.payload.get("declined")) is not None:
        text = say("{who} declined the draw.", who=plain(f"{marks(snapshot)[seat]} {language(names(snapshot)[seat])}"))
        return Notice(MessageBuilder().text(language(text)), ())
    offer = snapshot.table.offers.of(kind)
    if offer is None:
        return None
    more = None
    if isinstance(offer, Handover):
        asked = [offer.to]
        if snapshot.table.rated and snapshot.players[offer.seat].rated_as != offer.to:
            more = say("-# It’s a rated game, but the result won’t count for you.")
    else:
        asked = [snapshot.players[seat].user_id for seat in snapshot.persons if seat not in offer.agreed]
    if not asked:
        return None
    builder = pinging_message(snapshot, language, _question(kind, snapshot, offer, language), asked, more=more)
    yes, no = (Click(verb, snapshot.table.id, snapshot.table.version).custom_id for verb in (acceptance(kind), refusal(kind)))
    builder.buttons([button(language(say("Accept")), yes, discord.ButtonStyle.success), button(language(say("Decline")), no)])
    return Notice(builder, tuple(asked), asks=True)


def _question(kind: OfferKind, snapshot: Snapshot, offer: Offer, language: Language) -> Text:
    blanks: dict[str, object] = {"who": seat_name(offer.by), "game": game_name(snapshot)}
    if isinstance(offer, Handover | Relief):
        blanks["seat"] = seat_name(offer.seat)
    if isinstance(offer, Relief):
        blanks["level"] = LEVEL_WORDS[offer.level]
    if kind is OfferKind.UNDO:
        played = (one for one in reversed(snapshot.playing.in_force) if one.entry.kind is EntryKind.PLAY)
        own = next(one for one in played if one.entry.seat == offer.by)
        words = language(snapshot.playing.action_words(own), plain_names(snapshot))
        blanks["action"] = plain(cut(brief(words), ACTION))
    return filled(WORDS[kind].question, **blanks)


def proposed(kind: OfferKind, answered: Answered) -> Text:
    """Return what an offer's maker is told: its result, or who has to agree. Computers that always agree do so at once."""
    offer, snapshot = answered.offer, answered.snapshot
    what = undoable(answered.before, offer.by)[0] if kind is OfferKind.UNDO else ""
    if answered.carried_out and (done := WORDS[kind].done) is not None:
        return filled(done, what=what)
    if isinstance(offer, Handover):
        text = filled(WORDS[kind].asked, who=plain(f"<@{offer.to}>"))
        if offer.seat == offer.by and counts_as_loss(snapshot, offer.seat):
            return say("{asked} It’s a rated game: once they accept, it counts as your loss, however it ends.", asked=text)
        return text
    asked = [seat for seat in snapshot.present if seat not in offer.agreed]
    who = join([seat_name(seat) for seat in asked], ", ")
    if kind is OfferKind.DRAW and not set(asked) <= set(snapshot.computers):
        n = len(asked)
        stands = say_n("You offered {who} a draw. It stands until {who} moves or declines.",
                       "You offered {who} a draw. It stands until one of them moves or declines.", n, who=who)  # fmt: skip
        return say("{stands} *More* under the board has *Take the offer back*.", stands=stands)
    return filled(WORDS[kind].asked, who=who, what=what)


def agreed(kind: OfferKind, answered: Answered, who: Text) -> Text:
    """Return the result of an offer to which everybody has agreed. `who` pressed the button last."""
    offer, snapshot = answered.offer, answered.snapshot
    if isinstance(offer, Relief):
        return filled(WORDS[kind].agreed, who=who, computer=names_with_levels(snapshot, names(snapshot))[offer.seat])
    what = undoable(answered.before, offer.by)[0] if kind is OfferKind.UNDO else ""
    text = filled(WORDS[kind].agreed, who=who, what=what)
    if isinstance(offer, Handover) and (left := snapshot.departures[-1]).lost:
        return say("{news} For the ratings, this counts as a loss for {name}.", news=text, name=plain(former_name(left)))
    return text


def settled(kind: OfferKind, how: Settled, seat: int | None) -> Text:
    """Return how an offer was settled, and by which seat if that is known."""
    agreement = WORDS[kind].settled or WORDS[kind].agreed
    named = {Settled.AGREED: agreement, Settled.DECLINED: DECLINED, Settled.WITHDRAWN: WITHDRAWN}
    return UNNAMED.get(how, LAPSED) if seat is None or how not in named else filled(named[how], who=seat_name(seat))


SETTLED: Final[Mapping[OfferKind, SettledOffer]] = {kind: partial(settled, kind) for kind in OfferKind}
"""For each kind, the words that replace a question settled other than by its own buttons."""


def seats_message(snapshot: Snapshot, seat: int, language: Language) -> MessageBuilder:
    """Return the message that asks who takes over the reader's own seat, and each seat that was just left."""
    builder = MessageBuilder().text(heading(snapshot, language))
    asked = say("**Who takes over your seat?** I’ll ask them first.")
    if counts_as_loss(snapshot, seat):
        asked = say("{asked} It’s a rated game: once they accept, it counts as your loss, however it ends.", asked=asked)
    builder.text(language(asked))
    builder.select(_newcomer_menu(snapshot, seat, language))
    for left in (one for one in range(len(snapshot.players)) if one != seat and snapshot.has_just_left(one)):
        asked = say("**Who takes over the seat that {who} just left?** A computer needs everybody’s OK.", who=seat_name(left))
        builder.text(language(asked, names(snapshot))).select(_newcomer_menu(snapshot, left, language))
        leaver = str(snapshot.players[left].user_id)
        builder.buttons([
            button(language(label), Click("relieve", snapshot.table.id, tokens=(leaver, level)).custom_id)
            for level, label in LEVEL_LABELS.items()
        ])  # fmt: skip
    return builder


def _newcomer_menu(snapshot: Snapshot, seat: int, language: Language) -> "ui.UserSelect[Any]":
    click = Click("seat-to", snapshot.table.id, tokens=(str(snapshot.players[seat].user_id),))
    return ui.UserSelect(custom_id=click.custom_id, placeholder=language(say("Pick somebody")), min_values=1, max_values=1)
