"""During a game: actions, resignations, draw offers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.sessions.errors import BadAction, NotYourTurn, Refused, SessionError, Stale, WrongStage
from bot.sessions.grace import forgives
from bot.sessions.history import History
from bot.sessions.pings import ping
from bot.sessions.planned import play
from bot.sessions.questions import summon_again
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot, User
from bot.sessions.turns import advance, ended_by
from engines.game import Event, IllegalAction
from engines.text import Text, join, plain, say, seat_name
from storage.records import Ending, Entry, EntryKind, JobKind, OfferKind, Proposal, SeatStatus, Status
from storage.store import Conflict, Repeated, Writer


@dataclass(frozen=True, slots=True)
class Played:
    """The result of an action.

    Attributes:
        snapshot: the table after it.
        events: what happened, as far as the acting player may know.
        repeated: whether this interaction had already been carried out; if so, nothing was done this time.
    """

    snapshot: Snapshot
    events: tuple[Event, ...]
    repeated: bool = False


class Play:
    """What can be done at a table whose game is running."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def act(
        self,
        table_id: int,
        user: User,
        action: str | Sequence[str],
        *,
        version: int | None = None,
        interaction_id: int | None = None,
        closing: bool = False,
    ) -> Played:
        """Play an action, given as tokens or as the text that somebody typed.

        Args:
            table_id: the table.
            user: the player who acts.
            action: the action.
            version: the version of the board that the action was chosen on; None: the current one.
            interaction_id: the click or command; the same one is carried out only once.
            closing: whether the game's closing action (see `Game.closing`) is played with it, if it is legal then.

        Raises:
            NoSuchTable, WrongStage, NotSeated, Refused, NotYourTurn: the user may not act.
            Stale: the board has changed since the action was chosen.
            BadAction: the rules do not allow the action.
        """
        try:
            async with self._repository.table(table_id) as (writer, snapshot):
                try:
                    seat, history = self._seat_to_act(snapshot, user)
                    if version is not None and version != snapshot.table.version:
                        raise Stale(say("The game has moved on. Here’s the board now."))
                    tokens, before = tokens_of(snapshot, seat, action), history.version
                except SessionError:
                    if await self._repeated(writer, interaction_id):
                        return Played(snapshot, (), repeated=True)
                    raise
                entry = self._entry(table_id, history, EntryKind.PLAY, seat, user, interaction_id, tokens)
                last = history.game.closing(history.state, seat, tokens) if closing else None
                snapshot, history = await play(self._repository, writer, snapshot, history, entry)
                if last is not None and history.game.is_whole(history.state, seat, last.action):
                    # The click is that of the entry before: an interaction is in the log only once.
                    entry = replace(entry, number=history.version + 1, interaction_id=None, tokens=last.action)
                    snapshot, history = await play(self._repository, writer, snapshot, history, entry)
                acted = {logged.entry.seat for logged in history.log[before:]}
                snapshot = await clear_lapsed(writer, snapshot, seat, acted)
                snapshot = await advance(self._repository, writer, snapshot, history)
        except Conflict as error:
            raise Stale(say("The game has moved on. Here’s the board now.")) from error
        except Repeated:
            return Played(await self._repository.snapshot(table_id), (), repeated=True)
        self._repository.keep(table_id, history)
        return Played(snapshot, history.events_since(before, seat))

    async def resign(self, table_id: int, user: User, interaction_id: int | None = None) -> Played:
        """Leave the game. Raises WrongStage, NotSeated, or Refused if the player has already left it."""
        try:
            async with self._repository.table(table_id) as (writer, snapshot):
                try:
                    snapshot.require(Status.PLAYING)
                    seat = still_in(snapshot, user)
                except SessionError:
                    if await self._repeated(writer, interaction_id):
                        return Played(snapshot, (), repeated=True)
                    raise
                history = snapshot.playing
                entry = self._entry(table_id, history, EntryKind.WITHDRAW, seat, user, interaction_id, ("resigned",))
                before = history.version
                snapshot, history = await play(self._repository, writer, snapshot, history, entry)
                snapshot = await advance(self._repository, writer, snapshot, history, doing_of=user.id)
        except Repeated:
            return Played(await self._repository.snapshot(table_id), (), repeated=True)
        self._repository.keep(table_id, history)
        return Played(snapshot, history.log[before].events)

    async def draw(self, table_id: int, user: User, *, answering: bool = False) -> tuple[Snapshot, bool]:
        """Offer a draw, or agree to the one on offer; if `answering`, only the latter.

        Returns the table, and whether the game is drawn now, which takes the agreement of everybody who is still in it. An
        offer lapses when somebody else acts. Raises Refused if there is nobody to agree with, if there is no offer any more, or
        if the others have been asked too often: people as `ping` says, and computers alone once on each board.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            snapshot.require(Status.PLAYING)
            seat = still_in(snapshot, user)
            standing = snapshot.table.offers.draw
            if answering and standing is None:
                raise Refused(say("That offer is gone."))
            proposal = agreed_to(standing or Proposal(by=seat, agreed=()), seat)
            if len(snapshot.present) < 2:
                raise Refused(say("There’s nobody left to agree to a draw."))
            if set(proposal.agreed) >= set(snapshot.present):
                return await advance(self._repository, writer, snapshot, snapshot.playing, ended_by(Ending.AGREED)), True
            table = await writer.amend(snapshot.table, offers=replace(snapshot.table.offers, draw=proposal))
            if standing is None:
                await _refuse_again(writer, snapshot, seat)
                await ping(writer, user.id, others_at(snapshot, user), self._repository.now())
                await self._repository.enqueue(writer, table_id, JobKind.OFFER, OfferKind.DRAW)
            snapshot = replace(snapshot, table=table)
            await summon_again(writer, snapshot, self._repository.now())
            return snapshot, False

    def _seat_to_act(self, snapshot: Snapshot, user: User) -> tuple[int, History]:
        snapshot.require(Status.PLAYING)
        seat = still_in(snapshot, user)
        history = snapshot.playing
        deadline = snapshot.table.deadline
        if (
            seat in history.to_act
            and snapshot.table.clock is not None
            and deadline is not None
            and deadline <= self._repository.now()
            and self._repository.time_counts()
            and not forgives(snapshot)
        ):
            raise WrongStage(say("You’re out of time for this turn."))
        if seat not in history.to_act and seat not in history.game.may_act(history.state):
            raise not_your_turn(snapshot)
        return seat, history

    async def _repeated(self, writer: Writer, interaction_id: int | None) -> bool:
        """Whether what is not possible now has been done already, by the same click. Else appending to the log finds it out."""
        return interaction_id is not None and await writer.entry_by_interaction(interaction_id) is not None

    def _entry(
        self,
        table_id: int,
        history: History,
        kind: EntryKind,
        seat: int,
        user: User,
        interaction_id: int | None,
        tokens: tuple[str, ...],
    ) -> Entry:
        return Entry(
            table_id=table_id, number=history.version + 1, kind=kind, seat=seat, tokens=tokens,
            user_id=user.id, interaction_id=interaction_id, at=self._repository.now(),
        )  # fmt: skip


async def _refuse_again(writer: Writer, snapshot: Snapshot, seat: int) -> None:
    """Raise Refused if somebody whom computers alone can answer has offered a draw on this board; note that they do now."""
    player, version = snapshot.players[seat], snapshot.table.version
    if set(snapshot.persons) != {seat}:
        return
    if player.offered == version:
        raise Refused(say("You’ve offered a draw already. You can offer one again when the game has moved on."))
    await writer.put_seat(replace(player, offered=version))


async def clear_lapsed(writer: Writer, snapshot: Snapshot, seat: int, acted: Collection[int]) -> Snapshot:
    """Clear what lapses when a seat acts: its time-outs, requests to undo, and a draw offered by somebody else.

    Of the others who have `acted` by what they had planned the time-outs stay: nobody knows whether they are there.
    """
    player = snapshot.players[seat]
    if player.timeouts:
        present = replace(player, timeouts=0)
        await writer.put_seat(present)
        snapshot = replace(snapshot, people=tuple(present if p is player else p for p in snapshot.people))
    draw = snapshot.table.offers.draw
    lapsed = (OfferKind.UNDO,) if draw is None or {draw.by} >= set(acted) else (OfferKind.UNDO, OfferKind.DRAW)
    offers = snapshot.table.offers.without(*lapsed)
    if offers == snapshot.table.offers:
        return snapshot
    return replace(snapshot, table=await writer.amend(snapshot.table, offers=offers))


def tokens_of(snapshot: Snapshot, seat: int, action: str | Sequence[str]) -> tuple[str, ...]:
    """The action as tokens, checked to be legal. Raises BadAction."""
    history = snapshot.playing
    tokens = history.game.parse(history.state, seat, action) if isinstance(action, str) else tuple(action)
    try:
        history.game.check(history.state, seat, tokens)
    except IllegalAction as error:
        raise bad_action(error, snapshot) from error
    return tokens


def bad_action(error: IllegalAction, snapshot: Snapshot) -> BadAction:
    """The error for somebody who wants to play what the rules do not allow."""
    text = error.message if isinstance(error.message, Text) else plain(error.message)
    return BadAction(text, tuple(choice.token for choice in error.possible), snapshot.names)


def others_at(snapshot: Snapshot, user: User) -> list[int]:
    """The ids of the users who are still in the game, without this one."""
    return [snapshot.players[seat].user_id for seat in snapshot.present if snapshot.players[seat].user_id != user.id]


def still_in(snapshot: Snapshot, user: User) -> int:
    """The seat number of a player who has not left the game. Raises NotSeated, or Refused if they have."""
    seat = snapshot.own_seat(user.id)
    if snapshot.players[seat].status is not SeatStatus.JOINED:
        raise Refused(say("You’ve left this game."))
    return seat


def not_your_turn(snapshot: Snapshot) -> NotYourTurn:
    """The error for a player who acts out of turn."""
    awaited = join([seat_name(seat) for seat in snapshot.playing.to_act], ", ")
    return NotYourTurn(say("It’s not your turn yet: we’re waiting for {who}.", who=awaited), snapshot.names)


def agreed_to(proposal: Proposal, seat: int) -> Proposal:
    """The proposal with the agreement of one more seat."""
    return replace(proposal, agreed=tuple(sorted({*proposal.agreed, seat})))
