"""Commands about a table: their decorator, and finding the table by number, or as the user's only one in this channel."""

import functools
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import app_commands, ui

from bot.core.listing import Lists
from bot.core.play import still_in
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.interactions.context import Answered, Context, respond, responder_of
from bot.interactions.reply import Command, Interaction, in_panel
from bot.interactions.suggestions import Suggest, suggestions
from bot.messages.board import after_buttons, ending, heading
from bot.messages.builder import OPTION_LIMIT, MessageBuilder, button, clip
from bot.messages.click import Click, table_value
from bot.messages.pictures import Perspective, picture
from bot.messages.players import names_with_levels
from bot.messages.story import since_own_turn
from engines import GAMES
from engines.text import echoed, say
from storage.schema.records import Status

BUTTONS_AT_MOST: Final = 5
"""The most tables that are offered as buttons. If there are more, they are offered in a menu."""

OFFERED_AT_MOST: Final = 25
"""The most options that Discord allows in a menu."""

SUGGESTED_AT_MOST: Final = 25
"""The most suggestions that Discord allows."""

SEARCHED_AT_MOST: Final = 2000
"""The most tables that are searched for a typed text, since suggestions have to come soon."""


# --- the option `game` ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Games:
    """The tables that are suggested for a command's option `game`.

    Attributes:
        own: whether only the user's own tables are suggested, rather than all that they may look at.
        turn: whether only games that wait for the user are suggested, if there are any.
    """

    description: str
    statuses: Collection[Status]
    own: bool = False
    turn: bool = False

    @property
    def suggest(self) -> Suggest:
        """The autocomplete callback for the option."""

        @suggestions
        async def suggest(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
            return await _choices(interaction, current, self)

        return suggest


OWN_GAMES: Final = Games(description="Which game, if you’re in several here", statuses=(Status.PLAYING,), own=True)
OWN_TURNS: Final = Games(
    description="Which game, if it’s your turn in several here", statuses=(Status.PLAYING,), own=True, turn=True
)
RUNNING_GAMES: Final = Games(description="Which game, if there’s more than one here", statuses=(Status.PLAYING,))
FINISHED_GAMES: Final = Games(description="Which game, if there’s more than one here", statuses=(Status.FINISHED,))
STARTED_GAMES: Final = Games(
    description="Which game, if there’s more than one here", statuses=(Status.PLAYING, Status.FINISHED)
)


def table_command(
    name: str, *, description: str, games: Games = OWN_GAMES
) -> Callable[[Callable[..., Awaitable[None]]], Command]:
    """Make a function a slash command about a table, which the user may name with the command's option `game`.

    The function gets the answer's context and the options. An option `public` makes the answer public. See `which_table`.
    """

    def decorate(callback: Callable[..., Awaitable[None]]) -> Command:
        async def answer(interaction: Interaction, **options: Any) -> None:
            async with respond(interaction, public=options.get("public", False)) as context:
                await callback(context, **options)

        functools.update_wrapper(answer, callback)  # Discord is told of the options of the callback
        app_commands.describe(game=games.description)(answer)
        app_commands.autocomplete(game=games.suggest)(answer)
        return app_commands.guild_only(make(answer))

    make: Callable[[Any], Command] = app_commands.command(name=name, description=description)
    return decorate


# --- the table that is meant ----------------------------------------------------------------------------------------------


async def which_table(context: Context, named: str | None, ask: Click, *, own: bool = True, turn: bool = False) -> int:
    """Return the number of the table that a command means. It is the one `named` by the option `game`, or one in this channel.

    `ask` is the click that carries out the command at a table, for a user who has to choose one. `own` says that the user must
    play at the table. `turn` says that a game that waits for them is meant, if there is one.

    Raises:
        Refused: there is no such table, or no running game in this channel.
        Answered: there are several, and the user was asked which one is meant.
    """
    if named is not None:
        return (await context.snapshot(table_number(named))).table.id
    found = await _running(context, own=own)
    if turn and len(found) > 1:
        here = context.interaction.channel_id
        found = await context.core.service(Lists).turns(context.guild_id, context.user.id, here) or found
    if own and not found:
        raise Refused(say("You’re not in a game in this channel. Find yours with `/games`, or start one with `/play`."))
    if not found:
        raise _nothing_here()
    return await _one_of(context, found, ask)


async def table_to_see(context: Context, named: str | None, ask: Click) -> int:
    """Return the table to show: `named`, the user's own here, or a running or last finished one. Raises as `which_table`."""
    if named is not None:
        return await which_table(context, named, ask)
    if found := await _running(context, own=True) or await _running(context, own=False):
        return await _one_of(context, found, ask)
    if (last := await _last_finished(context)) is None:
        raise _nothing_here()
    return last


async def _running(context: Context, *, own: bool) -> list[Snapshot]:
    """Return the running games in this channel, or only the user's `own`. At most one more is returned than is offered."""
    running = context.core.service(Lists).summaries(
        guild_id=context.guild_id, channel_id=context.interaction.channel_id, statuses=(Status.PLAYING,),
        user_id=context.user.id if own else None, seen_by=context.user.id, limit=OFFERED_AT_MOST + 1,
    )  # fmt: skip
    return [summary async for summary in running]


def _nothing_here() -> Refused:
    return Refused(say("There’s no game in this channel. Find some with `/games`, or start one with `/play`."))


async def _one_of(context: Context, found: Sequence[Snapshot], ask: Click) -> int:
    """Return the number of the only table. If there are several, ask the user and raise Answered."""
    if len(found) > 1:
        await _ask(context, found, ask)
        raise Answered
    return found[0].table.id


async def _ask(context: Context, found: Sequence[Snapshot], ask: Click) -> None:
    """Ask the user which of several tables is meant. The buttons or the menu carry out the command at the table chosen."""
    tables = {snapshot.table.id: label_of(snapshot, context.language) for snapshot in found[:OFFERED_AT_MOST]}
    builder = MessageBuilder().text(context.language(say("There’s more than one game here. Which one?")))
    if len(found) <= BUTTONS_AT_MOST:
        builder.buttons([button(label, replace(ask, table=number).custom_id) for number, label in tables.items()])
    else:
        placeholder = context.language(say("Pick a game"))
        options = [
            discord.SelectOption(label=clip(label, OPTION_LIMIT), value=table_value(number)) for number, label in tables.items()
        ]
        builder.select(ui.Select(custom_id=ask.custom_id, placeholder=placeholder, options=options))
    if len(found) > OFFERED_AT_MOST:
        newest = say("-# These are the newest {n}. For an older one, use the `game` option.", n=OFFERED_AT_MOST)
        builder.text(context.language(newest))
    await context.reply.show(builder)


def label_of(snapshot: Snapshot, language: Language) -> str:
    """Return a short description of a table, such as "#12 Bouncers: Ann, Ben"."""
    who = ", ".join(map(language, names_with_levels(snapshot, snapshot.names)))
    return f"#{snapshot.table.id} {language(GAMES[snapshot.table.game].title)}: {who}"


_NUMBER: Final = re.compile(r"#{0,3}\s*([0-9]{1,18})")


def table_number(named: str) -> int:
    """Return the number of a table given as "12" or "#12". Raises Refused if that is not a number."""
    found = _NUMBER.fullmatch(named.strip())
    if found is None:
        raise Refused(say("“{named}” isn’t the number of a game. `/games` lists them.", named=echoed(named)))
    return int(found[1])


async def _choices(interaction: Interaction, current: str, games: Games) -> list[app_commands.Choice[str]]:
    """Return this server's tables whose labels contain the typed text. Those of this channel come first."""
    if interaction.guild_id is None:
        return []
    responder = responder_of(interaction)
    lang, here = await responder.private_language(interaction), interaction.channel_id
    found: dict[int, str] = {}
    waiting: set[int] = set()
    if games.turn:
        turns = await responder.core.service(Lists).turns(interaction.guild_id, interaction.user.id, None)
        waiting = {snapshot.table.id for snapshot in turns}
    for channel in (here, None):
        searched = 0
        async for snapshot in responder.core.service(Lists).summaries(
            guild_id=interaction.guild_id, user_id=interaction.user.id if games.own else None, seen_by=interaction.user.id,
            statuses=games.statuses, channel_id=channel,
        ):  # fmt: skip
            label = label_of(snapshot, lang)
            if current.lower() in label.lower() and (not waiting or snapshot.table.id in waiting):
                found.setdefault(snapshot.table.id, label)
            searched += 1
            if len(found) == SUGGESTED_AT_MOST or searched == SEARCHED_AT_MOST:
                break
    return [app_commands.Choice(name=clip(label, 100), value=str(number)) for number, label in found.items()]


async def at_table(context: Context, snapshot: Snapshot) -> tuple[Snapshot, int]:
    """Return a running game and the user's seat. Raises WrongStage, NotSeated, Refused, or Answered after showing a result."""
    if snapshot.table.is_over and snapshot.history is not None:
        await context.reply.show(await over_message(snapshot, context.perspective(snapshot.viewpoint(context.user.id))))
        raise Answered
    snapshot.require(Status.PLAYING)
    return snapshot, still_in(snapshot, context.user)


async def over_message(snapshot: Snapshot, perspective: Perspective, note: str = "") -> MessageBuilder:
    """Return the panel of a finished game, with `note` above the board, where a phone shows all of it above the buttons."""
    language = perspective.language
    events = () if perspective.seat is None else since_own_turn(snapshot, perspective.seat)
    builder = MessageBuilder().text(heading(snapshot, language)).text(note)
    builder.picture(await picture(snapshot.position, perspective, events=events))
    builder.text(ending(snapshot, language, perspective.seat if snapshot.table.solo else None))
    return builder.buttons(after_buttons(snapshot, language, private=True))


STARTED = (Status.PLAYING, Status.FINISHED)


async def started_table(context: Context, named: str | None, ask: Click, *, may_ask: bool) -> int:
    """Return the table to look back on: the one `named`, the user's own in this channel, or the newest one there.

    Raises:
        Refused: there is no such game, or there are several and everybody would see the question which one is meant.
        Answered: there are several, and the user was asked which one is meant.
    """
    if named is None:
        channel = context.interaction.channel_id
        own = await context.core.tables(
            guild_id=context.guild_id, channel_id=channel, user_id=context.user.id, statuses=(Status.PLAYING,)
        )
        if len(own) > 1 and not may_ask:
            raise Refused(say("There’s more than one game here. Pick one with the `game` option."))
        if not own:
            lists = context.core.service(Lists)
            started = lists.summaries(
                guild_id=context.guild_id, channel_id=channel, seen_by=context.user.id, statuses=STARTED, limit=100
            )
            found = [summary async for summary in started]
            if not found:
                raise Refused(say("No games in this channel yet. See `/games`, or start one with `/play`."))
            named = str(found[0].table.id)
    return await which_table(context, named, ask)


async def _last_finished(context: Context) -> int | None:
    """Return the game that the user finished last in this channel, else the newest one finished there, or None."""
    lists, here = context.core.service(Lists), context.interaction.channel_id
    if (last := await lists.last_finished(context.guild_id, context.user.id, here)) is not None:
        return last.id
    async for summary in lists.summaries(
        guild_id=context.guild_id, channel_id=here, seen_by=context.user.id, statuses=(Status.FINISHED,), limit=1
    ):
        return summary.table.id
    return None


def with_way_back(context: Context, snapshot: Snapshot, message: MessageBuilder) -> MessageBuilder:
    """Add *Back* to a message that replaces a player's private one. It leads back to their turn, or to the result."""
    if (back := way_back(context, snapshot)) is not None:
        message.buttons([button(context.language(say("Back")), back.custom_id)])
    return message


def way_back(context: Context, snapshot: Snapshot) -> Click | None:
    """Return the click that leads players back to their private message or the result, or None outside private messages."""
    user_id = context.user.id
    seat = snapshot.seat_of(user_id) if snapshot.table.is_over else snapshot.viewpoint(user_id)
    if not in_panel(context.interaction) or seat is None:
        return None
    return Click("move", snapshot.table.id, snapshot.table.version)
