"""The private panels for tournament organisers, which show only what organisers can do at the moment."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import discord
from discord import ui

from bot.core.table.audience import Unseen
from bot.core.table.settings import DAY
from bot.features.tournaments.rules.rounds import RoundGame
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.words import names_words, unseen_players
from bot.i18n.language import Language
from bot.messages.builder import (
    OPTION_LIMIT,
    OPTIONS_AT_MOST,
    Button,
    MessageBuilder,
    button,
    clip,
    escape,
    escape_name,
    shown_name,
)
from bot.messages.click import Click
from engines.text import Text, join, plain, say
from storage.schema.kinds import TournamentStatus
from storage.schema.tournament_records import TournamentEntry


def manage_panel(
    view: TournamentView,
    language: Language,
    now: float,
    note: Text | None = None,
    unseen: Mapping[int, Unseen] = MappingProxyType({}),
) -> MessageBuilder:
    """Return what organisers can do with a tournament at `now`. `unseen` has players who cannot see where it is played."""
    row, tokens = view.row, (str(view.row.id),)
    builder = MessageBuilder().text("" if note is None else language(note))
    builder.text(language(say("### Organise “{name}”", name=plain(escape(row.name)))))
    back = button(language(say("Back")), Click("event-show", tokens=tokens).custom_id)
    if not view.is_on:
        return builder.text(language(say("It’s over, so there’s nothing left to organise."))).buttons([back])
    builder.text(language(say("Everything you do here is logged publicly.")))
    if unseen:
        builder.text(language(join([plain("⚠️"), *unseen_players(view, unseen)], " ")))
    builder.buttons(_stage_buttons(view, language, now))
    if row.status is TournamentStatus.CHECK_IN and row.paused_at is None and not view.can_hurry:
        fewest = say("-# At least {n} players must check in before it can start.", n=view.format.fewest)
        builder.text(language(fewest))
    if view.everybody:
        builder.select(_players(view, language, "event-player", say("Remove or replace a player …")))
    if view.event is not None and row.status is TournamentStatus.RUNNING:
        if games := _games(view, language):
            builder.select(games)
        if view.can_pair:
            smallest, largest = view.format.system.smallest, view.format.system.largest
            words = say("Next round: pick who plays whom …") if largest == 2 else say("Next round: pick a table …")
            builder.select(_players(view, language, "event-pair", words, most=largest, least=min(smallest, 1)))
            if row.forced:
                chosen = [join(names_words(view, seats), " – ") for seats in row.forced]
                builder.text(language(say("Picked for the next round: {games}", games=join(chosen, "; "))))
                builder.buttons([_do(view, language, "unpair", say("Clear these picks"))])
    return builder.buttons([back])


def _stage_buttons(view: TournamentView, language: Language, now: float) -> list[Button]:
    """Return the buttons for the whole tournament: to pause or resume it, to move its dates, and to cancel it."""
    found = []
    if view.row.paused_at is not None:
        found.append(_do(view, language, "resume", say("Resume"), discord.ButtonStyle.success))
    elif view.can_hurry and view.row.status is TournamentStatus.OPEN:
        found.append(_do(view, language, "hurry", say("Open check-in now"), discord.ButtonStyle.primary))
    elif view.can_hurry:
        found.append(_do(view, language, "hurry", say("Start now"), discord.ButtonStyle.primary))
    if view.can_prolong(DAY, now):
        found.append(_do(view, language, "prolong", say("One more day for this round")))
    if view.row.paused_at is None:
        found.append(_do(view, language, "pause", say("Pause")))
    return [*found, _do(view, language, "cancel", say("Cancel the event …"), discord.ButtonStyle.danger)]


def _do(
    view: TournamentView, language: Language, what: str, words: Text,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> Button:  # fmt: skip
    return button(language(words), Click("event-do", tokens=(str(view.row.id), what)).custom_id, style)


def player_panel(view: TournamentView, entry: TournamentEntry, language: Language) -> MessageBuilder:
    """Return the panel with what organisers can do with a player."""
    tokens = (str(view.row.id), str(entry.number))
    builder = MessageBuilder().text(language(say("### {name}", name=plain(escape_name(entry.name)))))
    if entry.removed:
        builder.text(language(say("They were removed, and can’t come back by themselves.")))
        builder.buttons([button(language(say("Let them back in")), Click("event-let-back", tokens=tokens).custom_id)])
    elif entry.has_left:
        builder.text(language(say("They’ve left.")))
    else:
        builder.buttons([
            button(language(say("Remove")), Click("event-remove", tokens=tokens).custom_id, discord.ButtonStyle.danger)
        ])  # fmt: skip
    if entry.asked_id is not None:
        builder.text(language(say("Asked to take over: <@{who}>", who=str(entry.asked_id))))
    builder.text(language(say("Or ask somebody to take over from the next game on, with the results so far:")))
    menu: ui.UserSelect[Any] = ui.UserSelect(
        custom_id=Click("event-replace", tokens=tokens).custom_id, placeholder=language(say("Somebody else …"))
    )
    builder.select(menu)
    back = Click("event-manage", tokens=tokens[:1]).custom_id
    return builder.buttons([button(language(say("Back")), back)])


def result_panel(view: TournamentView, place: tuple[int, int], order: Sequence[int], language: Language) -> MessageBuilder:
    """Return the panel for setting a game's result, place by place. `order` has the players placed so far, the best first."""
    assert view.event is not None, "it has games"
    game = view.event.rounds[place[0]].games[place[1]]
    tokens = (str(view.row.id), str(place[0]), str(place[1]), *map(str, order))
    builder = MessageBuilder().text(language(say("### Result: {game}", game=join(names_words(view, game.seats), " – "))))
    if order:
        builder.text(language(say("So far: {order}", order=join(names_words(view, tuple(order)), ", "))))
    buttons = [
        button(language(shown_name(view.name_of(number))), Click("event-result", tokens=(*tokens, str(number))).custom_id)
        for number in game.seats
        if number not in order
    ]
    question = say("Who comes first?") if not order else say("Who comes next?")
    builder.text(language(question)).buttons(buttons)
    ends = [] if order else [button(language(say("A draw")), Click("event-result", tokens=(*tokens, "0")).custom_id)]
    back = Click("event-manage", tokens=tokens[:1]).custom_id
    return builder.buttons([*ends, button(language(say("Back")), back)])


