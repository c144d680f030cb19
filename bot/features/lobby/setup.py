"""The set-up of a table: everything that is chosen about it before it is opened."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from bot.core.table.errors import Refused
from bot.core.table.options import TABLE_OPTIONS, most_seats, normal_table_options
from bot.core.table.request import require_game, variant_of
from bot.core.table.settings import CLOCKS
from bot.core.table.snapshot import Snapshot
from bot.messages.click import is_number
from bot.messages.players import read_level
from engines import GAMES
from engines.game import Game
from engines.text import echoed, plain, say
from storage.schema.records import Grace, Level

OPPONENTS_AT_MOST: Final = 5
"""The maximum number of people who can be invited, as the largest games are for six."""

NOBODY_ELSE: Final = say(
    "Nobody could take the free seats of a private table that nobody’s invited to. Invite people, or fill it with computers."
)
"""Why a private set-up may not have free seats if nobody is invited."""

_ID: Final = re.compile(r"[0-9a-z]{1,13}")
"""A person's id as a set-up's text has it: in base 36, a third shorter than in decimal."""

_OPTION: Final = "."
"""The prefix of an option's name in a set-up's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What somebody has chosen for a table.

    Attributes:
        game: the id of the game, or empty if none is chosen yet.
        variant: the id of the variant, or None for the usual one.
        opponents: the ids of the people to invite.
        computer: the level of the computers, or None if there are none.
        computers: the number of computers, or 0 to fill every seat for which nobody is invited.
        seats: the number of seats. None means one for everybody named or, if that leaves it open, as many as possible.
        clock: the time for a turn, as a key of `CLOCKS`, or None for the server's usual one.
        strict: whether a player in a game of two loses it by missing a single deadline.
        thread: whether the table gets its own thread, or None for what is usual on the server.
        private: whether the game can be seen only by the people invited or, with only computers, by nobody else.
        options: the options of the game and of the table.
        replaces: the number of the open table that this one replaces, or 0.
    """

    game: str = ""
    variant: str | None = None
    opponents: tuple[int, ...] = ()
    computer: Level | None = None
    computers: int = 1
    seats: int | None = None
    clock: str | None = None
    strict: bool = False
    thread: bool | None = None
    private: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    replaces: int = 0

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        """Return the set-up of an open table, so that it can be changed and opened in the table's place."""
        table, words = snapshot.table, {seconds: word for word, seconds in CLOCKS.items()}
        computers = [player.computer for player in snapshot.players if player.computer is not None]
        fill = len(computers) > 1 and not snapshot.free
        return cls(
            game=table.game, variant=table.variant, opponents=tuple(person.user_id for person in snapshot.invited),
            computer=computers[0] if computers else None, computers=0 if fill else max(1, len(computers)),
            seats=table.wanted, clock=words.get(table.clock or 0),
            strict=table.grace is Grace.STRICT, thread=table.threaded, private=table.private, options=table.options,
            replaces=table.id,
        )  # fmt: skip

    @classmethod
    def read(cls, chosen: Mapping[str, str]) -> Self | None:
        """Read a set-up from the words that a panel carries, or return None if no panel would carry these."""
        people, seats, replaces = chosen.get("with", ""), chosen.get("seats", ""), chosen.get("replaces", "0")
        several = chosen.get("computers", "1")
        ids = people.split("-") if people else []
        numbers = [replaces, several, *([seats] if seats else [])]
        if chosen.get("game", "") not in {"", *GAMES} or not all(is_number(number) for number in numbers):
            return None
        if int(several) > OPPONENTS_AT_MOST or not all(_ID.fullmatch(one) for one in ids):
            return None
        with suppress(Refused):
            return cls(
                game=chosen.get("game", ""), variant=chosen.get("variant"), opponents=tuple(int(one, 36) for one in ids),
                computer=read_level(chosen["computer"]) if "computer" in chosen else None, computers=int(several),
                seats=int(seats) if seats else None, clock=chosen.get("clock"), strict="strict" in chosen,
                thread=chosen["thread"] == "yes" if "thread" in chosen else None, private="private" in chosen,
                options={name[1:]: value for name, value in chosen.items() if name.startswith(_OPTION)},
                replaces=int(replaces),
            )  # fmt: skip
        return None

    @property
    def chosen(self) -> dict[str, str]:
        """The set-up as the words that a panel carries."""
        thread = {} if self.thread is None else {"thread": "yes" if self.thread else "no"}
        words = {
            "game": self.game, "variant": self.variant or "", "with": "-".join(map(_short, self.opponents)),
            "computer": self.computer or "", "computers": "" if self.computers == 1 else str(self.computers),
            "seats": "" if self.seats is None else str(self.seats), "clock": self.clock or "",
            "strict": "yes" * self.strict, **thread, "private": "yes" * self.private,
            "replaces": str(self.replaces or ""),
        }  # fmt: skip
        return words | {f"{_OPTION}{name}": value for name, value in self.options.items()}

    @property
    def solo(self) -> bool:
        """Whether nobody else can see the game."""
        return self.private and self.computer is not None and not self.opponents

    @property
    def rules(self) -> Game[Any, Any]:
        """The game that is chosen. Raises Refused if none is."""
        if not self.game:
            raise Refused(say("Pick a game first."))
        return require_game(self.game)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The level of each computer at the table. Raises Refused if there are too few seats for them."""
        if self.computer is None:
            return ()
        left = self.wanted - 1 - len(self.opponents)
        if left < max(1, self.computers):
            raise Refused(say("There’s no seat left for a computer. Choose more seats, or invite fewer people."))
        return (self.computer,) * (self.computers or left)

    @property
    def least_seats(self) -> int:
        """The number of seats needed for everybody named."""
        return 1 + len(self.opponents) + (0 if self.computer is None else max(1, self.computers))

    @property
    def wanted(self) -> int:
        """How many seats the table would have."""
        game = self.rules
        if self.seats is not None:
            return self.seats
        named = self.least_seats
        counted = named > 1 and (self.computer is None or self.computers > 0)
        return max(named, game.seats[0]) if counted else most_seats(game, variant_of(game, self.variant), self.options)

    def turn_seconds(self, usual: int | None) -> int | None:
        """Return a turn's seconds, or None without a clock. `usual` is the server's. Raises Refused for an unknown clock."""
        if self.clock is None:
            return usual
        if self.clock not in CLOCKS:
            clocks = ", ".join(CLOCKS)
            raise Refused(say("There’s no clock “{clock}”. Pick from: {clocks}.", clock=echoed(self.clock), clocks=clocks))
        return CLOCKS[self.clock] or None

    def with_game(self, game_id: str) -> Self:
        """Return the set-up for another game, without the choices that apply only to the previous one."""
        kept = {name: value for name, value in self.options.items() if name in TABLE_OPTIONS}
        return replace(self, game=require_game(game_id).id, variant=None, computers=1, seats=None, options=kept)

    def with_options(self, options: Mapping[str, str], seats: int | None = None) -> Self:
        """Return the set-up with these options and seats. If they do not go together, raises Refused with what is possible."""
        game, wanted = self.rules, self.wanted if seats is None else seats
        if wanted not in game.seats:
            raise Refused(say("This table can have {n} seats.", n=plain(", ".join(map(str, game.seats)))))
        try:
            chosen = normal_table_options(game, variant_of(game, self.variant), wanted, {**self.options, **options})
        except ValueError as error:
            raise Refused(error.args[0]) from error
        return replace(self, options=chosen, seats=self.seats if seats is None else seats)


def _short(user_id: int) -> str:
    digits = ""
    while user_id:
        user_id, digit = divmod(user_id, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"
