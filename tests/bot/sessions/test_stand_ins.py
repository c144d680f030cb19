"""Ratings cannot be dodged: who leaves a rated game to a stand-in takes its result, and nobody closes their own lost game."""

from dataclasses import replace

import pytest

from bot.i18n.language import language
from bot.messages.notices import notice
from bot.messages.records import results_message
from bot.sessions import Sessions, TableRequest, User
from bot.sessions.errors import Refused
from storage.records import OfferKind, Rating, Status
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, jobs, started

CHIEF, EVE = User(8, "Chief"), User(9, "Eve")
THREE = replace(BOUNCERS, game="trampoline", seats=3, clock=int(DAY))


async def ratings(sessions: Sessions, game: str = "bouncers") -> dict[int, tuple[int, int, int]]:
    """Games won, drawn and lost, by player."""
    async with sessions._repository.store.read() as reader:
        found = await reader.ratings(guild_id=10, game=game)
    return {r.user_id: (r.won, r.drawn, r.lost) for r in found if r.played}


async def rating(sessions: Sessions, user: User) -> Rating:
    async with sessions._repository.store.read() as reader:
        found = await reader.rating(10, user.id, "bouncers")
    assert found is not None
    return found


async def handed_over(sessions: Sessions, table_id: int, leaver: User, newcomer: User) -> None:
    await sessions.consent.hand_over(table_id, leaver, leaver.id, newcomer)
    await sessions.consent.take_over(table_id, newcomer)


async def rated_as(sessions: Sessions, table_id: int) -> list[int | None]:
    return [player.rated_as for player in (await sessions.snapshot(table_id)).players]


