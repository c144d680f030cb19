"""The work of pictures by themselves, counted: function calls, the pixels that Pillow handles, and bytes."""

import multiprocessing
from dataclasses import dataclass
from typing import Final

from benchmarks.calls import Profile, profiled
from renderers import draw
from tests.renderers.samples import SAMPLES

PICTURES: Final = (
    *("bouncers-start", "bouncers-two-moves", "bouncers-options", "bouncers-high-contrast"),
    *("bunny-start", "bunny-turn", "bunny-options", "bunny-turn-high-contrast"),
    *("trampoline-start", "trampoline-round", "trampoline-options", "trampoline-high-contrast"),
    *("pucks-start", "pucks-turn", "pucks-options", "pucks-hand", "pucks-hand-alone", "pucks-high-contrast"),
)
"""The samples whose pictures are counted: of each game a first position, a story, options, and high contrast; and hands."""

IMPORTED: Final = ["benchmarks.load.players", "bot.app", __name__]
"""The modules with which each process begins: this one, and what takes long to import in `benchmarks.counted`."""


@dataclass(frozen=True)
class Drawn:
    """The work of a picture whose sprites are cached: `functions` and `pixels` of a `Profile`, and the bytes of its file."""

    functions: int
    pixels: int
    sent: int


def drawn() -> list[tuple[str, Drawn]]:
    """Return the name and the work of each picture, drawn in a process of its own, whose caches hold nothing of others."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(IMPORTED)
    with processes.Pool(1, maxtasksperchild=1) as pool:
        return list(zip(PICTURES, pool.map(work_of, PICTURES, chunksize=1), strict=True))


def work_of(name: str) -> Drawn:
    """Draw a sample twice, and return the work of the second picture."""
    sample = SAMPLES[name]()
    draw(sample.game_id, sample.view, sample.scene)
    profile = Profile()
    with profiled(profile):
        picture = draw(sample.game_id, sample.view, sample.scene)
    return Drawn(profile.functions, profile.pixels, len(picture))
