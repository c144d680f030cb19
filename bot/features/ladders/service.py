"""A server's ladders: who is on them, in which order, and who may challenge whom."""

from dataclasses import dataclass, replace

from bot.core.parts import Service
from bot.core.table.request import require_game
from bot.core.table.snapshot import User
from bot.features.ladders import sql
from bot.features.ladders.order import begin, challengeable, number_of, order_of, up_to_date, without_former
from bot.features.ladders.rules import Season, leave
from storage.schema.ladder_records import LadderBadge, LadderPlace
from storage.store import Writer


@dataclass(frozen=True, slots=True)
class LadderView:
    """A ladder as one person sees it. `last` is last season's badges, `reach` whom the person may challenge, nearest first."""

    game: str
    season: Season
    places: tuple[LadderPlace, ...]
    last: tuple[LadderBadge, ...]
    reach: tuple[int, ...]

    def place_of(self, user_id: int) -> int | None:
        """Return somebody's place, counted from 1, or None if they are not on the ladder."""
        return next((place for place, row in enumerate(self.places, 1) if row.user_id == user_id), None)


class Ladders(Service):
    """The ladders of all servers."""

    async def get(self, guild_id: int, game: str, user_id: int) -> LadderView:
        """Return a ladder as somebody sees it. Raises Refused if there is no such game."""
        require_game(game)
        await self._look_up(guild_id, game)
        async with self._core.store.write() as writer:
            places = await up_to_date(self._core, writer, guild_id, game)
            return await self._view(writer, guild_id, game, places, user_id)

    async def join(self, guild_id: int, game: str, user: User) -> LadderView:
        """Put somebody at the bottom of a ladder unless they are on it already. Raises Refused if there is no such game."""
        require_game(game)
        await self._look_up(guild_id, game)
        now = self._core.now()
        async with self._core.store.write() as writer:
            await begin(writer, guild_id, game, now)
            places = await up_to_date(self._core, writer, guild_id, game)
            if user.id not in order_of(places):
                last = places[-1].place if places else 0
                new = LadderPlace(
                    guild_id=guild_id, game=game, user_id=user.id, name=user.name, place=last + 1, played_at=now
                )  # fmt: skip
                await sql.put_place(writer, new)
                places = (*places, new)
            return await self._view(writer, guild_id, game, places, user.id)

    async def leave(self, guild_id: int, game: str, user: User) -> LadderView:
        """Take somebody off a ladder, so that everybody below moves up. Their unfinished games no longer affect the ladder."""
        require_game(game)
        await self._look_up(guild_id, game)
        async with self._core.store.write() as writer:
            places = await up_to_date(self._core, writer, guild_id, game)
            await sql.remove_place(writer, guild_id, game, user.id)
            rows = {row.user_id: row for row in places}
            moved = [replace(rows[one], place=place) for place, one in enumerate(leave(order_of(places), user.id), 1)]
            for row in moved:
                if row != rows[row.user_id]:
                    await sql.put_place(writer, row)
            return await self._view(writer, guild_id, game, tuple(moved), user.id)

    async def _look_up(self, guild_id: int, game: str) -> None:
        """Find out which people on a ladder have left the server."""
        async with self._core.store.read() as reader:
            order = order_of(await sql.places(reader, guild_id, game))
        await self._core.audience.look_up(guild_id, order)

    async def _view(
        self, writer: Writer, guild_id: int, game: str, places: tuple[LadderPlace, ...], user_id: int
    ) -> LadderView:
        places = without_former(self._core, guild_id, places)
        now, order = self._core.now(), order_of(places)
        season = Season.at(now)
        last = await sql.badges(writer, guild_id, game, number_of(season) - 1)
        why_not = await challengeable(writer, guild_id, game, order, user_id, now)
        reach = tuple(one for one in reversed(order) if why_not(one) is None)
        return LadderView(game, season, places, last, reach)
