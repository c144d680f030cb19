"""The messages with which people add computers and choose their level."""

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark
from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, button, escape
from bot.messages.click import Click
from bot.messages.players import LEVEL_LABELS, MARKS, names_with_levels
from engines import GAMES
from engines.game import Game, Words, other_length, part_of
from engines.text import Text, join, plain, say, say_n
from storage.schema.records import Level, Status


def computers_message(snapshot: Snapshot, language: Language, *, terms: int | None = None) -> MessageBuilder:
    """Return the panel that adds or removes a lobby's computers. `terms` marks the terms read, by default the current ones."""
    table, builder = snapshot.table, MessageBuilder()
    title = language(say("### Computers at table #{n}", n=table.id))
    if table.status is not Status.OPEN:
        closed = table.status is Status.CLOSED
        now = say("This table is closed.") if closed else say("All seats are taken: the game is on!")
        return builder.text(title).text(language(now))
    there = [player for player in snapshot.players if player.computer is not None]
    who = names_with_levels(snapshot, [escape(name) for name in snapshot.names])
    lines = [f"{MARKS.computer} {language(who[seat])}" for seat in snapshot.computers]
    builder.text("\n".join([title, *lines]))
    add = Click("add-computer", table.id, terms_mark(table) if terms is None else terms)
    if snapshot.free > 0 and GAMES[table.game].luck_alone:
        note = say_n(
            "One seat is open. Games with computers aren’t rated.",
            "{n} seats are open. Games with computers aren’t rated.",
            snapshot.free,
        )
        builder.text(language(note)).buttons([_any_level(add, say("Add a computer"), language)])
    elif snapshot.free > 0:
        note = say_n(
            "How strong should it be? One seat is open. Games with computers aren’t rated.",
            "How strong should it be? {n} seats are open. Games with computers aren’t rated.",
            snapshot.free,
        )
        builder.text(language(note)).buttons(_levels(add, language))
    elif not there:
        builder.text(language(say("There’s no free seat for a computer.")))
    send_away = [
        button(language(say("Remove {name}", name=plain(player.name))),
               Click("remove-computer", table.id, tokens=(str(player.user_id),)).custom_id, discord.ButtonStyle.danger)
        for player in there
    ]  # fmt: skip
    return builder.buttons(send_away)


def _levels(click: Click, language: Language, *more: str, usual: Level = Level.MEDIUM) -> list[Button]:
    """Return a button for each level, which adds the level and `more` to the click's tokens. The usual level stands out."""
    return [
        button(language(label), click.then(level, *more).custom_id,
               discord.ButtonStyle.primary if level is usual else discord.ButtonStyle.secondary)
        for level, label in LEVEL_LABELS.items()
    ]  # fmt: skip


def _any_level(click: Click, label: Text, language: Language) -> Button:
    """Return the single button that replaces the buttons for levels in a game of pure luck."""
    return button(language(label), click.then(Level.EASY).custom_id, discord.ButtonStyle.primary)


ASKED: Final = "asked"
"""The token that stands for a level not yet chosen."""

OPENLY: Final = "openly"
ALONE: Final = "alone"
"""With `OPENLY`, the tokens for choosing whether practice games are posted."""

OWN_TURNS: Final[Mapping[str, tuple[int, int]]] = {
    "trampoline": (6, 17),
    "bunny": (6, 19),
    "pucks": (6, 14),
    "bouncers": (26, 35),
}
"""How many turns a person has in a two-player game against an easy computer: the median, and the 90th percentile.

The numbers are measured by tests/benchmarks/test_lengths.py. The games are ordered by how long they take; turns of Puck Bumpers
are long.
"""


def practice_message(
    language: Language, game_id: str | None = None, *, variant: str | None = None, openly: bool = False
) -> MessageBuilder:
    """Ask for the computer's level in `game_id`, or in all games, shortest first. `openly` says whether others can watch."""
    soonest = [*OWN_TURNS, *(known for known in GAMES if known not in OWN_TURNS)]
    games = list(map(GAMES.__getitem__, soonest if game_id is None else [game_id]))
    about = say("### Practise alone\nYou and a computer, right here, with no clock and no rating.")
    if not all(game.luck_alone for game in games):
        about = say("{about} How strong should it be?", about=about)
    builder, lengths = MessageBuilder().text(language(about)), list[Button]()
    for game in games:
        builder.text(f"{language(_practice_game(game, variant, language))}\n-# {language(game.summary)}")
        builder.buttons(_practice_buttons(game, variant, language))
        lengths += _other_length(game, variant, language)
    now, other = (say("Everybody here can watch."), ALONE) if openly else (say("Nobody else sees your game."), OPENLY)
    change = say("Just for me") if openly else say("Let others watch")
    tokens = tuple(token for token in (other, game_id, variant) if token is not None)
    builder.text(f"-# {language(now)}")
    return builder.buttons([button(language(change), Click("practise-openly", tokens=tokens).custom_id), *lengths])


def _practice_game(game: Game[Any, Any], variant: str | None, language: Language) -> Text:
    title = plain(f"**{language(game.title)}**")
    if variant is not None:
        return say("{game}, {variant}", game=title, variant=game.variant_titles[variant])
    if (turns := OWN_TURNS.get(game.id)) is None:
        return title
    usual, most = turns
    return say("{game}, about {n} turns, rarely over {most}", game=title, n=usual, most=most)


def _practice_buttons(game: Game[Any, Any], variant: str | None, language: Language) -> list[Button]:
    click = Click("practise", tokens=(game.id,))
    if game.luck_alone:
        return [_any_level(click, say("Play"), language)]
    return _levels(click, language, *(() if variant is None else (variant,)), usual=Level.EASY)


def _other_length(game: Game[Any, Any], variant: str | None, language: Language) -> list[Button]:
    """Return the button for the shorter or longer variant that goes with this one, or an empty list if there is none."""
    other = other_length(game, game.variants[0] if variant is None else variant)
    if other is None:
        return []
    return [button(language(game.variant_titles[other]), Click("practise", tokens=(game.id, ASKED, other)).custom_id)]


def practice_words(snapshot: Snapshot, language: Language) -> str:
    """Return a practice game's aim and how to come back to the game, short enough that a phone also shows the board."""
    game = snapshot.playing.game
    lines: list[Text] = []
    if not snapshot.table.solo:
        rivals = join([names_with_levels(snapshot, snapshot.names)[seat] for seat in snapshot.computers], ", ")
        lines.append(say("Table #{n} is on: you’re playing {rivals}. Have fun!", n=snapshot.table.id, rivals=rivals))
    aim = part_of(game, Words).aim(snapshot.table.variant)
    lines.append(say("🎯 {aim}", aim=game.summary if aim is None else aim))
    if game.luck_alone:
        lines.append(say("🎲 It’s all luck: nothing to plan, just cheer."))
    if snapshot.table.solo:
        lines.append(say("-# Closed this message? `/board` brings it back."))
    return language(join(lines))
