"""Are reviews right? Choices of computers are reviewed, and what the reviews say is judged again.

`python -m benchmarks.judging GAME [--choices N] [--judged N] [--seconds S] [--eightfold]`, where GAME is a key of `PLAYED`.
It collects choices of all levels and reviews them as the bot does. The slips that the reviews name, and as many choices that
they call good, are judged by a judge of its own (`JUDGES`), which shares no search, no evaluation, no belief and no way of
playing with the reviewer. The judges of Bouncers and of Bounce Bunny Bounce move pieces on the light boards of the opponents
(`kernel`), because those of the engines would take a hundred times as long. In Puck Bumpers games are played to their end by
the engine, by the computer at *medium*, which has neither the plans nor the outlook that the reviewer judges by. With
`--eightfold` the choices are also judged by the reviewer's own comparison, with eight times the thought of a choice and new
draws.

A judge that plays games to their end tells little about a single choice, and much about the mean of a hundred. So the mean is
told, too, with its standard error. All results are kept in `.judging/`: what was interrupted goes on where it was.
"""

import argparse
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import Any, Final

from benchmarks.matches import Asked, Terms, play_match
from benchmarks.measuring import ROOT
from engines import GAMES
from engines.bouncers.state import SETUPS, winner_on_board
from engines.bunny.field import SPACES, Bounce
from engines.bunny.story import Spied, Swapped
from engines.game import Action, resample
from opponents import LEVELS, Budget, Level, Memory, opponent, shares
from opponents.bouncers.kernel import Kernel
from opponents.bunny.kernel import CARROT, MOVING, OFF, OVER, SHOCKING, SWAPPING, World
from opponents.bunny.kernel import number as move_of
from opponents.dice import Dice
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

LONGEST: Final = 300
"""The most actions of a game that is played to its end; one with more counts as even."""


@dataclass(frozen=True, slots=True)
class Made:
    """A choice that a computer has made: the arguments of a judgement."""

    level: Level
    state: Any
    seat: int
    memory: Memory
    action: Action


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


# --- the judges --------------------------------------------------------------------------------------------------------------
# Each returns what a seat gives away with the second of two actions against the first.


def judged_by_search(made: Made, actions: tuple[Action, Action]) -> float:
    """Bouncers: by a plain alpha-beta search of its own that counts pieces and how far they have come."""
    game = GAMES["bouncers"]
    chances = []
    plain = Plain(made.state.variant)
    for action in actions:
        after = game.advance(made.state, made.seat, action)
        if winner_on_board(after) is not None:
            chances.append(1.0)
            continue
        seat = after.to_move
        position = after.sides[seat], after.sides[1 - seat], after.kings, seat
        chances.append(1 - plain.chance(position, after.quiet_plies))
    return chances[0] - chances[1]


class Plain:
    """An alpha-beta search with a table and captures played out, deepened ply by ply."""

    NODES: Final = 40_000
    KING: Final = 2.4
    RANK: Final = 0.06
    WON: Final = 1_000.0
    SPREAD: Final = 2.3

    def __init__(self, variant: str) -> None:
        self._kernel = Kernel(variant)
        size = SETUPS[variant].size
        self._rows = [((1 << size) - 1) << size * rank for rank in range(size)]
        self._best: dict[Any, Any] = {}
        self._nodes = 0

    def chance(self, position: Any, idle: int) -> float:
        """The chance to win of the side to move, searched as deep as `NODES` positions suffice."""
        self._nodes, value, depth = 0, 0.0, 1
        while self._nodes < self.NODES and depth < 40 and abs(value) < self.WON / 2:
            value = self._value(position, depth, -2 * self.WON, 2 * self.WON, idle)
            depth += 1
        return 1 / (1 + exp(-max(-30.0, min(30.0, value / self.SPREAD))))

    def _value(self, position: Any, depth: int, alpha: float, beta: float, idle: int) -> float:
        self._nodes += 1
        if idle >= self._kernel.idle_limit:
            return 0.0
        if depth <= 0:
            value = self._count(position)
            if depth <= -6 or value >= beta:
                return value
            alpha, moves = max(alpha, value), self._kernel.loud(position)
            best = value
        else:
            moves, best = self._kernel.moves(position), -self.WON - depth
        hint = self._best.get(position)
        moves.sort(key=lambda move: (move[2] == hint, move[0]), reverse=True)
        for gain, kind, after in moves:
            won = gain >= 900_000
            found = self.WON + depth if won else -self._value(after, depth - 1, -beta, -alpha, idle + 1 if kind & 2 else 0)
            if found > best:
                best = found
                if depth > 0:
                    self._best[position] = after
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        return best

    def _count(self, position: Any) -> float:
        own, enemy, kings, seat = position
        return self._worth(own, kings, seat) - self._worth(enemy, kings, 1 - seat)

    def _worth(self, side: int, kings: int, seat: int) -> float:
        far = sum((side & ~kings & row).bit_count() * rank for rank, row in enumerate(self._rows[:: 1 - 2 * seat]))
        return side.bit_count() + (self.KING - 1) * (side & kings).bit_count() + self.RANK * far


