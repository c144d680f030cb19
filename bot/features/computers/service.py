"""Seats computers at tables, and carries out their answers to stored questions.

A question is stored together with the change it follows from (`questions.py`), and deleted in the transaction that carries out
the answer. So a bot killed while a computer was thinking asks again, and each decision is played only once.

A computer is given what its seat has seen, and a state that its seat cannot tell from the true one, with dice of its own.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.change import Change, changing
from bot.core.contributions import contribute
from bot.core.lobby import full, start_if_full
from bot.core.parts import Service
from bot.core.play import forgive_timeouts, tokens_of
from bot.core.table.computer_players import Computer, computer_seat, is_computer, strangers
from bot.core.table.errors import NotSeated, Refused, TableFull
from bot.core.table.imagining import imagine, memory_of
from bot.core.table.options import counts_for_ratings
from bot.core.table.snapshot import Snapshot, User
from bot.core.terms import require_same
from bot.core.turns import advance
from bot.features.computers import sql
from bot.features.computers.questions import QuestionKind, next_question, notify_computers_again, pace_of
from bot.features.offers.kinds import OFFERS
from bot.features.offers.service import agree_to, close_offer, put_offer
from engines.text import say
from opponents import Memory, Thought, opponent
from storage import queries
from storage.schema.records import EntryKind, JobKind, Level, OfferKind, SeatStatus, Settled, Status

__all__ = ["Computers", "Question", "QuestionKind"]

RESIGNS_AFTER: Final = 2
"""How many decisions in a row a computer must find the game plainly lost before it resigns."""

OFFERS_EVERY: Final = 20
"""How many entries must be added to the log before a computer may offer a draw again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to a computer.

    Attributes:
        version: the version of the board.
        rules: the version of the rules.
        state: a state that the seat cannot tell from the true one. It contains nothing of the real game's dice.
        memory: what the seat has seen; see `opponents.seat_memory`.
        stream: the seed of the random choices in its thinking.
        person: the id of the user who is waiting for the computer.
        pace: the seconds until the answer is shown (see `pace_of`), or 0 to show it at once.
        solo: whether nothing of the game is shown in its channel.
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
    pace: float = 0.0
    solo: bool = False


class Computers(Service):
    """Seats computers at tables, provides the questions to them, and carries out what they decide."""

    # --- before the game ----------------------------------------------------------------------------------------------

    async def add(self, table_id: int, user: User, level: Level, interaction_id: int | None = None, terms: int = 0) -> Snapshot:
        """Give a free seat to a computer, and start the game if it was the last free one. The table is no longer rated.

        A press of a button (`interaction_id`) adds only one computer, and contributes to the dice. `terms` is the mark of the
        terms that the user has read, or 0 if unknown. Raises WrongStage if the game has started, TermsChanged, NotSeated, or
        TableFull.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            _require_seated(snapshot, user)
            if interaction_id in {
                one.interaction_id for one in await queries.entries.contributions_of_table(change.writer, table_id)
            }:
                return snapshot
            require_same(change.table, terms)
            if snapshot.free < 1:
                raise TableFull(full(snapshot))
            new = next(strangers(table_id, [person.user_id for person in snapshot.people]))
            place = 1 + max(person.place for person in snapshot.people)
            await change.put_seat(computer_seat(change.table, Computer(new, Level(level)), place, change.now))
            await contribute(change.writer, change.table, user.id, interaction_id)
            await _amend_rated(change)
            await start_if_full(change)
        return change.snapshot

    async def remove(self, table_id: int, user: User, seat_user_id: int) -> Snapshot:
        """Remove a computer from its seat. Raises WrongStage after the start, NotSeated, or Refused if the computer is gone."""
        async with changing(self._core, table_id) as change:
            _require_seated(change.snapshot, user)
            known = change.snapshot.person(seat_user_id)
            if known is None or known.computer is None:
                raise Refused(say("That computer isn’t at table #{n} any more.", n=table_id))
            await change.remove_seat(seat_user_id)
            await _amend_rated(change)
            await change.enqueue(JobKind.LOBBY)
        return change.snapshot

    # --- what they are asked ------------------------------------------------------------------------------------------

    async def next_due(self, *, without: Collection[int] = ()) -> float | None:
        """Return when a computer has to be asked next, in seconds since the epoch, or None. Tables in `without` are ignored."""
        async with self._core.reading() as reader:
            return await sql.next_due(reader, without=without)

    async def due(self, *, without: Collection[int] = ()) -> tuple[int, ...]:
        """Return at most a hundred tables at which a computer has to be asked now. Tables in `without` are ignored."""
        async with self._core.reading() as reader:
            return await sql.due(reader, self._core.now(), without=without)

    async def question(self, table_id: int) -> Question | None:
        """Return the question due at a table, or None after renewing an outdated one. Raises NoSuchTable or Quarantined."""
        snapshot = await self._core.snapshot(table_id)
        async with self._core.store.read() as reader:
            row = await sql.get(reader, table_id)
        if row is not None and row.due > self._core.now():
            return None
        current = row is not None and row.version == snapshot.table.version
        found = next_question(snapshot, row.asked) if row is not None and current else None
        if found is None:
            async with changing(self._core, table_id) as change:
                if not change.snapshot.computers:  # otherwise this table would be checked again for ever
                    await sql.remove(change.writer, table_id)
                await notify_computers_again(change)
            return None
        return _question(snapshot, *found)

    # --- what they answer ---------------------------------------------------------------------------------------------

    async def answer(self, question: Question, thought: Thought | None) -> Snapshot | None:
        """Carry out what a computer has decided. Players are told if it decided at another level than its own.

        `thought` is None if the computer plays nothing out of turn, or declines a draw. Returns the table, or None if the
        question is out of date; in that case, the computer is asked again.

        Raises:
            BadAction: the rules do not allow the action.
            ValueError: the computer has to act, but has not said how.
        """
        async with changing(self._core, question.table_id) as change:
            row = await sql.get(change.writer, question.table_id)
            late = row is None or row.version != question.version or row.due > change.now
            asked = None if row is None or late else next_question(change.snapshot, row.asked)
            if change.table.version != question.version or asked != (question.kind, question.seat):
                return None
            if question.kind is QuestionKind.DRAW:
                await _answer_draw(change, question, thought)
            elif thought is not None:
                await _act(change, question, thought)
            elif question.kind is QuestionKind.INTERRUPT:
                await notify_computers_again(change, answered=question.seat)
            else:
                raise ValueError("the game waits for this computer, which has not said what it plays")
        return change.snapshot


async def _amend_rated(change: Change) -> None:
    table, game = change.table, change.core.rules_of(change.table)
    rated = counts_for_ratings(game, table.options, table.wanted, computers=bool(change.snapshot.computers))
    if rated != table.rated:
        await change.amend(rated=rated)


async def _act(change: Change, question: Question, thought: Thought) -> None:
    """Play a computer's choice, or resign for it. If the computer considers the game drawn, offer a draw."""
    seat, level = question.seat, change.snapshot.players[question.seat].computer
    tokens = tokens_of(change.snapshot, seat, thought.action)
    resigns = question.kind is QuestionKind.MOVE and await _resigns(change, question, thought)
    kind = EntryKind.WITHDRAW if resigns else EntryKind.PLAY
    user_id = change.snapshot.players[seat].user_id
    await change.play(change.next_entry(kind, seat, user_id, ("resigned",) if resigns else tokens))
    if question.level is not level:
        await change.enqueue(JobKind.HURRIED, str(seat), seat=seat)
    await forgive_timeouts(change, seat)
    await advance(change)
    if not resigns and question.kind is QuestionKind.MOVE and _is_drawn(question, thought):
        await _offer_draw(change, seat)


