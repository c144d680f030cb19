"""The core's side of the outbox: the jobs still to be done in Discord, and the messages that show tables."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from bot.core.change import changing
from bot.core.parts import Service
from bot.core.places import Letter
from bot.core.reminders import quiet_until
from bot.core.table.deadlines import NOTICEABLE, awaited_ids, away_until, ends_at, late_message, looked_from
from bot.core.table.errors import NoSuchTable
from bot.core.table.history import MOVES_TO_REPLAY
from bot.core.table.settings import PersonSettings
from bot.core.table.snapshot import Snapshot
from storage import queries
from storage.schema.records import Analysis, Job, JobKind, News, Question, Status, Table
from storage.store import Writer

REPLAY_AFTER: Final = 5.0
"""Seconds between the last board of a game and its replay. By then, the replay keeps nothing else waiting."""


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A board message that was posted or edited.

    Attributes:
        since: the version from which on the message tells what happened.
        turn: the number of the turn that the message shows, or None if it shows an earlier turn.
        announces: whether the message only announces the turn. Until it becomes the board, it is recorded without a version.
    """

    channel_id: int
    message_id: int
    version: int
    since: int
    turn: int | None
    at: float | None
    announces: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """The messages that a job has posted, edited or found, to be recorded. Only the first of `boards` keeps its buttons."""

    boards: tuple[Posted, ...] = ()
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """The due jobs by queue, most urgent queues first, and the moment at which the next of all other jobs will be due."""

    jobs: dict[str, tuple[Job, ...]]
    next_due: float | None


