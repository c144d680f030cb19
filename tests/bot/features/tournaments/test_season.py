"""A season of events: forty people, of whom a quarter drop out or go on vacation, and organisers who interfere.

After every step, each event’s table is recounted from the games alone. `pytest -m slow -s` shows the figures.
"""

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Final

import pytest

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import Refused, SessionError
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.service import Consent
from bot.features.tournaments import sql as tournaments_sql
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.service import TournamentRequest, Tournaments, TournamentView
from bot.parts import PARTS
from storage import queries
from storage.schema.kinds import JobKind, TournamentActor, TournamentStatus
from storage.schema.records import EntryKind, OfferKind, Status
from storage.schema.structures import TournamentGame
from storage.store import Store
from storage.upkeep.consistency import findings
from tests.bot.present import present
from tests.bot.service import DAY, HOUR, Time, seeds
from tests.engines.contract_games import random_action

GUILD: Final = 10
PEOPLE: Final = tuple(User(100 + number, f"Person {number}") for number in range(40))
STEP: Final = 6 * HOUR
LONGEST: Final = 200
"""Days after which all events have to be over."""

Place = tuple[int, int, int]
"""A game: the numbers of its event, its round, and of the game in it."""

EVENTS: Final = (
    ("swiss", "bouncers", 14, 8 * HOUR, 3 * DAY), ("round_robin", "trampoline", 6, DAY, 4 * DAY),
    ("pods", "pucks", 13, 8 * HOUR, 3 * DAY), ("knockout", "bunny", 9, 8 * HOUR, 2 * DAY),
    ("round_robin", "bunny", 8, 8 * HOUR, 5 * DAY), ("swiss", "bunny", 9, DAY, 7 * DAY),
    ("pods", "pucks", 6, DAY, 9 * DAY), ("knockout", "bouncers", 16, DAY, 4 * DAY),
    ("swiss", "trampoline", 24, 3 * DAY, 6 * DAY), ("round_robin", "bouncers", 3, 3 * DAY, 12 * DAY),
    ("pods", "pucks", 20, 3 * DAY, 4 * DAY), ("knockout", "trampoline", 5, 8 * HOUR, DAY),
)  # fmt: skip
"""The events, of which a new one is opened every four days: format, game, players, the seconds of a turn and of a round."""


