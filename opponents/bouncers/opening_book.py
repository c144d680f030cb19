"""The openings of Bouncers: the first moves of games, how often each was played, and with what result.

Games are counted by their positions. So the order of the moves that lead to a position does not matter, and two paths of a
piece to the same position are one move.

A server starts from the games of computers in `opening_book.txt`. Each line has the variant, the first player's share and the
first moves. `python -m benchmarks.bouncers_opening_book --write` plays these games and writes the file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from engines import GAMES
from engines.actions import Action
from engines.bouncers import State
from engines.bouncers.state import first_state, placement
from engines.chance import UNSEEDED
from engines.game import is_whole

PLIES: Final = 6
"""The number of moves, both sides counted, that belong to the opening."""
SEPARATOR: Final = "-"
"""The character that separates the squares of a move in the file."""
FILE: Final = Path(__file__).with_name("opening_book.txt")


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """The beginning of a finished game.

    Attributes:
        actions: its moves, from the first one. Only those that belong to the opening count.
        share: the first player's share, 0 to 1.
        number: the number of the game, by which it can be left out, or 0 for a game between computers.
    """

    actions: Sequence[Action]
    share: float
    number: int = 0


@dataclass(frozen=True, slots=True)
class Continuation:
    """A move that was played in a position.

    Attributes:
        action: the move, by the path taken most often.
        games: the number of games in which it was played.
        score: its player's mean share in these games, 0 to 1; a draw counts half.
    """

    action: Action
    games: int
    score: float


@dataclass(frozen=True, slots=True)
class _Choice:
    """A move that was played in a game, with the number of that game and the share that its player got in the end."""

    number: int
    share: float
    action: Action


class Openings:
    """The openings of one variant's games. A game counts up to a move that the rules reject, such as one by earlier rules."""

    def __init__(self, variant: str, games: Iterable[RecordedGame]) -> None:
        self._choices: dict[int, dict[int, list[_Choice]]] = {}
        """The moves played in each position, grouped by the position that they lead to."""
        self._size = 0
        reached: dict[tuple[Action, ...], State | None] = {(): first_state(variant, UNSEEDED)}
        for game in games:
            self._add(game, reached)

    def __len__(self) -> int:
        """Return the number of moves, counting each as often as it was played."""
        return self._size

    def _add(self, game: RecordedGame, reached: dict[tuple[Action, ...], State | None]) -> None:
        """Add a game. `reached` holds the state after each sequence of moves, or None where the rules reject the last move."""
        game_rules = GAMES["bouncers"]
        line: tuple[Action, ...] = ()
        for action in game.actions[:PLIES]:
            state, line = reached[line], (*line, action)
            assert state is not None, "the moves before were legal"
            if line not in reached:
                is_legal = is_whole(game_rules, state, state.to_move, action)
                reached[line] = game_rules.advance(state, state.to_move, action) if is_legal else None
            after = reached[line]
            if after is None:
                return
            choice = _Choice(game.number, game.share if state.to_move == 0 else 1 - game.share, action)
            self._choices.setdefault(_key(state), {}).setdefault(_key(after), []).append(choice)
            self._size += 1

    def continuations(self, state: State) -> tuple[Continuation, ...]:
        """Return the moves played in a position, the most frequent first. Equally frequent moves are sorted by their score."""
        found = []
        for choices in self._choices.get(_key(state), {}).values():
            paths = Counter(choice.action for choice in choices)
            action = min(paths, key=lambda path: (-paths[path], path))
            found.append(Continuation(action, len(choices), sum(choice.share for choice in choices) / len(choices)))
        return tuple(sorted(found, key=lambda one: (-one.games, -one.score, one.action)))

    def knows(self, before: State, after: State, *, without: int) -> bool:
        """Return whether a move between two positions was played in any game other than the one numbered `without`."""
        return any(choice.number != without for choice in self._choices.get(_key(before), {}).get(_key(after), ()))


def _key(state: State) -> int:
    return placement(state.setup.size, state.sides, state.kings, state.to_move)


@cache
def openings_of_computers(variant: str) -> Openings:
    """Return the openings of a variant's games between computers."""
    return Openings(variant, games_of_computers(variant))


def games_of_computers(variant: str) -> Iterator[RecordedGame]:
    """Yield the beginnings of a variant's games between computers."""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        name, share, *moves = line.split()
        if name == variant:
            yield RecordedGame(tuple(tuple(move.split(SEPARATOR)) for move in moves), float(share))


def written(variant: str, game: RecordedGame) -> str:
    """Return a game as a line of `opening_book.txt`."""
    return " ".join([variant, f"{game.share:g}", *(SEPARATOR.join(action) for action in game.actions[:PLIES])])
