"""What a panel of settings is made of: sections, each with what is set there, and a form that changes it."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

import discord

from bot.core.table.errors import Refused
from bot.core.table.settings import PersonSettings, ServerSettings
from bot.interactions.context import Context
from bot.interactions.time_zones import WhichZone
from bot.messages.form import Field, OneOf, SomeOf, Submission, Values
from engines.text import Text, join, say

ON: Final = say("On")
OFF: Final = say("Off")


class State(Protocol):
    """What a panel shows: the settings, and what belongs to them."""

    @property
    def settings(self) -> PersonSettings | ServerSettings:
        """The settings."""


CHANGE: Final = say("Change")
"""What stands on the button that opens a form."""

S = TypeVar("S")
Entries = Mapping[str, Submission]


class Faults:
    """What is wrong with a form. It is gathered, so that somebody is told of all of it at once."""

    def __init__(self) -> None:
        self._found: list[Refused] = []

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Note what the block refuses, and go on."""
        try:
            yield
        except Refused as error:
            self._found.append(error)

    def settle(self) -> None:
        """Raise what was found: WhichZone if nothing else is wrong, otherwise Refused with all of it."""
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise Refused(join([one.listed if isinstance(one, WhichZone) else one.text for one in self._found]))


@dataclass(frozen=True, kw_only=True)
class Setting(Generic[S]):
    """A field of a form, and what it means.

    Attributes:
        field: the field.
        shown: what stands in it at first.
        lines: what is set, in words.
        changes: the settings that change by what was entered, with their new values. It is only asked for a field that was
            touched. Raises Refused for what is not possible. None: the section says how all of its fields are kept.
        about: what stands below the label at the moment, in place of what the field says.
        possible: those of the values that were entered before which there still are.
    """

    field: Field
    shown: Callable[[S], Values]
    lines: Callable[[S], list[Text]] = lambda _: []
    changes: Callable[[Submission], Mapping[str, object]] | None = None
    about: Callable[[S], Text] | None = None
    possible: Callable[[S, Values], Values] = lambda _, values: values


@dataclass(frozen=True, kw_only=True)
class Action(Generic[S]):
    """A button that does something at once.

    Attributes:
        name: its name.
        label: what stands on it.
        carry_out: does it, and returns the title that its section has then, which says what has happened; None: it has
            answered by itself.
        offered: whether it is there.
        style: its colour.
    """

    name: str
    label: Text
    carry_out: Callable[[Context], Awaitable[Text | None]]
    offered: Callable[[S], bool] = lambda _: True
    style: discord.ButtonStyle = discord.ButtonStyle.secondary


@dataclass(frozen=True, kw_only=True)
class Section(Generic[S]):
    """A part of a panel.

    Attributes:
        name: its name.
        title: what it is about; also the title of its form.
        settings: the fields of its form, at most five; none: it has no form.
        about: an explanation, in small letters.
        lines: what is set, in words, before the lines of the settings.
        change: what stands on the button that opens the form.
        changeable: whether the form can be opened now.
        actions: its buttons besides.
        keep: keeps what was entered, and returns the title that the section has then, which says what has happened; None: it
            says whether anything was changed. By default, what the settings say themselves is kept. Raises Refused for what is
            not possible, once for all fields: see `Faults`.
    """

    name: str
    title: Text
    settings: tuple[Setting[S], ...] = ()
    about: Text | None = None
    lines: Callable[[S], list[Text]] = lambda _: []
    change: Text = CHANGE
    changeable: Callable[[S], bool] = lambda _: True
    actions: tuple[Action[S], ...] = ()
    keep: Callable[[Context, S, Entries], Awaitable[Text | None]] | None = None

    def told(self, state: S) -> list[Text]:
        """What is set, in words, one line each."""
        return [*self.lines(state), *(line for setting in self.settings for line in setting.lines(state))]

    def changes(self, entries: Entries) -> dict[str, object]:
        """The settings that change by what was entered, with their new values. Raises Refused, once for all fields."""
        changed: dict[str, object] = {}
        faults = Faults()
        for setting in self.settings:
            entry = entries.get(setting.field.name)
            if setting.changes is not None and entry is not None and entry.touched:
                with faults.gathering():
                    changed |= setting.changes(entry)
        faults.settle()
        return changed


def switches(name: str, label: Text, words: Mapping[str, Text], about: Text | None = None) -> Setting[Any]:
    """Settings that are on or off, as boxes to tick: `words` stand beside them, and in the panel, by the settings' names."""

    def lines(state: State) -> list[Text]:
        return [set_to(what, ON if getattr(state.settings, one) else OFF) for one, what in words.items()]

    def shown(state: State) -> Values:
        return tuple(one for one in words if getattr(state.settings, one))

    field = SomeOf(name=name, label=label, about=about, options=words)
    return Setting(field=field, shown=shown, lines=lines, changes=lambda entry: entry.toggled(words))


def one_of(
    name: str,
    label: Text,
    options: Mapping[str, Text],
    *,
    read: Callable[[Any], str] = str,
    kept: Callable[[str], object] = str,
    about: Text | None = None,
    menu: bool = False,
) -> Setting[Any]:
    """A setting that is one of several.

    Args:
        name: the name of the setting.
        label: what is asked for; the panel calls it so, too.
        options: their words, by their values.
        read: the value of an option by that of the setting.
        kept: the value of the setting by that of an option.
        about: what stands below the label.
        menu: whether they stand in a menu, however few they are.
    """

    def chosen(state: State) -> Values:
        value = read(getattr(state.settings, name))
        return (value,) if value in options else ()

    def lines(state: State) -> list[Text]:
        return [set_to(label, options[value]) for value in chosen(state)]

    return Setting(
        field=OneOf(name=name, label=label, about=about, options=options, menu=menu),
        shown=chosen,
        lines=lines,
        changes=lambda entry: {name: kept(entry.value)} if entry.values else {},
    )


def set_to(what: Text, chosen: Text) -> Text:
    """The line that tells what a setting is set to."""
    return say("{what}: {chosen}", what=what, chosen=chosen)


def saved(title: Text) -> Text:
    """The title of a section in which something has just been saved."""
    return say("✅ {title} · saved", title=title)


def switched_off(title: Text) -> Text:
    """The title of a section that has just been switched off."""
    return say("✅ {title} · switched off", title=title)
