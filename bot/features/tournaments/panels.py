"""The private panels of tournaments: one tournament as a player sees it, and the list of all."""

from collections.abc import Mapping, Sequence
from typing import Final

import discord

from bot.features.tournaments.change import games_of
from bot.features.tournaments.clock import key_hash
from bot.features.tournaments.pictures import standings_picture
from bot.features.tournaments.rules.formats import Knockout
from bot.features.tournaments.rules.pairing.knockout import bracket
from bot.features.tournaments.rules.standings import Part, Standing, course
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.words import (
    HOW_IT_GOES,
    act_words,
    ahead_words,
    format_words,
    game_line,
    game_words,
    luck_words,
    names_words,
    points_words,
    start_words,
    terms_words,
    title_words,
    total_words,
    trouble_words,
)
from bot.i18n.language import Language
from bot.messages.builder import OPTIONS_AT_MOST, Button, MessageBuilder, button, escape, escape_name
from bot.messages.click import Click
from bot.messages.players import ordinal
from bot.messages.rulebook import variant_page
from engines import GAMES
from engines.text import Text, join, plain, say
from storage.schema.kinds import TournamentStatus
from storage.schema.tournament_records import StoredTournament, TournamentEntry

PAGES: Final[Mapping[str, Text]] = {
    "mine": say("My games"), "table": say("Standings"), "rules": say("Rules"), "log": say("Log"),
}  # fmt: skip
"""The pages of a tournament, by the token of their button."""

LINES_AT_MOST: Final = 64
ACTS_SHOWN: Final = 15
"""The most lines that the log shows. `LINES_AT_MOST` is the same for the table."""


async def tournament_panel(
    view: TournamentView, user_id: int, language: Language, *, page: str = "mine", organises: bool = False,
    note: Text | None = None, links: Mapping[int, str] | None = None, high_contrast: bool = False,
) -> MessageBuilder:  # fmt: skip
    """Return one of a tournament's `PAGES`. `note` says what has just happened, and `links` has boards' addresses by table."""
    row, mine = view.row, view.entry_of(user_id)
    builder = MessageBuilder().text("" if note is None else language(note))
    builder.text(language(title_words(row)))
    match page:
        case "table":
            await _add_table(builder, view, language, links or {}, high_contrast=high_contrast)
        case "rules":
            _add_rules(builder, view, language)
        case "log":
            acts = [act_words(view, act) for act in row.acts[-ACTS_SHOWN:]]
            builder.text("\n".join(map(language, acts)))
        case _:
            builder.text("\n".join(map(language, _mine(view, mine, links or {}))))
    tokens = (str(row.id),)
    builder.buttons([
        button(language(words), Click("event-show", tokens=(*tokens, name)).custom_id, disabled=name == page)
        for name, words in PAGES.items()
    ])  # fmt: skip
    return builder.buttons(_own_buttons(view, mine, language, organises=organises))


def _add_rules(builder: MessageBuilder, view: TournamentView, language: Language) -> None:
    """Add everything that applies to a tournament, and a button to the rules of its game."""
    row = view.row
    told = [*terms_words(row)]
    if row.status in {TournamentStatus.OPEN, TournamentStatus.CHECK_IN}:
        told.append(start_words(row))
    told += [*trouble_words(row), _lots(row)]
    told.append(say("-# Event #{n}, organised by {who}", n=row.id, who=plain(escape_name(row.organiser_name))))
    builder.text("\n".join(map(language, told)))
    game = GAMES[row.game]
    rules = Click("rules", page=variant_page(game.id, row.variant, language), tokens=(game.id,))
    builder.buttons([button(language(say("How to play {game}", game=game.title)), rules.custom_id)])


def _own_buttons(
    view: TournamentView, mine: TournamentEntry | None, language: Language, *, organises: bool
) -> Sequence[Button]:
    """Return the buttons for what a person can do: enter, check in, leave, come back, or organise."""
    row, tokens, found = view.row, (str(view.row.id),), list[Button]()
    enter = Click("event-enter", tokens=tokens).custom_id
    if mine is not None and mine.removed:
        mine = None
    elif mine is None and view.can_enter:
        found.append(button(language(say("Enter")), enter, discord.ButtonStyle.success))
    elif mine is not None and row.status is TournamentStatus.CHECK_IN and mine.press is None:
        found.append(button(language(say("Check in")), enter, discord.ButtonStyle.success))
    elif mine is not None and mine.has_left and row.status is TournamentStatus.RUNNING:
        found.append(button(language(say("Come back")), enter, discord.ButtonStyle.success))
    if mine is not None and not mine.has_left and view.is_on:
        found.append(button(language(say("Leave")), Click("event-leave", tokens=tokens).custom_id))
    if organises and view.is_on:
        found.append(button(language(say("Organise …")), Click("event-manage", tokens=tokens).custom_id))
    return found


