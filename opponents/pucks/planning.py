"""Plans for a whole turn: the best of many ways through its actions, judged after the next player's answer.

This is a beam search. After each number of actions, only the most promising boards are continued, however they were reached.
The beam is widened until the budget is spent, and every plan goes through to the end of the turn. If the budget runs out within
a width, the result of the narrower search stands, unless as many plans as in that search were already answered.
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
"""The width of the first beam."""
WIDER: Final = 2
"""The factor by which the beam is widened each time."""
ANSWERED: Final = 3
"""The beam for the next player's answer is narrower by this factor."""
Shares = tuple[float, ...]


@dataclass(slots=True)
class Plan:
    """A way through a turn, or through the part of it that is planned.

    Attributes:
        look: the board at the end, and the first action.
        shares: each seat's chance to win then.
        before: the bits of all pieces before the last move. The next move may not lead back to them.
        moves: the moves after the first action.
    """

    look: Look
    shares: Shares
    before: Spots
    moves: tuple[Action, ...] = ()


class Planner:
    """The search for plans of the seat whose turn it is.

    Args:
        state: a state in which a seat has something to choose in its turn.
        answers: whether to work out the next player's answer.
        thorough: whether to consider moving mats.
        far: the most actions to plan, or None for the whole turn.
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
        """The number of boards visited so far."""
        return self.looking.looked

    def plans(self, budget: Budget) -> list[Plan]:
        """Return the best plan for each first action that was continued. The best plan comes first."""
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
        """Return the ends of the turn that were reached by continuing the most promising boards after each action."""
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
        """Yield the plan with every further move, unless the move leads to a board that was seen already."""
        look = plan.look
        after = look.after.after(1)
        for piece, side, spots in self.looking.motions(look.rink, look.spots, (seat, *look.lent)):
            key = look.rink, spots, after
            if key not in seen and spots != plan.before:
                seen.add(key)
                onward = Look(look.action, look.rink, spots, after, look.lent)
                move = (*self.looking.piece_tokens(piece), DIRECTIONS[side])
                yield Plan(onward, self.looking.seen(onward), look.spots, (*plan.moves, move))

    def _by_answers(self, ends: Sequence[Plan], width: int) -> tuple[list[Plan], int]:
        """Return the plans that were answered, the best first, and then the others; also return how many were answered."""
        number, answered = max(2, width // ANSWERED), list[Plan]()
        for plan in ends[:width]:
            shares = self._after_answer(plan.look, number)
            if self._is_spent():
                break  # an answer that was cut short makes a plan look better than it is
            answered.append(replace(plan, shares=shares))
        answered.sort(key=lambda plan: -plan.shares[self.seat])
        return [*answered, *ends[len(answered) :]], len(answered)

    def _after_answer(self, look: Look, width: int) -> Shares:
        now = look.after
        if not now.order or not self.looking.company.distances(look.rink, look.spots)[now.seat]:
            return self.looking.seen(look)
        seat, *rest = now.order
        turn = Situation(seat, now.rule, now.rule, (*rest, now.seat), now.held)
        start = Look((), look.rink, look.spots, turn)
        ends = self._through([Plan(start, self.looking.seen(start), start.spots)], seat, width)
        return max(ends, key=lambda plan: plan.shares[seat]).shares


def _best_each(plans: Iterable[Plan], seat: int) -> list[Plan]:
    best: dict[Action, Plan] = {}
    for plan in plans:
        known = best.get(plan.look.action)
        if known is None or plan.shares[seat] > known.shares[seat]:
            best[plan.look.action] = plan
    return sorted(best.values(), key=lambda plan: -plan.shares[seat])
