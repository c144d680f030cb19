"""The offer to spend the rest of a turn with steps that change as little as possible."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import discord

from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.messages.board import COLOURS, heading
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.pictures import Perspective, picture
from bot.messages.players import marks, names
from bot.messages.story import CHARACTERS, IN_A_LINE, numbered, whole, words
from engines.game import Action, Buttons, Event, action_words, part_of
from engines.steps import Shortcut
from engines.text import say, say_n

CLOSING = "close"
"""The token of the click that also ends the turn."""


@dataclass(frozen=True, slots=True)
class Spending:
    """The rest of a turn: the actions to spend it on, the events the seat would see, the state after them, and what ends it."""

    actions: tuple[Action, ...]
    events: tuple[Event, ...]
    after: Any
    closing: Shortcut | None


def spending_of(position: Position, seat: int) -> Spending | None:
    """Return the rest of a seat's turn as it would be spent, or None if it cannot be spent."""
    game, state = position.game, position.state
    buttons = part_of(game, Buttons)
    actions, closing = buttons.rest(state, seat), None
    events: list[Event] = []
    for action in actions:
        closing = buttons.closing(state, seat, action)
        step = game.play(state, seat, action)
        state = step.state
        events += [event for event in step.events if event.known_to(seat)]
    return Spending(actions, tuple(events), state, closing) if actions else None


def rest_in_words(position: Position, seat: int, spending: Spending, perspective: Perspective) -> str:
    """Return the rest of the turn in words. If it is long, each piece has one line, so that a phone shows the board, too."""
    language, who = perspective.language, names(position)
    if len(spending.actions) <= IN_A_LINE:
        steps = numbered(position.game.id, spending.events)
        return words(spending.events, language, who, marks(position), whole(CHARACTERS), numbered=steps)
    game, state = position.game, position.state
    pieces = Counter(action[:-1] for action in spending.actions)
    lines = []
    for piece, number in pieces.items():
        named = action_words(game, state, seat, piece)
        back = say("{piece}: {n} steps back and forth", piece=named, n=number)
        steps_of = say_n("{piece}: {n} step", "{piece}: {n} steps", number, piece=named)
        lines.append(language(steps_of if number % 2 else back, who))
    return "\n".join(lines)


async def spending_message(snapshot: Snapshot, seat: int, spending: Spending, perspective: Perspective) -> MessageBuilder:
    """Return the board after the rest of the turn, with the question of whether to play it."""
    language, click = perspective.language, Click("spend", snapshot.table.id, snapshot.playing.version)
    builder = MessageBuilder(colour=COLOURS[seat]).text(heading(snapshot, language))
    builder.picture(await picture(snapshot.position, perspective, events=spending.events, after=spending.after))
    asked = say_n("Spend your last action like this?", "Spend your last {n} actions like this?", len(spending.actions))
    told = rest_in_words(snapshot.position, seat, spending, perspective)
    quick = say("That’s the quickest way to end your turn, not the best: it changes as little as possible.")
    builder.text(f"**{language(asked)}**\n{told}").text(f"-# {language(quick)}")
    row = [button(language(say("Play")), click.custom_id, discord.ButtonStyle.success, emoji="✅")]
    if spending.closing is not None:
        row.append(button(language(spending.closing.label), click.then(CLOSING).custom_id, discord.ButtonStyle.primary))
    back = Click("move", click.table, click.version)
    return builder.buttons([*row, button(language(say("Back")), back.custom_id)])
