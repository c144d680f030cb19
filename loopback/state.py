"""Discord's state (servers, channels, threads, messages, nonces, permissions), and which calls it refuses."""

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import discord

from loopback.application import Application, ApplicationEmojis
from loopback.guilds import PERMISSIONS, Guild
from loopback.limits import EPHEMERAL, V2
from loopback.model import (
    ALL,
    ARCHIVED_AFTER,
    DIRECT,
    EPOCH,
    NEWS,
    NEWS_THREAD,
    POSTS_ONLY,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    TEXT,
    Attachment,
    Channel,
    Interaction,
    Message,
    Person,
    Refusal,
    files_named,
    made_at,
    when,
)

NONCES_FOR: Final = 180.0
"""Seconds for which a nonce prevents its message from being posted twice."""
OLD: Final = 3600.0
"""The age in seconds from which a message may be edited only a few times."""
RATION, RATION_FOR = 3, 300.0
"""A channel allows this many edits of old messages in this many seconds. Discord publishes neither number."""
OPENED_AT_MOST, OPENED_FOR = 10, 60.0
"""A bot may open this many direct conversations in this many seconds. Discord publishes neither number."""
NOT_FOUND: Final = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
"""The error for components that show a file which the message lacks or the call does not name."""
_MENTION: Final = re.compile(r"<@([0-9]+)>")

Files = Mapping[str, tuple[str, bytes]]
"""The files of a request: the name and content of each, by its part of the form, such as ``files[0]``."""


