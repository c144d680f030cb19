"""A server's posts described for its managers: how they are set, and why Discord refuses a message."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeGuard

from bot.i18n.language import Language
from bot.i18n.time_zones import shown
from bot.messages.builder import MessageBuilder, plain_name, server_button
from bot.messages.notification import Notification
from engines.text import Text, join, plain, say
from storage.schema.records import Post, PostKind

TITLES: Final[Mapping[PostKind, Text]] = {
    PostKind.DAILY: say("Daily puzzle"),
    PostKind.TODAY: say("What’s on"),
    PostKind.SEEKS: say("Matching"),
}

OFF: Final = say("Off")
"""What is shown for a post that is off."""

WEEKDAYS: Final[tuple[Text, ...]] = (
    say("Monday"), say("Tuesday"), say("Wednesday"), say("Thursday"), say("Friday"), say("Saturday"), say("Sunday"),
)  # fmt: skip

GONE: Final = 10003
"""Discord's code for a channel that doesn't exist."""

POSTS_ONLY: Final = frozenset({50008, 50024})
"""Discord's codes for a channel that takes no messages."""

LOCKED: Final = frozenset({50083, 160005})
"""Discord's codes for a thread that is locked, or archived and locked."""


def post_words(kind: PostKind, post: Post | None) -> list[Text]:
    """Describe a post's settings (where, when, whom it mentions), then when the next one comes, or that Discord refuses it."""
    if post is None and kind is PostKind.SEEKS:
        return [say("Not set: the first `/match` decides the channel.")]
    if not is_on(post):
        return [OFF]
    told = {"where": f"<#{post.channel_id}>", "hour": f"{post.hour}:00", "zone": shown(post.zone)}
    if kind is PostKind.SEEKS:
        place = say("In {where}", **told)
    elif post.weekday is None:
        place = say("In {where} at {hour}, {zone}", **told)
    else:
        place = say("In {where} each {day} at {hour}, {zone}", day=WEEKDAYS[post.weekday % 7], **told)
    lines: list[Text] = [place]
    if post.role_id is not None:
        lines = [say("{place}, mentions {role}", place=place, role=f"<@&{post.role_id}>")]
    if post.due is None:
        lines.append(say("-# ⚠️ It has stopped: I couldn’t post it. Press *Change* and save it to try again."))
    elif post.refused is not None:
        lines.append(say("-# ⚠️ I couldn’t post the last one, and I’ll try again."))
    elif kind is PostKind.TODAY:
        lines.append(say("-# The next one comes {when}, if anything has happened by then.", when=f"<t:{int(post.due)}:f>"))
    elif kind is PostKind.DAILY:
        next_one = say(
            "-# The next one comes {when}. A new puzzle day starts here at that hour.", when=f"<t:{int(post.due)}:f>"
        )
        lines.append(next_one)
    return lines


def is_on(post: Post | None) -> TypeGuard[Post]:
    """Whether a post is switched on, even if Discord refuses it."""
    return post is not None and (post.due is not None or post.refused is not None)


def refused_message(
    post: Post, server: str, channel_id: int, code: int, lacking: Sequence[Text], language: Language
) -> MessageBuilder:
    """Return the direct message that tells a server's owner why a message was not posted, and what would help."""
    known = {"server": plain(plain_name(server)), "title": TITLES[post.kind]}
    where = f"<#{channel_id}>"
    if code == GONE:
        said = say("I’ve stopped posting “{title}” on {server}: its channel is gone.", **known)
        more = say("Choose another one in `/server-settings`.")
    elif code in POSTS_ONLY:
        said = say("I’ve stopped posting “{title}” on {server}: its channel only takes posts.", **known)
        more = say("Choose another one in `/server-settings`.")
    elif code in LOCKED:
        said = say("I can’t post “{title}” on {server}: its thread is locked.", **known)
        more = say("Somebody who manages threads can unlock {where}. I’ll try again for a day. In `/server-settings` you can "
                   "choose another channel, or switch it off.", where=where)  # fmt: skip
    else:
        said = say("I can’t post “{title}” on {server}: please look at my permissions.", **known)
        more = say("In {where} I still need: {missing}. I’ll try again for a day. In `/server-settings` you can choose another "
                   "channel, or switch it off.", missing=join(lacking, ", "), where=where)  # fmt: skip
    builder = MessageBuilder().text(language(more)).notify(Notification(language(said)))
    return builder.buttons([server_button(language, post.guild_id, None if code == GONE else channel_id)])
