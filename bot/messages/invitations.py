"""Invitations that were answered: what stands in the place of the question and its buttons."""

from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder, escape_name
from bot.messages.notices import invitation_message, link
from engines import GAMES
from engines.text import plain, say
from storage.schema.records import Status


def answered_invitation(snapshot: Snapshot, name: str, language: Language, *, accepted: bool) -> MessageBuilder:
    """The answer to an invitation by the person called `name`; while others are asked, too, with the question below it."""
    table, who = snapshot.table, plain(escape_name(name))
    told = {"who": who, "game": GAMES[table.game].title, "n": table.id, "link": link(snapshot)}
    if accepted:
        answer = language(say("{who} is in! {game} #{n}: {link}", **told))
    else:
        answer = language(say("{who} can’t make it this time. {game} #{n}: {link}", **told))
    asks_others = table.status is Status.OPEN and snapshot.invited
    builder = MessageBuilder().text(f"-# {answer}" if asks_others else answer)
    if asks_others:
        builder.items += invitation_message(snapshot, language, again=True).items
    return builder


def lapsed_invitation(snapshot: Snapshot, language: Language) -> MessageBuilder:
    """The message in place of an invitation to a table that nobody can join any more."""
    return MessageBuilder().text(language(say("This invitation is no longer open: {link}", link=link(snapshot))))
