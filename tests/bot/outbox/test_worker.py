"""Discord at its worst: what could not be sent is sent later, once, and recognised if it had already arrived."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest import mock

import aiohttp
import discord
import pytest
import sqlalchemy as sa
from discord import Forbidden, RateLimited

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.messages import pictures
from bot.messages.builder import Picture
from bot.messages.marks import clicks as clicks_in
from bot.messages.marks import mark
from bot.outbox.access import MARGIN, find_sent, own_messages
from bot.outbox.attempts import Outcome
from bot.outbox.refusals import LONGEST_RETRY
from bot.outbox.worker import OutboxWorker
from bot.registry import JOBS
from engines import GAMES
from storage.schema.records import Job, JobKind
from storage.schema.tables import outbox
from tests.bot.kit import World, buttons, reply
from tests.bot.outbox.channels import Discord, begun
from tests.bot.refusals import ANSWER, EDIT, SEND, a_bad_line, nonces, refusal
from tests.bot.seated import Seated, clicks, core_of, open_table, pings
from tests.bot.service import HOUR, Time, first_action, jobs
from tests.bot.settings_panels import remind
from tests.bot.ways import by_way
from tests.marks import quick_first


def boards(world: World) -> list[discord.Message]:
    """The messages that say whose turn it is, oldest first."""
    return [message for message in world.messages() if "which piece bounces?" in world.text(message)]


@pytest.mark.parametrize(
    "error",
    quick_first(
        2, [refusal(500), ConnectionResetError, TimeoutError, aiohttp.ServerDisconnectedError, refusal(502), refusal(503)]
    ),
    ids=["500", "reset", "timeout", "disconnected", "502", "503"],
)
async def test_a_board_that_cannot_be_sent_is_sent_a_little_later(world: World, error: Callable[[], Exception]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with a_bad_line(world, SEND, error, times=2):
        answer = await table.type(world.ann, ("b2", "b3"))
        assert "**Ann** bounces b2 → b3." in world.text(answer)
        await world.pass_time(60)
    assert pings(world)[-1] == world.ben.id
    assert len(boards(world)) == 1


async def test_a_ping_does_not_wait_for_its_picture(
    outbox: OutboxWorker, discord: Discord, core: Core, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = asyncio.Event()

    async def slowly(empty: Picture, *_: Any) -> Picture:
        await drawn.wait()
        return replace(empty, content=b"PNG")

    monkeypatch.setattr("bot.outbox.boards.draw_into", slowly)
    (table_id,) = await begun(core, 5)
    delivery = asyncio.create_task(outbox.deliver(table_id))
    await discord.until(lambda: discord.sent)
    assert (discord.sent, discord.laid_out, delivery.done()) == ([5], [], False)
    drawn.set()
    await delivery
    assert (discord.sent, discord.laid_out) == ([5], [1])


async def test_a_ping_whose_picture_was_not_finished_is_not_sent_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.expected_errors.add("job failed")
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before, draw_into, faults = len(world.messages()), pictures.draw_into, iter([True])

    async def interrupted(*values: Any) -> Picture:
        if next(faults, False):
            raise RuntimeError
        return await draw_into(*values)

    monkeypatch.setattr("bot.outbox.boards.draw_into", interrupted)
    await table.type(world.ann, ("b2", "b3"))
    assert len(world.messages()) == before + 1
    assert not world.pictures(world.messages()[-1])
    await world.pass_time(600)
    assert len(world.messages()) == before + 1
    assert pings(world)[-1:] == [world.ben.id]
    assert len(world.pictures(table.board())) == 1


async def test_a_board_whose_answer_was_lost_is_not_sent_twice(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = len(world.messages())
    with nonces(), a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await table.type(world.ann, ("b2", "b3"))
        await world.pass_time(60)
    assert len(world.messages()) == before + 1
    assert await table.awaited() == [world.ben]
    await table.type(world.ben, ("b7", "b6"))
    assert len(boards(world)) == 1


async def test_two_simultaneous_deliveries_post_one_board(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with world.env._bot_scope():
        await table.act(world.ann, ("b2", "b3"))
        other = OutboxWorker(world.client, table.core, world.client.server_language, JOBS)
        before = len(world.messages())
        with nonces() as seen:
            await asyncio.gather(*(one.deliver(1) for one in (world.client.outbox, other, world.client.outbox, other)))
    await world.settle()
    assert len(world.messages()) == before + 1
    assert seen == ["b1-1-2"] * len(seen)
    assert len(boards(world)) == 1


@pytest.mark.parametrize("error", [refusal(500), aiohttp.ServerDisconnectedError, refusal(404, 10062)])
async def test_a_move_whose_answer_is_lost_is_played_and_shown(world: World, error: Callable[[], Exception]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, error):
        await table.type(world.ann, ("b2", "b3"))
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(table.board())


@pytest.mark.parametrize("error", [refusal(500), aiohttp.ServerDisconnectedError])
async def test_a_table_whose_first_message_is_lost_is_shown_by_another(world: World, error: Callable[[], Exception]) -> None:
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, error):
        await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    (lobby,) = [message for message in world.messages() if ("start", 1) in clicks(message)]
    assert pings(world) == [world.ben.id]
    await world.ben.click(lobby, label="Accept")
    assert "The game has begun" in world.text(world.messages()[0])
    assert len(boards(world)) == 1


async def test_a_first_message_that_only_seemed_lost_stays_the_only_one(world: World) -> None:
    with a_bad_line(world, ANSWER, refusal(400, 40060), arrives=True):
        shown = await world.ann.slash(world.channel, "open", game="bouncers")
    assert len(world.messages()) == 1
    await world.ben.click(reply(shown), label="Join")
    assert "The game has begun" in world.text(world.messages()[0])


async def test_a_table_is_shown_correctly_after_a_lost_answer_to_joining(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, aiohttp.ServerDisconnectedError):
        await world.ben.click(reply(shown), label="Join")
    assert "Ben" in world.text(world.messages()[0])


async def test_an_edit_that_discord_rations_becomes_a_new_message_without_a_ping(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    before = len(world.messages())
    with a_bad_line(world, EDIT, refusal(429, 30046), times=2):
        await table.type(world.ann, ("roll",))
    assert len(world.messages()) == before + 1
    assert pings(world) == [world.ann.id]


async def test_messages_older_than_an_hour_are_edited_only_to_remove_buttons(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="7d")
    for action in (("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6"), ("d2", "d3"), ("d7", "d6")):
        await world.pass_time(7200)
        (member,) = await table.awaited()
        await table.type(member, action)
    assert len(world.watch.old_edits) == 6, "one a turn, of the board before"
    assert all(buttons(message) == [] for message in world.messages()[1:-1])


@pytest.mark.slow
async def test_trouble_at_one_table_does_not_stop_others(world: World) -> None:
    broken = await open_table(world, "bouncers", world.ann, world.ben)
    table = await open_table(world, "trampoline", world.cleo, world.ben, seats=2)
    world.expected_errors |= {"job failed", "unexpected error"}

    def cannot(*_: Any) -> Any:
        raise RuntimeError("out of words")

    with mock.patch.object(type(GAMES["bouncers"]), "describe", cannot):
        answer = await broken.type(world.ann, ("b2", "b3"))
        assert "**Ann** bounces b2 → b3." in world.text(answer)
        for _ in range(2):
            (member,) = await table.awaited()
            await table.type(member, ("roll",))
            assert f"<@{(await table.awaited())[0].id}>, ready to roll?" in world.text(table.board())
        failed = await world.ben.click(broken.board(), label="Move")
        assert "something went wrong on my side" in world.text(failed)
    await world.pass_time(3600)
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(boards(world)[-1])
    assert pings(world)[-1] == world.ben.id


async def test_a_job_failing_for_weeks_is_put_off_like_any_other(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with world.env._bot_scope():
        await table.act(world.ann, ("b2", "b3"))
        async with table.core.store.write() as writer:
            await writer.execute(sa.update(outbox).values(tries=5000))
        with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError):
            assert await world.client.outbox.deliver(table.table_id) is None
        assert await table.core.service(Outbox).due() == ()
        due = await table.core.service(Outbox).next_due()
    assert due is not None
    assert LONGEST_RETRY / 2 < due - world.now() < LONGEST_RETRY * 2


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


LOST = quick_first(2, [refusal(500), ConnectionResetError, TimeoutError, aiohttp.ServerDisconnectedError, refusal(503)])
NAMES = ["500", "reset", "timeout", "disconnected", "503"]


async def moved(world: World) -> tuple[Seated, int]:
    """A table at which Ann has moved, and the number of messages."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    return table, len(world.messages())


