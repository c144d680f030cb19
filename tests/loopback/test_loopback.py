"""The loopback refuses what Discord refuses, and the bot plays on it."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest import mock

import discord
import pytest

from bot.core.people import Users
from bot.core.places import Places
from bot.messages.builder import mentions
from loopback import answers, virtual_time
from loopback.faults import Fault, Route
from loopback.limits import V2
from loopback.model import FORUM, MEDIA, NEWS, TEXT, VOICE, Channel, Interaction, Message, Refusal
from loopback.people import COMMAND
from loopback.state import RATION, Discord
from storage.schema.errors import Unreachable
from tests.loopback.conftest import Clock
from tests.loopback.natures import Nature
from tests.loopback.owed import unmet
from tests.loopback.scenes import slowly
from tests.loopback.world import LoopbackWorld

DAY = 24 * 3600.0
GALLERY = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "words"}]}
FILE = {"files[0]": ("a.png", b"png")}
WORDS = {"type": 10, "content": "words"}


@pytest.fixture
def backend(clock: Clock) -> Discord:
    """A Discord without a network, with a channel."""
    made = Discord(clock, lambda *_: None)
    made.channel(made.guild("Club"), "games")
    return made


def channel(backend: Discord) -> Channel:
    return next(one for one in backend.channels.values() if one.kind == TEXT)


def sent(backend: Discord, where: int, **body: Any) -> Message:
    return backend.messages[int(backend.send(where, {"components": [WORDS], **body}, {})["id"])]


def click(backend: Discord, message: Message, clock: Clock) -> Interaction:
    made = Interaction(
        backend.snowflake(), f"t{len(backend.interactions)}", backend.person("Ann"), message.channel_id, 3, clock(), message
    )
    backend.interactions[made.token] = made
    return made


def refused(status: int, code: int) -> Any:
    return pytest.raises(Refusal, match=rf"^{status} \({code}\)")


def test_a_nonce_keeps_a_message_from_being_posted_twice_for_some_minutes(backend: Discord, clock: Clock) -> None:
    where = channel(backend).id
    first = sent(backend, where, nonce="n1", enforce_nonce=True)
    clock.at += 170
    assert sent(backend, where, nonce="n1", enforce_nonce=True) is first
    clock.at += 20
    assert sent(backend, where, nonce="n1", enforce_nonce=True) is not first


def test_an_interaction_is_answered_once_and_in_time(backend: Discord, clock: Clock) -> None:
    pressed = click(backend, sent(backend, channel(backend).id), clock)
    with refused(404, 10015):
        answers.follow_up(backend, pressed.token, {"components": [WORDS]}, {})
    answers.callback(backend, pressed.id, pressed.token, {"type": 6}, {})
    with refused(400, 40060):
        answers.callback(backend, pressed.id, pressed.token, {"type": 6}, {})
    late = click(backend, sent(backend, channel(backend).id), clock)
    clock.at += 3.1
    with refused(404, 10062):
        answers.callback(backend, late.id, late.token, {"type": 6}, {})
    clock.at += 15 * 60
    with refused(401, 50027):
        answers.follow_up(backend, pressed.token, {"components": [WORDS]}, {})


def test_the_first_follow_up_fills_what_was_deferred_and_is_as_private(backend: Discord, clock: Clock) -> None:
    pressed = click(backend, sent(backend, channel(backend).id), clock)
    answers.callback(backend, pressed.id, pressed.token, {"type": 5, "data": {"flags": 64}}, {})
    assert pressed.shown == []
    answers.follow_up(backend, pressed.token, {"components": [WORDS]}, {})
    assert pressed.text == "words"
    assert pressed.original is not None
    assert pressed.original.private


def test_an_answer_names_its_interaction_and_a_message_that_was_sent_names_none(backend: Discord, clock: Clock) -> None:
    where = channel(backend).id
    asked = Interaction(backend.snowflake(), "t", backend.person("Ann"), where, COMMAND, clock())
    backend.interactions[asked.token] = asked
    answers.callback(backend, asked.id, asked.token, {"type": 5}, {})
    answers.edit(backend, asked.token, "@original", {"components": [WORDS]}, {})
    answers.follow_up(backend, asked.token, {"components": [WORDS]}, {})
    sent(backend, where)
    found = [message.get("interaction_metadata", {}).get("id") for message in backend.history(where, {})]
    assert found == [None, str(asked.id), str(asked.id)]


def test_files_stay_with_a_message_until_it_says_which_do(backend: Discord) -> None:
    where = channel(backend).id
    number = int(backend.send(where, {"components": [GALLERY]}, FILE)["id"])
    backend.edit(where, number, {"flags": 0}, {})
    assert names(backend, number) == ["a.png"], "an edit that says nothing of them keeps them"
    backend.edit(where, number, {"components": [another_gallery("b.png")]}, {"files[0]": ("b.png", b"png")})
    assert names(backend, number) == ["a.png", "b.png"], "new ones are added"
    new = {"id": "0", "filename": "c.png"}
    backend.edit(where, number, {"components": [another_gallery("c.png")], "attachments": [new]}, {"files[0]": ("c.png", b"")})
    assert names(backend, number) == ["c.png"], "unless it says which of the old ones stay"
    with refused(400, 50035):
        backend.edit(where, number, {"components": [another_gallery("c.png")], "attachments": []}, {})
    with refused(400, 50035):
        backend.send(where, {"components": [GALLERY]}, {})


def names(backend: Discord, number: int) -> list[str]:
    return [one.name for one in backend.messages[number].attachments]


def another_gallery(name: str) -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}, "description": "words"}]}


def test_a_file_that_a_component_shows_is_with_the_component_and_stays_only_by_its_id_and_name(backend: Discord) -> None:
    where = channel(backend).id
    made = backend.send(where, {"components": [GALLERY], "flags": V2}, FILE)
    (media,) = (item["media"] for item in made["components"][0]["items"])
    assert made["attachments"] == []
    assert media["url"].endswith("/a.png")
    number, file = int(made["id"]), media["attachment_id"]
    for listed in (None, [{"id": file}], [{"filename": "a.png"}], [{"id": "1", "filename": "a.png"}]):
        with pytest.raises(Refusal, match="UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"):
            backend.edit(where, number, {"components": [GALLERY, WORDS], "attachments": listed}, {})
    kept = {"components": [GALLERY, WORDS], "attachments": [{"id": file, "filename": "a.png"}]}
    assert backend.edit(where, number, kept, {})["components"][0]["items"][0]["media"] == media
    assert backend.edit(where, number, {"components": [WORDS], "attachments": []}, {})["attachments"] == []


def test_ids_of_components_are_kept_on_layouts_alone(backend: Discord) -> None:
    row = {"type": 1, "id": 700, "components": [{"type": 2, "id": 7, "style": 2, "label": "Go", "custom_id": "go"}]}
    where = channel(backend).id
    plain, layout = (backend.send(where, {"components": [row], "flags": flags}, {}) for flags in (0, V2))
    assert [one["components"][0]["id"] for one in (plain, layout)] == [0, 700]
    assert [one["components"][0]["components"][0]["id"] for one in (plain, layout)] == [0, 7]


@pytest.mark.parametrize("kind", [FORUM, MEDIA])
def test_a_forum_takes_no_messages_and_its_posts_do(backend: Discord, kind: int) -> None:
    where = backend.channel(next(iter(backend.guilds.values())), "forum", kind)
    with refused(400, 50008):
        sent(backend, where.id)
    ann = backend.person("Ann")
    post = backend.forum_post(where, ann, "Anybody for a game?")
    assert (post.parent_id, post.payload()["type"], backend.messages[post.id].channel_id) == (where.id, 11, post.id)
    message = sent(backend, post.id)
    with refused(400, 50024):
        backend.thread(post.id, {"name": "t"}, message.id)
    with refused(400, 50024):
        backend.add_member(where.id, ann.id)


@pytest.mark.parametrize(("kind", "private"), [(VOICE, False), (VOICE, True), (NEWS, True)])
def test_not_every_channel_has_threads(backend: Discord, kind: int, private: bool) -> None:
    where = backend.channel(next(iter(backend.guilds.values())), "other", kind)
    message = sent(backend, where.id)
    with refused(400, 50024):
        backend.thread(where.id, {"name": "t"}, None if private else message.id)


def test_a_quiet_thread_is_archived_and_lets_nobody_in_until_it_is_opened_again(backend: Discord, clock: Clock) -> None:
    where, dan = channel(backend), backend.person("Dan")
    with refused(400, 50035):
        backend.thread(where.id, {"name": "t", "type": 12, "auto_archive_duration": 999})
    usual, longest = (
        backend.channels[int(backend.thread(where.id, {"name": "t", "type": 12, **more})["id"])]
        for more in ({}, {"auto_archive_duration": 10080})
    )
    inside = sent(backend, longest.id)
    clock.at += 25 * 3600
    backend.add_member(longest.id, dan.id)
    with refused(400, 50083):
        backend.add_member(usual.id, dan.id)
    backend.change_thread(usual.id, {"archived": False})
    backend.add_member(usual.id, dan.id)
    clock.at += 6 * DAY
    assert sent(backend, usual.id)
    for change in (lambda: backend.delete(longest.id, inside.id), lambda: backend.remove_member(longest.id, dan.id)):
        with refused(400, 50083):
            change()


def test_edits_of_old_messages_are_rationed(backend: Discord, clock: Clock) -> None:
    where = channel(backend).id
    message = sent(backend, where)
    clock.at += 3601
    for _ in range(RATION):
        backend.edit(where, message.id, {"components": [WORDS]}, {})
    with refused(429, 30046):
        backend.edit(where, message.id, {"components": [WORDS]}, {})
    clock.at += 301
    backend.edit(where, message.id, {"components": [WORDS]}, {})


def test_threads_are_locked_archived_private_and_reopened(backend: Discord) -> None:
    where = channel(backend)
    message = sent(backend, where.id)
    thread = backend.channels[int(backend.thread(where.id, {"name": "t"}, message.id)["id"])]
    with refused(400, 160004):
        backend.thread(where.id, {"name": "t"}, message.id)
    inside = sent(backend, thread.id)
    backend.close_thread(thread, locked=False, archived=True)
    with refused(400, 50083):
        backend.edit(thread.id, inside.id, {"components": [WORDS]}, {})
    sent(backend, thread.id)
    assert not thread.archived
    backend.close_thread(thread, locked=True, archived=True)
    with refused(403, 160005):
        sent(backend, thread.id)
    stranger = backend.person("Dan")
    backend.deny(where, stranger, "view_channel")
    hidden = backend.thread(where.id, {"name": "p", "type": 12})
    with refused(403, 50001):
        backend.add_member(int(hidden["id"]), stranger.id)


@pytest.mark.parametrize(("right", "code"), [("view_channel", 50001), ("send_messages", 50013)])
def test_what_is_not_permitted_is_refused(backend: Discord, right: str, code: int) -> None:
    where = channel(backend)
    backend.deny(where, backend.bot, right)
    with refused(403, code):
        sent(backend, where.id)
    backend.deny(where, backend.bot)
    sent(backend, where.id)


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

    assert virtual_time.run(work()) == ["worked", "a second", "an hour"]


async def test_the_bot_plays_on_it(world: LoopbackWorld) -> None:
    people, where = world.people, world.channel
    opened = await people.slash(world.ann, where, "open", game="bouncers", opponent=world.ben)
    assert "Ben" in opened.text or f"<@{world.ben.id}>" in opened.text
    assert opened.original is not None
    await people.click(world.ben, opened.original, "sb|accept")
    await asyncio.sleep(60)
    assert world.errors() == []
    (board,) = people.everywhere(Nature.BOARD, 1)
    assert board.pinged == {world.ann.id}
    offered = await people.suggest(world.ann, where, "move", "action", action="")
    assert offered.choices
    moved = await people.slash(world.ann, where, "move", action="b2 b3")
    assert "**Ann** bounces b2 → b3." in moved.text
    await asyncio.sleep(60)
    assert [one.pinged for one in people.everywhere(Nature.BOARD, 1)] == [{world.ann.id}, {world.ben.id}]
    assert world.errors() == []


@contextmanager
def answers_lost(world: LoopbackWorld) -> Iterator[None]:
    """In this block answers arrive, but the bot does not learn that."""
    for route in (Route.REPLY, Route.EDIT_ANSWER):
        world.goes_wrong(route, Fault.RESET_AFTER)
    yield
    assert sum(rule.met for rule in world.loopback.rules) > 1, "it has been tried more than once"
    world.all_well()


@contextmanager
def slow_answers_lost(world: LoopbackWorld) -> Iterator[None]:
    """The same for deferred answers."""
    with slowly(world.client.core.service(Users), "server"), answers_lost(world):
        yield


def answers_not_recorded(world: LoopbackWorld) -> Any:
    """In this block answers arrive, but the database cannot record that."""
    return mock.patch.object(world.client.core.service(Places), "record_answer", side_effect=Unreachable("It takes nothing."))


@pytest.mark.parametrize("unknown", [answers_lost, slow_answers_lost, answers_not_recorded])
async def test_the_invited_are_told_even_if_the_bot_does_not_learn_that_its_answer_arrived(
    world: LoopbackWorld, unknown: Callable[[LoopbackWorld], AbstractContextManager[Any]]
) -> None:
    with unknown(world):
        opened = await world.people.slash(world.ann, world.channel, "open", game="bouncers", opponent=world.ben)
        await asyncio.sleep(30)
    assert opened.original is not None
    assert opened.original.pinged == frozenset()
    await asyncio.sleep(600)
    assert list(unmet(world.people, world.database)) == []
    (told,) = [one for one in world.loopback.discord.messages.values() if world.ben.id in one.pinged]
    assert "invites you to Bouncers #1" in told.notified


async def test_a_lost_connection_is_taken_up_where_it_was(world: LoopbackWorld) -> None:
    gateway = world.loopback.gateway
    await gateway.drop()
    made = world.loopback.discord.channel(world.guild, "new")  # told later
    await asyncio.wait_for(gateway.ready.wait(), 600)
    await asyncio.sleep(1)
    assert world.client.get_channel(made.id) is not None
    assert (gateway.identified, gateway.resumed) == (1, 1)
    opened = await world.people.slash(world.ann, world.channel, "open", game="bouncers")
    assert opened.callback is not None
    await gateway.drop(forget=True)
    while gateway.identified == 1:
        await asyncio.sleep(60)
    assert (await world.people.slash(world.ann, world.channel, "games")).callback is not None


@pytest.mark.parametrize("fault", list(Fault))
async def test_a_fault_meets_the_calls_that_it_is_meant_for(world: LoopbackWorld, fault: Fault) -> None:
    place = world.client.get_partial_messageable(world.channel.id)
    rule = world.goes_wrong(Route.SEND, fault, 1)
    before = len(world.people.seen(world.channel))
    came = await asyncio.gather(place.send("hello"), return_exceptions=True)
    assert rule.met == 1
    retried = fault in (Fault.SHORT_LIMIT, Fault.ERROR)
    assert isinstance(came[0], discord.Message if retried else Exception)
    there = len(world.people.seen(world.channel)) - before
    assert there == (1 if retried or fault is Fault.RESET_AFTER else 0)
    world.loopback.breaches.clear()  # the message above names nobody who may be pinged
    await place.send("hello again")
    world.loopback.breaches.clear()


async def test_texts_mention_commands_by_their_ids_and_by_new_ones_after_a_restart(world: LoopbackWorld) -> None:
    first = world.loopback.discord.commands["games"]["id"]
    assert mentions("`/games`, `/move action:c2`") == f"</games:{first}>, `/move action:c2`"
    await world.stop()
    await world.start()
    second = world.loopback.discord.commands["games"]["id"]
    assert second != first
    assert mentions("`/games`") == f"</games:{second}>"
