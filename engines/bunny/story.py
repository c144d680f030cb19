"""Bounce Bunny Bounce in words: the names of the cards, and the events."""

from dataclasses import dataclass

from engines.bunny.field import Bounce, Card, Landing, Space
from engines.bunny.position import CARROTS_TO_WIN, SHOCKS
from engines.game import Event
from engines.text import Text, join, plain, say, seat_name


@dataclass(frozen=True, slots=True)
class Swapped:
    """The detail of a "swap" event: two cards that were exchanged. A face is None if the card lies face down."""

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


def card_name(card: Card) -> Text:
    """The name of a card, or of what a space shows."""
    names = {
        "left": say("shock left"),
        "right": say("shock right"),
        "up": say("shock up"),
        "down": say("shock down"),
        "stop": say("Stop"),
        "spy": say("Spy"),
        "swap": say("Swap"),
        "bonus": say("Bonus Shock"),
        "carrot": say("Carrot"),
        "hidden": say("face down"),
        "empty": say("empty"),
    }
    return names[card]


def on_space(space: Space, face: Card | None) -> Text:
    """A space with what everybody can see on it: "b3 (Stop)", or just "b3" if the card lies face down."""
    return plain(space) if face is None else say("{space} ({card})", space=space, card=card_name(face))


def bounce_events(bounce: Bounce, *, carrots: int, shocks_before: int) -> tuple[Event, ...]:
    """The events of a bounce: the chain itself, a bump, a loop, and the Carrot or Bonus Shock at its end.

    Args:
        bounce: the bounce.
        carrots: how many Carrots the Bunny's seat has afterwards.
        shocks_before: how many Universal Shocks it had before.
    """
    seat = bounce.bunny
    who, other = seat_name(seat), seat_name(1 - seat)
    events = [Event("bounce", bounce.by, _bounces(bounce), detail=bounce)]
    if bounce.bumped:
        events.append(Event("bump", seat, say("{who} bumps {other} out of the field!", who=who, other=other)))
    if bounce.looped:
        events.append(Event("loop", seat, say("The shocks go round and round: {who} flies out of the field.", who=who)))
        return tuple(events)
    card = bounce.landings[-1].card
    if card == "carrot":
        taken = say("{who} takes a Carrot: {n} of {all}.", who=who, n=carrots, all=CARROTS_TO_WIN)
        events.append(Event("carrot", seat, taken))
    elif card == "bonus" and shocks_before < SHOCKS:
        events.append(Event("bonus", seat, say("{who} gets a Universal Shock: now {n}.", who=who, n=shocks_before + 1)))
    elif card == "bonus":
        events.append(Event("bonus", seat, say("{who} has {n} Universal Shocks already.", who=who, n=SHOCKS)))
    return tuple(events)


def _bounces(bounce: Bounce) -> Text:
    who = seat_name(bounce.bunny)
    chain = join([_landing(landing) for landing in bounce.landings], " → ")
    if bounce.by != bounce.bunny:
        return say("{by} spends a Universal Shock on {who}: {chain}.", by=seat_name(bounce.by), who=who, chain=chain)
    if bounce.start is None:
        return say("{who} enters: {chain}.", who=who, chain=chain)
    return say("{who} bounces: {chain}.", who=who, chain=chain)


def _landing(landing: Landing) -> Text:
    return on_space(landing.space, landing.card)


def swap_event(swapped: Swapped) -> Event:
    """The event of a Swap, as everybody sees it."""
    text = say(
        "{who} swaps {first} and {second}.",
        who=seat_name(swapped.seat),
        first=on_space(swapped.first, swapped.first_face),
        second=on_space(swapped.second, swapped.second_face),
    )
    return Event("swap", swapped.seat, text, detail=swapped)


def spy_events(seat: int, space: Space, card: Card) -> tuple[Event, Event]:
    """The events of a Spy: for everybody where it looks, for its player alone what it sees."""
    looks = say("{who}’s Spy looks at {space}.", who=seat_name(seat), space=space)
    sees = say("Your Spy sees on {space}: {card}.", space=space, card=card_name(card))
    return (
        Event("spy", seat, looks, detail=Spied(seat, space, None)),
        Event("spied", seat, sees, private_to=seat, detail=Spied(seat, space, card)),
    )


def pass_event(seat: int) -> Event:
    """The event of passing in the shock phase."""
    return Event("pass", seat, say("{who} shocks nobody.", who=seat_name(seat)))


def leave_event(seat: int) -> Event:
    """The event of a player leaving the game."""
    return Event("withdraw", seat, say("{who} hops off and does not come back.", who=seat_name(seat)))
