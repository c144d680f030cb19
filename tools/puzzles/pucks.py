"""The miner of Puck Bumpers, for turns in which there is only one way to score the most pucks.

The boards come from games of computers, with a hand and a number of actions that are drawn at random, or everything is composed
(`tools.puzzles.pucks_composed`). Every way through the turn is looked at (`opponents.puzzles.goals`). A puzzle needs all of its
actions, and all ways to score the most pucks end with the same board.
"""

from collections.abc import Hashable, Iterator
from hashlib import sha256
from itertools import islice, product
from random import Random
from typing import Final

from typing_extensions import override

from engines.chance import Fair
from engines.position_codes import KnownPosition, Line, follow, line_text
from engines.pucks import Pucks
from engines.pucks.board.motion import SCORED
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from opponents.contract import Level
from opponents.pucks import PucksComputer
from opponents.puzzles.goals import LAYING, PLAIN_CARDS, TooLarge, TurnSearch, goals_of
from opponents.puzzles.puzzle import Goal, Proof, Puzzle, Theme
from tools.puzzles.miner import Find, Miner, seeded
from tools.puzzles.pucks_composed import alone, compositions, kind_of

GAME: Final = Pucks()

LEAST_ACTIONS: Final = 2
"""The fewest actions of a puzzle, including free cards."""
MOST_ACTIONS: Final = 4
"""The most actions of a puzzle, including free cards."""
MOST_MOMENTS: Final = 3_000
"""The most positions of a turn that are looked at."""
COMPOSED: Final = "composed"
"""The source of composed turns. All other sources are variants, of which games are played."""
_SEATS: Final = (2, 3, 4)
"""The numbers of players, one of which is drawn for each game."""
_TURNS: Final = ((0, 2), (0, 2), (0, 3), (1, 1), (1, 2), (1, 2), (2, 1))
"""The pairs of a number of cards in the hand and a number of actions; one pair is drawn for each turn. With more of both there
are mostly several ways."""
_DRAWS: Final = 3
"""The number of hands, each with a number of actions, that are drawn for a turn in games with cards."""
_LONGEST: Final = 400
"""The most actions of a game."""
_EACH: Final = 0.7
"""The share of the turns of a game that are looked at."""


def turns_of(variant: str, number: int) -> Iterator[State]:
    """Yield turns, at their beginning, from a game between computers. Their hands and numbers of actions are random."""
    rng = seeded(f"pucks {variant} {number}")
    seats = rng.choice(_SEATS)
    chance = Fair(sha256(f"pucks {variant} {number}".encode()).digest())
    state = GAME.start(seats, variant, chance, setup="random")
    player = PucksComputer(GAME, Level.MEDIUM)
    for ply in range(_LONGEST):
        awaited = GAME.to_act(state)
        if not awaited:
            return
        seat = awaited[0]
        if state.phase is Phase.ACT and not state.taken and not state.winning and state.whole and rng.random() < _EACH:
            yield from [_drawn(state, rng) for _ in range(_DRAWS if state.rules.cards else 1)]
        state = GAME.advance(state, seat, player.choose(state, seat, stream=f"{number} {ply}").action)


def _drawn(state: State, rng: Random) -> State:
    if not state.rules.cards:
        return alone(state, (), state.rules.actions)
    cards, actions = rng.choice(_TURNS)
    return alone(state, tuple(rng.sample(sorted(PLAIN_CARDS), cards)), actions)


def puzzle_from(state: State) -> Puzzle | None:
    """Return the puzzle of a turn, or None if it has none."""
    try:
        turn = TurnSearch(state, MOST_MOMENTS)
        best = turn.best()
    except TooLarge:
        return None
    if not best.goals or not LEAST_ACTIONS <= best.actions <= MOST_ACTIONS or len(best.ends) != 1:
        return None
    line = Line(KnownPosition(GAME, state))
    for action in turn.line():
        line = follow(line, state.to_move, action)
    return Puzzle("pucks", 0, 1, Goal.SCORE, Proof.EXHAUSTED, themes_of(line), line_text(line))


def themes_of(line: Line) -> tuple[Theme, ...]:
    """Return the motifs of a way through a turn."""
    seat, first, last = line.actions[0][0], line.start.state, line.end.state
    own = first.pieces_of(seat)
    scored = {
        first.pieces[place].word
        for place in own
        if first.table.places[place] != last.table.places[place] and last.table.places[place] == SCORED
    }
    moved = [action[-2] for _, action in line.actions if action[0] != "play"]
    found = {
        Theme.SEVERAL: goals_of(first, last, seat) > 1,
        Theme.PUSH: not scored <= set(moved),
        Theme.STOPPER: any(word not in scored for word in moved),
        Theme.CARD: len(moved) < len(line.actions),
        Theme.MATS: any(action[0] == "play" and action[1] in LAYING for _, action in line.actions),
    }
    return tuple(theme for theme, is_there in found.items() if is_there)


class PucksMiner(Miner):
    """The miner of Puck Bumpers. A place is a game of one variant, or a board for composed turns. The budgets are in boards."""

    game = "pucks"
    sources = (*GAME.variants, COMPOSED)
    budgets = (1, 30, 100, 300, 1_000, 3_000, 10_000)

    @override
    def mine(self, source: str, number: int) -> Iterator[Find]:
        if source == COMPOSED:
            kind = kind_of(number)
            proposed = filter(None, map(self.propose, compositions(number, kind)))
            yield from islice(filter(None, map(self.find_of, filter(kind.fits, proposed))), 1)
            return
        for state in turns_of(source, number):
            if (find := self.examine(state)) is not None:
                yield find

    @override
    def propose(self, state: State) -> Puzzle | None:
        return puzzle_from(state)

    @override
    def marks(self, puzzle: Puzzle) -> frozenset[Hashable]:
        line, seat = puzzle.line, puzzle.seat
        return frozenset({canonical(line.start.state, seat), canonical(line.end.state, seat)})

    @override
    def player(self, level: Level) -> PucksComputer:
        return PucksComputer(GAME, level)


def canonical(state: State, seat: int) -> Hashable:
    """Return a value that a board shares with itself turned or mirrored, whichever numbers its pieces have.

    The value has the floor and the pieces, both those of the seat and those of others.
    """
    grid, owners = state.grid(), state.owners
    floor = dict(zip(grid.points, grid.marks, strict=True))
    standing = {
        grid.points[space]: (piece.kind.value, owners.of(piece.colour) == seat)
        for piece, space in zip(state.pieces, state.table.places, strict=True)
        if space >= 0
    }
    pictures = []
    for across, down, swapped in product((1, -1), (1, -1), (False, True)):
        turned = {}
        for point, mark in floor.items():
            x, y = across * point[0], down * point[1]
            turned[(y, x) if swapped else (x, y)] = mark, standing.get(point)
        left, top = min(x for x, _ in turned), min(y for _, y in turned)
        pictures.append(tuple(sorted(((x - left, y - top), str(there)) for (x, y), there in turned.items())))
    return min(pictures)
