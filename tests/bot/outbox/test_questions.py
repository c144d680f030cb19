"""A question loses its buttons once it is settled, wherever that happens: by one line that says how, and pings nobody."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord
import pytest
import sqlalchemy as sa

from bot.core.people import Users
from bot.core.play import Play
from bot.core.quarantine import Quarantine
from bot.features.offers.service import Consent
from bot.features.privacy.service import Privacy
from bot.messages.click import Click
from loopback.limits import Call, Kind
from storage import queries
from storage.schema.records import Job, OfferKind, Status
from storage.schema.tables import tables
from tests.bot.forging import forged
from tests.bot.kit import World, a_chief, button, buttons
from tests.bot.outbox.test_permissions import allow
from tests.bot.refusals import ANSWER, SEND, a_bad_line, refusal
from tests.bot.seated import Seated, core_of, open_table, user_of
from tests.bot.service import DAY
from tests.bot.settings_panels import close_table
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


@dataclass
class Asked:
    """A question that stands at a table, and who has asked and is asked: Ann asks Ben, but Ben offers his seat to Cleo."""

    table: Seated
    message: discord.Message

    def now(self, world: World) -> discord.Message | None:
        """The message as it is now; None: it is gone."""
        return next((message for message in world.messages() if message.id == self.message.id), None)

    def line(self, world: World) -> str:
        """What the line in its place says. Fails if there are still buttons, if it could ping, or took more than one edit."""
        now = self.now(world)
        assert now is not None
        assert buttons(now) == []
        assert [type(part) for part in now.components] == [discord.TextDisplay]
        (edit,) = edits(world, self.message.id)
        assert edit.message["allowed_mentions"] == {"parse": []}
        head, _, line = world.text(now).partition(" · ")
        assert re.fullmatch(rf"-# [\w ]+ #{self.table.table_id}", head)
        return line


def edits(world: World, message_id: int) -> list[Call]:
    """The calls that edited a message of the channel."""
    return [call for call in world.watch.calls if call.kind is Kind.EDIT and call.path.endswith(f"/{message_id}")]


async def undo(world: World) -> Asked:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ann, world.channel, "undo")
    return Asked(table, world.last())


async def draw(world: World) -> Asked:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ann, world.channel, "draw")
    return Asked(table, world.last())


async def call_off(world: World) -> Asked:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ann, world.channel, "call-off")
    return Asked(table, world.last())


async def substitute(world: World) -> Asked:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await by_way(world.ben, world.channel, "substitute", newcomer=world.cleo)
    return Asked(table, world.last())


async def computer(world: World) -> Asked:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    await core_of(world).service(Play).resign(table.table_id, user_of(world.cleo))
    await table.show_all()
    await by_way(world.ann, world.channel, "substitute", leaver=world.cleo, computer="easy")
    return Asked(table, world.last())


Ask = Callable[[World], Awaitable[Asked]]
OFFERS: Final = {
    OfferKind.UNDO: undo, OfferKind.DRAW: draw, OfferKind.CALL_OFF: call_off, OfferKind.SUBSTITUTE: substitute,
    OfferKind.COMPUTER: computer,
}  # fmt: skip
ASKS: Final = [pytest.param(ask, id=kind) for kind, ask in OFFERS.items()]


async def recorded(world: World, asked: Asked) -> list[int]:
    """The messages that the table has on record as questions."""
    return [question.message_id for question in (await asked.table.snapshot()).table.questions]


async def jobs_of(asked: Asked) -> tuple[Job, ...]:
    """What is still to be done at the table."""
    async with asked.table.core.store.read() as reader:
        return await queries.jobs.of_table(reader, asked.table.table_id)


async def play_on(asked: Asked) -> None:
    """Whoever's turn it is moves."""
    (member,) = await asked.table.awaited()
    await asked.table.type(member, await asked.table.random_action(member))


# --- offers ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "ask"), OFFERS.items())
async def test_an_offer_stands_on_record_until_its_own_button_answers_it_by_one_call(
    world: World, kind: OfferKind, ask: Ask
) -> None:
    asked = await ask(world)
    assert await recorded(world, asked) == [asked.message.id]
    who = world.cleo if kind is OfferKind.SUBSTITUTE else world.ben
    since = len(world.watch.calls)
    await who.click(asked.message, label="Decline")
    now = asked.now(world)
    assert now is not None
    assert "declined. On with the game!" in world.text(now)
    assert buttons(now) == []
    assert edits(world, asked.message.id) == [], "the answer to the click has done it"
    assert len(world.watch.calls) == since + 1
    assert await recorded(world, asked) == []
    assert await jobs_of(asked) == ()


