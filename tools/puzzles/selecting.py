"""The choice among the finds of all miners. No puzzle comes twice, and the levels solve the shares that they should.

The shares hold within each game. Otherwise a level might solve nearly all puzzles of one game and hardly any of another. It
would reach its share of the sum, and yet neither game would measure it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, count
from statistics import fmean
from typing import Final

from engines.values import replace
from opponents.contract import LEVELS, Level
from opponents.puzzles.days import PRACTICE_EVERY, is_for_practice
from opponents.puzzles.puzzle import HARDEST, Puzzle
from tools.puzzles.miner import Find, Miner

AIMS: Final[Mapping[Level, tuple[float, float]]] = {
    Level.EASY: (0.05, 0.35),
    Level.MEDIUM: (0.30, 0.60),
    Level.HARD: (0.60, 0.90),
    Level.EXPERT: (0.95, 1.00),
}
"""The least and the greatest share of each game's puzzles that each level should solve."""


ROUNDED: Final = 9
"""The number of decimals to which two choices have to be equally far from the aims to count as equal."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The puzzles of a game after a choice.

    Attributes:
        puzzles: all of them, both the known ones with their numbers and the new ones.
        dropped: the names of the known puzzles that do not stay, because with them the levels would miss their shares.
        solved: the share that each level solves, for each puzzle that stays.
    """

    puzzles: tuple[Puzzle, ...]
    dropped: frozenset[str]
    solved: Mapping[str, Mapping[Level, float]]


def select(miner: Miner, finds: Iterable[Find], known: Sequence[Find], kept: AbstractSet[str] = frozenset()) -> Selection:
    """Return the puzzles of a game: those that are known already, and new ones with the next numbers.

    A find is left out if it is the same as another one, its mirror image, or a part of it, or has the same board. Then as few
    puzzles as possible are left out or dropped so that the levels solve as many as they should (`AIMS`), but never one of
    `kept`. New puzzles are numbered in an order that mixes variants and difficulties. All of them wait for a day, so no number
    is one that is for practice. Retired puzzles among the known ones have no shares; they only serve to tell finds apart from
    them.
    """
    staying = [find for find in known if find.solved]
    fixed = [find for find in staying if find.puzzle.name in kept]
    chosen = fit([find for find in staying if find.puzzle.name not in kept] + _new(miner, finds, known), fixed)
    numbers = count(max((find.puzzle.number for find in known), default=0) + 1)
    free = (number for number in numbers if number % PRACTICE_EVERY)
    named = [
        replace(find, puzzle=replace(find.puzzle, number=number))
        for number, find in zip(free, mixed([find for find in chosen if not find.puzzle.number]), strict=False)
    ]
    stay = [*fixed, *(find for find in chosen if find.puzzle.number), *named]
    solved = {find.puzzle.name: find.solved for find in sorted(stay, key=lambda find: find.puzzle.number)}
    puzzles = (*(find.puzzle for find in known), *(find.puzzle for find in named))
    return Selection(puzzles, frozenset(find.puzzle.name for find in staying) - solved.keys(), solved)


def _new(miner: Miner, finds: Iterable[Find], known: Iterable[Find]) -> list[Find]:
    taken = [find.puzzle for find in known]
    marks = set(chain.from_iterable(map(miner.marks, taken)))
    new = list[Find]()
    for find in finds:
        own = miner.marks(find.puzzle)
        if marks.isdisjoint(own) and not any(miner.same_board(find.puzzle, other) for other in taken):
            marks |= own
            taken.append(find.puzzle)
            new.append(find)
    return new


def fit(finds: Sequence[Find], kept: Sequence[Find] = ()) -> list[Find]:
    """Return a game's finds without those that keep the levels from their aims. A greedy choice leaves out as few as it can.

    If several finds are equally good to leave out, one that is for practice goes first, or else one of the most frequent
    variant with the fewest moves of the solver. The result is empty if no choice meets the aims, for example because too few
    finds are hard. Those in `kept` always stay in the set.
    """
    chosen = list(finds)
    while chosen and (missed := distance([*kept, *chosen])) > 0:
        sums = {level: sum(find.solved[level] for find in (*kept, *chosen)) for level in LEVELS}
        size = max(1, len(kept) + len(chosen) - 1)
        variants = Counter(find.puzzle.variant for find in chosen)
        left = [_distance({level: (sums[level] - find.solved[level]) / size for level in LEVELS}) for find in chosen]
        spare = [find.puzzle.number > 0 and is_for_practice(find.puzzle) for find in chosen]
        ranks = [
            (round(far, ROUNDED), not spare[place], -variants[find.puzzle.variant], len(find.puzzle.own), place)
            for place, (far, find) in enumerate(zip(left, chosen, strict=True))
        ]
        *_, worst = min(ranks)
        without = [*chosen[:worst], *chosen[worst + 1 :]]
        if without and distance([*kept, *without]) >= missed:
            return []
        chosen = without
    return chosen


def shares(finds: Sequence[Find]) -> dict[Level, float]:
    """Return the share of the puzzles, 0 to 1, that each level solves."""
    return {level: fmean(find.solved[level] for find in finds) for level in LEVELS}


def distance(finds: Sequence[Find]) -> float:
    """Return the sum of the amounts by which the levels miss their aims."""
    return _distance(shares(finds)) if finds else 0.0


def _distance(solved: Mapping[Level, float]) -> float:
    return sum(max(least - solved[level], solved[level] - most, 0.0) for level, (least, most) in AIMS.items())


def mixed(finds: Sequence[Find]) -> list[Find]:
    """Return finds in an order in which variants and difficulties take turns."""
    order: list[tuple[int, str, Find]] = []
    seen: Counter[tuple[str, int]] = Counter()
    for find in finds:
        kind = find.puzzle.variant, find.puzzle.difficulty
        order.append((seen[kind], find.puzzle.text, find))
        seen[kind] += 1
    return [
        find for *_, find in sorted(order, key=lambda one: (one[0], one[2].puzzle.variant, one[2].puzzle.difficulty, one[1]))
    ]


def summary(finds: Sequence[Find]) -> str:
    """Return a table of finds: how many there are of each variant at each difficulty, and the shares that the levels solve."""
    if not finds:
        return ""
    counts = Counter((find.puzzle.variant, find.puzzle.difficulty) for find in finds)
    variants = sorted({variant for variant, _ in counts})
    rows = [
        "  ".join((f"{variant:20}", *(f"{counts[variant, level]:4}" for level in range(1, HARDEST + 1))))
        for variant in variants
    ]
    solved = ", ".join(f"{level} {share:.0%}" for level, share in shares(finds).items())
    return "\n".join((*rows, solved))
