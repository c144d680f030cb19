"""Puck Bumpers played by looking one action ahead, at the pucks in goals and at how many slides the others are from one."""

from collections.abc import Iterator
from random import Random
from typing import Final

from benchmarks.matches import Request
from engines.game import Action, Game
from engines.pucks.board.board import NOWHERE, Grid
from engines.pucks.board.motion import SCORED
from engines.pucks.board.pieces import PieceKind
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase, PucksView
from opponents.playouts import random_action

WAYS_TO_PLAY: Final = 30
"""The number of random ways of playing each card that are looked at."""
FARTHEST: Final = 8
"""The number of slides from a goal from which on the distance makes no difference. A scored puck counts as twice as many."""


def greedy_with_pucks(asked: Request) -> Action | None:
    """Return the action after which the seat is best off at once. Pieces are placed at random; nothing is done out of turn."""
    if not asked.waited_for:
        return None
    if asked.state.phase is Phase.PLACE:
        return ("auto",)
    game: Game[State, PucksView] = asked.game
    rng = Random(asked.stream)
    candidates = list(dict.fromkeys(_candidates(game, asked.state, asked.seat, rng)))
    rng.shuffle(candidates)
    return max(candidates, key=lambda action: worth(game.advance(asked.state, asked.seat, action), asked.seat))


def _candidates(game: Game[State, PucksView], state: State, seat: int, rng: Random) -> Iterator[Action]:
    """Yield every action that does not play a card, and some ways of playing each card."""
    for choice in game.choices(state, seat):
        if choice.final:
            yield (choice.token,)
            continue
        for onward in game.choices(state, seat, (choice.token,)):
            if onward.final:
                yield (choice.token, onward.token)
            elif choice.token == "play":
                for _ in range(WAYS_TO_PLAY):
                    yield random_action(game, state, seat, rng, ("play", onward.token))


def worth(state: State, seat: int) -> int:
    """Return what a state is worth for a seat: the worth of its pucks, less that of the best other seat's pucks."""
    others = [_of(state, other) for other in state.live if other != seat]
    return _of(state, seat) - max(others, default=0)


def _of(state: State, seat: int) -> int:
    slides = slides_to_goal(state)
    places = state.table.places
    pucks = [i for i in state.pieces_of(seat) if state.pieces[i].kind is PieceKind.PUCK]
    return sum(2 * FARTHEST if places[i] < 0 else FARTHEST - slides.get(places[i], FARTHEST) for i in pucks)


def slides_to_goal(state: State) -> dict[int, int]:
    """Return how many slides a lone puck on each space needs to score, as the other pieces stand.

    Spaces from which it takes `FARTHEST` slides or more are left out.
    """
    grid, standing = state.grid(), frozenset(state.table.places)
    ends = {space: set(_slides(grid, standing, space)) for space in range(len(grid.marks))}
    known = dict.fromkeys((space for space, to in ends.items() if SCORED in to), 1)
    for slides in range(2, FARTHEST):
        known |= {space: slides for space, to in ends.items() if space not in known and not to.isdisjoint(known)}
    return known


def _slides(grid: Grid, standing: frozenset[int], start: int) -> Iterator[int]:
    """Yield the spaces to which a puck can slide, with `SCORED` for a goal."""
    for direction in range(4):
        space = start
        while (ahead := grid.neighbours[4 * space + direction]) != NOWHERE and ahead not in standing:
            space = ahead
            if grid.marks[space] == "G":
                space = SCORED
                break
        if space != start:
            yield space
