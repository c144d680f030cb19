"""Advice shown on a board: a line of moves ahead, with the trail that the moves leave, or a mark on the advised choice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.core.table.history import History
from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.messages.board import COLOURS, heading
from bot.messages.builder import MessageBuilder, Picture, button
from bot.messages.click import Click, TooLong
from bot.messages.pictures import Perspective, picture
from bot.messages.players import names
from engines.game import Action, Event, Game, Step, action_words, foresee, is_whole
from engines.text import Text, join, say, seat_name
from opponents import Thought
from opponents.reviewing import Advice

LINE_SHOWN: Final = 3
"""The maximum number of actions of a line that are shown."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The part of a line that can be played forward without knowing chance or other players' secrets.

    Attributes:
        actions: the actions in words; there is always at least the first of the line.
        state: the state at the end, or None if not even the first action's result is certain.
    """

    actions: tuple[Text, ...]
    events: tuple[Event, ...]
    state: Any


def foresee_along(position: Position, line: Sequence[tuple[int, Action]]) -> Foreseen:
    """Play a line of at least one action forward from a position, as far as the results are certain."""
    game, state = position.game, position.state
    (first, action), *_ = line
    actions, events, after = [action_words(game, state, first, action)], [], None
    for number, (seat, action) in enumerate(line[:LINE_SHOWN]):
        step = _certain(game, state, seat, action, first=number == 0)
        if step is None:
            break
        if number:
            actions.append(action_words(game, state, seat, action))
        events += [event for event in step.events if event.known_to(first)]
        state = after = step.state
    return Foreseen(tuple(actions), tuple(events), after)


def _certain(game: Game[Any, Any], state: Any, seat: int, action: Action, *, first: bool) -> Step[Any] | None:
    """Return an action's result, or None if it is uncertain. In a game with secrets, only the `first` action can be certain."""
    if game.secret and not first:
        return None
    if not is_whole(game, state, seat, action):
        return None
    return foresee(game, state, seat, action)


async def advised_picture(position: Position, perspective: Perspective, line: Sequence[tuple[int, Action]]) -> Picture:
    """Draw the board at the end of a line, with its trail, or else the current board with the first action marked."""
    found = foresee_along(position, line)
    if found.state is not None:
        return await picture(position, perspective, events=found.events, after=found.state)
    (seat, action), *_ = line
    offered = position.game.choices(position.state, seat, action[:-1])
    marked = tuple(choice for choice in offered if choice.token == action[-1])
    return await picture(position, perspective, prefix=action[:-1], options=marked)


async def hint_message(snapshot: Snapshot, perspective: Perspective, seat: int, advice: Advice) -> MessageBuilder:
    """Show the advice to a seat in words and on its board, with a button that plays it."""
    language, history, thought = perspective.language, snapshot.playing, advice.thought
    who, action = names(snapshot), action_words(history.game, history.state, seat, thought.action)
    hints = snapshot.players[seat].hints
    builder = MessageBuilder(colour=COLOURS[seat]).text(heading(snapshot, language))
    builder.text(language(say("**Try:** {action}", action=action), who))
    if advice.reason is not None:
        builder.text(language(advice.reason, who))
    builder.picture(await advised_picture(snapshot.position, perspective, ((seat, thought.action),)))
    small = join([say("Nothing’s been played yet."), *_chance(history, seat, thought), say("Hints used: {n}", n=hints)], " ")
    builder.text(f"-# {language(small)}")
    move = Click("move", snapshot.table.id, history.version)
    buttons = [button(language(say("Pick my own")), move.custom_id)]
    try:
        play = Click("act", snapshot.table.id, history.version, tokens=thought.action).custom_id
        buttons.insert(0, button(language(say("Play it")), play, discord.ButtonStyle.success, emoji="✅"))
    except TooLong:
        typed = say("That’s too long for a button. Type it: `/move action:{action}`", action=" ".join(thought.action))
        builder.text(language(typed))
    return builder.buttons(buttons)


def _chance(history: History, seat: int, thought: Thought) -> tuple[Text, ...]:
    """Return a hint's chance to win, or nothing later in a turn, where a new estimate would seem to judge the last hint."""
    last = history.log.last
    if last is not None and last.entry.seat == seat:
        return ()
    return (say("Estimated win chance: {percent}%.", percent=round(100 * thought.chance_to_win)),)


def chances_words(chances: tuple[float, ...]) -> Text:
    """Put the chances of all seats into words: "Ann 60%, Ben 40%"."""
    told = [say("{who} {percent}%", who=seat_name(seat), percent=round(100 * part)) for seat, part in enumerate(chances)]
    return join(told, ", ")
