"""Positions of BOUNCE written as text, and rolls played from them.

"3v 10" is a token on spot 3 facing down with the counter at 10, "4^ 2" one on spot 4 facing up, "off" one that has not begun,
"sick" one that has thrown up.
"""

from engines.chance import Scripted
from engines.game import Step
from engines.trampoline import Bump, Jumper, Place, Roll, Trampoline, TrampolineState

GAME = Trampoline()


def token(text: str) -> Jumper:
    if text == "off":
        return Jumper()
    if text == "sick":
        return Jumper(None, 15)
    place, jumps = text.split()
    return Jumper(Place(int(place[0]), "up" if place[1] == "^" else "down"), int(jumps))


def written(jumper: Jumper) -> str:
    if jumper.thrown_up:
        return "sick"
    if jumper.place is None:
        return "off"
    return f"{jumper.spot}{'^' if jumper.facing == 'up' else 'v'} {jumper.jumps}"


def table(*tokens: str, dice: tuple[int, ...] = (), to_move: int = 0, sharing: tuple[int, ...] = ()) -> TrampolineState:
    position = GAME.position(TrampolineState(tuple(token(text) for text in tokens), to_move))
    if sharing:
        position["sharing"] = list(sharing)
    return GAME.from_position(position, Scripted.dice(*dice))


def rolled(*tokens: str, dice: tuple[int, ...], sharing: tuple[int, ...] = (), action: str = "roll") -> Step[TrampolineState]:
    return GAME.play(table(*tokens, dice=dice, sharing=sharing), 0, (action,))


def after(*tokens: str, dice: tuple[int, ...], sharing: tuple[int, ...] = (), action: str = "roll") -> list[str]:
    return [written(jumper) for jumper in rolled(*tokens, dice=dice, sharing=sharing, action=action).state.tokens]


def path_of(step: Step[TrampolineState]) -> str:
    roll = step.events[0].detail
    assert isinstance(roll, Roll)
    return " ".join(f"{place.spot}{'^' if place.facing == 'up' else 'v'}" for place in roll.path)


def bumps_of(step: Step[TrampolineState]) -> list[Bump]:
    return [event.detail for event in step.events if event.kind == "bump"]