def judged_by_races(made: Made, actions: tuple[Action, Action], games: int = 2_000) -> float:
    """Bounce Bunny Bounce: by games to the end from worlds that the seat remembers, the same ones for both actions."""
    rng, known, public = Random(f"{made.seat} {made.action}"), seen_by(made, made.seat), seen_by(made, None)
    state = made.state
    won = [0.0, 0.0]
    for _ in range(games):
        world, seed = world_of(state, made.seat, known, public, rng), rng.random()
        for which, action in enumerate(actions):
            one, draw = world.copy(), Random(seed)
            one.play(move_of(action))
            race(one, draw)
            result = one.result()
            won[which] += result if made.seat == 0 else 1 - result
    return (won[0] - won[1]) / games


def seen_by(made: Made, seat: int | None) -> dict[str, str]:
    """The cards that were seen, by space: by a seat, or by both."""
    seen: dict[str, str] = {}
    for step in made.memory:
        for event in step.events:
            match event.detail:
                case Bounce(landings=landings):
                    seen.update((landing.space, landing.card) for landing in landings)
                case Swapped(first=one, second=two):
                    at_one, at_two = seen.pop(one, None), seen.pop(two, None)
                    seen.update({two: at_one} if at_one else {})
                    seen.update({one: at_two} if at_two else {})
                case Spied(seat=spy, space=space, card=card) if seat == spy and card is not None:
                    seen[space] = card
                case _:
                    pass
    return seen


def world_of(state: Any, seat: int, known: Mapping[str, str], public: Mapping[str, str], rng: Random) -> World:
    """A world in which the cards that the seat has not seen lie in any order."""
    hidden = [
        place
        for place, space in enumerate(SPACES)
        if space not in state.face_up and state.field[place] != "empty" and space not in state.bunnies
    ]
    left, field = [state.field[place] for place in hidden], list(state.field)
    unseen = []
    for place in hidden:
        card = known.get(SPACES[place])
        if SPACES[place] == state.spied[seat]:
            card = state.field[place]
        if card in left:
            left.remove(card)
            field[place] = card
        else:
            unseen.append(place)
    rng.shuffle(left)
    for place, card in zip(unseen, left, strict=True):
        field[place] = card
    world = World(replace(state, field=tuple(field)))
    dark = sum(1 << place for place in unseen)
    told = sum(1 << place for place in hidden if SPACES[place] not in public)
    world.dark[seat], world.dark[1 - seat] = dark, dark | told
    return world


def race(world: World, rng: Random) -> None:
    """Play a game to its end: to a Carrot where the way is known, against the other's way, and otherwise to what is unknown."""
    for _ in range(LONGEST):
        if world.phase == OVER:
            return
        seat = world.chooser
        if world.phase == MOVING:
            world.land(seat, _hop(world, seat, rng))
        elif world.phase == SHOCKING:
            other = 1 - seat
            threatened = any(_reaches(world, first, world.dark[other]) for first in world.firsts(other))
            bad = [first for first in world.firsts(other) if not _reaches(world, first, 0)]
            off = [first for first in bad if world.end(first) == OFF and not world.path(first) & world.dark[seat]]
            if threatened and bad:
                world.shock(rng.choice(off or bad))
            else:
                world.pass_by()
        elif world.phase == SWAPPING:
            spaces = world.swappable()
            carrots = [space for space in spaces if world.cards[space] == CARROT]
            near = [space for space in world.firsts(seat) if space in spaces and world.cards[space] != CARROT]
            world.swap(*((rng.choice(carrots), rng.choice(near)) if carrots and near else rng.sample(spaces, 2)))
        else:
            dark = [space for space in range(len(SPACES)) if world.hidden_spaces() >> space & 1]
            near = [space for space in world.firsts(seat) if space in dark and world.dark[seat] >> space & 1]
            world.spy(rng.choice(near or dark))


