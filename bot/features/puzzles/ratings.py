"""Ratings of puzzles and of their solvers. Each first attempt counts as a game between the two.

The person wins this game by solving the puzzle without a wrong action. The model is the one used for games between people
(`bot.features.stats.ratings`), but the ratings are separate. A person has one for each game, on all servers. A puzzle's first
rating follows from its difficulty, and does not change while the solver's own rating is still a guess.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

import structlog

from bot.core.skill import MODEL, MOST_SKILL, rating_points, ratings_after
from bot.features.puzzles import sql
from opponents.puzzles.puzzle import Puzzle
from storage.schema.errors import UnreadableRow
from storage.schema.puzzle_records import PuzzleRating, SolverRating
from storage.store import Reader, Writer

log = structlog.get_logger(__name__)

KNOWN_FROM: Final = 5
"""How many rated first attempts a person must have made before their attempts affect the ratings of puzzles."""

MIDDLE: Final = 3
"""The difficulty of a puzzle that is rated like a beginner."""

NEWCOMERS_FIRST: Final = 3
"""How many puzzles a newcomer gets from the easy ones before getting others."""

EASY_UP_TO: Final = 3
"""The highest difficulty of a newcomer's first puzzles, which is shown as two stars."""

STEP: Final = 2.5
"""How much higher the mean of a puzzle's skill is for each step of difficulty."""


def new_solver(user_id: int, game: str, now: float) -> SolverRating:
    """Return a person's initial rating."""
    return SolverRating(user_id=user_id, game=game, mu=MODEL.mu, sigma=MODEL.sigma, updated_at=now)


def new_puzzle(puzzle: Puzzle, now: float) -> PuzzleRating:
    """Return a puzzle's initial rating."""
    mu = MODEL.mu + STEP * (puzzle.difficulty - MIDDLE)
    return PuzzleRating(puzzle=puzzle.name, mu=mu, sigma=MODEL.sigma / 2, updated_at=now)


@dataclass(frozen=True, slots=True)
class Change:
    """The change that an attempt made to a person's rating, in points."""

    before: int
    after: int


async def rate(writer: Writer, puzzle: Puzzle, user_id: int, won: bool, now: float) -> Change | None:
    """Rate a decided first attempt. Return the change, or None if either rating is unusable, in which case neither changes."""
    await writer.lock(sql.RATING)
    try:
        known = await sql.solver_rating(writer, user_id, puzzle.game)
        other = await sql.puzzle_rating(writer, puzzle.name)
    except UnreadableRow as error:
        log.error("a rating of puzzles cannot be read and is left as it is", user=user_id, error=str(error))
        return None
    solver, opponent = known or new_solver(user_id, puzzle.game, now), other or new_puzzle(puzzle, now)
    if not usable(solver) or not usable(opponent):
        log.error("a rating of puzzles cannot be used and is left as it is", user=user_id, puzzle=puzzle.name)
        return None
    (mu, sigma), (puzzle_mu, puzzle_sigma) = ratings_after([solver, opponent], (0, 1) if won else (1, 0))
    rated = replace(solver, mu=mu, sigma=sigma, played=solver.played + 1, won=solver.won + won, updated_at=now)
    await sql.put_solver_rating(writer, rated)
    if solver.played >= KNOWN_FROM:
        harder = replace(
            opponent, mu=puzzle_mu, sigma=puzzle_sigma, played=opponent.played + 1, won=opponent.won + (not won), updated_at=now
        )
        await sql.put_puzzle_rating(writer, harder)
    return Change(rating_points(solver), rating_points(rated))


def usable(rating: SolverRating | PuzzleRating) -> bool:
    """Whether the model can use a rating. A damaged row must be neither used nor overwritten."""
    return 0 < rating.sigma <= MOST_SKILL and abs(rating.mu) <= MOST_SKILL and 0 <= rating.won <= rating.played


def is_newcomer(ratings: Iterable[SolverRating]) -> bool:
    """Whether somebody with these ratings still gets easy puzzles."""
    return sum(rating.played for rating in ratings) < NEWCOMERS_FIRST


async def next_puzzle(reader: Reader, user_id: int, puzzles: Mapping[str, Puzzle], now: float) -> Puzzle | None:
    """Return the new puzzle rated nearest to a person (newcomers get easy ones) or, if none is left, the longest untouched."""
    attempted = await sql.attempted(reader, user_id)
    fresh = [puzzle for name, puzzle in puzzles.items() if name not in attempted]
    if not fresh:
        return min(puzzles.values(), key=lambda puzzle: (attempted[puzzle.name], puzzle.name), default=None)
    ratings = [rating for rating in await sql.solver_ratings_of(reader, user_id) if usable(rating)]
    if is_newcomer(ratings):
        fresh = [puzzle for puzzle in fresh if puzzle.difficulty <= EASY_UP_TO] or fresh
    own = {rating.game: rating.mu for rating in ratings}
    known = {rating.puzzle: rating.mu for rating in await sql.puzzle_ratings_known(reader) if usable(rating)}

    def distance(puzzle: Puzzle) -> tuple[float, bytes]:
        theirs = known.get(puzzle.name, new_puzzle(puzzle, now).mu)
        # Among equally near puzzles, different people get different ones, but each person always gets the same one.
        return abs(theirs - own.get(puzzle.game, MODEL.mu)), sha256(f"{user_id} {puzzle.name}".encode()).digest()

    return min(fresh, key=distance)
