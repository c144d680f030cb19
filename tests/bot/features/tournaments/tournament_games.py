"""Events without Discord: players, absentees and organisers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.snapshot import Snapshot, User
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.service import TournamentRequest, Tournaments, TournamentView
from storage.schema.kinds import JobKind, TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.records import Job, Status
from storage.schema.structures import TournamentGame
from tests.bot.present import present
from tests.bot.service import DAY, Time, first_action, jobs

GUILD: Final = 10
PEOPLE: Final = tuple(User(100 + number, f"Player {number}") for number in range(64))
NEWCOMER: Final = User(900, "Newcomer")
BY: Final = TournamentActor.ORGANISER
MANAGER: Final = TournamentActor.MANAGER
LONG: Final = int(30 * DAY)
"""The seconds of a turn that is longer than a round."""


@dataclass
class Cup:
    """An event and its future players in the order of their entries, the organiser first."""

    core: Core
    clock: Time
    id: int
    people: tuple[User, ...]
    extra: dict[int, User] = field(default_factory=dict)

    def user(self, number: int) -> User:
        """The person with an entry number."""
        return self.extra.get(number) or self.people[number - 1]

    async def view(self) -> TournamentView:
        """The event as it is now."""
        return await self.core.service(Tournaments).get(self.id)

    async def enter(self, *users: User) -> None:
        """People enter, check in or come back."""
        for user in users or self.people:
            await self.core.service(Tournaments).enter(self.id, GUILD, user, 1000 + user.id)

    async def replace(self, number: int, newcomer: User) -> TournamentView:
        """A player’s substitute is asked, and accepts."""
        await self.core.service(Tournaments).ask(self.id, GUILD, BY, self.people[0].id, number, newcomer)
        return await self.core.service(Tournaments).answer(self.id, GUILD, newcomer, number, 5000 + newcomer.id)

    async def tick(self, seconds: float = 0.0) -> TournamentView:
        """Pass time, and do everything that is due."""
        self.clock.pass_(seconds)
        await self.sweep()
        return await self.view()

    async def sweep(self) -> None:
        while await self.core.service(Timing).sweep() or await self.core.service(TournamentRounds).sweep():
            pass

    async def call(self, *users: User) -> None:
        """People enter or check in, and the next stage begins."""
        await self.enter(*users)
        await self.core.service(Tournaments).hurry(self.id, GUILD, BY)
        await self.tick()

    async def start(self) -> TournamentView:
        """Everybody checks in, and the event starts."""
        for _ in range(2):
            await self.call()
        view = await self.view()
        assert view.row.status is TournamentStatus.RUNNING
        return view

    async def game(self, number: int = 0, index: int = 0) -> TournamentGame:
        """A game by the number of its round and its index."""
        return (await self.view()).row.rounds[number].games[index]

    async def table(self, number: int = 0, index: int = 0) -> Snapshot:
        """The table of a game."""
        return await self.core.snapshot(await self.table_id(number, index))

    async def table_id(self, number: int = 0, index: int = 0) -> int:
        return present((await self.game(number, index)).table_id)

    async def ends_at(self) -> float:
        """When the round ends."""
        return present((await self.view()).row.ends_at)

    async def open_games(self) -> list[TournamentGame]:
        """The games that have a table and no result."""
        games = [game for each in (await self.view()).row.rounds for game in each.games]
        return [game for game in games if game.table_id and not game.places]

    async def lose(self, game: TournamentGame, *seats: int) -> None:
        """These seats of a game resign one after the other until it is over."""
        for seat in seats:
            snapshot = await self.core.snapshot(present(game.table_id))
            if snapshot.table.status is Status.PLAYING:
                await self.core.service(Play).resign(snapshot.table.id, self.user(game.seats[seat]))

    async def act(self, game: TournamentGame, seconds: float) -> None:
        """The awaited player acts after so many seconds."""
        self.clock.pass_(seconds)
        snapshot = await self.core.snapshot(present(game.table_id))
        player = snapshot.awaited[0]
        await self.core.service(Play).act(snapshot.table.id, User(player.user_id, player.name), first_action(snapshot))

    async def finish_round(self) -> TournamentView:
        """End all running games: everybody resigns but the player with the least number."""
        for _ in range(20):
            games = await self.open_games()
            if not games:
                break
            for game in games:
                order = sorted(range(len(game.seats)), key=lambda seat: -game.seats[seat])
                await self.lose(game, *order[:-1])
            if (await self.view()).format.system.at_once:
                await self.tick()
        return await self.tick()

    async def points(self) -> dict[int, float]:
        """The points by entry number."""
        return {line.player: float(line.points) for line in (await self.view()).standings}

    async def deeds(self) -> list[TournamentDeed]:
        """The log of the event, oldest first."""
        return [act.deed for act in (await self.view()).row.acts]

    async def owed(self, kind: JobKind) -> list[Job]:
        """The jobs of a kind."""
        return [job for job in await jobs(self.core) if job.kind is kind]


async def opened(core: Core, time: Time, players: int | Sequence[User] = 4, format_: str = "round_robin", **wanted: Any) -> Cup:
    """A new event that nobody has entered. A turn takes longer than a round."""
    people = PEOPLE[:players] if isinstance(players, int) else tuple(players)
    usual: dict[str, Any] = {"guild_id": GUILD, "channel_id": 20, "name": "Cup", "game": "bouncers", "clock": LONG}
    view = await core.service(Tournaments).open(people[0], TournamentRequest(**({"format": format_} | usual | wanted)))
    return Cup(core, time, view.row.id, people)


async def started(core: Core, time: Time, *wanted: Any, **more: Any) -> Cup:
    """An event from `opened` that has started."""
    cup = await opened(core, time, *wanted, **more)
    await cup.start()
    return cup
