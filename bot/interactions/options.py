"""The options of a new table as people type them in one text: ``order:shuffled without:mats+whistle board:B.K/GeKB``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from discord import app_commands

from bot.core.table.errors import Refused
from bot.core.table.options import TABLE_OPTIONS, normal_table_options, tidy_typed
from bot.i18n.language import Language
from bot.interactions.context import responder_of
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import suggestions
from engines import GAMES
from engines.game import Game, Option
from engines.text import echoed, plain, say

_BETWEEN: Final = re.compile(r"[\s,]+")


def read_options(text: str, game: Game[Any, Any] | None) -> dict[str, str]:
    """Read a text of options. Words without a name belong to the free text before them, which may contain spaces.

    Args:
        text: the typed text.
        game: the game, or None if there is no such game.

    Raises Refused for a word that is not of the form name:value.
    """
    offered, read, last = _options_of(game), dict[str, str](), ""
    for word in filter(None, _BETWEEN.split(text)):
        name, colon, value = word.partition(":")
        if name and colon:
            read[name], last = value, name
        elif last and not colon and _is_free(offered.get(last)):
            read[last] += f" {word}"
        else:
            raise _no_option(word)
    for name, value in read.items():
        read[name] = tidy_typed(offered[name], value) if _is_free(offered.get(name)) else value
        if not read[name]:
            raise _no_option(f"{name}:")
    return read


def _no_option(word: str) -> Refused:
    return Refused(say("“{word}” isn’t an option. Options look like `order:shuffled`.", word=echoed(word)))


def _options_of(game: Game[Any, Any] | None) -> Mapping[str, Option]:
    return {**TABLE_OPTIONS, **(game.options if game is not None else {})}


def _is_free(option: Option | None) -> bool:
    return option is not None and option.check is not None


def _says_more(option: Option, words: str, fewer: str) -> bool:
    """Whether a free text means something else than with one word less. An impossible text does not."""
    check = option.check
    try:
        return check is not None and (not fewer or check(words) != check(fewer))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Typing:
    """The options of a table while they are being typed.

    Attributes:
        game: the game, or None if none is chosen yet.
        variant: the variant, or None if none is chosen yet.
        seats: the numbers of players that are possible by the other options of the command.
        language: the language of the person who types.
    """

    game: Game[Any, Any] | None
    variant: str | None
    seats: Sequence[int]
    language: Language

    def continuations(self, typed: str) -> Iterator[tuple[str, str]]:
        """Yield how the text can go on: for each continuation its label, and the whole text.

        Each continuation goes together with the options before it. A free text is offered as it was typed, and its label says
        whether it is possible, or what is wrong.
        """
        *before, last = re.split(r"[\s,]", typed)
        start = "".join(f"{word} " for word in before if word)
        try:
            chosen = read_options(start, self.game)
            self._check(chosen)
        except (Refused, ValueError) as error:
            yield self._verdict(error, typed)
            return
        name, colon, value = last.partition(":")
        if colon and name in _options_of(self.game):
            yield from self._values(start, chosen, name, value)
            return
        for name, option in _options_of(self.game).items():
            for value in (*option.values[1:], *option.suggestions):
                if name not in chosen and f"{name}:{value}".casefold().startswith(last.casefold()):
                    yield from self._fitting(start, chosen, name, value)

    def _values(self, start: str, chosen: Mapping[str, str], name: str, typed: str) -> Iterator[tuple[str, str]]:
        """Yield the values of an option that begin with the typed text; of a free option also that text itself."""
        option = _options_of(self.game)[name]
        known = [*option.values, *option.suggestions]
        if _is_free(option) and typed and typed not in known and not typed.endswith("+"):
            yield from self._free_text(start, chosen, name, typed)
        for value in known:
            if value.casefold().startswith(typed.casefold()):
                yield from self._fitting(start, chosen, name, value)
        head, plus, tail = typed.rpartition("+")
        for word, words in ((word, words) for group in option.parts for word, words in group.items()):
            longer = f"{head}{plus}{word}"
            if word.startswith(tail.casefold()) and longer not in known and _says_more(option, longer, head):
                yield from self._fitting(start, chosen, name, longer, words)

    def _fitting(
        self, start: str, chosen: Mapping[str, str], name: str, value: str, words: str | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield a value with its meaning, if it goes with the other options."""
        try:
            self._check({**chosen, name: value})
        except ValueError:
            return
        text, option = f"{start}{name}:{value}", _options_of(self.game)[name]
        told = option.words(value, {**chosen, name: value}) if words is None else words
        yield f"{text} · {self.language(told)}", text

    def _free_text(self, start: str, chosen: Mapping[str, str], name: str, typed: str) -> Iterator[tuple[str, str]]:
        """Yield a free text with a tick, or with the reason why it is not possible."""
        text = f"{start}{name}:{typed}"
        try:
            most = self._check({**chosen, name: tidy_typed(_options_of(self.game)[name], typed)})
        except ValueError as error:
            yield self._verdict(error, text)
        else:
            yield self.language(say("✓ {text} · for up to {n} players", text=plain(text), n=most)), text

    def _verdict(self, error: Exception, text: str) -> tuple[str, str]:
        reason = error.text if isinstance(error, Refused) else error.args[0]
        return f"✗ {self.language(reason)}", text

    def _check(self, options: Mapping[str, str]) -> int:
        """Return the most players that the options are possible for. Raises ValueError if they are possible for none."""
        if self.game is None:
            return 0
        variant = self.variant if self.variant in self.game.variants else self.game.variants[0]
        wrong: ValueError | None = None
        for seats in sorted(self.seats, reverse=True):
            try:
                normal_table_options(self.game, variant, seats, options)
            except ValueError as error:
                wrong = error
            else:
                return seats
        if wrong is not None:
            raise wrong
        return 0


_OPPONENTS: Final = ("opponent", "opponent2", "opponent3", "opponent4", "opponent5")


@suggestions
async def suggest_options(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest options that may be added to those typed so far."""
    chosen = interaction.namespace
    game = GAMES.get(str(getattr(chosen, "game", "") or ""))
    typing = Typing(
        game=game,
        variant=str(getattr(chosen, "variant", "") or "") or None,
        seats=_possible_seats(chosen, game) if game is not None else (),
        language=await responder_of(interaction).private_language(interaction),
    )
    return [app_commands.Choice(name=name, value=value) for name, value in typing.continuations(current)]


def _possible_seats(chosen: app_commands.Namespace, game: Game[Any, Any]) -> Sequence[int]:
    """Return the numbers of seats that the table can have, by the options typed so far."""
    invited = sum(1 for name in _OPPONENTS if getattr(chosen, name, None) is not None)
    wanted = getattr(chosen, "seats", None) or (max(1 + invited, game.seats[0]) if invited else 0)
    return [n for n in game.seats if n == wanted] or game.seats
