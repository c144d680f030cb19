"""Computers at a table: how they take seats, what they are asked, and what becomes of their answers.

The service only asks; who thinks is somebody else's matter (`bot.outbox.computers`). What is asked is in the database as soon
as the change is that it follows from (see `bot.sessions.questions`), and is gone only with the transaction that carries out the
answer. So a bot that was killed while a computer thought asks it again, and what it decides is played once.

A computer knows what its seat may know: it is given a state that its seat cannot tell from the true one, drawn with dice of its
own, and what its seat has seen. What it does is an entry of the log like any other.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.sessions.computer_players import Computer, computer_seat, is_computer, strangers
from bot.sessions.consent import close_offer
from bot.sessions.dice import contribute
from bot.sessions.errors import NotSeated, Refused, TableFull
from bot.sessions.imagining import imagined, memory_of
from bot.sessions.lobby import full
from bot.sessions.options import counts_for_ratings
from bot.sessions.planned import play
from bot.sessions.play import agreed_to, clear_lapsed, tokens_of
from bot.sessions.questions import QuestionKind, next_question, summon_again
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot, User
from bot.sessions.starting import start_if_full
from bot.sessions.terms import require_same
from bot.sessions.turns import advance, ended_by
from engines.text import say
from opponents import Memory, Thought, opponent
from storage.records import (
    Ending,
    Entry,
    EntryKind,
    JobKind,
    Level,
    OfferKind,
    Proposal,
    Seat,
    SeatStatus,
    Status,
)
from storage.store import Writer

__all__ = ["Computers", "Question", "QuestionKind", "is_computer"]

RESIGNS_AFTER: Final = 2
"""How many decisions in a row a computer must find its game plainly lost before it resigns."""

OFFERS_EVERY: Final = 20
"""How many entries the log must have grown by before a computer offers a draw again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a computer is asked.

    Attributes:
        table_id, guild_id, channel_id: where it sits.
        version: the version of the board.
        kind: what is asked.
        seat: its seat.
        level: how well it plays.
        game_id, rules: the rules, and their version.
        state: a state that its seat cannot tell from the true one. Nothing in it is of the real game's dice.
        memory: what its seat has seen; see `opponents.remembered`.
        stream: what its thinking is drawn with.
        person: the user who is waiting for it.
    """

    table_id: int
    guild_id: int
    channel_id: int
    version: int
    kind: QuestionKind
    seat: int
    level: Level
    game_id: str
    rules: int
    state: Any
    memory: Memory
    stream: str
    person: int


class Computers:
    """Seats computers at tables, asks them, and carries out what they decide."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    # --- before the game ----------------------------------------------------------------------------------------------

    async def add(self, table_id: int, user: User, level: Level, interaction_id: int | None = None, terms: int = 0) -> Snapshot:
        """Give a free seat to a computer; the game begins if it was the last one. The table is not rated from then on.

        The same press gives it only one.

        Args:
            table_id: the table.
            user: who wants it, who sits there.
            level: how well it plays.
            interaction_id: the press of the button, which is mixed into the dice; None: nothing is mixed in.
            terms: the mark of the terms that the user has read, as `terms_mark` makes it; 0: it is not known which.

        Raises WrongStage if the game has started, or the terms have changed; NotSeated; TableFull.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            _require_seated(snapshot, user)
            if interaction_id in {one.interaction_id for one in await writer.contributions(table_id)}:
                return snapshot
            require_same(snapshot.table, terms)
            if snapshot.free < 1:
                raise TableFull(full(snapshot))
            new = next(strangers(table_id, [person.user_id for person in snapshot.people]))
            place = 1 + max(person.place for person in snapshot.people)
            seat = computer_seat(snapshot.table, Computer(new, Level(level)), place, self._repository.now())
            await writer.put_seat(seat)
            await contribute(writer, snapshot.table, user.id, interaction_id)
            snapshot = await self._rated_or_not(writer, replace(snapshot, people=(*snapshot.people, seat)))
            snapshot = await start_if_full(self._repository, writer, snapshot)
        if snapshot.history is not None:
            self._repository.keep(table_id, snapshot.history)
        return snapshot

    async def remove(self, table_id: int, user: User, seat_user_id: int) -> Snapshot:
        """Free the seat of a computer, which is rated again if it was that before the first computer sat down.

        Raises WrongStage if the game has started, NotSeated, or Refused if there is no such computer.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            _require_seated(snapshot, user)
            known = snapshot.person(seat_user_id)
            if known is None or known.computer is None:
                raise Refused(say("That computer isn’t at table #{n} any more.", n=table_id))
            await writer.remove_seat(table_id, seat_user_id)
            people = tuple(person for person in snapshot.people if person is not known)
            snapshot = await self._rated_or_not(writer, replace(snapshot, people=people))
            await self._repository.enqueue(writer, table_id, JobKind.LOBBY)
        return snapshot

    async def _rated_or_not(self, writer: Writer, snapshot: Snapshot) -> Snapshot:
        """The table, rated or not as it goes with who sits there."""
        table, game = snapshot.table, self._repository.rules_of(snapshot.table)
        rated = counts_for_ratings(game, table.options, table.wanted, computers=bool(snapshot.computers))
        return snapshot if rated == table.rated else replace(snapshot, table=await writer.amend(table, rated=rated))

    # --- what they are asked ------------------------------------------------------------------------------------------

    async def next_due(self, *, without: Collection[int] = ()) -> float | None:
        """When a computer is to be asked next, in seconds since the epoch, or None; at tables other than those `without`."""
        async with self._repository.reading() as reader:
            return await reader.next_thinking(without=without)

    async def due(self, *, without: Collection[int] = ()) -> tuple[int, ...]:
        """The numbers of the tables where a computer is to be asked now, a hundred at most, without those `without`."""
        async with self._repository.reading() as reader:
            return await reader.thinking_due(self._repository.now(), without=without)

    async def question(self, table_id: int) -> Question | None:
        """What is asked at a table now; None if it is nothing (any more), or it is too early. Raises NoSuchTable, SetAside."""
        snapshot = await self._repository.snapshot(table_id)
        async with self._repository.store.read() as reader:
            row = await reader.thinking(table_id)
        if row is not None and row.due > self._repository.now():
            return None
        known = row is not None and row.version == snapshot.table.version
        found = next_question(snapshot, row.asked) if row is not None and known else None
        if found is None:
            await self._look_again(table_id)
            return None
        return _asked(snapshot, *found)

    async def _look_again(self, table_id: int) -> None:
        """Have written down what is to be asked at a table, if anything is."""
        async with self._repository.table(table_id) as (writer, snapshot):
            if not snapshot.computers:  # or it would be looked at for ever
                await writer.remove_thinking(table_id)
            await summon_again(writer, snapshot, self._repository.now())

    # --- what they answer ---------------------------------------------------------------------------------------------

    async def answer(self, question: Question, thought: Thought | None) -> Snapshot | None:
        """Carry out what a computer has decided.

        Args:
            question: what it was asked.
            thought: what it has thought; None: nothing is played out of turn, and no draw is agreed to.

        Returns:
            The table; None if nothing was done, because what it was asked about is not so any more. It is asked anew then.

        Raises:
            BadAction: the rules do not allow the action.
            ValueError: it has to act, but has not said how.
        """
        repository, history = self._repository, None
        async with repository.table(question.table_id) as (writer, snapshot):
            row = await writer.thinking(question.table_id)
            late = row is None or row.version != question.version or row.due > repository.now()
            asked = None if row is None or late else next_question(snapshot, row.asked)
            if snapshot.table.version != question.version or asked != (question.kind, question.seat):
                return None
            if question.kind is QuestionKind.DRAW:
                snapshot = await self._draw(writer, snapshot, question, thought)
            elif thought is not None:
                snapshot = await self._act(writer, snapshot, question, thought)
                history = snapshot.history
            elif question.kind is QuestionKind.INTERRUPT:
                await summon_again(writer, snapshot, repository.now(), answered=question.seat)
            else:
                raise ValueError("the game waits for this computer, which has not said what it plays")
        if history is not None:
            repository.keep(question.table_id, history)
        return snapshot

    async def _act(self, writer: Writer, snapshot: Snapshot, question: Question, thought: Thought) -> Snapshot:
        """Play what a computer has chosen, or resign."""
        repository, seat = self._repository, question.seat
        tokens = tokens_of(snapshot, seat, thought.action)
        snapshot, resigns = await self._counted(writer, snapshot, question, thought)
        history, player = snapshot.playing, snapshot.players[seat]
        entry = Entry(
            table_id=question.table_id, number=history.version + 1, kind=EntryKind.PLAY, seat=seat, tokens=tokens,
            user_id=player.user_id, at=repository.now(),
        )  # fmt: skip
        if resigns:
            entry = replace(entry, kind=EntryKind.WITHDRAW, tokens=("resigned",))
        before = history.version
        snapshot, history = await play(repository, writer, snapshot, history, entry)
        snapshot = await clear_lapsed(writer, snapshot, seat, {logged.entry.seat for logged in history.log[before:]})
        drawn = not resigns and question.kind is QuestionKind.MOVE and _drawn(question, thought)
        snapshot = await advance(repository, writer, snapshot, history)
        return await self._offered(writer, snapshot, seat) if drawn else snapshot

    async def _counted(self, writer: Writer, snapshot: Snapshot, question: Question, thought: Thought) -> tuple[Snapshot, bool]:
        """The table, where it is counted how often in a row a computer has found its game lost; and whether it resigns.

        With several others it plays on, so that nobody's game is changed by it.
        """
        player = snapshot.players[question.seat]
        if question.kind is not QuestionKind.MOVE:
            return snapshot, False
        lost = opponent(question.game_id, question.level, question.rules).hopeless(question.state, thought)
        counted = replace(player, hopeless=player.hopeless + 1 if lost else 0)
        snapshot = await _put_seat(writer, snapshot, player, counted)
        return snapshot, counted.hopeless >= RESIGNS_AFTER and len(snapshot.present) == 2

    async def _offered(self, writer: Writer, snapshot: Snapshot, seat: int) -> Snapshot:
        """The table with the computer's offer of a draw, unless one is on offer, or it has offered one not long ago."""
        table, player = snapshot.table, snapshot.players[seat]
        early = player.offered is not None and table.version - player.offered < OFFERS_EVERY
        if early or table.status is not Status.PLAYING or table.offers.draw is not None or len(snapshot.present) < 2:
            return snapshot
        snapshot = await _put_seat(writer, snapshot, player, replace(player, offered=table.version))
        offers = replace(table.offers, draw=Proposal(by=seat, agreed=(seat,)))
        snapshot = replace(snapshot, table=await writer.amend(table, offers=offers))
        await self._repository.enqueue(writer, table.id, JobKind.OFFER, OfferKind.DRAW)
        await summon_again(writer, snapshot, self._repository.now())
        return snapshot

    async def _draw(self, writer: Writer, snapshot: Snapshot, question: Question, thought: Thought | None) -> Snapshot:
        """Agree to a draw, or decline it."""
        repository, offers = self._repository, snapshot.table.offers
        assert offers.draw is not None, "that is what was asked about"
        if thought is None or not _drawn(question, thought):
            await repository.enqueue(writer, question.table_id, JobKind.OFFER, OfferKind.DRAW, declined=question.seat)
            return await close_offer(repository, writer, snapshot, OfferKind.DRAW)
        agreed = agreed_to(offers.draw, question.seat)
        if set(agreed.agreed) >= set(snapshot.present):
            return await advance(repository, writer, snapshot, snapshot.playing, ended_by(Ending.AGREED))
        snapshot = replace(snapshot, table=await writer.amend(snapshot.table, offers=replace(offers, draw=agreed)))
        await summon_again(writer, snapshot, repository.now())
        return snapshot


