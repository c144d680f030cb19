"""The fault matrix: everything that can go wrong with a call on every route, once and for two hours.

expectations.py has the expected results, and docs/faults.md has them for people.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import discord
import pytest

from loopback import virtual_time
from loopback.faults import Fault, Route
from tests.loopback.matrix import PAGE, cells, covering, expected, page, pairs, performed, triples
from tests.loopback.scenes import SCENES, Scene
from tests.loopback.world import LoopbackWorld, a_loopback_world

SLOW = pytest.mark.slow
QUICK = covering(pairs)
TRIED = covering(triples, QUICK)
"""The cells of the quick and of the slow tests. The whole matrix is a proof."""


CELLS = [
    pytest.param(
        *cell, id=f"{cell[0].name}-{cell[1]}-{'lasting' if cell[2] else 'once'}",
        marks=() if cell in QUICK else (SLOW,) if cell in TRIED else (pytest.mark.proof,),
    )
    for cell in cells()
]  # fmt: skip
COMMANDS = {(Fault.LONG_LIMIT, None), (Fault.RESET_AFTER, 1), (Fault.FORBIDDEN, None)}
"""Faults of the registration for the quick tests: one of each kind."""


def test_a_part_of_the_matrix_has_each_pair_that_matters() -> None:
    assert len(QUICK) == len({(scene.name, fault, lasting) for scene, fault, lasting in QUICK}) <= 10 * len(SCENES) // 3
    assert {(scene.name, lasting) for scene, _, lasting in QUICK} == {(scene.name, lasting) for scene, _, lasting in cells()}
    assert {(fault, lasting) for _, fault, lasting in QUICK} == {(fault, lasting) for _, fault, lasting in cells()}


def test_the_slow_tests_have_each_kind_of_fault_in_each_scene_once_and_lasting() -> None:
    assert set(QUICK) < set(TRIED)
    assert len(TRIED) == len({(scene.name, fault, lasting) for scene, fault, lasting in TRIED}) <= 190
    assert {triple for cell in TRIED for triple in triples(cell)} == {triple for cell in cells() for triple in triples(cell)}


@pytest.mark.parametrize(("scene", "fault", "lasting"), CELLS)
def test_what_comes_of_a_fault(scene: Scene, fault: Fault, lasting: bool) -> None:
    with TemporaryDirectory() as folder:
        came = virtual_time.run(performed(Path(folder), scene, fault, lasting=lasting))
    assert str(came) == expected(scene, fault, lasting=lasting)


@pytest.mark.parametrize(("fault", "times"), [
    pytest.param(
        fault, times, id=f"{fault}-{'once' if times else 'lasting'}", marks=() if (fault, times) in COMMANDS else SLOW
    )
    for fault in Fault
    for times in (1, None)
])  # fmt: skip
def test_commands_that_are_not_registered_keep_nobody_from_playing(tmp_path: Path, fault: Fault, times: int | None) -> None:
    async def play() -> None:
        async with a_loopback_world(tmp_path, started=False) as world:
            world.goes_wrong(Route.REGISTER, fault, times)
            await world.start()
            errors = [error["event"] for error in world.errors()]
            taken = world.loopback.discord.commands != {}
            assert errors == ([] if taken and fault is not Fault.RESET_AFTER else errors[:1])
            assert set(errors) <= {"commands not registered"}
            await _still_plays(world)

    virtual_time.run(play())


async def _still_plays(world: LoopbackWorld) -> None:
    """The bot answers clicks, even on old boards."""
    place = world.client.get_partial_messageable(world.channel.id)
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Words", custom_id="sb|words|1|0|0|"))
    sent = await place.send(view=view, allowed_mentions=discord.AllowedMentions.none())
    pressed = await world.people.click(world.ann, world.loopback.discord.messages[sent.id], "sb|words")
    assert "There’s no table #1 here." in pressed.text


def test_the_page_of_faults_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.loopback.matrix --write brings it up to date"


def test_every_route_of_the_bot_has_a_row() -> None:
    rest = {Route.DELETE, Route.READ_ANSWER, Route.LOG_IN, Route.OTHER}
    assert {scene.route for scene in SCENES} | {Route.REGISTER} == set(Route) - rest