class Outbox(Service):
    """The jobs still to be carried out. Usually, a job is enqueued in the transaction of the change that it shows."""

    async def due(self, table_id: int | None = None) -> tuple[Job, ...]:
        """Return the most urgent due jobs of one table or of all tables, at most a hundred."""
        async with self._core.reading() as reader:
            return await queries.jobs.due(reader, self._core.now(), table_id=table_id)

    async def waiting(self, busy: Collection[str] = (), *, each: int = 100, limit: int = 100) -> Waiting:
        """Return the due jobs of queues that are not `busy`, at most `each` per queue. See `storage.schema.jobs`."""
        now = self._core.now()
        async with self._core.reading() as reader:
            found = await queries.jobs.waiting(reader, now, busy=busy, each=each, limit=limit)
            next_due = await queries.jobs.next_due(reader, after=now)
        jobs: dict[str, tuple[Job, ...]] = {}
        for place, job in found:
            jobs[place] = (*jobs.get(place, ()), job)
        return Waiting(jobs, next_due)

    async def at_table(self, table_id: int) -> tuple[tuple[Job, ...], Snapshot | None]:
        """Return a table's jobs, most urgent first, and the table, or None if there are no jobs or `table_of` must load it."""
        async with self._core.reading() as reader:
            jobs = await queries.jobs.of_table(reader, table_id)
            return jobs, await self._core.load_at_once(reader, table_id) if jobs else None

    async def table_of(self, job: Job) -> Snapshot | None:
        """Return a job's table, or None if outdated. Raises LookupError for a job of no table, NoSuchTable or Quarantined."""
        person = job.payload.get("to", job.payload.get("user"))
        async with self._core.reading() as reader:
            if await queries.jobs.get(reader, job.id) != job:
                return None
            snapshot = await self._core.load_at_once(reader, job.table_number, person)
        return snapshot or await self._core.snapshot(job.table_number, asked_by=person)

    async def next_due(self) -> float | None:
        """Return when the next job is due, in seconds since the epoch, or None if there is none."""
        async with self._core.reading() as reader:
            return await queries.jobs.next_due(reader)

    async def waits(self, job: Job) -> bool:
        """Whether a job is still to be done and has not changed since it was read."""
        async with self._core.reading() as reader:
            return await queries.jobs.get(reader, job.id) == job

    async def enqueue(self, table_id: int, kind: JobKind) -> None:
        """Add a job that does not come from a change of the table."""
        async with self._core.store.write() as writer:
            await self._core.enqueue(writer, table_id, kind)

    async def share(
        self, table_id: int, *, channel: int, version: int, user: int, page: int | None = None, card: bool = False
    ) -> Job:
        """Have a game posted in a channel, as a user asks: its replay, its card, or a page of its review. Returns the job.

        If `page` is None, no review is posted. With `card`, page 0 puts the review on the card. `waits` says whether the job is
        still to be done.
        """
        what = {"channel": channel, "version": version, "user": user} | ({} if page is None else {"page": page})
        what |= {"card": True} if card else {}
        key = f"{channel} card" if card else str(channel) if page is None else f"{channel} review {page}"
        now = self._core.now()
        async with self._core.store.write() as writer:
            job = Job(table_id=table_id, kind=JobKind.REPLAY, key=key, payload=what, due=now, created_at=now)
            return await queries.jobs.enqueue(writer, job)

    async def share_analysis(self, analysis: Analysis, position: int, channel: int) -> Job:
        """Have a position of an analysis posted in a channel, as its owner asks. Returns the job, for `waits`."""
        now = self._core.now()
        what = {"channel": channel, "user": analysis.user_id, "analysis": analysis.id, "position": position}
        key, place = f"{channel} {analysis.id} {position}", f"channel {channel}"
        async with self._core.store.write() as writer:
            job = Job(
                kind=JobKind.ANALYSIS, key=key, payload=what, due=now, created_at=now, guild_id=analysis.guild_id, place=place
            )
            return await queries.jobs.enqueue(writer, job)

    async def finish(self, job: Job, shown: Shown | None = None) -> tuple[Job, ...]:
        """Delete a finished job unless replaced, and record what it showed. Returns the jobs to do next. Raises Quarantined."""
        if shown is not None and shown.questions:
            await self._record_questions(job, shown.questions)
            return ()
        async with self._core.store.write() as writer:
            await queries.jobs.finish_later(writer, job)
            table = None if shown is None else await queries.tables.get(writer, job.table_number)
            if shown is None or table is None:  # deleted in the meantime, because the bot was removed from its server
                return ()
            return await self._record(writer, table, *shown.boards) if shown.boards else ()

    async def _record_questions(self, job: Job, questions: Collection[Question]) -> None:
        """Finish a job and record the questions that it has asked. Any that no longer stand are retired at once."""
        try:
            async with changing(self._core, job.table_number) as change:
                await queries.jobs.finish_later(change.writer, job)
                known = {question.message_id for question in change.table.questions}
                new = (question for question in questions if question.message_id not in known)
                await change.amend(questions=(*change.table.questions, *new))
        except NoSuchTable:
            pass  # deleted in the meantime, and its jobs with it, because the bot was removed from its server

    async def finish_kind(self, table_id: int, kind: JobKind, key: str = "") -> None:
        """Delete a table's due job of a kind and key, because what it would show has been shown another way."""
        async with self._core.store.write() as writer:
            await queries.jobs.finish_due(writer, table_id, kind, self._core.now(), key)

    async def postpone(self, job: Job, seconds: float) -> None:
        """Retry a job after some seconds, unless a newer job has taken its place."""
        async with self._core.store.write() as writer:
            await queries.jobs.postpone(writer, job.id, self._core.now() + seconds)

    async def postpone_refused(self, job: Job, seconds: float, code: int, snapshot: Snapshot | None) -> None:
        """Retry a job that Discord has refused with `code` after some seconds, unless a newer one has taken its place.

        If the job shows a board, `/games` gives the reason, and awaited players who want reminders get a direct message, once a
        turn. Players who have just acted get none, because the answer to their click shows the board.
        """
        now = self._core.now()
        async with self._core.store.write() as writer:
            if job.kind is JobKind.POST:  # one that takes its place is not tried more often in all
                await queries.jobs.note_refusal(writer, job.id, now + seconds, job.payload | {"refused": code})
                return
            if job.kind is not JobKind.BOARD or snapshot is None or snapshot.table.status is not Status.PLAYING:
                await queries.jobs.postpone(writer, job.id, now + seconds)
                return
            turn, last = snapshot.table.turn, snapshot.playing.log.last
            await queries.jobs.note_refusal(writer, job.id, now + seconds, job.payload | {"refused": code, "told": turn})
            if job.payload.get("told") == turn:
                return
            letter = Letter(news=News.UNSHOWN, turn=turn, code=code)
            for player in snapshot.awaited:
                acted = last is not None and last.entry.user_id == player.user_id
                if player.computer is None and player.user_id > 0 and not acted:
                    await self._tell(writer, snapshot.table, player.user_id, letter)

    async def _tell(self, writer: Writer, table: Table, user_id: int, letter: Letter) -> None:
        settings, now = PersonSettings.of(await queries.people.get(writer, user_id)), self._core.now()
        if settings.remind_half or settings.remind_late:
            key, payload = f"{letter.news}.{letter.turn}.{user_id}", {"to": user_id, **letter.payload()}
            due = quiet_until(settings, now)
            await queries.jobs.enqueue_later(
                writer, Job(table_id=table.id, kind=JobKind.LETTER, key=key, payload=payload, due=due, created_at=now)
            )

    async def retry(self, guild_id: int) -> bool:
        """Make a server's failed jobs due now. Returns whether there were any."""
        async with self._core.store.write() as writer:
            return await queries.jobs.retry(writer, guild_id, self._core.now()) > 0

    async def record_board(self, table_id: int, board: Posted, *strays: Posted) -> None:
        """Record the newest board. The previous one, and unrecorded `strays`, lose their buttons. Raises NoSuchTable."""
        async with self._core.store.write() as writer:
            table = await queries.tables.get(writer, table_id)
            if table is None:
                raise NoSuchTable(table_id)
            await self._record(writer, table, board, *strays)

    async def _gives_time(self, writer: Writer, table: Table, now: float) -> bool:
        """Move the deadline of a turn whose message came late. Returns whether the deadline has moved."""
        if table.status is not Status.PLAYING or table.deadline is None or now - (table.turn_began or now) < NOTICEABLE:
            return False
        snapshot = await self._core.load(writer, table.id)
        late = late_message(table, now, await away_until(writer, awaited_ids(snapshot, snapshot.playing.to_act)))
        # Without a message, reminders were looked for as if the turn ended later.
        notice = looked_from(table, ends_at(table) or now, now)
        await queries.tables.change(writer, table.id, deadline=table.deadline + late, notice_at=notice)
        return late > 0.0

    async def _record(self, writer: Writer, table: Table, board: Posted, *strays: Posted) -> tuple[Job, ...]:
        """Record the newest board. Returns the jobs that retire other boards, show a moved deadline, or post the replay."""
        await queries.tables.amend(writer,
            table, board_channel_id=board.channel_id, board_message_id=board.message_id,
            board_version=None if board.announces else board.version,
            board_since=board.version if board.announces else board.since, board_turn=board.turn, board_posted=board.at,
        )  # fmt: skip
        now = self._core.now()
        jobs, others = [], list(strays)
        if board.turn == table.turn and table.board_turn != table.turn and await self._gives_time(writer, table, now):
            jobs.append(Job(table_id=table.id, kind=JobKind.REFRESH, due=now, created_at=now))
        if table.board_channel_id is not None and table.board_message_id is not None:
            since = table.board_since or 0
            before = Posted(
                channel_id=table.board_channel_id, message_id=table.board_message_id,
                version=since if table.board_version is None else table.board_version, since=since, turn=table.board_turn,
                at=table.board_posted, announces=table.board_version is None,
            )  # fmt: skip
            others.insert(0, before)
        for old in others:
            if old.message_id != board.message_id:
                payload = {"channel": old.channel_id, "message": old.message_id, "version": old.version, "since": old.since}
                key = str(old.message_id)
                jobs.append(Job(table_id=table.id, kind=JobKind.RETIRE, key=key, payload=payload, due=now, created_at=now))
        # A replay follows the first board to show a game's end, if enough may have been played. The job counts the moves.
        ended, first = table.outcome, board.turn == table.turn and table.board_turn != table.turn
        if first and ended is not None and not ended.how.void and table.version >= MOVES_TO_REPLAY:
            jobs.append(Job(table_id=table.id, kind=JobKind.REPLAY, due=now + REPLAY_AFTER, created_at=now))
        return tuple([await queries.jobs.enqueue(writer, job) for job in jobs])
