"""Offers of actions that need the consent of others. A table has at most one open offer of each kind."""

from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.change import Change, changing
from bot.core.parts import Part, Service
from bot.core.pings import ping
from bot.core.play import still_in
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.kinds import OFFERS, Asks, ComputerReply, Offer, Seating, draft, has_lapsed
from engines.text import join, plain, say, seat_name
from storage.schema.records import Handover, JobKind, OfferKind, Proposal, Relief, Settled, Status

GONE: Final = say("That offer is gone.")
"""What somebody is told whose answer comes too late."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of making or answering an offer: the table before and after, and the offer with all who have agreed."""

    before: Snapshot
    snapshot: Snapshot
    offer: Offer
    carried_out: bool = False


class Consent(Service):
    """Makes offers, and takes the answers to them."""

    async def propose(self, table_id: int, user: User, kind: OfferKind, seating: Seating | None = None) -> Answered:
        """Make an offer, or agree to the open one of this kind. If nobody else has to agree, it is carried out at once.

        An offer about a seat (`seating`) replaces the open one. Raises WrongStage or NotSeated. Raises Refused if the offer is
        impossible, or if the others have been asked too often: for people, `ping` sets the limit, and computers can be offered
        a draw once on each board.
        """
        async with changing(self._core, table_id) as change:
            before, of = change.snapshot, OFFERS[kind]
            before.require(Status.PLAYING)
            seat = still_in(before, user) if of.asks is Asks.EVERYBODY else before.own_seat(user.id)
            standing = before.offer(kind) if seating is None else None
            offer, carried_out = standing or draft(kind, before, seat, seating), False
            if seating is not None and isinstance(seating.newcomer, User):
                of.check(before, offer, seating.newcomer)
                await put_offer(change, kind, offer)
            else:
                offer, carried_out = await agree_to(change, kind, offer, user)
            if standing is None and not carried_out:
                await _ask(change, kind, offer, user)
        return Answered(before, change.snapshot, offer, carried_out)

    async def agree(self, table_id: int, user: User, kind: OfferKind) -> Answered:
        """Agree to an offer, which is carried out if nobody else has to agree.

        Raises WrongStage or NotSeated. Raises Refused if no such offer is open to this person, if it is their own and others
        have yet to answer, or if it has become impossible.
        """
        async with changing(self._core, table_id) as change:
            before = change.snapshot
            before.require(Status.PLAYING)
            asks_all = OFFERS[kind].asks is Asks.EVERYBODY
            seat = still_in(before, user) if asks_all else before.seat_of(user.id)
            offer = before.offer(kind)
            if offer is not None:
                _refuse_own(before, offer, seat)
            if isinstance(offer, Handover) and offer.to != user.id:
                offer = None
            if offer is None:
                raise Refused(GONE if asks_all else say("Nobody’s offering you a seat at table #{n}.", n=table_id))
            offer, carried_out = await agree_to(change, kind, offer, user)
        return Answered(before, change.snapshot, offer, carried_out)

    async def refuse(self, table_id: int, user: User, kind: OfferKind) -> Answered:
        """Decline an offer, or withdraw one's own. Raises WrongStage, NotSeated, or Refused if no such offer is open."""
        async with changing(self._core, table_id) as change:
            before = change.snapshot
            before.require(Status.PLAYING)
            offer = before.offer(kind)
            if offer is None:
                raise Refused(GONE)
            seat = None if isinstance(offer, Handover) and offer.to == user.id else still_in(before, user)
            await close_offer(change, kind, Settled.WITHDRAWN if offer.by == seat else Settled.DECLINED, seat)
        return Answered(before, change.snapshot, offer)


async def agree_to(change: Change, kind: OfferKind, offer: Offer, user: User) -> tuple[Offer, bool]:
    """Agree to an offer; if all have, carry it out. Returns the new offer and whether it was carried out. Raises Refused."""
    OFFERS[kind].check(change.snapshot, offer, user)
    seat = offer.seat if isinstance(offer, Handover | Relief) else change.snapshot.own_seat(user.id)
    if isinstance(offer, Proposal):
        offer = replace(offer, agreed=tuple(sorted({*offer.agreed, change.snapshot.own_seat(user.id)})))
        if not set(offer.agreed) >= set(change.snapshot.present):
            await put_offer(change, kind, offer)
            return offer, False
    change.settle(kind, Settled.AGREED, seat)
    await change.amend(offers=change.table.offers.without(kind))
    await OFFERS[kind].carry_out(change, offer, user)
    return offer, True


async def close_offer(change: Change, kind: OfferKind, how: Settled, seat: int | None) -> None:
    """Close an open offer. `seat` is the seat that declined or withdrew it, or None if the chosen newcomer declined."""
    change.settle(kind, how, seat)
    await put_offer(change, kind, None)


async def put_offer(change: Change, kind: OfferKind, offer: Offer | None) -> None:
    """Replace the open offer of this kind, or clear it. Computers may then have to answer it, or wait for others."""
    before, stands = change.table.offers.of(kind), dict[str, Any]({kind.value: offer})
    await change.amend(offers=replace(change.table.offers, **stands))
    await change.core.parts.offered(change)
    if isinstance(before, Handover):
        await change.dismiss(before.to)


async def _ask(change: Change, kind: OfferKind, offer: Offer, user: User) -> None:
    present = (change.snapshot.players[seat].user_id for seat in change.snapshot.present)
    if OFFERS[kind].computers is ComputerReply.DECIDE and set(change.snapshot.persons) == {offer.by}:
        player, version = change.snapshot.players[offer.by], change.table.version
        if player.offered == version:
            raise Refused(say("You’ve already offered a draw. You can offer another once the game has moved on."))
        await change.put_seat(replace(player, offered=version))
    await ping(change, user.id, [offer.to] if isinstance(offer, Handover) else present)
    await change.enqueue(JobKind.OFFER, kind)


def _refuse_own(snapshot: Snapshot, offer: Offer, seat: int | None) -> None:
    """Raise Refused if a seat answers its own offer while others have yet to answer it."""
    if isinstance(offer, Handover):
        others = [plain(f"<@{offer.to}>")]
    else:
        others = [seat_name(other) for other in snapshot.present if other not in offer.agreed]
    if offer.by == seat and others:
        waits = say("You asked for this yourself, and I’m waiting for {who}. *Decline* withdraws it.",
                    who=join(others, ", "))  # fmt: skip
        raise Refused(waits, snapshot.names)


async def _let_lapse(change: Change) -> None:
    offers = change.table.offers
    open_ones = [(kind, offer) for kind in OfferKind if (offer := offers.of(kind)) is not None]
    if lapsed := [kind for kind, offer in open_ones if has_lapsed(change, kind, offer)]:
        await change.amend(offers=offers.without(*lapsed))


async def _dismiss_newcomer(change: Change) -> None:
    """When a private game is over, dismiss the person who was offered a seat in it."""
    if (offered := change.before.table.offers.substitute) is not None:
        await change.dismiss(offered.to)


PART: Final = Part(name="offers", advanced=_let_lapse, ended=_dismiss_newcomer)
