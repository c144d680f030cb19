"""A computer in the seat of somebody who left: proposed by one of those who play on, and agreed to by all of them."""

from dataclasses import replace

from bot.sessions.computer_players import Computer, computer_seat, strangers
from bot.sessions.consent import no_such_offer, put_offers, refuse_late
from bot.sessions.errors import Refused
from bot.sessions.history import History
from bot.sessions.parties import departure
from bot.sessions.pings import ping
from bot.sessions.play import others_at, still_in
from bot.sessions.privacy import shut_out
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot, User
from bot.sessions.turns import advance
from engines.text import say, seat_name
from storage.records import Entry, EntryKind, JobKind, Level, OfferKind, Relief, SeatStatus, Status
from storage.store import Writer


class Relieving:
    """Seats computers where somebody has left a running game."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def propose(self, table_id: int, user: User, leaver_id: int, level: Level) -> tuple[Snapshot, bool]:
        """Propose that a computer plays on in the seat of somebody who has just left. All people who play have to agree.

        Returns the table, and whether it sits there now. The proposal lapses with the next action; a game with a computer is
        not rated. Raises Refused if that person has not left, if others have acted since, or if the others have been asked
        too often.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
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
            if set(offer.agreed) >= set(snapshot.present):
                snapshot, history = await self._relieved(writer, snapshot, offer)
            else:
                await ping(writer, user.id, others_at(snapshot, user), self._repository.now())
                snapshot = await put_offers(self._repository, writer, snapshot, replace(snapshot.table.offers, computer=offer))
                await self._repository.enqueue(writer, table_id, JobKind.OFFER, OfferKind.COMPUTER)
                return snapshot, False
        self._repository.keep(table_id, history)
        return snapshot, True

    async def agree(self, table_id: int, user: User) -> tuple[Snapshot, bool]:
        """Agree that a computer takes the seat that was left. Returns the table, and whether it sits there now.

        Raises Refused if that is not on offer (any more).
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            mine, offer = still_in(snapshot, user), snapshot.table.offers.computer
            if offer is None or offer.version != snapshot.table.version:
                raise no_such_offer()
            offer = replace(offer, agreed=tuple(sorted({*offer.agreed, mine})))
            if not set(offer.agreed) >= set(snapshot.present):
                offers = replace(snapshot.table.offers, computer=offer)
                return await put_offers(self._repository, writer, snapshot, offers), False
            snapshot, history = await self._relieved(writer, snapshot, offer)
        self._repository.keep(table_id, history)
        return snapshot, True

    async def _relieved(self, writer: Writer, snapshot: Snapshot, offer: Relief) -> tuple[Snapshot, History]:
        """Seat the computer: that the seat was left is taken back. It is rated no more, and nobody has lost by leaving."""
        now, table_id, seat = self._repository.now(), snapshot.table.id, offer.seat
        leaver, left = snapshot.players[seat], departure(snapshot, seat)
        taken = {person.user_id for person in snapshot.people} | {gone.user_id for gone in snapshot.departures}
        computer = Computer(next(strangers(table_id, taken)), offer.level)
        arrived = replace(computer_seat(snapshot.table, computer, leaver.place, now), rated_as=None)
        entry = Entry(table_id=table_id, number=snapshot.playing.version + 1, kind=EntryKind.UNDO, seat=seat,
                      user_id=computer.id, at=now)  # fmt: skip
        history = await self._repository.append(writer, snapshot.playing, entry)
        departures = tuple(replace(gone, lost=False) for gone in (*snapshot.departures, left))
        for gone in departures:
            await writer.put_departure(gone)
        await writer.remove_seat(table_id, leaver.user_id)
        await writer.put_seat(arrived)
        people = tuple(arrived if person is leaver else person for person in snapshot.people)
        offers = snapshot.table.offers.without(OfferKind.COMPUTER, OfferKind.SUBSTITUTE)
        table = await writer.amend(snapshot.table, rated=False, offers=offers)
        snapshot = replace(snapshot, table=table, people=people, departures=departures)
        snapshot = await advance(self._repository, writer, snapshot, history, newcomer=seat)
        await shut_out(self._repository, writer, snapshot, leaver.user_id)
        return snapshot, history
