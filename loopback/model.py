"""People, channels, messages and interactions, and their JSON forms."""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import discord
from simcord.components import walk_components

from loopback.limits import EPHEMERAL, V2

EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC).timestamp()
TEXT, DIRECT, VOICE, NEWS, NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, FORUM, MEDIA = 0, 1, 2, 5, 10, 11, 12, 15, 16
THREADS: Final = frozenset({NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD})
POSTS_ONLY: Final = frozenset({FORUM, MEDIA})
"""The kinds of channel that hold only posts, which are threads, and no messages of their own."""
ARCHIVED_AFTER: Final = (60, 1440, 4320, 10080)
"""The possible numbers of minutes after which a silent thread is archived. The second is the default."""
ATTACHED: Final = "attachment://"
"""The prefix by which a component names a file of its message."""
LOADING: Final = 1 << 7
"""The flag of an answer that says “is thinking”."""
ALL: Final = discord.Permissions.all().value


class Refusal(Exception):
    """A refusal, with its HTTP status, code and words. `globally` says that the limit on all calls together was exceeded."""

    def __init__(self, status: int, code: int, words: str, *, retry_after: float | None = None, globally: bool = False) -> None:
        super().__init__(f"{status} ({code}): {words}")
        self.status, self.code, self.words, self.retry_after, self.globally = status, code, words, retry_after, globally

    def body(self) -> dict[str, Any]:
        """Return the body of the answer."""
        more = {} if self.retry_after is None else {"retry_after": self.retry_after, "global": self.globally}
        return {"message": self.words, "code": self.code, **more}


def when(moment: float) -> str:
    """Return a time in seconds since 1970 in the form in which Discord writes it."""
    return datetime.fromtimestamp(moment, UTC).isoformat()


def made_at(snowflake: int) -> float:
    """Return the time at which a snowflake was made, in seconds since 1970."""
    return EPOCH + (snowflake >> 22) / 1000


@dataclass(eq=False)
class Person:
    """An account on every server that it has not `left`. It may manage servers, or be `closed` to direct messages."""

    id: int
    name: str
    bot: bool = False
    manages: bool = False
    closed: bool = False
    avatar: bytes | None = None
    banner: bytes | None = None
    left: set[int] = field(default_factory=set)

    def user(self) -> dict[str, Any]:
        """Return the account in Discord's form."""
        return {"id": str(self.id), "username": self.name.lower(), "global_name": self.name, "discriminator": "0",
                "avatar": _hash(self.avatar), "banner": _hash(self.banner), "bot": self.bot}  # fmt: skip

    def edit(self, body: dict[str, Any]) -> dict[str, Any]:
        """Change the avatar or banner, and return the account. Raises Refusal for anything else than a PNG file."""
        for which, image in body.items():
            file = base64.b64decode(image.removeprefix("data:image/png;base64,"))
            if which not in {"avatar", "banner"} or not file.startswith(b"\x89PNG"):
                raise Refusal(400, 50035, "Invalid Form Body")
            setattr(self, which, file)
        return self.user()

    def member(self, roles: tuple[int, ...] = (), permissions: int | None = None) -> dict[str, Any]:
        """Return the account's membership of a server in Discord's form, without the account itself."""
        more = {} if permissions is None else {"permissions": str(permissions)}
        return {"roles": [str(role) for role in roles], "joined_at": when(EPOCH), "deaf": False, "mute": False, "flags": 0,
                "nick": None, "avatar": None, **more}  # fmt: skip


def _hash(file: bytes | None) -> str | None:
    """Return the hash by which Discord names a picture, or None without one."""
    return None if file is None else sha256(file).hexdigest()[:32]


@dataclass(eq=False)
class Channel:
    """A channel, thread or direct conversation. `denied` holds the permission bits that each user lacks, by user id.

    A thread is archived `archived_after` minutes after it was last `active` (in seconds since 1970).
    """

    id: int
    kind: int
    guild_id: int | None = None
    name: str = ""
    parent_id: int | None = None
    owner_id: int = 0
    denied: dict[int, int] = field(default_factory=dict)
    members: set[int] = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    archived_after: int = ARCHIVED_AFTER[1]
    active: float = 0.0
    gone: bool = False

    @property
    def is_thread(self) -> bool:
        """Whether this is a thread, which belongs to another channel."""
        return self.kind in THREADS

    def payload(self) -> dict[str, Any]:
        """Return the channel in Discord's form."""
        known = {"id": str(self.id), "type": self.kind, "name": self.name, "position": 0, "nsfw": False, "topic": None,
                 "parent_id": None if self.parent_id is None else str(self.parent_id)}  # fmt: skip
        if self.guild_id is not None:
            known["guild_id"] = str(self.guild_id)
        if self.is_thread:
            return known | {
                "owner_id": str(self.owner_id), "message_count": 0, "member_count": len(self.members), "flags": 0,
                "thread_metadata": {"archived": self.archived, "locked": self.locked, "invitable": False,
                                    "auto_archive_duration": self.archived_after,
                                    "archive_timestamp": when(made_at(self.id))},
            }  # fmt: skip
        overwrites = [{"id": str(who), "type": 1, "allow": "0", "deny": str(bits)} for who, bits in self.denied.items()]
        more: dict[str, Any] = {"bitrate": 64_000, "user_limit": 0} if self.kind == VOICE else {}
        return known | more | {"permission_overwrites": overwrites, "rate_limit_per_user": 0}


@dataclass(frozen=True)
class Attachment:
    """A file attached to a message."""

    id: int
    name: str
    content: bytes


