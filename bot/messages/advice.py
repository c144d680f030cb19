"""What would be good to play, shown with the means of the boards: the trail of what is foreseen, or the choice, marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.messages.builder import Picture
from bot.messages.perspective import Perspective
from bot.messages.pictures import picture
from bot.sessions import Snapshot
from bot.sessions.history import History
from engines.game import Action, Choice, Event, Game, Step
from engines.text import Text, join, plain, say

LINE_SHOWN: Final = 3
"""How many actions of a line are shown, at most."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """How a game goes on along a line, as far as nothing is drawn and nobody's secrets are needed.

    Attributes:
        notations: the actions, as people write them, with what their buttons say where that is something else; at least the
            first one of the line.
        events: what happens.
        state: where it leads; None: even of the first action it cannot be known what comes of it.
    """

    notations: tuple[Text, ...]
    events: tuple[Event, ...]
    state: Any


def foreseen_along(history: History, line: Sequence[tuple[int, Action]]) -> Foreseen:
    """What happens along a line that begins in the present state of a game. It has at least one action."""
    game, state = history.game, history.state
    (first, action), *_ = line
    notations, events, after = [spelt(game, state, first, action)], [], None
    for number, (seat, action) in enumerate(line[:LINE_SHOWN]):
        step = _certain(game, state, seat, action, first=number == 0)
        if step is None:
            break
        if number:
            notations.append(spelt(game, state, seat, action))
        events += [event for event in step.events if event.known_to(first)]
        state = after = step.state
    return Foreseen(tuple(notations), tuple(events), after)


def spelt(game: Game[Any, Any], state: Any, seat: int, action: Action) -> Text:
    """An action as people write it, in Markdown; with what the buttons for it say, where that is something else."""
    notation = game.notate(state, seat, action)
    labels = [
        choice.label
        for length, token in enumerate(action)
        for choice in game.choices(state, seat, action[:length])
        if choice.token == token
    ]
    if all(label.lower().startswith(token) for label, token in zip(labels, action, strict=True)):
        return plain(f"`{notation}`")
    return say("`{action}` ({words})", action=notation, words=join(labels, " · "))


def _certain(game: Game[Any, Any], state: Any, seat: int, action: Action, *, first: bool) -> Step[Any] | None:
    """What comes of an action, if it is certain for whoever acts first. What others hold was only imagined."""
    if game.secret and not first:
        return None
    if not game.is_whole(state, seat, action):
        return None
    return game.foresee(state, seat, action)


async def advised_picture(snapshot: Snapshot, perspective: Perspective, line: Sequence[tuple[int, Action]]) -> Picture:
    """The board with a line on it: what it leads to, with its trail; or as it is, with the first action marked."""
    history = snapshot.playing
    found = foreseen_along(history, line)
    if found.state is not None:
        return await picture(snapshot, perspective, events=found.events, after=found.state)
    (seat, action), *_ = line
    return await picture(snapshot, perspective, prefix=action[:-1], options=_last(history, seat, action))


def _last(history: History, seat: int, action: Action) -> tuple[Choice, ...]:
    offered = history.game.choices(history.state, seat, action[:-1])
    return tuple(choice for choice in offered if choice.token == action[-1])
