"""Ratings: which games are rated, by how much, and what people are told."""

import itertools
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.change import changing
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.skill import (
    MODEL,
    MOST_CHANGE_PROVISIONAL,
    NEWCOMER_POINTS,
    PROVISIONAL_BELOW,
    SCALE,
    most_change,
    rating_points,
    ratings_after,
)
from bot.core.table.players import order_of_finish
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import advance
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.stats.ratings import LISTED_FROM, MEETINGS_WITHIN, Ratings
from bot.parts import PARTS
from storage import queries
from storage.schema.records import Ending, OfferKind, Rating, Result, Status
from storage.store import Store
from tests.bot.present import present
from tests.bot.service import all_have_acted

ANN, BEN, CLEO, DEV = User(1, "Ann"), User(2, "Ben"), User(3, "Cleo"), User(4, "Dev")
GUILD = 10
BOUNCERS = TableRequest(guild_id=GUILD, channel_id=20, game="bouncers")
FOUR = replace(BOUNCERS, game="trampoline", seats=4)


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    store = await Store.open(tmp_path / "springboard.sqlite3")
    seeds = iter(bytes([n]) * 32 for n in range(1, 200))
    moments = itertools.count(1_000_000, 60)
    yield Core(store, parts=PARTS, now=lambda: float(next(moments)), entropy=lambda _: next(seeds))
    await store.close()


async def started(core: Core, request: TableRequest = BOUNCERS, players: tuple[User, ...] = (ANN, BEN)) -> int:
    table_id = (await core.service(Lobby).open(players[0], request)).table.id
    for player in players[1:]:
        await core.service(Lobby).join(table_id, player)
    await all_have_acted(core, await core.snapshot(table_id))
    return table_id


async def lost_by(core: Core, loser: User, request: TableRequest = BOUNCERS) -> int:
    table_id = await started(core, request)
    await core.service(Play).resign(table_id, loser)
    return table_id


async def ended(core: Core, table_id: int, winners: list[int], how: Ending = Ending.RULES) -> None:
    """End a game as its rules would."""
    async with changing(core, table_id) as change:
        await advance(change, Result(winners=tuple(winners), how=how, reason=""))


async def rating(core: Core, user: User, game: str = "bouncers") -> Rating:
    async with core.store.read() as reader:
        return present(await queries.ratings.get(reader, GUILD, user.id, game))


async def ratings(core: Core) -> dict[str, tuple[float, float]]:
    async with core.store.read() as reader:
        return {r.name: (round(r.mu, 3), round(r.sigma, 3)) for r in await queries.ratings.find(reader, guild_id=GUILD)}


@pytest.mark.parametrize(
    ("seats", "winners", "left", "ranks"),
    [
        (2, [0], [], (0, 1)), (2, [1], [0], (1, 0)), (2, [], [], (0, 0)), (4, [2], [], (1, 1, 0, 1)),
        (4, [0, 3], [], (0, 1, 1, 0)), (4, [0, 1, 2, 3], [], (0, 0, 0, 0)), (4, [1], [3], (1, 0, 1, 2)),
        (4, [1], [3, 0], (2, 0, 1, 3)), (4, [1], [3, 0, 2], (2, 0, 1, 3)), (3, [], [1], (0, 1, 0)),
    ],
    ids=[
        "the winner before the loser", "the winner before who resigned", "a draw", "the rest share the second rank",
        "two win together", "all win together", "who left comes last", "who left later comes before who left earlier",
        "the last one left wins", "who left has no part in a draw",
    ],
)  # fmt: skip
def test_the_order_of_finish(seats: int, winners: list[int], left: list[int], ranks: tuple[int, ...]) -> None:
    assert order_of_finish(seats, winners, left) == ranks


async def test_the_winner_gains_what_the_loser_loses(core: Core) -> None:
    await lost_by(core, ANN)
    # Two newcomers: 25/3 is the model's first uncertainty. By Weng and Lin's formulas alone the game would move them to 27.635
    # and 22.365, with 8.066; it counts by 47 percent, with which the winner gains 50 points.
    assert await ratings(core) == {"Ben": (26.25, 8.206), "Ann": (23.75, 8.206)}
    assert (rating_points(await rating(core, BEN)), rating_points(await rating(core, ANN))) == (1050, 950)


def of_newcomer(**columns: Any) -> Rating:
    """A newcomer’s rating with some columns changed."""
    row: dict[str, Any] = {"guild_id": GUILD, "user_id": 1, "game": "bouncers", "name": "", "updated_at": 0.0}
    return Rating(**row | {"mu": MODEL.mu, "sigma": MODEL.sigma} | columns)