def _hop(world: World, seat: int, rng: Random) -> int:
    firsts, dark = world.firsts(seat), world.dark[seat]
    for first in firsts:
        if _reaches(world, first, dark):
            return first
    unknown = [first for first in firsts if dark >> first & 1]
    safe = [first for first in firsts if world.path(first) & dark or world.end(first) != OFF]
    return rng.choice(unknown or safe or firsts)


def _reaches(world: World, first: int, dark: int) -> bool:
    """Whether a Bunny that lands on a card comes to a Carrot by cards that its seat knows."""
    end = world.end(first)
    return end != OFF and world.cards[end] == CARROT and not world.path(first) & dark


def judged_by_medium(made: Made, actions: tuple[Action, Action], games: int = 24) -> float:
    """Puck Bumpers: by games that the computer at *medium* plays to their end in the same worlds."""
    game, player, rng = GAMES["pucks"], opponent("pucks", Level.MEDIUM), Random(f"{made.seat} {made.action}")
    won = [0.0, 0.0]
    for _ in range(games):
        seed = rng.random()
        for which, action in enumerate(actions):
            dice = Dice(Random(seed))
            world = replace(resample(game, replace(made.state, chance=dice), made.seat, dice), chance=dice)
            world = game.advance(world, made.seat, action)
            for step in range(LONGEST):
                if not (seats := game.to_act(world)):
                    break
                thought = player.choose(world, seats[0], stream=f"{seed} {step}")
                world = game.advance(world, seats[0], thought.action)
            ended = shares(game, world)
            won[which] += 1 / world.seats if ended is None else ended[made.seat]
    return (won[0] - won[1]) / games


JUDGES: Final[Mapping[str, Callable[[Made, tuple[Action, Action]], float]]] = {
    "bouncers": judged_by_search,
    "bunny": judged_by_races,
    "pucks": judged_by_medium,
}
"""The judges of the games."""


# --- collecting and judging --------------------------------------------------------------------------------------------------


