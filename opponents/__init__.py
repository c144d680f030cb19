"""Computer opponents. Like the engines they are pure: they have no input or output, and know neither Discord nor an event loop.

Everything goes through `opponent`. A game's opponent is a module named after the game, and has one line in `_OPPONENTS`. A game
without one is played by `opponents.playouts`.
"""

from collections.abc import Mapping
from typing import Any, Final

from engines import GAMES, rules_of
from opponents.bouncers import BouncersOpponent
from opponents.bunny import BunnyOpponent
from opponents.contract import LEVELS, Budget, Judgement, Level, Memory, Opponent, Seen, Thought, seat_memory, shares
from opponents.playouts import Playouts
from opponents.pucks import PucksComputer
from opponents.trampoline import TrampolineOpponent

__all__ = [
    "LEVELS", "Budget", "Judgement", "Level", "Memory", "Opponent", "Seen", "Thought", "opponent", "seat_memory", "shares",
]  # fmt: skip

_OPPONENTS: Final[Mapping[str, type[Opponent[Any]]]] = {
    "bouncers": BouncersOpponent,
    "bunny": BunnyOpponent,
    "trampoline": TrampolineOpponent,
    "pucks": PucksComputer,
}


def opponent(game_id: str, level: str = Level.MEDIUM, rules: int | None = None) -> Opponent[Any]:
    """Return the computer player of a game at a level. It plays by the current rules unless `rules` names an earlier version.

    Raises:
        UnknownRules: there is no such game, or no such version of its rules.
        ValueError: there is no such level.
    """
    game = GAMES[game_id] if rules is None and game_id in GAMES else rules_of(game_id, 1 if rules is None else rules)
    return _OPPONENTS.get(game_id, Playouts)(game, Level(level))
