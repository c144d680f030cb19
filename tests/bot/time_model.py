"""Time at a table, minute by minute: what happens by itself and when, by rules that share no code with the bot.

A running minute reduces the time left for a turn. Minutes do not run while an awaited person is on vacation, while the bot is
away for more than five minutes, or, for at most the length of the clock, while the turn's message is not there. The time of a
shorter gap is also given back if the turn would have ended in it, or too soon after it to react. A vacation saves no turn whose
time is over, and nobody's act takes away time that others need to be told and to react.

People are told at half time and with a tenth left; during quiet hours, at their end, or if that leaves too little time to
react, in the last waking minute before them. On vacation nobody is told. The turn's own message is not modelled.

The clock acts a minute after the end. Games of two get overtime once, as long as the clock and at most a day, and are then
lost; in others the clock plays for the absent. A press counts from the minute it was made. For anything finer than minutes see
tests/bot/core/test_trusted_time.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo


@dataclass
class Person:
    """Somebody at the table: time zone, quiet hours in minutes since midnight, and the end of their vacation."""

    zone: str = "UTC"
    quiet: tuple[int, int] = (0, 0)
    back: int = 0

    def first_awake(self, minutes: Iterable[int]) -> int:
        """The first of these minutes in which they are awake, or 0."""
        return next((minute for minute in minutes if awake(self.zone, self.quiet, minute)), 0)


@lru_cache(1 << 20)
def awake(zone: str, quiet: tuple[int, int], minute: int) -> bool:
    wall, (begins, ends) = datetime.fromtimestamp(60 * minute, ZoneInfo(zone)), quiet
    now = 60 * wall.hour + wall.minute
    return not begins <= now < ends if begins <= ends else ends <= now < begins


@lru_cache(1 << 16)
def told_at(zone: str, quiet: tuple[int, int], begins: int, usual: int, ends: int) -> int:
    """The minute in which somebody is told what is usually told in minute `usual`, or 0."""
    person, needed = Person(zone, quiet), min(15, (ends - begins) // 4)
    if awake(zone, quiet, usual):
        return usual
    in_time, before = range(usual, ends - needed), range(usual - 1, begins, -1)
    return person.first_awake(in_time) or person.first_awake(before) or person.first_awake(range(usual, ends))


class Model:
    """Everybody acts except the last to act, in any order; then a turn begins. Moments are minutes since the epoch."""

    def __init__(self, now: int, clock: int, people: dict[int, Person], delays: list[int], *, overtime: bool) -> None:
        self.now, self.clock, self.people, self.has_overtime = now, clock, people, overtime
        self.delays = iter(delays)  # after how many minutes the message of each turn stands
        self.happened: list[tuple[int, str, int]] = []
        self.looked, self.missed, self.is_over = now, 0, False
        self.begin(0)

    def begin(self, last: int) -> None:
        self.awaited, self.in_overtime = self.people.keys() - {last}, False
        self.left = self.whole = self.clock  # minutes; less than 0 once the time is over and the clock has not acted yet
        self.stands_at, self.may_wait = self.now + next(self.delays), self.clock
        self.begun, self.too_late = self.now, set[int]()

    @property
    def back(self) -> int:
        return max((self.people[who].back for who in self.awaited - self.too_late), default=0)

    @property
    def ends(self) -> int:
        return max(self.now, self.back) + (0 if self.now >= self.stands_at else self.may_wait) + self.left

    def press(self, who: int, made: int) -> bool:
        """Whether a press that is carried out now counts."""
        in_time, before = made < self.ends, self.ends
        if not in_time and not self.has_overtime:
            return False
        self.awaited = self.awaited - {who}
        if not self.awaited:
            self.has_overtime = self.has_overtime and in_time
            self.begin(who)
        self.keep_waking(before, self.awaited)
        return True

    def leave(self, who: int, minutes: int) -> None:
        self.too_late |= {who} if self.ends <= self.now else set()
        self.people[who].back = self.now + minutes

    def come_back(self, who: int) -> None:
        before = self.ends
        self.people[who].back = self.now
        self.keep_waking(before, self.awaited - {who} if who in self.awaited else set())

    def keep_waking(self, before: int, others: set[int]) -> None:
        """What was just done may have moved the end forward, for others than whoever did it."""
        if self.begun < self.now and self.stands_at <= self.now and self.ends < before:
            day = range(self.now, self.now + 2000)
            floor = max((self.people[who].first_awake(day) for who in others), default=0) + min(15, self.whole // 4)
            self.left += max(0, min(before, floor) - self.ends)

    def gap(self, minutes: int) -> None:
        until = self.now + minutes
        is_given_back = minutes > 5 or self.now <= self.ends <= until + min(15, self.whole // 4)
        if self.stands_at > self.now:
            self.stands_at = max(self.stands_at, until)
        known = [moment for moment, *_ in self.moments()]
        missed = min((moment for moment in known if moment >= self.now), default=until if known else self.now)
        while self.now < until:
            self.run(counts=not is_given_back)
        self.looked = min(missed, until) - 1

    def moments(self) -> list[tuple[int, str, int]]:
        ends, begins = self.ends, self.ends - self.whole
        first = ("grace", begins) if self.in_overtime else ("half", ends - self.whole // 2)
        found = []
        for who in sorted(self.awaited):
            person = self.people[who]
            for what, usual in (first, ("late", ends - self.whole // 10)):
                moment = told_at(person.zone, person.quiet, begins, usual, ends)
                if moment > self.begun and moment >= person.back:
                    found.append((moment, what, who))
        return found

    def minute(self) -> None:
        """A minute with the bot there: the clock acts, people are told, and time passes."""
        if self.ends < self.now:
            self.act()
        due = {who: (moment, what) for moment, what, who in sorted(self.moments()) if self.looked < moment <= self.now}
        for who, (moment, what) in due.items():
            # What was missed in a gap is told late, at a waking hour.
            late = self.now if self.now - moment <= 5 else self.people[who].first_awake(range(self.now, self.ends))
            late *= self.now < self.ends  # in the minute in which the time ends it is too late to be told
            if late and self.people[who].back <= self.now:
                self.happened.append((late, what, who))
        self.looked = self.now
        self.run(counts=True)

    def act(self) -> None:
        """The clock gives overtime, ends the game, or plays for the absent."""
        self.happened.append((self.now, "over", 0))
        self.missed += 1
        if self.has_overtime:
            self.has_overtime, self.in_overtime = False, True
            self.left = self.whole = min(self.clock, 1440)
            self.begun, self.stands_at, self.too_late = self.now - 1, self.now, set()
        elif len(self.people) == 2:
            self.is_over = True
        else:
            self.begin(max(self.awaited))

    def run(self, *, counts: bool) -> None:
        if counts and self.back <= self.now:
            if self.now >= self.stands_at or not self.may_wait:
                self.left -= 1
            else:
                self.may_wait -= 1
        self.now += 1
