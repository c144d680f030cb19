"""Actions for players who have missed a deadline, chosen by the game (mostly at random) or by a computer."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import structlog

from bot.core.parts import Answers, BySeat
from bot.core.table.history import History
from bot.core.table.imagining import imagine, memory_of
from bot.core.table.snapshot import Snapshot
from engines.game import Action, check, is_whole, passive_action
from opponents.asked import choose
from storage.schema.records import Entry, EntryKind, Level, Status

FEWEST_SEATS: Final = 3
"""The fewest seats at which a computer acts for absent players. In a game for two, a missed deadline loses the game."""

CHOSEN_AT_MOST: Final = 30
"""The most actions in a row that a computer chooses for absent players. The game chooses all further ones."""

PATIENCE: Final = 5.0
"""The most seconds to wait for a computer's choice. No other deadline is handled in the meantime."""

Choices = Mapping[tuple[int, int], Action]
"""The actions chosen for absent players, by the version of the game at which they are chosen, and by seat."""

Think = Callable[..., Awaitable[Any]]
"""A function that calls another with values, without blocking the event loop. See `bot.thinking.thinking`."""

log = structlog.get_logger(__name__)


async def in_thread(function: Callable[..., Any], *values: object, **_: object) -> Any:
    """Call a function in a thread. This is for a bot without processes that could think for absent players."""
    return await asyncio.to_thread(function, *values)


def absent_action(history: History, seat: int) -> Action:
    """Return the game's choice for an absent player. It is always the same at the same point of the same game."""
    rng = random.Random(f"{history.version}.{seat}")  # noqa: S311 - not one of the game's own draws
    return passive_action(history.game, history.state, seat, rng)


def action_for(history: History, seat: int, choices: Choices) -> Action:
    """Return the computer's choice for an absent player if that is legal, and otherwise the game's."""
    action = choices.get((history.version, seat))
    if action is not None and is_whole(history.game, history.state, seat, action):
        return action
    return absent_action(history, seat)


async def choices_for(snapshot: Snapshot, now: float, think: Think, answers: Answers) -> Choices:
    """Return a computer's choices for players out of time, made before the transaction. Empty if the game is to choose."""
    found: dict[tuple[int, int], Action] = {}
    if snapshot.server_settings.absent != "computer" or snapshot.table.status is not Status.PLAYING:
        return found
    history = snapshot.playing
    plans: BySeat = {plan.seat: plan for plan in snapshot.plans}
    for seat in history.to_act:
        while seat in history.to_act and len(found) < CHOSEN_AT_MOST:
            action = await _ask_computer(snapshot, history, seat, think)
            if action is None:
                return found
            found[history.version, seat] = action
            entry = Entry(
                table_id=snapshot.table.id, number=history.version + 1, kind=EntryKind.PLAY, seat=seat, tokens=action,
                user_id=None, at=now,
            )  # fmt: skip
            history, plans = answers.with_answers(history.with_new_entry(entry), plans)
    return found


async def _ask_computer(snapshot: Snapshot, history: History, seat: int, think: Think) -> Action | None:
    """Return a computer's action for a seat, or None if it fails or takes too long."""
    table, stream = snapshot.table, f"{snapshot.table.id}.{history.version}.{seat}"
    try:
        async with asyncio.timeout(PATIENCE):
            thought = await think(
                choose, table.game, table.rules, str(Level.EASY), imagine(history, seat, stream), seat,
                memory_of(history, seat), stream, server=table.guild_id, person=snapshot.players[seat].user_id,
            )  # fmt: skip
        action = tuple(thought.action)
        check(history.game, history.state, seat, action)
    except Exception:
        log.exception("no computer has acted for somebody who is away, so the game does", table=table.id, game=table.game)
        return None
    return action
