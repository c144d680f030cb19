"""`/board`, `/games`: looking at boards and tables."""

from typing import Final

from discord import app_commands

from bot.commands.which_table import started_games, which_table
from bot.interactions.context import Context, respond
from bot.interactions.looking import show_board
from bot.interactions.reply import Command, Interaction
from bot.messages.board import MARKS, names
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from bot.messages.notices import link
from bot.sessions import Snapshot
from engines import GAMES
from engines.text import Text, join, plain, say
from storage.records import Status

LISTED_AT_MOST = 20


@app_commands.command(name="board", description="See the present position of a game")
@app_commands.guild_only()
@app_commands.describe(game="Which table, if there are several here")
@app_commands.autocomplete(game=started_games)
async def board(interaction: Interaction, game: str | None = None) -> None:
    """Show a board to the user alone."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("board"), own=False)
        await show_board(context, snapshot.table.id)


@app_commands.command(name="games", description="See the tables of this server")
@app_commands.guild_only()
@app_commands.describe(mine="Only those where you play or are invited")
async def games(interaction: Interaction, mine: bool = False) -> None:
    """List the tables, those that wait for the user first."""
    async with respond(interaction) as context:
        found = await context.sessions.tables(
            guild_id=context.guild_id, user_id=context.user.id if mine else None, limit=LISTED_AT_MOST + 1
        )
        snapshots = [await context.sessions.snapshot(table.id) for table in found]
        await context.reply.show(_listing(context, [s for s in snapshots if s.open_to(context.user.id)]))


def _listing(context: Context, snapshots: list[Snapshot]) -> MessageBuilder:
    """The list of tables, those that wait for the user first."""
    builder = MessageBuilder()
    if not snapshots:
        return builder.text(context.language(say("No table is open here. `/play` opens one.")))
    mine = context.user.id
    snapshots.sort(key=lambda g: not any(p.user_id == mine for p in (*g.awaited, *g.invited)))
    lines = [context.language(_line(snapshot, mine), names(snapshot)) for snapshot in snapshots[:LISTED_AT_MOST]]
    if len(snapshots) > LISTED_AT_MOST:
        lines.append("…")
    if longer := [f"#{snapshot.table.id}" for snapshot in snapshots[:LISTED_AT_MOST] if snapshot.table.given_back]:
        away = say("The bot was away. At {tables} the time that this took was given back.", tables=plain(", ".join(longer)))
        lines.append(context.language(away))
    return builder.text("\n".join(lines))


def _line(snapshot: Snapshot, mine: int) -> Text:
    table = snapshot.table
    title = plain(f"**#{table.id} {GAMES[table.game].title}**")
    who = join([join([MARKS[i], name], " ") for i, name in enumerate(names(snapshot))], ", ")
    where = plain(link(snapshot))
    if table.status is Status.OPEN:
        if any(p.user_id == mine for p in snapshot.invited):
            return say("{title} {where}: you are invited by {who}", title=title, where=where, who=who)
        return say("{title} {where}: {who}, waiting for players", title=title, where=where, who=who)
    if any(p.user_id == mine for p in snapshot.awaited):
        return say("{title} {where}: {who}. **Your turn**", title=title, where=where, who=who)
    awaited = join([plain(names(snapshot)[seat]) for seat in snapshot.playing.to_act], ", ")
    return say("{title} {where}: {who}. To act: {awaited}", title=title, where=where, who=who, awaited=awaited)


COMMANDS: Final[tuple[Command, ...]] = (board, games)
