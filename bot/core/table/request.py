"""The request for a table, and the checks whether it is possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.core.table.computer_players import Computer
from bot.core.table.errors import Refused
from bot.core.table.options import most_seats, normal_table_options
from bot.core.table.snapshot import User
from engines import GAMES
from engines.game import Game
from engines.text import echoed, say
from storage.schema.records import Level

OPEN_TABLES_EACH: Final = 10
"""How many open or running tables one person may have opened on a server, unless the server's settings say otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRequest:
    """A request for a table.

    Attributes:
        variant: the id of the variant, or None for the game's first.
        options: the options of the game and of the table, by name.
        opponents: the people to invite, in seating order, and computers, which need no invitation.
        computers: the levels of further computers, who sit behind everybody else.
        seats: the most players. If it is None, there is a seat for everybody named or, if nobody is, as many seats as possible.
        clock: the seconds per turn, or None for no clock.
        strict: whether the first missed deadline loses the game, without a period of grace.
        private: whether only invited people may join.
        solo: whether nothing is posted, because the opener plays against computers alone, in private messages.
        most_tables: how many open or running tables the opener may have on the server, including this one.
        place: the opener's place among the opponents. It is 0, the first, unless a rematch moves the seats.
        threaded: whether the game is played in a thread of its own.
        thread_id: the thread in which the game is played, if there already is one.
        rematch_of: the number of the finished table of which this is a rematch.
        interaction_id: the click or command that asks for the table.
        asks_threads: whether the opener manages the server, and may be asked, once, whether tables get threads.
        ladder: whether it is a ladder challenge, with one opponent and two seats.
        answered: whether a command's answer will show the table, so that the outbox waits for that.
    """

    guild_id: int
    channel_id: int
    game: str
    variant: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    opponents: Sequence[User | Computer] = ()
    computers: Sequence[Level] = ()
    seats: int | None = None
    clock: int | None = None
    strict: bool = False
    private: bool = False
    solo: bool = False
    most_tables: int = OPEN_TABLES_EACH
    place: int = 0
    threaded: bool = False
    thread_id: int | None = None
    rematch_of: int | None = None
    interaction_id: int | None = None
    asks_threads: bool = False
    ladder: bool = False
    answered: bool = False

    @property
    def with_computers(self) -> bool:
        """Whether computers will sit at the table from the beginning."""
        return bool(self.computers) or any(isinstance(opponent, Computer) for opponent in self.opponents)


def wanted_seats(game: Game[Any, Any], variant: str, opener: User, request: TableRequest) -> int:
    """Return the number of seats that the table gets. Raises Refused if the opponents or the number of seats are impossible."""
    ids = [user.id for user in request.opponents]
    named = len(ids) + len(request.computers)
    if opener.id in ids:
        raise Refused(say("You’re already in. Invite somebody else!"))
    if len(set(ids)) < len(ids):
        raise Refused(say("You’ve named somebody twice."))
    fewest, most = game.seats[0], game.seats[-1]
    wanted = request.seats
    if wanted is None:
        wanted = max(1 + named, fewest) if named else most_seats(game, variant, request.options)
    if wanted not in game.seats:
        if fewest == most:
            raise Refused(say("{game} is for {n} players.", game=game.title, n=most))
        raise Refused(say("{game} is for {fewest} to {most} players.", game=game.title, fewest=fewest, most=most))
    if 1 + named > wanted:
        raise Refused(say("That’s more opponents than seats."))
    return wanted


def require_game(game_id: str, games: Mapping[str, Game[Any, Any]] = GAMES) -> Game[Any, Any]:
    """Return the game with this id. Raises Refused if there is none."""
    game = games.get(game_id)
    if game is None:
        raise Refused(say("There’s no game “{game}”. There are: {games}.", game=echoed(game_id), games=", ".join(games)))
    return game


def variant_of(game: Game[Any, Any], variant: str | None) -> str:
    """Return the variant that the table gets. Raises Refused if the game does not have it."""
    chosen = game.variants[0] if variant is None else variant
    if chosen not in game.variants:
        raise Refused(say("{game} has no variant “{variant}”. There are: {variants}.", game=game.title, variant=echoed(chosen),
                          variants=", ".join(game.variants)))  # fmt: skip
    return chosen


def options_of(game: Game[Any, Any], variant: str, seats: int, given: Mapping[str, str]) -> dict[str, str]:
    """Return the options that the table gets, in normal form. Raises Refused if they are not possible."""
    try:
        return normal_table_options(game, variant, seats, given)
    except ValueError as error:
        raise Refused(error.args[0]) from error


SETUPS: Final[Mapping[str, Mapping[str, str]]] = {"pucks": {"setup": "random"}}
"""The options of practice games, by game, which spare beginners a long set-up by hand."""
