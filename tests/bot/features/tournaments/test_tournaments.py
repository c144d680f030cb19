"""`/event` in Discord, from the command that opens a tournament to the podium."""

from collections.abc import Sequence
from dataclasses import replace

import discord
import pytest
from simcord.actors import MemberActor

from bot.core.table.errors import Refused
from bot.features.tournaments import sql as tournaments_sql
from bot.features.tournaments.change import games_of
from bot.features.tournaments.plan import TournamentPlan
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
from storage.schema.kinds import TournamentStatus
from tests.bot.kit import World, a_chief, button, buttons, reply, selects
from tests.bot.outbox.test_permissions import allow
from tests.bot.present import present
from tests.bot.refusals import a_bad_line, refusal
from tests.bot.seated import core_of
from tests.bot.service import DAY, HOUR
from tests.bot.settings_panels import act
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way


@pytest.fixture
def chief(world: World) -> MemberActor:
    """A manager of the server."""
    return a_chief(world)


async def opened(world: World, chief: MemberActor, **options: object) -> int:
    """An event opened by the chief."""
    wanted = {"game": "bouncers", "format": "knockout", "name": "Spring Cup", "thread": False} | options
    shown = await by_way(chief, world.channel, "event create", **wanted)
    assert "is open" in world.text(shown), world.text(shown)
    await world.pass_time(30)
    (event, *_) = await core_of(world).service(Tournaments).of_guild(world.guild.id)
    return event.id


def tournament_message(world: World, name: str = "Spring Cup") -> discord.Message:
    """The event’s message, which is edited as it goes on: the first that names it."""
    return next(one for one in world.messages() if f"🏆 {name}" in world.text(one))


async def view(world: World, event_id: int) -> TournamentView:
    return await core_of(world).service(Tournaments).get(event_id)


async def started(world: World, chief: MemberActor, people: Sequence[MemberActor], **options: object) -> int:
    """An event that has started with these people."""
    event_id = await opened(world, chief, **options)
    for one in people:
        await one.click(tournament_message(world), label="Enter")
    await world.pass_time(DAY + 60)
    for one in people:
        await one.click(tournament_message(world), label="Check in")
    await world.pass_time(DAY)
    return event_id


async def change_tournament(world: World, event_id: int, **columns: object) -> None:
    """Change columns of an event, as an earlier version would have left them."""
    async with core_of(world).store.write() as writer:
        row = present(await tournaments_sql.get(writer, event_id))
        await tournaments_sql.put(writer, replace(row, **columns))  # type: ignore[arg-type]


async def lose(world: World, event_id: int, loser: MemberActor) -> None:
    """Somebody resigns all their games in an event."""
    shown = await view(world, event_id)
    entry = present(shown.entry_of(loser.id))
    for game in games_of(shown.row).values():
        if entry.number in game.seats and game.table_id is not None and not game.places:
            asked = await by_way(loser, world.channel, "resign", game=str(game.table_id))
            await loser.click(reply(asked), label="Resign")
    await world.pass_time(30)


async def test_an_event_from_the_command_to_the_podium(world: World, chief: MemberActor) -> None:
    event_id = await opened(world, chief)
    message = tournament_message(world)
    assert not unsaid(world.text(message), "Starts <t:", "0 of 64 are in, 3 more needed")
    assert [one.label for one in buttons(message)] == ["Enter", "Rules"]
    assert not any(small in world.text(message) for small in ("time-outs", "rated", "Random draw", "overtime"))
    assert "· knockout · 1 day a turn" in world.text(message)
    people = (world.ann, world.ben, world.cleo)
    for one in people:
        assert "You’re in!" in world.text(await one.click(message, label="Enter"))
    await world.pass_time(30)
    assert "3 of 64 are in:** Ann, Ben, Cleo" in world.text(tournament_message(world))
    await world.pass_time(DAY)
    call = world.messages()[-1]
    assert "check in, or it starts without you" in world.text(call)
    assert world.pinged(call) == {one.id for one in people}
    for one in people:
        assert "You’ve checked in." in world.text(await one.click(call, label="Check in"))
    before = len(world.messages())
    await world.pass_time(DAY)
    calls = [one for one in world.messages()[before:] if "round 1 of 2 has begun" in world.text(one)]
    assert len(calls) == 1
    assert world.pinged(calls[0]) == {one.id for one in people}
    shown = await view(world, event_id)
    assert shown.row.status is TournamentStatus.RUNNING
    assert len(games_of(shown.row)) == 2, "a match of two games, and a bye"
    playing = {number for game in games_of(shown.row).values() for number in game.seats}
    first, second = [one for one in people if (entry := shown.entry_of(one.id)) is not None and entry.number in playing]
    (spared,) = [one for one in people if one not in (first, second)]
    assert world.text(await first.click(calls[0], label="My games")).count("▶️") == 2
    await lose(world, event_id, second)
    assert "Round 2 of 2" in world.text(tournament_message(world))
    await lose(world, event_id, spared)
    assert (await view(world, event_id)).row.status is TournamentStatus.FINISHED
    podium = world.messages()[-1]
    assert not unsaid(world.text(podium), "Congratulations", f"🥇 <@{first.id}>")
    assert world.pinged(podium) == set(), "the end pings nobody"
    assert "The event is over" in world.text(tournament_message(world))
    assert [one.label for one in buttons(tournament_message(world))] == ["Standings", "Rules"]
    assert "Best game" not in world.text(podium)
    assert [place in world.picture(podium).alt for place in ("1. ", "2. ", "3. ")] == [True] * 3
    assert "🥇 Spring Cup, Bouncers" in world.text(await first.slash(world.channel, "stats"))
    assert "🥈 Spring Cup, Bouncers" in world.text(await second.slash(world.channel, "stats", user=spared))


