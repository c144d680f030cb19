"""The rows of puzzles as values: attempts of people, ratings, and days that were withdrawn. See `records`."""

from dataclasses import dataclass

from storage.schema.kinds import PuzzleOutcome


@dataclass(frozen=True, kw_only=True)
class PuzzleAttempt:
    """All that is known of a person and a puzzle. The key is (user_id, puzzle).

    The first attempt counts: for the ratings, and for the day whose puzzle it was. Later ones are practice.

    Attributes:
        user_id: the person; nobody else sees the row, but for the tables of a server.
        puzzle: the name of the puzzle: "bouncers-17".
        name: the person's name when they began.
        guild_id: the server on which they began, or None if the server has forgotten them or was forgotten.
        day: the number of the day whose puzzle it was when they began, or None if it was practice.
        day_ends: when that day ends on the server on which they began, in seconds since the epoch, or None if it was practice.
        began_at: when the first attempt began.
        ended_at: when it ended, or None if it goes on.
        used_at: when the person last did something.
        outcome: how the first attempt ended, or None if it goes on.
        judged: whether each action of the first attempt was right, in order.
        ongoing: whether an attempt goes on.
        played: the right actions of the newest attempt.
        version: how often the row has changed.
        solved: how many attempts have solved it.
        given_up: how many were given up.
        streak: the days in a row up to this one, as they counted when it was solved, or None if it counts for no day.
        forgiven: the number of the last missed day that was forgiven in that streak, if any.
        reported: whether the person has said that something is wrong with the puzzle.
    """

    user_id: int
    puzzle: str
    name: str
    guild_id: int | None = None
    day: int | None = None
    day_ends: float | None = None
    began_at: float
    ended_at: float | None = None
    used_at: float
    outcome: PuzzleOutcome | None = None
    judged: tuple[bool, ...] = ()
    ongoing: bool = True
    played: tuple[tuple[str, ...], ...] = ()
    version: int = 0
    solved: int = 0
    given_up: int = 0
    streak: int | None = None
    forgiven: int | None = None
    reported: bool = False


@dataclass(frozen=True, kw_only=True)
class SolverRating:
    """A person's skill (openskill's mu and sigma) at the puzzles of a game, the same on every server.

    Attributes:
        played: how many first attempts were rated.
        won: how many of these solved the puzzle without a wrong action.
    """

    user_id: int
    game: str
    mu: float
    sigma: float
    played: int = 0
    won: int = 0
    updated_at: float


@dataclass(frozen=True, kw_only=True)
class PuzzleRating:
    """How hard a puzzle has turned out to be (openskill's mu and sigma), by the first attempts of all people.

    Attributes:
        played: how many first attempts were rated.
        won: how many of these the puzzle has won: there was a wrong action, or it was given up.
    """

    puzzle: str
    mu: float
    sigma: float
    played: int = 0
    won: int = 0
    updated_at: float


@dataclass(frozen=True, kw_only=True)
class VoidedDay:
    """A day whose puzzle was withdrawn, because something was wrong with it."""

    day: int
    at: float
