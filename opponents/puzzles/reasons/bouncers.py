"""The reasons of Bouncers: the answer to a wrong move and what it leads to, and the threats of the right ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Final

from engines.bouncers import Bouncers, State
from engines.bouncers.state import Path, path_of, walk_along, winner_on_board
from engines.game import Action, action_words
from engines.position_codes import Line, follow
from engines.text import Text, join, say, say_n, seat_name
from engines.values import replace as with_values
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.opponent import chance_of
from opponents.bouncers.paths import paths_of, position_of, seen_twice
from opponents.bouncers.tables import Endings
from opponents.contract import Budget
from opponents.search import WIN, WINNING, Search

GAME: Final = Bouncers()

TO_THE_END: Final = 12
"""The most moves of an example of how a game goes on to its end."""

TO_A_GAIN: Final = 5
"""The most moves of an example of how a game goes on to a capture or a king, if its end is open."""

OPEN: Final = 5
"""By how much the thought about each move of such an example is less."""

AHEAD: Final = 60
"""The least chance to win, in percent, of a side that is called ahead."""

GLANCE: Final = 36
"""By how much the thought is less that compares moves at a glance."""


class Moment:
    """A position, and what its moves lead to.

    Attributes:
        state: the state.
        seat: the seat that moves.
    """

    def __init__(self, state: State) -> None:
        self.state, self.seat = state, state.to_move

    @cached_property
    def moves(self) -> dict[Action, State]:
        """The moves, and the states after them. Of those that lead to the same position there is the shortest one."""
        actions = paths_of(self.state).values()
        return {action: GAME.advance(self.state, self.seat, action) for action in actions}

    @cached_property
    def winning(self) -> Action | None:
        """A move that wins at once; None: there is none. One that takes or reaches something comes before a blockade."""
        won = [action for action, after in self.moves.items() if _winner(after) == self.seat]
        return min(won, key=lambda action: (winner_on_board(self.moves[action]) is None, len(action)), default=None)

    @cached_property
    def threat(self) -> Action | None:
        """A move with which the other side would win if this one passed, and wins after some move of this one; None: none."""
        won = {action for action, after in self.passed.moves.items() if _winner(after) == 1 - self.seat}
        replies = [Moment(after) for after in self.moves.values()] if won else []
        stands = (action for action in won if any(reply.wins_with(action) for reply in replies))
        return min(
            stands, key=lambda action: (winner_on_board(self.passed.moves[action]) is None, len(action), action), default=None
        )

    def wins_with(self, action: Action) -> bool:
        """Return whether a move is legal and wins at once."""
        after = self.moves.get(action)
        return after is not None and _winner(after) == self.seat

    @cached_property
    def passed(self) -> "Moment":
        """The position as if the side that moves had passed."""
        return Moment(with_values(self.state, to_move=1 - self.seat))

    @cached_property
    def next_wins(self) -> dict[Action, Action | None]:
        """For each move one with which the other side wins at once then; None: there is none."""
        return {action: Moment(after).winning for action, after in self.moves.items()}

    def path(self, action: Action) -> Path:
        """Return a move as its squares and captures."""
        walk = walk_along(self.state, action)
        assert walk is not None, "the move is legal"
        return path_of(self.state, walk)

    def words(self, action: Action) -> Text:
        """Return a move in words, with what it takes and whether it makes a king."""
        told = action_words(GAME, self.state, self.seat, action)
        return say("{move}, making a king", move=told) if self.path(action).promoted else told

    def is_loud(self, action: Action) -> bool:
        """Return whether a move takes a piece, or makes a king."""
        path = self.path(action)
        return bool(path.captured) or path.promoted

    def best(self, budget: Budget) -> tuple[int, Action]:
        """Return the value of the position for the side that moves, and the best move."""
        kernel, endings = Kernel(self.state.variant), Endings(self.state)
        search = Search(
            kernel, position_of(self.state), nodes=budget.nodes, seconds=budget.seconds, idle=self.state.quiet_plies,
            twice=seen_twice(self.state), solved=endings.value,
        )  # fmt: skip
        found = endings.settle(search.best())
        return found.value, paths_of(self.state)[found.line[0]]


def _winner(state: State) -> int | None:
    """Return the seat that has won; None: the game goes on, or is drawn."""
    outcome = GAME.outcome(state)
    return next(iter(outcome.winners), None) if outcome is not None else None


def _how(after: State, winner: int, solver: int) -> Text:
    """Return how a move has won, to follow a colon: "that reaches the last rank"."""
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


# --- how it goes on -----------------------------------------------------------------------------------------------------------


def _to_the_end(state: State, solver: int, winner: int, budget: Budget) -> Text | None:
    """Return an example of how a side goes on that wins by force; None: its end is too far away to be shown.

    It leads to the end or, if that is too far away, to the first piece that the side takes, or its first king.
    """
    course = list(islice(_course(state, solver, budget), TO_THE_END))
    if not course:
        return None
    if _winner(course[-1].after) == winner:
        moves = join([step.words for step in course], "; ")
        return say("For example: {moves}: {how}.", moves=moves, how=_how(course[-1].after, winner, solver))
    return _to_a_gain(course, winner)


def _to_a_gain(course: Sequence["Next"], gainer: int) -> Text | None:
    """Return the example of a course up to the first move of a side that takes a piece or makes a king; None: it has none."""
    gain = next((number for number, step in enumerate(course, 1) if step.seat == gainer and step.loud), None)
    return None if gain is None else say("For example: {moves}.", moves=join([step.words for step in course[:gain]], "; "))


@dataclass(frozen=True, slots=True)
class Next:
    """A move of a course: its seat, the words with who makes it, whether it takes a piece or makes a king, and what follows."""

    seat: int
    words: Text
    loud: bool
    after: State


def _course(state: State, solver: int, budget: Budget) -> Iterator[Next]:
    """Yield the moves with which a game may go on, up to its end."""
    while GAME.outcome(state) is None:
        moment = Moment(state)
        _, action = moment.best(budget)
        who, move = seat_name(moment.seat), moment.words(action)
        words = say("you play {move}", move=move) if moment.seat == solver else say("{who} plays {move}", who=who, move=move)
        state = moment.moves[action]
        yield Next(moment.seat, words, moment.is_loud(action), state)


def _whatever(mine: Moment, solver: int) -> Text:
    """Return that the side which doesn't move wins with its next move, whatever is played."""
    next_wins = mine.next_wins
    winner = 1 - mine.seat
    who = seat_name(1 - solver)
    if (threat := mine.threat) is not None and len(next_wins) > 1:
        passed = mine.passed
        values = {"threat": passed.words(threat), "how": _how(passed.moves[threat], winner, solver), "who": who}
        if winner == solver:
            return say("You threaten {threat}: {how}. {who} can’t stop you from winning with your next move.", **values)
        return say("{who} threatens {threat}: {how}. You can’t stop {who} from winning with the next move.", **values)
    move, final = next((move, final) for move, final in next_wins.items() if final is not None)
    after = Moment(mine.moves[move])
    how = _how(after.moves[final], winner, solver)
    values = {"move": mine.words(move), "final": after.words(final), "how": how, "who": who}
    if winner == solver and len(next_wins) == 1:
        return say("{who} has one move only, {move}, and then you win with {final}: {how}.", **values)
    if winner == solver:
        return say("{who} has to move, and every move loses. After {move}, for example, you win with {final}: {how}.", **values)
    if len(next_wins) == 1:
        return say("You have one move only, {move}, and then {who} wins with {final}: {how}.", **values)
    return say("You have to move, and every move loses. After {move}, for example, {who} wins with {final}: {how}.", **values)


