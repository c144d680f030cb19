"""The time to draw a board of Puck Bumpers as a PNG file, and its size, beside a chess board by chess.svg and cairosvg.

The pictures are starting positions and the worst that random games lead to: public ones with all that happened in ten actions,
and private ones with the hand and all options, and with a piece or a card picked. All are drawn from a warm cache, as by a
running bot; the figure is the best of several repetitions in turns with the reference. The aims: under 80 ms and under 150 kB
per picture.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.bouncers_picture import SIDE, best_of, chess_picture, timed
from engines.chance import Fair
from engines.game import Action, Event, Game
from engines.pucks import Pucks
from engines.pucks.views import PucksView
from renderers import draw
from renderers.scene import Scene

REPETITIONS = 12
AIM_MS, AIM_BYTES = 80, 150_000
GAMES = ((2, "standard"), (3, "standard"), (4, "standard"), (5, "standard"), (6, "standard"), (6, "old-school"))
STEPS, EVERY = 200, 10
NAMES = ("Ann", "Bob the Builder", "Zoë", "Δημήτρης", "Eve", "Mallory")


@dataclass(frozen=True)
class Shot:
    """A picture to be drawn, and its title."""

    title: str
    view: PucksView
    scene: Scene

    def draw(self) -> bytes:
        """The PNG file."""
        return draw("pucks", self.view, self.scene)


def random_action(game: Game[Any, Any], state: Any, seat: int, dice: random.Random) -> Action:
    """Any legal action, each of its tokens drawn from those that are offered."""
    action: Action = ()
    while True:
        offered = game.choices(state, seat, action)
        chosen = dice.choice(offered)
        action = (*action, chosen.token)
        if chosen.final and (dice.random() < 0.6 or not game.choices(state, seat, action)):
            return action


def shots_of(seats: int, variant: str, seed: int) -> Iterator[Shot]:
    """Pictures of a random game: every few steps, what everybody sees, and what the player to act sees, who then picks."""
    game, dice = Pucks(), random.Random(seed)
    state = game.start(seats, variant, Fair(seed.to_bytes(32, "big")), setup="random")
    known: list[Event] = []
    for step in range(STEPS):
        if game.outcome(state):
            return
        # Quick play cards are played out of turn.
        seat = dice.choice(game.may_act(state) if dice.random() < 0.15 else game.to_act(state))
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
    """The board at the start, for the smallest and the largest number of players."""
    game = Pucks()
    for seats in (2, 6):
        view = game.view(game.start(seats, chance=Fair(bytes(32)), setup="random"))
        yield Shot(f"first position for {seats}", view, Scene(names=NAMES[:seats]))


def worst(count: int) -> tuple[list[Shot], int, int]:
    """The slowest few pictures of the random games and the largest, the number of pictures, and the largest size in bytes."""
    found: list[tuple[float, int, Shot]] = []
    for seats, variant in GAMES:
        for shot in shots_of(seats, variant, seats):
            shot.draw()
            taken, size = min(timed(shot.draw), timed(shot.draw))
            found.append((taken, size, shot))
    slowest = sorted(found, key=lambda entry: -entry[0])[:count]
    largest = max(found, key=lambda entry: entry[1])
    return [*dict.fromkeys([shot for _, _, shot in slowest] + [largest[2]])], len(found), largest[1]


def run() -> Iterator[str]:
    """Yields lines for the first picture, each starting position, the worst pictures of random games, and the reference."""
    shots = list(first_positions())
    first, _ = timed(shots[0].draw)
    yield f"Puck Bumpers, the first picture of a process: {first:.0f} ms"
    hard, seen, largest = worst(4)
    calls: dict[str, Callable[[], bytes]] = {shot.title: partial(shot.draw) for shot in [*shots, *hard]}
    reference = chess_picture()
    if not isinstance(reference, str):
        calls["chess"] = reference
    best, sizes = best_of(calls, REPETITIONS)
    for shot in shots:
        yield f"{shot.title}: {best[shot.title]:.1f} ms, {sizes[shot.title] / 1000:.1f} kB"
    slowest = max((shot.title for shot in hard), key=best.__getitem__)
    yield f"the slowest of {seen} pictures from random games ({slowest}): {best[slowest]:.1f} ms (aim: {AIM_MS} ms)"
    yield f"the largest of them: {largest / 1000:.1f} kB (aim: {AIM_BYTES / 1000:.0f} kB)"
    if isinstance(reference, str):
        yield f"chess by chess.svg and cairosvg: not measured, {reference}"
        return
    yield f"chess by chess.svg and cairosvg after 1. e4, {SIDE} px: {best['chess']:.1f} ms, {sizes['chess'] / 1000:.1f} kB"
    yield f"chess takes {best['chess'] / best[slowest]:.1f} times as long as the slowest of these boards"


if __name__ == "__main__":
    for line in run():
        print(line)
