"""The lobby message, the first message of a table. People join and leave with it, and it commits the bot to the dice."""

from typing import Final

import discord

from bot.core.clocks.heartbeats import duration
from bot.core.contributions import WORD_LIMIT, draws
from bot.core.lobby import starter
from bot.core.table.errors import Refused, TermsChanged
from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark
from bot.i18n.language import Language
from bot.messages.asking import MINUTE, game_name
from bot.messages.board import COLOURS
from bot.messages.builder import Button, MessageBuilder, Picture, button, escape_name, fitting, plain_name, shown_name
from bot.messages.click import MARKS_FROM, Click
from bot.messages.form import Form, TextField
from bot.messages.marks import marks_of
from bot.messages.notification import Notification, people
from bot.messages.pictures import CACHE, picture_or_words
from bot.messages.players import marks, names, names_with_levels
from bot.messages.rulebook import variant_page
from bot.messages.terms import HOUSE_RULES, chosen_terms, has_house_rules, own_options, strict_term
from bot.workers.drawing import drawing
from engines import GAMES
from engines.chance import seed_hash
from engines.game import start_view
from engines.text import Text, join, plain, say, say_n
from renderers.poster import Poster, draw_poster
from storage.schema.records import SeatStatus, Status, Table

WORD: Final = "word"
"""The custom_id of the field for a word to be mixed into the dice."""

CLOCK_WORDS = {
    0: say("no clock"),
    3600: say("1 hour a turn"), 28800: say("8 hours a turn"), 86400: say("1 day a turn"),
          259200: say("3 days a turn"), 604800: say("7 days a turn")}  # fmt: skip

_ONLY_INVITED: Final = say("Only invited people can play or watch.")

WITH: Final = 30
"""The most characters that the names of matched people take on a lock screen."""

A_DAY: Final = 24 * 60
"""The number of minutes in a day."""

DAYS_ALONE: Final = 3
"""If more days than this remain, the hours are left out."""

DIGITS: Final = 16
"""How many digits of a hash the lobby message shows. They prove little alone, so until the start it also has the whole hash."""


def is_lobby_of(message: discord.Message, table_id: int) -> bool:
    """Whether a message is a table's lobby message, in any state."""
    return _mark(table_id) in marks_of(message)


def names_people(table: Table) -> bool:
    """Whether a table's lobby message names its players. The message of a private table does so only in the table's thread."""
    return not table.private or table.channel_id == table.thread_id


def _mark(table_id: int) -> int:
    """Return the mark of a table's lobby message, made from the table's number."""
    return MARKS_FROM | (table_id & (MARKS_FROM - 1))


async def lobby_message(snapshot: Snapshot, language: Language, *, inside: bool = False) -> MessageBuilder:
    """Return the lobby message: a poster, the players and the invited people, and buttons to join, leave, read and watch.

    The message of a tournament's game only names the players. In games of chance, it shows the first digits of the seed's hash,
    and until the start the poster's description has the whole hash. A private table's players and terms are told only `inside`,
    where nobody else can read them.
    """
    table = snapshot.table
    game = GAMES[table.game]
    waiting, open_to_readers = table.status is Status.OPEN, inside or names_people(table)
    builder = MessageBuilder(colour=COLOURS[0] if waiting else None, mark=_mark(table.id))
    if table.event_id is not None:
        _add_event_game(builder, snapshot, language)
        return builder
    builder.text(f"### {language(game.title)} #{table.id}\n{language(game.summary)}")
    if waiting:
        builder.picture(await _poster(table, language, told=open_to_readers))
    if not open_to_readers:
        builder.text(language(_ONLY_INVITED))
    else:
        add_terms_and_people(builder, snapshot, language)
    match table.status:
        case Status.OPEN:
            _add_fair_dice(builder, table, language)
            return builder.buttons(_buttons(snapshot, language, watched=open_to_readers))
        case Status.CLOSED if table.matched:
            builder.text(
                language(say("Not everybody could make it. If you were up for it, you keep your place and I keep looking."))
            )
        case Status.CLOSED:
            builder.text(language(say("This table is closed.")))
        case _:
            builder.text(language(say("The game has begun.")))
    _add_fair_dice(builder, table, language)
    return builder


