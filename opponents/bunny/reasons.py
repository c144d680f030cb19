"""The reason for an action of the computer in Bounce Bunny Bounce, in a sentence, from the knowledge of its seat alone."""

from engines.bunny.field import SPACES
from engines.bunny.position import CARROTS_TO_WIN, SHOCKS
from engines.bunny.story import card_name
from engines.text import Text, say, seat_name
from opponents.bunny.kernel import (
    AREA,
    BONUS,
    CARDS,
    CARROT,
    MOVING,
    OFF,
    PASS,
    PEEK,
    SHOCKING,
    SPY,
    SPYING,
    STOP,
    SWAP,
    TRADE,
    World,
    number,
)
from opponents.bunny.knowledge import Belief
from opponents.bunny.playout import carrot_ahead
from opponents.contract import Thought


def reason(belief: Belief, seat: int, thought: Thought) -> Text:
    """The reason why a seat plays an action, by what the seat knows (`belief`)."""
    world, move = belief.certain(), number(thought.action)
    if world.phase == MOVING:
        return _moving(world, seat, world.first(seat, move))
    if world.phase == SPYING:
        return _spying(world, seat, move - PEEK)
    if world.phase == SHOCKING and move == PASS:
        return _passing(world, seat)
    if world.phase == SHOCKING:
        return _shocking(world, seat, world.first(1 - seat, move))
    return _swapping(world, seat, *divmod(move - TRADE, AREA))


def known_way(world: World, seat: int, first: int) -> tuple[list[int], bool]:
    """The spaces that a Bunny comes to, as far as the seat knows the way from `first`, and whether it knows the whole way."""
    way, space, seen = [], first, 0
    while True:
        way.append(space)
        seen |= 1 << space
        if world.dark[seat] >> space & 1:
            return way, False
        card = world.cards[space]
        if card >= STOP:
            return way, True
        space = world.ways[AREA * card + space]
        if space == OFF or seen >> space & 1:
            return way, True


def _moving(world: World, seat: int, first: int) -> Text:
    way, whole = known_way(world, seat, first)
    other = seat_name(1 - seat)
    last = SPACES[way[-1]]
    if whole and world.end(first) == OFF:
        return _off_the_field(world, seat, first)
    if whole and world.cards[way[-1]] == CARROT and world.carrots[seat] + 1 == CARROTS_TO_WIN:
        return say("It takes the Carrot on {space} and wins.", space=last)
    if whole and world.cards[way[-1]] == CARROT:
        return say("It takes the Carrot on {space}.", space=last)
    if world.places[1 - seat] in way:
        return say("It bumps {other} off the field.", other=other)
    if not whole:
        return _into_the_dark(world, seat, way)
    return _stopping(world, seat, way[-1], first)


def _off_the_field(world: World, seat: int, first: int) -> Text:
    """The reason for a hop that flings the Bunny off the field: what it can do from row 1."""
    after = world.copy()
    after.land(seat, first)
    ahead = carrot_ahead(after, seat)
    if ahead == OFF:
        return say("Every other way looks worse, and from row 1 your Bunny can start afresh.")
    return say(
        "Your Bunny is flung off the field, but from row 1 you know the way to the Carrot on {goal}: hop in on {space}.",
        goal=SPACES[after.end(ahead)],
        space=SPACES[ahead],
    )


def _into_the_dark(world: World, seat: int, way: list[int]) -> Text:
    """The reason for a hop that leads to a card that the seat doesn’t know: what it hopes for there."""
    space = SPACES[way[-1]]
    if len(way) > 1:
        return say("The shocks lead on to {space}, a card that you don’t know yet.", space=space)
    ahead = (world.ways[AREA * direction + way[-1]] for direction in range(4))
    goal = next((there for there in ahead if there != OFF and world.cards[there] == CARROT), OFF)
    if goal != OFF:
        known = {"space": space, "goal": SPACES[goal]}
        return say("You don’t know the card on {space} yet. If you can stop there, the Carrot on {goal} is next.", **known)
    if carrot_ahead(world, seat) == OFF:
        return say("You know no way to a Carrot yet, so it’s worth turning up the card on {space}.", space=space)
    return say("You don’t know the card on {space} yet, and every other way looks worse.", space=space)


