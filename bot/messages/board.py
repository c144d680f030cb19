"""The messages with the board: the public one, and the private ones, which show the same board and offer further actions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final

import discord

from bot.core.clocks.heartbeats import duration
from bot.core.table.deadlines import in_grace
from bot.core.table.history import History
from bot.core.table.players import losses, rated_winners, seats_without_an_action, staying_seats, without_result
from bot.core.table.since import standing
from bot.core.table.snapshot import Snapshot, size, verdict
from bot.i18n.language import Language
from bot.messages.asking import asked_in_turn, game_name, question_sentence, questions, time_left
from bot.messages.builder import TEXT_LIMIT, Button, MessageBuilder, Picture, button, clip
from bot.messages.click import Click
from bot.messages.ladder import on_ladder
from bot.messages.notification import MENTION, SENTENCE, SOON_SEEN, Notification, people
from bot.messages.pictures import Perspective, picture, words_of
from bot.messages.players import MARKS, former_name, marks, names, names_with_levels, plain_names, thinking_text, turn_text
from bot.messages.story import ALONE, ASKED, FOLDED, OWN, PRIVATE, Length, alt_text, headline, numbered, since_own_turn, words
from bot.messages.terms import short_terms
from engines.game import Buttons, Event, Game, Hidden, Shortcut, other_length, part_of
from engines.position_codes import Knower, NoCode, position_code
from engines.text import SEAT_COLOURS, Text, join, plain, say, say_n, seat_name
from renderers import theme
from renderers.banner import with_sign
from storage.schema.records import SeatStatus, Status

COLOURS: Final = tuple(int.from_bytes(bytes(look.colour)) for look in theme.WARM.seats)
"""The colour of each seat, the same as in the pictures."""

SHORTEST: Final = 36
"""The number of characters kept for the latest event on a lock screen, however long the question is."""

LONG: Final = 26 * 3600.0 + 300.0
"""A time, in seconds, that takes more characters to write than most: "26 h 5 min"."""

WHAT_HAPPENED: Final = say("What happened?")
"""The label of the button for the story since the user's own last action. The last line of a folded story names it, too."""

assert len(MARKS) == len(COLOURS) == len(SEAT_COLOURS)


def heading(snapshot: Snapshot, language: Language) -> str:
    """Return the first lines of every message about a table: the game, the table's number, and the players."""
    game = snapshot.playing.game
    who = " · ".join(
        f"{mark} ~~{language(name)}~~" if player.status is SeatStatus.WITHDRAWN else f"{mark} {language(name)}"
        for player, mark, name in zip(
            snapshot.players, marks(snapshot), names_with_levels(snapshot, names(snapshot)), strict=True
        )
    )
    variant = (
        "" if snapshot.table.variant == game.variants[0] else f" · {language(game.variant_titles[snapshot.table.variant])}"
    )
    terms = short_terms(snapshot.table, language)
    house = f" · {terms}" if terms else ""
    return f"**{language(game.title)} #{snapshot.table.id}**{variant}{house}\n{who}"


def story(events: tuple[Event, ...], snapshot: Snapshot, language: Language) -> str:
    """Tell a table's events in at most three lines, for the players who are asked now; see `bot.messages.story`."""
    length = ALONE if snapshot.playing.seats == 1 else FOLDED
    told = news_of(events, snapshot)
    return words(told, language, names(snapshot), marks(snapshot), length, asked_seats(snapshot))


def without_parting(events: tuple[Event, ...], snapshot: Snapshot) -> tuple[Event, ...]:
    """Return the events without the departure that ended the game, if one did, because `ending` tells of it."""
    parting = snapshot.parting
    return events if parting is None else tuple(event for event in events if event is not parting.events[0])


def private_story(events: tuple[Event, ...], snapshot: Snapshot, seat: int, language: Language) -> str:
    """Tell a player a table's events. In a solo game, no other message tells them, so steps are numbered as in the picture."""
    if not snapshot.table.solo:
        return story(events, snapshot, language)
    asked = (
        snapshot.table.status is Status.PLAYING and seat in snapshot.playing.to_act and bool(what_happened(snapshot, language))
    )
    return _with_numbers(events, snapshot, seat, language, ASKED if asked else PRIVATE)


