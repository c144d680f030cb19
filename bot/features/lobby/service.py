"""Rematches, which are further tables for the players of a finished game."""

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.table.computer_players import Computer
from bot.core.table.errors import AlreadyOpen, NotSeated, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.settings import ServerSettings
from bot.core.table.snapshot import Snapshot, User
from bot.core.terms import terms_mark
from engines.text import say
from storage import queries
from storage.schema.records import Grace, Status


class Rematches:
    """The rematches of finished games. Each game has at most one that is not closed."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lobby = core.service(Lobby)

    async def open(self, table_id: int, user: User, interaction_id: int | None = None) -> Snapshot:
        """Open a table for another game between the same people, or join it if it is already open.

        Everybody moves on by one seat. Joining contributes to the dice, as in `Lobby.join`.

        Raises WrongStage if the game is not over, NotSeated if the user did not play, and TermsChanged if the open rematch has
        other house rules.
        """
        snapshot = await self._core.snapshot(table_id)
        if snapshot.table.status is not Status.FINISHED:
            raise WrongStage(say("The game at table #{n} isn’t over yet.", n=table_id))
        if snapshot.seat_of(user.id) is None:
            raise NotSeated(say("You didn’t play at table #{n}.", n=table_id))
        opened = await self._opened(snapshot)
        if opened is not None:
            return await self._lobby.join(opened.table.id, user, interaction_id, terms=terms_mark(snapshot.table))
        table = snapshot.table
        around = [
            User(player.user_id, player.name) if player.computer is None else Computer(player.user_id, player.computer)
            for player in (*snapshot.players[1:], *snapshot.players[:1])
            if player.user_id > 0
        ]
        place = next(i for i, player in enumerate(around) if player.id == user.id)
        async with self._core.store.read() as reader:
            server = ServerSettings.of(await queries.servers.get(reader, table.guild_id))
        request = TableRequest(
            guild_id=table.guild_id, channel_id=table.thread_id or table.channel_id, game=table.game,
            variant=table.variant, options=table.options, seats=len(snapshot.players), clock=table.clock,
            strict=table.grace is Grace.STRICT,
            private=table.private, solo=table.solo, threaded=table.private and not table.solo and table.thread_id is None,
            thread_id=table.thread_id if table.private else None,
            opponents=[player for player in around if player.id != user.id], place=place,
            most_tables=server.most_tables, rematch_of=table.id, interaction_id=interaction_id,
        )  # fmt: skip
        try:
            return await self._lobby.open(user, request)
        except AlreadyOpen as first:  # another player has opened one at the same moment
            return await self._lobby.join(first.table_id, user, interaction_id, terms=terms_mark(table))

    async def _opened(self, snapshot: Snapshot) -> Snapshot | None:
        """Return the rematch of this game, or None if there is none or it is closed."""
        if snapshot.table.rematch_id is None:
            return None
        opened = await self._core.snapshot(snapshot.table.rematch_id)
        return None if opened.table.status is Status.CLOSED else opened
