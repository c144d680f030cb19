"""Words replace a picture that cannot be drawn for whatever reason, and the game goes on."""

import re
from collections.abc import Callable
from threading import Timer
from typing import Any

import pytest

from bot.core.jobs import Outbox
from bot.messages.pictures import CACHE, DRAWN_WITHIN, NOT_AGAIN_FOR
from bot.runtime.metrics import REGISTRY
from bot.workers.drawing import Process, drawing_in
from engines.game import hand_of
from storage.schema.records import Status
from tests.bot import worker_calls as calls
from tests.bot.kit import Message, World, button, buttons, reply
from tests.bot.scripted import scripted
from tests.bot.seated import Seated, all_that_is_public, core_of, open_table, pings
from tests.bot.settings_panels import come_back, go_away
from tests.bot.ways import by_way
from tests.bot.workers.failing import NOTE, broken, dead, failing, hanging, hungry
from tests.marks import quick_first

LOGGED = "a picture could not be drawn"


@pytest.fixture(autouse=True)
def provoked(no_pictures_at_hand: None, world: World) -> None:
    """Pictures are drawn anew, and provoked errors may be logged."""
    world.expected_errors.add(LOGGED)


def failures(kind: str, reason: str) -> float:
    return REGISTRY.get_sample_value("springboard_pictures_failed_total", {"kind": kind, "reason": reason}) or 0.0


def is_in_words(world: World, message: Message) -> bool:
    """Whether a message has words in place of its picture. If not, it has its picture."""
    in_words = NOTE in world.text(message)
    assert in_words != bool(world.pictures(message))
    assert in_words != bool(message.attachments)
    return in_words


async def played_to_the_end(table: Seated, words: list[str] | None = None) -> list[tuple[int, bool]]:
    """Play a game at random. Returns each board's version and whether it was in words, which are added to `words`."""
    world, seen = table.world, []
    while not await table.over():
        board, (member,) = table.board(), await table.awaited()
        if words is not None and is_in_words(world, board):
            words.append(world.text(board))
        seen.append(((await table.snapshot()).table.version, is_in_words(world, board)))
        assert f"<@{member.id}>, " in world.text(board)
        assert button(board, "More")
        await table.type(member, await table.random_action(member))
    seen.append(((await table.snapshot()).table.version, is_in_words(world, table.board())))
    assert button(table.board(), "Rematch")
    return seen


async def nothing_is_owed(world: World) -> bool:
    await world.pass_time(3600)
    return not (await core_of(world).service(Outbox).waiting()).jobs


def live(world: World) -> list[int]:
    return [message.id for message in world.messages() if any(one.label == "More" for one in buttons(message))]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["trampoline", "bunny"])
async def test_a_game_with_somebody_whose_name_no_font_can_draw_is_played_to_its_end(world: World, game: str) -> None:
    world.expected_errors.clear()
    other = world.join("\ufdfd")
    options: dict[str, Any] = {"seats": 2} if game == "trampoline" else {}
    table = await open_table(world, game, world.ann, other, **options)
    seen = await played_to_the_end(table)
    assert not any(in_words for _, in_words in seen)
    assert world.pictures(await other.slash(world.channel, "board", game=str(table.table_id)))
    assert await nothing_is_owed(world)
    assert live(world) == [table.board().id]


@pytest.mark.slow
async def test_a_game_of_whose_pictures_every_third_cannot_be_drawn_is_played_to_its_end(world: World) -> None:
    table, words = await open_table(world, "trampoline", world.ann, world.ben, seats=2), list[str]()
    with failing(wrong=lambda number: number % 3 == 0):
        seen = await played_to_the_end(table, words)
        assert {in_words for _, in_words in seen} == {True, False}
        assert await nothing_is_owed(world)
    assert live(world) == [table.board().id], "boards in words lose their buttons as others do"
    assert words
    assert all("spot" in text for text in words)


