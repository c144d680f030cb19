"""`/replay`, and the buttons that look back on the whole game or on what happened since the user's last turn."""

from contextlib import nullcontext
from typing import Final

from discord import app_commands

from bot.core.table.snapshot import Snapshot
from bot.features.replays.messages import animation, drawn
from bot.features.replays.recap import anything_in, nothing_message, past_of, recap_message
from bot.features.replays.results import public_replay_message, replay_message
from bot.features.verify.service import Proof
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.heavy import in_turn, in_turn_once
from bot.interactions.reply import Command
from bot.interactions.sharing import may_share
from bot.interactions.tables import STARTED_GAMES, started_table, table_command, with_way_back
from bot.messages.builder import NOBODY
from bot.messages.click import Click
from bot.messages.pictures import Perspective, looking_back
from bot.outbox.access import Access
from bot.outbox.jobs import Jobs
from storage.schema.records import Job, JobKind

LOG: Final = "log"
"""The token of a click that asks for the log without the animation."""


def looking_back_for(context: Context, snapshot: Snapshot) -> Perspective:
    """Return the perspective from which the user looks back on a game."""
    own = context.settings
    return looking_back(snapshot, context.user.id, context.language, high_contrast=own.high_contrast, turned=own.turn_board)


async def show_replay(context: Context, table_id: int, *, animated: bool = True, public: bool = False) -> None:
    """Show the game so far as an animation, with its log as a file."""
    snapshot = await context.snapshot(table_id)
    perspective = looking_back_for(context, snapshot)
    if public:
        perspective = looking_back(snapshot, None, await context.public_language(snapshot))
    # A finished game is replayed for the draws in its log.
    takes_long = animated or snapshot.table.is_over
    async with in_turn(context) if takes_long else nullcontext():
        log = await context.core.service(Proof).log(snapshot)
        message = await replay_message(
            snapshot, perspective, log, animated=animated, shareable=not public and may_share(context, snapshot)
        )
    await context.reply.show(with_way_back(context, snapshot, message))


@handles("replay", tokens=Tokens((is_word,), least=0))
async def _replay(context: Context, click: Click) -> None:
    await show_replay(context, click.table, animated=LOG not in click.tokens)


async def show_recap(context: Context, table_id: int) -> None:
    """Privately show the user what has happened since their last action."""
    snapshot = await context.snapshot(table_id)
    perspective = looking_back_for(context, snapshot)
    past, playing = past_of(snapshot, perspective, context.user.id), snapshot.viewpoint(context.user.id) is not None
    if not anything_in(past):
        await context.reply.show(with_way_back(context, snapshot, nothing_message(past, playing=playing)))
        return
    made = drawn(past)
    if made is None and past.steps:
        made = await in_turn_once(context, past.key(), lambda: animation(past))
    await context.reply.show(with_way_back(context, snapshot, recap_message(past, made, playing=playing)))


@handles("happened")
async def _happened(context: Context, click: Click) -> None:
    await show_recap(context, click.table)


HANDLERS: Final = (_replay, _happened)


@table_command("replay", description="Watch a game again from the start", games=STARTED_GAMES)
@app_commands.describe(shape="Animation and log, or just the log", public="Show it to everybody here")
@app_commands.rename(shape="format")
@app_commands.choices(
    shape=[
        app_commands.Choice(name="animation and log", value="animation"),
        app_commands.Choice(name="just the log", value=LOG),
    ]
)
async def replay(context: Context, game: str | None = None, shape: str = "animation", public: bool = False) -> None:
    """Show a game as an animation and a log, or only as a log."""
    ask = Click("replay", tokens=(LOG,) if shape == LOG else ())
    table_id = await started_table(context, game, ask, may_ask=not public)
    await show_replay(context, table_id, animated=shape != LOG, public=public)


COMMANDS: Final[tuple[Command, ...]] = (replay,)


async def _post_replay(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Post the replay of a game, unless the game had only a few moves."""
    if snapshot.history is None or not snapshot.history.worth_replaying:
        return
    builder = await public_replay_message(snapshot, looking_back(snapshot, None, access.language(snapshot)))
    await access.send(access.place(snapshot), job, builder, f"r{job.id}-{int(job.created_at)}", NOBODY)


JOBS: Final = Jobs(about_tables={JobKind.REPLAY: _post_replay})
