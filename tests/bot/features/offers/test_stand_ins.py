"""Ratings cannot be dodged: leaving a rated game loses it, whoever goes on, and nobody closes their own lost game."""

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.core.change import changing
from bot.core.clocks.timing import TIMEOUTS_IN_A_ROW, WAITS, Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.core.turns import advance
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.privacy.service import Privacy
from bot.features.settings.moderation import Moderation
from bot.features.stats.messages import results_message
from bot.features.stats.ratings import Ratings
from bot.i18n.language import language
from bot.messages.board import ending
from storage import queries
from storage.schema.records import Ending, OfferKind, Rating, Result, Status
from storage.schema.tables import departures
from tests.bot.notices import notice
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, Time, begun, jobs, some

CHIEF, EVE, FRED = User(8, "Chief"), User(9, "Eve"), User(10, "Fred")
THREE = replace(BOUNCERS, game="trampoline", seats=3, clock=int(DAY))


async def by_rating(core: Core, game: str) -> list[str]:
    """The names of the players, best first."""
    async with core.store.read() as reader:
        found = await queries.ratings.find(reader, guild_id=10, game=game)
    return [r.name for r in sorted(found, key=lambda r: -r.mu)]


async def ended(core: Core, table_id: int, winners: list[int], how: Ending = Ending.RULES) -> None:
    """End a game as if by its rules."""
    async with changing(core, table_id) as change:
        await advance(change, Result(winners=tuple(winners), how=how, reason=""))


async def out_of_time(core: Core, clock: Time, table_id: int, seat: int) -> None:
    """Let the time of the seat to act run out often enough to be put out of the game."""
    snapshot = await core.snapshot(table_id)
    async with core.store.write() as writer:
        await queries.seats.put(writer, replace(snapshot.players[seat], timeouts=TIMEOUTS_IN_A_ROW - 1))
    clock.now = (snapshot.table.deadline or 0.0) + WAITS
    await core.service(Timing).sweep()


async def ratings(core: Core, game: str = "bouncers") -> dict[int, tuple[int, int, int]]:
    """Games won, drawn and lost, by player."""
    async with core.store.read() as reader:
        found = await queries.ratings.find(reader, guild_id=10, game=game)
    return {r.user_id: (r.won, r.drawn, r.lost) for r in found if r.played}


async def rating(core: Core, user: User) -> Rating:
    async with core.store.read() as reader:
        found = await queries.ratings.get(reader, 10, user.id, "bouncers")
    assert found is not None
    return found


async def handed_over(core: Core, table_id: int, leaver: User, newcomer: User) -> None:
    await core.service(Consent).propose(table_id, leaver, OfferKind.SUBSTITUTE, Seating(leaver.id, newcomer))
    await core.service(Consent).agree(table_id, newcomer, OfferKind.SUBSTITUTE)


async def left_by_ben(core: Core) -> int:
    """A rated game of Ann and Ben, whose seat Cleo has taken over."""
    table_id = (await begun(core)).table.id
    await handed_over(core, table_id, BEN, CLEO)
    return table_id


@pytest.fixture
async def table_id(core: Core) -> int:
    return await left_by_ben(core)


async def left_by_the_old_rule(core: Core, table_id: int, leaver: User, newcomer: User) -> None:
    """Hand a seat over as before leaving lost a game: its result still counts for its first player."""
    await handed_over(core, table_id, leaver, newcomer)
    async with core.store.write() as writer:
        (seat,) = [seat for seat in await queries.seats.of_table(writer, table_id) if seat.user_id == newcomer.id]
        await queries.seats.put(writer, replace(seat, rated_as=leaver.id))
        await writer.execute(sa.delete(departures))
        rating = Rating(
            guild_id=10, user_id=leaver.id, game="bouncers", name=leaver.name, mu=25.0, sigma=25 / 3, updated_at=0.0
        )
        await queries.ratings.put(writer, rating)


async def lost_by(core: Core, table_id: int) -> list[tuple[str, bool]]:
    """Who has handed a seat over, in order, and whether that lost them the game."""
    return [(departure.name, departure.lost) for departure in (await core.snapshot(table_id)).departures]


async def test_leaving_a_rated_game_to_a_stand_in_loses_it_but_not_for_the_stand_in(core: Core, table_id: int) -> None:
    assert await lost_by(core, table_id) == [("Ben", True)]
    assert await ratings(core) == {}, "it is counted when the game is over"
    await core.service(Play).resign(table_id, CLEO)
    assert await ratings(core) == {ANN.id: (1, 0, 0), BEN.id: (0, 0, 1)}
    assert (await rating(core, BEN)).name == "Ben"
    assert (await rating(core, BEN)).mu < 25 < (await rating(core, ANN)).mu
    over = await core.snapshot(table_id)
    assert over.rating_changes == ((1000, 1050), None), "the seat is Cleo’s, whose rating stays as it is"
    assert [(gone.rating_before, gone.rating_after) for gone in over.departures] == [(1000, 950)]