async def test_who_leaves_a_rated_game_to_a_stand_in_takes_its_result(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await handed_over(sessions, table_id, BEN, CLEO)
    assert await rated_as(sessions, table_id) == [None, BEN.id]
    await sessions.play.resign(table_id, CLEO)
    assert await ratings(sessions) == {ANN.id: (1, 0, 0), BEN.id: (0, 0, 1)}
    assert (await rating(sessions, BEN)).name == "Ben"
    assert (await rating(sessions, BEN)).mu < 25 < (await rating(sessions, ANN)).mu
    assert (await sessions.snapshot(table_id)).rating_changes == ((1000, 1138), None), "it is Ben’s"


async def test_the_stand_in_may_also_win_the_game_for_them(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await handed_over(sessions, table_id, BEN, CLEO)
    await sessions.play.resign(table_id, ANN)
    assert await ratings(sessions) == {ANN.id: (0, 0, 1), BEN.id: (1, 0, 0)}


async def test_of_a_chain_of_stand_ins_the_first_takes_the_result_and_may_take_the_seat_back(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    for leaver, newcomer in ((BEN, CLEO), (CLEO, DEV), (DEV, CLEO)):
        await handed_over(sessions, table_id, leaver, newcomer)
        assert await rated_as(sessions, table_id) == [None, BEN.id]
    await handed_over(sessions, table_id, CLEO, BEN)
    assert await rated_as(sessions, table_id) == [None, None]
    await sessions.play.resign(table_id, ANN)
    assert await ratings(sessions) == {ANN.id: (0, 0, 1), BEN.id: (1, 0, 0)}


async def test_a_known_rating_goes_on_under_the_name_that_was_last_seen(sessions: Sessions) -> None:
    for _ in range(2):
        await sessions.play.resign((await started(sessions)).table.id, ANN)
    table_id = (await started(sessions)).table.id
    await handed_over(sessions, table_id, BEN, CLEO)
    await sessions.play.resign(table_id, CLEO)
    assert await ratings(sessions) == {ANN.id: (1, 0, 2), BEN.id: (2, 0, 1)}
    assert (await rating(sessions, BEN)).name == "Ben"


async def test_nobody_takes_the_results_of_two_seats(sessions: Sessions) -> None:
    table_id = (await started(sessions, THREE, BEN, CLEO)).table.id
    await handed_over(sessions, table_id, BEN, DEV)
    with pytest.raises(Refused, match="still counts for Ben, who can take back that seat, but no other") as refused:
        await sessions.consent.hand_over(table_id, CLEO, CLEO.id, BEN)
    assert refused.value.names == ("Ann", "Dev", "Cleo")
    # The offer was made before: it is too late then, too.
    await sessions.consent.hand_over(table_id, CLEO, CLEO.id, EVE)
    async with sessions._repository.store.write() as writer:
        snapshot = await sessions.snapshot(table_id)
        offer = snapshot.table.offers.substitute
        assert offer is not None
        await writer.change_table(table_id, offers=replace(snapshot.table.offers, substitute=replace(offer, to=BEN.id)))
    with pytest.raises(Refused, match="but no other"):
        await sessions.consent.take_over(table_id, BEN)


async def test_who_was_put_out_of_a_game_takes_its_result_though_somebody_goes_on_for_them(sessions: Sessions) -> None:
    table_id = (await started(sessions, THREE, BEN, CLEO)).table.id
    await sessions.moderation.remove(table_id, 10, BEN, CHIEF)
    await sessions.consent.hand_over(table_id, ANN, BEN.id, DEV)
    await sessions.consent.take_over(table_id, DEV)
    assert await rated_as(sessions, table_id) == [None, BEN.id, None]
    await sessions.play.resign(table_id, ANN)
    await sessions.play.resign(table_id, CLEO)
    assert await ratings(sessions, "trampoline") == {ANN.id: (0, 0, 1), BEN.id: (1, 0, 0), CLEO.id: (0, 0, 1)}


async def test_in_a_game_that_is_not_rated_nothing_counts_for_anybody(sessions: Sessions) -> None:
    table_id = (await started(sessions, replace(BOUNCERS, options={"rated": "no"}))).table.id
    await handed_over(sessions, table_id, BEN, CLEO)
    assert await rated_as(sessions, table_id) == [None, None]
    await sessions.play.resign(table_id, CLEO)
    assert await ratings(sessions) == {}


async def test_somebody_who_has_only_left_a_game_has_no_rating_to_show_yet(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await handed_over(sessions, table_id, BEN, CLEO)
    assert (await sessions.ratings.results(10, BEN.id, asked_by=ANN.id)).standings == ()
    assert await sessions.ratings.leaderboard(10, "bouncers", 10) == ()


async def test_results_say_who_left_a_game_and_who_stood_in(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await handed_over(sessions, table_id, BEN, CLEO)
    await sessions.play.resign(table_id, CLEO)
    told = {}
    for user in (ANN, BEN, CLEO):
        results = await sessions.ratings.results(10, user.id, asked_by=DEV.id)
        told[user.name] = str(results_message(user, results, language("en")).layout().to_components())
    assert "Bouncers with Cleo: **won**," in told["Ann"]
    assert "Bouncers with Ann, left to Cleo: lost," in told["Ben"]
    assert "Bouncers with Ann, as a stand-in, not rated: lost," in told["Cleo"]


async def test_a_stand_in_is_told_that_the_result_does_not_count_for_them(sessions: Sessions) -> None:
    async def asked(request: TableRequest) -> str:
        snapshot = await started(sessions, request)
        offered = await sessions.consent.hand_over(snapshot.table.id, BEN, BEN.id, CLEO)
        (job,) = [job for job in await jobs(sessions, snapshot.table.id) if job.key == OfferKind.SUBSTITUTE]
        said = notice(offered, job, language("en"))
        assert said is not None
        return str(said.builder.layout().to_components())

    told = "It’s a rated game, but the result won’t count for you."
    assert told in await asked(BOUNCERS)
    assert told not in await asked(replace(BOUNCERS, options={"rated": "no"}))


# --- managers who play ----------------------------------------------------------------------------------------------------


async def test_a_manager_does_not_close_a_rated_game_that_counts_for_them(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    with pytest.raises(Refused, match="another server manager has to close it"):
        await sessions.moderation.close(table_id, 10, BEN)
    await handed_over(sessions, table_id, BEN, CLEO)
    for party in (BEN, CLEO, ANN):
        with pytest.raises(Refused, match="You’re in this rated game"):
            await sessions.moderation.close(table_id, 10, party)
    assert (await sessions.snapshot(table_id)).table.status is Status.PLAYING
    assert (await sessions.moderation.close(table_id, 10, CHIEF)).table.status is Status.FINISHED
    assert await ratings(sessions) == {}


async def test_who_has_left_a_rated_game_does_not_close_it_either(sessions: Sessions) -> None:
    table_id = (await started(sessions, THREE, BEN, CLEO)).table.id
    await sessions.play.resign(table_id, BEN)
    with pytest.raises(Refused, match="rated game"):
        await sessions.moderation.close(table_id, 10, BEN)


async def test_a_manager_closes_their_own_game_if_nothing_counts_or_it_has_not_begun(sessions: Sessions) -> None:
    waiting = (await sessions.lobby.open(ANN, BOUNCERS)).table.id
    assert (await sessions.moderation.close(waiting, 10, ANN)).table.status is Status.CLOSED
    casual = (await started(sessions, replace(BOUNCERS, options={"rated": "no"}))).table.id
    assert (await sessions.moderation.close(casual, 10, ANN)).table.status is Status.FINISHED


async def test_a_manager_takes_no_opponent_off_a_rated_game_of_their_own(sessions: Sessions) -> None:
    table_id = (await started(sessions, THREE, BEN, CLEO)).table.id
    with pytest.raises(Refused, match="another server manager has to remove somebody"):
        await sessions.moderation.remove(table_id, 10, BEN, ANN)
    assert (await sessions.snapshot(table_id)).present == (0, 1, 2)
    await sessions.moderation.remove(table_id, 10, ANN, ANN)  # themselves: that is what resigning is
    assert (await sessions.snapshot(table_id)).present == (1, 2)


async def test_whoever_is_forgotten_has_lost_their_games_all_the_same(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await sessions.users.forget(BEN)
    assert (await sessions.snapshot(table_id)).table.status is Status.FINISHED
    assert await ratings(sessions) == {ANN.id: (1, 0, 0)}


async def test_a_seat_that_somebody_forgotten_has_left_counts_for_its_opponents(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    await handed_over(sessions, table_id, BEN, CLEO)
    await sessions.users.forget(BEN)
    (_, placeholder) = await rated_as(sessions, table_id)
    assert placeholder is not None
    assert placeholder < 0
    await sessions.play.resign(table_id, CLEO)
    assert await ratings(sessions) == {ANN.id: (1, 0, 0)}
