"""Hints and reviews in Discord: who gets them, what they show, and that nobody else sees them."""

import asyncio
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.core.play import Play
from bot.workers.thinking import Busy, thinking_in
from bot.workers.thinking_queue import Priority
from engines.position_codes import read_line
from opponents import Level
from tests.bot.kit import Message, World, buttons, reply, select
from tests.bot.scripted import Scripted, scripted
from tests.bot.seated import Seated, core_of, open_table, user_of
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow

A, B, C, D = ("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6")
FRIENDLY = {"options": "rated:no"}


@pytest.fixture
def thinker() -> Iterator[type[Scripted]]:
    """A scripted thinker about Bouncers: Ann’s second move is a blunder, Ben’s first a mistake."""
    stands = [(0.5, 0.5), (0.5, 0.5), (0.6, 0.4), (0.3, 0.7), (0.3, 0.7)]
    with scripted(lost={C: 0.3, B: 0.12}, stands=stands) as told:
        yield told


async def played(world: World, *actions: tuple[str, ...], **options: Any) -> Seated:
    """Ann and Ben have played these moves."""
    table = await open_table(world, "bouncers", world.ann, world.ben, **options)
    for number, action in enumerate(actions):
        await table.type(table.people[number % 2], action)
    return table


async def over(world: World, *actions: tuple[str, ...], **options: Any) -> Seated:
    """The same, and then Ben has resigned."""
    table = await played(world, *actions, **options)
    asked = await by_way(world.ben, table.channel, "resign", game=str(table.table_id))
    await world.ben.click(reply(asked), label="Resign")
    return table


def ended(table: Seated) -> Message:
    """The last board of a finished game."""
    return [message for message in table.world.messages(table.channel) if "Review" in labels(message)][-1]


def labels(message: Message) -> list[str]:
    return [one.label for one in buttons(message)]


async def reviewed(world: World, table: Seated, member: MemberActor) -> Message:
    """A review as somebody sees it who has waited for it."""
    assert (await member.click(ended(table), label="Review")).ephemeral
    await world.pass_time(3)
    return own(world, table, member)


def own(world: World, table: Seated, member: MemberActor) -> Message:
    """The newest page of somebody’s private review."""
    seen = world.messages(table.channel, viewer=member)
    return [message for message in seen if message.flags.ephemeral and {"Share", "Check again"} & set(labels(message))][-1]


async def test_a_hint_says_what_to_play_and_why_and_can_be_played(world: World, thinker: type[Scripted]) -> None:
    table = await played(world, **FRIENDLY)
    before = len(world.messages())
    hint = await world.ann.click(reply(await world.ann.click(table.board(), label="Move")), label="Hint")
    text = world.text(hint)
    assert "**Try:** a2 → a3\nAnn likes it." in text
    assert "Nothing’s been played yet. Estimated win chance: 60%. Hints used: 1" in text
    assert world.picture(hint).alt
    assert labels(reply(hint)) == ["Play it", "Pick my own"]
    assert len(world.messages()) == before, "nobody else has seen any of it"
    await world.ann.click(reply(hint), label="Play it")
    assert (await table.snapshot()).playing.log[-1].entry.seat == 0
    assert "hint" not in world.text(table.board()).lower()


async def test_by_command_too_and_the_same_again_counts_once(world: World, thinker: type[Scripted]) -> None:
    table = await played(world, **FRIENDLY)
    for _ in range(2):
        hint = await by_way(world.ann, world.channel, "hint")
        assert reply(hint).ephemeral
        assert "Hints used: 1" in world.text(hint)
    await table.type(world.ann, A)
    await by_way(world.ben, world.channel, "hint")
    await table.type(world.ben, B)
    assert "Hints used: 2" in world.text(await by_way(world.ann, world.channel, "hint"))
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    assert not unsaid(world.text(ended(table)), "Hints used by Ann: 2", "Hints used by Ben: 1")


async def test_missing_hints_are_explained(world: World, thinker: type[Scripted]) -> None:
    table = await played(world)
    assert "No hints in rated games" in world.text(await by_way(world.ann, world.channel, "hint"))
    assert "Hint" not in labels(reply(await world.ann.click(table.board(), label="Move")))
    assert "You’re not playing at table #1." in world.text(await by_way(world.cleo, world.channel, "hint"))
    assert "You’re not playing at table #1." in world.text(await by_way(world.cleo, world.channel, "hint", game="1"))
    friendly = await played(world, **FRIENDLY)
    told = await by_way(world.ben, world.channel, "hint", game=str(friendly.table_id))
    assert "It isn’t your turn." in world.text(told)
    assert [one.what for one in thinker.asked] == []
    assert (await friendly.snapshot()).players[1].hints == 0


