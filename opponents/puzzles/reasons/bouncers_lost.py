"""A lost position of Bouncers in words: what the winner plays, counts on, or keeps in reserve."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from engines.bouncers import State
from engines.game import Action
from engines.text import Text, join, say, say_n, seat_name
from opponents.bouncers.evaluation import Position
from opponents.bouncers.paths import position_of
from opponents.contract import Budget
from opponents.puzzles.reasons.bouncers_courses import to_the_end
from opponents.puzzles.reasons.bouncers_forces import Case, Count, Forces, TooMuch, passed
from opponents.puzzles.reasons.bouncers_moments import Situation, how_won

NAMED: Final = 3
"""The most moves of the losing side that are named in the last case. With more, that case is told as all other moves."""


@dataclass(frozen=True, slots=True)
class Later:
    """The part of the solution that the solver reads after the reason for a move.

    Attributes:
        final: the move that wins the game at the end of the line, or None if the line ends before that.
        reply: the longest defence, if another move of the solver follows it.
    """

    final: Action | None
    reply: Action | None


class Lost:
    """A position that the side to move loses by force, and what the other side does about it.

    How the move `known` wins is left out, because the solver reads it later. `budget` is the thought about the answer to a
    defence that is hard to meet; without it, such a defence is not named.
    """

    def __init__(self, state: State, solver: int, known: Action | None = None, budget: Budget | None = None) -> None:
        self.moment, self.solver, self.winner, self._known = Situation(state), solver, 1 - state.to_move, known
        self._forces, self._position = Forces(state.variant), position_of(state)
        self._who, self._budget = seat_name(1 - solver), budget

    @property
    def is_soon(self) -> bool:
        """Whether the side to move loses with the other side's next move."""
        return all(self.moment.next_wins.values())

    def words(self) -> Text | None:
        """Return how the other side wins, or None if that would take too many words."""
        try:
            if self.is_soon:
                return self._at_once()
            count = self._forces.count(self._position)
            if count is not None:
                return self._counted(count) if len(count.mover) <= len(count.other) else None
            plan = self._forces.plan(frozenset([self._position]))
            if plan is not None:
                ends = self._forces.ends(frozenset([self._position]), plan)
                return self._whatever(self._in_turn(list(self.moment.moves), plan, ends))
            cases = self._forces.cases(self._position)
            return self._in_cases(cases) if cases is not None else self._unless() or self._against_the_hard()
        except TooMuch:
            return None

    def _unless(self) -> Text | None:
        """Return the moves that win whatever is played, unless a certain move wins sooner, or None if there are none."""
        start = frozenset([self._position])
        for sooner in self._forces.wins_sooner(self._position):
            plan = self._forces.plan(start, sooner=sooner)
            if plan:
                moves = self._in_turn(list(self.moment.moves), plan, self._forces.ends(start, plan, sooner))
                return join([self._whatever(moves), self._sooner(sooner)], " ")
        return None

    def advantage(self) -> Iterator[Text]:
        """Yield what the winning solver has and the other side has not, for a win that would take too many words."""
        variant, position = self.moment.state.variant, self._position
        for tell in (self._catching, self._racing, self._reserving, self._stuck):
            with suppress(TooMuch):
                told = tell(Forces(variant), position)
                if told is not None:
                    yield told
                    return

    def _catching(self, forces: Forces, position: Position) -> Text | None:
        if not forces.catches(position):
            return None
        return say("You catch all of {who}’s pieces in time: before they become kings, or right afterwards.", who=self._who)

    def _racing(self, forces: Forces, position: Position) -> Text | None:
        mine, theirs = forces.race(passed(position)), forces.race(position)
        if not self.moment.state.setup.terminal or mine is None or (theirs is not None and theirs <= mine):
            return None
        return self._ahead_in_the_race(mine, theirs)

    def _reserving(self, forces: Forces, position: Position) -> Text | None:
        reserve = forces.reserve(position)
        if len(reserve) <= 1:
            return None
        words = join([join(action, " → ") for action in reserve], ", ")
        return say_n(
            "You keep {n} move in reserve that {who} can’t prevent: {moves}.",
            "You keep {n} moves in reserve that {who} can’t prevent: {moves}.",
            len(reserve), who=self._who, moves=words,
        )  # fmt: skip

    def _stuck(self, forces: Forces, position: Position) -> Text | None:
        return say_n(
            "Left alone, {who} could make only {n} more move, and gain nothing from it.",
            "Left alone, {who} could make only {n} more moves, and gain nothing from them.",
            len(forces.row(position)), who=self._who,
        )  # fmt: skip

    def _ahead_in_the_race(self, mine: int, theirs: int | None) -> Text:
        if theirs is not None:
            return say_n(
                "Left alone, you’d win in {n} more move, {who} only in {other}.",
                "Left alone, you’d win in {n} more moves, {who} only in {other}.",
                mine, who=self._who, other=theirs,
            )  # fmt: skip
        return say_n(
            "Left alone, you’d win in {n} more move, {who} not so soon.",
            "Left alone, you’d win in {n} more moves, {who} not so soon.",
            mine, who=self._who,
        )  # fmt: skip

    def _against_the_hard(self) -> Text | None:
        """Return the answer to the only defence that is hard to meet, and what follows, or None if there are more of them."""
        hard = self._forces.hard(self._position)
        if self._budget is None or len(hard) != 1:
            return None
        replied = Situation(self.moment.moves[hard[0]])
        _, answer = replied.best(self._budget)
        onward = Lost(replied.moves[answer], self.solver).words()
        if onward is None:
            return None
        values = {"who": self._who, "reply": self.moment.words(hard[0]), "answer": replied.words(answer), "onward": onward}
        if self.winner == self.solver:
            return say("If {who} plays {reply}, you answer {answer}. {onward} All of {who}’s other moves lose, too.", **values)
        return say("If you play {reply}, {who} answers {answer}. {onward} All your other moves lose, too.", **values)

    def _sooner(self, action: Action) -> Text:
        squares = join(action, " → ")
        if self.winner == self.solver:
            return say("As soon as {move} is possible, that wins at once instead.", move=squares)
        return say("As soon as {move} is possible, {who} wins with that instead.", move=squares, who=self._who)

    def _at_once(self) -> Text:
        """Return the move that wins next, or the moves if which one wins depends on the answer."""
        moment, start = self.moment, frozenset([self._position])
        plan = self._forces.plan(start, 1)
        if plan is not None:
            final = self._in_turn(list(moment.moves), plan, self._forces.ends(start, plan))
            if len(moment.moves) == 1:
                return self._only(moment.words(next(iter(moment.moves))), final)
            if moment.threat is not None:
                return self._threat(final)
            return self._forced_to_move(final)
        cases = self._forces.cases(self._position, 1)
        if cases is not None:
            return self._in_cases(cases)
        return self._example()

    def _example(self) -> Text:
        """Return the threat, or an example, for a position where the move that wins next depends on the answer in many ways."""
        moment = self.moment
        if (threat := moment.threat) is not None:
            reply = next(reply for reply, after in moment.moves.items() if not Situation(after).wins_with(threat))
            values = {"threat": moment.passed.words(threat), "move": moment.words(reply), "who": self._who,
                      "final": self._final(reply)}  # fmt: skip
            if self.winner == self.solver:
                return say(
                    "You threaten {threat}. If {who} stops that with {move}, for example, you win with {final}.", **values
                )
            return say(
                "{who} threatens {threat}. If you stop that with {move}, for example, {who} wins with {final}.", **values
            )
        reply = next(iter(moment.moves))
        values = {"move": moment.words(reply), "final": self._final(reply), "who": self._who}
        if self.winner == self.solver:
            return say("{who} has to move, and every move loses. After {move}, for example, you win with {final}.", **values)
        return say("You have to move, and every move loses. After {move}, for example, {who} wins with {final}.", **values)

    def _final(self, reply: Action) -> Text:
        after = Situation(self.moment.moves[reply])
        final = after.winning
        assert final is not None, "every reply loses at once"
        return self._won(after.words(final), [after.moves[final]], final)

    # --- sentences, for both sides ---------------------------------------------------------------------------------------

    def _only(self, move: Text, final: Text) -> Text:
        if self.winner == self.solver:
            return say("{who} has only one move, {move}. Then you win with {final}.", who=self._who, move=move, final=final)
        return say("You have only one move, {move}. Then {who} wins with {final}.", who=self._who, move=move, final=final)

    def _threat(self, final: Text) -> Text:
        if self.winner == self.solver:
            return say("You threaten {final}. {who} can’t prevent that.", who=self._who, final=final)
        return say("{who} threatens {final}. You can’t prevent that.", who=self._who, final=final)

    def _forced_to_move(self, final: Text) -> Text:
        if self.winner == self.solver:
            return say("{who} has to move, and whatever they play, you win with {final}.", who=self._who, final=final)
        return say("You have to move, and whatever you play, {who} wins with {final}.", who=self._who, final=final)

    def _whatever(self, moves: Text) -> Text:
        if self.winner == self.solver:
            return say("Whatever {who} does, you play {moves}.", who=self._who, moves=moves)
        return say("Whatever you do, {who} plays {moves}.", who=self._who, moves=moves)

    def _in_cases(self, cases: Sequence[Case]) -> Text:
        told = []
        for number, case in enumerate(cases):
            moves = self._in_turn(case.replies, case.moves, case.ends)
            if number and number == len(cases) - 1 and len(case.replies) > NAMED:
                told.append(self._after_others(moves))
            else:
                told.append(self._after(case.replies, moves))
        return join(told, " ")

    def _after(self, replies: Iterable[Action], moves: Text) -> Text:
        named = _either([self.moment.words(reply) for reply in replies])
        if self.winner == self.solver:
            return say("If {who} plays {replies}, you play {moves}.", who=self._who, replies=named, moves=moves)
        return say("If you play {replies}, {who} plays {moves}.", who=self._who, replies=named, moves=moves)

    def _after_others(self, moves: Text) -> Text:
        if self.winner == self.solver:
            return say("After any other move by {who}, you play {moves}.", who=self._who, moves=moves)
        return say("After any other move of yours, {who} plays {moves}.", who=self._who, moves=moves)

    def _counted(self, count: Count) -> Text:
        seat = self.moment.seat
        rows = {seat: count.mover, 1 - seat: count.other}
        mine, theirs = rows[self.solver], rows[1 - self.solver]
        values = {"who": self._who, "other": len(theirs), "mine": self._row(self.solver, mine),
                  "theirs": self._row(1 - self.solver, theirs)}  # fmt: skip
        told: list[Text] = [
            say("From now on neither side can get in the other’s way, so count the moves that are left."),
            say_n("You have {n} ({mine}), {who} has {other} ({theirs}).",
                  "You have {n} ({mine}), {who} has {other} ({theirs}).", len(mine), **values),
        ]  # fmt: skip
        if self.winner == self.solver:
            told.append(say("It’s {who}’s turn, so {who} runs out of moves first.", who=self._who))
        else:
            told.append(say("It’s your turn, so you run out of moves first."))
        return join(told, " ")

    def _row(self, seat: int, row: Iterable[Action]) -> Text:
        """Return a seat's moves in a row, assuming that the other seat passes."""
        moment, words = self.moment if seat == self.moment.seat else self.moment.passed, list[Text]()
        for action in row:
            words.append(moment.words(action))
            moment = Situation(moment.moves[action]).passed
        return join(words, ", ")

    def _in_turn(self, replies: Sequence[Action], moves: Sequence[Action], ends: Iterable[Position]) -> Text:
        """Return the winner's moves one after the other, as they come after any of `replies`, and how they win.

        What a move captures is told only if it is always the same.
        """
        forces, words = self._forces, list[Text]()
        replied = {forces.moves(self._position)[reply] for reply in replies}
        for action in moves:
            able = [position for position in replied if action in forces.moves(position)]
            named = {Situation(forces.state(position)).words(action) for position in able}
            words.append(named.pop() if len(named) == 1 else join(action, " → "))
            replied = {there for position in able for there in forces.moves(forces.moves(position)[action]).values()}
        return self._won(_then(words), [forces.state(end) for end in ends], moves[-1])

    def _won(self, moves: Text, ends: Sequence[State], final: Action) -> Text:
        """Return moves together with how they have won, if this is always the same and is not said in the next sentence."""
        hows = {how_won(end, self.winner, self.solver) for end in ends}
        if final == self._known:
            return moves
        if len(hows) != 1:
            return say("{moves}, and that wins", moves=moves)
        return say("{moves}: {how}", moves=moves, how=hows.pop())


