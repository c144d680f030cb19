"""The fault matrix: every route of the bot, everything that can go wrong with a call, once and for two hours.

The expectations stand in expectations.py, and for people in docs/faults.md.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import discord
import pytest

from tests.loopback import leaping
from tests.loopback.faults import Fault, Route
from tests.loopback.matrix import PAGE, cells, expected, page, performed
from tests.loopback.scenes import SCENES, Scene
from tests.loopback.stage import Stage, a_stage, quick_folder

IDS = [f"{scene.name}-{fault}-{'lasting' if lasting else 'once'}" for scene, fault, lasting in cells()]


@pytest.mark.slow
@pytest.mark.parametrize(("scene", "fault", "lasting"), list(cells()), ids=IDS)
def test_what_comes_of_a_fault(empty_database: Path, scene: Scene, fault: Fault, lasting: bool) -> None:
    with TemporaryDirectory(dir=quick_folder()) as folder:
        came = leaping.run(performed(Path(folder), empty_database, scene, fault, lasting=lasting))
    assert str(came) == expected(scene, fault, lasting=lasting)


@pytest.mark.slow
@pytest.mark.parametrize("fault", list(Fault))
@pytest.mark.parametrize("times", [1, None], ids=["once", "lasting"])
def test_commands_that_are_not_registered_keep_nobody_from_playing(
    tmp_path: Path, empty_database: Path, fault: Fault, times: int | None
) -> None:
    async def play() -> None:
        async with a_stage(tmp_path, empty_database, started=False) as stage:
            stage.goes_wrong(Route.REGISTER, fault, times)
            await stage.start()
            errors = [error["event"] for error in stage.errors()]
            taken = stage.loopback.discord.commands != {}
            assert errors == ([] if taken and fault is not Fault.RESET_AFTER else errors[:1])
            assert set(errors) <= {"commands not registered"}
            await _still_plays(stage)

    leaping.run(play())


async def _still_plays(stage: Stage) -> None:
    """The bot answers clicks, as on the boards of before."""
    place = stage.client.get_partial_messageable(stage.channel.id)
    view = discord.ui.View()
    view.add_item(discord.ui.Button(label="Words", custom_id="sb|words|1|0|0|"))
    sent = await place.send(view=view, allowed_mentions=discord.AllowedMentions.none())
    pressed = await stage.people.click(stage.ann, stage.loopback.discord.messages[sent.id], "sb|words")
    assert "There’s no table #1 here." in pressed.text


def test_the_page_of_faults_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.loopback.matrix --write brings it up to date"


def test_every_route_of_the_bot_has_a_row() -> None:
    rest = {Route.DELETE, Route.READ_ANSWER, Route.LOG_IN, Route.OTHER}
    assert {scene.route for scene in SCENES} | {Route.REGISTER} == set(Route) - rest
