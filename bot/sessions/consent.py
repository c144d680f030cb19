"""What concerns the other players too: taking back an action, handing over a seat, nudging, playing again."""

from dataclasses import replace
from typing import Final

from bot.sessions.computer_players import Computer, is_computer
from bot.sessions.errors import AlreadyOpen, NotSeated, Refused, WrongStage
from bot.sessions.history import History, HistoryEntry, newest
from bot.sessions.lobby import Lobby
from bot.sessions.parties import departure, seats_seen
from bot.sessions.pings import ping
from bot.sessions.play import agreed_to, others_at, still_in
from bot.sessions.privacy import shut_out
from bot.sessions.questions import summon_again
from bot.sessions.repository import Repository
from bot.sessions.request import TableRequest
from bot.sessions.settings import ServerSettings
from bot.sessions.snapshot import Snapshot, User
from bot.sessions.terms import terms_mark
from bot.sessions.turns import advance
from engines.game import Step
from engines.text import Text, join, plain, say, seat_name
from storage.records import (
    Entry,
    EntryKind,
    Grace,
    Handover,
    JobKind,
    OfferKind,
    Offers,
    Proposal,
    Seat,
    SeatStatus,
    Status,
)
from storage.store import Writer

NUDGE_WITHOUT_CLOCK: Final = 86400.0
"""Seconds after which the awaited players may be nudged in a game without a clock: a day."""


