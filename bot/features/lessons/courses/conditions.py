"""Conditions on actions, for the goals and comments of lessons."""

from bot.features.lessons.courses.lesson import Condition, Tried


def plays(*actions: str) -> Condition:
    """The action is one of these, tokens separated by spaces."""
    wanted = {tuple(action.split()) for action in actions}
    return lambda tried: tried.action in wanted


def begins(*starts: str) -> Condition:
    """The action begins with one of these."""
    wanted = [tuple(start.split()) for start in starts]
    return lambda tried: any(tried.action[: len(start)] == start for start in wanted)


def ends(token: str) -> Condition:
    """The action ends with this token."""
    return lambda tried: tried.action[-1] == token


def tells(kind: str, seat: int | None = None) -> Condition:
    """An event of this kind happens, caused by the seat if one is given."""
    return lambda tried: any(event.kind == kind and seat in {None, event.seat} for event in tried.step.events)


def wins(seat: int) -> Condition:
    """The seat wins at once."""

    def is_won(tried: Tried) -> bool:
        outcome = tried.game.outcome(tried.step.state)
        return outcome is not None and seat in outcome.winners

    return is_won


def both(one: Condition, other: Condition) -> Condition:
    """Both conditions are met."""
    return lambda tried: one(tried) and other(tried)


def fails(condition: Condition) -> Condition:
    """A condition is not met."""
    return lambda tried: not condition(tried)
