"""Values that are stored as JSON: results, offers, plans, reviews, analysed positions, wishes, and the rounds of events."""

from dataclasses import dataclass, replace
from typing import Final

from pydantic import ConfigDict, with_config

from storage.schema.kinds import Ending, Level, OfferKind, TournamentActor, TournamentDeed

STRICT: Final = with_config(ConfigDict(extra="forbid", strict=True))
"""The configuration of these classes, which read back only what they write. Anything else makes a row unreadable."""


@STRICT
@dataclass(frozen=True, kw_only=True)
class Result:
    """How a game ended.

    Attributes:
        winners: the seats that won: none, one, or several that share the win.
        reason: the reason, as an English sentence for the log.
        ladder: the winner's places on the ladder before and after a challenge, or None if no challenge was won.
        rating_share: how much of a rated game counts for the ratings, from 0 to 1, or None if all of it counts.
    """

    winners: tuple[int, ...]
    how: Ending
    reason: str
    ladder: tuple[int, int] | None = None
    rating_share: float | None = None


@STRICT
@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An offer to which everybody who is still in the game must agree.

    Attributes:
        by: the seat that made it.
        agreed: the seats that have agreed so far, in ascending order and including `by`.
        version: the version of the board with which it lapses, or None if it does not lapse.
    """

    by: int
    agreed: tuple[int, ...]
    version: int | None = None


@STRICT
@dataclass(frozen=True, kw_only=True)
class Handover:
    """A player's offer of their seat to the user `to`, who is not in the game yet."""

    by: int
    seat: int
    to: int


@STRICT
@dataclass(frozen=True, kw_only=True)
class Relief(Proposal):
    """A proposal that a computer of this level should take over a vacated seat, on the board on which the seat was left."""

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
        """Return the open offer of this kind, or None if there is none."""
        offer: Proposal | Handover | None = getattr(self, kind)
        return offer

    def without(self, *kinds: OfferKind) -> "Offers":
        """Return the offers, leaving out those of these kinds."""
        return replace(self, **dict.fromkeys(kinds))


NOTHING: Final = Offers()
"""The offers at a table where nothing has been offered."""


@STRICT
@dataclass(frozen=True, kw_only=True)
class Question:
    """A message with buttons, which asks people for an answer or reminds a person of their turn.

    Attributes:
        offer: the kind of offer that it asks about, or None for an invitation to the table or a reminder.
        channel_id, message_id: the message, which may be a direct one.
        seat, turn: for a reminder, the seat that is reminded, and of which turn.
    """

    offer: OfferKind | None = None
    channel_id: int
    message_id: int
    seat: int | None = None
    turn: int | None = None

    @property
    def about(self) -> tuple[OfferKind | None, int | None]:
        """What the message asks about. At one table, a newer message about the same thing replaces it."""
        return self.offer, self.seat


@STRICT
@dataclass(frozen=True)
class Reply:
    """A conditional move ("If they play …, I play …"), and the plan for the position after both moves.

    Attributes:
        theirs: the action that is answered, as tokens.
        mine: the action that is then played.
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
        number: the number of the entry, or 0 for the start.
        chances: how likely each seat was to win, from 0 to 1. It is empty if unknown.
    """

    number: int
    chances: tuple[float, ...] = ()


@STRICT
@dataclass(frozen=True)
class Choice:
    """A player's action, compared with the best one.

    Attributes:
        number: the number of its entry in the log.
        best: how likely the seat was to win with the best action, from 0 to 1, or None if unknown.
        played: the same with the action that was played, before anything was drawn by chance.
        line: the best action, and how the game could have gone on, as seats and their actions.
        praise: the praise that the action has earned, one of `opponents.reviewing.Praise`, or "".
    """

    number: int
    best: float | None = None
    played: float | None = None
    line: tuple[tuple[int, tuple[str, ...]], ...] = ()
    praise: str = ""

    @property
    def lost(self) -> float | None:
        """How much of the chance to win the action gave away, from 0 to 1, or None if unknown."""
        return None if self.best is None or self.played is None else max(0.0, self.best - self.played)


@STRICT
@dataclass(frozen=True)
class Node:
    """A position of an analysis, described by what led to it from its parent.

    Attributes:
        parent: the number of the parent. 0 is the root, and 1 is the first node.
        seat: the seat that acted.
        action: the seat's action as tokens, or empty if the seat left the game.
        drawn: what was drawn by chance on the way, in order, each from 0 to one less than the number of possibilities.
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
        seats: the numbers of players. If it is empty, any number will do.
        rated: whether the result should count for the ratings, or None if it does not matter.
        games: how many games they want at a time.
        days: for how many days they are willing to wait.
        most_late: the highest percentage of time-outs that they accept in others, or None if it does not matter.
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
    """A game of an event, whose players are given by the numbers of their entries.

    It is stored for `bot.features.tournaments.rules.rounds.Game`.

    Attributes:
        seats: the players, in the order of the seats.
        table_id: the table where it is played, or None if that has not been opened yet or the game was decided without one.
        places: the place of each seat. It is empty while the game goes on.
        ending: how the game ended, one of `bot.features.tournaments.rules.rounds.Ending`.
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
    """A round of an event, with the players who have a bye, and those who have no game in this round of a round robin."""

    games: tuple[TournamentGame, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()


@STRICT
@dataclass(frozen=True, kw_only=True)
class TournamentAct:
    """Something that was done to an event other than by playing.

    Attributes:
        at: when it was done, in seconds since the epoch.
        entry: the number of the entry that it is about, or None.
        round: the number of the round that it is about, from 0, or None.
        game: the number of the game in that round, from 0, or None.
    """

    at: float
    deed: TournamentDeed
    by: TournamentActor
    entry: int | None = None
    round: int | None = None
    game: int | None = None