class Consent:
    """Requests that need the agreement of other players, or concern them."""

    def __init__(self, repository: Repository, lobby: Lobby) -> None:
        self._repository = repository
        self._lobby = lobby

    # --- undo ---------------------------------------------------------------------------------------------------------

    async def undo(self, table_id: int, user: User, *, answering: bool = False) -> tuple[Snapshot, Text, bool]:
        """Ask to take back one's own last action, or agree to somebody else's request; if `answering`, only the latter.

        The replies that others had planned to it are taken back with it, since nobody has moved by hand after it; and so is
        what computers have played since, which agree at once.

        Returns the table, a description of the action to be taken back, and whether it is taken back now. Raises Refused if
        nothing can be taken back, if there is no request to agree to any more, or if the others have been asked too often.
        """
        history: History | None = None
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            seat = still_in(snapshot, user)
            standing = snapshot.table.offers.undo
            if standing is not None and standing.version != snapshot.table.version:
                standing = None
            if standing is None and answering:
                raise no_such_offer()
            computers = tuple(other for other in snapshot.computers if other in snapshot.present)
            proposal = standing or Proposal(by=seat, agreed=computers, version=snapshot.table.version)
            what, count = _undoable(snapshot, proposal.by)
            proposal = agreed_to(proposal, seat)
            if set(proposal.agreed) >= set(snapshot.present):
                history = snapshot.playing
                for _ in range(count):
                    entry = Entry(table_id=table_id, number=history.version + 1, kind=EntryKind.UNDO, seat=proposal.by,
                                  user_id=user.id, at=self._repository.now())  # fmt: skip
                    history = await self._repository.append(writer, history, entry)
                snapshot = await put_offers(self._repository, writer, snapshot, snapshot.table.offers.without(OfferKind.UNDO))
                snapshot = await advance(self._repository, writer, snapshot, history)
            else:
                snapshot = await put_offers(self._repository, writer, snapshot, replace(snapshot.table.offers, undo=proposal))
                if standing is None:
                    await ping(writer, user.id, others_at(snapshot, user), self._repository.now())
                    await self._repository.enqueue(writer, table_id, JobKind.OFFER, OfferKind.UNDO)
        if history is not None:
            self._repository.keep(table_id, history)
        return snapshot, what, history is not None

    async def refuse(self, table_id: int, user: User, kind: OfferKind) -> Snapshot:
        """Decline an offer, or withdraw one's own. Raises Refused if there is none."""
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            offer = snapshot.table.offers.of(kind)
            if offer is None:
                raise no_such_offer()
            if not (isinstance(offer, Handover) and offer.to == user.id):
                still_in(snapshot, user)
            return await close_offer(self._repository, writer, snapshot, kind)

    # --- handing a seat over ------------------------------------------------------------------------------------------

    async def hand_over(self, table_id: int, user: User, leaver_id: int, newcomer: User) -> Snapshot:
        """Offer a seat to somebody who does not play here: one's own, or one whose player has just left the game.

        Raises Refused if the seat cannot be handed over: only its own player can do so while they are in the game, a seat
        that was left stays empty once somebody else has acted, in a game with hidden hands nobody gets a hand who has seen
        another, and nobody takes the results of two seats. Nor can one person be asked too often.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            mine = snapshot.own_seat(user.id)
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
            snapshot = await put_offers(self._repository, writer, snapshot, replace(snapshot.table.offers, substitute=offer))
            if before is not None:
                await shut_out(self._repository, writer, snapshot, before.to)
            await ping(writer, user.id, [newcomer.id], self._repository.now())
            await self._repository.enqueue(writer, table_id, JobKind.OFFER, OfferKind.SUBSTITUTE)
            return snapshot

    async def take_over(self, table_id: int, newcomer: User) -> Snapshot:
        """Accept an offered seat. If the game is rated, whoever had the seat first has lost it by rating (see `parties`).

        Raises Refused if no seat is offered to this person (any more), if others have acted since its player left the game, or
        if this person has seen another hand meanwhile.
        """
        history: History | None = None
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            offer = snapshot.table.offers.substitute
            if offer is None or offer.to != newcomer.id:
                raise Refused(say("Nobody’s offering you a seat at table #{n}.", n=table_id))
            seat, history = offer.seat, snapshot.playing
            leaver, left = snapshot.players[seat], departure(snapshot, seat)
            _refuse_unfit(snapshot, seat, newcomer)
            if leaver.status is SeatStatus.WITHDRAWN:
                refuse_late(snapshot, seat)
                entry = Entry(table_id=table_id, number=history.version + 1, kind=EntryKind.UNDO, seat=seat,
                              user_id=newcomer.id, at=self._repository.now())  # fmt: skip
                history = await self._repository.append(writer, history, entry)
            arrived = replace(leaver, user_id=newcomer.id, name=newcomer.name, status=SeatStatus.JOINED, timeouts=0,
                              rated_as=None if leaver.rated_as == newcomer.id else leaver.rated_as,
                              asked_at=self._repository.now())  # fmt: skip
            await writer.put_departure(left)
            await writer.remove_seat(table_id, leaver.user_id)
            await writer.put_seat(arrived)
            people = tuple(arrived if p is leaver else p for p in snapshot.people)
            offers = snapshot.table.offers.without(OfferKind.SUBSTITUTE)
            snapshot = replace(snapshot, people=people, departures=(*snapshot.departures, left))
            snapshot = await put_offers(self._repository, writer, snapshot, offers)
            snapshot = await advance(self._repository, writer, snapshot, history, newcomer=seat, doing_of=newcomer.id)
            await shut_out(self._repository, writer, snapshot, leaver.user_id)
        self._repository.keep(table_id, history)
        return snapshot

    # --- nudging, and playing again -----------------------------------------------------------------------------------

    async def nudge(self, table_id: int, user: User) -> Snapshot:
        """Have the awaited players reminded, at most once per turn and after half of its time. Raises Refused otherwise."""
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            seat = still_in(snapshot, user)
            table, now = snapshot.table, self._repository.now()
            if seat in snapshot.playing.to_act:
                raise Refused(say("It’s your own turn!"))
            waits = [player.user_id for player in snapshot.awaited if player.computer is None]
            if not waits:
                raise Refused(say("We’re waiting for a computer. It plays as soon as it has thought."))
            if table.nudged_turn == table.turn:
                raise Refused(say("You can nudge once a turn, and that’s been done."))
            half = (table.turn_began or now) + NUDGE_WITHOUT_CLOCK
            if table.clock is not None and table.deadline is not None:
                half = table.deadline - table.clock / 2
            if now < half:
                when = f"<t:{int(half)}:R>"
                raise Refused(say("You can nudge {when}. Give them a little time.", when=when))
            snapshot = replace(snapshot, table=await writer.amend(table, nudged_turn=table.turn))
            await ping(writer, user.id, waits, now)
            await self._repository.enqueue(writer, table_id, JobKind.NUDGE, by=seat, turn=table.turn)
            return snapshot

    async def rematch(self, table_id: int, user: User, interaction_id: int | None = None) -> Snapshot:
        """Open a table for the same game and people, with everybody moved on by one seat, or join it if it is open already.

        To join it is a press that is mixed into the dice, as in `Lobby.join`.

        Raises WrongStage if the game is not over, NotSeated for somebody who did not play.
        """
        snapshot = await self._repository.snapshot(table_id)
        if snapshot.table.status is not Status.FINISHED:
            raise WrongStage(say("The game at table #{n} isn’t over yet.", n=table_id))
        if snapshot.seat_of(user.id) is None:
            raise NotSeated(say("You didn’t play at table #{n}.", n=table_id))
        opened = await self._rematch_of(snapshot)
        if opened is not None:
            return await self._lobby.join(opened.table.id, user, interaction_id, terms=terms_mark(snapshot.table))
        table = snapshot.table
        seats = (*snapshot.players[1:], *snapshot.players[:1])
        around = [_once_more(player) for player in seats if player.user_id > 0]
        place = next(i for i, player in enumerate(around) if player.id == user.id)
        async with self._repository.store.read() as reader:
            server = ServerSettings.of(await reader.server(table.guild_id))
        request = TableRequest(
            guild_id=table.guild_id, channel_id=table.thread_id or table.channel_id, game=table.game,
            variant=table.variant, options=table.options, seats=len(snapshot.players), clock=table.clock,
            strict=table.grace is Grace.STRICT,
            private=table.private, threaded=table.private and table.thread_id is None,
            thread_id=table.thread_id if table.private else None,
            opponents=[player for player in around if player.id != user.id], place=place,
            most_tables=server.most_tables, rematch_of=table.id, interaction_id=interaction_id,
        )  # fmt: skip
        try:
            return await self._lobby.open(user, request)
        except AlreadyOpen as first:  # somebody else has opened one at the same moment
            return await self._lobby.join(first.table_id, user, interaction_id, terms=terms_mark(table))

    async def _rematch_of(self, snapshot: Snapshot) -> Snapshot | None:
        """The table of this game's rematch, in any state but closed, or None."""
        if snapshot.table.rematch_id is None:
            return None
        opened = await self._repository.snapshot(snapshot.table.rematch_id)
        return None if opened.table.status is Status.CLOSED else opened


