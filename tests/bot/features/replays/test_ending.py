"""The end of a game: its replay is posted once, and anybody can share the public replay."""

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.results import InteractionResult

from bot.core.jobs import REPLAY_AFTER, Outbox
from bot.outbox.access import shared_nonce
from storage import queries
from tests.bot.kit import World, buttons, reply
from tests.bot.seated import core_of, open_table
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way

SOON = REPLAY_AFTER + 1
MOVES = ("b2 b3", "b7 b6", "c2 c3", "c7 c6")
"""As many as a game has to have that is shown again."""


def replays(world: World, channel: object = None, **more: object) -> list[discord.Message]:
    """The public messages with an animation."""
    found = world.messages(channel, **more)  # type: ignore[arg-type]
    return [one for one in found if any(".gif" in file.filename for file in one.attachments)]


def labels(message: InteractionResult) -> list[str]:
    """The labels of the buttons of an answer."""
    return [one.label for one in buttons(message)]


async def resigned(world: World, *moves: str) -> None:
    """A game that Ben resigns to Ann after these moves."""
    await open_table(world, "bouncers", world.ann, world.ben)
    for number, action in enumerate(moves):
        await (world.ann, world.ben)[number % 2].slash(world.channel, "move", action=action)
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")


async def test_the_replay_follows_the_last_board_by_itself_and_once(world: World) -> None:
    await resigned(world, *MOVES)
    assert "Ben resigned. **Ann wins!**" in world.text(world.last()), "the board does not wait for it"
    await world.pass_time(SOON)
    (replay,) = replays(world)
    assert (replay, world.picture(replay).frames) == (world.last(), len(MOVES) + 2)
    assert "The whole game." in world.text(replay)
    assert (world.pinged(replay), buttons(replay)) == (set(), [])
    await world.restart()
    await world.pass_time(24 * 3600)
    assert replays(world) == [replay]


async def test_a_killed_bot_posts_it_after_the_restart(world: World) -> None:
    await resigned(world, *MOVES)
    await world.restart()
    await world.pass_time(SOON)
    assert len(replays(world)) == 1


async def test_a_replay_that_may_have_been_posted_is_not_posted_again(world: World) -> None:
    await resigned(world, *MOVES)
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=500, times=None)
    await world.pass_time(SOON)
    world.env.backend.faults.clear()
    await world.pass_time(3600)
    assert len(replays(world)) == 1


@pytest.mark.parametrize("moves", range(len(MOVES)))
async def test_a_game_of_fewer_than_four_moves_is_not_shown_again(world: World, moves: int) -> None:
    await resigned(world, *MOVES[:moves])
    assert "Replay" not in [one.label for one in buttons(world.last())]
    await world.pass_time(3600)
    assert replays(world) == []
    async with core_of(world).reading() as reader:
        assert not await queries.jobs.of_table(reader, 1), "none is owed"
    assert world.pictures(await world.ann.slash(world.channel, "replay", game="1")) or not moves, "whoever asks sees it"


