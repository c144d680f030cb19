"""Tables with computers whose answers the test decides."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.snapshot import Snapshot, User
from bot.features.computers.service import Computers, Question, QuestionKind
from engines import rules_of
from engines.game import legal_actions
from opponents import Thought
from tests.bot.service import Time, some


@dataclass
class Mind:
    """What computers think of their games, whatever they play."""

    hopeless: bool = False
    drawn: bool = False


def minded(monkeypatch: pytest.MonkeyPatch) -> Mind:
    made = Mind()
    who = SimpleNamespace(hopeless=lambda *_: made.hopeless, drawn=lambda *_: made.drawn)
    monkeypatch.setattr("bot.features.computers.service.opponent", lambda *_: who)
    return made


async def asked(core: Core, clock: Time, table_id: int) -> Question:
    """The question to a computer as soon as it is due."""
    due = some(await core.service(Computers).next_due())
    clock.now = max(clock.now, due)
    assert await core.service(Computers).due() == (table_id,)
    return some(await core.service(Computers).question(table_id))


def thought(question: Question) -> Thought:
    """Some legal action, not a good one."""
    game = rules_of(question.game_id, question.rules)
    return Thought(next(iter(legal_actions(game, question.state, question.seat))), 0.5)


async def answered(core: Core, clock: Time, table_id: int) -> Snapshot:
    """The table after a computer has played or declined to act."""
    question = await asked(core, clock, table_id)
    after = await core.service(Computers).answer(
        question, None if question.kind is QuestionKind.INTERRUPT else thought(question)
    )
    assert after is not None
    return after


async def acted(core: Core, snapshot: Snapshot, user: User) -> Snapshot:
    """The table after a person has played any legal action."""
    seat = snapshot.own_seat(user.id)
    action = next(iter(legal_actions(snapshot.playing.game, snapshot.playing.state, seat)))
    return (await core.service(Play).act(snapshot.table.id, user, action)).snapshot
