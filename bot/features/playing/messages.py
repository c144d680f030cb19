"""The private panel in which a player picks an action step by step. It serves all games, since it follows `Game.choices`."""

from dataclasses import dataclass, replace
from typing import Any, Final

import discord

from bot.core.table.snapshot import Snapshot
from bot.core.undoing import may_take_back
from bot.features.playing.hints import may_take_hint
from bot.messages.asking import question_sentence
from bot.messages.board import COLOURS, ahead_buttons, heading, more_button, replies_line, what_happened
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click, TooLong
from bot.messages.menus import Menu, keep_going, play_style, with_picks
from bot.messages.orders import orders_line
from bot.messages.picking import Pick, hand_items, pick, prompt_of, regions
from bot.messages.pictures import Perspective, picture
from bot.messages.players import marks, names, thinking_text, turn_text
from bot.messages.story import CHARACTERS, numbered, since_own_turn, whole, words
from engines.game import Buttons, Event, Hidden, Orders, Shortcut, Step, Words, action_words, foresee, hand_of, part_of
from engines.text import Text, join, plain, say, seat_name

WORDS_AT_MOST: Final = 4
"""The most events that a preview tells in words. The picture shows all of them."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """The parts of a panel.

    Attributes:
        snapshot: the table.
        picked: the picks so far.
        perspective: the player's perspective.
        menu: the items to pick next.
    """

    snapshot: Snapshot
    picked: Pick
    perspective: Perspective
    menu: Menu

    @property
    def click(self) -> Click:
        """A click in the panel; its verb is replaced."""
        return self.menu.click

    def in_words(self, text: str) -> str:
        """A text in the player's language, with the players' names, in Markdown."""
        return self.perspective.language(text, names(self.snapshot))

    def on_button(self, label: str) -> str:
        """A label in the player's language, with the players' names, without Markdown."""
        return self.menu.label(label)


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
    """The panel of a seat: the game's question, its view with the options marked, a button or menu entry for each.

    While nothing is picked, the picture shows the events since the seat was last asked. After an action that can go on, it
    shows the ways to go on, and they have a row of their own.

    Args:
        snapshot: the table.
        picked: the picks so far.
        perspective: the player's perspective.
        page: the page of the menu; see `Menu.page`.
        note: a line at the top, for example the last action, or an error.
        preview: the result of the picked action, if it is to be shown before it is played.
        repeat: whether a button plays the last action again, if it can be.
    """
    panel = _Panel(snapshot, picked, perspective, _menu(snapshot, picked, perspective, page))
    builder = MessageBuilder(colour=COLOURS[picked.seat])
    builder.text(heading(snapshot, perspective.language)).text(note)
    if preview is None:
        await _add_question(builder, panel, note)
    else:
        await _add_preview(builder, panel, preview)
    try:
        if panel.menu.goes_on:
            _add_going_on(builder, panel, repeat=repeat)
        panel.menu.add_to(builder, _controls(panel), between=_after_closing(panel))
    except TooLong:
        return _too_long(panel)
    return builder


def _after_closing(panel: _Panel) -> str:
    """What can still be done after an action that may end the turn as well; empty for others."""
    closing = _closing(panel)
    if closing is None or not _goes_on(panel, closing):
        return ""
    return panel.in_words(
        say("-# After *{play}* you can still play cards. *{both}* ends your turn.", play=_confirm(panel), both=closing.label)
    )


async def hand_message(snapshot: Snapshot, seat: int, perspective: Perspective) -> MessageBuilder:
    """The hand of a seat that the game waits for, as large as possible, with buttons of its cards, and *Move* for all else."""
    game, language = snapshot.playing.game, perspective.language
    verbs = game.hand_verbs if isinstance(game, Hidden) else ()
    cards = hand_items(snapshot.position, seat, verbs)
    menu = _menu(snapshot, cards, perspective, 0)
    builder = MessageBuilder(colour=COLOURS[seat]).text(heading(snapshot, language))
    marked = tuple(item.choice for item in cards.items)
    builder.picture(await picture(snapshot.position, perspective, options=marked, hand=True))
    builder.text(f"**{question_sentence(snapshot.position, seat, language)}**")
    menu.add_to(builder)
    move = Click("move", snapshot.table.id, snapshot.playing.version)
    return builder.buttons([button(language(say("Move")), move.custom_id, discord.ButtonStyle.primary)])


def _menu(snapshot: Snapshot, picked: Pick, perspective: Perspective, page: int) -> Menu:
    history, language = snapshot.playing, perspective.language
    return Menu(
        picked=picked,
        regions=regions(history.game, picked.items),
        page=page,
        click=Click("pick", snapshot.table.id, history.version, page, picked.prefix),
        language=language,
        label=lambda label: language(label, snapshot.names),
    )


async def _add_question(builder: MessageBuilder, panel: _Panel, note: str) -> None:
    snapshot, picked = panel.snapshot, panel.picked
    events = _events_shown(panel)
    prefix, options = panel.menu.marking
    whole_board = panel.menu.elsewhere
    builder.picture(
        await picture(snapshot.position, panel.perspective, events=events, prefix=prefix, options=options, whole=whole_board)
    )
    hand = hand_of(snapshot.playing.game, snapshot.playing.view(picked.seat))
    in_a_line = hand is not None and "\n" not in hand  # more than a line is in the picture, and in its words
    if hand is not None and in_a_line and not picked.prefix and not _has_learned(panel, note):
        builder.text(panel.in_words(hand))
    if picked.untouched:
        builder.text(orders_line(snapshot, picked.seat, panel.perspective))
    builder.text(_question(panel))
    if picked.untouched:
        builder.text(replies_line(snapshot, picked.seat, panel.perspective.language))


def _has_learned(panel: _Panel, note: str) -> bool:
    """Whether a note tells what the seat alone has learned last, in a game of memory: all that its hand would say again."""
    history, seat = panel.snapshot.playing, panel.picked.seat
    events = (event for logged in reversed(history.log) for event in logged.events)
    secret = next((event.phrase for event in events if event.private_to == seat and event.phrase), None)
    return history.game.memory and secret is not None and panel.in_words(secret) in note


def _events_shown(panel: _Panel) -> tuple[Event, ...]:
    """The events that the picture shows; none if the panel goes on from the last action, whose piece it shows picked."""
    begins = panel.picked.untouched and not panel.menu.goes_on
    return since_own_turn(panel.snapshot, panel.picked.seat) if begins else ()


def _add_going_on(builder: MessageBuilder, panel: _Panel, *, repeat: bool) -> None:
    """Add the row that goes on from the last action, and the words between it and the other items."""
    picked, history = panel.picked, panel.snapshot.playing
    begun = action_words(history.game, history.state, picked.seat, picked.going_on[0].tokens[:-1])
    row = panel.menu.going_on()
    if repeat and picked.again:
        choice = next(item.choice for item in picked.going_on if item.tokens == picked.again)
        label = say("{way} again", way=choice.brief or choice.label)
        again = replace(panel.click, verb="act", page=0, tokens=picked.again).custom_id
        row.append(button(panel.on_button(label), again, discord.ButtonStyle.success, emoji=choice.symbol or "🔁"))
    builder.text(panel.in_words(keep_going(begun, others=bool(picked.items)))).buttons(row)


def _question(panel: _Panel) -> str:
    """The game's question, and the picks so far."""
    picked, history = panel.picked, panel.snapshot.playing
    if not picked.prefix and not picked.choices:
        who = join([seat_name(seat) for seat in history.to_act], ", ")
        return panel.in_words(say("Nothing to do for now. Waiting for {who}.", who=who))
    if picked.whole:
        return _play_this(panel)
    asked = prompt_of(panel.snapshot.position, picked, panel.in_words)
    begun = picked.prefix != pick(panel.snapshot.position, picked.seat, ()).prefix
    picks = panel.in_words(_picks(panel)) if begun and not picked.untouched else ""
    return with_picks(panel.menu.questions(asked, history.game, history.state, panel.in_words), picks)