def points_moved(before: Sequence[Rating], ranks: Sequence[int]) -> list[float]:
    """How many points a game moves each rating, unrounded."""
    after = ratings_after(before, ranks)
    return [SCALE * (mu - r.mu) for r, (mu, _) in zip(before, after, strict=True)]


def some_ratings() -> st.SearchStrategy[Rating]:
    """Ratings as they can be stored, including those from before the limit on one game."""
    return st.builds(
        lambda mu, sigma, played: of_newcomer(mu=mu, sigma=sigma, played=played),
        st.floats(-20, 70), st.floats(0.5, 9), st.integers(0, 40),
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_no_first_game_moves_a_rating_by_more_than_fifty_points_however_it_ends(seats: int) -> None:
    for ranks in itertools.product(range(seats), repeat=seats) if seats < 6 else itertools.permutations(range(seats)):
        points = points_moved([of_newcomer()] * seats, ranks)
        assert max(map(abs, points)) <= MOST_CHANGE_PROVISIONAL + 1e-9


@given(st.lists(some_ratings(), min_size=2, max_size=6), st.data())
def test_every_game_respects_the_limit_and_moves_all_by_the_same_share(before: list[Rating], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(0, len(before) - 1), min_size=len(before), max_size=len(before)))
    for rating, points in zip(before, points_moved(before, ranks), strict=True):
        assert abs(points) <= most_change(rating) + 1e-6
    alone = MODEL.rate([[MODEL.rating(r.mu, r.sigma)] for r in before], ranks=[float(rank) for rank in ranks])
    limited = ratings_after(before, ranks)
    steps = [(mu - r.mu, skill.mu - r.mu) for r, (mu, _), (skill,) in zip(before, limited, alone, strict=True)]
    share = max((part / whole for part, whole in steps if abs(whole) > 1e-6), default=1.0)
    assert 0 < share <= 1 + 1e-6
    assert all(part == pytest.approx(share * whole, abs=1e-5) for part, whole in steps)


def test_beating_a_weaker_player_is_worth_less_even_if_provisional() -> None:
    gained = [points_moved([of_newcomer(), of_newcomer(mu=mu)], (0, 1))[0] for mu in (20.0, 25.0, 30.0)]
    assert gained[0] < 40, "to beat a weaker one is worth less"
    assert gained[1:] == pytest.approx([MOST_CHANGE_PROVISIONAL] * 2)


@given(some_ratings(), some_ratings())
def test_nobody_gains_by_the_limit_whomever_they_meet(one: Rating, other: Rating) -> None:
    """The ratio between a win and a loss is the model’s."""
    limited = [ratings_after([one, other], ranks)[0][0] - one.mu for ranks in ((0, 1), (1, 0))]
    known = [[MODEL.rating(one.mu, one.sigma)], [MODEL.rating(other.mu, other.sigma)]]
    alone = [MODEL.rate(known, ranks=ranks)[0][0].mu - one.mu for ranks in ([0.0, 1.0], [1.0, 0.0])]
    assert limited[0] * alone[1] == pytest.approx(limited[1] * alone[0], abs=1e-6)


def test_a_game_with_a_newcomer_is_worth_as_much_to_win_as_to_lose() -> None:
    known, new = of_newcomer(sigma=2.5, played=40), of_newcomer()
    gained, lost = ratings_after([known, new], (0, 1))[0][0] - known.mu, known.mu - ratings_after([known, new], (1, 0))[0][0]
    assert gained == pytest.approx(lost)


def test_a_settled_rating_moves_as_the_model_says() -> None:
    before = [of_newcomer(mu=30.0, sigma=2.5, played=40), of_newcomer(mu=27.0, sigma=2.6, played=30)]
    alone = MODEL.rate([[MODEL.rating(r.mu, r.sigma)] for r in before], ranks=[1.0, 0.0])
    assert list(ratings_after(before, (1, 0))) == [pytest.approx((skill.mu, skill.sigma)) for (skill,) in alone]


async def test_a_rating_from_before_the_limit_continues(core: Core) -> None:
    old = of_newcomer(user_id=BEN.id, name="Ben", mu=27.635, sigma=8.066, played=1, won=1)
    async with core.store.write() as writer:
        await queries.ratings.put(writer, old)
    assert (await core.snapshot(await lost_by(core, ANN))).rating_changes == ((1000, 959), (1105, 1144))
    results = await core.service(Ratings).results(GUILD, BEN.id, asked_by=BEN.id)
    assert [standing.rating.won for standing in results.standings] == [2]


