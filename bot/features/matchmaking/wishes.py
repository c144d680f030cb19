"""The wishes that people can have for a game, and the tables that fit them."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from bot.core.table.errors import Refused
from bot.core.table.options import counts_for_ratings, normal_table_options
from bot.core.table.settings import CLOCKS, DAY, ServerSettings
from bot.features.matchmaking.rules import Terms
from engines import GAMES
from engines.text import say
from storage.schema.structures import Wishes

PLAYS: Final[Mapping[str, tuple[str, str]]] = {
    f"{game.id}/{variant}": (game.id, variant) for game in GAMES.values() if game.seats[-1] > 1 for variant in game.variants
}
"""The games that people can seek, by key: the game's id and a variant."""

TURNS: Final = tuple(seconds for seconds in CLOCKS.values() if seconds)
"""The clocks that can be chosen, in seconds for a turn. Each sets a limit, as nobody knows how long a stranger might take."""

SEATS: Final = tuple(sorted({seats for game in GAMES.values() for seats in game.seats if seats > 1}))

DAYS: Final = (1, 3, 7, 14)
"""The numbers of days for which people can wait, as a menu offers them. Any whole number up to the last one is valid."""

GAMES_AT_A_TIME: Final = (1, 2, 3)

MOST_LATE: Final = (5, 10, 25)
"""The percentages of time-outs that people can set as the most they accept in others."""

AVOIDED_AT_MOST: Final = 25
"""The maximum number of people whom somebody can avoid, which is as many as a Discord menu can select."""

NO_CHOICE: Final = say("That can’t be chosen. Open `/match` again, and pick from its menus.")


def first_wishes(server: ServerSettings) -> Wishes:
    """Return the wishes of somebody who has not chosen anything yet: the server's clock, and no game."""
    return Wishes(clocks=(server.clock if server.clock in TURNS else int(DAY),))


def check(wishes: Wishes) -> None:
    """Raise Refused for wishes that no menu offers. This is needed because a click can be forged."""
    chosen = (
        (wishes.plays, PLAYS), (wishes.clocks, TURNS), (wishes.seats, SEATS), ((wishes.days,), range(1, DAYS[-1] + 1)),
        ((wishes.games,), GAMES_AT_A_TIME), ((wishes.most_late,), (None, *MOST_LATE)),
    )  # fmt: skip
    if not all(set(values) <= set(possible) for values, possible in chosen):
        raise Refused(NO_CHOICE)


def terms_of(wishes: Wishes) -> tuple[Terms, ...]:
    """Return the terms of each table that fits these wishes."""
    return tuple(_terms_of(wishes))


def _terms_of(wishes: Wishes) -> Iterator[Terms]:
    rated = (True, False) if wishes.rated is None else (wishes.rated,)
    for game_id, variant in (PLAYS[play] for play in wishes.plays if play in PLAYS):
        for seats in (seats for seats in GAMES[game_id].seats if seats > 1 and seats in (wishes.seats or SEATS)):
            for terms in (Terms(game_id, variant, seats, clock, counts) for clock in wishes.clocks for counts in rated):
                if is_possible(terms):
                    yield terms


def is_possible(terms: Terms) -> bool:
    """Whether a table can have these terms."""
    game = GAMES[terms.game]
    with suppress(ValueError):
        options = normal_table_options(game, terms.variant, terms.seats, options_of(terms))
        return counts_for_ratings(game, options, terms.seats) is terms.rated
    return False


def options_of(terms: Terms) -> dict[str, str]:
    """Return the options of a table with these terms, without house rules."""
    return {} if terms.rated else {"rated": "no"}
