"""The terms of a game. The opener may change a table's options until somebody else has joined."""

from collections.abc import Mapping
from typing import Final
from zlib import crc32

from bot.core.change import changing
from bot.core.parts import Service
from bot.core.table.errors import Refused, TermsChanged
from bot.core.table.options import counts_for_ratings, normal_table_options, rules_for
from bot.core.table.snapshot import Snapshot, User
from engines.text import Text, nth_name, plain, say
from storage.schema.records import JobKind, SeatStatus, Status, Table

_UNTIL_JOINED: Final = say("House rules are fixed once somebody else has joined. For different ones, open a table of your own.")


def why_fixed(snapshot: Snapshot, user_id: int) -> Text | None:
    """Return why a user cannot change a table's options now, or None if they can. The text needs the players' names."""
    table = snapshot.table
    if table.status is not Status.OPEN:
        return say("The game has begun, so its rules can’t change any more.")
    if table.ladder:
        return say("Ladder challenges are played without house rules.")
    if table.matched:
        return say("You were matched for this game as it is, so its rules can’t change.")
    opener = snapshot.person(table.opened_by)
    if table.opened_by != user_id:
        who = say("Whoever opened this table")
        if opener in snapshot.players:
            who = nth_name(snapshot.players.index(opener), opener.name)
        return say("{who} sets the house rules, until somebody else joins.", who=who)
    if opener is None or opener.status is not SeatStatus.JOINED:
        return say("You’ve left this table.")
    others = (player for player in snapshot.players if player.computer is None and player.user_id != user_id)
    return _UNTIL_JOINED if any(others) else None


class Terms(Service):
    """The service that changes the options of tables before their games begin."""

    async def change(self, table_id: int, user: User, options: Mapping[str, str], seats: int | None = None) -> Snapshot:
        """Change some options of a table, and its number of `seats` if given. Whether it is rated follows from these.

        Raises:
            WrongStage: the game has begun, or the table was closed.
            Refused: the user may not change the options, or they are not possible, by themselves or together with the others,
                the variant and the seats. The text says what is possible.
        """
        async with changing(self._core, table_id) as change:
            snapshot, table = change.snapshot, change.table
            snapshot.require(Status.OPEN)
            if (reason := why_fixed(snapshot, user.id)) is not None:
                raise Refused(reason, snapshot.names)
            wanted = table.wanted if seats is None else seats
            self._check_seats(snapshot, wanted)
            chosen = self._normal_options(table, wanted, {**table.options, **options})
            if (chosen, wanted) == (table.options, table.wanted):
                return snapshot
            computers = bool(snapshot.computers)
            rated = counts_for_ratings(self._core.rules_of(table), chosen, wanted, computers=computers)
            await change.amend(options=chosen, wanted=wanted, rated=rated)
            await change.enqueue(JobKind.LOBBY)
        return change.snapshot

    def _check_seats(self, snapshot: Snapshot, wanted: int) -> None:
        """Raise Refused unless this number of seats suits the game and leaves room for everybody seated or invited."""
        game, taken = self._core.rules_of(snapshot.table), len(snapshot.players) + len(snapshot.invited)
        possible = [n for n in game.seats if n >= taken]
        if wanted not in possible:
            raise Refused(say("This table can have {n} seats.", n=plain(", ".join(map(str, possible)))))

    def _normal_options(self, table: Table, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        try:
            return normal_table_options(self._core.rules_of(table), table.variant, seats, options)
        except ValueError as error:
            raise Refused(error.args[0]) from error


def terms_mark(table: Table) -> int:
    """Return a number that changes with the table's options and seats, and when a computer keeps the table from being rated."""
    told = repr((table.variant, table.wanted, sorted(table.options.items())))
    if not table.rated and counts_for_ratings(rules_for(table), table.options, table.wanted):
        told += "unrated"
    return 1 + crc32(told.encode())


def require_same(table: Table, mark: int) -> None:
    """Raise TermsChanged if a button showed other terms than the current ones. Mark 0 is that of a button without terms."""
    if mark not in {0, terms_mark(table)}:
        raise TermsChanged(table.id)