async def test_a_table_keeps_what_its_game_has_made_of_the_ratings(core: Core) -> None:
    over = await lost_by(core, ANN)
    assert (await core.snapshot(over)).rating_changes == ((1000, 950), (1000, 1050))
    await lost_by(core, ANN)
    assert (await core.snapshot(over)).rating_changes == ((1000, 950), (1000, 1050)), "of this game, not of later ones"
    unrated = await lost_by(core, ANN, replace(BOUNCERS, options={"rated": "no"}))
    assert (await core.snapshot(unrated)).rating_changes == (None, None)


async def test_the_record_counts_games_won_drawn_and_lost(core: Core) -> None:
    for loser in (BEN, BEN, ANN):
        await lost_by(core, loser)
    drawn = await started(core)
    await core.service(Consent).propose(drawn, ANN, OfferKind.DRAW)
    await core.service(Consent).propose(drawn, BEN, OfferKind.DRAW)
    ann, ben = await rating(core, ANN), await rating(core, BEN)
    assert (ann.played, ann.won, ann.drawn, ann.lost) == (4, 2, 1, 1)
    assert (ben.played, ben.won, ben.drawn, ben.lost) == (4, 1, 1, 2)
    table = (await core.snapshot(drawn)).table
    assert ann.updated_at == table.finished_at


async def test_a_draw_leaves_equals_where_they_are_and_pulls_unequal_players_together(core: Core) -> None:
    table_id = await started(core)
    await ended(core, table_id, [], Ending.AGREED)
    assert [mu for mu, _ in (await ratings(core)).values()] == [25.0, 25.0]
    for _ in range(5):
        await lost_by(core, BEN)
    before = await ratings(core)
    await ended(core, await started(core), [], Ending.AGREED)
    after = await ratings(core)
    assert after["Ann"][0] < before["Ann"][0]
    assert after["Ben"][0] > before["Ben"][0]


async def test_of_four_the_winner_gains_and_the_first_leaver_loses_most(core: Core) -> None:
    table_id = await started(core, FOUR, (ANN, BEN, CLEO, DEV))
    await core.service(Play).resign(table_id, DEV)
    await core.service(Play).resign(table_id, ANN)
    await ended(core, table_id, [2])
    mu = {name: mu for name, (mu, _) in (await ratings(core)).items()}
    assert sorted(mu, key=mu.__getitem__, reverse=True) == ["Cleo", "Ben", "Ann", "Dev"]
    assert sum(mu.values()) == pytest.approx(100, abs=0.01)
    cleo, ben = await rating(core, CLEO, "trampoline"), await rating(core, BEN, "trampoline")
    assert (cleo.won, ben.lost) == (1, 1)


async def test_winners_that_share_a_game_gain_alike_and_each_has_won(core: Core) -> None:
    table_id = await started(core, FOUR, (ANN, BEN, CLEO, DEV))
    await ended(core, table_id, [0, 3])
    found = await ratings(core)
    assert (found["Ann"], found["Ben"]) == (found["Dev"], found["Cleo"])
    assert found["Ann"][0] > 25 > found["Ben"][0]
    assert ((await rating(core, ANN, "trampoline")).won, (await rating(core, DEV, "trampoline")).won) == (1, 1)


async def test_a_game_without_a_winner_is_a_draw_except_for_leavers(core: Core) -> None:
    table_id = await started(core, FOUR, (ANN, BEN, CLEO, DEV))
    await core.service(Play).resign(table_id, BEN)
    await ended(core, table_id, [])
    history = {u.name: await rating(core, u, "trampoline") for u in (ANN, BEN, CLEO, DEV)}
    assert {name: (r.drawn, r.lost) for name, r in history.items()} == {
        "Ann": (1, 0), "Ben": (0, 1), "Cleo": (1, 0), "Dev": (1, 0),
    }  # fmt: skip
    assert history["Ben"].mu < 25 < history["Ann"].mu


async def test_games_that_do_not_count_change_nothing(core: Core) -> None:
    await lost_by(core, ANN, replace(BOUNCERS, options={"rated": "no"}))
    alone = (await core.service(Lobby).open(ANN, replace(FOUR, seats=1))).table.id
    await core.service(Lobby).start(alone, ANN)
    await core.service(Play).resign(alone, ANN)
    for how in (Ending.ABANDONED, Ending.CLOSED):
        await ended(core, await started(core), [], how)
    assert await ratings(core) == {}
    assert (await core.snapshot(alone)).table.status is Status.FINISHED


