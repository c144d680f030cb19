"""The bot's own emojis, made on the loopback Discord."""

from collections.abc import Iterator

import pytest

from bot import emojis
from bot.messages.players import CIRCLES, COMPUTER_MARK, MARKS
from loopback.faults import Fault, Route
from renderers import theme
from tests.loopback.world import LoopbackWorld


@pytest.fixture(autouse=True)
def marks_of_before() -> Iterator[None]:
    yield
    MARKS.show_as(())


async def test_the_marks_are_uploaded_once_and_stand_in_messages_from_then_on(world: LoopbackWorld) -> None:
    stored = world.loopback.discord.emojis
    assert await emojis.settle(world.client)
    assert [name[:-9] for name in stored.all] == [*(f"sb_{colour}" for colour in emojis.NAMES), "sb_computer"]
    assert [*MARKS, MARKS.computer] == [f"<:{name}:{emoji['id']}>" for name, emoji in stored.all.items()]
    before = dict(stored.all)
    MARKS.show_as(())
    assert await emojis.settle(world.client)
    assert stored.all == before
    opened = await world.people.slash(world.ann, world.channel, "open", game="bouncers", opponent=world.ben)
    assert f"{MARKS[0]} Ann" in opened.text


async def test_an_upload_that_was_cut_short_is_finished_at_the_next_start(world: LoopbackWorld) -> None:
    stored = world.loopback.discord.emojis
    for name, picture in list(emojis.pictures().items())[:2]:
        await world.client.create_application_emoji(name=name, image=picture)
    first = dict(stored.all)
    assert await emojis.settle(world.client)
    assert len(stored.all) == len(theme.WARM.seats) + 1
    assert first.items() <= stored.all.items()


@pytest.mark.slow
@pytest.mark.parametrize("fault", [Fault.FORBIDDEN, Fault.ERROR, Fault.LONG_LIMIT, Fault.RESET_BEFORE])
async def test_without_them_the_bot_writes_characters(world: LoopbackWorld, fault: Fault) -> None:
    world.goes_wrong(Route.OTHER, fault)
    assert not await emojis.settle(world.client)
    assert (tuple(MARKS), MARKS.computer) == (CIRCLES, COMPUTER_MARK)
    world.all_well()
    opened = await world.people.slash(world.ann, world.channel, "open", game="bouncers", opponent=world.ben)
    assert "🔴 Ann" in opened.text