@pytest.mark.slow
async def test_a_finished_events_messages_do_not_name_a_forgotten_player(world: World, chief: MemberActor) -> None:
    people = (world.ann, world.ben, world.cleo)
    event_id = await started(world, chief, people)
    while (shown := await view(world, event_id)).row.status is TournamentStatus.RUNNING:
        games = [game for game in games_of(shown.row).values() if game.table_id is not None and not game.places]
        (loser,) = [one for one in people if (entry := shown.entry_of(one.id)) and entry.number == games[0].seats[0]]
        await lose(world, event_id, loser)
    told = [message.id for message in world.messages() if "Congratulations" in world.text(message)]
    assert told == [shown.row.podium_id]
    everything = [one.id for one in world.messages() if one.id in {*told, shown.row.message_id}]
    assert all(any(name in seen_in(world, one) for name in ("Cleo", f"<@{world.cleo.id}>")) for one in everything)
    asked = await act(world, world.cleo, "settings", "data", "forget")
    await world.cleo.click(reply(asked), label=buttons(asked)[0].label)
    await world.pass_time(60)
    assert len(everything) == 2
    for one in everything:
        assert "Ann" in seen_in(world, one)
        assert not [name for name in ("Cleo", f"<@{world.cleo.id}>") if name in seen_in(world, one)]


def seen_in(world: World, message_id: int) -> str:
    """The words of a message and of its pictures."""
    (message,) = [one for one in world.messages() if one.id == message_id]
    return " ".join([world.text(message), *(picture.alt for picture in world.pictures(message))])


@pytest.mark.slow
async def test_the_panel_has_the_table_the_rules_and_the_log(world: World, chief: MemberActor) -> None:
    event_id = await started(world, chief, (world.ann, world.ben, world.cleo), format="round_robin")
    shown = await world.ben.slash(world.channel, "event show")
    assert world.text(shown).count("▶️") == 2
    assert "place" not in world.text(shown), "nobody is ahead of anybody yet"
    table = await world.ben.click(reply(shown), label="Standings")
    assert "**1** " in world.text(table)
    rules = await world.ben.click(reply(table), label="Rules")
    assert not unsaid(world.text(rules), "Everybody plays everybody", "**Tie-breaks:**", "organised by")
    assert "How to play Bouncers" in [one.label for one in buttons(rules)]
    log = await world.ben.click(reply(rules), label="Log")
    assert "started" in world.text(log)
    assert not any(one.label == "Organise …" for one in buttons(log))
    left = await world.ben.click(reply(log), label="Leave")
    assert "lose the games" in world.text(left)
    gone = await world.ben.click(reply(left), label="Leave")
    assert "You’ve left the event." in world.text(gone)
    assert "Welcome back!" in world.text(await world.ben.click(reply(gone), label="Come back"))
    assert {act.deed.value for act in (await view(world, event_id)).row.acts} >= {"withdrew", "came-back"}


@pytest.mark.slow
async def test_without_threads_games_are_played_in_the_channel(world: World, chief: MemberActor) -> None:
    with a_bad_line(world, r"POST /channels/\d+/messages/\d+/threads", refusal(403, 50013)):
        await started(world, chief, (world.ann, world.ben, world.cleo), thread=True)
    (other,) = world.channel.threads
    for place in (None, other):
        assert sum("which piece bounces?" in world.text(one) for one in world.messages(place)) == 1


