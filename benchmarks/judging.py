"""Are reviews right? Choices of computers are reviewed, and what the reviews say is judged again.

`python -m benchmarks.judging GAME [--choices N] [--judged N] [--seconds S] [--eightfold]`, where GAME is a key of `PLAYED`.
It collects choices of all levels and reviews them as the bot does. The slips that the reviews name, and as many choices that
they call good, are judged by `benchmarks.judges`, which share no thought with the reviewer. With `--eightfold` they are also
judged by the reviewer's own comparison, with eight times the thought of a choice and new draws. A choice that is the best by
the review is compared with the best of the others.

A judge that plays games to their end tells little about a single choice, and much about the mean of a hundred. So the mean is
told, too, with its standard error. All results are kept in `.judging/`: what was interrupted goes on where it was.
"""

import argparse
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, Final

from benchmarks.judges import JUDGES, Choice
from benchmarks.matches import Asked, Terms, play_match
from benchmarks.measuring import ROOT
from engines import GAMES
from engines.game import Action
from opponents import LEVELS, Budget, Level, opponent
from opponents.reviewing import LEVEL, accuracy_of, judge, only_way, slip_of, undrawn

FOLDER: Final = ROOT / ".judging"
"""The results, a file for each game."""

PLAYED: Final[Mapping[str, Terms]] = {
    "bouncers": Terms(GAMES["bouncers"], variant="8x8-16", opening=4, longest=300),
    "bunny": Terms(GAMES["bunny"], longest=300),
    "pucks": Terms(GAMES["pucks"], longest=300),
    "pucks-4": Terms(GAMES["pucks"], seats=4, longest=300),
}
"""The games that are judged. BOUNCE is left out: its reviews are exact."""

EIGHTFOLD: Final = 8
"""The thought of the reviewer's second judgement, as a multiple of that about a choice."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about a choice.

    Attributes:
        best: the best action by the review.
        lost: the part of the chance to win that was lost, by the review.
        seconds: how long the review has thought about it.
        eightfold: that part by eight times the thought; None: not judged yet.
        judged: that part by the judge of its own; None: not judged yet.
    """

    best: Action
    lost: float
    seconds: float
    eightfold: float | None = None
    judged: float | None = None


