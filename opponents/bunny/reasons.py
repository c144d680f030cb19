"""The reason for an action in Bounce Bunny Bounce, in a sentence that uses only what the seat knows."""

from collections.abc import Iterator

from engines.bunny.field import SPACES
from engines.bunny.position import CARROTS_TO_WIN, SHOCKS
from engines.bunny.story import card_name
from engines.text import Text, join, say, seat_name
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
    """Return why a seat plays an action, according to what it knows (`belief`)."""
    world, move = belief.certain(), number(thought.action)
    if world.phase == MOVING:
        why = _moving(world, seat, world.first(seat, move))
        return join([why, *_leaving(world, seat, move)], " ")
    if world.phase == SPYING:
        return _spying(world, seat, move - PEEK)
    if world.phase == SHOCKING and move == PASS:
        return _passing(world, seat)
    if world.phase == SHOCKING:
        return _use_of_shock(world, seat, world.first(1 - seat, move)) or _tried()
    return _swapping(world, seat, *divmod(move - TRADE, AREA))


def known_way(world: World, seat: int, first: int) -> tuple[list[int], bool]:
    """Return the spaces that a Bunny visits from `first`, as far as the seat knows, and whether it knows the whole way."""
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
        return say("It takes the carrot on {space} and wins.", space=last)
    if whole and world.cards[way[-1]] == CARROT:
        return say("It takes the carrot on {space}.", space=last)
    if world.places[1 - seat] in way:
        return say("It bumps {other} off the field.", other=other)
    if not whole:
        return _into_the_dark(world, seat, way)
    return _stopping(world, seat, way[-1], first)


def _leaving(world: World, seat: int, move: int) -> Iterator[Text]:
    """Yield why a hop passes by a Carrot that the seat could take at once, if it does so."""
    carrots = sure_carrots(world, seat)
    if carrots and move not in carrots:
        goal = SPACES[world.end(world.first(seat, carrots[0]))]
        yield say(
            "You could take the carrot on {space} at once, but that wins less often in trial games with the hidden "
            "cards dealt at random.",
            space=goal,
        )


def _off_the_field(world: World, seat: int, first: int) -> Text:
    """Return why a hop flings the seat's own Bunny off the field: what the Bunny can do from row 1."""
    after = world.copy()
    after.land(seat, first)
    ahead = carrot_ahead(after, seat)
    if ahead == OFF:
        return say("Every other way looks worse, and from row 1 your Bunny can start afresh.")
    return say(
        "Your Bunny is flung off the field, but from row 1 you know the way to the carrot on {goal}: hop in on {space}.",
        goal=SPACES[after.end(ahead)],
        space=SPACES[ahead],
    )


def _into_the_dark(world: World, seat: int, way: list[int]) -> Text:
    """Return why a hop leads to an unknown card: what the seat hopes for there."""
    space = SPACES[way[-1]]
    if len(way) > 1:
        return say("The shocks lead on to {space}, a card you don’t know yet.", space=space)
    goal = next((there for there in _around(world, way[-1]) if world.cards[there] == CARROT), OFF)
    if goal != OFF:
        known = {"space": space, "goal": SPACES[goal]}
        return say("You don’t know the card on {space} yet. If you can stop there, the carrot on {goal} is next.", **known)
    if carrot_ahead(world, seat) == OFF:
        return say(
            "You don’t know a way to a carrot with your next hop, so it’s worth turning up the card on {space}.", space=space
        )
    return say("You don’t know the card on {space} yet.", space=space)


def _stopping(world: World, seat: int, end: int, first: int) -> Text:
    """Return why a hop to `first` stops at `end`, on a known card that is not a Carrot."""
    after = world.copy()
    after.land(seat, first)
    ahead = carrot_ahead(after, seat)
    if ahead != OFF:
        goal = SPACES[after.end(ahead)]
        return say(
            "It stops on {space}, and from there you know the way to the carrot on {goal}.", space=SPACES[end], goal=goal
        )
    return _card(world, seat, end)


