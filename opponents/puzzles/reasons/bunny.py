"""The reasons for puzzles of Bounce Bunny Bounce that ask for a certain Carrot, from what the solver's seat knows."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engines.bunny import BunnyState
from engines.bunny.field import DIRECTIONS, SPACES
from engines.bunny.story import card_name
from engines.game import Action, action_words
from engines.position_codes import Line
from engines.text import Text, join, say, seat_name
from opponents.bunny.kernel import AREA, CARDS, ENTER, MOVING, OFF, OVER, PASS, STOP, SWAPPING, TRADE, World, number
from opponents.puzzles.certain import TURNS, Layouts, Plans


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move of the solver in such a puzzle, between the layouts before and after it.

    There is one layout in `after` for each way in which unknown cards may turn out. `turns` is the number of turns that the
    seat has left, including the current one.
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
        """Return whether a Carrot is certain in the given one of the outcomes."""
        return self.plans.is_sure(layouts, self.plans.turns_after(self.before, layouts, self.turns))

    @property
    def met(self) -> int:
        """The first unknown card on the Bunny's way, or `OFF`."""
        world = self.before.world
        if world.phase != MOVING:
            return OFF
        dark = self.before.unknown
        path = way_of(world, world.first(self.seat, self.move), dark)
        return path[-1] if dark >> path[-1] & 1 else OFF


def way_of(world: World, first: int, dark: int) -> list[int]:
    """Return the cards that a Bunny visits from a first one, up to where it stops or to one of the dark cards."""
    way, space = [first], first
    while not dark >> space & 1 and world.cards[space] < STOP:
        space = world.ways[AREA * world.cards[space] + space]
        if space == OFF or space in way:
            break
        way.append(space)
    return way


def choice_of(states: Sequence[BunnyState], seat: int, action: Action) -> PlannedMove:
    """Return an action as a move of the plan. `states` are those of the line before each of its actions, up to this one."""
    state = states[-1]
    turns = TURNS - sum(before.turn == seat != after.turn for before, after in pairwise(states))
    plans = Plans(state, seat)
    move = PASS if action == ("pass",) else number(action[1:] if action[0] == "shock" else action)
    return PlannedMove(plans, plans.start, move, tuple(dict(plans.moves(plans.start))[move]), turns)


def why_not_certain(choice: PlannedMove) -> Text:
    """Return why no Carrot is certain after a wrong move."""
    after = next(layouts for layouts in choice.after if not choice.is_sure(layouts))
    told, met = list[Text](), choice.met
    if met != OFF and len(choice.after) > 1:
        card = card_name(CARDS[after.world.cards[met]])
        told.append(say("You don’t know the card on {space}. Suppose it’s this one: {card}.", space=SPACES[met], card=card))
    return join([*told, _why_not(choice, after)], " ")


def _why_not(choice: PlannedMove, after: Layouts) -> Text:
    seat, place = choice.seat, after.world.places[choice.seat]
    if after.world.phase == OVER:
        return say("Then the game is over.")
    mine = _passed(after, seat)
    sure = choice.plans.sure_moves(mine, 1)
    if sure:
        goal, threat = SPACES[_goal(choice.plans, mine, sure[0])], _spoiler(choice, after)
        return say("With your next hop you could get the carrot on {goal}, but {threat}", goal=goal, threat=threat)
    dark = _in_the_way(choice.plans, mine)
    if place == OFF:
        away = say("Your Bunny is flung off the field.")
        if dark == OFF:
            return join([away, say("From row 1, no card takes it to a carrot next turn.")], " ")
        unsure = say("From row 1, its only way to a carrot leads over {dark}, a card you don’t know.", dark=SPACES[dark])
        return join([away, unsure], " ")
    if dark == OFF:
        return say("Your Bunny ends up on {space}, and no hop from there leads to a carrot next turn.", space=SPACES[place])
    return say(
        "Your Bunny ends up on {space}. Its only way to a carrot from there leads over {dark}, a card you don’t know.",
        space=SPACES[place], dark=SPACES[dark],
    )  # fmt: skip


def _passed(layouts: Layouts, seat: int) -> Layouts:
    world = layouts.world.copy()
    world.turn = world.chooser = seat
    world.phase = MOVING
    return layouts._replace(world=world)


def _goal(plans: Plans, mine: Layouts, move: int) -> int:
    """Return a Carrot that a move reaches. Which Carrot it is may depend on an unknown card."""
    after = next(dict(plans.moves(mine))[move])
    return after.world.places[plans.seat]


def _in_the_way(plans: Plans, mine: Layouts) -> int:
    """Return an unknown card that may lead the seat to a Carrot with this hop, or `OFF` if there is none."""
    for move, outcomes in plans.moves(mine):
        if any(after.world.carrots[plans.seat] > mine.world.carrots[plans.seat] for after in outcomes):
            return way_of(mine.world, mine.world.first(plans.seat, move), mine.unknown)[-1]
    return OFF


