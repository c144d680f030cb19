"""The rows of tournaments. `columns` explains how rows are declared."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import (
    EMPTIED,
    EXPORTED,
    KEPT,
    RENAMED,
    Backfilled,
    ExportedAs,
    OnForget,
    References,
    Withheld,
    stored,
)
from storage.schema.domains import (
    JOINS,
    Bytes32,
    Count,
    DiscordId,
    GameId,
    Id,
    Moment,
    Name,
    Number,
    Positive,
    ServerId,
    Text,
    UserId,
    UserOrPlaceholder,
)
from storage.schema.kinds import TournamentStatus
from storage.schema.structures import TournamentAct, TournamentRound

_STATE: Final = Withheld("how far the event is, which is the same for all who look at it")
_OF_ALL: Final = Withheld("it is about all players, and everybody can read it")
_LOTS: Final = Withheld("the lots of the event")
_MESSAGES: Final = Withheld("where the bot finds its own messages")


@stored("events", sa.Index(None, "guild_id", "status"), sa.Index(None, "due"), key=("id",))
@dataclass(frozen=True, kw_only=True)
class StoredTournament:
    """A server's tournament, with its rounds. The JSON names no people: players are numbers of entries."""

    id: Annotated[Number, JOINS, KEPT] = 0
    """The number that people see."""
    guild_id: Annotated[ServerId, EXPORTED, KEPT]
    channel_id: Annotated[DiscordId, EXPORTED, KEPT]
    """The channel in which the tournament has its message."""
    threaded: Annotated[bool, _MESSAGES, KEPT] = False
    """Whether each game is played in a thread of its own."""
    thread_id: Annotated[DiscordId | None, _MESSAGES, KEPT] = None
    """The single thread for all games, if an earlier version of the bot opened one."""
    name: Annotated[Text, EXPORTED, KEPT]
    """The name of the tournament."""
    game: Annotated[GameId, EXPORTED, KEPT]
    variant: Annotated[Text, EXPORTED, KEPT]
    """The id of the game's variant."""
    options: Annotated[dict[str, str], EXPORTED, KEPT] = field(default_factory=dict)
    """The values chosen for the game's options, by option id."""
    format: Annotated[Text, EXPORTED, KEPT]
    """The id of the tournament format, one of `bot.features.tournaments.rules.formats.FORMATS`."""
    most: Annotated[Positive, EXPORTED, KEPT]
    """The largest number of players."""
    clock: Annotated[Positive, EXPORTED, KEPT]
    """The time for a turn in seconds."""
    rated: Annotated[bool, EXPORTED, KEPT] = True
    """Whether the games count for the ratings."""
    most_late: Annotated[int | None, Field(ge=0, le=100), EXPORTED, KEPT] = None
    """The highest percentage of time-outs with which somebody may enter, or None if it doesn't matter."""
    round_seconds: Annotated[Positive, EXPORTED, KEPT]
    """How long a round may last, in seconds."""
    organiser_id: Annotated[UserOrPlaceholder, OnForget.REPLACE_ID, ExportedAs("events_organised")]
    organiser_name: Annotated[Name, EXPORTED, RENAMED]
    """The organiser's name at the time when they opened the tournament."""
    key: Annotated[Bytes32, _LOTS, KEPT]
    """The secret drawn at opening, whose hash is shown. Mixed with the check-in presses, it becomes the key of the lots."""
    status: Annotated[TournamentStatus, EXPORTED, KEPT] = TournamentStatus.OPEN
    """The current stage."""
    created_at: Annotated[Moment, EXPORTED, KEPT]
    """When the tournament was opened."""
    check_in_at: Annotated[Moment, EXPORTED, KEPT]
    """When check-in begins."""
    starts_at: Annotated[Moment, EXPORTED, KEPT]
    """When the tournament starts."""
    due: Annotated[Moment | None, _STATE, KEPT] = None
    """When the next thing happens by itself, or None if nothing will."""
    ends_at: Annotated[Moment | None, _STATE, KEPT] = None
    """The latest time at which the current round ends, or None between rounds."""
    paused_at: Annotated[Moment | None, _STATE, KEPT] = None
    """Since when the tournament has been paused, or None if it is not paused."""
    finished_at: Annotated[Moment | None, EXPORTED, KEPT] = None
    """When the tournament ended or was cancelled."""
    lots: Annotated[Bytes32 | None, _LOTS, KEPT] = None
    """The key of the lots once the tournament has started, and None before."""
    rounds: Annotated[tuple[TournamentRound, ...], _OF_ALL, KEPT] = ()
    """The rounds of the tournament, in order."""
    forced: Annotated[tuple[tuple[int, ...], ...], _OF_ALL, KEPT] = ()
    """The games of the next round that were chosen by hand, as numbers of entries. An entry on its own gets a bye."""
    acts: Annotated[tuple[TournamentAct, ...], _OF_ALL, KEPT] = ()
    """What was done to the tournament other than by playing, oldest first."""
    outages: Annotated[tuple[tuple[float, float], ...], _STATE, KEPT] = ()
    """The periods (from when, until when) since the start in which nobody could play."""
    message_id: Annotated[DiscordId | None, _MESSAGES, KEPT] = None
    """The id of its message in `channel_id`, or None if the message has not been posted yet."""
    told: Annotated[Count, _STATE, KEPT] = 0
    """How many stages have been announced in posts: 1 is the check-in, 2 is the first round, and so on."""
    podium_id: Annotated[DiscordId | None, _MESSAGES, KEPT] = None
    """The post that announced the end of the tournament. None if there is no such post yet, or an earlier version made it."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        over = self.status in {TournamentStatus.FINISHED, TournamentStatus.CANCELLED}
        if over != (self.finished_at is not None):
            yield "finished_at", "only an event that is over has ended, and always"
        if self.rounds and self.lots is None:
            yield "lots", "there are rounds, but no lots have been drawn"
        if self.status in {TournamentStatus.OPEN, TournamentStatus.CHECK_IN} and self.rounds:
            yield "rounds", "there are some before the start"
        if self.status is TournamentStatus.RUNNING and self.paused_at is None and self.due is None:
            yield "due", "it goes on, but nobody looks at it"
        for number, each in enumerate(self.rounds):
            for game in each.games:
                fits = len(set(game.seats)) == len(game.seats) > 1
                if not fits or any(len(values) not in {0, len(game.seats)} for values in (game.places, game.timeouts)):
                    found = f"the seats {game.seats!r:.80} and the places {game.places!r:.80}"
                    yield "rounds", f"round {number} has a game with {found}"


@stored("event_entries", sa.Index(None, "user_id"), sa.Index(None, "asked_id"), key=("event_id", "number"))
@dataclass(frozen=True, kw_only=True)
class TournamentEntry:
    """A player of a tournament."""

    event_id: Annotated[Id, References("events.id"), EXPORTED, KEPT]
    """The number of the tournament."""
    number: Annotated[Positive, EXPORTED, KEPT]
    """The number of the entry, from 1. It never changes, even if somebody else takes over."""
    user_id: Annotated[UserOrPlaceholder, OnForget.REPLACE_ID, ExportedAs("entries_for_events")]
    name: Annotated[Name, EXPORTED, RENAMED]
    press: Annotated[Id | None, EXPORTED, EMPTIED] = None
    """The interaction with which the player checked in, which is mixed into the lots. None if they have not checked in."""
    seed: Annotated[Count, EXPORTED, KEPT] = 0
    """The player's place in the seeding, from 1, with late entries last. It is 0 before the start."""
    missed: Annotated[Count, EXPORTED, KEPT] = 0
    """How many rounds had begun by the time they entered."""
    has_left: Annotated[bool, EXPORTED, KEPT] = False
    """Whether they have left the tournament. They can come back."""
    lapses: Annotated[Count, EXPORTED, KEPT] = 0
    """How often they have missed a deadline. See `bot.features.tournaments.change`."""
    lapsed_at: Annotated[Moment | None, EXPORTED, KEPT] = None
    """When they last missed a deadline, or None if they never have."""
    place: Annotated[Positive | None, EXPORTED, KEPT] = None
    """Their place in the final table, or None if the tournament is not over or they did not play."""
    removed: Annotated[bool, Backfilled(sa.false()), EXPORTED, KEPT] = False
    """Whether an organiser has removed them. They can then come back only if an organiser lets them."""
    asked_id: Annotated[UserId | None, OnForget.EMPTY, ExportedAs("asked_to_play_on_in_events", ("event_id", "number"))] = None
    """The user who has been asked to take over from them and has not answered yet, or None."""
