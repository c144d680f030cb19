"""Words for people that can still be translated.

The engines speak English. What they say is a `Text`: an ordinary string that remembers the template it was made from and the
values that were put in, so that whoever shows it may put it into another language, or a player's name in the place of a
colour, without the engine knowing anything about languages or players.

>>> text = say("{who} captures {n} pieces.", who=seat_name(0), n=2)
>>> text
'Red captures 2 pieces.'
>>> text.render(name={0: "Ann"}.get)
'Ann captures 2 pieces.'
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Self

Translate = Callable[["Text"], str]
"""Gives the translated *template* of a text (with its placeholders), choosing the plural form by `Text.number`."""


class Text(str):  # noqa: SLOT000 - a text carries what it was made from
    """English words, with all that is needed to say them again in another language.

    Attributes:
        template: the English template, or None where `parts` says it all.
        plural: the English template for a count other than one, or None.
        number: what chooses between `template` and `plural`.
        values: what stands in the placeholders; values may be texts themselves.
        parts: texts that follow one another, parted by `separator`.
        seat: the seat this text is the name of, or None.
    """

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
        values: Mapping[str, object] | None = None,
        *,
        plural: str | None = None,
        number: int | None = None,
        parts: tuple[str, ...] = (),
        separator: str = "",
        seat: int | None = None,
    ) -> Self:
        """Build a text; `say`, `say_n`, `join` and `seat_name` are the short ways."""
        values = values or {}
        if template is None:
            english = separator.join(parts)
        else:
            chosen = template if plural is None or number == 1 else plural
            english = chosen.format_map(values)
        text = cls(english)
        text.template, text.plural, text.number = template, plural, number
        text.values, text.parts, text.separator, text.seat = values, parts, separator, seat
        return text

    def render(self, translate: Translate | None = None, name: Callable[[int], str | None] | None = None) -> str:
        """The text with its templates translated and its seats called by `name(seat)` where that gives a name."""
        if self.seat is not None and name is not None and (known := name(self.seat)) is not None:
            return known
        if self.template is None:
            return self.separator.join(str(render(part, translate, name)) for part in self.parts)
        if translate is None:
            template = self.template if self.plural is None or self.number == 1 else self.plural
        else:
            template = translate(self)
        return template.format_map({key: render(value, translate, name) for key, value in self.values.items()})


def render(value: object, translate: Translate | None = None, name: Callable[[int], str | None] | None = None) -> object:
    """`Text.render` for anything: what is no text is given back as it is."""
    return value.render(translate, name) if isinstance(value, Text) else value


def say(template: str, /, **values: object) -> Text:
    """A translatable text from an English template with named placeholders."""
    return Text.made(template, values)


def say_n(singular: str, plural: str, n: int, /, **values: object) -> Text:
    """A translatable text whose form depends on the number `n`, which is also its placeholder ``{n}``."""
    return Text.made(singular, {"n": n, **values}, plural=plural, number=n)


def join(parts: Iterable[str], separator: str = "\n") -> Text:
    """Texts one after the other; each is translated by itself."""
    return Text.made(None, parts=tuple(parts), separator=separator)


def plain(words: str) -> Text:
    """Words that are the same in every language: notation, a number, a name."""
    return join((words,))


SEAT_COLOURS: Final = (say("Red"), say("Blue"), say("Green"), say("Yellow"), say("Purple"), say("Orange"))
"""What the seats are called as long as nobody knows who sits there."""


def seat_name(seat: int) -> Text:
    """The colour a seat is called by, until somebody who knows the players puts a name in its place."""
    return Text.made(SEAT_COLOURS[seat], seat=seat)
