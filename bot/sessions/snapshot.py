"""A table as it stands at one moment: what everything that shows or judges a table works from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.sessions.errors import NotSeated, WrongStage
from bot.sessions.history import History
from engines.game import Outcome
from engines.text import Text, plain, say, seat_name
from storage.records import Ending, Seat, SeatStatus, Status, Table

FORMER_PLAYER: Final = say("a former player")
"""What somebody is called who wants to be forgotten. Such seats have ids below zero (`Writer.forget`)."""

REASONS: Final[Mapping[Ending, Text]] = {
    Ending.AGREED: say("agreed to a draw"),
    Ending.ABANDONED: say("abandoned"),
    Ending.CLOSED: say("closed by a moderator"),
}
"""Why a game ended, where that was not the rules' doing."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who does something: a Discord user's id, and how they are called here."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table with its people and, once it has started, its game."""

    table: Table
    people: tuple[Seat, ...]
    history: History | None = None
    away: tuple[tuple[int, float], ...] = ()
    """Who of those waited for is on vacation: user id, and until when."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """Who sits (or sat) at the table; once the game has started, in the order of the game's seats."""
        return tuple(p for p in self.people if p.status in {SeatStatus.JOINED, SeatStatus.WITHDRAWN})

    @property
    def present(self) -> tuple[int, ...]:
        """The seats whose players are still in the game."""
        return tuple(seat for seat, player in enumerate(self.players) if player.status is SeatStatus.JOINED)

    @property
    def invited(self) -> tuple[Seat, ...]:
        """Who has been asked and has not answered."""
        return tuple(p for p in self.people if p.status is SeatStatus.INVITED)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat; in the place of a forgotten one a text, to be put into the reader's language."""
        return tuple(p.name if p.user_id > 0 else FORMER_PLAYER for p in self.players)

    @property
    def free(self) -> int:
        """Seats that are neither taken nor kept for somebody who was invited."""
        return self.table.wanted - len(self.players) - len(self.invited)

    @property
    def playing(self) -> History:
        """The history of a game that has started. Raises WrongStage if it has not."""
        if self.history is None:
            raise WrongStage(say("The game at table #{n} has not started yet.", n=self.table.id))
        return self.history

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The players who are waited for."""
        if self.history is None or self.table.status is not Status.PLAYING:
            return ()
        players = self.players
        return tuple(players[seat] for seat in self.history.to_act)

    def person(self, user_id: int) -> Seat | None:
        """How somebody stands to the table, or None."""
        return next((p for p in self.people if p.user_id == user_id), None)

    def open_to(self, user_id: int) -> bool:
        """Whether somebody may look at the table: a private one is for those who sit there, are invited, or offered a seat."""
        offered = self.table.offers.substitute
        return (
            not self.table.private
            or self.person(user_id) is not None
            or (offered is not None and offered.to == user_id)
        )  # fmt: skip

    def seat_of(self, user_id: int) -> int | None:
        """The seat of somebody who plays, or None; also of somebody who has left the game."""
        return next((i for i, p in enumerate(self.players) if p.user_id == user_id), None)

    def own_seat(self, user_id: int) -> int:
        """The seat of somebody who plays. Raises NotSeated."""
        seat = self.seat_of(user_id)
        if seat is None:
            raise NotSeated(say("You do not play at table #{n}.", n=self.table.id))
        return seat

    def viewpoint(self, user_id: int) -> int | None:
        """From which seat somebody may look: their own while they play, else None, the spectator's."""
        seat = self.seat_of(user_id)
        if seat is None or self.players[seat].status is not SeatStatus.JOINED:
            return None
        return seat

    def require(self, status: Status) -> None:
        """Raise WrongStage unless the table is at this stage."""
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
        """How the game ended, in words, or None while it lasts."""
        ended = self.table.outcome
        if ended is None:
            return None
        if ended.how is not Ending.RULES:
            return Outcome(ended.winners, REASONS[ended.how])
        outcome = None if self.history is None else self.history.outcome
        return outcome or Outcome(ended.winners, plain(ended.reason))

    def result(self) -> Text | None:
        """One line on how the game ended, or None while it lasts."""
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
