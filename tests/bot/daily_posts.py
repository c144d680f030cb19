"""Daily puzzles for servers with daily posts, and people who solve them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Final

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.features.posts.service import Posts
from bot.features.puzzles import sql as puzzles_sql
from bot.features.puzzles.daily import Dailies
from bot.features.puzzles.service import Puzzles, owe_edits
from opponents.puzzles.collection import Collection
from opponents.puzzles.puzzle import Puzzle
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import Post, PostKind, PuzzleOutcome
from tests.bot.kit import World, buttons
from tests.bot.puzzles import LONG, SHORT, collection, numbered, puzzles
from tests.bot.seated import core_of
from tests.bot.service import DAY, HOUR

DAYS: Final = tuple(numbered(LONG if number % 2 else SHORT, 100 + number) for number in range(100))
"""Puzzles for a hundred days, alternately long and short."""


@contextmanager
def dailies(*days: Puzzle | None) -> Iterator[Collection]:
    """Give a bot that starts in this block these daily puzzles. The first belongs to a world's first day."""
    with puzzles(collection(days=days or DAYS, first=date(2026, 1, 1))) as known:
        yield known


def posts_in(world: World, channel: ChannelHandle | None = None) -> list[Any]:
    """The daily post's messages in a channel, oldest first."""
    return [message for message in world.messages(channel) if "Daily bounce #" in world.text(message)]


def open_posts(world: World, channel: ChannelHandle | None = None) -> list[Any]:
    return [message for message in posts_in(world, channel) if "Solve" in [one.label for one in buttons(message)]]


async def day_of(world: World) -> int:
    with world.env._bot_scope():
        return (await core_of(world).service(Dailies).today(world.guild.id)).number


async def post_of(world: World) -> Post | None:
    with world.env._bot_scope():
        return await core_of(world).service(Posts).get(world.guild.id, PostKind.DAILY)


async def until_hour(world: World, hour: int, after: float = 0.0) -> None:
    """Let time pass until the next time it is this hour in UTC, plus some seconds."""
    await world.pass_time(((hour * HOUR - world.now()) % DAY or DAY) + after)


async def solve(world: World, member: MemberActor, day: int, *, wrong: int = 0, given_up: bool = False) -> None:
    """Solve or give up a day's puzzle after some wrong actions, without opening it."""
    core, puzzle = core_of(world), core_of(world).service(Puzzles).collection.of_day(day)
    assert puzzle is not None
    with world.env._bot_scope():
        results = await core.service(Dailies).results(world.guild.id, day)
    assert results is not None
    attempt = PuzzleAttempt(
        user_id=member.id, puzzle=puzzle.name, name=member.user.global_name or member.name, guild_id=world.guild.id, day=day,
        day_ends=results.ends, began_at=world.now(), ended_at=world.now(), used_at=world.now(),
        outcome=PuzzleOutcome.GIVEN_UP if given_up else PuzzleOutcome.SOLVED, judged=(False,) * wrong + (True,), ongoing=False,
        solved=int(not given_up), given_up=int(given_up),
    )  # fmt: skip
    with world.env._bot_scope():
        async with core.store.write() as writer:
            await puzzles_sql.put(writer, attempt)
            await owe_edits(writer, core.now(), (attempt,))
        world.client.outbox.wake()
    await world.settle()
