"""The dice come from the seed, whose hash is shown when the table opens, and from what the players press after that."""

import hashlib
import hmac
from dataclasses import replace

import pytest

from bot.core.contributions import PRESSES_EACH, word_of
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table import chain as chain_module
from bot.core.table.chain import broken_at, links, next_link, start_link
from bot.core.table.errors import Refused, WrongStage
from bot.core.table.snapshot import User
from bot.features.lobby.service import Rematches
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.privacy.service import Privacy
from bot.features.settings.moderation import Moderation
from bot.features.verify.service import Proof, check_games
from bot.parts import PARTS
from engines import GAMES
from engines.chance import Fair, stream_key
from storage import queries
from storage.schema.records import Contribution, Entry, EntryKind, OfferKind, Status, Table
from storage.schema.tables import actions as _actions
from storage.store import Store
from tests.bot.core.steps import sweep_after
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DEV, Time, started

FOUR = replace(BOUNCERS, game="trampoline", seats=4)
SEED = (1).to_bytes(32, "big")  # the first one of tests/bot/service.py


async def mixed_in(core: Core, table_id: int) -> list[tuple[int | None, int, int, str]]:
    found = await core.service(Proof).contributions(table_id)
    return [(one.number, one.user_id, one.interaction_id, one.word) for one in found]


def by_the_design(seed: bytes, *lines: str) -> bytes:
    return hmac.new(seed, "\n".join(lines).encode(), hashlib.sha256).digest()


async def test_the_seed_is_drawn_when_a_table_is_opened_and_stays(core: Core) -> None:
    opened = await core.service(Lobby).open(ANN, BOUNCERS)
    assert (opened.table.seed, opened.table.stream_key) == (SEED, None)
    begun = await core.service(Lobby).join(opened.table.id, BEN, 70)
    assert begun.table.seed == SEED


async def test_every_join_accept_and_start_is_mixed_into_the_key_in_the_order_of_the_seats(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(FOUR, opponents=(BEN,)))).table.id
    await core.service(Lobby).join(table_id, CLEO, 70, "lucky: seven")
    await core.service(Lobby).join(table_id, BEN, 71)
    await core.service(Lobby).join(table_id, CLEO, 72)
    snapshot = await core.service(Lobby).start(table_id, ANN, 73)
    # Ben was invited to the second seat, so he sits before Cleo although he came later.
    key = by_the_design(SEED, "1:73:", "2:71:", "3:70:lucky: seven", "3:72:")
    assert snapshot.table.stream_key == key
    assert await mixed_in(core, table_id) == [
        (1, 1, 73, ""), (2, 2, 71, ""), (3, 3, 70, "lucky: seven"), (4, 3, 72, ""),
    ]  # fmt: skip
    first = snapshot.playing.first
    assert snapshot.playing.game.position(first, secret=True)["chance"] == Fair(key).to_json()


async def test_leaving_takes_ones_presses_along(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, FOUR)).table.id
    await core.service(Lobby).join(table_id, BEN, 70, "mine")
    await core.service(Lobby).join(table_id, CLEO, 71)
    await core.service(Lobby).leave(table_id, BEN)
    assert await mixed_in(core, table_id) == [(None, 3, 71, "")]
    await core.service(Lobby).join(table_id, BEN, 72)
    snapshot = await core.service(Lobby).start(table_id, ANN, 73)
    assert snapshot.table.stream_key == by_the_design(SEED, "1:73:", "3:71:", "2:72:")


@pytest.mark.slow
async def test_one_more_press_changes_the_dice_and_the_seats(core: Core, clock: Time) -> None:
    shuffled = replace(FOUR, options={"order": "shuffled"})
    keys, orders = set(), set()
    for press in range(40):
        clock.pass_(3600)
        table = (await core.service(Lobby).open(ANN, replace(shuffled, guild_id=100 + press))).table
        async with core.store.write() as writer:
            await queries.tables.change(writer, table.id, seed=SEED)
        for user in (BEN, CLEO):
            await core.service(Lobby).join(table.id, user, 70)
        snapshot = await core.service(Lobby).join(table.id, DEV, 1000 + press)
        keys.add(snapshot.table.stream_key)
        orders.add(snapshot.names)
    assert len(keys) == 40
    assert len(orders) > 10, "40 shuffles of four"