def _require_seated(snapshot: Snapshot, user: User) -> None:
    """Raise WrongStage after the start, and NotSeated for somebody who does not sit there."""
    snapshot.require(Status.OPEN)
    known = snapshot.person(user.id)
    if known is None or known.status is not SeatStatus.JOINED:
        raise NotSeated(say("Take a seat first: only players can seat computers, or have them leave."))


def _asked(snapshot: Snapshot, kind: QuestionKind, seat: int) -> Question:
    table, history = snapshot.table, snapshot.playing
    level = snapshot.players[seat].computer
    assert level is not None, "only computers are asked"
    stream = f"{table.id}.{history.version}.{seat}"
    return Question(
        table_id=table.id, guild_id=table.guild_id, channel_id=table.board_channel_id or table.thread_id or table.channel_id,
        version=history.version, kind=kind, seat=seat, level=level, game_id=table.game, rules=table.rules,
        state=imagined(history, seat, stream), memory=memory_of(history, seat), stream=stream, person=_waiting(snapshot),
    )  # fmt: skip


def _waiting(snapshot: Snapshot) -> int:
    """The person who is waiting for a computer: whoever acted last, or else the one who opened the table."""
    acted = (logged.entry.user_id for logged in reversed(snapshot.playing.log))
    people = (user_id for user_id in acted if user_id is not None and user_id > 0 and not is_computer(user_id))
    return next(people, snapshot.table.opened_by)


def _drawn(question: Question, thought: Thought) -> bool:
    return opponent(question.game_id, question.level, question.rules).drawn(question.state, thought)


async def _put_seat(writer: Writer, snapshot: Snapshot, before: Seat, after: Seat) -> Snapshot:
    """The table with a seat in the place of another."""
    if before == after:
        return snapshot
    await writer.put_seat(after)
    return replace(snapshot, people=tuple(after if person is before else person for person in snapshot.people))
