"""The message that pings tells its player everything since they were last asked, each event once, in words and picture.

Also during a turn, when it is posted anew, when the bot is killed in between, and in messages by earlier versions.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.core.jobs import Outbox
from bot.core.people import Users
from bot.core.table.position import Position
from bot.core.table.since import standing, story_of
from bot.messages import pictures
from bot.messages.builder import Picture
from bot.messages.pictures import Perspective
from bot.outbox import boards
from engines.game import Event
from engines.text import Text
from storage import queries
from tests.bot.kit import World, buttons
from tests.bot.seated import Seated, core_of, open_table, pings
from tests.bot.stories import LONG_NAMES, STORIES, Story, message
from tests.bot.ways import by_way

FOLD = re.compile(r"… and (\d+) more: \*What happened\?\*")
every_story = pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Event, ...]]:
    """The events in each picture of a board, in drawing order."""
    shown: list[tuple[Event, ...]] = []
    draw_into = pictures.draw_into

    async def noted(empty: Picture, position: Position, perspective: Perspective, events: Sequence[Event]) -> Picture:
        shown.append(tuple(events))
        return await draw_into(empty, position, perspective, events)

    monkeypatch.setattr(boards, "draw_into", noted)
    return shown


async def seated(world: World, story: Story, names: tuple[str, ...] = LONG_NAMES) -> Seated:
    """A story's people at their table, before its first action."""
    people = [world.join(name) for name in names[: story.seats]]
    seats: dict[str, Any] = {"seats": story.seats} if story.seats > 2 else {}
    return await open_table(world, story.game_id, *people, **seats)


async def player(table: Seated, seat: int) -> MemberActor:
    return table.member((await table.snapshot()).players[seat].user_id)


async def play(table: Seated, story: Story, first: int = 0, last: int | None = None) -> None:
    for seat, words in story.actions[first:last]:
        await table.type(await player(table, seat), words.split())


def wording(event: Event, names: tuple[str, ...]) -> str:
    words = event.text if event.phrase is None else event.phrase
    assert isinstance(words, Text)
    return words.render(name=lambda seat: names[seat])


def told_in(text: str, events: list[Event], names: tuple[str, ...], reader: int) -> None:
    """Each event occurs once in a message or is counted in its fold, and all that affect the reader occur."""
    fold = FOLD.search(text)
    wanted = Counter(wording(event, names).replace("**", "") for event in events)
    plain = text.replace("**", "").replace("\\", "")
    told = {words: min(plain.count(words), number) for words, number in wanted.items()}
    assert sum(told.values()) + (0 if fold is None else int(fold[1])) == len(events)
    for event in events:
        if event.decisive or reader in event.affects:
            assert wording(event, names).replace("**", "") in plain
    for words, number in wanted.items():
        containing = sum(words in other for other in wanted.elements())
        assert plain.count(words) <= max(number, containing), f"{words!r} is told more than once"


@pytest.mark.slow
@every_story
async def test_it_tells_each_public_event_once(world: World, drawn: list[tuple[Event, ...]], story: Story) -> None:
    with story.begins():
        table = await seated(world, story)
        calls = len(world.watch.calls)
        await play(table, story)
        snapshot = await table.snapshot()
        assert snapshot.playing.to_act == (story.asked,)
        assert pings(world, calls)[-1] == snapshot.players[story.asked].user_id
        since = story_of(snapshot.playing).told
        events = [event for logged in snapshot.playing.log[since:] for event in logged.events if event.private_to is None]
        assert {logged.entry.seat for logged in snapshot.playing.log[since:]} == {
            seat for seat, _ in story.actions if seat != story.asked
        }
        told_in(world.text(table.board()), events, snapshot.names, story.asked)
        assert list(drawn[-1]) == events, "one picture shows all of it"
        alt = world.picture(table.board()).alt
        assert len(alt) <= 1024
        affecting = [event for event in events if event.decisive or story.asked in event.affects]
        chosen = affecting or [event for event in events if event.major] or events
        room = 1024 - len(str(snapshot.playing.game.describe(snapshot.playing.view(None))))
        newest = chosen[-1].text.render(name=lambda seat: snapshot.names[seat])  # type: ignore[attr-defined]
        assert (newest in alt) or len(newest) + 200 > room, "its description begins with what happened"


@pytest.mark.slow
async def test_during_a_turn_its_message_keeps_the_story_and_adds_to_it(world: World, drawn: list[tuple[Event, ...]]) -> None:
    story = STORIES["five actions of Puck Bumpers"]
    with story.begins():
        table = await seated(world, story)
        await play(table, story)
        board, before = table.board(), world.text(table.board())
        drawer = await player(table, 1)
        await table.type(drawer, ("draw",))
        assert table.board().id == board.id, "it is edited in place"
        now = world.text(table.board())
        kept = [FOLD.sub("", line) for line in before.split("\n") if "Maximiliane" in line and "slides" in line]
        assert kept
        assert kept[0] in now
        entry = (await table.snapshot()).playing.log[-1]
        told = [event for event in entry.events if event.private_to is None]
        assert list(drawn[-1]) == told, "the picture shows the turn as soon as there is something in it"
        events = standing((await table.snapshot()).playing, story_of((await table.snapshot()).playing).told)
        told_in(now, list(events), (await table.snapshot()).names, 1)


