"""The buttons of old boards go away some time: no click waits for that, and no picture is drawn or sent for it again."""

from collections.abc import Callable

import aiohttp
import discord
import pytest

from bot.core.jobs import Outbox
from bot.core.people import Users
from bot.core.table.since import standing
from bot.i18n.language import ENGLISH
from bot.outbox.refusals import LONGEST_IDLE_RETRY, MOST_IDLE_TRIES
from loopback.limits import Call, Kind
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.refusals import EDIT, SEND, a_bad_line, a_slow_line, refusal
from tests.bot.seated import Seated, all_that_is_seen, core_of, open_table, pings
from tests.bot.settings_panels import fill
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


def live(world: World) -> list[int]:
    """The ids of the messages that have buttons of a board, oldest first."""
    return [message.id for message in world.messages() if any(one.label == "More" for one in buttons(message))]


def edits(world: World, message_id: int) -> list[Call]:
    """The calls that edited a board later: the first one belongs to its posting, and made the announced turn a board."""
    laid_out, *later = [call for call in world.watch.calls if call.kind is Kind.EDIT and call.path.endswith(f"/{message_id}")]
    assert [name for name, _ in laid_out.files], "the board has its picture by the call that follows the announcement"
    return later


def edit_of(message: discord.Message) -> str:
    """The calls that edit a message, for a bad line."""
    return rf"PATCH /channels/\d+/messages/{message.id}"


