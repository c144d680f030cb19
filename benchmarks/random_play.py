"""Random actions, for benchmarks that play."""

import random
from typing import Any

from engines.game import Action, Game


def random_legal(game: Game[Any, Any], state: Any, dice: random.Random, seat: int | None = None) -> Action:
    """Some action of a seat, or of the first that is to act, drawn token by token until it may end."""
    acting = game.to_act(state)[0] if seat is None else seat
    action: Action = ()
    while True:
        choice = dice.choice(game.choices(state, acting, action))
        action = (*action, choice.token)
        if choice.final:
            return action