async def test_a_retired_message_keeps_what_it_said_where_old_boards_are_kept(world: World) -> None:
    await core_of(world).service(Users).change_server(world.guild.id, old_boards="keep")
    story = STORIES["twelve captures of Bouncers"]
    with story.begins():
        table = await seated(world, story)
        await play(table, story)
        board = table.board()
        told, alt = world.text(board).split("\n")[2], world.picture(board).alt
        assert "capturing 12 pieces" in told
        (other,) = await table.awaited()
        await table.type(other, await table.random_action(other))
        retired = next(one for one in world.messages() if one.id == board.id)
        assert (buttons(retired), world.text(retired).split("\n")[2]) == ([], told)
        assert world.picture(retired).alt == alt


@pytest.mark.slow
async def test_an_action_that_was_taken_back_stands_in_the_message_that_told_it_but_in_no_later_one(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    first = table.board()
    await by_way(world.ann, world.channel, "undo")
    await world.ben.click(world.last(), label="Accept")
    old = next(one for one in world.messages() if one.id == first.id)
    assert world.text(old).endswith("**Ann** bounces b2 → b3")
    await table.type(world.ann, ("c2", "c3"))
    board = world.text(table.board())
    assert "**Ann** takes back “b2 → b3”" in board
    assert "bounces c2 → c3" in board
    assert "bounces b2 → b3" not in board


async def test_a_turn_that_is_posted_anew_after_an_hour_is_told_from_its_beginning(world: World) -> None:
    story = STORIES["five actions of Puck Bumpers"]
    with story.begins():
        table = await seated(world, story)
        await play(table, story)
        board = table.board()
        calls = len(world.watch.calls)
        await world.pass_time(3700)
        drawer = await player(table, 1)
        await table.type(drawer, ("draw",))
        assert table.board().id != board.id
        assert pings(world, calls) == [], "who is asked already is not pinged again"
        assert "slides puck 1 up" in world.text(table.board())


@pytest.mark.slow
async def test_a_message_of_a_bot_before_is_edited_and_retired_as_ever(world: World) -> None:
    """Rows of earlier versions have another version in `board_since`."""
    story = STORIES["five actions of Puck Bumpers"]
    with story.begins():
        table = await seated(world, story)
        await play(table, story)
        posted = table.board()
        version = (await table.snapshot()).table.version
        with world.env._bot_scope():
            async with table.core.store.write() as writer:
                await queries.tables.change(writer, table.table_id, board_since=version - 1)
        await world.restart()
        drawer = await player(table, 1)
        await table.type(drawer, ("draw",))
        assert table.board().id == posted.id
        assert "slides puck 1 up" in world.text(table.board())
        while await table.awaited() == [drawer]:
            await table.type(drawer, await table.random_action(drawer))
        retired = next(one for one in world.messages() if one.id == posted.id)
        assert buttons(retired) == []
        assert "scores Cleo’s puck 3" in world.text(retired), "the newest major event, beside a name that leaves little room"


async def test_after_a_crash_between_post_and_record_the_message_is_found_and_tells_the_same(world: World) -> None:
    story = STORIES["three turns of BOUNCE"]
    with story.begins():
        table = await seated(world, story)
        await play(table, story, last=3)
        world.expected_errors.add("job failed")

        async def lost(*_: Any) -> None:
            raise ConnectionResetError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table.core.service(Outbox), "record_board", lost)
            await play(table, story, first=3)
        posted = table.board()
        told = world.text(posted)
        assert "**Cleo** rolls" in told
        await world.pass_time(1)
        await world.restart()
        await world.pass_time(600)
        snapshot = await table.snapshot()
        assert (snapshot.table.board_message_id, snapshot.table.board_since) == (posted.id, 1)
        assert world.text(table.board()) == told
        (member,) = await table.awaited()
        assert len([one for one in world.messages() if f"<@{member.id}>, ready to roll?" in world.text(one)]) == 1


@every_story
@pytest.mark.parametrize("code", ["en", "de"])
async def test_no_message_comes_near_the_limits(story: Story, code: str) -> None:
    made = await message(story.snapshot(tuple(name * 3 for name in LONG_NAMES)), code)
    assert len(made.layout().to_components()[0]["components"]) < 40
    assert sum(len(item.content) for item in made.items if hasattr(item, "content")) < 4000
