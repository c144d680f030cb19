"""A computer in the seat of a player who left: proposed by one of those who play on, and agreed to by all of them."""

from dataclasses import replace

from bot.core.change import Change, changing
from bot.core.core import Core
from bot.core.pings import ping
from bot.core.play import others_at, refuse_own, still_in
from bot.core.table.computer_players import Computer, computer_seat, strangers
from bot.core.table.errors import Refused
from bot.core.table.players import departure
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import advance
from bot.features.offers.service import no_such_offer, put_offers, refuse_late
from engines.text import say, seat_name
from storage.schema.records import EntryKind, JobKind, Level, OfferKind, Relief, SeatStatus, Settled, Status


class Relieving:
    """Seats computers where a player has left a running game."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def propose(self, table_id: int, user: User, leaver_id: int, level: Level) -> tuple[Snapshot, bool]:
        """Propose that a computer plays on in the seat of a player who has just left. All people who play have to agree.

        Returns the table, and whether it sits there now. The proposal lapses with the next action; a game with a computer is
        not rated. Raises Refused if that person has not left, if others have acted since, or if the others have been asked
        too often.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.PLAYING)
            mine, seat = still_in(snapshot, user), snapshot.seat_of(leaver_id)
            if seat is None:
                raise Refused(say("They’re not playing at table #{n}.", n=table_id))
            if snapshot.players[seat].status is not SeatStatus.WITHDRAWN:
                raise Refused(say("{who} is still in the game.", who=seat_name(seat)), snapshot.names)
            refuse_late(snapshot, seat)
            computers = [other for other in snapshot.computers if other in snapshot.present]
            offer = Relief(by=mine, agreed=tuple(sorted({mine, *computers})), version=snapshot.table.version, seat=seat,
                           level=level)  # fmt: skip
            agreed = set(offer.agreed) >= set(snapshot.present)
            if agreed:
                await _seat_computer(change, offer)
            else:
                await ping(change, user.id, others_at(snapshot, user))
                await put_offers(change, replace(change.table.offers, computer=offer))
                await change.enqueue(JobKind.OFFER, OfferKind.COMPUTER)
            return change.snapshot, agreed

    async def agree(self, table_id: int, user: User) -> tuple[Snapshot, bool]:
        """Agree that a computer takes the seat that was left. Returns the table, and whether it sits there now.

        Raises Refused if that is not on offer (any more), or if one's own proposal waits for others.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            snapshot.require(Status.PLAYING)
            mine, offer = still_in(snapshot, user), snapshot.table.offers.computer
            if offer is None or offer.version != snapshot.table.version:
                raise no_such_offer()
            refuse_own(snapshot, offer, mine)
            offer = replace(offer, agreed=tuple(sorted({*offer.agreed, mine})))
            agreed = set(offer.agreed) >= set(snapshot.present)
            if agreed:
                await _seat_computer(change, offer)
            else:
                await put_offers(change, replace(change.table.offers, computer=offer))
            return change.snapshot, agreed


async def _seat_computer(change: Change, offer: Relief) -> None:
    """Seat the computer, and take back that the seat was left. The game is not rated any more: nobody has lost by leaving."""
    snapshot, seat = change.snapshot, offer.seat
    leaver, left, asked = snapshot.players[seat], departure(snapshot, seat), change.table.offers.substitute
    taken = {person.user_id for person in snapshot.people} | {gone.user_id for gone in snapshot.departures}
    computer = Computer(next(strangers(change.table.id, taken)), offer.level)
    await change.append(change.next_entry(EntryKind.UNDO, seat, computer.id))
    for gone in (*snapshot.departures, left):
        await change.put_departure(replace(gone, lost=False))
    await change.remove_seat(leaver.user_id)
    await change.put_seat(computer_seat(change.table, computer, leaver.place, change.now))
    await change.amend(rated=False, offers=change.table.offers.without(OfferKind.COMPUTER, OfferKind.SUBSTITUTE))
    change.settle(OfferKind.COMPUTER, Settled.AGREED, seat)
    await advance(change, newcomer=seat)
    await change.dismiss(leaver.user_id, *(() if asked is None else (asked.to,)))
