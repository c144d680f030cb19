"""Players act and end games, and are asked and answered in the same words everywhere."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.listing import Lists
from bot.core.lobby import Lobby
from bot.core.places import Letter
from bot.core.play import Play
from bot.core.table.errors import BadAction, NotSeated, NotYourTurn, Refused, Stale, WrongStage
from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.features.offers.service import Consent
from bot.i18n.language import ENGLISH
from bot.messages.asking import question, question_sentence, questions
from bot.messages.board import board_message, private_board_message
from bot.messages.builder import MessageBuilder, Picture
from bot.messages.direct_messages import direct_message
from bot.messages.listing import list_message
from bot.messages.pictures import Perspective, finale_of, version_shown
from bot.parts import PARTS
from engines import GAMES
from engines.text import SEAT_COLOURS, say
from storage.schema.records import Ending, Job, JobKind, News, OfferKind, Offers, Proposal, Result, SeatStatus, Status
from tests.bot.core.steps import winners
from tests.bot.notices import notice
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, Time, begun, owed, started


async def test_an_action_moves_the_game_on_and_the_turn_passes(core: Core) -> None:
    table_id = (await started(core)).table.id
    played = await core.service(Play).act(table_id, ANN, "b2 b3", version=0, interaction_id=77)
    assert (played.snapshot.table.version, played.snapshot.table.turn) == (1, 2)
    assert [p.name for p in played.snapshot.awaited] == ["Ben"]
    assert (table_id, "board") in await owed(core)


async def test_out_of_turn_the_error_names_the_awaited_player(core: Core) -> None:
    table_id = (await started(core)).table.id
    with pytest.raises(NotYourTurn) as caught:
        await core.service(Play).act(table_id, BEN, "b7 b6")
    assert caught.value.text.render(name=caught.value.names.__getitem__) == "It’s not your turn yet: I’m waiting for Ann."
    with pytest.raises(NotSeated, match="You’re not playing"):
        await core.service(Play).act(table_id, CLEO, "b7 b6")


WRONG = {
    "c3": "c3 is empty",
    "b2": "still missing",
    "b2 b4": "b4 is too far",
    "b2 b3 b2": "bounce straight back to b2",
    "": "haven’t said",
    "hello world": "isn’t possible now|isn’t a word",
    "b2 !!": "isn’t a word this game knows",
    "z9 z8": "isn’t possible now|isn’t a word",
    "b7 b6": "b7 isn’t your piece",
    "b2 b3 b9": "no b9 on this board",
    "b2-": "still missing|isn’t a word",
}


@pytest.mark.parametrize(("typed", "words"), WRONG.items())
async def test_a_move_typed_wrongly_is_refused_in_words_and_nothing_happens(core: Core, typed: str, words: str) -> None:
    snapshot = await started(core)
    with pytest.raises(BadAction, match=words) as caught:
        await core.service(Play).act(snapshot.table.id, ANN, typed)
    assert caught.value.possible
    assert (await core.snapshot(snapshot.table.id)).table == snapshot.table


async def test_a_click_on_an_old_board_is_told_that_the_board_has_moved_on(core: Core) -> None:
    table_id = (await started(core)).table.id
    await core.service(Play).act(table_id, ANN, "b2 b3", version=0)
    await core.service(Play).act(table_id, BEN, "b7 b6", version=1)
    with pytest.raises(Stale, match="moved on"):
        await core.service(Play).act(table_id, ANN, "c2 c3", version=0)


async def test_the_same_interaction_plays_once(core: Core) -> None:
    table_id = (await started(core)).table.id
    first = await core.service(Play).act(table_id, ANN, "b2 b3", version=0, interaction_id=7)
    again = await core.service(Play).act(table_id, ANN, "b2 b3", version=0, interaction_id=7)
    assert (first.repeated, again.repeated, again.snapshot.table.version) == (False, True, 1)


async def test_only_one_of_two_simultaneous_clicks_plays(core: Core) -> None:
    table_id = (await started(core)).table.id
    results = await asyncio.gather(
        core.service(Play).act(table_id, ANN, "b2 b3", version=0, interaction_id=1),
        core.service(Play).act(table_id, ANN, "c2 c3", version=0, interaction_id=2),
        core.service(Play).act(table_id, ANN, "b2 b3", version=0, interaction_id=1),
        return_exceptions=True,
    )
    snapshot = await core.snapshot(table_id)
    assert snapshot.table.version == 1
    assert sum(not isinstance(r, BaseException) and not r.repeated for r in results) == 1
    assert all(isinstance(r, (Stale, NotYourTurn)) for r in results if isinstance(r, BaseException))


async def test_the_state_is_rebuilt_from_the_log_after_a_restart(core: Core, clock: Time) -> None:
    table_id = (await started(core)).table.id
    await core.service(Play).act(table_id, ANN, "b2 b3")
    before = await core.service(Play).act(table_id, BEN, "b7-b6")
    again = Core(core.store, parts=PARTS, now=clock)
    after = await again.snapshot(table_id)
    assert after.playing.state == before.snapshot.playing.state
    assert [logged.notation for logged in after.playing.log] == ["b2-b3", "b7-b6"]


async def test_resigning_against_one_opponent_loses(core: Core) -> None:
    table_id = (await started(core)).table.id
    played = await core.service(Play).resign(table_id, BEN)
    assert played.snapshot.table.status is Status.FINISHED
    assert winners(played.snapshot) == (0,)
    assert played.snapshot.players[1].status is SeatStatus.WITHDRAWN
    with pytest.raises(WrongStage, match="over"):
        await core.service(Play).act(table_id, ANN, "b2 b3")
    with pytest.raises(WrongStage, match="over"):
        await core.service(Play).resign(table_id, ANN)


async def test_resigning_among_several_lets_the_others_play_on(core: Core) -> None:
    request = replace(BOUNCERS, game="trampoline", seats=3)
    table_id = (await core.service(Lobby).open(ANN, request)).table.id
    await core.service(Lobby).join(table_id, BEN)
    await core.service(Lobby).join(table_id, CLEO)
    played = await core.service(Play).resign(table_id, ANN)
    assert played.snapshot.table.status is Status.PLAYING
    assert [p.name for p in played.snapshot.awaited] == ["Ben"]
    with pytest.raises(Refused, match="You’ve left"):
        await core.service(Play).act(table_id, ANN, "roll")
    with pytest.raises(Refused, match="You’ve left"):
        await core.service(Play).resign(table_id, ANN)


async def test_a_draw_needs_both(core: Core) -> None:
    table_id = (await begun(core)).table.id
    for _ in range(2):
        answered = await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
        assert (answered.carried_out, answered.snapshot.table.offers) == (False, Offers(draw=Proposal(by=0, agreed=(0,))))
    answered = await core.service(Consent).propose(table_id, BEN, OfferKind.DRAW)
    snapshot = answered.snapshot
    assert (answered.carried_out, snapshot.table.status) == (True, Status.FINISHED)
    assert snapshot.outcome() is not None
    assert snapshot.table.outcome == Result(winners=(), how=Ending.AGREED, reason="Both sides agreed.")


async def test_an_offer_lapses_when_the_other_plays_on_or_turns_it_down(core: Core) -> None:
    table_id = (await started(core)).table.id
    await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
    played = await core.service(Play).act(table_id, ANN, "b2 b3")
    assert played.snapshot.table.offers.draw is not None
    played = await core.service(Play).act(table_id, BEN, "b7 b6")
    assert played.snapshot.table.offers == Offers()
    await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
    assert (await core.service(Consent).refuse(table_id, BEN, OfferKind.DRAW)).snapshot.table.offers == Offers()
    with pytest.raises(Refused, match="offer is gone"):
        await core.service(Consent).refuse(table_id, BEN, OfferKind.DRAW)


async def test_nobody_offers_a_draw_to_themselves(core: Core) -> None:
    snapshot = await started(core, replace(BOUNCERS, game="trampoline", seats=1))
    with pytest.raises(Refused, match="nobody left to agree"):
        await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.DRAW)


async def test_a_table_has_the_position_that_its_game_has_reached(core: Core) -> None:
    snapshot = await started(core)
    first = snapshot.position
    assert (first.names, first.moved, first.ended, first.variant) == (snapshot.names, None, None, snapshot.table.variant)
    played = (await core.service(Play).act(snapshot.table.id, ANN, "b2 b3")).snapshot
    assert played.position.last_action_of(0) == ("b2", "b3")
    assert played.position.last_action_of(1) == ()
    assert version_shown(played, played.position.file_name()) == 1
    before = played.position_after(played.playing.at(0))
    assert (before.state, before.file, before.moved) == (first.state, first.file, None)


async def test_only_the_last_position_of_a_game_shows_its_result(core: Core) -> None:
    snapshot = await started(core)
    ended = (await core.service(Play).resign(snapshot.table.id, BEN)).snapshot
    finale = finale_of(ended.position)
    assert finale is not None
    assert (finale.winners, finale.drawn) == ((0,), False)
    assert finale_of(ended.position_after(ended.playing.at(0))) is None


def test_without_a_table_players_may_have_any_names() -> None:
    game = GAMES["bouncers"]
    position = Position(game=game, state=game.start(2), names=SEAT_COLOURS[:2], file="shown")
    assert (position.colours, position.computers, position.table) == (1, (), None)


def test_with_secrets_each_seat_has_a_view_of_its_own() -> None:
    for game in GAMES.values():
        position = Position(game=game, state=game.start(2), names=SEAT_COLOURS[:2], file="shown")
        seen = [position.view(seat) for seat in (None, 0, 1, 0)]
        assert [view.seat for view in seen] == ([None, 0, 1, 0] if game.secret else [None] * 4)
        assert seen == [game.view(position.state, view.seat) for view in seen]


PUCKS = replace(BOUNCERS, game="pucks", options={"setup": "random"})
ASKED = {
    "bouncers": "which piece bounces?",
    "bunny": "where does your Bunny hop in?",
    "trampoline": "ready to roll?",
    "pucks": "draw 1 card to start your turn.",
}


def words(builder: MessageBuilder) -> str:
    return str(builder.layout().to_components())


def noticed(core: Core, snapshot: Snapshot, kind: JobKind, **payload: object) -> str:
    now = core.now()
    said = notice(snapshot, Job(table_id=snapshot.table.id, kind=kind, payload=payload, due=now, created_at=now), ENGLISH)
    assert said is not None
    return said.builder.content(now)


@pytest.mark.parametrize(("game", "asked"), ASKED.items())
async def test_a_player_is_asked_the_same_in_every_message(core: Core, game: str, asked: str) -> None:
    options = PUCKS.options if game == "pucks" else {}
    snapshot = await started(core, replace(BOUNCERS, game=game, options=options, seats=2))
    table, sentence = snapshot.table, asked[:1].upper() + asked[1:]
    (seat,) = snapshot.playing.to_act
    me, other = (snapshot.players[place].user_id for place in (seat, 1 - seat))
    assert question(snapshot.position, seat) == asked
    board = board_message(snapshot, ENGLISH, Picture("board.png", b"", "the board"), 0)
    assert f"<@{me}>, {asked}" in words(board)
    page = await core.service(Lists).page(table.guild_id, me)
    assert f"**{sentence}**" in words(list_message(page, me, ENGLISH))
    assert asked not in words(list_message(page, other, ENGLISH)).lower()
    own = await private_board_message(snapshot, Perspective(seat=seat, language=ENGLISH))
    assert sentence in words(own)
    assert f"is waiting for you: {asked}" in noticed(core, snapshot, JobKind.NUDGE, by=1 - seat, turn=table.turn)
    for which in ("soon", "abandoned"):
        reminder = noticed(core, snapshot, JobKind.REMINDER, user=me, turn=table.turn, which=which)
        assert f"waiting for you: {asked}" in reminder
    unshown = direct_message(snapshot, Letter(news=News.UNSHOWN, turn=table.turn), me, say("It’s locked."), ENGLISH)
    assert f"Your turn in {snapshot.playing.game.title} #{table.id}: {asked}" in unshown.content(core.now())


async def test_players_with_the_same_question_are_asked_together(core: Core) -> None:
    snapshot = await started(core, replace(PUCKS, seats=3), BEN, CLEO)
    assert [(str(asked), seats) for asked, seats in questions(snapshot.position, (1, 2))] == [(ASKED["pucks"], [1, 2])]
    assert question_sentence(snapshot.position, 0, ENGLISH) == "Draw 1 card to start your turn."


async def test_a_refusal_names_what_is_possible_in_words_to_type(core: Core) -> None:
    table_id = (await started(core, replace(BOUNCERS, game="trampoline", seats=2))).table.id
    with pytest.raises(BadAction) as typed:
        await core.service(Play).act(table_id, ANN, "bounce")
    assert typed.value.text == "“bounce” isn’t possible now. You can roll 3 dice (`roll`)."
    with pytest.raises(BadAction) as pressed:
        await core.service(Play).act(table_id, ANN, ("bounce",))
    assert pressed.value.text == "“bounce” isn’t possible now. You can roll 3 dice."