def _players(
    view: TournamentView, language: Language, verb: str, placeholder: Text, *, least: int = 1, most: int = 1
) -> "ui.Select[Any]":
    """Return a menu of players, with those who are still in the tournament first."""
    known = sorted(view.everybody, key=lambda entry: (entry.has_left, entry.number))
    if most > 1:
        known = [entry for entry in known if not entry.has_left]
    options = [
        discord.SelectOption(label=clip(language(shown_name(entry.name)), OPTION_LIMIT), value=str(entry.number))
        for entry in known[:OPTIONS_AT_MOST]
    ]
    return ui.Select(
        custom_id=Click(verb, tokens=(str(view.row.id),)).custom_id, placeholder=language(placeholder), options=options,
        min_values=least, max_values=min(most, len(options)),
    )  # fmt: skip


def _games(view: TournamentView, language: Language) -> "ui.Select[Any] | None":
    """Return a menu of the games whose result can be set, running games first, or None if there are no such games."""
    event = view.event
    assert event is not None, "it has started"
    rounds = range(len(event.rounds)) if event.format.system.at_once else (len(event.rounds) - 1,)
    found: list[tuple[bool, str, RoundGame]] = [
        (game.is_over, f"{number}-{index}", game) for number in rounds for index, game in enumerate(event.rounds[number].games)
    ]
    found.sort(key=lambda one: one[0])
    options = [
        discord.SelectOption(label=clip(" – ".join(map(view.name_of, game.seats)), OPTION_LIMIT), value=value)
        for _, value, game in found[:OPTIONS_AT_MOST]
    ]
    if not options:
        return None
    click = Click("event-game", tokens=(str(view.row.id),)).custom_id
    return ui.Select(custom_id=click, placeholder=language(say("Set the result of a game …")), options=options)


def cancel_question(view: TournamentView, language: Language) -> MessageBuilder:
    """Ask an organiser to confirm that a tournament is cancelled."""
    builder = MessageBuilder().text(language(say("Cancel “{name}” for good? Games already under way continue on their own.",
                                                 name=plain(escape(view.row.name)))))  # fmt: skip
    tokens = (str(view.row.id),)
    yes = Click("event-do", tokens=(*tokens, "cancel-yes")).custom_id
    return builder.buttons([
        button(language(say("Cancel it")), yes, discord.ButtonStyle.danger),
        button(language(say("Keep it")), Click("event-manage", tokens=tokens).custom_id),
    ])  # fmt: skip