async def test_each_game_has_its_own_rating_and_so_has_each_server(core: Core) -> None:
    await lost_by(core, BEN)
    await lost_by(core, ANN, replace(FOUR, seats=2))
    await lost_by(core, ANN, replace(BOUNCERS, guild_id=11))
    assert (await rating(core, ANN)).won == 1
    assert (await rating(core, ANN, "trampoline")).lost == 1
    async with core.store.read() as reader:
        assert present(await queries.ratings.get(reader, 11, ANN.id, "bouncers")).lost == 1


async def test_ratings_and_the_end_of_a_game_are_one_transaction(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = await started(core)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no ranks today")

    monkeypatch.setattr("bot.features.stats.ratings.order_of_finish", broken)
    with pytest.raises(RuntimeError, match="no ranks today"):
        await core.service(Play).resign(table_id, ANN)
    assert (await core.snapshot(table_id)).table.status is Status.PLAYING
    monkeypatch.undo()
    await core.service(Play).resign(table_id, ANN)
    assert (await rating(core, BEN)).won == 1


async def test_a_game_that_runs_out_of_time_counts_as_lost(core: Core) -> None:
    table_id = await started(core, replace(BOUNCERS, clock=3600, strict=True))
    deadline = present((await core.snapshot(table_id)).table.deadline)
    core._clock = lambda: deadline + 1 + WAITS
    await core.service(Timing).sweep()
    assert (await core.snapshot(table_id)).table.status is Status.FINISHED
    assert ((await rating(core, ANN)).lost, (await rating(core, BEN)).won) == (1, 1)


async def test_a_player_forgotten_during_a_game_gets_no_rating(core: Core) -> None:
    table_id = await started(core)
    async with core.store.write() as writer:
        placeholder = await queries.forgetting.unused_placeholder(writer)
        await queries.forgetting.forget_person(writer, BEN.id, placeholder, "Former player")
    await ended(core, table_id, [1])
    assert list(await ratings(core)) == ["Ann"]


async def points(core: Core, user: User, game: str = "bouncers") -> int:
    async with core.store.read() as reader:
        found = await queries.ratings.get(reader, GUILD, user.id, game)
    return NEWCOMER_POINTS if found is None else rating_points(found)


async def given_away(core: Core, loser: User) -> int:
    """A game that somebody resigns to Ann without a move."""
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    await core.service(Lobby).join(table_id, loser)
    await core.service(Play).resign(table_id, loser)
    return table_id


async def test_thirty_wins_without_a_move_against_three_friends_are_worth_nothing(core: Core) -> None:
    for _ in range(10):
        for friend in (BEN, CLEO, DEV):
            over = await core.snapshot(await given_away(core, friend))
            outcome = present(over.table.outcome)
            assert (outcome.winners, outcome.rating_share) == ((0,), 0.0)
            assert over.rating_changes == (None, None)
    assert [await points(core, user) for user in (ANN, BEN, CLEO, DEV)] == [NEWCOMER_POINTS] * 4


async def test_the_games_of_a_pair_count_less_and_less_within_thirty_days(core: Core) -> None:
    shares, moved = [], []
    for _ in range(7):
        before = await points(core, ANN)
        over = (await core.snapshot(await lost_by(core, BEN))).table
        shares.append(present(over.outcome).rating_share)
        moved.append(await points(core, ANN) - before)
    assert shares == [None, None, None, 1 / 2, 1 / 4, 1 / 8, 1 / 16]
    assert moved[3] <= moved[2] / 2 + 1
    assert moved[5] <= 3
    other = (await core.snapshot(await lost_by(core, ANN, replace(FOUR, seats=2)))).table
    assert present(other.outcome).rating_share is None, "each game has ratings of its own"
    now = core.now() + MEETINGS_WITHIN
    core._clock = lambda: now
    later = (await core.snapshot(await lost_by(core, BEN))).table
    assert present(later.outcome).rating_share is None


async def test_a_game_of_several_counts_as_the_mean_of_its_pairs(core: Core) -> None:
    for _ in range(3):
        await lost_by(core, BEN, replace(FOUR, seats=2))
    table_id = await started(core, replace(FOUR, seats=3), (ANN, BEN, CLEO))
    await ended(core, table_id, [0])
    assert present((await core.snapshot(table_id)).table.outcome).rating_share == pytest.approx((1 / 2 + 1 + 1) / 3)


async def test_leaving_before_acting_is_not_rated_despite_a_stand_in(core: Core) -> None:
    opened = await core.service(Lobby).open(ANN, BOUNCERS)
    table_id = (await core.service(Lobby).join(opened.table.id, BEN)).table.id
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
    await core.service(Consent).agree(table_id, CLEO, OfferKind.SUBSTITUTE)
    await all_have_acted(core, await core.snapshot(table_id))
    await core.service(Play).resign(table_id, CLEO)
    assert await ratings(core) == {}


@given(st.lists(some_ratings(), min_size=2, max_size=6), st.data())
def test_a_game_that_counts_half_moves_everybody_half_as_far(before: list[Rating], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(0, 5), min_size=len(before), max_size=len(before)))
    whole, half = ratings_after(before, ranks), ratings_after(before, ranks, 0.5)
    for rating, (mu, sigma), (mu_half, sigma_half) in zip(before, whole, half, strict=True):
        assert mu_half - rating.mu == pytest.approx((mu - rating.mu) / 2, abs=1e-9)
        assert sigma_half - rating.sigma == pytest.approx((sigma - rating.sigma) / 2, abs=1e-9)


