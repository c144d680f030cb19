"""The values in rows that are stored as JSON: results, offers, plans, reviews, analysed positions, wishes, rounds of events."""

from dataclasses import dataclass, replace
from typing import Final

from pydantic import ConfigDict, with_config

from storage.schema.kinds import Ending, Level, OfferKind, TournamentActor, TournamentDeed

STRICT: Final = with_config(ConfigDict(extra="forbid", strict=True))
"""For their classes: only what these write is read back; anything else makes a row unreadable."""


@STRICT
@dataclass(frozen=True, kw_only=True)
class Result:
    """How a game ended.

    Attributes:
        winners: the seats that won; empty if nobody did, several if they share the win.
        how: in which way it ended.
        reason: the reason, as an English sentence for the log.
        ladder: the winner's places on the ladder before and after a challenge, or None if nobody has won one.
        rating_share: how much of a rated game counts for the ratings, 0 to 1, or None for all of it.
    """

    winners: tuple[int, ...]
    how: Ending
    reason: str
    ladder: tuple[int, int] | None = None
    rating_share: float | None = None


@STRICT
@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An offer to which everybody who is still in the game has to agree.

    Attributes:
        by: the seat that made it.
        agreed: the seats that have agreed so far, in ascending order, including `by`.
        version: the version of the board that it was made on, with which it lapses; None for one that does not.
    """

    by: int
    agreed: tuple[int, ...]
    version: int | None = None


@STRICT
@dataclass(frozen=True, kw_only=True)
class Handover:
    """A seat that is offered to a person who does not play yet.

    Attributes:
        by: the seat that offers it.
        seat: the seat that is offered.
        to: the id of the user it is offered to.
    """

    by: int
    seat: int
    to: int


@STRICT
@dataclass(frozen=True, kw_only=True)
class Relief(Proposal):
    """A proposal that a computer takes a seat that was left, on the board on which it was left.

    Attributes:
        seat: the seat.
        level: how well the computer plays.
    """

    seat: int
    level: Level


@STRICT
@dataclass(frozen=True, kw_only=True)
class Offers:
    """The open offers at a table, at most one of each kind."""

    draw: Proposal | None = None
    undo: Proposal | None = None
    substitute: Handover | None = None
    computer: Relief | None = None
    call_off: Proposal | None = None

    def of(self, kind: OfferKind) -> Proposal | Handover | None:
        """Return the open offer of this kind, or None."""
        offer: Proposal | Handover | None = getattr(self, kind)
        return offer

    def without(self, *kinds: OfferKind) -> "Offers":
        """Return the offers except those of these kinds."""
        return replace(self, **dict.fromkeys(kinds))


NOTHING: Final = Offers()
"""The offers at a table where nothing is on offer."""


@STRICT
@dataclass(frozen=True, kw_only=True)
class Question:
    """A message that asks people for an answer, by buttons that everybody sees, or a person for their turn.

    Attributes:
        offer: the kind of the offer that it asks about, or None for an invitation to the table and for a reminder.
        channel_id, message_id: the message, which may be a direct one.
        seat, turn: of a reminder, the seat that is reminded, and of which turn.
    """

    offer: OfferKind | None = None
    channel_id: int
    message_id: int
    seat: int | None = None
    turn: int | None = None

    @property
    def about(self) -> tuple[OfferKind | None, int | None]:
        """What the message asks about. A newer one about the same at the same table takes its place."""
        return self.offer, self.seat


@STRICT
@dataclass(frozen=True)
class Reply:
    """A conditional move: "If they play …, I play …", and the plan for the position after both.

    Attributes:
        theirs: the action that it answers, as tokens.
        mine: the action that is played then.
        then: the replies to what may be played after that.
    """

    theirs: tuple[str, ...]
    mine: tuple[str, ...]
    then: tuple["Reply", ...] = ()


@STRICT
@dataclass(frozen=True)
class Standing:
    """How everybody stood after an entry of the log.

    Attributes:
        number: the number of the entry, or 0 at the start.
        chances: how likely each seat was to win, 0 to 1. Empty if that could not be found out.
    """

    number: int
    chances: tuple[float, ...] = ()


@STRICT
@dataclass(frozen=True)
class Choice:
    """A player's action, compared with the best one.

    Attributes:
        number: the number of its entry.
        best: how likely its seat was to win with the best action, 0 to 1, or None if that could not be found out.
        played: the same with the action that was played, before anything was drawn.
        line: what the best action is, and how the game could have gone on: seats and actions.
        praise: the praise that it has earned, one of `opponents.reviewing.Praise`, or "".
    """

    number: int
    best: float | None = None
    played: float | None = None
    line: tuple[tuple[int, tuple[str, ...]], ...] = ()
    praise: str = ""

    @property
    def lost(self) -> float | None:
        """How much of the chance to win it gave away, 0 to 1, or None if that could not be found out."""
        return None if self.best is None or self.played is None else max(0.0, self.best - self.played)


@STRICT
@dataclass(frozen=True)
class Node:
    """A position of an analysis, by the way that led there from the position before it.

    Attributes:
        parent: the number of the position before it: 0 is the root, 1 the first node.
        seat: the seat that acted.
        action: its action as tokens. Empty if the seat left the game.
        drawn: what was drawn on the way, in order: each from 0 to one less than the number of possibilities.
    """

    parent: int
    seat: int
    action: tuple[str, ...]
    drawn: tuple[int, ...] = ()


@STRICT
@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What a person would like to play.

    Attributes:
        plays: the games, each with a variant: "bouncers/8x8-16".
        clocks: the clocks, in seconds for a turn.
        seats: the numbers of players, empty for any.
        rated: whether the result should count for the ratings, or None if it does not matter.
        games: how many games they want at a time.
        days: for how many days they would wait.
        most_late: the greatest percentage of time-outs that they accept in others, or None if it does not matter.
    """

    plays: tuple[str, ...] = ()
    clocks: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    rated: bool | None = None
    games: int = 1
    days: int = 7
    most_late: int | None = None


@STRICT
@dataclass(frozen=True, kw_only=True)
class TournamentGame:
    """A game of an event, whose players are the numbers of entries. See `bot.features.tournaments.rules.rounds.Game`.

    Attributes:
        seats: the players in the order of the seats.
        table_id: the table at which it is played, or None if that has yet to be opened or the game was decided without one.
        places: the place of each seat; empty while it goes on.
        ending: how it ended, one of `bot.features.tournaments.rules.rounds.Ending`.
        timeouts: how many turns of each seat timed out.
    """

    seats: tuple[int, ...]
    table_id: int | None = None
    places: tuple[int, ...] = ()
    ending: str = "played"
    timeouts: tuple[int, ...] = ()


@STRICT
@dataclass(frozen=True, kw_only=True)
class TournamentRound:
    """A round of an event. See `bot.features.tournaments.rules.rounds.Round`.

    Attributes:
        games: its games.
        byes: who has a bye.
        rests: who has no game in it, in a round robin.
    """

    games: tuple[TournamentGame, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()


@STRICT
@dataclass(frozen=True, kw_only=True)
class TournamentAct:
    """Something that was done to an event other than by playing.

    Attributes:
        at: when, in seconds since the epoch.
        deed: what.
        by: who has done it.
        entry: the number of the entry that it is about, if any.
        round: the number of the round that it is about, from 0, if any.
        game: the number of the game in that round, from 0, if it is about one.
    """

    at: float
    deed: TournamentDeed
    by: TournamentActor
    entry: int | None = None
    round: int | None = None
    game: int | None = None
