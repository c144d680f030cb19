"""Direct messages over the loopback: rationed, refused, found again."""

import asyncio

import pytest

from bot.core.table.settings import HOUR
from loopback.faults import Fault, Route
from loopback.model import DIRECT, Message, Person
from storage.schema.kinds import JobKind, WaitEnd
from storage.schema.records import Job
from tests.loopback.reading import rows
from tests.loopback.scenes import SOON, running
from tests.loopback.settings import choose
from tests.loopback.world import LoopbackWorld

HALF = 12 * HOUR


def letters(world: LoopbackWorld) -> list[Message]:
    discord = world.loopback.discord
    return [one for one in discord.messages.values() if discord.channels[one.channel_id].kind == DIRECT]


async def waits_over(world: LoopbackWorld, people: list[Person]) -> None:
    """As many people are due a direct message that their wait is over."""
    now = world.now()
    async with world.client.core.store.write() as writer:
        from storage import queries  # noqa: PLC0415

        for person in people:
            payload = {"to": person.id, "why": WaitEnd.UNCONFIRMED}
            await queries.jobs.enqueue(
                writer,
                Job(kind=JobKind.WAIT_OVER, key=str(person.id), payload=payload, due=now, created_at=now,
                    guild_id=world.guild.id, place=f"person {person.id}"),
            )  # fmt: skip
    world.client.outbox.wake()


async def test_many_are_written_to_one_after_the_other_and_discord_has_no_reason_to_refuse(world: LoopbackWorld) -> None:
    crowd = [world.loopback.discord.person(f"Person {number}") for number in range(23)]
    began = world.now()
    await waits_over(world, crowd)
    await asyncio.sleep(10 * 60)
    told = letters(world)
    assert {member for one in told for member in one.pinged} == {person.id for person in crowd}
    assert len(told) == len(crowd)
    made = sorted(one.id for one in told)
    first_minute = [one for one in made if (one >> 22) / 1000 + 1420070400 < began + 59]
    assert len(first_minute) == 5, "a server's share"
    assert all("too fast" not in str(one) for one in world.logs), "Discord refused nothing"
    assert told[0].notified.startswith(
        "I’ve stopped looking for a game for you on Bounce Club: you didn’t answer my offer in time."
    )
    assert rows(world.database, "select * from outbox") == []


async def test_too_fast_means_later_and_nothing_is_lost(world: LoopbackWorld) -> None:
    world.loopback.discord._opened = [world.now()] * 20  # somebody else's bot, with the same token
    await waits_over(world, [world.ann])
    await asyncio.sleep(30)
    assert letters(world) == []
    await asyncio.sleep(15 * 60)
    assert [one.pinged for one in letters(world)] == [{world.ann.id}]
    assert rows(world.database, "select direct_closed from people") == [{"direct_closed": None}]


@pytest.mark.slow
async def test_whoever_takes_no_messages_is_reminded_in_the_channel_and_told_why(world: LoopbackWorld) -> None:
    world.ann.closed = True
    await choose(
        world.people, world.ann, world.channel, "settings", "reminders", when=["remind_half", "remind_late"], notify="direct"
    )
    await running(world, clock="1d")
    await asyncio.sleep(HALF + SOON)
    since = len(world.loopback.calls)
    (reminder,) = [one for one in world.people.seen(world.channel) if "is waiting for you" in one.text]
    assert reminder.pinged == {world.ann.id}
    pressed = await world.people.slash(world.ann, world.channel, "games")
    await asyncio.sleep(SOON)
    assert "I can’t DM you" in pressed.text
    again = await world.people.slash(world.ann, world.channel, "games")
    await asyncio.sleep(SOON)
    assert "I can’t DM you" not in again.text, "once"
    await asyncio.sleep(10 * HOUR)
    (second,) = [one for one in world.people.seen(world.channel) if "is waiting for you" in one.text]
    assert second.pinged == {world.ann.id}
    assert second.id != reminder.id, "it takes the place of the first"
    assert world.loopback.count(Route.OPEN_DIRECT, Route.SEND_DIRECT, since=since) == 0, "nobody is asked again in vain"


async def test_a_direct_message_that_may_have_arrived_is_found_by_its_words_even_later(world: LoopbackWorld) -> None:
    await choose(world.people, world.ann, world.channel, "settings", "reminders", when=["remind_half"], notify="direct")
    await running(world, clock="1d")
    world.goes_wrong(Route.SEND_DIRECT, Fault.RESET_AFTER, 1)
    await asyncio.sleep(HALF + HOUR)
    (told,) = letters(world)
    assert told.notified.startswith("Bouncers #1 is waiting for you: which piece bounces? 12 h left.")
    link = next(item for item in told.components[0]["components"])
    assert link["url"].startswith(f"https://discord.com/channels/{world.guild.id}/{world.channel.id}/")
    assert rows(world.database, "select * from outbox") == []
