"""Planning a whole turn: the best of many ways through all its actions, and what the next player makes of the board it leaves.

A beam search: of the boards after each number of actions, only the most promising are gone on from, however they were come to.
It is made wider and wider until the budget is spent, so that it is as wide as there is time, and every plan goes through to the
end of the turn. Where the budget ends within a width, what the narrower search has found stands, unless as much was answered
again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import thread_time
from typing import Final

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS
from engines.pucks.board.state import State
from opponents.contract import Budget
from opponents.pucks.outlook import Situation
from opponents.pucks.rink import Rink, Spots
from opponents.pucks.ways import Look, Looking

FIRST_WIDTH: Final = 3
"""How many boards are gone on from at first."""

WIDER: Final = 2
"""How many times as many they are the next time."""

ANSWERED: Final = 3
"""Of how many plans the answers are looked at, for each board that is gone on from."""

Shares = tuple[float, ...]


@dataclass(slots=True)
class Plan:
    """A way through a turn, or through the planned part of it.

    Attributes:
        look: the board that it leads to, and the action that it begins with.
        shares: how likely each seat is to win then.
        before: where everything stood before the last move: the next one may not lead back there.
        moves: the moves after the first action.
    """

    look: Look
    shares: Shares
    before: Spots
    moves: tuple[Action, ...] = ()


class Planner:
    """Plans for the seat whose turn it is.

    Attributes:
        nodes: how many boards have been looked at.

    Args:
        state: a state in which a seat has something to choose in its turn.
        answers: whether to look at what the next player can do.
        thorough: whether to think of moving mats.
        far: how many actions to plan at most; None: the whole turn.
    """

    def __init__(self, state: State, *, answers: bool = False, thorough: bool = True, far: int | None = None) -> None:
        self.looking = Looking(state)
        self.seat = state.to_move
        self._answers = answers
        self._far = far
        self._limit, self._until = 0, 0.0
        before = self.looking.spots
        begun = [Plan(look, self.looking.seen(look), before) for look in self.looking.looks(thorough)]
        self._begun = sorted(begun, key=lambda plan: -plan.shares[self.seat])

    @property
    def nodes(self) -> int:
        """How many boards have been looked at."""
        return self.looking.looked

    def plans(self, budget: Budget) -> list[Plan]:
        """The best plan for each first action that was gone on from, the best first."""
        width, best = 0, _best_each(self._begun, self.seat)
        self._limit, self._until = budget.nodes, thread_time() + budget.seconds
        while not self._is_spent() and best and width <= WIDER * len(self._begun):
            before, width = width, width * WIDER or FIRST_WIDTH
            found = _best_each(self._through(self._begun, self.seat, width), self.seat)
            if self._answers and not (before and self._is_spent()):
                found, answered = self._by_answers(found, width)
            else:
                answered = 0
            if before and self._is_spent() and answered < min(before, len(best)):
                break
            best = found
        return best

    def _is_spent(self) -> bool:
        return self.nodes >= self._limit or thread_time() > self._until

    def _through(self, begun: Iterable[Plan], seat: int, width: int) -> list[Plan]:
        """Every end of the turn that is come to, from the most promising boards after each action."""
        ends: list[Plan] = []
        beam, seen, done = list(begun), set[tuple[Rink, Spots, Situation]](), 1
        while beam:
            if done == self._far:
                return [*ends, *beam]
            done += 1
            going = [plan for plan in beam if plan.look.after.left > 0 and plan.shares[seat] < 1]
            ends += [plan for plan in beam if plan.look.after.left <= 0 or plan.shares[seat] >= 1]
            going.sort(key=lambda plan: -plan.shares[seat])
            beam = []
            for plan in going[:width]:
                if self._is_spent():
                    return [*ends, *going]
                beam += self._onward(plan, seat, seen)
            if not beam:
                ends += going[:width]
        return ends

    def _onward(self, plan: Plan, seat: int, seen: set[tuple[Rink, Spots, Situation]]) -> Iterator[Plan]:
        """Every further move, unless it leads to a board that has been seen."""
        look = plan.look
        after = look.after.after(1)
        for piece, side, spots in self.looking.motions(look.rink, look.spots, (seat, *look.lent)):
            key = look.rink, spots, after
            if key not in seen and spots != plan.before:
                seen.add(key)
                onward = Look(look.action, look.rink, spots, after, look.lent)
                move = (*self.looking.piece_tokens(piece), DIRECTIONS[side])
                yield Plan(onward, self.looking.seen(onward), look.spots, (*plan.moves, move))

    # --- what the next player does ------------------------------------------------------------------------------------

    def _by_answers(self, ends: Sequence[Plan], width: int) -> tuple[list[Plan], int]:
        """The most promising plans by what the next player leaves of them, then the others; and how many were."""
        number, answered = max(2, width // ANSWERED), list[Plan]()
        for plan in ends[:width]:
            shares = self._after_answer(plan.look, number)
            if self._is_spent():
                break  # an answer that was cut short makes a plan look better than it is
            answered.append(replace(plan, shares=shares))
        answered.sort(key=lambda plan: -plan.shares[self.seat])
        return [*answered, *ends[len(answered) :]], len(answered)

    def _after_answer(self, look: Look, width: int) -> Shares:
        """How likely each seat is to win after the best turn of the next player."""
        now = look.after
        if not now.order or not self.looking.company.distances(look.rink, look.spots)[now.seat]:
            return self.looking.seen(look)
        seat, *rest = now.order
        turn = Situation(seat, now.rule, now.rule, (*rest, now.seat), now.held)
        start = Look((), look.rink, look.spots, turn)
        ends = self._through([Plan(start, self.looking.seen(start), start.spots)], seat, width)
        return max(ends, key=lambda plan: plan.shares[seat]).shares


def _best_each(plans: Iterable[Plan], seat: int) -> list[Plan]:
    """The best plan for each first action, the best first."""
    best: dict[Action, Plan] = {}
    for plan in plans:
        known = best.get(plan.look.action)
        if known is None or plan.shares[seat] > known.shares[seat]:
            best[plan.look.action] = plan
    return sorted(best.values(), key=lambda plan: -plan.shares[seat])
