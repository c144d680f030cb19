"""`springboard check` names every planted fault with its table, row and column, and nothing crashes it."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from bot.admin.check import problems
from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.request import TableRequest
from bot.features.analysis.service import Analyses
from bot.features.analysis.tree import with_action
from bot.features.ladders import sql as ladders_sql
from bot.features.lobby.service import Rematches
from bot.features.matchmaking import sql as matchmaking_sql
from bot.features.offers.service import Consent
from bot.features.plans.service import Plans
from bot.features.posts import sql as posts_sql
from bot.features.puzzles import sql as puzzles_sql
from bot.features.puzzles.ratings import new_puzzle
from bot.features.puzzles.service import Puzzles
from bot.features.puzzles.wanted import Wanted
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.service import TournamentRequest, Tournaments
from bot.features.watching.service import Watching
from bot.parts import PARTS
from engines.game import legal_actions
from storage import queries
from storage.cluster.leases import Leases
from storage.schema.jobs import Which
from storage.schema.kinds import TournamentActor
from storage.schema.ladder_records import Ladder
from storage.schema.puzzle_records import VoidedDay
from storage.schema.records import Contribution, Heartbeat, Level, OfferKind, Ping, WatchFor
from storage.schema.rows import to_row
from storage.schema.tables import contributions, pings
from storage.store import Store
from tests.bot.command_line import springboard
from tests.bot.damage import damage
from tests.bot.puzzles import LONG, collection, puzzles
from tests.bot.service import ANN, BEN, CLEO, DAY, DEV, HOUR, Time, first_action, seeds
from tests.marks import quick_first
from tests.storage.samples import a_ladder_badge, a_ladder_place, a_post, a_seek

TIMED = TableRequest(guild_id=10, channel_id=20, game="bouncers", clock=int(DAY))
JUMPING = TableRequest(guild_id=10, channel_id=20, game="trampoline", seats=3)


async def fill(path: Path) -> None:
    """A database with games at every stage.

    Table 1 runs with a clock, an offer, a watcher, a planned reply and due reminders; 2 is over; its rematch 3 waits for
    players; at 4 three people roll dice without a clock; at 5 somebody waits for a computer.
    """
    store, clock, known = await Store.open(path), Time(), seeds()
    with puzzles(collection(LONG)):
        core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))
    await core.service(Users).change(ANN.id, quiet_from=60, quiet_until=120, zone="Europe/Berlin", language="de")
    await core.service(Users).change_server(10, clock=3600, channels=(20,))
    for _ in range(2):
        snapshot = await core.service(Lobby).open(ANN, TIMED)
        snapshot = await core.service(Lobby).join(snapshot.table.id, BEN)
        for user in (ANN, BEN, ANN):
            snapshot = (await core.service(Play).act(snapshot.table.id, user, first_action(snapshot))).snapshot
        clock.pass_(600)
    await core.service(Play).resign(2, BEN)
    await core.service(Rematches).open(2, ANN)
    await core.service(Watching).watch(1, DEV, WatchFor.TURN)
    await core.service(Lobby).open(CLEO, JUMPING)
    for user in (ANN, BEN):
        await core.service(Lobby).join(4, user, 7000 + user.id, "luck")
    for user in (CLEO, ANN, BEN, CLEO):
        await core.service(Play).act(4, user, "roll")
    await core.service(Users).begin_vacation(CLEO.id, 3)
    clock.pass_(DAY / 2)
    await core.service(Timing).sweep()
    await core.service(Consent).propose(1, ANN, OfferKind.DRAW)
    waiting = (await core.snapshot(1)).playing
    theirs = next(iter(legal_actions(waiting.game, waiting.state, 1)))
    mine = next(iter(legal_actions(waiting.game, waiting.game.play(waiting.state, 1, theirs).state, 0)))
    await core.service(Plans).add_reply(1, ANN, 0, (), theirs, mine)
    beginning = core.service(Analyses).beginning(ANN.id, 10)
    at, _ = await core.service(Analyses).open(lambda: beginning.of_start("bouncers", core.service(Analyses).chance()))
    await core.service(Analyses).change(at, lambda there: with_action(there, 0, ("b2", "b3")))
    for user in (ANN, BEN):
        await core.service(Puzzles).begin(user, 10, Wanted())
    await core.service(Puzzles).give_up(BEN.id, LONG.name, 0)
    practice = await core.service(Lobby).open(DEV, replace(TIMED, computers=(Level.HARD,)))
    await core.service(Play).act(practice.table.id, DEV, first_action(practice))
    async with store.write() as writer:
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=clock()))
        await puzzles_sql.put_puzzle_rating(writer, new_puzzle(LONG, clock()))
        await puzzles_sql.void(writer, VoidedDay(day=3, at=clock()))
        await posts_sql.put(writer, a_post(10, due=clock() + HOUR))
        await matchmaking_sql.put(writer, a_seek(ANN.id, guild_id=10))
        await matchmaking_sql.avoid(writer, ANN.id, (BEN.id,), clock())
        await ladders_sql.put(writer, Ladder(guild_id=10, game="bouncers", season=8104, looked_at=clock()))
        for place, user in enumerate((BEN, ANN), 1):
            await ladders_sql.put_place(writer, a_ladder_place(user.id, guild_id=10, place=place))
        await ladders_sql.put_badge(writer, a_ladder_badge(ANN.id, guild_id=10))
        press = Contribution(table_id=3, interaction_id=900, user_id=ANN.id, word="luck")
        await writer.execute(contributions.insert().values(to_row(press)))
        ping = to_row(Ping(id=1, by_user=ANN.id, to_user=BEN.id, at=clock()))
        await writer.execute(pings.insert().values(ping))
    await fill_tournament(core)
    leases = Leases(store)
    await leases.add("shard 0 of 1")
    await leases.claim("shard 0 of 1", "a process", 10.0)
    await leases.renew("a process", 10.0, {"shard 0 of 1": ("session", "wss://gateway", 7)})
    await store.close()


async def fill_tournament(core: Core) -> None:
    """A tournament of three that has just begun, with its games at tables 6 to 8."""
    wanted = TournamentRequest(guild_id=10, channel_id=20, name="Cup", game="bouncers", format="round_robin")
    event_id = (await core.service(Tournaments).open(ANN, wanted)).row.id
    for _ in range(2):
        for user in (ANN, BEN, CLEO):
            await core.service(Tournaments).enter(event_id, 10, user, 8000 + user.id)
        await core.service(Tournaments).hurry(event_id, 10, TournamentActor.ORGANISER)
        await core.service(TournamentRounds).sweep()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "games.sqlite3"
    asyncio.run(fill(path))
    return path


@pytest.fixture
def database(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(filled, tmp_path / "games.sqlite3"))


@pytest.mark.slow
def test_a_sound_database_has_nothing_to_tell(database: Path) -> None:
    assert list(problems(database)) == []


@pytest.mark.slow
async def test_all_reminders_that_are_to_be_sent_are_sound(tmp_path: Path) -> None:
    path, clock, known = tmp_path / "games.sqlite3", Time(), seeds()
    store = await Store.open(path)
    # With one throw of the dice in some forty, the game of three ends before somebody is reminded that they are next.
    core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))
    for request in (TIMED, replace(TIMED, clock=None)):
        table_id = (await core.service(Lobby).open(ANN, request)).table.id
        await core.service(Lobby).join(table_id, BEN)
    await core.service(Users).change(CLEO.id, remind_next=True)
    three = (await core.service(Lobby).open(ANN, replace(TIMED, game="trampoline", seats=3))).table.id
    await core.service(Lobby).join(three, BEN)
    snapshot = await core.service(Lobby).join(three, CLEO)
    for _ in range(3):
        player = next(user for user in (ANN, BEN, CLEO) if user.id == snapshot.awaited[0].user_id)
        snapshot = (await core.service(Play).act(three, player, first_action(snapshot))).snapshot
    seen: set[str] = set()
    for _ in range(70 * 24):
        clock.pass_(HOUR)
        await core.service(Timing).sweep()
        async with store.read() as reader:
            owed = {job.payload["which"] for job in await queries.jobs.reminders(reader)}
        if owed - seen:
            assert await asyncio.to_thread(lambda: list(problems(path))) == []
        seen |= owed
    await store.close()
    assert seen == set(get_args(Which))


A_TABLE = "UPDATE tables SET {} WHERE id = 1".format
UNCHECKED = "PRAGMA ignore_check_constraints = ON; "
CHOSEN = """UPDATE people SET settings = '{{{}}}' WHERE user_id = 1""".format
OVER = "UPDATE tables SET {} WHERE id = 2".format
ENTRY = "UPDATE actions SET {} WHERE table_id = 1 AND number = 1".format
SEAT = "UPDATE seats SET {} WHERE table_id = 1 AND user_id = 2".format
LOWERED = "UPDATE tables SET turn = turn - 1 WHERE id = {}".format
REVIEW = (
    "INSERT INTO reviews (table_id, reviewer, version, asked_at, done, standings, choices) VALUES ({}, 1, 1, 1, 0, '[]', '[]')"
).format
LEFT = (
    "INSERT INTO departures (table_id, number, place, user_id, name, version, lost) VALUES ({}, 1, {}, 3, 'Cleo', 0, 0)".format
)
LEARNED = """UPDATE people SET settings = '{{"learning": {}}}' WHERE user_id = 1""".format
MIXED = "UPDATE contributions SET {} WHERE table_id = 4 AND number = 1".format
ANALYSIS = "UPDATE analyses SET {}".format
POST = "UPDATE posts SET {}".format
SEEK = "UPDATE seeks SET {}".format
EVENT = "UPDATE events SET {}".format
SOLVING = "UPDATE puzzle_attempts SET {} WHERE user_id = 1".format
SOLVED = "UPDATE puzzle_attempts SET {} WHERE user_id = 2".format
JOB = "UPDATE outbox SET {} WHERE id = (SELECT max(id) FROM outbox WHERE kind = 'reminder')".format

FAULTS = {
    # what is played
    "an unknown game": (A_TABLE("game = 'chess'"), "Table 1", "no game “chess”"),
    "an unknown game of an open table": ("UPDATE tables SET game = 'chess' WHERE id = 3", "Table 3", "no game “chess”"),
    "an unknown variant": (A_TABLE("variant = 'huge'"), "Table 1", "no variant “huge”"),
    "an unknown option": (A_TABLE("""options = '{"colour": "mauve"}'"""), "Table 1", "no option “colour:mauve”"),
    "options that are a list": (A_TABLE("options = '[]'"), "Table (id 1,", "options:"),
    "options that are no JSON": (A_TABLE("options = '{'"), "Table (id 1,", "options: it is no JSON"),
    "rules from the future": (A_TABLE("rules = 7"), "Table 1", "no version 7 of the rules"),
    "rules that are none": (A_TABLE("rules = 0"), "Table (id 1,", "rules:"),
    "too many seats for the game": (A_TABLE("wanted = 5"), "Table 1", "not for 5 players"),
    "a number of seats that no game has": (A_TABLE("wanted = 40"), "Table (id 1,", "wanted:"),
    # offers
    "offers null": (A_TABLE("offers = 'null'"), "Table (id 1,", "offers:"),
    "offers that are a number": (A_TABLE("offers = 5"), "Table (id 1,", "offers:"),
    "an unknown offer": (A_TABLE("""offers = '{"bribe": {"by": 0}}'"""), "Table (id 1,", "offers: bribe"),
    "an offer by no seat": (A_TABLE("""offers = '{"draw": {"by": 4, "agreed": [4]}}'"""), "Table 1", "offers: draw"),
    "an offer at a game that is over": (OVER("""offers = '{"draw": {"by": 0, "agreed": [0]}}'"""), "Table 2", "offers: draw"),
    # status and outcome
    "an unknown status": (A_TABLE("status = 'paused'"), "Table (id 1,", "status: 'paused'"),
    "an early end": (A_TABLE("""outcome = '{"winners": [0], "how": "rules", "reason": "x"}'"""), "Table (id 1,", "outcome:"),
    "no outcome of a game that is over": (OVER("outcome = NULL"), "Table (id 2,", "outcome:"),
    "no such winner": (OVER("""outcome = '{"winners": [5], "how": "rules", "reason": "x"}'"""), "Table 2", "outcome: a winner"),
    "another winner": (OVER("""outcome = '{"winners": [1], "how": "rules", "reason": "x"}'"""), "Table 2", "winners"),
    "an odd ending": (OVER("""outcome = '{"winners": [0], "how": "luck", "reason": "x"}'"""), "Table (id 2,", "outcome: how"),
    # numbers, texts and times
    "a version that the log has not": (A_TABLE("version = 9"), "Table 1 says that its log has 9 entries"),
    "a text for a version": (A_TABLE("version = 'new'"), "Table (id 1,", "version: 'new' is no int"),
    "a negative turn": (A_TABLE("turn = -3"), "Table (id 1,", "turn:"),
    "a negative clock": (A_TABLE("clock = -60"), "Table (id 1,", "clock:"),
    "a text for a deadline": (A_TABLE("deadline = 'tomorrow'"), "Table (id 1,", "deadline: 'tomorrow' is no float"),
    "an endless deadline": (A_TABLE("deadline = 9e999"), "Table (id 1,", "deadline: inf"),
    "an unknown grace": (A_TABLE("grace = 'endless'"), "Table (id 1,", "grace: 'endless'"),
    "a grace of a game that is over": (OVER("grace = 'running'"), "Table (id 2,", "grace: only a game that is on"),
    "a clock without a deadline": (A_TABLE("deadline = NULL"), "Table (id 1,", "deadline: the game has a clock"),
    "a text for a reminder": (A_TABLE("notice_at = 'soon'"), "Table (id 1,", "notice_at:"),
    "a text for the time of opening": (A_TABLE("created_at = 'once'"), "Table (id 1,", "created_at:"),
    "a text for a message": (A_TABLE("board_message_id = 'top'"), "Table (id 1,", "board_message_id:"),
    "a negative thread": (A_TABLE("thread_id = -8"), "Table (id 1,", "thread_id:"),
    "a server that is none": (A_TABLE("guild_id = 0"), "Table (id 1,", "guild_id:"),
    "neither private nor public": (A_TABLE("private = 'maybe'"), "Table (id 1,", "private: 'maybe' is no bool"),
    "a text that is none": (A_TABLE("variant = CAST(x'ff41' AS TEXT)"), "Table (id 1,", "variant: it is no text"),
    "questions that are no list": (A_TABLE("questions = '5'"), "Table (id 1,", "questions:"),
    "a question of no message": (A_TABLE("""questions = '[{"offer": "draw"}]'"""), "Table (id 1,", "questions: 0.channel_id"),
    "a question about nothing": (
        A_TABLE("""questions = '[{"offer": "undo", "channel_id": 5, "message_id": 6}]'"""), "Table 1",
        "questions: message 6 asks about undo, which is settled"),
    "an invitation to a game that is over": (
        OVER("""questions = '[{"channel_id": 5, "message_id": 6}]'"""), "Table 2",
        "message 6 asks about the invitation, which is settled"),
    "a rematch that is not there": (OVER("rematch_id = 77"), "Table 2", "table 77"),
    "a table in quarantine": (A_TABLE("set_aside = 'for a reason'"), "Table 1 is set aside: for a reason"),
    # dice
    "no seed": (A_TABLE("seed = NULL"), "table 1 has begun without a seed"),
    "a short seed": (UNCHECKED + A_TABLE("seed = zeroblob(31)"), "Table (id 1,", "seed:"),
    "a text for a seed": (UNCHECKED + A_TABLE("seed = 'abc'"), "Table (id 1,", "seed: 'abc' is no bytes"),
    "another seed": ("UPDATE tables SET seed = randomblob(32) WHERE id = 4", "Table 4"),
    "another key of the dice": ("UPDATE tables SET stream_key = randomblob(32) WHERE id = 4", "Table 4"),
    "another contribution": ("UPDATE contributions SET word = 'x' WHERE table_id = 4 AND number = 1", "Table 4"),
    "another link": ("UPDATE actions SET link = '" + "a" * 64 + "' WHERE table_id = 1 AND number = 2", "Table 1"),
    # the log
    "a gap in the log": ("DELETE FROM actions WHERE table_id = 1 AND number = 2", "log of table 1 has gaps"),
    "a log without its end": ("DELETE FROM actions WHERE table_id = 1 AND number = 3", "Table 1 says", "3 entries"),
    "an unknown entry": (ENTRY("kind = 'pass'"), "Entry (table_id 1, number 1,", "kind: 'pass'"),
    "an entry of a seat that no game has": (ENTRY("seat = 9"), "Entry (table_id 1, number 1,", "seat:"),
    "an entry of a seat that this game has not": (ENTRY("seat = 3"), "Table 1", "entry 1: seat"),
    "an illegal action": (ENTRY("""tokens = '["b2", "b5"]'"""), "Table 1", "entry 1"),
    "an undo with tokens": ("UPDATE actions SET kind = 'undo' WHERE table_id = 1 AND number = 3", "Table 1", "entry 3: tokens"),
    "tokens that are no list": (ENTRY("tokens = '5'"), "Entry (table_id 1, number 1,", "tokens:"),
    "an odd interaction": (ENTRY("interaction_id = -4"), "Entry (table_id 1, number 1,", "interaction_id:"),
    "a link that is none": (ENTRY("link = 'abc'"), "Entry (table_id 1, number 1,", "link:"),
    "a text for the time of an entry": (ENTRY("at = 'then'"), "Entry (table_id 1, number 1,", "at:"),
    "an action after the end": (
        "INSERT INTO actions (table_id, number, kind, seat, tokens, at) VALUES (2, 5, 'play', 0, '[\"b2\", \"b3\"]', 9); "
        + OVER("version = 5"), "Table 2", "entry 5"),
    # seats
    "two people in one place": (SEAT("place = 0"), "Several people sit in place 0 of table 1"),
    "a place beyond the seats": (SEAT("place = 4"), "Table 1", "place:"),
    "a negative place": (SEAT("place = -1"), "Seat (table_id 1, user_id 2)", "place:"),
    "an unknown seat status": (SEAT("status = 'asleep'"), "Seat (table_id 1, user_id 2)", "status: 'asleep'"),
    "a seat that is missing": ("DELETE FROM seats WHERE table_id = 1 AND user_id = 2", "Table 1", "1 players, but 2 seats"),
    "a seat of a table that is not there": (
        "INSERT INTO seats (table_id, user_id, place, status, name, timeouts, asked_at) VALUES (88, 1, 0, 'joined', 'x', 0, 1)",
        "of seats belongs to a row of tables that is not there"),
    "negative time-outs": (SEAT("timeouts = -1"), "Seat (table_id 1, user_id 2)", "timeouts:"),
    # people and servers
    "settings that are a list": ("UPDATE people SET settings = '[]'", "Person (user_id", "settings:"),
    "settings that are no JSON": ("UPDATE people SET settings = 'x'", "Person (user_id", "settings: it is no JSON"),
    "quiet hours that no day has": (CHOSEN('"quiet_from": 5000'), "Person (user_id 1)", "quiet_from"),
    "an unknown time zone": (CHOSEN('"zone": "Moon/Crater"'), "Person (user_id 1)", "zone"),
    "an unknown language": (CHOSEN('"language": "xx"'), "Person (user_id 1)", "language"),
    "a backward vacation": ("UPDATE people SET vacation_until = 5 WHERE user_id = 3", "Person (user_id 3)", "vacation_until:"),
    "negative days of vacation": (
        """UPDATE people SET vacation_days = '{"2026": -4}' WHERE user_id = 3""", "Person (user_id 3)", "vacation_days:"),
    "a server's bad clock": ("""UPDATE servers SET settings = '{"clock": -5}'""", "Server (guild_id 10)", "settings: clock"),
    "no channels": ("""UPDATE servers SET settings = '{"channels": ["here"]}'""", "Server (guild_id 10)", "settings: channels"),
    "a text for the time of leaving": ("UPDATE servers SET left_at = 'now'", "Server (guild_id 10)", "left_at:"),
    # ratings, watches, jobs, and the rest
    "a negative uncertainty": ("UPDATE ratings SET sigma = -2 WHERE user_id = 1", "Rating (guild_id 10, user_id 1)", "sigma:"),
    "an endless skill": ("UPDATE ratings SET mu = 9e999 WHERE user_id = 1", "Rating (guild_id 10, user_id 1)", "mu:"),
    "games that do not add up": ("UPDATE ratings SET won = 7 WHERE user_id = 1", "Rating (guild_id 10, user_id 1)", "played:"),
    "an unknown watch": ("UPDATE watches SET what = 'all'", "Watch (table_id 1, user_id 4)", "what: 'all'"),
    "an unknown job": (JOB("kind = 'song'"), "Job (id", "kind: 'song'"),
    "a job without its payload": (JOB("payload = '{}'"), "Job (id", "payload: user"),
    "a payload that is no JSON": (JOB("payload = 'x'"), "Job (id", "payload: it is no JSON"),
    "a text for the time of a job": (JOB("due = 'later'"), "Job (id", "due: 'later'"),
    "a job of a table that is not there": (
        "INSERT INTO outbox SELECT max(id) + 1, 88, kind, key, payload, due, 0, 1, 10, 'table 88', NULL FROM outbox",
        "of outbox belongs to a row of tables that is not there"),
    "a job of another table than it says": (JOB("subject = 'table 99'"), "Job (id", "subject: it is 'table 99'"),
    "a job of another server": (JOB("guild_id = 99"), "is said to be of server 99, but its table", "is on server 10"),
    "a job of the void": (JOB("table_id = NULL, subject = 'server 10'"), "Job (id", "place: a job"),
    "an offer to bribe": ("UPDATE outbox SET key = 'bribe' WHERE kind = 'offer'", "Job (id", "key: there is no offer 'bribe'"),
    "a contribution of nobody": ("UPDATE contributions SET user_id = 'x'", "Contribution (table_id 3", "user_id:"),
    "a contribution without a press": (MIXED("interaction_id = 0"), "(table_id 4", "interaction_id: a press"),
    "a press of somebody who was forgotten": (MIXED("user_id = -1"), "(table_id 4", "user_id: a press"),
    "a contribution removed before the game began": (
        "UPDATE contributions SET interaction_id = -1, user_id = -1, word = '' WHERE table_id = 3", "(table_id 3",
        "interaction_id: it is negative"),
    "a wrong number removed": (MIXED("interaction_id = -9, user_id = -1, word = ''"), "(table_id 4", "not the negative of 1"),
    "a contribution removed but for its owner": (MIXED("interaction_id = -1, word = ''"), "(table_id 4", "user_id: its owner"),
    "a contribution removed but for its word": (MIXED("interaction_id = -1, user_id = -1"), "(table_id 4", "word: its owner"),
    "a ping at no time": ("UPDATE pings SET at = 'x'", "Ping (id 1)", "at:"),
    "an entry neither planned nor not": (ENTRY("fired = 7"), "Entry (table_id 1, number 1,", "fired:"),
    "a plan for a seat that no game has": ("UPDATE plans SET seat = 9", "Plan (table_id 1, user_id 1)", "seat:"),
    "a plan before all others": ("UPDATE plans SET revision = -1", "Plan (table_id 1, user_id 1)", "revision:"),
    "replies that are no JSON": ("UPDATE plans SET replies = 'x'", "Plan (table_id 1, user_id 1)", "replies: it is no JSON"),
    "orders that are a number": ("UPDATE plans SET orders = '[5]'", "Plan (table_id 1, user_id 1)", "orders: 0:"),
    "a computer with a person's id": ("UPDATE seats SET computer = 'hard' WHERE table_id = 1 AND user_id = 2", "Table 1",
                                       "computer: 2 is no id of a computer"),
    "a person with a computer's id": ("UPDATE seats SET computer = NULL WHERE computer = 'hard'", "is the id of a computer"),
    "a godly computer": ("UPDATE seats SET computer = 'god' WHERE computer = 'hard'", "Seat (table_id", "computer: 'god'"),
    "fewer hints than none": (SEAT("hints = -1"), "Seat (table_id 1, user_id 2", "hints:"),
    "a computer that was asked in no seat": ("UPDATE thinking SET asked = '[9]'", "Thinking (table_id", "asked"),
    "a computer that is due at no time": ("UPDATE thinking SET due = 'now'", "Thinking (table_id", "due: 'now'"),
    # what rows say of a table that is not as they think
    "a plan of somebody without a seat": ("UPDATE plans SET user_id = 3", "User 3 has", "table 1, but does not play in seat 0"),
    "a plan for somebody else's seat": ("UPDATE plans SET seat = 1", "User 1 has", "table 1, but does not play in seat 1"),
    "a plan of somebody who has left": (
        "UPDATE seats SET status = 'withdrawn' WHERE table_id = 1 AND user_id = 1", "User 1 has",
        "table 1, but does not play in seat 0"),
    "a plan at a game that is over": ("UPDATE plans SET table_id = 2", "User 1 has planned", "table 2", "where no game is on"),
    "a plan before the game": ("UPDATE plans SET table_id = 3", "User 1 has planned", "table 3", "where no game is on"),
    "thinking by nobody": ("UPDATE thinking SET table_id = 1", "Computers are to think at table 1, where none is playing"),
    "thinking after the end": ("UPDATE thinking SET table_id = 2", "Computers are to think at table 2, where none is playing"),
    "a review of a running game": (REVIEW(1), "Table 1 has a review, but its game is not over"),
    "a review of a game that has not begun": (REVIEW(3), "Table 3 has a review, but its game is not over"),
    "a departure of a seat that is not there": (LEFT(1, 2), "User 3", "left seat 2 of table 1, which is not"),
    "a departure before the game": (LEFT(3, 0), "User 3", "left seat 0 of table 3, whose game has not"),
    "a watch of a stranger at a private table": (
        A_TABLE("private = 1"), "Table 1", "watches: 4 is notified, but the table is private and not open to them"),
    "a board ahead of the log": (A_TABLE("board_version = 4"), "Table (id 1,", "board_version: the board shows 4"),
    "a board that tells what comes after it": (A_TABLE("board_version = 2, board_since = 3"), "Table (id 1,", "board_since: "),
    "a board of a turn to come": (A_TABLE("board_turn = 5"), "Table (id 1,", "board_turn: 5 is a turn to come"),
    "a nudge in a turn to come": (A_TABLE("nudged_turn = 5"), "Table (id 1,", "nudged_turn: 5 is a turn to come"),
    "a lowered turn": (LOWERED(1), "Table 1", "turn: it counts 3, but the log has begun 4 at least"),
    "a lowered turn of a game that is over": (LOWERED(2), "Table 2", "turn: it counts 4, but the log", "5 at least"),
    "a lowered turn at a table for three": (LOWERED(4), "Table 4", "turn: it counts 4, but the log", "5 at least"),
    "no turn at all beside a computer": ("UPDATE tables SET turn = 0 WHERE id = 5", "Table 5", "turn: it counts 0"),
    # analyses
    "an analysis of no position": (ANALYSIS("root = 'secret'"), "Analysis (id 1)", "it cannot be played"),
    "an analysis with an odd move": (ANALYSIS("nodes = replace(nodes, 'b3', 'h8')"), "Analysis (id 1)", "it cannot be played"),
    "an analysis of a position that comes after itself": (
        ANALYSIS("""nodes = '[{"parent": 1, "seat": 0, "action": ["b2", "b3"], "drawn": []}]'"""),
        "Analysis (id 1", "position 1 comes after"),
    "an analysis at a position that is not there": (ANALYSIS("current = 2"), "Analysis (id 1", "current: 2, but there"),
    "an analysis of a game that is none": (ANALYSIS("played = 1"), "Analysis (id 1", "it comes from no game"),
    "an analysis with too many played moves": (ANALYSIS("played = 3"), "Analysis (id 1", "played: 3, but there"),
    # puzzles
    "a puzzle without a number": (SOLVING("puzzle = 'bouncers'"), "user_id 1, puzzle bouncers)", "puzzle:"),
    "an attempt that ends without an outcome": (SOLVING("ended_at = 5.5"), "1, puzzle bouncers-5)", "ended_at: only"),
    "a first attempt that neither goes on nor is over": (SOLVING("ongoing = 0"), "1, puzzle bouncers-5)", "ongoing:"),
    "a streak that counts for no day": (SOLVED("streak = 3"), "2, puzzle bouncers-5)", "streak: it counts for no"),
    "an attempt that was given up less than never": (SOLVED("given_up = -1"), "2, puzzle bouncers-5)", "given_up:"),
    "an outcome that is none": (SOLVED("outcome = 'won'"), "2, puzzle bouncers-5)", "outcome: 'won'"),
    "judgements that are a word": (SOLVED("judged = 'x'"), "2, puzzle bouncers-5)", "judged: it is no JSON"),
    "a rating of a person without spread": ("UPDATE solver_ratings SET sigma = 0", "SolverRating (user_id 2", "sigma:"),
    "a rating of a puzzle that has won too often": ("UPDATE puzzle_ratings SET won = 1", "PuzzleRating (", "won: 1 of 0"),
    "a day before all days": ("UPDATE voided_days SET day = 0", "VoidedDay (", "day:"),
    # posts
    "a post at no hour": (POST("hour = 24"), "Post (guild_id 10)", "hour:"),
    "a post in no time zone": (POST("zone = 'Mars'"), "Post (guild_id 10)", "zone: there is no time zone 'Mars'"),
    "half a message of a post": (POST("message_id = NULL"), "Post (guild_id 10)", "message_id: only a part is known"),
    "a post of no kind": (POST("kind = 'weekly'"), "A row of posts cannot be read", "kind:"),
    "a post on no day of the week": (POST("weekday = 7"), "Post (guild_id 10)", "weekday:"),
    # seeks
    "a wait that ends before it begins": (SEEK("until = 1.5"), "Seek (guild_id 10, user_id 1)", "until: the wait ends"),
    "a wait without an end": (SEEK("until = NULL"), "Seek (guild_id 10, user_id 1)", "until: the wait ends"),
    "a wait for no game": (SEEK("remaining = 0"), "Seek (guild_id 10, user_id 1)", "remaining: a wait for no game"),
    "wishes that are a word": (SEEK("wishes = 'x'"), "A row of seeks cannot be read", "wishes: it is no JSON"),
    "a wish for no game": (SEEK("wishes = '{\"games\": 0}'"), "Seek (guild_id 10, user_id 1)", "wishes: no number"),
    "a person who avoids themselves": ("UPDATE avoidances SET avoided_id = 1", "Avoidance (", "avoided_id: nobody avoids"),
    # ladders
    "two people on one place of a ladder": (
        "UPDATE ladder_places SET place = 1", "Place 1 of the ladder of 'bouncers' on server 10 is that of 2 people"),
    "places on no ladder": ("DELETE FROM ladders", "There are places on a ladder of 'bouncers' on server 10"),
    "a badge of the fourth": ("UPDATE ladder_badges SET place = 4", "LadderBadge (", "place:"),
    # events
    "an event that nobody looks at": (EVENT("due = NULL"), "StoredTournament (id 1,", "due: it goes on, but nobody"),
    "an unended event": (EVENT("status = 'finished'"), "StoredTournament (id 1,", "finished_at: only an event that is over"),
    "an event ended early": (EVENT("finished_at = 5.5"), "StoredTournament (id 1,", "finished_at: only an event that is over"),
    "rounds without lots": (EVENT("lots = NULL"), "StoredTournament (id 1,", "lots: there are rounds"),
    "rounds before the start": (EVENT("status = 'open'"), "StoredTournament (id 1,", "rounds: there are some before"),
    "a game of an event against oneself": (
        EVENT("rounds = replace(rounds, '[2, 1]', '[2, 2]')"), "StoredTournament (id 1,",
        "has a game with the seats (2, 2)"),
    "a game of an event with a place too many": (
        EVENT("""rounds = replace(rounds, '"places": []', '"places": [1, 2, 3]')"""), "StoredTournament (id 1,",
        "and the places (1, 2, 3)"),
    "rounds that are a word": (EVENT("rounds = 'x'"), "A row of events cannot be read", "rounds: it is no JSON"),
    "an unknown deed": (EVENT("acts = replace(acts, 'started', 'danced')"), "A row of events cannot be read", "acts: 3.deed"),
    "a stage that no event has": (EVENT("status = 'resting'"), "A row of events cannot be read", "status: 'resting'"),
    "an event for nobody": (EVENT("most = 0"), "StoredTournament (id 1,", "most:"),
    "an event that wants too much": (EVENT("most_late = 101"), "StoredTournament (id 1,", "most_late:"),
    "half a key of an event": (EVENT("key = x'00ff'"), "StoredTournament (id 1,", "key:"),
    "a player who has entered less than never": ("UPDATE event_entries SET seed = -1", "TournamentEntry (event_id 1,", "seed:"),
    "a timeless lapse": ("UPDATE event_entries SET lapsed_at = 'x'", "A row of event_entries cannot be read", "lapsed_at: 'x'"),
    "games of nobody": ("DELETE FROM event_entries WHERE number = 3", "Event 1 has games of player 3, who is not there."),
    "a game of an event at a table of no event": (
        "UPDATE tables SET event_id = NULL WHERE id = 6", "Event 1 has a game at table 6, which is not one of its tables."),
    "a table of no event's game": (A_TABLE("event_id = 1"), "Table 1 is said to belong to event 1, which has no such game."),
    "a table of a missing event": (A_TABLE("event_id = 9"), "Table 1 is said to belong to event 9, which has no such game."),
    "an event's job": ("""UPDATE outbox SET payload = '{"event": "x"}' WHERE kind = 'event'""", "Job (id", "payload: event"),
    # lessons
    "lessons that are a list": (LEARNED('["bouncers"]'), "Person (user_id 1)", "settings: learning"),
    "lessons of a game that is a number": (LEARNED('{"bouncers": 5}'), "Person (user_id 1)", "learning.bouncers"),
    "a lesson that is a number": (LEARNED('{"bouncers": {"at": 5}}'), "Person (user_id 1)", "settings: learning.bouncers.at"),
    "lessons of an unknown game": (
        LEARNED('{"chess": {"at": "end"}}'), "Person (user_id 1)", "learning.chess: there are no lessons of 'chess'"),
    "an odd lesson detail": (LEARNED('{"bouncers": {"at": "", "junk": 1}}'), "Person (user_id 1)", "learning.bouncers.junk"),
    "an unknown setting": (CHOSEN('"junk": 5'), "Person (user_id 1)", "settings: junk"),
    "an unknown lesson that is next": (
        LEARNED('{"bouncers": {"at": "castling"}}'), "Person (user_id 1)", "bouncers.at: there is no lesson 'castling'"),
    "an unknown lesson that was solved": (
        LEARNED('{"bouncers": {"solved": ["bounce", "castling"]}}'), "Person (user_id 1)",
        "learning.bouncers.solved: there is no lesson 'castling'"),
    "a heartbeat before all time": ("UPDATE heartbeats SET at = -1", "Heartbeat", "at:"),
    "a lease that has changed hands less than never": ("UPDATE leases SET fence = -1", "StoredLease", "fence:"),
    "a lease until nobody knows when": ("UPDATE leases SET expires = 'soon'", "A row of leases cannot be read", "expires:"),
}  # fmt: skip


@pytest.mark.parametrize("fault", quick_first(40, FAULTS))
def test_a_planted_fault_is_named(database: Path, fault: str) -> None:
    statements, *words = FAULTS[fault]
    damage(database, *statements.split("; "))
    found = list(problems(database))
    assert [problem for problem in found if all(word in problem for word in words)], found


@pytest.mark.parametrize("what", ["Plan", "Analysis"])
def test_plans_and_analyses_are_not_told_to_the_operator(database: Path, what: str) -> None:
    for column in ("replies", "orders"):
        damage(database, f"""UPDATE plans SET {column} = '[{{"theirs": ["secret"], "mine": "secret"}}, ["secret", 5]]'""")
    damage(database, "UPDATE plans SET revision = 'x'", "UPDATE analyses SET root = 'secret'")
    damage(database, """UPDATE analyses SET nodes = '[{"parent": 0, "seat": 0, "action": ["secret"], "drawn": []}]'""")
    found = [problem for problem in problems(database) if f"{what} (" in problem]
    assert found
    assert "secret" not in " ".join(found)


def test_a_table_that_can_be_read_again_is_released(database: Path, monkeypatch: pytest.MonkeyPatch, bare: None) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(database))
    assert springboard("release").output == "No table is set aside.\n"
    damage(database, A_TABLE("offers = 'null', set_aside = 'for a reason'"))
    told = springboard("release", "1")
    assert (told.exit_code, "Table 1 stays aside: Table (id 1," in told.output) == (1, True)
    damage(database, A_TABLE("offers = '{}'"))
    assert springboard("release", "4").output == "Table 4 is not set aside.\n"
    assert "Table 1 is back.\n" in springboard("release", "1").output
    assert springboard("check").output == "The database is sound.\n"


def test_all_faults_are_named_and_the_exit_status_tells(database: Path, monkeypatch: pytest.MonkeyPatch, bare: None) -> None:
    for statements, *_ in FAULTS.values():
        damage(database, *statements.split("; "))
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(database))
    told = springboard("check")
    assert told.exit_code == 1
    assert isinstance(told.exception, SystemExit)
    for name in ("Table (id 1,", "Table (id 2,", "Table 3", "Entry (", "Person (", "Server (", "Rating (", "Job ("):
        assert name in told.output
