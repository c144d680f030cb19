"""The reasons of Bounce Bunny Bounce, from what the solver's seat knows: where its Bunny ends, and who gets to a Carrot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from engines.bunny import BunnyState
from engines.bunny.field import DIRECTIONS, SPACES
from engines.bunny.position import CARROTS_TO_WIN
from engines.bunny.story import card_name
from engines.game import Action, action_words
from engines.position_codes import Line
from engines.text import Text, join, say, say_n, seat_name
from opponents.bunny.kernel import (
    AREA,
    CARDS,
    ENTER,
    MOVING,
    OFF,
    OVER,
    PASS,
    STOP,
    SWAPPING,
    TRADE,
    World,
    number,
)
from opponents.bunny.knowledge import Belief
from opponents.bunny.playout import carrot_ahead
from opponents.bunny.reasons import known_way, reason, threat_of
from opponents.contract import Thought
from opponents.puzzles.certain import TURNS, Layouts, Plans

# --- a Carrot for certain -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of the solver where a Carrot has to be certain, and what it may lead to.

    Attributes:
        plans: the search for plans that are certain.
        before: the layouts before the choice.
        move: the choice.
        after: the layouts that it may lead to, one for each way that unknown cards may turn out.
        turns: how many turns of the seat are left, the present one included.
    """

    plans: Plans
    before: Layouts
    move: int
    after: tuple[Layouts, ...]
    turns: int

    @property
    def seat(self) -> int:
        """The solver's seat."""
        return self.plans.seat

    def is_sure(self, layouts: Layouts) -> bool:
        """Return whether a Carrot is certain in one of the outcomes."""
        return self.plans.is_sure(layouts, self.plans.turns_after(self.before, layouts, self.turns))

    @property
    def met(self) -> int:
        """The first card on the way of the Bunny that the seat does not know; `OFF` if it knows all of them."""
        world = self.before.world
        if world.phase != MOVING:
            return OFF
        dark = self.before.unknown
        path = way_of(world, world.first(self.seat, self.move), dark)
        return path[-1] if dark >> path[-1] & 1 else OFF


def way_of(world: World, first: int, dark: int) -> list[int]:
    """Return the cards that a Bunny comes to from a first one, up to its end or to one of the dark ones."""
    way, space = [first], first
    while not dark >> space & 1 and world.cards[space] < STOP:
        space = world.ways[AREA * world.cards[space] + space]
        if space == OFF or space in way:
            break
        way.append(space)
    return way


def choice_of(states: Sequence[BunnyState], seat: int, action: Action) -> Choice:
    """Return the last choice of a line. `states`: the states before each of its actions."""
    state = states[-1]
    turns = TURNS - sum(before.turn == seat != after.turn for before, after in pairwise(states))
    plans = Plans(state, seat)
    move = PASS if action == ("pass",) else number(action[1:] if action[0] == "shock" else action)
    return Choice(plans, plans.start, move, tuple(dict(plans.moves(plans.start))[move]), turns)


def why_not_certain(choice: Choice) -> Text:
    """Return why no Carrot is certain after a wrong choice."""
    after = next(layouts for layouts in choice.after if not choice.is_sure(layouts))
    told, met = list[Text](), choice.met
    if met != OFF and len(choice.after) > 1:
        card = card_name(CARDS[after.world.cards[met]])
        told.append(say("You don’t know the card on {space}. Suppose it’s this one: {card}.", space=SPACES[met], card=card))
    return join([*told, _why_not(choice, after)], " ")


def _why_not(choice: Choice, after: Layouts) -> Text:
    """Return why no Carrot is certain in one of the outcomes of a choice."""
    seat, place = choice.seat, after.world.places[choice.seat]
    if after.world.phase == OVER:
        return say("Then the game is over.")
    mine = _passed(after, seat)
    sure = choice.plans.sure_moves(mine, 1)
    if sure:
        goal, threat = SPACES[_goal(choice.plans, mine, sure[0])], _spoiler(choice, after)
        return say("With your next hop you could get the Carrot on {goal}, but {threat}", goal=goal, threat=threat)
    dark = _in_the_way(choice.plans, mine)
    if place == OFF:
        away = say("Your Bunny is flung off the field.")
        if dark == OFF:
            return join([away, say("From row 1 no card leads it to a Carrot next turn.")], " ")
        unsure = say("From row 1 its only way to a Carrot leads over {dark}, a card that you don’t know.", dark=SPACES[dark])
        return join([away, unsure], " ")
    if dark == OFF:
        return say("Your Bunny ends on {space}, from where no hop leads to a Carrot next turn.", space=SPACES[place])
    return say(
        "Your Bunny ends on {space}. Its only way from there to a Carrot leads over {dark}, a card that you don’t know.",
        space=SPACES[place], dark=SPACES[dark],
    )  # fmt: skip