async def put_offers(repository: Repository, writer: Writer, snapshot: Snapshot, offers: Offers) -> Snapshot:
    """Replace the open offers of a table. Computers may have to answer them, or wait for somebody else's answer."""
    snapshot = replace(snapshot, table=await writer.amend(snapshot.table, offers=offers))
    await summon_again(writer, snapshot, repository.now())
    return snapshot


async def close_offer(repository: Repository, writer: Writer, snapshot: Snapshot, kind: OfferKind) -> Snapshot:
    """End an offer that is open, because somebody has declined or withdrawn it."""
    offer = snapshot.table.offers.of(kind)
    snapshot = await put_offers(repository, writer, snapshot, snapshot.table.offers.without(kind))
    if isinstance(offer, Handover):
        await shut_out(repository, writer, snapshot, offer.to)
    return snapshot


def _refuse_unfit(snapshot: Snapshot, seat: int, newcomer: User) -> None:
    """Raise Refused if the newcomer has seen another hand of this game, or the result of another seat counts for them."""
    seen = min(seats_seen(snapshot, newcomer.id) - {seat}, default=None)
    if seen is not None and snapshot.playing.game.secret:
        raise Refused(
            say(
                "{name} has had {who}’s seat in this game and knows that hand, so they can take over that seat, but no other.",
                who=seat_name(seen),
                name=plain(newcomer.name),
            ),
            snapshot.names,
        )
    other = next((n for n, p in enumerate(snapshot.players) if n != seat and p.rated_as == newcomer.id), None)
    if other is not None:
        raise Refused(
            say(
                "{who}’s seat still counts for {name}, who can take back that seat, but no other.",
                who=seat_name(other),
                name=plain(newcomer.name),
            ),
            snapshot.names,
        )


def no_such_offer() -> Refused:
    """The error for an answer that comes too late."""
    return Refused(say("That offer is gone."))


def _undoable(snapshot: Snapshot, seat: int) -> tuple[Text, int]:
    """A description of the action that would be taken back for a seat, and how many entries of the log that takes.

    It takes more than one if computers have answered it, or others had planned to. Raises Refused if there is none, or it may
    not be taken back.
    """
    history = snapshot.playing
    taken: list[HistoryEntry] = []
    standing = newest(history.log)
    for index in standing:
        taken.append(history.log[index])
        if not _answer(history, taken[-1].entry, seat):
            break
    if not taken:
        raise Refused(say("There’s nothing to take back yet."))
    own = taken[-1]
    if own.entry.kind is not EntryKind.PLAY or own.entry.seat != seat or own.entry.user_id is None:
        raise Refused(say("You can take back your own last move, as long as nobody has moved since."))
    before = next((history.log[index].state for index in standing), history.first)
    for logged in reversed(taken):
        if not history.game.reversible(before, logged.entry.tokens, Step(logged.state, logged.events)):
            raise Refused(say("{action} can’t be taken back: something was drawn or revealed.", action=plain(logged.notation)))
        before = logged.state
    what = say("{who}: {action}", who=seat_name(seat), action=plain(own.notation))
    if len(taken) > 1:
        answers = join([plain(logged.notation) for logged in reversed(taken[:-1])], ", ")
        if any(_by_computer(logged.entry) for logged in taken[:-1]):
            return say("{what}, and what was played in answer: {answers}", what=what, answers=answers), len(taken)
        what = say("{what}, and what was planned in answer: {answers}", what=what, answers=answers)
    return what, len(taken)


def _answer(history: History, entry: Entry, seat: int) -> bool:
    """Whether an entry is a computer's, or what somebody else had planned to play, where everybody may know that."""
    if entry.kind is not EntryKind.PLAY or entry.seat == seat:
        return False
    return _by_computer(entry) or (history.game.conditional and entry.fired)


def _by_computer(entry: Entry) -> bool:
    return entry.user_id is not None and is_computer(entry.user_id)


def refuse_late(snapshot: Snapshot, seat: int) -> None:
    """Raise Refused unless the newest entry of the log is this seat leaving the game."""
    last = snapshot.playing.log.last
    if last is None or last.entry.kind is not EntryKind.WITHDRAW or last.entry.seat != seat:
        moved_on = say("The game has moved on since {who} left, so the seat stays empty.", who=seat_name(seat))
        raise Refused(moved_on, snapshot.names)


def _once_more(player: Seat) -> User | Computer:
    """Somebody who has played, for another game."""
    return User(player.user_id, player.name) if player.computer is None else Computer(player.user_id, player.computer)
