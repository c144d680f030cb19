"""The first message of the sandbox: a welcome, and steps to try."""

from typing import Final

import discord

from bot.features.help.messages import doors
from bot.i18n.language import ENGLISH
from bot.messages.builder import NOBODY, MessageBuilder

COLOUR: Final = 0x45CE8F
WELCOME: Final = """### 👋 Welcome to the Bounce Club
This is a pretend Discord on your own machine, with the real bot in it. You play everybody here: **Ann** in one window, \
**Ben** in the other."""
STEPS: Final = """**Try this**
1. As Ann, click into the line below, type `/play`, pick a game, and add Ben as the opponent.
2. As Ben, press *Accept*. The board appears.
3. Whoever’s turn it is presses *Move*.
4. Skip a day and see who gets a reminder."""
MORE: Final = (
    "-# New to the games? Practise against a computer, or learn each game by playing it, with the buttons below. `/rules` has "
    "the full rules, `/help` lists what else there is. Nothing is kept when you close the sandbox."
)


async def greet(channel: discord.abc.Messageable) -> None:
    """Post the first message."""
    builder = MessageBuilder(colour=COLOUR).text(WELCOME).text(STEPS).text(MORE)
    builder.buttons(doors(ENGLISH))
    await channel.send(view=builder.layout(), allowed_mentions=NOBODY)
