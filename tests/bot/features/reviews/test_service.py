"""Reviews: what they look at, what they find, and that nothing is computed twice or lost."""

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.core.change import changing
from bot.core.core import Core, Work
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import Refused, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.service import Consent
from bot.features.reviews import course
from bot.features.reviews import sql as reviews_sql
from bot.features.reviews.service import MOST_WAITING, Inquiry, Reviewed, Reviews
from bot.parts import PARTS
from engines import GAMES, rules_of
from engines.game import Action
from opponents import Level
from opponents.reviewing import REVIEWER, Praise, Slip
from storage import queries
from storage.schema.records import Choice, EntryKind, OfferKind, Standing
from storage.store import Store
from tests.bot.present import present
from tests.bot.scripted import scripted
from tests.bot.seated import walked
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, Time, first_action, seeds, started
from tests.marks import quick_first

A, B, C, D = ("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6")
BOUNCE = replace(BOUNCERS, game="trampoline", seats=2)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


async def over(core: Core, *actions: Action, request: TableRequest = BOUNCERS) -> Snapshot:
    """A game in which Ann and Ben have played these actions in turn, and Ben has then resigned."""
    table_id = (await started(core, request)).table.id
    for action, user in zip(actions, (ANN, BEN) * len(actions), strict=False):
        await core.service(Play).act(table_id, user, action)
    return (await core.service(Play).resign(table_id, BEN)).snapshot


async def asked(core: Core, table_id: int) -> Reviewed:
    return await core.service(Reviews).ask(await core.snapshot(table_id))


async def stepped(core: Core, table_id: int) -> Inquiry | None:
    """One step of a review, as the loop takes it."""
    inquiry = await core.service(Reviews).inquiry(table_id)
    if inquiry is not None:
        await core.service(Reviews).note_answer(inquiry, inquiry.function(*inquiry.values))
    return inquiry


async def looked_through(core: Core, table_id: int) -> Reviewed:
    """The finished review of a game."""
    await asked(core, table_id)
    while await stepped(core, table_id) is not None:
        pass
    reviewed = await asked(core, table_id)
    assert reviewed.done
    return reviewed


async def test_a_review_has_the_curve_the_slips_and_the_turning_points(core: Core) -> None:
    table_id = (await over(core, A, B, C, D)).table.id
    stands = [(0.5, 0.5), (0.45, 0.55), (0.7, 0.3), (0.6, 0.4), (0.9, 0.1)]
    with scripted(lost={A: 0.06, B: 0.25, D: 0.1}, stands=stands) as told:
        reviewed = await looked_through(core, table_id)
    seen = reviewed.course
    assert seen.curve(reviewed.review) == (*enumerate(stands), (5, (1.0, 0.0)))
    points = seen.turning_points(reviewed.review)
    slips = [(point.moment.number, point.mark) for point in points]
    assert slips == [(1, Slip.INACCURACY), (2, Slip.BLUNDER), (4, Slip.MISTAKE)]
    assert all(point.found.line[0][0] == point.moment.seat for point in points)
    ann, ben = (seen.account(reviewed.review, seat) for seat in (0, 1))
    assert (ann.looked_at, dict(ann.slips)) == (2, {Slip.INACCURACY: 1})
    assert (ben.looked_at, dict(ben.slips)) == (2, {Slip.BLUNDER: 1, Slip.MISTAKE: 1})
    assert present(ben.accuracy) < present(ann.accuracy) < 1
    assert ann.luck is ben.luck is None, "there is no luck in this game"
    assert [one.action for one in told.asked if one.what == "judge"] == [A, B, C, D]


async def test_of_each_player_the_three_worst_choices_are_turning_points(core: Core) -> None:
    moves = [(f"{file}2", f"{file}3") for file in "abcdef"], [(f"{file}7", f"{file}6") for file in "abcdef"]
    actions = [action for pair in zip(*moves, strict=True) for action in pair]
    lost: dict[Action, float] = {moves[1][3]: 0.05, moves[1][4]: 0.04}
    for number in range(5):
        lost[moves[0][number]] = 0.1 + number / 50
    table_id = (await over(core, *actions)).table.id
    with scripted(lost=lost):
        reviewed = await looked_through(core, table_id)
    points = reviewed.course.turning_points(reviewed.review)
    assert [point.moment.action for point in points] == [moves[0][2], moves[0][3], moves[1][3], moves[0][4]]