async def test_a_refused_hint_is_explained_and_not_counted(world: World, thinker: type[Scripted]) -> None:
    class Full:
        async def think(self, *_: Any, server: int, person: int, priority: Priority) -> Any:
            assert (server, person, priority) == (world.guild.id, world.ann.id, Priority.HINT)
            raise Busy("200 questions wait already")

    table = await played(world, **FRIENDLY)
    with thinking_in(Full()):
        assert "I’m thinking about too many games right now." in world.text(await by_way(world.ann, world.channel, "hint"))
    assert (await table.snapshot()).players[0].hints == 0


async def test_a_hint_for_an_outdated_panel_is_dropped_and_not_counted(world: World, thinker: type[Scripted]) -> None:
    table = await played(world, **FRIENDLY)

    class Slow:
        async def think(self, question: Any, *values: Any, server: int, person: int, priority: Priority) -> Any:
            await core_of(world).service(Play).act(table.table_id, user_of(world.ann), A, version=0)
            await core_of(world).service(Play).act(table.table_id, user_of(world.ben), B, version=1)
            return question(*values)

    panel = await world.ann.click(table.board(), label="Move")
    before = world.text(panel)
    with thinking_in(Slow()):
        late = await world.ann.click(reply(panel), label="Hint")
    assert world.text(panel) == before
    assert "moved on" not in world.text(late)
    assert (await table.snapshot()).players[0].hints == 0


def slowly(*seconds: float) -> Any:
    """A computer that takes these seconds for the questions 4, 6, 8, … of a review."""
    numbers, takes = count(1), {4 + 2 * place: each for place, each in enumerate(seconds)}

    class Slow:
        async def think(self, function: Any, *values: Any, server: int, person: int, priority: Priority) -> Any:
            if (wait := takes.get(next(numbers), 0.0)) > 0:
                await asyncio.sleep(wait)
            return function(*values)

    return thinking_in(Slow())


async def test_a_review_shows_how_far_it_has_come_and_then_the_summary(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B, C, D, **FRIENDLY)
    with slowly(100, 100):
        shown = await world.cleo.click(ended(table), label="Review")
        assert "I’m going through the game: 0 of 10 positions so far." in world.text(shown)
        assert labels(reply(shown)) == ["Check again"]
        await world.pass_time(101)
        assert "I’m going through the game: 4 of 10 positions so far." in world.text(own(world, table, world.cleo))
        await world.pass_time(101)
    summary = own(world, table, world.cleo)
    assert summary.id == reply(shown).id, "whoever has waited sees it in its place"
    text = world.text(summary)
    assert not unsaid(text, "**Ann**: accuracy **", "-# 1 blunder", "-# 1 mistake")
    assert "luck" not in text
    picture = world.picture(summary)
    assert picture.alt == (
        "Win chances. At the start: Ann 50%, Ben 50%. After move 2: Ann 60%, Ben 40%. "
        "After move 3: Ann 30%, Ben 70%. At the end: Ann 100%, Ben 0%."
    )
    assert labels(summary) == ["Moves", "Next", "Analyse", "Share"]
    assert list(select(summary).options) == ["1. Move 2: mistake by Ben (−12)", "2. Move 3: blunder by Ann (−30)"]
    assert not any("accuracy" in world.text(message) for message in world.messages()), "nobody else has seen any of it"


async def test_without_a_name_the_last_game_to_end_is_meant(world: World, thinker: type[Scripted]) -> None:
    first = await played(world, A, B, **FRIENDLY)
    await over(world, A, B, C, D, **FRIENDLY)
    asked = await by_way(world.ann, world.channel, "resign", game=str(first.table_id))
    await world.pass_time(5)
    await world.ann.click(reply(asked), label="Resign")
    shown = await world.ann.click(reply(await world.ann.slash(world.channel, "board")), label="Review")
    assert f"#{first.table_id}" in world.text(shown)


async def test_the_summary_says_where_the_game_left_the_known_paths(world: World, thinker: type[Scripted]) -> None:
    first = await over(world, A, B, C, ("e7", "e6"))
    assert "Out of book" not in world.text(await reviewed(world, first, world.ann)), "nobody else has played so"
    second = await over(world, A, B, C, D)
    summary = await reviewed(world, second, world.ann)
    assert "-# Out of book at move 4." in world.text(summary)
    await world.ann.click(summary, label="Next")
    assert "Out of book" not in world.text(own(world, second, world.ann))


