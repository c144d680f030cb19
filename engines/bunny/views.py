"""What a seat knows in a game of Bounce Bunny Bounce, as data and in words."""

from dataclasses import dataclass
from typing import Final

from engines.bunny.field import DIRECTIONS, Card, Space
from engines.bunny.position import QUIET_TURNS, Phase
from engines.game import View
from engines.text import Text, join, plain, say, say_n, seat_name


@dataclass(frozen=True, kw_only=True)
class BunnyView(View):
    """What one seat knows in a game of Bounce Bunny Bounce.

    Attributes:
        field: each of the 35 spaces, row by row from the bottom, with what shows there: the `Card` that lies face up, "hidden"
            if the card lies face down, or "empty" where a Carrot was taken. A card that only this seat knows, from its Spy, is
            "hidden" too.
        bunnies: for each seat, the space of its Bunny, or None if the Bunny is off the field.
        shocks: the number of Universal Shocks of each seat, 0 to 3; empty in a lesson that comes before them.
        phase: what the seat to act does: "move" its Bunny, "swap" two cards, "spy" on one, or "shock" the other Bunny or pass.
            If a Universal Shock sent a Bunny onto a Swap or a Spy, the Bunny's owner acts in the other seat's turn.
        quiet_turns: the number of turns in a row without a Carrot. The game ends at 80.
        known: the card that this seat's Spy saw this turn, with its present space, or None.
    """

    field: tuple[tuple[Space, str], ...]
    bunnies: tuple[Space | None, Space | None]
    shocks: tuple[int, ...]
    carrots: tuple[int, int]
    turn: int
    phase: Phase
    quiet_turns: int
    known: tuple[Space, Card] | None


def description(view: BunnyView) -> Text:
    """Describe every card that lies face up, the empty spaces, each player's Bunny, Carrots and shocks, and the task."""
    lines = [_spaces_by_card(view.field), *(_standing(view, seat) for seat in (0, 1))]
    if view.quiet_turns >= QUIET_TURNS // 2:
        lines.append(say("{n} turns in a row without a carrot: at {end}, the game ends.", n=view.quiet_turns, end=QUIET_TURNS))
    lines.extend(_task(view, seat) for seat in view.to_act)
    if view.outcome is not None:
        lines.append(join([view.outcome.reason]))
    return join(lines)


def _spaces_by_card(field: tuple[tuple[Space, str], ...]) -> Text:
    lines = []
    for kind in _KINDS:
        spaces = join([plain(space) for space, shown in field if shown == kind], ", ")
        if spaces:
            lines.append(_with_cards(kind, spaces))
    if any(shown == "hidden" for _, shown in field):
        lines.append(say("All other cards, from a1 to g5, are face down."))
    return join(lines)


_KINDS: Final = ("carrot", "spy", "swap", "bonus", "stop", *DIRECTIONS, "empty")


def _with_cards(kind: Card, spaces: Text) -> Text:
    sentences = (
        say("Carrots: {spaces}.", spaces=spaces),
        say("Spies: {spaces}.", spaces=spaces),
        say("Swaps: {spaces}.", spaces=spaces),
        say("Bonus Shock: {spaces}.", spaces=spaces),
        say("Stops: {spaces}.", spaces=spaces),
        say("Shocks left: {spaces}.", spaces=spaces),
        say("Shocks right: {spaces}.", spaces=spaces),
        say("Shocks up: {spaces}.", spaces=spaces),
        say("Shocks down: {spaces}.", spaces=spaces),
        say("Empty spaces: {spaces}.", spaces=spaces),
    )
    return sentences[_KINDS.index(kind)]


def _standing(view: BunnyView, seat: int) -> Text:
    who, space = seat_name(seat), view.bunnies[seat]
    where = say("off the field") if space is None else say("on {space}", space=space)
    carrots = say_n("{n} carrot", "{n} carrots", view.carrots[seat])
    if not view.shocks:
        return say("{who}: Bunny {where}, {carrots}.", who=who, where=where, carrots=carrots)
    shocks = say_n("{n} shock", "{n} shocks", view.shocks[seat])
    return say("{who}: Bunny {where}, {carrots}, {shocks}.", who=who, where=where, carrots=carrots, shocks=shocks)


def _task(view: BunnyView, seat: int) -> Text:
    who = seat_name(seat)
    if view.phase == "move" and view.bunnies[seat] is None:
        return say("{who} hops in on a card in row 1.", who=who)
    if view.phase == "move":
        return say("{who} hops left, right, up or down.", who=who)
    if view.phase == "swap":
        return say("{who} swaps two cards.", who=who)
    if view.phase == "spy":
        return say("{who} peeks at a face-down card.", who=who)
    return say("{who} shocks {other}, or keeps the shock.", who=who, other=seat_name(1 - seat))
