"""The state of a table at one moment, on which all messages and decisions about it are based."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from bot.core.table.errors import NotSeated, WrongStage
from bot.core.table.history import History, HistoryEntry, withdrawal
from bot.core.table.position import Ended, Position
from bot.core.table.settings import PersonSettings, ServerSettings
from engines.game import Outcome, Rounds, part_of
from engines.text import SEAT_COLOURS, Text, is_visible, join, plain, say, seat_name
from storage.schema.records import (
    Departure,
    Ending,
    EntryKind,
    Handover,
    OfferKind,
    Person,
    Plan,
    Proposal,
    Question,
    Reply,
    Seat,
    SeatStatus,
    Server,
    Status,
    Table,
    Watch,
)

FORMER_PLAYER: Final = say("Former player")
"""The name shown for a player who asked to be forgotten. Their seats have negative user ids (see `queries.forgetting`)."""
NAMELESS: Final = say("Somebody")
"""The name shown for a person with an invisible name and no seat. A sentence may begin with it."""

FEWEST_IN_TURN: Final = 3
"""The fewest people among whom it is worth telling whose turn comes next."""

REASONS: Final[Mapping[Ending, Text]] = {
    Ending.AGREED: say("Both sides agreed."),
    Ending.ABANDONED: say("No move in 60 days."),
    Ending.CLOSED: say("A moderator closed the game."),
    Ending.DESERTED: say("Only computers are left, and they don’t play on by themselves."),
    Ending.CALLED_OFF: say("Called off by agreement, no result."),
}
"""The reasons for which a game ended, for endings that do not come from its rules."""


@dataclass(frozen=True, slots=True)
class User:
    """A Discord user who does something, with their id and display name."""

    id: int
    name: str


@dataclass(frozen=True)
class Snapshot:
    """A table with its people and, once it has started, its game.

    Attributes:
        people: all seats and invitations, in the order of their places.
        departures: the players who have left a seat of the game to another person, in order.
        history: the game, or None if it has not started or was not asked for.
        away: the ids of awaited players on vacation, and when each vacation ends, in seconds since the epoch.
        server: what was known of the server when the table was read, or None if only the table was read.
        known: the rows of the table's people and watchers, and of the user who asked for it, by user id, if they have any.
        watches: the people who want to be notified about the table.
    """

    table: Table
    people: tuple[Seat, ...]
    history: History | None = None
    away: tuple[tuple[int, float], ...] = ()
    departures: tuple[Departure, ...] = ()
    server: Server | None = field(default=None, compare=False)
    known: Mapping[int, Person] = field(default_factory=dict, compare=False)
    watches: tuple[Watch, ...] = field(default=(), compare=False)
    plans: tuple[Plan, ...] = field(default=(), repr=False)

    def settings_of(self, user_id: int) -> PersonSettings:
        """Return the settings of a user who sits at or watches this table, or for whom it was read."""
        person = self.known.get(user_id)
        return PersonSettings() if person is None else PersonSettings.of(person)

    @property
    def server_settings(self) -> ServerSettings:
        """The server's settings. A table has them if it was read by its number, but not if it comes from a list."""
        assert self.server is not None, "the server was not asked for"
        return ServerSettings.of(self.server)

    @cached_property
    def players(self) -> tuple[Seat, ...]:
        """The people and computers at the table, including those who left the game. Once it has started, they are by seat."""
        return tuple(p for p in self.people if p.status in {SeatStatus.JOINED, SeatStatus.WITHDRAWN})

    @cached_property
    def present(self) -> tuple[int, ...]:
        """The seats whose players are still in the game."""
        return tuple(seat for seat, player in enumerate(self.players) if player.status is SeatStatus.JOINED)

    @cached_property
    def computers(self) -> tuple[int, ...]:
        """The seats of computers, as indices of `players`."""
        return tuple(seat for seat, player in enumerate(self.players) if player.computer is not None)

    @cached_property
    def persons(self) -> tuple[int, ...]:
        """The seats of people who are still in the game."""
        return tuple(seat for seat in self.present if self.players[seat].computer is None)

    @cached_property
    def invited(self) -> tuple[Seat, ...]:
        """The people who have been invited and have not answered."""
        return tuple(p for p in self.people if p.status is SeatStatus.INVITED)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat. A forgotten player's name, or an invisible one, is replaced with a `Text`."""
        nameless = (NAMELESS,) * len(self.players) if self.history is None else SEAT_COLOURS
        return tuple(
            FORMER_PLAYER if p.user_id < 0 else p.name if is_visible(p.name) else nameless[seat]
            for seat, p in enumerate(self.players)
        )

    @cached_property
    def colours(self) -> int:
        """How many colours each player plays, which is 1 before the game has begun."""
        return 1 if self.history is None else int(self.history.view(None).colours)

    @property
    def free(self) -> int:
        """The number of seats that are neither taken nor reserved by an invitation."""
        return self.table.wanted - len(self.players) - len(self.invited)

    @cached_property
    def playing(self) -> History:
        """The history of a game that has started. Raises WrongStage if it has not."""
        if self.history is None:
            raise WrongStage(say("The game at table #{n} hasn’t started yet.", n=self.table.id))
        return self.history

    @cached_property
    def position(self) -> Position:
        """The position of a game that has started. Raises WrongStage if it has not."""
        return self.position_after(self.playing)

    def position_after(self, history: History) -> Position:
        """Return this game's position after another history of it, such as an earlier one, or one that is only imagined."""
        return Position.of(history, self.names, self.table.id, computers=self.computers, ended=self._ended(history.version))

    def _ended(self, version: int) -> Ended | None:
        """Return the result, for the newest version. None for an earlier one, or if the game goes on or has no result."""
        ended = self.table.outcome
        if ended is None or ended.how.void or version < self.table.version:
            return None
        changes = self.rating_changes
        return Ended(ended.winners, self.is_drawn, changes if any(changes) else ())

    @cached_property
    def awaited(self) -> tuple[Seat, ...]:
        """The players that the game is waiting for, or none if it is not running."""
        if self.history is None or self.table.status is not Status.PLAYING:
            return ()
        players = self.players
        return tuple(players[seat] for seat in self.history.to_act)

    @cached_property
    def next_person(self) -> Seat | None:
        """The person whose turn comes next, skipping computers. None if not everybody can tell, or if only two people play."""
        if not self.awaited or len(self.persons) < FEWEST_IN_TURN:
            return None
        order = part_of(self.playing.game, Rounds).next_seats(self.playing.view(None))
        return next((self.players[seat] for seat in order if seat in self.persons), None)

    @property
    def is_alone(self) -> bool:
        """Whether one person plays against computers alone."""
        return len(self.persons) == 1 and bool(self.computers)

    @cached_property
    def thinking(self) -> bool:
        """Whether the game is waiting for computers alone."""
        awaited = self.awaited
        return bool(awaited) and all(player.computer is not None for player in awaited)

    def person(self, user_id: int) -> Seat | None:
        """Return a user's seat or invitation, whatever its status, or None if they have neither."""
        return next((p for p in self.people if p.user_id == user_id), None)

    def open_to(self, user_id: int) -> bool:
        """Whether a user may look at the table.

        A private table is open to its players and former players, and to people who are invited or offered a seat. It is not
        open to those who declined, left before the game, or handed their seat over.
        """
        if not self.table.private:
            return True
        known, offered = self.person(user_id), self.table.offers.substitute
        there = known is not None and known.status is not SeatStatus.DECLINED
        return there or (offered is not None and offered.to == user_id)

    def asks(self, question: Question) -> bool:
        """Whether a question still stands, be it an unanswered invitation, an offer or a reminder."""
        if question.turn is not None:
            return question.turn == self.table.turn and any(player.place == question.seat for player in self.awaited)
        if question.offer is None:
            return self.table.status is Status.OPEN and bool(self.invited)
        offer = self.offer(question.offer)
        if offer is None or self.table.status is not Status.PLAYING:
            return False
        if isinstance(offer, Proposal):
            return True
        return self.players[offer.seat].status is SeatStatus.JOINED or self.has_just_left(offer.seat)

    def offer(self, kind: OfferKind) -> Proposal | Handover | None:
        """Return the open offer of a kind, or None if there is none or if it was made on an earlier board."""
        offer = self.table.offers.of(kind)
        outdated = isinstance(offer, Proposal) and offer.version not in {None, self.table.version}
        return None if outdated else offer

    def has_just_left(self, seat: int) -> bool:
        """Whether the newest log entry says that the player of this seat has left the game."""
        last = self.playing.log.last
        return last is not None and last.entry.kind is EntryKind.WITHDRAW and last.entry.seat == seat

    def may_be_shared_in(self, channel_id: int) -> bool:
        """Whether spectators' view may be shown in a channel. For a private table of several, only its own thread will do."""
        return not self.table.private or self.table.solo or channel_id == self.table.thread_id

    def seat_of(self, user_id: int) -> int | None:
        """Return a player's seat number, or None if they do not play here. Players who have left the game keep theirs."""
        return next((i for i, p in enumerate(self.players) if p.user_id == user_id), None)

    def plan_of(self, seat: int) -> Plan:
        """Return the plan that the player of a seat has made for it, or an empty plan."""
        user_id = self.players[seat].user_id
        made = (plan for plan in self.plans if (plan.seat, plan.user_id) == (seat, user_id))
        return next(made, Plan(table_id=self.table.id, user_id=user_id, seat=seat))

    def own_seat(self, user_id: int) -> int:
        """Return a player's seat number. Raises NotSeated if they do not play here."""
        seat = self.seat_of(user_id)
        if seat is None:
            raise NotSeated(say("You’re not playing at table #{n}.", n=self.table.id))
        return seat

    def viewpoint(self, user_id: int) -> int | None:
        """Return the seat whose view a user may see: their own while in the game, or None for a spectator's view."""
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
            Status.OPEN: say("The game at table #{n} hasn’t started yet.", n=n),
            Status.PLAYING: say("The game at table #{n} has already started.", n=n),
            Status.FINISHED: say("The game at table #{n} is over.", n=n),
            Status.CLOSED: say("Table #{n} is closed.", n=n),
        }[self.table.status]
        raise WrongStage(text)

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game, or None while it is going on."""
        ended = self.table.outcome
        if ended is None:
            return None
        if ended.how is not Ending.RULES:
            return Outcome(ended.winners, REASONS[ended.how])
        outcome = None if self.history is None else self.history.outcome
        return outcome or Outcome(ended.winners, plain(ended.reason))

    @property
    def is_drawn(self) -> bool:
        """Whether the game is drawn: nobody won it, and several people played to the end."""
        ended = self.table.outcome
        if ended is None or ended.winners or ended.how not in {Ending.RULES, Ending.AGREED}:
            return False
        out = self.playing.view(None).out
        return len([seat for seat in self.present if seat not in out]) > 1

    @property
    def worth_sharing(self) -> bool:
        """Whether there is a card to share: the game ended by agreement or by its rules, even if by players leaving."""
        ended = self.table.outcome
        return self.history is not None and ended is not None and ended.how in {Ending.RULES, Ending.AGREED}

    @property
    def parting(self) -> HistoryEntry | None:
        """The last log entry if a player left with it and so ended the game, or None."""
        ended = self.table.outcome
        if ended is None or ended.how is not Ending.RULES or self.history is None or not self.history.log:
            return None
        last = self.history.log[-1]
        return last if last.entry.kind is EntryKind.WITHDRAW else None

    @property
    def rating_changes(self) -> tuple[tuple[int, int] | None, ...]:
        """Each seat's rating before and after the game, as shown. None if it has no rating, or counts for another person."""
        return tuple(
            None
            if p.rating_before is None or p.rating_after is None or p.rated_as is not None
            else (p.rating_before, p.rating_after)
            for p in self.players
        )

    def result(self, own: int | None = None) -> Text | None:
        """Return the result in Markdown, or None before the end. "You win!" is said to `own`, the seat of the only reader."""
        ended, outcome = self.table.outcome, self.outcome()
        if ended is None or outcome is None:
            return None
        if ended.how is Ending.CLOSED:
            return say("**A moderator closed the game.**")
        if ended.how is Ending.CALLED_OFF:
            return say("**{words}**", words=REASONS[Ending.CALLED_OFF])
        who_won = say("**{words}**", words=verdict(outcome.winners, drawn=self.is_drawn, own=own))
        parted = self.parting
        if parted is not None:
            return join([withdrawal(parted.entry).text, who_won], " ")
        return join([outcome.reason if isinstance(outcome.reason, Text) else plain(outcome.reason), who_won], " ")


def verdict(winners: Sequence[int], *, drawn: bool, own: int | None = None) -> Text:
    """Return the winners in a few words. `own` is the seat of the only reader, or None if others read it too."""
    match winners:
        case (winner,) if winner == own:
            return say("You win!")
        case ():
            return say("It’s a draw!") if drawn else say("Nobody wins.")
        case (winner,):
            return say("{who} wins!", who=seat_name(winner))
        case (first, *others):
            together: Text = seat_name(first)
            for other in others:
                together = say("{some} and {who}", some=together, who=seat_name(other))
            return say("{who} win together!", who=together)
    raise AssertionError


Tree = tuple[Reply, ...]


def size(tree: Tree) -> int:
    """Return the number of replies in a tree, at all depths."""
    return sum(1 + size(reply.then) for reply in tree)
