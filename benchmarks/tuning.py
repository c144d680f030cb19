"""The weights of Bouncers by logistic regression on its own games: Texel's way, after Peter Österlund's chess program.

    .venv/bin/python -m benchmarks.tuning fit VARIANT... [--games N] > new.json
    .venv/bin/python -m benchmarks.tuning match VARIANT new.json [--level LEVEL] [--elo N]
    .venv/bin/python -m benchmarks.tuning spread VARIANT... [--games N] [--level LEVEL]

`fit` plays games of *medium* against itself, takes some quiet positions of each, and finds the weights by which the results are
likeliest. The current weights are its prior. Variants named together get the same weights. `chase` stays as it is: it makes the
leading side go on, and says little about who wins.

`match` plays a file's weights against the current ones until a sequential test decides whether they bring nothing or so many
Elo (20 by default).

`spread` tells how well a level's chances fit the results of its games, and the spread that would fit best.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from math import exp, inf, log, log1p
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from benchmarks.matches import ComputerPlayer, MatchRules, Player, Request, Sprt, difference, pair, play_match, share_of
from engines import GAMES
from engines.bouncers.state import SETUPS
from engines.game import Action
from opponents import LEVELS, Level, opponent
from opponents.bouncers.evaluation import UNIT, WEIGHTS, Evaluation, Position, Weights
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from opponents.search import WINNING

OPENING: Final = 6
"""The number of random moves with which every game begins."""
OF_EACH: Final = 12
"""The most positions that are taken from one game, because they share its result and are much alike."""
HOME: Final = 4
"""The number of first ranks over which a counter is worth `UNIT` on average."""
TERMS: Final = ("middle", "king", "centre", "step", "hit", "turn")
"""The weights that are fitted besides those of the ranks."""
DEVIATIONS: Final = {"rank": 30.0, "king": 50.0, "middle": 3.0, "centre": 3.0, "step": 10.0, "hit": 10.0, "turn": 10.0}
"""The standard deviations of the prior, in the units of the evaluation."""
MOST_GAMES: Final = 1_000
"""The number of games after which a match ends without a decision."""
Row = tuple[Sequence[float], float, float]
"""The factors of the weights, the part of the evaluation that is not fitted, and the share in the game."""


def quiet_positions(variant: str, games: int) -> Iterator[tuple[Position, float]]:
    """Yield quiet positions from games of *medium*, each with the final share of the side to move."""
    medium, kernel = ComputerPlayer(opponent("bouncers", Level.MEDIUM)), Kernel(variant)
    for number in range(games):
        seen: list[Position] = []

        def play(asked: Request, seen: list[Position] = seen) -> Action | None:
            seen.append(position_of(asked.state))
            return medium(asked)

        match = play_match(MatchRules(GAMES["bouncers"], variant=variant, opening=OPENING), [play, play], f"tuning {number}")
        quiet = [each for each in seen if not kernel.loud(each) and abs(kernel.evaluate(each, 0)) < WINNING]
        for each in Random(number).sample(quiet, min(OF_EACH, len(quiet))):
            yield each, match.shares[each[3]]
        print(f"\r{variant}: {number + 1} games", end="", file=sys.stderr, flush=True)


def rows(variant: str, positions: Iterator[tuple[Position, float]]) -> Iterator[Row]:
    """Yield the row of each position. Each factor is the evaluation with one weight set to one and all others to zero."""
    present = WEIGHTS[variant]
    number = len(vector(present))
    units = [
        Evaluation(variant, weights=replace(weights_of([float(i == j) for j in range(number)], present, 1), chase=0))
        for i in range(number)
    ]
    whole = Evaluation(variant)
    for position, share in positions:
        factors = [unit.evaluate(position, unit.score(position)) for unit in units]
        value = whole.evaluate(position, whole.score(position))
        fixed = value - sum(weight * factor for weight, factor in zip(vector(present), factors, strict=True))
        yield factors, fixed / present.spread, share


def vector(weights: Weights) -> list[float]:
    """Return the weights that are fitted."""
    return [*weights.ranks, *(getattr(weights, name) for name in TERMS)]


def weights_of(numbers: Sequence[float], like: Weights, spread: float) -> Weights:
    """Return weights from the fitted numbers, which are in units of the spread. All other weights are taken from `like`."""
    whole = [round(number * spread) for number in numbers]
    ranks, terms = whole[: -len(TERMS)], whole[-len(TERMS) :]
    return replace(like, ranks=tuple(ranks), spread=round(spread), **dict(zip(TERMS, terms, strict=True)))


def likeliest(data: Sequence[Row], prior: Sequence[float], deviations: Sequence[float]) -> list[float]:
    """Return the weights, in units of the spread, that make the shares likeliest, by Newton's method with halved steps.

    Args:
        data: the positions.
        prior: the mean of each weight before anything is known about the games.
        deviations: the standard deviation of each weight before that.
    """
    weights, step, number = list(prior), [inf], len(prior)
    while max(map(abs, step)) > 1e-6:
        precisions = [deviation**-2 for deviation in deviations]
        slope = [(weight - mean) * each for weight, mean, each in zip(weights, prior, precisions, strict=True)]
        bend = [[precisions[i] if i == j else 0.0 for j in range(number)] for i in range(number)]
        for factors, fixed, share in data:
            chance = 1 / (1 + exp(-fixed - sum(weight * factor for weight, factor in zip(weights, factors, strict=True))))
            present = [(i, factor) for i, factor in enumerate(factors) if factor]
            for i, factor in present:
                slope[i] += (chance - share) * factor
                for j, other in present:
                    bend[i][j] += chance * (1 - chance) * factor * other
        step, before = solved(bend, slope), unlikelihood(data, weights, prior, deviations)
        while unlikelihood(data, moved(weights, step), prior, deviations) > before:
            step = [each / 2 for each in step]
        weights = moved(weights, step)
    return weights


def moved(weights: Sequence[float], step: Sequence[float]) -> list[float]:
    return [weight - each for weight, each in zip(weights, step, strict=True)]


def unlikelihood(data: Sequence[Row], weights: Sequence[float], prior: Sequence[float], deviations: Sequence[float]) -> float:
    """Return the negative logarithm of the likelihood of the shares and of the weights, except for a constant."""
    lost = sum(((weight - mean) / each) ** 2 / 2 for weight, mean, each in zip(weights, prior, deviations, strict=True))
    for factors, fixed, share in data:
        value = fixed + sum(weight * factor for weight, factor in zip(weights, factors, strict=True))
        lost += max(value, 0.0) + log1p(exp(-abs(value))) - share * value
    return lost


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve linear equations with a positive definite matrix, by Gauss-Jordan elimination."""
    both = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(both):
        pivot[:] = [each / pivot[i] for each in pivot]
        for row in both:
            if row is not pivot:
                row[:] = [each - row[i] * other for each, other in zip(row, pivot, strict=True)]
    return [row[-1] for row in both]


