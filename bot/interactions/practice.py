"""Clicks by which somebody practises alone: how well the computer shall play, and the table that is opened then."""

from collections.abc import Mapping
from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.interactions.opening import check_channel, check_permissions, in_own_thread
from bot.messages.click import Click
from bot.messages.computers import practice_message, practice_opened, read_level
from bot.sessions import Snapshot, TableRequest
from bot.sessions.errors import Refused
from engines import GAMES
from engines.text import echoed, say
from storage.records import Level

SETUPS: Final[Mapping[str, Mapping[str, str]]] = {"pucks": {"setup": "random"}}
"""The options with which a game is practised, by its id, where setting it up by hand would be a long beginning."""


async def open_practice(context: Context, game_id: str, level: Level, variant: str | None = None) -> Snapshot:
    """Open a table for the user and one computer, whose game begins at once. The outbox shows it; the answer is the caller's.

    Raises Refused if there is no such game or variant, or no game can be played in this channel.
    """
    interaction, server = context.interaction, await context.sessions.users.server(context.guild_id)
    own_thread = in_own_thread(interaction, server.threads)
    check_channel(server, interaction)
    check_permissions(interaction, thread=own_thread)
    wanted = TableRequest(
        guild_id=context.guild_id,
        channel_id=interaction.channel_id or 0,
        game=game_id,
        variant=variant,
        options=SETUPS.get(game_id, {}),
        computers=(level,),
        most_tables=server.most_tables,
        threaded=own_thread,
        interaction_id=interaction.id,
    )
    return await context.sessions.lobby.open(context.user, wanted)


@handles("practise")
async def _practise(context: Context, click: Click) -> None:
    """The tokens are the game and the level, or as many of them as are known yet."""
    game_id = click.tokens[0] if click.tokens else None
    if game_id is not None and game_id not in GAMES:
        raise Refused(say("There’s no game “{game}”. There are: {games}.", game=echoed(game_id), games=", ".join(GAMES)))
    if game_id is None or len(click.tokens) == 1:
        await context.reply.show(practice_message(context.language, game_id))
        return
    snapshot = await open_practice(context, game_id, read_level(click.tokens[1]))
    async with context.delivering(snapshot.table.id):
        await context.reply.show(practice_opened(snapshot, context.language))


HANDLERS: Final = (_practise,)