def _add_event_game(builder: MessageBuilder, snapshot: Snapshot, language: Language) -> None:
    """Add who plays a tournament's game. Nobody waits in the lobby of such a game, and its terms are the tournament's."""
    who = [join([mark, name], " ") for mark, name in zip(marks(snapshot), names(snapshot), strict=True)]
    builder.text(language(join(who, " – ")))
    game, number = language(GAMES[snapshot.table.game].title), snapshot.table.event_id
    builder.text(language(say("-# 🏆 {game} #{id}, part of event #{n}", game=game, id=snapshot.table.id, n=number)))
    _add_fair_dice(builder, snapshot.table, language)


def _add_fair_dice(builder: MessageBuilder, table: Table, language: Language) -> None:
    """Add the first digits of the hash behind the dice, with a button that shows and explains the whole hash."""
    if (committed := committed_hash(table)) is not None:
        fair = button(language(say("How?")), Click("fair", table.id, terms_mark(table)).custom_id)
        line = say("-# Fair dice: `{hash}`", hash=f"{committed[:DIGITS]}…")
        builder.text_with_button(language(line), fair)


def asks_threads(snapshot: Snapshot) -> bool:
    """Whether this table's opener is to be asked if tables get threads. Only one person on each server is asked."""
    return snapshot.server is not None and snapshot.server_settings.threads_asked == snapshot.table.id


def threads_question(table_id: int, language: Language) -> MessageBuilder:
    """Ask a server manager who has opened this table whether tables get threads."""
    asked = say("You manage this server: should each game get its own thread? `/server-settings` changes it any time.")
    use = button(language(say("Use threads")), Click("use-threads", table_id).custom_id)
    return MessageBuilder().text(language(asked)).buttons([use])


def add_terms_and_people(builder: MessageBuilder, snapshot: Snapshot, language: Language) -> None:
    """Add a table's terms and players to a message whose readers may know both."""
    builder.text(language(join(_terms(snapshot), " · ")))
    if snapshot.table.private:
        builder.text(language(_ONLY_INVITED))
    builder.text(language(join(_people(snapshot))))


def opener_name(snapshot: Snapshot) -> str:
    """Return the name of the person who opened a table."""
    found = (person for person in snapshot.people if person.user_id == snapshot.table.opened_by)
    return shown_name(next(found, snapshot.people[0]).name)


