"""What worker processes are asked: functions of plain values, which can be handed over from process to process."""

from typing import Any

from opponents import Memory, Thought, opponent


def choose(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """What a computer plays; see `Opponent.choose`."""
    return opponent(game_id, level, rules).choose(state, seat, memory=memory, stream=stream)


def interrupt(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought | None:
    """What a computer plays out of turn, or None; see `Opponent.interrupt`."""
    return opponent(game_id, level, rules).interrupt(state, seat, memory=memory, stream=stream)


def weigh(game_id: str, rules: int, level: str, state: Any, seat: int, memory: Memory, stream: str) -> Thought:
    """How a computer's game stands, whether or not it has to act: what it would play then, and otherwise only its chance."""
    who = opponent(game_id, level, rules)
    if seat in who.game.to_act(state):
        return who.choose(state, seat, memory=memory, stream=stream)
    return Thought((), who.assess(state, stream=stream)[seat])
