"""The menus for a game's options before it begins, at an open table or before a table is opened."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.options import normal_table_options
from bot.i18n.language import Language
from bot.messages.builder import ERROR_COLOUR, OPTION_LIMIT, OPTIONS_AT_MOST, Button, MessageBuilder, Picture, button, clip
from bot.messages.click import Click
from bot.messages.form import Form, TextField
from bot.messages.pictures import CACHE, picture_or_words
from bot.messages.rulebook import pages_about
from bot.messages.terms import HOUSE_RULES, terms_of
from bot.workers.drawing import drawing
from engines.game import Game, Option, editable_text, start_view
from engines.text import Text, join, say, say_n
from renderers import draw
from renderers.scene import Scene

CODE: Final = "code"
"""The custom_id of the field for an option's code."""

CODE_LIMIT: Final = 200

_FENCE: Final = "```"

MakeClick = Callable[..., Click]
"""Makes the click of a menu or button from its kind (`set`, `parts`, `seats` or `edit`) and arguments."""


@dataclass(frozen=True, kw_only=True)
class OptionMenus:
    """The menus for the options of a game.

    Attributes:
        wanted: the chosen number of seats.
        seats: the possible numbers of seats, at most as many as a menu can list.
        options: the chosen options of the game.
        table: the table's number, which names the picture in the logs, or 0.
    """

    game: Game[Any, Any]
    variant: str
    wanted: int
    seats: Sequence[int]
    options: Mapping[str, str]
    language: Language
    click: MakeClick
    table: int = 0

    def summary(self) -> str:
        """Put the chosen house rules into words."""
        terms = terms_of(self.game, self.options)
        if not terms:
            return self.language(say("None so far: it’s the standard game. Tables with house rules aren’t rated."))
        return self.language(say("{terms}. Tables with house rules aren’t rated.", terms=join(terms, " · ")))

    async def preview(self, *, high_contrast: bool) -> Picture:
        """Draw the board at the start, as far as it is certain."""
        game, language = self.game, self.language
        wanted = (game, self.variant, self.wanted, tuple(self.options.items()), language, high_contrast)

        async def draw_preview() -> bytes:
            view = start_view(game, self.variant, self.wanted, self.options)
            scene = Scene(names=("",) * self.wanted, translate=language, high_contrast=high_contrast)
            return await drawing(draw, game.id, view, scene)

        content = await CACHE.picture(("house", *wanted), draw_preview, kind="house", table=self.table)
        alt = language(join([say("The starting position of {game}.", game=game.title), *terms_of(game, self.options)], " "))

        def words() -> str:
            return language(game.describe(start_view(game, self.variant, self.wanted, self.options)))

        return picture_or_words(f"{game.id}-house.png", content, alt, language, words)

    # options as text

    @property
    def text_options(self) -> list[str]:
        """The names of the options that are entered as text."""
        return [name for name, option in self.game.options.items() if option.check is not None and not option.parts]

    def add_to(self, builder: MessageBuilder, typed: str = "", *, hints: bool) -> None:
        """Add the menus, then the options entered as codes, perhaps with `hints`. A wrong `typed` code goes above the menus."""
        if typed:
            self.add_codes(builder, typed)
        for menu in self.menus():
            builder.select(menu)
        for name in self.text_options if hints else ():
            builder.text(self.language(self.game.options[name].hint))
        if not typed:
            self.add_codes(builder)

    def add_codes(self, builder: MessageBuilder, typed: str = "") -> None:
        """Add the codes of options entered as text, ready to be copied, or the wrong code that was typed."""
        title = say("What you typed:") if typed else say("The code of this board, to share or to change:")
        for name in self.text_options:
            code = typed or editable_text(self.game, name, self.variant, self.wanted, self.options)
            if code:
                builder.text(f"{self.language(title)}\n{_FENCE}\n{code.replace('`', '´')}\n{_FENCE}")

    # options in menus

    def menus(self) -> Iterator["ui.Select[Any]"]:
        """Yield a select menu for the number of seats, and one for every option."""
        if len(self.seats) > 1:
            words = {str(n): say_n("for one player", "{n} players", n) for n in self.seats}
            seats = [self._entry(text, n, n == str(self.wanted)) for n, text in words.items()]
            yield self._menu(self.click("seats"), seats)
        for name, option in self.game.options.items():
            if option.parts:
                yield from self._parts(name, option)
                continue
            values = [value for value in (*option.values, *option.suggestions) if self._possible(name, value)]
            chosen = self._value(name)
            listed = list(dict.fromkeys([*values, chosen]))[:OPTIONS_AT_MOST]
            if len(listed) > 1:
                entries = [self._entry(option.words(value, self.options), value, value == chosen) for value in listed]
                yield self._menu(self.click("set", name), entries)

    def _value(self, name: str) -> str:
        return self.options.get(name, self.game.options[name].values[0])

    def _possible(self, name: str, value: str) -> bool:
        """Whether a value goes together with all other choices, for at least one number of seats."""
        for seats in self.seats:
            with suppress(ValueError):
                normal_table_options(self.game, self.variant, seats, {**self.options, name: value})
                return True
        return False

    def _parts(self, name: str, option: Option) -> Iterator["ui.Select[Any]"]:
        """Yield a menu for each group of words, in an option whose value joins words."""
        chosen = self._value(name).split("+")
        for number, group in enumerate(option.parts):
            if not any(self._possible(name, word) for word in group):
                continue
            entries = [self._entry(words, word, word in chosen) for word, words in group.items()]
            placeholder = f"{self.language(option.title)} ({number + 1}/{len(option.parts)})"
            yield self._menu(self.click("parts", name, str(number)), entries, placeholder=placeholder, many=True)

    def _entry(self, words: str, value: str, chosen: bool) -> discord.SelectOption:
        label = self.language(words)
        return discord.SelectOption(label=clip(label[:1].upper() + label[1:], OPTION_LIMIT), value=value, default=chosen)

    def _menu(
        self, click: Click, entries: list[discord.SelectOption], *, placeholder: str | None = None, many: bool = False
    ) -> "ui.Select[Any]":
        least, most = (0, len(entries)) if many else (1, 1)
        return ui.Select(
            custom_id=click.custom_id, options=entries, placeholder=placeholder, min_values=least, max_values=most,
            required=not many,
        )  # fmt: skip

    # the buttons

    def edit_buttons(self) -> list[Button]:
        """Return a button for each option that is entered as text."""
        label = self.language(say("My own board …"))
        return [button(label, self.click("edit", name).custom_id) for name in self.text_options]

    def rules_button(self) -> list[Button]:
        """Return the button that leads to the page about house rules, if there is such a page."""
        game_id = self.game.id
        page = next(pages_about(game_id, self.language(HOUSE_RULES), self.language), None)
        if page is None:
            return []
        click = Click("rules", page=page, tokens=(game_id,))
        return [button(self.language(say("How they work")), click.custom_id)]


