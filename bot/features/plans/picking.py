"""Adding a reply to a plan: picking the action it answers, then the answer, and confirming both in words."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import discord

from bot.core.table.history import History
from bot.core.table.position import Position
from bot.features.plans.ahead import Ahead, Branch, abbreviate, abbreviate_if_long
from bot.features.plans.messages import latest, quoted, spot
from bot.messages.board import COLOURS, heading, story
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.menus import Verbs
from bot.messages.panel import Picking
from bot.messages.picking import Pick, Picker, action_picker
from bot.messages.pictures import InWords, Perspective, picture
from bot.messages.story import since_asked
from engines.actions import Action
from engines.game import action_words
from engines.steps import Event
from engines.text import Text, join, plain, say, say_n, seat_name

THEIRS: Final = Verbs.of("plan-if", play="plan-stop")
MINE: Final = Verbs.of("plan-then", play="plan-so")

MOVES_SHOWN: Final = 4
"""The maximum number of moves named in the line that says where in the plan the user is."""


@dataclass(frozen=True, kw_only=True)
class Adding(InWords):
    """A reply that is being added after a branch. `theirs` is the action it answers, or empty while that is being picked."""

    ahead: Ahead
    branch: Branch
    theirs: Action = ()
    history: History
    perspective: Perspective

    @cached_property
    def position(self) -> Position:
        """The position in which the action is picked."""
        return self.ahead.snapshot.position_after(self.history)

    @cached_property
    def picker(self) -> Picker:
        """The picker for the action."""
        return action_picker(self.position, self.history.to_act[0])

    @property
    def other(self) -> int:
        """The seat whose action is answered."""
        (seat,) = self.branch.history.to_act
        return seat

    @property
    def previous(self) -> Branch | None:
        """The reply already planned to the same action, or None."""
        return self.ahead.answer(self.branch, self.theirs) if self.theirs else None

    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        """Return a click that goes on picking from these tokens."""
        theirs = abbreviate(self.theirs) if self.theirs else ()
        return spot(self.ahead, self.branch, verb, *theirs, *abbreviate_if_long(tokens), page=page)

    def picking(self, picked: Pick, page: int = 0) -> Picking:
        """Return the action as far as it has been picked."""
        return Picking(
            position=self.position, picked=picked, perspective=self.perspective, click=self.click,
            verbs=MINE if self.theirs else THEIRS, page=page, picker=self.picker,
        )  # fmt: skip

    def builder(self) -> MessageBuilder:
        """Return a message with the heading, to which the rest is added."""
        return MessageBuilder(colour=COLOURS[self.ahead.seat]).text(heading(self.ahead.snapshot, self.perspective.language))

    @property
    def moves_line(self) -> list[str]:
        """A line in small print with the last moves on the way to the board. There is no such line for the current board."""
        history = self.branch.history
        moves = [quoted(history.action_words(logged)) for logged in history.log[self.ahead.snapshot.playing.version :]]
        some = join([plain("…")] * (len(moves) > MOVES_SHOWN) + moves[-MOVES_SHOWN:], ", ")
        return [f"-# {self.in_words(say('after {moves}', moves=some))}"] if moves else []


async def picking_message(adding: Adding, picked: Pick, *, page: int = 0, note: str = "") -> MessageBuilder:
    """Return the panel for picking one of the two actions, on the board played forward to it. `note` is shown at the top."""
    picking = adding.picking(picked, page)
    builder = adding.builder().text(note).picture(await picking.picture(_events(adding) if picked.untouched else ()))
    builder.text("\n".join(_question(adding, picking)))
    picking.add_to(builder)
    end = picking.play(say("That’s it"), discord.ButtonStyle.success, emoji=None)
    return builder.buttons([*end, *(picking.back() or _back(adding))])


def _events(adding: Adding) -> tuple[Event, ...]:
    """Return the events to show before the first pick: of the action to answer, of the previous reply, or else of the game."""
    if adding.theirs:
        return adding.history.log[-1].events
    if adding.branch.number:
        return latest(adding.branch)
    return since_asked(adding.ahead.snapshot, adding.ahead.seat)


def _question(adding: Adding, picking: Picking) -> list[str]:
    """Return the lines that say what has been picked of the reply, and the game's next question."""
    game, state, who, picked = adding.history.game, adding.history.state, seat_name(adding.other), picking.picked
    begun = [] if picked.untouched else [action_words(game, state, picked.seat, picked.prefix)]
    so_far = join([*begun, plain("…")], " ")
    if adding.theirs:
        title = say("If {who} plays {theirs}, you play {mine}", who=who, theirs=_theirs(adding), mine=so_far)
    else:
        title = say("If {who} plays {theirs}", who=who, theirs=so_far)
    lines = [*adding.moves_line, f"**{adding.in_words(title)}**", picking.prompt]
    if (hint := _hint(adding, picked)) is not None:
        lines.append(f"-# {adding.in_words(hint)}")
    return lines


