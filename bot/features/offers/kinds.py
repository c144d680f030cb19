"""The kinds of offers: whom each asks, when it lapses, what computers reply, and what it does."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import Final, TypeAlias

from bot.core.change import Change
from bot.core.table.computer_players import Computer, computer_seat, strangers
from bot.core.table.errors import Refused
from bot.core.table.players import departure, seats_seen
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import advance, ended_by, too_late_to_call_off
from bot.core.undoing import undoable
from engines.text import nth_name, say, seat_name
from storage.schema.records import Ending, EntryKind, Handover, Level, OfferKind, Proposal, Relief, SeatStatus

Offer: TypeAlias = Proposal | Handover


class Asks(Enum):
    """Who has to agree to an offer."""

    EVERYBODY = auto()  # everybody who is still in the game
    NEWCOMER = auto()  # the person to whom a seat is offered


class Lapses(Enum):
    """When an unanswered offer lapses. All offers lapse when the game ends."""

    WITH_BOARD = auto()  # when the game moves on
    WHEN_OTHERS_ACT = auto()  # when somebody other than the person who made it acts
    WHEN_TOO_LATE = auto()  # when the game has gone on too long for it
    NEVER = auto()  # whoever accepts too late is told so


class ComputerReply(Enum):
    """How computers reply to an offer."""

    AGREE = auto()  # at once
    DECIDE = auto()  # by what they think of the game
    NOT_ASKED = auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferType:
    """A kind of offer.

    Attributes:
        asks: who has to agree.
        lapses: when it lapses.
        computers: how computers reply.
        check: raises Refused if the offer is impossible or too late. Its last argument is who agrees or takes the seat.
        carry_out: does what the offer is about. Its last argument is the person who agreed last.
    """

    asks: Asks = Asks.EVERYBODY
    lapses: Lapses
    computers: ComputerReply
    check: Callable[[Snapshot, Offer, User], None]
    carry_out: Callable[[Change, Offer, User], Awaitable[None]]

    def proposal(self, snapshot: Snapshot, by: int) -> Proposal:
        """Return a new offer of this kind, made by the seat `by` to everybody."""
        willing = snapshot.computers if self.computers is ComputerReply.AGREE else ()
        agreed = {by, *(seat for seat in willing if seat in snapshot.present)}
        version = snapshot.table.version if self.lapses is Lapses.WITH_BOARD else None
        return Proposal(by=by, agreed=tuple(sorted(agreed)), version=version)


@dataclass(frozen=True, slots=True)
class Seating:
    """The person, or the level of the computer, that takes the leaver's seat."""

    leaver_id: int
    newcomer: User | Level


def draft(kind: OfferKind, snapshot: Snapshot, by: int, seating: Seating | None) -> Offer:
    """Return a new offer from seat `by`. Raises Refused if the offered seat does not exist, or nobody else can see the game."""
    if seating is None:
        return OFFERS[kind].proposal(snapshot, by)
    if snapshot.table.solo and isinstance(seating.newcomer, User):
        raise Refused(say("You’re playing this game alone: nobody else can see it."))
    seat = snapshot.seat_of(seating.leaver_id)
    if seat is None:
        raise Refused(say("They’re not playing at table #{n}.", n=snapshot.table.id))
    if isinstance(seating.newcomer, User):
        return Handover(by=by, seat=seat, to=seating.newcomer.id)
    proposal = OFFERS[kind].proposal(snapshot, by)
    return Relief(by=by, agreed=proposal.agreed, version=proposal.version, seat=seat, level=seating.newcomer)


def has_lapsed(change: Change, kind: OfferKind, offer: Offer) -> bool:
    """Whether an offer has lapsed now that the game has moved on."""
    match OFFERS[kind].lapses:
        case Lapses.WITH_BOARD:
            return isinstance(offer, Proposal) and offer.version != change.table.version
        case Lapses.WHEN_OTHERS_ACT:
            # A seat whose plans have answered has acted, too, but what the clock plays does not count as anybody's action.
            entries = [logged.entry for logged in change.new_entries]
            first = next(iter(entries), None)
            acted = first is not None and first.kind is EntryKind.PLAY and first.user_id is not None and not first.fired
            return acted and any(entry.seat != offer.by for entry in entries)
        case Lapses.WHEN_TOO_LATE:
            return too_late_to_call_off(change.snapshot) is not None
        case Lapses.NEVER:
            return False


def _check_draw(snapshot: Snapshot, *_: object) -> None:
    if len(snapshot.present) < 2:
        raise Refused(say("There’s nobody left to agree to a draw."))


def _check_calling_off(snapshot: Snapshot, *_: object) -> None:
    if (late := too_late_to_call_off(snapshot)) is not None:
        raise Refused(say("{late} You can offer a draw or resign: *More* under the board has both.", late=late))


async def _end(how: Ending, change: Change, *_: object) -> None:
    await advance(change, ended_by(how))


def _check_undo(snapshot: Snapshot, offer: Offer, *_: object) -> None:
    undoable(snapshot, offer.by)


async def _undo(change: Change, offer: Offer, user: User) -> None:
    """Take back the last action of the player who asked, with everything that plans and computers have answered to it."""
    _, count = undoable(change.snapshot, offer.by)
    for _ in range(count):
        await change.append(change.next_entry(EntryKind.UNDO, offer.by, user.id))
    await advance(change)


