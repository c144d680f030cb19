"""Large amounts: long games, large analyses, tournaments of 64, servers and people with thousands of games."""

import random
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa

from bot.core.table.history import History
from bot.features.analysis import sql as analysis_sql
from bot.features.analysis.tree import MOST_POSITIONS, Analysed, Beginning, analysed, following, with_action
from bot.features.ladders import sql as ladders_sql
from bot.features.tournaments import sql as tournaments_sql
from bot.features.tournaments.change import _rows_of
from bot.features.tournaments.rules.formats import FORMATS
from engines import GAMES
from engines.chance import Fair
from engines.game import Action, Game
from storage import queries
from storage.schema import tables
from storage.schema.kinds import TournamentStatus
from storage.schema.ladder_records import Ladder
from storage.schema.records import Analysis
from storage.schema.tournament_records import StoredTournament, TournamentEntry
from tests.bot.features.tournaments.rules.playing import play
from tests.bot.kit import World
from tests.bot.seated import Seated, core_of, walked
from tests.storage.samples import a_ladder_place, a_rating

DEEP: Final = 120
LONG: Final = 400
SEED: Final = 9
"""The seed of random games. With this one, Bouncers lasts long enough."""
TRIES: Final = 20
"""How many actions to try for one that does not end the game."""
GAMES_OVER: Final = 3_000
PEOPLE: Final = 500
LONGEST_NAME: Final = "Wolfeschlegelsteinhausenberger W"
"""The longest name that Discord allows, mostly of wide letters."""


async def play_long(table: Seated, most: int = LONG) -> None:
    """Play at random without Discord for at most so many actions, then show the last board."""
    count, dice = 0, random.Random(SEED)

    def chosen(history: History) -> tuple[int, Action] | None:
        nonlocal count
        count += 1
        seat = history.to_act[0]
        actions = (walked(history, seat, dice) for _ in range(TRIES if count <= most else 0))
        return next(((seat, action) for action in actions if goes_on(history, seat, action)), None)

    await table.act_on(chosen)
    await table.show_all()


def goes_on(history: History, seat: int, action: Action) -> bool:
    game: Game[Any, Any] = history.game
    return bool(game.to_act(game.play(history.state, seat, action).state))


async def many_games_over(world: World, table_id: int, count: int = GAMES_OVER) -> None:
    async with core_of(world).store.write() as writer:
        for one in (tables.tables, tables.seats, tables.actions):
            key = one.c.id if one is tables.tables else one.c.table_id
            rows = (await writer.execute(sa.select(one).where(key == table_id))).mappings().all()
            free = {"interaction_id": None, "rematch_id": None, "lobby_message_id": None, "board_message_id": None}
            copies = [
                {**row, **{name: value for name, value in free.items() if name in one.c}, key.name: 100_000 + number}
                for number in range(count)
                for row in rows
            ]
            writer.later(sa.insert(one), copies)


async def many_people(world: World, game: str, *own: int) -> None:
    """Put many people, including some given ones, on a game's leaderboard and ladder."""
    now = core_of(world).now()
    async with core_of(world).store.write() as writer:
        await ladders_sql.put(writer, Ladder(guild_id=world.guild.id, game=game, season=24_312, looked_at=now))
        for number in range(PEOPLE):
            user_id, name = (own[number] if number < len(own) else 700_000 + number), f"{LONGEST_NAME[:27]} {number}"
            rating = a_rating(
                user_id, guild_id=world.guild.id, game=game, name=name, mu=40 - number / 50, sigma=1.0, played=40, won=20,
                lost=20, updated_at=now,
            )  # fmt: skip
            await queries.ratings.put(writer, rating)
            place = a_ladder_place(user_id, guild_id=world.guild.id, game=game, place=number + 1, name=name)
            await ladders_sql.put_place(writer, place)


async def large_analysis(world: World, member: Any, game: str) -> Analysis:
    """An analysis with a long line, which ends in as many branches as fit."""
    options = {"setup": "random"} if game == "pucks" else {}
    beginning = Beginning(member.id, world.guild.id, core_of(world).now())
    at, dice = analysed(beginning.of_start(game, Fair(bytes(32)), options=options)), random.Random(5)

    def with_another(at: Analysed) -> Analysis:
        assert at.seat is not None
        return with_action(at, at.seat, walked(at.history, at.seat, dice))

    while at.number < DEEP and at.seat is not None:
        made = with_another(at)
        after = following(at, made.current, made)
        if after.seat is None:
            break
        at = after
    analysis = at.analysis
    for _ in range(2 * MOST_POSITIONS):
        if len(analysis.nodes) < MOST_POSITIONS - 1:
            analysis = with_another(replace(at, analysis=analysis))
    async with core_of(world).store.write() as writer:
        stored, _ = await analysis_sql.add(writer, replace(analysis, current=at.number), most=20)
    return stored


async def large_tournament(world: World, format_id: str, game: str, *, rounds: int | None = None) -> StoredTournament:
    """A tournament of 64 after all or some of its rounds. Ann plays and organises."""
    event = play(FORMATS[format_id], 64, random.Random(3))
    now = core_of(world).now()
    row = StoredTournament(
        guild_id=world.guild.id, channel_id=world.channel.id, name="Cup", game=game, variant=GAMES[game].variants[0],
        format=format_id, most=64, clock=86_400, round_seconds=86_400, organiser_id=world.ann.id, organiser_name="Ann",
        key=event.key, lots=event.key, created_at=now, check_in_at=now, starts_at=now, status=TournamentStatus.RUNNING,
        ends_at=now + 86_400, rounds=_rows_of(event.rounds[:rounds], ()),
    )  # fmt: skip
    async with core_of(world).store.write() as writer:
        row = await tournaments_sql.add(writer, row)
        for number in event.players:
            user_id = world.ann.id if number == 1 else 5000 + number
            entry = TournamentEntry(
                event_id=row.id, number=number, user_id=user_id, name=f"Player {number}", press=1, seed=number
            )
            await tournaments_sql.put_entry(writer, entry)
    return row
