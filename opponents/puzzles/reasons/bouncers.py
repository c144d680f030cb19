"""The reasons of Bouncers: what answers a wrong move and where that leads, and what the right moves force, stop and prepare."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engines.bouncers import State
from engines.game import Action
from engines.position_codes import Line, follow
from engines.text import Text, join, say, seat_name
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.opponent import chance_of
from opponents.bouncers.paths import position_of
from opponents.bouncers.tables import Endings
from opponents.contract import Budget
from opponents.puzzles.reasons.bouncers_courses import course_from, to_a_gain
from opponents.puzzles.reasons.bouncers_forces import Forces, TooMuch
from opponents.puzzles.reasons.bouncers_lost import Later, Lost, of_a_loss
from opponents.puzzles.reasons.bouncers_moments import GAME, Situation, how_won, winner_of
from opponents.puzzles.reasons.bouncers_squares import Hindrance, stopped
from opponents.search import WIN, WINNING

TO_A_GAIN: Final = 5
"""The most moves in an example of how a game with an open end goes on to a capture or a king."""
OPEN: Final = 5
"""The number by which the budget is divided for each move of an example of a game with an open end."""
AHEAD: Final = 60
"""The least chance to win, in percent, of a side that is said to be ahead."""
GLANCE: Final = 36
"""The number by which the budget is divided for comparing moves at a glance."""


def why_wrong(line: Line, budget: Budget) -> tuple[Line, Text, int]:
    """Return the line with the answer to the solver's last move, why that move is wrong, and the win chance left in percent.

    `budget` is the thought spent on each position.
    """
    (solver, action), after = line.actions[-1], line.end.state
    if (outcome := GAME.outcome(after)) is not None:
        return line, say("That ends the game without a win. {reason}", reason=outcome.reason), 50
    before = line.steps[-2].state if len(line.steps) > 1 else line.start.state
    theirs = Situation(after)
    value, reply = theirs.best(budget)
    reply = theirs.winning or reply
    line = follow(line, theirs.seat, reply)
    end, who = line.end.state, seat_name(theirs.seat)
    made = _made_possible(before, action, reply)
    if winner_of(end) == theirs.seat:
        how = how_won(end, theirs.seat, solver)
        won = say("{who} answers {reply} and wins: {how}.", who=who, reply=theirs.words(reply), how=how)
        return line, join([won, *made], " "), 0
    told, percent = [_answered(theirs, reply), *made], percent_of(after, -value)
    if value >= WINNING:
        told.append(of_a_loss(end, solver, (WIN - value) // 2, budget))
    elif value <= -WINNING:
        told.append(say("You can still win by force, but it takes longer."))
    elif (forced := Lost(end, solver, budget=budget).words()) is not None:
        told.append(forced)
        percent = 0
    else:
        told.append(_of_no_win(theirs, end, reply, percent))
        thought = replace(budget, nodes=budget.nodes // OPEN)
        course = () if theirs.is_loud(reply) else tuple(islice(course_from(end, solver, thought), TO_A_GAIN))
        if course and GAME.outcome(course[-1].after) is None and (example := to_a_gain(course, theirs.seat)) is not None:
            told.append(example)
    return line, join(told, " "), percent


def _made_possible(before: State, action: Action, reply: Action) -> list[Text]:
    """Return a text if a move has made the answer possible: it is the answer's springboard, or has opened a square for it."""
    why = stopped(Situation(before).passed.state, reply)
    if why is not None and why.hindrance is Hindrance.SPRINGBOARD and why.square == action[-1]:
        return [say("It bounces off your piece on {square}.", square=why.square)]
    if why is not None and why.hindrance is Hindrance.CLOSED and why.square == action[0]:
        return [say("Your piece has just left {square}, which was in the way.", square=why.square)]
    return []


def percent_of(state: State, value: int) -> int:
    """Return the value of a search as a chance to win in percent."""
    return round(100 * chance_of(Kernel(state.variant), value))


