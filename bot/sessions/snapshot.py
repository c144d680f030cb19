"""The state of a table at one moment, on which all messages and all decisions about the table are based."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.sessions.errors import NotSeated, WrongStage
from bot.sessions.history import History
from engines.game import Outcome
from engines.text import Text, plain, say, seat_name
from storage.records import Ending, Seat, SeatStatus, Status, Table

FORMER_PLAYER: Final = say("a former player")
"""The name shown for somebody who has asked to be forgotten. The user ids of such seats are negative (see `Writer.forget`)."""

REASONS: Final[Mapping[Ending, Text]] = {
    Ending.AGREED: say("agreed to a draw"),
    Ending.ABANDONED: say("abandoned"),
    Ending.CLOSED: say("closed by a moderator"),
}
"""Why a game ended, for the endings that do not come from its rules."""


@dataclass(frozen=True, slots=True)
class User:
    """A Discord user who does something: their id and their display name."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table with its people and, once it has started, its game."""

    table: Table
    people: tuple[Seat, ...]
    history: History | None = None
    away: tuple[tuple[int, float], ...] = ()
    """The awaited players who are on vacation: their user ids, and when the vacation ends, in seconds since the epoch."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """The people who sit (or sat) at the table; once the game has started, in the order of its seats."""
        return tuple(p for p in self.people if p.status in {SeatStatus.JOINED, SeatStatus.WITHDRAWN})

    @property
    def present(self) -> tuple[int, ...]:
        """The seats whose players are still in the game."""
        return tuple(seat for seat, player in enumerate(self.players) if player.status is SeatStatus.JOINED)

    @property
    def invited(self) -> tuple[Seat, ...]:
        """The people who have been invited and have not answered."""
        return tuple(p for p in self.people if p.status is SeatStatus.INVITED)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat. The name of a forgotten player is a `Text`, to be translated for the reader."""
        return tuple(p.name if p.user_id > 0 else FORMER_PLAYER for p in self.players)

    @property
    def free(self) -> int:
        """The number of seats that are neither taken nor reserved by an invitation."""
        return self.table.wanted - len(self.players) - len(self.invited)

    @property
    def playing(self) -> History:
        """The history of a game that has started. Raises WrongStage if it has not."""
        if self.history is None:
            raise WrongStage(say("The game at table #{n} has not started yet.", n=self.table.id))
        return self.history

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The players that the game is waiting for; empty if it is not running."""
        if self.history is None or self.table.status is not Status.PLAYING:
            return ()
        players = self.players
        return tuple(players[seat] for seat in self.history.to_act)

    def person(self, user_id: int) -> Seat | None:
        """Somebody's seat or invitation at the table, whatever its status, or None."""
        return next((p for p in self.people if p.user_id == user_id), None)

    def open_to(self, user_id: int) -> bool:
        """Whether somebody may look at the table.

        A private table is open to those who sit there, have played there or have been invited, and to somebody who is offered a
        seat. It is closed to those who have declined, left before the game, or handed their seat over.
        """
        if not self.table.private:
            return True
        known, offered = self.person(user_id), self.table.offers.substitute
        there = known is not None and known.status is not SeatStatus.DECLINED
        return there or (offered is not None and offered.to == user_id)

    def seat_of(self, user_id: int) -> int | None:
        """The seat number of a player, or None. Players who have left the game keep theirs."""
        return next((i for i, p in enumerate(self.players) if p.user_id == user_id), None)

    def own_seat(self, user_id: int) -> int:
        """The seat number of a player. Raises NotSeated if they do not play here."""
        seat = self.seat_of(user_id)
        if seat is None:
            raise NotSeated(say("You do not play at table #{n}.", n=self.table.id))
        return seat

    def viewpoint(self, user_id: int) -> int | None:
        """The seat whose view somebody may see: their own while they are in the game, otherwise None, the spectator's view."""
        seat = self.seat_of(user_id)
        if seat is None or self.players[seat].status is not SeatStatus.JOINED:
            return None
        return seat

    def require(self, status: Status) -> None:
        """Raise WrongStage unless the table has this status."""
        if self.table.status is status:
            return
        n = self.table.id
        text = {
            Status.OPEN: say("The game at table #{n} has not started yet.", n=n),
            Status.PLAYING: say("The game at table #{n} has already started.", n=n),
            Status.FINISHED: say("The game at table #{n} is over.", n=n),
            Status.CLOSED: say("Table #{n} has been closed.", n=n),
        }[self.table.status]
        raise WrongStage(text)

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is going on."""
        ended = self.table.outcome
        if ended is None:
            return None
        if ended.how is not Ending.RULES:
            return Outcome(ended.winners, REASONS[ended.how])
        outcome = None if self.history is None else self.history.outcome
        return outcome or Outcome(ended.winners, plain(ended.reason))

    def result(self) -> Text | None:
        """One line on how the game ended, or None while it is going on."""
        outcome = self.outcome()
        if outcome is None:
            return None
        match outcome.winners:
            case ():
                return say("Nobody wins: {reason}", reason=outcome.reason)
            case (winner,):
                return say("{who} wins: {reason}", who=seat_name(winner), reason=outcome.reason)
            case (first, *others):
                both: Text = seat_name(first)
                for other in others:
                    both = say("{some} and {who}", some=both, who=seat_name(other))
                return say("{who} win together: {reason}", who=both, reason=outcome.reason)
        return None
