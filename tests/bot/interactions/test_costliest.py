"""No input, however costly, blocks the event loop for long."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

import tests.bot.costliest  # noqa: F401 - it has the chapters
from bot.commands import COMMANDS
from bot.menus import MENUS
from bot.messages.click import Click
from bot.registry import HANDLERS
from engines import GAMES
from tests.bot.costliest.page import write
from tests.bot.costliest.walk import CHAPTERS, Cost, Walk
from tests.bot.forging import forged
from tests.bot.kit import World, a_world, reply
from tests.bot.large import large_analysis, large_tournament
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
    """Somebody who sets out on a chapter of the walk, in a fresh world."""
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


async def check(world: World, member: Any, *clicks: Click) -> None:
    """Fail if answering one of these clicks keeps the event loop busy for long at a stretch."""
    shown, stretches = reply(await member.slash(world.channel, "help")), Stretches()
    for click in clicks:
        with stretches.counted():
            answer = await forged(member, shown, click)
        assert "went wrong" not in world.text(answer), click
        assert stretches.take() < AT_A_STRETCH, click


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_a_large_analysis_does_not_block_the_event_loop(world: World, game: str) -> None:
    analysis = await large_analysis(world, world.ann, game)
    verbs = ("analysis", "analysis-resume", "analysis-branches", "analysis-pick", "analysis-play", "analysis-share")
    tokens = (str(analysis.id),)
    await check(world, world.ann, *(Click(verb, version=analysis.current, tokens=tokens) for verb in verbs))


@pytest.mark.slow
@pytest.mark.parametrize(("format_id", "game"), [("swiss", "bouncers"), ("knockout", "bouncers"), ("pods", "pucks")])
async def test_a_tournament_of_64_players_does_not_block_the_event_loop(world: World, format_id: str, game: str) -> None:
    row = await large_tournament(world, format_id, game)
    own = str(row.id)
    pages = [Click("event-show", tokens=(own, page)) for page in ("mine", "table", "rules", "log")]
    organising = [Click("event-manage", tokens=(own,)), Click("event-player", tokens=(own, "2"))]
    late = [Click("event-do", tokens=(own, "prolong")), Click("event-leave-yes", tokens=(own,))]
    await check(world, world.ann, *pages, *organising, *late, Click("event-enter", tokens=(own,)))
