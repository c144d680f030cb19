"""The contract of a miner, which finds puzzles of one game and knows which of them are the same."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Final

from engines.game import Action
from engines.values import replace
from opponents.contract import LEVELS, Budget, Level, Opponent
from opponents.puzzles.judging import Verdict, answer, begin
from opponents.puzzles.puzzle import Puzzle

TRIES: Final[Mapping[Level, int]] = {Level.EASY: 12, Level.MEDIUM: 6, Level.HARD: 4, Level.EXPERT: 2}
"""The number of times that a computer of each level tries a puzzle. The tries differ because its dice do."""
EASIEST: Final = 0.5
"""The largest share of tries in which a beginner may solve a puzzle."""
UNSAFE: Final = 60.0
"""The seconds of one core after which a computer gives up, as a safety net. The finds depend on the amount of thought alone."""


def seeded(name: str) -> Random:
    """Return a generator that makes the same draws for the same name on every machine."""
    return Random(name)  # noqa: S311 - not a draw of the game


@dataclass(frozen=True, slots=True)
class Find:
    """A puzzle, whose number is 0 until it is chosen, and the share of each level's tries, 0 to 1, that solved it."""

    puzzle: Puzzle
    solved: Mapping[Level, float] = field(default_factory=dict)


class Miner(ABC):
    """A miner of one game. It keeps no state, so the same source and number give the same finds on every machine.

    Attributes:
        sources: the kinds of place where puzzles are looked for, such as the game's variants.
        budgets: seven amounts of thought. The number of them that do not suffice to solve a puzzle makes its difficulty.
    """

    game: ClassVar[str]
    sources: ClassVar[tuple[str, ...]]
    budgets: ClassVar[tuple[int, ...]] = ()

    @abstractmethod
    def mine(self, source: str, number: int) -> Iterator[Find]:
        """Yield the puzzles of one place, such as a game that computers play with this number as its seed."""

    @abstractmethod
    def propose(self, state: Any) -> Puzzle | None:
        """Return the puzzle that begins in a position, as far as cheap filters can tell, with difficulty 1, or None."""

    def deeper_look(self, puzzle: Puzzle) -> Puzzle | None:
        """Return a proposed puzzle as a deeper look finds it, or None. Games need it where `propose` is no proof by itself."""
        return puzzle

    def difficulty(self, puzzle: Puzzle) -> int:
        """Return a puzzle's difficulty, as `Puzzle.difficulty` counts it, by an expert's tries with each of the budgets."""
        return 1 + sum(not self.solves(puzzle, Level.EXPERT, puzzle.text, Budget(nodes, UNSAFE)) for nodes in self.budgets)

    @abstractmethod
    def marks(self, puzzle: Puzzle) -> frozenset[Hashable]:
        """Return a puzzle's marks. Two puzzles share one if they are the same or mirror images, or one contains the other."""

    def same_board(self, one: Puzzle, other: Puzzle) -> bool:
        """Return whether two puzzles have the same board although they share no mark. In most games the marks are enough."""
        return False

    @abstractmethod
    def player(self, level: Level) -> Opponent[Any]:
        """Return the computer player of a level."""

    def examine(self, state: Any) -> Find | None:
        """Return the puzzle that begins in a position, or None if there is none that is worth the trouble.

        A beginner solves such a puzzle in at most half of the tries, and an expert in all of them.
        """
        puzzle = self.propose(state)
        return None if puzzle is None else self.find_of(puzzle)

    def find_of(self, puzzle: Puzzle) -> Find | None:
        """Return a proposed puzzle as a find, or None if it is not confirmed, too easy, or beyond an expert; see `examine`."""
        solved = self.shares(puzzle, (Level.EASY,))
        if solved[Level.EASY] > EASIEST:
            return None
        found = self.deeper_look(puzzle)
        if found is None:
            return None
        solved |= self.shares(found, (Level.EXPERT,))
        if solved[Level.EXPERT] < 1:
            return None
        solved |= self.shares(found, (Level.MEDIUM, Level.HARD))
        return Find(replace(found, difficulty=self.difficulty(found)), solved)

    def shares(self, puzzle: Puzzle, levels: tuple[Level, ...] = LEVELS) -> dict[Level, float]:
        """Return, for each level, the share of its tries, 0 to 1, in which it finds all of the solver's actions."""
        return {
            level: sum(self.solves(puzzle, level, f"{puzzle.text} {number}") for number in range(TRIES[level])) / TRIES[level]
            for level in levels
        }

    def solves(self, puzzle: Puzzle, level: Level, stream: str, budget: Budget | None = None) -> bool:
        """Return whether a computer player solves a puzzle, by default with the budget of its level."""
        player, line = self.player(level), begin(puzzle)
        limit = Budget((budget or player.budgets[level]).nodes, UNSAFE)
        played: list[Action] = []
        while True:
            played.append(player.choose(line.end.state, puzzle.seat, limit, stream=stream).action)
            found = answer(puzzle, played)
            if found.verdict is not Verdict.RIGHT:
                return found.verdict is Verdict.SOLVED
            line = found.line
