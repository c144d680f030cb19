"""What takes long to compute waits for its turn, and the one who asked is told how it stands."""

import asyncio
from typing import Any

import pytest

from bot.core.budget import Budget
from bot.core.table.errors import Refused
from bot.features.verify.service import Proof
from bot.interactions.heavy import standing
from bot.interactions.reply import Reply
from bot.messages.builder import MessageBuilder
from engines.text import say
from tests.bot.kit import World, button, reply, texts
from tests.bot.seated import Seated, open_table
from tests.bot.ways import by_way


class Told:
    """What was told of how it stands, until the answer came."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        shown = Reply.progress

        async def progress(answer: Reply, builder: MessageBuilder) -> None:
            await shown(answer, builder)
            self.texts.append("told")

        monkeypatch.setattr("bot.interactions.heavy.FIRST_PROGRESS", 0.0)
        monkeypatch.setattr("bot.interactions.heavy.NEXT_PROGRESS", 0.0)
        monkeypatch.setattr(Reply, "progress", progress)

    async def something(self) -> None:
        """Return when something has been told."""
        while not self.texts:
            await asyncio.sleep(0)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """Every verification takes until the user has been told that it takes long."""
    heard = Told(monkeypatch)
    verify = Proof.verify

    async def slowly(*arguments: Any) -> Any:
        await heard.something()
        return await verify(*arguments)

    monkeypatch.setattr(Proof, "verify", slowly)
    return heard


async def game(world: World) -> Seated:
    return await open_table(world, "bouncers", world.ann, world.ben)


async def test_the_answer_replaces_the_progress(world: World, told: Told) -> None:
    await game(world)
    answer = await by_way(world.ann, world.channel, "verify", game="1")
    assert len(told.texts) == 1  # nothing new, nothing told
    assert "Working on it" not in world.text(answer)
    assert "#1" in world.text(answer)
    assert reply(answer).ephemeral
    assert not answer.followups


async def test_an_error_replaces_the_progress(world: World, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    await game(world)

    async def failing(*_: Any) -> None:
        await told.something()
        raise Refused(say("It cannot be done."))

    monkeypatch.setattr(Proof, "verify", failing)
    answer = await by_way(world.ann, world.channel, "verify", game="1")
    assert told.texts
    assert texts(answer) == ["It cannot be done."]


async def test_the_answer_replaces_the_progress_in_a_panel_too(world: World, told: Told) -> None:
    await game(world)
    await game(world)
    asked = await world.ann.slash(world.channel, "board")
    await world.ann.click(reply(asked), label=button(reply(asked), "#2 Bouncers: Ann, Ben").label)
    assert not told.texts
    answer = await world.ann.click(reply(asked), label="Verify")
    assert told.texts
    assert "Bouncers #2" in world.text(asked)
    assert not answer.followups


async def test_the_progress_of_a_public_replay_is_not_public(world: World, told: Told) -> None:
    await game(world)
    answer = await world.ann.slash(world.channel, "replay", public=True)
    assert not answer.ephemeral
    assert "The game so far, as everybody sees it." in world.text(answer)


async def test_the_progress_in_words() -> None:
    budget = Budget(at_once=1)
    turns = [budget.queue(1, user) for user in range(4)]
    assert [str(standing(turn)) for turn in turns] == [
        "Working on it …",
        "Just a moment, you’re next.",
        "Just a moment, 1 request is ahead of yours.",
        "Just a moment, 2 requests are ahead of yours.",
    ]


async def test_a_second_request_is_refused_while_the_first_one_waits(world: World) -> None:
    await game(world)
    budget, guild = world.client.core.budget, world.guild.id
    running, waiting = budget.queue(guild, world.ben.id), budget.queue(guild, world.ann.id)
    answer = await by_way(world.ann, world.channel, "verify", game="1")
    assert answer.ephemeral
    assert "One at a time, please" in world.text(answer)
    budget.leave(waiting)
    budget.leave(running)
    assert "#1" in world.text(await by_way(world.ann, world.channel, "verify", game="1"))
