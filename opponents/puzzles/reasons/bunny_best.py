"""The reasons for puzzles of Bounce Bunny Bounce that ask for the best hop, from what the solver's seat knows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from engines.bunny import BunnyState
from engines.bunny.field import SPACES
from engines.bunny.position import CARROTS_TO_WIN
from engines.game import Action, action_words, legal_actions
from engines.position_codes import Line
from engines.text import Text, join, say, say_n, seat_name
from opponents.bunny.kernel import OFF, SWAPPING, World, number
from opponents.bunny.knowledge import Belief
from opponents.bunny.playout import carrot_ahead
from opponents.bunny.reasons import known_way, reason, threat_of
from opponents.contract import Thought
from opponents.puzzles.certain import Plans


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a hop leads to, as far as its seat knows. `OFF` stands for none, unless something else is said.

    Attributes:
        world: the world after the hop, or before it if the hop leads to an unknown card.
        end: the space where the Bunny ends, or `OFF` if it is flung off the field.
        dark: the unknown card that decides where the Bunny ends.
        ahead: the Carrot to which the seat knows a way with its next hop, after a swap if it has one.
        swap: the swap that this takes, or None.
        threat: the Carrot to which the other seat knows a way with its next hop.
    """

    world: World
    end: int
    dark: int
    ahead: int
    threat: int
    swap: tuple[int, int] | None = None


def prospect(state: BunnyState, seat: int, action: Action) -> Prospect:
    """Return what a hop leads to."""
    world = Belief(state, seat, ()).certain()
    first = world.first(seat, number(action))
    way, whole = known_way(world, seat, first)
    if not whole:
        return Prospect(world, way[-1], way[-1], OFF, OFF)
    end = world.end(first)
    world.land(seat, first)
    ahead = carrot_ahead(world, seat)
    if ahead == OFF and world.phase == SWAPPING and world.chooser == seat and (swap := _swap(world, seat)) is not None:
        after = world.copy()
        after.swap(*swap)
        return Prospect(world, end, OFF, after.end(carrot_ahead(after, seat)), OFF, swap)
    return Prospect(world, end, OFF, OFF if ahead == OFF else world.end(ahead), threat_of(world, seat))


def why_worse(state: BunnyState, seat: int, action: Action, best: Action) -> Text:
    """Return why a hop is worse than the best one, without saying which hop is the best."""
    found, better = prospect(state, seat, action), prospect(state, seat, best)
    told = list(_dangers(state, seat, found, better))
    if found.dark != OFF:
        told += _of_the_dark(state, seat, found, better)
    elif found.end == OFF and better.end != OFF:
        told.append(say("Your Bunny is flung off the field, and has to hop in on row 1 again."))
    elif found.end != OFF and found.ahead == OFF and better.ahead != OFF:
        told.append(say("From {space} you know no way to a carrot with your next hop.", space=SPACES[found.end]))
    if not told and found.end != OFF and found.ahead == OFF:
        told.append(say("From {space} you know no way to a carrot with your next hop.", space=SPACES[found.end]))
    if found.ahead != OFF and (first := _in_between(found, seat)) is not None and _in_between(better, seat) is None:
        told.append(
            say(
                "{other} can hop to {space} first, and then you no longer know a way to a carrot.",
                other=seat_name(1 - seat), space=SPACES[first],
            )
        )  # fmt: skip
    elif not told or found.ahead != OFF:
        told.append(say("Played out many times with the hidden cards dealt at random, that wins less often."))
    return join(told, " ")


def _in_between(found: Prospect, seat: int) -> int | None:
    """Return a card to which the other Bunny can hop so that the seat no longer knows a way to a Carrot, or None."""
    for first in found.world.firsts(1 - seat):
        if not found.world.path(first) & found.world.dark[seat]:
            after = found.world.copy()
            after.land(1 - seat, first)
            if carrot_ahead(after, seat) == OFF:
                return first
    return None