async def test_its_pages_show_what_was_played_and_what_was_better(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B, C, D)
    await world.ann.click(await reviewed(world, table, world.ann), label="Next")
    page = own(world, table, world.ann)
    text = world.text(page)
    assert not unsaid(text, "### 1. Move 2: mistake by Ben (−12)", "**Played:** b7 → b6 (48%)", "**Better:** a7 → ")
    played_then, better = world.pictures(page)
    assert played_then.alt.startswith("What was played. ")
    assert better.alt.startswith("What was better. ")
    assert played_then.png != better.png
    assert labels(page) == ["Summary", "Next", "Board before", "Play it out", "Analyse", "Share"]
    await world.ann.click(page, label="Board before")
    before = own(world, table, world.ann)
    assert world.picture(before).png not in {played_then.png, better.png}
    assert labels(before) == ["Summary", "Next", "What was better", "Play it out", "Analyse", "Share"]
    (code,) = re.findall(r"Code: `(\w+)`", world.text(before))
    assert read_line(code).end.state == (await table.snapshot()).playing.log[0].state, "that is before move 2"
    assert "Code:" not in text
    await world.ann.select(before, ["2"], custom_id=select(before).custom_id)
    last = own(world, table, world.ann)
    assert "### 2. Move 3: blunder by Ann (−30)" in world.text(last)
    assert labels(last) == ["Summary", "Board before", "Play it out", "Analyse", "Share"]
    await world.ann.click(last, label="Summary")
    assert "accuracy" in world.text(own(world, table, world.ann))


async def test_the_list_of_moves_has_marks_and_leads_to_better_lines(world: World, thinker: type[Scripted]) -> None:
    thinker.plays = {Level.MEDIUM: ("a2", "a3"), Level.HARD: A}
    thinker.lost = {**thinker.lost, ("a2", "a3"): 0.4}
    table = await over(world, A, B, C, D)
    summary = await reviewed(world, table, world.ann)
    listed = reply(await world.ann.click(summary, label="Moves"))
    text = world.text(listed)
    assert "### Moves 1 to 5 of 5" in text
    assert re.findall(r"^(\d)\. \S+ (.+)$", text, re.MULTILINE) == [
        ("1", "b2 → b3 **!** · 50%"), ("2", "b7 → b6 **?** · 40%"), ("3", "c2 → c3 **??** · 30%"), ("4", "c7 → c6 · 70%"),
        ("5", "Ben resigned. · 0%"),
    ]  # fmt: skip
    assert "?!, ? and ?? cost at least 5, 10 and 20 points" in text
    assert list(select(listed).options) == [
        "! Move 1: great move by Ann", "? Move 2: mistake by Ben (−12)", "?? Move 3: blunder by Ann (−30)",
    ]  # fmt: skip
    great = reply(await world.ann.select(listed, ["1"], custom_id=select(listed).custom_id))
    assert "Hard to find: any other move costs at least 10 points" in world.text(great)
    assert labels(great) == ["Moves"]
    listed = reply(await world.ann.click(great, label="Moves"))
    slip = reply(await world.ann.select(listed, ["2"], custom_id=select(listed).custom_id))
    assert "**Better:** a7 → " in world.text(slip)
    example = reply(await world.ann.click(slip, label="Play it out"))
    assert "### Better than move 2" in world.text(example)
    assert len(re.findall(r"^[2-5]\. ", world.text(example), re.MULTILINE)) == 4
    assert "With the replies I’d expect." in world.text(example)
    assert world.picture(example).alt.startswith("What was better, as an animation of 5 pictures.")
    assert labels(example) == ["Back"]
    back = reply(await world.ann.click(example, label="Back"))
    assert "**Better:** a7 → " in world.text(back)
    assert labels(back) == ["Moves", "Play it out"]
    listed = reply(await world.ann.click(back, label="Moves"))
    summary = reply(await world.ann.click(listed, label="Summary"))
    point = reply(await world.ann.click(summary, label="Next"))
    example = reply(await world.ann.click(point, label="Play it out"))
    again = reply(await world.ann.click(example, label="Back"))
    assert labels(again) == labels(point), "it leads back to the page of the review"
    assert "### 1. Move 2: mistake by Ben" in world.text(again)


async def test_a_review_is_made_once_for_all_readers(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B)
    await reviewed(world, table, world.ann)
    count = len(thinker.asked)
    shown = await by_way(world.ben, world.channel, "review")
    assert reply(shown).ephemeral
    assert "accuracy" in world.text(shown)
    assert len(thinker.asked) == count
    assert "accuracy" in world.text(await by_way(world.cleo, world.channel, "review", game=str(table.table_id)))