@pytest.mark.parametrize("error", LOST, ids=NAMES)
async def test_a_board_that_arrived_is_not_sent_again_without_its_nonce(world: World, error: Callable[[], Exception]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before, calls = len(world.messages()), len(world.watch.calls)
    with a_bad_line(world, SEND, error, arrives=True):
        await table.type(world.ann, ("b2", "b3"))
        await world.pass_time(3600)
    assert len(world.messages()) == before + 1
    assert pings(world, calls) == [world.ben.id]
    assert (await table.snapshot()).table.board_message_id == world.last().id
    assert await core_of(world).service(Outbox).next_due() is None


@pytest.mark.parametrize("error", LOST, ids=NAMES)
async def test_a_notice_that_arrived_is_not_sent_again(world: World, error: Callable[[], Exception]) -> None:
    _, before = await moved(world)
    with a_bad_line(world, SEND, error, arrives=True):
        await by_way(world.ann, world.channel, "draw")
        await world.pass_time(3600)
    assert len(world.messages()) == before + 1
    assert "offers you a draw" in world.text(world.last())


async def test_a_dying_process_leaves_its_last_message_to_be_found(world: World) -> None:
    table, before = await moved(world)
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, times=2, arrives=True):
        await table.type(world.ben, ("b7", "b6"))
        await by_way(world.ben, world.channel, "draw")
    assert len(world.messages()) == before + 2
    await world.pass_time(1)
    await world.restart()
    await world.pass_time(3600)
    assert len(world.messages()) == before + 2
    assert await core_of(world).service(Outbox).next_due() is None