async def test_undone_moves_do_not_count(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    for number, action in enumerate(MOVES):
        await (world.ann, world.ben)[number % 2].slash(world.channel, "move", action=action)
    await by_way(world.ben, world.channel, "undo")
    await world.ann.click(world.last(), label="Accept")
    assert not (await table.snapshot()).playing.worth_replaying
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    await world.pass_time(3600)
    assert replays(world) == []
    async with core_of(world).reading() as reader:
        assert not await queries.jobs.of_table(reader, 1), "what was owed is done"


@pytest.mark.slow
async def test_a_game_of_one_person_is_shown_again_if_it_was_long_enough(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    moves = 0
    while await table.awaited():
        await table.type(world.ann, ("roll",))
        moves += 1
    await world.pass_time(SOON)
    assert len(replays(world)) == (moves >= len(MOVES))


async def test_the_replay_of_a_private_game_stays_in_its_thread(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(world.messages()[0], label="Accept")
    (thread,) = world.channel.threads
    for number, action in enumerate(MOVES):
        await (world.ann, world.ben)[number % 2].slash(thread, "move", action=action)
    await world.ben.click(reply(await by_way(world.ben, thread, "resign")), label="Resign")
    await world.pass_time(SOON)
    assert len(replays(world, thread, viewer=world.ann)) == 1
    assert "Share" in labels(await world.ann.slash(thread, "replay", game="1"))
    assert "Share" not in labels(await world.ann.slash(world.channel, "replay", game="1"))
    await core_of(world).service(Outbox).share(1, channel=world.channel.id, version=2, user=world.ann.id)
    await world.pass_time(SOON)
    assert replays(world) == [], "not even if a job asks for it"


def test_the_mark_of_a_shared_replay_is_as_short_as_discord_wants_it() -> None:
    found = {
        shared_nonce(table, version, 2**63, page, card=card)
        for table in (1, 99999) for version in (1, 999) for page in (None, 0, 3) for card in (False, True)
    }  # fmt: skip
    assert len(found) == 24
    assert all(len(nonce) <= 25 for nonce in found)


async def test_a_private_replay_is_shared_once_and_as_everybody_may_see_it(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2, options="setup:random")
    actor = world.ann if (await table.snapshot()).awaited[0].user_id == world.ann.id else world.ben
    own = await actor.slash(world.channel, "replay")
    assert "as you see it" in world.text(own)
    before = len(world.messages())
    preview = await actor.click(reply(own), label="Share")
    assert "The game so far, as everybody sees it." in world.text(preview)
    assert len(world.messages()) == before, "it asks first"
    await actor.click(reply(preview), label="Post here")
    await world.pass_time(3)
    (shared,) = replays(world)
    assert world.text(world.last(viewer=actor)) == f"Posted here: {shared.jump_url}"
    assert len(world.messages()) == before + 1
    assert not unsaid(world.text(shared), "The game so far, as everybody sees it.", f"Shared by <@{actor.id}>")
    assert world.pinged(shared) == set()
    public = await world.cleo.slash(world.channel, "replay", public=True)
    assert world.picture(shared).png == world.picture(reply(public)).png
    again = await actor.slash(world.channel, "replay")
    await actor.click(reply(await actor.click(reply(again), label="Share")), label="Post here")
    await world.pass_time(3)
    assert world.text(world.last(viewer=actor)) == f"It’s here already: {shared.jump_url}"
    assert [one for one in replays(world) if "Shared by" in world.text(one)] == [shared]


async def test_it_is_shared_only_where_one_may_post(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ann.slash(world.channel, "move", action="b2 b3")
    own = await world.ann.slash(world.channel, "replay", game="1")
    silenced = discord.Permissions(send_messages=True).value
    overwrite = Overwrite(target_id=world.ann.id, type=OverwriteType.MEMBER, deny=silenced)
    world.env.backend.set_overwrite(world.channel.id, overwrite)
    assert "You can’t post in this channel." in world.text(await world.ann.click(reply(own), label="Share"))
    await world.pass_time(SOON)
    assert not [one for one in replays(world) if "Shared by" in world.text(one)]
    own = await world.ann.slash(world.channel, "replay", game="1")
    assert "Share" not in labels(own)


async def test_a_log_alone_cannot_be_shared(world: World) -> None:
    await resigned(world, "b2 b3")
    assert "Share" not in labels(await world.ann.slash(world.channel, "replay", game="1", format="log"))


async def test_more_shows_accept_only_to_the_draw_offers_recipient(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)

    async def offered(member: MemberActor) -> set[str]:
        return set(labels(await member.click(table.board(), label="More"))) & {"Offer a draw", "Accept the draw"}

    assert await offered(world.ann) == {"Offer a draw"}
    assert await offered(world.ben) == {"Offer a draw"}
    await by_way(world.ann, world.channel, "draw")
    assert await offered(world.ann) == set()
    assert await offered(world.ben) == {"Accept the draw"}


@pytest.mark.parametrize(("game", "agrees"), [("bouncers", True), ("bunny", True), ("trampoline", False), ("pucks", False)])
async def test_more_offers_no_draw_to_a_computer_that_never_agrees(world: World, game: str, agrees: bool) -> None:
    await world.ann.slash(world.channel, "open", game=game, computer="easy", seats=2)
    await world.pass_time(60)
    shown = await world.ann.click(world.last(), label="More")
    assert "Resign" in labels(shown)
    assert ("Offer a draw" in labels(shown)) == agrees


async def test_a_game_called_off_without_a_move_has_nothing_to_review_or_verify(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await by_way(world.ann, world.channel, "call-off")
    await by_way(world.ben, world.channel, "call-off")
    board = next(one for one in reversed(world.messages()) if "Called off" in world.text(one) and one.attachments)
    assert [one.label for one in buttons(board)] == ["Rematch", "More"]
    assert not {"Review", "Verify"} & set(labels(await world.ann.click(board, label="More")))


async def test_a_game_called_off_after_a_move_can_be_reviewed_and_verified(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ann, world.channel, "call-off")
    await by_way(world.ben, world.channel, "call-off")
    assert "Review" in {one.label for one in buttons(table.board())}
    assert {"Review", "Verify"} <= set(labels(await world.ann.click(table.board(), label="More")))


async def test_a_game_resigned_without_a_move_can_be_verified_but_there_is_nothing_to_review(world: World) -> None:
    await resigned(world)
    there = {one.label for one in buttons(world.last())} | set(labels(await world.ann.click(world.last(), label="More")))
    assert "Verify" in there
    assert "Review" not in there