def own_story(events: tuple[Event, ...], snapshot: Snapshot, seat: int, language: Language) -> str:
    """Briefly tell the events of a player's own turn, to stand above the computers' answers in a game that is not posted."""
    return _with_numbers(events, snapshot, seat, language, OWN)


def _with_numbers(events: tuple[Event, ...], snapshot: Snapshot, seat: int, language: Language, length: Length) -> str:
    steps, told = numbered(snapshot.table.game, since_own_turn(snapshot, seat)), news_of(events, snapshot)
    return words(told, language, names(snapshot), marks(snapshot), length, asked_seats(snapshot), steps)


def news_of(events: tuple[Event, ...], snapshot: Snapshot) -> tuple[Event, ...]:
    """Leave out events that were unsettled when the game ended, and public ones that a fuller private version follows."""
    over = snapshot.table.status is not Status.PLAYING
    news = tuple(event for event in events if not (over and event.pending))
    followed = zip_longest(news, news[1:])
    return tuple(event for event, following in followed if following is None or not _tells_more(following, event))


def _tells_more(told: Event, event: Event) -> bool:
    """Whether `told` is the private version of `event`, and so tells more."""
    if told.private_to is None or event.private_to is not None or event.detail is None:
        return False
    return told.seat == event.seat and type(told.detail) is type(event.detail)


