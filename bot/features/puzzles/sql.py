"""SQL statements for attempts at puzzles, ratings, and withdrawn days."""

from collections.abc import Mapping
from typing import Final

import sqlalchemy as sa

from storage.schema.puzzle_records import PuzzleAttempt, PuzzleRating, SolverRating, VoidedDay
from storage.schema.records import PuzzleOutcome
from storage.schema.tables import puzzle_attempts, puzzle_ratings, solver_ratings, voided_days
from storage.transactions import Reader, Writer

RATING: Final = 0x5350_5249_4E4A
"""The key of the lock held while a first attempt is rated, since that changes a puzzle's rating. It is no user's id."""

_OWN: Final = sa.select(puzzle_attempts).where(puzzle_attempts.c.user_id == sa.bindparam("user_id"))
_NEWEST_FIRST: Final = (puzzle_attempts.c.used_at.desc(), puzzle_attempts.c.puzzle)
_ONE: Final = _OWN.where(puzzle_attempts.c.puzzle == sa.bindparam("puzzle"))
_ONGOING: Final = _OWN.where(puzzle_attempts.c.ongoing.is_(True)).order_by(*_NEWEST_FIRST)
_OF_DAYS: Final = _OWN.where(puzzle_attempts.c.day.is_not(None)).order_by(puzzle_attempts.c.day.desc())


async def get(reader: Reader, user_id: int, puzzle: str) -> PuzzleAttempt | None:
    """Return a person's attempt at a puzzle, or None if there is no readable one."""
    return next(iter(await reader.readable(PuzzleAttempt, _ONE, user_id=user_id, puzzle=puzzle)), None)


async def ongoing(reader: Reader, user_id: int) -> tuple[PuzzleAttempt, ...]:
    """Return a person's ongoing attempts, the most recently used first."""
    return await reader.readable(PuzzleAttempt, _ONGOING, user_id=user_id)


async def attempted(reader: Reader, user_id: int) -> Mapping[str, float]:
    """Return the puzzles that a person has attempted, by name, with the time at which the person last used each of them."""
    found = sa.select(puzzle_attempts.c.puzzle, puzzle_attempts.c.used_at).where(puzzle_attempts.c.user_id == user_id)
    rows = [(row["puzzle"], row["used_at"]) for row in (await reader.execute(found)).mappings()]
    return {name: used for name, used in rows if isinstance(name, str) and isinstance(used, int | float)}


async def of_days(reader: Reader, user_id: int) -> tuple[PuzzleAttempt, ...]:
    """Return a person's attempts at daily puzzles, the latest day first."""
    return await reader.readable(PuzzleAttempt, _OF_DAYS, user_id=user_id)


async def of_server(reader: Reader, guild_id: int, first: int, last: int) -> tuple[PuzzleAttempt, ...]:
    """Return the solved attempts at the puzzles of some days that were begun on a server, in the order in which they ended."""
    solved = (puzzle_attempts.c.guild_id == guild_id, puzzle_attempts.c.outcome == PuzzleOutcome.SOLVED)
    days = puzzle_attempts.c.day.between(first, last)
    order = (puzzle_attempts.c.ended_at, puzzle_attempts.c.user_id)
    return await reader.readable(PuzzleAttempt, sa.select(puzzle_attempts).where(*solved, days).order_by(*order))


async def decided(reader: Reader, guild_id: int, day: int) -> tuple[PuzzleAttempt, ...]:
    """Return the finished first attempts at a day's puzzle that were begun on a server, in the order in which they ended."""
    over = (puzzle_attempts.c.guild_id == guild_id, puzzle_attempts.c.day == day, puzzle_attempts.c.outcome.is_not(None))
    order = (puzzle_attempts.c.ended_at, puzzle_attempts.c.user_id)
    return await reader.readable(PuzzleAttempt, sa.select(puzzle_attempts).where(*over).order_by(*order))


async def put(writer: Writer, attempt: PuzzleAttempt) -> None:
    """Store an attempt, replacing the previous row."""
    writer.put(puzzle_attempts, attempt)


async def reports(reader: Reader, puzzle: str) -> int:
    """Return how many people have reported a puzzle."""
    said = sa.select(sa.func.count()).where(puzzle_attempts.c.puzzle == puzzle, puzzle_attempts.c.reported.is_(True))
    return int((await reader.execute(said)).scalar_one())


async def solver_rating(reader: Reader, user_id: int, game: str) -> SolverRating | None:
    """Return a person's rating at the puzzles of a game, or None before their first rated attempt. Raises UnreadableRow."""
    key = (solver_ratings.c.user_id == user_id, solver_ratings.c.game == game)
    return await reader.record(SolverRating, sa.select(solver_ratings).where(*key))


async def solver_ratings_of(reader: Reader, user_id: int) -> tuple[SolverRating, ...]:
    """Return a person's ratings at the puzzles of all games."""
    found = sa.select(solver_ratings).where(solver_ratings.c.user_id == user_id).order_by(solver_ratings.c.game)
    return await reader.readable(SolverRating, found)


async def puzzle_rating(reader: Reader, puzzle: str) -> PuzzleRating | None:
    """Return the rating of a puzzle, or None before the first rated attempt. Raises UnreadableRow."""
    return await reader.record(PuzzleRating, sa.select(puzzle_ratings).where(puzzle_ratings.c.puzzle == puzzle))


async def puzzle_ratings_of(reader: Reader, puzzle: str) -> tuple[PuzzleRating, ...]:
    """Return the rating of a puzzle, or nothing if there is no readable one."""
    return await reader.readable(PuzzleRating, sa.select(puzzle_ratings).where(puzzle_ratings.c.puzzle == puzzle))


async def puzzle_ratings_known(reader: Reader) -> tuple[PuzzleRating, ...]:
    """Return the ratings of all puzzles that have one."""
    return await reader.readable(PuzzleRating, sa.select(puzzle_ratings))


async def put_solver_rating(writer: Writer, rating: SolverRating) -> None:
    """Store a person's rating, replacing the previous one."""
    writer.put(solver_ratings, rating)


async def put_puzzle_rating(writer: Writer, rating: PuzzleRating) -> None:
    """Store the rating of a puzzle, replacing the previous one."""
    writer.put(puzzle_ratings, rating)


async def voided(reader: Reader) -> frozenset[int]:
    """Return the numbers of the withdrawn days."""
    return frozenset(day.day for day in await reader.readable(VoidedDay, sa.select(voided_days)))


async def void(writer: Writer, day: VoidedDay) -> None:
    """Withdraw the puzzle of a day."""
    writer.put(voided_days, day)