def _dangers(state: BunnyState, seat: int, found: Prospect, better: Prospect) -> Iterator[Text]:
    """Yield the danger that the other seat can get to a Carrot, if it could not do so after the best move."""
    other = seat_name(1 - seat)
    if found.threat == OFF or better.threat != OFF:
        return
    if state.carrots[1 - seat] + 1 == CARROTS_TO_WIN:
        yield say("{other} can hop to the carrot on {space} next and win.", other=other, space=SPACES[found.threat])
    else:
        yield say("{other} can hop to the carrot on {space} next.", other=other, space=SPACES[found.threat])


def _of_the_dark(state: BunnyState, seat: int, found: Prospect, better: Prospect) -> Iterator[Text]:
    """Yield that a card is unknown, and how many of the cards that it may be would fling the Bunny off the field."""
    start = Plans(state, seat).start
    off, dark = 0, start.unknown & ~(1 << found.dark)
    for card, count in enumerate(start.rest):
        world = found.world.copy()
        world.deal([found.dark], [card])
        off += count * (world.end(found.dark) == OFF and not world.path(found.dark) & dark)
    if better.ahead == OFF:
        yield say("You don’t know the card on {space}.", space=SPACES[found.dark])
    else:
        yield say(
            "You don’t know the card on {space}, so you can’t count on a carrot with your next hop.", space=SPACES[found.dark]
        )
    if off:
        yield say_n(
            "{n} of the {all} cards it could be flings you off the field.",
            "{n} of the {all} cards it could be fling you off the field.",
            off, all=sum(start.rest),
        )  # fmt: skip


def why_best(line: Line) -> tuple[Text, ...]:
    """Return why the first hop of a line is the best one."""
    (seat, action), state, game = line.actions[0], line.start.state, line.start.game
    found = prospect(state, seat, action)
    told = [reason(Belief(state, seat, ()), seat, Thought(action, 0.0)), *_of_the_way(found, state, seat)]
    others = [prospect(state, seat, other) for other in legal_actions(game, state, seat) if other != action]
    if found.ahead != OFF and all(other.ahead == OFF for other in others):
        told.append(say("After any other hop you know no way to a carrot."))
    return (say("**{action}**. {why}", action=action_words(game, state, seat, action), why=join(told, " ")),)


def _of_the_way(found: Prospect, state: BunnyState, seat: int) -> Iterator[Text]:
    if found.swap is not None:
        one, two = (SPACES[space] for space in found.swap)
        values = {"one": one, "two": two, "goal": SPACES[found.ahead]}
        if SPACES[found.ahead] in (one, two):
            yield say(
                "Swap {one} and {two}, for example: that puts the carrot on {goal}, where your next hop takes you.", **values
            )
        else:
            yield say("Swap {one} and {two}, for example, and your next hop takes you to the carrot on {goal}.", **values)
    if found.dark != OFF and (good := _good_cards(state, seat, found)):
        yield say_n(
            "With {n} of the {all} cards that may lie there you then know a way to a carrot.",
            "With {n} of the {all} cards that may lie there you then know a way to a carrot.",
            good, all=sum(Plans(state, seat).start.rest),
        )  # fmt: skip


def _good_cards(state: BunnyState, seat: int, found: Prospect) -> int:
    """Return how many of the cards that may lie on the unknown space leave the seat with a known way to a Carrot."""
    good = 0
    for card, count in enumerate(Plans(state, seat).start.rest):
        world = found.world.copy()
        world.deal([found.dark], [card])
        world.dark[seat] &= ~(1 << found.dark)
        if count and not world.path(found.dark) & world.dark[seat]:
            world.land(seat, found.dark)
            good += count * (carrot_ahead(world, seat) != OFF)
    return good


def _swap(world: World, seat: int) -> tuple[int, int] | None:
    """Return a swap after which the seat knows a way to a Carrot with its next hop and the other seat knows none, or None."""
    for one, two in combinations(world.swappable(), 2):
        after = world.copy()
        after.swap(one, two)
        if carrot_ahead(after, seat) != OFF and threat_of(after, seat) == OFF:
            return one, two
    return None
