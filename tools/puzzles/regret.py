"""Turns of Bounce Bunny Bounce in which one move has by far the best chance to win, and what each other move gives away.

Each other move is compared with the best one in the same imagined games (`Opponent.compare`), in which the hidden cards lie in
any order that fits what the seat knows. A second judge, which knows neither the tree nor its values, has to agree. It plays
both moves on quickly to the end of the game, and the best one has to win more, with 95 % confidence.
"""

from collections.abc import Iterable
from math import sqrt
from operator import itemgetter
from statistics import fmean, stdev
from typing import Final

from engines.bunny import Bunny, BunnyState
from engines.game import Action, legal_actions
from engines.position_codes import position_code
from opponents.bunny import BunnyOpponent
from opponents.bunny.kernel import World, number, tokens
from opponents.bunny.knowledge import Belief
from opponents.bunny.playout import play_on
from opponents.bunny.search import Mind, Search
from opponents.contract import Budget, Level
from opponents.puzzles.puzzle import HARDEST, Puzzle
from tools.puzzles.miner import UNSAFE, seeded

GAP: Final = 0.15
"""The least part of the chance to win that every other move has to give away."""
LEAST_MOVES: Final = 3
"""The fewest cards on which the Bunny has to be able to land first."""
PLAYED: Final = 4_000
"""The number of imagined games in which the best move and another one are played on to the end."""
SURE: Final = 1.96
"""The number of standard errors on each side of a mean within which the true value lies with 95 % confidence."""
_GLANCE: Final = Budget(1_000, UNSAFE)
_THOUGHT: Final = Budget(8_000, UNSAFE)
"""The budget for comparing a move with the best one, in games imagined. `_GLANCE` is the budget for a first comparison."""
_TO_THE_END: Final = 1_000
"""More turns than any game has, because too many turns without a Carrot end it."""
_CONFIRMING: Final = ("second", "third", "fourth", "fifth")
"""The names of the looks that confirm the first one. Each has draws and a tree of its own."""
_PLAYER: Final = BunnyOpponent(Bunny(), Level.EXPERT)

Losses = tuple[tuple[Action, int], ...]
"""Moves and the points of win chance that each gives away. The moves that give away the fewest come first."""


def best_of(state: BunnyState) -> tuple[Action, Losses] | None:
    """Return a turn's best move and what the others lose, or None if there are too few others or they lose too little.

    Moves that lead to the same card count as one.
    """
    seat, world = state.turn, World(state)
    cards = {action: world.first(seat, number(action)) for action in legal_actions(_PLAYER.game, state, seat)}
    if len({*cards.values()}) < LEAST_MOVES:
        return None
    best = _PLAYER.choose(state, seat, _GLANCE, stream="glance").action
    others = [action for action, card in cards.items() if card != cards[best]]
    if _losses(state, best, others, _GLANCE, "glance") is None:
        return None
    losses = _losses(state, best, others, _THOUGHT, "first")
    if losses is None or not all(is_surely_better(state, best, other) for other in others):
        return None
    return best, losses


def is_surely_better(state: BunnyState, best: Action, other: Action, games: int = PLAYED) -> bool:
    """Return whether a move does better than another one in games that are played on quickly, with 95 % confidence."""
    differences = _played_on(state, best, other, games)
    return fmean(differences) > SURE * stdev(differences) / sqrt(games)


def _played_on(state: BunnyState, best: Action, other: Action, games: int) -> list[float]:
    """Return by how much a move does better than another one in each of the games, which are played on with the same luck."""
    seat, found = state.turn, list[float]()
    rng = seeded(f"{position_code(_PLAYER.game, state, seat)} {' '.join(best)} {' '.join(other)}")
    belief = Belief(state, seat, ())
    for _ in range(games):
        world, luck, results = belief.world(rng), rng.getstate(), list[float]()
        for action in (best, other):
            played = world.copy()
            rng.setstate(luck)
            played.play(number(action))
            play_on(played, _TO_THE_END, rng.random)
            results.append(played.result())
        found.append((results[0] - results[1]) * (1 if seat == 0 else -1))
    return found


def deeper_losses(puzzle: Puzzle) -> Losses | None:
    """Return the losses as four times as much thought finds them in other imagined games, or None if one is then too small.

    These losses are the ones to publish. Those of the first look had to be large enough, so on average they are too large.
    Moreover, those of a single look depend on the tree that it grew, by two points or so; the means of four looks hardly do.
    """
    others = [action for action, _ in puzzle.losses]
    return _losses(puzzle.line.start.state, puzzle.own[0], others, _THOUGHT, *_CONFIRMING)


def difficulty(puzzle: Puzzle) -> int:
    """Return a puzzle's difficulty, as `Puzzle.difficulty` counts it, by searches that look one to seven turns ahead.

    The amount of thought would hardly tell two puzzles apart, because an expert sees nearly all of them at once.
    """
    return 1 + sum(puzzle.lost(_found_ahead(puzzle, turns)) > 0 for turns in range(1, HARDEST))


def _found_ahead(puzzle: Puzzle, turns: int) -> Action:
    """Return the best move by a search that looks this many turns ahead, and judges by what both seats have then."""
    mind = Mind(span=None, depth=turns, turns=0)
    search = Search(Belief(puzzle.line.start.state, puzzle.seat, ()), mind, seeded(puzzle.text))
    search.grow(_GLANCE)
    return tokens(search.root.best().move)


def _losses(state: BunnyState, best: Action, others: Iterable[Action], budget: Budget, *looks: str) -> Losses | None:
    """Return what each other move gives away against the best one, on average over some looks.

    Return None as soon as a move does not give enough away, or does not surely give something away at one of the looks.
    """
    found = []
    for other in others:
        streams = (f"{look} {' '.join(other)}" for look in looks)
        losses = [_PLAYER.compare(state, state.turn, (best, other), budget, stream=stream) for stream in streams]
        lost = fmean(loss.mean for loss in losses)
        if lost < GAP or min(loss.least for loss in losses) <= 0:
            return None
        found.append((other, round(100 * lost)))
    return tuple(sorted(found, key=itemgetter(1)))
