"""The reason for an action, in a short sentence."""

from engines.game import Action
from engines.pucks.board.deck import card
from engines.pucks.board.names import piece_name
from engines.pucks.board.state import State, scored_by
from engines.pucks.play import turns
from engines.text import Text, say, say_n, seat_name
from opponents.pucks.outlook import company_of, rink_for
from opponents.pucks.rink import FAR, occupied_bits


def reason(before: State, after: State, seat: int, action: Action) -> Text | None:
    """Return the reason for an action of a seat that leads from one state to another, or None if there is none to tell."""
    return (
        _reason_when_forced(before, action)
        or _scoring(before, after, seat)
        or _nearer(before, after, seat)
        or _by_card(before, action)
        or _hindering(before, after, seat)
    )


def _reason_when_forced(before: State, action: Action) -> Text | None:
    """The reason for an action where there is hardly a choice."""
    if action == ("pass",):
        return say("You hold nothing that could stop it.")
    if action == ("draw",):
        return say("Your turn begins with drawing cards.")
    if action == ("end",):
        return say("There’s nothing more to gain this turn.")
    if action[0] == "discard":
        return say("It is the card that helps you least.")
    if action[:2] == ("play", "whistle") and before.last is not None:
        return say("It takes back what {who} has just done.", who=seat_name(before.last.seat))
    return None


def _scoring(before: State, after: State, seat: int) -> Text | None:
    if turns.winners(after)[:1] == (seat,):
        return say("It wins the game.") if before.needed == 1 else say("It scores the last puck you need.")
    more = scored_by(after, seat) - scored_by(before, seat)
    if more > 0:
        return say_n("It scores a puck.", "It scores {n} pucks.", more)
    for other in before.live:
        if other != seat and scored_by(after, other) < scored_by(before, other):
            return say("It takes a puck back from {who}.", who=seat_name(other))
    return None


def slides(state: State) -> dict[int, int]:
    """Return the number of slides from a goal for each puck on the board."""
    rink = rink_for(state.table)
    spots = rink.spots(state.table.places)
    layers = rink.distances(occupied_bits(spots))
    return {
        puck: next((number for number, layer in enumerate(layers, start=1) if layer >> spots[puck] & 1), FAR)
        for pucks in company_of(state).pucks
        for puck in pucks
        if spots[puck] >= 0
    }


def _nearer(before: State, after: State, seat: int) -> Text | None:
    """The reason that an own puck has come closer to a goal."""
    then, now = slides(before), slides(after)
    own = [puck for puck in company_of(before).pucks[seat] if puck in now and now[puck] < then.get(puck, FAR)]
    if not own:
        return None
    puck = min(own, key=lambda index: (now[index], now[index] - then.get(index, FAR)))
    named = piece_name(before.owners, before.pieces[puck])
    return say_n(
        "It brings {piece} within one slide of a goal.",
        "It brings {piece} within {n} slides of a goal.",
        now[puck],
        piece=named,
    )


def _by_card(before: State, action: Action) -> Text | None:
    if action[0] != "play":
        return None
    known = card(action[1])
    if action[1] in {"double", "extra"} or (action[1].startswith("take") and known.number > before.table.action_rule):
        return say("It gives you more actions in this turn.")
    if action[1].startswith("take"):
        return say("It leaves the others fewer actions.")
    if action[1] in {"quick-draw", "salvage"} or action[1].startswith("draw"):
        return say("It gets you more cards to play with.")
    if action[1] == "u-turn":
        return say("It ends the turn before they can do any more.")
    return None


def _hindering(before: State, after: State, seat: int) -> Text | None:
    """The reason that an opponent's way to the goals has become longer."""
    rinks = (rink_for(before.table), rink_for(after.table))
    company = company_of(before)
    then = company.distances(rinks[0], rinks[0].spots(before.table.places))
    now = company.distances(rinks[1], rinks[1].spots(after.table.places))
    others = [other for other in before.live if other != seat and sum(now[other]) > sum(then[other])]
    if not others:
        return None
    most = max(others, key=lambda other: sum(now[other]) - sum(then[other]))
    return say("It blocks {who}’s way.", who=seat_name(most))