def _theirs(adding: Adding) -> Text:
    return quoted(adding.history.action_words(adding.history.log[-1]))


def _hint(adding: Adding, picked: Pick) -> Text | None:
    if not picked.untouched:
        return None
    if (previous := adding.previous) is not None:
        return say("Your reply so far is {mine}. A new one replaces it.", mine=quoted(previous.mine))
    if not adding.theirs and not adding.ahead.replies:
        return say(
            "Pick a move that {who} might play, then your reply. If they play exactly that, your reply is played at once. "
            "Only you see this.",
            who=seat_name(adding.other),
        )
    return None


def _back(adding: Adding) -> list[Button]:
    """Return *Back* for when nothing is picked. It leads to the action to be answered, or to the plan unless that is empty."""
    ahead = adding.ahead
    if adding.theirs:
        before = replace(adding, theirs=(), history=adding.branch.history)
        return [before.picking(before.picker.pick(adding.theirs)).take_back()]
    if ahead.replies:
        return [button(adding.on_button(say("Back")), spot(ahead, adding.branch).custom_id)]
    return []


async def confirm_message(adding: Adding, mine: Action, after: History) -> MessageBuilder:
    """Return the reply in words, with a picture of its result, to be confirmed before it is saved."""
    events = tuple(event for logged in after.log[-2:] for event in logged.events)
    shown = adding.ahead.snapshot.position_after(after)
    builder = adding.builder().picture(await picture(shown, adding.perspective, events=events))
    title = say(
        "If {who} plays {theirs}, you play {mine}.",
        who=seat_name(adding.other), theirs=_theirs(adding), mine=quoted(after.action_words(after.log[-1])),
    )  # fmt: skip
    told = story(events, adding.ahead.snapshot, adding.perspective.language)
    builder.text("\n".join([*adding.moves_line, f"**{adding.in_words(title)}**", told]))
    if (previous := adding.previous) is not None:
        builder.text(adding.in_words(_taken_from(adding.ahead, previous)))
    keep = adding.click("plan-keep", mine).custom_id
    return builder.buttons([
        button(adding.on_button(say("Save")), keep, discord.ButtonStyle.success, emoji="✅"),
        adding.picking(adding.picker.pick(mine)).take_back(),
    ])  # fmt: skip


def _taken_from(ahead: Ahead, previous: Branch) -> Text:
    mine, below = quoted(previous.mine), ahead.below(previous)
    if not below:
        return say("This replaces your reply {mine}.", mine=mine)
    return say_n(
        "This replaces your reply {mine} and the one after it.",
        "This replaces your reply {mine} and the {n} after it.",
        below, mine=mine,
    )  # fmt: skip


def kept_text(adding: Adding, after: History) -> Text:
    """Return the note that a reply has been saved."""
    return say(
        "Saved: if {who} plays {theirs}, you play {mine}.",
        who=seat_name(adding.other), theirs=_theirs(adding), mine=quoted(after.action_words(after.log[-1])),
    )  # fmt: skip


def answering(adding: Adding, theirs: Action, answered: History) -> Adding:
    """Return the reply after the action to be answered has been picked, so that the answer is picked next."""
    return replace(adding, theirs=theirs, history=answered)