def invitation_notification(snapshot: Snapshot, language: Language) -> Notification:
    """Tell invited people, on their lock screens, who asks, what is played, and how long they have to answer."""
    table, game = snapshot.table, game_name(snapshot)
    clock = CLOCK_WORDS.get(table.clock or 0, say("another clock"))
    opener = plain(plain_name(opener_name(snapshot)))
    if table.matched:
        shown, more = fitting([language(plain_name(shown_name(person.name))) for person in snapshot.people], WITH)
        who = say_n("{names} and {n} more", "{names} and {n} more", more, names=shown) if more else plain(shown)
        said = say("I’ve found you a game: {game}, {clock}, with {who}. Are you in?", game=game, clock=clock, who=who)
    elif table.ladder:
        said = say(
            "{opener} challenges you on the ladder: {game}, {clock}. Do you accept?", opener=opener, game=game, clock=clock
        )
    else:
        said = say("{opener} invites you to {game}, {clock}. Are you in?", opener=opener, game=game, clock=clock)

    def left(now: float) -> str:
        if table.deadline is None:
            return ""
        seconds = max(MINUTE, table.deadline - now)
        if (days := round(seconds / MINUTE) // A_DAY) > DAYS_ALONE:
            return language(say_n("You have {n} day to answer.", "You have {n} days to answer.", days))
        return language(say("You have {time} to answer.", time=duration(seconds)))

    return Notification(language(said), left, people(person.user_id for person in snapshot.invited))


async def invitation_poster(table: Table, language: Language) -> Picture | None:
    """Return the poster for an invitation in a private table's thread, since the lobby message does not show the board."""
    return None if names_people(table) else await _poster(table, language, told=True)


async def _poster(table: Table, language: Language, *, told: bool) -> Picture:
    """Return a table's poster. If `told` is false, it shows only the game, and nothing about the table."""
    game = GAMES[table.game]
    variant, seats = (table.variant, table.wanted) if told else (game.variants[0], game.seats[-1])
    options = own_options(table) if told else {}
    lines: list[str] = []
    if told:
        lines.append(say_n("for one player", "{n} players", seats))
        lines.append(CLOCK_WORDS.get(table.clock or 0, say("another clock")))
        if len(game.variants) > 1:
            lines.append(game.variant_titles[variant])
    words = tuple(language(line) for line in lines)
    wanted = ("poster", game, variant, seats, tuple(options.items()), words, language)

    async def drawn() -> bytes:
        poster = Poster(language(game.title), words, seats if words else 0)
        return await drawing(draw_poster, game.id, start_view(game, variant, seats, options), poster, language)

    content = await CACHE.picture(wanted, drawn, kind="poster", table=table.id)
    alt = " · ".join([language(say("The starting position of {game}.", game=game.title)), *words])
    if (committed := committed_hash(table)) is not None:
        alt = language(say("{picture} Seed hash: {hash}", picture=plain(alt), hash=committed))
    return picture_or_words(f"{game.id}-table.png", content, alt, language)


def _terms(snapshot: Snapshot) -> list[Text]:
    table = snapshot.table
    game = GAMES[table.game]
    terms = [say("Variant: {variant}", variant=game.variant_titles[table.variant])] if len(game.variants) > 1 else []
    terms.append(CLOCK_WORDS.get(table.clock or 0, say("another clock")))
    if (strict := strict_term(table)) is not None:
        terms.append(strict)
    terms += chosen_terms(table.game, table.options)
    if not table.rated:
        terms.append(say("not rated"))
    return terms


def _people(snapshot: Snapshot) -> list[Text]:
    who = names_with_levels(snapshot, names(snapshot))
    lines = []
    if snapshot.table.ladder and snapshot.table.status is Status.OPEN and snapshot.table.deadline is not None:
        lines.append(say("🪜 A ladder challenge! Declining it, or not accepting by {when}, counts as a loss.",
                         when=f"<t:{int(snapshot.table.deadline)}:f>"))  # fmt: skip
    if snapshot.table.matched and snapshot.table.status is Status.OPEN and snapshot.table.deadline is not None:
        lines.append(say("I’ve matched you up! The game starts as soon as everybody has accepted. Please answer by {when}.",
                         when=f"<t:{int(snapshot.table.deadline)}:f>"))  # fmt: skip
    lines += [join([mark, name], " ") for mark, name in zip(marks(snapshot), who, strict=True)]
    if snapshot.table.matched and snapshot.table.status is Status.OPEN:
        lines += [say("… {who} hasn’t answered yet", who=f"<@{p.user_id}>") for p in snapshot.invited]
    elif not snapshot.table.matched:
        lines += [say("… {who} is invited", who=f"<@{p.user_id}>") for p in snapshot.invited]
    if snapshot.free and snapshot.table.status is Status.OPEN:
        lines.append(_open_seats(snapshot))
    opener = starter(snapshot)
    if opener is not None and snapshot.table.status is Status.OPEN and _enough(snapshot):
        alone = snapshot.table.wanted == 1
        lines.append(say("Press *Start* to begin.") if alone else say("{who} can *Start* now or wait for more players.",
                                                                     who=plain(escape_name(opener.name))))  # fmt: skip
    return lines


def waits_alone(snapshot: Snapshot) -> bool:
    """Whether one person sits at an open table to which nobody is invited, and may want a computer."""
    return len(snapshot.people) == 1 and not (snapshot.table.matched or snapshot.table.ladder)


def _open_seats(snapshot: Snapshot) -> Text:
    """Say how many seats are open, and for whom. *Join* is named even to the person waiting alone: all read the same."""
    if waits_alone(snapshot) and not snapshot.table.private:
        return say_n(
            "… one seat open for another player (*Join*) or a computer",
            "… {n} seats open for other players (*Join*) or computers",
            snapshot.free,
        )
    return say_n("… one seat open", "… {n} seats open", snapshot.free)


def _enough(snapshot: Snapshot) -> bool:
    """Whether the table has as many players as its game needs."""
    return len(snapshot.players) >= GAMES[snapshot.table.game].seats[0]


def committed_hash(table: Table) -> str | None:
    """Return the hash of the seed behind a table's dice, or None if there is no seed yet or the game draws nothing."""
    return None if table.seed is None or not draws(table) else seed_hash(table.seed)


def _buttons(snapshot: Snapshot, language: Language, *, watched: bool) -> list[Button]:
    table, game = snapshot.table, GAMES[snapshot.table.game]
    buttons = []
    alone = waits_alone(snapshot)
    if snapshot.free and not table.private and not table.matched:
        buttons.append(_join_button(table, language))
    buttons += computers_button(snapshot, language) if alone else []
    if snapshot.invited:
        decline = Click("decline", table.id).custom_id
        buttons.append(_accept_button(table, language))
        buttons.append(button(language(say("Decline")), decline, discord.ButtonStyle.danger))
    if not (table.matched or table.ladder):
        buttons.append(
            button(language(say("Start")), Click("start", table.id).custom_id, discord.ButtonStyle.primary,
                   disabled=not _enough(snapshot))
        )  # fmt: skip
    if snapshot.players or not table.matched:
        buttons.append(button(language(say("Leave")), Click("leave", table.id).custom_id))
    buttons += [] if alone else computers_button(snapshot, language)
    if not (table.matched or table.ladder):
        buttons.append(button(language(say("Change")), Click("setup-again", table.id).custom_id))
    if has_house_rules(game) and not (table.matched or table.ladder):
        buttons.append(button(language(HOUSE_RULES), Click("house", table.id).custom_id))
    rules = Click("rules", page=variant_page(table.game, table.variant, language), tokens=(table.game,))
    buttons.append(button(language(say("Rules")), rules.custom_id))
    if watched:
        buttons.append(button(language(say("Watch")), Click("watch", table.id).custom_id))
    return buttons


def _join_button(table: Table, language: Language) -> Button:
    join = Click("join", table.id, terms_mark(table))
    return button(language(say("Join")), join.custom_id, discord.ButtonStyle.success)


def _accept_button(table: Table, language: Language) -> Button:
    accept = Click("accept", table.id, terms_mark(table))
    return button(language(say("Accept")), accept.custom_id, discord.ButtonStyle.success)


def terms_message(snapshot: Snapshot, user_id: int, language: Language) -> MessageBuilder:
    """Show the current terms to somebody who pressed an outdated button, with the button for what they wanted to do."""
    table, known = snapshot.table, snapshot.person(user_id)
    builder = MessageBuilder().text(f"### {language(GAMES[table.game].title)} #{table.id}")
    builder.text(language(TermsChanged(table.id).text))
    seats = say_n("for one player", "{n} players", table.wanted)
    builder.text(language(join([seats, *_terms(snapshot)], " · ")))
    if known is not None and known.status is SeatStatus.JOINED:
        return builder.buttons(computers_button(snapshot, language))
    if known is not None and known.status is SeatStatus.INVITED:
        return builder.buttons([_accept_button(table, language)])
    return builder.buttons([_join_button(table, language)] if snapshot.free and not table.private else [])


def fair_dice_message(snapshot: Snapshot, mark: int, language: Language) -> MessageBuilder:
    """Return the page about a table's dice, with the `mark` of the terms read. Raises Refused if nothing is drawn."""
    table, committed = snapshot.table, committed_hash(snapshot.table)
    if committed is None:
        raise Refused(say("There’s no luck in this game."))
    text = say(
        "### Fair dice at table #{n}\n"
        "When the table was opened, I drew a secret seed for all its dice, coins and shuffles. This is its hash (SHA-256): "
        "it gives nothing away, and now I can’t swap the seed.\n"
        "`{hash}`\n"
        "Each *Join* and *Start* adds randomness, so nobody can rig the dice: no player, and not me.\n"
        "After the game I show the seed, and *Verify* replays it all. The first digits stay in the table’s first message, and "
        "the whole hash in the description of its picture until the start. Note it if you want to be sure.",
        n=table.id,
        hash=committed,
    )
    builder = MessageBuilder().text(language(text))
    if table.status is not Status.OPEN:
        return builder
    word = Click("word", table.id, mark)
    return builder.buttons([button(language(say("Add your own randomness")), word.custom_id)])


def word_form(table: Table, language: Language) -> Form:
    """Return the form for a word to be mixed into the dice. It has the mark of the terms, as the button that opens it does."""
    line = TextField(name=WORD, label=say("Type anything"), most=WORD_LIMIT).part(language, marked=False)
    return Form(language(say("Add your own randomness")), Click("add-word", table.id, terms_mark(table)).custom_id, line)


def computers_button(snapshot: Snapshot, language: Language) -> list[Button]:
    """Return the lobby's button that adds a computer to a free seat, or else removes one, if there is anything to do."""
    click = Click("computers", snapshot.table.id)
    if snapshot.table.matched:
        return []
    if waits_alone(snapshot) and snapshot.free == 1:
        label = say("Play against the computer")
        return [button(language(label), click.custom_id, discord.ButtonStyle.primary)]
    if snapshot.free > 0:
        return [button(language(say("Add a computer")), click.custom_id)]
    return [button(language(say("Remove a computer")), click.custom_id)] if snapshot.computers else []