def asked_seats(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the seats whose players the board asks to act, even if the table was closed since. Computers are not asked."""
    return tuple(seat for seat in snapshot.playing.to_act if seat not in snapshot.computers)


def board_message(snapshot: Snapshot, language: Language, picture: Picture, since: int, *, live: bool = True) -> MessageBuilder:
    """Return the board message of a game, with its story since the version `since`. Without `live`, it has no buttons."""
    history = snapshot.playing
    over = snapshot.table.status is not Status.PLAYING
    to_act = () if over else history.to_act
    builder = MessageBuilder(colour=COLOURS[to_act[0]] if to_act else None)
    events = standing(history, since)
    alt = alt_text(events, picture.alt, language, snapshot.names, asked_seats(snapshot))
    builder.text(heading(snapshot, language)).picture(replace(picture, alt=alt))
    if live:
        events = without_parting(events, snapshot)
    builder.text(story(events, snapshot, language))
    if not live:
        return builder
    builder.text(ending(snapshot, language) if over else _turn(snapshot, language))
    for row in [after_buttons(snapshot, language)] if over else _buttons(snapshot, language):
        builder.buttons(row)
    return builder


def announce_turn(builder: MessageBuilder, snapshot: Snapshot, language: Language, since: int) -> None:
    """Make a board's message tell the people it pings, on their lock screens, what matters most and what they are asked."""
    seats = asked_seats(snapshot)
    if not snapshot.awaited or not seats:
        return
    who = plain_names(snapshot)
    asked = language(
        say("Your turn in {game}: {question}", game=game_name(snapshot), question=asked_in_turn(snapshot.position, seats)), who
    )
    events = standing(snapshot.playing, since)
    done = headline(events, language, who, seats, max(SHORTEST, SOON_SEEN - len(asked) - 1))
    done = done or language(say("The game begins."))
    awaited = [user_id for seat in seats if (user_id := snapshot.players[seat].user_id) > 0]
    left = time_left(snapshot, language)
    said = clip(f"{done} {asked}", SENTENCE - MENTION - len(left((snapshot.table.deadline or 0.0) - LONG)) - 1)
    builder.notify(Notification(said, left, people(awaited)))


def ending(snapshot: Snapshot, language: Language, own: int | None = None) -> str:
    """Return the result of a game, and the rating changes. `own` is the seat of the reader, if there is only one."""
    lines = [language(snapshot.result(own) or say("**The game is over.**"), names(snapshot))]
    lines += [f"-# {language(text, names(snapshot))}" for text in hints_taken(snapshot)]
    if losses(snapshot) and not without_result(snapshot):
        lines.append(language(_by_rating(snapshot), names(snapshot)))
    changes = [f"{language(who)} {before} → {after} ({with_sign(after - before)})" for who, before, after in _changes(snapshot)]
    if changes:
        lines.append(language(say("-# Ratings: {changes}", changes=" · ".join(changes))))
    lines += [f"-# {language(text, names(snapshot))}" for text in _counts_in_part(snapshot)]
    if snapshot.table.ladder and not without_result(snapshot):
        lines.append(language(on_ladder(snapshot), names(snapshot)))
    if snapshot.table.event_id is not None:
        lines.append(language(say("-# 🏆 Part of event #{n}. `/event show` has the standings.", n=snapshot.table.event_id)))
    return "\n".join(lines)


def _by_rating(snapshot: Snapshot) -> Text:
    """Say how a rated game counts for the ratings if stand-ins have played it to the end."""
    winners = rated_winners(snapshot)
    words = verdict(winners, drawn=not winners and len(staying_seats(snapshot)) > 1)
    gone = join([plain(former_name(loss)) for loss in losses(snapshot).values()], ", ")
    return say("-# For the ratings: {verdict} Left early: {names}.", verdict=words, names=gone)


def _counts_in_part(snapshot: Snapshot) -> list[Text]:
    """Say why a rated game counts less for the ratings than others do, or not at all."""
    share = None if snapshot.table.outcome is None else snapshot.table.outcome.rating_share
    if share is None:
        return []
    if share == 0:
        gone = losses(snapshot)
        who = [
            plain(former_name(gone[seat])) if seat in gone else seat_name(seat) for seat in seats_without_an_action(snapshot)
        ]
        return [say("Ratings unchanged: {who} never made a move.", who=join(who, ", "))]
    return [
        say(
            "Counts {percent}% for the ratings: you’ve played each other a lot in the last 30 days.",
            percent=max(1, round(100 * share)),
        )
    ]


def _changes(snapshot: Snapshot) -> Iterator[tuple[str, int, int]]:
    """Yield each rating change: the name, the rating before, and the rating after."""
    for who, change in zip(names(snapshot), snapshot.rating_changes, strict=True):
        if change is not None:
            yield who, *change
    for loss in losses(snapshot).values():
        if loss.rating_before is not None and loss.rating_after is not None:
            yield former_name(loss), loss.rating_before, loss.rating_after


def _turn(snapshot: Snapshot, language: Language) -> str:
    """Return the questions to the awaited people, as mentions, and the deadline; or a note that computers are thinking."""
    if snapshot.thinking:
        return language(thinking_text(snapshot), names(snapshot))
    seats = [seat for seat in snapshot.playing.to_act if seat not in snapshot.computers]
    called = {seat: plain(f"{marks(snapshot)[seat]} <@{snapshot.players[seat].user_id}>") for seat in seats}
    asked = [
        say("{who}, {question}", who=join([called[seat] for seat in each], ", "), question=question)
        for question, each in questions(snapshot.position, seats)
    ]
    text: Text = join(asked, " ")
    if snapshot.table.clock is not None and snapshot.table.deadline is not None:
        text = say("{turn} Your time’s up {when}.", turn=text, when=f"<t:{int(snapshot.table.deadline)}:R>")
    if snapshot.table.given_back:
        text = join([text, say("I was away for a while: you get {time} back.", time=duration(snapshot.table.given_back))])
    if in_grace(snapshot.table):
        text = join([text, say("Overtime: miss this deadline and you lose.")])
    for user_id, until in snapshot.away:
        away = say("{who} is on vacation until {when}.", who=plain(f"<@{user_id}>"), when=f"<t:{int(until)}:d>")
        text = join([text, away])
    return language(join([text, *offered(snapshot)]), names(snapshot))


def offered(snapshot: Snapshot) -> list[Text]:
    """Say what players have offered to everybody in the game."""
    offers, told = snapshot.table.offers, list[Text]()
    if offers.draw is not None:
        told.append(say("{who} offers a draw. *More* has *Accept the draw*.", who=seat_name(offers.draw.by)))
    if offers.call_off is not None:
        told.append(
            say("{who} would like to call the game off. *More* has *Agree to call off*.", who=seat_name(offers.call_off.by))
        )
    return told


def _buttons(snapshot: Snapshot, language: Language) -> list[list[Button]]:
    history, table = snapshot.playing, snapshot.table
    act = Click("act", table.id, table.version)
    rows: list[list[Button]] = []
    shortcuts = part_of(history.game, Buttons).shortcuts(history.view(None))
    if shortcuts and not snapshot.thinking:
        rows.append(
            [button(language(s.label), act.then(*s.action).custom_id, discord.ButtonStyle.primary) for s in shortcuts[:5]]
        )
    row: list[Button] = []
    if not _all_offered(history, shortcuts):
        row.append(button(language(say("Move")), Click("move", table.id, table.version).custom_id, discord.ButtonStyle.primary))
    if isinstance(history.game, Hidden):
        row.append(button(language(history.game.hand_title), Click("hand", table.id, table.version).custom_id))
    row += what_happened(snapshot, language)
    row.append(more_button(snapshot, language))
    row.append(button(language(say("Watch")), Click("watch", table.id).custom_id))
    return [*rows, row]


def _all_offered(history: History, shortcuts: tuple[Shortcut, ...]) -> bool:
    """Whether the shortcuts cover all legal actions. Always False in games with secrets, which the answer could reveal."""
    if history.game.secret or not shortcuts:
        return False
    offered = {choice.token for seat in history.to_act for choice in history.game.choices(history.state, seat)}
    return offered <= {shortcut.action[0] for shortcut in shortcuts if len(shortcut.action) == 1}


def after_buttons(snapshot: Snapshot, language: Language, *, private: bool = False) -> list[Button]:
    """Return a finished game's buttons, to play again or look back. If `private`, they are below a player's own message."""
    return [
        *rematch_button(snapshot, language),
        *(other_length_button(snapshot, language) if private else []),
        *share_buttons(snapshot, language),
        *replay_button(snapshot, language),
        *review_button(snapshot, language),
        more_button(snapshot, language),
    ]


def rematch_button(snapshot: Snapshot, language: Language) -> list[Button]:
    """Return the *Rematch* button for a finished game, unless there is a rematch already."""
    if snapshot.table.rematch_id is not None:
        return []
    return [button(language(say("Rematch")), Click("rematch", snapshot.table.id).custom_id, discord.ButtonStyle.primary)]


def replay_button(snapshot: Snapshot, language: Language) -> list[Button]:
    """Return the *Replay* button, if the game has something to see again."""
    if not snapshot.playing.worth_replaying:
        return []
    return [button(language(say("Replay")), Click("replay", snapshot.table.id).custom_id)]


def review_button(snapshot: Snapshot, language: Language) -> list[Button]:
    """Return the *Review* button for a finished game in which players had a choice."""
    if not (snapshot.table.is_over and snapshot.playing.has_choices):
        return []
    return [button(language(say("Review")), Click("review", snapshot.table.id, snapshot.table.version).custom_id)]


def other_length_button(snapshot: Snapshot, language: Language) -> list[Button]:
    """Return the button for another solo game against the same computer, with fewer pieces or with all of them again."""
    table, game = snapshot.table, snapshot.playing.game
    other = other_length(game, table.variant)
    levels = [snapshot.players[seat].computer for seat in snapshot.computers]
    if not table.solo or other is None or len(levels) != 1 or levels[0] is None:
        return []
    click = Click("practise", tokens=(table.game, levels[0], other))
    return [button(language(game.variant_titles[other]), click.custom_id)]


def words_button(snapshot: Snapshot, language: Language) -> Button:
    """Return the *Board in words* button."""
    return button(language(say("Board in words")), Click("words", snapshot.table.id, snapshot.table.version).custom_id)


def verify_button(snapshot: Snapshot, language: Language) -> Button:
    """Return the *Verify* button, which leads to the proof of a game: its seed, its dice and its log."""
    return button(language(say("Verify")), Click("verify", snapshot.table.id).custom_id)


def post_button(click: Click, language: Language) -> Button:
    """Return the *Post here* button, with which users post what they are shown privately."""
    return button(language(say("Post here")), click.custom_id, discord.ButtonStyle.primary)


def analyse_button(table_id: int, language: Language, point: int = 0) -> Button:
    """Return the *Analyse* button of a finished game. It opens a board before a turning point, or at the end (0)."""
    return button(language(say("Analyse")), Click("analyse", table_id, page=point).custom_id)


def share_buttons(snapshot: Snapshot, language: Language) -> list[Button]:
    """Return the *Share* button, which leads to the game's card, if the game has a result to share."""
    if not snapshot.worth_sharing:
        return []
    return [button(language(say("Share")), Click("share", snapshot.table.id, snapshot.table.version).custom_id)]


def more_button(snapshot: Snapshot, language: Language) -> Button:
    """Return the *More* button, which leads to the less frequent actions."""
    return button(language(say("More")), Click("more", snapshot.table.id, snapshot.table.version).custom_id)


def what_happened(snapshot: Snapshot, language: Language) -> list[Button]:
    """Return the *What happened?* button, unless the game has only one seat or all events so far (if any) were undone."""
    table, history = snapshot.table, snapshot.playing
    if history.seats == 1 or not any(logged.events and not logged.undone for logged in history.log):
        return []
    return [button(language(WHAT_HAPPENED), Click("happened", table.id, table.version).custom_id)]


# --- private messages about the board -------------------------------------------------------------------------------------


async def private_board_message(snapshot: Snapshot, perspective: Perspective, buttons: Sequence[Button] = ()) -> MessageBuilder:
    """Show a picture of the current board, whose turn it is, and the game's setup, with buttons; see `bot.messages.more`."""
    language = perspective.language
    begun_with = snapshot.playing.view(perspective.seat).begun_with
    builder = MessageBuilder().text(heading(snapshot, language)).picture(await picture(snapshot.position, perspective))
    builder.text(_now(snapshot, perspective))
    return builder.text("" if begun_with is None else f"-# {language(begun_with)}").buttons(buttons)


def _now(snapshot: Snapshot, perspective: Perspective) -> str:
    """Say whose turn it is, or how the game has ended."""
    language, to_act = perspective.language, snapshot.playing.to_act
    if snapshot.table.status is not Status.PLAYING:
        return ending(snapshot, language)
    if perspective.seat is not None and perspective.seat in to_act:
        return question_sentence(snapshot.position, perspective.seat, language)
    marked = [join([mark, name], " ") for mark, name in zip(marks(snapshot), names(snapshot), strict=True)]
    return language(turn_text(snapshot), marked)


def board_in_words(snapshot: Snapshot, seat: int | None, language: Language) -> str:
    """Put into words what a seat (None: a spectator) may know of the board, with the board's code unless cards are hidden."""
    title, perspective, history = heading(snapshot, language), Perspective(seat=seat, language=language), snapshot.playing
    code = "" if history.game.secret else f"\n{code_line(history.game, history.state, 'all', language)}".rstrip()
    room = TEXT_LIMIT - len(title) - len(code) - 1
    return f"{title}\n{words_of(snapshot.position, perspective, history.view(seat), room)}{code}"


def code_line(game: Game[Any, Any], state: Any, knower: Knower, language: Language) -> str:
    """Return the line with a position's code, or nothing if the position has no code."""
    try:
        return language(say("-# Code: `{code}`", code=position_code(game, state, knower)))
    except NoCode:
        return ""


def replies_line(snapshot: Snapshot, seat: int, language: Language) -> str:
    """Say how many replies a seat has planned, for its player alone; say nothing if there are none."""
    count = size(snapshot.plan_of(seat).replies)
    return "-# " + language(say_n("You’ve planned {n} reply.", "You’ve planned {n} replies.", count)) if count else ""


def hints_taken(snapshot: Snapshot) -> tuple[Text, ...]:
    """Return a sentence for each player who has taken hints, which says how many."""
    return tuple(
        say("Hints used by {who}: {n}", who=seat_name(seat), n=player.hints)
        for seat, player in enumerate(snapshot.players)
        if player.hints
    )
