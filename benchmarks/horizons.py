"""Do the levels err as people do? The slips that looked best at one ply or two, and those that never looked good.

`python -m benchmarks.horizons GAME`, after `python -m benchmarks.judging GAME`, whose reviews it reads. For
each choice that a review names as a slip it asks how all actions look one ply ahead, and two plies ahead. An action looks best
if it is within `ALIKE` of the best one. A slip that looked best was tempting, and is refuted later; nobody would play the
others on purpose. For comparison it gives the share of all actions that looked best in the same positions: the figure of a
player who picks any action.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from math import exp
from random import Random
from statistics import fmean
from typing import Any, Final

from benchmarks.judges import Choice
from benchmarks.judging import FOLDER, PLAYED, read
from engines import GAMES
from engines.game import Action
from opponents import LEVELS, Budget
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from opponents.bunny.kernel import SPYING, SWAPPING
from opponents.bunny.kernel import number as move_of
from opponents.bunny.knowledge import Belief
from opponents.bunny.search import WIDE, Edge, Mind, Search
from opponents.bunny.search import action as bunny_action
from opponents.pucks.beginner import Beginner
from opponents.pucks.planning import Planner
from opponents.pucks.rink import FAR
from opponents.reviewing import slip_of
from opponents.search import WINNING

ALIKE: Final = 0.01
"""The difference in the chance to win that nobody notices."""

REMEMBERED: Final = 4
"""The actions of Bounce Bunny Bounce after which cards are forgotten by somebody who plays by the way."""

TRIED: Final = 200
"""The imagined games of Bounce Bunny Bounce for each action."""

Looks = Mapping[Any, tuple[float, float]]
"""How the actions of a position look: the chances to win at one ply and at two. The keys tell actions apart."""


def looks_in_bouncers(made: Choice) -> tuple[Any, Looks]:
    """By the pieces after the move, and after the capture in return that costs most."""
    kernel = Kernel(made.state.variant)
    position = position_of(made.state)
    score, looks = kernel.score(position), {}
    for gain, _, after in kernel.moves(position):
        answer = 0 if gain >= WINNING else max((lost for lost, _, _ in kernel.every_loud(after)), default=0)
        one, two = (
            1 / (1 + exp(-max(-30.0, min(30.0, (score + each) / kernel.weights.spread)))) for each in (gain, gain - answer)
        )
        looks[after] = one, two
    return position_of(GAMES["bouncers"].advance(made.state, made.seat, made.action)), looks


def looks_in_bunny(made: Choice) -> tuple[Any, Looks]:
    """By what both have after the next turn and after two, as far as the last cards are remembered."""
    belief = Belief(made.state, made.seat, made.memory, REMEMBERED)
    found: list[dict[Action, float]] = []
    for depth in (1, 2):
        search = Search(belief, Mind(span=REMEMBERED, depth=depth, turns=0, beginner=depth == 1), Random("horizons"))
        root = search.root
        root.edge(move_of(made.action))
        if root.phase in {SWAPPING, SPYING}:
            root.edges += [Edge(move) for move in islice(root.waiting, WIDE)]
        turns = cycle(list(root.edges))
        search.grow(Budget(TRIED * len(root.edges), 60.0), lambda turns=turns: next(turns))  # type: ignore[misc]
        found.append({bunny_action(root.phase, edge.move): edge.mean for edge in root.edges})
    one, two = found
    return made.action, {action: (chance, two.get(action, 0.0)) for action, chance in one.items()}


def looks_in_pucks(made: Choice) -> tuple[Any, Looks]:
    """By the own pucks after the action, and by all pucks after two."""
    state, seat = made.state, made.seat
    view = Beginner(state, FAR)
    near = {look.action: view.seen(look)[seat] for look in view.looks(thorough=True)}
    far = {plan.look.action: plan.shares[seat] for plan in Planner(state, far=2).plans(Budget(2_000, 60.0))}
    highest = max(near.values(), default=1.0)
    return made.action, {action: (chance / highest, far.get(action, 0.0)) for action, chance in near.items()}


LOOKS: Final[Mapping[str, Callable[[Choice], tuple[Any, Looks]]]] = {
    "bouncers": looks_in_bouncers,
    "bunny": looks_in_bunny,
    "pucks": looks_in_pucks,
}
"""How the actions of each game look at a glance: what was played, and the looks of all."""


def tempting(looks: Looks) -> set[Any]:
    """The actions that look best at one ply or at two."""
    highest = [max(chances) for chances in zip(*looks.values(), strict=True)]
    return {action for action, chances in looks.items() if any(h - c <= ALIKE for h, c in zip(highest, chances, strict=True))}


def told(slips: Mapping[str, Sequence[tuple[bool, float]]]) -> str:
    """The results in words: of each level's slips, whether one was tempting, and the share of actions that were."""
    lines = []
    for level, some in slips.items():
        tempted, by_chance = (100 * fmean(each) for each in zip(*some, strict=True))
        slips_of = f"{len(some)} slip{'s' if len(some) > 1 else ''}"
        lines.append(
            f"{level}: {tempted:.0f} % of {slips_of} looked best at one ply or two, as {by_chance:.0f} % of all actions did"
        )
    return "\n".join(lines)


def main() -> None:
    """Read the reviews of a game, and tell about the slips of each level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=[name for name, terms in PLAYED.items() if terms.game.id in LOOKS])
    name = parser.parse_args().game
    made, verdicts = read(FOLDER / f"{name}.pickle")
    slips: dict[str, list[tuple[bool, float]]] = {}
    for number, verdict in sorted(verdicts.items()):
        if slip_of(verdict.lost) is not None:
            action, looks = LOOKS[PLAYED[name].game.id](made[number])
            best = tempting(looks)
            slips.setdefault(made[number].level, []).append((action in best, len(best) / len(looks)))
    print(told({level: slips[level] for level in LEVELS if level in slips}))


if __name__ == "__main__":
    main()
