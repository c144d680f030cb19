"""Panels that carry a draft, such as a table's: showing them, and handling their menus, options page and opening."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from bot.core.table.errors import Refused, SessionError
from bot.core.table.options import tidy_typed
from bot.interactions.context import Context
from bot.interactions.handlers import Callback, ClickHandler, Tokens, handles, is_word, too_old
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click, TooLong, is_number
from bot.messages.drafts import TOO_MUCH, arguments, draft_in, too_much, turn_in
from bot.messages.option_menus import CODE, code_form, code_shown, with_group
from bot.outbox.access import shown_texts
from engines.game import Game, Option
from engines.text import Text, say

ANY: Final = Tokens(more=is_word)
"""The tokens of a click in such a panel: the click's arguments, its part of the draft, and what was chosen."""


class Drafted(Protocol):
    """The draft that a panel carries, of something about a game with options."""

    @property
    def options(self) -> Mapping[str, str]:
        """The options chosen so far."""

    @property
    def rules(self) -> Game[Any, Any]:
        """The game. Raises Refused if none has been chosen."""

    def with_options(self, options: Mapping[str, str], seats: int | None = None) -> Self:
        """Return the draft with these options and seats. Raises Refused if they do not go together."""


DraftedT = TypeVar("DraftedT", bound=Drafted)
Choose = Callable[[DraftedT, tuple[str, ...]], DraftedT]
"""Applies a menu's choice to a draft. Raises SessionError if that is impossible, or ValueError if the choice is malformed."""


@dataclass(frozen=True, slots=True)
class DraftPanel(Generic[DraftedT]):
    """A private panel that carries a draft, with a page for the options of its game.

    Attributes:
        verb: the beginning of the verbs of its clicks.
        parse: reads the draft that a panel carries, or returns None if it carries none.
        front: makes the panel from the draft, the reason why the last choice is impossible, and its turn (see `turn_in`).
        page: makes the page of options from the same values, and the code that was typed.
        open: opens what was drafted. Raises Refused.
        menus: how each menu changes the draft, by the kind of its click.
    """

    verb: str
    parse: Callable[[Mapping[str, str]], DraftedT | None]
    front: Callable[[Context, DraftedT, Text | None, int], Awaitable[MessageBuilder]]
    page: Callable[[Context, DraftedT, Text | None, int, str], Awaitable[MessageBuilder]]
    open: Callable[[Context, DraftedT], Awaitable[None]]
    menus: Mapping[str, Choose[DraftedT]]

    def read(self, context: Context) -> DraftedT:
        """Return the draft of the panel that was clicked on. Raises Refused if it carries none."""
        draft = self.parse(draft_in(context.interaction.message, self.verb))
        if draft is None:
            raise too_old(context.interaction)
        return draft

    async def show(self, context: Context, draft: DraftedT, wrong: Text | None = None) -> None:
        """Show the panel, with the reason why the last choice is impossible, if it is."""
        try:
            message = await self.front(context, draft, wrong, self._turn(context, wrong))
        except TooLong:
            message = too_much(context.language)
        await context.reply.show(message)

    @property
    def handlers(self) -> tuple[ClickHandler, ...]:
        """The handlers of all clicks in the panel."""
        kinds: dict[str, Callback] = {
            **{kind: partial(self._pick, choose) for kind, choose in self.menus.items()},
            "open": self._open, "back": self._back, "rules": self._open_page, "set": self._set, "parts": self._set_parts,
            "seats": self._set_seats, "edit": self._edit, "code": self._write,
        }  # fmt: skip
        return tuple(handles(f"{self.verb}-{kind}", tokens=ANY)(callback) for kind, callback in kinds.items())

    def _turn(self, context: Context, wrong: Text | None) -> int:
        return turn_in(context.interaction.message, self.verb, refused=wrong is not None)

    async def _pick(self, choose: Choose[DraftedT], context: Context, click: Click) -> None:
        draft = self.read(context)
        try:
            changed = choose(draft, arguments(click))
        except SessionError as error:
            await self.show(context, draft, error.text)
            return
        except (ValueError, LookupError) as error:
            raise too_old(context.interaction) from error
        await self.show(context, changed)

    async def _open(self, context: Context, _click: Click) -> None:
        """Open what was drafted, or show the panel with the reason why that is impossible."""
        draft = self.read(context)
        try:
            await self.open(context, draft)
        except Refused as refused:
            if refused.names:
                raise
            await self.show(context, draft, refused.text)

    async def _back(self, context: Context, _click: Click) -> None:
        await self.show(context, self.read(context))

    async def _show_page(self, context: Context, draft: DraftedT, wrong: Text | None = None, typed: str = "") -> None:
        try:
            message = await self.page(context, draft, wrong, self._turn(context, wrong), typed)
        except TooLong:
            await self.show(context, self.read(context), TOO_MUCH)
            return
        await context.reply.show(message)

    async def _open_page(self, context: Context, _click: Click) -> None:
        await self._show_page(context, self.read(context))

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
        """Show the form for the code of an option. The panel behind it keeps carrying the draft."""
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
        """Show the page with these options, or with the reason why they are impossible."""
        try:
            changed = draft.with_options(options, seats)
        except Refused as refused:
            await self._show_page(context, draft, refused.text, typed)
            return
        await self._show_page(context, changed)


def _option(draft: Drafted, name: str) -> Option:
    option = draft.rules.options.get(name)
    if option is None:
        raise too_old()
    return option