def _stopping(world: World, seat: int, end: int, first: int) -> Text:
    """The reason for a hop to the space `first`, after which the Bunny stops at `end`: on a known card that is not a Carrot."""
    after = world.copy()
    after.land(seat, first)
    ahead = carrot_ahead(after, seat)
    if ahead != OFF:
        goal = SPACES[after.end(ahead)]
        return say(
            "It stops on {space}, and from there you know the way to the Carrot on {goal}.", space=SPACES[end], goal=goal
        )
    return _card(world, seat, end)


def _card(world: World, seat: int, end: int) -> Text:
    """The use of the card on which a Bunny stops."""
    space, card = SPACES[end], card_name(CARDS[world.cards[end]])
    if world.cards[end] == SPY:
        return say("The Spy on {space} lets you peek at a card.", space=space)
    if world.cards[end] == SWAP:
        return say("The Swap on {space} lets you exchange two cards.", space=space)
    if world.cards[end] == BONUS and world.shocks[seat] < SHOCKS:
        return say("You get another shock on {space}.", space=space)
    if not world.up >> end & 1:
        return say("You saw the card on {space}: {card}. Nothing bad can happen there.", space=space, card=card)
    return say("It stops on {space}: {card}.", space=space, card=card)


def _spying(world: World, seat: int, space: int) -> Text:
    if space in world.firsts(seat):
        return say("Your Bunny can hop to {space} next, so it’s good to know what lies there.", space=SPACES[space])
    if space in world.firsts(1 - seat):
        return say("{other} can hop to {space} next.", other=seat_name(1 - seat), space=SPACES[space])
    return say("You don’t know the card on {space} yet.", space=SPACES[space])


def threat_of(world: World, seat: int) -> int:
    """The Carrot to which the other seat knows a way, as far as this seat can tell; `OFF` if there is none."""
    seen = world.copy()
    seen.dark[1 - seat] |= seen.dark[seat]
    ahead = carrot_ahead(seen, 1 - seat)
    return OFF if ahead == OFF else seen.end(ahead)


def _passing(world: World, seat: int) -> Text:
    other = seat_name(1 - seat)
    if threat_of(world, seat) == OFF:
        return say("As far as you know, {other} can’t get to a Carrot yet, so the shock can wait.", other=other)
    return say("A shock would hardly keep {other} away; it’s worth more later.", other=other)


def _shocking(world: World, seat: int, first: int) -> Text:
    other, threat = seat_name(1 - seat), threat_of(world, seat)
    way, whole = known_way(world, seat, first)
    if world.places[seat] in way:
        return say("It costs you your place, but {other} gets no Carrot.", other=other)
    if whole and world.end(first) == OFF:
        return say("The shocks there go round in circles: {other} is flung off the field.", other=other)
    if threat != OFF:
        return say("{other} can hop to the Carrot on {space} next. This gets in between.", other=other, space=SPACES[threat])
    return say("{other} is worse off afterwards.", other=other)


def _swapping(world: World, seat: int, one: int, two: int) -> Text:
    threat = threat_of(world, seat)
    after = world.copy()
    after.swap(one, two)
    ahead, left = carrot_ahead(after, seat), threat_of(after, seat)
    if ahead != OFF and left == OFF:
        return say("Then you can get the Carrot on {space} with your next hop.", space=SPACES[after.end(ahead)])
    if threat != OFF and left == OFF:
        other = seat_name(1 - seat)
        return say(
            "{other} could have hopped to the Carrot on {space} next. Now it’s out of the way.",
            other=other,
            space=SPACES[threat],
        )
    if CARROT in (world.cards[one], world.cards[two]):
        origin, space = (one, two) if world.cards[one] == CARROT else (two, one)
        return say("The Carrot from {origin} lies better for you on {space}.", origin=SPACES[origin], space=SPACES[space])
    return say("The ways to the Carrots are better for you then.")
