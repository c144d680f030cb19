"""Bounce Bunny Bounce in words: the names of the cards, and the events."""

from dataclasses import dataclass
from functools import cache

from engines.bunny.field import Bounce, Card, Landing, Space
from engines.bunny.position import CARROTS_TO_WIN, SHOCKS
from engines.steps import Event, deed, later, others
from engines.text import Text, join, plain, say, seat_name


@dataclass(frozen=True, slots=True)
class Swapped:
    """The detail of a "swap" event: two exchanged cards. A face is None if the card lies face down."""

    seat: int
    first: Space
    second: Space
    first_face: Card | None
    second_face: Card | None


@dataclass(frozen=True, slots=True)
class Spied:
    """The detail of "spy" and "spied" events: a Spy looks at a card. In the public event `card` is None."""

    seat: int
    space: Space
    card: Card | None


@cache
def card_name(card: Card) -> Text:
    """Return the name of a card, or of an empty or hidden space."""
    names = {
        "left": say("shock left"),
        "right": say("shock right"),
        "up": say("shock up"),
        "down": say("shock down"),
        "stop": say("Stop"),
        "spy": say("Spy"),
        "swap": say("Swap"),
        "bonus": say("Bonus Shock"),
        "carrot": say("carrot"),
        "hidden": say("face down"),
        "empty": say("empty"),
    }
    return names[card]


@cache
def on_space(space: Space, face: Card | None) -> Text:
    """Return a space with its public face: "b3 (Stop)", or just "b3" if the card lies face down."""
    return plain(space) if face is None else say("{space} ({card})", space=space, card=card_name(face))


def over_the_edge(space: Text) -> Text:
    """Return words for a space that a Bunny reaches over the edge of the field."""
    return say("over the edge to {space}", space=space)


def bounce_events(bounce: Bounce, *, carrots: int, shocks_before: int) -> tuple[Event, ...]:
    """Return the events of a bounce: the chain, a bump, a loop, the end. `carrots` is how many the Bunny then has."""
    seat, other = bounce.bunny, 1 - bounce.bunny
    own, beside = others((seat,), bounce.by), others((other,), bounce.by)
    events = [deed("bounce", bounce.by, later(_hops, bounce), detail=bounce, affects=own)]
    if bounce.bumped:
        phrase = say("bumps {other} off the field", other=seat_name(other))
        events.append(deed("bump", seat, phrase, major=True, affects=beside))
    if bounce.looped:
        events.append(deed("loop", seat, say("is caught in a loop and flung off the field"), major=True, affects=own))
        return tuple(events)
    card = bounce.landings[-1].card
    if card == "carrot":
        phrase, won = say("takes a carrot: {n} of {all}", n=carrots, all=CARROTS_TO_WIN), carrots == CARROTS_TO_WIN
        events.append(deed("carrot", seat, phrase, major=True, decisive=won, affects=own))
    elif card == "bonus" and shocks_before < SHOCKS:
        events.append(deed("bonus", seat, say("gets a shock and has {n} now", n=shocks_before + 1), affects=own))
    elif card == "bonus":
        phrase = say("already has {n} shocks, and that’s the limit", n=SHOCKS)
        events.append(deed("bonus", seat, phrase, routine=True, affects=own))
    return tuple(events)


def _hops(bounce: Bounce) -> Text:
    way = [plain(bounce.start)] if bounce.start is not None else []
    chain = join([*way, *(_landing(landing) for landing in bounce.landings)], " → ")
    if bounce.by != bounce.bunny:
        return say("spends a shock on {other}: {chain}", other=seat_name(bounce.bunny), chain=chain)
    if bounce.start is None:
        return say("hops in on {chain}", chain=chain)
    return say("hops {chain}", chain=chain)


def _landing(landing: Landing) -> Text:
    """Return the space of a landing with its card in words. A Carrot is left out, since it has an event of its own."""
    where = on_space(landing.space, None if landing.card == "carrot" else landing.card)
    return over_the_edge(where) if landing.wrapped else where


def swap_event(swapped: Swapped) -> Event:
    """Return the public event of a Swap."""
    return deed("swap", swapped.seat, later(_swaps, swapped), detail=swapped)


def _swaps(swapped: Swapped) -> Text:
    first, second = on_space(swapped.first, swapped.first_face), on_space(swapped.second, swapped.second_face)
    return say("swaps {first} and {second}", first=first, second=second)


def spy_events(seat: int, space: Space, card: Card) -> tuple[Event, Event]:
    """Return the events of a Spy: the space at which it looks, for everybody, and the card, for the Spy's player alone."""
    return (
        deed("spy", seat, later(_peeks, space), detail=Spied(seat, space, None)),
        Event("spied", seat, later(_sees, space, card), private_to=seat, detail=Spied(seat, space, card), phrased=True),
    )


def _peeks(space: Space) -> Text:
    return say("peeks at {space}", space=space)


def _sees(space: Space, card: Card) -> Text:
    return say("peeks at {space}: {card}", space=space, card=card_name(card))


@cache
def pass_event(seat: int) -> Event:
    """Return the event of passing in the shock phase."""
    return deed("pass", seat, say("doesn’t shock {other}", other=seat_name(1 - seat)), routine=True)


def leave_event(seat: int) -> Event:
    """Return the event of a player leaving the game."""
    return deed("withdraw", seat, say("hops off for good"))
