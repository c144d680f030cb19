"""The time and the size of a replay of a long random game of each kind.

The time is that of drawing and writing, beside the time that Pillow takes to write the same frames plainly as a GIF. The size
stands beside that of an animated WebP.

`python -m benchmarks.replays [--steps N] [--repetitions N] GAMES` writes the seconds of CPU of a replay of each game as JSON.
It needs nothing of the bot, so that it can measure earlier versions: see `mixed` in `benchmarks.measuring`.
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from math import inf
from time import perf_counter, process_time
from typing import Any, Final

from PIL import Image, ImageSequence

from benchmarks.figures import Figure, Reference, at_most
from engines import GAMES
from engines.chance import UNSEEDED
from engines.game import Game, open_view
from opponents.playouts import random_action
from renderers import RENDERERS
from renderers.replay import Limits, Replay, Shot, replay
from renderers.scene import Scene

STEPS: Final = 400
REPETITIONS: Final = 3
TINY: Final[Mapping[str, Any]] = {"steps": 4, "repetitions": 1}
TITLES: Final = {"bouncers": "Bouncers", "bunny": "Bounce Bunny Bounce", "trampoline": "BOUNCE", "pucks": "Puck Bumpers"}
SHORT: Final = {"bunny": 0.7, "trampoline": 0.7}
"""The aims for the games that are short, in seconds. The long ones stand beside version 1.0.0 in `benchmarks.beside`."""
NAMES: Final = ("Ann", "Ben", "Cleo", "Dev", "Eve", "Finn")


def random_game(game: Game[Any, Any], seats: int, steps: int) -> list[Shot]:
    """Return a game of random actions with nothing hidden, of at most `steps` pictures."""
    dice = random.Random(seats)
    state = game.start(seats, chance=UNSEEDED)
    shots = [Shot(open_view(game, state))]
    while game.outcome(state) is None and len(shots) < steps:
        step = game.play(state, seat := dice.choice(game.to_act(state)), random_action(game, state, seat, dice))
        state = step.state
        shots.append(Shot(open_view(game, state), step.events))
    return shots


def as_webp(gif: bytes) -> bytes:
    """Return the same animation as a lossy WebP, with Pillow's default settings."""
    frames = [frame.convert("RGBA") for frame in ImageSequence.Iterator(Image.open(BytesIO(gif)))]
    file = BytesIO()
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:], duration=1000, loop=0)
    return file.getvalue()


def written_plainly(gif: bytes) -> float:
    """Return the seconds that Pillow takes to write the same frames as a GIF."""
    frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(BytesIO(gif)))]
    began = perf_counter()
    frames[0].save(BytesIO(), "GIF", save_all=True, append_images=frames[1:], duration=1000, loop=0)
    return perf_counter() - began


def fastest(game_id: str, steps: int, repetitions: int, clock: Callable[[], float]) -> tuple[float, int, Replay]:
    """Return the least seconds in which a replay of a long random game is drawn and written, its steps, and the replay."""
    game = GAMES[game_id]
    shots = random_game(game, game.seats[-1], steps)
    scene, limits, taken = Scene(names=NAMES[: game.seats[-1]]), replace(Limits(), seconds=inf), []
    for _ in range(repetitions):
        began = clock()
        made = replay(game_id, len(shots), shots.__getitem__, scene, limits=limits)
        taken.append(clock() - began)
    return min(taken), len(shots), made


def run(steps: int = STEPS, repetitions: int = REPETITIONS) -> Iterator[Figure]:
    """Yield the figures. Raise AssertionError if a file became too large to hold all of its frames."""
    limits = Limits()
    for game_id in RENDERERS:
        taken, shots, made = fastest(game_id, steps, repetitions, perf_counter)
        name = f"a replay of {TITLES[game_id]}"
        plain = Reference("the same frames written by Pillow", min(written_plainly(made.gif) for _ in range(repetitions)))
        aims = at_most(SHORT[game_id]) if game_id in SHORT else ()
        told = f"{len(made.frames)} frames of {shots} steps"
        yield Figure(name=name, value=taken, unit="s", aims=aims, reference=plain, note=told)
        webp = Reference("as WebP", len(as_webp(made.gif)) / 1e6)
        size = len(made.gif) / 1e6
        yield Figure(name=f"{name}, its size", value=size, unit="MB", reference=webp)
        assert len(made.frames) == min(shots, limits.frames)


def main(arguments: list[str] | None = None) -> None:
    """Print the seconds of CPU of a replay of each game that is named."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replays")
    parser.add_argument("games", nargs="+", choices=tuple(RENDERERS), metavar="GAMES")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    asked = parser.parse_args(arguments)
    print(json.dumps({one: fastest(one, asked.steps, asked.repetitions, process_time)[0] for one in asked.games}))


if __name__ == "__main__":
    main()
