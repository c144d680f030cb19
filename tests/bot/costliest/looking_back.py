"""What people do with finished games and analyses."""

from dataclasses import replace
from typing import Any, Final

from bot.core.pings import WINDOW
from bot.features.analysis.service import Analyses
from bot.features.analysis.tree import MOST_POSITIONS
from bot.messages.click import Click
from engines import GAMES
from tests.bot.costliest.walk import Walk, chapter, verbs_of
from tests.bot.kit import reply
from tests.bot.large import large_analysis, play_long
from tests.bot.scripted import scripted
from tests.bot.seated import SETUP_RANDOM, Seated, core_of, open_table
from tests.bot.ways import by_way

LONG_OVER: Final = "a finished game of hundreds of moves, the costliest of the four games"
REVIEWED: Final = "the review of a game of Bouncers of 400 moves, with as many turning points as there can be"
LARGE: Final = f"an analysis with {MOST_POSITIONS - 1} positions, the costliest of the four games"
LONG_CODE: Final = f"the code of a position with a line of {MOST_POSITIONS - 1} moves"

KINDS: Final[dict[str, dict[str, Any]]] = {
    "bouncers": {"variant": "10x10-20"}, "bunny": {}, "trampoline": {"seats": 4},
    "pucks": {"seats": 6, "options": SETUP_RANDOM},
}  # fmt: skip


async def over(walk: Walk, game: str) -> Seated:
    """A long game that all people but one have resigned."""
    world = walk.world
    people = [world.ann, world.ben, world.cleo, *(world.join(f"{game} {number}") for number in range(3))]
    table = await open_table(world, game, *people[: KINDS[game].get("seats", 2)], **KINDS[game])
    await play_long(table)
    for member in reversed(table.people[1:]):
        if not await table.over():
            asked = await by_way(member, table.channel, "resign", game=str(table.table_id))
            await member.click(reply(asked), label="Resign")
    return table


@chapter(
    {
        LONG_OVER: "replay; verify; share; post-replay; post-card; analyse; rematch; words; happened; /replay; "
        "/analyse; /analyse game …"
    }
)
async def long_games_over(walk: Walk) -> None:
    """Ann looks back on a game of each kind."""
    world = walk.world
    for game in GAMES:
        table = await over(walk, game)
        number, ann = str(table.table_id), world.ann
        board = table.board()
        for verb in ("words", "verify"):
            await walk.press(ann, board, "more", verb)
        for verb in ("analyse", "happened"):
            await walk.forge(ann, board, Click(verb, table.table_id))
        await walk.press(ann, await walk.press(ann, board, "replay"), "share", "post-card")
        await walk.forge(ann, board, Click("post-replay", table.table_id, (await table.snapshot()).table.version))
        await walk.slash(ann, "replay", game=number)
        await walk.by_way(ann, "verify", game=number)
        await walk.slash(ann, "analyse", table=number)
        await walk.type(ann, "analyse", "game", "")
        await world.pass_time(WINDOW)
        await walk.press(table.people[1], board, "rematch")
        await walk.by_way(ann, "rematch", game=number)


@chapter(
    {
        REVIEWED: "review; review-page; review-line; review-moves; review-move; share-review; post-review; slip; slip-at; "
        "slip-pick; slip-play; slip-show"
    }
)
async def a_long_review(walk: Walk) -> None:
    """Ann and Ben review a long game in which every other move was bad."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    with scripted() as thinker:
        table = await over(walk, "bouncers")
        log = (await table.snapshot()).playing.log
        thinker.lost = {logged.entry.tokens: 0.3 - 0.001 * (number % 50) for number, logged in enumerate(log) if number % 2}
        shown = await walk.press(ann, table.board(), "review")
        await world.pass_time(600)
        await walk.by_way(ann, "review", game=str(table.table_id))
        at = Click("review", table.table_id, (await table.snapshot()).table.version)
        for member in (ann, ben):
            shown = await walk.press(member, table.board(), "review")
            await walk.press(member, shown, "review-moves", "review-move", "review-line")
            await walk.press(member, await walk.press(member, table.board(), "review"), "share-review")
            await walk.press(member, await walk.press(member, table.board(), "review"), "review-page", "review")
            for verb in ("share-review", "post-review"):
                await walk.forge(member, table.board(), replace(at, verb=verb, page=1))
            if "slip" in verbs_of(await walk.press(member, table.board(), "review")):
                shown = await walk.press(member, await walk.press(member, table.board(), "review"), "slip")
                await walk.wander(member, shown, "slip-pick", "slip-play", "slip-at", "slip-show")


@chapter(
    {
        LARGE: "analysis; analysis-resume; analysis-open; analysis-choose; analysis-pick; analysis-play; analysis-branches; "
        "analysis-advice; analysis-share; post-analysis; analysis-start; analysis-draw",
        LONG_CODE: "/analyse code",
    }
)
async def large_analyses(walk: Walk) -> None:
    world, ann = walk.world, walk.world.ann
    shown = reply(await ann.slash(world.channel, "help"))
    for game in GAMES:
        analysis = await large_analysis(world, ann, game)
        tokens, here = (str(analysis.id),), analysis.current
        verbs = ["analysis", "analysis-resume", "analysis-branches", "analysis-pick", "analysis-play", "analysis-share"]
        with scripted():
            for verb in (*verbs, *(["analysis-advice"] if game == "bouncers" else [])):
                await walk.forge(ann, shown, Click(verb, version=here, tokens=tokens))
        await walk.forge(ann, shown, Click("analysis-choose", tokens=tokens), str(len(analysis.nodes)))
        await walk.forge(ann, shown, Click("analysis-start", tokens=(game,)))
        await walk.forge(ann, shown, Click("post-analysis", version=here, tokens=tokens))
        await walk.press(world.ben, world.last(), "analysis-open")
        if any(node.drawn for node in analysis.nodes):
            drawn = max(number for number, node in enumerate(analysis.nodes, 1) if node.drawn)
            await drawing(walk, analysis.id, drawn, shown)
        at = await core_of(world).service(Analyses).get(analysis.id, ann.id, world.guild.id)
        await walk.note("/analyse code", ann.slash(world.channel, "analyse", code=at.line_code))


async def drawing(walk: Walk, analysis_id: int, number: int, shown: Any) -> None:
    """Redraw an analysis at a position that can take one more line."""
    await walk.forge(walk.world.ann, shown, Click("analysis-draw", version=number, tokens=(str(analysis_id),)))
