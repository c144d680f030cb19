"""*What happened?* for people who take over or leave a seat, or aren’t let in: knowledge stays with the seat."""

import re
from dataclasses import replace

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.replays.recap import past_of, recap_message
from bot.i18n.language import language
from bot.messages.pictures import looking_back
from storage.schema.records import OfferKind
from tests.bot.features.playing.test_closing import PUCKS
from tests.bot.service import ANN, BEN, CLEO, DEV, started

ENGLISH = language("en")


def told(snapshot: Snapshot, user: User) -> str:
    """The answer to *What happened?*."""
    past = past_of(snapshot, looking_back(snapshot, user.id, ENGLISH), user.id)
    message = recap_message(past, None, playing=snapshot.viewpoint(user.id) is not None)
    return "\n".join(item.content for item in message.items)  # type: ignore[attr-defined]


async def test_a_stand_in_learns_what_the_seat_knew_and_the_leaver_no_more(core: Core) -> None:
    table_id = (await started(core, PUCKS)).table.id
    before = (await core.service(Play).act(table_id, ANN, "draw")).snapshot
    assert re.search(r"draws [A-Z]", told(before, ANN))
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, CLEO))
    after = (await core.service(Consent).agree(table_id, CLEO, OfferKind.SUBSTITUTE)).snapshot
    assert re.search(r"draws [A-Z]", told(after, CLEO))
    for user in (ANN, BEN, DEV):
        assert "draws 1 card" in told(after, user)
        assert not re.search(r"draws [A-Z]", told(after, user))


async def test_a_resigned_player_is_told_what_everybody_sees(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PUCKS, seats=3))).table.id
    for user in (BEN, CLEO):
        await core.service(Lobby).join(table_id, user)
    await core.service(Play).act(table_id, ANN, "draw")
    await core.service(Play).resign(table_id, ANN)
    after = await core.snapshot(table_id)
    assert not re.search(r"draws [A-Z]", told(after, ANN))
    assert "draws 1 card" in told(after, ANN)
