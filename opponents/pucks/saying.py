"""The reason for an action of Puck Bumpers, in a short sentence."""

from collections.abc import Mapping, Sequence
from typing import Final

from engines.game import Action
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.motion import SCORED
from engines.pucks.board.names import piece_name
from engines.pucks.board.state import State, scored_by
from engines.pucks.board.views import Phase
from engines.pucks.cards.cards import playable_cards
from engines.pucks.play import turns
from engines.text import Text, join, say, say_n, seat_name
from opponents.pucks.outlook import company_of, rink_for
from opponents.pucks.rink import FAR, occupied_bits


def reason(before: State, states: Sequence[State], seat: int, action: Action) -> Text | None:
    """Return the reason for a seat's action, or None if a piece is placed where it brings nothing closer to a goal.

    `states` are the states after the action and after each action planned to follow it in the same turn.
    """
    after, *later = states
    return (
        _reason_when_forced(before, seat, action)
        or _scoring(before, after, seat)
        or _nearer(before, after, seat, action)
        or _by_card(before, action)
        or _hindering(before, after, seat)
        or _preparing(after, later, seat)
        or (None if before.phase is Phase.PLACE else _idle(action))
    )


def _reason_when_forced(before: State, seat: int, action: Action) -> Text | None:
    if action == ("pass",):
        return say("You have nothing that could stop it.")
    if action == ("draw",):
        return say("You start your turn by drawing cards.")
    if action == ("end",):
        return _saving(before, seat)
    if action[0] == "discard":
        return say("It’s the card that helps you least.")
    if action[:2] == ("play", "whistle") and before.last is not None:
        return say("It undoes what {who} has just done.", who=seat_name(before.last.seat))
    return None


def _saving(before: State, seat: int) -> Text:
    """Return the reason to end a turn: either the cards that could still be played are worth more later, or there are none."""
    held = playable_cards(before, seat)
    if not held:
        return say("There’s nothing more to gain this turn.")
    return say_n(
        "Save your card: {cards} can do more for you in a later turn.",
        "Save your cards: {cards} can do more for you in a later turn.",
        len(held),
        cards=join([card(each).title for each in held], ", "),
    )


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
    """Return how many slides each puck on the board is from a goal."""
    rink = rink_for(state.table)
    spots = rink.spots(state.table.places)
    layers = rink.distances(occupied_bits(spots))
    return {
        puck: next((number for number, layer in enumerate(layers, start=1) if layer >> spots[puck] & 1), FAR)
        for pucks in company_of(state).pucks
        for puck in pucks
        if spots[puck] >= 0
    }


def _nearer(before: State, after: State, seat: int, action: Action) -> Text | None:
    then, now = slides(before), slides(after)
    own = [puck for puck in company_of(before).pucks[seat] if puck in now and now[puck] < then.get(puck, FAR)]
    if not own:
        return None
    puck = min(own, key=lambda index: (now[index], now[index] - then.get(index, FAR)))
    named = piece_name(before.owners, before.pieces[puck])
    if action[0] not in {"play", "place"} and after.table.places[puck] == before.table.places[puck]:
        return say_n(
            "It opens the way for {piece}: now it’s one slide from a goal.",
            "It opens the way for {piece}: now it’s {n} slides from a goal.",
            now[puck],
            piece=named,
        )
    return say_n(
        "It brings {piece} within one slide of a goal.",
        "It brings {piece} within {n} slides of a goal.",
        now[puck],
        piece=named,
    )


def _by_card(before: State, action: Action) -> Text | None:
    if action[0] != "play":
        return None
    if (number := card(action[1]).number) and action[1].startswith("take"):
        return _by_number(number - before.table.action_rule, say("It leaves the others fewer actions."), _MORE_ACTIONS)
    if number:
        return _by_number(number - before.table.draw_rule, say("It leaves the others fewer cards."), _MORE_CARDS)
    return _BY_CARD.get(action[1])


def _by_number(change: int, fewer: Text, more: Text) -> Text | None:
    """Return the reason for a card that sets a number, which depends on whether the number goes up or down."""
    return more if change > 0 else fewer if change < 0 else None


_MORE_ACTIONS: Final = say("It gives you more actions this turn.")
_MORE_CARDS: Final = say("It gets you more cards to play with.")

_BY_CARD: Final[Mapping[CardId, Text]] = {
    "double": _MORE_ACTIONS,
    "extra": _MORE_ACTIONS,
    "quick-draw": _MORE_CARDS,
    "salvage": _MORE_CARDS,
    "borrow": say("It lets you move their pieces too this turn."),
    "u-turn": say("It ends the turn before they can do any more."),
}
"""The reasons for cards that always have the same purpose."""


def _hindering(before: State, after: State, seat: int) -> Text | None:
    rinks = (rink_for(before.table), rink_for(after.table))
    company = company_of(before)
    then = company.distances(rinks[0], rinks[0].spots(before.table.places))
    now = company.distances(rinks[1], rinks[1].spots(after.table.places))
    others = [other for other in before.live if other != seat and sum(now[other]) > sum(then[other])]
    if not others:
        return None
    most = max(others, key=lambda other: sum(now[other]) - sum(then[other]))
    return say("It blocks {who}’s way.", who=seat_name(most))


def _preparing(after: State, later: Sequence[State], seat: int) -> Text | None:
    """Return the reason for an action that prepares this turn's later ones: they score, bring a puck closer, or block a way."""
    pucks = company_of(after).pucks[seat]
    for number, state in enumerate(later, start=1):
        for puck in pucks:
            if state.table.places[puck] == SCORED != after.table.places[puck]:
                return say_n(
                    "It sets up a goal for {piece} with your next action.",
                    "It sets up a goal for {piece} {n} actions later.",
                    number,
                    piece=piece_name(after.owners, after.pieces[puck]),
                )
    if not later:
        return None
    then, now = slides(after), slides(later[-1])
    own = [puck for puck in pucks if puck in now and now[puck] < then.get(puck, FAR)]
    if own:
        puck = min(own, key=lambda index: now[index])
        return say("It helps {piece} on its way to a goal.", piece=piece_name(after.owners, after.pieces[puck]))
    if _hindering(after, later[-1], seat) is not None:
        return say("It prepares to block their way.")
    return None


def _idle(action: Action) -> Text:
    """Return the reason for an action that changes little: nobody may pass while an action is left."""
    if action[0] == "play" and not card(action[1]).costs:
        return say("It costs no action, and makes room in your hand.")
    return say("It uses up a spare action.")
