"""The service layer: the changes of a table and their consequences. It knows nothing of Discord.

`lobby` covers the time before a game, `terms` the terms that are agreed on until others join, `places` the places where its
table is shown, `play` the game itself, `plans` the actions planned ahead in it, `consent` the requests that need the agreement
of others, `computers` the computer players, `timing` the events that come with time alone, `heartbeats` the time that counts,
`users` the data of people and servers, `direct` to whom the bot may write, `membership` the servers that the bot is in,
`moderation` the tools of a server's managers, `ratings` the ratings after finished games, `reviews` their turning points,
`openings` their first moves, `analyses` private boards to think on, `puzzles` what people make of puzzles, `dailies` those of
the days, `posts` the messages that servers get day by day, `today` what goes on there, `seeks` what people seek who would like
a game, `rounds` the times at which they are put together, `ladders` the places that they defend, `events` what people do at
events, `event_rounds` what comes with time there, `budget` the queue of heavy work, and `shares` the threads that compute for
people. All of them share one `Repository`, which reads and writes the store. Every change is one transaction: the log entry,
the table's columns, and the outbox jobs that will show the change in Discord.
"""

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from bot.core.budget import Budget
from bot.core.clocks.heartbeats import Heartbeats
from bot.core.clocks.timing import Timing
from bot.core.direct import Direct
from bot.core.jobs import Outbox
from bot.core.listing import Lists
from bot.core.lobby import Lobby
from bot.core.membership import Membership
from bot.core.people import Users
from bot.core.places import Letter, Places
from bot.core.play import Play, Played
from bot.core.quarantine import Quarantine
from bot.core.repository import Repository, Work
from bot.core.shares import Shares
from bot.core.table.audience import Audience
from bot.core.table.history import BrokenLog, History, HistoryCache, HistoryEntry
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.core.terms import Terms
from bot.features.analysis.service import Analyses
from bot.features.computers.service import Computers
from bot.features.ladders.service import Ladders
from bot.features.matchmaking.clock import Rounds
from bot.features.matchmaking.service import Seeks
from bot.features.offers.relieving import Relieving
from bot.features.offers.service import Consent
from bot.features.openings.service import ServerOpenings
from bot.features.plans.service import Planned, Plans
from bot.features.playing.hints import Hints
from bot.features.posts.service import Posts
from bot.features.puzzles.daily import Dailies
from bot.features.puzzles.service import Puzzles
from bot.features.reviews.service import Reviews
from bot.features.settings.moderation import Moderation
from bot.features.stats.ratings import Ratings
from bot.features.today.service import Today
from bot.features.tournaments.clock import EventRounds
from bot.features.tournaments.service import Events
from bot.features.verify.service import Proof
from bot.features.watching.service import Watching
from engines import EARLIER, GAMES
from engines.game import Game
from storage import queries
from storage.lines.priority_lock import in_background, work_in_background
from storage.schema.records import News, Status, Table
from storage.store import Store

__all__ = [
    "BrokenLog", "History", "HistoryEntry", "Letter", "Lobby", "News", "Planned", "Plans", "Play", "Played", "Sessions",
    "Snapshot", "TableRequest", "User", "Work", "in_background", "work_in_background",
]  # fmt: skip


