"""What real Discord would refuse is noticed as it happens."""

import contextlib
import io
from pathlib import Path

import discord
import pytest

from loopback.limits import Kind
from tests.bot.kit import World
from tests.bot.toy import NOBODY, Toy, breaches, png, run_do, shown


async def test_a_missing_right_to_attach_files_is_seen(toy_world: World[Toy]) -> None:
    world = toy_world
    denied = discord.PermissionOverwrite(attach_files=False)
    bare = world.guild.create_text_channel("bare", overwrites={world.guild.default_role: denied})

    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        channel = interaction.client.get_partial_messageable(bare.id)
        await channel.send(view=shown(1), file=discord.File(io.BytesIO(png(1)), "count.png"))

    assert "may not attach files" in await breaches(world, post)


async def test_locked_and_archived_threads_are_left_alone(toy_world: World[Toy]) -> None:
    world = toy_world

    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        message = await interaction.original_response()
        thread = await (await message.fetch()).create_thread(name="Board")
        post = await thread.send("First.")
        metadata = world.env.backend.channels[thread.id].thread_metadata
        assert metadata is not None
        metadata.archived = True
        await post.edit(content="Changed.", allowed_mentions=NOBODY)
        metadata.locked = True
        await thread.send("Second.")

    found = await breaches(world, post)
    assert "a message of an archived thread was changed" in found
    assert "a message was posted to a locked thread" in found


async def test_an_edit_that_forgets_the_old_pictures_is_seen(toy_world: World[Toy]) -> None:
    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=shown(1), file=discord.File(io.BytesIO(png(1)), "count.png"))
        route = discord.http.Route("PATCH", "/channels/{c}/messages/{m}", c=interaction.channel_id, m=1)
        with contextlib.suppress(discord.NotFound):
            await interaction.client.http.request(route, files=[discord.File(io.BytesIO(b"x"), "x.png")], json={})

    assert "without saying which of the old ones stay" in await breaches(toy_world, post)


async def test_edits_of_messages_older_than_an_hour_are_counted(toy_world: World[Toy]) -> None:
    world = toy_world
    posted: list[discord.Message] = []

    async def post(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        posted.append(await interaction.client.get_partial_messageable(world.channel.id).send("Board."))

    async def edit(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        await posted[0].edit(content="Changed.", allowed_mentions=NOBODY)

    assert (await breaches(world, post), await breaches(world, edit), world.watch.old_edits) == ("", "", [])
    await world.pass_time(3601)
    assert (await breaches(world, edit), [call.kind for call in world.watch.old_edits]) == ("", [Kind.EDIT])


async def test_an_unanswered_interaction_fails_the_test(tmp_path: Path) -> None:
    async def say_nothing(interaction: discord.Interaction) -> None:
        pass

    with pytest.raises(AssertionError, match="was never answered"):
        await run_do(tmp_path, say_nothing)


async def test_a_follow_up_before_the_answer_is_seen(toy_world: World[Toy]) -> None:
    async def rush(interaction: discord.Interaction) -> None:
        with contextlib.suppress(discord.NotFound):
            await interaction.followup.send("Too early.")
        await interaction.response.send_message("Here.")

    assert "came before the answer" in await breaches(toy_world, rush)


async def test_hammering_at_a_closed_door_is_seen(toy_world: World[Toy]) -> None:
    async def hammer(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        for _ in range(4):
            with contextlib.suppress(discord.NotFound):
                await interaction.client.get_partial_messageable(1).send("Hello?")

    assert "tried 4 times though the answer was 404" in await breaches(toy_world, hammer)
