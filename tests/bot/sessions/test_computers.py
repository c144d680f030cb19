"""Computers at a table: what they are asked, what becomes of their answers, and what of the table."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from bot.sessions import Sessions
from bot.sessions.computer_players import is_computer
from bot.sessions.computers import Question, QuestionKind
from opponents import Thought
from storage.records import Level, Status
from tests.bot.service import ANN, BOUNCERS, Time, first_action


@dataclass
class Mind:
    """What the computers of these tests think of their games, whatever they play."""

    hopeless: bool = False
    drawn: bool = False


@pytest.fixture(autouse=True)
def mind(monkeypatch: pytest.MonkeyPatch) -> Mind:
    made = Mind()
    monkeypatch.setattr(
        "bot.sessions.computers.opponent",
        lambda *_: SimpleNamespace(hopeless=lambda *_: made.hopeless, drawn=lambda *_: made.drawn),
    )
    return made


AGAINST_ONE = replace(BOUNCERS, computers=(Level.EASY,), clock=3600)


async def asked(sessions: Sessions, clock: Time, table_id: int) -> Question:
    """What a computer is asked, as soon as it is."""
    due = await sessions.computers.next_due()
    assert due is not None
    clock.now = max(clock.now, due)
    assert await sessions.computers.due() == (table_id,)
    question = await sessions.computers.question(table_id)
    assert question is not None
    return question


async def test_a_game_against_a_computer_begins_when_it_is_opened(sessions: Sessions, clock: Time) -> None:
    snapshot = await sessions.lobby.open(ANN, AGAINST_ONE)
    assert snapshot.table.status is Status.PLAYING
    assert snapshot.computers == (1,)
    assert is_computer(snapshot.players[1].user_id)
    assert (snapshot.table.clock, snapshot.table.rated) == (None, False)
    snapshot = (await sessions.play.act(snapshot.table.id, ANN, first_action(snapshot))).snapshot
    question = await asked(sessions, clock, snapshot.table.id)
    assert (question.kind, question.seat, question.level) == (QuestionKind.MOVE, 1, Level.EASY)
    after = await sessions.computers.answer(question, Thought(first_action(snapshot), 0.5))
    assert after is not None
    assert after.playing.version == 2
    assert await sessions.computers.due() == ()
    assert await sessions.computers.next_due() is None
    assert await sessions.computers.answer(question, Thought(first_action(snapshot), 0.5)) is None
