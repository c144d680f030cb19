"""The cost of replays: time and size for a long random game of each kind, beside the same frames as an animated WebP.

The references are the limits of a replay, beyond which frames are left out: on the time to draw it, and on the size of its
file.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from math import inf
from time import perf_counter
from typing import Any, Final

from PIL import Image, ImageSequence

from engines import GAMES
from engines.chance import UNSEEDED
from engines.game import Action, Game
from renderers import RENDERERS
from renderers.replay import Limits, Shot, replay
from renderers.scene import Scene

STEPS: Final = 400
NAMES: Final = ("Ann", "Ben", "Cleo", "Dev", "Eve", "Finn")


def random_game(game: Game[Any, Any], seats: int) -> list[Shot]:
    """A game of random actions with nothing hidden, of at most `STEPS` pictures."""
    dice = random.Random(seats)
    state = game.start(seats, chance=UNSEEDED)
    shots = [Shot(game.revealed(state))]
    while game.outcome(state) is None and len(shots) < STEPS:
        step = game.play(state, seat := dice.choice(game.to_act(state)), _action(game, state, seat, dice))
        state = step.state
        shots.append(Shot(game.revealed(state), step.events))
    return shots


def _action(game: Game[Any, Any], state: Any, seat: int, dice: random.Random) -> Action:
    action: Action = ()
    while True:
        choice = dice.choice(game.choices(state, seat, action))
        action = (*action, choice.token)
        if choice.final:
            return action


def as_webp(gif: bytes) -> bytes:
    """The same animation as a lossy WebP, with the defaults of Pillow."""
    frames = [frame.convert("RGBA") for frame in ImageSequence.Iterator(Image.open(BytesIO(gif)))]
    file = BytesIO()
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:], duration=1000, loop=0)
    return file.getvalue()


def run() -> Iterator[str]:
    """Yields the figures, one game per line. Raises AssertionError if a file became too large for all of its frames."""
    limits = Limits()
    for game_id in RENDERERS:
        game = GAMES[game_id]
        shots = random_game(game, game.seats[-1])
        began = perf_counter()
        scene = Scene(names=NAMES[: game.seats[-1]])
        made = replay(game_id, len(shots), shots.__getitem__, scene, limits=replace(limits, seconds=inf))
        taken = perf_counter() - began
        webp = as_webp(made.gif)
        yield (
            f"{game_id}: {len(shots)} steps, {len(made.frames)} frames in {taken:.1f} s (limit {limits.seconds:.0f}), "
            f"{len(made.gif) / 1e6:.2f} MB (limit {limits.size / 1e6:.1f}; as WebP {len(webp) / 1e6:.2f})"
        )
        assert len(made.frames) == min(len(shots), limits.frames)


if __name__ == "__main__":
    for line in run():
        print(line)