async def test_a_press_that_is_delivered_twice_is_mixed_in_once(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, FOUR)).table.id
    for _ in range(2):
        await core.service(Lobby).join(table_id, BEN, 70)
    assert await mixed_in(core, table_id) == [(None, 2, 70, "")]


async def test_a_table_for_one_mixes_in_the_start(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(FOUR, seats=1))).table.id
    snapshot = await core.service(Lobby).start(table_id, ANN, 70)
    assert snapshot.table.stream_key == by_the_design(SEED, "1:70:")


async def test_joining_a_rematch_by_its_button_mixes_the_press_in(core: Core) -> None:
    table_id = (await started(core)).table.id
    await core.service(Play).resign(table_id, BEN)
    again = (await core.service(Rematches).open(table_id, ANN, 80)).table.id
    snapshot = await core.service(Rematches).open(table_id, BEN, 81)
    assert (snapshot.table.id, snapshot.table.status) == (again, Status.PLAYING)
    assert await mixed_in(core, again) == [(1, 2, 81, "")]


async def test_nobody_can_fill_the_database_by_pressing(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, FOUR)).table.id
    for press in range(PRESSES_EACH + 5):
        await core.service(Lobby).join(table_id, BEN, 70 + press)
    with pytest.raises(Refused, match="enough randomness"):
        await core.service(Lobby).join(table_id, BEN, 200, "one more")
    await core.service(Lobby).join(table_id, CLEO, 201, "mine")
    assert [press for _, _, press, _ in await mixed_in(core, table_id)] == [*range(70, 70 + PRESSES_EACH), 201]


@pytest.mark.parametrize(("typed", "word"), [
    ("lucky seven", "lucky seven"), ("  a\n\tb \u2028 c\u00a0", "a b c"), ("1:2:\nx", "1:2: x"),
    ("a\u202eb\u200bc\x00\ud800d", "abcd"), ("\u200b a", "a"), ("Дева 🦊", "Дева 🦊"), ("x" * 50, "x" * 50),
])  # fmt: skip
def test_a_word_is_one_line_of_what_can_be_seen(typed: str, word: str) -> None:
    assert word_of(typed) == word


@pytest.mark.parametrize("typed", ["", "  ", "\u200b\n\u202e", "x" * 51])
def test_invalid_words_are_refused(typed: str) -> None:
    with pytest.raises(Refused):
        word_of(typed)


async def as_before(store: Store, table_id: int) -> None:
    """Turn a table into one of version 0.1.0: no key, no links, no contribution of the players."""
    async with store.write() as writer:
        await queries.tables.change(writer, table_id, stream_key=None)
        for user in (ANN, BEN):
            await queries.entries.remove_contributions(writer, table_id, user.id)


@pytest.mark.parametrize("order", ["joined", "shuffled"])
async def test_a_running_old_game_keeps_the_dice_of_its_seed(store: Store, clock: Time, order: str) -> None:
    opening = replace(FOUR, seats=2, options={} if order == "joined" else {"order": order})
    core = Core(store, parts=PARTS, now=clock, entropy=lambda _: SEED)
    table_id = (await started(core, opening)).table.id
    await as_before(store, table_id)
    after = Core(store, parts=PARTS, now=clock)
    snapshot = await after.snapshot(table_id)
    chance = Fair(SEED) if order == "joined" else Fair(SEED).shuffle((0, 1))[1]
    assert snapshot.playing.first == GAMES["trampoline"].start(2, chance=chance)
    assert snapshot.playing.link is None
    while snapshot.table.status is Status.PLAYING:
        player = snapshot.awaited[0]
        snapshot = (await after.service(Play).act(table_id, ANN if player.user_id == ANN.id else BEN, "roll")).snapshot
    verdict = await after.service(Proof).verify(table_id)
    assert (verdict.problems, verdict.seed, verdict.key, verdict.contributions) == ((), SEED, SEED, ())
    assert {x.entry.link for x in snapshot.playing.log} == {None}
    assert [problem async for problem in check_games(store)] == []