def _check_handover(snapshot: Snapshot, offer: Offer, newcomer: User) -> None:
    """Raise Refused if a seat cannot be handed over.

    While its player is in the game, only they can hand it over. A seat whose player has left stays empty once somebody else has
    acted. In a game with hidden hands, nobody who has seen another hand may take it. Nobody may get the results of two seats.
    """
    assert isinstance(offer, Handover)
    if (there := snapshot.seat_of(newcomer.id)) is not None:
        raise Refused(say("{name} is already at this table.", name=seat_name(there)), snapshot.names)
    if snapshot.players[offer.seat].status is SeatStatus.JOINED and offer.seat != offer.by:
        raise Refused(say("Only {who} can hand over this seat.", who=seat_name(offer.seat)), snapshot.names)
    if snapshot.players[offer.seat].status is SeatStatus.WITHDRAWN:
        _refuse_late(snapshot, offer.seat)
    name = nth_name(len(snapshot.names), newcomer.name)
    seen = min(seats_seen(snapshot, newcomer.id) - {offer.seat}, default=None)
    if seen is not None and snapshot.playing.game.secret:
        knows = say(
            "{name} has played {who}’s seat in this game and knows that hand, so they can only take over that seat.",
            who=seat_name(seen),
            name=name,
        )
        raise Refused(knows, (*snapshot.names, newcomer.name))
    other = next((n for n, p in enumerate(snapshot.players) if n != offer.seat and p.rated_as == newcomer.id), None)
    if other is not None:
        counts = say("{name} is still rated for {who}’s seat, so they can only take over that one.",
                     who=seat_name(other), name=name)  # fmt: skip
        raise Refused(counts, (*snapshot.names, newcomer.name))


async def _hand_over(change: Change, offer: Offer, newcomer: User) -> None:
    """Give a seat to a newcomer. A rated game counts as lost for the seat's first player (see `parties`)."""
    assert isinstance(offer, Handover)
    seat = offer.seat
    leaver, left = change.snapshot.players[seat], departure(change.snapshot, seat)
    if leaver.status is SeatStatus.WITHDRAWN:
        await change.append(change.next_entry(EntryKind.UNDO, seat, newcomer.id))
    arrived = replace(leaver, user_id=newcomer.id, name=newcomer.name, status=SeatStatus.JOINED, timeouts=0,
                      rated_as=None if leaver.rated_as == newcomer.id else leaver.rated_as,
                      asked_at=change.now)  # fmt: skip
    await change.put_departure(left)
    await change.remove_seat(leaver.user_id)
    await change.put_seat(arrived)
    await advance(change, newcomer=seat, doing_of=newcomer.id)
    await change.dismiss(leaver.user_id)


def _check_relief(snapshot: Snapshot, offer: Offer, *_: object) -> None:
    assert isinstance(offer, Relief)
    if snapshot.players[offer.seat].status is not SeatStatus.WITHDRAWN:
        raise Refused(say("{who} is still in the game.", who=seat_name(offer.seat)), snapshot.names)
    _refuse_late(snapshot, offer.seat)


async def _relieve(change: Change, offer: Offer, *_: object) -> None:
    """Give a seat to a computer, and undo the departure. The game is no longer rated, so nobody has lost by leaving it."""
    assert isinstance(offer, Relief)
    snapshot, seat = change.snapshot, offer.seat
    leaver, left, asked = snapshot.players[seat], departure(snapshot, seat), change.table.offers.substitute
    taken = {person.user_id for person in snapshot.people} | {gone.user_id for gone in snapshot.departures}
    computer = Computer(next(strangers(change.table.id, taken)), offer.level)
    await change.append(change.next_entry(EntryKind.UNDO, seat, computer.id))
    for gone in (*snapshot.departures, left):
        await change.put_departure(replace(gone, lost=False))
    await change.remove_seat(leaver.user_id)
    await change.put_seat(computer_seat(change.table, computer, leaver.place, change.now))
    await change.amend(rated=False, offers=change.table.offers.without(OfferKind.SUBSTITUTE))
    await advance(change, newcomer=seat)
    await change.dismiss(leaver.user_id, *(() if asked is None else (asked.to,)))


def _refuse_late(snapshot: Snapshot, seat: int) -> None:
    """Raise Refused unless the newest entry of the log is this seat leaving the game."""
    if not snapshot.has_just_left(seat):
        moved_on = say("The game has moved on since {who} left, so the seat stays empty.", who=seat_name(seat))
        raise Refused(moved_on, snapshot.names)


OFFERS: Final[Mapping[OfferKind, OfferType]] = {
    OfferKind.DRAW: OfferType(
        lapses=Lapses.WHEN_OTHERS_ACT, computers=ComputerReply.DECIDE,
        check=_check_draw, carry_out=partial(_end, Ending.AGREED),
    ),
    OfferKind.UNDO: OfferType(
        lapses=Lapses.WITH_BOARD, computers=ComputerReply.AGREE, check=_check_undo, carry_out=_undo,
    ),
    OfferKind.CALL_OFF: OfferType(
        lapses=Lapses.WHEN_TOO_LATE, computers=ComputerReply.AGREE,
        check=_check_calling_off, carry_out=partial(_end, Ending.CALLED_OFF),
    ),
    OfferKind.SUBSTITUTE: OfferType(
        asks=Asks.NEWCOMER, lapses=Lapses.NEVER, computers=ComputerReply.NOT_ASKED, check=_check_handover, carry_out=_hand_over,
    ),
    OfferKind.COMPUTER: OfferType(
        lapses=Lapses.WITH_BOARD, computers=ComputerReply.AGREE, check=_check_relief, carry_out=_relieve,
    ),
}  # fmt: skip
