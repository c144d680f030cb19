"""What a player is asked has the same words wherever it is asked."""

from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.listing import Lists
from bot.core.places import Letter
from bot.core.play import Play
from bot.core.table.errors import BadAction
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import ENGLISH
from bot.messages.asking import question, question_sentence, questions
from bot.messages.board import board_message, private_board_message
from bot.messages.builder import MessageBuilder, Picture
from bot.messages.direct_messages import direct_message
from bot.messages.listing import list_message
from bot.messages.pictures import Perspective
from engines.text import say
from storage.schema.records import Job, JobKind, News
from tests.bot.notices import notice
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, started

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