def _answered(theirs: Situation, reply: Action) -> Text:
    who, move = seat_name(theirs.seat), theirs.words(reply)
    if (threat := theirs.threat) is None:
        return say("{who} answers {reply}.", who=who, reply=move)
    return say(
        "You threaten to win with {threat}, but {who} answers {reply}.", threat=theirs.passed.words(threat), who=who, reply=move
    )


def _of_no_win(theirs: Situation, end: State, reply: Action, percent: int) -> Text:
    if percent >= AHEAD:
        return say("After that you’re still ahead, but no forced win is in sight.")
    solver = 1 - theirs.seat
    mine, others = (end.sides[seat].bit_count() for seat in (solver, theirs.seat))
    if theirs.path(reply).captured and mine < others:
        return say(
            "That leaves you with {mine} pieces against {others}, so you can’t force a win any more.", mine=mine, others=others
        )
    if Endings(theirs.state).drawn:
        return say("With best play that’s only a draw.")
    after = Situation(end)
    if after.threat is not None:
        return say(
            "{who} threatens to win with {threat}, so you can’t force a win any more.",
            who=seat_name(theirs.seat), threat=after.passed.words(after.threat),
        )  # fmt: skip
    return say("After that you can’t force a win any more.")


def why_right(line: Line, solver: int, budget: Budget, *, proved: bool) -> tuple[Text, ...]:
    """Return why the solver's moves in a line are right, with a text for each.

    If `proved`, each of the moves wins by force. `budget` is the thought spent on each position.
    """
    states = (line.start.state, *(step.state for step in line.steps))
    own = [place for place, (seat, _) in enumerate(line.actions) if seat == solver]
    return tuple(_why(line, place, states, budget, proved=proved) for place in own)


