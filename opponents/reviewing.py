"""Looking back on a game, and advice in one: what worker processes are asked for it, and what its figures mean.

A review follows how likely everybody was to win after each step (`assess`), and what each choice gave away (`judge`). How much
it thinks about each is chosen so that a usual game takes a minute or so of one core.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from engines.chance import UNSEEDED
from engines.game import Action, Game
from engines.text import Text
from opponents import Budget, Judgement, Level, Memory, Opponent, Thought, opponent

REVIEWER: Final = 1
"""The version of these findings. Reviews by another version are made anew."""

LEVEL: Final = Level.HARD
SHARE: Final = 2.0
"""How well a review thinks about a choice: at which level, and for how many times that level's budget."""

GLANCE: Final = 1.0
"""For how many times that budget it thinks about how everybody stands."""


class Slip(StrEnum):
    """What a choice is called that gave something away."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


FROM: Final[Mapping[Slip, float]] = {Slip.BLUNDER: 0.20, Slip.MISTAKE: 0.10, Slip.INACCURACY: 0.05}
"""How much of the chance to win a slip of each kind gives away, at least."""

_ROUNDING: Final = 1e-9


def slip_of(lost: float) -> Slip | None:
    """What a choice is called that gave away so much of the chance to win, 0 to 1; None: it was good enough."""
    return next((slip for slip, least in FROM.items() if lost >= least - _ROUNDING), None)


def accuracy_of(lost: float) -> float:
    """How accurate a choice was, 0 to 1: 1 if it gave nothing away.

    The curve is that of lichess, fitted to what players of chess take for accurate: https://lichess.org/page/accuracy.
    """
    return min(1.0, max(0.0, (103.1668 * math.exp(-0.04354 * 100 * lost) - 3.1669) / 100))


def luck_of(before: float, after: float, lost: float) -> float:
    """What luck has made of an action at which something was drawn, as a part of the chance to win, -1 to 1.

    Before it the chance was `before`, with the best choice; the choice that was made gave away `lost` of that, and the rest of
    the difference to the chance afterwards was luck.
    """
    return after - before + lost


def only_way(game: Game[Any, Any], state: Any, seat: int) -> bool:
    """Whether a seat has just one legal action, so that there is nothing to choose."""
    action: Action = ()
    while True:
        offered = game.choices(state, seat, action)
        if len(offered) != 1:
            return False
        (only,) = offered
        action = (*action, only.token)
        if only.final:
            return not game.choices(state, seat, action)


# --- what is asked --------------------------------------------------------------------------------------------------------


def assess(game_id: str, rules: int, state: Any, memory: Memory, stream: str) -> tuple[float, ...]:
    """How likely each seat is to win, by what everybody knows; see `Opponent.assess`."""
    player = opponent(game_id, LEVEL, rules)
    return player.assess(undrawn(state), _part(player, GLANCE), memory, stream)


def judge(game_id: str, rules: int, state: Any, seat: int, action: Action, memory: Memory, stream: str) -> Judgement:
    """What an action was worth beside the best one, by what its seat could know; see `Opponent.judge`."""
    player = opponent(game_id, LEVEL, rules)
    return player.judge(undrawn(state), seat, action, _part(player, SHARE), memory, stream)


@dataclass(frozen=True, slots=True)
class Advice:
    """The action that a player is advised to play, and the reason."""

    thought: Thought
    reason: Text


def advise(game_id: str, rules: int, state: Any, seat: int, memory: Memory, stream: str) -> Advice:
    """The best action of a seat that the game waits for."""
    player, state = opponent(game_id, Level.EXPERT, rules), undrawn(state)
    thought = player.choose(state, seat, memory=memory, stream=stream)
    return Advice(thought, player.reason(state, seat, thought, memory))


def undrawn(state: Any) -> Any:
    """A state without the stream of its game, of which nobody who thinks about it may know anything."""
    return replace(state, chance=UNSEEDED)


def _part(player: Opponent[Any], share: float) -> Budget:
    whole = player.budgets[player.level]
    return replace(whole, nodes=max(1, round(whole.nodes * share)))
