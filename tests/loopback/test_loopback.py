"""The loopback Discord itself: it refuses what Discord refuses, and the bot plays on it."""

import asyncio
from collections.abc import Callable
from typing import Any

import discord
import pytest

from bot.messages.mentions import mentions
from tests.loopback import answers, leaping
from tests.loopback.conftest import Play
from tests.loopback.faults import Fault, Nature, Route
from tests.loopback.model import TEXT, Channel, Interaction, Message, Refusal
from tests.loopback.stage import Stage
from tests.loopback.state import RATION, Discord

OnStage = Callable[[Play], None]
GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "words"}]}
FILE = {"files[0]": ("a.png", b"png")}
WORDS = {"type": 10, "content": "words"}


class Clock:
    """A time that is set by hand."""

    at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(clock: Clock) -> Discord:
    """A Discord without a network, with a channel."""
    made = Discord(clock, lambda *_: None)
    made.channel(made.guild("Club"), "games")
    return made


def channel(kept: Discord) -> Channel:
    return next(one for one in kept.channels.values() if one.kind == TEXT)


def sent(kept: Discord, where: int, **body: Any) -> Message:
    made = kept.send(where, {"components": [WORDS], **body}, {})
    return kept.messages[int(made["id"])]


def click(kept: Discord, message: Message, clock: Clock) -> Interaction:
    made = Interaction(
        kept.snowflake(), f"t{len(kept.interactions)}", kept.person("Ann"), message.channel_id, 3, clock(), message
    )
    kept.interactions[made.token] = made
    return made


def refused(status: int, code: int) -> Any:
    return pytest.raises(Refusal, match=rf"^{status} \({code}\)")


def test_a_nonce_keeps_a_message_from_being_posted_twice_for_some_minutes(kept: Discord, clock: Clock) -> None:
    where = channel(kept).id
    first = sent(kept, where, nonce="n1", enforce_nonce=True)
    clock.at += 170
    assert sent(kept, where, nonce="n1", enforce_nonce=True) is first
    clock.at += 20
    assert sent(kept, where, nonce="n1", enforce_nonce=True) is not first


def test_an_interaction_is_answered_once_and_in_time(kept: Discord, clock: Clock) -> None:
    pressed = click(kept, sent(kept, channel(kept).id), clock)
    with refused(404, 10015):
        answers.follow_up(kept, pressed.token, {"components": [WORDS]}, {})
    answers.callback(kept, pressed.id, pressed.token, {"type": 6}, {})
    with refused(400, 40060):
        answers.callback(kept, pressed.id, pressed.token, {"type": 6}, {})
    late = click(kept, sent(kept, channel(kept).id), clock)
    clock.at += 3.1
    with refused(404, 10062):
        answers.callback(kept, late.id, late.token, {"type": 6}, {})
    clock.at += 15 * 60
    with refused(401, 50027):
        answers.follow_up(kept, pressed.token, {"components": [WORDS]}, {})


def test_the_first_follow_up_fills_what_was_deferred_and_is_as_private(kept: Discord, clock: Clock) -> None:
    pressed = click(kept, sent(kept, channel(kept).id), clock)
    answers.callback(kept, pressed.id, pressed.token, {"type": 5, "data": {"flags": 64}}, {})
    assert pressed.shown == []
    answers.follow_up(kept, pressed.token, {"components": [WORDS]}, {})
    assert pressed.text == "words"
    assert pressed.original is not None
    assert pressed.original.private


def test_files_stay_with_a_message_until_it_says_which_do(kept: Discord) -> None:
    where = channel(kept).id
    made = kept.send(where, {"components": [GALLERY]}, FILE)
    number = int(made["id"])
    kept.edit(where, number, {"components": [GALLERY, WORDS]}, {})
    assert [one.name for one in kept.messages[number].attachments] == ["a.png"]
    with refused(400, 50035):
        kept.edit(where, number, {"components": [GALLERY], "attachments": []}, {})
    with refused(400, 50035):
        kept.send(where, {"components": [GALLERY]}, {})


def test_edits_of_old_messages_are_rationed(kept: Discord, clock: Clock) -> None:
    where = channel(kept).id
    message = sent(kept, where)
    clock.at += 3601
    for _ in range(RATION):
        kept.edit(where, message.id, {"components": [WORDS]}, {})
    with refused(429, 30046):
        kept.edit(where, message.id, {"components": [WORDS]}, {})
    clock.at += 301
    kept.edit(where, message.id, {"components": [WORDS]}, {})