async def test_an_open_old_table_draws_its_seed_at_the_start_and_plays_the_old_way(core: Core, store: Store) -> None:
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    async with store.write() as writer:
        await queries.tables.change(writer, table_id, seed=None)
    snapshot = await core.service(Lobby).join(table_id, BEN, 70)
    assert (snapshot.table.seed, snapshot.table.stream_key) == ((2).to_bytes(32, "big"), None)
    assert await mixed_in(core, table_id) == []
    snapshot = (await core.service(Play).act(table_id, ANN, "b2 b3")).snapshot
    assert (snapshot.playing.link, snapshot.playing.log[0].entry.link) == (None, None)


@pytest.mark.parametrize(
    ("chain", "first", "second"),
    [
        (
            1,
            "76ad8aa972fd02e219197293d54a155778c7395afe58d527239c3a07f9b02528",
            "77c4ac1b42c2d975db0dfc3b8758c05f572cf62ef263b93251f023bf111eb69f",
        ),
        (
            2,
            "d1e4b8480710399a30aedbb63f7b17a766d31047b928143b10a66fb5334741ea",
            "a9a4a1a4027307806c7ff52caca952f14de816c52f2fc038d8e3d220cdf4b6dd",
        ),
    ],
)
def test_the_links_match_the_description(chain: int, first: str, second: str) -> None:
    seed = bytes(range(32))
    key = stream_key(seed, ["1001:9001:lucky seven", "1002:9002:", "1002:9003:"])
    table = Table(
        id=12, guild_id=1, channel_id=2, game="bouncers", variant="8x8-16", options={"rated": "no", "order": "shuffled"},
        wanted=2, opened_by=3, created_at=4.0, seed=seed, stream_key=key,
        chain=chain,
    )  # fmt: skip
    start = start_link(table, 2)
    assert start == first  # by sha256sum
    assert all(link in (chain_module.__doc__ or "") for link in (first, second))
    entry = Entry(
        table_id=12, number=1, kind=EntryKind.PLAY, seat=0, tokens=("b2", "b3"), user_id=5, interaction_id=9004, at=6.0
    )
    link = hashlib.sha256(f"{start}\n1\nplay\n0\nb2 b3\n9004".encode()).hexdigest()
    assert link == next_link(start, entry) == second
    bare = replace(entry, kind=EntryKind.UNDO, tokens=(), interaction_id=None, user_id=None, at=0.0)
    assert next_link(link, bare) == hashlib.sha256(f"{link}\n1\nundo\n0\n\n-".encode()).hexdigest()
    assert start_link(replace(table, stream_key=None), 2) is None
    with pytest.raises(ValueError, match="no version 3 of the hash chain"):
        start_link(replace(table, chain=3), 2)


async def test_every_entry_is_a_link_no_matter_who_makes_it(core: Core, clock: Time) -> None:
    opening = replace(FOUR, clock=3600)
    table_id = (await started(core, opening, BEN, CLEO, DEV)).table.id
    await core.service(Play).act(table_id, ANN, "roll", interaction_id=90)
    await sweep_after(core, clock, 3601)
    await core.service(Play).resign(table_id, DEV, 91)
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(DEV.id, replace(DEV, id=5)))
    await core.service(Consent).agree(table_id, replace(DEV, id=5), OfferKind.SUBSTITUTE)
    await core.service(Moderation).remove(table_id, 10, CLEO, User(9, "Chief"))
    again = await Core(core.store, parts=PARTS, now=clock).snapshot(table_id)
    entries = [x.entry for x in again.playing.log]
    assert {entry.kind for entry in entries} == set(EntryKind)
    start = start_link(again.table, 4)
    assert start is not None
    assert [entry.link for entry in entries] == list(links(start, entries))
    assert again.playing.link == entries[-1].link
    assert broken_at(start, entries) is None


@pytest.mark.parametrize(("number", "change"), [
    (1, {"interaction_id": 999}), (2, {"tokens": ("g7", "g6")}), (2, {"link": "0" * 64}), (2, {"link": None}),
])  # fmt: skip
async def test_the_chain_exposes_a_changed_log(core: Core, number: int, change: dict[str, object]) -> None:
    table_id = (await started(core)).table.id
    for user, action in ((ANN, "b2 b3"), (BEN, "c7 c6")):
        await core.service(Play).act(table_id, user, action)
    snapshot = await core.snapshot(table_id)
    entries = [x.entry for x in snapshot.playing.log]
    start = start_link(snapshot.table, 2)
    assert start is not None
    entries[number - 1] = replace(entries[number - 1], **change)  # type: ignore[arg-type]
    assert broken_at(start, entries) == number