async def test_they_have_lost_it_even_if_the_stand_in_wins_the_game(core: Core, table_id: int) -> None:
    await ended(core, table_id, [1])
    assert await ratings(core) == {ANN.id: (1, 0, 0), BEN.id: (0, 0, 1)}
    over = await core.snapshot(table_id)
    assert some(over.table.outcome).winners == (1,), "on the board Cleo has won"


async def test_they_have_lost_it_even_if_the_game_is_drawn_or_never_really_begun(core: Core) -> None:
    for how in (Ending.AGREED, Ending.ABANDONED):
        table_id = await left_by_ben(core)
        await ended(core, table_id, [], how)
    assert await ratings(core) == {ANN.id: (2, 0, 0), BEN.id: (0, 0, 2)}


async def test_a_table_that_a_manager_closes_counts_for_nobody(core: Core, table_id: int) -> None:
    await core.service(Moderation).close(table_id, 10, CHIEF)
    assert await ratings(core) == {}


async def test_whoever_leaves_later_has_lost_too_but_ranks_higher(core: Core, table_id: int) -> None:
    await core.service(Play).resign(table_id, ANN)
    assert await ratings(core) == {ANN.id: (0, 0, 1), BEN.id: (0, 0, 1)}
    assert (await rating(core, BEN)).mu < 25 < (await rating(core, ANN)).mu


async def test_the_others_rank_among_themselves_as_the_game_ends(core: Core) -> None:
    table_id = (await begun(core, THREE, BEN, CLEO)).table.id
    await handed_over(core, table_id, BEN, DEV)
    await ended(core, table_id, [2])
    assert await ratings(core, "trampoline") == {ANN.id: (0, 0, 1), BEN.id: (0, 0, 1), CLEO.id: (1, 0, 0)}
    assert await by_rating(core, "trampoline") == ["Cleo", "Ann", "Ben"]


async def test_if_a_stand_in_wins_it_is_a_draw_among_those_who_stayed(core: Core) -> None:
    table_id = (await begun(core, THREE, BEN, CLEO)).table.id
    await handed_over(core, table_id, BEN, DEV)
    await ended(core, table_id, [1])
    assert await ratings(core, "trampoline") == {ANN.id: (0, 1, 0), BEN.id: (0, 0, 1), CLEO.id: (0, 1, 0)}


async def test_those_who_left_rank_by_how_long_they_stayed_whether_they_resigned_or_handed_over(core: Core) -> None:
    table_id = (await begun(core, replace(THREE, seats=4), BEN, CLEO, DEV)).table.id
    await core.service(Play).act(table_id, ANN, "roll")
    await core.service(Play).resign(table_id, CLEO)
    await handed_over(core, table_id, DEV, EVE)  # while Cleo's seat could be taken over
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(CLEO.id, FRED))
    await core.service(Consent).agree(table_id, FRED, OfferKind.SUBSTITUTE)
    await core.service(Play).resign(table_id, BEN)
    await core.service(Play).resign(table_id, FRED)
    await ended(core, table_id, [3])
    assert await by_rating(core, "trampoline") == ["Ann", "Ben", "Dev", "Cleo"]
    assert (await ratings(core, "trampoline"))[ANN.id] == (1, 0, 0)


async def test_only_the_first_to_leave_loses_in_a_chain_of_stand_ins(core: Core) -> None:
    table_id = (await begun(core)).table.id
    for leaver, newcomer in ((BEN, CLEO), (CLEO, DEV), (DEV, CLEO)):
        await handed_over(core, table_id, leaver, newcomer)
    assert await lost_by(core, table_id) == [("Ben", True), ("Cleo", False), ("Dev", False)]
    await core.service(Play).resign(table_id, CLEO)
    assert await ratings(core) == {ANN.id: (1, 0, 0), BEN.id: (0, 0, 1)}


async def test_taking_the_seat_back_does_not_undo_the_loss(core: Core, table_id: int) -> None:
    await handed_over(core, table_id, CLEO, BEN)
    await ended(core, table_id, [1])
    assert await ratings(core) == {ANN.id: (1, 0, 0), BEN.id: (0, 0, 1)}
    results = await core.service(Ratings).results(10, BEN.id, asked_by=ANN.id)
    told = str((await results_message(BEN, results, "", language("en"))).layout().to_components())
    assert "Bouncers with Ann, left and rejoined: lost," in told


