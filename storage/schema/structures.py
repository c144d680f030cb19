"""Values stored as JSON: results, offers, plans, reviews, analysed positions, wishes, rounds of events."""

from dataclasses import dataclass, replace
from typing import Final

from pydantic import ConfigDict, with_config

from storage.schema.kinds import Ending, Level, OfferKind, TournamentActor, TournamentDeed

STRICT: Final = with_config(ConfigDict(extra="forbid", strict=True))
"""Config for the classes here: only what they write is read back; anything else makes a row unreadable."""


@STRICT
@dataclass(frozen=True, kw_only=True)
class Result:
    """How a game ended.

    Attributes:
        winners: the seats that won: none, one, or several that share the win.
        reason: the reason, as an English sentence for the log.
        ladder: the winner's places on the ladder before and after a challenge, or None if nobody won one.
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
    """An offer that everybody still in the game must agree to.

    Attributes:
        by: the seat that made it.
        agreed: the seats that have agreed so far, in ascending order, including `by`.
        version: the version of the board with which it lapses, or None if it doesn't.
    """

    by: int
    agreed: tuple[int, ...]
    version: int | None = None


@STRICT
@dataclass(frozen=True, kw_only=True)
class Handover:
    """A seat offered by a player to the user `to`, who isn't playing yet."""

    by: int
    seat: int
    to: int


@STRICT
@dataclass(frozen=True, kw_only=True)
class Relief(Proposal):
    """A proposal that a computer of this level takes a vacated seat, on the board on which it was left."""

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
"""The offers at a table with nothing on offer."""


@STRICT
@dataclass(frozen=True, kw_only=True)
class Question:
    """A message with buttons that asks people for an answer, or a person for their turn.

    Attributes:
        offer: the kind of offer it asks about, or None for an invitation to the table or a reminder.
        channel_id, message_id: the message, which may be a direct one.
        seat, turn: for a reminder, the seat reminded, and of which turn.
    """

    offer: OfferKind | None = None
    channel_id: int
    message_id: int
    seat: int | None = None
    turn: int | None = None

    @property
    def about(self) -> tuple[OfferKind | None, int | None]:
        """What the message asks about. At a table, a newer message about the same replaces it."""
        return self.offer, self.seat


@STRICT
@dataclass(frozen=True)
class Reply:
    """A conditional move: "If they play …, I play …", and the plan for the position after both.

    Attributes:
        theirs: the action it answers, as tokens.
        mine: the action played then.
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
        chances: how likely each seat was to win, 0 to 1, or empty if unknown.
    """

    number: int
    chances: tuple[float, ...] = ()


@STRICT
@dataclass(frozen=True)
class Choice:
    """A player's action, compared with the best one.

    Attributes:
        number: the number of its entry.
        best: how likely its seat was to win with the best action, 0 to 1, or None if unknown.
        played: the same with the action played, before anything was drawn.
        line: the best action, and how the game could have gone on: seats and actions.
        praise: the praise it has earned, one of `opponents.reviewing.Praise`, or "".
    """

    number: int
    best: float | None = None
    played: float | None = None
    line: tuple[tuple[int, tuple[str, ...]], ...] = ()
    praise: str = ""

    @property
    def lost(self) -> float | None:
        """How much of the chance to win it gave away, 0 to 1, or None if unknown."""
        return None if self.best is None or self.played is None else max(0.0, self.best - self.played)


@STRICT
@dataclass(frozen=True)
class Node:
    """A position of an analysis, given by what led there from its parent.

    Attributes:
        parent: the number of the parent: 0 is the root, 1 the first node.
        seat: the seat that acted.
        action: its action as tokens, or empty if the seat left the game.
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
        rated: whether the result should count for the ratings, or None if it doesn't matter.
        games: how many games they want at a time.
        days: how many days they would wait.
        most_late: the highest percentage of time-outs they accept in others, or None if it doesn't matter.
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
    """A game of an event, whose players are numbers of entries. See `bot.features.tournaments.rules.rounds.Game`.

    Attributes:
        seats: the players in the order of the seats.
        table_id: the table where it is played, or None if that is yet to be opened or the game was decided without one.
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
    """A round of an event: who has a bye, and who rests in a round robin; see `bot.features.tournaments.rules.rounds.Round`."""

    games: tuple[TournamentGame, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()


@STRICT
@dataclass(frozen=True, kw_only=True)
class TournamentAct:
    """Something done to an event other than by playing.

    Attributes:
        at: when, in seconds since the epoch.
        entry: the number of the entry it is about, if any.
        round: the number of the round it is about, from 0, if any.
        game: the number of the game in that round, from 0, if any.
    """

    at: float
    deed: TournamentDeed
    by: TournamentActor
    entry: int | None = None
    round: int | None = None
    game: int | None = None
