"""Won endings of Bouncers, proved by looking at every move and every answer by the rules of the game alone.

`python -m tests.opponents.bouncers.proving --write` looks for wins in the last positions of games that the computer plays
against itself, and writes ten of each variant to endings.json. It searches with the kernel's moves, which are quicker;
`EndingProver`, with which the tests prove them again, knows only the game.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from engines.bouncers import Bouncers, State
from engines.bouncers.state import pieces_to_move, state_after, winner_on_board
from engines.values import replace
from opponents import Budget, opponent
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from opponents.search import WINNING

GAME: Final = Bouncers()
ENDINGS: Final = Path(__file__).with_name("endings.json")
LONGEST: Final = 7
EACH: Final = 10
SHORT: Final = 4
"""How many of the ten may be won in three plies."""
FEW: Final = {8: 14, 10: 22}
"""The most pieces in an ending, by the size of the board."""
MOST_POSITIONS: Final = 4_000
"""The most positions that are looked at to find a win in an ending."""


def after_each(state: State) -> list[State]:
    """The states after every move, captures first. Moves that lead to the same position count once."""
    reached = {
        position_of(after): after
        for piece in pieces_to_move(state)
        for walk in piece.continuations()
        for after in [replace(state_after(state, walk), seen=())]
    }
    return sorted(reached.values(), key=lambda after: after.sides[after.to_move].bit_count())


class EndingProver:
    """Remembers what it has proved. Draws by repetition need more moves than it looks at, and are left out."""

    def __init__(self) -> None:
        self._known: dict[tuple[Position, int], bool] = {}

    def plies(self, state: State, longest: int) -> int | None:
        """The plies in which the side to move wins against any defence, or None if more than `longest`."""
        return next((plies for plies in range(1, longest + 1, 2) if self.wins(state, plies)), None)

    def wins(self, state: State, plies: int) -> bool:
        if plies < 1:
            return False
        key = position_of(state), plies
        if key not in self._known:
            self._known[key] = any(self.loses(after, plies - 1) for after in after_each(state))
        return self._known[key]

    def loses(self, state: State, plies: int) -> bool:
        if winner_on_board(state) == 1 - state.to_move:
            return True
        key = position_of(state), plies
        if key not in self._known:
            reached = after_each(state)
            self._known[key] = not reached or (plies > 0 and all(self.wins(after, plies - 1) for after in reached))
        return self._known[key]


def quick(kernel: Kernel) -> Callable[[Position, int], bool]:
    """As `EndingProver.wins`, with the kernel's moves. Raises TimeoutError after MOST_POSITIONS."""
    known: dict[tuple[Position, int], bool] = {}

    def wins(position: Position, plies: int) -> bool:
        if plies < 1:
            return False
        if (position, plies) not in known:
            if len(known) > MOST_POSITIONS:
                raise TimeoutError
            moves = sorted(kernel.moves(position), reverse=True)
            known[position, plies] = any(gain >= WINNING or loses(after, plies - 1) for gain, _, after in moves)
        return known[position, plies]

    def loses(position: Position, plies: int) -> bool:
        if (position, plies) not in known:
            moves = kernel.moves(position)
            known[position, plies] = not moves or (
                plies > 0 and all(gain < WINNING and wins(after, plies - 1) for gain, _, after in moves)
            )
        return known[position, plies]

    return wins


def plies_to_win(state: State) -> int:
    """The number of plies, or 0 if no win is known."""
    wins = quick(Kernel(state.variant))
    try:
        return next((plies for plies in range(1, LONGEST + 1, 2) if wins(position_of(state), plies)), 0)
    except TimeoutError:
        return 0


def ends_of_games(variant: str, number: int) -> Iterator[State]:
    """The last positions of a computer's game against itself in which the winner was to move."""
    player, state = opponent("bouncers", "medium"), GAME.start(2, variant)
    states = []
    while GAME.outcome(state) is None and state.quiet_plies < 20:
        states.append(replace(state, seen=(), quiet_plies=0))
        found = player.choose(state, state.to_move, Budget(100), stream=f"{number} {state.sides}")
        state = GAME.advance(state, state.to_move, found.action)
    return (
        state
        for state in states[-3 : -LONGEST - 1 : -2]
        if sum(side.bit_count() for side in state.sides) <= FEW[state.setup.size]
    )


def endings(variant: str) -> list[dict[str, Any]]:
    """A variant's won endings, no two from the same game at the same distance."""
    found: list[dict[str, Any]] = []
    number = 0
    while len(found) < EACH:
        number += 1
        here: dict[int, dict[str, Any]] = {}
        for state in ends_of_games(variant, number):
            if (plies := plies_to_win(state)) >= 3:
                position = {key: value for key, value in GAME.position(state).items() if key not in {"seen", "quiet_plies"}}
                here[plies] = {"plies": plies, "position": position}
        if sum(ending["plies"] == 3 for ending in found) >= SHORT:
            here.pop(3, None)
        found += here.values()
    return found[:EACH]


if __name__ == "__main__" and "--write" in sys.argv:
    written = []
    for variant in GAME.variants:
        written += endings(variant)
    ENDINGS.write_text("[\n" + ",\n".join(json.dumps(ending) for ending in written) + "\n]\n")
