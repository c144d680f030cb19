"""The private panels of events: what a player sees of one, and what its organisers can do."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.i18n.language import Language
from bot.messages.builder import OPTION_LIMIT, OPTIONS_AT_MOST, Button, MessageBuilder, button, clip, escape
from bot.messages.click import Click
from bot.messages.events.pictures import standings_picture
from bot.messages.events.words import (
    HOW_IT_GOES,
    act_words,
    format_words,
    game_line,
    game_words,
    names_words,
    points_words,
    terms_words,
    trouble_words,
)
from bot.sessions.competitions.event_rounds import key_hash
from bot.sessions.competitions.event_view import EventView
from competitions.formats import Knockout
from competitions.pairing.knockout import bracket
from competitions.rounds import Game
from competitions.standings import Part, Standing, course
from engines.text import Text, join, plain, say
from storage.schema.event_records import EventEntry, StoredEvent
from storage.schema.kinds import EventStatus

PAGES: Final[Mapping[str, Text]] = {
    "mine": say("Mine"),
    "table": say("Table"),
    "rules": say("How it goes"),
    "log": say("Log"),
}
"""What can be seen of an event, by the token of the button."""

LINES_AT_MOST: Final = 64
ACTS_SHOWN: Final = 15
"""The most lines of the table, and of the log."""


async def event_panel(
    view: EventView, user_id: int, language: Language, *, page: str = "mine", organises: bool = False, note: Text | None = None,
    links: Mapping[int, str] | None = None, high_contrast: bool = False,
) -> MessageBuilder:  # fmt: skip
    """An event as a person sees it.

    Args:
        view: the event.
        user_id: the person.
        language: their language.
        page: one of `PAGES`.
        organises: whether they may do what organisers do.
        note: what has just happened, above all else.
        links: links to the boards of tables, by their numbers.
        high_contrast: whether the picture has the high-contrast palette.
    """
    row, mine = view.row, view.entry_of(user_id)
    builder = MessageBuilder().text("" if note is None else language(note))
    builder.text(language(say("### 🏆 {name}", name=plain(escape(row.name)))))
    match page:
        case "table":
            await _add_table(builder, view, language, high_contrast=high_contrast)
        case "rules":
            lines = [terms_words(row), HOW_IT_GOES.get(row.format, plain("")), *trouble_words(row), _lots(row)]
            builder.text("\n".join(language(line) for line in lines))
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


def _own_buttons(view: EventView, mine: EventEntry | None, language: Language, *, organises: bool) -> Sequence[Button]:
    """What a person can do: enter, check in, leave, come back, organise."""
    row, tokens, found = view.row, (str(view.row.id),), list[Button]()
    on = row.status in {EventStatus.OPEN, EventStatus.CHECK_IN, EventStatus.RUNNING}
    enter = Click("event-enter", tokens=tokens).custom_id
    if mine is None and view.can_enter:
        found.append(button(language(say("Enter")), enter, discord.ButtonStyle.success))
    elif mine is not None and row.status is EventStatus.CHECK_IN and mine.press is None:
        found.append(button(language(say("I’m in: check in")), enter, discord.ButtonStyle.success))
    elif mine is not None and mine.has_left and row.status is EventStatus.RUNNING:
        found.append(button(language(say("Come back")), enter, discord.ButtonStyle.success))
    if mine is not None and not mine.has_left and on:
        found.append(button(language(say("Leave")), Click("event-leave", tokens=tokens).custom_id))
    if organises and on:
        found.append(button(language(say("Organise …")), Click("event-manage", tokens=tokens).custom_id))
    return found


def _lots(row: StoredEvent) -> Text:
    if row.status is EventStatus.FINISHED:
        return say("-# Lots: their key was `{key}`, mixed with the presses by which players checked in. The hash of the key "
                      "was `{hash}`.", key=row.key.hex(), hash=key_hash(row))  # fmt: skip
    return say(
        "-# Lots: the hash of their key is `{hash}`. At check-in, what everybody presses is mixed in.", hash=key_hash(row)
    )


def _mine(view: EventView, mine: EventEntry | None, links: Mapping[int, str]) -> list[Text]:
    """What is awaited of a person, their games, and where they stand."""
    row, event = view.row, view.event
    if mine is None:
        told = [terms_words(row)]
        if row.status in {EventStatus.OPEN, EventStatus.CHECK_IN}:
            told.append(say("You haven’t entered. It starts <t:{at}:F>.", at=str(int(row.starts_at))))
        else:
            told.append(say("You’re not in this event."))
        return told
    if row.status is EventStatus.OPEN:
        return [
            say("✅ You’re in. Check in from <t:{at}:f> on, or the event starts without you.", at=str(int(row.check_in_at)))
        ]
    if row.status is EventStatus.CHECK_IN:
        if mine.press is None:
            return [say("**Check in now**, or the event starts without you <t:{at}:R>.", at=str(int(row.starts_at)))]
        return [say("✅ You’ve checked in. It starts <t:{at}:R>.", at=str(int(row.starts_at)))]
    if event is None or mine.number not in event.players:
        return [say("You hadn’t checked in, so the event started without you.")]
    told = []
    if mine.has_left:
        told.append(say("You’ve left this event.") if row.status is not EventStatus.RUNNING else
                    say("You’ve left this event. You can come back, and are paired again from the next round on."))  # fmt: skip
    told += [text for line in view.standings if line.player == mine.number for text in _where(view, line)]
    if mine.lapses == 1 and row.status is EventStatus.RUNNING:
        told.append(say("⚠️ You’ve missed one deadline. After another one, the event goes on without you."))
    told += _own_rounds(view, mine.number, links)
    return told


def _where(view: EventView, line: Standing) -> list[Text]:
    """Where a player stands."""
    event = view.event
    assert event is not None, "it has started"
    if isinstance(event.format.system, Knockout):
        matches = bracket(event.players, event.rounds, event.key, event.format.system.rules)
        if any(match.loser == line.player for each in matches for match in each):
            return [say("You’re out, in place **{place}** of {n}.", place=line.place, n=len(event.players))]
        return [] if view.row.status is not EventStatus.RUNNING else [say("You’re still in it.")]
    points = say("{points} points", points=points_words(line.points)) if line.points != 1 else say("1 point")
    return [
        say("You’re in place **{place}** of {n}, with **{points}**.", place=line.place, n=len(event.players), points=points)
    ]


def _own_rounds(view: EventView, number: int, links: Mapping[int, str]) -> list[Text]:
    """The games of a player, round by round, those that are on first."""
    event, row = view.event, view.row
    assert event is not None, "it has started"
    on: list[Text] = []
    over: list[Text] = []
    for index, (each, stored) in enumerate(zip(event.rounds, row.rounds, strict=True)):
        for game, one in zip(each.games, stored.games, strict=True):
            if number in game.seats:
                text = game_line(view, game.seats, one.table_id, game)
                if game.is_over:
                    over.append(text if event.format.system.at_once else say("Round {n}: {game}", n=index + 1, game=text))
                elif one.table_id is None:
                    on.append(say("⏳ {game}: begins when one of your games is over", game=text))
                else:
                    on.append(say("▶️ {game} {link}", game=text, link=plain(links.get(one.table_id, ""))))
        parts = {part.part for part in course(event, number)[index]}
        if Part.BYE in parts:
            over.append(say("Round {n}: bye", n=index + 1))
    return [*on, *over]


async def _add_table(builder: MessageBuilder, view: EventView, language: Language, *, high_contrast: bool) -> None:
    """Add the table of an event: as a picture, and in words."""
    if view.event is None:
        names = join([plain(escape(entry.name)) for entry in view.entries], ", ")
        builder.text(language(say("Entered: {names}", names=names) if view.entries else say("Nobody has entered yet.")))
        return
    builder.picture(await standings_picture(view, language, high_contrast=high_contrast))
    builder.text("\n".join(language(line) for line in table_lines(view)[:LINES_AT_MOST]))


def table_lines(view: EventView) -> list[Text]:
    """The table of an event in words, a line for each player."""
    active = set(() if view.event is None else view.event.active)
    lines = []
    for line in view.standings:
        name, points = plain(escape(view.name_of(line.player))), points_words(line.points)
        text = say("**{place}** {name}: {points}", place=line.place, name=name, points=points)
        lines.append(text if line.player in active else say("{line} (left)", line=text))
    return lines


# --- organising -----------------------------------------------------------------------------------------------------------


def manage_panel(view: EventView, language: Language, note: Text | None = None) -> MessageBuilder:
    """What organisers can do with an event."""
    row, tokens = view.row, (str(view.row.id),)
    builder = MessageBuilder().text("" if note is None else language(note))
    builder.text(language(say("### Organise “{name}”", name=plain(escape(row.name)))))
    builder.text(language(say("Whatever you do here stands in the event’s log, which everybody can read.")))

    def do(what: str, words: Text, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> Button:
        return button(language(words), Click("event-do", tokens=(*tokens, what)).custom_id, style)

    found = [
        do("resume", say("Go on"), discord.ButtonStyle.success) if row.paused_at is not None else do("pause", say("Pause"))
    ]
    if row.status is EventStatus.OPEN:
        found.append(do("hurry", say("Begin check-in now")))
    elif row.status is EventStatus.CHECK_IN:
        found.append(do("hurry", say("Start now")))
    elif row.ends_at is not None:
        found.append(do("prolong", say("One day more for this round")))
    found.append(do("cancel", say("Cancel the event …"), discord.ButtonStyle.danger))
    builder.buttons(found)
    if view.entries:
        builder.select(_players(view, language, "event-player", say("A player: take out or replace …")))
    if view.event is not None and row.status is EventStatus.RUNNING:
        if games := _games(view, language):
            builder.select(games)
        if view.format.system.by_hand:
            smallest, largest = view.format.system.smallest, view.format.system.largest
            words = say("Next round: pick who plays whom …") if largest == 2 else say("Next round: pick a table …")
            builder.select(_players(view, language, "event-pair", words, most=largest, least=min(smallest, 1)))
            if row.forced:
                chosen = [join(names_words(view, seats), " – ") for seats in row.forced]
                builder.text(language(say("Picked for the next round: {games}", games=join(chosen, "; "))))
                builder.buttons([do("unpair", say("Drop these picks"))])
    back = Click("event-show", tokens=tokens).custom_id
    return builder.buttons([button(language(say("Back")), back)])


def player_panel(view: EventView, entry: EventEntry, language: Language) -> MessageBuilder:
    """What organisers can do with a player."""
    tokens = (str(view.row.id), str(entry.number))
    builder = MessageBuilder().text(language(say("### {name}", name=plain(escape(entry.name)))))
    if entry.has_left:
        builder.text(language(say("They have left.")))
    else:
        builder.buttons([
            button(language(say("Take out")), Click("event-remove", tokens=tokens).custom_id, discord.ButtonStyle.danger)
        ])  # fmt: skip
    builder.text(language(say("Or pick somebody who plays on in their place, with their results, from the next game on:")))
    menu: ui.UserSelect[Any] = ui.UserSelect(
        custom_id=Click("event-replace", tokens=tokens).custom_id, placeholder=language(say("Somebody else …"))
    )
    builder.select(menu)
    back = Click("event-manage", tokens=tokens[:1]).custom_id
    return builder.buttons([button(language(say("Back")), back)])


def result_panel(view: EventView, place: tuple[int, int], order: Sequence[int], language: Language) -> MessageBuilder:
    """The panel in which organisers set the result of a game, place after place.

    Args:
        view: the event.
        place: the numbers of the round and of the game in it.
        order: the players who have their places already, the first one first.
        language: the language of who organises.
    """
    assert view.event is not None, "it has games"
    game = view.event.rounds[place[0]].games[place[1]]
    tokens = (str(view.row.id), str(place[0]), str(place[1]), *map(str, order))
    builder = MessageBuilder().text(language(say("### The result of {game}", game=join(names_words(view, game.seats), " – "))))
    if order:
        builder.text(language(say("So far: {order}", order=join(names_words(view, tuple(order)), ", "))))
    buttons = [
        button(view.name_of(number), Click("event-result", tokens=(*tokens, str(number))).custom_id)
        for number in game.seats
        if number not in order
    ]
    question = say("Who comes first?") if not order else say("Who comes next?")
    builder.text(language(question)).buttons(buttons)
    ends = [] if order else [button(language(say("A draw")), Click("event-result", tokens=(*tokens, "0")).custom_id)]
    back = Click("event-manage", tokens=tokens[:1]).custom_id
    return builder.buttons([*ends, button(language(say("Back")), back)])


def _players(
    view: EventView, language: Language, verb: str, placeholder: Text, *, least: int = 1, most: int = 1
) -> "ui.Select[Any]":
    """A menu of players, those who are in the event first."""
    known = sorted(view.entries, key=lambda entry: (entry.has_left, entry.number))
    if most > 1:
        known = [entry for entry in known if not entry.has_left]
    options = [
        discord.SelectOption(label=clip(entry.name, OPTION_LIMIT), value=str(entry.number)) for entry in known[:OPTIONS_AT_MOST]
    ]
    return ui.Select(
        custom_id=Click(verb, tokens=(str(view.row.id),)).custom_id, placeholder=language(placeholder), options=options,
        min_values=least, max_values=min(most, len(options)),
    )  # fmt: skip


def _games(view: EventView, language: Language) -> "ui.Select[Any] | None":
    """A menu of the games whose result can be set, those that go on first; None without any."""
    event = view.event
    assert event is not None, "it has started"
    rounds = range(len(event.rounds)) if event.format.system.at_once else (len(event.rounds) - 1,)
    found: list[tuple[bool, str, Game]] = [
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
    return ui.Select(custom_id=click, placeholder=language(say("A game: set its result …")), options=options)


# --- lists and the confirmation -------------------------------------------------------------------------------------------


def list_panel(events: Sequence[StoredEvent], over: Sequence[StoredEvent], language: Language) -> MessageBuilder:
    """The events of a server that are on, and the last ones that are over."""
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


def _list_line(event: StoredEvent) -> Text:
    name, what = plain(escape(event.name)), join([game_words(event), format_words(event)], " · ")
    match event.status:
        case EventStatus.OPEN | EventStatus.CHECK_IN:
            return say("**{name}**\n{what} · starts <t:{at}:R>", name=name, what=what, at=str(int(event.starts_at)))
        case EventStatus.RUNNING:
            return say("**{name}**\n{what} · on", name=name, what=what)
    return say("**{name}**\n{what} · over", name=name, what=what)


def _show_button(event: StoredEvent, language: Language) -> Button:
    return button(language(say("Details")), Click("event-show", tokens=(str(event.id),)).custom_id)


def confirmation(view: EventView, language: Language) -> MessageBuilder:
    """Tell an organiser that their event is open, and what happens in trouble."""
    row = view.row
    builder = MessageBuilder().text(language(say("### 🏆 “{name}” is open", name=plain(escape(row.name)))))
    told = [terms_words(row), HOW_IT_GOES.get(row.format, plain("")),
            say("Its message comes to <#{where}>. It starts <t:{at}:F>.", where=str(row.channel_id),
                at=str(int(row.starts_at))),
            *trouble_words(row)]  # fmt: skip
    builder.text("\n".join(map(language, told)))
    tokens = (str(row.id),)
    return builder.buttons([
        button(language(say("Organise …")), Click("event-manage", tokens=tokens).custom_id),
        button(language(say("Cancel the event …")), Click("event-do", tokens=(*tokens, "cancel")).custom_id),
    ])  # fmt: skip


def cancel_question(view: EventView, language: Language) -> MessageBuilder:
    """Ask an organiser whether an event is really to be cancelled."""
    builder = MessageBuilder().text(language(say("Cancel “{name}” for good? Games that have begun go on for themselves.",
                                                 name=plain(escape(view.row.name)))))  # fmt: skip
    tokens = (str(view.row.id),)
    yes = Click("event-do", tokens=(*tokens, "cancel-yes")).custom_id
    return builder.buttons([
        button(language(say("Cancel it")), yes, discord.ButtonStyle.danger),
        button(language(say("Keep it")), Click("event-manage", tokens=tokens).custom_id),
    ])  # fmt: skip


def leave_question(view: EventView, language: Language) -> MessageBuilder:
    """Ask a player whether they really want to leave a running event."""
    left = say("If you leave “{name}” now, you lose your games in it that are on. You can come back for later rounds.",
               name=plain(escape(view.row.name)))  # fmt: skip
    tokens = (str(view.row.id),)
    return MessageBuilder().text(language(left)).buttons([
        button(language(say("Leave")), Click("event-leave-yes", tokens=tokens).custom_id, discord.ButtonStyle.danger),
        button(language(say("Stay")), Click("event-show", tokens=tokens).custom_id),
    ])  # fmt: skip
