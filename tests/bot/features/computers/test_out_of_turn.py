"""Computers out of turn: asked once a board, whatever they hold, and played like anybody else."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.features.computers.questions import HEARING, PAUSE, REACTION
from bot.features.computers.service import Computers, QuestionKind
from bot.features.offers.service import Consent
from bot.parts import PARTS
from engines.game import may_interrupt
from engines.pucks.board.views import Phase
from opponents import Thought
from opponents.contract import PACES
from storage.schema.records import Level, OfferKind
from tests.bot.features.computers.seated_computers import Mind, acted, answered, asked, minded
from tests.bot.service import ANN, Time, some

THREE = TableRequest(guild_id=10, channel_id=20, game="pucks", options={"setup": "random"}, computers=(Level.EASY, Level.HARD))


@pytest.fixture(autouse=True)
def mind(monkeypatch: pytest.MonkeyPatch) -> Mind:
    return minded(monkeypatch)


@pytest_asyncio.fixture
async def playing(core: Core, clock: Time) -> AsyncIterator[Snapshot]:
    """A game in which Ann has just acted, and is to act again."""
    snapshot = await core.service(Lobby).open(ANN, THREE)
    while snapshot.playing.state.phase is Phase.PLACE or 0 not in snapshot.playing.to_act:
        snapshot = await (acted(core, snapshot, ANN) if 0 in snapshot.playing.to_act else _next(core, clock, snapshot))
    yield snapshot


async def _next(core: Core, clock: Time, snapshot: Snapshot) -> Snapshot:
    return await answered(core, clock, snapshot.table.id)


async def test_every_computer_with_cards_is_asked_once_and_then_no_more(core: Core, clock: Time, playing: Snapshot) -> None:
    assert await core.service(Computers).next_due() == clock.now + REACTION - PACES[Level.EASY]
    seats = []
    while await core.service(Computers).next_due() is not None:
        question = await asked(core, clock, playing.table.id)
        assert (question.kind, question.version) == (QuestionKind.INTERRUPT, playing.table.version)
        seats.append((question.seat, question.level))
        after = some(await core.service(Computers).answer(question, None))
        assert after.playing.version == playing.table.version, "nothing was written into the log"
    assert seats == [(1, Level.EASY), (2, Level.HARD)]
    done = (await core.service(Consent).propose(playing.table.id, ANN, OfferKind.DRAW)).carried_out
    assert not done
    assert (await asked(core, clock, playing.table.id)).kind is QuestionKind.DRAW
    await core.service(Computers).answer(await asked(core, clock, playing.table.id), Thought((), 0.5))
    assert await core.service(Computers).next_due() is None, "of this board they have been asked"


async def test_the_cards_do_not_decide_who_is_asked_or_when(core: Core, playing: Snapshot) -> None:
    game, state = playing.playing.game, playing.playing.state
    holds_nothing_quick = replace(state, hands=(state.hands[0], ("shift",), ("shift",)))
    holds_a_whistle = replace(state, hands=(state.hands[0], ("whistle",), ("u-turn",)))
    assert may_interrupt(game, holds_nothing_quick) == may_interrupt(game, holds_a_whistle) == (1, 2)
    assert may_interrupt(game, replace(state, hands=(state.hands[0], (), ("shift",)))) == (2,)


async def test_a_person_who_has_acted_meanwhile_is_not_disturbed(core: Core, clock: Time, playing: Snapshot) -> None:
    question = await asked(core, clock, playing.table.id)
    after = await acted(core, playing, ANN)
    assert await core.service(Computers).answer(question, Thought(("play", "whistle"), 0.5)) is None
    assert (await core.snapshot(playing.table.id)).playing.version == after.playing.version


async def test_a_restart_forgets_no_question(core: Core, clock: Time, playing: Snapshot) -> None:
    first = await asked(core, clock, playing.table.id)
    await core.service(Computers).answer(first, None)
    again = Core(core.store, parts=PARTS, now=clock)
    second = some(await again.service(Computers).question(playing.table.id))
    assert (first.seat, second.seat) == (1, 2)


async def test_a_computer_to_move_waits_equally_long_whatever_others_hold(core: Core, clock: Time, playing: Snapshot) -> None:
    snapshot = playing
    while 0 in snapshot.playing.to_act:
        snapshot = await acted(core, snapshot, ANN)
    began, (seat,) = clock.now, snapshot.playing.to_act
    question = await asked(core, clock, snapshot.table.id)
    assert (question.kind, question.seat) == (QuestionKind.INTERRUPT, 3 - seat)
    await core.service(Computers).answer(question, None)
    assert await core.service(Computers).next_due() == began + max(PAUSE, REACTION + HEARING) - PACES[Level.EASY]
    assert (await asked(core, clock, snapshot.table.id)).kind is QuestionKind.MOVE