async def test_the_summary_shares_the_card_and_other_pages_themselves_once(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B, C, D)
    card = await world.ann.click(await reviewed(world, table, world.ann), label="Share")
    assert "Copy and share:" in world.text(card)
    assert "accuracy" in world.picture(card).alt
    await world.ann.click(reply(card), label="Post here")
    await world.pass_time(3)
    posted = [message for message in world.messages() if "Shared by" in world.text(message)]
    assert len(posted) == 1
    told = [world.text(message) for message in world.messages(viewer=world.ann)]
    assert f"Posted here: {posted[0].jump_url}" in told
    assert "accuracy" in world.picture(posted[0]).alt
    assert world.pinged(posted[0]) == set()
    posts = 1
    for _ in range(2):
        await world.ben.click(reply(await by_way(world.ben, world.channel, "review")), label="Next")
        preview = await world.ben.click(own(world, table, world.ben), label="Share")
        assert labels(reply(preview)) == ["Post here", "Back"]
        assert "### 1. Move 2" in world.text(preview), "it is shown to one reader alone"
        assert len([message for message in world.messages() if "Shared by" in world.text(message)]) == posts
        await world.ben.click(reply(preview), label="Post here")
        await world.pass_time(3)
        posts = 2
    _, second = [message for message in world.messages() if "Shared by" in world.text(message)]
    assert "### 1. Move 2" in world.text(second)
    assert (buttons(second), len(world.pictures(second))) == ([], 2)


async def test_a_review_continues_after_a_restart(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B, C, D)
    asked_before: list[int] = []

    class Slow:
        async def think(self, function: Any, *values: Any, server: int, person: int, priority: Priority) -> Any:
            asked_before.append(len(thinker.asked))
            if len(asked_before) == 4:
                await asyncio.sleep(10_000)
            return function(*values)

    with thinking_in(Slow()):
        await world.ann.click(ended(table), label="Review")
        await world.pass_time(20)
        assert "I’m going through the game: 0 of 10 positions so far." in world.text(own(world, table, world.ann))
        assert len(thinker.asked) == 3
        await world.restart()
    count = len(thinker.asked)
    await world.settle()
    assert "accuracy" in world.text(await world.ann.click(own(world, table, world.ann), label="Check again"))
    assert len(thinker.asked) - count <= 6, "what was found out before is not found out again"


async def test_whoever_asks_twice_waits_once_and_sees_the_answer(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B, C, D)
    with slowly(100):
        again = await world.ann.click(reply(await world.ann.click(ended(table), label="Review")), label="Check again")
        assert "3 of 10 positions" in world.text(again)
        await world.pass_time(101)
    assert "accuracy" in world.text(own(world, table, world.ann))
    assert [one.what for one in thinker.asked].count("assess") == 5, "nothing is found out twice"


async def test_the_review_appears_where_it_was_asked_for_despite_other_games(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B, C, D, **FRIENDLY)
    with slowly(300, 300):
        shown = await world.ann.click(ended(table), label="Review")
        assert "this message will turn into the review" in world.text(shown)
        await world.ann.slash(world.channel, "open", game="bouncers", computer="easy")
        await world.pass_time(301)
        await world.pass_time(301)
    seen = world.messages(table.channel, viewer=world.ann)
    assert [message.id for message in seen if "accuracy" in world.text(message)] == [reply(shown).id]


@pytest.mark.parametrize("resigner", ["ann", "ben"])
async def test_going_back_from_the_progress_stays_at_the_result(world: World, thinker: type[Scripted], resigner: str) -> None:
    table, member = await played(world, A, B, C, D), getattr(world, resigner)
    panel = await world.ann.click(table.board(), label="Move")
    await member.click(reply(await by_way(member, table.channel, "resign", game=str(table.table_id))), label="Resign")
    await world.ann.click(reply(panel), label=labels(reply(panel))[0])
    with slowly(100):
        await world.ann.click(reply(panel), label="Review")
        assert labels(reply(panel)) == ["Check again", "Back"]
        await world.ann.click(reply(panel), label="Back")
        assert "Rematch" in labels(reply(panel))
        await world.pass_time(101)
    assert "Rematch" in labels(reply(panel)), "it doesn’t become the review any more"
    await world.ann.click(reply(panel), label="Review")
    assert "accuracy" in world.text(panel)


