"""Requests that concern the other players too: taking back, calling off, handing over a seat."""

from dataclasses import replace

from bot.core.change import Change, changing
from bot.core.core import Core
from bot.core.pings import ping
from bot.core.play import agreed_to, others_at, refuse_own, still_in
from bot.core.table.errors import Refused
from bot.core.table.players import departure, seats_seen
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import advance, ended_by, too_late_to_call_off
from bot.core.undoing import undoable
from engines.text import Text, nth_name, say, seat_name
from storage.schema.records import (
    Ending,
    EntryKind,
    Handover,
    JobKind,
    OfferKind,
    Offers,
    Proposal,
    SeatStatus,
    Settled,
    Status,
)


class Consent:
    """Requests that need the agreement of other players, or concern them."""

    def __init__(self, core: Core) -> None:
        self._core = core

    # --- undo, and calling off ----------------------------------------------------------------------------------------

    async def undo(self, table_id: int, user: User, *, answering: bool = False) -> tuple[Snapshot, Text, bool]:
        """Ask to take back one's own last action, or agree to the request of another player; if `answering`, only the latter.

        The replies that others had planned to it are taken back with it, since nobody has moved by hand after it; and so is
        what computers have played since, which agree at once.

        Returns the table, a description of the action to be taken back, and whether it is taken back now. Raises Refused if
        nothing can be taken back, if there is no request to agree to any more, if one's own waits for others, or if the others
        have been asked too often.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.PLAYING)
            seat = still_in(snapshot, user)
            standing = snapshot.table.offers.undo
            if standing is not None and standing.version != snapshot.table.version:
                standing = None
            if standing is None and answering:
                raise no_such_offer()
            if standing is not None and answering:
                refuse_own(snapshot, standing, seat)
            computers = tuple(other for other in snapshot.computers if other in snapshot.present)
            proposal = standing or Proposal(by=seat, agreed=computers, version=snapshot.table.version)
            what, count = undoable(snapshot, proposal.by)
            proposal = agreed_to(proposal, seat)
            taken_back = set(proposal.agreed) >= set(snapshot.present)
            if taken_back:
                for _ in range(count):
                    await change.append(change.next_entry(EntryKind.UNDO, proposal.by, user.id))
                await change.amend(offers=change.table.offers.without(OfferKind.UNDO))
                change.settle(OfferKind.UNDO, Settled.AGREED, seat)
                await advance(change)
            else:
                await put_offers(change, replace(change.table.offers, undo=proposal))
                if standing is None:
                    await ping(change, user.id, others_at(snapshot, user))
                    await change.enqueue(JobKind.OFFER, OfferKind.UNDO)
        return change.snapshot, what, taken_back

    async def call_off(self, table_id: int, user: User, *, answering: bool = False) -> tuple[Snapshot, bool]:
        """Propose that the game ends without a result, or agree to that; if `answering`, only the latter.

        Computers agree at once. Returns the table, and whether the game is called off now, which takes the agreement of all
        players. A proposal lapses when it is too late for it. Raises Refused if it is, if there is no proposal any more, if
        one's own waits for others, or if the others have been asked too often.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.PLAYING)
            seat = still_in(snapshot, user)
            standing = snapshot.table.offers.call_off
            if standing is None and answering:
                raise no_such_offer()
            if standing is not None and answering:
                refuse_own(snapshot, standing, seat)
            if (late := too_late_to_call_off(snapshot)) is not None:
                raise Refused(say("{late} You can offer a draw with `/draw`, or give up with `/resign`.", late=late))
            proposal = agreed_to(standing or Proposal(by=seat, agreed=snapshot.computers), seat)
            called_off = set(proposal.agreed) >= set(snapshot.present)
            if called_off:
                change.settle(OfferKind.CALL_OFF, Settled.AGREED, seat)
                await advance(change, ended_by(Ending.CALLED_OFF))
            else:
                await put_offers(change, replace(change.table.offers, call_off=proposal))
                if standing is None:
                    await ping(change, user.id, others_at(snapshot, user))
                    await change.enqueue(JobKind.OFFER, OfferKind.CALL_OFF)
        return change.snapshot, called_off

    async def refuse(self, table_id: int, user: User, kind: OfferKind) -> Snapshot:
        """Decline an offer, or withdraw one's own. Raises Refused if there is none."""
        async with changing(self._core, table_id) as change:
            change.snapshot.require(Status.PLAYING)
            offer = change.table.offers.of(kind)
            if offer is None:
                raise no_such_offer()
            to_user = isinstance(offer, Handover) and offer.to == user.id
            seat = None if to_user else still_in(change.snapshot, user)
            change.settle(kind, Settled.WITHDRAWN if offer.by == seat else Settled.DECLINED, seat)
            await close_offer(change, kind)
            return change.snapshot

    # --- handing a seat over ------------------------------------------------------------------------------------------

    async def hand_over(self, table_id: int, user: User, leaver_id: int, newcomer: User) -> Snapshot:
        """Offer a seat to a newcomer: one's own, or one whose player has just left the game.

        Raises Refused if the seat cannot be handed over: only its own player can do so while they are in the game, a seat
        that was left stays empty once somebody else has acted, in a game with hidden hands nobody gets a hand who has seen
        another, and nobody takes the results of two seats. Nor can one person be asked too often.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.PLAYING)
            mine = snapshot.own_seat(user.id)
            if snapshot.table.solo:
                raise Refused(say("You play this game alone: nobody else can see it."))
            seat = snapshot.seat_of(leaver_id)
            if seat is None:
                raise Refused(say("They’re not playing at table #{n}.", n=table_id))
            if (there := snapshot.seat_of(newcomer.id)) is not None:
                raise Refused(say("{name} is already at this table.", name=seat_name(there)), snapshot.names)
            if snapshot.players[seat].status is SeatStatus.JOINED and seat != mine:
                raise Refused(say("Only {who} can hand over this seat.", who=seat_name(seat)), snapshot.names)
            if snapshot.players[seat].status is SeatStatus.WITHDRAWN:
                refuse_late(snapshot, seat)
            _refuse_unfit(snapshot, seat, newcomer)
            offer, before = Handover(by=mine, seat=seat, to=newcomer.id), snapshot.table.offers.substitute
            await put_offers(change, replace(change.table.offers, substitute=offer))
            if before is not None:
                await change.dismiss(before.to)
            await ping(change, user.id, [newcomer.id])
            await change.enqueue(JobKind.OFFER, OfferKind.SUBSTITUTE)
            return change.snapshot

    async def take_over(self, table_id: int, newcomer: User) -> Snapshot:
        """Accept an offered seat. A rated game is lost by rating for the player who had the seat first (see `parties`).

        Raises Refused if no seat is offered to this person (any more), if they have offered it themselves, if others have acted
        since its player left the game, or if this person has seen another hand meanwhile.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.PLAYING)
            offer = snapshot.table.offers.substitute
            if offer is not None:
                refuse_own(snapshot, offer, snapshot.seat_of(newcomer.id))
            if offer is None or offer.to != newcomer.id:
                raise Refused(say("Nobody’s offering you a seat at table #{n}.", n=table_id))
            seat = offer.seat
            leaver, left = snapshot.players[seat], departure(snapshot, seat)
            _refuse_unfit(snapshot, seat, newcomer)
            if leaver.status is SeatStatus.WITHDRAWN:
                refuse_late(snapshot, seat)
                await change.append(change.next_entry(EntryKind.UNDO, seat, newcomer.id))
            arrived = replace(leaver, user_id=newcomer.id, name=newcomer.name, status=SeatStatus.JOINED, timeouts=0,
                              rated_as=None if leaver.rated_as == newcomer.id else leaver.rated_as,
                              asked_at=change.now)  # fmt: skip
            await change.put_departure(left)
            await change.remove_seat(leaver.user_id)
            await change.put_seat(arrived)
            await change.amend(offers=change.table.offers.without(OfferKind.SUBSTITUTE))
            change.settle(OfferKind.SUBSTITUTE, Settled.AGREED, seat)
            await advance(change, newcomer=seat, doing_of=newcomer.id)
            await change.dismiss(leaver.user_id)
        return change.snapshot


