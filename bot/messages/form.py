"""Forms: the fields of modals. Their custom_ids mark the values shown, so that sending a form changes only what was touched."""

from abc import ABC, abstractmethod
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.errors import Refused
from bot.i18n.language import Language
from bot.messages.builder import OPTION_LIMIT, OPTIONS_AT_MOST, TITLE_LIMIT, Item, clip
from bot.messages.click import LONGEST, is_number
from engines.text import Text, echoed, join, say, typed_line

Values = tuple[str, ...]
"""A field's contents: its text, the chosen options, or the ids of channels or roles. They may be empty."""

GROUP_AT_MOST: Final = 10
"""The most options that are all shown at once. If there are more, they become a menu."""

ABOUT_LIMIT: Final = 100
"""The most characters below a field's label, and in a field's example."""

_BETWEEN: Final = ":"
_LONGEST_MARK: Final = 8


class Form(ui.Modal):
    """A form of up to five fields (see `Field.part`). Like a `Layout`, it is never called back."""

    def __init__(self, title: str, custom_id: str, *parts: "ui.Label[Any]") -> None:
        super().__init__(title=clip(title, TITLE_LIMIT), custom_id=custom_id)
        for part in parts:
            self.add_item(part)

    def is_finished(self) -> bool:
        """Always return True, so that discord.py does not keep the form."""
        return True