async def test_after_a_quarter_of_an_hour_the_next_press_shows_the_review(world: World, thinker: type[Scripted]) -> None:
    table = await over(world, A, B, C, D)
    with slowly(850, 850):
        await world.ann.click(ended(table), label="Review")
        await world.pass_time(851)
        told = own(world, table, world.ann)
        assert "Press the button later to see the review." in world.text(told)
        await world.pass_time(851)
    assert "accuracy" in world.text(await world.ann.click(told, label="Check again"))


async def test_one_is_told_how_many_games_come_first(world: World, thinker: type[Scripted]) -> None:
    first = await over(world, A, B, C, D)
    second = await over(world, A, B)
    with slowly(100, 100):
        await by_way(world.ann, world.channel, "review", game=str(first.table_id))
        shown = await by_way(world.cleo, world.channel, "review", game=str(second.table_id))
        assert "1 other game from this server comes first." in world.text(shown)
        await world.pass_time(250)
    assert "accuracy" in world.text(own(world, second, world.cleo))
    assert "accuracy" in world.text(own(world, first, world.ann))


async def test_missing_reviews_are_explained(world: World, thinker: type[Scripted]) -> None:
    assert "No games in this channel yet." in world.text(await by_way(world.ann, world.channel, "review"))
    table = await played(world, A)
    told = await by_way(world.ann, world.channel, "review", game=str(table.table_id))
    assert "The game is still on." in world.text(told)
    assert "There’s no table #77 here." in world.text(await by_way(world.ann, world.channel, "review", game="77"))
    assert "isn’t the number of a game" in world.text(await by_way(world.ann, world.channel, "review", game="mine"))


async def test_a_private_game_is_reviewed_and_shared_in_its_thread_alone(world: World, thinker: type[Scripted]) -> None:
    table = await open_table(world, "bouncers", world.ann, private=True, opponent=world.ben)
    await world.ben.click(world.last(table.channel), label="Accept")
    await table.type(world.ann, A)
    await world.ben.click(reply(await by_way(world.ben, table.channel, "resign")), label="Resign")
    told = await by_way(world.cleo, world.channel, "review", game=str(table.table_id))
    assert f"There’s no table #{table.table_id} here." in world.text(told)
    shown = await by_way(world.ann, world.channel, "review", game=str(table.table_id))
    await world.pass_time(3)
    assert "Share" not in labels(world.last(viewer=world.ann))
    assert reply(shown).ephemeral
    assert "Share" in labels(await reviewed(world, table, world.ann))


async def test_against_a_computer_there_are_hints_and_a_review_that_judges_both(world: World, thinker: type[Scripted]) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", computer="easy")
    (table,) = await world.client.core.tables(guild_id=world.guild.id)
    alone = Seated(world, table.id, [world.ann], world.channel)
    assert "Hints used: 1" in world.text(await by_way(world.ann, world.channel, "hint"))
    await alone.type(world.ann, A)
    await world.pass_time(30)
    snapshot = await alone.snapshot()
    assert [logged.entry.seat for logged in snapshot.playing.log] == [0, 1]
    await world.ann.click(reply(await by_way(world.ann, world.channel, "resign")), label="Resign")
    assert "Hints used by Ann: 1" in world.text(ended(alone))
    summary = await reviewed(world, alone, world.ann)
    computer = snapshot.players[1].name
    assert world.text(summary).count("accuracy **") == 2
    assert computer in world.text(summary)
    assert computer in world.picture(summary).alt


@pytest.mark.parametrize("label", ["What happened?", "Replay", "Review", "More", "Verify"])
async def test_what_replaces_the_result_leads_back_to_it(world: World, thinker: type[Scripted], label: str) -> None:
    table = await played(world, A, B, C, D)
    panel = await world.ann.click(table.board(), label="Move")
    asked = await by_way(world.ben, table.channel, "resign", game=str(table.table_id))
    await world.ben.click(reply(asked), label="Resign")
    await world.ann.click(reply(panel), label=labels(reply(panel))[0])
    assert labels(reply(panel)) == ["Rematch", "Share", "Replay", "Review", "More"]
    if label in {"Verify", "What happened?"}:
        await world.ann.click(reply(panel), label="More")
        assert "Board in words" in labels(reply(panel))
    await world.ann.click(reply(panel), label=label)
    await world.pass_time(10)
    assert labels(reply(panel)) != ["Rematch", "Share", "Replay", "Review", "More"]
    await world.ann.click(reply(panel), label="Back")
    assert labels(reply(panel)) == ["Rematch", "Share", "Replay", "Review", "More"]
