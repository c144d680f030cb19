"""Tens of thousands of forged clicks by everybody involved in a tournament change nothing that they may not change.

A hostile client may send clicks that no message offers, with any tokens.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from simcord import actors
from simcord.actors import MemberActor

from bot.core.pings import WINDOW
from bot.core.table.snapshot import User
from bot.features.tournaments import sql as tournaments_sql
from bot.features.tournaments.service import Tournaments
from bot.messages.click import Click
from bot.registry import HANDLERS
from storage import queries
from storage.schema.kinds import TournamentActor, TournamentStatus
from storage.schema.records import SeatStatus
from storage.schema.tournament_records import StoredTournament, TournamentEntry
from tests.bot.forging import BUTTON, MENU
from tests.bot.kit import World, a_chief, a_guild
from tests.bot.seated import core_of, user_of
from tests.bot.ways import by_way

PARTS: Final = 10
CLICKS: Final = 4_000
QUICK: Final = 300
TIME_PASSES_EVERY: Final = 200
"""After so many clicks ten minutes pass, so that pings are possible again."""
NEWER: Final = ("event-", "seek", "ladder", "daily", "puzzle", "analysis", "more", "hint")
"""Prefixes of the verbs that are clicked most."""
SHUT: Final = {"forget-me", "start", "use-threads", "hand-over", "challenge"}
"""Verbs left out: forgotten people take no more part, and the last two accept any id."""

WORDS: Final = (
    "cancel", "pause", "resume", "hurry", "prolong", "unpair", "mine", "table", "rules", "log", "bouncers", "pucks", "b2", "b3",
    "b7", "b6", "easy", "plays", "days", "sure", "end", "turn", "yes", "0-0", "0-1", "1-0", "\u202e", "z" * 60,
)  # fmt: skip


@dataclass(frozen=True)
class Facts:
    """The tournament with its entries, and who has changed which table how far."""

    row: StoredTournament
    entries: dict[int, TournamentEntry]
    tables: dict[int, tuple[int, str, frozenset[int]]]


async def facts(world: World, event_id: int) -> Facts:
    store = core_of(world).store
    async with store.read() as reader:
        row = await tournaments_sql.get(reader, event_id)
        entries = await tournaments_sql.entries(reader, event_id)
        found = await queries.tables.find(reader, guild_id=world.guild.id, limit=1000)
        seats = await queries.seats.of_tables(reader, [table.id for table in found])
    assert row is not None
    joined = {
        number: frozenset(seat.user_id for seat in there if seat.status is SeatStatus.JOINED) for number, there in seats.items()
    }
    here = {table.id: (table.version, table.status.value, joined[table.id]) for table in found}
    return Facts(row, {entry.number: entry for entry in entries}, here)


def not_theirs(before: Facts, after: Facts, who: int, *, organises: bool) -> Iterator[str]:
    """Changes that a member of the server may not make, in words."""
    for number, (version, status, people) in before.tables.items():
        seated = who in people or who in after.tables[number][2]
        if (version, status) != after.tables[number][:2] and not (seated or organises):
            yield f"table {number} was changed"
    if organises:
        return
    shown = [replace(one.row, acts=(), rounds=(), due=None, told=0, ends_at=None) for one in (before, after)]
    if len(after.row.rounds) > len(before.row.rounds):  # the last open game was that of somebody who left
        shown[0] = replace(shown[0], forced=())
    doers = {act.by for act in after.row.acts if act not in before.row.acts}
    if shown[0] != shown[1] and TournamentActor.BOT not in doers:  # which ends an event that too many have left
        changed = [name for name, was in vars(shown[0]).items() if was != getattr(shown[1], name)]
        yield f"the event was changed: {changed}"
    if not doers <= {TournamentActor.PLAYER, TournamentActor.BOT}:
        yield "something was done as an organiser"
    for number in before.entries.keys() | after.entries.keys():
        one, other = before.entries.get(number), after.entries.get(number)
        if one != other:
            yield from _not_their_entry(one, other, who)


def _not_their_entry(one: TournamentEntry | None, other: TournamentEntry | None, who: int) -> Iterator[str]:
    """What is wrong with a change of an entry by somebody who does not organise."""
    users = {entry.user_id for entry in (one, other) if entry is not None} | {one.asked_id if one is not None else None}
    if who not in users:
        yield f"the entry of somebody else was changed: {one} to {other}"
    if one is not None and one.removed and one.user_id == who:
        yield f"somebody changed their entry who was taken out: {one} to {other}"
    if one is not None and other is not None and other.user_id != one.user_id and one.asked_id != who:
        yield f"somebody took a place who was not asked: {one} to {other}"


async def walk(world: World, clicks: int, seed: int) -> dict[str, int]:
    """Forge clicks. Returns how many each person made, and how many changed anything."""
    dice, chief = random.Random(seed), a_chief(world)
    people = [world.join(f"P{number}") for number in range(8)]
    manager = world.guild.add_member(world.env.create_user("manager"), roles=[world.guild.roles["chief"]])
    stranger, former = world.join("Stranger"), world.join("Former")
    elsewhere = a_guild(world.env, "Elsewhere")
    channel = elsewhere.create_text_channel("general")
    foreigner = elsewhere.add_member(world.env.create_user("foreigner"))
    service = core_of(world)
    for organiser in (chief, former):
        name = f"Cup of {organiser.name}"
        await by_way(chief, world.channel, "event create", game="bouncers", format="swiss", name=name, thread=False)
    await world.pass_time(60)
    event, other = sorted((await service.service(Tournaments).of_guild(world.guild.id)), key=lambda one: one.id)
    async with service.store.write() as writer:
        row = await tournaments_sql.get(writer, other.id)
        assert row is not None
        await tournaments_sql.put(writer, replace(row, organiser_id=former.id))
    for stage in range(2):
        for number, one in enumerate(people):
            await service.service(Tournaments).enter(event.id, world.guild.id, user_of(one), 10**18 + 100 * stage + number)
        await service.service(Tournaments).hurry(event.id, world.guild.id, TournamentActor.ORGANISER)
        await world.pass_time(60)
    await service.service(Tournaments).remove(event.id, world.guild.id, TournamentActor.ORGANISER, 8)
    await foreigner.slash(channel, "open", game="bouncers")
    asked = User(stranger.id, stranger.name)
    crowd = [chief, manager, *people, stranger, former, foreigner]
    ids = [str(one.id) for one in crowd]
    seen, changed = dict.fromkeys((one.name for one in crowd), 0), 0
    verbs = sorted(set(HANDLERS) - SHUT)
    about = ("event-", "seek", "ladder", "daily", "puzzle", "analysis", "more", "hint")
    newer = [verb for verb in verbs if verb.startswith(about) and not verb.startswith("event-plan-")]
    before = await facts(world, event.id)
    for count in range(clicks):
        if count % TIME_PASSES_EVERY == 0:
            await world.pass_time(WINDOW)
            if before.entries[1].asked_id is None and before.row.status is TournamentStatus.RUNNING:
                await service.service(Tournaments).ask(event.id, world.guild.id, TournamentActor.ORGANISER, chief.id, 1, asked)
            before = await facts(world, event.id)
        one, verb = dice.choice(crowd), dice.choice(newer if dice.random() < 0.7 else verbs)
        await click(world, one, channel if one is foreigner else world.channel, verb, tokens_of(dice, event.id, ids))
        after = await facts(world, event.id)
        seen[one.name] += 1
        changed += before != after
        assert one is not foreigner or before == after, f"click {count}: {verb} from another server"
        wrong = list(not_theirs(before, after, one.id, organises=one in (chief, manager)))
        assert not wrong, f"click {count}: {one.name} {verb}: {wrong}"
        before = after
        if after.row.status not in tournaments_sql.ON:  # an organiser may cancel it; then the walk goes on as before
            async with service.store.write() as writer:
                await tournaments_sql.put(writer, replace(after.row, status=TournamentStatus.RUNNING, finished_at=None))
            before = await facts(world, event.id)
    return seen | {"changes": changed}


def tokens_of(dice: random.Random, event_id: int, ids: Sequence[str]) -> tuple[str, ...]:
    """Tokens that a verb may or may not take: numbers of tournaments, entries and rounds, people, and words."""
    first = str(event_id) if dice.random() < 0.8 else str(dice.randrange(6))
    more = [dice.choice((str(dice.randrange(10)), dice.choice(WORDS), dice.choice(ids))) for _ in range(dice.randrange(4))]
    return (first, *more) if dice.random() < 0.8 else tuple(more)


async def click(world: World, one: MemberActor, channel: Any, verb: str, tokens: tuple[str, ...]) -> None:
    messages = [message for message in world.messages(channel) if not message.flags.ephemeral]
    if not messages:
        return
    try:
        custom_id = Click(verb, 1, tokens=tokens).custom_id
    except ValueError:  # longer than Discord takes
        return
    stored = actors._visible_message(one, messages[-1])
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON}
    if verb in {"event-replace", "event-player", "event-pair", "event-game", "seek-avoid"} and tokens:
        data = {"custom_id": custom_id, "component_type": MENU, "values": [tokens[-1]]}
    await actors._component_interaction(one, stored, data)


@pytest.mark.slow
async def test_forged_clicks_around_an_event_do_nothing_that_must_not_be(world: World) -> None:
    assert (await walk(world, QUICK, 0))["changes"]


@pytest.mark.proof
@pytest.mark.parametrize("part", range(PARTS))
async def test_forty_thousand_forged_clicks_do_nothing_that_must_not_be(world: World, part: int) -> None:
    print(await walk(world, CLICKS, 1 + part))  # noqa: T201
