"""What computers are asked, when, and what they think does not depend on cards they cannot see.

Pairs that differ only in hidden hands are played with people and computers. A computer that sees the same in both games must
think the same, and others must see the same of it.
"""

import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from typing_extensions import override

from bot.core.lobby import Lobby
from bot.core.table.imagining import imagine
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.features.computers.service import Computers, Question, QuestionKind
from bot.features.playing.hints import hint_question, may_take_hint
from engines.bunny import Bunny
from engines.chance import Fair
from engines.game import Game, resample
from engines.pucks import Pucks
from opponents import Thought
from opponents.asked import choose, interrupt
from opponents.dice import Dice
from storage.schema.records import Level
from tests.bot.observing.deals import pair
from tests.bot.observing.pairs import PEOPLE, SERVER, Doing, Lockstep, Side
from tests.bot.service import DAY

PAIRS: Final = range(12)


class Mixed(Side):
    """A bot with computers at its tables: in every other pair all seats but the first, otherwise one."""

    @override
    async def open_table(self, number: int, state: Any) -> int:
        self.clock.pass_(DAY)
        self.deals.states[str(number)] = state
        computers = 1 if number % 2 else state.seats - 1
        asked = TableRequest(
            guild_id=SERVER + number, channel_id=20, game="pucks", seats=state.seats, clock=int(DAY),
            options={"deal": str(number)}, computers=(Level.MEDIUM,) * computers,
        )  # fmt: skip
        opener, *others = PEOPLE[: state.seats - computers]
        table_id = (await self.core.service(Lobby).open(opener, asked)).table.id
        for user in others:
            await self.core.service(Lobby).join(table_id, user, 1_000_000 * table_id + user.id)
        return table_id


Asked = Counter[tuple[QuestionKind, bool]]
"""How often computers were asked, by question and by whether they see the same in both games."""


class WithComputers(Lockstep):
    """Plays a pair in which computers are asked when due."""

    def __init__(self, sides: tuple[Side, Side], number: int, asked: Asked) -> None:
        super().__init__(sides, pair(Pucks(), number))
        self._asked = asked

    @override
    def _next(self, snapshot: Snapshot) -> tuple[int | None, Doing]:
        waits = set(snapshot.playing.to_act)
        if self._dice.random() < 0.6 or waits <= set(snapshot.computers):
            return None, self._ask
        seat = self._dice.choice([seat for seat in snapshot.playing.to_act if seat not in snapshot.computers])
        state = snapshot.playing.state
        own = seat == self._pair.observer
        return self._acting(snapshot, seat, self._own_action(state, seat) if own else self._hidden_action(state, seat))

    async def _ask(self, side: Side) -> list[Any]:
        """Wait until a computer is asked, and let it answer. Returns what must be the same in both games."""
        due = await side.core.service(Computers).next_due()
        if due is None:
            return [None]
        side.clock.now = max(side.clock.now, due)
        question = await side.core.service(Computers).question(self._table)
        assert question is not None
        sees = question.seat == self._pair.observer
        self._doing = f"{question.kind} asked of seat {question.seat}"
        self._asked[question.kind, sees] += side is self._sides[0]
        thought = _thought(question) if sees else await self._dull(side, question)
        after = await side.core.service(Computers).answer(question, thought)
        assert after is not None
        known = [due, question.kind, question.seat, question.version, question.stream, question.person]
        if not sees:
            return known
        state = question.state
        return [*known, state.hands, state.draw_pile, question.memory, thought, hints(after, question.seat)]

    async def _dull(self, side: Side, question: Question) -> Thought | None:
        if question.kind is not QuestionKind.MOVE:
            return None
        snapshot = await side.core.snapshot(self._table)
        self._dice = random.Random(f"{self._pair.number} {snapshot.playing.version}")  # the same in both games
        return Thought(self._hidden_action(snapshot.playing.state, question.seat), 0.5)


def hints(snapshot: Snapshot, seat: int) -> Any:
    """The question behind a hint for a seat, if any."""
    if snapshot.history is None or seat not in snapshot.present or not may_take_hint(snapshot, seat):
        return None
    asked = hint_question(snapshot, seat)
    return asked.state.hands, asked.state.draw_pile, asked.memory, asked.stream


def _thought(question: Question) -> Thought | None:
    return (choose if question.kind is QuestionKind.MOVE else interrupt)(
        question.game_id, question.rules, question.level, question.state, question.seat, question.memory, question.stream
    )


@pytest.mark.slow
async def test_computers_are_asked_and_think_alike_whatever_others_hold(tmp_path: Path, pictures_as_drawn_from: None) -> None:
    sides = (await Mixed.opened(tmp_path / "here", Pucks), await Mixed.opened(tmp_path / "there", Pucks))
    asked: Asked = Counter()
    try:
        for number in PAIRS:
            await WithComputers(sides, number, asked).run()
    finally:
        for side in sides:
            await side.store.close()
    assert all(asked[kind, sees] > 1 for kind in (QuestionKind.MOVE, QuestionKind.INTERRUPT) for sees in (False, True)), asked


def test_what_is_imagined_of_hidden_cards_is_the_same_wherever_they_lie() -> None:
    game = Bunny()
    state = game.start(2, game.variants[0], Fair(bytes(32)))
    moved = resample(game, state, 0, Dice(random.Random(1)))
    assert moved.field != state.field, "cards lie elsewhere"
    one, other = [history_of(game, one) for one in (state, moved)]
    assert imagine(one, 0, "a").field == imagine(other, 0, "a").field
    assert imagine(one, 0, "a").field != imagine(one, 0, "b").field


def history_of(game: Game[Any, Any], state: Any) -> Any:
    """As much of a history as imagined worlds depend on."""
    return SimpleNamespace(game=game, state=state)