def collected(name: str, choices: int) -> list[Made]:
    """Choices of the levels, as many of each: those in which there is something to choose."""
    terms, found = PLAYED[name], list[Made]()
    for level in LEVELS:
        player, own, played = opponent(terms.game.id, level), list[Made](), 0

        def play(asked: Asked, level: Level = level, own: list[Made] = own, player: Any = player) -> Action | None:
            ask = player.choose if asked.waited_for else player.interrupt
            thought = ask(asked.state, asked.seat, memory=asked.memory, stream=asked.stream)
            if thought is not None and asked.waited_for and not only_way(asked.game, asked.state, asked.seat):
                own.append(Made(level, undrawn(asked.state), asked.seat, tuple(asked.memory), thought.action))
            return thought and thought.action

        while len(own) < choices // len(LEVELS):
            play_match(terms, [play] * terms.seats, f"judging {level} {played}")
            played += 1
        found += own[: choices // len(LEVELS)]
    return found


def reviewed(name: str, number: int, made: Made) -> Verdict:
    """A choice as a review judges it."""
    game, began = PLAYED[name].game, process_time()
    found = judge(game.id, game.rules, made.state, made.seat, made.action, made.memory, f"judging {number}")
    return Verdict(found.best.action, found.lost, process_time() - began)


def eightfold(name: str, number: int, made: Made, best: Action) -> float:
    """What the choice loses by the reviewer's comparison with eight times the thought of a choice."""
    player = opponent(PLAYED[name].game.id, LEVEL)
    budget = Budget(EIGHTFOLD * player.budgets[LEVEL].nodes, 60.0)
    return player.compare(made.state, made.seat, (best, made.action), budget, made.memory, f"eightfold {number}").mean


def told(made: Sequence[Made], verdicts: Mapping[int, Verdict]) -> str:
    """The results in words."""
    lines = []
    for level in LEVELS:
        lost = [verdict.lost for number, verdict in verdicts.items() if made[number].level is level]
        if lost:
            slips = sum(slip_of(each) is not None for each in lost)
            lines.append(f"{level}: accuracy {fmean(map(accuracy_of, lost)):.3f} of {len(lost)} choices, {slips} slips")
    for what, named in (("slips", True), ("good choices", False)):
        some = [verdict for verdict in verdicts.values() if (slip_of(verdict.lost) is not None) is named]
        again = [verdict.eightfold for verdict in some if verdict.eightfold is not None]
        if again:
            right = sum((slip_of(lost) is not None) is named for lost in again)
            lines.append(f"{what}: {right} of {len(again)} confirmed by eight times the thought, mean loss {fmean(again):.3f}")
        own = [(verdict.judged, verdict.lost) for verdict in some if verdict.judged is not None]
        if len(own) > 1:
            judged, claimed = zip(*own, strict=True)
            right = sum((slip_of(lost) is not None) is named for lost in judged)
            error = stdev(judged) / sqrt(len(judged))
            lines.append(
                f"{what}: by the judge {fmean(judged):.3f} ± {error:.3f} lost, by the review {fmean(claimed):.3f}; "
                f"{right} of {len(own)} single ones agree"
            )
    if verdicts:
        lines.append(f"seconds a choice: {fmean(verdict.seconds for verdict in verdicts.values()):.2f}")
    return "\n".join(lines)


def main() -> None:
    """Go on until as many slips are judged as were asked for, or the seconds are used up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=PLAYED)
    parser.add_argument("--choices", type=int, default=2_000)
    parser.add_argument("--judged", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=3_600.0)
    parser.add_argument("--eightfold", action="store_true")
    wanted = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    kept, ends = FOLDER / f"{wanted.game}.pickle", process_time() + wanted.seconds
    made, verdicts = _kept(kept, wanted.game, wanted.choices)
    order = list(range(len(made)))
    Random(wanted.game).shuffle(order)
    judged = {True: 0, False: 0}
    for number in order:
        if min(judged.values()) >= wanted.judged or process_time() > ends:
            break
        verdict = verdicts.get(number) or reviewed(wanted.game, number, made[number])
        named = slip_of(verdict.lost) is not None
        if judged[named] < wanted.judged and (named or judged[False] <= judged[True]):
            judged[named] += 1
            verdict = _judged(wanted.game, number, made[number], verdict, again=wanted.eightfold)
        if verdict is not verdicts.get(number):
            verdicts[number] = verdict
            kept.write_bytes(pickle.dumps((made, verdicts)))
    kept.write_bytes(pickle.dumps((made, verdicts)))
    print(told(made, verdicts))


def _judged(name: str, number: int, made: Made, verdict: Verdict, *, again: bool) -> Verdict:
    """Judge a choice against the best action by the review; if it is that one itself, against the best of the others."""
    if verdict.judged is not None and (verdict.eightfold is not None or not again):
        return verdict
    best: Action | None = verdict.best
    if best == made.action:
        rival = opponent(PLAYED[name].game.id, LEVEL).rival(
            made.state, made.seat, made.action, memory=made.memory, stream=f"rival {number}"
        )
        best = None if rival is None else rival.action
    if best is None:
        return replace(verdict, judged=0.0, eightfold=0.0)
    if verdict.judged is None:
        verdict = replace(verdict, judged=JUDGES[PLAYED[name].game.id](made, (best, made.action)))
    if again and verdict.eightfold is None:
        verdict = replace(verdict, eightfold=eightfold(name, number, made, best))
    return verdict


def _kept(kept: Path, name: str, choices: int) -> tuple[list[Made], dict[int, Verdict]]:
    if kept.exists():
        made, verdicts = pickle.loads(kept.read_bytes())
        return made, verdicts
    return collected(name, choices), {}


if __name__ == "__main__":
    main()
