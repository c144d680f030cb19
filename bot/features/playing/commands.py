"""`/move`, which plays a typed move, and `/board` and `/games`, which show boards and tables."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.core.listing import Lists
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.history import History
from bot.core.table.snapshot import Snapshot
from bot.features.playing import handlers as playing
from bot.features.playing import looking
from bot.interactions.context import Context, respond, responder_of
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import suggestions
from bot.interactions.tables import OWN_TURNS, STARTED_GAMES, label_of, table_command, table_number, table_to_see, which_table
from bot.messages.builder import OPTION_LIMIT, clip
from bot.messages.click import Click, TooLong
from engines.game import Action, is_whole
from engines.text import say
from storage.schema.records import Status

ACTION_LIMIT: Final = 500
"""The maximum length of a typed action, in characters. It is far more than the longest action of any game."""

HIGHEST_TABLE = 10**10 - 1
"""The highest possible table number, used to check that a click with a typed action fits into a button's custom_id."""

_NAMED: Final = re.compile(r"\s*#([0-9]{1,18})(?:\s+|$)")
"""A table number before a typed action. It cannot be mistaken for a token of a game."""


@suggestions
async def _actions(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest how a typed action may go on. Words that are not tokens of the action are searched for in the suggestions."""
    begun_with, current = _named_in(current)
    found = await _tables_for(interaction, begun_with)
    if len(found) > 1:
        return await _which(interaction, found, current)
    if not found or found[0].table.status is not Status.PLAYING:
        return []
    before, snapshot = "" if begun_with is None else f"#{begun_with} ", found[0]
    seat = snapshot.viewpoint(interaction.user.id)
    if seat is None:
        return []
    history = snapshot.playing
    language = await responder_of(interaction).private_language(interaction, snapshot)
    typed, sought = _typed(history, seat, current)
    offered = []
    if typed and not sought and is_whole(history.game, history.state, seat, typed):
        offered.append(app_commands.Choice(name=" ".join(typed), value=before + " ".join(typed)))
    begun, within = [], []
    for choice in history.game.choices(history.state, seat, typed):
        value = " ".join((*typed, choice.token))
        label = language(choice.label, snapshot.names)
        name = value if label == choice.token else f"{value} – {label}"
        suggestion = app_commands.Choice(name=name if choice.final else f"{name} …", value=before + value)
        if choice.token.startswith(sought):
            begun.append(suggestion)
        elif sought in f"{choice.token} {label}".casefold():
            within.append(suggestion)
    return [*offered, *begun, *within]


def _typed(history: History, seat: int, current: str) -> tuple[Action, str]:
    """Return the tokens at the beginning of the typed text, and the rest of it, which is searched for in the next choices."""
    words = current.casefold().split()
    tokens: Action = ()
    finished = words if current.endswith(" ") else words[:-1]
    for word in finished:
        if all(choice.token != word for choice in history.game.choices(history.state, seat, tokens)):
            break
        tokens = (*tokens, word)
    return tokens, " ".join(words[len(tokens) :])


def _named_in(action: str) -> tuple[int | None, str]:
    """Split a typed action into the table number that a suggestion put at its beginning, or None, and the rest."""
    found = _NAMED.match(action)
    return (None, action) if found is None else (int(found[1]), action[found.end() :])


async def _which(interaction: Interaction, found: Sequence[Snapshot], current: str) -> list[app_commands.Choice[str]]:
    language, sought = await responder_of(interaction).private_language(interaction), current.casefold().strip()
    labels = {snapshot.table.id: label_of(snapshot, language) for snapshot in found}
    return [
        app_commands.Choice(name=clip(f"{label} …", OPTION_LIMIT), value=f"#{number} ")
        for number, label in labels.items()
        if sought in label.casefold()
    ]


async def _tables_for(interaction: Interaction, begun_with: int | None) -> list[Snapshot]:
    """Return the table meant by a `/move` being typed, or several if that is unclear. `begun_with` is its number, if typed."""
    if interaction.guild_id is None:
        return []
    core = responder_of(interaction).core
    option = str(getattr(interaction.namespace, "game", "") or "").strip()
    named = option if begun_with is None else str(begun_with)
    if named:
        outline = await core.summary(table_number(named), interaction.guild_id)
        # Other users get no suggestions. A game that they may not know about is not even read.
        seated = outline.viewpoint(interaction.user.id) is not None
        return [await core.snapshot(outline.table.id, interaction.guild_id, interaction.user.id)] if seated else []
    tables = await core.tables(
        guild_id=interaction.guild_id, channel_id=interaction.channel_id, user_id=interaction.user.id,
        statuses=(Status.PLAYING,),
    )  # fmt: skip
    if len(tables) == 1:
        return [await core.snapshot(tables[0].id, interaction.guild_id, interaction.user.id)]
    return await core.service(Lists).turns(interaction.guild_id, interaction.user.id, interaction.channel_id)


@table_command("move", description="Type your move", games=OWN_TURNS)
@app_commands.describe(action="Your move, word by word. Suggestions help you along")
@app_commands.autocomplete(action=_actions)
async def move(context: Context, action: str, game: str | None = None) -> None:
    """Play a typed action."""
    if len(action) > ACTION_LIMIT:
        raise Refused(say("No move is that long. Pick one of the suggestions while you type."))
    begun_with, action = _named_in(action)
    named = game if begun_with is None else str(begun_with)
    ask = Click("typed", tokens=tuple(action.split()))
    try:
        _ = replace(ask, table=HIGHEST_TABLE).custom_id
    except TooLong:
        ask = Click("move")  # which opens the panel
    table_id = await which_table(context, named, ask, turn=True)
    if begun_with is not None and not action.strip():
        await playing.open_panel(context, table_id)
        return
    played = await context.core.service(Play).act(table_id, context.user, action, interaction_id=context.interaction.id)
    await playing.show_played(context, played)


@table_command("board", description="See a game, with all that you can do there", games=STARTED_GAMES)
async def board(context: Context, game: str | None = None) -> None:
    """Show a board to the user alone, with buttons for what they can do at its table."""
    await looking.show_board(context, await table_to_see(context, game, Click("board")))


@app_commands.command(name="games", description="See what’s on here, your games first")
@app_commands.guild_only()
@app_commands.describe(mine="Only games you’re in or invited to")
async def games(interaction: Interaction, mine: bool = False) -> None:
    """List the tables, those waiting for the user first."""
    async with respond(interaction) as context:
        await looking.show_list(context, mine=mine)


COMMANDS: Final[tuple[Command, ...]] = (move, board, games)
