"""What became of a job is returned by its attempt: nothing else tells the queues."""

from types import SimpleNamespace
from typing import Any

import pytest
from discord import Forbidden, RateLimited

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.outbox.attempts import Outcome
from bot.outbox.worker import OutboxWorker
from storage.schema.records import Job, JobKind
from tests.bot.outbox.channels import Discord, begun
from tests.bot.service import Time, first_action, jobs


async def attempted(outbox: OutboxWorker, core: Core, table: int) -> Outcome:
    outbox._access.begin()
    (board,) = [job for job in await jobs(core, table) if job.kind is JobKind.BOARD]
    return await outbox._attempts.attempt(board)


def fail(discord: Discord, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    async def send(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(discord, "get_partial_messageable", lambda *_, **__: SimpleNamespace(send=send))
    monkeypatch.setattr(discord, "get_channel", lambda _: None, raising=False)


async def test_jobs_that_follow_from_a_board_are_returned_with_it(core: Core, outbox: OutboxWorker) -> None:
    (table,) = await begun(core, 6)
    first = await attempted(outbox, core, table)
    assert (first.refusal, first.place, first.follows, first.held_until) == (None, "channel 6", (), None)
    snapshot = await core.snapshot(table)
    await core.service(Play).act(table, User(snapshot.players[0].user_id, "Ann"), first_action(snapshot))
    second = await attempted(outbox, core, table)
    assert [(job.kind, job.table_id) for job in second.follows] == [(JobKind.RETIRE, table)]
    assert second.due is None


async def test_a_refused_board_may_cause_direct_messages_at_once(
    core: Core, discord: Discord, outbox: OutboxWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table,) = await begun(core, 6)
    answer: Any = SimpleNamespace(status=403, reason="")
    fail(discord, monkeypatch, Forbidden(answer, {"code": 50001, "message": "no"}))
    outcome = await attempted(outbox, core, table)
    assert "I still need" in str(outcome.refusal)
    assert (outcome.place, outcome.follows, outcome.due) == ("channel 6", (), 0.0)


async def test_a_channel_that_takes_no_more_is_held(
    core: Core, clock: Time, discord: Discord, outbox: OutboxWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table,) = await begun(core, 6)
    fail(discord, monkeypatch, RateLimited(30.0))
    outcome = await attempted(outbox, core, table)
    assert (outcome.place, outcome.held_until, outcome.due) == ("channel 6", clock() + 30.0, clock() + 30.0)


async def test_a_job_that_another_attempt_has_done_says_nothing(core: Core, clock: Time, outbox: OutboxWorker) -> None:
    done = Job(id=99, table_id=(await begun(core, 6))[0], kind=JobKind.NUDGE, due=clock(), created_at=clock())
    assert await outbox._attempts.attempt(done) == Outcome()