def _lots(row: StoredTournament) -> Text:
    if row.status is TournamentStatus.FINISHED:
        return say(
            "-# Random draw: the key was `{key}` (hash `{hash}`), mixed with everybody’s check-in click.",
            key=row.key.hex(),
            hash=key_hash(row),
        )
    return say(
        "-# Random draw: its key is already fixed (hash `{hash}`), and everybody’s check-in click is mixed in.",
        hash=key_hash(row),
    )


TAKEN_OUT: Final = say("The organisers have removed you. Only they can let you back in.")


def _mine(view: TournamentView, mine: TournamentEntry | None, links: Mapping[int, str]) -> list[Text]:
    """Return what a person has to do, their games, and where they stand."""
    row, event = view.row, view.event
    if mine is None or event is None or mine.number not in event.players:
        return [_before_playing(row, mine)]
    told = []
    if mine.has_left:
        left = say("You’ve left this event.")
        if row.status is TournamentStatus.RUNNING:
            left = say("You’ve left this event. You can come back, and you’ll be paired again from the next round on.")
        told.append(TAKEN_OUT if mine.removed else left)
    told += [text for line in view.standings if line.player == mine.number for text in _where(view, line)]
    if mine.lapses == 1 and row.status is TournamentStatus.RUNNING:
        told.append(say("⚠️ You’ve missed a deadline. Miss another, and the event goes on without you."))
    told += _own_rounds(view, mine.number, links)
    return told


def _before_playing(row: StoredTournament, mine: TournamentEntry | None) -> Text:
    """Tell somebody who is not playing in a tournament, or not yet, what they can do next."""
    waiting, starts = row.status in {TournamentStatus.OPEN, TournamentStatus.CHECK_IN}, str(int(row.starts_at))
    if mine is None:
        return say("You haven’t entered. It starts <t:{at}:F>.", at=starts) if waiting else say("You’re not in this event.")
    if mine.removed:
        return TAKEN_OUT
    if row.status is TournamentStatus.OPEN:
        return say(
            "✅ You’re in! Check-in opens <t:{at}:f>. If you don’t check in, the event starts without you.",
            at=str(int(row.check_in_at)),
        )
    if row.status is TournamentStatus.CHECK_IN and mine.press is None:
        return say("**Check in now**, or the event starts without you <t:{at}:R>.", at=starts)
    if row.status is TournamentStatus.CHECK_IN:
        return say("✅ You’ve checked in. It starts <t:{at}:R>.", at=starts)
    return say("You didn’t check in, so the event started without you.")


def _where(view: TournamentView, line: Standing) -> list[Text]:
    event = view.event
    assert event is not None, "it has started"
    if isinstance(event.format.system, Knockout):
        matches = bracket(event.players, event.rounds, event.key, event.format.system.rules)
        if any(match.loser == line.player for each in matches for match in each):
            return [say("You’re out: **{place} place** of {n}.", place=ordinal(line.place), n=len(event.players))]
        if view.row.status is TournamentStatus.RUNNING:
            return [say("You’re still in it.")]
        return [say("You’ve won: **{place} place** of {n}!", place=ordinal(line.place), n=len(event.players))]

    def name(number: int) -> str:
        return escape_name(view.name_of(number))

    if not any(other.points for other in view.standings):
        return []  # nobody is ahead of anybody yet
    known = {"place": ordinal(line.place), "n": len(event.players), "points": total_words(line.points)}
    where = say("You’re in **{place} place** of {n}, with **{points}**.", **known)
    return [where, *(join([plain("-#"), one], " ") for one in ahead_words(view, name=name, of=line.player))]


def _own_rounds(view: TournamentView, number: int, links: Mapping[int, str]) -> list[Text]:
    """Return a player's games round by round, with the running games first."""
    event, row = view.event, view.row
    assert event is not None, "it has started"
    on: list[Text] = []
    over: list[Text] = []
    for index, (each, stored) in enumerate(zip(event.rounds, row.rounds, strict=True)):
        for game, one in zip(each.games, stored.games, strict=True):
            if number in game.seats:
                text = game_line(view, game.seats, one.table_id, game, link=links.get(one.table_id or 0))
                if game.is_over:
                    over.append(text if event.format.system.at_once else say("Round {n}: {game}", n=index + 1, game=text))
                elif one.table_id is None:
                    on.append(say("⏳ {game}: starts when one of your games is over", game=text))
                else:
                    on.append(join([plain("▶️"), text], " "))
        parts = {part.part for part in course(event, number)[index]}
        if Part.BYE in parts:
            over.append(say("Round {n}: bye", n=index + 1))
    return [*on, *over]