def _picks(panel: _Panel) -> Text:
    """The picks so far, in words."""
    history = panel.snapshot.playing
    return action_words(history.game, history.state, panel.picked.seat, panel.picked.prefix)


def _play_this(panel: _Panel) -> str:
    return f"**{panel.in_words(say('{action}?', action=_picks(panel)))}**"


async def _add_preview(builder: MessageBuilder, panel: _Panel, step: Step[Any]) -> None:
    """Add the board after the action, with its trail, and its events in words unless they only name the action once more."""
    known = tuple(event for event in step.events if event.known_to(panel.picked.seat))
    builder.picture(await picture(panel.snapshot.position, panel.perspective, events=known, after=step.state))
    told = words(
        _events_to_tell(known),
        panel.perspective.language,
        names(panel.snapshot),
        marks(panel.snapshot),
        whole(CHARACTERS),
        numbered=numbered(panel.snapshot.table.game, known),
    )
    repeats = "\n" not in told and told.rstrip(".").endswith(panel.in_words(_picks(panel)))
    builder.text(f"{_play_this(panel)}\n{told}" if told and not repeats else _question(panel))


def _events_to_tell(events: tuple[Event, ...]) -> list[Event]:
    """The events of an action that a preview tells: all of them, or if there are many the major ones."""
    chosen = sorted((event for event in events if event.phrased), key=lambda event: not event.major)[:WORDS_AT_MOST]
    return [event for event in events if event in chosen]


