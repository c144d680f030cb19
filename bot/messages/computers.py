"""Computers in words: their levels, how they are told from people, and that one waits for them."""

from collections.abc import Mapping, Sequence
from typing import Final

import discord

from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, button, escaped
from bot.messages.click import Click
from bot.messages.marks import MARKS
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines import GAMES
from engines.text import Text, echoed, join, plain, say, say_n, seat_name
from storage.records import Level, Status

LEVEL_WORDS: Final[Mapping[Level, Text]] = {
    Level.EASY: say("easy"),
    Level.MEDIUM: say("medium"),
    Level.HARD: say("hard"),
    Level.EXPERT: say("expert"),
}
"""The levels as they stand within a sentence."""

LEVEL_LABELS: Final[Mapping[Level, Text]] = {
    Level.EASY: say("Easy"),
    Level.MEDIUM: say("Medium"),
    Level.HARD: say("Hard"),
    Level.EXPERT: say("Expert"),
}
"""The same on buttons."""

PRACTISE: Final = say("Practise alone")
"""The button with which somebody opens a table against a computer."""


def read_level(named: str) -> Level:
    """The level of that name. Raises Refused if there is none."""
    try:
        return Level(named)
    except ValueError:
        raise Refused(say("Computers don’t play “{level}”. Pick from: {levels}.", level=echoed(named),
                          levels=", ".join(Level))) from None  # fmt: skip


def known_as(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """The players' names, each as it is in `names`; those of computers with their levels: "Pogo (computer, hard)"."""
    return tuple(
        _levelled(name, player.computer) if player.computer is not None else name
        for player, name in zip(snapshot.players, names, strict=True)
    )


def _levelled(name: str, level: Level) -> Text:
    return say("{name} (computer, {level})", name=plain(name), level=LEVEL_WORDS[level])


def waited_for(snapshot: Snapshot) -> Text:
    """Whom a game that is going on is waiting for, by their seats: people, or else computers, which think."""
    seats = snapshot.playing.to_act
    who = join([seat_name(seat) for seat in seats], ", ")
    if not snapshot.thinking:
        return say("Waiting for {who}.", who=who)
    return say_n("{who} is thinking …", "{who} are thinking …", len(seats), who=who)


# --- before a game ------------------------------------------------------------------------------------------------------


def computers_button(snapshot: Snapshot, language: Language) -> list[Button]:
    """The button of a lobby with which computers come and go: where there is a free seat, or a computer sits already."""
    click = Click("computers", snapshot.table.id)
    if snapshot.free > 0:
        return [button(language(say("Add a computer")), click.custom_id)]
    return [button(language(say("Remove a computer")), click.custom_id)] if snapshot.computers else []


def computers_message(snapshot: Snapshot, language: Language) -> MessageBuilder:
    """The panel in which computers are added to a lobby, and sent away from it."""
    table, builder = snapshot.table, MessageBuilder()
    title = language(say("### Computers at table #{n}", n=table.id))
    if table.status is not Status.OPEN:
        return builder.text(title).text(language(say("All seats are taken: the game is on!")))
    there = [player for player in snapshot.players if player.computer is not None]
    who = known_as(snapshot, [escaped(name) for name in snapshot.names])
    lines = [f"{MARKS.computer} {language(who[seat])}" for seat in snapshot.computers]
    builder.text("\n".join([title, *lines]))
    if snapshot.free > 0:
        note = say_n(
            "How well shall it play? One seat is free. With computers a game isn’t rated.",
            "How well shall it play? {n} seats are free. With computers a game isn’t rated.",
            snapshot.free,
        )
        builder.text(language(note)).buttons(_levels(Click("add-computer", table.id), language))
    elif not there:
        builder.text(language(say("No seat is free for a computer.")))
    send_away = [
        button(language(say("Remove {name}", name=plain(player.name))),
               Click("remove-computer", table.id, tokens=(str(player.user_id),)).custom_id, discord.ButtonStyle.danger)
        for player in there
    ]  # fmt: skip
    return builder.buttons(send_away)


def _levels(click: Click, language: Language) -> list[Button]:
    """A button for each level, which adds it to the tokens of a click. The default one stands out."""
    return [
        button(language(label), click.then(level).custom_id,
               discord.ButtonStyle.primary if level is Level.MEDIUM else discord.ButtonStyle.secondary)
        for level, label in LEVEL_LABELS.items()
    ]  # fmt: skip


# --- practising alone -----------------------------------------------------------------------------------------------------


def practice_message(language: Language, game_id: str | None = None) -> MessageBuilder:
    """The question how well the computer shall play that somebody wants to practise against, at one game or at any of them."""
    builder = MessageBuilder()
    builder.text(language(say("### Practise alone\nYou and a computer, right here, with no clock and no rating. How well shall "
                              "it play?")))  # fmt: skip
    for game in GAMES.values() if game_id is None else [GAMES[game_id]]:
        builder.text(f"**{language(game.listed)}**").buttons(_levels(Click("practise", tokens=(game.id,)), language))
    return builder


def practice_opened(snapshot: Snapshot, language: Language) -> MessageBuilder:
    """The answer to whoever has opened a table to practise: it is on, and against whom."""
    rivals = join([known_as(snapshot, snapshot.names)[seat] for seat in snapshot.computers], ", ")
    on = say("Table #{n} is on: you play against {rivals}. Have fun!", n=snapshot.table.id, rivals=rivals)
    return MessageBuilder().text(language(on))


def practise_button(language: Language, game_id: str | None = None) -> Button:
    """The button *Practise alone*, for one game or any of them."""
    return button(language(PRACTISE), Click("practise", tokens=() if game_id is None else (game_id,)).custom_id,
                  discord.ButtonStyle.success)  # fmt: skip