async def test_a_message_that_did_not_arrive_is_sent_by_the_next_process(world: World) -> None:
    _, before = await moved(world)
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError):
        await by_way(world.ann, world.channel, "draw")
    await world.pass_time(1)
    await world.restart()
    await world.pass_time(3600)
    assert len(world.messages()) == before + 1


async def test_without_the_right_to_read_the_history_it_is_sent_with_its_nonce_alone(world: World) -> None:
    _, before = await moved(world)
    world.env.inject_error("GET", f"/channels/{world.channel.id}/messages", status=403, code=50001, times=None)
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError):
        await by_way(world.ann, world.channel, "draw")
        await world.pass_time(60)
    assert len(world.messages()) == before + 1


async def test_a_direct_message_that_may_have_arrived_does_not_go_to_the_channel_too(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await remind(world, world.ann, where="direct", half=True, late=False)
    before = len(world.messages())
    with a_bad_line(world, SEND, refusal(500), arrives=True):
        await world.pass_time(13 * HOUR)
    assert len(world.messages()) == before
    assert len(world.direct_messages(world.ann)) == 1


async def test_messages_are_recognised_by_their_mark_and_their_buttons(world: World) -> None:
    table, _ = await moved(world)
    with world.env._bot_scope():
        channel = world.client.get_partial_messageable(world.channel.id)
        found = await find_sent(world.client, channel, "b1-1-2", world.now() - 60)
        assert found is not None
        assert found.id == table.board().id
        assert ("more", 1, 1) in {(click.verb, click.table, click.version) for click in clicks_in(found)}
        assert await find_sent(world.client, channel, "b1-2-3", world.now() - 60) is None
        assert await find_sent(world.client, channel, "b1-1-2", world.now() + 3600) is None
    assert mark("b1-1-2") != mark("b1-1-3")
    assert 2**30 <= mark("anything") < 2**31


async def test_a_busy_channel_does_not_hide_what_was_sent_last(world: World) -> None:
    await moved(world)
    since = world.now()
    for number in range(250):
        await world.cleo.send(world.channel, f"chatter {number}")
    await by_way(world.ann, world.channel, "draw")
    with world.env._bot_scope():
        channel = world.client.get_partial_messageable(world.channel.id)
        own = await own_messages(world.client, channel, since + MARGIN)
    assert world.last().id in {message.id for message in own}