async def _add_table(
    builder: MessageBuilder, view: TournamentView, language: Language, links: Mapping[int, str], *, high_contrast: bool
) -> None:
    """Add a tournament's table, as a picture and in words, and its running games."""
    if view.event is None:
        names = join(names_words(view, tuple(entry.number for entry in view.entries)), ", ")
        builder.text(language(say("Entered: {names}", names=names) if view.entries else say("Nobody has entered yet.")))
        return
    builder.picture(await standings_picture(view, language, high_contrast=high_contrast))
    builder.text("\n".join(language(line) for line in table_lines(view)[:LINES_AT_MOST]))
    why = ahead_words(view, name=lambda number: escape_name(view.name_of(number)))
    if why:
        builder.text("\n".join(f"-# {language(one)}" for one in why[:LINES_AT_MOST]))
    tables = {game.table_id: game for game in games_of(view.row).values() if game.table_id is not None}
    on = [join([plain("▶️"), game_line(view, tables[one].seats, one, None, link=where)], " ") for one, where in links.items()]
    builder.text("\n".join(map(language, on)))


def table_lines(view: TournamentView) -> list[Text]:
    """Return a tournament's table in words, one line for each player."""
    active = set(() if view.event is None else view.event.active)
    lines = []
    for line in view.standings:
        name, points = plain(escape_name(view.name_of(line.player))), points_words(line.points)
        text = say("**{place}** {name}: {points}", place=line.place, name=name, points=points)
        if view.has_left_server(line.player):
            text = say("{line} (no longer on this server)", line=text)
        elif line.player not in active:
            text = say("{line} (left)", line=text)
        lines.append(text)
    return lines


# --- lists and the confirmation -------------------------------------------------------------------------------------------


def list_panel(events: Sequence[StoredTournament], over: Sequence[StoredTournament], language: Language) -> MessageBuilder:
    """Return a message with a server's current tournaments and the latest finished ones."""
    builder = MessageBuilder().text(language(say("### 🏆 Events")))
    if not events and not over:
        return builder.text(language(say("There’s no event here yet. `/event create` opens one.")))
    for event in events[:OPTIONS_AT_MOST]:
        builder.text_with_button(language(_list_line(event)), _show_button(event, language))
    if over:
        builder.text(language(say("**Over**")))
        for event in over[:3]:
            builder.text_with_button(language(_list_line(event)), _show_button(event, language))
    return builder


def _list_line(event: StoredTournament) -> Text:
    name, what = plain(escape(event.name)), join([game_words(event), format_words(event)], " · ")
    match event.status:
        case TournamentStatus.OPEN | TournamentStatus.CHECK_IN:
            return say("**{name}**\n{what} · starts <t:{at}:R>", name=name, what=what, at=str(int(event.starts_at)))
        case TournamentStatus.RUNNING:
            return say("**{name}**\n{what} · under way", name=name, what=what)
    return say("**{name}**\n{what} · over", name=name, what=what)


def _show_button(event: StoredTournament, language: Language) -> Button:
    return button(language(say("Details")), Click("event-show", tokens=(str(event.id),)).custom_id)


def confirmation(view: TournamentView, language: Language) -> MessageBuilder:
    """Tell an organiser that their tournament is open, and where its message will appear."""
    row, tokens = view.row, (str(view.row.id),)
    told = [
        say("### 🏆 “{name}” is open", name=plain(escape(row.name))), game_words(row), *luck_words(row),
        HOW_IT_GOES.get(row.format, plain("")), say("I’m posting it in <#{where}>.", where=str(row.channel_id)),
        start_words(row),
    ]  # fmt: skip
    builder = MessageBuilder().text("\n".join(map(language, told)))
    return builder.buttons([
        button(language(say("Organise …")), Click("event-manage", tokens=tokens).custom_id),
        button(language(say("Rules")), Click("event-show", tokens=(*tokens, "rules")).custom_id),
        button(language(say("Cancel the event …")), Click("event-do", tokens=(*tokens, "cancel")).custom_id),
    ])  # fmt: skip


def leave_question(view: TournamentView, language: Language) -> MessageBuilder:
    """Ask a player to confirm that they want to leave a running tournament."""
    left = say("If you leave “{name}” now, you lose the games you’re still playing in it. You can come back for later rounds.",
               name=plain(escape(view.row.name)))  # fmt: skip
    tokens = (str(view.row.id),)
    return MessageBuilder().text(language(left)).buttons([
        button(language(say("Leave")), Click("event-leave-yes", tokens=tokens).custom_id, discord.ButtonStyle.danger),
        button(language(say("Stay")), Click("event-show", tokens=tokens).custom_id),
    ])  # fmt: skip
