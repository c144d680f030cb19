"""Reviews of finished games and advice during a game: the questions to worker processes, and what their figures mean.

A review follows each seat's chance to win after each step (`assess`), and what each choice gave away (`judge`). It spends so
much thought on each that a usual game takes about a minute of one core.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from statistics import pstdev
from typing import Any, Final

from engines.chance import UNSEEDED
from engines.game import Action, Game, Step, foresee
from engines.text import Text
from opponents import Budget, Judgement, Level, Memory, Opponent, Thought, opponent, seat_memory
from opponents.contract import Loss, judgement
from opponents.dice import Dice

REVIEWER: Final = 5
"""The version of the findings. Reviews by another version are made anew."""
LEVEL: Final = Level.EXPERT
SHARE: Final = 1.0
"""The thought that a review spends on a choice, as a multiple of the budget of `LEVEL`."""
CONFIRMING: Final = (3.0, 8.0)
"""The thought spent to confirm a loss, as multiples of the budget of `LEVEL`. Each is tried if the one before is not enough."""
DOUBTED_FROM: Final = 0.025
"""The loss from which a choice is thought about again. It is half a slip, since the first look may be wrong by as much."""
GLANCE: Final = 0.25
"""The thought that is spent on the chances after a step, as a multiple of the budget of `LEVEL`."""


class Slip(StrEnum):
    """A kind of choice that gave something away."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


FROM: Final[Mapping[Slip, float]] = {Slip.BLUNDER: 0.20, Slip.MISTAKE: 0.10, Slip.INACCURACY: 0.05}
"""The least part of the chance to win that a slip of each kind gives away."""


class Praise(StrEnum):
    """A kind of choice that was hard to find, where every other choice would have given something away."""

    GREAT = "great"
    BRILLIANT = "brilliant"


EARNED: Final[Mapping[Praise, tuple[Level, Slip]]] = {
    Praise.BRILLIANT: (Level.HARD, Slip.BLUNDER),
    Praise.GREAT: (Level.MEDIUM, Slip.MISTAKE),
}
"""For each kind of praise, the level that must miss the choice, and the least kind of slip that every other choice must be."""
_ROUNDING: Final = 1e-9


def slip_of(lost: float) -> Slip | None:
    """Return the kind of slip that gives away this much of the chance to win, 0 to 1, or None if the choice was good enough."""
    return next((slip for slip, least in FROM.items() if lost >= least - _ROUNDING), None)


def accuracy_of(lost: float) -> float:
    """Return the accuracy of a choice, 0 to 1. It is 1 if the choice gave nothing away.

    The curve is lichess's, fitted to the judgement of chess players: https://lichess.org/page/accuracy.
    """
    return min(1.0, max(0.0, (103.1668 * math.exp(-0.04354 * 100 * lost) - 3.1669) / 100))


def accuracy_of_game(choices: Sequence[tuple[float, float]]) -> float | None:
    """Return the accuracy of a player's game, 0 to 1, or None if there were no choices.

    As on lichess, it is the mean of the weighted mean and the harmonic mean of the accuracies. The first gives tense moments
    more weight; the second does not let many good choices hide a blunder. Each choice comes as its accuracy, 0 to 1, and its
    weight (`tension`).
    """
    if not choices:
        return None
    weighted = sum(accuracy * weight for accuracy, weight in choices) / sum(weight for _, weight in choices)
    harmonic = len(choices) / sum(1 / max(0.01, accuracy) for accuracy, _ in choices)
    return (weighted + harmonic) / 2


