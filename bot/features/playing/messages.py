"""The private panel in which a player picks an action step by step. It follows `Game.choices`, so it works for every game."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import discord

from bot.core.table.snapshot import Snapshot
from bot.core.undoing import may_take_back
from bot.features.playing.hints import may_take_hint
from bot.messages.asking import question_sentence
from bot.messages.board import COLOURS, heading, more_button, replies_line, what_happened
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click, TooLong
from bot.messages.menus import Verbs
from bot.messages.more import ahead_buttons
from bot.messages.orders import orders_line
from bot.messages.panel import Picking
from bot.messages.picking import Pick, action_picker, hand_items
from bot.messages.pictures import Perspective, picture
from bot.messages.players import marks, names, thinking_text, turn_text
from bot.messages.story import CHARACTERS, numbered, since_own_turn, whole, words
from engines.game import Action, Buttons, Event, Hidden, Orders, Shortcut, Step, Words, foresee, hand_of, part_of
from engines.text import Text, join, plain, say, seat_name

WORDS_AT_MOST: Final = 4
"""The maximum number of events that a preview tells in words. The picture shows all of them."""


@dataclass(frozen=True)
class _Panel:
    """The panel of a seat: its table, and the action being picked."""

    snapshot: Snapshot
    picking: Picking

    @property
    def picked(self) -> Pick:
        return self.picking.picked

    @property
    def perspective(self) -> Perspective:
        return self.picking.perspective

    @cached_property
    def closing(self) -> Shortcut | None:
        """The action to offer together with the picked one, such as the end of the turn, or None if there is none."""
        picked, history = self.picked, self.snapshot.playing
        return part_of(history.game, Buttons).closing(history.state, picked.seat, picked.prefix) if picked.final else None

    def click(self, verb: str, tokens: Action = ()) -> str:
        return self.picking.click(verb, tokens).custom_id

    def button(self, label: Text, verb: str, *, emoji: str | None = None) -> Button:
        return button(self.picking.on_button(label), self.click(verb), emoji=emoji)


async def panel_message(
    snapshot: Snapshot,
    picked: Pick,
    perspective: Perspective,
    *,
    page: int = 0,
    note: str = "",
    preview: Step[Any] | None = None,
    repeat: bool = False,
) -> MessageBuilder:
    """Return a seat's panel: the game's question, its view with the options marked, and a button or menu entry for each option.

    While nothing is picked, the picture shows the events since the seat was last asked. After an action that can be continued,
    a row of its own shows the ways to continue it. `note` is a line at the top. `preview` is the result of the picked action,
    if it is shown before the action is played. `repeat` allows a button for the last action.
    """
    panel = _Panel(snapshot, _picking(snapshot, picked, perspective, page))
    builder = MessageBuilder(colour=COLOURS[picked.seat])
    builder.text(heading(snapshot, perspective.language)).text(note)
    if preview is None:
        await _add_question(builder, panel, note)
    else:
        await _add_preview(builder, panel, preview)
    try:
        again = _again(panel) if repeat and panel.picking.menu.goes_on else []
        panel.picking.add_to(builder, _controls(panel), between=_after_closing(panel), again=again)
    except TooLong:
        return _too_long(panel)
    return builder


def _after_closing(panel: _Panel) -> str:
    """Return what can still be done after an action that may also end the turn, or an empty string if there is nothing."""
    closing = panel.closing
    if closing is None or not _goes_on(panel, closing):
        return ""
    play = part_of(panel.snapshot.playing.game, Words).confirm(panel.picked.prefix)
    return panel.picking.in_words(
        say("-# After *{play}* you can still play cards. *{both}* ends your turn.", play=play, both=closing.label)
    )


async def hand_message(snapshot: Snapshot, seat: int, perspective: Perspective) -> MessageBuilder:
    """Return the hand of a seat whose turn it is, as large as possible, with buttons for cards, and *Move* for the rest."""
    game, language = snapshot.playing.game, perspective.language
    verbs = game.hand_verbs if isinstance(game, Hidden) else ()
    cards = hand_items(snapshot.position, seat, verbs)
    builder = MessageBuilder(colour=COLOURS[seat]).text(heading(snapshot, language))
    marked = tuple(item.choice for item in cards.items)
    builder.picture(await picture(snapshot.position, perspective, options=marked, hand=True))
    builder.text(f"**{question_sentence(snapshot.position, seat, language)}**")
    _picking(snapshot, cards, perspective).add_to(builder)
    move = Click("move", snapshot.table.id, snapshot.playing.version)
    return builder.buttons([button(language(say("Move")), move.custom_id, discord.ButtonStyle.primary)])


def _picking(snapshot: Snapshot, picked: Pick, perspective: Perspective, page: int = 0) -> Picking:
    def click(verb: str, tokens: Action = (), page: int = 0) -> Click:
        return Click(verb, snapshot.table.id, snapshot.playing.version, page, tokens)

    picker = action_picker(snapshot.position, picked.seat)
    return Picking(
        position=snapshot.position, picker=picker, picked=picked, perspective=perspective, click=click, verbs=Verbs(),
        page=page,
    )  # fmt: skip


async def _add_question(builder: MessageBuilder, panel: _Panel, note: str) -> None:
    snapshot, picked = panel.snapshot, panel.picked
    # A panel that goes on from the last action shows that action's piece as picked instead.
    begins = picked.untouched and not panel.picking.menu.goes_on
    builder.picture(await panel.picking.picture(since_own_turn(snapshot, picked.seat) if begins else ()))
    hand = hand_of(snapshot.playing.game, snapshot.position.view(picked.seat))
    in_a_line = hand is not None and "\n" not in hand  # more than a line is in the picture, and in its words
    if hand is not None and in_a_line and not picked.prefix and not _has_learned(panel, note):
        builder.text(panel.picking.in_words(hand))
    if picked.untouched:
        builder.text(orders_line(snapshot, picked.seat, panel.perspective))
    builder.text(_question(panel))
    if picked.untouched:
        builder.text(replies_line(snapshot, picked.seat, panel.perspective.language))


def _has_learned(panel: _Panel, note: str) -> bool:
    """Whether a note already tells everything that the hand would show, in a game of memory."""
    history, seat = panel.snapshot.playing, panel.picked.seat
    events = (event for logged in reversed(history.log) for event in logged.events)
    secret = next((event.phrase for event in events if event.private_to == seat and event.phrase), None)
    return history.game.memory and secret is not None and panel.picking.in_words(secret) in note


def _again(panel: _Panel) -> list[Button]:
    picked = panel.picked
    choice = next((item.choice for item in picked.going_on if item.tokens == picked.again), None)
    if choice is None:
        return []
    label = panel.picking.on_button(say("{way} again", way=choice.brief or choice.label))
    emoji = choice.symbol or "🔁"
    return [button(label, panel.click("act", picked.again), discord.ButtonStyle.success, emoji=emoji)]


def _question(panel: _Panel) -> str:
    picked, history = panel.picked, panel.snapshot.playing
    if not picked.prefix and not picked.choices:
        who = join([seat_name(seat) for seat in history.to_act], ", ")
        return panel.picking.in_words(say("Nothing to do for now. Waiting for {who}.", who=who))
    return panel.picking.question()


async def _add_preview(builder: MessageBuilder, panel: _Panel, step: Step[Any]) -> None:
    """Add the board after the action, with its trail. Add the events in words, too, unless they only repeat the action."""
    known = tuple(event for event in step.events if event.known_to(panel.picked.seat))
    builder.picture(await panel.picking.picture(preview=step))
    told = words(
        _events_to_tell(known), panel.perspective.language, names(panel.snapshot), marks(panel.snapshot), whole(CHARACTERS),
        numbered=numbered(panel.snapshot.table.game, known),
    )  # fmt: skip
    repeats = "\n" not in told and told.rstrip(".").endswith(panel.picking.picks)
    builder.text("\n".join([_question(panel), *([told] if told and not repeats else [])]))


def _events_to_tell(events: tuple[Event, ...]) -> list[Event]:
    """Return the events that a preview tells: all of them, or the most important ones if there are many."""
    chosen = sorted((event for event in events if event.phrased), key=lambda event: not event.major)[:WORDS_AT_MOST]
    return [event for event in events if event in chosen]


# --- buttons --------------------------------------------------------------------------------------------------------------


def _controls(panel: _Panel) -> list[Button]:
    picked, snapshot, history = panel.picked, panel.snapshot, panel.snapshot.playing
    controls = panel.picking.play()
    if (closing := panel.closing) is not None:
        both = panel.click("close", picked.prefix)
        controls.append(button(panel.picking.on_button(closing.label), both, discord.ButtonStyle.primary))
    controls += panel.picking.back()
    last = history.log.last
    own = last is not None and last.entry.seat == picked.seat  # nothing has happened since the player's own action
    if picked.untouched and snapshot.is_alone and own and may_take_back(snapshot, picked.seat):
        controls.append(button(panel.picking.on_button(say("Undo")), Click("undo", snapshot.table.id).custom_id))
    if picked.untouched and part_of(history.game, Buttons).rest(history.state, picked.seat):
        controls.append(panel.button(say("Spend the rest"), "rest", emoji="⏩"))
    if picked.untouched and may_take_hint(snapshot, picked.seat):
        controls.append(panel.button(say("Hint"), "hint", emoji="💡"))
    # These are shown while others are to act, or if an order could answer, whatever the hand holds.
    if picked.untouched and (
        picked.seat not in history.to_act or part_of(history.game, Orders).order_shortcuts(history.state, picked.seat)
    ):
        controls += ahead_buttons(snapshot, snapshot.players[picked.seat].user_id, panel.perspective.language)
    if picked.untouched and panel.snapshot.is_alone:
        language = panel.perspective.language
        controls += [*([] if own else what_happened(panel.snapshot, language)), more_button(panel.snapshot, language)]
    return controls


def _goes_on(panel: _Panel, closing: Shortcut) -> bool:
    """Whether, as far as the seat knows, it could do more after the picked action than end its turn."""
    picked, history = panel.picked, panel.snapshot.playing
    step = foresee(history.game, history.state, picked.seat, picked.prefix)
    ends = closing.action[:1]
    return step is not None and any((choice.token,) != ends for choice in history.game.choices(step.state, picked.seat))


def _too_long(panel: _Panel) -> MessageBuilder:
    tokens = plain(" ".join(panel.picked.prefix))
    typed = say("That’s too long for buttons. Type on: `/move action:{action} …`", action=tokens)
    again = panel.button(say("Start over"), "move")
    return MessageBuilder(colour=COLOURS[panel.picked.seat]).text(panel.picking.in_words(typed)).buttons([again])


# --- after the game -------------------------------------------------------------------------------------------------------


async def waiting_message(snapshot: Snapshot, seat: int, perspective: Perspective, told: str) -> MessageBuilder:
    """Return the panel of a seat that is waiting for others, with what has just happened and whom the game is waiting for.

    If the seat waits only for computers, the message is later replaced by what comes next. A button does the same, in case the
    replacement fails. If no board is posted, the message shows the board in the same place as the next panel does.
    """
    language, waits = perspective.language, snapshot.thinking
    builder = MessageBuilder(colour=COLOURS[seat])
    if snapshot.table.solo:
        builder.text(heading(snapshot, language))
    builder.text(told or language(say("Done.")))
    if snapshot.table.solo:
        builder.picture(await picture(snapshot.position, perspective, events=since_own_turn(snapshot, seat)))
    builder.text("-# " + language(thinking_text(snapshot) if waits else turn_text(snapshot), names(snapshot)))
    click = Click("move", snapshot.table.id, snapshot.playing.version)
    if waits:
        return builder.buttons([button(language(say("Refresh")), click.custom_id)])
    return builder.buttons(ahead_buttons(snapshot, snapshot.players[seat].user_id, language))
