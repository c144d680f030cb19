"""Samples of BOUNCE: guests who meet on their way, and guests who have had enough."""

from typing import Any, Final

from engines.chance import Scripted
from engines.game import Event
from engines.trampoline import Trampoline
from renderers.scene import Scene
from tests.renderers.scenes import NAMES, Sample, Samples, after, high_contrast, lying, picking, starting

GAME: Final = Trampoline()


def tokens(*placed: tuple[int | None, str | None, int], to_move: int = 0) -> dict[str, Any]:
    """A position of BOUNCE: for each seat the spot, the facing and the jumps."""
    listed = [{"spot": spot, "facing": facing, "jumps": jumps} for spot, facing, jumps in placed]
    return {"to_move": to_move, "tokens": listed}


PARTY: Final = tokens((3, "up", 4), (7, "up", 6), (5, "down", 13), (9, "up", 9))
QUEASY: Final = tokens((2, "up", 11), (3, "down", 14), (None, None, 15), to_move=1)

ROUND: Final = tokens((3, "up", 4), (2, "down", 6), (5, "down", 13), (4, "up", 9))


def round_of(position: dict[str, Any], *dice: int) -> Sample[Any]:
    """What is seen after everybody has rolled once."""
    state = GAME.from_position(position, Scripted([die - 1 for die in dice]))
    events: tuple[Event, ...] = ()
    for _ in position["tokens"]:
        step = GAME.play(state, GAME.to_act(state)[0], ("roll",))
        state, events = step.state, (*events, *step.events)
    return Sample(GAME.id, GAME.view(state), Scene(names=NAMES, events=events))


SAMPLES: Final = Samples(
    {
        "start": lambda: starting(GAME, 4),
        "roll": lambda: after(GAME, tokens((3, "up", 3)), 0, ("roll",), Scripted((5, 1, 4))),
        "bump": lambda: after(GAME, PARTY, 0, ("roll",), Scripted((0, 1, 0))),
        "landing": lambda: after(GAME, QUEASY, 1, ("faceplant",), Scripted((1,))),
        "round": lambda: round_of(ROUND, 1, 1, 1, 4, 3, 3, 1, 5),
        "sick-round": lambda: round_of(tokens((2, "down", 14), (None, None, 0), (1, "up", 12)), 4, 2, 2, 3, 5),
        "mat": lambda: lying(GAME, tokens((1, "up", 3), (1, "up", 14), (None, None, 15))),
        "options": lambda: picking(GAME, QUEASY, 1),
        "high-contrast": lambda: high_contrast(after(GAME, PARTY, 0, ("roll",), Scripted((0, 1, 0)))),
    },
    golden=("bump", "landing", "round"),
)