async def _resigns(change: Change, question: Question, thought: Thought) -> bool:
    """Return whether to resign, and count how often in a row the game looked lost. With several opponents, never resign."""
    player = change.snapshot.players[question.seat]
    lost = opponent(question.game_id, question.level, question.rules).hopeless(question.state, thought)
    counted = replace(player, hopeless=min(player.hopeless, RESIGNS_AFTER) + 1 if lost else 0)
    if counted != player:
        await change.put_seat(counted)
    return counted.hopeless >= RESIGNS_AFTER and len(change.snapshot.present) == 2


async def _offer_draw(change: Change, seat: int) -> None:
    """Offer a draw on behalf of a computer, unless such an offer is open or its last one was too recent."""
    table, player, present = change.table, change.snapshot.players[seat], change.snapshot.present
    early = player.offered is not None and table.version - player.offered < OFFERS_EVERY
    if early or table.status is not Status.PLAYING or table.offers.draw is not None or len(present) < 2:
        return
    await change.put_seat(replace(player, offered=table.version))
    await put_offer(change, OfferKind.DRAW, OFFERS[OfferKind.DRAW].proposal(change.snapshot, seat))
    await change.enqueue(JobKind.OFFER, OfferKind.DRAW)


async def _answer_draw(change: Change, question: Question, thought: Thought | None) -> None:
    offer, player = change.table.offers.draw, change.snapshot.players[question.seat]
    assert offer is not None, "that is what was asked about"
    if thought is None or not _is_drawn(question, thought):
        await change.enqueue(JobKind.OFFER, OfferKind.DRAW, declined=question.seat)
        await close_offer(change, OfferKind.DRAW, Settled.DECLINED, question.seat)
    else:
        await agree_to(change, OfferKind.DRAW, offer, User(player.user_id, player.name))


def _require_seated(snapshot: Snapshot, user: User) -> None:
    """Raise WrongStage if the game has started, and NotSeated if the user has no seat at the table."""
    snapshot.require(Status.OPEN)
    known = snapshot.person(user.id)
    if known is None or known.status is not SeatStatus.JOINED:
        raise NotSeated(say("Take a seat first: only players can add or remove computers."))


def _question(snapshot: Snapshot, kind: QuestionKind, seat: int) -> Question:
    table, history = snapshot.table, snapshot.playing
    level = snapshot.players[seat].computer
    assert level is not None, "only computers are asked"
    stream = f"{table.id}.{history.version}.{seat}"
    return Question(
        table_id=table.id, guild_id=table.guild_id, channel_id=table.board_channel_id or table.thread_id or table.channel_id,
        version=history.version, kind=kind, seat=seat, level=level, game_id=table.game, rules=table.rules,
        state=imagine(history, seat, stream), memory=memory_of(history, seat), stream=stream, person=_waiting_person(snapshot),
        pace=pace_of(snapshot, kind, seat),
        solo=snapshot.table.solo,
    )  # fmt: skip


def _waiting_person(snapshot: Snapshot) -> int:
    """Return the id of the person waiting for a computer: whoever acted last, or else whoever opened the table."""
    acted = (logged.entry.user_id for logged in reversed(snapshot.playing.log))
    people = (user_id for user_id in acted if user_id is not None and user_id > 0 and not is_computer(user_id))
    return next(people, snapshot.table.opened_by)


def _is_drawn(question: Question, thought: Thought) -> bool:
    return opponent(question.game_id, question.level, question.rules).drawn(question.state, thought)
