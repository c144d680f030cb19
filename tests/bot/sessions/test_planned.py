"""Plans at work: conditional moves are played in the transaction of the move that they answer, or not at all."""

from bot.sessions import Sessions
from storage.records import Entry, Reply
from tests.bot.service import ANN, BEN, Time, started

A, B = ("b2", "b3"), ("b7", "b6")
C, D = ("c2", "c3"), ("c7", "c6")
E, F = ("d2", "d3"), ("d7", "d6")


async def table_with(sessions: Sessions, *replies: Reply, clock: int | None = None) -> int:
    """A table of Bouncers at which Ann is to move, and Ben has planned this."""
    snapshot = await started(sessions)
    await keep(sessions, snapshot.table.id, *replies)
    return snapshot.table.id


async def keep(sessions: Sessions, table_id: int, *replies: Reply, path: tuple[int, ...] = ()) -> None:
    for number, reply in enumerate(replies):
        await sessions.plans.add_reply(table_id, BEN, None, path, reply.theirs, reply.mine)
        await keep(sessions, table_id, *reply.then, path=(*path, number))


async def log_of(sessions: Sessions, table_id: int) -> list[Entry]:
    async with sessions._repository.store.read() as reader:
        return list(await reader.entries(table_id))


async def test_a_reply_is_played_with_the_move_that_it_answers(sessions: Sessions, clock: Time) -> None:
    table_id = await table_with(sessions, Reply(A, B, (Reply(C, D),)))
    played = await sessions.play.act(table_id, ANN, A, version=0, interaction_id=77)
    first, second = await log_of(sessions, table_id)
    assert (first.seat, first.tokens, first.user_id, first.interaction_id, first.fired) == (0, A, ANN.id, 77, False)
    assert (second.seat, second.tokens, second.user_id, second.interaction_id, second.fired) == (1, B, BEN.id, None, True)
    assert second.at == first.at
    assert played.snapshot.table.version == 2
    assert played.snapshot.playing.to_act == (0,)
    assert [event.seat for event in played.events] == [0, 1]
    assert played.snapshot == await sessions.snapshot(table_id)
    assert (await sessions.plans.of(table_id, BEN)).plan.replies == (Reply(C, D),), "it goes on from here"
    played = await sessions.play.act(table_id, ANN, C, version=2)
    assert played.snapshot.table.version == 4
    assert (await sessions.plans.of(table_id, BEN)).plan.idle
