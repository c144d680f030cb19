"""A settings panel: a private message that shows and explains settings, and opens the forms that change them."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, NoReturn, TypeVar

import discord
from discord import ui

from bot.core.table.errors import Refused
from bot.features.settings.sections import Entries, Faults, PanelState, Section, Setting, saved
from bot.i18n.language import Language
from bot.interactions.context import Context
from bot.interactions.handlers import ClickHandler, Tokens, handles, is_word, too_old
from bot.interactions.time_zones import WhichZone
from bot.messages.builder import OPTION_LIMIT, Button, MessageBuilder, button, clip, clip_markdown
from bot.messages.click import Click, TooLong
from bot.messages.drafts import Draft, arguments, draft_in
from bot.messages.form import Form, Submission, TextField
from engines.text import Text, say

S = TypeVar("S", bound=PanelState)


ZONE: Final = "zone"
"""The name of every field that takes a time zone."""

BACK: Final = say("Back to the settings")
"""The label of the button that leads back to a panel."""

MakeClick = Callable[..., Click]
"""Makes a panel's click from its kind (the end of its verb) and its tokens."""

_OF: Final = "of"
"""The key under which a draft names the section that it belongs to."""

_VALUES: Final = ":"
"""The sign before a field's values in a draft, so that an emptied field is stored too."""

_WRONG_AT_MOST: Final = 600
"""The most characters for saying what is wrong with a form."""


