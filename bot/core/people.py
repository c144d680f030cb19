"""Settings and vacations, which are data of people and servers, and independent of tables."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from pydantic import ValidationError

from bot.core.core import CorruptTable
from bot.core.parts import Service
from bot.core.reminders import waking_deadline
from bot.core.table.deadlines import awaited_ids, away_until, deadline_after_vacations, ends_at
from bot.core.table.errors import Quarantined, Refused
from bot.core.table.settings import PersonSettings, ServerSettings
from engines.text import plain, say
from storage import queries
from storage.schema.records import JobKind, Person, Status
from storage.store import Writer

Settings = TypeVar("Settings", PersonSettings, ServerSettings)

DAY: Final = 86400.0
DAYS_A_YEAR: Final = 21
DAYS_IN_A_ROW: Final = 14
WHEN_REMINDED: Final = frozenset({"quiet_from", "quiet_until", "zone", "remind_half", "remind_late"})
"""The settings that decide when a person is reminded of their turns."""

DAYS_BETWEEN: Final = 7
"""Days that must lie between two vacations. Otherwise, fourteen days in a row could become twenty-one."""


class Users(Service):
    """The rows and settings of people and servers."""

    async def person(self, user_id: int) -> Person:
        """Return a person's row."""
        async with self._core.store.read() as reader:
            return await queries.people.get(reader, user_id)

    async def settings(self, user_id: int) -> PersonSettings:
        """Return a person's settings."""
        async with self._core.store.read() as reader:
            return PersonSettings.of(await queries.people.get(reader, user_id))

    async def change(self, user_id: int, **changes: object) -> PersonSettings:
        """Change some of a person's settings. Raises Refused if a value is not valid."""
        async with self._core.store.write() as writer:
            person = await queries.people.get_to_change(writer, user_id)
            settings = _changed(PersonSettings.of(person), changes)
            person = replace(person, settings=settings.model_dump(mode="json", exclude_defaults=True))
            if changes.get("notify") == "direct":  # they have allowed messages, or believe that they have
                person = replace(person, direct_closed=None, direct_told=None)
            await queries.people.put(writer, person)
            if changes.keys() & WHEN_REMINDED:
                await self._look_again(writer, user_id)
        if changes.keys() & WHEN_REMINDED:
            self._core.on_change(0.0)
        return settings

    async def server(self, guild_id: int) -> ServerSettings:
        """Return a server's settings."""
        async with self._core.store.read() as reader:
            return ServerSettings.of(await queries.servers.get(reader, guild_id))

    async def change_server(self, guild_id: int, **changes: object) -> ServerSettings:
        """Change some of a server's settings. Raises Refused if a value is not valid."""
        async with self._core.store.write() as writer:
            server = await queries.servers.get(writer, guild_id)
            settings = _changed(ServerSettings.of(server), changes)
            kept = settings.model_dump(mode="json", exclude_defaults=True)
            await queries.servers.put(writer, replace(server, settings=kept))
        return settings

    async def begin_vacation(self, user_id: int, days: int, interaction_id: int | None = None) -> Person:
        """Begin a vacation, which pauses all turns not over yet. Raises Refused if it is too long or too soon after another."""
        now = self._core.now()
        if not 1 <= days <= DAYS_IN_A_ROW:
            raise Refused(say("A vacation lasts 1 to {most} days.", most=DAYS_IN_A_ROW))
        await self._replay_games(user_id)
        async with self._core.store.write() as writer:
            person = await queries.people.get_to_change(writer, user_id)
            if person.vacation_until is not None:
                if person.vacation_until > now:
                    raise Refused(say("You’re already on vacation until {when}.", when=_moment(person.vacation_until)))
                again = person.vacation_until + DAYS_BETWEEN * DAY
                if again > now:
                    raise Refused(say("You can go on vacation again {when}.", when=_moment(again)))
            taken = dict(person.vacation_days)
            for year, share in _by_year(now, now + days * DAY).items():
                taken[year] = taken.get(year, 0.0) + share
                if taken[year] > DAYS_A_YEAR + 1e-6:
                    left = max(0.0, DAYS_A_YEAR - (taken[year] - share))
                    raise Refused(
                        say(
                            "You have {left} of {most} vacation days left in {year}.",
                            left=int(left),
                            most=DAYS_A_YEAR,
                            year=year,
                        )
                    )
            person = replace(person, vacation_from=now, vacation_until=now + days * DAY, vacation_days=taken)
            await queries.people.put(writer, person)
            await self._shift(writer, user_id, 0.0, self._core.discord.moment(interaction_id, now))
        self._core.on_change(0.0)
        return person

    async def end_vacation(self, user_id: int) -> Person:
        """End a person's vacation early, and credit the remaining days. Raises Refused if the person is not on vacation."""
        now = self._core.now()
        await self._replay_games(user_id)
        async with self._core.store.write() as writer:
            person = await queries.people.get_to_change(writer, user_id)
            until = person.vacation_until
            if until is None or until <= now:
                raise Refused(say("You’re not on vacation."))
            taken = dict(person.vacation_days)
            for year, share in _by_year(now, until).items():
                taken[year] = max(0.0, taken.get(year, 0.0) - share)
            person = replace(person, vacation_until=now, vacation_days=taken)
            await queries.people.put(writer, person)
            await self._shift(writer, user_id, until, now)
        self._core.on_change(0.0)
        return person

    async def _replay_games(self, user_id: int) -> None:
        """Rebuild a person's games before a transaction that looks at all of them, so that it need not replay any."""
        async with self._core.store.read() as reader:
            tables = await queries.tables.find(reader, user_id=user_id, statuses=(Status.PLAYING,), limit=1000)
        for table in tables:
            with suppress(Quarantined):
                await self._core.snapshot(table.id)

    async def _shift(self, writer: Writer, user_id: int, before: float, pressed: float) -> None:
        """Move the deadlines of turns that wait for a person who has just begun or ended a vacation.

        `before` is when the vacation would have ended before this change. Turns that were over when the person asked for the
        change, at `pressed`, stay as they are.
        """
        now = self._core.now()
        for table in await queries.tables.find(writer, user_id=user_id, statuses=(Status.PLAYING,), limit=1000):
            try:
                snapshot = await self._core.load(writer, table.id)
            except CorruptTable:
                continue  # it is put in quarantine as soon as it is asked for
            table = snapshot.table  # as it is now: another process may look after it
            awaited = awaited_ids(snapshot, snapshot.playing.to_act)
            if table.clock is None or table.deadline is None or user_id not in awaited:
                continue
            if (ends_at(table) or 0.0) <= pressed:
                continue
            others = [other for other in awaited if other != user_id]
            until, after = max(before, await away_until(writer, others)), await away_until(writer, awaited)
            deadline = deadline_after_vacations(table.deadline, now, until, after)
            deadline = await waking_deadline(writer, table, deadline, others, now)
            await queries.tables.change(writer, table.id, deadline=deadline, notice_at=now)
            await self._core.enqueue(writer, table.id, JobKind.REFRESH)

    async def _look_again(self, writer: Writer, user_id: int) -> None:
        now = self._core.now()
        for table in await queries.tables.find(writer, user_id=user_id, statuses=(Status.PLAYING,), limit=1000):
            if table.deadline is not None:
                await queries.tables.change(writer, table.id, notice_at=now)


