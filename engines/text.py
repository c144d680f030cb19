"""Text for people that can still be translated.

The engines speak English. Their words are a `Text`: an ordinary string that remembers the template and the values from which it
was made. The program that shows it can put it into another language, or put a player's name in place of a colour. The engines
know nothing about languages or players.

>>> text = say("{who} captures {n} pieces.", who=seat_name(0), n=2)
>>> text
'Red captures 2 pieces.'
>>> text.render(name={0: "Ann"}.get)
'Ann captures 2 pieces.'
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Final, Self

Translate = Callable[["Text"], str]
"""A function that returns a text's *template* (with placeholders) in translation, in the plural form for `Text.number`."""


_NO_VALUES: Final[Mapping[str, object]] = {}


class Text(str):
    """An English string with everything that is needed to say the same in another language.

    Attributes:
        template: the English template, or None if the text consists of `parts`, separated by `separator`.
        plural: the English template for a count (`number`) other than one, or None.
        values: the values of the placeholders, which may be texts themselves.
        seat: the seat whose name this text is, or another index in the list of names, or None.
    """

    __slots__ = ("number", "parts", "plural", "seat", "separator", "template", "values")

    template: str | None
    plural: str | None
    number: int | None
    values: Mapping[str, object]
    parts: tuple[str, ...]
    separator: str
    seat: int | None

    @classmethod
    def made(
        cls,
        template: str | None,
        values: Mapping[str, object] = _NO_VALUES,
        *,
        plural: str | None = None,
        number: int | None = None,
        parts: tuple[str, ...] = (),
        separator: str = "",
        seat: int | None = None,
    ) -> Self:
        """Build a text. `say`, `say_n`, `join` and `seat_name` are the short forms."""
        if template is None:
            text = cls(separator.join(parts))
        else:
            text = cls((template if plural is None or number == 1 else plural).format_map(values))
        text.template = template
        text.plural = plural
        text.number = number
        text.values = values
        text.parts = parts
        text.separator = separator
        text.seat = seat
        return text

    def render(self, translate: Translate | None = None, name: Callable[[int], str | None] | None = None) -> str:
        """Return the text with its templates translated. A seat is called by `name(seat)`, unless that returns None."""
        if self.seat is not None and name is not None and (known := name(self.seat)) is not None:
            return known
        if self.template is None:
            parts = [part.render(translate, name) if isinstance(part, Text) else part for part in self.parts]
            return self.separator.join(parts)
        if translate is None:
            template = self.template if self.plural is None or self.number == 1 else self.plural
        else:
            template = translate(self)
        values = {
            key: value.render(translate, name) if isinstance(value, Text) else value for key, value in self.values.items()
        }
        return template.format_map(values)


def render(value: object, translate: Translate | None = None, name: Callable[[int], str | None] | None = None) -> object:
    """Return `Text.render` for a `Text`; any other value is returned unchanged."""
    return value.render(translate, name) if isinstance(value, Text) else value


def say(template: str, /, **values: object) -> Text:
    """Return a translatable text from an English template with named placeholders."""
    return Text.made(template, values) if values else _fixed(template)


@cache
def _fixed(template: str) -> Text:
    """Return the text of a template without placeholders. There are as many of them as the program writes out."""
    return Text.made(template)


def say_n(singular: str, plural: str, n: int, /, **values: object) -> Text:
    """Return a translatable text whose form depends on the number `n`, which also fills the placeholder ``{n}``."""
    return Text.made(singular, {"n": n, **values}, plural=plural, number=n)


def join(parts: Iterable[str], separator: str = "\n") -> Text:
    """Return a text that consists of these texts, one after another. Each is translated separately."""
    return Text.made(None, parts=tuple(parts), separator=separator)


def plain(words: str) -> Text:
    """Return words that are the same in every language: notation, a number, a name."""
    return join((words,))


SEAT_COLOURS: Final = (say("Red"), say("Blue"), say("Green"), say("Yellow"), say("Purple"), say("Orange"))
"""The names of the seats until the players' names are known."""


_SEAT_NAMES: Final = tuple(Text.made(colour, seat=seat) for seat, colour in enumerate(SEAT_COLOURS))


BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Characters that count as letters or symbols in Unicode but show nothing: Hangul fillers, and the empty Braille cell."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"})


def is_visible(words: str) -> bool:
    """Whether a reader could see anything of these words."""
    return any(c not in BLANK_LETTERS and unicodedata.category(c) not in _UNSEEN for c in words)


def typed_line(typed: str) -> str:
    """Return typed text as it is kept, shown and given to Discord: as one line, without anything that cannot be seen.

    Any white space, including line breaks, becomes a single space, and there is none at either end. Characters that Unicode
    counts as not printable (control and formatting characters, private and unassigned ones, surrogates) are left out.
    Everything else stays.
    """
    return " ".join("".join(character for character in " ".join(typed.split()) if character.isprintable()).split())


ECHOED_AT_MOST: Final = 60


def echoed(typed: str) -> Text:
    """Return typed text as an error repeats it: on one line, without control characters, and not too long."""
    words = typed_line(typed[: 10 * ECHOED_AT_MOST])
    return plain(words if len(words) <= ECHOED_AT_MOST else words[: ECHOED_AT_MOST - 1] + "…")


def nth_name(number: int, name: str) -> Text:
    """Return a name that `Text.render` can replace with the safely written one at this index. The seats' names come first."""
    return Text.made(None, parts=(name,), seat=number)


def seat_name(seat: int) -> Text:
    """Return the colour of a seat, which `Text.render` can replace with the player's name."""
    return _SEAT_NAMES[seat]