@pytest.mark.slow
async def test_organisers_set_results_replace_people_pause_and_cancel(world: World, chief: MemberActor) -> None:
    event_id = await started(world, chief, (world.ann, world.ben, world.cleo), format="round_robin")
    dev = world.join("Dev")
    panel = await chief.click(reply(await chief.slash(world.channel, "event show")), label="Organise …")
    paused = await chief.click(reply(panel), label="Pause")
    assert "paused" in world.text(paused)
    assert not any(one.label == "Pause" for one in buttons(paused)), "it stands still"
    going = await chief.click(reply(paused), label="Resume")
    longer = await chief.click(reply(going), label="One more day for this round")
    assert "a day later" in world.text(longer)
    games = next(one for one in selects(longer) if "result" in one.placeholder)
    game = await chief.select(reply(longer), [next(iter(games.options.values()))], custom_id=games.custom_id)
    assert "Who comes first?" in world.text(game)
    decided = await chief.click(reply(game), label=buttons(game)[0].label)
    assert "The result is set." in world.text(decided)
    event = present((await view(world, event_id)).event)
    assert sum(one.is_over for each in event.rounds for one in each.games) == 1
    players = next(one for one in selects(decided) if "player" in one.placeholder)
    player = await chief.select(reply(decided), [players.options["Cleo"]], custom_id=players.custom_id)
    replaced = await chief.select(reply(player), [dev], custom_id=selects(player)[0].custom_id)
    assert "I’ll ask them in the event’s channel" in world.text(replaced)
    assert (await view(world, event_id)).entry_of(dev.id) is None
    await world.pass_time(30)
    question = next(message for message in reversed(world.messages()) if "Accept" in [one.label for one in buttons(message)])
    assert world.pinged(question) == {dev.id}
    assert "This invitation isn’t for you" in world.text(await chief.click(question, label="Accept"))
    await dev.click(question, label="Accept")
    (settled,) = [message for message in world.messages() if message.id == question.id]
    assert "Dev takes over in Spring Cup from the next game on." in world.text(settled)
    assert buttons(settled) == []
    assert (await view(world, event_id)).entry_of(dev.id) is not None
    sure = await chief.click(reply(replaced), label="Cancel the event …")
    await chief.click(reply(sure), label="Cancel it")
    await world.pass_time(30)
    assert (await view(world, event_id)).row.status is TournamentStatus.CANCELLED
    assert "was cancelled" in world.text(tournament_message(world))


async def test_an_organiser_needs_to_write_where_the_event_is_posted(world: World, chief: MemberActor) -> None:
    closed, options = world.guild.create_text_channel("news"), {"game": "bouncers", "format": "swiss"}
    with world.env._bot_scope():
        channel = world.client.get_channel(closed.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(name="talk", type=discord.ChannelType.public_thread)
    allow(world, closed.id, send_messages=False)
    for place in (closed, next(one for one in closed.threads if one.id == thread.id)):
        refused = await by_way(chief, place, "event create", **options)
        assert f"The event would be posted in <#{closed.id}>, where you can’t write." in world.text(refused)
    assert await core_of(world).service(Tournaments).of_guild(world.guild.id) == ()


async def test_only_organisers_may_organise(world: World, chief: MemberActor) -> None:
    event_id = await opened(world, chief)
    refused = await by_way(world.ben, world.channel, "event create", game="bouncers", format="swiss")
    assert "Create Events" in world.text(refused)
    shown = await chief.click(reply(await chief.slash(world.channel, "event show")), label="Organise …")
    assert button(shown, "Open check-in now").custom_id is not None
    forged = await world.ben.click(tournament_message(world), label="Rules")
    assert not any(one.label == "Organise …" for one in buttons(forged))
    assert (await view(world, event_id)).row.status is TournamentStatus.OPEN


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"format": "pods"}, "3 to 5 at a table"), ({"players": 5}, "7 to 64 players"), ({"variant": "nonsense"}, "no variant"),
        ({"name": "\u200b\u3164\u202e"}, "An event needs a name"),
    ],
)  # fmt: skip
async def test_impossible_events_are_refused(world: World, chief: MemberActor, options: dict[str, str], words: str) -> None:
    wanted = {"game": "bouncers", "format": "swiss"} | options
    assert words in world.text(await by_way(chief, world.channel, "event create", **wanted))
    assert await core_of(world).service(Tournaments).of_guild(world.guild.id) == ()