async def over(core: Core) -> int:
    table_id = (await started(core)).table.id
    await core.service(Play).act(table_id, ANN, "b2 b3")
    await core.service(Play).resign(table_id, BEN)
    return table_id


async def test_a_finished_game_shows_its_key_and_what_it_was_mixed_from(core: Core) -> None:
    table_id = await over(core)
    verdict = await core.service(Proof).verify(table_id)
    (press,) = verdict.contributions
    assert (press.number, press.user_id) == (1, BEN.id)
    assert verdict.key == by_the_design(SEED, f"2:{press.interaction_id}:")
    assert (verdict.seed, verdict.problems, verdict.removed) == (SEED, (), 0)


async def test_a_running_game_shows_neither_seed_nor_key(core: Core) -> None:
    verdict = await core.service(Proof).verify((await started(core)).table.id)
    assert (verdict.seed, verdict.key) == (None, None)
    assert len(verdict.contributions) == 1


@pytest.mark.parametrize(("planted", "problem"), [
    ("seed", "doesn’t follow from the seed"), ("key", "doesn’t follow from the seed"),
    ("word", "doesn’t follow from the seed"), ("missing", "Part of what the players added"),
    ("no key", "the dice key is missing"), ("link", "breaks at action 2"),
])  # fmt: skip
async def test_any_change_of_the_dice_is_exposed(core: Core, store: Store, planted: str, problem: str) -> None:
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    await core.service(Lobby).join(table_id, BEN, 70)
    other = (await core.service(Lobby).open(ANN, FOUR)).table.id
    for press in (70, 71):
        await core.service(Lobby).join(other, BEN, press)
    await core.service(Lobby).start(other, ANN, 72)
    await core.service(Play).act(table_id, ANN, "b2 b3")
    await core.service(Play).resign(table_id, BEN)
    assert [problem async for problem in check_games(store)] == []
    async with store.write() as writer:
        if planted == "seed":
            await queries.tables.change(writer, table_id, seed=bytes(32))
        elif planted == "key":
            await queries.tables.change(writer, table_id, stream_key=bytes(32))
        elif planted == "word":
            await queries.entries.put_contribution(
                writer, Contribution(table_id=table_id, interaction_id=70, user_id=BEN.id, word="x", number=1)
            )
        elif planted == "missing":
            await queries.entries.remove_contributions(writer, other, ANN.id)
        elif planted == "no key":
            await queries.tables.change(writer, table_id, stream_key=None)
        else:
            await writer.execute(_actions.update().where(_actions.c.number == 2).values(link="0" * 64))
    found = [problem async for problem in check_games(store)]
    assert problem in found[0]
    assert len(found) == 1 or "breaks at action 1" in found[1], "the chain begins with the hashes of seed and key"


async def test_only_the_result_of_a_forgotten_person_stays_in_the_dice(core: Core, store: Store) -> None:
    waiting = (await core.service(Lobby).open(CLEO, FOUR)).table.id
    await core.service(Lobby).join(waiting, BEN, 60)
    table_id = (await core.service(Lobby).open(ANN, FOUR)).table.id
    await core.service(Lobby).join(table_id, BEN, 70, "Ben was here")
    await core.service(Lobby).join(table_id, CLEO, 71)
    await core.service(Lobby).join(table_id, BEN, 72)
    await core.service(Lobby).start(table_id, ANN)
    await core.service(Privacy).forget(BEN)
    assert await mixed_in(core, waiting) == []
    assert await mixed_in(core, table_id) == [(1, -1, -1, ""), (2, -1, -2, ""), (3, 3, 71, "")]
    await core.service(Play).resign(table_id, ANN)
    verdict = await core.service(Proof).verify(table_id)
    assert (verdict.problems, verdict.removed) == ((), 2)
    assert verdict.key == by_the_design(SEED[:-1] + b"\2", "2:70:Ben was here", "2:72:", "3:71:")
    with pytest.raises(WrongStage):
        await core.service(Lobby).join(table_id, BEN, 99)
