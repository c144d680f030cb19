"""The private question who is to take a seat: the reader's own, or one that somebody has just left."""

from typing import Any

from discord import ui

from bot.core.table.players import counts_as_loss
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.board import heading
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.players import LEVEL_LABELS, names
from engines.text import say, seat_name


def seats_message(snapshot: Snapshot, seat: int, language: Language) -> MessageBuilder:
    """Ask who takes the reader's seat, and who takes each seat that was just left: a person or a computer."""
    builder = MessageBuilder().text(heading(snapshot, language))
    asked = say("**Who takes over your seat?** I’ll ask them first.")
    if counts_as_loss(snapshot, seat):
        asked = say("{asked} It’s a rated game: once they accept, it counts as your loss, however it ends.", asked=asked)
    builder.text(language(asked))
    builder.select(_people(snapshot, seat, language))
    for left in (one for one in range(len(snapshot.players)) if one != seat and snapshot.has_just_left(one)):
        asked = say("**Who takes over the seat that {who} just left?** A computer needs everybody’s OK.", who=seat_name(left))
        builder.text(language(asked, names(snapshot))).select(_people(snapshot, left, language))
        leaver = str(snapshot.players[left].user_id)
        builder.buttons([
            button(language(label), Click("relieve", snapshot.table.id, tokens=(leaver, level)).custom_id)
            for level, label in LEVEL_LABELS.items()
        ])  # fmt: skip
    return builder


def _people(snapshot: Snapshot, seat: int, language: Language) -> "ui.UserSelect[Any]":
    click = Click("seat-to", snapshot.table.id, tokens=(str(snapshot.players[seat].user_id),))
    return ui.UserSelect(custom_id=click.custom_id, placeholder=language(say("Pick somebody")), min_values=1, max_values=1)
