"""The public message about people who are waiting: roughly how many they are and for which games, but never who they are."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.core.core import Core
from bot.features.matchmaking.service import SeekPosts, Seeks
from bot.features.posts.messages import Content, Contents
from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.notification import Notification, role_mention
from engines import GAMES
from engines.text import Text, join, plain, say

MANY: Final = 8
"""The number from which people are called "many"."""


async def open_seeks(core: Core, guild_id: int, day: int, language: Language, role: int | None = None) -> Content:
    """Return the content of the message: the games for which people are waiting now."""
    waiting = waiting_words(await core.service(Seeks).waiting(guild_id))
    told = language(join(waiting or [say("Nobody else is waiting for a game right now.")]))
    builder = MessageBuilder().text("".join(role_mention(role))).text(language(say("### 👋 Who’s up for a game?")))
    builder.text(told)
    if role is not None:
        said = language(join([say("Who’s up for a game?"), plain(told.replace("**", "").replace("\n", ", "))], " "))
        builder.notify(Notification(f"{said.removesuffix('.')}.", mentions=role_mention(role)))
    builder.text(language(say("-# Every hour I match people up and ask each of them if they’re in.")))
    buttons = [button(language(say("Choose …")), Click("seek").custom_id)]
    if waiting:
        buttons.insert(
            0, button(language(say("Me too")), Click("seek-too", tokens=(str(day),)).custom_id, discord.ButtonStyle.success)
        )
    return Content(builder.buttons(buttons), told)


CONTENTS: Final = Contents(open_seeks, lasts=False, posts=SeekPosts)
"""The contents of posts about people who are waiting."""


def waiting_words(waiting: Mapping[str, int]) -> list[Text]:
    """Return, for each game, roughly how many people are waiting for it, given the numbers from `Seeks.waiting`."""
    told = []
    for game, n in waiting.items():
        if game in GAMES and n > 0:
            title = plain(GAMES[game].title)
            if n == 1:
                told.append(say("**{game}**: somebody is waiting", game=title))
            elif n < MANY:
                told.append(say("**{game}**: a few are waiting", game=title))
            else:
                told.append(say("**{game}**: many are waiting", game=title))
    return told