async def test_a_choice_that_earned_praise_is_marked_but_is_no_turning_point(core: Core) -> None:
    table_id = (await over(core, A, B, C, D)).table.id
    levels = {Level.MEDIUM: ("a2", "a3"), Level.HARD: ("a2", "a3")}
    with scripted(lost={("a2", "a3"): 0.3, B: 0.12}, plays=levels):
        reviewed = await looked_through(core, table_id)
    marked = reviewed.course.marked(reviewed.review)
    marks = [(point.moment.number, point.mark) for point in marked]
    assert marks == [(1, Praise.BRILLIANT), (2, Slip.MISTAKE)], "another third move gives nothing away either"
    assert [point.moment.number for point in reviewed.course.turning_points(reviewed.review)] == [2]


async def test_luck_is_separated_from_choice_where_something_is_drawn(core: Core) -> None:
    table_id = (await started(core, BOUNCE)).table.id
    for user in (ANN, BEN):
        while (await core.snapshot(table_id)).awaited[0].user_id == user.id:
            snapshot = await core.snapshot(table_id)
            await core.service(Play).act(table_id, user, first_action(snapshot))
    played = (await core.snapshot(table_id)).playing.version
    await core.service(Play).resign(table_id, BEN)
    stands = [(0.5, 0.5), *[(0.5 + step / 100, 0.5 - step / 100) for step in range(1, played + 1)]]
    with scripted("trampoline", stands=stands):
        reviewed = await looked_through(core, table_id)
    seen = reviewed.course
    drew = [sum(seen.open(moment) for moment in seen.moments if moment.seat == seat) for seat in (0, 1)]
    assert sum(drew) == played, "all of them roll the die"
    ann, ben = (seen.account(reviewed.review, seat).luck for seat in (0, 1))
    assert ann == pytest.approx(played / 100), "nothing was given away, so all of it was luck, whoever rolled"
    assert ben == pytest.approx(-played / 100), "what is one player's luck is the other's bad luck"


async def test_undone_and_forced_actions_are_not_judged(core: Core, clock: Time) -> None:
    request = TableRequest(guild_id=10, channel_id=20, game="bouncers", clock=int(DAY), strict=True)
    table_id = (await started(core, request)).table.id
    await core.service(Play).act(table_id, ANN, A)
    await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)
    await core.service(Play).act(table_id, ANN, C)
    await core.service(Play).act(table_id, BEN, B)
    async with changing(core, table_id) as change:  # as the bot plays for somebody who is away
        await change.append(change.next_entry(EntryKind.PLAY, 0, None, ("d2", "d3")))
        await change.amend(version=5)
    await core.service(Play).act(table_id, BEN, D)
    await core.service(Play).resign(table_id, ANN)
    with scripted() as told:
        reviewed = await looked_through(core, table_id)
    assert [one.action for one in told.asked if one.what == "judge"] == [C, B, D]
    assert [choice.number for choice in reviewed.review.choices] == [3, 4, 6]
    assert [standing.number for standing in reviewed.review.standings] == [0, 3, 4, 5, 6, 7]
    assert [place for place, _ in reviewed.course.curve(reviewed.review)] == [0, 1, 2, 3, 4, 5]


async def test_a_long_game_is_sampled_and_reviewed_where_most_changed(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "MOST_CHOICES", 2)
    monkeypatch.setattr(course, "MOST_STANDINGS", 5)
    table_id = (await over(core, A, B, C, D, ("d2", "d3"), ("d7", "d6"))).table.id
    stands = [(0.5, 0.5), (0.5, 0.5), (0.2, 0.8), (0.2, 0.8), (0.2, 0.8)]
    with scripted(stands=stands) as told:
        reviewed = await looked_through(core, table_id)
    assert [standing.number for standing in reviewed.review.standings] == [0, 2, 4, 5, 7]
    assert reviewed.course.is_thinned
    assert [one.action for one in told.asked if one.what == "judge"] == [C, ("d7", "d6")], "Ann fell there, and Ben at the end"
    assert reviewed.progress == (7, 7)


async def test_failed_inquiries_are_left_out(core: Core) -> None:
    table_id = (await over(core, A, B)).table.id
    with scripted(lost={B: 0.3}):
        await asked(core, table_id)
        for number in range(6):
            inquiry = present(await core.service(Reviews).inquiry(table_id))
            failed = number in {1, 4}
            await core.service(Reviews).note_answer(inquiry, None if failed else inquiry.function(*inquiry.values))
    reviewed = await asked(core, table_id)
    assert reviewed.done
    assert (reviewed.review.choices[0], reviewed.review.standings[1]) == (Choice(1), Standing(1))
    assert [place for place, _ in reviewed.course.curve(reviewed.review)] == [0, 2, 3]
    assert reviewed.course.account(reviewed.review, 0).accuracy is None
    assert len(reviewed.course.turning_points(reviewed.review)) == 1


