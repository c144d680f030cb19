"""The fault matrix: the result of every fault on every route of the bot.

`python -m tests.loopback.matrix --write` writes docs/faults.md from expectations.py. `--observe` prints what the bot does now
in the form of that table, to be judged before it is copied there.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, TypeAlias

from loopback import virtual_time
from loopback.faults import CALLBACKS, Call, Fault, Route
from loopback.model import DIRECT, Interaction
from loopback.people import COMMAND
from tests.databases import quick_folder
from tests.loopback.expectations import EXPECTED, row
from tests.loopback.owed import unmet
from tests.loopback.reading import rows
from tests.loopback.scenes import SCENES, Scene
from tests.loopback.world import LoopbackWorld, a_loopback_world, nothing_drawn

PAGE: Final = Path(__file__).parents[2] / "docs" / "faults.md"

INTRODUCTION: Final = """# When a call to Discord goes wrong

This page lists the result of every fault in every kind of call that the bot makes: once, and for two hours on end. Each cell is
a test (tests/loopback/test_matrix.py). The tests also hold the bot to the rules that are the same in all cells:

- the action of the player is in the database, and once, whatever became of the answer;
- when the fault is over (or the permission is back), every message that is owed is there, and once, unless the cell says that
  it is given up;
- players are told nothing untrue, and nothing is logged as an error.

A cell says first what the player sees, then when the call is made again: *at once* is within two seconds, *soon* within five
minutes, *later* after that. “Did not respond” and “is thinking” are Discord's words for a missing answer; the board shows the
action all the same. Callbacks are of no use after three seconds, so they are not repeated later.

This page is written by `python -m tests.loopback.matrix --write`."""

REGISTRATION: Final = """
## Registering the commands

Whatever goes wrong, once or for long, the bot starts, and the commands that were registered before go on working. The bot waits
out a short rate limit and an error 500. Any other fault is one line in the log, and the bot tries again after a minute, then
after twice as long each time, up to six hours. An attempt never takes more than a minute."""

LASTING: Final = 2 * 3600.0
AFTERWARDS: Final = 8 * 3600.0
"""Seconds after which everything must be in order again: an hour after a first refusal, six after a second."""
AT_ONCE, SOON = 2.0, 300.0
"""Up to how many seconds a retry comes at once, or soon. Otherwise it comes later."""
FOR_GOOD: Final = frozenset({Fault.NOT_FOUND, Fault.BAD_REQUEST})
"""Faults after which something may be given up: the channel or message is gone, or will never be taken."""


@dataclass(frozen=True)
class Came:
    """The result of a fault.

    Attributes:
        seen: what the player sees.
        again: when the call was repeated: at once, soon, later, or not.
        end: "whole" if all that is owed is there once in the end, "given up" if some never comes because Discord refused it for
            good, or else what is wrong.
    """

    seen: str
    again: str
    end: str = "whole"

    def __str__(self) -> str:
        return "; ".join((self.seen, self.again, *([] if self.end == "whole" else [self.end])))


async def perform(world: LoopbackWorld, scene: Scene, fault: Fault, *, lasting: bool) -> Came:
    """Play a scene with a fault. Raises AssertionError if anything is lost, doubled or untrue."""
    async with scene.prepare(world) as act:
        loopback = world.loopback
        since = len(loopback.calls)
        rule = world.goes_wrong(scene.route, fault, None if lasting else 1, where=scene.where)
        interaction = await act(world)
        if interaction is not None:
            await world.people.filled(interaction)
        await asyncio.sleep(LASTING if lasting else SOON)
        assert rule.met, "the fault met no call"
        calls = [call for call in loopback.calls[since:] if call.route is scene.route and scene.where(call)]
        world.all_well()
        loopback.discord.deny(world.channel, loopback.discord.bot, "add_reactions")  # somebody changes the permissions
        await asyncio.sleep(AFTERWARDS)
    if scene.changed is not None:
        assert [row["n"] for row in rows(world.database, scene.changed)] == [1], "it is kept, and once"
    assert world.errors() == [], world.errors()
    assert loopback.breaches == [], loopback.breaches
    seen = _seen(interaction) if scene.owed is None or interaction is not None else _delivered(world, scene.owed)
    return Came(seen, _again(calls, loopback.calls[since:], scene), _end(world, scene, fault))


def _delivered(world: LoopbackWorld, words: str) -> str:
    discord = world.loopback.discord
    found = [one for one in discord.messages.values() if words in one.text and not one.deleted]
    if not found:
        return "nothing"
    return (
        "the message directly" if any(discord.channels[one.channel_id].kind == DIRECT for one in found) else "it in the channel"
    )


def _end(world: LoopbackWorld, scene: Scene, fault: Fault) -> str:
    left = list(unmet(world.people, world.database))
    if scene.owed is not None:
        public = [one for one in world.loopback.discord.messages.values() if not (one.private or one.deleted)]
        times = sum(1 for one in public if scene.owed in one.text)
        left += [] if times == 1 else [f"“{scene.owed}” is there {times} times."]
    if left and fault in FOR_GOOD and len(left) == 1:
        return "given up"
    return "; ".join(left) or "whole"


def _seen(interaction: Interaction | None) -> str:
    if interaction is None:
        return "nothing"
    if interaction.callback is None:
        return "“did not respond”"
    if interaction.original is not None and interaction.original.loading and not interaction.original.deleted:
        return "“is thinking”"
    assert "something went wrong" not in interaction.text, interaction.text
    if not interaction.text.strip(" …\n") and interaction.kind == COMMAND:
        return "“…”" if interaction.text else "nothing"
    warned = any("is saved, but" in message.text for message in interaction.shown)
    return "the answer, and why the board is not shown" if warned else "the answer"


def _again(calls: Sequence[Call], everything: Sequence[Call], scene: Scene) -> str:
    """When a failed call was made for the second time, during the faults or after them."""
    later = [call for call in everything if call.route is scene.route and scene.where(call)][len(calls) :]
    tries = [*calls, *later]
    if len(tries) < 2:
        return "not again"
    waited = tries[1].at - tries[0].at
    return "again at once" if waited <= AT_ONCE else "again soon" if waited <= SOON else "again later"


Cell: TypeAlias = tuple[Scene, Fault, bool]
"""A cell of the matrix: scene, fault, whether it lasts."""


def cells() -> Iterator[Cell]:
    return ((scene, fault, lasting) for scene in SCENES for fault in Fault for lasting in (False, True))


class Kind(Enum):
    """Kinds of fault, by what the bot can do: wait, check whether the call was carried out, or go without."""

    BUSY = frozenset({Fault.SHORT_LIMIT, Fault.LONG_LIMIT, Fault.ERROR, Fault.UNAVAILABLE})
    LINE = frozenset({Fault.SILENCE, Fault.RESET_BEFORE, Fault.RESET_AFTER})
    REFUSED = frozenset({Fault.FORBIDDEN, Fault.NOT_FOUND, Fault.BAD_REQUEST})


FAMILIES: Final = (
    frozenset(CALLBACKS.values()), frozenset({Route.FOLLOW_UP, Route.EDIT_ANSWER, Route.DELETE_ANSWER}),
    frozenset({Route.SEND, Route.EDIT, Route.HISTORY}), frozenset({Route.THREAD, Route.PRIVATE_THREAD, Route.ADD_MEMBER}),
    frozenset({Route.OPEN_DIRECT, Route.SEND_DIRECT}),
)  # fmt: skip
"""The scenes' routes, by the part of the bot that makes the calls."""


