"""The moves that a side of Bouncers can force: those that win whatever is played, and those that only have to be counted.

Everything is looked at move by move, within a limited number of positions. What would take more is left open, and nothing is
said about it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engines.bouncers import State
from engines.bouncers.state import winner_on_board
from engines.game import Action
from opponents.bouncers.evaluation import Position
from opponents.bouncers.paths import paths_of
from opponents.bouncers.tables import Endings
from opponents.search import WINNING

MOST: Final = 2_500
"""The most positions whose moves are looked at for one reason."""
LONGEST: Final = 4
"""The most moves that are named when a side plays the same moves whatever the other side does."""
CASES: Final = 3
"""The most cases that are told apart, depending on what the other side plays."""
COUNTED: Final = 6
"""The most moves in a row of a side that are counted."""


class TooMuch(Exception):
    """The allowed number of positions was looked at, or there are more moves than may be counted."""


@dataclass(frozen=True, slots=True)
class Case:
    """The moves that win after some of the losing side's moves (`replies`), and the positions in which the game may then end.

    The moves win after each of these replies, whatever else the losing side plays. Fewer of them may be enough.
    """

    replies: tuple[Action, ...]
    moves: tuple[Action, ...]
    ends: frozenset[Position]


@dataclass(frozen=True, slots=True)
class Count:
    """The most moves in a row that each side has left, where neither can change what the other one has."""

    mover: tuple[Action, ...]
    other: tuple[Action, ...]


class Forces:
    """The moves of a variant, as far as one reason looks at them. Beyond `most` positions, its methods raise TooMuch."""

    def __init__(self, variant: str, most: int = MOST) -> None:
        self._variant, self._most = variant, most
        self._moves: dict[Position, dict[Action, Position]] = {}
        self._rows: dict[Position, tuple[Action, ...]] = {}

    def state(self, position: Position) -> State:
        """Return a state that has this position."""
        own, enemy, kings, seat = position
        return State(self._variant, (own, enemy) if seat == 0 else (enemy, own), kings, seat)

    def moves(self, position: Position) -> dict[Action, Position]:
        """Return the moves, with the position after each."""
        if position not in self._moves:
            if len(self._moves) >= self._most:
                raise TooMuch
            self._moves[position] = {action: after for after, action in paths_of(self.state(position)).items()}
        return self._moves[position]

    def is_lost(self, position: Position) -> bool:
        """Return whether the side to move has lost: it has no pieces or no move left, or the other side is on the last rank."""
        return not self.moves(position)

    # --- moves that win whatever the other side plays --------------------------------------------------------------------

    def plan(
        self, positions: frozenset[Position], most: int = LONGEST, sooner: Action | None = None
    ) -> tuple[Action, ...] | None:
        """Return the fewest and shortest moves that win for the side not to move, whatever is played between them, or None.

        The game may be in any of the positions. The move `sooner` is played instead as soon as it wins at once.
        """
        plans = (self._plan(positions, length, sooner) for length in range(most + 1))
        return next((found for found in plans if found is not None), None)

    def _plan(self, positions: frozenset[Position], length: int, sooner: Action | None = None) -> tuple[Action, ...] | None:
        replied = self._replied(positions, sooner)
        if not replied:
            return None if replied is None else ()
        if not length:
            return None
        first, *others = sorted(replied)
        common = [action for action in self.moves(first) if all(action in self.moves(other) for other in others)]
        for action in sorted(common, key=_shortest):
            after = frozenset(self.moves(position)[action] for position in replied)
            onward = self._plan(after, length - 1, sooner)
            if onward is not None:
                return action, *onward
        return None

    def _replied(self, positions: frozenset[Position], sooner: Action | None) -> frozenset[Position] | None:
        """Return the positions after every move of the side that is to lose, or None if it wins with one of them.

        Positions in which the other side can win with `sooner` are left out.
        """
        replied = frozenset(after for position in positions for after in self.moves(position).values())
        if any(map(self.is_lost, replied)):
            return None
        if sooner is None:
            return replied
        wins = {after for after in replied if (won := self.moves(after).get(sooner)) is not None and self.is_lost(won)}
        return replied - wins

    def ends(
        self, positions: frozenset[Position], moves: tuple[Action, ...], sooner: Action | None = None
    ) -> frozenset[Position]:
        """Return the positions in which the game may end if a side plays a plan, leaving out the wins that come sooner."""
        over = frozenset(filter(self.is_lost, positions))
        replied = self._replied(positions - over, sooner)
        if not replied:
            return over
        after = frozenset(self.moves(position)[moves[0]] for position in replied)
        return over | self.ends(after, moves[1:], sooner)

    def wins_sooner(self, position: Position) -> list[Action]:
        """Return the moves with which the side not to move may win at once, after one or two moves of the other side."""
        found: set[Action] = set()
        for after in self.moves(position).values():
            twice = self.moves(passed(after)).values() if not self.is_lost_on_board(after) else ()
            for replied in (after, *twice):
                found.update(action for action, there in self.moves(replied).items() if self.is_lost_on_board(there))
        return sorted(found, key=_shortest)

    def cases(self, position: Position, most: int = LONGEST) -> tuple[Case, ...] | None:
        """Return what wins after every move of the side to move, in as few cases as are found, or None if it takes too many."""
        left, found = dict(self.moves(position)), list[Case]()
        while left:
            case = self._largest(left, most)
            if case is None or len(found) == CASES:
                return None
            found.append(case)
            left = {reply: after for reply, after in left.items() if reply not in case.replies}
        return tuple(sorted(found, key=lambda case: len(case.replies)))

    def hard(self, position: Position, most: int = LONGEST) -> list[Action]:
        """Return the moves of the side to move to which no answer is found that leads to a plan (see `plan`)."""
        return [
            reply
            for reply, after in self.moves(position).items()
            if all(self.plan(frozenset([there]), most - 1) is None for there in self.moves(after).values())
        ]

    def _largest(self, left: dict[Action, Position], most: int) -> Case | None:
        """Return the case that covers the most of some replies. Of several, it is the shortest."""
        for length in range(most):
            found = [case for case in self._of_length(left, length) if case is not None]
            if found:
                return max(found, key=lambda case: (len(case.replies), -sum(map(len, case.moves)), case.moves))
        return None

    def _of_length(self, left: dict[Action, Position], length: int) -> Iterator[Case | None]:
        """Yield the cases of a length: first those that cover several replies together, then those with a single reply."""
        answers = {action for after in left.values() for action in self.moves(after)}
        for answer in sorted(answers, key=_shortest):
            replies = [reply for reply, after in left.items() if answer in self.moves(after)]
            good = [reply for reply in replies if self._plan(self._answered(left, [reply], answer), length) is not None]
            yield self._case(left, good, answer, length)
            if good:
                yield self._case(left, good[:1], answer, length)

    def _answered(self, left: dict[Action, Position], replies: Iterable[Action], answer: Action) -> frozenset[Position]:
        return frozenset(self.moves(left[reply])[answer] for reply in replies)

    def _case(self, left: dict[Action, Position], replies: list[Action], answer: Action, length: int) -> Case | None:
        if not replies:
            return None
        after = self._answered(left, replies, answer)
        onward = self._plan(after, length)
        return None if onward is None else Case(tuple(replies), (answer, *onward), self.ends(after, onward))

    def catches(self, position: Position) -> bool:
        """Return whether the side not to move wins by best play, and captures each new king at once.

        The tables of endings must cover the position.
        """
        value = Endings(self.state(position)).value
        reached: dict[Position, bool] = {}

        def is_caught(lost: Position) -> bool:
            if lost not in reached:
                reached[lost] = all(is_answered(lost, after) for after in self.moves(lost).values())
            return reached[lost]

        def is_answered(lost: Position, after: Position) -> bool:
            plies, answers = value(after, 0), self.moves(after).values()
            if plies is None or plies < WINNING:
                return False
            crowned = after[1] & after[2] & ~(lost[0] & lost[2])
            best = [there for there in answers if self.is_lost_on_board(there) or value(there, 0) == -plies - 1]
            return any(not there[0] & crowned and (self.is_lost(there) or is_caught(there)) for there in best)

        return value(position, 0) is not None and not position[0] & position[2] and is_caught(position)

    # --- moves that nobody prevents ------------------------------------------------------------------------------------------

    def reserve(self, position: Position, most: int = LONGEST) -> tuple[Action, ...]:
        """Return the longest sequence of moves that the side not to move can make, whatever is played between them.

        It is empty if the other side may win in the meantime.
        """
        return self._reserve(frozenset([position]), most)

    def _reserve(self, positions: frozenset[Position], most: int) -> tuple[Action, ...]:
        replied = self._replied(positions, None)
        if not replied or not most:
            return ()
        first, *others = sorted(replied)
        longest: tuple[Action, ...] = ()
        for action in sorted(self.moves(first), key=_shortest):
            if all(action in self.moves(other) for other in others):
                after = frozenset(self.moves(position)[action] for position in replied)
                longest = max(longest, (action, *self._reserve(after, most - 1)), key=len)
        return longest

    def race(self, position: Position, most: int = LONGEST) -> int | None:
        """Return the fewest moves in a row with which the side to move wins on the board, or None if more than `most`."""
        reached = {position}
        for count in range(1, most + 1):
            after = {there for one in reached for there in self.moves(one).values()}
            if any(map(self.is_lost_on_board, after)):
                return count
            reached = set(map(passed, after))
        return None

    # --- moves that are counted ------------------------------------------------------------------------------------------

    def count(self, position: Position) -> Count | None:
        """Count the moves that each side has left if these counts alone decide the game. Otherwise, return None.

        The counts decide it if no side's move ever changes how many moves in a row the other side has, and nobody can capture,
        make a king or reach the last rank. Then the side to move loses unless it has more moves left than the other side.
        """
        try:
            return Count(self.row(position), self.row(passed(position))) if self._is_apart(position, set()) else None
        except TooMuch:
            return None

    def row(self, position: Position) -> tuple[Action, ...]:
        """Return the longest sequence of moves that the side to move can make in a row."""
        return self._row(position, COUNTED)

    def _row(self, position: Position, most: int) -> tuple[Action, ...]:
        if position not in self._rows:
            longest: tuple[Action, ...] = ()
            for action, after in sorted(self.moves(position).items(), key=lambda move: _shortest(move[0])):
                if not most or self.is_lost_on_board(after):
                    raise TooMuch
                row = action, *self._row(passed(after), most - 1)
                longest = max(longest, row, key=len)
            self._rows[position] = longest
        return self._rows[position]

    def is_lost_on_board(self, position: Position) -> bool:
        """Return whether the side to move has lost because of the pieces on the board."""
        return winner_on_board(self.state(position)) is not None

    def _is_apart(self, position: Position, seen: set[Position]) -> bool:
        _, enemy, kings, _ = position
        if kings:
            return False
        if position in seen:
            return True
        seen.add(position)
        other = len(self.row(passed(position)))
        for after in self.moves(position).values():
            if (after[0], after[2]) != (enemy, 0) or len(self.row(after)) != other or not self._is_apart(after, seen):
                return False
        return True


def passed(position: Position) -> Position:
    """Return a position as if the side to move had passed."""
    own, enemy, kings, seat = position
    return enemy, own, kings, 1 - seat


def _shortest(action: Action) -> tuple[int, Action]:
    return len(action), action
