"""The bot's own emojis, made on the loopback Discord."""

from collections.abc import Callable, Iterator

import pytest

from bot import emojis
from bot.messages.marks import COMPUTER_MARK, MARKS, TEXT_MARKS
from renderers import theme
from tests.loopback.conftest import Play
from tests.loopback.faults import Fault, Route
from tests.loopback.stage import Stage

OnStage = Callable[[Play], None]


@pytest.fixture(autouse=True)
def marks_of_before() -> Iterator[None]:
    yield
    MARKS.show_as(())


def test_the_marks_are_uploaded_once_and_stand_in_messages_from_then_on(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        kept = stage.loopback.discord.emojis
        assert await emojis.settle(stage.client)
        assert [name[:-9] for name in kept.all] == [*(f"sb_{colour}" for colour in emojis.NAMES), "sb_computer"]
        assert [*MARKS, MARKS.computer] == [f"<:{name}:{emoji['id']}>" for name, emoji in kept.all.items()]
        before = dict(kept.all)
        MARKS.show_as(())
        assert await emojis.settle(stage.client)
        assert kept.all == before
        opened = await stage.people.slash(stage.ann, stage.channel, "play", game="bouncers", opponent=stage.ben)
        assert f"{MARKS[0]} Ann" in opened.text

    on_stage(play)


def test_an_upload_that_was_cut_short_is_finished_at_the_next_start(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        kept = stage.loopback.discord.emojis
        for name, picture in list(emojis.pictures().items())[:2]:
            await stage.client.create_application_emoji(name=name, image=picture)
        first = dict(kept.all)
        assert await emojis.settle(stage.client)
        assert len(kept.all) == len(theme.WARM.seats) + 1
        assert first.items() <= kept.all.items()

    on_stage(play)


@pytest.mark.parametrize("fault", [Fault.FORBIDDEN, Fault.ERROR, Fault.LONG_LIMIT, Fault.RESET_BEFORE])
def test_without_them_the_bot_writes_characters(on_stage: OnStage, fault: Fault) -> None:
    async def play(stage: Stage) -> None:
        stage.goes_wrong(Route.OTHER, fault)
        assert not await emojis.settle(stage.client)
        assert (tuple(MARKS), MARKS.computer) == (TEXT_MARKS, COMPUTER_MARK)
        stage.all_well()
        opened = await stage.people.slash(stage.ann, stage.channel, "play", game="bouncers", opponent=stage.ben)
        assert "🔴 Ann" in opened.text

    on_stage(play)