def test_threads_are_locked_archived_private_and_reopened(kept: Discord) -> None:
    where = channel(kept)
    message = sent(kept, where.id)
    thread = kept.channels[int(kept.thread(where.id, {"name": "t"}, message.id)["id"])]
    with refused(400, 160004):
        kept.thread(where.id, {"name": "t"}, message.id)
    inside = sent(kept, thread.id)
    kept.close_thread(thread, locked=False, archived=True)
    with refused(400, 50083):
        kept.edit(thread.id, inside.id, {"components": [WORDS]}, {})
    sent(kept, thread.id)
    assert not thread.archived
    kept.close_thread(thread, locked=True, archived=True)
    with refused(403, 160005):
        sent(kept, thread.id)
    stranger = kept.person("Dan")
    kept.deny(where, stranger, "view_channel")
    hidden = kept.thread(where.id, {"name": "p", "type": 12})
    with refused(403, 50001):
        kept.add_member(int(hidden["id"]), stranger.id)


@pytest.mark.parametrize(("right", "code"), [("view_channel", 50001), ("send_messages", 50013)])
def test_what_is_not_permitted_is_refused(kept: Discord, right: str, code: int) -> None:
    where = channel(kept)
    kept.deny(where, kept.bot, right)
    with refused(403, code):
        sent(kept, where.id)
    kept.deny(where, kept.bot)
    sent(kept, where.id)


def test_hours_take_no_time_and_threads_stop_the_clock() -> None:
    async def work() -> list[str]:
        order: list[str] = []
        loop = asyncio.get_running_loop()
        loop.call_later(3600, order.append, "an hour")
        loop.call_later(1, order.append, "a second")
        await asyncio.to_thread(sum, range(3_000_000))
        order.append("worked")
        await asyncio.sleep(7 * 3600)
        return order

    assert leaping.run(work()) == ["worked", "a second", "an hour"]


def test_the_bot_plays_on_it(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        people, where = stage.people, stage.channel
        opened = await people.slash(stage.ann, where, "play", game="bouncers", opponent=stage.ben)
        assert "Ben" in opened.text or f"<@{stage.ben.id}>" in opened.text
        assert opened.original is not None
        await people.click(stage.ben, opened.original, "sb|accept")
        await asyncio.sleep(60)
        assert stage.errors() == []
        (board,) = people.everywhere(Nature.BOARD, 1)
        assert board.pinged == {stage.ann.id}
        offered = await people.suggest(stage.ann, where, "move", "action", action="")
        assert offered.choices
        moved = await people.slash(stage.ann, where, "move", action="b2 b3")
        assert "**Ann** bounces b2 → b3." in moved.text
        await asyncio.sleep(60)
        assert [one.pinged for one in people.everywhere(Nature.BOARD, 1)] == [{stage.ann.id}, {stage.ben.id}]
        assert stage.errors() == []

    on_stage(play)


def test_a_lost_connection_is_taken_up_where_it_was(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        gateway = stage.loopback.gateway
        await gateway.drop()
        made = stage.loopback.discord.channel(stage.guild, "new")  # told later
        await asyncio.wait_for(gateway.ready.wait(), 600)
        await asyncio.sleep(1)
        assert stage.client.get_channel(made.id) is not None
        assert (gateway.identified, gateway.resumed) == (1, 1)
        opened = await stage.people.slash(stage.ann, stage.channel, "play", game="bouncers")
        assert opened.callback is not None
        await gateway.drop(forget=True)
        while gateway.identified == 1:
            await asyncio.sleep(60)
        assert (await stage.people.slash(stage.ann, stage.channel, "games")).callback is not None

    on_stage(play)


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_meets_the_calls_that_it_is_meant_for(on_stage: OnStage, fault: Fault) -> None:
    async def play(stage: Stage) -> None:
        place = stage.client.get_partial_messageable(stage.channel.id)
        rule = stage.goes_wrong(Route.SEND, fault, 1)
        before = len(stage.people.seen(stage.channel))
        came = await asyncio.gather(place.send("hello"), return_exceptions=True)
        assert rule.met == 1
        retried = fault in (Fault.SHORT_LIMIT, Fault.ERROR)
        assert isinstance(came[0], discord.Message if retried else Exception)
        there = len(stage.people.seen(stage.channel)) - before
        assert there == (1 if retried or fault is Fault.RESET_AFTER else 0)
        stage.loopback.breaches.clear()  # the message above names nobody who may be pinged
        await place.send("hello again")
        stage.loopback.breaches.clear()

    on_stage(play)


def test_texts_mention_commands_by_the_ids_that_it_has_given_them_and_by_new_ones_after_a_restart(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        first = stage.loopback.discord.commands["games"]["id"]
        assert mentions("`/games`, `/move action:c2`") == f"</games:{first}>, `/move action:c2`"
        await stage.stop()
        await stage.start()
        second = stage.loopback.discord.commands["games"]["id"]
        assert second != first
        assert mentions("`/games`") == f"</games:{second}>"

    on_stage(play)