@pytest.mark.parametrize("kind", [OfferKind.UNDO, OfferKind.DRAW, OfferKind.CALL_OFF])
async def test_an_offer_that_is_agreed_to_by_typing_says_so(world: World, kind: OfferKind) -> None:
    asked = await OFFERS[kind](world)
    await by_way(world.ben, world.channel, kind.replace("_", "-"))
    words = {
        OfferKind.UNDO: "Ben agreed: taken back.", OfferKind.DRAW: "Ben agreed: it’s a draw!",
        OfferKind.CALL_OFF: "Ben agreed: the game is called off.",
    }  # fmt: skip
    assert asked.line(world) == words[kind]
    assert await recorded(world, asked) == []


@pytest.mark.parametrize("kind", [OfferKind.UNDO, OfferKind.DRAW, OfferKind.COMPUTER])
async def test_an_offer_lapses_when_the_game_goes_on(world: World, kind: OfferKind) -> None:
    asked = await OFFERS[kind](world)
    await play_on(asked)
    assert asked.line(world) == "This offer has lapsed: the game has moved on."
    assert await recorded(world, asked) == []


@pytest.mark.parametrize("kind", [OfferKind.CALL_OFF, OfferKind.SUBSTITUTE])
async def test_an_offer_that_outlasts_a_move_keeps_its_buttons(world: World, kind: OfferKind) -> None:
    asked = await OFFERS[kind](world)
    await play_on(asked)
    assert edits(world, asked.message.id) == []
    assert button(asked.message, "Accept")
    assert await recorded(world, asked) == [asked.message.id]


async def test_calling_off_lapses_when_it_is_too_late_for_it(world: World) -> None:
    asked = await call_off(world)
    for _ in range(3):
        assert edits(world, asked.message.id) == []
        await play_on(asked)
    assert asked.line(world) == "This offer has lapsed: the game has moved on."


