"""The panel of a table's house rules, seen by one person: the board at the start, and what can be changed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final
from zlib import crc32

import discord
from discord import ui

from bot.drawing.place import drawing
from bot.i18n.language import Language
from bot.messages.builder import ERROR_COLOUR, OPTION_LIMIT, Button, Form, MessageBuilder, Picture, button, clipped
from bot.messages.click import Click
from bot.messages.pictures import CACHE
from bot.messages.rulebook import pages_about
from bot.messages.terms import HOUSE_RULES, house_terms, own_options
from bot.sessions import Snapshot
from bot.sessions.options import settled
from bot.sessions.terms import fixed, terms_mark
from engines import GAMES
from engines.game import Game, Option
from engines.text import Text, join, say, say_n
from renderers import draw
from renderers.scene import Scene
from storage.records import Table

CODE: Final = "code"
"""The custom_id of the field in which an option is written."""

CODE_LIMIT: Final = 200
"""Characters that may be entered there."""

OPTIONS_AT_MOST: Final = 25

_FENCE: Final = "```"


@dataclass(frozen=True, slots=True)
class Wrong:
    """What was not possible.

    Attributes:
        reason: why.
        typed: what was typed for an option, which is kept to be mended; empty if nothing was.
    """

    reason: Text
    typed: str = ""


async def house_panel(
    snapshot: Snapshot, user_id: int, language: Language, *, high_contrast: bool = False, wrong: Wrong | None = None
) -> MessageBuilder:
    """The panel.

    Args:
        snapshot: the table.
        user_id: who reads it. Whoever cannot change anything reads the same without anything to choose.
        language: their language.
        high_contrast: whether they want strong colours.
        wrong: what they have just tried in vain.
    """
    table, reason = snapshot.table, fixed(snapshot, user_id)
    builder = MessageBuilder(colour=None if wrong is None else ERROR_COLOUR)
    builder.text(f"### {language(_title(table))}\n{language(_told(table))}")
    builder.picture(await _preview(table, language, high_contrast=high_contrast))
    panel = _Panel(snapshot, language, wrong)
    if reason is None and not panel.typed:
        panel.add_hints(builder)
    if wrong is not None:
        builder.text(language(wrong.reason))
    panel.add_codes(builder)
    if reason is not None:
        return builder.text(language(reason)).buttons(panel.rules())
    for menu in panel.menus():
        builder.select(menu)
    return builder.buttons(panel.buttons())


def house_done(table: Table, language: Language) -> MessageBuilder:
    """What is left of the panel: what was settled on."""
    return MessageBuilder().text(f"**{language(_title(table))}**\n{language(_told(table))}")


def house_form(table: Table, name: str, entered: str, language: Language) -> Form:
    """The form in which an option is written."""
    title, label = language(say("Your own board")), language(say("Its code, such as B.K/GeKB"))
    custom_id = Click("house-code", table.id, tokens=(name,)).custom_id
    return Form(title, custom_id, field=CODE, label=label, most=CODE_LIMIT, entered=entered)


def code_shown(message: discord.Message | None) -> str:
    """The code that stands in a panel, which is the one that somebody has just typed wrong; empty if there is none."""
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


def _told(table: Table) -> Text:
    terms = house_terms(table)
    if not terms:
        return say("None so far: this is the usual game. Tables with house rules aren’t rated.")
    return say("{terms}. Tables with house rules aren’t rated.", terms=join(terms, " · "))


async def _preview(table: Table, language: Language, *, high_contrast: bool) -> Picture:
    """The board at the start, as far as it is known."""
    game, options = GAMES[table.game], own_options(table)
    wanted = (game, table.variant, table.wanted, tuple(options.items()), language, high_contrast)

    async def drawn() -> bytes:
        view = game.preview(table.variant, table.wanted, options)
        scene = Scene(names=("",) * table.wanted, translate=language, high_contrast=high_contrast)
        return await drawing(draw, game.id, view, scene)

    content = await CACHE.picture(("house", *wanted), drawn)
    words = [say("{game} at the start.", game=game.title), *house_terms(table)]
    return Picture(f"{game.id}-house.png", content, language(join(words, " ")))


class _Panel:
    """What can be read and chosen in one panel."""

    def __init__(self, snapshot: Snapshot, language: Language, wrong: Wrong | None) -> None:
        self.table, self.language = snapshot.table, language
        self.typed = "" if wrong is None else wrong.typed
        # Discord goes on showing what was last chosen in a menu whose custom_id stays, even if that was not possible.
        self.state = crc32(repr((terms_mark(self.table), wrong)).encode())
        self.game: Game[Any, Any] = GAMES[self.table.game]
        self.options = own_options(self.table)
        taken = len(snapshot.players) + len(snapshot.invited)
        self.seats = [n for n in self.game.seats if n >= taken]

    @property
    def written(self) -> list[str]:
        """The options that are written as a whole."""
        return [name for name, option in self.game.options.items() if option.check is not None and not option.parts]

    def value(self, name: str) -> str:
        """What is chosen now."""
        return self.options.get(name, self.game.options[name].values[0])

    def possible(self, name: str, value: str) -> bool:
        """Whether a value goes with all else that is chosen, for some number of seats."""
        for seats in self.seats:
            with suppress(ValueError):
                settled(self.game, self.table.variant, seats, {**self.options, name: value})
                return True
        return False

    # what is written

    def add_hints(self, builder: MessageBuilder) -> None:
        """Add how what is written as a whole is written."""
        for name in self.written:
            builder.text(self.language(self.game.options[name].hint))

    def add_codes(self, builder: MessageBuilder) -> None:
        """Add what is written as a whole, to be copied; what was typed wrong stands there in its place."""
        title = say("What you typed:") if self.typed else say("The code of this board, to share or to change:")
        for name in self.written:
            code = self.typed or self.game.written_out(name, self.table.variant, self.table.wanted, self.options)
            if code:
                builder.text(f"{self.language(title)}\n{_FENCE}\n{code.replace('`', '´')}\n{_FENCE}")

    # what is chosen

    def menus(self) -> Iterator["ui.Select[Any]"]:
        """A select menu for every option, and one for the number of seats."""
        if len(self.seats) > 1:
            yield self._menu(Click("house-seats", self.table.id), self._seats())
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

    def _seats(self) -> list[discord.SelectOption]:
        wanted = self.table.wanted
        return [self._entry(say_n("for one player", "{n} players", n), str(n), n == wanted) for n in self.seats]

    def _parts(self, name: str, option: Option) -> Iterator["ui.Select[Any]"]:
        """Menus of the words that an option joins, each with those that are chosen."""
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
        return discord.SelectOption(label=clipped(label[:1].upper() + label[1:], OPTION_LIMIT), value=value, default=chosen)

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
        """Ways to write an option, to read about house rules, and to be done."""
        own = [
            button(self.language(say("My own board …")), Click("house-edit", self.table.id, tokens=(name,)).custom_id)
            for name in self.written
        ]
        done = button(self.language(say("Done")), Click("house-done", self.table.id).custom_id, discord.ButtonStyle.success)
        return [*own, *self.rules(), done]

    def rules(self) -> list[Button]:
        """The way to the page of the rules about them."""
        game_id = self.game.id
        page = next(pages_about(game_id, self.language(HOUSE_RULES), self.language), None)
        if page is None:
            return []
        return [button(self.language(say("How they work")), Click("rules", page=page, tokens=(game_id,)).custom_id)]


def joined(option: Option, value: str, group: int, chosen: Sequence[str]) -> str:
    """The value of an option that joins words, after those of one group were chosen anew; the default if none is left."""
    of_group: Mapping[str, str] = option.parts[group]
    kept = [word for word in value.split("+") if word not in of_group and word != option.values[0]]
    return "+".join([*chosen, *kept]) or option.values[0]
