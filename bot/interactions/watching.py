"""Clicks on *Watch*: being told when a game ends, or of every turn. `/watch` does the same."""

from collections.abc import Mapping
from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines.text import Text, say
from storage.records import SeatStatus, WatchFor

CHOICES: Final[Mapping[str, Text]] = {
    WatchFor.END: say("Only the end"),
    WatchFor.TURN: say("Every turn"),
    "off": say("Stop watching"),
}


async def watch(context: Context, table_id: int, what: str) -> None:
    """Tell the user of a game from now on: of its end, or of every turn; or no longer. What else they can choose is below."""
    watching = context.sessions.watching
    match what:
        case "end":
            await watching.watch(table_id, context.user, WatchFor.END)
            text = say("You’ll hear when the game at table #{n} is over.", n=table_id)
        case "turn":
            await watching.watch(table_id, context.user, WatchFor.TURN)
            text = say("You’ll hear about every turn at table #{n}.", n=table_id)
        case "off":
            await watching.stop(table_id, context.user)
            text = say("You won’t hear about table #{n} any more.", n=table_id)
        case _:
            raise Refused(say("Watch for the end of a game, or for every turn."))
    buttons = [
        button(context.language(label), Click("watch-for", table_id, tokens=(token,)).custom_id)
        for token, label in CHOICES.items()
        if token != what
    ]
    await context.reply.show(MessageBuilder().text(context.language(text)).buttons(buttons))


@handles("watch")
async def _watch(context: Context, click: Click) -> None:
    """The button under a board: begin with the end of the game. Whoever plays there is told of everything anyway."""
    snapshot = await context.snapshot(click.table)
    if _plays(snapshot, context.user.id):
        words = say("You’re playing in this one. The bot pings you when it’s your turn.")
        await context.reply.show(MessageBuilder().text(context.language(words)))
        return
    await watch(context, click.table, WatchFor.END)


@handles("watch-for")
async def _watch_for(context: Context, click: Click) -> None:
    await watch(context, click.table, *click.tokens)


def _plays(snapshot: Snapshot, user_id: int) -> bool:
    """Whether somebody takes part."""
    known = snapshot.person(user_id)
    return known is not None and known.status is SeatStatus.JOINED


HANDLERS: Final = (_watch, _watch_for)