@dataclass(frozen=True, kw_only=True)
class News:
    """What has just happened to a section, which for now shows `title` in place of its own title.

    If its form was refused, `wrong` says why, and `draft` has the refused entries by field, so that nobody has to type them
    again.
    """

    section: str
    title: Text
    wrong: Text | None = None
    draft: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Panel(Generic[S]):
    """A settings panel.

    Attributes:
        verb: the verb of the click that shows the panel, and the prefix of its other verbs.
        load: reads the panel's state before anything else is done. Raises Refused for anybody who may not see it.
        store: changes some of the settings.
        speaks: returns the reader's language.
    """

    verb: str
    title: Text
    about: Text
    sections: tuple[Section[S], ...]
    load: Callable[[Context], Awaitable[S]]
    store: Callable[[Context, Mapping[str, object]], Awaitable[None]]
    speaks: Callable[[Context, S], Language] = lambda context, _: context.language

    async def show(self, context: Context, news: News | None = None) -> None:
        """Show the panel as it is now, with what has just happened."""
        state = await self.load(context)
        await context.reply.show(self._message(state, self.speaks(context, state), news))

    def handlers(self) -> tuple[ClickHandler, ...]:
        """Return the handlers for the panel's buttons and forms."""
        one = Tokens((is_word,))

        async def back(context: Context, _: Click) -> None:
            await self.show(context)

        return (
            handles(self.verb)(back),
            handles(f"{self.verb}-form", tokens=Tokens((is_word,), more=is_word))(self._open),
            handles(f"{self.verb}-save", tokens=one)(self._save),
            handles(f"{self.verb}-zone", tokens=Tokens((is_word,), more=is_word))(self._pick_zone),
            handles(f"{self.verb}-back", tokens=Tokens(more=is_word))(back),
            handles(f"{self.verb}-do", tokens=Tokens((is_word, is_word), more=is_word))(self._do),
        )

    # --- the message ----------------------------------------------------------------------------------------------------------

    def _message(self, state: S, language: Language, news: News | None) -> MessageBuilder:
        if news is None or news.wrong is None:
            return self._with_sections(state, language, news, lambda kind, *tokens: Click(f"{self.verb}-{kind}", tokens=tokens))
        drafts = _drafts(self.verb, news.section, news.draft)
        return _fitting(drafts, lambda draft: self._with_sections(state, language, news, draft.click))

    def _with_sections(self, state: S, language: Language, news: News | None, click: MakeClick) -> MessageBuilder:
        builder = MessageBuilder().text(f"### {language(self.title)}\n-# {language(self.about)}")
        for section in self.sections:
            self._add(builder, section, state, language, None if news is None or news.section != section.name else news, click)
        return builder

    @staticmethod
    def _add(
        builder: MessageBuilder, section: Section[S], state: S, language: Language, news: News | None, click: MakeClick
    ) -> None:
        title, change, style = section.title, section.change, discord.ButtonStyle.secondary
        lines = [language(line) for line in section.told(state)]
        if news is not None:
            title = news.title
        if news is not None and news.wrong is not None:
            lines = [clip_markdown(language(news.wrong), _WRONG_AT_MOST), *lines]
            change, style = say("Try again"), discord.ButtonStyle.primary
        about = [] if section.about is None else [f"-# {language(section.about)}"]
        words = "\n".join([f"**{language(title)}**", *lines, *about])
        buttons = []
        if section.settings and section.changeable(state):
            buttons.append(button(language(change), click("form", section.name).custom_id, style))
        buttons += [
            button(language(action.label), click("do", section.name, action.name).custom_id, action.style)
            for action in section.actions
            if action.offered(state)
        ]
        if section.settings or len(buttons) == 1:
            builder.text_with_button(words, buttons[0]).buttons(buttons[1:])
        else:
            builder.text(words).buttons(buttons)

    def back(self, language: Language) -> Button:
        """Return the button that leads back to the panel."""
        return button(language(BACK), Click(self.verb).custom_id)

    # --- clicks ---------------------------------------------------------------------------------------------------------------

    async def _open(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        if not section.settings:
            self._unknown(context)
        if not section.changeable(state):
            await self.show(context)
            return
        language = self.speaks(context, state)
        draft = self._draft(context, section)
        form = Form(
            language(section.title),
            Click(f"{self.verb}-save", tokens=(section.name,)).custom_id,
            *(_part(setting, state, draft.get(setting.field.name), language) for setting in section.settings),
        )
        if not await context.reply.ask(form):
            raise Refused(say("That took me too long. Please press the button again."))

    async def _save(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        data: dict[str, Any] = dict(context.interaction.data or {})
        entries, faults, missing = dict[str, Submission](), Faults(), not section.settings
        for setting in section.settings:
            with faults.gathering():
                if (entry := setting.field.read(data)) is None:
                    missing = True
                else:
                    entries[setting.field.name] = entry
        if missing:
            self._unknown(context)
        await self._keep(context, state, section, entries, faults)

    async def _keep(self, context: Context, state: S, section: Section[S], entries: Entries, faults: Faults) -> None:
        """Save what was entered and show the result, or ask for the time zone. `faults` are those of unreadable entries."""
        try:
            faults.settle()
            title = None
            if section.keep is not None:
                title = await section.keep(context, state, entries)
            elif changes := section.changes(entries):
                await self.store(context, changes)
        except WhichZone as error:
            await self._ask_zone(context, section, entries, error)
            return
        except Refused as error:
            title = say("⚠️ {title} · not saved", title=section.title)
            news = News(section=section.name, title=title, wrong=error.text, draft=_drafted(entries))
            await self.show(context, news)
            return
        after = await self.load(context)
        if title is None and section.told(after) == section.told(state):
            title = say("{title} · nothing has changed", title=section.title)
        news = News(section=section.name, title=saved(section.title) if title is None else title)
        await context.reply.show(self._message(after, self.speaks(context, after), news))

    async def _do(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        action = next((one for one in section.actions if one.name == click.tokens[1]), None)
        if action is None:
            self._unknown(context)
        if not action.offered(state):
            await self.show(context)
        elif action.opens is not None:
            await action.opens(context, self.back(context.language))
        elif action.carry_out is not None:
            await self.show(context, News(section=section.name, title=await action.carry_out(context)))

    # --- time zones -----------------------------------------------------------------------------------------------------------

    async def _ask_zone(self, context: Context, section: Section[S], entries: Entries, error: WhichZone) -> None:
        """Ask in a menu which of several time zones is meant. The message carries all other entries."""
        language = context.language
        options = [discord.SelectOption(label=clip(one.label, OPTION_LIMIT), value=one.zone) for one in error.zones]

        def message(draft: Draft) -> MessageBuilder:
            menu: ui.Select[Any] = ui.Select(
                custom_id=draft.click("zone", section.name).custom_id,
                placeholder=language(say("Pick a time zone")),
                options=options,
            )
            builder = MessageBuilder().text(f"**{language(section.title)}**\n{language(error.text)}").select(menu)
            return builder.buttons([button(language(BACK), draft.click("back").custom_id)])

        others = {name: entry for name, entry in entries.items() if name != ZONE}
        await context.reply.show(_fitting(_drafts(self.verb, section.name, _drafted(others)), message))

    async def _pick_zone(self, context: Context, click: Click) -> None:
        state, section = await self.load(context), self._section(context, click)
        draft, (_, *picked) = self._draft(context, section), arguments(click)
        if len(picked) != 1 or not draft or all(setting.field.name != ZONE for setting in section.settings):
            self._unknown(context)
        entries = {ZONE: Submission((picked[0],))}
        for one in (setting.field for setting in section.settings if setting.field.name != ZONE):
            words, untouched = draft.get(one.name), Submission((), touched=False)
            entries[one.name] = untouched if words is None else Submission(one.recalled(words.removeprefix(_VALUES)))
        await self._keep(context, state, section, entries, Faults())

    def _draft(self, context: Context, section: Section[S]) -> Mapping[str, str]:
        draft = draft_in(context.interaction.message, self.verb)
        return draft if draft.get(_OF) == section.name else {}

    # --- what a click names ---------------------------------------------------------------------------------------------------

    def _section(self, context: Context, click: Click) -> Section[S]:
        found = next((section for section in self.sections if section.name == click.tokens[0]), None)
        return self._unknown(context) if found is None else found

    @staticmethod
    def _unknown(context: Context) -> NoReturn:
        """Refuse a click or form that this version of the bot does not know."""
        raise too_old(context.interaction)


def zone_field(label: Text, example: Text | None = None) -> TextField:
    """Return a field for a time zone, which people type."""
    about = say("A large city, a country, or an offset such as UTC+2")
    return TextField(name=ZONE, label=label, most=100, about=about, example=example)


def _drafted(entries: Entries) -> dict[str, str]:
    """Return the fields that were touched, in the form that a draft stores."""
    return {name: _VALUES + ",".join(entry.values) for name, entry in entries.items() if entry.touched}


def _drafts(verb: str, section: str, entered: Mapping[str, str]) -> Iterator[Draft]:
    """Yield ever shorter drafts of a section's entries. Each one drops the longest entry of the one before."""
    names = sorted(entered, key=lambda name: len(entered[name]))
    for count in range(len(names), -1, -1):
        yield Draft(verb, {_OF: section} | {name: entered[name] for name in names[:count]})


def _fitting(drafts: Iterator[Draft], message: Callable[[Draft], MessageBuilder]) -> MessageBuilder:
    """Return the message with the first draft that it has room for. The last draft fits into any message."""
    for draft in drafts:
        with suppress(TooLong):
            made = message(draft)
            draft.finish()
            return made
    raise AssertionError("the name of a section fits into a button")


def _part(setting: Setting[S], state: S, words: str | None, language: Language) -> "ui.Label[Any]":
    """Return a setting's field as part of a form. `words` is what a draft has stored for the field."""
    one, typed = setting.field, None
    if words is not None:
        typed = setting.possible(state, one.recalled(words.removeprefix(_VALUES)))
    if setting.about is not None:
        one = replace(one, about=setting.about(state))
    return one.part(language, setting.shown(state), typed=typed)
