"""A puzzle: a position, a goal, the one line that reaches the goal, and how this is proved.

A puzzle is one row of text, so that a file of puzzles can be read and compared: ``17 4 win forced chain,quiet bouncers12DXZ…
b7-b6xc5, e6-e5, c5-c4``. The row has the puzzle's number, difficulty, goal, proof and themes, and then a line as
`engines.position_codes` reads it, whose code includes the version of the rules. The goal of a forced win includes the most
moves that it takes: ``force:3``. Where the task is to find the best action, the other actions follow, each with the points of
win chance that it gives away: ``… up; left 23, right 31``.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from engines.game import Action
from engines.position_codes import Line, read_line
from engines.text import Text, say, say_n, seat_name

HARDEST: Final = 8
"""The highest difficulty. It means that the solution is not the best move at any of the depths of the search."""


class Goal(StrEnum):
    """The task that a puzzle sets."""

    WIN = "win"
    """Win the game with the last move of the line, whatever the other side plays."""

    FORCE = "force"
    """Win by force in at most so many moves. The line ends as soon as more than one move wins by force."""

    GAIN = "gain"
    """Gain so much material that the game is as good as won."""

    ONLY = "only"
    """Find the move after which the game is as good as won, though it gains nothing at once."""

    CARROT = "carrot"
    """Surely get a Carrot in this turn or the next. The line ends where a plan is sure whatever is played."""

    SCORE = "score"
    """Score as many pucks as this turn allows."""

    BEST = "best"
    """Find the action with by far the best chance to win, by what the seat knows. The line is this action alone."""


class Proof(StrEnum):
    """The way in which the line is proved."""

    TABLES = "tables"
    """The tables of endings give the value of every move."""

    FORCED = "forced"
    """Every reply was looked at, and the line wins by force. A search has found that no other move is as good."""

    SEARCHED = "searched"
    """A search four times as deep as an expert's finds the same line."""

    COVERED = "covered"
    """Every layout of the cards that lie face down was looked at, with every move of the other side."""

    EXHAUSTED = "exhausted"
    """Every way through the turn was looked at. Only the same actions in other orders score as many goals."""

    SAMPLED = "sampled"
    """The best action and every other one were played on in the same imagined games. Four further looks found the same."""


class Theme(StrEnum):
    """A motif of the line."""

    CHAIN = "chain"
    CAPTURES = "captures"
    QUIET = "quiet"
    SACRIFICE = "sacrifice"
    PROMOTION = "promotion"
    RACE = "race"
    BLOCKADE = "blockade"
    KINGS = "kings"
    ENDING = "ending"
    SEVERAL = "several"
    PUSH = "push"
    STOPPER = "stopper"
    CARD = "card"
    MATS = "mats"
    SHOCK = "shock"
    SWAP = "swap"


THEMES: Final[dict[Theme, Text]] = {
    Theme.CHAIN: say("Chain of bounces"),
    Theme.CAPTURES: say("Several captures at once"),
    Theme.QUIET: say("Quiet move"),
    Theme.SACRIFICE: say("Sacrifice"),
    Theme.PROMOTION: say("New king"),
    Theme.RACE: say("Race to the last rank"),
    Theme.BLOCKADE: say("Blockade"),
    Theme.KINGS: say("Kings"),
    Theme.ENDING: say("Ending"),
    Theme.SEVERAL: say("Several goals"),
    Theme.PUSH: say("Pushed into the goal"),
    Theme.STOPPER: say("A piece to stop against"),
    Theme.CARD: say("Card"),
    Theme.MATS: say("Mats moved"),
    Theme.SHOCK: say("Shock"),
    Theme.SWAP: say("Swap"),
}
"""The name of each theme."""


