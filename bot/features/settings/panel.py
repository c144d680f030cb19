"""A panel of settings: one private message that shows what is set, explains it, and opens the forms that change it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, NoReturn, TypeVar

import discord
from discord import ui

from bot.core.table.errors import Refused
from bot.features.settings.sections import Action, Entries, Section, State
from bot.i18n.language import Language
from bot.interactions.context import Context
from bot.interactions.handlers import ClickHandler, Tokens, handles, is_word, too_old
from bot.interactions.time_zones import WhichZone
from bot.messages.builder import OPTION_LIMIT, Button, MessageBuilder, button, clip
from bot.messages.click import Click
from bot.messages.form import Entry, Form
from engines.text import Text, join, say

S = TypeVar("S", bound=State)

ZONE: Final = "zone"
"""The name of the field for a time zone, wherever there is one."""

_SMALL: Final = "-#"
"""How an explanation begins, which is no setting."""

_UNTOUCHED: Final = "-"
_EMPTY: Final = "_"
"""What stands in a click for a field that was not touched, and for one that was emptied."""


@dataclass(frozen=True, kw_only=True)
class Panel(Generic[S]):
    """A panel of settings.

    Attributes:
        verb: the verb of the click that shows it; those of its other clicks begin with it.
        title: what stands above everything.
        about: an explanation below the title.
        sections: its parts.
        load: reads what it shows. Raises Refused for whoever may not see it; it is asked before anything is done.
        store: changes some of the settings.
        speaks: the language in which somebody reads it.
    """

    verb: str
    title: Text
    about: Text
    sections: tuple[Section[S], ...]
    load: Callable[[Context], Awaitable[S]]
    store: Callable[[Context, Mapping[str, object]], Awaitable[None]]
    speaks: Callable[[Context, S], Language] = lambda context, _: context.language

    async def show(self, context: Context, note: Text | None = None) -> None:
        """Show the panel as it is now; `note`: what has just happened."""
        state = await self.load(context)
        await context.reply.show(self._message(state, self.speaks(context, state), note))

    def handlers(self) -> tuple[ClickHandler, ...]:
        """The handlers of its buttons and forms."""
        one = Tokens((is_word,))

        async def back(context: Context, _: Click) -> None:
            await self.show(context)

        return (
            handles(self.verb)(back),
            handles(f"{self.verb}-form", tokens=one)(self._open),
            handles(f"{self.verb}-save", tokens=one)(self._save),
            handles(f"{self.verb}-zone", tokens=Tokens((is_word,), more=is_word))(self._pick_zone),
            handles(f"{self.verb}-do", tokens=Tokens((is_word, is_word)))(self._do),
        )

    # --- the message ----------------------------------------------------------------------------------------------------------

    def _message(self, state: S, language: Language, note: Text | None) -> MessageBuilder:
        builder = MessageBuilder().text(f"### {language(self.title)}\n-# {language(self.about)}")
        if note is not None:
            builder.text(f"✅ {language(note)}")
        for section in self.sections:
            self._add(builder, section, state, language)
        return builder

    def _add(self, builder: MessageBuilder, section: Section[S], state: S, language: Language) -> None:
        about = [] if section.about is None else [f"-# {language(section.about)}"]
        words = "\n".join([f"**{language(section.title)}**", *map(language, section.told(state)), *about])
        form = Click(f"{self.verb}-form", tokens=(section.name,)).custom_id
        buttons = [button(language(section.change), form)] if section.settings and section.changeable(state) else []
        buttons += [self._action(section, action, language) for action in section.actions if action.offered(state)]
        if section.settings or len(buttons) == 1:
            builder.text_with_button(words, buttons[0]).buttons(buttons[1:])
        else:
            builder.text(words).buttons(buttons)

    def _action(self, section: Section[S], action: Action[S], language: Language) -> Button:
        click = Click(f"{self.verb}-do", tokens=(section.name, action.name))
        return button(language(action.label), click.custom_id, action.style)

    def back(self, language: Language) -> Button:
        """The button that leads back to the panel."""
        return button(language(say("Back to the settings")), Click(self.verb).custom_id)

    # --- clicks ---------------------------------------------------------------------------------------------------------------

    async def _open(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        if not section.settings:
            self._unknown(context)
        if not section.changeable(state):
            await self.show(context)
            return
        language = self.speaks(context, state)
        form = Form(
            language(section.title),
            Click(f"{self.verb}-save", tokens=(section.name,)).custom_id,
            *(setting.field.part(language, setting.shown(state)) for setting in section.settings),
        )
        if not await context.reply.ask(form):
            raise Refused(say("That took me too long. Please press the button again."))

    async def _save(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        data: dict[str, Any] = dict(context.interaction.data or {})
        read = {setting.field.name: setting.field.read(data) for setting in section.settings}
        entries = {name: entry for name, entry in read.items() if entry is not None}
        if not section.settings or entries.keys() != read.keys():
            self._unknown(context)
        await self._keep(context, state, section, entries)

    async def _keep(self, context: Context, state: S, section: Section[S], entries: Entries) -> None:
        """Keep what was entered, and show the panel with what has changed, or ask which time zone is meant."""
        said = None
        try:
            if section.keep is not None:
                said = await section.keep(context, state, entries)
            elif changes := section.changes(entries):
                await self.store(context, changes)
        except WhichZone as error:
            await self._ask_zone(context, section, entries, error)
            return
        after = await self.load(context)
        if said is None:
            before, title = section.told(state), section.title
            changed = [line for line in section.told(after) if line not in before and not line.startswith(_SMALL)]
            said = say("{title}: nothing was changed.", title=title)
            if changed:
                said = say("{title}: saved. {what}", title=title, what=join(changed, " · "))
        await context.reply.show(self._message(after, self.speaks(context, after), said))

    async def _do(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        action = next((one for one in section.actions if one.name == click.tokens[1]), None)
        if action is None:
            self._unknown(context)
        if not action.offered(state):
            await self.show(context)
        elif (said := await action.carry_out(context)) is not None:
            await self.show(context, said)

    # --- time zones -----------------------------------------------------------------------------------------------------------

    async def _ask_zone(self, context: Context, section: Section[S], entries: Entries, error: WhichZone) -> None:
        """Ask which of several time zones is meant, in a menu; its click has all else that was entered."""
        language = context.language
        others = [entries[setting.field.name] for setting in section.settings if setting.field.name != ZONE]
        told = ["".join(entry.values) or _EMPTY if entry.touched else _UNTOUCHED for entry in others]
        menu: ui.Select[Any] = ui.Select(
            custom_id=Click(f"{self.verb}-zone", tokens=(section.name, *told)).custom_id,
            placeholder=language(say("Pick a time zone")),
            options=[discord.SelectOption(label=clip(one.label, OPTION_LIMIT), value=one.zone) for one in error.zones],
        )
        builder = MessageBuilder().text(f"**{language(section.title)}**\n{language(error.text)}").select(menu)
        await context.reply.show(builder.buttons([self.back(language)]))

    async def _pick_zone(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        _, *told, zone = click.tokens if len(click.tokens) > 1 else (*click.tokens, "")
        names = [setting.field.name for setting in section.settings]
        others = [name for name in names if name != ZONE]
        if ZONE not in names or len(told) != len(others):
            self._unknown(context)
        entries = {name: _entry(words) for name, words in zip(others, told, strict=True)} | {ZONE: Entry((zone,))}
        await self._keep(context, state, section, entries)

    # --- what a click names ---------------------------------------------------------------------------------------------------

    def _section(self, context: Context, click: Click) -> Section[S]:
        found = next((section for section in self.sections if section.name == click.tokens[0]), None)
        return self._unknown(context) if found is None else found

    @staticmethod
    def _unknown(context: Context) -> NoReturn:
        """Refuse a click or a form that this version of the bot does not know."""
        raise too_old(context.interaction)


def _entry(words: str) -> Entry:
    if words == _UNTOUCHED:
        return Entry((), touched=False)
    return Entry(() if words == _EMPTY else (words,))
