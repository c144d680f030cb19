"""People of a test server who come, go, or cannot see a channel."""

from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType

from tests.bot.kit import World

PRIVATE_THREAD = 12


def hide(world: World, member: MemberActor, channel: ChannelHandle | None = None) -> None:
    """A moderator hides a channel, by default #games, from somebody."""
    _, denied = discord.PermissionOverwrite(view_channel=False).pair()
    theirs = Overwrite(target_id=member.id, type=OverwriteType.MEMBER, deny=denied.value)
    world.env.backend.set_overwrite((channel or world.channel).id, theirs)


def let_in(world: World, member: MemberActor, channel: ChannelHandle | None = None) -> None:
    world.env.backend.delete_overwrite((channel or world.channel).id, member.id)


def leave(world: World, member: MemberActor) -> None:
    """Somebody leaves the server. The bot lacks the intent to be told."""
    world.guild.remove_member(member)


def come_back(world: World, member: MemberActor) -> None:
    world.env.backend.add_member(world.guild.id, member.id)


def private_thread(world: World, *members: MemberActor) -> ChannelHandle:
    """A private thread in #games, opened by the first of these people for the others and the bot."""
    backend = world.env.backend
    thread = backend.create_thread(world.channel.id, "secret", members[0].id, type=PRIVATE_THREAD)
    for one in (backend.bot_user.id, *(member.id for member in members[1:])):
        backend.add_thread_member(thread.id, one)
    return next(one for one in world.channel.threads if one.id == thread.id)


def asked_about(world: World) -> list[list[int]]:
    """The members that Discord is asked about from now on."""
    asked: list[list[int]] = []
    real = world.client.ws.request_chunks

    async def request(guild_id: int, *args: Any, user_ids: Any = None, **options: Any) -> None:
        assert user_ids, "anything else needs the privileged intent"
        assert len(user_ids) <= 100
        asked.append(sorted(user_ids))
        await real(guild_id, *args, user_ids=user_ids, **options)

    world.client.ws.request_chunks = request  # type: ignore[method-assign]
    return asked
