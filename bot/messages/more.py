"""What people can do at a table besides making the next move: the buttons behind *More*, and those below a private board."""

from dataclasses import dataclass

import discord

from bot.core.table.snapshot import Snapshot
from bot.core.turns import too_late_to_call_off
from bot.i18n.language import Language
from bot.messages.board import (
    analyse_button,
    heading,
    rematch_button,
    replay_button,
    review_button,
    share_buttons,
    verify_button,
    what_happened,
    words_button,
)
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click
from engines.game import Hidden, Orders, may_act, part_of
from engines.text import Text, say
from opponents import opponent
from storage.schema.records import EntryKind, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """Whether a reader can undo something (or agree to it) and may take a hint. Only the features can tell."""

    undo: bool = False
    hint: bool = False


def more_message(snapshot: Snapshot, user_id: int, language: Language, possible: Possible) -> MessageBuilder:
    """Show the less frequent actions at a table, as buttons."""
    board = button(language(say("Board")), Click("board", snapshot.table.id).custom_id)
    return MessageBuilder().text(heading(snapshot, language)).buttons([board, *_rest(snapshot, user_id, language, possible)])


def board_buttons(snapshot: Snapshot, user_id: int, language: Language, possible: Possible) -> list[Button]:
    """Return the buttons below a private board, for all that its reader can do at the table without seeing the public board."""
    table, seat = snapshot.table, snapshot.viewpoint(user_id)
    here: list[Button] = []
    if table.status is Status.PLAYING and seat is not None:
        game, state = snapshot.playing.game, snapshot.playing.state
        move = Click("move", table.id, table.version)
        if seat in may_act(game, state) or game.secret or game.conditional:
            here.append(button(language(say("Move")), move.custom_id, discord.ButtonStyle.primary))
        if isinstance(game, Hidden):
            here.append(button(language(game.hand_title), Click("hand", table.id, table.version).custom_id))
    return [*here, *_rest(snapshot, user_id, language, possible)]


def _rest(snapshot: Snapshot, user_id: int, language: Language, possible: Possible) -> list[Button]:
    table_id, playing = snapshot.table.id, snapshot.table.status is Status.PLAYING
    seat = snapshot.viewpoint(user_id) if playing else None
    hint = [button(language(say("Hint")), Click("hint", table_id, snapshot.table.version).custom_id, emoji="💡")]
    return [
        *(rematch_button(snapshot, language) if snapshot.table.is_over and snapshot.seat_of(user_id) is not None else []),
        *(hint if possible.hint else []),
        *what_happened(snapshot, language),
        words_button(snapshot, language),
        *ahead_buttons(snapshot, user_id, language),
        *([] if seat is None else _consent_buttons(snapshot, seat, language, undo=possible.undo)),
        *([] if seat is None else _seat_buttons(snapshot, seat, language)),
        *replay_button(snapshot, language),
        *review_button(snapshot, language),
        *([analyse_button(table_id, language)] if snapshot.table.is_over else []),
        *(share_buttons(snapshot, language) if snapshot.table.is_over else []),
        button(language(say("Rules")), Click("rules", table_id, tokens=(snapshot.table.game,)).custom_id),
        *([] if _is_void(snapshot) else [verify_button(snapshot, language)]),
        *([button(language(say("Watch")), Click("watch", table_id).custom_id)] if playing and seat is None else []),
    ]


def _is_void(snapshot: Snapshot) -> bool:
    """Whether a game ended without a result before anybody made a move, so that there is nothing to verify."""
    outcome = snapshot.table.outcome
    moved = any(logged.entry.kind is EntryKind.PLAY for logged in snapshot.playing.log)
    return outcome is not None and outcome.how.void and not moved


def _consent_buttons(snapshot: Snapshot, seat: int, language: Language, *, undo: bool) -> list[Button]:
    return [
        *_draw_buttons(snapshot, seat, language),
        *([button(language(say("Undo")), Click("undo", snapshot.table.id).custom_id)] if undo else []),
        *call_off_buttons(snapshot, seat, language),
    ]


def _draw_buttons(snapshot: Snapshot, seat: int, language: Language) -> list[Button]:
    """Return the button that offers, accepts or takes back a draw. None is offered to a computer that would never agree."""
    offer = snapshot.table.offers.draw
    if offer is not None:
        if seat == offer.by:
            return [button(language(say("Take the offer back")), Click("draw-back", snapshot.table.id).custom_id)]
        return [] if seat in offer.agreed else [_draw_button(snapshot, say("Accept the draw"), language)]
    levels = {snapshot.players[other].computer for other in snapshot.present} - {None}
    willing = all(opponent(snapshot.table.game, level, snapshot.table.rules).may_draw for level in levels if level is not None)
    return [_draw_button(snapshot, say("Offer a draw"), language)] if willing and len(snapshot.present) > 1 else []


def _draw_button(snapshot: Snapshot, label: Text, language: Language) -> Button:
    return button(language(label), Click("draw", snapshot.table.id).custom_id)


def call_off_buttons(snapshot: Snapshot, seat: int, language: Language) -> list[Button]:
    """Return the *Call off* button for a player who has not agreed to it yet, as long as the game can be called off."""
    offer = snapshot.table.offers.call_off
    if too_late_to_call_off(snapshot) is not None or (offer is not None and seat in offer.agreed):
        return []
    label = say("Call off") if offer is None else say("Agree to call off")
    return [button(language(label), Click("call-off", snapshot.table.id).custom_id)]


def _seat_buttons(snapshot: Snapshot, seat: int, language: Language) -> list[Button]:
    """Return the buttons that nudge the others, hand a seat over (unless nobody else can see the game), and give it up."""
    table_id, awaited = snapshot.table.id, {player.user_id for player in snapshot.awaited if player.computer is None}
    nudge = [button(language(say("Nudge")), Click("nudge", table_id).custom_id)]
    substitute = [button(language(say("Substitute")), Click("substitute", table_id).custom_id)]
    resign = button(language(say("Resign")), Click("resign", table_id).custom_id, discord.ButtonStyle.danger)
    return [
        *(nudge if awaited and seat not in snapshot.playing.to_act else []),
        *([] if snapshot.table.solo else substitute),
        resign,
    ]


def ahead_buttons(snapshot: Snapshot, user_id: int, language: Language) -> list[Button]:
    """Return *Plan ahead* or *Orders* if the game has it. It is there whatever a player's hand is, so it reveals nothing."""
    seat = snapshot.viewpoint(user_id)
    if snapshot.table.status is not Status.PLAYING or seat is None:
        return []
    history, here = snapshot.playing, (snapshot.table.id, snapshot.playing.version)
    if history.game.conditional:
        return [button(language(say("Plan ahead")), Click("plan", *here).custom_id)]
    if part_of(history.game, Orders).order_choices(history.state, seat):
        return [button(language(say("Orders")), Click("orders", *here).custom_id)]
    return []
