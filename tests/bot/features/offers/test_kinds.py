"""Every kind of offer is asked about, agreed to, declined, withdrawn and settled in the same way."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import pytest

from bot.core.core import Core
from bot.core.jobs import Outbox, Shown
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.kinds import OFFERS, Lapses, Seating
from bot.features.offers.messages import SETTLED, WORDS, agreed
from bot.features.offers.service import Answered, Consent
from bot.i18n.language import ENGLISH
from bot.messages.click import Click
from bot.messages.players import names, names_with_levels
from bot.registry import HANDLERS
from engines.game import legal_actions
from engines.text import Text, seat_name
from storage.schema.records import Job, JobKind, Level, OfferKind, Question, Settled, Status
from tests.bot.notices import notice
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DEV, jobs, some, started

GONE: Final = "^That offer is gone.$"
THREE: Final = replace(BOUNCERS, game="pucks", seats=3, options={"setup": "random"})

QUESTIONS: Final[Mapping[OfferKind, str]] = {
    OfferKind.DRAW: "Ann offers you a draw in Bouncers #1. Do you accept?",
    OfferKind.UNDO: "Ann would like to take back a move in Bouncers #1: “b2 → b3”. OK?",
    OfferKind.CALL_OFF: "Ann would like to call off Bouncers #1, with no result. OK?",
    OfferKind.SUBSTITUTE: "Will you take over Ann’s seat in Bouncers #1?",
    OfferKind.COMPUTER: "Ann would like a computer player (hard) in Cleo’s seat in Puck Bumpers #1. OK?",
}

AGREEMENTS: Final[Mapping[OfferKind, tuple[str, str]]] = {
    OfferKind.DRAW: ("Ben agreed: it’s a draw!", "Ben agreed: it’s a draw!"),
    OfferKind.UNDO: ("Ben agreed: taken back. Ann: b2 → b3", "Ben agreed: taken back."),
    OfferKind.CALL_OFF: ("Ben agreed: the game is called off.", "Ben agreed: the game is called off."),
    OfferKind.SUBSTITUTE: ("Dev takes over the seat. Good luck!", "Dev takes over the seat. Good luck!"),
    OfferKind.COMPUTER: (
        "Ben agreed: {computer} (computer, hard) takes over the seat.",
        "{computer} (computer, hard) takes over the seat. Good luck!",
    ),
}
"""What replaces the question if it was answered with its own button, and if it was settled elsewhere."""


@dataclass(frozen=True)
class Asked:
    """An offer made by Ann, and the person asked."""

    answered: Answered
    asked: User

    @property
    def table_id(self) -> int:
        return self.answered.snapshot.table.id


async def ask(core: Core, kind: OfferKind) -> Asked:
    """A game in which Ann has made an offer."""
    consent, seating, asked = core.service(Consent), None, BEN
    if kind is OfferKind.COMPUTER:
        table_id = (await started(core, THREE, BEN, CLEO)).table.id
        await core.service(Play).resign(table_id, CLEO)
        seating = Seating(CLEO.id, Level.HARD)
    else:
        table_id = (await started(core)).table.id
        await core.service(Play).act(table_id, ANN, "b2 b3")
    if kind is OfferKind.SUBSTITUTE:
        seating, asked = Seating(ANN.id, DEV), DEV
    return Asked(await consent.propose(table_id, ANN, kind, seating), asked)


@pytest.fixture(params=OfferKind)
def kind(request: pytest.FixtureRequest) -> OfferKind:
    return OfferKind(request.param)


@pytest.fixture
async def offered(core: Core, kind: OfferKind) -> Asked:
    """An offer of each kind, whose question stands in the channel."""
    made = await ask(core, kind)
    job = await job_of(core, JobKind.OFFER)
    question = Question(offer=OfferKind(job.key), channel_id=20, message_id=7)
    await core.service(Outbox).finish(job, Shown(questions=(question,)))
    return made


async def act(core: Core, table_id: int, *, times: int = 1) -> None:
    """The player to move acts."""
    for _ in range(times):
        snapshot = await core.snapshot(table_id)
        (seat, *_) = snapshot.playing.to_act
        user = User(snapshot.players[seat].user_id, snapshot.players[seat].name)
        await core.service(Play).act(
            table_id, user, next(iter(legal_actions(snapshot.playing.game, snapshot.playing.state, seat)))
        )


async def job_of(core: Core, kind: JobKind) -> Job:
    """The only job of a kind."""
    (job,) = [job for job in await jobs(core) if job.kind is kind]
    return job


async def settled(core: Core) -> str:
    """The words that replace the question."""
    job = await job_of(core, JobKind.RETIRE)
    snapshot = await core.snapshot(job.table_number)
    how, seat = Settled(job.payload["how"]), job.payload.get("seat")
    return told(snapshot, SETTLED[OfferKind(job.payload["offer"])](how, seat))


def told(snapshot: Snapshot, text: Text) -> str:
    return ENGLISH(text, names_with_levels(snapshot, names(snapshot)))


def test_every_kind_has_its_rules_its_words_and_two_buttons(kind: OfferKind) -> None:
    assert kind in OFFERS
    assert kind in WORDS
    yes, no = HANDLERS[f"{kind}-yes"], HANDLERS[f"{kind}-no"]
    assert {HANDLERS[f"{other}-yes"] for other in OfferKind} == {yes}
    assert {HANDLERS[f"{other}-no"] for other in OfferKind} == {no}
    for how in Settled:
        for seat in (0, None):
            assert ENGLISH(SETTLED[kind](how, seat), ("Ann", "Ben"))


async def test_every_kind_asks_by_a_question_with_two_buttons(core: Core, kind: OfferKind) -> None:
    offered = await ask(core, kind)
    assert not offered.answered.carried_out
    said = some(notice(offered.answered.snapshot, await job_of(core, JobKind.OFFER), ENGLISH))
    assert said.pinged == (offered.asked.id,)
    assert said.asks
    assert some(said.builder.notification).said == QUESTIONS[kind]
    shown = str(said.builder.layout().to_components())
    for verb in (f"{kind}-yes", f"{kind}-no"):
        assert Click(verb, offered.table_id, offered.answered.snapshot.table.version).custom_id in shown


async def test_every_kind_is_carried_out_when_all_have_agreed(core: Core, kind: OfferKind, offered: Asked) -> None:
    done = await core.service(Consent).agree(offered.table_id, offered.asked, kind)
    assert done.carried_out
    assert done.snapshot.table.offers.of(kind) is None
    computer = done.snapshot.players[2].name if kind is OfferKind.COMPUTER else ""
    by_button, elsewhere = (line.format(computer=computer) for line in AGREEMENTS[kind])
    who = seat_name(done.snapshot.own_seat(offered.asked.id))
    assert told(done.snapshot, agreed(kind, done, who)).startswith(by_button)
    assert await settled(core) == elsewhere


async def test_every_kind_is_declined(core: Core, kind: OfferKind, offered: Asked) -> None:
    declined = await core.service(Consent).refuse(offered.table_id, offered.asked, kind)
    assert declined.offer.by != declined.snapshot.seat_of(offered.asked.id)
    assert declined.snapshot.table.offers.of(kind) is None
    assert declined.snapshot.table.status is Status.PLAYING
    who = "The offer was" if kind is OfferKind.SUBSTITUTE else "Ben"
    assert await settled(core) == f"{who} declined. On with the game!"
    with pytest.raises(Refused, match=GONE):
        await core.service(Consent).refuse(offered.table_id, offered.asked, kind)


async def test_every_kind_can_be_withdrawn_but_not_accepted_by_its_asker(core: Core, kind: OfferKind, offered: Asked) -> None:
    with pytest.raises(Refused, match="You asked for this yourself"):
        await core.service(Consent).agree(offered.table_id, ANN, kind)
    withdrawn = await core.service(Consent).refuse(offered.table_id, ANN, kind)
    assert withdrawn.offer.by == withdrawn.snapshot.seat_of(ANN.id)
    assert withdrawn.snapshot.table.status is Status.PLAYING
    assert await settled(core) == "Ann withdrew the offer. On with the game!"
    with pytest.raises(Refused, match=GONE):
        await core.service(Consent).refuse(offered.table_id, ANN, kind)


async def test_a_late_answer_is_told_so(core: Core, kind: OfferKind) -> None:
    offered = await ask(core, kind)
    await core.service(Consent).refuse(offered.table_id, offered.asked, kind)
    late = "Nobody’s offering you a seat at table #1" if kind is OfferKind.SUBSTITUTE else GONE
    with pytest.raises(Refused, match=late):
        await core.service(Consent).agree(offered.table_id, offered.asked, kind)


async def test_every_kind_lapses_by_its_rule(core: Core, kind: OfferKind, offered: Asked) -> None:
    await act(core, offered.table_id)
    stands = (await core.snapshot(offered.table_id)).table.offers.of(kind) is not None
    assert stands == (OFFERS[kind].lapses in {Lapses.WHEN_TOO_LATE, Lapses.NEVER})
    await act(core, offered.table_id, times=3)
    stands = (await core.snapshot(offered.table_id)).table.offers.of(kind) is not None
    assert stands == (OFFERS[kind].lapses is Lapses.NEVER)
    if stands:
        return
    assert await settled(core) == "This offer has lapsed: the game has moved on."
    with pytest.raises(Refused, match=GONE):
        await core.service(Consent).refuse(offered.table_id, offered.asked, kind)


async def test_the_end_of_the_game_ends_every_kind(core: Core, kind: OfferKind, offered: Asked) -> None:
    ended = (await core.service(Play).resign(offered.table_id, BEN)).snapshot
    assert ended.table.is_over
    assert ended.table.offers.of(kind) is None
    assert await settled(core) == "This offer is off: the game is over."


@pytest.mark.parametrize("kind", [OfferKind.UNDO, OfferKind.COMPUTER])
async def test_offers_about_one_board_also_lapse_when_somebody_leaves(core: Core, kind: OfferKind) -> None:
    snapshot = await started(core, replace(THREE, seats=4), BEN, CLEO, DEV)
    table_id, seating = snapshot.table.id, None
    if kind is OfferKind.COMPUTER:
        await core.service(Play).resign(table_id, CLEO)
        seating = Seating(CLEO.id, Level.EASY)
    else:
        await act(core, table_id, times=2)  # a card that is drawn is not taken back
    await core.service(Consent).propose(table_id, ANN, kind, seating)
    left = (await core.service(Play).resign(table_id, DEV)).snapshot
    assert left.table.offers.of(kind) is None
    with pytest.raises(Refused, match=GONE):
        await core.service(Consent).refuse(table_id, BEN, kind)