async def test_the_leaderboard_lists_whoever_has_played_enough_the_best_first(core: Core) -> None:
    for _ in range(LISTED_FROM - 1):
        await lost_by(core, BEN)
    assert await core.service(Ratings).leaderboard(GUILD, "bouncers", 10) == ()
    await lost_by(core, BEN)
    first, second = await core.service(Ratings).leaderboard(GUILD, "bouncers", 10)
    assert (first.rating.name, first.place, second.rating.name, second.place) == ("Ann", 1, "Ben", 2)
    assert first.listed == 2
    assert await core.service(Ratings).leaderboard(GUILD, "bouncers", 1) == (first,)
    assert await core.service(Ratings).leaderboard(GUILD, "trampoline", 10) == ()


async def test_a_rating_is_provisional_until_enough_games_are_played(core: Core) -> None:
    for _ in range(PROVISIONAL_BELOW - 1):
        await lost_by(core, BEN)
    assert all(standing.provisional for standing in await core.service(Ratings).leaderboard(GUILD, "bouncers", 10))
    await lost_by(core, BEN)
    assert not any(standing.provisional for standing in await core.service(Ratings).leaderboard(GUILD, "bouncers", 10))


async def test_equals_share_a_place(core: Core) -> None:
    for _ in range(LISTED_FROM):
        await ended(core, await started(core), [], Ending.AGREED)
    for _ in range(LISTED_FROM):
        table_id = await started(core, players=(CLEO, DEV))
        await core.service(Play).resign(table_id, DEV)
    places = [(s.rating.name, s.place) for s in await core.service(Ratings).leaderboard(GUILD, "bouncers", 10)]
    assert places == [("Cleo", 1), ("Ann", 2), ("Ben", 2), ("Dev", 4)]


async def test_results_have_the_standings_and_the_last_games(core: Core) -> None:
    won = await lost_by(core, BEN)
    resigned = await lost_by(core, ANN, replace(FOUR, seats=2))
    results = await core.service(Ratings).results(GUILD, ANN.id, asked_by=CLEO.id)
    assert {s.rating.game: (s.rating.played, s.place, s.listed) for s in results.standings} == {
        "bouncers": (1, None, 0), "trampoline": (1, None, 0),
    }  # fmt: skip
    assert [snapshot.table.id for snapshot in results.recent] == [resigned, won]
    only = await core.service(Ratings).results(GUILD, ANN.id, asked_by=CLEO.id, game="bouncers", recent=1)
    assert [s.rating.game for s in only.standings] == ["bouncers"]
    assert [snapshot.table.id for snapshot in only.recent] == [won]


async def test_private_games_are_only_shown_to_their_players(core: Core) -> None:
    opened = await core.service(Lobby).open(ANN, replace(BOUNCERS, private=True, opponents=(BEN,)))
    await core.service(Lobby).join(opened.table.id, BEN)
    await core.service(Play).resign(opened.table.id, BEN)

    async def told(asker: User) -> list[Snapshot]:
        return list((await core.service(Ratings).results(GUILD, ANN.id, asked_by=asker.id)).recent)

    assert await told(CLEO) == []
    assert [snapshot.table.id for snapshot in await told(BEN)] == [opened.table.id]
