"""A hint: what is good to play, why, and the board with it."""

import discord

from bot.messages.advice import advised_picture, spelt
from bot.messages.board import COLOURS, heading, names
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click, TooLong
from bot.messages.perspective import Perspective
from bot.sessions import Snapshot
from engines.text import say, say_n
from opponents.reviewing import Advice


async def hint_message(snapshot: Snapshot, perspective: Perspective, seat: int, advice: Advice) -> MessageBuilder:
    """The advice to a seat in words and on its board, with a button that plays it."""
    language, history, thought = perspective.language, snapshot.playing, advice.thought
    who, action = names(snapshot), spelt(history.game, history.state, seat, thought.action)
    builder = MessageBuilder(colour=COLOURS[seat]).text(heading(snapshot, language))
    builder.text(language(say("**My advice:** {action}", action=action), who))
    builder.text(language(advice.reason, who))
    builder.picture(await advised_picture(snapshot, perspective, ((seat, thought.action),)))
    chance = say("Your chance to win, as far as I can tell: {percent} %.", percent=round(100 * thought.chance_to_win))
    hints = snapshot.players[seat].hints
    taken = say_n("You’ve taken {n} hint in this game.", "You’ve taken {n} hints in this game.", hints)
    builder.text(f"-# {language(chance)} {language(taken)}")
    move = Click("move", snapshot.table.id, history.version)
    buttons = [button(language(say("Something else")), move.custom_id)]
    try:
        play = Click("act", snapshot.table.id, history.version, tokens=thought.action).custom_id
        buttons.insert(0, button(language(say("Play it")), play, discord.ButtonStyle.success, emoji="✅"))
    except TooLong:
        typed = say("That’s too long for a button. Type it: `/move action:{action}`", action=" ".join(thought.action))
        builder.text(language(typed))
    return builder.buttons(buttons)
