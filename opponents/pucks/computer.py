"""The computer player of Puck Bumpers."""

from dataclasses import replace
from random import Random
from statistics import fmean
from typing import ClassVar, Final

from typing_extensions import override

from engines.game import Action, is_whole, passive_action
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.pucks.cards import cards
from engines.pucks.play import turns
from engines.text import Text
from opponents.contract import (
    Budget,
    Judgement,
    Level,
    Loss,
    Memory,
    Opponent,
    Thought,
    sampled_judgement,
    sampled_loss,
    shares,
)
from opponents.pucks.beginner import EYES, beginner, place
from opponents.pucks.imagining import imagine, onward, simple
from opponents.pucks.outlook import outlook
from opponents.pucks.planning import Plan, Planner
from opponents.pucks.saying import reason

PLANNED: Final = 625
"""The boards visited by a plan that shows what an action leads to. A smaller plan may miss what decides the next turn."""
ASSESSED: Final = 12
"""The number of worlds imagined for an assessment."""
MARGIN: Final = 0.03
"""The least amount by which a card played out of turn has to raise the chance to win."""
OUT_OF_TURN: Final = ("whistle", "u-turn")

_FAR: Final = {Level.HARD: 2, Level.EXPERT: None}
"""The most actions of a turn that a level plans, or None for the whole turn. Levels not listed look at a single action."""


