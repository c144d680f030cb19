"""Reminders, deadlines and vacations in Discord: whom they ping, and when."""

import re

import pytest

from bot.core.clocks.timing import WAITS
from bot.core.jobs import Outbox
from bot.outbox.access import TOO_FAST_WAIT
from storage import queries
from storage.schema.records import Entry, EntryKind, JobKind, Status
from tests.bot.kit import World, buttons
from tests.bot.seated import core_of, open_table, pings
from tests.bot.service import DAY, HOUR, jobs
from tests.bot.settings_panels import come_back, fill, go_away, remind
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


async def test_a_turn_is_one_ping_and_two_reminders_and_then_the_time_is_up(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, strict=True)
    assert pings(world) == [world.ann.id]
    await world.pass_time(12 * HOUR + 60)
    first = world.last()
    assert "Bouncers #1 is waiting for you: which piece bounces? 12 h left." in world.text(first)
    move, way = buttons(first)
    assert (move.label, way.label) == ("Move", "Go to the board")
    assert (way.url or "").rpartition("/")[2] == str(table.board().id)
    await world.pass_time(9 * HOUR + 37 * 60)
    second = world.last()
    assert first.id not in {message.id for message in world.messages()}, "the second one takes the place of the first"
    assert "Bouncers #1 is waiting for you" in world.text(second)
    await world.pass_time(2 * HOUR + 30 * 60)
    assert "Ann ran out of time." in world.text(world.last())
    assert "**Ben wins!**" in world.text(world.last())
    told = next(message for message in world.messages() if message.id == second.id)
    assert re.fullmatch(r"-# Bouncers #1 · Ann’s time ran out: https://\S+", world.text(told))
    assert buttons(told) == []
    assert pings(world) == [world.ann.id] * 3
    assert len(world.messages()) == 4