async def test_a_known_rating_goes_on_under_the_name_that_was_last_seen(core: Core) -> None:
    for _ in range(2):
        await core.service(Play).resign((await begun(core)).table.id, ANN)
    table_id = await left_by_ben(core)
    await core.service(Play).resign(table_id, CLEO)
    assert await ratings(core) == {ANN.id: (1, 0, 2), BEN.id: (2, 0, 1)}
    assert (await rating(core, BEN)).name == "Ben"


@pytest.mark.parametrize("cause", ["removed", "resigned", "time"])
async def test_leaving_in_any_other_way_also_loses(core: Core, clock: Time, cause: str) -> None:
    table_id = (await begun(core, replace(THREE, strict=True), BEN, CLEO)).table.id
    match cause:
        case "removed":
            await core.service(Moderation).remove(table_id, 10, BEN, CHIEF)
        case "resigned":
            await core.service(Play).resign(table_id, BEN)
        case _:
            await core.service(Play).act(table_id, ANN, "roll")
            await out_of_time(core, clock, table_id, 1)
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(BEN.id, DEV))
    await core.service(Consent).agree(table_id, DEV, OfferKind.SUBSTITUTE)
    assert await lost_by(core, table_id) == [("Ben", True)]
    await ended(core, table_id, [1])
    found = await ratings(core, "trampoline")
    assert found == {ANN.id: (0, 1, 0), BEN.id: (0, 0, 1), CLEO.id: (0, 1, 0)}


async def test_a_seat_left_under_the_old_rule_still_counts_for_its_first_player(core: Core) -> None:
    table_id = (await begun(core)).table.id
    await left_by_the_old_rule(core, table_id, BEN, CLEO)
    await handed_over(core, table_id, CLEO, DEV)
    assert await lost_by(core, table_id) == [("Cleo", False)]
    await core.service(Play).resign(table_id, ANN)
    assert await ratings(core) == {ANN.id: (0, 0, 1), BEN.id: (1, 0, 0)}
    assert (await core.snapshot(table_id)).rating_changes == ((1000, 950), None)


async def test_a_seat_taken_back_under_the_old_rule_is_lost_by_leaving_again(core: Core) -> None:
    table_id = (await begun(core)).table.id
    await left_by_the_old_rule(core, table_id, BEN, CLEO)
    await handed_over(core, table_id, CLEO, BEN)
    (_, ben) = (await core.snapshot(table_id)).players
    assert ben.rated_as is None
    await handed_over(core, table_id, BEN, DEV)
    await core.service(Play).resign(table_id, DEV)
    assert await ratings(core) == {ANN.id: (1, 0, 0), BEN.id: (0, 0, 1)}


async def test_nobody_plays_a_seat_while_the_result_of_another_counts_for_them(core: Core) -> None:
    table_id = (await begun(core, THREE, BEN, CLEO)).table.id
    await left_by_the_old_rule(core, table_id, BEN, DEV)
    with pytest.raises(Refused, match="Ben is still rated for Blue’s seat, so they can only take over that one") as refused:
        await core.service(Consent).propose(table_id, CLEO, OfferKind.SUBSTITUTE, Seating(CLEO.id, BEN))
    assert refused.value.names == ("Ann", "Dev", "Cleo", "Ben"), "and who is named besides those who sit there"


async def test_in_a_game_that_is_not_rated_nothing_counts_for_anybody(core: Core) -> None:
    table_id = (await begun(core, replace(BOUNCERS, options={"rated": "no"}))).table.id
    await handed_over(core, table_id, BEN, CLEO)
    assert await lost_by(core, table_id) == [("Ben", False)]
    await core.service(Play).resign(table_id, CLEO)
    assert await ratings(core) == {}


async def test_a_player_who_has_only_left_a_game_has_no_rating_to_show_yet(core: Core) -> None:
    await left_by_ben(core)
    assert (await core.service(Ratings).results(10, BEN.id, asked_by=ANN.id)).standings == ()
    assert await core.service(Ratings).leaderboard(10, "bouncers", 10) == ()


async def results_told(core: Core) -> dict[str, str]:
    """The messages about the results of Ann, Ben and Cleo, by name, as Dev gets them."""
    told = {}
    for user in (ANN, BEN, CLEO):
        results = await core.service(Ratings).results(10, user.id, asked_by=DEV.id)
        told[user.name] = str((await results_message(user, results, "", language("en"))).layout().to_components())
    return told