def fitted(data: Sequence[Row], present: Weights) -> Weights:
    """Return the weights that fit the data, scaled so that a counter near home is worth `UNIT`."""
    names = ["rank"] * len(present.ranks) + list(TERMS)
    prior = [number / present.spread for number in vector(present)]
    found = likeliest(data, prior, [DEVIATIONS[name] / present.spread for name in names])
    spread = UNIT * HOME / sum(found[:HOME])
    return replace(weights_of(found, present, spread), chase=round(present.chase * spread / present.spread))


def fit(variants: Sequence[str], games: int) -> dict[str, Weights]:
    """Return the weights that fit the games of the variants, which are the same for all of them."""
    data = [row for variant in variants for row in rows(variant, quiet_positions(variant, games))]
    print(f"\n{len(data)} positions", file=sys.stderr)
    return dict.fromkeys(variants, fitted(data, WEIGHTS[variants[0]]))


def weighed(variant: str, weights: Weights, level: Level) -> Player:
    computer = ComputerPlayer(opponent("bouncers", level))

    def play(asked: Request) -> Action | None:
        with patch.dict(WEIGHTS, {variant: weights}):
            return computer(asked)

    return play


def contest(variant: str, weights: Weights, level: Level, enough: float) -> str:
    """Play weights against the current ones until it is decided what they bring. Return the result in words."""
    sides = weighed(variant, weights, level), weighed(variant, WEIGHTS[variant], level)
    terms, pairs, test = MatchRules(GAMES["bouncers"], variant=variant, opening=OPENING), list[list[float]](), Sprt(0, enough)
    verdict = "open"
    while verdict == "open" and 2 * len(pairs) < MOST_GAMES:
        pairs.append([share_of(*each) for each in pair(terms, sides, f"tuned {level}", len(pairs))])
        verdict = test.verdict(shares := [share for both in pairs for share in both])
        won, lost = shares.count(1.0), shares.count(0.0)
        found = difference([sum(both) / 2 for both in pairs])
        told = (
            f"{variant}, {level}: {won} – {len(shares) - won - lost} – {lost}, "
            f"{found.value:+.0f} Elo ({found.low:+.0f} … {found.high:+.0f}), {verdict}"
        )
        print(told, file=sys.stderr, flush=True)
    return told


