"""Tables with computers whose answers the test decides."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from bot.core.service import Sessions
from bot.core.table.snapshot import Snapshot, User
from bot.features.computers.service import Question, QuestionKind
from engines import rules_of
from engines.game import legal_actions
from opponents import Thought
from tests.bot.service import Time


@dataclass
class Mind:
    """What the computers of these tables think of their games, whatever they play."""

    hopeless: bool = False
    drawn: bool = False


def minded(monkeypatch: pytest.MonkeyPatch) -> Mind:
    """Have all computers think of their games what the test says."""
    made = Mind()
    who = SimpleNamespace(hopeless=lambda *_: made.hopeless, drawn=lambda *_: made.drawn)
    monkeypatch.setattr("bot.features.computers.service.opponent", lambda *_: who)
    return made


async def asked(sessions: Sessions, clock: Time, table_id: int) -> Question:
    """What a computer is asked, as soon as it is."""
    due = await sessions.computers.next_due()
    assert due is not None
    clock.now = max(clock.now, due)
    assert await sessions.computers.due() == (table_id,)
    question = await sessions.computers.question(table_id)
    assert question is not None
    return question


def thought(question: Question) -> Thought:
    """Some legal action: not a good one."""
    game = rules_of(question.game_id, question.rules)
    return Thought(next(iter(legal_actions(game, question.state, question.seat))), 0.5)


async def answered(sessions: Sessions, clock: Time, table_id: int) -> Snapshot:
    """The table after a computer has played, or has decided to do nothing."""
    question = await asked(sessions, clock, table_id)
    after = await sessions.computers.answer(question, None if question.kind is QuestionKind.INTERRUPT else thought(question))
    assert after is not None
    return after


async def acted(sessions: Sessions, snapshot: Snapshot, user: User) -> Snapshot:
    """The table after somebody has played something legal."""
    seat = snapshot.own_seat(user.id)
    action = next(iter(legal_actions(snapshot.playing.game, snapshot.playing.state, seat)))
    return (await sessions.play.act(snapshot.table.id, user, action)).snapshot
