"""What an organiser chooses for a tournament before opening it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from bot.core.table.errors import Refused
from bot.core.table.request import require_game, variant_of
from bot.core.table.settings import CLOCKS, DAY, HOUR
from bot.features.tournaments.rules.formats import FORMATS, Format
from bot.features.tournaments.service import LONGEST_NAME
from bot.features.tournaments.view import TournamentRequest, options_at_all_tables
from bot.messages.click import is_number
from engines import GAMES
from engines.game import Game
from engines.text import Text, is_visible, say, typed_line

STARTS: Final[Mapping[str, tuple[float, Text]]] = {
    "1h": (HOUR, say("in an hour")), "6h": (6 * HOUR, say("in six hours")), "1d": (DAY, say("this time tomorrow")),
    "2d": (2 * DAY, say("in two days")), "3d": (3 * DAY, say("in three days")), "7d": (7 * DAY, say("in a week")),
    "14d": (14 * DAY, say("in two weeks")), "28d": (28 * DAY, say("in four weeks")),
}  # fmt: skip
"""When a tournament can start, by option. Each is given in seconds from now and in words."""

_OPTION: Final = "."
"""The prefix of an option's name in a draft."""

_NUMBERS: Final = ("days", "players", "timeouts")


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPlan:
    """An organiser's choices for a tournament.

    Without a name, it is named after the game and the format. None stands for the usual variant, and for no limit on players or
    on time-outs (in percent). `start` and `clock` are keys of `STARTS` and `CLOCKS`.
    """

    game: str
    format: str
    name: str = ""
    variant: str | None = None
    start: str = "2d"
    clock: str = "1d"
    days: int = 7
    players: int | None = None
    timeouts: int | None = None
    rated: bool = True
    thread: bool = True
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, chosen: Mapping[str, str]) -> Self | None:
        """Read the choices that a panel carries. Return None if no panel would carry them."""
        known = {name: chosen[name] for name in _NUMBERS if name in chosen}
        fits = chosen.get("game") in GAMES and chosen.get("format") in FORMATS and all(map(is_number, known.values()))
        start, clock = chosen.get("start", "2d"), chosen.get("clock", "1d")
        if not fits or start not in STARTS or clock not in CLOCKS:
            return None
        numbers = {name: int(value) for name, value in known.items()}
        return cls(
            game=chosen["game"], format=chosen["format"], name=chosen.get("name", ""), variant=chosen.get("variant"),
            start=start, clock=clock, days=numbers.get("days", 7), players=numbers.get("players"),
            timeouts=numbers.get("timeouts"), rated="unrated" not in chosen, thread="unthreaded" not in chosen,
            options={name[1:]: value for name, value in chosen.items() if name.startswith(_OPTION)},
        )  # fmt: skip

    @property
    def chosen(self) -> dict[str, str]:
        """The choices as words, for a panel to carry."""
        numbers = {"days": self.days, "players": self.players, "timeouts": self.timeouts}
        words = {
            "game": self.game, "format": self.format, "name": self.name, "variant": self.variant or "", "start": self.start,
            "clock": self.clock, "unrated": "yes" * (not self.rated), "unthreaded": "yes" * (not self.thread),
        }  # fmt: skip
        words |= {name: str(number) for name, number in numbers.items() if number is not None}
        return words | {f"{_OPTION}{name}": value for name, value in self.options.items()}

    def named(self, typed: str) -> Self:
        """Return the plan with a name that was typed. Raises Refused if the name is invisible or too long."""
        name = typed_line(typed)
        if not is_visible(name) or len(name) > LONGEST_NAME:
            raise Refused(say("An event needs a name, at most {n} characters long.", n=LONGEST_NAME))
        return replace(self, name=name)

    @property
    def rules(self) -> Game[Any, Any]:
        """The chosen game."""
        return require_game(self.game)

    @property
    def pairing(self) -> Format:
        """The chosen format."""
        return FORMATS[self.format]

    def with_game(self, game_id: str) -> Self:
        """Return the plan for another game, without the choices that belonged to the previous game."""
        return replace(self, game=require_game(game_id).id, variant=None, options={})

    def with_options(self, options: Mapping[str, str], seats: int | None = None) -> Self:
        """Return the plan with these options. Raises Refused if some table can't have them, or the format rules out `seats`."""
        system, variant = self.pairing.system, variant_of(self.rules, self.variant)
        if seats not in {None, *range(system.smallest, system.largest + 1)}:
            raise Refused(say("The format says how many people play at a table."))
        return replace(self, options=options_at_all_tables(self.rules, variant, system, {**self.options, **options}))

    def request(self, guild_id: int, channel_id: int, title: str, *, has_threads: bool) -> TournamentRequest:
        """Return the request. `title` is its name if none was chosen; `has_threads` says whether its place allows threads."""
        return TournamentRequest(
            guild_id=guild_id, channel_id=channel_id, name=self.name or title, game=self.game, format=self.format,
            variant=self.variant, most=self.players, clock=CLOCKS[self.clock] or int(DAY),
            round_seconds=int(self.days * DAY), starts_in=STARTS[self.start][0], rated=self.rated, most_late=self.timeouts,
            options=self.options, threaded=self.thread and has_threads,
        )  # fmt: skip
