"""The time in which Puck Bumpers lists what may come next, at worst, beside its budget of 50 ms and beside chess.

Random games lead to boards of every shape; the thinnest of all, sixteen mats in a row, is measured, too. The player to move
holds one of each card in the draw pile, so that every card is tried on every board, above all the shifts of Let's Mix Things
Up. The engine's caches are cleared before each call. The reference is python-chess listing the legal moves of a middlegame
position.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import chess

from benchmarks.figures import Figure, Reference, at_most
from engines.chance import Fair
from engines.game import Action
from engines.pucks import Pucks
from engines.pucks.board import board, layouts
from engines.pucks.board import state as pucks_state
from engines.pucks.board.state import State, with_hand
from engines.pucks.board.views import Phase

PUCKS = Pucks()
BUDGET = 0.050
SECONDS = 20.0
WALKS = 12
REPETITIONS = 5
TINY: Final[Mapping[str, Any]] = {"seconds": 0.5}
MIDDLE_GAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2QK2R w KQ - 0 9"
CACHED = [
    function
    for module in (board, layouts, pucks_state)
    for name, function in vars(module).items()
    if hasattr(function, "cache_clear") and function.__module__ in {board.__name__, layouts.__name__, pucks_state.__name__}
    if name not in {"_face_walls", "_laid_face"}
]
"""The functions with which the engine remembers boards and layouts. The sixteen faces stay cached, as there are no others."""


@dataclass(frozen=True)
class TimedQuery:
    seconds: float
    state: State
    prefix: Action


def forget() -> None:
    for function in CACHED:
        function.cache_clear()


def asked(state: State, prefix: Action, repetitions: int = 1) -> TimedQuery:
    """Return a timed query for what may follow in an action of the player to move."""
    return TimedQuery(timed(partial(PUCKS.choices, state, state.to_move, prefix), repetitions), state, prefix)


def timed(answer: Callable[[], object], repetitions: int = 1) -> float:
    """Return the seconds that an answer takes with empty caches, the best of several repetitions."""
    best = float("inf")
    for _ in range(repetitions):
        forget()
        began = time.perf_counter()
        answer()
        best = min(best, time.perf_counter() - began)
    return best


def with_every_card(state: State) -> State:
    """Return the same state, except that the player to move also holds one of each card in the draw pile."""
    drawn = tuple(dict.fromkeys(state.draw_pile))
    pile = list(state.draw_pile)
    for card in drawn:
        pile.remove(card)
    hand = (*state.hands[state.to_move], *drawn)
    return with_hand(replace(state, draw_pile=tuple(pile)), state.to_move, hand)


def calls(state: State, dice: random.Random) -> Iterator[TimedQuery]:
    """Yield all queries for first and second tokens in a state, and then random ways to complete the action."""
    seat = state.to_move
    firsts = [choice.token for choice in PUCKS.choices(state, seat)]
    prefixes: list[Action] = [(), *((token,) for token in firsts)]
    cards = [choice.token for choice in PUCKS.choices(state, seat, ("play",))]
    prefixes += [("play", card) for card in cards]
    for _ in range(WALKS):
        prefix: Action = ("play", "mix") if "mix" in cards and dice.random() < 0.7 else ("play",) if cards else ()
        while offered := PUCKS.choices(state, seat, prefix):
            prefix = (*prefix, dice.choice([c.token for c in offered if c.token != "done"] or ["done"]))
            prefixes.append(prefix)
    for prefix in prefixes:
        yield asked(state, prefix)


def states(dice: random.Random, until: float) -> Iterator[State]:
    """Yield the states of random games in which mats are moved as often as possible, and the row of sixteen mats."""
    begun = PUCKS.play(PUCKS.start(6, chance=Fair(dice.randbytes(32)), setup="random"), 0, ("draw",)).state
    row = tuple(replace(mat, at=(number, 0)) for number, mat in enumerate(begun.table.mats))
    yield with_every_card(begun.with_table(replace(begun.table, mats=row)))
    while time.perf_counter() < until:
        state = PUCKS.start(dice.choice([2, 4, 6, 6]), chance=Fair(dice.randbytes(32)), setup="random")
        for number in range(120):
            if PUCKS.outcome(state) is not None or time.perf_counter() > until:
                break
            if state.phase is Phase.ACT and not state.winning and number % 3 == 0:
                state = with_every_card(state)
                yield state
            action: Action = ()
            offered = PUCKS.choices(state, PUCKS.to_act(state)[0])
            while offered:
                mats = [c for c in offered if c.token in {"play", "shift", "mix", "take-6", "borrow"}]
                choice = dice.choice(mats or offered)
                action = (*action, choice.token)
                if choice.final:
                    break
                offered = PUCKS.choices(state, PUCKS.to_act(state)[0], action)
            state = PUCKS.play(state, PUCKS.to_act(state)[0], action).state


def run(seconds: float = SECONDS) -> Iterator[Figure]:
    dice, seen = random.Random(4), 0
    found: list[TimedQuery] = []
    for state in states(dice, time.perf_counter() + seconds):
        seen += 1
        found += calls(state, dice)
    found.sort(key=lambda call: call.seconds)
    # The slowest calls may only have been interrupted, so they are measured again.
    worst = max((asked(call.state, call.prefix, REPETITIONS) for call in found[-40:]), key=lambda call: call.seconds)
    position = chess.Board(MIDDLE_GAME)
    reference = Reference("the moves of a middlegame by python-chess", timed(lambda: list(position.legal_moves), 50) * 1e3)
    middle, high = (found[len(found) * percent // 100].seconds * 1e3 for percent in (50, 99))
    note = f"after “{' '.join(worst.prefix)}” on {len(worst.state.table.mats)} mats"
    told = f"of {len(found):,} in {seen:,} states"
    yield Figure(name="what may come next in Puck Bumpers, median", value=middle, unit="ms", reference=reference, note=told)
    yield Figure(name="what may come next in Puck Bumpers, one in a hundred", value=high, unit="ms", reference=reference)
    yield Figure(name="what may come next in Puck Bumpers, the worst", value=worst.seconds * 1e3, unit="ms", note=note,
                 reference=reference, aims=at_most(BUDGET * 1e3))  # fmt: skip
