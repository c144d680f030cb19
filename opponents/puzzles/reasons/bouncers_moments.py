"""A position of Bouncers, and what its moves lead to, in words."""

from functools import cached_property
from typing import Final

from engines.bouncers import Bouncers, State
from engines.bouncers.state import Path, path_of, walk_along, winner_on_board
from engines.game import Action, action_words
from engines.text import Text, say, seat_name
from engines.values import replace as with_values
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import paths_of, position_of, seen_twice
from opponents.bouncers.tables import Endings
from opponents.contract import Budget
from opponents.search import Search

GAME: Final = Bouncers()


class Situation:
    """A position, and what its moves lead to."""

    def __init__(self, state: State) -> None:
        self.state, self.seat = state, state.to_move

    @cached_property
    def moves(self) -> dict[Action, State]:
        """The moves, and the states after them. If several moves lead to the same position, only the shortest is included."""
        actions = paths_of(self.state).values()
        return {action: GAME.advance(self.state, self.seat, action) for action in actions}

    @cached_property
    def winning(self) -> Action | None:
        """A move that wins at once, or None. A move that takes or reaches something is preferred to a blockade."""
        won = [action for action, after in self.moves.items() if winner_of(after) == self.seat]
        return min(won, key=lambda action: (winner_on_board(self.moves[action]) is None, len(action)), default=None)

    @cached_property
    def threat(self) -> Action | None:
        """A move with which the other side would win if this side passed, and does win after some move of this side, if any."""
        won = {action for action, after in self.passed.moves.items() if winner_of(after) == 1 - self.seat}
        replies = [Situation(after) for after in self.moves.values()] if won else []
        stands = (action for action in won if any(reply.wins_with(action) for reply in replies))
        return min(
            stands, key=lambda action: (winner_on_board(self.passed.moves[action]) is None, len(action), action), default=None
        )

    def wins_with(self, action: Action) -> bool:
        """Return whether a move is legal and wins at once."""
        after = self.moves.get(action)
        return after is not None and winner_of(after) == self.seat

    @cached_property
    def passed(self) -> "Situation":
        """The position as if the side to move had passed."""
        return Situation(with_values(self.state, to_move=1 - self.seat))

    @cached_property
    def next_wins(self) -> dict[Action, Action | None]:
        """For each move, a move with which the other side then wins at once, or None if there is none."""
        return {action: Situation(after).winning for action, after in self.moves.items()}

    def path(self, action: Action) -> Path:
        """Return a move as its squares and its captures."""
        walk = walk_along(self.state, action)
        assert walk is not None, "the move is legal"
        return path_of(self.state, walk)

    def words(self, action: Action) -> Text:
        """Return a move in words, including what it takes and whether it makes a king."""
        told = action_words(GAME, self.state, self.seat, action)
        return say("{move}, making a king", move=told) if self.path(action).promoted else told

    def is_loud(self, action: Action) -> bool:
        """Return whether a move takes a piece, or makes a king."""
        path = self.path(action)
        return bool(path.captured) or path.promoted

    def best(self, budget: Budget) -> tuple[int, Action]:
        """Return the value of the position for the side to move, and the best move."""
        kernel, endings = Kernel(self.state.variant), Endings(self.state)
        search = Search(
            kernel, position_of(self.state), nodes=budget.nodes, seconds=budget.seconds, idle=self.state.quiet_plies,
            twice=seen_twice(self.state), solved=endings.value,
        )  # fmt: skip
        found = endings.settle(search.best())
        return found.value, paths_of(self.state)[found.line[0]]


def winner_of(state: State) -> int | None:
    """Return the seat that has won, or None if no seat has."""
    outcome = GAME.outcome(state)
    return next(iter(outcome.winners), None) if outcome is not None else None


def how_won(after: State, winner: int, solver: int) -> Text:
    """Return how a move has won, in words that follow a colon, such as "that reaches the last rank"."""
    loser = 1 - winner
    if not after.sides[loser]:
        if loser == solver:
            return say("that captures your last piece")
        return say("that captures {who}’s last piece", who=seat_name(loser))
    if winner_on_board(after) == winner:
        return say("that reaches the last rank")
    if loser == solver:
        return say("you have no move left")
    return say("{who} has no move left", who=seat_name(loser))
