"""`/puzzle`: solved step by step in a private panel, with instant replies."""

from collections.abc import Iterator

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.features.puzzles import sql as puzzles_sql
from bot.features.puzzles.wanted import Wanted
from bot.interactions.panels import KINDS
from bot.messages.click import Click
from bot.workers.thinking import Busy
from opponents.puzzles.puzzle import Puzzle
from tests.bot.forging import forged
from tests.bot.kit import World, reply
from tests.bot.present import present
from tests.bot.puzzles import (
    BEST,
    BUNNY,
    LONG,
    PRACTICE,
    PUCKS,
    SHORT,
    UNSEEN,
    collection,
    labels,
    numbered,
    pick,
    play,
    puzzles,
    wrong_actions,
)
from tests.bot.seated import all_that_is_public
from tests.bot.settings_panels import speak, switch
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way
from tests.marks import quick_first
from tests.storage.dump import everything

ANY = Wanted().code


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """The bot knows only these puzzles."""
    with puzzles(collection(*PRACTICE)):
        yield


async def begun(world: World, member: MemberActor, puzzle: Puzzle = LONG) -> InteractionResult:
    """Somebody’s panel with a puzzle."""
    band = {LONG: "medium", SHORT: "hard"}.get(puzzle)
    options = {} if band is None else {"difficulty": band}
    return await member.slash(world.channel, "puzzle", game=puzzle.game, **options)


async def test_a_puzzle_is_picked_previewed_and_played_with_the_replies_at_once(world: World) -> None:
    panel = await begun(world, world.ann)
    assert reply(panel).ephemeral
    assert not unsaid(world.text(panel), "**Puzzle 5: Bouncers**", "★★★ (3 of 5 stars) · Only you see this.")
    assert "🎯 **Red to move: win in 3 moves.**" in world.text(panel)
    assert labels(panel) == ["h2", "f4", "g4", "e5", "Today’s puzzle", "Give up"]
    await pick(world.ann, panel, "f4")
    assert "f4 → e4?" in world.text(panel)
    assert "e4" in world.picture(panel).alt, "it is shown before it is played"
    assert labels(panel) == ["Play", "Back"]
    await pick(world.ann, panel, "Back", "f4", "Play")
    assert not unsaid(world.text(panel), "🔵 **Blue** bounces c6 → b5.", "✅ That’s the one!", "2 more moves")
    assert "Blue, moving down: 7 pieces on b2, b5" in world.picture(panel).alt
    await play(world.ann, panel, *LONG.own[1:])
    assert "### ✅ Solved!" in world.text(panel)
    assert "🔴 f4 → e4 · 🔵 c6 → b5 · 🔴 h2 → g3 · 🔵 e7 → f7 · 🔴 e5 → f6 → e7 → e8" in world.text(panel)
    assert "Themes: Quiet move, Race to the last rank." in world.text(panel)
    assert "Your Bouncers puzzle rating: **1050? (+50)**. This puzzle’s: 1100." in world.text(panel)
    assert "wins" in world.picture(panel).alt


async def test_a_wrong_move_says_why_with_a_picture_and_lets_one_try_on(world: World) -> None:
    panel = await begun(world, world.ann)
    wrong = wrong_actions(LONG)[0]
    await play(world.ann, panel, wrong)
    assert "❌ **That’s not it**, so I’ve taken it back." in world.text(panel)
    told = world.text(panel)
    assert " → ".join(wrong) in told
    assert told.index("Blue answers ") < told.index("-# Win chance: 0% instead of 100%."), "words first"
    assert (len(world.pictures(panel)), labels(panel)) == (1, ["Try again"])
    await pick(world.ann, panel, "Try again")
    assert "Which piece bounces?" in world.text(panel)
    await play(world.ann, panel, *LONG.own)
    assert "### ✅ Solved!" in world.text(panel)
    assert "(−" not in world.text(panel), "the rating has moved with the wrong move"