def _why(line: Line, place: int, states: Sequence[State], budget: Budget, *, proved: bool) -> Text:
    """Return why the move at a place of a line is right. `states` are those before each move, followed by the last one."""
    (solver, action), after = line.actions[place], states[place + 1]
    moment, theirs, who = Situation(states[place]), Situation(after), seat_name(1 - solver)
    move = moment.words(action)
    if winner_of(after) == solver:
        return say("**{move}** wins: {how}.", move=move, how=how_won(after, solver, solver))
    is_last = place == len(line.actions) - 1
    later = Later(
        line.actions[-1][1] if winner_of(states[-1]) == solver else None,
        line.actions[place + 1][1] if proved and not is_last else None,
    )
    value, _ = theirs.best(budget)
    told = [say("**{move}**.", move=move), *_met(moment, theirs, action), *_prepared(moment, theirs, action)]
    is_clear = place > 0 and all(theirs.next_wins.values())
    another = Another() if is_clear else _of_another(line, place, moment, theirs, budget)
    if value <= -WINNING:
        told += [*another.stops, of_a_loss(after, solver, (WIN + value + 1) // 2, budget, later)]
    elif proved:
        forced = Lost(after, solver, later.final, budget).words()
        told += [*another.stops, say("Whatever {who} does, you win.", who=who) if forced is None else forced]
    elif is_last:
        told.append(say("After that you’re far better off."))
    return join([*told, *another.words], " ")


def _met(moment: Situation, theirs: Situation, action: Action) -> list[Text]:
    """Return a text if a move meets a threat, saying how."""
    if moment.threat is None or theirs.winning is not None or len(moment.moves) == 1:
        return []
    values = {"who": seat_name(theirs.seat), "threat": moment.passed.words(moment.threat)}
    why = stopped(theirs.state, moment.threat)
    if why is None and _saves(action, moment.passed, theirs, moment.threat):
        return [say("Otherwise {who} would win with {threat}, but now that captures nothing.", **values)]
    if why is None:
        return [say("Otherwise {who} would win with {threat}.", **values)]
    match why.hindrance:
        case Hindrance.SPRINGBOARD:
            told = say(
                "Otherwise {who} would win with {threat}, but now there’s nothing on {square} to bounce off.",
                square=why.square, **values,
            )  # fmt: skip
        case Hindrance.CLOSED:
            told = say(
                "Otherwise {who} would win with {threat}, but now your piece on {square} is in the way.",
                square=why.square,
                **values,
            )
        case _:
            told = say("Otherwise {who} would win with {threat}, but you’ve captured that piece.", **values)
    return [told]


def _prepared(moment: Situation, theirs: Situation, action: Action) -> list[Text]:
    """Return a text if a move is now the springboard for the winning move that it threatens."""
    if theirs.threat is None:
        return []
    why = stopped(moment.state, theirs.threat)
    if why is None or why.hindrance is not Hindrance.SPRINGBOARD or why.square != action[-1]:
        return []
    move = theirs.passed.words(theirs.threat)
    return [say("Your piece on {square} is now a springboard for {move}.", square=why.square, move=move)]


@dataclass(frozen=True, slots=True)
class Another:
    """A move other than the right one: `words` say why it is wrong, and `stops` how the right move stops the answer to it."""

    words: tuple[Text, ...] = ()
    stops: tuple[Text, ...] = ()


def _of_another(line: Line, place: int, moment: Situation, theirs: Situation, budget: Budget) -> Another:
    """Return what to say about the move that seems to come nearest to the right one."""
    action, glance = line.actions[place][1], replace(budget, nodes=budget.nodes // GLANCE)
    others = [other for other, there in moment.moves.items() if there != theirs.state and GAME.outcome(there) is None]
    if not others:
        return Another()
    earlier, is_race = moment.passed.moves, theirs.threat is not None

    def nearness(other: Action) -> tuple[bool, bool, int, Action]:
        answering = Situation(moment.moves[other])
        value, reply = answering.best(glance)
        is_stopped = reply in earlier and (stopped(theirs.state, reply) is not None or _saves(action, answering, theirs, reply))
        return not _goes_on(action, other), is_race or not is_stopped, value, other

    other = min(others, key=nearness)
    before = Line(line.start, line.actions[:place], line.steps[:place])
    wrong, why, _ = why_wrong(follow(before, moment.seat, other), budget)
    words = say("Not {move}: {why}", move=moment.words(other), why=why)
    if _goes_on(action, other) and _is_one_less(theirs.state, moment.moves[other]):
        words = say("Not {move}, which uses up two moves at once: {why}", move=moment.words(other), why=why)
    reply = wrong.actions[-1][1]
    if is_race or reply not in earlier or reply == moment.threat:
        return Another((words,))
    return Another((words,), tuple(_stops(action, Situation(moment.moves[other]), theirs, reply)))


def _goes_on(action: Action, other: Action) -> bool:
    return len(other) > len(action) and other[: len(action)] == action


def _is_one_less(after: State, other: State) -> bool:
    """Return whether the side that has moved has one fewer move in a row after another move than after the right one."""
    forces = Forces(after.variant)
    try:
        left, less = (forces.row(position_of(Situation(state).passed.state)) for state in (after, other))
    except TooMuch:
        return False
    return len(less) == len(left) - 1


def _saves(action: Action, taking: Situation, theirs: Situation, reply: Action) -> bool:
    """Return whether the solver's move saves its piece from a reply that captures it in `taking` but nothing in `theirs`."""
    if reply not in theirs.moves or theirs.path(reply).captured:
        return False
    return any(square == action[0] for square, _, _ in taking.path(reply).captured)


def _stops(action: Action, answering: Situation, theirs: Situation, reply: Action) -> list[Text]:
    """Return why the answer to another move is impossible after the right one, or why it then captures nothing."""
    why, who, words = stopped(theirs.state, reply), seat_name(theirs.seat), join(reply, " → ")
    if why is None:
        is_saved = _saves(action, answering, theirs, reply)
        return [say("{who} captures nothing with {move} now.", who=who, move=words)] if is_saved else []
    match why.hindrance:
        case Hindrance.SPRINGBOARD:
            told = say(
                "{who} can’t play {move} now: there’s nothing on {square} to bounce off.",
                who=who,
                move=words,
                square=why.square,
            )
        case Hindrance.CLOSED:
            told = say(
                "{who} can’t play {move} now: your piece on {square} is in the way.", who=who, move=words, square=why.square
            )
        case _:
            told = say("{who} can’t play {move} any more: you’ve captured that piece.", who=who, move=words)
    return [told]
