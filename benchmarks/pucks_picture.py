"""The time to draw a board of Puck Bumpers as a PNG file, and its size, beside a chess board by chess.svg and cairosvg.

The pictures are starting positions and the worst pictures of random games. Public ones show all that happened in ten actions;
private ones show the hand and all options, or a picked piece or card. All are drawn from a warm cache, as by a running bot. The
figure is the best of several repetitions in turns with the reference.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from benchmarks.bouncers_picture import best_of, chess_picture, picture_figures, timed
from benchmarks.figures import Figure, Reference, at_most
from engines.chance import Fair
from engines.game import Action, Event, Game, may_act
from engines.pucks import Pucks
from engines.pucks.board.views import PucksView
from renderers import draw
from renderers.scene import Scene

REPETITIONS = 12
AIM_MS, AIM_TIMES, AIM_KB = 9, 6, 150
GAMES = ((2, "standard"), (3, "standard"), (4, "standard"), (5, "standard"), (6, "standard"), (6, "old-school"))
STEPS, EVERY = 200, 10
TINY: Final[Mapping[str, Any]] = {"repetitions": 1, "games": GAMES[:1], "steps": 20}
NAMES = ("Ann", "Bob the Builder", "Zoë", "Δημήτρης", "Eve", "Mallory")


@dataclass(frozen=True)
class Shot:
    title: str
    view: PucksView
    scene: Scene

    def draw(self) -> bytes:
        return draw("pucks", self.view, self.scene)


def random_action(game: Game[Any, Any], state: Any, seat: int, dice: random.Random) -> Action:
    action: Action = ()
    while True:
        offered = game.choices(state, seat, action)
        chosen = dice.choice(offered)
        action = (*action, chosen.token)
        if chosen.final and (dice.random() < 0.6 or not game.choices(state, seat, action)):
            return action


def shots_of(seats: int, variant: str, seed: int, steps: int) -> Iterator[Shot]:
    """Yield pictures of a random game. Every few steps they show what everybody sees, and what the player to act sees.

    A third picture shows what that player sees after picking a token.
    """
    game, dice = Pucks(), random.Random(seed)
    state = game.start(seats, variant, Fair(seed.to_bytes(32, "big")), setup="random")
    known: list[Event] = []
    for step in range(steps):
        if game.outcome(state):
            return
        # Quick play cards are played out of turn.
        seat = dice.choice(may_act(game, state) if dice.random() < 0.15 else game.to_act(state))
        played = game.play(state, seat, random_action(game, state, seat, dice))
        state = played.state
        known = [*(known if step % EVERY != 1 else []), *(event for event in played.events if event.known_to(None))]
        if step % EVERY or game.outcome(state):
            continue
        title = f"{variant} for {seats}, step {step}"
        yield Shot(f"{title}, public", game.view(state), Scene(names=NAMES[:seats], events=tuple(known)))
        acting = game.to_act(state)[0]
        options = tuple(game.choices(state, acting))
        yield Shot(f"{title}, private", game.view(state, acting), Scene(names=NAMES[:seats], options=options))
        picked = (dice.choice(options).token,)
        options = tuple(game.choices(state, acting, picked))
        if options:
            yield Shot(
                f"{title}, picking", game.view(state, acting), Scene(names=NAMES[:seats], prefix=picked, options=options)
            )


def first_positions() -> Iterator[Shot]:
    """Yield the board at the start, for the smallest and the largest number of players."""
    game = Pucks()
    for seats in (2, 6):
        view = game.view(game.start(seats, chance=Fair(bytes(32)), setup="random"))
        yield Shot(f"first position for {seats}", view, Scene(names=NAMES[:seats]))


def worst(count: int, games: Sequence[tuple[int, str]], steps: int) -> tuple[list[Shot], int, int]:
    """Return the slowest and the largest pictures of the random games, the number of all, and the largest size in bytes."""
    found: list[tuple[float, int, Shot]] = []
    for seats, variant in games:
        for shot in shots_of(seats, variant, seats, steps):
            shot.draw()
            taken, size = min(timed(shot.draw), timed(shot.draw))
            found.append((taken, size, shot))
    slowest = sorted(found, key=lambda entry: -entry[0])[:count]
    largest = max(found, key=lambda entry: entry[1])
    return [*dict.fromkeys([shot for _, _, shot in slowest] + [largest[2]])], len(found), largest[1]


def run(repetitions: int = REPETITIONS, games: Sequence[tuple[int, str]] = GAMES, steps: int = STEPS) -> Iterator[Figure]:
    shots = list(first_positions())
    hard, seen, largest = worst(4, games, steps)
    calls: dict[str, Callable[[], bytes]] = {shot.title: partial(shot.draw) for shot in [*shots, *hard]}
    chessboard = chess_picture()
    if not isinstance(chessboard, str):
        calls["chess"] = chessboard
    best, sizes = best_of(calls, repetitions)
    reference = Reference("chess.svg with cairosvg", best["chess"]) if "chess" in best else None
    aims = AIM_MS, AIM_TIMES, None
    for shot in shots:
        yield from picture_figures(f"Puck Bumpers, {shot.title}", best[shot.title], sizes[shot.title], reference, aims)
    slowest = max((shot.title for shot in hard), key=best.__getitem__)
    slow, _ = picture_figures("Puck Bumpers, the slowest of random games", best[slowest], 0, reference, aims)
    yield replace(slow, note=f"of {seen}: {slowest}")
    yield Figure(name="Puck Bumpers, the largest of random games", value=largest / 1000, unit="kB", aims=at_most(AIM_KB))