async def put_offers(change: Change, offers: Offers) -> None:
    """Replace the open offers of a table. Computers may have to answer them, or wait for the answers of others."""
    await change.amend(offers=offers)
    await change.core.parts.offered(change)


async def close_offer(change: Change, kind: OfferKind) -> None:
    """End an open offer that was declined or withdrawn."""
    offer = change.table.offers.of(kind)
    await put_offers(change, change.table.offers.without(kind))
    if isinstance(offer, Handover):
        await change.dismiss(offer.to)


def _refuse_unfit(snapshot: Snapshot, seat: int, newcomer: User) -> None:
    """Raise Refused if the newcomer has seen another hand of this game, or the result of another seat counts for them."""
    seen = min(seats_seen(snapshot, newcomer.id) - {seat}, default=None)
    if seen is not None and snapshot.playing.game.secret:
        raise Refused(
            say(
                "{name} has had {who}’s seat in this game and knows that hand, so they can take over that seat, but no other.",
                who=seat_name(seen),
                name=nth_name(len(snapshot.names), newcomer.name),
            ),
            (*snapshot.names, newcomer.name),
        )
    other = next((n for n, p in enumerate(snapshot.players) if n != seat and p.rated_as == newcomer.id), None)
    if other is not None:
        raise Refused(
            say(
                "{who}’s seat still counts for {name}, who can take back that seat, but no other.",
                who=seat_name(other),
                name=nth_name(len(snapshot.names), newcomer.name),
            ),
            (*snapshot.names, newcomer.name),
        )


def no_such_offer() -> Refused:
    """Return the error for an answer that comes too late."""
    return Refused(say("That offer is gone."))


def refuse_late(snapshot: Snapshot, seat: int) -> None:
    """Raise Refused unless the newest entry of the log is this seat leaving the game."""
    if not snapshot.has_just_left(seat):
        moved_on = say("The game has moved on since {who} left, so the seat stays empty.", who=seat_name(seat))
        raise Refused(moved_on, snapshot.names)
