"""Every command on the pages for players and for people who run a server can be typed as it stands there, and works."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

import discord
import pytest
import pytest_asyncio
from simcord.actors import MemberActor

from bot.commands import COMMANDS
from bot.features.settings import own_panel, server_panel
from bot.features.settings.panel import Panel
from bot.messages.builder import ERROR_COLOUR
from tests.bot.conftest import world
from tests.bot.daily_posts import dailies
from tests.bot.kit import World, a_chief, reply
from tests.bot.seated import open_table
from tests.bot.ways import by_way
from tests.docs.commands import TREE, Typed, typed_on

ROOT: Final = Path(__file__).parents[2]
HOWTOS: Final = ("docs/playing.md", "docs/running-a-server.md")
PAGES: Final = (*HOWTOS, "README.md", "docs/hosting.md", "docs/fair-dice.md", "SECURITY.md")
GROUPS: Final = {command.name for command in COMMANDS if isinstance(command, discord.app_commands.Group)}
NAMED: Final = [typed for page in PAGES for typed in typed_on(page)]
TRIED: Final = {typed.text: typed for page in HOWTOS for typed in typed_on(page) if all(value for _, value in typed.options)}

__all__ = ["world"]


@pytest.mark.parametrize("typed", NAMED, ids=lambda typed: f"{typed.where}-{typed.text}")
def test_every_command_on_a_page_is_there_with_its_options(typed: Typed) -> None:
    assert typed.name in TREE or typed.name in GROUPS
    for option, value in typed.options:
        parameter = typed.parameter(option)
        assert parameter is not None, f"/{typed.name} has no option {option}"
        if value and value != "…":
            typed.value(option, value)


def test_the_pages_name_every_command() -> None:
    named = {name for typed in TRIED.values() for name in (typed.name, typed.name.split()[0])}
    assert {name.split()[0] for name in TREE} - named == set()


@pytest.mark.parametrize(("page", "panel"), [(HOWTOS[0], own_panel.PANEL), (HOWTOS[1], server_panel.PANEL)])
def test_a_page_names_every_part_of_a_panel_of_settings(page: str, panel: Panel[Any]) -> None:
    text = (ROOT / page).read_text()
    assert [section.title for section in panel.sections if f"*{section.title}*" not in text] == []


# --- typed --------------------------------------------------------------------------------------------------------------------


async def _nothing(_: World, __: MemberActor) -> None:
    pass


async def _a_game(world: World, chief: MemberActor) -> None:
    """The chief plays Bouncers with Ben."""
    await open_table(world, "bouncers", chief, world.ben)


async def _a_move(world: World, chief: MemberActor) -> None:
    """The chief has made the first move of a game."""
    await _a_game(world, chief)
    await chief.slash(world.channel, "move", action="b2 b3")


async def _a_past_game(world: World, chief: MemberActor) -> None:
    """The chief has lost a game after two moves."""
    await _a_move(world, chief)
    await world.ben.slash(world.channel, "move", action="b7 b6")
    asked = await by_way(chief, world.channel, "resign")
    await chief.click(reply(asked), label="Resign")


async def _a_tournament(world: World, chief: MemberActor) -> None:
    await by_way(chief, world.channel, "event create", game="bouncers", format="swiss", name="Cup", thread=False)
    await world.pass_time(60)


async def _a_day(world: World, chief: MemberActor) -> None:
    """There is a puzzle of the day."""
    del chief
    with dailies():
        await world.restart()


Situation = Callable[[World, MemberActor], Awaitable[None]]
SITUATIONS: Final[Mapping[str, Situation]] = {
    "puzzle difficulty:Puzzle of the day": _a_day,
    "replay": _a_past_game,
    **dict.fromkeys(("move", "board", "games", "watch"), _a_game),
    "event show": _a_tournament,
}
"""What a command needs first, by its name or its full text. The others need nothing."""
COMPLETE: Final = [
    typed
    for typed in TRIED.values()
    if typed.name in TREE and all(each.display_name in dict(typed.options) for each in typed.leaf.parameters if each.required)
]
"""The commands with all required options. Elsewhere the page gives only the name."""


@pytest_asyncio.fixture
async def chief(world: World) -> AsyncIterator[MemberActor]:
    """Somebody who manages the server."""
    yield a_chief(world)


@pytest.mark.parametrize("typed", COMPLETE, ids=lambda typed: typed.text)
async def test_what_a_page_says_is_done_when_it_is_typed(world: World, chief: MemberActor, typed: Typed) -> None:
    await SITUATIONS.get(typed.text, SITUATIONS.get(typed.name, _nothing))(world, chief)
    people: dict[str, Any] = {"@Ben": world.ben, "@Cleo": world.cleo, "#games": world.channel}
    options = {name: people[value] if value in people else typed.value(name, value) for name, value in typed.options}
    answer = await chief.slash(world.channel, typed.name, **options)
    assert not refused(reply(answer)), world.text(answer)


def refused(message: Any) -> bool:
    """Whether a message has the colour of errors."""
    parts = [item if isinstance(item, dict) else item.to_dict() for item in message.components]
    return any(part.get("accent_color") == ERROR_COLOUR for part in parts)