def calibration(variant: str, games: int, level: Level) -> str:
    """Return, in words, how well a level's chances fit the results of its games."""
    player, data = opponent("bouncers", level), list[Row]()
    for number in range(games):
        named: list[tuple[int, float]] = []

        def play(asked: Request, named: list[tuple[int, float]] = named) -> Action:
            thought = player.choose(asked.state, asked.seat, None, asked.memory, asked.stream)
            named.append((asked.seat, thought.chance_to_win))
            return thought.action

        match = play_match(MatchRules(GAMES["bouncers"], variant=variant, opening=OPENING), [play, play], f"spread {number}")
        open_ones = [(seat, chance) for seat, chance in named if 0 < chance < 1]
        chosen = Random(number).sample(open_ones, min(OF_EACH, len(open_ones)))
        data += [([log(chance / (1 - chance))], 0.0, match.shares[seat]) for seat, chance in chosen]
    factor = likeliest(data, [1.0], [1.0])[0]
    spread = WEIGHTS[variant].spread
    return f"{variant}: {len(data)} chances of {games} games of {level}; spread {spread}, {spread / factor:.0f} would fit best"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = parser.add_subparsers(dest="task", required=True)
    for name, games in (("fit", 500), ("spread", 100)):
        task = tasks.add_parser(name)
        task.add_argument("variants", nargs="+", choices=SETUPS, metavar="VARIANT")
        task.add_argument("--games", type=int, default=games, help="how many games of each variant")
        if name == "spread":
            task.add_argument("--level", type=Level, choices=LEVELS, default=Level.HARD)
    task = tasks.add_parser("match")
    task.add_argument("variant", choices=SETUPS, metavar="VARIANT")
    task.add_argument("file", type=Path)
    task.add_argument("--level", type=Level, choices=LEVELS, default=Level.MEDIUM)
    task.add_argument("--elo", type=float, default=20, help="how much they are to bring")
    wanted = parser.parse_args()
    if wanted.task == "fit":
        print(json.dumps({variant: asdict(weights) for variant, weights in fit(wanted.variants, wanted.games).items()}))
    elif wanted.task == "match":
        read = json.loads(wanted.file.read_text(encoding="utf-8"))[wanted.variant]
        print(contest(wanted.variant, Weights(**{**read, "ranks": tuple(read["ranks"])}), wanted.level, wanted.elo))
    else:
        for variant in wanted.variants:
            print(calibration(variant, wanted.games, wanted.level), flush=True)


if __name__ == "__main__":
    main()