def _then(words: Sequence[Text]) -> Text:
    told = words[0]
    for move in words[1:]:
        told = say("{moves}, then {move}", moves=told, move=move)
    return told


def _either(words: Sequence[Text]) -> Text:
    told = words[0]
    for move in words[1:]:
        told = say("{moves} or {move}", moves=told, move=move)
    return told


def of_a_loss(state: State, solver: int, moves: int, budget: Budget, later: Later | None = None) -> Text:
    """Return how the side that is not to move wins, in `moves` moves. `later` is what the solver reads after this text."""
    lost = Lost(state, solver, later.final if later else None, None if later and later.reply else budget)
    if (forced := lost.words()) is not None:
        return forced
    who = seat_name(1 - solver)
    if lost.winner != solver:
        count = say_n(
            "Whatever you do, {who} wins in {n} more move.", "Whatever you do, {who} wins in {n} more moves.", moves, who=who
        )
        return join([count, *to_the_end(state, solver, lost.winner, budget)], " ")
    told: list[Text] = [*lost.advantage(), say_n(
        "Whatever {who} does, you win in {n} more move.", "Whatever {who} does, you win in {n} more moves.", moves, who=who
    )]  # fmt: skip
    if later and later.reply:
        move = lost.moment.words(later.reply)
        told.append(say("{who} holds out longest with {move}. Your next move answers that.", who=who, move=move))
    else:
        told += to_the_end(state, solver, lost.winner, budget)
    return join(told, " ")
