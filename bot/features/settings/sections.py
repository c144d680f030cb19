"""The parts of a settings panel: sections, each with its settings and with a form that changes them."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

import discord

from bot.core.table.errors import Refused
from bot.core.table.settings import PersonSettings, ServerSettings
from bot.interactions.context import Context
from bot.interactions.time_zones import WhichZone
from bot.messages.builder import Button
from bot.messages.form import Field, OneOf, SomeOf, Submission, Values
from engines.text import Text, join, say

ON: Final = say("On")
OFF: Final = say("Off")


class PanelState(Protocol):
    """What a panel shows: settings, and whatever else belongs to them."""

    @property
    def settings(self) -> PersonSettings | ServerSettings:
        """The settings that the panel shows."""


CHANGE: Final = say("Change")
"""The label of the button that opens a form."""


S = TypeVar("S")
Entries = Mapping[str, Submission]


class Faults:
    """All that is wrong with a form, gathered so that it can be reported at once."""

    def __init__(self) -> None:
        self._found: list[Refused] = []

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Add any Refused that the block raises to the faults, and go on."""
        try:
            yield
        except Refused as error:
            self._found.append(error)

    def settle(self) -> None:
        """Raise WhichZone if it is the only fault, or else Refused with all faults, if there are any."""
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise Refused(join([one.listed if isinstance(one, WhichZone) else one.text for one in self._found]))


@dataclass(frozen=True, kw_only=True)
class Setting(Generic[S]):
    """A field of a form, and the setting that it changes.

    Attributes:
        shown: returns the field's initial values.
        lines: returns the current setting in words.
        changes: maps a touched entry to the changed settings, or raises Refused. None if the section saves all its fields
            together.
        about: returns the text below the label, if that depends on the state.
        possible: returns those of the previously entered values that still exist.
    """

    field: Field
    shown: Callable[[S], Values]
    lines: Callable[[S], list[Text]] = lambda _: []
    changes: Callable[[Submission], Mapping[str, object]] | None = None
    about: Callable[[S], Text] | None = None
    possible: Callable[[S, Values], Values] = lambda _, values: values


@dataclass(frozen=True, kw_only=True)
class Action(Generic[S]):
    """A button that acts at once. `carry_out` acts and returns a section title that says so, or `opens` shows a message."""

    name: str
    label: Text
    carry_out: Callable[[Context], Awaitable[Text]] | None = None
    opens: Callable[[Context, Button], Awaitable[None]] | None = None
    offered: Callable[[S], bool] = lambda _: True
    style: discord.ButtonStyle = discord.ButtonStyle.secondary


@dataclass(frozen=True, kw_only=True)
class Section(Generic[S]):
    """A part of a panel.

    Attributes:
        title: what the section is about, which is also the title of its form.
        settings: the fields of its form, at most five. Without any, the section has no form.
        lines: returns the current state in words, to come before the lines of the settings.
        change: the label of the button that opens the form, which is there while the section is `changeable`.
        actions: the section's other buttons.
        keep: saves what was entered, and returns a section title that says what has happened, or None for the usual title.
            Raises Refused once for all fields (see `Faults`). By default, the changes that the settings make are saved.
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
        """Return the current settings in words, one line each."""
        return [*self.lines(state), *(line for setting in self.settings for line in setting.lines(state))]

    def changes(self, entries: Entries) -> dict[str, object]:
        """Return the changed settings with their new values. Raises Refused once for all fields."""
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
    """Return a setting for several switches, as boxes to tick. `words` are the boxes' labels, by the name of the switch."""

    def lines(state: PanelState) -> list[Text]:
        return [set_to(what, ON if getattr(state.settings, one) else OFF) for one, what in words.items()]

    def shown(state: PanelState) -> Values:
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
    """Return a setting with several options. `read` turns a value into an option, `kept` the reverse. `menu` forces a menu."""

    def chosen(state: PanelState) -> Values:
        value = read(getattr(state.settings, name))
        return (value,) if value in options else ()

    def lines(state: PanelState) -> list[Text]:
        return [set_to(label, options[value]) for value in chosen(state)]

    return Setting(
        field=OneOf(name=name, label=label, about=about, options=options, menu=menu),
        shown=chosen,
        lines=lines,
        changes=lambda entry: {name: kept(entry.value)} if entry.values else {},
    )


def set_to(what: Text, chosen: Text) -> Text:
    """Return the line that says what a setting is set to."""
    return say("{what}: {chosen}", what=what, chosen=chosen)


def saved(title: Text) -> Text:
    """Return a section's title after saving."""
    return say("✅ {title} · saved", title=title)


def switched_off(title: Text) -> Text:
    """Return a section's title after switching it off."""
    return say("✅ {title} · switched off", title=title)
