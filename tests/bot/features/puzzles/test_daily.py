"""`/daily`: the same puzzle for everybody, a first attempt that counts, a line to paste, and tables."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from bot.features.puzzles.service import Puzzles
from bot.messages.click import Click
from tests.bot.command_line import springboard
from tests.bot.forging import forged
from tests.bot.kit import World, a_guild, button, reply
from tests.bot.outbox.test_permissions import allow
from tests.bot.puzzles import LONG, PRACTICE, SHORT, collection, labels, numbered, pick, play, puzzles, wrong_actions
from tests.bot.seated import all_that_is_public, core_of
from tests.bot.service import DAY
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way

DAYS = tuple(numbered(SHORT if number % 2 else LONG, number) for number in (1, 2, 3, 4, 6))
"""The world's clock begins on the fourth day, a Thursday: its puzzle is LONG, with three moves."""


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """The bot knows only these puzzles and days."""
    with puzzles(collection(*PRACTICE, days=DAYS, first=date(2025, 12, 29))):
        yield


async def test_the_first_daily_says_what_counts_and_what_a_wrong_move_costs(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    assert not unsaid(world.text(panel), "**Daily bounce #4: Bouncers**", "Your first move counts for your rating.")
    await play(world.ann, panel, wrong_actions(DAYS[3])[0])
    assert re.search(r"That cost you \d+ rating points\.", world.text(panel))
    assert "Find it, and the day still counts for your streak." in world.text(panel)
    await pick(world.ann, panel, "Try again", "Give up")
    assert "Today won’t count for your streak." in world.text(panel)
    assert "like a wrong move" not in world.text(panel), "it has counted"
    await pick(world.ann, panel, "Back")
    assert "Your first move counts" not in world.text(panel)


@pytest.mark.slow
async def test_the_first_attempt_counts_and_ends_in_a_line_to_paste_with_words_beside(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    assert reply(panel).ephemeral
    assert "Give up" in labels(panel)
    assert "Hint" not in labels(panel)
    await play(world.ann, panel, LONG.own[0])
    await play(world.ann, panel, wrong_actions(LONG, LONG.own[:1])[0])
    await world.restart()
    again = await by_way(world.ann, world.channel, "daily")
    await play(world.ann, again, *LONG.own[1:])
    shown = world.text(again)
    assert "```\nSpringboard #4 Bouncers ★★★ ✅❌✅✅ · 2 tries · streak 1\n```" in shown
    assert not unsaid(shown, "-# In words: correct, wrong, correct, correct.", "e7 → e8")
    line = shown.split("```")[1]
    assert not [word for action in LONG.own for word in action if word in line], "it says nothing of the solution"
    later = await by_way(world.ann, world.channel, "daily")
    assert line in world.text(later)
    await world.pass_time(DAY)
    panel = await by_way(world.ann, world.channel, "daily")
    await play(world.ann, panel, *LONG.own)
    assert "Springboard #5 Bouncers ★★★ ✅✅✅ · 1 try · streak 2" in world.text(panel)


@pytest.mark.slow
async def test_a_newcomer_is_offered_an_easier_puzzle_before_a_hard_one_which_waits_for_them(world: World) -> None:
    easy = tuple(numbered(replace(SHORT, difficulty=1), 1000 + 5 * number) for number in range(3))
    with puzzles(collection(*easy, days=DAYS, first=date(2025, 12, 29))):
        await world.restart()
    panel = await by_way(world.ann, world.channel, "daily")
    assert "🌱 Today’s puzzle is a hard one to start with." in world.text(panel)
    assert labels(panel)[-2:] == ["An easier one first", "Give up"]
    await pick(world.ann, panel, "An easier one first")
    assert "★ (1 of 5 stars)" in world.text(panel)
    assert labels(panel)[-2:] == ["Today’s puzzle", "Give up"]
    await play(world.ann, panel, SHORT.own[0])
    assert "### ✅ Solved!" in world.text(panel)
    assert "streak" not in world.text(panel), "it is practice"
    assert labels(panel)[:2] == ["Today’s puzzle", "Next puzzle"]
    await pick(world.ann, panel, "Today’s puzzle")
    assert "**Daily bounce #4: Bouncers**" in world.text(panel)
    assert "Your first move counts for your rating." in world.text(panel), "nothing of it is lost"
    await play(world.ann, panel, *LONG.own)
    assert "1 try · streak 1" in world.text(panel)


@pytest.mark.slow
async def test_an_easier_puzzle_is_offered_neither_before_an_easy_one_nor_after_a_move_nor_to_others(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    await pick(world.ann, panel, "f4")
    assert "An easier one first" not in labels(panel), "something is picked"
    await pick(world.ann, panel, "Back")
    assert "An easier one first" in labels(panel)
    await play(world.ann, panel, wrong_actions(LONG)[0])
    await pick(world.ann, panel, "Try again")
    assert "An easier one first" not in labels(panel)
    for game in ("pucks", "bunny", "bouncers"):
        other = await world.ben.slash(world.channel, "puzzle", game=game)
        await pick(world.ben, other, "Give up", "Give up")
    assert "An easier one first" not in labels(await by_way(world.ben, world.channel, "daily")), "it is the fourth"
    with puzzles(collection(*PRACTICE, days=tuple(replace(day, difficulty=3) for day in DAYS), first=date(2025, 12, 29))):
        await world.restart()
    assert "An easier one first" not in labels(await by_way(world.cleo, world.channel, "daily")), "it has two stars"


@pytest.mark.slow
async def test_an_analysis_of_the_day_leads_back_to_its_result(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    await play(world.ann, panel, *LONG.own)
    result = world.text(panel)
    await pick(world.ann, panel, "Analyse", "Back to the puzzle")
    assert world.text(panel).split("Your Bouncers puzzle rating")[0] == result.split("Your Bouncers puzzle rating")[0]
    assert "Copy and share:" in world.text(panel)


@pytest.mark.slow
async def test_the_line_is_posted_by_a_button_once_a_panel_and_says_who_shares_it(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    assert "Post here" not in labels(panel), "there is no result yet"
    await play(world.ann, panel, *LONG.own)
    before = len(world.messages())
    await pick(world.ann, panel, "Post here")
    (posted,) = world.messages()[before:]
    assert world.text(posted) == f"Springboard #4 Bouncers ★★★ ✅✅✅ · 1 try · streak 1\n-# Shared by <@{world.ann.id}>"
    assert "Posted here." in world.text(panel)
    assert "Post here" not in labels(panel)


@pytest.mark.slow
async def test_a_line_that_does_not_reach_the_channel_is_not_said_to_be_there(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    await play(world.ann, panel, *LONG.own)
    before = len(world.messages())
    world.env.inject_error("POST", "/webhooks/*/*", status=404, code=10015, message="Unknown Webhook")
    await pick(world.ann, panel, "Post here")
    assert len(world.messages()) == before
    assert "That didn’t reach the channel." in world.text(panel)
    await pick(world.ann, panel, "Post here")
    assert len(world.messages()) == before + 1


@pytest.mark.slow
async def test_without_permission_to_post_there_is_no_button(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    await play(world.ann, panel, *LONG.own)
    allow(world, world.channel.id, send_messages=False)
    before = len(world.messages())
    await pick(world.ann, panel, "Post here")
    assert len(world.messages()) == before
    assert "Post here" not in labels(await by_way(world.ann, world.channel, "daily"))


@pytest.mark.slow
async def test_giving_up_gives_a_line_too(world: World) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    await play(world.ann, panel, LONG.own[0])
    await pick(world.ann, panel, "Give up", "Give up")
    assert not unsaid(world.text(panel), "```\nSpringboard #4 Bouncers ★★★ ✅🏳️ · gave up\n```", "e5 → f6 → e7 → e8")


@pytest.mark.slow
async def test_the_table_tells_solvers_now_and_tries_later(world: World) -> None:
    elsewhere = a_guild(world.env, "Elsewhere")
    there, ben = elsewhere.create_text_channel("games"), elsewhere.add_member(world.ben.user)
    public = all_that_is_public(world)
    for member, channel, wrong in ((world.ann, world.channel, 1), (world.cleo, world.channel, 0), (ben, there, 0)):
        panel = await by_way(member, channel, "daily")
        for action in (*wrong_actions(LONG)[:wrong], *LONG.own):
            await play(member, panel, action)
            if "Try again" in labels(panel):
                await pick(member, panel, "Try again")
    assert all_that_is_public(world) == public
    await pick(world.cleo, panel := await by_way(world.cleo, world.channel, "daily"), "Standings")
    assert "### 🏅 Daily bounce: Today\n✅ **Ann**\n✅ **Cleo**\n" in world.text(panel)
    assert "2 tries" not in world.text(panel)
    assert button(panel, "Today").disabled
    for span in ("Yesterday", "Last 7 days", "Last 30 days"):
        await pick(world.cleo, panel, span)
        assert "Nobody here has solved one yet." in world.text(panel)
    await world.pass_time(DAY)
    await pick(world.cleo, panel, "Yesterday")
    assert "1. **Cleo** · 1 try\n2. **Ann** · 2 tries" in world.text(panel)
    await pick(world.cleo, panel, "Last 7 days")
    assert "1. **Cleo** · 1 day · 1 try\n2. **Ann** · 1 day · 2 tries" in world.text(panel)
    await pick(world.cleo, panel, "Today")
    assert "Nobody here has solved it yet." in world.text(panel)
    assert "too old" in world.text(await forged(world.cleo, reply(panel), Click("daily-table", tokens=("ever",))))


async def test_when_days_run_out_it_says_so_and_past_days_are_practice(world: World) -> None:
    await world.pass_time(2 * DAY)
    answer = await by_way(world.ann, world.channel, "daily")
    assert "There’s no daily bounce today: I’ve run out of new puzzles." in world.text(answer)
    assert reply(answer).ephemeral
    with world.env._bot_scope():
        known = core_of(world).service(Puzzles).collection
        practice = set(known.practice(known.calendar.first_open(world.now())))
    assert practice >= {puzzle.name for puzzle in DAYS[:3]}
    assert DAYS[3].name not in practice, "somewhere the fourth day goes on"


@pytest.mark.slow
async def test_an_operator_voids_a_day(world: World, monkeypatch: pytest.MonkeyPatch, bare: None) -> None:
    panel = await by_way(world.ann, world.channel, "daily")
    await pick(world.ann, panel, "Give up", "Give up", "Something’s wrong")
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(world.folder / "springboard.sqlite3"))
    told = await asyncio.to_thread(springboard, "void-day", "4")
    assert told.output == f"Day 4 is void: its puzzle was {DAYS[3].name}. Reports: 1.\n"
    none = await asyncio.to_thread(springboard, "void-day", "9")
    assert (none.exit_code, none.output) == (1, "Error: Day 9 has no puzzle.\n")
    assert "Something was wrong with today’s puzzle" in world.text(await by_way(world.ann, world.channel, "daily"))