async def test_no_worker_has_time_for_the_reason(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(*_: object, **__: object) -> None:
        raise Busy("too many questions wait")

    monkeypatch.setattr("bot.features.puzzles.handlers.thinking", busy)
    panel = await begun(world, world.ann)
    await play(world.ann, panel, wrong_actions(LONG)[0])
    assert "That’s not it" in world.text(panel)
    assert not [word for word in ("answers", "Win chance") if word in world.text(panel)]
    await pick(world.ann, panel, "Try again", "Give up", "Give up")
    assert "### 🏳️ Solution:" in world.text(panel)
    assert "Whatever" not in world.text(panel)


@pytest.mark.slow
async def test_giving_up_shows_the_line_and_leads_on(world: World) -> None:
    panel = await begun(world, world.ann)
    await pick(world.ann, panel, "Give up", "Give up")
    assert not unsaid(world.text(panel), "### 🏳️ Solution:", "e5 → f6 → e7 → e8", "**960? (−40)**")
    panel = await begun(world, world.ann)
    assert "Which piece bounces?" in world.text(panel), "it is practice now"
    await pick(world.ann, panel, "Give up")
    assert "Practice: only your first attempt at a puzzle is rated." in world.text(panel)
    await pick(world.ann, panel, "Next puzzle")
    assert "**Puzzle 5: Bouncers**" in world.text(panel), "of the same kind"


@pytest.mark.slow
async def test_the_solution_says_why_each_of_its_moves_is_right(world: World) -> None:
    panel = await begun(world, world.ann)
    await pick(world.ann, panel, "Give up", "Give up")
    told = world.text(panel)
    assert "**f4 → e4**. Blue can’t play e6 → f5 → e4 → e3 → f2 now: your piece on e4 is in the way." in told
    assert "**h2 → g3**. If Blue plays d7 → c7, you play e4 → f4: Blue has no move left." in told
    assert "**e5 → f6 → e7 → e8** wins: that reaches the last rank." in told
    assert told.index("Solution:") < told.index("**f4 → e4**") < told.index("Your Bouncers puzzle rating")


@pytest.mark.slow
async def test_an_analysis_of_a_puzzle_leads_back_to_it_and_on(world: World) -> None:
    panel = await begun(world, world.ann)
    await pick(world.ann, panel, "Give up", "Give up", "Analyse")
    assert "Analysis: Bouncers" in world.text(panel)
    for labels_ in (["◀"], ["Share", "Back"], ["⏮", "e5", "Back"]):
        await pick(world.ann, panel, *labels_)
        assert {"Back to the puzzle", "Next puzzle"} <= set(labels(panel)), labels_
    await pick(world.ann, panel, "Back to the puzzle")
    assert "### 🏳️ Solution:" in world.text(panel)
    await pick(world.ann, panel, "Analyse", "Next puzzle")
    assert "**Puzzle 5: Bouncers**" in world.text(panel), "of the same game and difficulty"
    assert "Which piece bounces?" in world.text(panel)
    resumed = await world.ann.slash(world.channel, "analyse")
    await pick(world.ann, resumed, "Where I left off")
    assert "Back to the puzzle" not in labels(resumed), "it was not opened there"


@pytest.mark.parametrize("puzzle", quick_first(2, [SHORT, PUCKS, BUNNY]), ids=lambda puzzle: puzzle.name)
async def test_puzzles_of_each_game_are_played_to_their_ends(world: World, puzzle: Puzzle) -> None:
    panel = await begun(world, world.ann, puzzle)
    await play(world.ann, panel, wrong_actions(puzzle)[0])
    assert "That’s not it" in world.text(panel)
    await pick(world.ann, panel, "Try again")
    await play(world.ann, panel, *puzzle.own)
    assert "### ✅ Solved!" in world.text(panel)


@pytest.mark.slow
async def test_worse_moves_are_shown_with_what_they_give_away(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.puzzles.handlers.thinking", None)
    with puzzles(collection(BEST)):
        await world.restart()
    panel = await begun(world, world.ann, BEST)
    assert "🎯 **Blue to move: what would you do? One move has by far the best chance of winning.**" in world.text(panel)
    for action, points in BEST.losses:
        await play(world.ann, panel, action)
        assert "❌ **That’s not it**, so I’ve taken it back." in world.text(panel)
        assert ("🔵\u00a0Hop right\n" in world.text(panel)) == (action == ("right",)), "it turns up what nobody knows"
        assert f"That costs you {points} points of winning chance." in world.text(panel)
        await pick(world.ann, panel, "Try again")
    await play(world.ann, panel, BEST.own[0])
    assert "### ✅ Solved!" in world.text(panel)
    assert "Points of win chance lost by other moves: Hop right 20 · Hop up 37 · Hop down 39." in world.text(panel)


async def test_a_last_move_that_turns_up_a_card_is_told_at_the_end(world: World) -> None:
    with puzzles(collection(UNSEEN)):
        await world.restart()
    panel = await begun(world, world.ann, UNSEEN)
    await pick(world.ann, panel, "Give up", "Give up")
    assert "### 🏳️ Solution:\n-# 🔴\u00a0Hop down" in world.text(panel)
    assert "Points of win chance lost by other moves: Hop left 24 · Hop up 32 · Hop right 35." in world.text(panel)


@pytest.mark.slow
async def test_it_goes_on_after_a_restart(world: World) -> None:
    panel = await begun(world, world.ann)
    await play(world.ann, panel, LONG.own[0])
    await world.restart()
    await play(world.ann, panel, LONG.own[1])
    assert "One more move" in world.text(panel)
    again = await world.ann.slash(world.channel, "puzzle")
    assert "One more move" in world.text(again)
    await pick(world.ann, panel, "d4")
    assert "out of date" in world.text(panel)
    await play(world.ann, again, LONG.own[2])
    assert "Solved!" in world.text(again)


async def test_a_press_that_is_repeated_counts_once(world: World) -> None:
    panel = await begun(world, world.ann)
    await play(world.ann, panel, wrong_actions(LONG)[0])
    await world.repeat_last_interaction()
    async with world.client.core.store.read() as reader:
        assert present(await puzzles_sql.get(reader, world.ann.id, LONG.name)).judged == (False,)


@pytest.mark.slow
async def test_a_report_is_thanked_for_and_logged(world: World) -> None:
    panel = await begun(world, world.ann)
    await pick(world.ann, panel, "Give up", "Give up", "Something’s wrong")
    assert "🚩 Thank you!" in world.text(panel)
    assert "Something’s wrong" not in labels(panel)
    assert [one["puzzle"] for one in world.logs if one["event"] == "a puzzle was reported"] == [LONG.name]


async def test_games_without_puzzles_are_told_of_privately(world: World) -> None:
    with puzzles(collection(LONG)):
        await world.restart()
    for options in ({"game": "pucks"}, {"difficulty": "easy"}, {"theme": "swap"}):
        answer = await world.ann.slash(world.channel, "puzzle", **options)
        assert world.text(answer) == "There’s no puzzle like that yet."
        assert reply(answer).ephemeral


@pytest.mark.slow
async def test_nobody_reaches_anothers_or_an_unstarted_puzzle(world: World) -> None:
    panel = await begun(world, world.ann)
    await play(world.ann, panel, LONG.own[0])
    with puzzles(collection(*PRACTICE, days=(numbered(LONG, 1),) * 99)):
        await world.restart()
    lobby = reply(await world.ben.slash(world.channel, "open", game="bouncers"))
    store = world.client.core.store
    before = await everything(store)
    for verb in sorted(verb for verb, kind in KINDS.items() if kind == "puzzle"):
        for member, name in ((world.ben, LONG.name), (world.ann, SHORT.name), (world.ann, "bouncers-1"), (world.ann, "x")):
            answer = await forged(member, lobby, Click(verb, 0, 1, 0, (name, ANY)))
            assert "This puzzle is gone." in world.text(answer), (verb, name)
    answer = await forged(world.ann, lobby, Click("puzzle-analyse", 0, 1, 0, (LONG.name, ANY)))
    assert "Solve it first" in world.text(answer)
    assert await everything(store) == before


@pytest.mark.slow
async def test_nobody_is_told_what_others_have_solved(world: World) -> None:
    public = all_that_is_public(world)
    panel = await begun(world, world.ann)
    await play(world.ann, panel, *LONG.own)
    assert all_that_is_public(world) == public
    for command in ({"name": "stats", "user": world.ann}, {"name": "leaderboard", "game": "bouncers"}):
        name = str(command.pop("name"))
        seen = world.text(await by_way(world.ben, world.channel, name, **command))
        assert not [word for word in ("1036", "uzzle") if word in seen]


@pytest.mark.slow
async def test_stats_show_people_their_own_ratings_at_puzzles(world: World) -> None:
    for member in (world.ann, world.ben):
        panel = await begun(world, member)
        if member is world.ben:
            await play(world.ben, panel, wrong_actions(LONG)[0])
            await pick(world.ben, panel, "Try again")
        await play(member, panel, *LONG.own)
    own = world.text(await world.ann.slash(world.channel, "stats"))
    assert "**Puzzles** (only you see this)\nBouncers: rating 1050. 1 of 1 puzzle solved on the first try." in own
    bens = world.text(await world.ben.slash(world.channel, "stats", game="bouncers"))
    assert "Bouncers: rating 960. 0 of 1 puzzle solved on the first try." in bens
    assert "Puzzles" not in world.text(await world.ben.slash(world.channel, "stats", game="pucks"))
    assert "Puzzles" not in world.text(await world.cleo.slash(world.channel, "stats")), "who has attempted none"


async def test_in_german_with_the_board_turned(world: World) -> None:
    await speak(world, world.ann, "de")
    await switch(world, world.ann, turn_board=True)
    panel = await begun(world, world.ann, SHORT)
    assert not unsaid(world.text(panel), "**Rätsel 10: Bouncers**", "Nur du siehst das.")
    assert "Aufgeben" in labels(panel)
    await play(world.ann, panel, wrong_actions(SHORT)[0])
    assert labels(panel) == ["Nochmal versuchen"]