def tension(chances: Sequence[float], place: int) -> float:
    """Return how tense a game was at a step: how much a player's chance to win varied up to and including the step.

    This is the standard deviation, kept between 0.005 and 0.12, of the last chances: a tenth of the game, at least two and at
    most eight. `chances` begin at the start of the game; the one at `place` is after the step.
    """
    window = min(8, max(2, (len(chances) - 1) // 10))
    first = max(0, place + 1 - window)
    return min(0.12, max(0.005, pstdev(chances[first : max(place + 1, window)])))


def luck_of(before: Sequence[float], after: Sequence[float], seat: int, lost: float) -> tuple[float, ...]:
    """Return what the luck of a draw was worth to each seat, as parts of the chance to win.

    Before the action the chances were `before`, assuming the best choice. The choice of `seat` gave away `lost` of its own
    chance, in equal parts to the others. The rest of the change was luck. All seats' luck adds up to zero, as their chances add
    up to one, so in the end nobody's luck comes from a wrong estimate of a draw.
    """
    others = max(1, len(before) - 1)
    gained = [-lost if each == seat else lost / others for each in range(len(before))]
    return tuple(now - then - part for then, now, part in zip(before, after, gained, strict=True))


def only_way(game: Game[Any, Any], state: Any, seat: int) -> bool:
    """Return whether a seat has exactly one legal action."""
    action: Action = ()
    while True:
        offered = game.choices(state, seat, action)
        if len(offered) != 1:
            return False
        (only,) = offered
        action = (*action, only.token)
        if only.final:
            return not game.choices(state, seat, action)


# --- questions ------------------------------------------------------------------------------------------------------------


def assess(game_id: str, rules: int, state: Any, memory: Memory, stream: str) -> tuple[float, ...]:
    """Return each seat's chance to win by what everybody knows; see `Opponent.assess`."""
    player = opponent(game_id, LEVEL, rules)
    return player.assess(undrawn(state), _part(player, GLANCE), memory, stream)


@dataclass(frozen=True, slots=True)
class ReviewedAction(Judgement):
    """A review's judgement of an action, with the praise that the action has earned, if any."""

    praise: Praise | None = None


def judge(game_id: str, rules: int, state: Any, seat: int, action: Action, memory: Memory, stream: str) -> ReviewedAction:
    """Compare an action with the best one, by what its seat could know; see `Opponent.judge`.

    An action that seems to give something away (`DOUBTED_FROM`), surely or not, is thought about once more with new draws,
    because among many choices some look bad by bad luck alone.
    """
    player, state, praise = opponent(game_id, LEVEL, rules), undrawn(state), None
    found = player.judge(state, seat, action, _part(player, SHARE), memory, stream)
    seems = found if found.doubt is None else Judgement(found.doubt, found.played)
    if seems.lost >= DOUBTED_FROM:
        found = confirmed(seems, _look_again(player, state, seat, (seems.best.action, action), memory, stream))
    elif not found.lost and seat in player.game.to_act(state):
        praise = _praise(player, state, seat, found.played, memory, stream)
    return ReviewedAction(found.best, found.played, praise=praise)


def _look_again(
    player: Opponent[Any],
    state: Any,
    seat: int,
    actions: tuple[Action, Action],
    memory: Memory,
    stream: str,
    shares: Sequence[float] = CONFIRMING,
) -> Loss:
    """Compare two actions with more and more thought, until it is plain whether the second is a slip or no thought is left."""
    for share in shares:
        loss = player.compare(state, seat, actions, _part(player, share), memory, f"{stream} again {share}")
        if slip_of(loss.mean) is None or slip_of(loss.least) is not None:
            break
    return loss


def _praise(player: Opponent[Any], state: Any, seat: int, played: Thought, memory: Memory, stream: str) -> Praise | None:
    """Return the praise for an action that gave nothing away; see `EARNED`. Most actions soon turn out to be easy to find."""
    if not _misses(player, Level.MEDIUM, state, seat, played.action, memory, stream):
        return None
    rival = player.rival(state, seat, played.action, _part(player, GLANCE), memory, f"{stream} rival")
    if rival is None or played.chance_to_win - rival.chance_to_win < FROM[EARNED[Praise.GREAT][1]]:
        return None
    actions = played.action, rival.action
    loss = player.compare(state, seat, actions, _part(player, SHARE), memory, f"{stream} alone")
    for kind, (level, slip) in EARNED.items():
        if loss.least >= FROM[slip] and _misses(player, level, state, seat, played.action, memory, stream):
            return kind
    return None


def _misses(player: Opponent[Any], level: Level, state: Any, seat: int, action: Action, memory: Memory, stream: str) -> bool:
    """Return whether a level chooses another action than this one, with another result."""
    chosen = type(player)(player.game, level).choose(state, seat, memory=memory, stream=f"{stream} {level}").action
    one, other = (foresee(player.game, state, seat, each) for each in (chosen, action))
    return chosen != action and (one is None or other is None or one.state != other.state)


def confirmed(found: Judgement, loss: Loss) -> Judgement:
    """Return a judgement with its loss corrected by a closer comparison."""
    return judgement(found.best, found.played, _counted_loss(loss))


def _counted_loss(loss: Loss) -> float:
    """Return the part of the chance to win that counts as lost, 0 to 1.

    It is the mean if the mean is a slip and something was surely lost, otherwise the part that was surely lost.
    """
    return max(0.0, loss.mean if slip_of(loss.mean) is not None and loss.least > 0 else loss.least)


@dataclass(frozen=True, slots=True)
class SecondTry:
    """What another action would have been worth in place of a slip.

    Attributes:
        lost: the part of the chance to win that it gives away against the better action, 0 to 1.
        reply: the other side's answer to it. It is None if the action is no slip, or if the answer depends on what the
            answering seat cannot know.
        reason: why the better action is better, given for a slip without a reply.
    """

    lost: float
    reply: tuple[int, Action] | None = None
    reason: Text | None = None


def try_again(
    game_id: str, rules: int, state: Any, seat: int, better: Thought, action: Action, memory: Memory, stream: str
) -> SecondTry:
    """Compare an action with the better one that a review has found, by what its seat could know.

    A person is waiting for the result, so an action counts as good enough unless some thought shows plainly that it is not.
    """
    player, state = opponent(game_id, LEVEL, rules), undrawn(state)
    loss = _look_again(player, state, seat, (better.action, action), memory, stream, (SHARE, CONFIRMING[0]))
    lost = _counted_loss(loss)
    if slip_of(lost) is None:
        return SecondTry(lost)
    game = player.game
    step = None if game.secret or game.memory else foresee(game, state, seat, action)
    if step is not None and (waiting := game.to_act(step.state)) and waiting[0] != seat:
        reply = player.choose(undrawn(step.state), waiting[0], _part(player, GLANCE), (), f"{stream} reply").action
        return SecondTry(lost, reply=(waiting[0], reply))
    return SecondTry(lost, reason=player.reason(state, seat, better, memory))


@dataclass(frozen=True, slots=True)
class Advice:
    """The action that a player is advised to play, and the reason if there is one."""

    thought: Thought
    reason: Text | None


def advise(game_id: str, rules: int, state: Any, seat: int, memory: Memory, stream: str) -> Advice:
    """Return the best action of a seat that the game waits for, together with the reason; see `Opponent.advise`."""
    player, state = opponent(game_id, Level.EXPERT, rules), undrawn(state)
    thought = player.advise(state, seat, memory=memory, stream=stream)
    return Advice(thought, player.reason(state, seat, thought, memory))


def consult(game_id: str, rules: int, state: Any, seat: int, memory: Memory, stream: str) -> tuple[Advice, tuple[float, ...]]:
    """Return the best action of a seat that the game waits for, and each seat's chance to win, as far as that seat knows."""
    advice = advise(game_id, rules, state, seat, memory, stream)
    return advice, assess(game_id, rules, state, memory, stream)


EXAMPLE: Final = 4
"""The most actions in an example."""


@dataclass(frozen=True, slots=True)
class Example:
    """A way in which a game could have gone on: its first state, and then the seats, their actions and the results."""

    first: Any
    steps: tuple[tuple[int, Action, Step[Any]], ...]


def play_example(
    game_id: str, rules: int, state: Any, seat: int, action: Action, memories: Sequence[Memory], stream: str
) -> Example:
    """Play an action and what would likely have followed, with the cards as they lie. The dice are drawn from `stream`.

    All seats play what they think best by what they know; `memories` are their memories.
    """
    player, state = opponent(game_id, LEVEL, rules), undrawn(state)
    game, dice = player.game, Dice(Random(stream))  # noqa: S311 - not a draw of the game
    steps: list[tuple[int, Action, Step[Any]]] = []
    budget, first = _part(player, GLANCE), state
    while len(steps) < EXAMPLE:
        if steps:
            if not (waiting := game.to_act(state)):
                break
            seat = waiting[0]
            seen = (*memories[seat], *seat_memory(game, seat, [(actor, step) for actor, _, step in steps]))
            action = player.choose(state, seat, budget, seen, f"{stream} {len(steps)}").action
        step = game.play(replace(state, chance=dice), seat, action)
        step = replace(step, state=undrawn(step.state))
        steps.append((seat, action, step))
        state = step.state
    return Example(first, tuple(steps))


def undrawn(state: Any) -> Any:
    """Return a state without the stream of its game, because an imagined game must not draw from that stream."""
    return replace(state, chance=UNSEEDED)


def _part(player: Opponent[Any], share: float) -> Budget:
    whole = player.budgets[player.level]
    return replace(whole, nodes=max(1, round(whole.nodes * share)), seconds=whole.seconds * max(1.0, share))
