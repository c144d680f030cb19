"""The private panel of a table's house rules: the board at the start, and menus to change them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final
from zlib import crc32

import discord
from discord import ui

from bot.core.table.options import normal_table_options
from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark, why_fixed
from bot.i18n.language import Language
from bot.messages.builder import (
    ERROR_COLOUR,
    OPTION_LIMIT,
    OPTIONS_AT_MOST,
    Button,
    MessageBuilder,
    Picture,
    button,
    clip,
)
from bot.messages.click import Click
from bot.messages.form import Form, Line
from bot.messages.pictures import CACHE, picture_or_words
from bot.messages.players import names
from bot.messages.rulebook import pages_about
from bot.messages.terms import HOUSE_RULES, house_terms, own_options
from bot.workers.drawing import drawing
from engines import GAMES
from engines.game import Game, Option, editable_text, start_view
from engines.text import Text, join, say, say_n
from renderers import draw
from renderers.scene import Scene
from storage.schema.records import Table

CODE: Final = "code"
"""The custom_id of the field for the code of an option."""

CODE_LIMIT: Final = 200
"""The most characters of a code."""


_FENCE: Final = "```"


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """An attempt that was not possible.

    Attributes:
        reason: why.
        typed: the code that was typed, which is shown again to be corrected; empty if there was none.
    """

    reason: Text
    typed: str = ""


async def house_panel(
    snapshot: Snapshot, user_id: int, language: Language, *, high_contrast: bool = False, wrong: FailedAttempt | None = None
) -> MessageBuilder:
    """The panel of a table's house rules.

    Args:
        snapshot: the table.
        user_id: the reader. Readers who cannot change anything get no menus.
        language: their language.
        high_contrast: whether they want strong colours.
        wrong: their last attempt, if it was not possible.
    """
    table, reason = snapshot.table, why_fixed(snapshot, user_id)
    builder = MessageBuilder(colour=None if wrong is None else ERROR_COLOUR)
    builder.text(f"### {language(_title(table))}\n{language(_summary(table))}")
    builder.picture(await _preview(table, language, high_contrast=high_contrast))
    panel = _Panel(snapshot, language, wrong)
    if reason is None and not panel.typed:
        panel.add_hints(builder)
    if wrong is not None:
        builder.text(language(wrong.reason))
    panel.add_codes(builder)
    if reason is not None:
        return builder.text(language(reason, names(snapshot))).buttons(panel.rules())
    for menu in panel.menus():
        builder.select(menu)
    return builder.buttons(panel.buttons())


def house_done(table: Table, language: Language) -> MessageBuilder:
    """The panel when it is done: the chosen house rules."""
    return MessageBuilder().text(f"**{language(_title(table))}**\n{language(_summary(table))}")


def house_form(table: Table, name: str, entered: str, language: Language) -> Form:
    """The form for the code of an option."""
    line = Line(name=CODE, label=say("Its code, such as B.K/GeKB"), most=CODE_LIMIT)
    custom_id = Click("house-code", table.id, tokens=(name,)).custom_id
    return Form(language(say("Your own board")), custom_id, line.part(language, (entered,), marked=False))


def code_shown(message: discord.Message | None) -> str:
    """The code in a panel, which is the wrong one after an attempt; empty if there is none."""
    for text in _texts(message.components if message is not None else []):
        _, opened, rest = text.partition(f"{_FENCE}\n")
        code, closed, _ = rest.partition(f"\n{_FENCE}")
        if opened and closed:
            return code
    return ""


def _texts(components: Sequence[Any]) -> Iterator[str]:
    for component in components:
        if isinstance(content := getattr(component, "content", None), str):
            yield content
        yield from _texts(getattr(component, "children", []))


def _title(table: Table) -> Text:
    return say("House rules of table #{n}", n=table.id)


def _summary(table: Table) -> Text:
    terms = house_terms(table)
    if not terms:
        return say("None so far: it’s the standard game. Tables with house rules aren’t rated.")
    return say("{terms}. Tables with house rules aren’t rated.", terms=join(terms, " · "))


async def _preview(table: Table, language: Language, *, high_contrast: bool) -> Picture:
    """The board at the start, as far as it is certain."""
    game, options = GAMES[table.game], own_options(table)
    wanted = (game, table.variant, table.wanted, tuple(options.items()), language, high_contrast)

    async def draw_preview() -> bytes:
        view = start_view(game, table.variant, table.wanted, options)
        scene = Scene(names=("",) * table.wanted, translate=language, high_contrast=high_contrast)
        return await drawing(draw, game.id, view, scene)

    content = await CACHE.picture(("house", *wanted), draw_preview, kind="house", table=table.id)
    alt = language(join([say("The starting position of {game}.", game=game.title), *house_terms(table)], " "))

    def words() -> str:
        return language(game.describe(start_view(game, table.variant, table.wanted, options)))

    return picture_or_words(f"{game.id}-house.png", content, alt, language, words)


class _Panel:
    """The parts of a panel."""

    def __init__(self, snapshot: Snapshot, language: Language, wrong: FailedAttempt | None) -> None:
        self.table, self.language = snapshot.table, language
        self.typed = "" if wrong is None else wrong.typed
        # In a menu whose custom_id stays, Discord goes on showing the last choice, even if it was not possible.
        self.state = crc32(repr((terms_mark(self.table), wrong)).encode())
        self.game: Game[Any, Any] = GAMES[self.table.game]
        self.options = own_options(self.table)
        taken = len(snapshot.players) + len(snapshot.invited)
        self.seats = [n for n in self.game.seats if n >= taken]

    @property
    def text_options(self) -> list[str]:
        """The names of the options that are entered as text."""
        return [name for name, option in self.game.options.items() if option.check is not None and not option.parts]

    def value(self, name: str) -> str:
        """The present value of an option."""
        return self.options.get(name, self.game.options[name].values[0])

    def possible(self, name: str, value: str) -> bool:
        """Whether a value goes with all other choices, for some number of seats."""
        for seats in self.seats:
            with suppress(ValueError):
                normal_table_options(self.game, self.table.variant, seats, {**self.options, name: value})
                return True
        return False

    # options as text

    def add_hints(self, builder: MessageBuilder) -> None:
        """Add the hints on options that are entered as text."""
        for name in self.text_options:
            builder.text(self.language(self.game.options[name].hint))

    def add_codes(self, builder: MessageBuilder) -> None:
        """Add the codes of options that are entered as text, to be copied; a wrong one that was typed takes its place."""
        title = say("What you typed:") if self.typed else say("The code of this board, to share or to change:")
        for name in self.text_options:
            code = self.typed or editable_text(self.game, name, self.table.variant, self.table.wanted, self.options)
            if code:
                builder.text(f"{self.language(title)}\n{_FENCE}\n{code.replace('`', '´')}\n{_FENCE}")

    # options in menus

    def menus(self) -> Iterator["ui.Select[Any]"]:
        """A select menu for every option, and one for the number of seats."""
        if len(self.seats) > 1:
            words = {str(n): say_n("for one player", "{n} players", n) for n in self.seats}
            seats = [self._entry(text, n, n == str(self.table.wanted)) for n, text in words.items()]
            yield self._menu(Click("house-seats", self.table.id), seats)
        for name, option in self.game.options.items():
            if option.parts:
                yield from self._parts(name, option)
                continue
            values = [value for value in (*option.values, *option.suggestions) if self.possible(name, value)]
            chosen = self.value(name)
            listed = list(dict.fromkeys([*values, chosen]))[:OPTIONS_AT_MOST]
            if len(listed) > 1:
                entries = [self._entry(option.words(value, self.options), value, value == chosen) for value in listed]
                yield self._menu(Click("house-set", self.table.id, tokens=(name,)), entries)

    def _parts(self, name: str, option: Option) -> Iterator["ui.Select[Any]"]:
        """Menus for the groups of words that an option joins, with the chosen words."""
        chosen = self.value(name).split("+")
        for number, group in enumerate(option.parts):
            if not any(self.possible(name, word) for word in group):
                continue
            entries = [self._entry(words, word, word in chosen) for word, words in group.items()]
            click = Click("house-parts", self.table.id, tokens=(name, str(number)))
            placeholder = f"{self.language(option.title)} ({number + 1}/{len(option.parts)})"
            yield self._menu(click, entries, placeholder=placeholder, many=True)

    def _entry(self, words: str, value: str, chosen: bool) -> discord.SelectOption:
        label = self.language(words)
        return discord.SelectOption(label=clip(label[:1].upper() + label[1:], OPTION_LIMIT), value=value, default=chosen)

    def _menu(
        self, click: Click, entries: list[discord.SelectOption], *, placeholder: str | None = None, many: bool = False
    ) -> "ui.Select[Any]":
        least, most = (0, len(entries)) if many else (1, 1)
        custom_id = replace(click, version=self.state).custom_id
        return ui.Select(
            custom_id=custom_id,
            options=entries,
            placeholder=placeholder,
            min_values=least,
            max_values=most,
            required=not many,
        )

    # the buttons

    def buttons(self) -> list[Button]:
        """Buttons to enter an option, to read about house rules, and to finish."""
        own = [
            button(self.language(say("My own board …")), Click("house-edit", self.table.id, tokens=(name,)).custom_id)
            for name in self.text_options
        ]
        done = button(self.language(say("Done")), Click("house-done", self.table.id).custom_id, discord.ButtonStyle.success)
        return [*own, *self.rules(), done]

    def rules(self) -> list[Button]:
        """The button to the page about house rules; none if there is no such page."""
        game_id = self.game.id
        page = next(pages_about(game_id, self.language(HOUSE_RULES), self.language), None)
        if page is None:
            return []
        return [button(self.language(say("How they work")), Click("rules", page=page, tokens=(game_id,)).custom_id)]


def with_group(option: Option, value: str, group: int, chosen: Sequence[str]) -> str:
    """The value of an option that joins words, with new words for one group; the default if no word is left."""
    of_group: Mapping[str, str] = option.parts[group]
    kept = [word for word in value.split("+") if word not in of_group and word != option.values[0]]
    return "+".join([*chosen, *kept]) or option.values[0]