def _spoiler(choice: PlannedMove, after: Layouts) -> Text:
    seat, world, turns = choice.seat, after.world, choice.plans.turns_after(choice.before, after, choice.turns)
    found: list[tuple[int, Text]] = []
    other = seat_name(1 - seat)
    if world.chooser == seat:
        return say("nothing you choose now keeps it safe.")
    for move, outcomes in choice.plans.moves(after):
        reached = list(outcomes)
        bad = [there for there in reached if not choice.plans.is_sure(there, choice.plans.turns_after(after, there, turns))]
        if bad:
            found.append(_spoiled(after, bad[0], move, seat, other))
    return min(found, key=lambda one: (one[0], str(one[1])))[1]


def _spoiled(before: Layouts, after: Layouts, move: int, seat: int, other: Text) -> tuple[int, Text]:
    """Return what a move of the other Bunny does, and a number for how hard that is to see. The lower it is, the easier."""
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
    """Return why a seat's moves in a line make a Carrot certain, with a text for each."""
    states, game = (line.start.state, *(step.state for step in line.steps)), line.start.game
    told = []
    for place, (mover, action) in enumerate(line.actions):
        if mover == seat:
            words = action_words(game, states[place], seat, action)
            why = why_certain(choice_of(states[: place + 1], seat, action))
            told.append(say("**{action}**. {why}", action=words, why=why))
    return tuple(told)


def why_certain(choice: PlannedMove) -> Text:
    """Return why a Carrot is certain after the right move."""
    seat, after = choice.seat, choice.after[0]
    other = seat_name(1 - seat)
    told, met = list[Text](), choice.met
    if met != OFF and len(choice.after) > 1:
        told.append(say("It doesn’t matter which card lies on {space}.", space=SPACES[met]))
    elif met != OFF:
        card = card_name(CARDS[after.world.cards[met]])
        told.append(say("From what you know, only this card can lie on {space}: {card}.", space=SPACES[met], card=card))
    if after.world.carrots[seat] > choice.before.world.carrots[seat]:
        return join([*told, say("That takes a carrot.")], " ")
    turns = choice.plans.turns_after(choice.before, after, choice.turns)
    if after.world.chooser == seat and after.world.phase == SWAPPING:
        swap, is_apart = _swap_of(choice, after, turns)
        one, two = divmod(swap - TRADE, AREA)
        swapped = next(iter(dict(choice.plans.moves(after))[swap]))
        if is_apart:
            told.append(
                say(
                    "Use the Swap on two cards your next hop doesn’t touch, {one} and {two}, for example.",
                    one=SPACES[one], two=SPACES[two],
                )
            )  # fmt: skip
        else:
            told.append(_of_a_swap(choice, swapped, (one, two)))
        after = swapped
    mine = _passed(after, seat)
    sure = choice.plans.sure_moves(mine, 1)
    if not sure:
        told.append(say("Whatever {other} does, you get to a carrot with your next hop.", other=other))
        return join(told, " ")
    space = SPACES[_goal(choice.plans, mine, sure[0])]
    hop = _hop(mine.world, seat, sure[0])
    told.append(
        say("Next turn you {hop}, to the carrot on {space}. {other} can’t prevent that.", hop=hop, space=space, other=other)
    )
    return join(told, " ")


def _swap_of(choice: PlannedMove, after: Layouts, turns: int) -> tuple[int, bool]:
    """Return a swap after which a Carrot is certain, and whether it leaves alone a way to the Carrot that was open before."""
    plans, mine = choice.plans, _passed(after, choice.seat)
    swaps = [move for move, outcomes in plans.moves(after) if plans.holds(after, outcomes, turns)]
    sure = plans.sure_moves(mine, 1)
    way = way_of(mine.world, mine.world.first(choice.seat, sure[0]), mine.unknown) if sure else []
    apart = [swap for swap in swaps if way and not set(divmod(swap - TRADE, AREA)) & set(way)]
    return (apart[0], True) if apart else (swaps[0], False)


def _of_a_swap(choice: PlannedMove, after: Layouts, exchanged: tuple[int, int]) -> Text:
    """Return what a swap of two spaces is for: the card that it puts where the next hop leads."""
    mine = _passed(after, choice.seat)
    sure = choice.plans.sure_moves(mine, 1)
    way = way_of(mine.world, mine.world.first(choice.seat, sure[0]), mine.unknown) if sure else []
    one, two = exchanged
    values = {"one": SPACES[one], "two": SPACES[two]}
    for space in exchanged:
        if space not in way or mine.unknown >> space & 1:
            continue
        if space == way[-1]:
            return say(
                "Use the Swap on {one} and {two}, for example. That puts the carrot on {space}.",
                space=SPACES[space], **values,
            )  # fmt: skip
        card = card_name(CARDS[mine.world.cards[space]])
        return say(
            "Use the Swap on {one} and {two}, for example. Then the card on {space} leads you on: {card}.",
            space=SPACES[space], card=card, **values,
        )  # fmt: skip
    return say("Use the Swap on {one} and {two}, for example.", **values)


def _hop(world: World, seat: int, move: int) -> Text:
    """Return a Bunny's move in words that follow "you", such as "hop left"."""
    if move >= ENTER:
        return say("hop in on {space}", space=SPACES[world.first(seat, move)])
    words = {"left": say("hop left"), "right": say("hop right"), "up": say("hop up"), "down": say("hop down")}
    return words[DIRECTIONS[move]]
