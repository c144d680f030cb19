"""Every button, menu, form and command with its costliest legal input: the event loop is free again soon."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from discord import app_commands

import tests.bot.costliest  # noqa: F401 - it has the chapters
from bot.commands import COMMANDS
from bot.menus import MENUS
from bot.registry import HANDLERS
from tests.bot.costliest.page import write
from tests.bot.costliest.walk import CHAPTERS, Cost, Walk
from tests.bot.kit import a_world
from tests.bot.puzzles import puzzles, with_days
from tests.bot.seated import seeded
from tests.bot.stretches import AT_A_STRETCH, Seconds, Stretches


def test_every_verb_and_command_is_in_the_walk() -> None:
    groups = [one for one in COMMANDS if isinstance(one, app_commands.Group)]
    commands = [one for one in COMMANDS if isinstance(one, app_commands.Command)]
    for group in groups:
        commands += [one for one in group.walk_commands() if isinstance(one, app_commands.Command)]
    known = {name.partition(" …")[0] for chapter in CHAPTERS.values() for name in chapter.inputs}
    assert set(HANDLERS) - known == set(), "verbs without their costliest input"
    assert {f"/{one.qualified_name}" for one in commands} - known == set(), "commands without their costliest input"
    assert {one.name for one in MENUS} - known == set(), "menus without their costliest input"


@asynccontextmanager
async def walking(folder: Path, probe: Stretches) -> AsyncIterator[Walk]:
    """Somebody who sets out on a chapter of the walk, in a world of its own."""
    with puzzles(with_days()):
        async with a_world(folder, seeded(1)) as world:
            yield Walk(world, probe)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
async def test_no_stretch_of_the_event_loop_is_long(tmp_path: Path, name: str) -> None:
    async with walking(tmp_path, Stretches()) as walk:
        await CHAPTERS[name].walk(walk)
    assert walk.refused == [], "what is refused is no legal input"
    assert CHAPTERS[name].inputs.keys() - walk.costs.keys() == set()
    assert {what: cost.stretch for what, cost in walk.costs.items() if cost.stretch >= AT_A_STRETCH} == {}


@pytest.mark.proof
async def test_every_verb_and_command_was_timed_at_its_costliest(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    costs: dict[str, tuple[str, Cost]] = {}
    for name, chapter in CHAPTERS.items():
        (tmp_path / name).mkdir()
        async with walking(tmp_path / name, Seconds()) as walk:
            await chapter.walk(walk)
        costs |= {what: (words, walk.costs[what]) for what, words in chapter.inputs.items()}
    figures = request.config.option.figures
    write((tmp_path if figures is None else figures.parent) / "event-loop.md", costs, time.strftime("%Y-%m-%d", time.gmtime()))
