"""`/move`, `/hand`, `/resign`, `/draw`: playing a game."""

from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.commands.which_table import own_games, table_number, which_table
from bot.interactions import ending, looking, playing
from bot.interactions.context import respond, responder_of
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import suggestions
from bot.messages.click import Click, TooLong
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines.text import say
from storage.records import Status

ACTION_LIMIT: Final = 500
"""The longest typed action, in characters. The longest one of any game is far shorter."""

HIGHEST_TABLE = 10**10 - 1
"""The longest number that a table will ever have, to check that a typed action fits into the custom_id of a button."""


@app_commands.command(name="hand", description="See your hand and what only you know")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if you’re in several here")
@app_commands.autocomplete(game=own_games)
async def hand(interaction: Interaction, game: str | None = None) -> None:
    """Show a player what nobody else may see."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("hand"))
        await looking.show_hand(context, snapshot.table.id)


@app_commands.command(name="resign", description="Give up a game")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if you’re in several here")
@app_commands.autocomplete(game=own_games)
async def resign(interaction: Interaction, game: str | None = None) -> None:
    """Ask for confirmation, then resign."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("resign"))
        await ending.ask_resign(context, snapshot.table.id)


@app_commands.command(name="draw", description="Offer a draw, or accept one")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if you’re in several here")
@app_commands.autocomplete(game=own_games)
async def draw(interaction: Interaction, game: str | None = None) -> None:
    """Offer a draw, or agree to the one on offer."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("draw"))
        await ending.offer_draw(context, snapshot.table.id)


# --- typed moves ----------------------------------------------------------------------------------------------------------


@suggestions
async def _actions(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """How the action typed so far may go on. Only the player is offered anything."""
    snapshot = await _table_for(interaction)
    if snapshot is None or snapshot.table.status is not Status.PLAYING:
        return []
    seat = snapshot.viewpoint(interaction.user.id)
    if seat is None:
        return []
    history = snapshot.playing
    language = await responder_of(interaction).private_language(interaction, snapshot)
    words = current.lower().split()
    typed = tuple(words) if current.endswith(" ") or not words else tuple(words[:-1])
    begun = "" if len(typed) == len(words) else words[-1]
    offered = []
    if typed and not begun and history.game.is_whole(history.state, seat, typed):
        offered.append(app_commands.Choice(name=" ".join(typed), value=" ".join(typed)))
    for choice in history.game.choices(history.state, seat, typed):
        if not choice.token.startswith(begun):
            continue
        value = " ".join((*typed, choice.token))
        label = language(choice.label, snapshot.names)
        name = value if label == choice.token else f"{value} – {label}"
        if not choice.final:
            name += " …"
        offered.append(app_commands.Choice(name=name, value=value))
    return offered


async def _table_for(interaction: Interaction) -> Snapshot | None:
    """The table that a `/move` being typed is for, or None if that is not clear yet."""
    if interaction.guild_id is None:
        return None
    sessions = responder_of(interaction).sessions
    named = str(getattr(interaction.namespace, "game", "") or "").strip()
    if named:
        outline = await sessions.outline(table_number(named), interaction.guild_id)
        # Others are offered nothing, and a game that they may not know of is not even read.
        seated = outline.viewpoint(interaction.user.id) is not None
        return await sessions.snapshot(outline.table.id, interaction.guild_id, interaction.user.id) if seated else None
    tables = await sessions.tables(
        guild_id=interaction.guild_id, channel_id=interaction.channel_id, user_id=interaction.user.id,
        statuses=(Status.PLAYING,),
    )  # fmt: skip
    return await sessions.snapshot(tables[0].id, interaction.guild_id, interaction.user.id) if len(tables) == 1 else None


def _typed(action: str) -> Click:
    """The click that plays a typed action once the table is known; if the action is too long, a click that opens the panel."""
    click = Click("typed", tokens=tuple(action.split()))
    try:
        _ = replace(click, table=HIGHEST_TABLE).custom_id
    except TooLong:
        return Click("move")
    return click


@app_commands.command(name="move", description="Type your move")
@app_commands.guild_only()
@app_commands.describe(
    action="Your move, word by word. Suggestions help you along", game="Which game, if you’re in several here"
)
@app_commands.autocomplete(action=_actions, game=own_games)
async def move(interaction: Interaction, action: str, game: str | None = None) -> None:
    """Play an action that was typed."""
    async with respond(interaction) as context:
        if len(action) > ACTION_LIMIT:
            raise Refused(say("No move is that long. Pick one of the suggestions while you type."))
        snapshot = await which_table(context, game, _typed(action))
        played = await context.sessions.play.act(snapshot.table.id, context.user, action, interaction_id=interaction.id)
        await playing.show_played(context, played)


COMMANDS: Final[tuple[Command, ...]] = (move, hand, resign, draw)