async def options_page(
    menus: OptionMenus, done: Click, *, high_contrast: bool, wrong: Text | None = None, typed: str = ""
) -> MessageBuilder:
    """Show the options in a panel before there is a table. `wrong` says why the last choice, such as `typed`, failed."""
    language = menus.language
    builder = MessageBuilder(colour=None if wrong is None else ERROR_COLOUR)
    builder.text(f"### {language(HOUSE_RULES)}\n{menus.summary()}")
    builder.picture(await menus.preview(high_contrast=high_contrast))
    if wrong is not None:
        builder.text(language(wrong))
    menus.add_to(builder, typed, hints=wrong is None)
    back = button(language(say("Done")), done.custom_id, discord.ButtonStyle.success)
    return builder.buttons([*menus.edit_buttons(), *menus.rules_button(), back])


def code_form(custom_id: str, entered: str, language: Language) -> Form:
    """Return the form for an option's code."""
    line = TextField(name=CODE, label=say("Its code, such as B.K/GeKB"), most=CODE_LIMIT)
    return Form(language(say("Your own board")), custom_id, line.part(language, (entered,), marked=False))


def code_shown(texts: Sequence[str]) -> str:
    """Return the code in the texts of a panel, or nothing if there is none. After a failed attempt, this is the wrong code."""
    for text in texts:
        _, opened, rest = text.partition(f"{_FENCE}\n")
        code, closed, _ = rest.partition(f"\n{_FENCE}")
        if opened and closed:
            return code
    return ""


def with_group(option: Option, value: str, group: int, chosen: Sequence[str]) -> str:
    """Return the value of an option that joins words, with new words for one group, or the default if no word is left."""
    of_group: Mapping[str, str | Text] = option.parts[group]
    kept = [word for word in value.split("+") if word not in of_group and word != option.values[0]]
    return "+".join([*chosen, *kept]) or option.values[0]
