"""The fault matrix: what happens when a call to Discord goes wrong, for every route of the bot and every fault.

`python -m tests.loopback.matrix --write` writes docs/faults.md from the expectations (expectations.py), which the tests hold
the bot to. `--observe` prints what the bot does now, in the form of the expectations, to be judged before it is copied there.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.loopback import leaping
from tests.loopback.faults import Call, Fault
from tests.loopback.model import Interaction
from tests.loopback.owed import rows, unmet
from tests.loopback.scenes import SCENES, Scene
from tests.loopback.stage import Stage, a_fresh_database, a_stage, nothing_drawn, quick_folder

PAGE: Final = Path(__file__).parents[2] / "docs" / "faults.md"

LASTING: Final = 2 * 3600.0
"""Seconds that a lasting fault lasts."""

AFTERWARDS: Final = 8 * 3600.0
"""Seconds after the fault within which everything must be in order again: an hour after a first refusal, six after a second."""

AT_ONCE, SOON = 2.0, 120.0
"""Up to so many seconds, a further try comes at once, or soon; after that it comes later."""


@dataclass(frozen=True)
class Came:
    """What came of a fault.

    Attributes:
        seen: what the player sees.
        again: when the call was made again: at once (within two seconds), soon (within two minutes), later, or not.
        end: "whole": when the fault is over, everything is there that is owed, and once; otherwise what is not.
    """

    seen: str
    again: str
    end: str = "whole"

    def __str__(self) -> str:
        return "; ".join((self.seen, self.again, *([] if self.end == "whole" else [self.end])))


async def perform(stage: Stage, scene: Scene, fault: Fault, *, lasting: bool) -> Came:
    """Play a scene with a fault, and say what came of it. Raises AssertionError if anything is lost, doubled or untrue."""
    async with scene.prepare(stage) as act:
        loopback = stage.loopback
        since = len(loopback.calls)
        rule = stage.goes_wrong(scene.route, fault, None if lasting else 1, where=scene.where)
        interaction = await act(stage)
        if interaction is not None:
            await stage.people.filled(interaction)
        await asyncio.sleep(LASTING if lasting else SOON)
        assert rule.met, "the fault met no call"
        calls = [call for call in loopback.calls[since:] if call.route is scene.route and scene.where(call)]
        stage.all_well()
        loopback.discord.deny(stage.channel, loopback.discord.bot, "add_reactions")  # somebody changes the permissions
        await asyncio.sleep(AFTERWARDS)
    if scene.changed is not None:
        assert [row["n"] for row in rows(stage.database, scene.changed)] == [1], "it is kept, and once"
    assert stage.errors() == [], stage.errors()
    assert loopback.breaches == [], loopback.breaches
    left = list(unmet(stage.people, stage.database))
    return Came(_seen(interaction), _again(calls, loopback.calls[since:], scene), "; ".join(left) or "whole")


def _seen(interaction: Interaction | None) -> str:
    if interaction is None:
        return "nothing was asked for"
    if interaction.callback is None:
        return "“did not respond”"
    if interaction.original is not None and interaction.original.loading and not interaction.original.deleted:
        return "“is thinking”"
    assert "Something went wrong" not in interaction.text, interaction.text
    warned = any("is saved, but" in message.text for message in interaction.shown)
    return "the answer, and why the board is not shown" if warned else "the answer"


def _again(calls: Sequence[Call], everything: Sequence[Call], scene: Scene) -> str:
    """When a call that failed was made for the second time, while there were faults or after them."""
    later = [call for call in everything if call.route is scene.route and scene.where(call)][len(calls) :]
    tries = [*calls, *later]
    if len(tries) < 2:
        return "not again"
    waited = tries[1].at - tries[0].at
    return "again at once" if waited <= AT_ONCE else "again soon" if waited <= SOON else "again later"


def cells() -> Iterator[tuple[Scene, Fault, bool]]:
    """Every cell of the matrix: scene, fault, whether it lasts."""
    return ((scene, fault, lasting) for scene in SCENES for fault in Fault for lasting in (False, True))


async def performed(folder: Path, database: Path, scene: Scene, fault: Fault, *, lasting: bool) -> Came:
    """A cell on a stage of its own."""
    with nothing_drawn():
        async with a_stage(folder, database) as stage:
            return await perform(stage, scene, fault, lasting=lasting)


def observe(names: Sequence[str]) -> Iterator[str]:
    """What comes of the faults now, in the form of the expectations."""
    with tempfile.TemporaryDirectory(dir=quick_folder()) as folder:
        empty = Path(folder) / "empty.sqlite3"
        leaping.run(a_fresh_database(empty))
        for scene in SCENES:
            if names and not any(name in scene.name for name in names):
                continue
            yield f"    {scene.name!r}: {{"
            for fault in Fault:
                came = [_observed(Path(folder), empty, scene, fault, lasting=lasting) for lasting in (False, True)]
                yield f"        Fault.{fault.name}: ({came[0]!r}, {came[1]!r}),"
            yield "    },"


def _observed(folder: Path, empty: Path, scene: Scene, fault: Fault, *, lasting: bool) -> str:
    with tempfile.TemporaryDirectory(dir=folder) as own:
        try:
            return str(leaping.run(performed(Path(own), empty, scene, fault, lasting=lasting)))
        except AssertionError as error:
            return f"WRONG: {error}"[:600]


def main() -> None:
    """Write the page, or print what is observed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/faults.md")
    parser.add_argument("--observe", nargs="*", metavar="SCENE", help="print what the bot does now")
    chosen = parser.parse_args()
    if chosen.observe is not None:
        for line in observe(chosen.observe):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
