"""Looking back on a game, and advice in one: the questions to worker processes, and the meaning of their figures.

A review follows each seat's chance to win after each step (`assess`), and the part that each choice gave away (`judge`). Its
thought about each is chosen so that a usual game takes a minute or so of one core.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import pstdev
from typing import Any, Final

from engines.chance import UNSEEDED
from engines.game import Action, Game
from engines.text import Text
from opponents import Budget, Judgement, Level, Memory, Opponent, Thought, opponent

REVIEWER: Final = 2
"""The version of these findings. Reviews by another version are made anew."""

LEVEL: Final = Level.EXPERT
SHARE: Final = 1.0
"""The thought of a review about a choice: the level, and the multiple of that level's budget."""

GLANCE: Final = 0.25
"""The thought about the chances after a step, as a multiple of that budget."""


class Slip(StrEnum):
    """The kinds of choices that gave something away."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


FROM: Final[Mapping[Slip, float]] = {Slip.BLUNDER: 0.20, Slip.MISTAKE: 0.10, Slip.INACCURACY: 0.05}
"""The least part of the chance to win that a slip of each kind gives away."""

_ROUNDING: Final = 1e-9


def slip_of(lost: float) -> Slip | None:
    """Return the kind of a choice that gave away this much of the chance to win, 0 to 1; None: it was good enough."""
    return next((slip for slip, least in FROM.items() if lost >= least - _ROUNDING), None)


def accuracy_of(lost: float) -> float:
    """Return the accuracy of a choice, 0 to 1: 1 if it gave nothing away.

    The curve is that of lichess, fitted to the judgement of chess players: https://lichess.org/page/accuracy.
    """
    return min(1.0, max(0.0, (103.1668 * math.exp(-0.04354 * 100 * lost) - 3.1669) / 100))


def accuracy_of_game(choices: Sequence[tuple[float, float]]) -> float | None:
    """Return the accuracy of a player's game, 0 to 1; None without choices.

    As on lichess, it is the mean of the weighted and of the harmonic mean. The first counts what was decided in a tense
    moment for more, the second does not let many good choices hide a blunder.

    Args:
        choices: the accuracy of each choice, 0 to 1, and its weight: how tense the moment was (`tension`).
    """
    if not choices:
        return None
    weighted = sum(accuracy * weight for accuracy, weight in choices) / sum(weight for _, weight in choices)
    harmonic = len(choices) / sum(1 / max(0.01, accuracy) for accuracy, _ in choices)
    return (weighted + harmonic) / 2


def tension(chances: Sequence[float], place: int) -> float:
    """Return how tense a game was at one of its steps: how far a player's chance to win moved about before it and with it.

    That is the standard deviation of the last chances, of a tenth of the game but at least two and at most eight, and from
    0.005 to 0.12.

    Args:
        chances: the player's chance to win after each step, that at the start before them.
        place: which of them is the one after the step, 1 or more.
    """
    window = min(8, max(2, (len(chances) - 1) // 10))
    first = max(0, place + 1 - window)
    return min(0.12, max(0.005, pstdev(chances[first : max(place + 1, window)])))


def luck_of(before: float, after: float, lost: float) -> float:
    """Return the luck of an action at which something was drawn, as a part of the chance to win, -1 to 1.

    Before it the chance was `before`, with the best choice. The choice made gave away `lost` of that; the rest of the change
    was luck.
    """
    return after - before + lost


def only_way(game: Game[Any, Any], state: Any, seat: int) -> bool:
    """Return whether a seat has just one legal action, so that there is nothing to choose."""
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
    """Return each seat's chance to win, by common knowledge; see `Opponent.assess`."""
    player = opponent(game_id, LEVEL, rules)
    return player.assess(undrawn(state), _part(player, GLANCE), memory, stream)


def judge(game_id: str, rules: int, state: Any, seat: int, action: Action, memory: Memory, stream: str) -> Judgement:
    """Compare an action with the best one, by what its seat could know; see `Opponent.judge`."""
    player = opponent(game_id, LEVEL, rules)
    return player.judge(undrawn(state), seat, action, _part(player, SHARE), memory, stream)


@dataclass(frozen=True, slots=True)
class Advice:
    """The action that a player is advised to play, and the reason."""

    thought: Thought
    reason: Text


def advise(game_id: str, rules: int, state: Any, seat: int, memory: Memory, stream: str) -> Advice:
    """Return the best action of a seat that the game waits for, and the reason."""
    player, state = opponent(game_id, Level.EXPERT, rules), undrawn(state)
    thought = player.choose(state, seat, memory=memory, stream=stream)
    return Advice(thought, player.reason(state, seat, thought, memory))


def consult(game_id: str, rules: int, state: Any, seat: int, memory: Memory, stream: str) -> tuple[Advice, tuple[float, ...]]:
    """Return the best action of a seat that the game waits for, and each seat's chance to win, as far as that seat knows."""
    advice = advise(game_id, rules, state, seat, memory, stream)
    return advice, assess(game_id, rules, state, memory, stream)


def undrawn(state: Any) -> Any:
    """Return a state without the stream of its game, which an imagined game must not draw from."""
    return replace(state, chance=UNSEEDED)


def _part(player: Opponent[Any], share: float) -> Budget:
    whole = player.budgets[player.level]
    return replace(whole, nodes=max(1, round(whole.nodes * share)))
