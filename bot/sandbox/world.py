"""The simulated server: its people, its channels, and their permissions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import discord
import simcord
from simcord.actors import MemberActor
from simcord.backend.access import can_access_channel
from simcord.builders import ChannelHandle, GuildHandle, UserHandle

from bot.invitation import PERMISSIONS

PEOPLE: Final = (("ann", "Ann"), ("ben", "Ben"), ("cleo", "Cleo"), ("dev", "Dev"), ("emile", "Émile"), ("tanaka", "田中"))
"""The people's user names and display names. The first person owns the server and may change its settings."""
NOT_IN_THE_ATTIC: Final = ("Ben", "Dev")
"""The people who cannot see the private channel, so that one can try out what outsiders see."""


@dataclass(frozen=True)
class Conversation:
    """A channel, a thread, or a person's direct messages with the bot.

    Attributes:
        kind: "channel", "thread" or "direct".
        parent: the id of a thread's channel.
        seen_by: the ids of the people who can read it.
        newest: the id of the newest message that all its readers see, or 0.
    """

    id: int
    name: str
    kind: str
    parent: int | None
    seen_by: tuple[int, ...]
    newest: int

    def as_json(self) -> dict[str, Any]:
        """Return the conversation for the page. Ids are strings, since they are too large for JavaScript's numbers."""
        return {
            "id": str(self.id),
            "name": self.name,
            "kind": self.kind,
            "parent": str(self.parent) if self.parent else None,
            "seenBy": [str(one) for one in self.seen_by],
            "newest": str(self.newest),
        }


@dataclass(frozen=True)
class World:
    """The simulated server: its `people` in the order of PEOPLE, and `backstage`, somebody outside it for Preview's own use."""

    env: simcord.Env
    guild: GuildHandle
    backstage: UserHandle
    people: tuple[MemberActor, ...]

    @property
    def first(self) -> ChannelHandle:
        """The channel that the page opens with."""
        return next(self._channels())

    def person(self, user_id: int) -> MemberActor:
        """Return a member by id. Raises KeyError."""
        return {person.id: person for person in self.people}[user_id]

    def channel(self, channel_id: int) -> ChannelHandle:
        """Return a channel, a thread, or direct messages by id. Raises KeyError."""
        return {channel.id: channel for channel in self._channels()}[channel_id]

    def viewer(self, user_id: int, channel: ChannelHandle) -> MemberActor | UserHandle:
        """Return a person as the viewer of a conversation: a member, or in direct messages the user. Raises KeyError."""
        person = self.person(user_id)
        return person if channel.guild is not None else person.user

    def places(self) -> list[Conversation]:
        """Return all conversations: the channels, each followed by its threads, and then the direct messages."""
        return [self._place(channel) for channel in self._channels()]

    def _channels(self) -> Iterator[ChannelHandle]:
        for channel in self.guild.channels.values():
            yield channel
            yield from channel.threads
        for person in self.people:
            if person.id in self.env.backend.dm_channels:
                yield person.user.dm_channel

    def _place(self, channel: ChannelHandle) -> Conversation:
        direct = channel.guild is None
        seen_by = [
            person.id
            for person in self.people
            if can_access_channel(self.env, channel.id, self.viewer(person.id, channel), history=True)
        ]
        messages = self.env.backend.messages.get(channel.id, {}).values()
        return Conversation(
            id=channel.id,
            name=channel.name or "direct messages",
            kind="direct" if direct else "thread" if channel.is_thread else "channel",
            parent=self.env.backend.get_channel(channel.id).parent_id if channel.is_thread else None,
            seen_by=tuple(seen_by),
            newest=max((message.id for message in messages if not message.is_ephemeral), default=0),
        )


def build_world(env: simcord.Env) -> World:
    """Create the server and its people, and add the bot with the permissions of its invitation."""
    env.backend.edit_bot_profile("Springboard")
    env.backend.bot_user.avatar = "springboard"
    users = [env.create_user(name, global_name=called, avatar=name) for name, called in PEOPLE]
    guild = env.create_guild("The Bounce Club", owner=users[0])
    (granted,) = (role for role in env.backend.get_guild(guild.id).roles.values() if role.managed)
    env.backend.edit_role(guild.id, granted.id, {"name": "Springboard", "permissions": PERMISSIONS.value})
    people = tuple(guild.add_member(user) for user in users)
    guild.create_text_channel("games", topic="Open a table with /play.")
    guild.create_text_channel("bounce-club", topic="A second channel, for a second table.")
    kept_out: dict[Any, discord.PermissionOverwrite] = {
        person: discord.PermissionOverwrite(view_channel=False)
        for person in people
        if person.user.global_name in NOT_IN_THE_ATTIC
    }
    guild.create_text_channel("attic", topic="A private channel: Ben and Dev do not see it.", overwrites=kept_out)
    return World(env, guild, env.create_user("backstage"), people)