def _card(world: World, seat: int, end: int) -> Text:
    space, card = SPACES[end], card_name(CARDS[world.cards[end]])
    if world.cards[end] == SPY:
        return say("The Spy on {space} lets you peek at a card.", space=space)
    if world.cards[end] == SWAP:
        return say("The Swap on {space} lets you swap two cards.", space=space)
    if world.cards[end] == BONUS and world.shocks[seat] < SHOCKS:
        return say("You get another shock on {space}.", space=space)
    if not world.up >> end & 1:
        return say("You saw the card on {space}: {card}. Nothing bad can happen there.", space=space, card=card)
    return say("It stops on {space}: {card}.", space=space, card=card)


def _spying(world: World, seat: int, space: int) -> Text:
    if not world.dark[seat] >> space & 1:
        return say("You know the card on {space} already, but you have to peek at one.", space=SPACES[space])
    return _use_of_peek(world, seat, space) or say(
        "You don’t know the card on {space} yet, and each card you know may show you a way to a carrot.", space=SPACES[space]
    )


def _use_of_peek(world: World, seat: int, space: int) -> Text | None:
    """Return why a card is soon worth knowing, or None: a Bunny can hop to it, or a Carrot lies one hop from it."""
    if space in world.firsts(seat):
        return say("Your Bunny can hop to {space} next, so it’s good to know what lies there.", space=SPACES[space])
    if space in world.firsts(1 - seat):
        return say("{other} can hop to {space} next.", other=seat_name(1 - seat), space=SPACES[space])
    goal = next((there for there in _around(world, space) if world.cards[there] == CARROT), OFF)
    if goal != OFF:
        known = {"space": SPACES[space], "goal": SPACES[goal]}
        return say("From {space} it’s one hop to the carrot on {goal}, so it’s good to know what lies there.", **known)
    return None


def _around(world: World, space: int) -> list[int]:
    around = (world.ways[AREA * direction + space] for direction in range(4))
    return [there for there in around if there != OFF]


def threat_of(world: World, seat: int) -> int:
    """Return the Carrot to which the other seat knows a way, as far as this seat can tell, or `OFF` if there is none."""
    seen = world.copy()
    seen.dark[1 - seat] |= seen.dark[seat]
    ahead = carrot_ahead(seen, 1 - seat)
    return OFF if ahead == OFF else seen.end(ahead)


def hops_to_carrot(world: World, seat: int, bunny: int) -> int:
    """Return the fewest hops from a Bunny to a Carrot, assuming that it can stop on every card that the seat does not know.

    If the seat knows of no way, the result is one more than there are spaces.
    """
    firsts, seen = world.firsts(bunny), set[int]()
    for hops in range(1, AREA + 1):
        ends = set[int]()
        for first in firsts:
            way, whole = known_way(world, seat, first)
            if not whole or world.end(first) != OFF:
                ends.add(way[-1])
        if any(world.cards[end] == CARROT for end in ends):
            return hops
        firsts = [there for end in ends - seen for there in _around(world, end)]
        seen |= ends
    return AREA + 1


def _passing(world: World, seat: int) -> Text:
    other, threat = seat_name(1 - seat), threat_of(world, seat)
    if threat == OFF:
        return say("As far as you know, {other} can’t reach a carrot with the next hop, so the shock can wait.", other=other)
    if any(_keeps_away(world, seat, first) for first in world.firsts(1 - seat)):
        return say(
            "{other} can hop to the carrot on {space} next, but the shock is worth more later.",
            other=other,
            space=SPACES[threat],
        )
    return say("A shock would hardly keep {other} away; it’s worth more later.", other=other)


def _keeps_away(world: World, seat: int, first: int) -> bool:
    """Return whether a shock surely leaves the other Bunny without a known way to a Carrot with its next hop."""
    if not known_way(world, seat, first)[1]:
        return False
    after = world.copy()
    after.land(1 - seat, first)
    return after.carrots == world.carrots and threat_of(after, seat) == OFF


def _tried() -> Text:
    return say("This did best in trial games with the hidden cards dealt at random.")