def vacation_left(person: Person, now: float) -> int:
    """Return how many whole days of vacation a person has left this year."""
    year = str(datetime.fromtimestamp(now, UTC).year)
    return int(max(0.0, DAYS_A_YEAR - person.vacation_days.get(year, 0.0)) + 1e-6)


def _changed(settings: Settings, changes: dict[str, object]) -> Settings:
    """Return settings with some changes. An invalid stored value is no obstacle to them. Raises Refused."""
    try:
        return type(settings).model_validate(settings.model_dump(exclude_unset=True) | changes)
    except ValidationError as error:  # pydantic's own messages are for programmers, and only in English
        raise Refused(say("You can’t choose “{value}” here.", value=plain(str(error.errors()[0]["input"])))) from error


def _by_year(begins: float, ends: float) -> dict[str, float]:
    """Return how many days of a period lie in each calendar year (UTC)."""
    shares: dict[str, float] = {}
    at = datetime.fromtimestamp(begins, UTC)
    end = datetime.fromtimestamp(ends, UTC)
    while at < end:
        turn_of_year = min(end, datetime(at.year + 1, 1, 1, tzinfo=UTC))
        shares[str(at.year)] = (turn_of_year - at) / timedelta(days=1)
        at = turn_of_year
    return shares


def _moment(time: float) -> str:
    return f"<t:{int(time)}:f>"
