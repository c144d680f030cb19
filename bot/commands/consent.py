"""`/undo`, `/rematch`, `/substitute`, `/nudge`, `/watch`: what concerns the others at a table."""

from contextlib import suppress

import discord
import structlog
from discord import app_commands

from bot.commands.which_table import AskedWhich, table_choices, which_table
from bot.interactions import consent
from bot.interactions.context import Context, Responder, person
from bot.interactions.reply import Command, Interaction
from bot.messages.board import names
from bot.messages.builder import MessageBuilder, escaped
from bot.messages.click import Click
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines.text import plain, say
from storage.records import Status, Watch

log = structlog.get_logger(__name__)


class Consenting:
    """The commands that need, or concern, the others."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    def register(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        """Add the commands to the tree."""
        for command, complete in (
            (self._undo(), self._own),
            (self._nudge(), self._own),
            (self._substitute(), self._own),
            (self._rematch(), self._finished),
            (self._watch(), self._all),
        ):
            command.autocomplete("game")(complete)
            tree.add_command(command)

    async def _own(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._responder, interaction, current, (Status.PLAYING,), own=True)

    async def _finished(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._responder, interaction, current, (Status.FINISHED,), own=True)

    async def _all(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._responder, interaction, current, (Status.PLAYING,), own=False)

    def _undo(self) -> Command:
        @app_commands.command(name="undo", description="Ask to take your last action back, or agree that somebody does")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if you play at several here")
        async def undo(interaction: Interaction, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await which_table(context, game, Click("undo"))
                    await consent.ask_undo(context, snapshot.table.id)

        return undo

    def _rematch(self) -> Command:
        @app_commands.command(name="rematch", description="Play the same game with the same people once more")
        @app_commands.guild_only()
        @app_commands.describe(game="Which finished table, if there are several here")
        async def rematch(interaction: Interaction, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                if game is None:
                    table_id = await _last_finished(context)
                else:
                    table_id = (await which_table(context, game, Click("rematch"))).table.id
                await consent.open_rematch(context, table_id)

        return rematch

    def _substitute(self) -> Command:
        @app_commands.command(name="substitute", description="Hand a seat over to somebody else")
        @app_commands.guild_only()
        @app_commands.describe(
            newcomer="Who takes the seat over, if they accept",
            leaver="Whose seat: yours, or that of somebody who has just left the game",
            game="Which table, if you play at several here",
        )
        async def substitute(
            interaction: Interaction, newcomer: discord.Member, leaver: discord.Member | None = None, game: str | None = None
        ) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    if newcomer.bot:
                        raise Refused(
                            say("{name} is a bot; bots do not play here.", name=plain(escaped(newcomer.display_name)))
                        )
                    snapshot = await which_table(context, game, Click("more"))
                    leaver_id = context.user.id if leaver is None else leaver.id
                    await context.sessions.consent.hand_over(snapshot.table.id, context.user, leaver_id, person(newcomer))
                    await _let_in(context, snapshot, newcomer)
                    text = say("{who} is asked to take the seat over.", who=plain(newcomer.mention))
                    await context.reply.show(MessageBuilder().text(context.language(text, names(snapshot))))
                    await context.deliver(snapshot.table.id)

        return substitute

    def _nudge(self) -> Command:
        @app_commands.command(name="nudge", description="Remind those who are waited for, once a turn")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if you play at several here")
        async def nudge(interaction: Interaction, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await which_table(context, game, Click("more"))
                    await context.sessions.consent.nudge(snapshot.table.id, context.user)
                    await context.reply.show(MessageBuilder().text(context.language(say("They are being nudged."))))
                    await context.deliver(snapshot.table.id)

        return nudge

    def _watch(self) -> Command:
        @app_commands.command(name="watch", description="Be told when a game moves on, or when it ends")
        @app_commands.guild_only()
        @app_commands.describe(what="What you want to be told of", game="Which table, if there are several here")
        @app_commands.choices(
            what=[
                app_commands.Choice(name="its end", value="end"),
                app_commands.Choice(name="every turn", value="turn"),
                app_commands.Choice(name="nothing any more", value="off"),
            ]
        )
        async def watch(interaction: Interaction, what: str = "end", game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await which_table(context, game, Click("more"), own=False)
                    table_id = snapshot.table.id
                    if what != "off" and snapshot.table.status is not Status.OPEN:
                        snapshot.require(Status.PLAYING)
                    if what not in {"end", "turn", "off"}:
                        raise Refused(say("You can watch for the end, or for every turn."))
                    if snapshot.table.private and snapshot.seat_of(context.user.id) is None:
                        raise Refused(say("Table #{n} is private.", n=table_id))
                    async with context.sessions.repository.store.write() as writer:
                        if what == "off":
                            await writer.remove_watch(table_id, context.user.id)
                        else:
                            await writer.put_watch(Watch(table_id=table_id, user_id=context.user.id, what=what))
                    text = {
                        "end": say("You will be told when the game at table #{n} ends.", n=table_id),
                        "turn": say("You will be told of every turn at table #{n}.", n=table_id),
                        "off": say("You will not be told about table #{n} any more.", n=table_id),
                    }[what]
                    await context.reply.show(MessageBuilder().text(context.language(text)))

        return watch


async def _let_in(context: Context, snapshot: Snapshot, newcomer: discord.Member) -> None:
    """A private game is played in a thread that only its players see; who is asked to join them has to see it too."""
    guild, thread_id = context.interaction.guild, snapshot.table.thread_id
    thread = guild.get_thread(thread_id) if snapshot.table.private and guild is not None and thread_id is not None else None
    if thread is not None:
        try:
            await thread.add_user(newcomer)
        except discord.HTTPException as error:
            log.warning("not let into the thread", table=snapshot.table.id, code=error.code, error=error.text)


async def _last_finished(context: Context) -> int:
    """The game of this channel that the person finished last, also if they left it. Raises Refused if there is none."""
    here = context.interaction.channel_id
    async with context.sessions.repository.store.read() as reader:
        for table in await reader.results(guild_id=context.guild_id, user_id=context.user.id, limit=100):
            if here in {table.channel_id, table.thread_id}:
                return table.id
    raise Refused(say("You have finished no game in this channel. `/play` opens a table."))
