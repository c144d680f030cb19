"""The judges of `benchmarks.judging`: what a seat gives away with one action against another, found without the reviewer.

They share no search, no evaluation, no belief and no way of playing with the reviewer. Those of Bouncers and of Bounce Bunny
Bounce move pieces on the light boards of the opponents (`kernel`), because those of the engines would take a hundred times as
long. In Puck Bumpers games are played to their end by the engine, by the computer at *medium*, which has neither the plans nor
the outlook that the reviewer judges by.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import exp
from random import Random
from typing import Any, Final

from engines import GAMES
from engines.bouncers.state import SETUPS, winner_on_board
from engines.bunny.field import SPACES, Bounce
from engines.bunny.story import Spied, Swapped
from engines.game import Action, resample
from opponents import Level, Memory, opponent, shares
from opponents.bouncers.kernel import Kernel
from opponents.bunny.kernel import CARROT, MOVING, OFF, OVER, SHOCKING, SWAPPING, World
from opponents.bunny.kernel import number as move_of
from opponents.dice import Dice

LONGEST: Final = 300
"""The most actions of a game that is played to its end; one with more counts as even."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice that a computer has made: the arguments of a judgement."""

    level: Level
    state: Any
    seat: int
    memory: Memory
    action: Action


# Each judge returns what a seat gives away with the second of two actions against the first.


def loss_by_search(choice: Choice, actions: tuple[Action, Action]) -> float:
    """Bouncers: by a plain alpha-beta search of its own that counts pieces and how far they have come."""
    game = GAMES["bouncers"]
    chances = []
    plain = Plain(choice.state.variant)
    for action in actions:
        after = game.advance(choice.state, choice.seat, action)
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


def loss_by_races(choice: Choice, actions: tuple[Action, Action], games: int = 2_000) -> float:
    """Bounce Bunny Bounce: by games to the end from worlds that the seat remembers, the same ones for both actions."""
    rng, known, public = Random(f"{choice.seat} {choice.action}"), seen_cards(choice, choice.seat), seen_cards(choice, None)
    state = choice.state
    won = [0.0, 0.0]
    for _ in range(games):
        world, seed = world_of(state, choice.seat, known, public, rng), rng.random()
        for which, action in enumerate(actions):
            one, draw = world.copy(), Random(seed)
            one.play(move_of(action))
            race(one, draw)
            result = one.result()
            won[which] += result if choice.seat == 0 else 1 - result
    return (won[0] - won[1]) / games


def seen_cards(choice: Choice, seat: int | None) -> dict[str, str]:
    """The cards that were seen, by space: by a seat, or by both."""
    seen: dict[str, str] = {}
    for step in choice.memory:
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


def loss_by_medium(choice: Choice, actions: tuple[Action, Action], games: int = 24) -> float:
    """Puck Bumpers: by games that the computer at *medium* plays to their end in the same worlds."""
    game, player, rng = GAMES["pucks"], opponent("pucks", Level.MEDIUM), Random(f"{choice.seat} {choice.action}")
    won = [0.0, 0.0]
    for _ in range(games):
        seed = rng.random()
        for which, action in enumerate(actions):
            dice = Dice(Random(seed))
            world = replace(resample(game, replace(choice.state, chance=dice), choice.seat, dice), chance=dice)
            world = game.advance(world, choice.seat, action)
            for step in range(LONGEST):
                if not (seats := game.to_act(world)):
                    break
                thought = player.choose(world, seats[0], stream=f"{seed} {step}")
                world = game.advance(world, seats[0], thought.action)
            ended = shares(game, world)
            won[which] += 1 / world.seats if ended is None else ended[choice.seat]
    return (won[0] - won[1]) / games


JUDGES: Final[Mapping[str, Callable[[Choice, tuple[Action, Action]], float]]] = {
    "bouncers": loss_by_search,
    "bunny": loss_by_races,
    "pucks": loss_by_medium,
}
"""The judges of the games."""