def _passed(layouts: Layouts, seat: int) -> Layouts:
    """Return the layouts as if it were a seat's turn to move."""
    world = layouts.world.copy()
    world.turn = world.chooser = seat
    world.phase = MOVING
    return layouts._replace(world=world)


def _goal(plans: Plans, mine: Layouts, move: int) -> int:
    """Return the Carrot that a move gets: one of them, if that depends on a card that the seat doesn't know."""
    after = next(dict(plans.moves(mine))[move])
    return after.world.places[plans.seat]


def _in_the_way(plans: Plans, mine: Layouts) -> int:
    """Return the card that the seat doesn't know and that may lead it to a Carrot with this hop; `OFF`: there is none."""
    for move, outcomes in plans.moves(mine):
        if any(after.world.carrots[plans.seat] > mine.world.carrots[plans.seat] for after in outcomes):
            return way_of(mine.world, mine.world.first(plans.seat, move), mine.unknown)[-1]
    return OFF


def _spoiler(choice: Choice, after: Layouts) -> Text:
    """Return what the other Bunny can do against the next hop."""
    seat, world, turns = choice.seat, after.world, choice.plans.turns_after(choice.before, after, choice.turns)
    found: list[tuple[int, Text]] = []
    other = seat_name(1 - seat)
    if world.chooser == seat:
        return say("nothing that you choose now keeps it safe.")
    for move, outcomes in choice.plans.moves(after):
        reached = list(outcomes)
        bad = [there for there in reached if not choice.plans.is_sure(there, choice.plans.turns_after(after, there, turns))]
        if bad:
            found.append(_spoiled(after, bad[0], move, seat, other))
    return min(found, key=lambda one: (one[0], str(one[1])))[1]


def _spoiled(before: Layouts, after: Layouts, move: int, seat: int, other: Text) -> tuple[int, Text]:
    """Return what a move of the other Bunny does, and how hard that is to see: the smaller the number, the easier."""
    if before.world.phase != MOVING:
        return 3, say("{other} can get in the way.", other=other)
    first = SPACES[before.world.first(1 - seat, move)]
    if after.world.carrots[1 - seat] > before.world.carrots[1 - seat]:
        return 0, say("{other} can hop to {space} and take it first.", other=other, space=first)
    if after.world.places[seat] == OFF != before.world.places[seat]:
        return 1, say("{other} can hop to {space} and bump you off the field.", other=other, space=first)
    if after.world.phase == SWAPPING:
        return 2, say("{other} can hop to {space} and move it away with the Swap.", other=other, space=first)
    return 3, say("{other} can hop to {space} and get in the way.", other=other, space=first)


def why_right(line: Line, seat: int) -> tuple[Text, ...]:
    """Return why the choices of a seat in a line make a Carrot certain, a text for each."""
    states, game = (line.start.state, *(step.state for step in line.steps)), line.start.game
    told = []
    for place, (mover, action) in enumerate(line.actions):
        if mover == seat:
            words = action_words(game, states[place], seat, action)
            why = why_certain(choice_of(states[: place + 1], seat, action))
            told.append(say("**{action}**. {why}", action=words, why=why))
    return tuple(told)


def why_certain(choice: Choice) -> Text:
    """Return why a Carrot is certain after the right choice."""
    seat, after = choice.seat, choice.after[0]
    other = seat_name(1 - seat)
    told, met = list[Text](), choice.met
    if met != OFF and len(choice.after) > 1:
        told.append(say("It doesn’t matter which card lies on {space}.", space=SPACES[met]))
    if after.world.carrots[seat] > choice.before.world.carrots[seat]:
        return join([*told, say("That takes a Carrot.")], " ")
    turns = choice.plans.turns_after(choice.before, after, choice.turns)
    if after.world.chooser == seat and after.world.phase == SWAPPING:
        is_free = bool(choice.plans.sure_moves(_passed(after, seat), 1))
        swap = next(move for move, outcomes in choice.plans.moves(after) if choice.plans.holds(after, outcomes, turns))
        one, two = divmod(swap - TRADE, AREA)
        values = {"one": SPACES[one], "two": SPACES[two]}
        if is_free:
            told.append(say("On the Swap, exchange two cards that aren’t in your way, {one} and {two} for example.", **values))
        else:
            told.append(say("With the Swap you exchange {one} and {two}, for example.", **values))
        after = next(iter(dict(choice.plans.moves(after))[swap]))
    mine = _passed(after, seat)
    sure = choice.plans.sure_moves(mine, 1)
    if not sure:
        told.append(say("Whatever {other} does, you get to a Carrot with your next hop.", other=other))
        return join(told, " ")
    space = SPACES[_goal(choice.plans, mine, sure[0])]
    hop = _hop(mine.world, seat, sure[0])
    told.append(
        say("Next turn you {hop}, to the Carrot on {space}. {other} can’t prevent that.", hop=hop, space=space, other=other)
    )
    return join(told, " ")


