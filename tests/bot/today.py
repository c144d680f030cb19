"""Games that end, and a server's posts about its days."""

from typing import Any

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.features.posts.service import Posts
from storage.schema.records import Post, PostKind
from tests.bot.kit import World, reply
from tests.bot.seated import Seated, clicks, core_of
from tests.bot.ways import by_way


async def resigned(table: Seated, member: MemberActor) -> Seated:
    asked = await by_way(member, table.channel, "resign", game=str(table.table_id))
    await member.click(reply(asked), label="Resign")
    return table


def posts_in(world: World, channel: ChannelHandle | None = None) -> list[Any]:
    """The messages about days in a channel, oldest first."""
    return [message for message in world.messages(channel) if ("today", 0) in clicks(message)]


async def post_of(world: World) -> Post | None:
    with world.env._bot_scope():
        return await core_of(world).service(Posts).get(world.guild.id, PostKind.TODAY)