async def test_results_say_who_left_a_game_and_who_stood_in(core: Core, table_id: int) -> None:
    await core.service(Play).resign(table_id, CLEO)
    told = await results_told(core)
    assert "Bouncers with Cleo: **won**," in told["Ann"]
    assert "Bouncers with Ann, taken over by Cleo: lost," in told["Ben"]
    assert "Bouncers with Ann, as a stand-in, not rated: lost," in told["Cleo"]


async def test_results_and_the_last_board_say_what_differs_for_the_ratings(core: Core, table_id: int) -> None:
    await ended(core, table_id, [1])
    told = await results_told(core)
    assert "Bouncers with Cleo: lost, rated as **won**," in told["Ann"]
    assert "Bouncers with Ann, taken over by Cleo: lost," in told["Ben"]
    assert "Bouncers with Ann, as a stand-in, not rated: **won**," in told["Cleo"]
    (_, by_rating, changes) = ending(await core.snapshot(table_id), language("en")).splitlines()
    assert by_rating == "-# For the ratings: Ann wins! Left early: Ben."
    assert changes == "-# Ratings: Ann 1000 → 1050 (+50) · Ben 1000 → 950 (−50)"


async def test_a_stand_in_is_told_that_the_result_does_not_count_for_them(core: Core) -> None:
    async def asked(request: TableRequest) -> str:
        snapshot = await begun(core, request)
        offered = (
            await core.service(Consent).propose(snapshot.table.id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
        ).snapshot
        (job,) = [job for job in await jobs(core, snapshot.table.id) if job.key == OfferKind.SUBSTITUTE]
        said = some(notice(offered, job, language("en")))
        return str(said.builder.layout().to_components())

    told = "It’s a rated game, but the result won’t count for you."
    assert told in await asked(BOUNCERS)
    assert told not in await asked(replace(BOUNCERS, options={"rated": "no"}))


async def test_a_manager_does_not_close_a_rated_game_that_counts_for_them(core: Core) -> None:
    table_id = (await begun(core)).table.id
    with pytest.raises(Refused, match="another server manager has to close it"):
        await core.service(Moderation).close(table_id, 10, BEN)
    await handed_over(core, table_id, BEN, CLEO)
    for party in (BEN, CLEO, ANN):
        with pytest.raises(Refused, match="You’re in this rated game"):
            await core.service(Moderation).close(table_id, 10, party)
    assert (await core.snapshot(table_id)).table.status is Status.PLAYING
    assert (await core.service(Moderation).close(table_id, 10, CHIEF)).table.status is Status.FINISHED
    assert await ratings(core) == {}


async def test_nor_does_somebody_who_has_left_it_close_a_rated_game(core: Core) -> None:
    table_id = (await begun(core, THREE, BEN, CLEO)).table.id
    await core.service(Play).resign(table_id, BEN)
    with pytest.raises(Refused, match="rated game"):
        await core.service(Moderation).close(table_id, 10, BEN)


async def test_a_manager_closes_their_own_game_if_nothing_counts_or_it_has_not_begun(core: Core) -> None:
    waiting = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    assert (await core.service(Moderation).close(waiting, 10, ANN)).table.status is Status.CLOSED
    casual = (await begun(core, replace(BOUNCERS, options={"rated": "no"}))).table.id
    assert (await core.service(Moderation).close(casual, 10, ANN)).table.status is Status.FINISHED


async def test_a_manager_takes_no_opponent_off_a_rated_game_of_their_own(core: Core) -> None:
    table_id = (await begun(core, THREE, BEN, CLEO)).table.id
    with pytest.raises(Refused, match="another server manager has to remove somebody"):
        await core.service(Moderation).remove(table_id, 10, BEN, ANN)
    assert (await core.snapshot(table_id)).present == (0, 1, 2)
    await core.service(Moderation).remove(table_id, 10, ANN, ANN)  # themselves: that is what resigning is
    assert (await core.snapshot(table_id)).present == (1, 2)


async def test_being_forgotten_does_not_undo_losses(core: Core) -> None:
    table_id = (await begun(core)).table.id
    await core.service(Privacy).forget(BEN)
    assert (await core.snapshot(table_id)).table.status is Status.FINISHED
    assert await ratings(core) == {ANN.id: (1, 0, 0)}


async def test_a_seat_left_by_a_forgotten_player_counts_for_the_opponents(core: Core, table_id: int) -> None:
    await core.service(Privacy).forget(BEN)
    ((placeholder, name),) = [(gone.user_id, gone.name) for gone in (await core.snapshot(table_id)).departures]
    assert placeholder < 0
    assert name == "Former player"
    await core.service(Play).resign(table_id, CLEO)
    assert await ratings(core) == {ANN.id: (1, 0, 0)}