def _hop(world: World, seat: int, move: int) -> Text:
    """Return a move of a Bunny in words, to follow "you"."""
    if move >= ENTER:
        return say("hop in on {space}", space=SPACES[world.first(seat, move)])
    words = {
        "left": say("hop left"),
        "right": say("hop right"),
        "up": say("hop up"),
        "down": say("hop down"),
    }
    return words[DIRECTIONS[move]]


# --- the best move ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a hop leads to, as far as its seat knows.

    Attributes:
        world: the world after it; before it, if it leads to a card that the seat doesn't know.
        end: where the Bunny ends: `OFF` if it is flung off the field.
        dark: the card that the seat doesn't know and that decides where it ends; `OFF`: there is none.
        ahead: the Carrot that the seat knows a way to with its next hop, after a swap if it has one; `OFF`: there is none.
        swap: the swap that it takes; None: none.
        threat: the same of the other seat.
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
    """Return why a hop is worse than the best one, without saying which that is."""
    found, better = prospect(state, seat, action), prospect(state, seat, best)
    told = list(_dangers(state, seat, found, better))
    if found.dark != OFF:
        told += _of_the_dark(state, seat, found, better)
    elif found.end == OFF and better.end != OFF:
        told.append(say("Your Bunny is flung off the field, and has to hop in on row 1 again."))
    elif found.end != OFF and found.ahead == OFF and better.ahead != OFF:
        told.append(say("From {space} you know no way to a Carrot with your next hop.", space=SPACES[found.end]))
    if not told and found.end != OFF and found.ahead == OFF:
        told.append(say("From {space} you know no way to a Carrot with your next hop.", space=SPACES[found.end]))
    if not told or found.ahead != OFF:
        told.append(say("Played on many times, with the hidden cards in any order, that wins less often."))
    return join(told, " ")


def _dangers(state: BunnyState, seat: int, found: Prospect, better: Prospect) -> Iterator[Text]:
    """Yield that the other seat gets to a Carrot, if it doesn't after the best move."""
    other = seat_name(1 - seat)
    if found.threat == OFF or better.threat != OFF:
        return
    if state.carrots[1 - seat] + 1 == CARROTS_TO_WIN:
        yield say("{other} can hop to the Carrot on {space} next, and win.", other=other, space=SPACES[found.threat])
    else:
        yield say("{other} can hop to the Carrot on {space} next.", other=other, space=SPACES[found.threat])


def _of_the_dark(state: BunnyState, seat: int, found: Prospect, better: Prospect) -> Iterator[Text]:
    """Yield that a space is unknown, and how many of the cards that may lie there would fling the Bunny off the field."""
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
            "You don’t know the card on {space}, so you can’t count on a Carrot with your next hop.", space=SPACES[found.dark]
        )
    if off:
        yield say_n(
            "{n} of the {all} cards that may lie there flings you off the field.",
            "{n} of the {all} cards that may lie there fling you off the field.",
            off, all=sum(start.rest),
        )  # fmt: skip


def why_best(line: Line) -> tuple[Text, ...]:
    """Return why the first hop of a line is the best one."""
    (seat, action), state = line.actions[0], line.start.state
    found = prospect(state, seat, action)
    told = [reason(Belief(state, seat, ()), seat, Thought(action, 0.0))]
    if found.swap is not None:
        one, two = (SPACES[space] for space in found.swap)
        told.append(
            say(
                "Exchange {one} and {two}, for example, and your next hop leads to the Carrot on {goal}.",
                one=one, two=two, goal=SPACES[found.ahead],
            )
        )  # fmt: skip
    return (say("**{action}**. {why}", action=action_words(line.start.game, state, seat, action), why=join(told, " ")),)


def _swap(world: World, seat: int) -> tuple[int, int] | None:
    """Return a swap after which the seat knows a way to a Carrot with its next hop, and the other seat knows none."""
    for one, two in combinations(world.swappable(), 2):
        after = world.copy()
        after.swap(one, two)
        if carrot_ahead(after, seat) != OFF and threat_of(after, seat) == OFF:
            return one, two
    return None