@dataclass(eq=False)
class Message:
    """A message.

    Attributes:
        components: the components as they were sent, with files named `attachment://…`. `history` has those of every version.
        pinged: the users whose phones showed `notified`, which is the content that the message was posted with.
        seen_by: the id of the only user who sees a private answer, or None.
        answers: the interaction that the message answers or follows up, or None.
    """

    id: int
    channel_id: int
    author: Person
    content: str = ""
    components: list[Any] = field(default_factory=list)
    flags: int = 0
    attachments: list[Attachment] = field(default_factory=list)
    nonce: str | None = None
    pinged: frozenset[int] = frozenset()
    notified: str = ""
    seen_by: int | None = None
    answers: "Interaction | None" = None
    thread_id: int | None = None
    edits: int = 0
    deleted: bool = False
    history: list[list[Any]] = field(default_factory=list)
    _read: tuple[list[Any], list[str], list[str]] | None = None

    @property
    def loading(self) -> bool:
        """Whether the message is a placeholder for an answer that is still to come."""
        return bool(self.flags & LOADING)

    @property
    def private(self) -> bool:
        """Whether only one person sees the message."""
        return bool(self.flags & EPHEMERAL)

    @property
    def custom_ids(self) -> list[str]:
        """The custom ids of the message's buttons and menus, in order."""
        return self._parts()[1]

    @property
    def text(self) -> str:
        """All words of the message, with each part on a line of its own."""
        return "\n".join([*filter(None, [self.content]), *self._parts()[2]])

    def _parts(self) -> tuple[list[Any], list[str], list[str]]:
        """Return the message's components, custom ids and words. They are cached until the components change."""
        if self._read is None or self._read[0] is not self.components:
            items = list(walk_components(self.components))
            self._read = (
                self.components,
                [item["custom_id"] for item in items if item.get("custom_id")],
                [item["content"] for item in items if item.get("content")],
            )
        return self._read

    def payload(self, base: str) -> dict[str, Any]:
        """Return the message in Discord's form. The URLs of its files begin with `base`."""
        made = made_at(self.id)
        files = {one.name: (one.id, f"{base}/attachments/{self.channel_id}/{one.id}/{one.name}") for one in self.attachments}
        shown = set(files_named(self.components))
        asked = {} if self.answers is None else {"interaction_metadata": self.answers.metadata()}
        return asked | {
            "id": str(self.id), "channel_id": str(self.channel_id), "author": self.author.user(), "content": self.content,
            "timestamp": when(made), "edited_timestamp": when(made) if self.edits else None, "tts": False, "pinned": False,
            "mention_everyone": False, "mentions": [], "mention_roles": [], "embeds": [], "type": 0, "flags": self.flags,
            "components": _resolved(self.components if self.flags & V2 else _without_ids(self.components), files),
            "attachments": [{"id": str(one.id), "filename": one.name, "size": len(one.content), "url": files[one.name][1],
                             "proxy_url": files[one.name][1], "content_type": "image/png"}
                            for one in self.attachments if one.name not in shown],
        }  # fmt: skip


@dataclass(eq=False)
class Interaction:
    """What somebody did in Discord, and how the bot answered.

    Attributes:
        callback: the type of the callback that was accepted after `waited` seconds, or None if there was none.
        original: the message that answers the interaction, or the message with the button or menu if the callback updated that.
        choices: the choices that autocomplete offered. `modal` is the form that was opened.
        calls: the route and the HTTP status of every call about the interaction.
    """

    id: int
    token: str
    by: Person
    channel_id: int
    kind: int
    made: float
    message: Message | None = None
    callback: int | None = None
    waited: float = 0.0
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[Any] | None = None
    modal: dict[str, Any] | None = None
    calls: list[tuple[str, int]] = field(default_factory=list)

    def metadata(self) -> dict[str, Any]:
        """Return what the messages that answer the interaction say about the interaction."""
        return {"id": str(self.id), "type": self.kind, "user": self.by.user(), "authorizing_integration_owners": {}}

    @property
    def shown(self) -> list[Message]:
        """The interaction's answers that are neither placeholders nor deleted."""
        messages = [*([self.original] if self.original is not None else []), *self.followups]
        return [message for message in messages if not message.loading and not message.deleted]

    @property
    def text(self) -> str:
        """All words of the answers that are shown."""
        return "\n".join(message.text for message in self.shown)


def _resolved(components: list[Any], files: Mapping[str, tuple[int, str]]) -> list[Any]:
    """Return a copy of components in the form in which Discord returns them, with ids and URLs in place of file names."""
    resolved: list[Any] = json.loads(json.dumps(components))  # a copy
    for media in media_of(resolved):
        name = media["url"].removeprefix(ATTACHED)
        if name in files:
            media["attachment_id"], media["url"] = str(files[name][0]), files[name][1]
        media["proxy_url"] = media["url"]
    return resolved


def files_named(components: list[Any]) -> Iterator[str]:
    """Return the names of the files that components show. Discord does not list these files as attachments."""
    return (media["url"].removeprefix(ATTACHED) for media in media_of(components) if media["url"].startswith(ATTACHED))


def _without_ids(components: list[Any]) -> list[Any]:
    """Return the components of a plain message in the form in which Discord returns them, with every id set to 0."""
    return [
        item | {"id": 0} | ({"components": _without_ids(item["components"])} if "components" in item else {})
        for item in components
    ]


def media_of(components: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield every reference to a picture or file in components."""
    for item in walk_components(components):
        yield from (item[key] for key in ("file", "media") if isinstance(item.get(key), dict))
        yield from (one["media"] for one in item.get("items") or [])