def _use_of_shock(world: World, seat: int, first: int) -> Text | None:
    """Return the use of a shock that sends the other Bunny to a card first, or None if the seat knows of no use."""
    if not known_way(world, seat, first)[1]:
        return _shocking_into_the_dark(world, seat, first)
    other = seat_name(1 - seat)
    if world.end(first) == OFF:
        return say("The shocks there go round in circles: {other} is flung off the field.", other=other)
    threat = threat_of(world, seat)
    bumped = world.path(first) >> world.places[seat] & 1 if world.places[seat] != OFF else False
    if threat != OFF and _keeps_away(world, seat, first):
        if bumped:
            return say("It costs you your place, but {other} gets no carrot.", other=other)
        known = {"other": other, "space": SPACES[threat]}
        return say("{other} can hop to the carrot on {space} next. This gets in the way.", **known)
    if not bumped and _leads_astray(world, seat, first):
        end = SPACES[world.end(first)]
        return say("As far as you know, {other} needs more hops to reach a carrot from {space}.", other=other, space=end)
    return None


def _shocking_into_the_dark(world: World, seat: int, first: int) -> Text:
    space, threat = known_way(world, seat, first)[0][-1], threat_of(world, seat)
    if threat == OFF:
        return say("It turns up the card on {space}, which you don’t know yet.", space=SPACES[space])
    known = {"other": seat_name(1 - seat), "space": SPACES[threat], "end": SPACES[space]}
    return say("{other} can hop to the carrot on {space} next. This leads to {end} first, a card you don’t know yet.", **known)


def _leads_astray(world: World, seat: int, first: int) -> bool:
    """Return whether a shock by a known way leaves the other Bunny farther from a Carrot, on a card that gives it nothing."""
    if world.cards[world.end(first)] in {SPY, SWAP, BONUS, CARROT}:
        return False
    after = world.copy()
    after.land(1 - seat, first)
    return hops_to_carrot(after, seat, 1 - seat) > hops_to_carrot(world, seat, 1 - seat)


def _swapping(world: World, seat: int, one: int, two: int) -> Text:
    threat, other = threat_of(world, seat), seat_name(1 - seat)
    after = world.copy()
    after.swap(one, two)
    ahead, left = carrot_ahead(after, seat), threat_of(after, seat)
    goal = OFF if ahead == OFF else after.end(ahead)
    if goal != OFF and carrot_ahead(world, seat) == OFF:
        return say("Then you can get the carrot on {space} with your next hop.", space=SPACES[goal])
    if threat != OFF and left == OFF:
        return say(
            "{other} could have hopped to the carrot on {space} next. Now it’s out of reach.", other=other, space=SPACES[threat]
        )
    if hops_to_carrot(after, seat, 1 - seat) > hops_to_carrot(world, seat, 1 - seat):
        return say("As far as you know, {other} then needs more hops to reach a carrot.", other=other)
    if hops_to_carrot(after, seat, seat) < hops_to_carrot(world, seat, seat):
        return say("As far as you know, your Bunny then needs fewer hops to reach a carrot.")
    if goal != OFF:
        return say("After that you can still get the carrot on {space} with your next hop.", space=SPACES[goal])
    return _tried()


def sure_carrots(world: World, seat: int) -> list[int]:
    """Return the hops with which a seat gets to a Carrot by a known way."""
    found = []
    for move in world.movements(seat):
        first = world.first(seat, move)
        end = world.end(first)
        if end != OFF and world.cards[end] == CARROT and known_way(world, seat, first)[1]:
            found.append(move)
    return found


def plainer(world: World, seat: int, move: int) -> list[int]:
    """Return the moves with a plain use that may be advised instead of `move`, if its own use is not plain."""
    if world.phase == MOVING:
        carrots = sure_carrots(world, seat)
        return [] if move in carrots else carrots
    if world.phase == SHOCKING and move != PASS:
        return [] if _use_of_shock(world, seat, world.first(1 - seat, move)) else [PASS]
    if world.phase == SPYING and _use_of_peek(world, seat, move - PEEK) is None:
        dark = (space for space in range(AREA) if world.dark[seat] >> space & 1)
        return [PEEK + space for space in dark if _use_of_peek(world, seat, space)]
    return []
