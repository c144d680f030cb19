"""The choice among the finds of all miners: none twice, variants and difficulties in turn, levels that solve their shares."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from statistics import fmean
from typing import Final

from engines.values import replace
from opponents.contract import LEVELS, Level
from opponents.puzzles.miner import Find, Miner
from opponents.puzzles.puzzle import HARDEST, Puzzle

AIMS: Final[Mapping[Level, tuple[float, float]]] = {
    Level.EASY: (0.05, 0.35),
    Level.MEDIUM: (0.30, 0.60),
    Level.HARD: (0.60, 0.90),
    Level.EXPERT: (0.95, 1.00),
}
"""The least and the greatest share of the whole set that each level solves."""


ROUNDED: Final = 9
"""The decimals to which two choices are equally far from the aims."""


def select(
    miners: Mapping[str, Miner], finds: Mapping[str, Iterable[Find]], known: Mapping[str, Mapping[int, Puzzle]]
) -> dict[str, list[Puzzle]]:
    """Return the puzzles of each game: those that are known already, and new ones with the next numbers.

    A find is left out if it is the same as another, its mirror image, or a part of it; and then as few as possible are left out
    so that the levels solve as many of the whole set as they should (`AIMS`). New puzzles are numbered in an order that mixes
    variants and difficulties.
    """
    unique, again = list[Find](), list[Find]()
    for game, miner in miners.items():
        new, old = _new_and_known(miner, finds.get(game, ()), known.get(game, {}).values())
        unique += new
        again += old
    fitting = fit(unique, again)
    return {game: _with_numbers([find for find in fitting if find.puzzle.game == game], known.get(game, {})) for game in miners}


def _new_and_known(miner: Miner, finds: Iterable[Find], known: Iterable[Puzzle]) -> tuple[list[Find], list[Find]]:
    """Return the finds that are none of the known puzzles, each once, and those that are."""
    texts = {puzzle.text for puzzle in known}
    marks = set(chain.from_iterable(map(miner.marks, known)))
    new, again = list[Find](), list[Find]()
    for find in finds:
        if find.puzzle.text in texts:
            again.append(find)
        elif marks.isdisjoint(own := miner.marks(find.puzzle)):
            marks |= own
            new.append(find)
    return new, again


def _with_numbers(finds: Sequence[Find], known: Mapping[int, Puzzle]) -> list[Puzzle]:
    numbers = count(max(known, default=0) + 1)
    return [
        *known.values(),
        *(replace(find.puzzle, number=number) for number, find in zip(numbers, mixed(finds), strict=False)),
    ]


def fit(finds: Sequence[Find], kept: Sequence[Find] = ()) -> list[Find]:
    """Return the finds without those that keep the levels from their aims, as few as a greedy choice finds.

    Of those that are as good to leave out, it is one of the variant of which there are most, with the fewest own moves. None
    are left if no choice meets the aims: too few are hard then, say.

    Args:
        finds: the finds.
        kept: others that are in the set already and stay there.
    """
    chosen = list(finds)
    while chosen and (missed := distance([*kept, *chosen])) > 0:
        sums = {level: sum(find.solved[level] for find in (*kept, *chosen)) for level in LEVELS}
        size = max(1, len(kept) + len(chosen) - 1)
        variants = Counter(find.puzzle.variant for find in chosen)
        left = [_distance({level: (sums[level] - find.solved[level]) / size for level in LEVELS}) for find in chosen]
        ranks = [
            (round(far, ROUNDED), -variants[find.puzzle.variant], len(find.puzzle.own), place)
            for place, (far, find) in enumerate(zip(left, chosen, strict=True))
        ]
        *_, worst = min(ranks)
        without = [*chosen[:worst], *chosen[worst + 1 :]]
        if without and distance([*kept, *without]) >= missed:
            return []
        chosen = without
    return chosen


def shares(finds: Sequence[Find]) -> dict[Level, float]:
    """Return the share of the puzzles that each level solves, 0 to 1."""
    return {level: fmean(find.solved[level] for find in finds) for level in LEVELS}


def distance(finds: Sequence[Find]) -> float:
    """Return by how much the levels miss their aims, all together; 0 if none does."""
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
    """Return a table of finds: how many of each variant at each difficulty, and the shares that the levels solve."""
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
