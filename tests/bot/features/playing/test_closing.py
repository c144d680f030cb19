"""One click plays the last action of a turn and its end, and counts once."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import BadAction, Refused, Stale
from bot.core.table.snapshot import Snapshot
from bot.core.undoing import undoable
from bot.features.offers.service import Consent
from bot.parts import PARTS
from engines import GAMES
from engines.game import Action, Buttons, Shortcut, action_words, is_whole, part_of
from engines.pucks import FirstPucks, Pucks
from engines.text import say
from storage import queries
from storage.schema.records import Entry, OfferKind
from storage.store import Store, Writer
from tests.bot.service import ANN, BEN, BOUNCERS, Time, seeds, started

PUCKS = replace(BOUNCERS, game="pucks", seats=2, options={"setup": "random"}, most_tables=500)


async def in_a_turn(core: Core, *, ends_by_itself: bool = False) -> tuple[Snapshot, Action]:
    """A table where Ann has one action left, and a move for it, which may end the turn by itself.

    By the current rules it does not, since she holds cards.
    """
    while True:
        table_id = (await started(core, PUCKS)).table.id
        snapshot = (await core.service(Play).act(table_id, ANN, "draw")).snapshot
        game, state = snapshot.playing.game, snapshot.playing.state
        piece = game.choices(state, 0)[0].token
        action = (piece, game.choices(state, 0, (piece,))[0].token)
        assert part_of(game, Buttons).closing(state, 0, action) is not None, "it is offered in any case"
        if is_whole(game, game.play(state, 0, action).state, 0, ("end",)) != ends_by_itself:
            return snapshot, action


async def log_of(core: Core, table_id: int) -> tuple[Entry, ...]:
    async with core.store.read() as reader:
        return await queries.entries.of_table(reader, table_id)


async def test_the_action_and_the_end_are_two_entries_of_one_click(core: Core) -> None:
    snapshot, action = await in_a_turn(core)
    table_id, before = snapshot.table.id, snapshot.table
    played = await core.service(Play).act(table_id, ANN, action, version=before.version, interaction_id=77, closing=True)
    assert (played.snapshot.table.version, played.snapshot.table.turn) == (before.version + 2, before.turn + 1)
    assert [event.kind for event in played.events] == ["move", "end"]
    *_, first, second = await log_of(core, table_id)
    assert (first.tokens, first.interaction_id, first.user_id) == (action, 77, ANN.id)
    assert (second.tokens, second.interaction_id, second.user_id) == (("end",), None, ANN.id)
    assert {1} == set(played.snapshot.playing.to_act)


async def test_the_end_is_dropped_if_the_turn_has_ended_by_itself(store: Store, clock: Time) -> None:
    # By the first rules that depended on the cards.
    known = seeds()
    core = Core(
        store, parts=PARTS, now=clock, entropy=lambda _: next(known), games={**GAMES, "pucks": FirstPucks()}, earlier=()
    )
    snapshot, action = await in_a_turn(core, ends_by_itself=True)
    played = await core.service(Play).act(snapshot.table.id, ANN, action, interaction_id=77, closing=True)
    assert (played.snapshot.table.version, played.snapshot.playing.to_act) == (snapshot.table.version + 1, (1,))


async def test_the_end_is_dropped_if_it_becomes_illegal(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot, action = await in_a_turn(core)
    offered = Shortcut(("end",), say("Play and end the turn"))
    monkeypatch.setattr(Pucks, "closing", lambda *_: offered)
    assert (await core.service(Play).act(snapshot.table.id, ANN, action, closing=True)).snapshot.table.version == 3
    drawn = await core.service(Play).act(snapshot.table.id, BEN, "draw", closing=True)
    assert (drawn.snapshot.table.version, drawn.snapshot.playing.to_act) == (4, (1,))


async def test_the_same_click_twice_plays_both_once(core: Core) -> None:
    snapshot, action = await in_a_turn(core)
    version, table_id = snapshot.table.version, snapshot.table.id

    async def clicked() -> bool:
        return (await core.service(Play).act(table_id, ANN, action, version=version, interaction_id=77, closing=True)).repeated

    assert sorted(await asyncio.gather(clicked(), clicked())) == [False, True]
    assert await clicked()
    assert (await core.snapshot(table_id)).table.version == version + 2


async def test_on_an_old_board_neither_is_played(core: Core) -> None:
    snapshot, action = await in_a_turn(core)
    with pytest.raises(Stale):
        await core.service(Play).act(snapshot.table.id, ANN, action, version=snapshot.table.version - 1, closing=True)
    with pytest.raises(BadAction):
        await core.service(Play).act(snapshot.table.id, ANN, "nonsense", closing=True)
    assert await log_of(core, snapshot.table.id) == tuple(logged.entry for logged in snapshot.playing.log)


async def test_if_the_end_cannot_be_written_the_action_is_not_either(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot, action = await in_a_turn(core)
    append = queries.entries.append_later

    async def failing(writer: Writer, entry: Entry) -> None:
        if entry.tokens == ("end",):
            raise OSError("the disk is full")
        await append(writer, entry)

    monkeypatch.setattr(queries.entries, "append_later", failing)
    with pytest.raises(OSError, match="disk"):
        await core.service(Play).act(snapshot.table.id, ANN, action, interaction_id=77, closing=True)
    monkeypatch.undo()
    again = await core.snapshot(snapshot.table.id)
    assert again.table == snapshot.table
    assert again.playing.state == snapshot.playing.state
    played = await core.service(Play).act(snapshot.table.id, ANN, action, interaction_id=77, closing=True)
    assert not played.repeated
    assert played.snapshot.playing.to_act == (1,)


async def test_without_a_closing_action_nothing_is_added(core: Core) -> None:
    table_id = (await started(core)).table.id
    played = await core.service(Play).act(table_id, ANN, "b2 b3", closing=True)
    assert played.snapshot.table.version == 1
    again = await core.service(Play).act(table_id, BEN, "b7 b6", closing=True)
    assert again.snapshot.table.version == 2


async def test_they_are_undone_one_after_the_other_the_end_first(core: Core) -> None:
    snapshot, action = await in_a_turn(core)
    table_id, version = snapshot.table.id, snapshot.table.version
    await core.service(Play).act(table_id, ANN, action, interaction_id=77, closing=True)
    moved = str(action_words(snapshot.playing.game, snapshot.playing.state, 0, action))
    for left, of_ann in ((1, "End turn"), (0, moved)):
        answered = await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
        what, done = undoable(answered.before, answered.offer.by)[0], answered.carried_out
        assert not done
        assert of_ann in str(what)
        answered = await core.service(Consent).agree(table_id, BEN, OfferKind.UNDO)
        after, done = answered.snapshot, answered.carried_out
        assert done
        assert after.playing.to_act == (0,)
        assert len(after.playing.in_force) == version + left
    assert after.playing.state == snapshot.playing.state
    played = await core.service(Play).act(table_id, ANN, action, interaction_id=78, closing=True)
    assert played.snapshot.playing.to_act == (1,)


async def test_a_click_during_a_request_for_an_undo_is_a_new_one(core: Core) -> None:
    snapshot, action = await in_a_turn(core)
    table_id = snapshot.table.id
    await core.service(Play).act(table_id, ANN, action, interaction_id=77, closing=True)
    await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    await core.service(Play).act(table_id, BEN, "draw")
    with pytest.raises(Refused):
        await core.service(Consent).agree(table_id, BEN, OfferKind.UNDO)
    assert (await core.service(Play).act(table_id, ANN, action, interaction_id=77, closing=True)).repeated
