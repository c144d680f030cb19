"""The lobby message: the first message of a table, with which people join it and leave it, and which commits to its dice."""

from typing import Any, Final

import discord

from bot.drawing.place import drawing
from bot.i18n.language import Language
from bot.messages.board import COLOURS, marks, names
from bot.messages.builder import Button, Form, MessageBuilder, Picture, button, escaped
from bot.messages.click import Click
from bot.messages.computers import computers_button, known_as
from bot.messages.overtime import strict_term
from bot.messages.pictures import CACHE
from bot.messages.rulebook import variant_page
from bot.messages.terms import HOUSE_RULES, chosen_terms, has_house_rules, own_options
from bot.sessions import Snapshot
from bot.sessions.dice import WORD_LIMIT, draws
from bot.sessions.lobby import starter
from bot.sessions.terms import terms_mark
from engines import GAMES
from engines.chance import seed_hash
from engines.game import Game
from engines.text import Text, join, plain, say, say_n
from renderers.poster import Poster, draw_poster
from storage.records import Status, Table

WORD: Final = "word"
"""The custom_id of the field in which a word is entered."""

CLOCK_WORDS = {
    0: say("no clock"),
    3600: say("1 hour a turn"), 28800: say("8 hours a turn"), 86400: say("1 day a turn"),
          259200: say("3 days a turn"), 604800: say("7 days a turn")}  # fmt: skip

_ONLY_INVITED: Final = say("only for those invited")

MARK: Final = 0x20000000
"""Added to the number of a table, the id of the container in its lobby message; Discord gives small ones by itself."""


def is_lobby_of(message: discord.Message, table_id: int) -> bool:
    """Whether a message is the lobby message of a table, whatever it says by now."""
    return any(getattr(component, "id", None) == _mark(table_id) for component in message.components)


def names_people(table: Table) -> bool:
    """Whether the lobby message of a table says who plays there: not where everybody sees that of a private one."""
    return not table.private or table.channel_id == table.thread_id


def _mark(table_id: int) -> int:
    return MARK | (table_id & (MARK - 1))


async def lobby_message(snapshot: Snapshot, language: Language, *, inside: bool = False) -> MessageBuilder:
    """The lobby message: a poster of the game, who has joined, who is invited, and the buttons to join, leave, read and watch.

    Where something is drawn at random, the hash of the seed stands in it from the beginning, whatever becomes of the table.
    Where everybody sees it, it says of a private table only that there is one: neither who plays nor how.

    Args:
        snapshot: the table.
        language: the language of those who read it.
        inside: whether only those see it who may look at the table.
    """
    table = snapshot.table
    game = GAMES[table.game]
    waiting, open_to_readers = table.status is Status.OPEN, inside or names_people(table)
    builder = MessageBuilder(colour=COLOURS[0] if waiting else None, mark=_mark(table.id))
    builder.text(f"### {language(game.listed)} #{table.id}\n{language(game.summary)}")
    if waiting:
        builder.picture(await _poster(table, language, told=open_to_readers))
    if not open_to_readers:
        builder.text(language(_ONLY_INVITED))
    else:
        builder.text(language(join(_terms(snapshot), " · ")))
        builder.text(language(join(_people(snapshot))))
    match table.status:
        case Status.OPEN:
            return builder.text(_seed_hash(snapshot, language)).buttons(_buttons(snapshot, language, watched=open_to_readers))
        case Status.CLOSED:
            closed = language(say("This table is closed."))
            return builder.text(closed).text(_seed_hash(snapshot, language))
        case _:
            return builder.text(language(_started(snapshot)))


async def _poster(table: Table, language: Language, *, told: bool) -> Picture:
    """The poster of a table; if not `told`, of the game alone."""
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
    wanted = (game, variant, seats, tuple(options.items()), words, language)
    content = await CACHE.picture(("poster", *wanted), lambda: _drawn_poster(*wanted))
    alt = language(say("{game} at the start.", game=game.title))
    return Picture(f"{game.id}-table.png", content, " · ".join([alt, *words]))


async def _drawn_poster(
    game: Game[Any, Any],
    variant: str,
    seats: int,
    options: tuple[tuple[str, str], ...],
    lines: tuple[str, ...],
    language: Language,
) -> bytes:
    view = game.preview(variant, seats, dict(options))
    poster = Poster(language(game.title), lines, seats if lines else 0)
    return await drawing(draw_poster, game.id, view, poster, language)