# --- a wrong move -------------------------------------------------------------------------------------------------------------


def why_wrong(line: Line, budget: Budget) -> tuple[Line, Text, int]:
    """Return why the last move of a line is wrong: the line with the answer, the reason, and the win chance left, in percent.

    Args:
        line: the line. Its last move is the solver's.
        budget: the thought about each position.
    """
    (solver, _), after = line.actions[-1], line.end.state
    if (outcome := GAME.outcome(after)) is not None:
        return line, say("That ends the game without a win. {reason}", reason=outcome.reason), 50
    theirs = Moment(after)
    value, reply = theirs.best(budget)
    reply = theirs.winning or reply
    line = follow(line, theirs.seat, reply)
    end, who = line.end.state, seat_name(theirs.seat)
    if _winner(end) == theirs.seat:
        how = _how(end, theirs.seat, solver)
        return line, say("{who} answers {reply}, and wins: {how}.", who=who, reply=theirs.words(reply), how=how), 0
    told, percent = [_answered(theirs, reply)], percent_of(after, -value)
    if value >= WINNING:
        told.append(_of_a_loss(end, solver, (WIN - value) // 2, budget))
    elif value <= -WINNING:
        told.append(say("You can still win by force, but it takes longer."))
    else:
        told.append(_of_no_win(theirs, end, reply, percent))
        thought = replace(budget, nodes=budget.nodes // OPEN)
        course = () if theirs.is_loud(reply) else tuple(islice(_course(end, solver, thought), TO_A_GAIN))
        if course and GAME.outcome(course[-1].after) is None and (example := _to_a_gain(course, theirs.seat)) is not None:
            told.append(example)
    return line, join(told, " "), percent


def percent_of(state: State, value: int) -> int:
    """Return a value of a search as a chance to win in percent."""
    return round(100 * chance_of(Kernel(state.variant), value))


def _answered(theirs: Moment, reply: Action) -> Text:
    """Return the answer, with the threat that it meets."""
    who, move = seat_name(theirs.seat), theirs.words(reply)
    if (threat := theirs.threat) is None:
        return say("{who} answers {reply}.", who=who, reply=move)
    return say(
        "You threaten to win with {threat}, but {who} answers {reply}.", threat=theirs.passed.words(threat), who=who, reply=move
    )


def _of_a_loss(state: State, solver: int, moves: int, budget: Budget) -> Text:
    """Return how the other side goes on to win, in so many moves, from a state in which the solver moves."""
    mine = Moment(state)
    if all(mine.next_wins.values()):
        return _whatever(mine, solver)
    told: list[Text] = [
        say_n(
            "Whatever you do then, {who} wins in {n} more move.", "Whatever you do then, {who} wins in {n} more moves.",
            moves, who=seat_name(1 - solver),
        )
    ]  # fmt: skip
    if (example := _to_the_end(state, solver, 1 - solver, budget)) is not None:
        told.append(example)
    return join(told, " ")


def _of_no_win(theirs: Moment, end: State, reply: Action, percent: int) -> Text:
    """Return that the solver cannot force a win any more, after the answer that leads to a state with this chance to win."""
    if percent >= AHEAD:
        return say("After that you’re still ahead, but no forced win is in sight.")
    solver = 1 - theirs.seat
    mine, others = (end.sides[seat].bit_count() for seat in (solver, theirs.seat))
    if theirs.path(reply).captured and mine < others:
        return say(
            "That leaves you {mine} against {others} pieces, so you can’t force a win any more.", mine=mine, others=others
        )
    if Endings(theirs.state).drawn:
        return say("With best play that’s only a draw.")
    after = Moment(end)
    if after.threat is not None:
        return say(
            "{who} threatens to win with {threat}, so you can’t force a win any more.",
            who=seat_name(theirs.seat), threat=after.passed.words(after.threat),
        )  # fmt: skip
    return say("After that you can’t force a win any more.")


# --- the right moves ----------------------------------------------------------------------------------------------------------


def why_right(line: Line, solver: int, budget: Budget, *, proved: bool) -> tuple[Text, ...]:
    """Return why the solver's moves in a line are right, a text for each.

    Args:
        line: the line.
        solver: the solver's seat.
        budget: the thought about each position.
        proved: whether each of the moves is proved to win by force.
    """
    states = (line.start.state, *(step.state for step in line.steps))
    own = [place for place, (seat, _) in enumerate(line.actions) if seat == solver]
    return tuple(_why(line, place, states, budget, proved=proved, last=place == own[-1]) for place in own)


def _why(line: Line, place: int, states: Sequence[State], budget: Budget, *, proved: bool, last: bool) -> Text:
    """Return why the move at a place of a line is right. `states`: the state before each move, and the last one."""
    (solver, action), after = line.actions[place], states[place + 1]
    moment, theirs, who = Moment(states[place]), Moment(after), seat_name(1 - solver)
    move = moment.words(action)
    if _winner(after) == solver:
        return say("**{move}** wins: {how}.", move=move, how=_how(after, solver, solver))
    if all(theirs.next_wins.values()):
        return say("**{move}**. {why}", move=move, why=_whatever(theirs, solver))
    effects = _effects(moment, theirs)
    told = [say("**{move}**.", move=move), *effects]
    value, _ = theirs.best(budget)
    if value <= -WINNING:
        count = (WIN + value + 1) // 2
        told.append(
            say_n(
                "Whatever {who} does, you win in {n} more move.",
                "Whatever {who} does, you win in {n} more moves.",
                count,
                who=who,
            )
        )
    elif proved:
        told.append(say("Whatever {who} does, you win.", who=who))
    elif last:
        told.append(say("After that you stand far better."))
    if last and (example := _to_the_end(after, solver, solver, budget)) is not None:
        told.append(example)
    elif not effects:
        told += _of_another(line, place, moment, after, budget)
    return join(told, " ")


def _effects(moment: Moment, theirs: Moment) -> list[Text]:
    """Return what a move does at once that leads from one position to the next: it meets a threat, or makes one."""
    told: list[Text] = []
    who = seat_name(theirs.seat)
    if moment.threat is not None and theirs.winning is None and len(moment.moves) > 1:
        told.append(say("Otherwise {who} would win with {threat}.", who=who, threat=moment.passed.words(moment.threat)))
    if theirs.threat is not None:
        told.append(say("You threaten to win with {threat}.", threat=theirs.passed.words(theirs.threat)))
    return told


def _of_another(line: Line, place: int, moment: Moment, after: State, budget: Budget) -> list[Text]:
    """Return why another move is wrong in the place of the right one: the one that seems to come nearest to it."""
    others = [action for action, there in moment.moves.items() if there != after and GAME.outcome(there) is None]
    if not others:
        return []
    glance = replace(budget, nodes=budget.nodes // GLANCE)
    other = min(others, key=lambda action: (Moment(moment.moves[action]).best(glance)[0], action))
    before = Line(line.start, line.actions[:place], line.steps[:place])
    _, why, _ = why_wrong(follow(before, moment.seat, other), budget)
    return [say("Not {move}: {why}", move=moment.words(other), why=why)]