# --- buttons --------------------------------------------------------------------------------------------------------------


def _controls(panel: _Panel) -> list[Button]:
    picked, history, click = panel.picked, panel.snapshot.playing, panel.click
    controls = []
    if picked.final:
        play = replace(click, verb="act", page=0).custom_id
        controls.append(button(panel.on_button(_confirm(panel)), play, play_style(picked), emoji="✅"))
        if (closing := _closing(panel)) is not None:
            both = replace(click, verb="close", page=0).custom_id
            controls.append(button(panel.on_button(closing.label), both, discord.ButtonStyle.primary))
    if panel.menu.is_left:
        controls.append(panel.menu.leave())
    elif not picked.untouched and picked.prefix != pick(panel.snapshot.position, picked.seat, ()).prefix:
        controls.append(button(panel.on_button(say("Back")), replace(click, verb="back", page=0).custom_id))
    last = history.log.last
    own = last is not None and last.entry.seat == picked.seat  # nothing has come after that
    if picked.untouched and panel.snapshot.is_alone and own and may_take_back(panel.snapshot, picked.seat):
        controls.append(button(panel.on_button(say("Undo")), Click("undo", click.table).custom_id))
    if picked.untouched and part_of(history.game, Buttons).rest(history.state, picked.seat):
        rest = Click("rest", click.table, click.version).custom_id
        controls.append(button(panel.on_button(say("Spend the rest")), rest, emoji="⏩"))
    if picked.untouched and may_take_hint(panel.snapshot, picked.seat):
        controls.append(button(panel.on_button(say("Hint")), Click("hint", click.table, click.version).custom_id, emoji="💡"))
    # While others are waited for, or if an order could answer, whatever else the hand offers.
    if picked.untouched and (
        picked.seat not in history.to_act or part_of(history.game, Orders).order_shortcuts(history.state, picked.seat)
    ):
        controls += ahead_buttons(panel.snapshot, panel.snapshot.players[picked.seat].user_id, panel.perspective.language)
    if picked.untouched and panel.snapshot.is_alone:
        language = panel.perspective.language
        controls += [*([] if own else what_happened(panel.snapshot, language)), more_button(panel.snapshot, language)]
    return controls


def _confirm(panel: _Panel) -> str:
    return part_of(panel.snapshot.playing.game, Words).confirm(panel.picked.prefix)


def _closing(panel: _Panel) -> Shortcut | None:
    """What ends the turn together with the picked action, if the turn would go on after it."""
    picked, history = panel.picked, panel.snapshot.playing
    return part_of(history.game, Buttons).closing(history.state, picked.seat, picked.prefix) if picked.final else None


def _goes_on(panel: _Panel, closing: Shortcut) -> bool:
    """Whether the seat can do more after the picked action than end its turn, as far as it can know."""
    picked, history = panel.picked, panel.snapshot.playing
    step = foresee(history.game, history.state, picked.seat, picked.prefix)
    ends = closing.action[:1]
    return step is not None and any((choice.token,) != ends for choice in history.game.choices(step.state, picked.seat))


def _too_long(panel: _Panel) -> MessageBuilder:
    tokens = plain(" ".join(panel.picked.prefix))
    typed = say("That’s too long for buttons. Type on: `/move action:{action} …`", action=tokens)
    again = Click("move", panel.snapshot.table.id, panel.snapshot.playing.version)
    return MessageBuilder(colour=COLOURS[panel.picked.seat]).text(panel.in_words(typed)).buttons(
        [button(panel.on_button(say("Start over")), again.custom_id)]
    )  # fmt: skip


# --- after the game -------------------------------------------------------------------------------------------------------


async def waiting_message(snapshot: Snapshot, seat: int, perspective: Perspective, told: str) -> MessageBuilder:
    """The panel of a seat while the game waits for others: what has just happened, and for whom it waits.

    While it waits for computers alone, it will become what comes next; the button is for when it has not. Where no board is
    posted, it has the board, in the same place as what comes next: below the story.
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