def _terms(snapshot: Snapshot) -> list[Text]:
    table = snapshot.table
    game = GAMES[table.game]
    terms = [say("Variant: {variant}", variant=game.variant_titles[table.variant])] if len(game.variants) > 1 else []
    terms.append(CLOCK_WORDS.get(table.clock or 0, say("another clock")))
    if (strict := strict_term(table)) is not None:
        terms.append(strict)
    if table.private:
        terms.append(_ONLY_INVITED)
    terms += chosen_terms(table)
    if not table.rated:
        terms.append(say("not rated"))
    return terms


def _people(snapshot: Snapshot) -> list[Text]:
    who = known_as(snapshot, names(snapshot))
    lines = [join([mark, name], " ") for mark, name in zip(marks(snapshot), who, strict=True)]
    lines += [say("… {who} is invited", who=f"<@{p.user_id}>") for p in snapshot.invited]
    if snapshot.free and snapshot.table.status is Status.OPEN:
        lines.append(say_n("… one seat is free", "… {n} seats are free", snapshot.free))
    opener = starter(snapshot)
    if opener is not None and snapshot.table.status is Status.OPEN and _enough(snapshot):
        alone = snapshot.table.wanted == 1
        lines.append(say("Press *Start* to begin.") if alone else say("{who} can *Start* now, or wait for the others.",
                                                                     who=plain(escaped(opener.name))))  # fmt: skip
    return lines


def _enough(snapshot: Snapshot) -> bool:
    """Whether as many people sit at the table as its game needs."""
    return len(snapshot.players) >= GAMES[snapshot.table.game].seats[0]


def _seed_hash(snapshot: Snapshot, language: Language) -> str:
    """The hash of the seed before the game, or of a table that was closed; nothing if the seed is yet to be drawn."""
    table = snapshot.table
    if table.seed is None or not draws(table):
        return ""
    if table.status is Status.CLOSED:
        return language(say("-# Seed hash: `{hash}`; it was never used.", hash=seed_hash(table.seed)))
    mixed = say("-# Seed hash: `{hash}`. Every *Join* and *Start* mixes some luck of its own into the dice.",
                hash=seed_hash(table.seed))  # fmt: skip
    return language(mixed)


def _started(snapshot: Snapshot) -> Text:
    seed = snapshot.table.seed
    if seed is None or not draws(snapshot.table):
        return say("The game has begun.")
    return say("The game has begun. Seed hash: `{hash}`", hash=seed_hash(seed))


def _buttons(snapshot: Snapshot, language: Language, *, watched: bool) -> list[Button]:
    table, game = snapshot.table, GAMES[snapshot.table.game]
    click = Click("join", table.id, terms_mark(table))
    green, red = discord.ButtonStyle.success, discord.ButtonStyle.danger
    buttons = []
    if snapshot.free and not table.private:
        buttons.append(button(language(say("Join")), click.custom_id, green))
    if snapshot.invited:
        buttons.append(button(language(say("Accept")), Click("accept", table.id, terms_mark(table)).custom_id, green))
        buttons.append(button(language(say("Decline")), Click("decline", table.id).custom_id, red))
    buttons.append(
        button(language(say("Start")), Click("start", table.id).custom_id, discord.ButtonStyle.primary,
               disabled=not _enough(snapshot))
    )  # fmt: skip
    buttons.append(button(language(say("Leave")), Click("leave", table.id).custom_id))
    buttons += computers_button(snapshot, language)
    if table.seed is not None and draws(table):
        buttons.append(button(language(say("Add a word")), Click("word", table.id).custom_id))
    if has_house_rules(game):
        buttons.append(button(language(HOUSE_RULES), Click("house", table.id).custom_id))
    rules = Click("rules", page=variant_page(table.game, table.variant, language), tokens=(table.game,))
    buttons.append(button(language(say("Rules")), rules.custom_id))
    if watched:
        buttons.append(button(language(say("Watch")), Click("watch", table.id).custom_id))
    return buttons


def word_form(table_id: int, language: Language) -> Form:
    """The form that asks for a word to be mixed into the dice."""
    title, label = language(say("A word for the dice")), language(say("Any word, the stranger the better"))
    return Form(title, Click("add-word", table_id).custom_id, field=WORD, label=label, most=WORD_LIMIT)
