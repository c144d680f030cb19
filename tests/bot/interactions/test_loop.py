"""No answer keeps the event loop for long, be it about a large analysis or an event of 64 players."""

from typing import Any

import pytest

from bot.messages.click import Click
from engines import GAMES
from tests.bot.forging import forged
from tests.bot.kit import World, reply
from tests.bot.large import large_analysis, large_tournament
from tests.bot.stretches import AT_A_STRETCH, Stretches

pytestmark = pytest.mark.slow


async def check(world: World, member: Any, *clicks: Click) -> None:
    """Fail if the event loop computes for long at a stretch while one of these clicks is answered."""
    shown, stretches = reply(await member.slash(world.channel, "help")), Stretches()
    for click in clicks:
        with stretches.counted():
            answer = await forged(member, shown, click)
        assert "went wrong" not in world.text(answer), click
        assert stretches.take() < AT_A_STRETCH, click


@pytest.mark.parametrize("game", GAMES)
async def test_a_large_analysis_does_not_block_the_event_loop(world: World, game: str) -> None:
    analysis = await large_analysis(world, world.ann, game)
    verbs = ("analysis", "analysis-resume", "analysis-branches", "analysis-pick", "analysis-play", "analysis-share")
    tokens = (str(analysis.id),)
    await check(world, world.ann, *(Click(verb, version=analysis.current, tokens=tokens) for verb in verbs))


@pytest.mark.parametrize(("format_id", "game"), [("swiss", "bouncers"), ("knockout", "bouncers"), ("pods", "pucks")])
async def test_a_tournament_of_64_players_does_not_block_the_event_loop(world: World, format_id: str, game: str) -> None:
    row = await large_tournament(world, format_id, game)
    own = str(row.id)
    pages = [Click("event-show", tokens=(own, page)) for page in ("mine", "table", "rules", "log")]
    organising = [Click("event-manage", tokens=(own,)), Click("event-player", tokens=(own, "2"))]
    late = [Click("event-do", tokens=(own, "prolong")), Click("event-leave-yes", tokens=(own,))]
    await check(world, world.ann, *pages, *organising, *late, Click("event-enter", tokens=(own,)))