@dataclass(frozen=True, slots=True)
class Submission:
    """What came back from a field, whether it was `touched`, and what it held before as marks of `width` characters each."""

    values: Values
    touched: bool = True
    was: frozenset[str] = frozenset()
    width: int = _LONGEST_MARK

    @property
    def value(self) -> str:
        """The only value, or an empty text if there is none."""
        return self.values[0] if self.values else ""

    def toggled(self, among: Iterable[str]) -> dict[str, bool]:
        """Return the changed values of `among` and of the field: True for each that was added, and False for each removed."""
        return {
            one: one in self.values
            for one in dict.fromkeys((*among, *self.values))
            if (_mark(one, self.width) in self.was) != (one in self.values)
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(ABC):
    """A field of a form, with its name (with which its custom_id begins), its label, and smaller text `about` it."""

    name: str
    label: Text
    about: Text | None = None

    def part(
        self, language: Language, shown: Values = (), *, marked: bool = True, typed: Values | None = None
    ) -> "ui.Label[Any]":
        """Return the field in a form. It shows `typed`, which was refused, or else `shown`, which is remembered if `marked`."""
        custom_id = _custom_id(self.name, shown) if marked else self.name
        about = None if self.about is None else clip(language(self.about), ABOUT_LIMIT)
        label = clip(language(self.label), TITLE_LIMIT)
        standing = shown if typed is None else typed
        return ui.Label(text=label, description=about, component=self._item(custom_id, standing, language))

    def recalled(self, words: str) -> Values:
        """Return the values that `words` lists, separated by commas, but not those that the field cannot have."""
        return tuple(one for one in words.split(",") if self._can_have(one))

    def _can_have(self, value: str) -> bool:
        """Whether a value may stand in the field when a form is opened."""
        return is_number(value)

    @abstractmethod
    def _item(self, custom_id: str, shown: Values, language: Language) -> Item:
        """Return the component to be filled in."""

    @abstractmethod
    def _check(self, values: Values, resolved: Mapping[str, Any]) -> None:
        """Raise Refused for contents that the field cannot have, since Discord does not vouch for them."""

    def read(self, data: Mapping[str, Any]) -> Submission | None:
        """Return what has come back from the field in a sent form, or None if the form has no such field. Raises Refused."""
        for custom_id, found in entered(data.get("components", [])):
            name, *rest = custom_id.split(_BETWEEN)
            if name == self.name:
                values = tuple(dict.fromkeys(one for value in found if (one := typed_line(value))))
                self._check(values, data.get("resolved") or {})
                return _entry(values, rest)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField(Field):
    """A line of at most `most` characters. Unless `needed`, it may be empty. While it is empty, it shows a grey `example`."""

    most: int
    needed: bool = True
    example: Text | None = None

    def recalled(self, words: str) -> Values:
        """Return what was typed."""
        return (words,) if words else ()

    def _item(self, custom_id: str, shown: Values, language: Language) -> Item:
        example = None if self.example is None else clip(language(self.example), ABOUT_LIMIT)
        default = "".join(shown)[: self.most] or None
        return ui.TextInput(
            custom_id=custom_id, max_length=self.most, default=default, required=self.needed, placeholder=example
        )

    def _check(self, values: Values, resolved: Mapping[str, Any]) -> None:
        if len("".join(values)) > self.most:
            raise Refused(say("“{text}” is too long. At most {n} characters fit.", text=echoed("".join(values)), n=self.most))


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf(Field):
    """A choice of one among `options` (words by value). All are in sight unless there are many or they are in a `menu`."""

    options: Mapping[str, Text]
    menu: bool = False
    needed: bool = False

    def _can_have(self, value: str) -> bool:
        return value in self.options

    def _item(self, custom_id: str, shown: Values, language: Language) -> Item:
        needed = self.needed or any(value in self.options for value in shown)
        told = [(value, clip(language(words), OPTION_LIMIT), value in shown) for value, words in self.options.items()]
        if self.menu or len(told) > GROUP_AT_MOST:
            options = [discord.SelectOption(label=label, value=value, default=default) for value, label, default in told]
            return ui.Select(custom_id=custom_id, options=options[:OPTIONS_AT_MOST], required=needed, min_values=int(needed))
        group = [discord.RadioGroupOption(label=label, value=value, default=default) for value, label, default in told]
        return ui.RadioGroup(custom_id=custom_id, options=group, required=needed)

    def _check(self, values: Values, resolved: Mapping[str, Any]) -> None:
        if len(values) > 1:
            raise Refused(say("Pick one of: {choices}.", choices=join(tuple(self.options.values()), ", ")))
        _check_offered(values, self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeOf(Field):
    """Options that can be ticked independently; `options` has their words by value."""

    options: Mapping[str, Text]

    def _can_have(self, value: str) -> bool:
        return value in self.options

    def _item(self, custom_id: str, shown: Values, language: Language) -> Item:
        boxes = [
            discord.CheckboxGroupOption(label=clip(language(words), OPTION_LIMIT), value=value, default=value in shown)
            for value, words in self.options.items()
        ]
        return ui.CheckboxGroup(custom_id=custom_id, options=boxes, required=False, min_values=0, max_values=len(boxes))

    def _check(self, values: Values, resolved: Mapping[str, Any]) -> None:
        _check_offered(values, self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels(Field):
    """Channels of the server, by id: at least `least` and at most `most` of them, of certain types."""

    types: Sequence[discord.ChannelType]
    least: int = 0
    most: int = 1

    def _item(self, custom_id: str, shown: Values, language: Language) -> Item:
        known = [discord.SelectDefaultValue(id=int(one), type=discord.SelectDefaultValueType.channel) for one in shown]
        return ui.ChannelSelect(
            custom_id=custom_id, channel_types=list(self.types), default_values=known[: self.most],
            min_values=self.least, max_values=self.most, required=bool(self.least),
        )  # fmt: skip

    def _check(self, values: Values, resolved: Mapping[str, Any]) -> None:
        known, types = resolved.get("channels") or {}, {one.value for one in self.types}
        if len(values) > self.most or any(one not in known or known[one].get("type") not in types for one in values):
            raise Refused(say("I can’t use that channel. Pick one of those that the form offers."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles(Field):
    """A role of the server, by id, or none."""

    def _item(self, custom_id: str, shown: Values, language: Language) -> Item:
        known = [discord.SelectDefaultValue(id=int(one), type=discord.SelectDefaultValueType.role) for one in shown]
        return ui.RoleSelect(custom_id=custom_id, default_values=known[:1], min_values=0, max_values=1, required=False)

    def _check(self, values: Values, resolved: Mapping[str, Any]) -> None:
        if len(values) > 1 or any(one not in (resolved.get("roles") or {}) for one in values):
            raise Refused(say("I can’t find that role. Pick one of those that the form offers."))


def entered(components: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the custom_id and the contents of each field of a sent form."""
    for component in components:
        values, value = component.get("values"), component.get("value")
        if isinstance(values, list):
            yield str(component.get("custom_id", "")), [str(one) for one in values]
        elif "value" in component:
            yield str(component.get("custom_id", "")), [value] if isinstance(value, str) else []
        inner = component.get("component")
        yield from entered([*component.get("components", []), *([] if inner is None else [inner])])


def _check_offered(values: Values, options: Mapping[str, Text]) -> None:
    for value in values:
        if value not in options:
            raise Refused(say("There’s no “{chosen}”. Pick from: {choices}.", chosen=echoed(value),
                              choices=join(tuple(options.values()), ", ")))  # fmt: skip


def _custom_id(name: str, shown: Values) -> str:
    """Return the custom_id of a field that remembers its contents. The more values there are, the shorter their marks."""
    width = min(_LONGEST_MARK, (LONGEST - len(name) - 3) // max(1, len(shown)))
    return _BETWEEN.join((name, str(width), "".join(_mark(value, width) for value in shown)))


def _mark(value: str, width: int) -> str:
    return urlsafe_b64encode(blake2b(value.encode(), digest_size=6).digest()).decode()[:width]


def _entry(values: Values, rest: Sequence[str]) -> Submission:
    """Return what has come back from a field, given the rest of its custom_id. A field without marks counts as touched."""
    if len(rest) != 2 or not rest[0].isdecimal() or not 0 < int(rest[0][:2]) <= _LONGEST_MARK:
        return Submission(values)
    width, marks = int(rest[0]), rest[1]
    was = frozenset(marks[at : at + width] for at in range(0, len(marks), width))
    return Submission(values, {_mark(value, width) for value in values} != was, was, width)
