"""The tool that lays out the calendar of the daily puzzles."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from opponents.puzzles.days import NONE, WEEK, is_for_practice
from opponents.puzzles.puzzle import Puzzle


def days_text(days: Iterable[str | None]) -> str:
    """Return days in the form in which the file has them."""
    return "".join(f"{name or NONE}\n" for name in days)


def extended(days: Sequence[str | None], puzzles: Iterable[Puzzle], today: int, most: int | None = None) -> list[str | None]:
    """Return the days with up to `most` more after them, one for each puzzle that has no day yet.

    The games take turns as evenly as their puzzles allow. If `most` is too small for all puzzles, some of the games with the
    most puzzles wait. Within a week, a game's puzzles get harder from day to day, and all weeks are about as hard. Past days
    without a puzzle stay without one.
    """
    longer = [*days, *([None] * (today - 1 - len(days)))]
    known = set(longer)
    left: dict[str, list[Puzzle]] = {}
    for puzzle in puzzles:
        if puzzle.name not in known and not is_for_practice(puzzle):
            left.setdefault(puzzle.game, []).append(puzzle)
    counts = Counter({game: len(some) for game, some in left.items()})
    while most is not None and counts.total() > most:
        counts[max(counts, key=lambda game: (counts[game], game))] -= 1
    places = sorted(((number + 0.5) / count, game) for game, count in counts.items() for number in range(count))
    games = [game for _, game in places]
    while games:
        days_left = WEEK - len(longer) % WEEK
        week, games = games[:days_left], games[days_left:]
        chosen = {game: iter(_rising(left[game], number)) for game, number in Counter(week).items()}
        longer += [next(chosen[game]).name for game in week]
    return longer


def _rising(left: list[Puzzle], count: int) -> list[Puzzle]:
    """Take `count` puzzles out of `left`, which is cut by difficulty into as many parts: the lowest number from each part."""
    ordered = sorted(left, key=lambda one: (one.difficulty, one.number))
    bounds = [len(ordered) * part // count for part in range(count + 1)]
    taken = [min(ordered[begin:end], key=lambda one: one.number) for begin, end in pairwise(bounds)]
    for puzzle in taken:
        left.remove(puzzle)
    return sorted(taken, key=lambda one: one.difficulty)
