"""A change of a table, in one transaction. `Change` keeps its snapshot of the table in step with what it writes."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from bot.core.core import Core, CorruptTable, Work
from bot.core.table.computer_players import is_computer
from bot.core.table.history import History, HistoryEntry
from bot.core.table.snapshot import Snapshot
from bot.runtime import metrics
from engines.game import Action
from storage import queries
from storage.schema.jobs import question_key
from storage.schema.records import (
    Departure,
    Entry,
    EntryKind,
    JobKind,
    OfferKind,
    Proposal,
    Question,
    Seat,
    Settled,
    Status,
    Table,
)
from storage.store import Writer


@asynccontextmanager
async def changing(core: Core, table_id: int, guild_id: int | None = None) -> AsyncIterator["Change"]:
    """Change a table, and commit if the block ends normally. Raises NoSuchTable (also on another server) or Quarantined."""
    try:
        async with core.table(table_id, guild_id) as (writer, snapshot):
            change = Change(core, writer, snapshot)
            yield change
            await change.retire_questions()
    except CorruptTable as error:
        raise await core.put_in_quarantine(error, guild_id) from error
    change.publish()


class Change:
    """A table while it is being changed: as it was before, and as it has become.

    Attributes:
        now: when the change is made, in seconds since the epoch.
        pressed: when the click or command behind it was made, or `now` if that is unknown.
    """

    __slots__ = ("_elsewhere", "_settled", "before", "core", "now", "pressed", "snapshot", "writer")

    def __init__(self, core: Core, writer: Writer, snapshot: Snapshot) -> None:
        self.core = core
        self.writer = writer
        self.before = self.snapshot = snapshot
        self.now = self.pressed = core.now()
        self._elsewhere = False
        self._settled: dict[OfferKind, tuple[Settled, int | None]] = {}

    @property
    def table(self) -> Table:
        """The table's row, with the changes made so far."""
        return self.snapshot.table

    @property
    def history(self) -> History:
        """The game, with the changes made so far. Raises WrongStage if it has not started."""
        return self.snapshot.playing

    @property
    def new_entries(self) -> Sequence[HistoryEntry]:
        """The log entries that this change has appended."""
        return self.history.log[self.before.playing.version :]

    async def amend(self, **columns: object) -> None:
        """Change columns of the table. Raises TypeError if a name is not that of a column that can be changed."""
        self.snapshot = replace(self.snapshot, table=await queries.tables.amend(self.writer, self.table, **columns))

    async def put_seat(self, seat: Seat) -> None:
        """Store a person's seat at the table. It replaces the seat that the person had before, if any."""
        await queries.seats.put(self.writer, seat)
        others = (person for person in self.snapshot.people if person.user_id != seat.user_id)
        self.snapshot = replace(self.snapshot, people=tuple(sorted((*others, seat), key=lambda person: person.place)))

    async def remove_seat(self, user_id: int) -> None:
        """Delete a user's seat or invitation."""
        await queries.seats.remove(self.writer, self.table.id, user_id)
        people = tuple(person for person in self.snapshot.people if person.user_id != user_id)
        self.snapshot = replace(self.snapshot, people=people)

    async def put_departure(self, departure: Departure) -> None:
        """Store that a player has left a seat to another person, replacing any departure with the same number."""
        await queries.seats.put_departure(self.writer, departure)
        others = (known for known in self.snapshot.departures if known.number != departure.number)
        departures = tuple(sorted((*others, departure), key=lambda known: known.number))
        self.snapshot = replace(self.snapshot, departures=departures)

    def next_entry(
        self, kind: EntryKind, seat: int, user_id: int | None, tokens: Action = (), interaction_id: int | None = None
    ) -> Entry:
        """Return the next entry of the log, made now by a user, or by the clock if `user_id` is None."""
        return Entry(
            table_id=self.table.id, number=self.history.version + 1, kind=kind, seat=seat, tokens=tokens, user_id=user_id,
            interaction_id=interaction_id, at=self.now,
        )  # fmt: skip

    async def play(self, entry: Entry) -> None:
        """Append an entry to the game's log, and after it the actions that players have planned in answer."""
        await self.core.parts.answers.play(self, entry)

    async def append(self, entry: Entry) -> None:
        """Append an entry to the log and its hash chain, without planned answers (see `play`). Raises BrokenLog."""
        await self.extend(self.history.with_new_entry(entry))

    async def extend(self, longer: History) -> None:
        """Replace the table's game with a longer one, and write the additional log entries."""
        for logged in longer.log[self.history.version :]:
            await queries.entries.append_later(self.writer, logged.entry)
        self.snapshot = replace(self.snapshot, history=longer)

    async def enqueue(self, kind: JobKind, key: str = "", **payload: Any) -> None:
        """Put a job into the outbox, so that Discord shows the change."""
        await self.core.enqueue(self.writer, self.table.id, kind, key, **payload)

    async def enqueue_elsewhere(self, table_id: int, kind: JobKind) -> None:
        """Put a job of another table into the outbox. The outbox is told of the job once this change is committed."""
        await self.core.enqueue(self.writer, table_id, kind)
        self._elsewhere = True

    async def close(self, **columns: object) -> None:
        """Close a table that has not started, and set `columns`. If it was a rematch, the finished game may have a new one."""
        await self.amend(status=Status.CLOSED, finished_at=self.now, **columns)
        await self.enqueue(JobKind.LOBBY)
        for table_id in await queries.tables.end_rematch(self.writer, self.table.id):
            await self.enqueue_elsewhere(table_id, JobKind.REFRESH)

    async def dismiss(self, *user_ids: int) -> None:
        """Remove people from a private table's watchers and thread if the table is no longer open to them."""
        for user_id in user_ids:
            if user_id > 0 and not is_computer(user_id) and not self.snapshot.open_to(user_id):
                await queries.seats.remove_watch(self.writer, self.table.id, user_id)
                await self.enqueue(JobKind.DISMISSAL, str(user_id), user=user_id)

    def settle(self, kind: OfferKind, how: Settled, seat: int | None) -> None:
        """Note how this change settles an offer. `seat` is the one that settles it, or None for a person who does not play."""
        self._settled[kind] = how, seat

    async def retire_questions(self) -> None:
        """Take settled questions off the record and remove their buttons. Of two that ask the same, the newer one stays."""
        newest = {
            question.about: question for question in sorted(self.table.questions, key=lambda question: question.message_id)
        }
        ends = [(question, self._end_of(question, newest[question.about])) for question in self.table.questions]
        gone = [(question, end) for question, end in ends if end is not None]
        if gone:
            await self.amend(questions=tuple(question for question, end in ends if end is None))
        for question, (how, seat) in gone:
            payload = {"channel": question.channel_id, "message": question.message_id, "how": how.value}
            payload |= {} if question.offer is None else {"offer": question.offer.value}
            payload |= {} if seat is None else {"seat": seat}
            payload |= {} if question.turn is None else {"turn": question.turn}
            await self.enqueue(JobKind.RETIRE, question_key(question.message_id), **payload)

    def _end_of(self, question: Question, newest: Question) -> tuple[Settled, int | None] | None:
        """Return how a question has ended and by which seat, or None if it still stands."""
        kind, now = question.offer, self.snapshot
        if question is not newest:
            return Settled.REPLACED, question.seat
        if kind is not None and kind in self._settled:
            return self._settled[kind]
        if now.asks(question):
            return None if kind is None or self._is_same_offer(kind) else (Settled.REPLACED, None)
        if question.turn is not None:
            last = None if now.history is None else now.history.log.last
            timed_out = last is not None and last.entry.user_id is None and last.entry.seat == question.seat
            return Settled.LAPSED if timed_out else Settled.OVER, question.seat
        if kind is None:
            answered = all(now.person(invited.user_id) is not None for invited in self.before.invited)
            return Settled.AGREED if answered and now.table.status is not Status.CLOSED else Settled.OVER, None
        return Settled.LAPSED if now.table.status is Status.PLAYING else Settled.OVER, None

    def _is_same_offer(self, kind: OfferKind) -> bool:
        """Whether an offer is the one that stood before this change. More people may have agreed to it since."""
        before, now = self.before.table.offers.of(kind), self.table.offers.of(kind)
        if isinstance(before, Proposal) and isinstance(now, Proposal):
            return replace(before, agreed=now.agreed) == now
        return before == now

    def publish(self) -> None:
        """Cache the game, count its new entries, and call the listeners. Call it only once the change is committed."""
        history = self.snapshot.history
        if history is not None and history is not self.before.history:
            self.core.histories.keep(self.table.id, history)
        for entry in self.writer.appended:
            actor = "clock" if entry.user_id is None else "computer" if is_computer(entry.user_id) else "person"
            metrics.ACTIONS.labels(self.table.game, actor).inc()
        if self.writer.soonest is not None:
            self.core.on_change(self.writer.soonest)
        if self._elsewhere:
            self.core.on_change(0.0, Work.OUTBOX)
