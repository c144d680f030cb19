"""What phones show for every kind of message that pings somebody or is sent to them directly.

`python -m tests.bot.messages.lock_screens` prints all of it in both languages for a reader to judge: somebody who does not know
the bot should be able to say what each one asks them to do.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bot.core.core import Core
from bot.core.places import Letter
from bot.core.quarantine import CLOSED
from bot.core.table.audience import Unseen
from bot.core.table.settings import DAY, HOUR
from bot.core.table.since import story_of
from bot.core.table.snapshot import Snapshot
from bot.features.matchmaking.messages import wait_over_message
from bot.features.posts.settings import GONE, LOCKED, POSTS_ONLY, refused_message
from bot.features.tournaments.messages import farewell, question, tournament_call, unseen_call
from bot.i18n.language import Language, languages
from bot.messages.board import announce_turn
from bot.messages.builder import MessageBuilder
from bot.messages.direct_messages import direct_message, doubted_clock_message
from bot.messages.notices import invitation_message
from bot.messages.notification import SOON_SEEN
from bot.outbox.quarantine import quarantine_notification
from bot.parts import PARTS
from bot.registry import POSTS
from engines.text import say
from storage.schema.kinds import WaitEnd
from storage.schema.records import (
    Ending,
    Grace,
    Handover,
    Job,
    JobKind,
    Level,
    News,
    OfferKind,
    Offers,
    PostKind,
    Proposal,
    Relief,
    Result,
    SeatStatus,
    Status,
)
from storage.store import Store
from tests.bot.features.tournaments.tournament_games import opened
from tests.bot.features.tournaments.tournament_games import started as under_way
from tests.bot.notices import notice
from tests.bot.puzzles import LONG, SHORT, collection, puzzles
from tests.bot.service import BEN, BOUNCERS, Time, seeds, started
from tests.bot.stories import STORIES

NOW: Final = 1_767_614_400.0
ROLE: Final = 900
WHO: Final = ("Ada", "*Ben_der_*", "Maximiliane von und zu Hohenfels", "Дева Марија 🦊")
_MENTION: Final = re.compile(r"<@&?\d+>")


@dataclass(frozen=True)
class Shown:
    """What a phone shows.

    Attributes:
        kind: the kind of job, with what else tells it apart.
        content: the content of the message when it is created.
    """

    kind: tuple[str, ...]
    content: str

    @property
    def seen(self) -> str:
        """The sentence as people read it, with names for mentions."""
        return _MENTION.sub("@Ben", self.content.partition("\n")[0])


def _job(kind: JobKind, key: str = "", **payload: Any) -> Job:
    return Job(table_id=7, kind=kind, key=key, payload=payload, due=NOW, created_at=NOW)


def _content(builder: MessageBuilder) -> str:
    builder.mark = 1 << 30
    return builder.content(NOW)


def _tables() -> Iterator[tuple[str, Snapshot]]:
    """Tables of all games, at the beginning and after a long story."""
    for name, story in STORIES.items():
        names = tuple(WHO[: story.seats])
        for when, length in (("at the beginning", 0), (name, None)):
            snapshot = story.snapshot(names, length)
            yield when, replace(snapshot, table=replace(snapshot.table, deadline=NOW + DAY, turn=1))


def _boards(language: Language) -> Iterator[Shown]:
    for when, snapshot in _tables():
        overtime = replace(snapshot, table=replace(snapshot.table, grace=Grace.RUNNING, deadline=NOW + HOUR))
        without = replace(snapshot, table=replace(snapshot.table, clock=None, deadline=None))
        for how, at in (("", snapshot), ("overtime", overtime), ("no clock", without)):
            builder = MessageBuilder()
            announce_turn(builder, at, language, story_of(at.playing).told)
            yield Shown((JobKind.BOARD, at.table.game, when, how), _content(builder))


def _notices(language: Language) -> Iterator[Shown]:
    table = next(snapshot for when, snapshot in _tables() if when.startswith("twelve"))
    own = table.players[table.playing.to_act[0]].user_id
    for which, grace in (("half", Grace.LEFT), ("late", Grace.LEFT), ("late", Grace.RUNNING), ("abandoned", Grace.LEFT)):
        at = replace(table, table=replace(table.table, grace=grace, deadline=NOW + 3 * HOUR))
        job = _job(JobKind.REMINDER, user=own, turn=1, which=which)
        yield _noticed(at, job, language, which, grace)
    yield _noticed(table, _job(JobKind.NUDGE, by=0, turn=1), language)
    yield _noticed(table, _job(JobKind.WATCH, user=99, turn=1), language)
    over = replace(
        table, table=replace(table.table, status=Status.FINISHED, outcome=Result(winners=(0,), how=Ending.AGREED, reason=""))
    )
    yield _noticed(over, _job(JobKind.WATCH, user=99, turn=1), language, "over")
    for kind, offer in _offers():
        offering = replace(table, table=replace(table.table, offers=Offers(**{kind.value.replace("-", "_"): offer})))
        yield _noticed(offering, _job(JobKind.OFFER, kind), language, kind)


def _offers() -> Iterator[tuple[OfferKind, Any]]:
    for kind in OfferKind:
        match kind:
            case OfferKind.SUBSTITUTE:
                yield kind, Handover(by=0, seat=1, to=99)
            case OfferKind.COMPUTER:
                yield kind, Relief(by=0, agreed=(0,), version=0, seat=1, level=Level.HARD)
            case _:
                yield kind, Proposal(by=0, agreed=(0,))


def _noticed(snapshot: Snapshot, job: Job, language: Language, *more: str) -> Shown:
    said = notice(snapshot, job, language)
    assert said is not None
    return Shown((job.kind, *more), _content(said.builder))


def _invitations(language: Language) -> Iterator[Shown]:
    playing = next(snapshot for _, snapshot in _tables())
    for how in ("", "private", "matched", "ladder"):
        table = replace(playing.table, status=Status.OPEN, deadline=NOW + 14 * DAY)
        table = replace(table, private=how == "private", matched=how == "matched", ladder=how == "ladder")
        people = tuple(replace(seat, status=SeatStatus.INVITED) if seat.place else seat for seat in playing.people)
        snapshot = replace(playing, table=table, people=people, history=None)
        builder = invitation_message(snapshot, language)
        yield Shown((JobKind.INVITATION, how), _content(builder))


def _letters(language: Language) -> Iterator[Shown]:
    for _, snapshot in _tables():
        for news in News:
            letter = Letter(news=news, user=2, error="Missing Permissions", turn=1, code=50013)
            to = snapshot.players[snapshot.playing.to_act[0]].user_id
            builder = direct_message(snapshot, letter, to, say("I still need: {missing}.", missing="Send Messages"), language)
            yield Shown((JobKind.LETTER, news), _content(builder))
        break
    for end in WaitEnd:
        yield Shown((JobKind.WAIT_OVER, end), _content(wait_over_message(end, 1, "The Bounce Club", language)))
    yield Shown((JobKind.CLOCK_DOUBTED,), _content(doubted_clock_message(NOW, language)))
    for key in ("", CLOSED):
        builder = MessageBuilder().notify(quarantine_notification(_job(JobKind.SET_ASIDE, key), (1, 2), language))
        yield Shown((JobKind.SET_ASIDE, key), _content(builder))


async def _events(core: Core, clock: Time, language: Language) -> AsyncIterator[Shown]:
    name = "Spring *Cup* of the whole wide Bounce Club and its friends"
    cup = await opened(core, clock, 4, "swiss", name=name)
    for _ in range(2):
        await cup.enter()
        view = await cup.tick(DAY)
        for number in (1, 2):
            if (call := await tournament_call(view, number, language)) is not None and call.pinged:
                yield Shown((JobKind.EVENT_CALL, "round" if number == 2 else "check-in"), _content(call.builder))
    asked = replace(view.entries[1], asked_id=7)
    yield Shown((JobKind.EVENT_ASK,), _content(question(view, asked, language).builder))
    yield Shown((JobKind.EVENT_LEFT,), _content(farewell(view, "The Bounce Club", language)))
    entered = [entry.user_id for entry in view.entries]
    for whom, unseen in (("one", {entered[0]: Unseen.CHANNEL}), ("all", dict.fromkeys(entered, Unseen.LEFT))):
        yield Shown((JobKind.EVENT_UNSEEN, whom), _content(unseen_call(view, unseen, "The Bounce Club", language)))
    for players, format_ in ((4, "round_robin"), (64, "swiss")):
        view = await (await under_way(core, clock, players, format_, most=players)).view()
        call = await tournament_call(view, 2, language)
        assert call is not None
        yield Shown((JobKind.EVENT_CALL, f"{format_} of {players}"), _content(call.builder))


async def _posts(core: Core, language: Language) -> AsyncIterator[Shown]:
    await started(core, BOUNCERS, BEN)
    for kind in PostKind:
        posts = core.service(POSTS[kind].posts)
        post = await posts.choose(10, kind, channel_id=20, hour=9, zone="UTC", role_id=ROLE)
        content = await POSTS[kind].open(core, 10, posts.day_for(post), language, ROLE)
        assert content is not None, kind
        yield Shown((JobKind.POST, kind), _content(content.builder))
        for code in (50013, GONE, *sorted(POSTS_ONLY), *sorted(LOCKED)):
            known = await posts.get(10, kind)
            assert known is not None, post
            builder = refused_message(known, "The Bounce Club", 20, code, [say("Send Messages")], language)
            yield Shown((JobKind.POST_REFUSED, kind, str(code)), _content(builder))


@asynccontextmanager
async def _service() -> AsyncIterator[tuple[Core, Time]]:
    with TemporaryDirectory() as folder, puzzles(collection(days=(LONG, SHORT) * 9, first=date(2026, 1, 1))):
        store = await Store.open(Path(folder) / "springboard.sqlite3")
        try:
            clock, drawn = Time(), seeds()
            yield Core(store, parts=PARTS, now=clock, entropy=lambda _: next(drawn)), clock
        finally:
            await store.close()


async def shown_in(language: Language) -> list[Shown]:
    parts: tuple[Callable[[Language], Iterator[Shown]], ...] = (_boards, _notices, _invitations, _letters)
    found = [one for part in parts for one in part(language)]
    async with _service() as (core, clock):
        found += [one async for one in _posts(core, language)]
        found += [one async for one in _events(core, clock, language)]
    return found


def lines(found: list[Shown]) -> Iterator[str]:
    """What phones show, for reading: first the part that every lock screen has room for, then all of it."""
    for one in found:
        yield " · ".join(part for part in one.kind if part)
        yield f"    {one.seen[:SOON_SEEN]}"
        if len(one.seen) > SOON_SEEN:
            yield f"    {one.seen}"


async def _print() -> None:
    for code, language in languages().items():
        sys.stdout.write(f"\n=== {code} ===\n")
        sys.stdout.writelines(f"{line}\n" for line in lines(await shown_in(language)))


if __name__ == "__main__":
    asyncio.run(_print())
