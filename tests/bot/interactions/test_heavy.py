"""Long computations queue, report progress, and delay nobody else."""

import asyncio
import threading
from typing import Any

import pytest

from bot.core.budget import Budget
from bot.core.shares import AT_ONCE, in_share
from bot.core.table.errors import Refused
from bot.features.analysis.tree import Beginning
from bot.features.verify.service import Proof
from bot.interactions.heavy import standing
from bot.interactions.reply import Reply
from bot.messages.builder import MessageBuilder
from engines.chance import Fair
from engines.text import say
from tests.bot.kit import World, button, reply, texts
from tests.bot.seated import Seated, open_table
from tests.bot.ways import by_way


class Told:
    """The progress reports before the answer came."""

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
        """Return once something has been reported."""
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


CODE = Beginning(1, 1, 0.0).of_start("bouncers", Fair(bytes(32))).root


async def test_ten_questions_of_one_person_delay_neither_the_answer_nor_the_move_of_another(world: World) -> None:
    table = await open_table(world, "bouncers", world.ben, world.cleo)
    shares, go = world.client.core.shares, threading.Event()
    with shares.of(world.ann.id):
        asked = [asyncio.create_task(in_share(go.wait)) for _ in range(10)]
    try:
        shown = await world.ben.slash(world.channel, "analyse", code=CODE)
        assert "Analysis: Bouncers" in world.text(shown)
        await world.ben.slash(world.channel, "move", action="b2 b3")
        assert "bounces b2 → b3" in world.text(table.board())
        assert not any(one.done() for one in asked)
    finally:
        go.set()
    assert await asyncio.gather(*asked) == [True] * 10


async def test_moves_do_not_wait_for_questions(world: World) -> None:
    """All shares are taken, and threads remain for work that is nobody's question."""
    table = await open_table(world, "bouncers", world.ben, world.cleo)
    shares, go = world.client.core.shares, threading.Event()
    asked = []
    for number in range(3 * AT_ONCE):
        with shares.of(1000 + number):
            asked.append(asyncio.create_task(in_share(go.wait)))
    try:
        world.client.core.histories.clear()  # and so the log is replayed
        await world.ben.slash(world.channel, "move", action="b2 b3")
        assert "bounces b2 → b3" in world.text(table.board())
    finally:
        go.set()
    await asyncio.gather(*asked)


@pytest.fixture
def turns(world: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The person behind each computation, in order."""
    shares, taken = world.client.core.shares, list[int]()
    turn = shares.turn

    async def noted(user_id: int) -> None:
        taken.append(user_id)
        await turn(user_id)

    monkeypatch.setattr(shares, "turn", noted)
    return taken


async def test_commands_and_clicks_compute_in_their_users_share(world: World, turns: list[int]) -> None:
    shown = await world.ann.slash(world.channel, "analyse", code=CODE)
    assert set(turns) == {world.ann.id}
    turns.clear()
    await world.ann.click(reply(shown), label="Share")
    assert set(turns) == {world.ann.id}


async def test_suggestions_compute_in_the_users_share(world: World, turns: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    core = world.client.core
    snapshot = core.snapshot

    async def computed(*values: Any) -> Any:
        await in_share(str, 1)
        return await snapshot(*values)

    monkeypatch.setattr(core, "snapshot", computed)
    turns.clear()
    assert await world.ann.autocomplete(world.channel, "move", "action", "b2 ")
    assert turns == [world.ann.id]