@dataclass
class Season:
    """A season, step by step: who has dropped out or is away, by user id, and what was counted here.

    `ends` has the latest end of each event’s round, and `calls` the event and number of each call.
    """

    store: Store
    clock: Time
    dice: random.Random = field(default_factory=lambda: random.Random(7))
    gone: dict[int, float] = field(default_factory=dict)
    away: dict[int, tuple[float, float]] = field(default_factory=dict)
    events: list[int] = field(default_factory=list)
    results: dict[Place, tuple[int, ...]] = field(default_factory=dict)
    ends: dict[int, float] = field(default_factory=dict)
    pauses: dict[int, int] = field(default_factory=dict)
    calls: list[tuple[int, int]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        known = seeds()
        self.core = Core(self.store, parts=PARTS, now=self.clock, entropy=lambda _: next(known))
        self._began = self.clock.now
        leavers = self.dice.sample(PEOPLE, 10)
        self.gone = {user.id: self.clock.now + self.dice.uniform(5, 50) * DAY for user in leavers[:5]}
        self._vacations = {user.id: self.clock.now + self.dice.uniform(5, 40) * DAY for user in leavers[5:]}
        self._by_hand: dict[Place, tuple[int, ...]] = {}

    async def step(self) -> None:
        """People act; then time passes, the bot does what is due, and everything is recounted."""
        for number in [*self.events]:
            view = await self.core.service(Tournaments).get(number)
            if view.row.status in tournaments_sql.ON:
                await self._come_and_go(view)
                await self._organise(view)
                await self._play(await self.core.service(Tournaments).get(number))
                await self.recount(number)
        for user_id, begins in [*self._vacations.items()]:
            if begins <= self.clock.now:
                days = self.dice.choice((3, 6, 10, 14))
                await self.core.service(Users).begin_vacation(user_id, days)
                self.away[user_id] = (self.clock.now, self.clock.now + days * DAY)
                del self._vacations[user_id]
        self.clock.pass_(STEP)
        while await self.core.service(Timing).sweep():
            pass
        await self._note_results()
        while await self.core.service(TournamentRounds).sweep():
            pass
        for number in self.events:
            await self.recount(number)
        await self._post()
        async with self.store.read() as reader:
            assert await reader.run(lambda connection: list(findings(connection))) == []

    async def open(self) -> None:
        """Open the next event, and have people enter."""
        format_, game, players, clock, seconds = EVENTS[len(self.events)]
        wanted = TournamentRequest(
            guild_id=GUILD, channel_id=20, name=f"Cup {len(self.events)}", game=game, format=format_, clock=int(clock),
            round_seconds=int(seconds), starts_in=DAY, rated=self.dice.random() < 0.7,
        )  # fmt: skip
        number = (await self.core.service(Tournaments).open(PEOPLE[0], wanted)).row.id
        self.events.append(number)
        for user in self.dice.sample(PEOPLE, players):
            await self.core.service(Tournaments).enter(number, GUILD, user, 10**6 * number + user.id)

    async def _come_and_go(self, view: TournamentView) -> None:
        row = view.row
        if row.status is TournamentStatus.CHECK_IN:
            for entry in view.entries:
                if entry.press is None and self._is_there(entry.user_id) and self.dice.random() < 0.9:
                    await self._enter(row.id, entry.user_id)
        elif row.status is TournamentStatus.RUNNING:
            for entry in view.entries:
                if entry.has_left and self._is_there(entry.user_id) and self.dice.random() < 0.03:
                    self.seen["came back"] += 1
                    await self._enter(row.id, entry.user_id)
                elif not entry.has_left and self._is_there(entry.user_id) and self.dice.random() < 0.002:
                    self.seen["left"] += 1
                    await self.core.service(Tournaments).leave(row.id, GUILD, User(entry.user_id, entry.name))
            if self.dice.random() < 0.08:
                with suppress(Refused):
                    await self._enter(row.id, self.dice.choice(PEOPLE).id)

    async def _enter(self, number: int, user_id: int) -> None:
        before = len((await self.core.service(Tournaments).get(number)).entries)
        after = await self.core.service(Tournaments).enter(number, GUILD, PEOPLE[user_id - 100], 10**6 * number + user_id)
        self.seen["entered late"] += len(after.entries) > before

    async def _organise(self, view: TournamentView) -> None:
        """Organisers pause, resume, pair, set results, replace and remove people."""
        number, events, by = view.row.id, self.core.service(Tournaments), TournamentActor.ORGANISER
        if number in self.pauses:
            self.pauses[number] -= 1
            if not self.pauses[number]:
                del self.pauses[number]
                await events.resume(number, GUILD, by)
            return
        if self.dice.random() > 0.04:
            return
        what = self.dice.choice(("pause", "pair", "decide", "replace", "remove", "prolong"))
        with suppress(Refused):
            if what == "pause":
                await events.pause(number, GUILD, by)
                self.pauses[number] = self.dice.randrange(1, 9)
            elif what == "pair":
                active = [] if view.event is None else list(view.event.active)
                await events.pair(number, GUILD, by, [self.dice.sample(active, min(len(active), view.format.system.smallest))])
            elif what == "decide":
                round_ = len(view.row.rounds) - 1
                index = self.dice.randrange(len(view.row.rounds[round_].games))
                places = [self.dice.randrange(1, 3) for _ in view.row.rounds[round_].games[index].seats]
                await events.decide(number, GUILD, by, (round_, index), places)
                shared = {place: 1 + sum(other < place for other in places) for place in places}
                self.results[number, round_, index] = tuple(shared[place] for place in places)
            elif what == "replace":
                entry, newcomer = self.dice.choice(view.entries), self.dice.choice(PEOPLE)
                await events.ask(number, GUILD, by, PEOPLE[0].id, entry.number, newcomer)
                await events.answer(number, GUILD, newcomer, entry.number, 7000 + newcomer.id)
            elif what == "remove":
                await events.remove(number, GUILD, by, self.dice.choice(view.entries).number)
            else:
                await events.prolong(number, GUILD, by, DAY)
            self.seen[what] += 1

    async def _play(self, view: TournamentView) -> None:
        """In each running game of the event, those who are there act, resign, or agree on a draw."""
        for _, game in _games(view):
            if game.table_id is None or game.places:
                continue
            snapshot = await self.core.snapshot(game.table_id)
            for _ in range(2):
                if snapshot.table.status is Status.PLAYING:
                    await self._act(snapshot)
                    snapshot = await self.core.snapshot(game.table_id)

    async def _act(self, snapshot: Snapshot) -> None:
        table_id, history = snapshot.table.id, snapshot.playing
        here = [seat for seat in snapshot.present if self._is_there(snapshot.players[seat].user_id)]
        if here and self.dice.random() < 0.04:
            seat = self.dice.choice(here)
            self.clock.pass_(1.0)
            await self.core.service(Play).resign(table_id, _user(snapshot, seat))
        elif len(here) == len(snapshot.players) == 2 and self.dice.random() < 0.02:
            await self.core.service(Consent).propose(table_id, _user(snapshot, 0), OfferKind.DRAW)
            await self.core.service(Consent).agree(table_id, _user(snapshot, 1), OfferKind.DRAW)
        elif history.to_act[0] in here and self.dice.random() < 0.6:
            self.clock.pass_(self.dice.uniform(1, 60))
            action = random_action(history.game, history.state, history.to_act[0], self.dice)
            await self.core.service(Play).act(table_id, _user(snapshot, history.to_act[0]), action)

    def _is_there(self, user_id: int) -> bool:
        begins, ends = self.away.get(user_id, (0.0, 0.0))
        return self.clock.now < self.gone.get(user_id, 1e12) and not begins <= self.clock.now < ends

    async def _post(self) -> None:
        """Do what the outbox would. Nobody is called twice to the same round."""
        async with self.store.read() as reader:
            due = await queries.jobs.due(reader, self.clock.now + 1000 * DAY, limit=10_000)
        for job in due:
            if job.kind is JobKind.EVENT_CALL:
                self.calls.append((job.payload["event"], job.payload["number"]))
            self.seen["farewells"] += job.kind is JobKind.EVENT_LEFT
            async with self.store.write() as writer:
                await queries.jobs.finish(writer, job)
        assert len(set(self.calls)) == len(self.calls), "somebody was called twice"

    async def _note_results(self) -> None:
        """Note the results of all games that have ended by themselves, by their logs."""
        for number in self.events:
            await self._count_games(await self.core.service(Tournaments).get(number))

    async def _count_games(self, view: TournamentView) -> None:
        gone = {entry.number for entry in view.entries if entry.has_left}
        for (round_, index), game in _games(view):
            place = (view.row.id, round_, index)
            if place in self.results or not game.places:
                continue
            snapshot = None if game.table_id is None else await self.core.snapshot(game.table_id)
            if len(game.seats) == 2 and gone & set(game.seats) and game.ending == "forfeited":
                assert game.places.count(1) == 1
                assert game.seats[game.places.index(2)] in gone
                self.results[place] = game.places
                self.seen["games forfeited"] += 1
            elif snapshot is None:
                assert self.clock.now >= self.ends[view.row.id]
                self.results[place] = (1,) * len(game.seats)
                self.seen["games never begun"] += 1
            elif snapshot.table.status is Status.FINISHED:
                self.results[place] = outcome(snapshot)
                self.seen["games played"] += 1
            else:
                assert self.clock.now >= self.ends[view.row.id], "a game was decided before its round was over"
                assert not snapshot.table.rated
                used = [self._used(snapshot, seat) for seat in range(len(game.seats))]
                self.results[place] = tuple(1 + sum(other < own - 1e-6 for other in used) for own in used)
                self.seen["games decided by time"] += 1

    def _used(self, snapshot: Snapshot, seat: int) -> float:
        """The seconds a seat has used, by the log alone."""
        if seat not in snapshot.present:
            return float("inf")
        table, before, used = snapshot.table, snapshot.table.started_at or 0.0, 0.0
        begins, ends = self.away.get(snapshot.players[seat].user_id, (0.0, 0.0))
        ends, waits = min(ends, begins + 7 * DAY), []
        for logged in snapshot.playing.log:
            if logged.entry.seat == seat:
                waits.append((before, logged.entry.at))
            before = logged.entry.at
        if seat in snapshot.playing.to_act:
            waits.append((table.turn_began or 0.0, self.clock.now))
        for since, until in waits:
            resting = max(0.0, min(until, ends) - max(since, begins))
            used += min(float(table.clock or 0), max(0.0, until - since - resting))
        return used

    async def recount(self, number: int) -> None:
        """Recount an event, and compare."""
        view = await self.core.service(Tournaments).get(number)
        await self._count_games(view)
        row = view.row
        tables = [game.table_id for _, game in _games(view) if game.table_id is not None]
        assert len(set(tables)) == len(tables), "a table has two games"
        for (round_, index), game in _games(view):
            assert game.places == self.results.get((number, round_, index), ()), f"event {number}, game {round_}, {index}"
        for each in row.rounds:
            seated = Counter(player for game in each.games for player in game.seats)
            once = view.format.id in {"swiss", "pods"}
            assert not once or max(seated.values(), default=1) == 1, "somebody is in two games of a round"
            assert not set(seated) & set(each.byes)
        if view.format.system.at_once:
            assert max(Counter(frozenset(game.seats) for _, game in _games(view)).values(), default=1) == 1
        if view.event is not None:
            own = {(each, index): places for (event, each, index), places in self.results.items() if event == number}
            points, told = counted(view, own), {line.player: line.points for line in view.standings}
            assert {player: told[player] for player in points} == points, f"event {number}"
            order = [line.points for line in view.standings if line.counts]
            assert order == sorted(order, reverse=True)
        if row.ends_at is not None:
            self.ends[number] = row.ends_at
        if row.status is TournamentStatus.FINISHED:
            assert present(row.finished_at) <= self.ends[number] + STEP + 600
            places = sorted(entry.place for entry in view.entries if entry.place)
            assert sorted(line.place for line in view.standings if line.counts) == places

    def figures(self) -> Iterator[str]:
        """What the season was like."""
        days = (self.clock.now - self._began) / DAY
        yield f"{len(self.events)} events in {days:.0f} days: {dict(self.seen)}; {len(self.calls)} calls"


def _games(view: TournamentView) -> list[tuple[tuple[int, int], TournamentGame]]:
    return [((number, index), game) for number, each in enumerate(view.row.rounds) for index, game in enumerate(each.games)]


def _user(snapshot: Snapshot, seat: int) -> User:
    return User(snapshot.players[seat].user_id, snapshot.players[seat].name)


def outcome(snapshot: Snapshot) -> tuple[int, ...]:
    """The places in a finished game: first the winners, then those who stayed, then leavers, the last one first."""
    ended, seats = present(snapshot.table.outcome), range(len(snapshot.players))
    left = [logged.entry.seat for logged in snapshot.playing.log if logged.entry.kind is EntryKind.WITHDRAW]
    stayed = [seat for seat in seats if seat not in left]
    won = [seat for seat in ended.winners if seat in stayed]
    groups = [won, [seat for seat in stayed if seat not in won], *([seat] for seat in reversed(left))]
    return tuple(1 + sum(len(group) for group in groups[: next(n for n, group in enumerate(groups) if seat in group)])
                 for seat in seats)  # fmt: skip


def counted(view: TournamentView, results: Mapping[tuple[int, int], tuple[int, ...]]) -> dict[int, Fraction]:
    """Each player’s points by the results of the games; in a knockout, only of matches surely decided."""
    points: dict[int, Fraction] = defaultdict(Fraction)
    entries = {entry.number: entry for entry in view.entries if entry.seed}
    if view.format.id == "knockout":
        return _matches(view, results)
    late = {"swiss": Fraction(1, 2), "pods": Fraction(1, 2)}.get(view.format.id, Fraction(0))
    played, given = Counter[int](), Counter[int]()
    for place, game in _games(view):
        given.update(game.seats)
        if results.get(place) and game.ending != "forfeited":
            played.update(game.seats)
    annulled = {
        number for number, entry in entries.items()
        if view.format.id == "round_robin" and entry.has_left and 2 * played[number] < given[number]
    }  # fmt: skip
    for number, entry in entries.items():
        points[number] = late * entry.missed
    for place, game in _games(view):
        places = results.get(place)
        if not places or annulled & set(game.seats):
            continue
        for seat, player in enumerate(game.seats):
            better = sum(places[seat] < other for other in places)
            equal = sum(places[seat] == other for other in places) - 1
            points[player] += (better + Fraction(equal, 2)) / (len(places) - 1)
    for each in view.row.rounds:
        for player in each.byes:
            points[player] += 1
    return {number: points[number] for number in entries if number not in annulled}


def _matches(view: TournamentView, results: Mapping[tuple[int, int], tuple[int, ...]]) -> dict[int, Fraction]:
    """How many matches those have won whose match in the last round goes on: one for each round before, or a bye.

    Whoever has gone on has not lost their match by the results of its games.
    """
    rounds = view.row.rounds
    there = [{*each.byes, *(player for game in each.games for player in game.seats)} for each in rounds]
    for number, (earlier, later) in enumerate(pairwise(there)):
        assert later < earlier, "only winners go on"
        for winner in later:
            assert _lead(view, results, number, winner) >= 0
    if view.row.status is TournamentStatus.FINISHED:
        (first,) = [line.player for line in view.standings if line.place == 1]
        assert _lead(view, results, len(rounds) - 1, first) >= 0
    ongoing = {player for game in rounds[-1].games if not game.places for player in game.seats}
    return {player: Fraction(len(rounds) - 1) for player in ongoing if _is_open(view, player)}


def _lead(view: TournamentView, results: Mapping[tuple[int, int], tuple[int, ...]], number: int, player: int) -> int:
    """By how many games a player leads in their match of a round. A forfeit decides it."""
    lead = 0
    for index, game in enumerate(view.row.rounds[number].games):
        if player in game.seats and (places := results.get((number, index))):
            seat = game.seats.index(player)
            won = (places[seat] < places[1 - seat]) - (places[seat] > places[1 - seat])
            lead += 100 * won if game.ending == "forfeited" else won
    return lead


def _is_open(view: TournamentView, player: int) -> bool:
    games = [game for game in view.row.rounds[-1].games if player in game.seats]
    return all(game.ending != "forfeited" for game in games)


@pytest.mark.slow
async def test_a_season_of_forty_people_ends_on_time_with_the_right_tables(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "season.sqlite3")
    season, began = Season(store, Time()), perf_counter()
    for number in range(LONGEST * 4):
        if number % 16 == 0 and len(season.events) < len(EVENTS):
            await season.open()
        try:
            await season.step()
        except SessionError as error:
            pytest.fail(f"step {number}: {error!r}")
        views = [await season.core.service(Tournaments).get(event) for event in season.events]
        over = {TournamentStatus.FINISHED, TournamentStatus.CANCELLED}
        if len(views) == len(EVENTS) and all(view.row.status in over for view in views):
            break
    rounds = sum(len(view.row.rounds) for view in views)
    sys.stdout.write("\n".join(["", *season.figures(), f"{rounds} rounds; {perf_counter() - began:.0f} s", ""]))
    assert [view.row.status for view in views].count(TournamentStatus.FINISHED) >= len(EVENTS) - 2
    assert all(view.row.status in over for view in views)
    for view in views:
        told = [number for event, number in season.calls if event == view.row.id]
        assert told == sorted(told)
        assert len(told) <= len(view.row.rounds) + 2
    for what in ("pause", "pair", "decide", "replace", "remove", "prolong", "came back", "entered late", "farewells",
                 "games decided by time", "games forfeited", "games played"):  # fmt: skip
        assert season.seen[what], what
    await store.close()
