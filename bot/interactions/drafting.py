"""Panels that carry a draft: the handlers of their menus, and the page for a game's options."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from bot.core.table.errors import Refused, SessionError
from bot.core.table.options import tidy_typed
from bot.interactions.context import Context
from bot.interactions.handlers import ClickHandler, Tokens, handles, is_word, too_old
from bot.messages.click import Click, is_number
from bot.messages.drafts import arguments
from bot.messages.option_menus import CODE, code_form, code_shown, with_group
from bot.outbox.access import shown_texts
from engines.game import Game, Option
from engines.text import Text, say

ANY: Final = Tokens(more=is_word)
"""The tokens of a click in such a panel: its arguments, its part of the draft, and what was chosen."""


class Drafted(Protocol):
    """What a panel carries: something about a game with options."""

    @property
    def options(self) -> Mapping[str, str]:
        """The chosen options."""

    @property
    def rules(self) -> Game[Any, Any]:
        """The game. Raises Refused if none is chosen yet."""

    def with_options(self, options: Mapping[str, str], seats: int | None = None) -> Self:
        """The same with some options and seats. Raises Refused if they do not go together."""


D = TypeVar("D")
DraftedT = TypeVar("DraftedT", bound=Drafted)
Choose = Callable[[D, tuple[str, ...]], D]
"""Changes a draft by a menu's choice. Raises SessionError for an impossible one, ValueError for nonsense."""


def menu_handlers(
    verb: str,
    read: Callable[[Context], D],
    show: Callable[[Context, D, Text | None], Awaitable[None]],
    menus: Mapping[str, Choose[D]],
) -> tuple[ClickHandler, ...]:
    """Return the handlers of a panel's menus, which show it with the choice, or say why that is impossible.

    The kind in `menus` follows each menu's `verb`. `read` reads the clicked panel's draft, or raises Refused; `show` shows the
    panel, and what was wrong with the last choice.
    """

    def handler(kind: str, choose: Choose[D]) -> ClickHandler:
        async def chosen(context: Context, click: Click) -> None:
            draft = read(context)
            try:
                changed = choose(draft, arguments(click))
            except SessionError as error:
                await show(context, draft, error.text)
                return
            except (ValueError, LookupError) as error:
                raise too_old(context.interaction) from error
            await show(context, changed, None)

        return handles(f"{verb}-{kind}", tokens=ANY)(chosen)

    return tuple(handler(kind, choose) for kind, choose in menus.items())


@dataclass(frozen=True, slots=True)
class OptionPage(Generic[DraftedT]):
    """A panel's page for a game's options: its menus, its buttons, and the form for a code.

    Attributes:
        verb: how its verbs begin.
        read: reads the clicked panel's draft. Raises Refused if there is none.
        show: shows the page, what was wrong with the last choice, and the code that was typed for it.
    """

    verb: str
    read: Callable[[Context], DraftedT]
    show: Callable[[Context, DraftedT, Text | None, str], Awaitable[None]]

    @property
    def handlers(self) -> tuple[ClickHandler, ...]:
        """The handlers of all its clicks."""
        kinds = {
            "rules": self._open, "set": self._set, "parts": self._set_parts, "seats": self._set_seats, "edit": self._edit,
            "code": self._write,
        }  # fmt: skip
        return tuple(handles(f"{self.verb}-{kind}", tokens=ANY)(callback) for kind, callback in kinds.items())

    async def _open(self, context: Context, _click: Click) -> None:
        await self.show(context, self.read(context), None, "")

    async def _set(self, context: Context, click: Click) -> None:
        name, value = (*arguments(click), "", "")[:2]
        draft = self.read(context)
        _option(draft, name)
        await self._choose(context, draft, {name: value})

    async def _set_parts(self, context: Context, click: Click) -> None:
        name, number, *chosen = (*arguments(click), *("", "")[len(arguments(click)) :])
        draft = self.read(context)
        option = _option(draft, name)
        if not is_number(number) or int(number) >= len(option.parts):
            raise too_old()
        value = draft.options.get(name, option.values[0])
        await self._choose(context, draft, {name: with_group(option, value, int(number), chosen)})

    async def _set_seats(self, context: Context, click: Click) -> None:
        number = "".join(arguments(click)[:1])
        if not is_number(number):
            raise too_old()
        await self._choose(context, self.read(context), {}, seats=int(number))

    async def _edit(self, context: Context, click: Click) -> None:
        """Show the form for an option's code. The panel below it carries what was chosen."""
        name, message = "".join(arguments(click)[:1]), context.interaction.message
        _option(self.read(context), name)
        entered = "" if message is None else code_shown(shown_texts(message))
        form = code_form(Click(f"{self.verb}-code", tokens=(name,)).custom_id, entered, context.language)
        if not await context.reply.ask(form):
            raise Refused(say("That took me too long. Please press the button again."))

    async def _write(self, context: Context, click: Click) -> None:
        name, typed, draft = "".join(arguments(click)[:1]), context.entered_text(CODE), self.read(context)
        await self._choose(context, draft, {name: tidy_typed(_option(draft, name), typed)}, typed=typed)

    async def _choose(
        self, context: Context, draft: DraftedT, options: Mapping[str, str], *, seats: int | None = None, typed: str = ""
    ) -> None:
        """Show the page with some options chosen, or say why they are impossible."""
        try:
            changed = draft.with_options(options, seats)
        except Refused as refused:
            await self.show(context, draft, refused.text, typed)
            return
        await self.show(context, changed, None, "")


def _option(draft: Drafted, name: str) -> Option:
    option = draft.rules.options.get(name)
    if option is None:
        raise too_old()
    return option
