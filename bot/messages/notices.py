"""What is said beside the boards, in the channel or to one person: offers, reminders, nudges, news for those who watch."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import discord

from bot.i18n.language import Language
from bot.messages.board import names
from bot.messages.builder import Sheet, button
from bot.messages.click import Click
from bot.sessions import Glance
from engines import GAMES
from engines.text import Text, join, plain, say, seat_name
from storage.records import Errand, Seat, SeatStatus, Status


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be said.

    Attributes:
        sheet: the words, with buttons where an answer is asked for.
        pinged: the users it makes a noise for.
        to: the one person it is for, if it may also go to them directly.
    """

    sheet: Sheet
    pinged: tuple[int, ...]
    to: int | None = None


def notice(glance: Glance, errand: Errand, language: Language) -> Notice | None:
    """The notice that an errand asks for, or None if it is out of date by now."""
    return BUILDERS[errand.kind](glance, errand, language)


def link(glance: Glance) -> str:
    """A link to the newest message of a table, or the mention of its channel."""
    table = glance.table
    channel = table.board_channel_id or table.thread_id or table.channel_id
    message = table.board_message_id or table.lobby_message_id
    if message is None or (table.board_message_id is None and channel != table.channel_id):
        return f"<#{channel}>"
    return f"https://discord.com/channels/{table.guild_id}/{channel}/{message}"


def _mentions(seats: list[Seat]) -> Text:
    return join([plain(f"<@{seat.user_id}>") for seat in seats], ", ")


def _game(glance: Glance) -> Text:
    return plain(f"**{glance.playing.game.title} #{glance.table.id}**")


def _offer(glance: Glance, errand: Errand, language: Language) -> Notice | None:
    offer = glance.table.offers.get(errand.key)
    if glance.table.status is not Status.PLAYING or offer is None:
        return None
    who = seat_name(offer["by"])
    if errand.key == "substitute":
        asked: list[int] = [offer["to"]]
        mentions: Text = plain(f"<@{offer['to']}>")
        text = say("{asked}: you are offered the seat of {seat} in {game}. Will you take it over?", asked=mentions,
                   seat=seat_name(offer["seat"]), game=_game(glance))  # fmt: skip
    else:
        present = [p for i, p in enumerate(glance.players) if p.status is SeatStatus.JOINED and i not in offer["agreed"]]
        asked = [p.user_id for p in present]
        mentions = _mentions(present)
        if errand.key == "draw":
            text = say("{asked}: {who} offers a draw in {game}.", asked=mentions, who=who, game=_game(glance))
        else:
            last = glance.playing.in_force[-1].notation
            text = say("{asked}: {who} asks to take back `{action}` in {game}.", asked=mentions, who=who, action=plain(last),
                       game=_game(glance))  # fmt: skip
    sheet = Sheet().text(language(text, names(glance)))
    version = glance.table.version
    yes = Click(f"{errand.key}-yes", glance.table.id, version)
    no = Click(f"{errand.key}-no", glance.table.id, version)
    accept = button(language(say("Accept")), yes.custom_id, discord.ButtonStyle.success)
    sheet.buttons([accept, button(language(say("Decline")), no.custom_id)])
    return Notice(sheet, tuple(asked))


def invitation_sheet(glance: Glance, language: Language) -> Sheet:
    """What tells those who are invited that they are."""
    who = join([plain(f"<@{p.user_id}>") for p in glance.invited], ", ")
    text = say("{who}: {opener} invites you to a game of {game}. Accept or decline above.", who=who,
               opener=plain(names(glance)[0]), game=GAMES[glance.table.game].title)  # fmt: skip
    return Sheet().text(language(text))


def _invitation(glance: Glance, _: Errand, language: Language) -> Notice | None:
    if glance.table.status is not Status.OPEN or not glance.invited:
        return None
    return Notice(invitation_sheet(glance, language), tuple(p.user_id for p in glance.invited))


def _reminder(glance: Glance, errand: Errand, language: Language) -> Notice | None:
    user = errand.payload["user"]
    table = glance.table
    waited_for = any(p.user_id == user for p in glance.awaited)
    if table.status is not Status.PLAYING or table.turn != errand.payload["turn"] or not waited_for or table.deadline is None:
        return None
    when = f"<t:{int(table.deadline)}:R>"
    who = plain(f"<@{user}>")
    if errand.payload["which"] == "abandoned":
        text = say("{who}: {game} waits for you. If nothing happens it ends as abandoned {when}. {link}", who=who,
                   game=_game(glance), when=when, link=link(glance))  # fmt: skip
    else:
        text = say("{who}: {game} waits for you; your turn ends {when}. {link}", who=who, game=_game(glance), when=when,
                   link=link(glance))  # fmt: skip
    return Notice(Sheet().text(language(text)), (user,), user)


def _nudge(glance: Glance, errand: Errand, language: Language) -> Notice | None:
    if glance.table.status is not Status.PLAYING or glance.table.turn != errand.payload["turn"]:
        return None
    awaited = list(glance.awaited)
    text = say("{asked}: {who} gives you a friendly nudge in {game}. {link}", asked=_mentions(awaited),
               who=seat_name(errand.payload["by"]), game=_game(glance), link=link(glance))  # fmt: skip
    return Notice(Sheet().text(language(text, names(glance))), tuple(p.user_id for p in awaited))


def _watch(glance: Glance, errand: Errand, language: Language) -> Notice | None:
    user = errand.payload["user"]
    over = glance.result()
    if over is None and any(p.user_id == user for p in glance.awaited):
        return None  # the board itself has pinged them
    who = plain(f"<@{user}>")
    if over is not None:
        text = say("{who}: {game} is over. {result} {link}", who=who, game=_game(glance), result=over, link=link(glance))
    else:
        awaited = join([seat_name(seat) for seat in glance.playing.to_act], ", ")
        text = say("{who}: {game} has moved on; {awaited} to act. {link}", who=who, game=_game(glance), awaited=awaited,
                   link=link(glance))  # fmt: skip
    return Notice(Sheet().text(language(text, names(glance))), (user,), user)


BUILDERS: Final[dict[str, Callable[[Glance, Errand, Language], Notice | None]]] = {
    "offer": _offer,
    "invitation": _invitation,
    "reminder": _reminder,
    "nudge": _nudge,
    "watch": _watch,
}