async def test_another_process_continues_a_review(store: Store, clock: Time) -> None:
    known = seeds()
    first = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))
    table_id = (await over(first, A, B, C, D)).table.id
    with scripted(lost={B: 0.2}) as told:
        await asked(first, table_id)
        for _ in range(4):
            await stepped(first, table_id)
        lost_on_the_way = present(await first.service(Reviews).inquiry(table_id))
        after = Core(store, parts=PARTS, now=clock)
        assert await after.service(Reviews).next_unfinished() == (table_id,)
        reviewed = await looked_through(after, table_id)
        looks = [one for one in told.asked if one.what in {"assess", "judge"}]
        assert len(looks) == 4 + 5, "the end is known without asking anybody, and nothing was asked twice"
        await first.service(Reviews).note_answer(lost_on_the_way, (0.1, 0.9))
        assert await asked(after, table_id) == reviewed, "what comes too late changes nothing"
    assert await after.service(Reviews).next_unfinished() == ()
    assert reviewed.review.standings[4] == Standing(4, (0.5, 0.5))


async def test_a_review_is_made_once_and_kept(core: Core) -> None:
    table_id = (await over(core, A, B)).table.id
    wanted: list[int] = []
    core.listen(lambda _: wanted.append(table_id), Work.REVIEWS)
    with scripted() as told:
        for _ in range(3):
            assert not (await asked(core, table_id)).done
        reviewed = await looked_through(core, table_id)
        count = len(told.asked)
        assert (await asked(core, table_id)).review == reviewed.review
        assert await core.service(Reviews).inquiry(table_id) is None
    assert (wanted, len(told.asked)) == ([table_id], count)