def collect(name: str, number: int) -> list[Choice]:
    """Return choices of the levels, as many of each: those in which there is something to choose."""
    terms, found = PLAYED[name], list[Choice]()
    for level in LEVELS:
        player, own, games = opponent(terms.game.id, level), list[Choice](), 0

        def play(asked: Asked, level: Level = level, own: list[Choice] = own, player: Any = player) -> Action | None:
            ask = player.choose if asked.waited_for else player.interrupt
            thought = ask(asked.state, asked.seat, memory=asked.memory, stream=asked.stream)
            if thought is not None and asked.waited_for and not only_way(asked.game, asked.state, asked.seat):
                own.append(Choice(level, undrawn(asked.state), asked.seat, tuple(asked.memory), thought.action))
            return thought and thought.action

        while len(own) < number // len(LEVELS):
            play_match(terms, [play] * terms.seats, f"judging {level} {games}")
            games += 1
        found += own[: number // len(LEVELS)]
    return found


def review(name: str, number: int, choice: Choice) -> Verdict:
    """Return what a review says about a choice."""
    game, began = PLAYED[name].game, process_time()
    stream = f"judging {number}"
    found = judge(game.id, game.rules, choice.state, choice.seat, choice.action, choice.memory, stream)
    return Verdict(found.best.action, found.lost, process_time() - began)


def judge_again(name: str, number: int, choice: Choice, verdict: Verdict, *, eightfold: bool) -> Verdict:
    """Return the verdict with what the judge says, and if `eightfold`, with what eight times the thought says."""
    if verdict.judged is not None and (verdict.eightfold is not None or not eightfold):
        return verdict
    player, best = opponent(PLAYED[name].game.id, LEVEL), verdict.best
    if best == choice.action:
        rival = player.rival(choice.state, choice.seat, choice.action, memory=choice.memory, stream=f"rival {number}")
        if rival is None:
            return replace(verdict, judged=0.0, eightfold=0.0)
        best = rival.action
    actions = best, choice.action
    if verdict.judged is None:
        verdict = replace(verdict, judged=JUDGES[PLAYED[name].game.id](choice, actions))
    if eightfold and verdict.eightfold is None:
        budget = Budget(EIGHTFOLD * player.budgets[LEVEL].nodes, 60.0)
        loss = player.compare(choice.state, choice.seat, actions, budget, choice.memory, f"eightfold {number}")
        verdict = replace(verdict, eightfold=loss.mean)
    return verdict


# --- the results -------------------------------------------------------------------------------------------------------------


def report(choices: Sequence[Choice], verdicts: Mapping[int, Verdict]) -> str:
    """Return the results in words."""
    lines = []
    for level in LEVELS:
        lost = [verdict.lost for number, verdict in verdicts.items() if choices[number].level is level]
        if lost:
            slips = sum(slip_of(each) is not None for each in lost)
            accuracy = _mean(list(map(accuracy_of, lost)))
            lines.append(f"{level}: accuracy {accuracy} of {len(lost)} choices, {slips} slips")
    for what, named in (("slips", True), ("good choices", False)):
        some = [verdict for verdict in verdicts.values() if (slip_of(verdict.lost) is not None) is named]
        again = [verdict.eightfold for verdict in some if verdict.eightfold is not None]
        if again:
            right = sum((slip_of(lost) is not None) is named for lost in again)
            lines.append(f"{what}: {right} of {len(again)} confirmed by eight times the thought, mean loss {fmean(again):.3f}")
        judged = [(verdict.judged, verdict.lost) for verdict in some if verdict.judged is not None]
        if judged:
            found, claimed = (list(losses) for losses in zip(*judged, strict=True))
            right = sum((slip_of(lost) is not None) is named for lost in found)
            lines.append(
                f"{what}: by the judge {_mean(found)} lost, by the review {fmean(claimed):.3f}; "
                f"{right} of {len(found)} single ones agree"
            )
    if verdicts:
        lines.append(f"seconds a choice: {fmean(verdict.seconds for verdict in verdicts.values()):.2f}")
    return "\n".join(lines)


def _mean(values: Sequence[float]) -> str:
    """Return a mean with its standard error."""
    error = stdev(values) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return f"{fmean(values):.3f} ± {error:.3f}"


def main() -> None:
    """Go on until as many slips are judged as were asked for, or the seconds are used up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=PLAYED)
    parser.add_argument("--choices", type=int, default=2_000)
    parser.add_argument("--judged", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=3_600.0)
    parser.add_argument("--eightfold", action="store_true")
    wanted = parser.parse_args()
    name, ends = wanted.game, process_time() + wanted.seconds
    FOLDER.mkdir(exist_ok=True)
    results = FOLDER / f"{name}.pickle"
    choices, verdicts = read(results) if results.exists() else (collect(name, wanted.choices), {})
    order = list(range(len(choices)))
    Random(name).shuffle(order)
    judged = {True: 0, False: 0}
    for number in order:
        if min(judged.values()) >= wanted.judged or process_time() > ends:
            break
        verdict = verdicts.get(number) or review(name, number, choices[number])
        named = slip_of(verdict.lost) is not None
        if judged[named] < wanted.judged and (named or judged[False] <= judged[True]):
            judged[named] += 1
            verdict = judge_again(name, number, choices[number], verdict, eightfold=wanted.eightfold)
        if verdict is not verdicts.get(number):
            verdicts[number] = verdict
            write(results, choices, verdicts)
    print(report(choices, verdicts))


def read(results: Path) -> tuple[list[Choice], dict[int, Verdict]]:
    """Read the choices, and the verdicts by the numbers of their choices."""
    choices, verdicts = pickle.loads(results.read_bytes())
    return choices, {number: Verdict(*values) for number, values in verdicts.items()}


def write(results: Path, choices: Sequence[Choice], verdicts: Mapping[int, Verdict]) -> None:
    """Write them, without the name of a class of this module, which is another one where it is the program."""
    values = {number: astuple(verdict) for number, verdict in verdicts.items()}
    results.write_bytes(pickle.dumps((choices, values)))


if __name__ == "__main__":
    main()