class PucksComputer(Opponent[State]):
    """The computer player of Puck Bumpers.

    It looks for the best way through its whole turn, and considers the next player's answer. The lower levels look at a single
    action and at their own pucks. A beginner sees only goals that are near, and overlooks what takes more than the slide of one
    piece.
    """

    budgets: ClassVar[dict[Level, Budget]] = {
        Level.EASY: Budget(1),
        Level.MEDIUM: Budget(1),
        Level.HARD: Budget(1_300),
        Level.EXPERT: Budget(10_000),
    }

    @override
    def _choose(self, state: State, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        if state.phase is Phase.PLACE:
            return Thought(place(state, seat), self._chance(state, seat))
        if not self._plans_turn(state, seat):
            answer = None if state.winning else self._interrupt(state, seat, budget, memory, rng)
            return answer or Thought(simple(state, seat) or self._any(state, seat, rng), self._chance(state, seat))
        if (eye := EYES.get(self.level)) is not None:
            return Thought(beginner(state, eye, rng) or self._any(state, seat, rng), self._chance(state, seat))
        planner = self._planner(state)
        plans = planner.plans(budget)
        if not plans:
            return Thought(self._any(state, seat, rng), self._chance(state, seat))
        return _thought_of(plans[0], seat, planner.nodes)

    def _planner(self, state: State) -> Planner:
        expert = self.level is Level.EXPERT
        return Planner(state, answers=expert, thorough=expert, far=_FAR.get(self.level))

    def _any(self, state: State, seat: int, rng: Random) -> Action:
        """Return the action to play if nothing speaks for any other: the one that is played for an absent player."""
        return passive_action(self.game, state, seat, rng)

    def _chance(self, state: State, seat: int) -> float:
        ended = shares(self.game, state)
        return (outlook(state) if ended is None else ended)[seat]

    @override
    def _interrupt(self, state: State, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        if self.level is Level.EASY or state.phase is Phase.PLACE or (state.winning and state.winning[0] == seat):
            return None
        world = imagine(self.game, state, seat, rng)
        now, best = self._chance(state, seat) + MARGIN, None
        for held in OUT_OF_TURN:
            if cards.is_playable_alone(state, seat, held):
                action = ("play", held)
                chance = self._chance(self.game.advance(world, seat, action), seat)
                if chance > now:
                    now, best = chance, Thought(action, chance, ((seat, action),), 2)
        return best

    @override
    def _judge(self, state: State, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Judgement:
        """Compare the action with the best other one, even if plans prefer it, because plans end with the next answer."""
        best = played = Thought(action, self._chance(state, seat), ((seat, action),), budget.nodes)
        if self._plans_turn(state, seat):
            best = self._rival(state, seat, action, budget, memory, rng) or played
        else:
            ask = self._choose if seat in turns.to_act(state) else self._interrupt
            best = ask(state, seat, budget, memory, rng) or played
        if best.action == action:
            return Judgement(best, best)
        pairs = self._played_on(state, seat, (best.action, action), replace(budget, nodes=2 * budget.nodes), rng)
        told = replace(played, chance_to_win=fmean(worse for _, worse in pairs))
        return sampled_judgement(best, told, [better - worse for better, worse in pairs])

    @override
    def _compare(
        self, state: State, seat: int, actions: tuple[Action, Action], budget: Budget, memory: Memory, rng: Random
    ) -> Loss:
        return sampled_loss([better - worse for better, worse in self._played_on(state, seat, actions, budget, rng)])

    @override
    def _rival(self, state: State, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        if not self._plans_turn(state, seat):
            return None
        planner = self._planner(state)
        best = next((plan for plan in planner.plans(budget) if plan.look.action != action), None)
        return None if best is None else _thought_of(best, seat, planner.nodes)

    def _plans_turn(self, state: State, seat: int) -> bool:
        """Return whether a seat plans now, because there is more to choose in its turn than a simple rule can decide."""
        return state.phase is Phase.ACT and not state.winning and seat == state.to_move

    def _played_on(
        self, state: State, seat: int, actions: tuple[Action, Action], budget: Budget, rng: Random
    ) -> list[tuple[float, float]]:
        """Return a seat's chances to win after each of two actions, in as many worlds as the budget allows.

        Both actions are played on in the same worlds to the end of the turn, and judged by a plan for the next turn.
        """
        worlds = max(2, budget.nodes // (4 * PLANNED))
        each = Budget(max(1, budget.nodes // (4 * worlds)), budget.seconds / (4 * worlds))
        streams = [str(rng.getrandbits(64)) for _ in range(worlds)]
        one, other = (
            [self._share_after(state, seat, action, each, self._rng(stream)) for stream in streams] for action in actions
        )
        return list(zip(one, other, strict=True))

    def _share_after(self, state: State, seat: int, action: Action, budget: Budget, rng: Random) -> float:
        """Return a seat's chance to win in one world, after an action and the rest of the turn, by a plan for what follows."""
        world = onward(self.game, self.game.advance(imagine(self.game, state, seat, rng), seat, action))
        return self._after_plan(self._after_turn(world, state.to_move, budget, rng), budget)[seat]

    def _after_turn(self, world: State, acting: int, budget: Budget, rng: Random) -> State:
        """Play the rest of a seat's turn, if any, by a plan. If a draw of cards thwarts the plan, a new one is made."""
        while world.phase is Phase.ACT and world.to_move == acting and turns.to_act(world):
            plans = self._planner(world).plans(budget)
            first, *moves = (plans[0].look.action, *plans[0].moves) if plans else (self._any(world, acting, rng),)
            world = onward(self.game, self.game.advance(world, acting, first))
            for move in moves:
                if world.phase is not Phase.ACT or world.to_move != acting or not is_whole(self.game, world, acting, move):
                    break
                world = onward(self.game, self.game.advance(world, acting, move))
        return world

    @override
    def _assess(self, state: State, budget: Budget, memory: Memory, rng: Random) -> tuple[float, ...]:
        """Return the mean outlook of several worlds. A plan for the next turn alone would be too sure of itself."""
        found = [outlook(imagine(self.game, state, None, rng)) for _ in range(ASSESSED)]
        return tuple([fmean(several) for several in zip(*found, strict=True)])

    def _after_plan(self, world: State, budget: Budget) -> tuple[float, ...]:
        ended = shares(self.game, world)
        if ended is not None:
            return ended
        if world.phase is not Phase.ACT:
            return outlook(world)
        plans = self._planner(world).plans(budget)
        return plans[0].shares if plans else outlook(world)

    @override
    def _reason(self, state: State, seat: int, thought: Thought, memory: Memory) -> Text | None:
        world = imagine(self.game, state, seat, self._rng(""))
        states = [self.game.advance(world, seat, thought.action)]
        for other, action in thought.line[1:]:
            if other != seat or states[-1].to_move != seat or not is_whole(self.game, states[-1], seat, action):
                break
            states.append(self.game.advance(states[-1], seat, action))
        return reason(state, states, seat, thought.action)


def _thought_of(plan: Plan, seat: int, nodes: int) -> Thought:
    line = tuple((seat, action) for action in (plan.look.action, *plan.moves))
    return Thought(plan.look.action, plan.shares[seat], line, nodes)
