"""`/board`, `/games`: looking around."""

from contextlib import suppress

import discord
from discord import app_commands

from bot.commands.which_table import AskedWhich, table_choices, which_table
from bot.interactions.context import Counter, Front
from bot.interactions.looking import show_board
from bot.interactions.reply import Command, Interaction
from bot.messages.board import MARKS, names
from bot.messages.builder import Sheet
from bot.messages.click import Click
from bot.messages.notices import link
from bot.sessions import Glance
from engines import GAMES
from engines.text import Text, join, plain, say
from storage.records import Status

LISTED_AT_MOST = 20


class Looking:
    """The commands of everybody who reads along."""

    def __init__(self, front: Front) -> None:
        self._front = front

    def register(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        """Add the commands to the tree."""
        board = self._board()
        board.autocomplete("game")(self._tables)
        tree.add_command(board)
        tree.add_command(self._games())

    async def _tables(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._front, interaction, current, (Status.PLAYING, Status.FINISHED), own=False)

    def _board(self) -> Command:
        @app_commands.command(name="board", description="See the present position of a game")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if there are several here")
        async def board(interaction: Interaction, game: str | None = None) -> None:
            async with self._front.answer(interaction) as counter:
                with suppress(AskedWhich):
                    glance = await which_table(counter, game, Click("board"), own=False)
                    await show_board(counter, glance.table.id)

        return board

    def _games(self) -> Command:
        @app_commands.command(name="games", description="See the tables of this server")
        @app_commands.guild_only()
        @app_commands.describe(mine="Only those where you play or are invited")
        async def games(interaction: Interaction, mine: bool = False) -> None:
            async with self._front.answer(interaction) as counter:
                found = await counter.sessions.tables(
                    guild_id=counter.guild_id, user_id=counter.user.id if mine else None, limit=LISTED_AT_MOST + 1
                )
                glances = [await counter.sessions.glance(table.id) for table in found]
                await counter.reply.show(_listing(counter, [g for g in glances if g.open_to(counter.user.id)]))

        return games


def _listing(counter: Counter, glances: list[Glance]) -> Sheet:
    """The tables, those first that wait for the one who asks."""
    sheet = Sheet()
    if not glances:
        return sheet.text(counter.language(say("No table is open here. `/play` opens one.")))
    mine = counter.user.id
    glances.sort(key=lambda g: not any(p.user_id == mine for p in (*g.awaited, *g.invited)))
    lines = [counter.language(_line(glance, mine), names(glance)) for glance in glances[:LISTED_AT_MOST]]
    if len(glances) > LISTED_AT_MOST:
        lines.append("…")
    return sheet.text("\n".join(lines))


def _line(glance: Glance, mine: int) -> Text:
    table = glance.table
    title = plain(f"**#{table.id} {GAMES[table.game].title}**")
    who = join([join([MARKS[i], name], " ") for i, name in enumerate(names(glance))], ", ")
    where = plain(link(glance))
    if table.status is Status.OPEN:
        if any(p.user_id == mine for p in glance.invited):
            return say("{title} {where}: you are invited by {who}", title=title, where=where, who=who)
        return say("{title} {where}: {who}, waiting for players", title=title, where=where, who=who)
    if any(p.user_id == mine for p in glance.awaited):
        return say("{title} {where}: {who}. **Your turn**", title=title, where=where, who=who)
    awaited = join([plain(names(glance)[seat]) for seat in glance.playing.to_act], ", ")
    return say("{title} {where}: {who}. To act: {awaited}", title=title, where=where, who=who, awaited=awaited)