async def test_a_seat_that_was_left_is_on_offer_until_others_act(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    newcomer = world.join("Dora")
    await table.core.service(Play).resign(table.table_id, user_of(world.cleo))
    await table.show_all()
    await by_way(world.ann, world.channel, "substitute", newcomer=newcomer, leaver=world.cleo)
    asked = Asked(table, world.last())
    await play_on(asked)
    assert asked.line(world) == "This offer has lapsed: the game has moved on."


@pytest.mark.parametrize("ask", ASKS)
async def test_when_the_game_is_over_so_is_every_offer(world: World, ask: Ask) -> None:
    asked = await ask(world)
    for member in (world.ben, world.ann):
        if not await asked.table.over():
            await asked.table.core.service(Play).resign(asked.table.table_id, user_of(member))
    await asked.table.show_all()
    assert asked.line(world) == "This offer is off: the game is over."


@pytest.mark.parametrize("ask", ASKS)
async def test_a_table_that_a_moderator_closes_asks_nothing_any_more(world: World, ask: Ask) -> None:
    asked = await ask(world)
    await close_table(world, a_chief(world), 1)
    assert asked.line(world) == "This offer is off: the game is over."
    assert await recorded(world, asked) == []


@pytest.mark.parametrize(("kind", "ask"), OFFERS.items())
async def test_what_is_declined_elsewhere_says_so(world: World, kind: OfferKind, ask: Ask) -> None:
    asked = await ask(world)
    await asked.table.core.service(Consent).refuse(1, user_of(world.cleo if kind is OfferKind.SUBSTITUTE else world.ben), kind)
    await asked.table.show_all()
    declined = "The offer was declined." if kind is OfferKind.SUBSTITUTE else "Ben declined."
    assert asked.line(world) == f"{declined} On with the game!"


@pytest.mark.parametrize(("kind", "ask"), OFFERS.items())
async def test_what_is_withdrawn_elsewhere_says_so(world: World, kind: OfferKind, ask: Ask) -> None:
    asked = await ask(world)
    asking, name = (world.ben, "Ben") if kind is OfferKind.SUBSTITUTE else (world.ann, "Ann")
    await asked.table.core.service(Consent).refuse(1, user_of(asking), kind)
    await asked.table.show_all()
    assert asked.line(world) == f"{name} withdrew the offer. On with the game!"


async def test_a_seat_that_is_offered_to_another_person_takes_the_buttons_from_the_first_question(world: World) -> None:
    asked = await substitute(world)
    await by_way(world.ben, world.channel, "substitute", newcomer=world.join("Dora"))
    assert asked.line(world) == "A newer offer has replaced this one."
    assert await recorded(world, asked) == [world.last().id]
    assert button(world.last(), "Accept")


async def test_of_two_messages_that_ask_the_same_the_newer_one_stays(world: World) -> None:
    asked = await substitute(world)
    await by_way(world.ben, world.channel, "substitute", newcomer=world.cleo)
    newer = world.last()
    assert newer.id != asked.message.id
    assert asked.line(world) == "A newer offer has replaced this one."
    await world.cleo.click(newer, label="Accept")
    assert await recorded(world, asked) == []


async def test_among_three_the_question_stays_until_all_have_agreed_and_says_who_was_the_last(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    await by_way(world.ann, world.channel, "draw")
    asked = Asked(table, world.last())
    await world.ben.click(asked.message, label="Accept")
    assert button(asked.message, "Accept")
    assert await recorded(world, asked) == [asked.message.id]
    await by_way(world.cleo, world.channel, "draw")
    assert asked.line(world) == "Cleo agreed: it’s a draw!"


async def test_the_line_about_an_undo_tells_no_action(world: World) -> None:
    asked = await undo(world)
    assert "b2 → b3" in world.text(asked.message)
    await by_way(world.ben, world.channel, "undo")
    assert "b2" not in asked.line(world)


async def test_the_line_is_in_the_language_of_the_server(world: World) -> None:
    asked = await draw(world)
    await core_of(world).service(Users).change_server(world.guild.id, language="de")
    await play_on(asked)
    assert asked.line(world).startswith("Dieses Angebot")


# --- what goes wrong on the way -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settled", [False, True], ids=["it stands", "it is settled by then"])
@pytest.mark.parametrize("restarted", [False, True], ids=["tried again", "by the next process"])
async def test_a_question_that_was_sent_without_being_recorded_is_found(world: World, settled: bool, restarted: bool) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await by_way(world.ann, world.channel, "undo")
    asked = Asked(table, world.last())
    assert button(asked.message, "Accept")
    assert await recorded(world, asked) == []
    if settled:
        await core_of(world).service(Consent).refuse(1, user_of(world.ben), OfferKind.UNDO)
    if restarted:
        await world.pass_time(1)
        await world.restart()
    count = len(world.messages())
    await world.pass_time(60)
    assert len(world.messages()) == count, "it is not asked twice"
    if settled:
        assert asked.line(world)
    else:
        assert await recorded(world, asked) == [asked.message.id]
        await play_on(asked)
        assert asked.line(world) == "This offer has lapsed: the game has moved on."


async def test_a_question_that_was_sent_without_being_recorded_is_found_although_another_has_taken_its_place(
    world: World,
) -> None:
    asked = await _sent_unrecorded(world)
    await core_of(world).service(Consent).refuse(1, user_of(world.ben), OfferKind.DRAW)
    await by_way(world.ann, world.channel, "draw")
    newer = world.last()
    assert newer.id != asked.message.id
    await world.pass_time(60)
    assert asked.line(world) == "A newer offer has replaced this one."
    assert await recorded(world, asked) == [newer.id]


async def _sent_unrecorded(world: World) -> Asked:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await by_way(world.ann, world.channel, "draw")
    return Asked(table, world.last())


async def test_a_question_that_a_moderator_has_deleted_is_no_trouble(world: World) -> None:
    asked = await draw(world)
    world.env.backend.delete_message(world.channel.id, asked.message.id)
    await play_on(asked)
    assert asked.now(world) is None
    assert await recorded(world, asked) == []
    assert await jobs_of(asked) == ()


async def test_buttons_that_may_not_be_taken_off_go_when_the_permission_is_back(world: World) -> None:
    world.watch.excused |= {"was tried"}
    asked = await draw(world)
    allow(world, world.channel.id, view_channel=False)
    await core_of(world).service(Consent).refuse(1, user_of(world.ben), OfferKind.DRAW)
    await asked.table.show_all()
    assert button(asked.message, "Accept")
    allow(world, world.channel.id, view_channel=True)
    await world.settle()
    now = asked.now(world)
    assert now is not None
    assert world.text(now) == "-# Bouncers #1 · Ben declined. On with the game!"


@pytest.mark.parametrize("error", [refusal(500), refusal(429, 30046), aiohttp.ServerDisconnectedError])
async def test_an_edit_that_fails_is_made_later_also_by_the_next_process(world: World, error: Callable[[], Exception]) -> None:
    asked = await draw(world)
    with a_bad_line(world, rf"PATCH /channels/\d+/messages/{asked.message.id}", error, times=1):
        await play_on(asked)
        await world.settle()
    await world.restart()
    await world.pass_time(3600)
    now = asked.now(world)
    assert now is not None
    assert world.text(now) == "-# Bouncers #1 · This offer has lapsed: the game has moved on."


async def test_if_the_answer_to_the_button_is_lost_the_outbox_takes_the_buttons_off(world: World) -> None:
    asked = await draw(world)
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, aiohttp.ServerDisconnectedError, times=2):
        await world.ben.click(asked.message, label="Decline")
        await world.settle()
    await world.pass_time(60)
    assert asked.line(world) == "Ben declined. On with the game!"


async def test_what_lapses_without_being_shown_loses_its_buttons_all_the_same(world: World) -> None:
    asked = await draw(world)
    late = Click("draw-yes", 1, (await asked.table.snapshot()).table.version)
    (member,) = await asked.table.awaited()
    await asked.table.act(member, ("b7", "b6"))
    pressed = await forged(world.ben, asked.message, late)
    assert "That offer is gone." in world.text(pressed)
    await asked.table.show_all()
    assert asked.line(world) == "This offer has lapsed: the game has moved on."


async def test_a_person_who_is_forgotten_is_asked_nothing_any_more(world: World) -> None:
    asked = await substitute(world)
    await core_of(world).service(Privacy).forget(user_of(world.cleo))
    await asked.table.show_all()
    assert asked.line(world) == "This offer has lapsed: the game has moved on."
    assert await recorded(world, asked) == []


async def test_a_table_that_was_in_quarantine_loses_the_buttons_that_ask_for_nothing_any_more(world: World) -> None:
    asked = await substitute(world)
    store = core_of(world).store
    async with store.write() as writer:
        await queries.quarantine.put(writer, 1, "for a reason")
    await core_of(world).service(Privacy).forget(user_of(world.cleo))
    assert edits(world, asked.message.id) == []
    await core_of(world).service(Quarantine).release(1)
    await asked.table.show_all()
    assert asked.line(world) == "This offer has lapsed: the game has moved on."


async def test_an_action_at_a_table_that_asks_nothing_writes_nothing_about_it(world: World) -> None:
    asked = await draw(world)
    written = list[str]()

    def heard(_: Any, __: Any, statement: str, *___: Any) -> None:
        if "questions" in statement and statement.startswith("UPDATE"):
            written.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", heard)
    try:
        await play_on(asked)
        assert len(written) == 1
        await play_on(asked)
        assert len(written) == 1
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", heard)


# --- invitations ----------------------------------------------------------------------------------------------------------


async def invitation(world: World, *more: str) -> Asked:
    """A table for three to which Ben is invited by a message of its own; the first message is the answer to the command."""
    others = {"opponent": world.ben} | dict.fromkeys(more, world.cleo)
    await world.ann.slash(world.channel, "open", game="pucks", seats=4, **others)
    return Asked(Seated(world, 1, (world.ann, world.ben, world.cleo), world.channel), world.last())


async def test_an_invitation_stands_on_record_until_its_own_buttons_answer_it_by_one_call(world: World) -> None:
    asked = await invitation(world)
    assert "Ann invites you to Puck Bumpers #1, 1 day a turn. Are you in?" in world.text(asked.message)
    assert await recorded(world, asked) == [asked.message.id]
    await world.ben.click(asked.message, label="Accept")
    now = asked.now(world)
    assert now is not None
    assert "Ben is in!" in world.text(now)
    assert edits(world, asked.message.id) == []
    assert await recorded(world, asked) == []
    assert await jobs_of(asked) == ()


async def test_an_invitation_that_is_answered_in_the_lobby_says_who_is_in_and_who_cannot_make_it(world: World) -> None:
    asked = await invitation(world, "opponent2")
    lobby = world.messages()[0]
    await world.ben.click(lobby, label="Accept")
    assert button(asked.message, "Accept"), "Cleo is still asked"
    assert edits(world, asked.message.id) == []
    await world.cleo.click(lobby, label="Decline")
    assert asked.line(world).startswith("Ben is in! Cleo can’t make it this time. https://discord.com/channels/")


async def test_one_of_two_who_are_invited_answers_there_and_the_other_in_the_lobby(world: World) -> None:
    asked = await invitation(world, "opponent2")
    await world.ben.click(asked.message, label="Decline")
    assert await recorded(world, asked) == [asked.message.id]
    await world.cleo.click(world.messages()[0], label="Accept")
    assert "Ben can’t make it this time." in asked.line(world)
    assert "Cleo is in!" in asked.line(world)


async def test_an_invitation_is_over_when_the_game_starts_without_an_answer(world: World) -> None:
    asked = await invitation(world)
    lobby = world.messages()[0]
    await world.cleo.click(lobby, label="Join")
    await world.ann.click(lobby, label="Start")
    assert asked.line(world).startswith("This invitation is no longer open: ")


@pytest.mark.parametrize("way", ["leaving", "a moderator", "time"])
async def test_an_invitation_is_over_when_the_table_is_closed(world: World, way: str) -> None:
    asked = await invitation(world)
    match way:
        case "leaving":
            await world.ann.click(world.messages()[0], label="Leave")
        case "a moderator":
            await close_table(world, a_chief(world), 1)
        case _:
            await world.pass_time(14 * DAY + 60)
    assert (await asked.table.snapshot()).table.status is Status.CLOSED
    assert asked.line(world).startswith("This invitation is no longer open: ")
    assert await recorded(world, asked) == []


async def test_an_invitation_that_was_sent_without_being_recorded_is_found_and_no_lobby_is_taken_for_one(world: World) -> None:
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        asked = await invitation(world)
    assert await recorded(world, asked) == []
    await world.pass_time(1)
    await world.restart()
    await world.pass_time(60)
    assert await recorded(world, asked) == [asked.message.id]
    assert [message.id for message in world.messages()][1:] == [asked.message.id]


# --- rematches ------------------------------------------------------------------------------------------------------------


async def over(world: World) -> Seated:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await table.core.service(Play).resign(table.table_id, user_of(world.ben))
    await table.show_all()
    return table


def labels(world: World, message_id: int) -> list[str]:
    (found,) = [message for message in world.messages() if message.id == message_id]
    return [one.label for one in buttons(found)]


async def test_the_button_goes_once_a_rematch_is_open_and_comes_back_if_that_is_closed(world: World) -> None:
    table = await over(world)
    board = table.board()
    picture = world.picture(board)
    await world.ann.click(board, label="Rematch")
    lobby = world.last()
    assert "Rematch" not in labels(world, board.id)
    assert "More" in labels(world, board.id)
    assert world.picture(table.board()) == picture
    assert (await table.snapshot()).table.rematch_id == 2
    await world.ann.click(lobby, label="Leave")
    assert "Rematch" in labels(world, board.id)
    assert (await table.snapshot()).table.rematch_id is None
    await world.ben.click(board, label="Rematch")
    assert (await table.snapshot()).table.rematch_id == 3


async def test_the_button_of_a_rematch_that_is_played_does_not_come_back(world: World) -> None:
    table = await over(world)
    await world.ann.click(table.board(), label="Rematch")
    await by_way(world.ben, world.channel, "rematch")
    snapshot = await core_of(world).snapshot(2)
    assert snapshot.table.status is Status.PLAYING
    await core_of(world).service(Play).resign(2, user_of(world.ann))
    await world.settle()
    assert (await table.snapshot()).table.rematch_id == 2
    async with core_of(world).store.read() as reader:
        found = await reader.execute(sa.select(tables.c.id).where(tables.c.rematch_id == 2))
    assert list(found.scalars()) == [1]


async def test_a_last_board_that_cannot_be_edited_now_loses_the_button_later(world: World) -> None:
    table = await over(world)
    board = table.board()
    with a_bad_line(world, rf"PATCH /channels/\d+/messages/{board.id}", refusal(500), times=1):
        await world.ann.click(board, label="Rematch")
        await world.settle()
    await world.pass_time(3600)
    assert "Rematch" not in labels(world, board.id)