class Sessions:
    """The service: all tables of the bot, or of one of its shards.

    See `Repository` for the arguments. `name` is that of the heartbeats, for a shard like "shard 3 of 12".
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        entropy: Callable[[int], bytes] = os.urandom,
        games: Mapping[str, Game[Any, Any]] = GAMES,
        earlier: Collection[Game[Any, Any]] = EARLIER,
        histories: HistoryCache | None = None,
        name: str = "main",
    ) -> None:
        self._repository = Repository(store, now=now, entropy=entropy, games=games, earlier=earlier, histories=histories)
        self.lobby = Lobby(self._repository)
        self.terms = Terms(self._repository)
        self.play = Play(self._repository)
        self.plans = Plans(self._repository)
        self.consent = Consent(self._repository, self.lobby)
        self.computers = Computers(self._repository)
        self.relieving = Relieving(self._repository)
        self.lists = Lists(self._repository)
        self.timing = Timing(self._repository)
        self.heartbeats = Heartbeats(self._repository, name)
        self.ratings = Ratings(self._repository)
        self.hints = Hints(self._repository)
        self.reviews = Reviews(self._repository)
        self.analyses = Analyses(self._repository)
        self.openings = ServerOpenings(self._repository)
        self.puzzles = Puzzles(self._repository)
        self.dailies = Dailies(self.puzzles)
        self.posts = Posts(self._repository, self.puzzles.collection.calendar)
        self.seeks = Seeks(self._repository)
        self.rounds = Rounds(self._repository)
        self.ladders = Ladders(self._repository)
        self.events = Events(self._repository)
        self.event_rounds = EventRounds(self._repository)
        self.today = Today(self._repository)
        self.proof = Proof(self._repository)
        self.users = Users(self._repository, self.lobby, self.play)
        self.quarantine = Quarantine(self._repository)
        self.moderation = Moderation(self._repository, self.lobby, self.quarantine)
        self.places = Places(self._repository)
        self.membership = Membership(self._repository, name)
        self.watching = Watching(self._repository)
        self.outbox = Outbox(self._repository)
        self.direct = Direct(self._repository)
        self.budget = Budget()
        self.shares = Shares()

    def now(self) -> float:
        """The current time, in seconds since the epoch."""
        return self._repository.now()

    def note_made(self, snowflake: int) -> None:
        """Note the id of something that Discord has just made, by which its clock is compared with this machine's."""
        self._repository.discord.note(snowflake)

    @property
    def audience(self) -> Audience:
        """Who is on a server, and can see its places: everybody, unless a connection to Discord knows better."""
        return self._repository.audience

    @audience.setter
    def audience(self, audience: Audience) -> None:
        self._repository.audience = audience

    @property
    def clock_is_confirmed(self) -> bool:
        """Whether something that Discord has made shows that the clock of this machine is right."""
        return self._repository.discord.agrees

    def on_change(self, listener: Callable[[float], None], work: Work = Work.TABLES) -> None:
        """Have `listener` called, too, after changes by which some work may be due earlier than before.

        It is given the earliest moment at which that may be, in seconds since the epoch; 0.0: perhaps now.
        """
        self._repository.listen(listener, work)

    def rules_of(self, table: Table) -> Game[Any, Any]:
        """The rules that a table is played by. Raises UnknownRules."""
        return self._repository.rules_of(table)

    async def count_quarantined(self) -> int:
        """Return how many tables are in quarantine because they cannot be read, without games that are over."""
        return len(await self.quarantine.tables())

    async def snapshot(self, table_id: int, guild_id: int | None = None, asked_by: int | None = None) -> Snapshot:
        """The current state of a table, with the settings of the user who asks (see `Snapshot.settings_of`).

        Raises NoSuchTable, also for a table of a server other than `guild_id`; Quarantined if it cannot be read.
        """
        return await self._repository.snapshot(table_id, guild_id, asked_by)

    async def summary(self, table_id: int, guild_id: int, asked_by: int | None = None) -> Snapshot:
        """Return a table of a server with its people, but without its game: enough to know who may look at it.

        Raises NoSuchTable.
        """
        return await self._repository.summary(table_id, guild_id, asked_by)

    async def tables(
        self,
        *,
        guild_id: int,
        channel_id: int | None = None,
        user_id: int | None = None,
        statuses: Collection[Status] = (Status.OPEN, Status.PLAYING),
        game: str | None = None,
        limit: int = 25,
    ) -> tuple[Table, ...]:
        """Tables of a server, newest first. See `storage.queries.tables.find` for the arguments."""
        async with self._repository.reading() as reader:
            return await queries.tables.find(
                reader, guild_id=guild_id, channel_id=channel_id, user_id=user_id, statuses=statuses, game=game, limit=limit
            )