async def test_findings_of_another_reviewer_version_are_made_again(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = (await over(core, A, B)).table.id
    with scripted():
        assert (await looked_through(core, table_id)).review.reviewer == REVIEWER
        monkeypatch.setattr("bot.features.reviews.service.REVIEWER", REVIEWER + 1)
        again = await asked(core, table_id)
        assert not again.done
        assert again.progress == (0, 6)
        assert (await looked_through(core, table_id)).review.reviewer == REVIEWER + 1


async def test_an_unfinished_review_of_another_version_restarts(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = (await over(core, A, B)).table.id
    with scripted():
        await asked(core, table_id)
        await stepped(core, table_id)
        monkeypatch.setattr("bot.features.reviews.service.REVIEWER", REVIEWER + 1)
        while await stepped(core, table_id) is not None:
            pass
        reviewed = await asked(core, table_id)
    assert reviewed.done
    assert len(reviewed.review.standings) == 4


async def test_servers_take_turns_and_the_first_game_of_each_is_first(core: Core, clock: Time) -> None:
    tables = []
    for guild_id in (10, 10, 11):
        clock.pass_(1)
        tables.append((await over(core, A, request=replace(BOUNCERS, guild_id=guild_id))).table.id)
        await asked(core, tables[-1])
    assert set(await core.service(Reviews).next_unfinished()) == {tables[0], tables[2]}


async def test_the_number_of_simultaneous_reviews_is_limited(core: Core) -> None:
    tables = [(await over(core, A)).table.id for _ in range(MOST_WAITING + 1)]
    for table_id in tables[:-1]:
        await asked(core, table_id)
    with pytest.raises(Refused, match=f"already reviewing {MOST_WAITING} games from this server"):
        await asked(core, tables[-1])
    other = (await over(core, A, request=replace(BOUNCERS, guild_id=11))).table.id
    assert not (await asked(core, other)).done


async def test_a_review_is_deleted_with_its_table(core: Core) -> None:
    table_id = (await over(core, A)).table.id
    await asked(core, table_id)
    inquiry = present(await core.service(Reviews).inquiry(table_id))
    async with core.store.write() as writer:
        await queries.forgetting.forget_server(writer, 10)
    await core.service(Reviews).note_answer(inquiry, (0.5, 0.5))
    async with core.store.read() as reader:
        assert await reviews_sql.get(reader, table_id) is None
    assert await core.service(Reviews).next_unfinished() == ()


async def test_there_is_no_review_of_a_game_that_is_on_or_has_not_begun_or_in_which_nobody_played(core: Core) -> None:
    snapshot = await started(core)
    await core.service(Play).act(snapshot.table.id, ANN, A)
    with pytest.raises(Refused, match="still on"):
        await asked(core, snapshot.table.id)
    lobby = await core.service(Lobby).open(ANN, BOUNCERS)
    with pytest.raises(WrongStage):
        await asked(core, lobby.table.id)
    agreed = (await started(core)).table.id
    for user in (ANN, BEN):
        await core.service(Consent).propose(agreed, user, OfferKind.DRAW)
    with pytest.raises(Refused, match="Nobody made a move"):
        await asked(core, agreed)


async def test_choices_are_judged_by_their_seats_knowledge_and_standings_by_everybodys(core: Core) -> None:
    request = replace(BOUNCERS, game="pucks", seats=2, options={"setup": "random"})
    table_id = (await started(core, request)).table.id
    for _ in range(6):
        snapshot = await core.snapshot(table_id)
        user = next(user for user in (ANN, BEN, CLEO) if user.id == snapshot.awaited[0].user_id)
        await core.service(Play).act(table_id, user, first_action(snapshot))
    history = (await core.service(Play).resign(table_id, BEN)).snapshot.playing
    with scripted("pucks") as told:
        reviewed = await looked_through(core, table_id)
    game = history.game
    for moment, one in zip(reviewed.course.choices, (one for one in told.asked if one.what == "judge"), strict=True):
        assert one.view == game.view(moment.before, moment.seat)
    states = [history.first, *(logged.state for logged in history.log)]
    for state, one in zip(states, (one for one in told.asked if one.what == "assess"), strict=False):
        assert one.view == game.view(state, None)


async def test_in_a_game_of_memory_everybody_is_judged_by_what_they_had_seen(core: Core) -> None:
    request = TableRequest(guild_id=10, channel_id=20, game="bunny", seats=2)
    table_id = (await started(core, request)).table.id
    people: dict[int, User] = {user.id: user for user in (ANN, BEN)}
    for _ in range(5):
        snapshot = await core.snapshot(table_id)
        await core.service(Play).act(table_id, people[snapshot.awaited[0].user_id], first_action(snapshot))
    await core.service(Play).resign(table_id, BEN)
    with scripted("bunny") as told:
        reviewed = await looked_through(core, table_id)
    choices = reviewed.course.choices
    assert choices
    for moment, one in zip(choices, (one for one in told.asked if one.what == "judge"), strict=True):
        assert len(one.memory) == moment.place
        assert all(seen.view.seat == moment.seat for seen in one.memory)
    assess = [one for one in told.asked if one.what == "assess"]
    assert [len(one.memory) for one in assess] == list(range(len(assess)))
    assert all(seen.view.seat is None for one in assess for seen in one.memory)


KINDS = [
    ("bouncers", 2, "8x8-12-terminal", {}, 1), ("trampoline", 1, None, {}, 1), ("trampoline", 4, None, {}, 1),
    ("bunny", 2, None, {}, 1), ("pucks", 2, None, {"setup": "random"}, 1),
    ("pucks", 2, None, {"setup": "random"}, 2), ("pucks", 4, None, {"setup": "random"}, 2),
    ("pucks", 2, None, {"setup": "random", "colours": "2"}, 2),
]  # fmt: skip


@pytest.mark.parametrize("kind", quick_first(2, [*KINDS[1:], KINDS[0]]), ids=str)
async def test_every_kind_of_game_is_reviewed(store: Store, clock: Time, monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    game, seats, variant, options, rules = kind
    for share, little in (("SHARE", 0.001), ("CONFIRMING", (0.001, 0.002)), ("GLANCE", 0.001)):
        monkeypatch.setattr(f"opponents.reviewing.{share}", little)
    known, presently = seeds(), GAMES[game]
    begun_under = presently if presently.rules == rules else rules_of(game, rules)
    core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known), games={**GAMES, game: begun_under})
    request = TableRequest(guild_id=10, channel_id=20, game=game, variant=variant, seats=seats, options=options)
    table_id = (await started(core, request, *(BEN, CLEO, DEV)[: seats - 1])).table.id
    people, dice = {user.id: user for user in (ANN, BEN, CLEO, DEV)}, Random(3)
    for _ in range(5):
        snapshot = await core.snapshot(table_id)
        if not snapshot.awaited:
            break
        history = snapshot.playing
        action = walked(history, history.to_act[0], dice)
        await core.service(Play).act(table_id, people[snapshot.awaited[0].user_id], action)
    for user in (ANN, BEN, CLEO, DEV)[:seats]:
        if (await core.snapshot(table_id)).awaited:
            await core.service(Play).resign(table_id, user)
    after = Core(store, parts=PARTS, now=clock)
    reviewed = await looked_through(after, table_id)
    assert reviewed.snapshot.table.rules == rules
    curve = reviewed.course.curve(reviewed.review)
    assert [place for place, _ in curve] == list(range(len(curve)))
    assert len(curve) == len(reviewed.course.moments) + 1
    assert all(len(chances) == seats and 0 <= sum(chances) <= 1.001 for _, chances in curve)
    assert all(choice.lost is not None for choice in reviewed.review.choices)
    for seat in range(seats):
        account = reviewed.course.account(reviewed.review, seat)
        assert account.accuracy is None or 0 <= account.accuracy <= 1
        assert (account.luck is not None) == presently.chance
