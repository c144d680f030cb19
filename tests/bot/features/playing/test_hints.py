"""Hints: where they are given, that they count once a position, and that they are told at the end."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from discord.ui import TextDisplay

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import NotSeated, Refused, Stale
from bot.features.playing.hints import Hints, hint_question, may_take_hint
from bot.i18n.language import ENGLISH
from bot.messages.advice import hint_message
from bot.messages.board import hints_taken
from bot.messages.builder import MessageBuilder
from bot.messages.pictures import Perspective
from opponents import Thought
from opponents.reviewing import Advice
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, first_action, started

FRIENDLY = replace(BOUNCERS, options={"rated": "no"})


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


async def test_a_hint_is_counted_once_a_position_and_told_at_the_end(core: Core) -> None:
    table_id = (await started(core, FRIENDLY)).table.id
    for _ in range(2):
        counted = await core.service(Hints).count(table_id, ANN.id, 0)
    assert counted.players[0].hints == 1
    assert counted.people == (await core.snapshot(table_id)).people
    await core.service(Play).act(table_id, ANN, ("b2", "b3"))
    await core.service(Hints).count(table_id, BEN.id, 1)
    await core.service(Play).act(table_id, BEN, ("b7", "b6"))
    await core.service(Hints).count(table_id, ANN.id, 2)
    over = (await core.service(Play).resign(table_id, ANN)).snapshot
    assert hints_taken(over) == ("Hints used by Red: 2", "Hints used by Blue: 1")


async def test_a_hint_counts_only_on_the_current_board(core: Core) -> None:
    table_id = (await started(core, FRIENDLY)).table.id
    with pytest.raises(NotSeated):
        await core.service(Hints).count(table_id, CLEO.id, 0)
    await core.service(Play).act(table_id, ANN, ("b2", "b3"))
    with pytest.raises(Stale):
        await core.service(Hints).count(table_id, ANN.id, 0)
    assert [player.hints for player in (await core.snapshot(table_id)).players] == [0, 0]


async def test_there_are_no_hints_in_rated_games_or_out_of_turn(core: Core) -> None:
    rated = await started(core)
    assert rated.table.rated
    assert not may_take_hint(rated, 0)
    with pytest.raises(Refused, match="No hints in rated games"):
        hint_question(rated, 0)
    friendly = await started(core, FRIENDLY)
    assert [may_take_hint(friendly, seat) for seat in (0, 1)] == [True, False]
    with pytest.raises(Refused, match="your turn"):
        hint_question(friendly, 1)
    over = (await core.service(Play).resign(friendly.table.id, ANN)).snapshot
    assert not may_take_hint(over, 0)


async def test_without_a_choice_there_is_no_hint(core: Core) -> None:
    bounce = await started(core, replace(FRIENDLY, game="trampoline", seats=2))
    (seat,) = bounce.playing.to_act
    assert not may_take_hint(bounce, seat)
    with pytest.raises(Refused, match="no choice right now"):
        hint_question(bounce, seat)


def said(message: MessageBuilder) -> str:
    return "\n".join(item.content for item in message.items if isinstance(item, TextDisplay))


async def test_before_the_cards_are_drawn_there_is_no_hint_yet(core: Core) -> None:
    pucks = await started(core, replace(FRIENDLY, game="pucks", seats=2))
    table_id = pucks.table.id
    for _ in range(100):
        (seat,) = pucks.playing.to_act
        if any(choice.token == "draw" for choice in pucks.playing.game.choices(pucks.playing.state, seat)):
            break
        pucks = (await core.service(Play).act(table_id, ANN if seat == 0 else BEN, first_action(pucks))).snapshot
    assert not may_take_hint(pucks, seat)
    with pytest.raises(Refused, match="hint"):
        hint_question(pucks, seat)
    drawn = (await core.service(Play).act(table_id, ANN if seat == 0 else BEN, ("draw",))).snapshot
    assert may_take_hint(drawn, seat)
    advice = Advice(Thought(first_action(drawn), 0.57), None)
    hint = await hint_message(drawn, Perspective(seat=seat, language=ENGLISH), seat, advice)
    assert "win chance" not in said(hint), "within a turn, it would seem to judge the hint before"


async def test_a_hint_at_the_beginning_of_a_turn_tells_the_chance_to_win(core: Core) -> None:
    snapshot = await started(core, FRIENDLY)
    hint = await hint_message(snapshot, Perspective(seat=0, language=ENGLISH), 0, Advice(Thought(("b2", "b3"), 0.57), None))
    assert "Estimated win chance: 57%." in said(hint)


async def test_a_position_is_always_asked_about_alike_with_what_the_seat_has_seen(core: Core) -> None:
    table_id = (await started(core, replace(FRIENDLY, game="bunny", seats=2))).table.id
    for _ in range(3):
        snapshot = await core.snapshot(table_id)
        user = ANN if snapshot.awaited[0].user_id == ANN.id else BEN
        await core.service(Play).act(table_id, user, first_action(snapshot))
    snapshot = await core.snapshot(table_id)
    (seat,) = snapshot.playing.to_act
    one, again = hint_question(snapshot, seat), hint_question(snapshot, seat)
    assert one == again
    assert len(one.memory) == 3
    assert all(seen.view.seat == seat for seen in one.memory)
