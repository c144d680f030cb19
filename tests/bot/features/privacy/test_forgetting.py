"""*Forget me*: a forgotten person is left nowhere in the database or on the newest messages."""

from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.plans.service import Plans
from bot.features.watching.service import Watching
from storage import queries
from storage.schema.records import OfferKind, Status, WatchFor
from storage.store import Store
from tests.bot.kit import World, reply
from tests.bot.private_threads import makers_may_remove
from tests.bot.seated import Seated, all_that_is_seen, core_of, open_table, user_of
from tests.bot.settings_panels import act, go_away, remind
from tests.storage.dump import everything, where

pytestmark = pytest.mark.slow

HOUR = 3600.0
NAME = "Zoe Quux"


def store_of(world: World) -> Store:
    return core_of(world).store


async def invited(world: World, opener: MemberActor, opponent: MemberActor, **options: Any) -> int:
    """A table with an invitation."""
    await world.pass_time(HOUR)
    await opener.slash(world.channel, "open", game="bouncers", opponent=opponent, **options)
    (table, *_) = await core_of(world).tables(guild_id=world.guild.id)
    return table.id


async def opened(world: World, *people: MemberActor, **options: Any) -> Seated:
    await world.pass_time(HOUR)
    return await open_table(world, "bouncers", *people, **options)


async def everywhere(world: World, zoe: MemberActor) -> list[int]:
    """Have Zoe do everything the bot remembers about people. Returns the tables where she is or was seated."""
    service, me = core_of(world), user_of(zoe)
    playing = await opened(world, world.ann, zoe, clock="none")
    over = await opened(world, zoe, world.ann)
    await over.act(zoe, ("b2", "b3"))
    await over.act(world.ann, ("b7", "b6"))
    left = await opened(world, world.ann, zoe)
    waiting = await opened(world, zoe)
    offered = await opened(world, world.ann, world.ben)
    private = await invited(world, zoe, world.ben, private=True)
    asked = await invited(world, world.ann, zoe, private=True)
    declined = await invited(world, world.ben, zoe)
    await remind(world, zoe, late=False)
    await go_away(world, zoe, 3)
    with world.env._bot_scope():
        await service.service(Lobby).decline(declined, me)
        await service.service(Play).resign(over.table_id, me)
        ben, cleo, consent = user_of(world.ben), user_of(world.cleo), service.service(Consent)
        await consent.propose(left.table_id, me, OfferKind.SUBSTITUTE, Seating(me.id, cleo))
        await consent.agree(left.table_id, cleo, OfferKind.SUBSTITUTE)
        await consent.propose(offered.table_id, ben, OfferKind.SUBSTITUTE, Seating(ben.id, me))
        await service.service(Plans).add_reply(playing.table_id, me, 0, (), ("b2", "b3"), ("b7", "b6"))
        for table_id in (playing.table_id, offered.table_id):
            await service.service(Watching).watch(table_id, me, WatchFor.TURN)
        world.client.outbox.wake()
    await world.settle()
    return [playing.table_id, over.table_id, waiting.table_id, private, asked, declined]


async def forget(world: World, zoe: MemberActor) -> None:
    asked = await act(world, zoe, "settings", "data", "forget")
    assert "Done. I’ve forgotten everything about you." in world.text(await zoe.click(reply(asked), label="Forget me"))


async def test_a_forgotten_person_is_in_no_row_and_no_newest_message(world: World) -> None:
    zoe = world.join(NAME)
    await everywhere(world, zoe)
    store = store_of(world)
    filled = {line.partition(":")[0] for line in where(await everything(store), str(zoe.id), NAME)}
    assert filled >= {"people.user_id", "ratings.user_id", "watches.user_id", "seats.user_id", "seats.name", "ratings.name",
                      "departures.user_id", "departures.name", "actions.user_id", "tables.opened_by", "tables.offers",
                      "pings.to_user", "plans.user_id"}  # fmt: skip
    threads = [world.env.backend.channels[thread.id] for thread in world.channel.threads]
    assert [zoe.id in thread.thread_members for thread in threads] == [True, True]
    with makers_may_remove():
        await forget(world, zoe)
    assert where(await everything(store), str(zoe.id), NAME) == []
    assert [zoe.id in thread.thread_members for thread in threads] == [False, False]
    shown = [all_that_is_seen(world, message) for message in world.messages()]
    assert not [text for text in shown if NAME in text and "Join" in text]
    for table in await core_of(world).tables(guild_id=world.guild.id, statuses=tuple(Status), limit=100):
        for message_id in (table.lobby_message_id, table.board_message_id):
            for message in world.messages():
                assert message.id != message_id or NAME not in all_that_is_seen(world, message), table.id


async def test_forgetting_leaves_other_peoples_data_alone(world: World) -> None:
    zoe = world.join(NAME)
    mine = await everywhere(world, zoe)
    store = store_of(world)
    before = await everything(store)
    await forget(world, zoe)
    after = await everything(store)
    for name in ("seats", "actions"):
        theirs = [row for row in before[name] if int(row[0] or 0) not in mine and str(zoe.id) not in row]
        assert [row for row in after[name] if row in theirs] == theirs
    assert [row for row in after["ratings"] if str(world.ann.id) in row], "Zoe has resigned, so Ann has won"


async def test_unreadable_tables_do_not_stop_forgetting(world: World) -> None:
    zoe = world.join(NAME)
    first, *_, last = await everywhere(world, zoe)
    with world.env._bot_scope():
        async with store_of(world).write() as writer:
            await queries.tables.change(writer, first, game="chess")
            await queries.tables.change(writer, last, variant="9x9")
    core_of(world).histories.drop(first)
    world.expected_errors.add("job failed")  # at those two tables, whose messages cannot be made
    await forget(world, zoe)
    assert where(await everything(store_of(world)), str(zoe.id), NAME) == []


async def test_forgetting_can_be_repeated_after_a_failure(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    zoe = world.join(NAME)
    await everywhere(world, zoe)

    async def killed(*_: object, **__: object) -> tuple[int, ...]:
        raise RuntimeError("killed")

    world.expected_errors.add("unexpected error")
    monkeypatch.setattr("storage.queries.forgetting._forget_jobs", killed)
    asked = await act(world, zoe, "settings", "data", "forget")
    assert "something went wrong" in world.text(await zoe.click(reply(asked), label="Forget me"))
    assert where(await everything(store_of(world)), str(zoe.id)) != []
    monkeypatch.undo()
    await forget(world, zoe)
    assert where(await everything(store_of(world)), str(zoe.id), NAME) == []


async def test_nothing_is_sent_to_a_forgotten_person(world: World) -> None:
    zoe = world.join(NAME)
    await everywhere(world, zoe)
    await forget(world, zoe)
    since = len(world.watch.calls)
    await world.pass_time(80 * 24 * HOUR)
    assert str(zoe.id) not in str([(call.path, call.body) for call in world.watch.calls[since:]])
