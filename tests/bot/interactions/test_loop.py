"""No answer keeps the event loop for long, be it about a large analysis or an event of 64 players."""

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.messages.click import Click
from bot.sessions.advice.analysis_tree import MOST_POSITIONS, Analysed, Beginning, analysed, following, with_action
from bot.sessions.core.events import _rows_of
from competitions.formats import FORMATS
from engines import GAMES
from engines.chance import Fair
from storage import queries
from storage.schema.event_records import EventEntry, StoredEvent
from storage.schema.kinds import EventStatus
from storage.schema.records import Analysis
from tests.bot.forging import forged
from tests.bot.kit import World, reply
from tests.bot.seated import sessions_of
from tests.bot.stretches import AT_A_STRETCH, Stretches
from tests.competitions.playing import play
from tests.engines.contract_games import random_action

pytestmark = pytest.mark.slow

DEEP = 120
"""The number of moves of the line of an analysis."""


async def check(world: World, member: Any, *clicks: Click) -> None:
    """Fail if the event loop computes for long at a stretch while one of these clicks is answered."""
    shown, stretches = reply(await member.slash(world.channel, "help")), Stretches()
    for click in clicks:
        with stretches.counted():
            answer = await forged(member, shown, click)
        assert "went wrong" not in world.text(answer), click
        assert stretches.take() < AT_A_STRETCH, click


async def large_analysis(world: World, member: Any, game: str) -> Analysis:
    """An analysis with a long line, and at its end with all branches that there is room for."""
    options = {"setup": "random"} if game == "pucks" else {}
    beginning = Beginning(member.id, world.guild.id, sessions_of(world).now())
    at, dice = analysed(beginning.of_start(game, Fair(bytes(32)), options=options)), random.Random(5)

    def with_another(at: Analysed) -> Analysis:
        assert at.seat is not None
        return with_action(at, at.seat, random_action(at.history.game, at.history.state, at.seat, dice))

    while at.number < DEEP and at.seat is not None:
        made = with_another(at)
        after = following(at, made.current, made)
        if after.seat is None:
            break
        at = after
    analysis = at.analysis
    for _ in range(2 * MOST_POSITIONS):
        if len(analysis.nodes) < MOST_POSITIONS - 1:
            analysis = with_another(replace(at, analysis=analysis))
    async with sessions_of(world)._repository.store.write() as writer:
        stored, _ = await queries.analyses.add(writer, replace(analysis, current=at.number), most=20)
    return stored


@pytest.mark.parametrize("game", GAMES)
async def test_a_large_analysis(world: World, game: str) -> None:
    analysis = await large_analysis(world, world.ann, game)
    verbs = ("analysis", "analysis-resume", "analysis-branches", "analysis-pick", "analysis-play", "analysis-share")
    tokens = (str(analysis.id),)
    await check(world, world.ann, *(Click(verb, version=analysis.current, tokens=tokens) for verb in verbs))


@pytest.mark.parametrize(("format_id", "game"), [("swiss", "bouncers"), ("knockout", "bouncers"), ("pods", "pucks")])
async def test_an_event_of_64_players(world: World, format_id: str, game: str) -> None:
    event = play(FORMATS[format_id], 64, random.Random(3))
    now = sessions_of(world).now()
    row = StoredEvent(
        guild_id=world.guild.id, channel_id=world.channel.id, name="Cup", game=game, variant=GAMES[game].variants[0],
        format=format_id, most=64, clock=86_400, round_seconds=86_400, organiser_id=world.ann.id, organiser_name="Ann",
        key=event.key, lots=event.key, created_at=now, check_in_at=now, starts_at=now, status=EventStatus.RUNNING,
        ends_at=now + 86_400, rounds=_rows_of(event.rounds, ()),
    )  # fmt: skip
    async with sessions_of(world)._repository.store.write() as writer:
        row = await queries.events.add(writer, row)
        for number in event.players:
            user_id = world.ann.id if number == 1 else 5000 + number
            entry = EventEntry(event_id=row.id, number=number, user_id=user_id, name=f"Player {number}", press=1, seed=number)
            await queries.events.put_entry(writer, entry)
    own = str(row.id)
    pages = [Click("event-show", tokens=(own, page)) for page in ("mine", "table", "rules", "log")]
    organising = [Click("event-manage", tokens=(own,)), Click("event-player", tokens=(own, "2"))]
    late = [Click("event-do", tokens=(own, "prolong")), Click("event-leave-yes", tokens=(own,))]
    await check(world, world.ann, *pages, *organising, *late, Click("event-enter", tokens=(own,)))