@dataclass
class Discord:
    """All that Discord knows. `now` returns seconds since 1970, `emit` sends the bot an event, and `base` is Discord's URL."""

    now: Callable[[], float]
    emit: Callable[[str, dict[str, Any]], None]
    name: str = "Bot"
    base: str = ""
    guilds: dict[int, Guild] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    commands: dict[str, dict[str, Any]] = field(default_factory=dict)
    interactions: dict[str, Interaction] = field(default_factory=dict)
    _posted: dict[int, list[Message]] = field(default_factory=dict)
    _threads: list[Channel] = field(default_factory=list)
    _nonces: dict[str, tuple[float, int]] = field(default_factory=dict)
    _opened: list[float] = field(default_factory=list)
    _old_edits: dict[int, list[float]] = field(default_factory=dict)
    _count: "itertools.count[int]" = field(default_factory=itertools.count)
    bot: Person = field(init=False)
    emojis: ApplicationEmojis = field(init=False)
    application: Application = field(init=False)

    def __post_init__(self) -> None:
        self.bot = self.person(self.name, bot=True)
        self.emojis = ApplicationEmojis(self.snowflake)
        self.application = Application(self.bot)

    def snowflake(self) -> int:
        """Return a new id. Later ids are higher."""
        return (int((self.now() - EPOCH) * 1000) << 22) | (next(self._count) & 0x3FFFFF)

    # --- servers, channels and people ---------------------------------------------------------------------------------

    def person(self, name: str, *, bot: bool = False, manages: bool = False) -> Person:
        """Make a person."""
        person = Person(self.snowflake(), name, bot, manages)
        self.people[person.id] = person
        return person

    def guild(self, name: str, number: int | None = None, *, bot: bool = True) -> Guild:
        """Make a server. Its id is `number`, if given, and determines its shard.

        Without the `bot`, only the bot's commands have been added to the server. The bot then gets their interactions, but no
        other events.
        """
        guild = Guild(number or self.snowflake(), name, self.snowflake(), there=False)
        self.guilds[guild.id] = guild
        if bot:
            self.let_in(guild)
        return guild

    def let_in(self, guild: Guild) -> None:
        """Add the bot to a server."""
        guild.there = True
        self.emit("GUILD_CREATE", self.guild_payload(guild))

    def joined(self, guild_id: int) -> Guild:
        """Return a server that the bot is on. Raises Refusal if the bot is not on the server."""
        guild = self.guilds.get(guild_id)
        if guild is None or not guild.there:
            raise Refusal(403, 50001, "Missing Access")
        return guild

    def own(self, guild: Guild, who: Person) -> None:
        """Make somebody the owner of a server."""
        guild.owner_id = who.id
        self.emit("GUILD_UPDATE", self.guild_payload(guild))

    def channel(self, guild: Guild, name: str, kind: int = TEXT) -> Channel:
        """Make a channel."""
        channel = Channel(self.snowflake(), kind, guild.id, name)
        self.channels[channel.id] = channel
        if guild.there:
            self.emit("CHANNEL_CREATE", channel.payload())
        return channel

    def deny(self, channel: Channel, who: Person, *rights: str) -> None:
        """Take permissions from somebody in a channel. If none are named, give back all that were taken there."""
        channel.denied[who.id] = discord.Permissions(**dict.fromkeys(rights, True)).value
        if not rights:
            del channel.denied[who.id]
        self.emit("CHANNEL_UPDATE", channel.payload())

    def leave(self, guild: Guild, who: Person) -> None:
        """Let somebody leave a server and its threads. A bot without the members intent is not told."""
        who.left.add(guild.id)
        for channel in self.channels.values():
            if channel.guild_id == guild.id and channel.is_thread:
                channel.members.discard(who.id)

    def come_back(self, guild: Guild, who: Person) -> None:
        """Let somebody rejoin a server."""
        who.left.discard(guild.id)

    def chunk(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request for members by id."""
        guild_id, wanted = int(request["guild_id"]), [int(one) for one in request["user_ids"]]
        there = [self.people[one] for one in wanted if one in self.people and guild_id not in self.people[one].left]
        lacking = sorted(set(wanted) - {person.id for person in there})
        return {
            "guild_id": str(guild_id), "chunk_index": 0, "chunk_count": 1, "nonce": request.get("nonce"),
            "members": [person.member() | {"user": person.user()} for person in there],
            "not_found": [str(one) for one in lacking],
        }  # fmt: skip

    def forum_post(self, forum: Channel, who: Person, title: str, text: str = "…") -> Channel:
        """Let somebody post in a forum or media channel. The post is a thread, and its first message has the same id."""
        post = self._new_thread(Channel(self.snowflake(), PUBLIC_THREAD, forum.guild_id, title, forum.id, who.id))
        first = Message(post.id, post.id, who, text, history=[[]])
        self.messages[first.id] = first
        self._posted[post.id] = [first]
        return post

    def close_thread(self, thread: Channel, *, locked: bool, archived: bool) -> None:
        """Let somebody lock, archive or reopen a thread."""
        thread.locked, thread.archived, thread.active = locked, archived, self.now()
        self.emit("THREAD_UPDATE", thread.payload())

    def archive_idle(self) -> None:
        """Archive threads that have been quiet for long enough."""
        for thread in self._threads:
            if not (thread.archived or thread.gone) and self.now() - thread.active >= 60 * thread.archived_after:
                self.close_thread(thread, locked=thread.locked, archived=True)

    def remove(self, channel: Channel) -> None:
        """Let somebody delete a channel or thread."""
        channel.gone = True
        self.emit("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel.payload())

    def guild_payload(self, guild: Guild) -> dict[str, Any]:
        """Return the server in the gateway's form."""
        here = [channel for channel in self.channels.values() if channel.guild_id == guild.id and not channel.gone]
        return guild.payload(here, self.bot, len(self.people))

    # --- permissions --------------------------------------------------------------------------------------------------

    def permissions(self, who: Person, channel: Channel) -> discord.Permissions:
        """Return what somebody may do in a channel. A thread has the permissions of its channel."""
        place = self.channels[channel.parent_id] if channel.is_thread and channel.parent_id is not None else channel
        if place.guild_id is None:
            return discord.Permissions(ALL)
        if place.guild_id in who.left:
            return discord.Permissions.none()
        held = self.guilds[place.guild_id].granted if who is self.bot else PERMISSIONS.value
        return discord.Permissions((ALL if who.manages else held) & ~place.denied.get(who.id, 0))

    def _place(self, channel_id: int, *rights: str) -> Channel:
        """Return a channel. Raises Refusal if the bot cannot see it, or lacks one of these permissions there."""
        self.archive_idle()
        channel = self.channels.get(channel_id)
        if channel is None or channel.gone:
            raise Refusal(404, 10003, "Unknown Channel")
        held = self.permissions(self.bot, channel)
        there = channel.guild_id is None or self.guilds[channel.guild_id].there
        hidden = channel.kind == PRIVATE_THREAD and self.bot.id not in channel.members
        if not held.view_channel or hidden or not there:
            raise Refusal(403, 50001, "Missing Access")
        if not all(getattr(held, right) for right in rights):
            raise Refusal(403, 50013, "Missing Permissions")
        return channel

    def _message(self, channel: Channel, message_id: int) -> Message:
        message = self.messages.get(message_id)
        if message is None or message.deleted or message.private or message.channel_id != channel.id:
            raise Refusal(404, 10008, "Unknown Message")
        return message

    def _own_message(self, channel: Channel, message_id: int) -> Message:
        message = self._message(channel, message_id)
        if message.author is not self.bot:
            raise Refusal(403, 50005, "Cannot edit a message authored by another user")
        return message

    # --- messages -----------------------------------------------------------------------------------------------------

    def history(self, channel_id: int, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return a channel's messages, newest first. Without the permission to read the history, there are none."""
        channel = self._place(channel_id)
        if not self.permissions(self.bot, channel).read_message_history:
            return []
        before, after, most = int(query.get("before", 1 << 63)), int(query.get("after", 0)), int(query.get("limit", 50))
        found = [one for one in self.seen_in(channel_id) if after < one.id < before]
        chosen = sorted(found, key=lambda one: one.id)[:most] if "after" in query else found[-most:]
        return [one.payload(self.base) for one in reversed(chosen)]

    def seen_in(self, channel_id: int) -> list[Message]:
        """Return the messages that everybody in a channel sees, oldest first."""
        return [one for one in self._posted.get(channel_id, []) if not (one.deleted or one.private)]

    def message(self, channel_id: int, message_id: int) -> dict[str, Any]:
        """Return a message of a channel in Discord's form."""
        return self._message(self._place(channel_id, "read_message_history"), message_id).payload(self.base)

    def send(self, channel_id: int, body: dict[str, Any], files: Files) -> dict[str, Any]:
        """Post a message by the bot. If the channel is an archived thread, reopen it; a locked thread takes no message."""
        channel = self.channels.get(channel_id)
        thread = channel is not None and channel.is_thread
        channel = self._place(channel_id, "send_messages_in_threads" if thread else "send_messages",
                              *(["attach_files"] if files else []))  # fmt: skip
        if channel.kind in POSTS_ONLY:
            raise Refusal(400, 50008, "Cannot send messages in a non-text channel")
        if channel.locked:
            raise Refusal(403, 160005, "Thread is locked")
        if channel.kind == DIRECT and any(self.people[member].closed for member in channel.members):
            raise Refusal(403, 50007, "Cannot send messages to this user")
        nonce = body.get("nonce")
        if nonce is not None and body.get("enforce_nonce"):
            used, known = self._nonces.get(nonce, (-NONCES_FOR, 0))
            if self.now() - used < NONCES_FOR:
                return self.messages[known].payload(self.base)
        if channel.archived:
            self.close_thread(channel, locked=False, archived=False)
        message = self.post(channel_id, body, files)
        if nonce is not None:
            self._nonces[nonce] = self.now(), message.id
        return message.payload(self.base) | ({} if nonce is None else {"nonce": nonce})

    def post(self, channel_id: int, body: Mapping[str, Any], files: Files, *, seen_by: int | None = None,
             flags: int = 0) -> Message:  # fmt: skip
        """Add a message by the bot, and return it."""
        message = Message(self.snowflake(), channel_id, self.bot, seen_by=seen_by, flags=flags)
        self.fill(message, body, files)
        asked = {int(user) for user in (body.get("allowed_mentions") or {}).get("users") or []}
        named = {int(user) for user in _MENTION.findall(message.text)}
        where = self.channels[channel_id]
        if not message.private:
            message.pinged = frozenset(where.members - {self.bot.id} if where.kind == DIRECT else asked & named)
            message.notified = message.content
            where.active = self.now()
        message.nonce, message.edits = body.get("nonce"), 0
        self.messages[message.id] = message
        self._posted.setdefault(channel_id, []).append(message)
        return message

    def fill(self, message: Message, body: Mapping[str, Any], files: Files) -> None:
        """Change a message. Its files stay, unless `attachments` lists those that do.

        Raises Refusal if components show a file that is neither part of the call nor listed there with its id and name.
        """
        listed = body.get("attachments")
        stay = {str(one.get("id")) for one in listed or []}
        kept = [one for one in message.attachments if listed is None or str(one.id) in stay]
        made = [Attachment(self.snowflake(), name, content) for name, content in files.values()]
        components = message.components
        if body.get("components") is not None:
            components = body["components"]
            named = {(str(one.get("id")), one.get("filename")) for one in listed or []}
            there = {one.name for one in made} | {one.name for one in kept if (str(one.id), one.name) in named}
            if missing := set(files_named(components)) - there:
                raise Refusal(400, 50035, f"Invalid Form Body: {NOT_FOUND}: {', '.join(sorted(missing))}")
        flags = message.flags | int(body.get("flags") or 0)
        if (body.get("content") or (message.content and "content" not in body)) and flags & V2:
            raise Refusal(400, 50035, "Invalid Form Body: content beside components V2")
        message.content = str(body["content"] or "") if "content" in body else message.content
        message.components, message.attachments, message.flags = components, [*kept, *made], flags
        message.edits += 1
        message.history.append(components)

    def edit(self, channel_id: int, message_id: int, body: Mapping[str, Any], files: Files) -> dict[str, Any]:
        """Edit a message by the bot. Edits of old messages are rationed."""
        channel = self._place(channel_id, *(["attach_files"] if files else []))
        message = self._own_message(channel, message_id)
        _require_open(channel)
        if self.now() - made_at(message.id) > OLD:
            self._ration(channel)
        self.fill(message, body, files)
        return message.payload(self.base)

    def _ration(self, channel: Channel) -> None:
        edits = [at for at in self._old_edits.get(channel.id, []) if self.now() - at < RATION_FOR]
        if len(edits) >= RATION:
            raise Refusal(429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later",
                          retry_after=RATION_FOR - (self.now() - edits[0]))  # fmt: skip
        self._old_edits[channel.id] = [*edits, self.now()]

    def delete(self, channel_id: int, message_id: int) -> None:
        """Delete a message by the bot."""
        message = self._own_message(channel := self._place(channel_id), message_id)
        _require_open(channel)
        message.deleted = True

    # --- threads and direct conversations -----------------------------------------------------------------------------

    def thread(self, channel_id: int, body: Mapping[str, Any], message_id: int | None = None) -> dict[str, Any]:
        """Open a thread, on a message if one is given."""
        kind = PUBLIC_THREAD if message_id is not None else int(body.get("type", PRIVATE_THREAD))
        parent = self._place(channel_id, "create_private_threads" if kind == PRIVATE_THREAD else "create_public_threads")
        kind = NEWS_THREAD if parent.kind == NEWS and kind == PUBLIC_THREAD else kind
        if parent.kind != TEXT and kind != NEWS_THREAD:
            raise Refusal(400, 50024, "Cannot execute action on this channel type")
        archived_after = int(body.get("auto_archive_duration") or ARCHIVED_AFTER[1])
        if archived_after not in ARCHIVED_AFTER:
            raise Refusal(400, 50035, "Invalid Form Body: auto_archive_duration")
        if message_id is not None:
            origin = self._message(parent, message_id)
            if origin.thread_id is not None:
                raise Refusal(400, 160004, "A thread has already been created for this message")
            origin.thread_id = message_id
        thread = Channel(message_id or self.snowflake(), kind, parent.guild_id, str(body["name"]), parent.id, self.bot.id)
        thread.archived_after = archived_after
        return self._new_thread(thread).payload()

    def people_thread(self, channel: Channel, name: str, *people: Person, private: bool = False) -> Channel:
        """Let people open a thread, and add the bot to it."""
        kind = PRIVATE_THREAD if private else PUBLIC_THREAD
        thread = Channel(self.snowflake(), kind, channel.guild_id, name, channel.id, people[0].id)
        thread.members |= {person.id for person in people} | {self.bot.id}
        return self._new_thread(thread)

    def _new_thread(self, thread: Channel) -> Channel:
        thread.members.add(thread.owner_id)
        thread.active = self.now()
        self.channels[thread.id] = thread
        self._threads.append(thread)
        self.emit("THREAD_CREATE", thread.payload() | {"newly_created": True})
        return thread

    def add_member(self, channel_id: int, user_id: int) -> None:
        """Add somebody to a thread, if they can see its channel. Raises Refusal otherwise."""
        thread = self._thread(channel_id, "send_messages_in_threads")
        _require_open(thread)
        if user_id not in self.people:
            raise Refusal(404, 10013, "Unknown User")
        if not self.permissions(self.people[user_id], thread).view_channel:
            raise Refusal(403, 50001, "Missing Access")
        thread.members.add(user_id)

    def remove_member(self, channel_id: int, user_id: int) -> None:
        """Remove somebody from a private thread that the bot opened. Raises Refusal for other threads."""
        thread = self._thread(channel_id)
        if thread.kind != PRIVATE_THREAD or thread.owner_id != self.bot.id:
            raise Refusal(403, 50013, "Missing Permissions")
        _require_open(thread)
        thread.members.discard(user_id)

    def _thread(self, channel_id: int, *rights: str) -> Channel:
        """Return a thread. Raises Refusal if this is no thread, or as `_place` does."""
        thread = self._place(channel_id, *rights)
        if not thread.is_thread:
            raise Refusal(400, 50024, "Cannot execute action on this channel type")
        return thread

    def typing(self, channel_id: int) -> None:
        """Show that the bot is typing. Raises Refusal if it cannot see the channel."""
        self._place(channel_id)

    def direct(self, user_id: int) -> dict[str, Any]:
        """Open a direct conversation, or find the one that exists."""
        person = self.people.get(user_id)
        if person is None:
            raise Refusal(400, 50033, "Invalid Recipient(s)")
        known = (one for one in self.channels.values() if one.kind == DIRECT and one.members == {user_id})
        channel = next(known, None)
        if channel is None:
            recent = [at for at in self._opened if self.now() - at < OPENED_FOR]
            if len(recent) >= OPENED_AT_MOST:
                raise Refusal(403, 40003, "You are opening direct messages too fast.")
            self._opened = [*recent, self.now()]
            channel = Channel(self.snowflake(), DIRECT, members={user_id})
            self.channels[channel.id] = channel
        return {"id": str(channel.id), "type": DIRECT, "recipients": [person.user()], "last_message_id": None}

    def thread_members(self, channel_id: int) -> list[dict[str, Any]]:
        """Return the members of a thread."""
        return [self.thread_member(channel_id, user) for user in sorted(self._thread(channel_id).members)]

    def thread_member(self, channel_id: int, user_id: int) -> dict[str, Any]:
        """Return one member of a thread. Unlike the list of all members, this needs no privileged intent."""
        thread = self._thread(channel_id)
        if user_id not in thread.members:
            raise Refusal(404, 10007, "Unknown Member")
        return {"id": str(thread.id), "user_id": str(user_id), "join_timestamp": when(made_at(thread.id)), "flags": 0}

    def active_threads(self, guild_id: int) -> dict[str, Any]:
        """Return the threads of a server that are not archived."""
        guild = self.joined(guild_id)
        self.archive_idle()
        found = [one for one in self.channels.values() if one.guild_id == guild.id and one.is_thread and not one.gone]
        return {"threads": [one.payload() for one in found if not one.archived], "members": []}

    def archived_threads(self, channel_id: int, *, private: bool) -> dict[str, Any]:
        """Return a channel's archived threads, newest first. Of the private ones, only those that the bot is in are listed."""
        here = [one for one in self.channels.values() if one.parent_id == self._place(channel_id).id and not one.gone]
        found = [one for one in here if one.archived and (one.kind == PRIVATE_THREAD) == private]
        there = [one for one in found if not private or self.bot.id in one.members]
        return {"threads": [one.payload() for one in reversed(there)], "members": [], "has_more": False}

    def channel_payload(self, channel_id: int) -> dict[str, Any]:
        """Return a channel in Discord's form."""
        return self._place(channel_id).payload()

    def delete_channel(self, channel_id: int) -> dict[str, Any]:
        """Delete a thread that the bot may manage. Raises Refusal for any other channel."""
        thread = self._place(channel_id, "manage_threads")
        if not thread.is_thread:
            raise Refusal(403, 50013, "Missing Permissions")
        self.remove(thread)
        return thread.payload()

    def change_thread(self, channel_id: int, body: Mapping[str, Any]) -> dict[str, Any]:
        """Archive the bot's own thread, or reopen one that is not locked. A bot that manages threads may do so to any."""
        thread = self._thread(channel_id)
        archived = bool(body.get("archived", thread.archived))
        held = self.permissions(self.bot, thread)
        may = thread.owner_id == self.bot.id if archived else held.send_messages_in_threads and not thread.locked
        if not (may or held.manage_threads):
            raise Refusal(403, 50013, "Missing Permissions")
        self.close_thread(thread, locked=thread.locked, archived=archived)
        return thread.payload()

    def member(self, user_id: int, guild_id: int) -> dict[str, Any]:
        """Return a member of a server."""
        guild, person = self.joined(guild_id), self.people.get(user_id)
        if person is None or guild_id in person.left:
            raise Refusal(404, 10007, "Unknown Member")
        roles = (guild.bot_role,) if person is self.bot else ()
        return person.member(roles) | {"user": person.user()}

    def register(self, commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Replace the registered commands, and return the new ones."""
        known: dict[str, Any] = {"application_id": str(self.bot.id), "version": "1", "default_member_permissions": None}
        made = [known | {"type": 1, "description": "", "id": str(self.snowflake())} | command for command in commands]
        self.commands = {command["name"]: command for command in made}
        return made


def _require_open(channel: Channel) -> None:
    """Raise Refusal for an archived thread, which takes nothing but new messages."""
    if channel.archived:
        raise Refusal(400, 50083, "Thread is archived")


def is_private(body: Mapping[str, Any]) -> bool:
    """Whether an answer is seen by only one person."""
    return bool(int(body.get("flags") or 0) & EPHEMERAL)
