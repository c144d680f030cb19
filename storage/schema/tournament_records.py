"""The rows of tournaments as values. See `records`."""

from dataclasses import dataclass, field

from storage.schema.kinds import TournamentStatus
from storage.schema.structures import TournamentAct, TournamentRound


@dataclass(frozen=True, kw_only=True)
class StoredTournament:
    """A tournament of a server, with its rounds. Players are numbered by their entries; no person stands in the JSON.

    Attributes:
        id: its number, shown to people.
        guild_id: the server.
        channel_id: the channel of its message.
        threaded: whether each of its games is played in a thread of its own.
        thread_id: the one thread of all its games, if an earlier version has opened it.
        name: its name.
        game, variant, options: what is played, and how.
        format: the id of its format, one of `bot.features.tournaments.rules.formats.FORMATS`.
        most: how many players there may be.
        clock: the seconds for a turn.
        rated: whether its games count for the ratings.
        most_late: the greatest percentage of time-outs with which somebody may enter, or None if it does not matter.
        round_seconds: how long a round lasts at most.
        organiser_id: who organises it.
        organiser_name: their name when they opened it.
        key: 32 bytes, drawn when it is opened, whose hash everybody sees from then on. The key of its lots is made of it and of
            what players have pressed to check in.
        status: its stage.
        created_at: when it was opened.
        check_in_at: when players can begin to check in.
        starts_at: when it starts.
        due: when it has to be looked at next, or None if nothing happens by itself.
        ends_at: when the current round ends at the latest, or None if no round is on.
        paused_at: since when it is paused, or None if it is not.
        finished_at: when it ended, or was cancelled.
        lots: the key of its lots, since it has started.
        rounds: its rounds.
        forced: the games of the next round that were chosen by hand, as the numbers of entries; one alone gets a bye.
        acts: what was done to it other than by playing, the oldest first.
        outages: from when to when nobody could play since it started, in seconds since the epoch.
        message_id: its message, which is in `channel_id`, or None if that has yet to be posted.
        told: of how many rounds people were told by a post: 1 is the check-in, 2 the first round, and so on.
        podium_id: the post that has told of its end. None if there is none yet, or if an earlier version has made it.
    """

    id: int = 0
    guild_id: int
    channel_id: int
    threaded: bool = False
    thread_id: int | None = None
    name: str
    game: str
    variant: str
    options: dict[str, str] = field(default_factory=dict)
    format: str
    most: int
    clock: int
    rated: bool = True
    most_late: int | None = None
    round_seconds: int
    organiser_id: int
    organiser_name: str
    key: bytes
    status: TournamentStatus = TournamentStatus.OPEN
    created_at: float
    check_in_at: float
    starts_at: float
    due: float | None = None
    ends_at: float | None = None
    paused_at: float | None = None
    finished_at: float | None = None
    lots: bytes | None = None
    rounds: tuple[TournamentRound, ...] = ()
    forced: tuple[tuple[int, ...], ...] = ()
    acts: tuple[TournamentAct, ...] = ()
    outages: tuple[tuple[float, float], ...] = ()
    message_id: int | None = None
    told: int = 0
    podium_id: int | None = None


@dataclass(frozen=True, kw_only=True)
class TournamentEntry:
    """A player of a tournament. The key is (event_id, number).

    Attributes:
        number: of the entry, from 1. It never changes, whoever plays.
        user_id: who plays.
        name: their name when they entered.
        press: the interaction with which they checked in, which is mixed into the lots, or None if they have not checked in.
        seed: their place in the order of the seeding, from 1; those who came late follow. 0 before the start.
        missed: how many rounds had begun when they entered.
        has_left: whether they have left the tournament. They may come back.
        lapses: how often they have missed a deadline, see `bot.features.tournaments.change`.
        lapsed_at: when they last did, or None if they never did.
        place: their place in the final table, or None if the tournament is not over or they did not play.
        removed: whether an organiser has taken them out, so that they cannot come back until one lets them.
        asked_id: who is asked to play on in their place and has not answered, if anybody.
    """

    event_id: int
    number: int
    user_id: int
    name: str
    press: int | None = None
    seed: int = 0
    missed: int = 0
    has_left: bool = False
    lapses: int = 0
    lapsed_at: float | None = None
    place: int | None = None
    removed: bool = False
    asked_id: int | None = None
