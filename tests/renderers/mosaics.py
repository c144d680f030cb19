"""Samples of mosaics, stored as files.

`python -m tests.renderers.mosaics` draws them anew; look at each before it is committed.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engines import GAMES
from renderers.scene import Finale
from renderers.summaries.mosaic import Tile, draw_mosaic
from tests.renderers.samples import SAMPLES
from tests.renderers.scenes import Sample, starting

FOLDER: Final = Path(__file__).parent / "mosaics"

LONG: Final = (
    "Maximilian von und zu Hohenstein", "W" * 32, "Δημήτρης Παπαδόπουλος", "田中さくら田中さくら", "🦊🦊 fox", "Дева",
)  # fmt: skip


def tile(
    sample: Sample[Any] | str, number: int, names: Sequence[str] = (), *, winners: tuple[int, ...] | None = None,
    note: str = "", **scene: Any,
) -> Tile:  # fmt: skip
    """The tile of a sample, whose game goes on unless there are `winners`, or none of them."""
    shown = SAMPLES[sample]() if isinstance(sample, str) else sample
    finale = None if winners is None else Finale(winners=winners, drawn=not winners)
    who = tuple(names or shown.scene.names)[: shown.view.seats]
    changed = replace(shown.scene, names=who, prefix=(), options=(), finale=finale, **scene)
    title = GAMES[shown.game_id].title
    return Tile(game_id=shown.game_id, view=shown.view, scene=changed, title=title, number=f"#{number}", note=note)


def four(**scene: Any) -> tuple[Tile, ...]:
    """A tile of each game, the last of which is over."""
    return (
        tile("bouncers-move", 42, ("Ann", "Ben"), **scene),
        tile("pucks-turn", 7, **scene),
        tile("trampoline-bump", 128, computers=(2,), **scene),
        tile("bunny-chain", 43, ("Cleo", "Dan"), winners=(1,), **scene),
    )


MOSAICS: Final = {
    "one": (tile("bouncers-move", 42, ("Ann", "Ben")),),
    "two": (tile("bunny-chain", 43, ("Cleo", "Dan"), winners=(0,)), tile("trampoline-round", 128)),
    "three": (tile("pucks-spread", 77777, LONG), *four()[:2]),
    "four": four(),
    "four-high-contrast": four(high_contrast=True),
    "four-long": (
        tile("bouncers-twelve-captures", 12345, LONG, winners=(1,)),
        tile("pucks-spread", 77777, LONG),
        tile("trampoline-bump", 12346, LONG, winners=(), note="It’s a draw!"),
        tile(starting(GAMES["trampoline"], 3), 9, LONG, winners=(0, 2)),
    ),
}
"""The samples by the names of their files."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, tiles in MOSAICS.items():
        (FOLDER / f"{name}.png").write_bytes(draw_mosaic(tiles))


if __name__ == "__main__":
    main()
