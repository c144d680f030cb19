"""The reasons for puzzles of Puck Bumpers: how far the pucks are from a goal, and how many actions are left."""

from typing import Final

from engines.position_codes import Line
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.names import piece_name
from engines.pucks.board.state import State
from engines.text import Text, join, say, say_n
from opponents.pucks.outlook import company_of
from opponents.pucks.rink import FAR
from opponents.pucks.saying import reason, slides
from opponents.puzzles.goals import LAYING, TurnPosition, TurnSearch

MORE: Final[frozenset[CardId]] = frozenset({"extra", "double", "take-1", "take-2", "take-3", "take-4"})
"""Those of the cards allowed in a puzzle that change the number of actions."""


def why_too_few(state: State, seat: int, missing: int) -> Text:
    """Return why the rest of a turn cannot score the `missing` pucks: the actions left, and the slides needed."""
    away = slides(state)
    own = sorted((puck for puck in company_of(state).pucks[seat] if puck in away), key=lambda puck: away[puck])[:missing]
    told = [_left(state, seat)]
    if len(own) < missing or away[own[-1]] >= FAR:
        told.append(say("Your pucks are too far from a goal for that."))
    elif missing > 1:
        told.append(say("Your nearest pucks need {slides} slides.", slides=" + ".join(str(away[puck]) for puck in own)))
    else:
        told.append(
            say_n(
                "Your puck nearest to a goal, {piece}, still needs {n} slide.",
                "Your puck nearest to a goal, {piece}, still needs {n} slides.",
                away[own[0]], piece=piece_name(state.owners, state.pieces[own[0]]),
            )
        )  # fmt: skip
    return join(told, " ")


def _left(state: State, seat: int) -> Text:
    if state.to_move != seat:
        return say("You have no actions left.")
    turn = TurnSearch(state)
    left = most_left(turn, turn.now)
    rule = state.table.action_rule
    cards = join(
        [card(held).title for held in state.hands[seat] if held in MORE and card(held).number not in range(1, rule + 1)], ", "
    )
    if left > turn.now.left:
        return say_n(
            "Even with {cards} you have only {n} action left.",
            "Even with {cards} you have only {n} actions left.",
            left,
            cards=cards,
        )
    return say_n("You have {n} action left.", "You have {n} actions left.", left) if left else say("You have no actions left.")


def most_left(turn: TurnSearch, moment: TurnPosition) -> int:
    """Return the most actions that can be left, by playing cards in the best order."""
    after = [later for action, later in turn.actions(moment) if action[0] == "play" and action[1] in MORE]
    return max([moment.left, *(most_left(turn, later) for later in after)])


def why_right(line: Line, seat: int) -> tuple[Text, ...]:
    """Return why the actions of a line are right, with a text for each."""
    states = (line.start.state, *(step.state for step in line.steps))
    told = []
    for place, (_, action) in enumerate(line.actions):
        lays = action[0] == "play" and action[1] in LAYING
        played = [event.text for event in line.steps[place].events[: 1 + lays]]
        told.append(join(filter(None, [*played, reason(states[place], states[place + 1 :], seat, action)]), " "))
    return tuple(told)