async def test_a_reminder_leads_to_the_move_and_is_gone_once_it_is_made(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.pass_time(12 * HOUR + 60)
    reminder = world.last()
    refused = await world.cleo.click(reminder, label="Move")
    assert "You’re not playing" in world.text(refused)
    panel = await world.ann.click(reminder, label="Move")
    assert panel.ephemeral
    assert "Which piece bounces?" in world.text(panel)
    await table.type(world.ann, ("b2", "b3"))
    assert reminder.id not in {message.id for message in world.messages()}
    assert (await table.snapshot()).table.questions == ()


async def test_retiring_a_reminder_is_not_tried_for_ever(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben, strict=True)
    await remind(world, world.ann, where="direct")
    await world.pass_time(13 * HOUR)
    (direct,) = {channel.id for channel in world.env.backend.channels.values() if channel.guild_id is None}
    path, why = f"/channels/{direct}/messages/*", "Cannot send messages to this user"
    world.env.inject_error("PATCH", path, status=403, code=50007, message=why)
    await world.pass_time(11 * HOUR + WAITS + 60)
    (told,) = world.direct_messages(world.ann)
    assert "is waiting for you" in told, "its end was refused"
    assert await core_of(world).service(Outbox).due() == ()
    assert not [job for job in await jobs(core_of(world)) if job.kind is JobKind.RETIRE]


async def test_a_reminder_that_may_not_be_deleted_stays_and_nothing_else_waits_for_it(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.pass_time(12 * HOUR + 60)
    reminder = world.last()
    world.env.inject_error("DELETE", f"/channels/*/messages/{reminder.id}", status=403, code=50001, message="Missing Access")
    await table.type(world.ann, ("b2", "b3"))
    assert reminder.id in {message.id for message in world.messages()}
    assert await core_of(world).service(Outbox).due() == ()


async def test_in_a_game_of_two_the_first_missed_deadline_begins_overtime(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    assert "strict" not in world.text(world.messages()[0])
    await world.pass_time(12 * HOUR + 60)
    first = world.text(world.last())
    assert "If you miss it, you get one last day, just once. After that, you lose." in first
    await world.pass_time(12 * HOUR + WAITS)
    assert not await table.over()
    deadline = (await table.snapshot()).table.deadline
    assert deadline is not None
    told = world.text(world.last())
    assert "Bouncers #1 is waiting for you: which piece bounces? Overtime: 24 h left, or you lose." in told
    assert f"Your time’s up <t:{int(deadline)}:R>." in told
    assert "Overtime: miss this deadline and you lose." in world.text(table.board())
    assert f"<t:{int(deadline)}:R>" in world.text(table.board())
    assert "**Which piece bounces?** You’re in overtime" in world.text(await world.ann.slash(world.channel, "games"))
    assert "Waiting for Ann, in overtime" in world.text(await world.ben.slash(world.channel, "games"))
    await table.type(world.ann, ("b2", "b3"))
    assert "vertime" not in world.text(table.board())
    await world.pass_time(12 * HOUR + 60)
    assert "If you miss it, you lose." in world.text(world.last())
    await world.pass_time(12 * HOUR + WAITS)
    assert "**Ann wins!**" in world.text(table.board())


async def test_a_strict_table_says_so_in_its_terms_and_its_reminders(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben, strict=True)
    assert "strict: no overtime" in world.text(world.messages()[0])
    await world.pass_time(13 * HOUR)
    assert "If you miss it, you lose." in world.text(world.last())


async def test_reminders_go_where_somebody_wants_them(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    shown = await remind(world, world.ann, where="direct", half=True, late=True)
    assert "Where: A direct message" in world.text(shown)
    await world.pass_time(13 * HOUR)
    (told,) = world.direct_messages(world.ann)
    assert "which piece bounces?" in told
    assert pings(world) == [world.ann.id], "the channel heard of the turn only"
    await remind(world, world.ann, late=False)
    await world.pass_time(10 * HOUR)
    assert len(world.direct_messages(world.ann)) == 1
    await world.pass_time(HOUR + WAITS + 60)
    (told,) = world.direct_messages(world.ann)
    assert "Overtime" in told, "it takes the place of the one before"
    await table.type(world.ann, ("b2", "b3"))
    assert world.direct_messages(world.ann) == []


@pytest.mark.parametrize("code", [50007, 50278])
@pytest.mark.parametrize("path", ["/channels/*/messages", "/users/@me/channels"])
async def test_an_undeliverable_direct_message_becomes_a_ping_in_the_channel(world: World, path: str, code: int) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await remind(world, world.ann, where="direct")
    world.env.inject_error("POST", path, status=403, code=code, message="Cannot send messages to this user")
    await world.pass_time(13 * HOUR)
    assert world.direct_messages(world.ann) == []
    assert pings(world) == [world.ann.id] * 2
    assert "which piece bounces?" in world.text(world.last())


@pytest.mark.parametrize("path", ["/channels/*/messages", "/users/@me/channels"])
async def test_a_direct_message_that_comes_too_fast_comes_later_and_nobody_is_pinged_instead(world: World, path: str) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await remind(world, world.ann, where="direct")
    world.env.inject_error("POST", path, status=403, code=40003, message="You are opening direct messages too fast")
    await world.pass_time(12 * HOUR + 60)
    assert world.direct_messages(world.ann) == []
    await world.pass_time(TOO_FAST_WAIT)
    (told,) = world.direct_messages(world.ann)
    assert "Bouncers #1 is waiting for you: which piece bounces? 11 h 50 min left." in told
    assert pings(world) == [world.ann.id], "the channel heard of the turn only"


async def test_in_quiet_hours_nobody_is_disturbed(world: World) -> None:
    await fill(world, world.ann, "settings", "quiet-hours", begin="12:00", until="18:00", zone="UTC")
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.pass_time(13 * HOUR)
    assert pings(world) == [world.ann.id]
    await world.pass_time(5 * HOUR + 60)
    assert pings(world) == [world.ann.id] * 2


async def test_a_turn_that_comes_in_quiet_hours_makes_no_sound(world: World) -> None:
    """The message still mentions the person, so that they find it in the morning."""
    await fill(world, world.ann, "settings", "quiet-hours", begin="0:00", until="23:59", zone="UTC")
    table = await open_table(world, "bouncers", world.ann, world.ben)
    asleep = table.board()
    assert pings(world) == [world.ann.id]
    assert asleep.flags.suppress_notifications
    await table.type(world.ann, ("b2", "b3"))
    awake = table.board()
    assert pings(world) == [world.ann.id, world.ben.id]
    assert not awake.flags.suppress_notifications
    await table.type(world.ben, ("b7", "b6"))
    asked = await by_way(world.ben, table.channel, "draw")
    assert "draw" in world.text(asked)
    offer = world.last()
    assert f"<@{world.ann.id}>" in world.text(offer)
    assert offer.flags.suppress_notifications


@pytest.mark.parametrize("world", [0], indirect=True)
async def test_among_several_absent_players_are_played_for_and_then_withdrawn(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3, clock="1h")
    for _ in range(40):
        snapshot = await table.snapshot()
        if snapshot.table.status is not Status.PLAYING or (
            len(snapshot.playing.in_force) and "out of time" in world.text(world.last())
        ):
            break
        (member,) = await table.awaited()
        if member is world.ann:
            turn = snapshot.table.turn
            await world.pass_time(HOUR + 1 + WAITS)
            assert (await table.snapshot()).table.turn > turn
        else:
            await table.type(member, ("roll",))
    assert "**Ann** **ran out of time**" in world.text(world.last())
    assert "~~Ann~~" in world.text(world.last())


async def test_a_vacation_shows_on_the_board_and_moves_the_deadline(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = (await table.snapshot()).table.deadline
    assert before is not None
    away = await go_away(world, world.ann, 3)
    assert "your clocks are paused. Enjoy!" in world.text(away)
    shown = world.text(table.board())
    assert f"<@{world.ann.id}> is on vacation until" in shown
    assert f"<t:{int(before + 3 * DAY)}:R>" in shown
    await world.pass_time(3 * DAY)
    assert not await table.over()
    assert pings(world) == [world.ann.id]
    await world.pass_time(12 * HOUR + 60)
    assert pings(world) == [world.ann.id] * 2
    refused = await go_away(world, world.ann, 1)
    assert "You can go on vacation again" in world.text(refused)


async def test_ending_a_vacation_takes_it_off_the_board(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await go_away(world, world.ann, 5)
    await world.pass_time(2 * HOUR)
    await come_back(world, world.ann)
    assert "vacation" not in world.text(table.board())


@pytest.mark.slow
async def test_a_broken_table_does_not_stop_the_clocks_of_the_others(world: World) -> None:
    broken = await open_table(world, "bouncers", world.ann, world.ben, clock="1h", strict=True)
    await open_table(world, "bouncers", world.cleo, world.ben, clock="8h", strict=True)
    async with broken.core.store.write() as writer:
        await queries.entries.append(
            writer,
            Entry(table_id=1, number=1, kind=EntryKind.PLAY, seat=0, tokens=("a1", "a9"), user_id=world.ann.id, at=world.now()),
        )
        await queries.tables.change(writer, 1, version=1)
    world.expected_errors.add("a loop failed")
    await world.pass_time(9 * 3600)
    assert "Cleo ran out of time." in world.text(world.last())