class BadPuzzle(ValueError):
    """A row that is not a puzzle. The argument tells the developer who wrote the row what is wrong."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle.

    Attributes:
        number: its number among the game's puzzles, which never changes.
        difficulty: 1 to `HARDEST`. It is one more than the number of depths of a search at which the hardest move of the
            solution is not yet the best.
        text: the position and the line, as `engines.position_codes` reads them.
        losses: where the task is to find the best action, the worse actions, and the points of win chance, 1 to 100, that each
            gives away. Any other action gives nothing away.
        moves: for a forced win, the most own moves that it takes against any defence, otherwise 0.
    """

    game: str
    number: int
    difficulty: int
    goal: Goal
    proof: Proof
    themes: tuple[Theme, ...]
    text: str
    losses: tuple[tuple[Action, int], ...] = ()
    moves: int = 0

    @property
    def name(self) -> str:
        """The name by which it is stored: "bouncers-17"."""
        return f"{self.game}-{self.number}"

    @property
    def code(self) -> str:
        """The code of the position."""
        return self.text.partition(" ")[0]

    @property
    def line(self) -> Line:
        """The position and the whole line, including replies. The seat that acts first is the solver's. Raises WrongCode."""
        return _line(self.text)

    @property
    def seat(self) -> int:
        """The solver's seat."""
        return self.line.actions[0][0]

    @property
    def variant(self) -> str:
        """The variant of the game."""
        return str(self.line.start.view.variant)

    @property
    def rules(self) -> int:
        """The version of the rules."""
        return self.line.start.game.rules

    @property
    def own(self) -> tuple[Action, ...]:
        """The solver's actions."""
        return tuple(action for seat, action in self.line.actions if seat == self.seat)

    def lost(self, action: Action) -> int:
        """Return the points of win chance that an action gives away if the task is to find the best one, otherwise 0."""
        return dict(self.losses).get(action, 0)

    @property
    def goals(self) -> int:
        """The number of goals that the solver scores in the line, for games with goals."""
        return sum(event.kind == "score" and event.seat == self.seat for step in self.line.steps for event in step.events)

    @property
    def task(self) -> Text:
        """The goal, put into a sentence."""
        who, count = seat_name(self.seat), len(self.own)
        match self.goal:
            case Goal.WIN:
                task: Text = say_n("{who} to move: win at once.", "{who} to move: win in {n} moves.", count, who=who)
            case Goal.FORCE:
                task = say_n(
                    "{who} to move: win by force in {n} move.", "{who} to move: win by force in at most {n} moves.",
                    self.moves, who=who,
                )  # fmt: skip
            case Goal.GAIN:
                task = say_n(
                    "{who} to move: win enough pieces to decide the game.",
                    "{who} to move: win enough pieces in {n} moves to decide the game.",
                    count, who=who,
                )  # fmt: skip
            case Goal.ONLY:
                task = say("{who} to move: find the move that keeps the upper hand.", who=who)
            case Goal.CARROT:
                task = say("{who} to move: get a carrot this turn or next, whatever happens.", who=who)
            case Goal.SCORE:
                task = say_n(
                    "{who} to move: score {n} puck this turn.", "{who} to move: score {n} pucks this turn.", self.goals, who=who
                )
            case Goal.BEST:
                task = say("{who} to move: what would you do? One move has by far the best chance of winning.", who=who)
        return task


@cache
def _line(text: str) -> Line:
    return read_line(text)


def row_of(puzzle: Puzzle) -> str:
    """Return a puzzle as a row of its game's file."""
    themes = ",".join(puzzle.themes) or "-"
    losses = ", ".join(f"{' '.join(action)} {points}" for action, points in puzzle.losses)
    text = f"{puzzle.text}; {losses}" if losses else puzzle.text
    goal = f"{puzzle.goal}:{puzzle.moves}" if puzzle.moves else puzzle.goal
    return f"{puzzle.number} {puzzle.difficulty} {goal} {puzzle.proof} {themes} {text}"


def puzzle_of(game: str, row: str) -> Puzzle:
    """Return the puzzle in a row. Raise BadPuzzle if it is not one. The line is read only when it is needed."""
    try:
        number, difficulty, goal, proof, themes, rest = row.split(maxsplit=5)
        goal, _, moves = goal.partition(":")
        text, _, given = rest.partition("; ")
        motifs = () if themes == "-" else tuple(Theme(theme) for theme in themes.split(","))
        losses = tuple((tuple(words), int(points)) for *words, points in map(str.split, filter(None, given.split(", "))))
        if (Goal(goal) is Goal.BEST) != bool(losses):
            raise ValueError("other moves are there where the task is the best one, and nowhere else")
        if (Goal(goal) is Goal.FORCE) != (int(moves or 0) > 0):
            raise ValueError("the most moves are there where the task is to win by force, and nowhere else")
        return Puzzle(game, int(number), int(difficulty), Goal(goal), Proof(proof), motifs, text, losses, int(moves or 0))
    except ValueError as error:
        raise BadPuzzle(f"{game}: {row!r}: {error}") from error