@pytest.mark.slow
@pytest.mark.parametrize("instead", [broken, dead, hungry])
async def test_a_game_of_which_no_picture_can_be_drawn_is_played_to_its_end(world: World, instead: Callable[[], Any]) -> None:
    with failing(instead):
        table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
        before = len(world.watch.calls)
        seen = await played_to_the_end(table)
        assert all(in_words for _, in_words in seen)
        assert set(pings(world, before)) == {world.ann.id, world.ben.id}
        assert await nothing_is_owed(world)
        assert live(world) == [table.board().id]


async def test_the_same_message_goes_from_a_picture_to_words_and_back(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    board = table.board()
    assert not is_in_words(world, board)
    CACHE.clear()
    with failing():
        await go_away(world, world.ann, 3)
        assert is_in_words(world, table.board())
        await world.pass_time(NOT_AGAIN_FOR)
    await come_back(world, world.ann)
    assert not is_in_words(world, table.board())
    assert table.board().id == board.id


@pytest.mark.parametrize(
    ("instead", "reason"),
    quick_first(2, [(broken, "error"), (dead, "died"), (hungry, "error"), (hanging, "late")], several=True),
)
async def test_whoever_runs_the_bot_learns_of_it(world: World, instead: Callable[[], Any], reason: str) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = failures("board", reason)
    with failing(instead):
        await table.type(world.ann, ("b2", "b3"))
        await world.pass_time(DRAWN_WITHIN + 1)
        assert is_in_words(world, table.board())
    assert failures("board", reason) == before + 1
    (logged,) = [one for one in world.logs if one["event"] == LOGGED]
    assert (logged["table"], logged["kind"], logged["reason"]) == (table.table_id, "board", reason)


@pytest.mark.parametrize(("kind", "command"), [("board", "board"), ("replay", "replay")])
async def test_a_file_that_is_too_large_is_not_sent(
    world: World, monkeypatch: pytest.MonkeyPatch, kind: str, command: str
) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    before = failures(kind, "large")
    CACHE.clear()
    monkeypatch.setattr("bot.messages.pictures.UPLOAD_LIMIT", 1000)
    assert NOTE in world.text(await by_way(world.ann, world.channel, command))
    assert failures(kind, "large") == before + 1


async def test_a_process_that_hangs_keeps_a_board_for_less_than_an_attempt_and_others_from_nothing(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with failing(hanging) as place:
        await table.type(world.ann, ("b2", "b3"))
        announced = table.board()
        assert pings(world)[-1] == world.ben.id
        await world.pass_time(DRAWN_WITHIN + 1)
        assert table.board().id == announced.id
        assert is_in_words(world, table.board())
        async with world.at_once():
            await world.ben.slash(world.channel, "board")
        await world.pass_time(DRAWN_WITHIN + 1)
        asked = place.asked
        assert NOTE in world.text(await world.ben.slash(world.channel, "board"))
        assert place.asked == asked, "nobody waits for it a second time"
        await world.pass_time(NOT_AGAIN_FOR)
    assert world.pictures(await world.ben.slash(world.channel, "board"))


async def test_a_change_that_is_no_step_of_the_game_is_shown_on_a_board_whose_picture_hangs(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with failing(hanging):
        await go_away(world, world.ann, 3)
        await world.pass_time(DRAWN_WITHIN + 1)
        assert "is on vacation until" in world.text(table.board())
        assert await nothing_is_owed(world)


@pytest.fixture
def looked_at_in_real_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watch processes by the real clock: what they do takes no simulated time."""

    def look_later(process: Any) -> None:
        process._look = Timer(0.1, process._loop.call_soon_threadsafe, [process._look_after_it])
        process._look.start()

    monkeypatch.setattr("bot.workers.worker._Process._look_later", look_later)


@pytest.mark.usefixtures("looked_at_in_real_time")
@pytest.mark.parametrize("call", [calls.killed, pytest.param(calls.asleep, marks=pytest.mark.slow)])
async def test_a_real_process_that_fails_costs_no_move(
    world: World, monkeypatch: pytest.MonkeyPatch, call: Callable[..., Any]
) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    place = Process(standstill=0.5)
    with drawing_in(place), monkeypatch.context() as patched:
        patched.setattr("bot.messages.pictures.draw", call)
        await table.type(world.ann, ("b2", "b3"))
        await world.pass_time(DRAWN_WITHIN + 1)
        assert is_in_words(world, table.board())
        assert pings(world)[-1] == world.ben.id
    place.close()
    await table.type(world.ben, ("b7", "b6"))
    assert not is_in_words(world, table.board())


async def test_lobbies_and_house_rules(world: World) -> None:
    with failing():
        await world.ann.slash(world.channel, "open", game="pucks", seats=2)
        assert is_in_words(world, world.last())
        panel = await world.ann.click(world.last(), label="House rules")
        assert NOTE in world.text(panel)
        assert "Row 1" in world.text(panel)
        assert button(reply(panel), "Done")


async def test_rules_and_lessons(world: World) -> None:
    with failing():
        for shown in (
            await world.ann.slash(world.channel, "rules", game="bouncers"),
            await by_way(world.ann, world.channel, "learn", game="bouncers"),
        ):
            assert is_in_words(world, reply(shown))
            assert buttons(reply(shown))
        await world.ann.click(reply(shown), label="c4")
        await world.ann.click(reply(shown), label="Play")
        assert is_in_words(world, reply(shown))
        assert button(reply(shown), "Next step")


async def test_what_happened(world: World) -> None:
    with failing():
        table = await open_table(world, "bunny", world.ann, world.ben)
        (first,) = await table.awaited()
        await table.type(first, await table.random_action(first))
        other = world.ben if first.id == world.ann.id else world.ann
        shown = await other.click(table.board(), label="What happened?")
        assert NOTE in world.text(shown), world.text(shown)
        assert not world.pictures(shown)


async def test_boards_panels_and_plans(world: World) -> None:
    with failing():
        table = await open_table(world, "bouncers", world.ann, world.ben)
        await table.pick(world.ann, ("b2", "b3"))
        for shown in (
            await world.ann.slash(world.channel, "board"),
            await world.ben.click(table.board(), label="Move"),
            await by_way(world.ann, world.channel, "plan"),
            await world.ann.slash(world.channel, "replay"),
        ):
            assert NOTE in world.text(shown), world.text(shown)
            assert "pieces on" in world.text(shown)
            assert not world.pictures(shown)


@pytest.mark.slow
async def test_hints_and_reviews(world: World) -> None:
    with failing(), scripted():
        table = await open_table(world, "bouncers", world.ann, world.ben, options="rated:no")
        hint = await world.ann.click(reply(await world.ann.click(table.board(), label="Move")), label="Hint")
        assert NOTE in world.text(hint)
        await table.type(world.ann, ("b2", "b3"))
        asked = await by_way(world.ben, world.channel, "resign")
        await world.ben.click(reply(asked), label="Resign")
        await world.pass_time(60)
        assert NOTE in world.text(world.last()), "the replay after the end"
        await world.ann.click(table.board(), label="Review")
        await world.pass_time(10)
        review = await by_way(world.ann, world.channel, "review")
        assert NOTE in world.text(review)
        assert "accuracy" in world.text(review)


async def test_names_and_mentions_in_words_are_shown_literally(world: World) -> None:
    other = world.join("**@everyone** <@1>")
    with failing():
        table = await open_table(world, "trampoline", world.ann, other, seats=2)
        text = world.text(table.board())
    assert r"\*\*" in text
    assert "@everyone" not in text
    assert not re.search(r"(?<!\\)<@1>", text)


async def test_words_tell_no_more_than_the_picture_to_anybody(world: World) -> None:
    with failing():
        table = await open_table(world, "pucks", world.ann, world.ben, seats=2, options="setup:random")
        (member,) = await table.awaited()
        hand = await member.click(table.board(), label="Hand")
        snapshot = await table.snapshot()
        game, seat = snapshot.playing.game, snapshot.own_seat(member.id)
        own = str(hand_of(game, snapshot.playing.view(seat)))
        assert own.splitlines()[0] in world.text(hand)
        assert own.splitlines()[1] in world.text(hand)
        assert own.splitlines()[1] not in all_that_is_public(world)
        assert "Row 1" in all_that_is_public(world)
        assert snapshot.table.status is Status.PLAYING