@pytest.mark.parametrize(
    ("plan", "options", "words"),
    [
        (TournamentPlan(game="pucks", format="pods"), {"order": "shuffled"}, "each seat about equally often"),
        (TournamentPlan(game="bouncers", format="swiss"), {"nonsense": "yes"}, "nonsense"),
    ],
)
def test_impossible_house_rules_are_refused_in_words(plan: TournamentPlan, options: dict[str, str], words: str) -> None:
    with pytest.raises(Refused, match=words):
        plan.with_options(options)


async def test_a_name_loses_invisible_and_unstorable_characters(world: World, chief: MemberActor) -> None:
    event_id = await opened(world, chief, name="Spring\u202e\x00 Cup\u200b\n2")
    assert (await view(world, event_id)).row.name == "Spring Cup 2"


@pytest.mark.slow
async def test_too_few_players_cancel_an_event(world: World, chief: MemberActor) -> None:
    event_id = await started(world, chief, (world.ann, world.ben))
    assert (await view(world, event_id)).row.status is TournamentStatus.CANCELLED
    await world.pass_time(30)
    assert "was cancelled" in world.text(tournament_message(world))


async def test_a_deleted_message_is_posted_again(world: World, chief: MemberActor) -> None:
    await opened(world, chief)
    await tournament_message(world).delete()
    await world.ben.click(reply(await world.ben.slash(world.channel, "event show")), label="Enter")
    await world.pass_time(HOUR)
    assert "1 of 64 is in" in world.text(tournament_message(world))


@pytest.mark.slow
async def test_each_game_has_its_own_thread(world: World, chief: MemberActor) -> None:
    event_id = await started(world, chief, (world.ann, world.ben, world.cleo), format="round_robin", thread=True)
    tables = [game.table_id for game in games_of((await view(world, event_id)).row).values()]
    assert len(tables) == len(world.channel.threads) == 3
    for thread in world.channel.threads:
        told = [world.text(one) for one in world.messages(thread)]
        assert sum("which piece bounces?" in one for one in told) == 1, "one board, and nothing of another game"
    names = " / ".join(str(thread.name) for thread in world.channel.threads)
    assert all(f"Bouncers #{table_id}" in names for table_id in tables)
    assert names.count("Ann") == names.count("Ben") == names.count("Cleo") == 2, "a name says who plays"
    here = [world.text(one) for one in world.messages()]
    assert not any("bounces?" in one for one in here), "no board in the channel"
    assert sum("part of event" in one for one in here) == 3, "each thread hangs on a line that says who plays"


@pytest.mark.slow
@pytest.mark.parametrize("gone", [False, True])
async def test_an_old_event_keeps_its_single_thread_while_it_exists(world: World, chief: MemberActor, gone: bool) -> None:
    event_id = await opened(world, chief, format="round_robin", thread=True)
    thread = await tournament_message(world).create_thread(name="Spring Cup")
    await change_tournament(world, event_id, thread_id=thread.id)
    (one_thread,) = world.channel.threads
    if gone:
        world.env.backend.delete_channel(thread.id)
    for one in (world.ann, world.ben, world.cleo):
        await one.click(tournament_message(world), label="Enter")
    await world.pass_time(DAY + 60)
    assert "check in, or it starts without you" in world.text(world.messages(None if gone else one_thread)[-1])
    for one in (world.ann, world.ben, world.cleo):
        await one.click(tournament_message(world), label="Check in")
    await world.pass_time(DAY)
    boards = [sum("which piece bounces?" in world.text(one) for one in world.messages(t)) for t in world.channel.threads]
    assert boards == ([1, 1, 1] if gone else [3])


@pytest.mark.slow
async def test_an_event_of_pure_luck_says_so_and_is_not_rated(world: World, chief: MemberActor) -> None:
    people = (world.ann, world.ben, world.cleo)
    event_id = await started(world, chief, people, game="trampoline", format="round_robin", rated=True)
    assert "It’s all luck" in world.text(tournament_message(world))
    assert "not rated" in world.text(await world.ann.click(tournament_message(world), label="Rules"))
    tables = [game.table_id for game in games_of((await view(world, event_id)).row).values()]
    for table_id in tables:
        assert not (await core_of(world).snapshot(present(table_id))).table.rated


@pytest.mark.slow
async def test_house_rules_apply_at_all_tables(world: World, chief: MemberActor) -> None:
    people, options = (world.ann, world.ben, world.cleo), {"options": "setup:random", "players": 5}
    event_id = await started(world, chief, people, game="pucks", format="pods", **options)
    row = (await view(world, event_id)).row
    assert row.options == {"setup": "random"}
    (game,) = games_of(row).values()
    table = (await core_of(world).snapshot(present(game.table_id))).table
    assert (table.options, table.rated, len(game.seats)) == ({"setup": "random"}, row.rated, 3)