def _kind_and_family(cell: Cell) -> tuple[Kind, int]:
    scene, fault, _ = cell
    kind = next(kind for kind in Kind if fault in kind.value)
    return kind, next(number for number, routes in enumerate(FAMILIES) if scene.route in routes)


def pairs(cell: Cell) -> frozenset[tuple[object, ...]]:
    """A cell's pairs: scene and kind of fault, scene and duration, route family and fault, fault and duration."""
    scene, fault, lasting = cell
    kind, family = _kind_and_family(cell)
    return frozenset({(scene.name, kind), (scene.name, lasting), (family, fault), (fault, lasting)})


def triples(cell: Cell) -> frozenset[tuple[object, ...]]:
    """A cell's triples: scene, kind of fault and duration; route family, fault and duration."""
    scene, fault, lasting = cell
    kind, family = _kind_and_family(cell)
    return frozenset({(scene.name, kind, lasting), (family, fault, lasting)})


def covering(parts: Callable[[Cell], frozenset[tuple[object, ...]]], already: Sequence[Cell] = ()) -> tuple[Cell, ...]:
    """Choose cells that cover all `parts` (`pairs` or `triples`) of all cells, besides those covered `already`.

    Greedily takes the first cell with the most missing parts, so the choice never varies.
    """
    known = {cell: parts(cell) for cell in cells()}
    left = {part for found in known.values() for part in found}.difference(*map(parts, already))
    chosen = list(already)
    while left:
        best = max(known, key=lambda cell: len(left & known[cell]))
        left -= known[best]
        chosen.append(best)
    return tuple(chosen)


def expected(scene: Scene, fault: Fault, *, lasting: bool) -> str:
    once, always = EXPECTED[scene.name][fault]
    return always if lasting else once


async def performed(folder: Path, scene: Scene, fault: Fault, *, lasting: bool) -> Came:
    """Perform a cell in a world of its own."""
    with nothing_drawn():
        async with a_loopback_world(folder) as world:
            return await perform(world, scene, fault, lasting=lasting)


def observe(names: Sequence[str]) -> Iterator[str]:
    """Lines of the table, as the bot behaves now."""
    with tempfile.TemporaryDirectory(dir=quick_folder()) as folder:
        for scene in SCENES:
            if names and not any(name in scene.name for name in names):
                continue
            came = {
                fault: tuple(_observed(Path(folder), scene, fault, lasting=lasting) for lasting in (False, True))
                for fault in Fault
            }
            yield row(scene.name, came)


def _observed(folder: Path, scene: Scene, fault: Fault, *, lasting: bool) -> str:
    with tempfile.TemporaryDirectory(dir=folder) as own:
        try:
            return str(virtual_time.run(performed(Path(own), scene, fault, lasting=lasting)))
        except AssertionError as error:
            return f"WRONG: {error}"[:600]


def page() -> str:
    lines = [INTRODUCTION, REGISTRATION]
    for scene in SCENES:
        lines += [f"\n## {scene.name.capitalize()}\n", f"Kept in any case: {scene.kept}.\n"]
        lines += ["| fault | once | for two hours |", "| --- | --- | --- |"]
        lines += [f"| {fault} | {once} | {always} |" for fault, (once, always) in EXPECTED[scene.name].items()]
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/faults.md")
    parser.add_argument("--observe", nargs="*", metavar="SCENE", help="print what the bot does now")
    chosen = parser.parse_args()
    if chosen.write:
        PAGE.write_text(page(), encoding="utf-8")
    if chosen.observe is not None:
        for line in observe(chosen.observe):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
