"""What an event costs: the calls to Discord of sixteen players over five rounds, counted."""

from collections import Counter

import pytest

from bot.features.tournaments.change import games_of
from bot.features.tournaments.service import Tournaments
from loopback.limits import Call, Kind
from storage.schema.kinds import TournamentStatus
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.seated import core_of
from tests.bot.service import DAY
from tests.bot.ways import by_way

PLAYERS, ROUNDS = 16, 5


def _is_own(call: Call) -> bool:
    """Whether a call posts or edits a message of the event: it has its title, or a plain sentence that begins with its name."""
    return "🏆 Cup" in str(call.body) or (call.message.get("content") or "").startswith("Cup: ")


@pytest.mark.slow
async def test_an_event_of_sixteen_over_five_rounds_makes_few_calls_of_its_own(world: World) -> None:
    await by_way(a_chief(world), world.channel, "event create", game="bouncers", format="swiss", name="Cup", thread=False)
    await world.pass_time(60)
    (message,) = (one for one in world.messages() if "🏆 Cup" in world.text(one))
    events, members = core_of(world).service(Tournaments), [world.join(f"P{number}") for number in range(PLAYERS)]
    (row,) = await events.of_guild(world.guild.id)
    people = {member.id: member for member in members}
    for wait in (0.0, DAY):
        await world.pass_time(wait)
        for member in members:
            (entrance, *_) = buttons(message)
            await member.click(message, custom_id=entrance.custom_id)
        await world.pass_time(60)
    await world.pass_time(DAY)
    for _ in range(ROUNDS):
        view = await events.get(row.id)
        users = {entry.number: entry.user_id for entry in view.entries}
        for game in games_of(view.row).values():
            if not game.places and game.table_id is not None:
                loser = people[users[max(game.seats)]]
                asked = await by_way(loser, world.channel, "resign", game=str(game.table_id))
                await loser.click(reply(asked), label="Resign")
        await world.pass_time(120)
    assert (await events.get(row.id)).row.status is TournamentStatus.FINISHED
    own = Counter(call.kind for call in world.watch.calls if call.kind in {Kind.SEND, Kind.EDIT} and _is_own(call))
    assert own[Kind.SEND] == 1 + 1 + ROUNDS + 1, "the event, the check-in, each round, and the end"
    assert own[Kind.EDIT] <= 2 * (ROUNDS + 3), "once or twice for all that happens about the same time"
