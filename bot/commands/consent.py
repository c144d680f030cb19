"""`/undo`, `/rematch`, `/substitute`, `/nudge`, `/watch`: what concerns the others at a table."""

from contextlib import suppress

import discord
import structlog
from discord import app_commands

from bot.commands.which_table import AskedWhich, table_choices, which_table
from bot.interactions import consent
from bot.interactions.context import Counter, Front, person
from bot.interactions.reply import Command, Interaction
from bot.messages.board import names
from bot.messages.builder import Sheet, escaped
from bot.messages.click import Click
from bot.sessions import Glance
from bot.sessions.errors import Refused
from engines.text import plain, say
from storage.records import Status, Watch

log = structlog.get_logger(__name__)


class Consenting:
    """The commands that need, or concern, the others."""

    def __init__(self, front: Front) -> None:
        self._front = front

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
        return await table_choices(self._front, interaction, current, (Status.PLAYING,), own=True)

    async def _finished(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._front, interaction, current, (Status.FINISHED,), own=True)

    async def _all(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._front, interaction, current, (Status.PLAYING,), own=False)

    def _undo(self) -> Command:
        @app_commands.command(name="undo", description="Ask to take your last action back, or agree that somebody does")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if you play at several here")
        async def undo(interaction: Interaction, game: str | None = None) -> None:
            async with self._front.answer(interaction) as counter:
                with suppress(AskedWhich):
                    glance = await which_table(counter, game, Click("undo"))
                    await consent.ask_undo(counter, glance.table.id)

        return undo

    def _rematch(self) -> Command:
        @app_commands.command(name="rematch", description="Play the same game with the same people once more")
        @app_commands.guild_only()
        @app_commands.describe(game="Which finished table, if there are several here")
        async def rematch(interaction: Interaction, game: str | None = None) -> None:
            async with self._front.answer(interaction) as counter:
                if game is None:
                    table_id = await _last_finished(counter)
                else:
                    table_id = (await which_table(counter, game, Click("rematch"))).table.id
                await consent.open_rematch(counter, table_id)

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
            async with self._front.answer(interaction) as counter:
                with suppress(AskedWhich):
                    if newcomer.bot:
                        raise Refused(
                            say("{name} is a bot; bots do not play here.", name=plain(escaped(newcomer.display_name)))
                        )
                    glance = await which_table(counter, game, Click("more"))
                    leaver_id = counter.user.id if leaver is None else leaver.id
                    await counter.sessions.consent.hand_over(glance.table.id, counter.user, leaver_id, person(newcomer))
                    await _let_in(counter, glance, newcomer)
                    text = say("{who} is asked to take the seat over.", who=plain(newcomer.mention))
                    await counter.reply.show(Sheet().text(counter.language(text, names(glance))))
                    await counter.deliver(glance.table.id)

        return substitute

    def _nudge(self) -> Command:
        @app_commands.command(name="nudge", description="Remind those who are waited for, once a turn")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if you play at several here")
        async def nudge(interaction: Interaction, game: str | None = None) -> None:
            async with self._front.answer(interaction) as counter:
                with suppress(AskedWhich):
                    glance = await which_table(counter, game, Click("more"))
                    await counter.sessions.consent.nudge(glance.table.id, counter.user)
                    await counter.reply.show(Sheet().text(counter.language(say("They are being nudged."))))
                    await counter.deliver(glance.table.id)

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
            async with self._front.answer(interaction) as counter:
                with suppress(AskedWhich):
                    glance = await which_table(counter, game, Click("more"), own=False)
                    table_id = glance.table.id
                    if what != "off" and glance.table.status is not Status.OPEN:
                        glance.require(Status.PLAYING)
                    if what not in {"end", "turn", "off"}:
                        raise Refused(say("You can watch for the end, or for every turn."))
                    if glance.table.private and glance.seat_of(counter.user.id) is None:
                        raise Refused(say("Table #{n} is private.", n=table_id))
                    async with counter.sessions.desk.store.write() as writer:
                        if what == "off":
                            await writer.remove_watch(table_id, counter.user.id)
                        else:
                            await writer.put_watch(Watch(table_id=table_id, user_id=counter.user.id, what=what))
                    text = {
                        "end": say("You will be told when the game at table #{n} ends.", n=table_id),
                        "turn": say("You will be told of every turn at table #{n}.", n=table_id),
                        "off": say("You will not be told about table #{n} any more.", n=table_id),
                    }[what]
                    await counter.reply.show(Sheet().text(counter.language(text)))

        return watch


async def _let_in(counter: Counter, glance: Glance, newcomer: discord.Member) -> None:
    """A private game is played in a thread that only its players see; who is asked to join them has to see it too."""
    guild, thread_id = counter.interaction.guild, glance.table.thread_id
    thread = guild.get_thread(thread_id) if glance.table.private and guild is not None and thread_id is not None else None
    if thread is not None:
        try:
            await thread.add_user(newcomer)
        except discord.HTTPException as error:
            log.warning("not let into the thread", table=glance.table.id, code=error.code, error=error.text)


async def _last_finished(counter: Counter) -> int:
    """The game of this channel that the person finished last, also if they left it. Raises Refused if there is none."""
    here = counter.interaction.channel_id
    async with counter.sessions.desk.store.read() as reader:
        for table in await reader.results(guild_id=counter.guild_id, user_id=counter.user.id, limit=100):
            if here in {table.channel_id, table.thread_id}:
                return table.id
    raise Refused(say("You have finished no game in this channel. `/play` opens a table."))