async def two_boards(world: World) -> tuple[Seated, discord.Message]:
    """A table whose second board is about to be posted, and its first."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    return table, table.board()


async def test_an_old_board_folds_into_the_line_that_it_told_by_one_edit(world: World) -> None:
    table, old = await two_boards(world)
    assert "**Ann** bounces b2 → b3." in world.text(old)
    await table.type(world.ben, ("b7", "b6"))
    folded = next(message for message in world.messages() if message.id == old.id)
    assert world.text(folded) == "-# #1 · 🔴 **Ann** bounces b2 → b3"
    assert (buttons(folded), world.pictures(folded)) == ([], [])
    assert [type(part) for part in folded.components] == [discord.TextDisplay], "a line without a frame"
    (edit,) = edits(world, old.id)
    assert edit.files == ()
    assert edit.message["attachments"] == []
    assert live(world) == [table.board().id]


async def test_after_the_game_the_channel_has_a_line_a_turn_and_the_last_board(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    actions = [("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6")]
    for member, action in zip([world.ann, world.ben] * 2, actions, strict=True):
        await table.type(member, action)
    await world.ann.click(reply(await by_way(world.ann, world.channel, "resign")), label="Resign")
    await world.pass_time(60)
    _, begun, *turns, last, replay = world.messages()
    assert world.text(begun) == "-# #1 · 🔴 **Ann** begins"
    assert [world.text(message).rpartition("** ")[2] for message in turns] == [
        f"bounces {' → '.join(action)}" for action in actions
    ]
    assert [len(world.pictures(message)) for message in (begun, *turns, last)] == [0] * 5 + [1]
    assert "**Ben wins!**" in world.text(last)
    assert any(".gif" in file.filename for file in replay.attachments)


async def test_a_server_may_keep_the_pictures_of_old_boards(world: World) -> None:
    chief = a_chief(world)
    shown = await fill(world, chief, "server-settings", "new-tables", old_boards="keep")
    assert "Older boards: Keep their pictures" in world.text(shown)
    table, old = await two_boards(world)
    picture, text = world.picture(old), world.text(old)
    await table.type(world.ben, ("b7", "b6"))
    kept = next(message for message in world.messages() if message.id == old.id)
    assert buttons(kept) == []
    assert world.picture(kept) == picture
    turn = next(line for line in text.splitlines() if "<@" in line)
    assert world.text(kept) == text.replace(f"\n{turn}", ""), "only the line about the turn is gone"
    assert live(world) == [table.board().id]
    (edit,) = edits(world, old.id)
    assert edit.files == ()
    (named,) = edit.message["attachments"]
    assert named.keys() == {"id", "filename"}, "what stays is named by its id and its name"
    assert "Older boards: Fold" in world.text(await fill(world, chief, "server-settings", "new-tables", old_boards="fold"))
    await table.type(world.ann, ("c2", "c3"))
    assert [len(world.pictures(message)) for message in world.messages()[1:]] == [1, 1, 0, 1], "what is kept stays"


@pytest.mark.parametrize(
    "error", [refusal(500), refusal(429, 30046), aiohttp.ServerDisconnectedError], ids=["500", "30046", "disconnected"]
)
async def test_what_fails_is_done_later_also_by_the_next_process(world: World, error: Callable[[], Exception]) -> None:
    table, old = await two_boards(world)
    with a_bad_line(world, edit_of(old), error, times=2):
        await table.type(world.ben, ("b7", "b6"))
        assert live(world) == [old.id, table.board().id]
        assert pings(world)[-1] == world.ann.id
        await world.pass_time(200)
    await world.restart()
    await world.pass_time(3600)
    assert live(world) == [table.board().id]


async def test_a_ration_that_is_used_up_is_not_asked_for_again_and_again(world: World) -> None:
    table, old = await two_boards(world)
    world.env.inject_error("PATCH", f"/channels/*/messages/{old.id}", status=429, code=30046, times=None)
    world.watch.excused.add("was tried")
    await table.type(world.ben, ("b7", "b6"))
    await world.pass_time(MOST_IDLE_TRIES * LONGEST_IDLE_RETRY)
    assert len(edits(world, old.id)) == MOST_IDLE_TRIES
    assert (await core_of(world).service(Outbox).waiting()).jobs == {}


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (400, 50083), (404, 10003)])
async def test_what_is_refused_for_good_is_not_tried_again(world: World, status: int, code: int) -> None:
    table, old = await two_boards(world)
    world.env.inject_error("PATCH", f"/channels/*/messages/{old.id}", status=status, code=code, times=None)
    answer = await table.type(world.ben, ("b7", "b6"))
    assert answer.followups == [], "nobody is told"
    await world.pass_time(3600)
    assert len(edits(world, old.id)) == 1
    assert (await table.snapshot()).table.thread_id is None
    assert live(world)[-1] == table.board().id


async def test_an_edit_that_hangs_holds_up_neither_the_board_nor_the_next_one(world: World) -> None:
    table, old = await two_boards(world)
    with a_slow_line(world, edit_of(old)) as hung:
        await table.type(world.ben, ("b7", "b6"))
        assert len(hung) == 1
        next_one = table.board()
        with a_slow_line(world, edit_of(next_one)) as hung_next:
            await table.type(world.ann, ("c2", "c3"))
            assert pings(world)[-1] == world.ben.id
            assert table.board().id != next_one.id
            await world.pass_time(11)
            assert len(hung_next) == 1
    await world.pass_time(3600)
    assert live(world) == [table.board().id]
    assert old.id != table.board().id


@pytest.mark.parametrize("old_boards", ["keep", "fold"])
async def test_a_board_that_was_edited_though_that_seemed_to_fail_loses_its_buttons(world: World, old_boards: str) -> None:
    await core_of(world).service(Users).change_server(world.guild.id, old_boards=old_boards)
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    (first,) = await table.awaited()
    with a_bad_line(world, EDIT, refusal(500), arrives=True):
        snapshot = await table.snapshot()
        while (await table.snapshot()).table.turn == snapshot.table.turn and await table.awaited() == [first]:
            await table.type(first, await table.random_action(first))
    await world.pass_time(3600)
    assert live(world) == [table.board().id]


async def public_story(table: Seated) -> str:
    """All that has happened so far, as a spectator may know it."""
    snapshot = await table.snapshot()
    events = standing(snapshot.playing, 0)
    return "\n".join(ENGLISH(event.phrase or event.text, snapshot.names).replace("**", "") for event in events)


@pytest.mark.parametrize("old_boards", ["keep", "fold"])
async def test_of_cards_that_are_hidden_an_old_board_shows_no_more_than_it_did(world: World, old_boards: str) -> None:
    await core_of(world).service(Users).change_server(world.guild.id, old_boards=old_boards)
    table = await open_table(world, "bunny", world.ann, world.ben)
    folded = 0
    for _ in range(8):
        (member,) = await table.awaited()
        old = table.board()
        before, told, public = all_that_is_seen(world, old), world.text(old), await public_story(table)
        await table.type(member, await table.random_action(member))
        after = next(message for message in world.messages() if message.id == old.id)
        if buttons(after) == [] and old_boards == "keep":
            assert world.text(after) in before.replace("\\n", "\n") or set(world.text(after).split("\n")) <= set(
                told.split("\n")
            )
            assert world.picture(after) == world.picture(old)
        elif buttons(after) == [] and not world.text(after).endswith(" begins"):
            words = world.text(after).rpartition("** ")[2].removesuffix("…")
            parts = (part for deed in words.split(", ") for part in deed.split(" → … → "))
            assert all(part in public for part in parts), "nothing that not everybody may know"
            folded += 1
    assert folded > 0 or old_boards == "keep"


@pytest.mark.parametrize("later", [0, 3600])
async def test_a_board_that_nobody_recorded_loses_its_buttons_too(world: World, later: float) -> None:
    """Ben's board arrives though that seems to have failed, Ben sees it and moves before it is tried again."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = len(world.messages())
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await table.type(world.ann, ("b2", "b3"))
    await table.type(world.ben, ("b7", "b6"))
    await world.pass_time(later)
    assert len(world.messages()) == before + 2
    assert live(world) == [table.board().id]
    assert pings(world)[-2:] == [world.ben.id, world.ann.id]


async def test_a_board_of_this_turn_that_nobody_recorded_is_edited_and_pings_once(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    (first,) = await table.awaited()
    while await table.awaited() == [first]:
        await table.act(first, await table.random_action(first))
    before, calls = len(world.messages()), len(world.watch.calls)
    (second,) = await table.awaited()
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await table.show_all()
    turn = (await table.snapshot()).table.turn
    await table.type(second, ("roll",))
    assert len(world.messages()) == before + 1 + ((await table.snapshot()).table.turn - turn)
    assert pings(world, calls).count(second.id) == 1
