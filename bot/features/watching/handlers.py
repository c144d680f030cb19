"""`/watch` and *Watch*, which have the bot tell a spectator when a game ends, or at every turn."""

from collections.abc import Mapping
from typing import Final

from discord import app_commands

from bot.core.table.errors import Refused
from bot.core.table.since import standing, turn_before
from bot.core.table.snapshot import Snapshot
from bot.features.watching.service import Watching
from bot.i18n.language import Language
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.reply import Command
from bot.interactions.tables import RUNNING_GAMES, table_command, table_number, which_table
from bot.messages.asking import game_name
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.notices import Notice, board_button, pinging_message
from bot.messages.players import plain_names
from bot.messages.story import headline
from bot.outbox.jobs import Jobs
from engines.text import Text, join, say, seat_name
from storage.schema.records import Job, JobKind, SeatStatus, WatchFor

CHOICES: Final[Mapping[str, Text]] = {
    WatchFor.END: say("Only the end"),
    WatchFor.TURN: say("Every turn"),
    "off": say("Stop watching"),
}

HEADLINE: Final = 80
"""The most characters in which the news for watchers describes the last action."""


async def note_watch(context: Context, table_id: int, what: str) -> None:
    """Start or stop telling the user about every turn or about the end. Buttons offer the other choices."""
    watching = context.core.service(Watching)
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
            raise Refused(say("You can watch for the end of a game, or for every turn."))
    buttons = [
        button(context.language(label), Click("watch-for", table_id, tokens=(token,)).custom_id)
        for token, label in CHOICES.items()
        if token != what
    ]
    await context.reply.show(MessageBuilder().text(context.language(text)).buttons(buttons))


@handles("watch")
async def _watch(context: Context, click: Click) -> None:
    """Tell a spectator who has clicked under a board when the game ends. Players are pinged at their turns anyway."""
    snapshot = await context.snapshot(click.table)
    known = snapshot.person(context.user.id)
    if known is not None and known.status is SeatStatus.JOINED:
        words = say("You’re playing in this one. I’ll ping you when it’s your turn.")
        await context.reply.show(MessageBuilder().text(context.language(words)))
        return
    await note_watch(context, click.table, WatchFor.END)


@handles("watch-for", tokens=Tokens((is_word,)))
async def _watch_for(context: Context, click: Click) -> None:
    await note_watch(context, click.table, *click.tokens)


HANDLERS: Final = (_watch, _watch_for)


@table_command("watch", description="Follow a game you’re not in", games=RUNNING_GAMES)
@app_commands.describe(what="What you want to hear about")
@app_commands.choices(
    what=[
        app_commands.Choice(name="when it ends", value="end"),
        app_commands.Choice(name="every turn", value="turn"),
        app_commands.Choice(name="stop watching", value="off"),
    ]
)
async def watch(context: Context, what: str = "end", game: str | None = None) -> None:
    """Start or stop notifying a spectator about a game."""
    if what == "off" and game is not None:
        # A spectator who may no longer look at a private table can still stop watching it.
        table_id = table_number(game)
    else:
        table_id = await which_table(context, game, Click("watch-for", tokens=(what,)), own=False)
    await note_watch(context, table_id, what)


COMMANDS: Final[tuple[Command, ...]] = (watch,)


def _news_for_watcher(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """Return what to tell a watcher about a new turn or the end, or None if the news is out of date."""
    user = job.payload["user"]
    if not snapshot.open_to(user):
        return None  # they have since left a private table
    over = snapshot.result()
    if over is None and any(p.user_id == user for p in snapshot.awaited):
        return None  # they have been pinged by the board itself
    if over is not None:
        text = say("{game} is over. {result}", game=game_name(snapshot), result=over)
    else:
        history, who = snapshot.playing, plain_names(snapshot)
        done = headline(standing(history, turn_before(history, snapshot.computers)[0]), language, who, (), HEADLINE)
        awaited = join([seat_name(seat) for seat in history.to_act], ", ")
        text = say("News from {game}: {done} Next to play: {awaited}.", game=game_name(snapshot), done=done, awaited=awaited)
    builder = pinging_message(snapshot, language, text, (user,))
    return Notice(builder.buttons([board_button(snapshot, language)]), (user,), user)


JOBS: Final = Jobs(notices={JobKind.WATCH: _news_for_watcher})
